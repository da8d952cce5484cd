"""What moves: each picture against the one a tenth of a second before it.

A trembling camera, noise and a change of the light as a whole are no movement. All in bytes, whose subtraction ends
at 0, and in few calls: this is done for every picture.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Index, Mask
from vision.geometry import Geometry
from vision.picture import Image

MS = 1_000_000
STILL_NS = 90 * MS
"""Pictures so far apart are compared: at 30 frames/s two neighbours of a slow marble look alike."""
STALE_NS = 700 * MS
"""A longer gap between pictures tells nothing of what moved meanwhile."""
MOVED = 8.0
"""Grey levels that a cell must change on average beyond its neighbourhood; noise stays under 5, marbles over 15."""
SOME = 0.02
"""Share of the patch that may change while it lies still."""
_NEAR = np.ones((3, 3), np.uint8)
_DARK = np.float32(10)
_LEVELS = np.arange(256, dtype=np.float32)[:, None] + _DARK
_SAME_LIGHT = 0.002
"""A change of the light below this is less than half a grey level anywhere."""


@dataclass(frozen=True, eq=False)
class Moved:
    """`cells`: those in which something moves; `still`: nothing does in the whole patch; `busy`: something does in the
    picture; `since_ns`: time of the picture that this one was compared with, None: there was none."""

    cells: Mask
    still: bool
    busy: bool
    since_ns: int | None


@dataclass(frozen=True, eq=False)
class _Past:
    """A picture as it is remembered: half-size patch, smoothed; most and least near each pixel, one above the other;
    some of its pixels and the whole picture, tiny, in planes that tell the change of the light."""

    t_ns: int
    patch: Image
    bounds: Image
    few: Floats
    wide: Floats


class Movement:
    """Remembers a little more than a tenth of a second of pictures.

    `gain`, `shaken`: since `begin`, the change of the light that was farthest from 1, and whether the whole picture
    shook.
    """

    def __init__(self, geometry: Geometry) -> None:
        self._past: deque[_Past] = deque()
        self._discs = _disc_pixels(geometry)
        self.begin()

    def begin(self) -> None:
        self.gain, self.shaken = 1.0, False

    def forget(self) -> None:
        self._past.clear()

    def see(self, image: Image, small: Image, t_ns: int) -> Moved:
        """`small`: the half-size patch of this picture."""
        now = _past(t_ns, small, image)
        past = self._past
        if past and t_ns - past[-1].t_ns > STALE_NS:
            past.clear()
        while len(past) > 1 and t_ns - past[1].t_ns >= STILL_NS:
            past.popleft()
        if not past:
            past.append(now)
            return Moved(np.ones(len(self._discs), bool), False, False, None)
        then = past[0]
        past.append(now)
        change, gain = _beyond(then, now)
        self.gain = max(self.gain, gain, key=lambda one: abs(one - 1))
        everywhere = _median(change[::2, ::2])
        self.shaken |= everywhere > MOVED / 4
        limit = MOVED + 3.0 * everywhere
        cells = np.asarray(change.take(self._discs).sum(axis=1) > limit * self._discs.shape[1])
        near = cv2.boxFilter(change, cv2.CV_16U, (5, 5), normalize=False)
        share = np.count_nonzero(near > 25 * limit) / near.size
        outside = _difference(then.wide, now.wide)
        busy = np.count_nonzero(outside > 3.0 * _median(outside) + 9.0) >= 3
        return Moved(cells, bool(share < SOME and not cells.any()), bool(busy), then.t_ns)


def halved(patch: Image) -> Image:
    """The patch at half size; an odd row or column is left out: two pixels a side make one, quickly.

    For movement only: readings want `surround.half`, which keeps every pixel in its place (with this one they lose a
    marble of 715).
    """
    height, width = patch.shape[0] // 2, patch.shape[1] // 2
    return np.asarray(
        cv2.resize(patch[: 2 * height, : 2 * width], (width, height), interpolation=cv2.INTER_AREA), np.uint8
    )


def _disc_pixels(geometry: Geometry) -> Index:
    """Cells × pixels: flat places of each cell's disc in the half-size patch."""
    width, height = geometry.size[0] // 2, geometry.size[1] // 2
    centres, reach = np.round(geometry.centres / 2 - 0.25).astype(int), int(geometry.radius / 2 * 0.9)
    offsets = np.arange(-reach, reach + 1)
    dy, dx = np.meshgrid(offsets, offsets, indexing="ij")
    inside = dx * dx + dy * dy <= (geometry.radius / 2 * 0.9) ** 2
    rows = np.clip(centres[:, 1:2] + dy[inside], 0, height - 1)
    columns = np.clip(centres[:, 0:1] + dx[inside], 0, width - 1)
    return np.asarray(rows * width + columns, np.intp)


def _past(t_ns: int, small: Image, image: Image) -> _Past:
    """`small`: the half-size patch."""
    soft = np.asarray(cv2.blur(small, (3, 3)), np.uint8)
    # some pixels of the whole picture are enough, and most of what a look at it costs
    few = cv2.resize(image, (160, 120), interpolation=cv2.INTER_NEAREST)
    wide = np.asarray(cv2.resize(few, (40, 30), interpolation=cv2.INTER_AREA), np.uint8)
    bounds = np.empty((2, *soft.shape), np.uint8)
    cv2.dilate(soft, _NEAR, dst=bounds[0])
    cv2.erode(soft, _NEAR, dst=bounds[1])
    return _Past(t_ns, soft, bounds, _planes(soft[::2, ::2]), _planes(wide))


def _planes(picture: Image) -> Floats:
    """3 × pixels: NumPy is quick with long rows. A little brighter: noise in the dark is no ratio."""
    planes = picture.reshape(-1, 3).T.astype(np.float32, order="C")
    planes += _DARK
    return planes


def _beyond(then: _Past, now: _Past) -> tuple[Image, float]:
    """How far each pixel lies outside of what its neighbourhood showed: a trembling camera and noise stay within.

    And the channel's change of the light as a whole that is farthest from 1; it has been taken out.
    """
    gain = _gain(then.few, now.few)
    farthest = max(gain.tolist(), key=lambda one: abs(one - 1))
    bounds = then.bounds
    if abs(farthest - 1) > _SAME_LIGHT:
        levels = np.maximum(_LEVELS * gain + (np.float32(0.5) - _DARK), 0)
        table = np.minimum(levels, 255).astype(np.uint8)[None]
        bounds = np.asarray(cv2.LUT(bounds.reshape(-1, *bounds.shape[2:]), table), np.uint8).reshape(bounds.shape)
    most, least = bounds
    blue, green, red = cv2.split(cv2.max(cv2.subtract(now.patch, most), cv2.subtract(least, now.patch)))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8), farthest


def _difference(then: Floats, now: Floats) -> Floats:
    """Largest channel's change of each pixel, after a change of the light as a whole has been taken out."""
    return np.asarray(np.abs(now - then * _gain(then[:, ::4], now[:, ::4])[:, None]).max(axis=0), np.float32)


def _gain(then: Floats, now: Floats) -> Floats:
    """The change of each channel (rows) that most pixels share."""
    ratio = now / then
    middle = ratio.shape[1] // 2
    ratio.partition(middle, axis=1)
    return np.asarray(ratio[:, middle])


def _median(values: Floats) -> float:
    flat = values.flatten()
    flat.partition(len(flat) // 2)
    return float(flat[len(flat) // 2])
