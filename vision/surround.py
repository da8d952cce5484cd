"""What must not change round the marbles: walls and rim.

It tells the light of now from the light of the calibration, and where something else (a hand, a sleeve, a tablet) lies
on top.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Mask
from vision.colour import uvw
from vision.geometry import PITCH, Geometry
from vision.picture import Image

NEAR = 1.6  # pitches: what lies farther off says little about a cell
_WINDOW = 7  # half-size pixels: half a pitch
ENOUGH = 1500  # pixels tell the light's field as well as all of them
_BIN, _REACH = 0.08, 2.4  # histogram of colour steps: bin width, range


@dataclass(frozen=True, eq=False)
class Surround:
    """What the surroundings say about one picture.

    `steps`: cells × 3, the step (u, v, w) of the light at each cell; `changed`: half-size patch mask of what differs;
    `cover`: for each cell the share of its surroundings that is changed; `blind`: that cannot tell; `foreign`: the
    share of all that is changed; `trust`: 0–1, how clearly the light could be told; `light`: 3, its plain step.
    """

    steps: Floats
    changed: Mask
    cover: Floats
    blind: Floats
    foreign: float
    trust: float
    light: Floats


def _square(values: Floats) -> Floats:
    """n × k → n × 1, sum of squares."""
    return np.asarray(np.einsum("nk,nk->n", values, values)[:, None])


def half(patch: Image) -> Image:
    """The patch at half size: less noise, a quarter of the work."""
    return np.asarray(
        cv2.resize(patch, (patch.shape[1] // 2, patch.shape[0] // 2), interpolation=cv2.INTER_AREA), np.uint8
    )


@dataclass(frozen=True, eq=False)
class Comparison:
    """`coefficients`: of the smooth field of light (see `Backdrop.field`); `flagged`: of the unchanging pixels, those
    that are changed; `usable`: those that can tell (no channel at its end); `light`, `trust`: as in Surround."""

    coefficients: Floats
    flagged: Mask
    usable: Mask
    light: Floats
    trust: float


class Backdrop:
    """A small picture of which some pixels must not change, as they were at the calibration."""

    def __init__(self, small: Image, static: Mask) -> None:
        height, width = small.shape[:2]
        self.shape = (height, width)
        self._at = np.nonzero(static)
        self._flat = np.flatnonzero(static)
        values = uvw(small)
        level = small.min(axis=2).astype(np.float32)
        peak = small.max(axis=2)
        texture = np.zeros((height, width), np.float32)
        for k in range(2):
            dx = cv2.Sobel(values[..., k], cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
            dy = cv2.Sobel(values[..., k], cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
            texture += dx * dx + dy * dy
        self._reference = values[self._at]
        self._level = level[self._at]
        self._clipped = peak[self._at] > 248
        self._texture = np.sqrt(texture[self._at])
        window = self._windows(
            np.concatenate([np.ones((len(self._level), 1)), self._reference, _square(self._reference)], axis=1)
        )
        window = window / window[:, :1]
        self._spread = np.maximum(window[:, 4] - _square(window[:, 1:4])[:, 0], 0)
        self._basis = self.field(self._at[1], self._at[0])

    def field(self, x: Floats, y: Floats) -> Floats:
        """n × 6: constant, slopes and curvature at these pixels; times `coefficients` it is the step of light there."""
        x = (np.asarray(x) - self.shape[1] / 2) / self.shape[1]
        y = (np.asarray(y) - self.shape[0] / 2) / self.shape[0]
        return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1).astype(np.float32)

    def contrast(self, small: Image) -> Comparison:
        """Take the light's smooth field out, then look for what is left."""
        pixels = small[self._at]
        level = np.minimum(pixels.min(axis=1), self._level)
        noise = 3.0 / (level + 10.0)
        tolerance = 0.16 + 1.0 * self._texture + 2.0 * noise
        usable = ~(self._clipped | (pixels.max(axis=1) > 248))
        weight = np.where(usable, 1.0 / (tolerance * tolerance), 0.0).astype(np.float32)
        delta = uvw(pixels) - self._reference
        start, trust = self._mode(delta, weight)
        coefficients = np.zeros((6, 3), np.float32)
        coefficients[0] = start
        some = slice(None, None, max(1, len(delta) // ENOUGH))
        basis, few, tolerated, weight = self._basis[some], delta[some], tolerance[some], weight[some]
        # robust smooth field: global first, then with slopes, then with curvature
        for terms, widen in ((1, 2.0), (3, 1.6), (6, 1.3), (6, 1.1)):
            off = few - basis @ coefficients
            chroma = np.hypot(off[:, 0], off[:, 1])
            inlier = weight * (chroma < widen * tolerated * 1.3) * (np.abs(off[:, 2]) < 0.8 * widen)
            part = basis[:, :terms]
            weighted = part * inlier[:, None]
            ridge = np.diag([1e-3] + [0.02] * (terms - 1)) * float(inlier.sum() + 1)
            solution = np.linalg.solve(weighted.T @ part + ridge, weighted.T @ (few - start))
            coefficients = np.zeros((6, 3), np.float32)
            coefficients[:terms] = solution
            coefficients[0] += start
        off = delta - self._basis @ coefficients
        return Comparison(coefficients, self._judge(off, usable, noise), usable, start, trust)

    def _windows(self, columns: Floats) -> Floats:
        """Sums of pixel values (surrounding pixels × k) over each one's window; other pixels count nothing."""
        maps = np.zeros((self.shape[0] * self.shape[1], columns.shape[1]), np.float32)
        maps[self._flat] = columns
        shaped = maps.reshape(*self.shape, -1)
        sums = cv2.boxFilter(shaped, -1, (_WINDOW, _WINDOW), normalize=False, borderType=cv2.BORDER_CONSTANT)
        return np.asarray(sums.reshape(len(maps), -1)[self._flat])

    def _judge(self, off: Floats, usable: Mask, noise: Floats) -> Mask:
        """Which surrounding pixels show something else than before: their window has another colour or pattern."""
        current = off + self._reference
        one = usable.astype(np.float32)[:, None]
        parts = [
            one,
            off * one,
            _square(off) * one,
            (noise * noise)[:, None] * one,
            current * one,
            _square(current) * one,
        ]
        w = self._windows(np.concatenate(parts, axis=1))
        n = w[:, 0:1] + 1e-3
        w = w / n
        mean = w[:, 1:4]
        spread = np.maximum(w[:, 4] - _square(mean)[:, 0], 0)
        current_spread = np.maximum(w[:, 9] - _square(w[:, 6:9])[:, 0], 0)
        grain = w[:, 5] + 0.004
        chroma = np.hypot(mean[:, 0], mean[:, 1])
        pattern = spread / (self._spread + current_spread + 2 * grain)
        enough = n[:, 0] > 4
        loose = 0.10 + 1.5 * np.sqrt(grain)
        bad = (chroma > 2.2 * loose) | (mean[:, 2] > 1.0) | (mean[:, 2] < -1.6)
        bad |= (pattern > 0.5) & (self._spread > 6 * grain)
        return np.asarray(bad & enough)

    def _mode(self, delta: Floats, weight: Floats) -> tuple[Floats, float]:
        """The commonest colour step: what lies on top of the surroundings scatters, what is unchanged agrees."""
        n = int(2 * _REACH / _BIN)
        iu = np.clip(((delta[:, 0] + _REACH) / _BIN).astype(np.int32), 0, n - 1)
        iv = np.clip(((delta[:, 1] + _REACH) / _BIN).astype(np.int32), 0, n - 1)
        grid = np.bincount(iu * n + iv, weights=weight, minlength=n * n).reshape(n, n).astype(np.float32)
        grid = np.asarray(cv2.GaussianBlur(grid, (7, 7), 1.2))
        axis = (np.arange(n) + 0.5) * _BIN - _REACH
        # big steps are rarer than small ones
        prior = np.exp(-0.5 * (axis[:, None] ** 2 + axis[None, :] ** 2) / 1.5**2)
        at = int(np.argmax(grid * prior))
        u, v = float(axis[at // n]), float(axis[at % n])
        close = (np.abs(delta[:, 0] - u) < 2.5 * _BIN) & (np.abs(delta[:, 1] - v) < 2.5 * _BIN)
        kept = weight * close
        total = float(kept.sum())
        if total <= 0:
            return np.zeros(3, np.float32), 0.0
        # brightness: weighted median of those that agree in colour
        order = np.argsort(delta[:, 2])
        cumulative = np.cumsum(kept[order])
        w = float(delta[order[int(np.searchsorted(cumulative, total / 2))], 2])
        mean = (delta[:, :2] * kept[:, None]).sum(axis=0) / total
        return np.array([mean[0], mean[1], w], np.float32), total / float(weight.sum() + 1e-6)


class Surroundings(Backdrop):
    """The walls and the rim of the tray, on the half-size patch. `bare`: cells without any near them."""

    def __init__(self, geometry: Geometry, reference: Image) -> None:
        small = half(reference)
        height, width = small.shape[:2]
        centres = geometry.centres / 2 - 0.25
        radius, pitch = geometry.radius / 2, PITCH / 2
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
        top, bottom = float(centres[:, 1].min()), float(centres[:, 1].max())
        in_lane = np.zeros((height, width), bool)
        for x in np.unique(np.round(centres[:, 0], 2)):
            in_lane |= np.abs(xs - x) < radius * 1.12
        # the lane above its last cell is the tower's mouth: marbles pass there
        static = ~in_lane | (ys > bottom + radius * 1.15)
        static &= ys > top - 1.2 * pitch
        super().__init__(small, static)
        self._cells = self.field(centres[:, 0], centres[:, 1])
        near = np.hypot(self._at[1][None, :] - centres[:, 0:1], self._at[0][None, :] - centres[:, 1:2])
        # seen from the side lanes may leave no wall in view between them: the nearest one then, which cannot say much
        nearest = near.min(axis=1, keepdims=True)
        self.bare = np.asarray(nearest[:, 0] > NEAR * pitch)
        weight = np.exp(-0.5 * (near / (0.55 * pitch)) ** 2) * (near < np.maximum(NEAR, nearest / pitch + 0.3) * pitch)
        self._near = (weight / weight.sum(axis=1, keepdims=True)).astype(np.float32)

    def compare(self, small: Image) -> Surround:
        """`small`: the half-size patch of the picture in question."""
        found = self.contrast(small)
        changed = np.zeros(self.shape, bool)
        changed[self._at] = found.flagged
        return Surround(
            (self._cells @ found.coefficients).astype(np.float32),
            changed,
            self._near @ found.flagged.astype(np.float32),
            np.maximum(self._near @ (~found.usable).astype(np.float32), self.bare),
            float(found.flagged.mean()),
            found.trust,
            found.light,
        )
