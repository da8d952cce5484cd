"""What moves on the drawn table, drawn once: glass marbles, fans, a hand with its arm, and their shadows.

A sprite is a premultiplied B,G,R picture with the complement of its alpha, both uint8: pasting is one multiply and one
add. Light falls from the upper left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

MARBLE = {"R": (34, 26, 200), "Y": (22, 176, 238), "B": (190, 84, 20)}
FAN = {"R": (52, 44, 206), "Y": (40, 186, 240), "B": (196, 96, 34)}
RADIUS = 23.6
TURNS = 12
SLEEVE = {"A": (86, 92, 52), "B": (82, 62, 78)}
SKIN = {"A": (138, 172, 222), "B": (104, 138, 190)}
LIGHT = np.array((-0.46, -0.54, 0.71), np.float32)


@dataclass(frozen=True, eq=False)
class Sprite:
    """`colour`: h×w×3 premultiplied; `keep`: what of the ground shines through, h×w×3; `anchor`: its (x, y) in it."""

    colour: Bytes
    keep: Bytes
    anchor: tuple[float, float]

    @staticmethod
    def of(colour: Floats, alpha: Floats, anchor: tuple[float, float]) -> Sprite:
        alpha = np.clip(alpha, 0, 1)[..., None]
        keep = np.repeat(np.round(255 * (1 - alpha)), 3, axis=2).astype(np.uint8)
        return Sprite(np.round(np.clip(colour, 0, 255) * alpha).astype(np.uint8), keep, anchor)

    def mirrored(self) -> Sprite:
        width = self.colour.shape[1]
        flip = np.ascontiguousarray
        return Sprite(
            flip(self.colour[:, ::-1]), flip(self.keep[:, ::-1]), (width - 1 - self.anchor[0], self.anchor[1])
        )

    def paste(self, image: Bytes, point: tuple[float, float], above: int = 0) -> None:
        """Onto `image` with the anchor on `point`; rows above `above` are left alone."""
        x, y = round(point[0] - self.anchor[0]), round(point[1] - self.anchor[1])
        height, width = self.colour.shape[:2]
        x0, y0 = max(x, 0), max(y, above)
        x1, y1 = min(x + width, image.shape[1]), min(y + height, image.shape[0])
        if x0 >= x1 or y0 >= y1:
            return
        part = image[y0:y1, x0:x1]
        cut = np.s_[y0 - y : y1 - y, x0 - x : x1 - x]
        cv2.multiply(part, self.keep[cut], dst=part, scale=1 / 255)
        cv2.add(part, self.colour[cut], dst=part)


def _grid(size: int) -> tuple[Floats, Floats]:
    axis = ((np.arange(size, dtype=np.float32) + 0.5) / size * 2 - 1) * 1.12
    u, v = np.meshgrid(axis, axis)
    return u.astype(np.float32), v.astype(np.float32)


def _shrink(colour: Floats, alpha: Floats, size: int) -> tuple[Floats, Floats]:
    weighted = cv2.resize(colour * alpha[..., None], (size, size), interpolation=cv2.INTER_AREA)
    small = cv2.resize(alpha, (size, size), interpolation=cv2.INTER_AREA)
    return (weighted / np.maximum(small, 1e-3)[..., None]).astype(np.float32), small.astype(np.float32)


def marble(colour: str, turn: int, radius: float = RADIUS) -> Sprite:
    """A glass marble with a ribbon inside, turned by `turn` of TURNS."""
    size = round(2 * radius * 1.12) + 1
    u, v = _grid(6 * size)
    r2 = u * u + v * v
    z = np.sqrt(np.clip(1 - r2, 0, 1))
    base = np.array(MARBLE[colour], np.float32)
    facing = np.clip(u * LIGHT[0] + v * LIGHT[1] + z * LIGHT[2], 0, 1)
    # glass: dark where light enters, a bright crescent where it gathers on the far side
    body = 0.44 + 0.42 * facing + 0.12 * z
    gathered = np.exp(-((u - 0.34) ** 2 + (v - 0.42) ** 2) / 0.10) * (1 - 0.4 * r2)
    rim = np.clip((np.sqrt(r2) - 0.80) / 0.20, 0, 1)
    shade = body * (1 - 0.45 * rim**2) + 0.42 * gathered
    out = base * shade[..., None] + 38 * gathered[..., None]
    # the ribbon of a cat's eye, seen through the glass
    angle = 2 * np.pi * turn / TURNS
    along = u * np.cos(angle) + v * np.sin(angle)
    across = -u * np.sin(angle) + v * np.cos(angle)
    bend = 0.20 * np.sin(3.0 * along + angle)
    ribbon = np.exp(-(((across - bend) / 0.15) ** 2)) * np.clip(1 - 1.35 * along**2, 0, 1) * (1 - rim)
    out += ribbon[..., None] * (0.50 * base * (0.5 + facing[..., None]) + 22 - 0.42 * out)
    # reflections: the lamp, and a pale window
    lamp = np.exp(-(((u + 0.36) / 0.17) ** 2 + ((v + 0.42) / 0.12) ** 2) * 1.2)
    window = np.exp(-(((u - 0.05) / 0.42) ** 2 + ((v + 0.66) / 0.08) ** 2))
    out += (235 * lamp**1.2 + 26 * window)[..., None]
    alpha = np.clip((1 - np.sqrt(r2)) * radius * 6 + 0.5, 0, 1).astype(np.float32)
    small, cover = _shrink(np.clip(out, 0, 255).astype(np.float32), alpha, size)
    return Sprite.of(small, cover, ((size - 1) / 2, (size - 1) / 2))


def blob(width: float, height: float, dark: float, softness: float) -> Sprite:
    """A soft elliptic shadow."""
    pad = round(2.5 * softness)
    mask = np.zeros((round(height) + 2 * pad, round(width) + 2 * pad), np.float32)
    centre = (mask.shape[1] // 2, mask.shape[0] // 2)
    cv2.ellipse(mask, centre, (round(width / 2), round(height / 2)), 0, 0, 360, 1.0, -1)
    mask = cv2.GaussianBlur(mask, (0, 0), softness) * dark
    return Sprite.of(np.zeros((*mask.shape, 3), np.float32), mask, centre)


def shadow(of: Sprite, dark: float, softness: float) -> Sprite:
    pad = round(3 * softness)
    mask: Any = 1 - of.keep[..., 0].astype(np.float32) / 255
    mask = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    mask = cv2.GaussianBlur(mask, (0, 0), softness) * dark
    return Sprite.of(np.zeros((*mask.shape, 3), np.float32), mask, (of.anchor[0] + pad, of.anchor[1] + pad))


def fan(colour: str) -> Sprite:
    """A folding fan of card, opened, its pivot towards the viewer."""
    size, k, scale = 70, 6, 0.69
    n = size * k
    tone = np.array(FAN[colour], np.float32)
    yy, xx = np.mgrid[0:n, 0:n].astype(np.float32)
    px, py = n / 2, n * 0.72
    dx, dy = xx - px, py - yy
    radius = np.hypot(dx, dy) / k / scale
    angle = np.degrees(np.arctan2(dx, dy))
    inside = (np.abs(angle) < 74) & (radius < 47) & (radius > 5)
    fold = (angle + 74) / 148 * 9
    slope = fold % 1
    light = 0.80 + 0.30 * np.where(slope < 0.5, slope, 1 - slope) * 2 + 0.10 * np.sin(np.radians(angle - 40))
    out = tone * light[..., None]
    pale = 0.45 * tone + 0.55 * 255
    band = (radius > 38) & (radius < 41.5)
    out[band] = (pale * light[..., None])[band]
    ribs = (np.abs(slope - 0.5) < 0.07) & (radius < 26)
    out[ribs] = np.array((96, 140, 176), np.float32)
    out[(np.abs(slope - 0.0) < 0.05) & (radius >= 26)] *= 0.80
    edge = inside & ((radius > 45.4) | (np.abs(angle) > 72))
    out[edge] = np.array((215, 232, 240), np.float32)
    alpha = inside.astype(np.float32)
    pivot = radius < 6.5
    out[pivot] = np.array((84, 150, 190), np.float32)
    out[np.hypot(dx + 7, dy + 8) / k < 1.4] = 235
    alpha[pivot] = 1
    small, cover = _shrink(np.clip(out, 0, 255).astype(np.float32), alpha, size)
    return Sprite.of(small, cover, (size / 2, size * 0.50))


# ------------------------------------------------------------------ the hand
Joint = tuple[float, float, float]
"""x, y of a joint from the finger tips, and the limb's radius there."""

_ARM: tuple[tuple[Joint, ...], ...] = (
    ((-700, 62, 66), (-420, 40, 55), (-262, 22, 41)),
    ((-275, 22, 41), (-215, 12, 42), (-150, 4, 38)),
    ((-225, 0, 30), (-150, -26, 26)),
    ((-225, 36, 28), (-150, 44, 26)),
)
_FINGERS: tuple[tuple[Joint, ...], ...] = (
    ((-152, 54, 20), (-108, 72, 15.5), (-70, 62, 13), (-54, 42, 11.5)),
    ((-146, 34, 22), (-80, 54, 17), (-40, 42, 14), (-26, 24, 12)),
    ((-144, 8, 23), (-70, 22, 18), (-24, 20, 14), (-8, 10, 12)),
    ((-148, -18, 23), (-80, -26, 17.5), (-26, -20, 13.5), (3, -4, 10)),
    ((-216, -18, 26), (-160, -54, 21), (-92, -70, 16.5), (-34, -44, 14.5), (-4, -13, 10.5)),
)
_SLEEVE: tuple[tuple[Joint, ...], ...] = (((-700, 66, 92), (-500, 48, 82), (-330, 38, 64)),)


def _tubes(limbs: Sequence[Sequence[Joint]], xx: Floats, yy: Floats) -> Floats:
    """The height (px) of round limbs over the table, melted into each other where they meet."""
    height = np.zeros_like(xx)
    for limb in limbs:
        one = np.zeros_like(xx)
        for (x0, y0, r0), (x1, y1, r1) in pairwise(limb):
            dx, dy = x1 - x0, y1 - y0
            share = np.clip(((xx - x0) * dx + (yy - y0) * dy) / (dx * dx + dy * dy), 0, 1)
            radius = r0 + (r1 - r0) * share
            away = (xx - x0 - share * dx) ** 2 + (yy - y0 - share * dy) ** 2
            np.maximum(one, np.sqrt(np.maximum(radius * radius - away, 0)), out=one)
        height = np.sqrt(height**2 + one**2) if limb is limbs[0] else np.maximum(height, one)
    return height.astype(np.float32)


def _lit(height: Floats, tone: Floats, bump: Floats, soft: float, light: Floats) -> Floats:
    smooth = cv2.GaussianBlur(height, (0, 0), soft) + bump
    gx, gy = cv2.Sobel(smooth, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(smooth, cv2.CV_32F, 0, 1) / 8
    length = np.sqrt(gx * gx + gy * gy + 1)
    facing = np.clip((-gx * light[0] - gy * light[1] + light[2]) / length, 0, 1)
    hollow = np.clip((cv2.GaussianBlur(height, (0, 0), 7) - height) / 9, 0, 1)
    shade = 0.40 + 0.72 * facing - 0.30 * hollow
    return np.asarray(tone * shade[..., None], np.float32)


def hand(player: str, seed: int) -> Sprite:
    """The right hand of a player who sits on the left, its finger tips at the anchor; B's is its mirror image."""
    k = 1.5
    width, height = 680, 300
    tip = (644.0, 136.0)
    # B's is mirrored afterwards: its light must come from the other side
    light = LIGHT * np.array((1 if player == "A" else -1, 1, 1), np.float32)
    random = np.random.default_rng(seed)
    yy, xx = np.mgrid[0 : round(height * k), 0 : round(width * k)].astype(np.float32)
    xx, yy = xx / k - tip[0], yy / k - tip[1]
    arm = _tubes(_ARM, xx, yy)
    fingers = np.zeros_like(arm)
    creases = np.zeros_like(arm)
    for finger in _FINGERS:
        one = _tubes([finger], xx, yy)
        # a dark line where a finger lies over its neighbour
        over = (one > fingers) & (fingers > 0)
        creases = np.where(over & (one < 8), 1.0, np.where(one > fingers, 0.0, creases)).astype(np.float32)
        fingers = np.maximum(fingers, one)
    body = cv2.GaussianBlur(arm, (0, 0), 5) * (arm > 0)
    flesh = np.maximum(body * 0.80, fingers)
    for x, y, radius, high in ((-150, -18, 17, 4), (-142, 8, 18, 5), (-146, 32, 16, 4), (-156, 50, 13, 3)):
        flesh += high * np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (radius * radius)) * (flesh > 0)
    grain = random.normal(0, 1, flesh.shape).astype(np.float32)
    pores = cv2.GaussianBlur(grain, (0, 0), 1.2) * 0.35 + cv2.GaussianBlur(grain, (0, 0), 9) * 6
    tone = np.array(SKIN[player], np.float32) * np.ones((*flesh.shape, 1), np.float32)
    # redder knuckles and finger tips
    for x, y, radius in ((-78, -28, 22), (-70, 18, 22), (-84, 44, 20), (-82, -62, 22), (2, -6, 20), (-146, 0, 60)):
        red = np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (radius * radius))[..., None]
        tone = tone * (1 - red * np.array((0.16, 0.13, 0.02), np.float32))
    mottle = cv2.GaussianBlur(grain, (0, 0), 14)[..., None]
    tone = tone * (1 + mottle * np.array((0.5, 0.6, 0.2), np.float32))
    out = _lit(flesh.astype(np.float32), tone.astype(np.float32), pores.astype(np.float32), 2.2, light)
    out *= (1 - 0.55 * cv2.GaussianBlur(creases, (0, 0), 1.6))[..., None]
    for left, up, angle in ((-3.0, -8.0, 26), (-9.0, -20.0, 44)):
        nail = np.zeros(flesh.shape, np.float32)
        centre = (round((left + tip[0]) * k), round((up + tip[1]) * k))
        cv2.ellipse(nail, centre, (round(6 * k), round(3.6 * k)), angle, 0, 360, 1.0, -1, cv2.LINE_AA)
        nail = cv2.GaussianBlur(nail, (0, 0), 1.2)[..., None]
        out = out * (1 - 0.6 * nail) + 0.6 * nail * np.array((186, 198, 238), np.float32)
    alpha = (np.maximum(arm, fingers) > 0).astype(np.float32)

    cloth = np.where(xx < -408 - 0.0012 * (yy - 38) ** 2, _tubes(_SLEEVE, xx, yy), 0).astype(np.float32)
    folds = 5 * np.sin(xx * 0.045 + 0.9 * np.sin(yy * 0.03)) + 3 * np.sin(xx * 0.11 - yy * 0.05)
    knit = 0.8 * np.sin(xx * 1.1) * np.sin(yy * 1.1) + cv2.GaussianBlur(grain, (0, 0), 2) * 1.6
    cuff = (xx > -440) & (cloth > 0)
    folds = np.where(cuff, 1.6 * np.sin(yy * 0.55), folds)
    dress = np.array(SLEEVE[player], np.float32) * np.ones((*flesh.shape, 1), np.float32)
    dress = np.where(cuff[..., None], dress * 0.82, dress)
    worn = _lit(cloth, dress.astype(np.float32), (folds + knit).astype(np.float32), 3.0, light)
    mask = (cloth > 0).astype(np.float32)
    edge = cv2.GaussianBlur(mask, (0, 0), 8)
    out *= np.where(mask > 0, 1, 1 - 0.55 * edge)[..., None]
    out = np.where(mask[..., None] > 0, worn, out)
    alpha = np.maximum(alpha, mask)
    weighted = cv2.resize(out * alpha[..., None], (width, height), interpolation=cv2.INTER_AREA)
    cover = cv2.resize(alpha, (width, height), interpolation=cv2.INTER_AREA)
    colour = weighted / np.maximum(cover, 1e-3)[..., None]
    sprite = Sprite.of(colour.astype(np.float32), cover.astype(np.float32), tip)
    return sprite if player == "A" else sprite.mirrored()
