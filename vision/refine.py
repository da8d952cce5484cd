"""Tapped corners lie some pixels off: the rims of all marbles together say where the grid lies.

A marble's picture is a circle from wherever it is seen. Each one is looked for near its cell; a grid is fitted to all
of them, so that one marble that lies loose, or is hardly to be told from the print, moves it little.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Mask
from vision.calibration import Quad, as_quad
from vision.geometry import geometry, transform
from vision.picture import Image
from vision.profile import Grid

ANGLES = 40
WIDE, NARROW = 0.5, 0.22  # radii that a marble may lie beside the grid: as tapped, and once the grid is about right
FACTORS = (0.85, 0.95, 1.05, 1.15, 1.25, 1.35)  # radii of a marble's picture in half row pitches: it is seen at a slant
ROUNDS = 5
ENOUGH = 24.0  # pixels of half a row's pitch
LOOSE = 0.08  # radii: a marble that lies so far beside the grid still counts half


@dataclass(frozen=True, eq=False)
class Refined:
    """`corners`: where the grid has them; `residual`: pixels that marbles lie beside the grid, on average.

    `moved`: pixels that the corners went, on average.
    """

    corners: Quad
    residual: float
    moved: float


def refine(image: Image, corners: Quad, grid: Grid, present: Mask | None = None) -> Refined:
    """`present`: the cells that hold a marble, in the order of Grid.cells; None: all."""
    image, corners, scale = _smaller(image, corners, grid)
    size = (image.shape[1], image.shape[0])
    here = np.ones(len(grid.cells), bool) if present is None else present
    rims = _Rims(image)
    start, quad = np.array(corners, np.float64), corners
    ends = [0, (grid.lanes - 1) * grid.rows, grid.lanes * grid.rows - 1, grid.rows - 1]
    residual = 0.0
    for turn in range(ROUNDS):
        plane = geometry(quad, grid, size)
        at = plane.to_picture(plane.centres)
        half = _half_pitch(at, grid)
        reach = NARROW + (WIDE - NARROW) * max(0.0, 1 - turn / 2)
        found, weight = rims.search(at, half, reach, here)
        matrix = _fit(plane.centres, found, weight, LOOSE * half)
        if matrix is None:
            break
        new = transform(matrix, plane.centres)
        residual = float(np.average(np.hypot(*(found - new).T), weights=weight))
        quad = as_quad(new[ends])
        if np.abs(new - at).max() < 0.02:
            break
    moved = float(np.hypot(*(np.array(quad) - start).T).mean())
    return Refined(_scaled(quad, 1 / scale), residual / scale, moved / scale)


def clearness(image: Image, corners: Quad, grid: Grid) -> tuple[float, float]:
    """How clear the outlines of marbles are one lane and one row farther on (the better way), beside those here."""
    image, corners, _ = _smaller(image, corners, grid)
    plane = geometry(corners, grid, (image.shape[1], image.shape[0]))
    rims = _Rims(image)
    lane, row = plane.pitch

    def level(x: float, y: float) -> float:
        at = plane.to_picture(plane.centres + np.array([x * lane, y * row], np.float32))
        return rims.level(at, _half_pitch(at, grid))

    here = level(0, 0)
    return max(level(1, 0), level(-1, 0)) / here, max(level(0, 1), level(0, -1)) / here


def beside(image: Image, corners: Quad, grid: Grid, present: Mask | None = None) -> float:
    """Pixels that the marbles lie beside the grid of these corners, on average."""
    image, corners, scale = _smaller(image, corners, grid)
    plane = geometry(corners, grid, (image.shape[1], image.shape[0]))
    at = plane.to_picture(plane.centres)
    here = np.ones(len(at), bool) if present is None else present
    found, weight = _Rims(image).search(at, _half_pitch(at, grid), NARROW, here)
    return float(np.average(np.hypot(*(found - at).T), weights=weight)) / scale


def _smaller(image: Image, corners: Quad, grid: Grid) -> tuple[Image, Quad, float]:
    """Marbles of more than ENOUGH pixels say no more where they lie, and take long."""
    plane = geometry(corners, grid, (image.shape[1], image.shape[0]))
    scale = min(1.0, ENOUGH / float(np.median(_half_pitch(plane.to_picture(plane.centres), grid))))
    if scale > 0.8:
        return image, corners, 1.0
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return small, _scaled(corners, scale), scale


def _scaled(corners: Quad, scale: float) -> Quad:
    """Pixel centres of another picture size."""
    a, b, c, d = (((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5) for x, y in corners)
    return a, b, c, d


def _half_pitch(at: Floats, grid: Grid) -> Floats:
    """Half the distance to the next row, of each cell."""
    lanes = at.reshape(grid.lanes, grid.rows, 2)
    step = np.linalg.norm(np.diff(lanes, axis=1), axis=2) / 2
    return np.asarray(np.concatenate([step[:, :1], (step[:, 1:] + step[:, :-1]) / 2, step[:, -1:]], axis=1).ravel())


def _fit(plane: Floats, found: Floats, weight: Floats, loose: Floats) -> Floats | None:
    """Homography by weighted least squares, the far ones weighing less from round to round."""
    w = weight.copy()
    matrix: Floats | None = None
    for _ in range(6):
        matrix = _homography(plane, found, w)
        if matrix is None:
            return None
        off = np.hypot(*(transform(matrix, plane) - found).T)
        w = weight / (1 + (off / np.maximum(loose, 0.8)) ** 2)
    return matrix


def _homography(start: Floats, end: Floats, weight: Floats) -> Floats | None:
    if (weight > 0.05).sum() < 6:
        return None
    middle, size = start.mean(axis=0), start.std()
    centre, spread = end.mean(axis=0), end.std()
    x, y = ((start - middle) / size).T
    u, v = ((end - centre) / spread).T
    zero, one = np.zeros_like(x), np.ones_like(x)
    rows = np.concatenate(
        [
            np.stack([x, y, one, zero, zero, zero, -u * x, -u * y], axis=1),
            np.stack([zero, zero, zero, x, y, one, -v * x, -v * y], axis=1),
        ]
    )
    root = np.sqrt(np.concatenate([weight, weight]))
    # a little reluctance towards perspective: one loose marble must not tilt the grid
    ridge = np.zeros((2, 8))
    ridge[0, 6] = ridge[1, 7] = 0.05
    values = np.concatenate([root * np.concatenate([u, v]), np.zeros(2)])
    solution = np.linalg.lstsq(np.concatenate([rows * root[:, None], ridge]), values, rcond=None)[0]
    unit = np.append(solution, 1.0).reshape(3, 3)
    back = np.array([[spread, 0, centre[0]], [0, spread, centre[1]], [0, 0, 1]])
    there = np.array([[1 / size, 0, -middle[0] / size], [0, 1 / size, -middle[1] / size], [0, 0, 1]])
    return np.asarray(back @ unit @ there)


class _Rims:
    """How much a circle looks like a marble's rim."""

    def __init__(self, image: Image) -> None:
        light = cv2.GaussianBlur(np.log(image.astype(np.float32) + 20), (0, 0), 1.0)
        self._dx = cv2.Sobel(light, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
        self._dy = cv2.Sobel(light, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
        angle = np.arange(ANGLES) * (2 * np.pi / ANGLES)
        self._cos, self._sin = np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)

    def search(self, at: Floats, half: Floats, reach: float, here: Mask) -> tuple[Floats, Floats]:
        """Best circle near each place, the radius by what suits all of them. Returns centres and weights."""
        wide = reach * float(np.median(half))
        w = max(2, int(np.ceil(wide)))
        ys, xs = (grid.ravel() for grid in np.mgrid[-w : w + 1, -w : w + 1])
        prior = -0.5 * (xs**2 + ys**2) / (wide / 1.5) ** 2
        maps = [self._maps(at, factor * half, xs, ys) for factor in FACTORS]
        score = maps[int(np.argmax([float(one[here].max(axis=1).sum()) for one in maps]))]
        score = score / (score.std(axis=1, keepdims=True) + 1e-6) + 0.25 * prior
        found, weight = np.asarray(at, np.float64).copy(), np.zeros(len(at))
        side = 2 * w + 1
        for i in np.nonzero(here)[0]:
            table = score[i].reshape(side, side)
            y, x = divmod(int(table.argmax()), side)
            found[i] += x - w + _peak(table[y], x), y - w + _peak(table[:, x], y)
            weight[i] = np.clip((table.max() - 1.0) / 2.5, 0.05, 1.0)
        return found, weight

    def level(self, at: Floats, half: Floats) -> float:
        """How much of an edge the circles at these places are, on average, each in its best place within two pixels."""
        ys, xs = (part.ravel() for part in np.mgrid[-2:3, -2:3])
        return max(float(self._maps(at, factor * half, xs, ys).max(axis=1).mean()) for factor in FACTORS)

    def _maps(self, at: Floats, radius: Floats, xs: Floats, ys: Floats) -> Floats:
        """Cells × offsets: how much of the circle's rim is an edge."""
        maps = []
        for (x, y), far in zip(at, radius, strict=True):
            mx = (x + xs[:, None] + far * self._cos).astype(np.float32)
            my = (y + ys[:, None] + far * self._sin).astype(np.float32)
            gx = cv2.remap(self._dx, mx, my, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            gy = cv2.remap(self._dy, mx, my, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            edge = np.abs(gx * self._cos[:, None] + gy * self._sin[:, None]).sum(axis=2)
            maps.append((edge / (edge + 0.12)).mean(axis=1))
        return np.stack(maps)


def _peak(line: Floats, i: int) -> float:
    """Where between the samples beside `i` the top of a parabola lies, −0.5 … 0.5 from it."""
    if not 0 < i < len(line) - 1:
        return 0.0
    bend = float(line[i - 1] - 2 * line[i] + line[i + 1])
    return float(np.clip(0.5 * (line[i - 1] - line[i + 1]) / bend, -0.5, 0.5)) if bend < -1e-6 else 0.0
