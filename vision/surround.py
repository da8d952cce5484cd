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

WALL = 3.0  # half-size pixels of wall beside a cell that say enough
NEAR = 1.6  # pitches: what lies farther off says little about a cell
_WINDOW = 7  # half-size pixels: half a pitch
ENOUGH = 1500  # pixels tell the light's field as well as all of them
_FULL = 248  # a channel above it may have been brighter than it could say
_BIN, _REACH = 0.08, 2.4  # histogram of colour steps: bin width, range
_BINS = int(2 * _REACH / _BIN)
_AXIS = ((np.arange(_BINS) + 0.5) * _BIN - _REACH).astype(np.float32)
_PRIOR = np.exp(-0.5 * (_AXIS[:, None] ** 2 + _AXIS[None, :] ** 2) / 1.5**2)  # big steps are rarer than small ones
_FINE, _FAR = 0.01, 3.0  # the same of brightness
_LEVELS = int(2 * _FAR / _FINE)
_RIDGE = np.diag([1e-3] + [0.02] * 5).astype(np.float32)  # holds the field of light back where few pixels tell
_ROUNDS = ((3, 1.8), (6, 1.3), (6, 1.1))  # of fitting the field of light: its terms, how far off a pixel may lie
_NOISE = (3.0 / (np.arange(256, dtype=np.float32) + 10.0)).astype(np.float32)  # in logs, of each grey level


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
    """A small picture of which some pixels must not change, as they were at the calibration.

    Whole pictures are worked on, the other pixels with them: quicker than picking the pixels out.
    """

    def __init__(self, small: Image, static: Mask) -> None:
        height, width = small.shape[:2]
        self.shape = (height, width)
        self._at = np.nonzero(static)
        self._flat = np.flatnonzero(static)
        values = uvw(small)
        texture = np.zeros((height, width), np.float32)
        for plane in cv2.split(values)[:2]:
            dx = cv2.Sobel(plane, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
            dy = cv2.Sobel(plane, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
            texture += dx * dx + dy * dy
        self._reference = _planes(values)
        self._level = small.min(axis=2)
        self._unclipped = static & (small.max(axis=2) <= _FULL)
        self._texture = np.sqrt(texture) + np.float32(0.16)
        one = static.astype(np.float32)
        _, means, squares = _windows((self._reference,), one, one)
        self._spread = np.maximum(squares[0] - _squares(*means[0]), 0)
        self._patterned = self._spread / 6
        ys, xs = np.mgrid[0:height, 0:width]
        self._everywhere = np.ascontiguousarray(self.field(xs.ravel(), ys.ravel()).T)
        step = max(1, round(len(self._flat) / ENOUGH))
        self._some = self._flat[::step]
        self._few = np.ascontiguousarray(self.field(self._at[1], self._at[0])[::step].T)

    def field(self, x: Floats, y: Floats) -> Floats:
        """n × 6: constant, slopes and curvature at these pixels; times `coefficients` it is the step of light there."""
        x = (np.asarray(x) - self.shape[1] / 2) / self.shape[1]
        y = (np.asarray(y) - self.shape[0] / 2) / self.shape[0]
        return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1).astype(np.float32)

    def contrast(self, small: Image, values: Floats | None = None) -> Comparison:
        """Take the light's smooth field out, then look for what is left. `values`: `uvw` of it, when at hand."""
        blue, green, red = cv2.split(small)
        level = cv2.min(cv2.min(cv2.min(blue, green), red), self._level)
        noise = cv2.LUT(level, _NOISE)
        tolerance = self._texture + np.float32(2) * noise
        usable = (cv2.max(cv2.max(blue, green), red) <= _FULL) & self._unclipped
        one = usable.astype(np.float32)
        delta = _planes(uvw(small) if values is None else values)
        delta -= self._reference
        few = delta.reshape(3, -1).take(self._some, axis=1)
        tolerated = tolerance.take(self._some)
        tolerated *= tolerated
        weight = one.take(self._some) / tolerated
        start, trust = self._mode(few, weight)
        beyond = few - start[:, None]
        # robust smooth field: with slopes first, then with curvature
        off = beyond
        for terms, widen in _ROUNDS:
            u, v, w = off
            close = (u * u + v * v < np.float32((widen * 1.3) ** 2) * tolerated) & (np.abs(w) < 0.8 * widen)
            part = self._few[:terms]
            weighted = part * (weight * close)
            ridge = _RIDGE[:terms, :terms] * (float(weighted[0].sum()) + 1)
            solution = cv2.solve(weighted @ part.T + ridge, weighted @ beyond.T, flags=cv2.DECOMP_CHOLESKY)[1]
            off = beyond - solution.T @ part
        coefficients = np.zeros((6, 3), np.float32)
        coefficients[: len(solution)] = solution
        coefficients[0] += start
        delta -= (coefficients.T @ self._everywhere).reshape(delta.shape)
        flagged = self._judge(delta, one, noise)
        return Comparison(coefficients, flagged.take(self._flat), usable.take(self._flat), start, trust)

    def _judge(self, off: Floats, one: Floats, noise: Floats) -> Mask:
        """Which surrounding pixels show something else than before: their window has another colour or pattern.

        `one`: 1 where a pixel can tell, 0 elsewhere.
        """
        (n, grain), (means, now_means), (squares, now_squares) = _windows(
            (off, off + self._reference), one, one, noise * noise * one
        )
        u, v, w = means
        chroma = u * u + v * v
        grain = grain + np.float32(0.004)
        spread = squares - chroma - w * w
        loose = 0.22 + 3.3 * np.sqrt(grain)
        bad = (chroma > loose * loose) | (np.abs(w + np.float32(0.3)) > 1.3)  # darker is a shadow's, too
        # spreads, which are not negative
        now_spread = np.maximum(now_squares - _squares(*now_means), 0)
        bad |= (spread > 0.5 * (self._spread + now_spread) + grain) & (self._patterned > grain)
        return np.asarray(bad & (n > 4))

    def _mode(self, delta: Floats, weight: Floats) -> tuple[Floats, float]:
        """The commonest colour step: what lies on top of the surroundings scatters, what is unchanged agrees."""
        u, v, w = delta
        iu, iv = ((part * np.float32(1 / _BIN) + np.float32(_REACH / _BIN)).astype(np.int32) for part in (u, v))
        at_bin = np.minimum(np.maximum(iu, 0), _BINS - 1) * _BINS + np.minimum(np.maximum(iv, 0), _BINS - 1)
        counts = np.bincount(at_bin, weights=weight, minlength=_BINS * _BINS).astype(np.float32)
        grid = cv2.GaussianBlur(counts.reshape(_BINS, _BINS), (7, 7), 1.2)
        at = int((grid * _PRIOR).argmax())
        middle_u, middle_v = float(_AXIS[at // _BINS]), float(_AXIS[at % _BINS])
        kept = weight * ((np.abs(u - middle_u) < 2.5 * _BIN) & (np.abs(v - middle_v) < 2.5 * _BIN))
        total = float(kept.sum())
        if total <= 0:
            return np.zeros(3, np.float32), 0.0
        # brightness: weighted median of those that agree in colour
        light = (w * np.float32(1 / _FINE) + np.float32(_FAR / _FINE)).astype(np.int32)
        light = np.minimum(np.maximum(light, 0), _LEVELS - 1)
        levels = np.bincount(light, weights=kept, minlength=_LEVELS)
        upto = levels.cumsum()
        k = int(upto.searchsorted(total / 2))
        share = (total / 2 - upto[k]) / levels[k] + 1 if levels[k] > 0 else 0.5
        middle_w = (k + float(share)) * _FINE - _FAR
        chroma = (delta[:2] @ kept).tolist()
        return (
            np.array([chroma[0] / total, chroma[1] / total, middle_w], np.float32),
            total / (float(weight.sum()) + 1e-6),
        )


def _windows(
    pictures: tuple[Floats, ...], one: Floats, *others: Floats
) -> tuple[tuple[Floats, ...], list[Floats], list[Floats]]:
    """Over each pixel's window, of the pixels that count: how many they are, and means of `others`, which have been
    times `one`; then of each picture (3 × rows × columns) the means, and those of squares.

    All in one go, one below the other: between them lie rows that do not count.
    """
    height, width = one.shape
    planes = np.empty((len(others) + 4 * len(pictures), height + _WINDOW // 2, width), np.float32)
    planes[:, height:] = 0
    for k, other in enumerate(others):
        planes[k, :height] = other
    at = len(others)
    for picture in pictures:
        own = planes[at : at + 3, :height]
        np.multiply(picture, one, out=own)
        planes[at + 3, :height] = _squares(*own)  # one is 0 or 1
        at += 4
    flat = planes.reshape(-1, width)
    sums = cv2.boxFilter(flat, -1, (_WINDOW, _WINDOW), normalize=False, borderType=cv2.BORDER_CONSTANT)
    sums = sums.reshape(planes.shape)[:, :height]
    n = sums[0] + np.float32(1e-3)
    share = 1 / n
    sums[1:] *= share
    first = len(others)
    means = [sums[k : k + 3] for k in range(first, len(sums), 4)]
    squares = [sums[k + 3] for k in range(first, len(sums), 4)]
    return (n, *(sums[k] for k in range(1, first))), means, squares


def _planes(picture: Floats) -> Floats:
    """rows × columns × 3 → 3 × rows × columns."""
    planes = np.empty((3, *picture.shape[:2]), np.float32)
    cv2.split(picture, list(planes))
    return planes


def _squares(u: Floats, v: Floats, w: Floats) -> Floats:
    return np.asarray(u * u + v * v + w * w)


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
        # a wall a pixel wide shows little of what lies on it: then what lies farther round counts as well
        columns = weight.sum(axis=1) / (0.55 * pitch * np.sqrt(2 * np.pi))
        weak = np.clip((WALL - columns) / (WALL - 1), 0, 1)[:, None]
        weight = np.exp(-0.5 * (near / (1.2 * pitch)) ** 2)
        round_ = (weak * weight / weight.sum(axis=1, keepdims=True)).astype(np.float32)
        self._round = round_ if weak.any() else None

    def compare(self, small: Image, values: Floats | None = None) -> Surround:
        """`small`: the half-size patch of the picture in question; `values`: as in `contrast`."""
        found = self.contrast(small, values)
        changed = np.zeros(self.shape, bool)
        changed[self._at] = found.flagged
        flagged = found.flagged.astype(np.float32)
        told = self._near @ np.stack((flagged, found.usable.astype(np.float32)), axis=1)
        cover = told[:, 0]
        if self._round is not None:
            cover = np.maximum(cover, self._round @ flagged)
        return Surround(
            self._cells @ found.coefficients,
            changed,
            cover,
            np.maximum(1 - told[:, 1], self.bare),
            np.count_nonzero(found.flagged) / len(flagged),
            found.trust,
            found.light,
        )
