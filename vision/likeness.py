"""Does a cell look like the marbles of this table, or like print seen in their place?

Learnt when an eye is made: the calibration's marbles on one side; on the other the same tray with marbles taken out and
bits of the picture's other surfaces laid into the lanes instead. A linear discriminant of light and edges, sampled on
circles round the cell, tells them apart, far better than how much a cell is like a marble: print is like one by chance
just where print is loud.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats, Index, Mask
from vision.calibration import Quad
from vision.geometry import PITCH, Geometry
from vision.picture import Image
from vision.profile import Grid

_ANGLES = 24
CIRCLES = (0.35, 0.55, 0.72, 0.86, 1.0, 1.14)  # marble radii
_SUM = np.ones((1, 3), np.float32)  # of the channels
_MIDDLE = 5.5  # of the logs of light: near zero single floats are finer
_LIGHT = np.array([[1, 1, 1, 40]], np.float32) * np.float32(np.exp(-_MIDDLE))  # their sum, for its log
_LOGS = np.log(np.arange(256, dtype=np.float32) + 20)
_SHIFTS = np.array([(x, y) for y in (0, -1, 1, -2, 2) for x in (0, -1, 1, -2, 2) if abs(x) + abs(y) < 4])
_EXAMPLES = 150  # pictures with bits laid into them
_LAID = 3  # lanes of one that are laid out so in one cell: more, and missing neighbours would speak for print
_TRIED = 4  # shifts of each that count, at random
_SHRINK = 0.15  # of the covariance towards a multiple of one: few examples, many numbers
_ENOUGH = 100  # places where a bit may be cut out
_BLUR = 3  # pixels that the blur reaches
Maps = tuple[Floats, Floats, Floats, Floats]


class Likeness:
    """`measure`: for each cell, 1 = like the typical marble of this table, 0 = like typical print."""

    def __init__(
        self,
        geometry: Geometry,
        grid: Grid,
        radius: float,
        reference: Image,
        present: Mask,
        picture: Image,
        stage: Quad | None,
    ) -> None:
        """`radius`: of a marble in patch pixels; `reference`: the calibration's patch, `picture`: whole;
        `stage`: corners of a board in it, whose print is like the tray's."""
        self._size, self._grid = geometry.size, grid
        self._centres = geometry.centres
        angle = np.arange(_ANGLES) * 2 * np.pi / _ANGLES
        x = np.outer(CIRCLES, np.cos(angle)).ravel() * radius
        y = np.outer(CIRCLES, np.sin(angle)).ravel() * radius
        turn = np.tile(angle, len(CIRCLES))
        self._cos, self._sin = np.cos(2 * turn).astype(np.float32), np.sin(2 * turn).astype(np.float32)
        self._points = (np.round(x).astype(int), np.round(y).astype(int))
        self._part = self._asked()
        every = np.arange(len(self._centres))
        self._places = self._places_of(every, _SHIFTS)
        marbles = self._features(self._maps(reference), self._places)
        prints = self._prints(geometry, radius, reference, picture, stage)
        index = np.nonzero(present)[0]
        middle = prints.mean(axis=0)
        own = marbles[index, 0] - marbles[index, 0].mean(axis=0)
        spread = np.cov(prints.T) + own.T @ own / len(own)
        size = len(spread)
        spread = (1 - _SHRINK) * spread + _SHRINK * np.trace(spread) / size * np.eye(size)
        inverse = cv2.invert(spread, flags=cv2.DECOMP_CHOLESKY)[1]
        chosen = np.zeros(len(marbles), int)
        weights = np.zeros(size, np.float32)
        for _ in range(3):
            typical = marbles[every, chosen][index].mean(axis=0)
            weights = inverse @ (typical - middle)
            chosen = (marbles @ weights).argmax(axis=1)
        typical = marbles[every, chosen][index].mean(axis=0)
        # what a marble of this table scores when it had no say in the discriminant
        rests = np.stack([marbles[index[index != i], chosen[index[index != i]]].mean(axis=0) for i in index])
        each = (rests - middle) @ inverse
        full = (each * (rests - middle)).sum(axis=1)
        unseen = [float(((marbles[i] - middle) @ w).max() / d) for i, w, d in zip(index, each, full, strict=True)]
        scale = float(weights @ (typical - middle)) * max(0.3, float(np.median(unseen)))
        self._weights = (weights / scale).astype(np.float32)
        self._zero = float(middle @ weights) / scale

    def _maps(self, patch: Image) -> Maps:
        """Of the part that is asked, each flat: light, edges' strength, and their lean as the two parts of a double
        angle."""
        rows, columns = self._part
        top, left = max(0, rows.start - _BLUR), max(0, columns.start - _BLUR)
        blurred = cv2.GaussianBlur(patch[top : rows.stop + _BLUR, left : columns.stop + _BLUR], (7, 7), 1.2)
        blurred = blurred[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
        logs = cv2.LUT(blurred, _LOGS)
        dx = cv2.Sobel(logs, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
        dy = cv2.Sobel(logs, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
        xx, yy, xy = cv2.transform(dx * dx, _SUM), cv2.transform(dy * dy, _SUM), cv2.transform(dx * dy, 2 * _SUM)
        light = cv2.log(cv2.transform(blurred.astype(np.float32), _LIGHT))
        return light.ravel(), (xx + yy).ravel(), (xx - yy).ravel(), xy.ravel()

    def _asked(self) -> tuple[slice, slice]:
        """The rows and columns of the patch in which something is asked, and a little round them."""
        reach = int(max(np.abs(points).max() for points in self._points)) + int(np.abs(_SHIFTS).max()) + 2
        low = np.maximum(np.floor(self._centres.min(axis=0)).astype(int) - reach, 0)
        high = np.minimum(np.ceil(self._centres.max(axis=0)).astype(int) + reach + 1, self._size)
        return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))

    def _places_of(self, cells: Index, shifts: Index) -> Index:
        """Flat places in that part of the patch: cells × shifts × points. `shifts`: n × 2 (x, y)."""
        rows, columns = self._part
        at = np.round(self._centres[cells]).astype(int)[:, None, :] + shifts
        xs = np.clip(at[..., 0, None] + self._points[0], columns.start, columns.stop - 1) - columns.start
        ys = np.clip(at[..., 1, None] + self._points[1], rows.start, rows.stop - 1) - rows.start
        return np.asarray(ys * (columns.stop - columns.start) + xs)

    def _found(self, maps: Maps, places: Index) -> tuple[Floats, Floats, Floats]:
        """Light, edges' strength, and how far they lean along the rays more than across; of the shape of `places`."""
        # one map after the other: to ask all four at once and part them afterwards takes twice as long
        light, both, one, two = (part.take(places) for part in maps)
        one *= self._cos
        two *= self._sin
        one += two
        return light, both, one

    def _parts(self, maps: Maps, places: Index) -> tuple[Floats, Floats, Floats]:
        """Light, then edges along and across the rays, each freed of contrast: each of the shape of `places`."""
        light, both, lean = self._found(maps, places)
        light = light - light.mean(axis=-1, keepdims=True)
        light /= np.sqrt((light * light).mean(axis=-1, keepdims=True)) + 0.05
        contrast = np.sqrt(both.mean(axis=-1, keepdims=True)) + 0.02
        along = np.sqrt(np.maximum(both + lean, 0) / 2) / contrast
        across = np.sqrt(np.maximum(both - lean, 0) / 2) / contrast
        return light, along, across

    def _features(self, maps: Maps, places: Index) -> Floats:
        """cells × shifts × numbers."""
        return np.concatenate(self._parts(maps, places), axis=-1)

    def _prints(
        self, geometry: Geometry, radius: float, reference: Image, picture: Image, stage: Quad | None
    ) -> Floats:
        """Examples × numbers of cells that hold no marble but some other bit of the picture."""
        rng = np.random.default_rng(3)  # the same eye each time
        scale = 1 / geometry.scale
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        whole = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=method), np.uint8)
        places = _surfaces(whole, geometry, stage, scale)
        grid = self._grid
        holes = [_hole(geometry, radius, i) for i in range(len(self._centres))]
        out = []
        for _ in range(_EXAMPLES):
            laid = reference.copy()
            lanes = rng.permutation(grid.lanes)[:_LAID]
            cells = lanes * grid.rows + rng.integers(grid.rows, size=len(lanes))
            for i in cells:
                among = places[int(rng.integers(len(places)))]
                top, left = among[int(rng.integers(len(among)))] - PITCH
                y, x, dy, dx = holes[i]
                shade = rng.uniform(0.5, 1.1)  # what lies in the lanes is shaded by their walls
                laid[y, x] = np.minimum(whole[top + dy, left + dx] * shade, 255)
            shifts = _SHIFTS[rng.permutation(len(_SHIFTS))[:_TRIED]]
            out.append(
                self._features(self._maps(laid), self._places_of(cells, shifts)).reshape(len(cells) * _TRIED, -1)
            )
        return np.concatenate(out)

    def measure(self, patch: Image, cells: Index | slice = slice(None)) -> Floats:
        """`patch`: of the picture in question; `cells`: which ones, all by default."""
        return self.compare(patch, cells)[0]

    def compare(self, patch: Image, cells: Index | slice = slice(None)) -> tuple[Floats, Floats]:
        """As `measure`, and what was seen at the likeliest place of each: cells × numbers."""
        light, both, lean = self._found(self._maps(patch), self._places[cells])
        n = light.shape[-1]
        one, two, three = self._weights.reshape(3, n)
        even = np.full(n, 1 / n, np.float32)
        mean = light @ even
        spread = np.sqrt(np.maximum((light * light) @ even - mean * mean, 0)) + np.float32(0.05)
        contrast = np.sqrt(both @ even) + np.float32(0.02)
        across = both - lean
        along = both
        along += lean
        for part in (along, across):
            np.maximum(part, 0, out=part)
            np.sqrt(part, out=part)
        half = np.float32(np.sqrt(0.5)) / contrast
        scores = (light @ one - mean * one.sum()) / spread + (along @ two + across @ three) * half
        at = (np.arange(len(scores)), scores.argmax(axis=1))
        weaker = half[at][:, None]
        seen = ((light[at] - mean[at][:, None]) / spread[at][:, None], along[at] * weaker, across[at] * weaker)
        return scores[at] - self._zero, np.concatenate(seen, axis=1)


def _surfaces(whole: Image, geometry: Geometry, stage: Quad | None, scale: float) -> list[Index]:
    """Kinds of surfaces, each as n × 2 places (y, x) in `whole` round which a bit may be cut out."""
    width, height = geometry.size
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    free = np.ones(whole.shape[:2], np.uint8)
    free[:PITCH] = free[-PITCH:] = 0
    free[:, :PITCH] = free[:, -PITCH:] = 0
    anywhere = np.argwhere(free)
    tray = np.zeros_like(free)
    cv2.fillPoly(tray, [np.round(geometry.to_picture(frame) * scale).astype(np.int32)], 1)
    free[cv2.dilate(tray, np.ones((PITCH, PITCH), np.uint8)) > 0] = 0
    kinds = [np.argwhere(free)]
    if stage is not None:
        board = np.zeros_like(free)
        cv2.fillPoly(board, [np.round(np.array(stage) * scale).astype(np.int32)], 1)
        kinds.append(np.argwhere(board & free))
    kinds = [kind for kind in kinds if len(kind) >= _ENOUGH]
    # a tray that fills the picture: its own walls and marbles, out of place, must do
    return kinds or [anywhere if len(anywhere) else np.array([[whole.shape[0] // 2, whole.shape[1] // 2]])]


def _hole(geometry: Geometry, radius: float, cell: int) -> tuple[Index, Index, Index, Index]:
    """The pixels (y, x) of the patch where the floor shows when this marble is gone, and their places in a bit."""
    width, height = geometry.size
    cx, cy = geometry.centres[cell]
    ys, xs = np.mgrid[0:height, 0:width]
    inside = (np.abs(xs - cx) < 1.13 * geometry.radius) & (np.abs(ys - cy) < 0.95 * geometry.pitch[1])
    for side in (-1, 1):
        inside &= np.hypot(xs - cx, ys - cy - side * geometry.pitch[1]) > radius
    y, x = np.nonzero(inside)
    return y, x, np.clip(y - int(cy) + PITCH, 0, 2 * PITCH - 1), np.clip(x - int(cx) + PITCH, 0, 2 * PITCH - 1)
