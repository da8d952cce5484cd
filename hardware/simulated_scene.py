"""What does not move on the drawn table, drawn once: wood, the arcade cabinet with its tray, the stage board, cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.simulated_table import LANE_X, LANES, PITCH, PLACES, ROW_1_Y, ROWS, STAGE

WIDTH, HEIGHT = 800, 600
MOUTH_Y = 124
"""The tower's front edge: marbles above it are inside."""
HOPPER_Y = 60
"""The edge of the open top that shows what waits in the tower."""

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Colour = Sequence[float]


def floats(array: npt.ArrayLike) -> Floats:
    return np.asarray(array, np.float32)


_K = 2  # drawn at twice the size, then shrunk: smooth edges everywhere

WOOD, PALE, INK = (46, 74, 112), (150, 190, 222), (58, 40, 44)
PAPER = (208, 222, 228)
FIELDS = {"A": (132, 96, 62), "stage": (84, 78, 96), "B": (70, 92, 122)}


@dataclass(frozen=True, eq=False)
class Patch:
    """A part of the picture and how much of each of its pixels a shape covers, 0–1."""

    part: tuple[slice, slice]
    cover: Floats

    def times(self, other: npt.ArrayLike) -> Patch:
        return Patch(self.part, floats(self.cover * np.asarray(other)))


class Canvas:
    """A picture at twice the size with the few shapes that a table is made of; all sizes in pixels of the result."""

    def __init__(self, random: np.random.Generator) -> None:
        self.random = random
        self.image = np.zeros((HEIGHT * _K, WIDTH * _K, 3), np.float32)
        self.speckle = floats(cv2.GaussianBlur(floats(random.normal(0, 1, self.image.shape[:2])), (0, 0), 0.7))
        self.streaks = self.grain(700, 12, 0.8)

    def shape(self, points: Sequence[tuple[float, float]], round_by: float = 0, soft: float = 0) -> Patch:
        """A polygon, its corners rounded and its edge softened by so many pixels."""
        pad = 3 * soft + 3
        xs, ys = [x for x, _ in points], [y for _, y in points]
        x0, x1 = max(0, round((min(xs) - pad) * _K)), min(WIDTH * _K, round((max(xs) + pad) * _K))
        y0, y1 = max(0, round((min(ys) - pad) * _K)), min(HEIGHT * _K, round((max(ys) + pad) * _K))
        mask: Any = np.zeros((y1 - y0, x1 - x0), np.uint8)
        scaled = np.array([[round((x * _K - x0) * 16), round((y * _K - y0) * 16)] for x, y in points], np.int32)
        cv2.fillPoly(mask, [scaled], 255, cv2.LINE_AA, shift=4)
        if round_by:
            kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(2 * round_by * _K) + 1,) * 2)
            mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)
        if soft:
            mask = cv2.GaussianBlur(mask, (0, 0), soft * _K, borderType=cv2.BORDER_REPLICATE)
        return Patch((slice(y0, y1), slice(x0, x1)), floats(mask / 255))

    def ring(self, x: float, y: float, radius: float) -> Patch:
        reach = radius + 3
        patch = self.shape(_corners(x - reach, y - reach, x + reach, y + reach))
        mask = np.zeros(patch.cover.shape, np.uint8)
        rows, columns = patch.part
        centre = round(x * _K) - columns.start, round(y * _K) - rows.start
        cv2.circle(mask, centre, round(radius * _K), 255, _K, cv2.LINE_AA)
        return Patch(patch.part, floats(mask / 255))

    def blend(self, patch: Patch, colour: Colour, share: float = 1.0) -> None:
        part = self.image[patch.part]
        part += (patch.cover * share)[..., None] * (np.asarray(colour, np.float32) - part)

    def shade(self, patch: Patch, by: float) -> None:
        self.image[patch.part] *= (1 + patch.cover * (by - 1))[..., None]

    def rough(self, patch: Patch, noise: Floats, by: float) -> None:
        self.image[patch.part] += (by * patch.cover * noise[patch.part])[..., None]

    def box(self, left: float, top: float, right: float, bottom: float, colour: Colour, round_by: float = 0) -> None:
        self.blend(self.shape(_corners(left, top, right, bottom), round_by), colour)

    def strip(self, left: float, top: float, right: float, bottom: float, by: float) -> None:
        self.shade(self.shape(_corners(left, top, right, bottom)), by)

    def shadow(self, left: float, top: float, right: float, bottom: float, dark: float, soft: float) -> None:
        self.shade(self.shape(_corners(left, top, right, bottom), soft=soft), 1 - dark)

    def text(self, text: str, x: float, y: float, size: float, colour: Colour, bold: int = 2) -> None:
        """Centred on x, y."""
        scale = size * _K / 22
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, bold)
        half_w, half_h = width / 2 / _K + bold + 2, height / _K + bold + 2
        patch = self.shape(_corners(x - half_w, y - half_h, x + half_w, y + half_h))
        rows, columns = patch.part
        layer = np.zeros(patch.cover.shape, np.uint8)
        at = round(x * _K - width / 2) - columns.start, round(y * _K + height / 2) - rows.start
        cv2.putText(layer, text, at, cv2.FONT_HERSHEY_DUPLEX, scale, 255, bold, cv2.LINE_AA)
        self.blend(Patch(patch.part, floats(layer / 255)), colour)

    def where(self, patch: Patch) -> tuple[Floats, Floats]:
        """x and y of each pixel of a patch."""
        rows, columns = patch.part
        yy, xx = np.mgrid[rows, columns].astype(np.float32) / _K
        return xx, yy

    def grain(self, rows: int, columns: int, blur: float) -> Floats:
        """Noise of about ±1, coarse or stretched."""
        small = self.random.normal(0, 1, (rows, columns)).astype(np.float32)
        size = (self.image.shape[1], self.image.shape[0])
        out = cv2.GaussianBlur(cv2.resize(small, size, interpolation=cv2.INTER_CUBIC), (0, 0), blur)
        return floats(out)

    def done(self) -> Bytes:
        small = cv2.resize(self.image, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
        return np.clip(small, 0, 255).astype(np.uint8)


def _corners(left: float, top: float, right: float, bottom: float) -> list[tuple[float, float]]:
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def scene(seed: int) -> Bytes:
    """The table without marbles, fans and hands."""
    canvas = Canvas(np.random.default_rng(seed))
    _wood(canvas)
    for x, player, tilt in ((128, "A", -0.10), (672, "B", 0.07)):
        _card(canvas, x, 236, player, tilt)
    _cabinet(canvas)
    _stage(canvas)
    _lamp(canvas)
    return canvas.done()


def _wood(canvas: Canvas) -> None:
    canvas.image[:] = WOOD
    broad = canvas.grain(60, 5, 3)
    rings = np.sin(6 * broad + 0.05 * np.arange(canvas.image.shape[0], dtype=np.float32)[:, None])
    canvas.image *= (1 + 0.07 * canvas.streaks + 0.09 * broad + 0.05 * rings)[..., None]
    for y in (118, 262, 405, 548):
        canvas.strip(0, y, WIDTH, y + 1.6, 0.55)
        canvas.strip(0, y + 1.6, WIDTH, y + 3, 1.15)


def _rays(canvas: Canvas, patch: Patch, x: float, y: float, count: int, by: float) -> None:
    xx, yy = canvas.where(patch)
    canvas.shade(patch.times(np.clip(3 * np.sin(np.arctan2(yy - y, xx - x) * count), 0, 1)), by)


def _dots(canvas: Canvas, patch: Patch, pitch: float, by: float, slope: float) -> None:
    """Halftone dots that shrink down the picture, as printed on arcade cabinets."""
    xx, yy = canvas.where(patch)
    away = np.hypot((xx + yy) / pitch % 1 - 0.5, (xx - yy) / pitch % 1 - 0.5)
    size = np.clip(0.45 - slope * yy / HEIGHT, 0.05, 0.45)
    canvas.shade(patch.times(np.clip((size - away) * 8, 0, 1)), by)


def _card(canvas: Canvas, x: float, y: float, player: str, tilt: float) -> None:
    """A player's fighter card: a figure in a burst, and the name of the side."""
    half_w, half_h = 72, 98
    cos, sin = np.cos(tilt), np.sin(tilt)

    def at(dx: float, dy: float) -> tuple[float, float]:
        return x + cos * dx - sin * dy, y + sin * dx + cos * dy

    def box(left: float, top: float, right: float, bottom: float) -> list[tuple[float, float]]:
        return [at(dx, dy) for dx, dy in _corners(left, top, right, bottom)]

    outer = box(-half_w, -half_h, half_w, half_h)
    canvas.shade(canvas.shape([(px + 5, py + 7) for px, py in outer], soft=5), 0.45)
    canvas.blend(canvas.shape(outer, 6), PAPER)
    art = canvas.shape(box(6 - half_w, 6 - half_h, half_w - 6, half_h - 34), 3)
    canvas.blend(art, FIELDS[player])
    _rays(canvas, art, *at(0, -10), 9, 1.28)
    _dots(canvas, art, 7, 0.86, 0.5)
    body = [at(dx, dy) for dx, dy in ((-46, 63.5), (-40, 22), (-22, 6), (22, 6), (40, 22), (46, 63.5))]
    canvas.blend(canvas.shape(body, 3), INK)
    for dx, dy, r, tone in ((0, -22, 27, INK), (-9, -24, 3.6, PAPER), (9, -24, 3.6, PAPER)):
        disc = [at(dx + r * np.cos(a), dy + r * np.sin(a)) for a in np.linspace(0, 2 * np.pi, 40)]
        canvas.blend(canvas.shape(disc), tone)
    canvas.blend(canvas.shape([at(-30, -36), at(30, -40), at(30, -32), at(-30, -28)]), PALE)
    canvas.text(f"PLAYER {player}", *at(0, half_h - 19), 10.5, INK)


def _cabinet(canvas: Canvas) -> None:
    """The tray between wooden walls, and the tower at its top."""
    left, right, top, bottom = 274.0, 526.0, -20.0, 414.0
    canvas.shadow(left + 10, top, right + 16, bottom + 14, 0.62, 9)
    walls = canvas.shape(_corners(left, top, right, bottom), 4)
    canvas.blend(walls, PALE)
    canvas.shade(walls, 0.94)
    canvas.rough(walls, canvas.streaks, 5)
    canvas.strip(left, top, left + 2, bottom, 1.18)
    canvas.strip(right - 2, top, right, bottom, 0.72)
    canvas.strip(left, bottom - 2.5, right, bottom, 0.66)

    # the printed floor round the lanes
    floor = canvas.shape(_corners(left + 9, top, right - 9, bottom - 9))
    canvas.blend(floor, (104, 62, 74))
    _rays(canvas, floor, 400, 450, 14, 1.24)
    _dots(canvas, floor, 9, 0.80, 0.35)
    canvas.shadow(left + 9, top, left + 14, bottom - 9, 0.45, 3)
    lane_top, lane_bottom = MOUTH_Y - 6.0, ROW_1_Y + 28
    for lane in LANES:
        _groove(canvas, lane, lane_top, lane_bottom)
    for x in (LANE_X["a"] - 29.5, LANE_X["a"] + 29.5, LANE_X["b"] + 29.5, LANE_X["c"] + 29.5):
        canvas.shadow(x - 1, lane_top, x + 6, lane_bottom, 0.40, 2)
        canvas.box(x - 2.5, lane_top, x + 2.5, lane_bottom + 2, (140, 178, 208))
        canvas.box(x - 2.5, lane_top, x - 1.2, lane_bottom + 2, (176, 208, 230))
    canvas.shadow(LANE_X["a"] - 29, lane_bottom, LANE_X["c"] + 32, lane_bottom + 6, 0.4, 2)
    canvas.box(LANE_X["a"] - 32, lane_bottom - 1, LANE_X["c"] + 32, lane_bottom + 4, (150, 188, 216))
    for row in range(1, ROWS + 1):
        for x in (LANE_X["a"] - 44, LANE_X["c"] + 44):
            canvas.text(str(row), x, ROW_1_Y - (row - 1) * PITCH, 10, PAPER)
    _tower(canvas)


def _groove(canvas: Canvas, lane: str, top: float, bottom: float) -> None:
    """One lane's floor, round in section, with a mark for each cell."""
    middle = LANE_X[lane]
    groove = canvas.shape(_corners(middle - 27, top, middle + 27, bottom), 3)
    canvas.blend(groove, (64, 62, 66))
    canvas.shade(groove.times(floats((canvas.where(groove)[0] - middle) / 27) ** 2), 0.62)
    canvas.rough(groove, canvas.speckle, 6)
    for row in range(1, ROWS + 1):
        canvas.blend(canvas.ring(middle, ROW_1_Y - (row - 1) * PITCH, 12), (104, 100, 104), 0.7)
    canvas.text(lane, middle, bottom + 12, 11, PAPER)


def _tower(canvas: Canvas) -> None:
    left, right, front = 290.0, 510.0, float(MOUTH_Y)
    canvas.shadow(left, -20, right + 6, front + 12, 0.75, 6)
    canvas.box(left, -20, right, front, (120, 158, 190), 2)
    canvas.strip(left, front - 3, right, front, 0.6)
    # the hopper with what waits in it
    canvas.box(left + 6, -20, right - 6, 60, (44, 52, 62), 3)
    canvas.shadow(left + 6, -20, right - 6, 12, 0.5, 8)
    # the face plate, seen from above at a slant
    plate = canvas.shape(_corners(left + 4, HOPPER_Y + 6, right - 4, front - 4), 3)
    canvas.blend(plate, (118, 70, 50))
    _rays(canvas, plate, 400, 150, 16, 1.5)
    _dots(canvas, plate, 8, 0.82, 1.6)
    canvas.text("MARBLE DUEL", 400, 96, 17, (30, 24, 30), 7)
    canvas.text("MARBLE DUEL", 400, 95, 17, (196, 232, 246), 3)


def _stage(canvas: Canvas) -> None:
    left, top, right, bottom = STAGE
    canvas.shadow(left + 4, top + 5, right + 5, bottom + 6, 0.5, 4)
    board = canvas.shape(_corners(left, top, right, bottom), 3)
    canvas.blend(board, PAPER)
    width = (right - left) / len(PLACES)
    for number, place in enumerate(PLACES):
        x0 = left + number * width
        card = canvas.shape(_corners(x0 + 4, top + 4, x0 + width - 4, bottom - 4), 3)
        canvas.blend(card, FIELDS[place])
        _rays(canvas, card, x0 + width / 2, bottom + 10, 12, 1.18)
        _dots(canvas, card, 8, 0.88, 0.42)
        name = "STAGE" if place == "stage" else f"SIDE {place}"
        canvas.text(name, x0 + width / 2, top + 17, 12, (28, 24, 28), 6)
        canvas.text(name, x0 + width / 2, top + 16, 12, (230, 238, 242))
    canvas.rough(board, canvas.speckle, 4)


def _lamp(canvas: Canvas) -> None:
    """One lamp over the upper left; the corners are darker."""
    xx, yy = canvas.where(canvas.shape(_corners(0, 0, WIDTH, HEIGHT)))
    away = np.hypot((xx - 350) / 620, (yy - 230) / 520)
    canvas.image *= (1.10 - 0.38 * np.clip(away, 0, 1.3) ** 2)[..., None]
