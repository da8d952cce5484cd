"""Is there a marble at all? A marble is round, of known size, and shaded by the light; an empty cell is flat print.

Two measures, both learnt from the marbles of the calibration and worked out on the half-size patch:
*shading*, how well light and edges inside the disc follow the marbles' own pattern, and *rim*, how much the colour
changes from just inside the disc to the floor just outside it, towards the four corners where no neighbour touches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Index, Mask
from vision.colour import uvw
from vision.geometry import Geometry
from vision.picture import Image

_SUM = np.ones((1, 3), np.float32)  # of the channels
_LOGS = np.log(np.arange(256, dtype=np.float32) + 20)
_MIDDLE = 5.5  # of the logs of light: near zero single floats are finer
_LIGHT = np.array([[1, 1, 1, 40]], np.float32) * np.float32(np.exp(-_MIDDLE))  # their sum, for its log
Window = tuple[slice, slice]
_SHIFTS = np.array([(x, y) for y in (0, -1, 1) for x in (0, -1, 1, -2, 2)])  # marbles lie where they rolled


@dataclass(frozen=True, eq=False)
class Shape:
    """For each cell, 1 = like the typical marble of this table, 0 = not at all."""

    shading: Floats
    rim: Floats


class Form:
    """`radius`: of a marble in half-size pixels, as found at the calibration."""

    def __init__(self, geometry: Geometry, reference: Image, present: Mask) -> None:
        """`reference`: half-size patch; `present`: which cells hold a marble in it."""
        self._height, self._width = reference.shape[:2]
        self._centres = np.round(geometry.centres / 2 - 0.25).astype(int)
        rough = geometry.radius / 2
        self._values = uvw(reference)
        self.radius = self._find_radius(rough, present)
        reach = int(np.ceil(rough * 1.3))
        ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        far = np.hypot(xs, ys)
        disc = far <= rough * 1.2
        ring = (far <= rough * 1.3) & (far > rough * 0.55)
        self._ring = self._gather(xs[ring], ys[ring])
        self._around, self._inside = self._windows(xs[disc], ys[disc])
        angle = np.arctan2(ys[ring], xs[ring])
        self._cos, self._sin = np.cos(2 * angle).astype(np.float32), np.sin(2 * angle).astype(np.float32)
        self._corners = self._corner_pairs(self.radius)
        # all that is asked round a cell, and the pixels beside it, which an edge is seen by
        self._reach = max(reach, int(np.ceil(self.radius * 1.35))) + np.abs(_SHIFTS).max(axis=0) + 1
        n = len(self._centres)
        rows = np.round(geometry.centres[:, 1], 1)
        light, edge = self._patterns(reference, self._gather(xs[disc], ys[disc]))
        chosen = np.zeros(n, int)
        for _ in range(4):
            self._light = _unit(light[np.arange(n), chosen][present].mean(axis=0))
            self._edge = _unit(edge[np.arange(n), chosen][present].mean(axis=0))
            chosen = (light @ self._light + edge @ self._edge).argmax(axis=1)
        self._kernels = self._kernels_of(self._light)
        # what a marble of this table scores when it had no say in the template
        index = np.nonzero(present)[0]
        own = []
        for i in index:
            rest = index[index != i]
            one = _unit(light[rest, chosen[rest]].mean(axis=0))
            two = _unit(edge[rest, chosen[rest]].mean(axis=0))
            own.append(float((light[i] @ one + edge[i] @ two).max()))
        self._typical = max(0.2, float(np.median(own)))
        # rows in the tower's shadow show less of a pattern, whoever lies there
        scores = np.full(n, np.nan)
        scores[index] = own
        self._expected = np.array(
            [np.nanmedian(scores[rows == r]) if np.isfinite(scores[rows == r]).any() else np.nan for r in rows]
        )
        self._expected = np.clip(np.nan_to_num(self._expected / self._typical, nan=1.0), 0.6, 1.0)
        own_relative = np.array(own) / self._typical / self._expected[index]
        rims = self._rims(self._values, self._corners)[present]
        self._rim = max(0.05, float(np.median(rims)))
        self.rim_level = self._rim
        # how much marbles of this table differ among themselves
        self.shading_spread = float(np.std(own_relative))

    def _gather(self, xs: Index, ys: Index) -> Index:
        """Flat places in the patch: cells × shifts × pixels."""
        x = np.clip(self._centres[:, 0, None, None] + _SHIFTS[None, :, 0, None] + xs[None, None], 0, self._width - 1)
        y = np.clip(self._centres[:, 1, None, None] + _SHIFTS[None, :, 1, None] + ys[None, None], 0, self._height - 1)
        return np.asarray(y * self._width + x)

    def _windows(self, xs: Index, ys: Index) -> tuple[Index, Index]:
        """All that any shift of a disc may show: flat places in the patch, cells × pixels; and where in it each shift's
        pixels lie, shifts × pixels."""
        far_x, far_y = np.abs(xs).max() + np.abs(_SHIFTS[:, 0]).max(), np.abs(ys).max() + np.abs(_SHIFTS[:, 1]).max()
        y, x = np.mgrid[-far_y : far_y + 1, -far_x : far_x + 1]
        columns = np.clip(self._centres[:, 0, None] + x.ravel(), 0, self._width - 1)
        rows = np.clip(self._centres[:, 1, None] + y.ravel(), 0, self._height - 1)
        inside = (_SHIFTS[:, 1, None] + ys + far_y) * (2 * far_x + 1) + _SHIFTS[:, 0, None] + xs + far_x
        return np.asarray(rows * self._width + columns), np.asarray(inside)

    def _kernels_of(self, pattern: Floats) -> Floats:
        """Window pixels × (shifts' patterns, then shifts' means)."""
        shifts, n = self._inside.shape
        out = np.zeros((self._around.shape[1], 2 * shifts), np.float32)
        for k, inside in enumerate(self._inside):
            out[inside, k], out[inside, shifts + k] = pattern, 1 / n
        return out

    def _shaded(self, bright: Floats, around: Index) -> Floats:
        """Cells × shifts: how far the light, freed of its mean and of length one, goes along the pattern."""
        shifts, n = self._inside.shape
        window = bright.take(around)
        told = window @ self._kernels
        mean = told[:, shifts:]
        square = (window * window) @ self._kernels[:, shifts:]
        return np.asarray(told[:, :shifts] / (np.sqrt(np.maximum(square - mean * mean, 0) * n) + np.float32(1e-6)))

    def _corner_pairs(self, radius: float) -> tuple[Index, Index, Floats, Floats]:
        """Places inside and outside the rim towards the four corners, and weights to average each corner's."""
        reach = int(np.ceil(radius * 1.35))
        ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        far = np.hypot(xs, ys) / radius
        slope = np.degrees(np.arctan2(np.abs(ys), np.abs(xs)))
        corner = (slope > 28) & (slope < 62)
        parts = []
        for band in ((far > 0.55) & (far <= 0.86) & corner, (far > 1.08) & (far <= 1.32) & corner):
            x, y = xs[band], ys[band]
            which = (x > 0).astype(int) + 2 * (y > 0).astype(int)
            weight = np.stack([(which == k) / max(1, (which == k).sum()) for k in range(4)], axis=1)
            parts.append((self._gather(x, y), weight.astype(np.float32)))
        return parts[0][0], parts[1][0], parts[0][1], parts[1][1]

    def _rims(self, values: Floats, corners: tuple[Index, Index, Floats, Floats]) -> Floats:
        """Cells: the second weakest of the four corners' colour steps, at the best place nearby."""
        inside, outside, inner, outer = corners
        flat = values.reshape(-1, 3)
        step = _means(flat, inside, inner) - _means(flat, outside, outer)
        size = np.sqrt(step[..., 0] ** 2 + step[..., 1] ** 2 + 0.5 * step[..., 2] ** 2)
        size.partition(1, axis=2)
        return np.asarray(size[:, :, 1].max(axis=1))

    def _find_radius(self, rough: float, present: Mask) -> float:
        """The radius at which the colour changes most: seen aslant, rows are closer than marbles are wide."""
        trials = rough * np.arange(0.85, 1.3, 0.05)
        rims = [float(np.median(self._rims(self._values, self._corner_pairs(radius))[present])) for radius in trials]
        return float(trials[int(np.argmax(rims))])

    def _patterns(self, small: Image, disc: Index) -> tuple[Floats, Floats]:
        """Shading and edge vectors for cells × shifts × pixels, each of unit length. `disc`: places of the former."""
        light, lean, cross = (one.ravel() for one in _maps(small))
        return _unit(light.take(disc)), _unit(self._edges((lean, cross), self._ring))

    def _edges(self, edges: tuple[Floats, Floats], ring: Index) -> Floats:
        """Cells × shifts × pixels of the ring: how much more radial they are than tangential."""
        energy, cross = (part.take(ring) for part in edges)
        energy *= self._cos
        cross *= self._sin
        energy += cross
        size = np.abs(energy, out=cross)
        np.sqrt(size, out=size)
        return np.asarray(np.copysign(size, energy, out=size))

    def measure(self, small: Image, values: Floats | None = None) -> Shape:
        """`small`: the half-size patch of the picture in question; `values`: `uvw` of it, when at hand already."""
        light, lean, cross = (one.ravel() for one in _maps(small))
        values = uvw(small) if values is None else values
        return self._measure(light, (lean, cross), values, self._expected, lambda places: places)

    def measure_parts(self, parts: Sequence[Image], window: Window, cells: Index) -> Shape:
        """As `measure`, of a few cells in several pictures at once: pictures × cells. `parts`: of each what lies in
        `window`, which `window_of` tells for these cells."""
        tall = np.concatenate(parts)  # what is seen across a seam lies at the window's edge, where nothing is asked
        size = (len(parts), self._height, self._width)
        laid = []
        for part in (*_maps(tall), uvw(tall)):
            whole = np.zeros((*size, *part.shape[2:]), np.float32)
            whole[:, window[0], window[1]] = part.reshape(len(parts), -1, *part.shape[1:])
            laid.append(whole)
        light, lean, cross = (one.ravel() for one in laid[:3])
        starts = np.arange(len(parts)) * (self._height * self._width)

        def of_these(places: Index) -> Index:
            own = places[cells]
            return np.asarray((starts.reshape(-1, *(1,) * own.ndim) + own).reshape(-1, *own.shape[1:]))

        shape = self._measure(light, (lean, cross), laid[3], np.tile(self._expected[cells], len(parts)), of_these)
        return Shape(shape.shading.reshape(len(parts), -1), shape.rim.reshape(len(parts), -1))

    def window_of(self, cells: Index) -> Window:
        """Rows and columns of the half-size patch in which lies all that is asked of these cells."""
        left, top = np.maximum(self._centres[cells].min(axis=0) - self._reach, 0).tolist()
        right, bottom = (self._centres[cells].max(axis=0) + self._reach + 1).tolist()
        return slice(top, min(self._height, bottom)), slice(left, min(self._width, right))

    def _measure(
        self,
        light: Floats,
        edges: tuple[Floats, Floats],
        values: Floats,
        expected: Floats,
        which: Callable[[Index], Index],
    ) -> Shape:
        """`expected`: of the cells that are asked; `which`: of all cells' places theirs."""
        alike = self._shaded(light, which(self._around)) + _along(self._edges(edges, which(self._ring)), self._edge)
        shading = alike.max(axis=1) / (self._typical * expected)
        inside, outside, inner, outer = self._corners
        return Shape(shading, self._rims(values, (which(inside), which(outside), inner, outer)) / self._rim)


def _maps(small: Image) -> tuple[Floats, Floats, Floats]:
    """Of each pixel: light; and its edges' lean as the two parts of a double angle."""
    logs = cv2.LUT(small, _LOGS)
    dx = cv2.Sobel(logs, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    dy = cv2.Sobel(logs, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    difference, cross = cv2.transform(dx * dx - dy * dy, _SUM), cv2.transform(dx * dy, 2 * _SUM)
    return cv2.log(cv2.transform(small.astype(np.float32), _LIGHT)), difference, cross


def _means(flat: Floats, places: Index, weights: Floats) -> Floats:
    """cells × shifts × corners × channels. `weights`: pixels × corners."""
    return np.asarray(weights.T @ flat.take(places, axis=0))


def _along(values: Floats, pattern: Floats) -> Floats:
    """How far each vector, freed of its mean and of length one, goes along a pattern that is so already."""
    n = values.shape[-1]
    even = np.full(n, 1 / n, np.float32)
    mean = values @ even
    length = np.sqrt(np.maximum((values * values) @ even - mean * mean, 0) * n)
    return np.asarray((values @ pattern) / (length + np.float32(1e-6)))


def _unit(values: Floats) -> Floats:
    centred = values - values.mean(axis=-1, keepdims=True)
    return np.asarray(centred / (np.linalg.norm(centred, axis=-1, keepdims=True) + 1e-6))
