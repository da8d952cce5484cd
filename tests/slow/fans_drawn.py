"""Drawn stage boards for train_fans: any print, standees, hands, and fans of both kinds, with where they lie.

All is drawn at twice the size at which the net sees it, then lit and photographed (`photograph`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[Any]
Random = np.random.Generator
Colour = tuple[float, float, float]
HUES = {"R": (-14, 12), "Y": (40, 60), "B": (208, 248)}  # degrees of the fans' own colours


@dataclass(frozen=True)
class Piece:
    """Something to lay on a board: `picture` BGR, `alpha` 0–1, both square with the middle in the middle."""

    picture: Picture
    alpha: Picture


def ink(hue: float, vivid: float, bright: float) -> Colour:
    """Degrees, 0–1, 0–1 → BGR."""
    hsv = np.array([[[hue % 360, vivid, bright]]], np.float32)
    b, g, r = (float(x) * 255 for x in cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0])
    return b, g, r


def any_ink(rng: Random) -> Colour:
    if rng.random() < 0.4:  # the fans' own hues are the hard ones
        low, high = HUES[str(rng.choice(list("RYBB")))]
        return ink(rng.uniform(low - 10, high + 10), rng.uniform(0.3, 1), rng.uniform(0.3, 1))
    return ink(rng.uniform(0, 360), rng.beta(1.5, 1.2), rng.beta(2, 1.2))


def pale_ink(rng: Random) -> Colour:
    return ink(rng.uniform(0, 360), rng.uniform(0, 0.15), rng.uniform(0.85, 1))


def star(x: float, y: float, size: float, points: int, inner: float, turn: float) -> Picture:
    angles = turn + np.linspace(0, 2 * np.pi, 2 * points, endpoint=False)
    far = np.where(np.arange(2 * points) % 2, size, size * inner)
    return np.stack([x + far * np.cos(angles), y + far * np.sin(angles)], axis=1).astype(np.int32)


def blend(board: Picture, over: Picture, mask: Picture) -> None:
    x, y, width, height = cv2.boundingRect((mask > 0).astype(np.uint8))
    part = (slice(y, y + height), slice(x, x + width))
    board[part] += (over[part] - board[part]) * mask[part][..., None]


def board(rng: Random, width: int, height: int, radius: float) -> Picture:
    """Three panels with frames, headings, large letters, stars, dots, translucent shapes."""
    out = np.empty((height, width, 3), np.float32)
    edges = [0, width // 3, 2 * width // 3, width]
    for left, right in pairwise(edges):
        out[:, left:right] = any_ink(rng)
    if rng.random() < 0.5:  # one ground fading into another
        fade = np.linspace(0, 1, height, dtype=np.float32)[:, None] * np.ones(width, np.float32)
        blend(out, np.broadcast_to(np.array(any_ink(rng), np.float32), out.shape), fade * float(rng.uniform(0.2, 1)))
    for _ in range(int(rng.integers(6, 26))):
        _print(rng, out, radius)
    if rng.random() < 0.8:
        line = pale_ink(rng)
        for left, right in pairwise(edges):
            cv2.rectangle(out, (left + 2, 2), (right - 3, height - 3), line, int(rng.integers(1, 4)), cv2.LINE_AA)
    if rng.random() < 0.8:
        for text, left in zip(("SIDE A", "STAGE", "SIDE B"), edges[:-1], strict=True):
            at = (left + int(rng.uniform(0.05, 0.3) * width / 3), int(rng.uniform(0.8, 1.4) * radius))
            cv2.putText(out, text, at, 0, radius / 38, (20, 20, 20), 4, cv2.LINE_AA)
            cv2.putText(out, text, at, 0, radius / 38, pale_ink(rng), 2, cv2.LINE_AA)
    if rng.random() < 0.8:
        for left in edges[:-1]:
            for k, letter in enumerate("RYB"):
                at = (left + int((k + 0.7) * width / 10), height - int(0.85 * radius))
                cv2.circle(out, at, int(0.28 * radius), pale_ink(rng), -1, cv2.LINE_AA)
                cv2.circle(out, at, int(0.21 * radius), token_ink(rng, letter), -1, cv2.LINE_AA)
    return out


def _print(rng: Random, out: Picture, radius: float) -> None:
    height, width = out.shape[:2]
    mask = np.zeros(out.shape[:2], np.float32)
    colour, x, y = any_ink(rng), int(rng.integers(0, width)), int(rng.integers(0, height))
    size, kind = float(rng.uniform(0.3, 2.2) * radius), int(rng.integers(0, 8))
    thick = -1 if rng.random() < 0.6 else int(rng.integers(1, 8))
    if kind == 0:
        if 0.8 * radius < size < 1.3 * radius and rng.random() < 0.7:
            size *= 1.7  # print just like a fan is a riddle, not a lesson
        cv2.circle(mask, (x, y), int(size), 1, thick, cv2.LINE_AA)
        if rng.random() < 0.4:
            cv2.circle(out, (x, y), int(size) + 3, any_ink(rng), 3, cv2.LINE_AA)
    elif kind == 1:
        corner = (int(x + size * rng.uniform(0.5, 3)), int(y + size * rng.uniform(0.3, 2)))
        cv2.rectangle(mask, (x, y), corner, 1, thick)
        if rng.random() < 0.4:
            cv2.rectangle(out, (x - 2, y - 2), (corner[0] + 2, corner[1] + 2), pale_ink(rng), 3)
    elif kind == 2:
        shape = star(x, y, size, int(rng.integers(3, 14)), rng.uniform(0.3, 0.8), rng.uniform(0, 3))
        cv2.fillPoly(mask, [shape], 1, cv2.LINE_AA)
        if rng.random() < 0.5:
            cv2.polylines(out, [shape], True, pale_ink(rng), int(rng.integers(2, 6)), cv2.LINE_AA)
    elif kind == 3:
        text = "".join(rng.choice(list("ABCDEFGHIKLMNOPRSTUVWXY0123!?"), int(rng.integers(1, 8))))
        scale, bold = size / 18, int(rng.integers(2, 10))
        canvas = np.zeros_like(mask)
        cv2.putText(canvas, text, (x, y), int(rng.choice([0, 2, 3, 4])), scale, 1, bold, cv2.LINE_AA)
        if rng.random() < 0.3:
            canvas = np.ascontiguousarray(
                cv2.warpAffine(canvas, cv2.getRotationMatrix2D((x, y), 90, 1), mask.shape[::-1])
            )
        if rng.random() < 0.5:
            blend(
                out,
                np.broadcast_to(np.array(pale_ink(rng), np.float32), out.shape),
                cv2.dilate(canvas, np.ones((5, 5))),
            )
        mask = canvas
    elif kind == 4:
        step, dot = int(rng.integers(5, 12)), int(rng.integers(1, 4))
        for row in range(y, min(height, y + int(3 * size)), step):
            for column in range(x, min(width, x + int(4 * size)), step):
                cv2.circle(mask, (column, row), dot, 1, -1)
    elif kind == 5:
        end = (int(x + size * rng.normal(0, 4)), int(y + size * rng.normal(0, 4)))
        cv2.line(mask, (x, y), end, 1, int(rng.integers(2, 22)), cv2.LINE_AA)
    elif kind == 6:  # sun rays
        for angle in np.linspace(0, 2 * np.pi, int(rng.integers(8, 24)), endpoint=False):
            tip = np.array([[0, 0], [500, -25], [500, 25]]) @ np.array(
                [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
            )
            cv2.fillPoly(mask, [(tip + np.array((x, y))).astype(np.int32)], 1, cv2.LINE_AA)
        left = int(rng.integers(0, 3)) * width // 3
        mask[:, :left], mask[:, left + width // 3 :] = 0, 0
    else:
        axes = (int(size), int(size * rng.uniform(0.3, 1)))
        cv2.ellipse(mask, (x, y), axes, rng.uniform(0, 180), 0, 360, 1, thick, cv2.LINE_AA)
    if rng.random() < 0.5:
        mask *= float(rng.uniform(0.2, 1))
    blend(out, np.broadcast_to(np.array(colour, np.float32), out.shape), mask)


def _plain(colour: Picture) -> Colour:
    b, g, r = (float(x) for x in colour)
    return b, g, r


def _blank(reach: int) -> tuple[Picture, Picture]:
    return np.zeros((2 * reach + 1, 2 * reach + 1, 3), np.float32), np.zeros((2 * reach + 1,) * 2, np.float32)


def token_ink(rng: Random, letter: str) -> Colour:
    low, high = HUES[letter]
    return ink(rng.uniform(low, high), rng.uniform(0.6, 1), rng.uniform(0.45 if letter != "Y" else 0.7, 1))


def disc(rng: Random, letter: str, radius: float) -> Piece:
    """A round token: a pale rim, often an inner ring, an emblem."""
    reach = int(1.3 * radius)
    middle, colour, pale = (reach, reach), token_ink(rng, letter), pale_ink(rng)
    picture, alpha = _blank(reach)
    size = radius * rng.uniform(0.92, 1.04)
    cv2.circle(alpha, middle, int(size), 1, -1, cv2.LINE_AA)
    picture[:] = pale if rng.random() < 0.85 else colour
    cv2.circle(picture, middle, int(size * rng.uniform(0.78, 0.93)), colour, -1, cv2.LINE_AA)
    if rng.random() < 0.6:
        ring = tuple(0.5 * (a + b) for a, b in zip(colour, pale, strict=True))
        cv2.circle(picture, middle, int(size * rng.uniform(0.55, 0.78)), ring, int(rng.integers(1, 4)), cv2.LINE_AA)
    kind = int(rng.integers(0, 6))
    if kind == 0:
        cv2.fillPoly(
            picture, [star(*middle, size * rng.uniform(0.4, 0.6), 5, 0.45, rng.uniform(0, 6))], pale, cv2.LINE_AA
        )
    elif kind == 1:  # a little fan
        for angle in np.radians(rng.uniform(0, 360) + np.linspace(-60, 60, int(rng.integers(4, 9)))):
            tip = (int(reach + 0.6 * size * np.cos(angle)), int(reach + 0.6 * size * np.sin(angle)))
            cv2.line(picture, middle, tip, pale, int(rng.integers(1, 4)), cv2.LINE_AA)
    elif kind == 2:  # a face
        cv2.circle(picture, middle, int(size * 0.35), pale, -1, cv2.LINE_AA)
        cv2.ellipse(
            picture,
            (reach, reach - int(0.2 * size)),
            (int(0.35 * size), int(0.2 * size)),
            0,
            180,
            360,
            (40, 50, 70),
            -1,
        )
    elif kind == 3:
        cv2.putText(
            picture,
            str(rng.choice(list("*XKO8&RBY"))),
            (reach - int(0.3 * size), reach + int(0.3 * size)),
            0,
            size / 28,
            pale,
            3,
        )
    elif kind == 4:
        cv2.ellipse(
            picture, middle, (int(0.5 * size), int(0.3 * size)), rng.uniform(0, 180), 0, 180, pale, -1, cv2.LINE_AA
        )
    return Piece(picture, alpha)


def folded(rng: Random, letter: str, radius: float) -> Piece:
    """A folding fan seen from above: pleats, often a pale edge and a medallion or emblem."""
    reach = int(1.7 * radius)
    picture, alpha = _blank(reach)
    colour, pale = np.array(token_ink(rng, letter)), np.array(pale_ink(rng))
    half, far = rng.uniform(45, 75), radius * rng.uniform(1.4, 1.9)
    pivot = (reach, int(reach + rng.uniform(0.5, 0.62) * far))
    arc, start, end = (int(far), int(far)), -90 - half, -90 + half
    cv2.ellipse(alpha, pivot, arc, 0, start, end, 1, -1, cv2.LINE_AA)
    if rng.random() < 0.6:  # the sticks are bare near the pivot
        cv2.circle(alpha, pivot, int(rng.uniform(0.1, 0.35) * far), 0, -1, cv2.LINE_AA)
    light = colour + (pale - colour) * rng.uniform(0.0, 0.9)
    dark = colour * rng.uniform(0.45, 1)
    count, share = int(rng.integers(6, 14)), rng.uniform(0.3, 0.7)
    cuts = np.linspace(start, end, 2 * count + 1)
    picture[:] = dark
    for k in range(0, 2 * count, 2):
        last = cuts[k] + 2 * share * (cuts[k + 1] - cuts[k])
        cv2.ellipse(picture, pivot, arc, 0, cuts[k], last, _plain(light), -1, cv2.LINE_AA)
    if rng.random() < 0.5:
        edge = (arc[0] - 1, arc[1] - 1)
        cv2.ellipse(picture, pivot, edge, 0, start, end, _plain(pale), int(rng.integers(1, 4)), cv2.LINE_AA)
    if rng.random() < 0.75:
        at, wide = (reach, int(pivot[1] - rng.uniform(0.5, 0.62) * far)), radius * rng.uniform(0.25, 0.5)
        axes = (int(wide), int(wide * rng.uniform(0.55, 1)))
        inside = colour if rng.random() < 0.7 else pale
        cv2.ellipse(picture, at, axes, 0, 0, 360, _plain(inside), -1, cv2.LINE_AA)
        cv2.ellipse(picture, at, axes, 0, 0, 360, _plain(pale), int(rng.integers(1, 4)), cv2.LINE_AA)
    return Piece(picture, alpha)


def plain(rng: Random, letter: str, radius: float) -> Piece:
    """Any other small flat thing of that colour: "by colour and not by shape"."""
    reach = int(1.4 * radius)
    picture, alpha = _blank(reach)
    picture[:] = token_ink(rng, letter)
    shape = star(reach, reach, radius, int(rng.integers(3, 9)), rng.uniform(0.8, 1), rng.uniform(0, 6))
    cv2.fillPoly(alpha, [shape], 1, cv2.LINE_AA)
    if rng.random() < 0.7:
        cv2.polylines(picture, [shape], True, pale_ink(rng), int(rng.integers(2, 5)), cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.circle(
            picture,
            (reach, reach),
            int(radius * rng.uniform(0.2, 0.5)),
            pale_ink(rng),
            int(rng.choice([-1, 2])),
            cv2.LINE_AA,
        )
    return Piece(picture, alpha)


def standee(rng: Random, radius: float) -> Piece:
    """A figure in a slotted base, from above or leaning away: a plain ellipse with a dark slit, often a body."""
    reach = int(3 * radius)
    picture, alpha = _blank(reach)
    colour = np.array(any_ink(rng) if rng.random() < 0.7 else token_ink(rng, str(rng.choice(list("RYBB")))))
    axes = (int(radius * rng.uniform(0.6, 1.15)), int(radius * rng.uniform(0.4, 1.05)))
    middle, turn = (reach, reach), float(rng.uniform(-25, 25))
    lower = (reach, reach + int(0.18 * radius))
    for at, shade in ((lower, 0.6), (middle, 1.0)):
        cv2.ellipse(alpha, at, axes, turn, 0, 360, 1, -1, cv2.LINE_AA)
        cv2.ellipse(picture, at, axes, turn, 0, 360, _plain(colour * shade), -1, cv2.LINE_AA)
    if rng.random() < 0.3:
        cv2.ellipse(picture, middle, axes, turn, 0, 360, _plain(colour * rng.uniform(0.7, 1.3)), 2, cv2.LINE_AA)
    slope = np.radians(turn + rng.uniform(-15, 15))
    off = (int(0.8 * axes[0] * np.cos(slope)), int(0.8 * axes[0] * np.sin(slope)))
    one, two = (reach - off[0], reach - off[1]), (reach + off[0], reach + off[1])
    dark = any_ink(rng) if rng.random() < 0.3 else ink(rng.uniform(0, 360), rng.uniform(0, 0.6), rng.uniform(0, 0.35))
    cv2.line(picture, one, two, dark, int(rng.integers(2, 7)), cv2.LINE_AA)
    if rng.random() < 0.5:
        _body(rng, picture, alpha, middle, radius)
    return Piece(picture, alpha)


def _body(rng: Random, picture: Picture, alpha: Picture, foot: tuple[int, int], radius: float) -> None:
    lean = np.array([rng.normal(0, 0.3), -1]) * radius * rng.uniform(0.2, 2.2)
    across = np.array([-lean[1], lean[0]]) / (np.linalg.norm(lean) + 1e-6) * radius * rng.uniform(0.3, 0.8)
    parts = [(foot + lean * 0.5, rng.uniform(0.2, 0.5)), (foot + lean, rng.uniform(0.2, 0.4))]
    parts += [(foot + lean * rng.uniform(0, 1) + across * k, rng.uniform(0.12, 0.3)) for k in (-1, -0.5, 0.5, 1)]
    colours = [any_ink(rng) for _ in range(3)]
    for grow, edge in ((1.0, True), (0.0, False)):
        for k, (at, size) in enumerate(parts):
            axes = (int(radius * size + 2 * grow), int(radius * size * 1.2 + 2 * grow))
            where = (int(at[0]), int(at[1]))
            colour = (235.0, 235.0, 235.0) if edge else colours[k % 3]
            cv2.ellipse(picture, where, axes, 0, 0, 360, colour, -1, cv2.LINE_AA)
            cv2.ellipse(alpha, where, axes, 0, 0, 360, 1, -1, cv2.LINE_AA)


def marble(rng: Random, radius: float) -> Piece:
    reach = int(radius)
    picture, alpha = _blank(reach)
    size = int(0.65 * radius)
    colour = np.array(token_ink(rng, str(rng.choice(list("RYB")))))
    cv2.circle(alpha, (reach, reach), size, float(rng.uniform(0.6, 1)), -1, cv2.LINE_AA)
    for step in np.linspace(1, 0.2, 6):
        shade = tuple(map(float, np.minimum(colour * (1.25 - 0.6 * step), 255)))
        cv2.circle(
            picture,
            (reach, reach - int(0.2 * size * (1 - step))),
            max(1, int(size * step * 1.05)),
            shade,
            -1,
            cv2.LINE_AA,
        )
    cv2.circle(
        picture,
        (reach + int(0.3 * size), reach - int(0.35 * size)),
        max(1, int(0.18 * size)),
        (255, 255, 255),
        -1,
        cv2.LINE_AA,
    )
    return Piece(picture, alpha)


def hand(rng: Random, width: int, height: int, radius: float) -> tuple[Picture, Picture]:
    """Colour and mask of a hand or sleeve that reaches in from outside."""
    mask = np.zeros((height, width), np.float32)
    x, y = (
        float(rng.uniform(0, width)),
        float(rng.choice([0, height]) if rng.random() < 0.7 else rng.uniform(0, height)),
    )
    tone = ink(rng.uniform(5, 28), rng.uniform(0.25, 0.6), rng.uniform(0.25, 1)) if rng.random() < 0.8 else any_ink(rng)
    for _ in range(int(rng.integers(1, 5))):
        axes = (int(radius * rng.uniform(1, 4)), int(radius * rng.uniform(0.4, 2)))
        at = (int(x + rng.normal(0, radius)), int(y + rng.normal(0, radius)))
        cv2.ellipse(mask, at, axes, rng.uniform(0, 180), 0, 360, 1, -1, cv2.LINE_AA)
    mask[:] = cv2.GaussianBlur(mask, (0, 0), 1.0)
    shade = 1 - 0.3 * cv2.GaussianBlur(mask, (0, 0), radius / 2)
    return np.array(tone, np.float32) * shade[..., None], mask


def put(rng: Random, scene: Picture, owner: Picture, piece: Piece, at: Sequence[float], number: int) -> int:
    """Lays a piece turned by any angle, with its shadow; `owner`: who is seen at each pixel. → its size in pixels."""
    middle = piece.alpha.shape[0] // 2
    left, top = max(0, int(at[0]) - middle - 12), max(0, int(at[1]) - middle - 12)
    part = (slice(top, int(at[1]) + middle + 13), slice(left, int(at[0]) + middle + 13))
    height, width = owner[part].shape
    x, y = at[0] - left, at[1] - top
    turn = rng.uniform(0, 360) if number >= 0 else rng.uniform(-20, 20)
    move = cv2.getRotationMatrix2D((middle, middle), turn, rng.uniform(0.93, 1.07))
    move[:, 2] += np.array((x, y)) - middle
    squash = rng.uniform(0.88, 1.06)
    move[1] = move[1] * squash + (0, 0, y * (1 - squash))
    alpha = cv2.warpAffine(piece.alpha, move, (width, height))
    picture = cv2.warpAffine(piece.picture, move, (width, height), borderMode=cv2.BORDER_REPLICATE)
    away = np.array([[1, 0, rng.uniform(-5, 5)], [0, 1, rng.uniform(-5, 5)]], np.float32)
    shadow = cv2.GaussianBlur(cv2.warpAffine(alpha, away, (width, height)), (0, 0), rng.uniform(1, 5))
    scene[part] *= 1 - float(rng.uniform(0, 0.45)) * shadow[..., None]
    blend(scene[part], picture, cv2.GaussianBlur(alpha, (0, 0), 0.6))
    mine = alpha > 0.5
    owner[part][mine] = number
    return int(mine.sum())


def photograph(rng: Random, scene: Picture) -> tuple[Picture, Picture]:
    """BGR as drawn → uint8 at half size as the camera gives it, and the known log gain (h × w × 3) of its light."""
    height, width = scene.shape[:2]
    ys, xs = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    lamp = rng.normal(0, 0.22 if rng.random() < 0.75 else 0.45, 3) + rng.normal(-0.15, 0.35)
    slopes = rng.normal(0, 0.22) * xs + rng.normal(0, 0.12) * ys + rng.normal(0, 0.1) * xs * xs
    field = (slopes[..., None] * (1 + rng.normal(0, 0.25, 3)) + lamp).astype(np.float32)
    lit: Picture = scene * np.exp(field)
    if rng.random() < 0.45:  # a lamp's reflection
        x, y, size = rng.uniform(-1, 1), rng.uniform(-1.2, 1.2), rng.uniform(0.15, 0.7)
        glare = np.exp(-(((xs - x) ** 2 + (0.45 * (ys - y)) ** 2) / size**2))
        lit += (glare * rng.uniform(30, 220))[..., None] * np.exp(rng.normal(0, 0.12, 3)).astype(np.float32)
    if rng.random() < 0.3:  # something's shadow
        mask = cv2.GaussianBlur(hand(rng, width, height, height / 5)[1], (0, 0), rng.uniform(2, 20))
        lit *= 1 - float(rng.uniform(0.2, 0.75)) * mask[..., None]
    if rng.random() < 0.6:
        lit[:] = cv2.GaussianBlur(lit, (0, 0), rng.uniform(0.4, 2.4))
    lit = lit + rng.uniform(1, 16) * rng.standard_normal(lit.shape, np.float32)
    done: Picture = np.clip(lit, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        data = cv2.imencode(".jpg", done, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 95))])[1]
        done = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    half = (width // 2, height // 2)
    known = field if rng.random() < 0.6 else np.broadcast_to(lamp.astype(np.float32), field.shape)
    return cv2.resize(done, half, interpolation=cv2.INTER_AREA), cv2.resize(np.ascontiguousarray(known), half)
