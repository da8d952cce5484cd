"""What must not change round the marbles: walls and rim.

It tells the light of now from the light of the calibration, and where something else (a hand, a sleeve, a tablet) lies
on top.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Mask
from vision.colour import DARK
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
_RIDGE = np.diag([1e-3] + [0.02] * 5)  # holds the field of light back where few pixels tell
_LOG = np.log(np.arange(256, dtype=np.float32) + np.float32(DARK))
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

    Whole planes (3 × rows × columns) are worked on, the other pixels with them: quicker than picking the pixels out.
    """

    def __init__(self, small: Image, static: Mask) -> None:
        height, width = small.shape[:2]
        self.shape = (height, width)
        self._at = np.nonzero(static)
        self._flat = np.flatnonzero(static)
        self._static = static
        values = _planes(small)
        texture = np.zeros((height, width), np.float32)
        for plane in values[:2]:
            dx = cv2.Sobel(plane, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
            dy = cv2.Sobel(plane, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
            texture += dx * dx + dy * dy
        self._reference = values
        self._level = small.min(axis=2)
        self._unclipped = static & (small.max(axis=2) <= _FULL)
        self._texture = np.sqrt(texture)
        one = static.astype(np.float32)
        seen = np.maximum(_window(one), 1e-3)
        mean = [_window(plane * one) / seen for plane in values]
        self._spread = np.maximum(_window(_squares(*values) * one) / seen - _squares(*mean), 0)
        self._patterned = self._spread / 6
        some = slice(None, None, max(1, round(len(self._flat) / ENOUGH)))
        self._some = self._flat[some]
        self._few = np.ascontiguousarray(self.field(self._at[1], self._at[0])[some].T)
        ys, xs = np.mgrid[0:height, 0:width]
        self._everywhere = np.ascontiguousarray(self.field(xs.ravel(), ys.ravel()).T)

    def field(self, x: Floats, y: Floats) -> Floats:
        """n × 6: constant, slopes and curvature at these pixels; times `coefficients` it is the step of light there."""
        x = (np.asarray(x) - self.shape[1] / 2) / self.shape[1]
        y = (np.asarray(y) - self.shape[0] / 2) / self.shape[0]
        return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1).astype(np.float32)

    def contrast(self, small: Image) -> Comparison:
        """Take the light's smooth field out, then look for what is left."""
        blue, green, red = cv2.split(small)
        level = np.minimum(np.minimum(np.minimum(blue, green), red), self._level)
        noise = np.take(_NOISE, level)
        tolerance = 0.16 + self._texture + 2.0 * noise
        usable = self._unclipped & (np.maximum(np.maximum(blue, green), red) <= _FULL)
        one = usable.astype(np.float32)
        delta = _planes(small) - self._reference
        flat, weight = delta.reshape(3, -1), (one / (tolerance * tolerance)).ravel()
        start, trust = self._mode(flat.take(self._flat, axis=1), weight.take(self._flat))
        few, weight = flat.take(self._some, axis=1), weight.take(self._some)
        tolerated = tolerance.ravel().take(self._some)
        beyond = few - start[:, None]
        coefficients = np.zeros((3, 6), np.float32)
        coefficients[:, 0] = start
        # robust smooth field: global first, then with slopes, then with curvature
        for terms, widen in ((1, 2.0), (3, 1.6), (6, 1.3), (6, 1.1)):
            off = few - coefficients @ self._few
            chroma = off[0] * off[0] + off[1] * off[1]
            close = (chroma < (widen * 1.3) ** 2 * tolerated * tolerated) & (np.abs(off[2]) < 0.8 * widen)
            inlier = weight * close
            part = self._few[:terms]
            weighted = part * inlier
            ridge = _RIDGE[:terms, :terms] * float(inlier.sum() + 1)
            solution = np.linalg.solve(weighted @ part.T + ridge, weighted @ beyond.T)
            coefficients = np.zeros((3, 6), np.float32)
            coefficients[:, :terms] = solution.T
            coefficients[:, 0] += start
        delta -= (coefficients @ self._everywhere).reshape(delta.shape)
        flagged = self._judge(delta, one, noise)
        return Comparison(
            coefficients.T, flagged.ravel().take(self._flat), usable.ravel().take(self._flat), start, trust
        )

    def _judge(self, off: Floats, one: Floats, noise: Floats) -> Mask:
        """Which surrounding pixels show something else than before: their window has another colour or pattern.

        `one`: 1 where a pixel can tell, 0 elsewhere.
        """
        current = off + self._reference
        n = _window(one) + np.float32(1e-3)
        share = 1 / n
        u, v, w = (_window(plane * one) * share for plane in off)
        chroma = u * u + v * v
        spread = np.maximum(_window(_squares(*off) * one) * share - chroma - w * w, 0)
        mean = [_window(plane * one) * share for plane in current]
        current_spread = np.maximum(_window(_squares(*current) * one) * share - _squares(*mean), 0)
        grain = _window(noise * noise * one) * share + np.float32(0.004)
        loose = 0.22 + 3.3 * np.sqrt(grain)
        bad = (chroma > loose * loose) | (w > 1.0) | (w < -1.6)
        bad |= (spread > 0.5 * (self._spread + current_spread + 2 * grain)) & (self._patterned > grain)
        return np.asarray(bad & (n > 4))

    def _mode(self, delta: Floats, weight: Floats) -> tuple[Floats, float]:
        """The commonest colour step: what lies on top of the surroundings scatters, what is unchanged agrees."""
        u, v, w = delta
        iu, iv = (np.clip((part + _REACH) * (1 / _BIN), 0, _BINS - 1).astype(np.int32) for part in (u, v))
        counts = np.bincount(iu * _BINS + iv, weights=weight, minlength=_BINS * _BINS).astype(np.float32)
        grid = cv2.GaussianBlur(counts.reshape(_BINS, _BINS), (7, 7), 1.2)
        at = int(np.argmax(grid * _PRIOR))
        middle_u, middle_v = float(_AXIS[at // _BINS]), float(_AXIS[at % _BINS])
        kept = weight * ((np.abs(u - middle_u) < 2.5 * _BIN) & (np.abs(v - middle_v) < 2.5 * _BIN))
        total = float(kept.sum())
        if total <= 0:
            return np.zeros(3, np.float32), 0.0
        # brightness: weighted median of those that agree in colour
        light = np.clip((w + _FAR) * (1 / _FINE), 0, _LEVELS - 1).astype(np.int32)
        levels = np.bincount(light, weights=kept, minlength=_LEVELS)
        upto = np.cumsum(levels)
        k = int(np.searchsorted(upto, total / 2))
        share = (total / 2 - upto[k]) / levels[k] + 1 if levels[k] > 0 else 0.5
        middle_w = (k + float(share)) * _FINE - _FAR
        return np.array([kept @ u / total, kept @ v / total, middle_w], np.float32), total / float(weight.sum() + 1e-6)


def _planes(small: Image) -> Floats:
    """3 × rows × columns: u, v and w."""
    blue, green, red = cv2.split(cv2.LUT(small, _LOG))
    both = red + green
    return np.stack([red - green, blue - 0.5 * both, (both + blue) * np.float32(1 / 3)])


def _window(plane: Floats) -> Floats:
    """Sums over each pixel's window."""
    return np.asarray(
        cv2.boxFilter(plane, -1, (_WINDOW, _WINDOW), normalize=False, borderType=cv2.BORDER_CONSTANT), np.float32
    )


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
        self._round = (weak * weight / weight.sum(axis=1, keepdims=True)).astype(np.float32)

    def compare(self, small: Image) -> Surround:
        """`small`: the half-size patch of the picture in question."""
        found = self.contrast(small)
        changed = np.zeros(self.shape, bool)
        changed[self._at] = found.flagged
        flagged = found.flagged.astype(np.float32)
        return Surround(
            (self._cells @ found.coefficients).astype(np.float32),
            changed,
            np.maximum(self._near @ flagged, self._round @ flagged),
            np.maximum(self._near @ (~found.usable).astype(np.float32), self.bare),
            float(found.flagged.mean()),
            found.trust,
            found.light,
        )
