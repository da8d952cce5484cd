"""Has the camera or the tray been moved since the calibration?

Small textured blocks of the whole picture, mostly round the tray, are looked up where they were. Light changes leave
their pattern alone, a hand hides some of them; only a knock moves many of them together.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.arrays import Floats, Index, Mask
from vision.geometry import MARGIN, PITCH, Geometry, transform
from vision.picture import Image
from vision.reading import Aim
from vision.slices import Slices, whole
from vision.surround import half

WIDTH = 320  # pixels of the small picture that is searched
BLOCK = 11
ENOUGH = 8  # blocks on the tray: so many can be asked without the others
REACH = 24  # small pixels: a greater knock is noticed all the same, only not measured
SLACK = 0.12  # marble radii: a smaller shift does no harm to a reading
CERTAIN = 0.3  # small pixels: so little can be told at once; one step of Lucas-Kanade makes more look less than it is
SAME = 0.6  # correlation at which a block counts as found
TABLE = 2.5  # small pixels that the table may lie off when the view was found by the tray, which stands above it
SURELY = 0.75  # the same where it has been searched for
CLOSE = 6  # the same where it nearly fits
_LOGS = np.log(np.arange(256, dtype=np.float32) + 12)
SLICE = 40  # blocks that are searched for beside one picture


class Anchor:
    """The calibration picture's blocks."""

    def __init__(self, reference: Image, geometry: Geometry) -> None:
        height, width = reference.shape[:2]
        self._scale = min(1.0, WIDTH / width)
        self._slack = max(0.5, SLACK * geometry.radius * geometry.scale * self._scale)
        self._size = (round(width * self._scale), round(height * self._scale))
        small = self.small(reference)
        self._reference = small
        dx = cv2.Sobel(small, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
        dy = cv2.Sobel(small, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
        ys, xs, near = self._choose(dx, dy, geometry)
        self._index = _index(ys, xs, self._size[0])
        self._near = near
        self._places = np.stack([xs, ys], axis=1)
        parts = np.stack([part.ravel()[self._index] for part in (small, dx, dy)])
        self._all, self._tray = _Blocks(parts), _Blocks(parts[:, near])
        self._window = self._choose_window(width, height)
        if self._window is not None:
            across, along, _ = self._window
            self._inner = _index(ys[near] - along.start, xs[near] - across.start, across.stop - across.start)

    def _choose_window(self, width: int, height: int) -> tuple[slice, slice, int] | None:
        """Columns and rows of the small picture with all blocks on the tray, and how many pixels one of it is wide;
        None: there are too few, or its pixels are not made of whole ones."""
        times = width // self._size[0]
        if self._near.sum() < ENOUGH or (self._size[0] * times, self._size[1] * times) != (width, height):
            return None
        reach = BLOCK // 2 + 2  # the blur's edge is not to be seen
        low = np.maximum(self._places[self._near].min(axis=0) - reach, 0)
        high = np.minimum(self._places[self._near].max(axis=0) + reach + 1, self._size)
        return slice(int(low[0]), int(high[0])), slice(int(low[1]), int(high[1])), times

    def small(self, image: Image, to_now: Floats | None = None) -> Floats:
        """The whole picture, as it is searched. `to_now`: 3×3, calibration picture → this one, to be undone."""
        small = _shrunk(image, self._size)
        # undone where it is small: quicker by far
        return _logs(small if to_now is None else _undone(small, self._shrunk_move(to_now), self._size))

    def _shrunk_move(self, to_now: Floats) -> Floats:
        """`to_now` in small pixels."""
        middle = (self._scale - 1) / 2
        shrunk = np.array([[self._scale, 0, middle], [0, self._scale, middle], [0, 0, 1]])
        return np.asarray(shrunk @ to_now @ np.linalg.inv(shrunk))

    def _choose(self, dx: Floats, dy: Floats, geometry: Geometry) -> tuple[Index, Index, Floats]:
        """Places of blocks with corners in them, not on marbles; and whether each lies on the tray."""
        window = (BLOCK, BLOCK)
        xx, yy, xy = (cv2.blur(part, window) for part in (dx * dx, dy * dy, dx * dy))
        weak = 0.5 * (xx + yy - np.sqrt((xx - yy) ** 2 + 4 * xy * xy))  # the smaller eigenvalue
        width, height = self._size
        margin = BLOCK // 2 + 2
        weak[:margin] = weak[-margin:] = 0
        weak[:, :margin] = weak[:, -margin:] = 0
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
        points = np.stack([xs.ravel(), ys.ravel()], axis=1) / self._scale
        patch = cv2.perspectiveTransform(points[:, None], geometry.to_patch)[:, 0]
        low, high = geometry.centres.min(axis=0), geometry.centres.max(axis=0)
        beyond = np.maximum(np.maximum(low - patch, patch - high), 0).max(axis=1).reshape(height, width)
        inside = beyond < 0.75 * PITCH  # marbles: they come and go
        tray = (beyond < (MARGIN + 1.0) * PITCH).ravel().reshape(height, width)
        chosen_x: list[int] = []
        chosen_y: list[int] = []
        near: list[bool] = []
        for region, most in ((tray & ~inside, 40), (~tray, 60)):
            left = np.where(region, weak, 0)
            floor = float(np.percentile(weak[region], 60)) if region.any() else 0.0
            for _ in range(most):
                at = int(left.argmax())
                y, x = divmod(at, width)
                if left[y, x] <= max(floor, 1e-5):
                    break
                chosen_x.append(x)
                chosen_y.append(y)
                near.append(bool(tray[y, x]))
                gap = BLOCK if region is not tray else BLOCK - 2
                left[max(0, y - gap) : y + gap + 1, max(0, x - gap) : x + gap + 1] = 0
        return np.array(chosen_y, np.intp), np.array(chosen_x, np.intp), np.array(near, bool)

    def check(self, image: Image) -> Aim:
        """All at once, as `checking`."""
        return whole(self.checking(image))

    def at_once(self, image: Image, to_now: Floats | None = None) -> tuple[Aim | None, bool]:
        """A good aim by the tray's blocks, compared where they were; None: too few are there. And whether so many of
        them are not that the tray may have slid."""
        if len(self._near) < 4:
            return Aim(True, None), False
        still, move = self._tray.compare(*self._by_the_tray(image, to_now))
        return self._by_tray(still, move), self._may_have_slid(~still)

    def _by_the_tray(self, image: Image, to_now: Floats | None) -> tuple[Floats, Index]:
        """As `small`, if it can be of the window only, which is quicker; and where in it the tray's blocks lie."""
        part = None if self._window is None else self._part(image, to_now, self._window)
        return (self.small(image, to_now), self._index[self._near]) if part is None else (part, self._inner)

    def _part(self, image: Image, to_now: Floats | None, window: tuple[slice, slice, int]) -> Floats | None:
        """None: it is out of the picture."""
        across, along, times = window
        size = (across.stop - across.start, along.stop - along.start)
        if to_now is None:
            return _logs(_shrunk(_times(image, across, along, times), size))
        # where it lies now, and a little more
        move = self._shrunk_move(to_now)
        x, y = np.meshgrid((across.start, across.stop), (along.start, along.stop))
        now = transform(move, np.stack([x.ravel(), y.ravel()], axis=1))
        low = np.floor(now.min(axis=0)).astype(int) - 2
        high = np.ceil(now.max(axis=0)).astype(int) + 3
        left, top = np.clip(low, 0, self._size).tolist()
        right, bottom = np.clip(high, 0, self._size).tolist()
        if right - left < BLOCK or bottom - top < BLOCK:
            return None
        small = _shrunk(_times(image, slice(left, right), slice(top, bottom), times), (right - left, bottom - top))
        return _logs(_undone(small, _at(-left, -top) @ move @ _at(across.start, along.start), size))

    def checking(self, image: Image, to_now: Floats | None = None) -> Slices[Aim]:
        """Cheap when nothing has moved: the tray's blocks are compared where they were, and only they; the others
        when some of these differ, and all searched for when that does not explain it."""
        aim, doubtful = self.at_once(image, to_now)
        if aim is not None and not doubtful:
            return aim
        return (yield from self.searching(image, to_now))

    def searching(self, image: Image, to_now: Floats | None = None) -> Slices[Aim]:
        """The rest of `checking`, where `at_once` was not enough."""
        small = self.small(image, to_now)
        still, move = self._all.compare(small, self._index)
        near = self._near
        aim = self._by_tray(still[near], move[near])
        if aim is not None and not (
            self._may_have_slid(~still[near]) and (yield from self._slid(small, near & ~still))
        ):
            return aim
        yield
        moves, scores = yield from self._search(small, near)
        aim = self._vote(moves, scores)
        if aim is None:
            others = yield from self._search(small, ~near)
            aim = self._vote(moves + others[0], scores + others[1])  # 0 where not searched
        return aim or Aim(False, None)  # nothing to hold on to: another picture, or hidden altogether

    def correcting(self, small: Floats, reach: int = REACH) -> Slices[Floats | None]:
        """What is left to undo in a picture that nearly fits, by its `small` form: 3×3, calibration picture → this
        picture; None: nothing to hold on to. `reach`: small pixels that it may be off."""
        if len(self._near) < 4:
            return None
        moves, scores = yield from self._search(small, self._near, reach=reach)
        good = self._group(moves, (scores > SURELY) & self._near)
        if good.sum() < max(6, 0.3 * self._near.sum()):
            others = yield from self._search(small, ~self._near, reach=reach)
            moves, scores = moves + others[0], scores + others[1]  # 0 where not searched
            good = self._group(moves, scores > SURELY)
            if good.sum() < max(8, 0.25 * len(good)):
                return None
        start = (self._places[good] + 0.5) / self._scale - 0.5
        end = start + moves[good] / self._scale
        fit, _ = cv2.estimateAffine2D(start, end, method=cv2.RANSAC, ransacReprojThreshold=0.8 / self._scale)
        return None if fit is None else np.vstack([fit, [0.0, 0.0, 1.0]])

    def table_fits(self, small: Floats) -> Slices[bool]:
        """Whether what lies farther from the tray is in its place as well: a tray may slide on the table."""
        far = ~self._near
        if far.sum() < 6:
            return False
        moves, scores = yield from self._search(small, far, reach=CLOSE)
        found = far & (scores > SURELY)
        there = found & (np.hypot(moves[:, 0], moves[:, 1]) < TABLE)
        return bool(found.sum() >= max(6, 0.3 * far.sum()) and there.sum() >= 0.7 * found.sum())

    def _by_tray(self, still: Mask, move: Floats) -> Aim | None:
        """A good aim by the tray's blocks, when enough of them lie still; None: look closer."""
        if still.sum() < max(5, 0.28 * self._near.sum()):
            return None
        shift = math.hypot(*(_middle(part) for part in move[still].T))
        return Aim(True, round(shift / self._scale, 2)) if shift < CERTAIN else None

    def _alike(self) -> float:
        """So many of the tray's blocks must have moved alike for the tray to have slid."""
        return float(max(5, 0.3 * self._near.sum()))

    def _may_have_slid(self, doubtful: Mask) -> bool:
        return bool(doubtful.sum() > 0.25 * self._near.sum() and doubtful.sum() >= self._alike())

    def _slid(self, small: Floats, doubtful: Mask) -> Slices[bool]:
        """The table lies still, but has the tray slid on it? A hand hides blocks; it does not move many alike."""
        moves, scores = yield from self._search(small, doubtful, self._alike())
        group = self._group(moves, (scores > SURELY) & doubtful)
        if group.sum() < self._alike():
            return False
        return bool(np.hypot(*np.median(moves[group], axis=0)) > max(1.0, self._slack))

    def _search(
        self, small: Floats, which: Mask, needed: float = 0.0, reach: int = REACH
    ) -> Slices[tuple[Floats, Floats]]:
        """Where each of these blocks lies now within `reach`, and how alike it is there. `needed`: the rest is not
        looked for once so many cannot be found any more."""
        half = BLOCK // 2
        padded = cv2.copyMakeBorder(small, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
        slice_ = SLICE if reach == REACH else 3 * SLICE
        moves = np.zeros((len(self._places), 2), np.float32)
        scores = np.zeros(len(self._places), np.float32)
        left = int(which.sum())
        for n, i in enumerate(np.nonzero(which)[0]):
            if n and n % slice_ == 0:
                yield
            if left + int((scores > SURELY).sum()) < needed:
                break
            left -= 1
            x, y = self._places[i]
            template = self._reference[y - half : y + half + 1, x - half : x + half + 1]
            area = padded[y - half : y + half + 1 + 2 * reach, x - half : x + half + 1 + 2 * reach]
            result = cv2.matchTemplate(area, template, cv2.TM_CCOEFF_NORMED)
            at = int(result.argmax())
            dy, dx = divmod(at, result.shape[1])
            moves[i] = (
                dx - reach + _peak(result[dy, max(0, dx - 1) : dx + 2]),
                dy - reach + _peak(result[max(0, dy - 1) : dy + 2, dx]),
            )
            scores[i] = result[dy, dx]
        return moves, scores

    def _vote(self, moves: Floats, scores: Floats) -> Aim | None:
        """The largest group of blocks that moved alike: the tray's, or the picture's when it is hidden. None: there is
        none."""
        good = scores > SURELY
        near = self._group(moves, good & self._near)
        if near.sum() >= max(5, 0.25 * self._near.sum()):
            group = near
        else:
            group = self._group(moves, good)
            if group.sum() < max(8, 0.25 * len(good)):
                return None
        shift = float(np.hypot(*np.median(moves[group], axis=0)))
        if shift < self._slack:
            return Aim(True, round(shift / self._scale, 1))
        return Aim(False, round(shift / self._scale, 1))

    def _group(self, moves: Floats, good: Floats) -> Floats:
        """A knock also turns and zooms a little: neighbours agree closely, distant blocks roughly."""
        best = np.zeros(len(good), bool)
        for i in np.nonzero(good)[0]:
            apart = np.hypot(*(self._places - self._places[i]).T)
            agree = good & (np.hypot(*(moves - moves[i]).T) < 1.2 + 0.06 * apart)
            if agree.sum() > best.sum():
                best = agree
        return best


def _times(image: Image, across: slice, along: slice, times: int) -> Image:
    """The part of the picture that these columns and rows of the small one are made of."""
    return image[along.start * times : along.stop * times, across.start * times : across.stop * times]


def _shrunk(image: Image, size: tuple[int, int]) -> Image:
    while image.shape[1] % size[0] == 0 and image.shape[1] >= 4 * size[0] and image.shape[0] % 2 == 0:
        # means of means: halves are what OpenCV is quick at
        image = half(image)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _undone(small: Image, move: Floats, size: tuple[int, int]) -> Image:
    """`move`: 3×3, from the picture that comes out to this one."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(small, move, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _logs(small: Image) -> Floats:
    # a logarithm makes a brighter lamp an offset, which the blocks take out
    return cv2.GaussianBlur(cv2.LUT(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), _LOGS), (3, 3), 0.7)


def _at(x: float, y: float) -> Floats:
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float64)


class _Blocks:
    """Blocks as they looked at the calibration."""

    def __init__(self, parts: Floats) -> None:
        """`parts`: (light, slope across, slope down) × blocks × pixels."""
        self._parts = np.ascontiguousarray(parts - parts.mean(axis=2, keepdims=True))
        block, gx, gy = self._parts
        self._norm = np.sqrt((block * block).sum(1))
        xx, yy, xy = (gx * gx).sum(1), (gy * gy).sum(1), (gx * gy).sum(1)
        det = xx * yy - xy * xy
        self._hessian = (xx / det, yy / det, xy / det)
        self._own = ((gx * block).sum(1), (gy * block).sum(1))
        self._ones = np.ones(parts.shape[2], np.float32)

    def compare(self, small: Floats, index: Index) -> tuple[Mask, Floats]:
        """Whether each block, now at `index`, looks as it did and lies still; and how far it has slid."""
        block = small.take(index)
        block -= ((block @ self._ones) / len(self._ones))[:, None]
        norm = np.sqrt((block * block) @ self._ones) + np.float32(1e-6)
        along, gx, gy = (self._parts * block) @ self._ones
        alike = along / (norm * self._norm)
        # one step of Lucas-Kanade, contrast matched: how far has each block slid?
        gain = np.minimum(np.maximum(alike * self._norm / norm, 0.2), 5)
        ex, ey = gain * gx - self._own[0], gain * gy - self._own[1]
        xx, yy, xy = self._hessian
        # the picture moved by +d shows reference(x - d): error = -gradient . d
        move = np.empty((len(gain), 2), np.float32)
        move[:, 0], move[:, 1] = xy * ey - yy * ex, xy * ex - xx * ey
        return (alike > SAME) & ((move * move).sum(axis=1) < 1.0), move


def _middle(values: Floats) -> float:
    """The median."""
    ranked: list[float] = sorted(values.tolist())
    half = len(ranked) // 2
    return ranked[half] if len(ranked) % 2 else (ranked[half - 1] + ranked[half]) / 2


def _index(ys: Index, xs: Index, stride: int) -> Index:
    """Flat places of the blocks round these ones: blocks × pixels."""
    offsets = np.arange(-(BLOCK // 2), BLOCK // 2 + 1)
    grid = (offsets[:, None] * stride + offsets[None, :]).ravel()
    return np.asarray((ys * stride + xs)[:, None] + grid[None, :])


def _peak(line: Floats) -> float:
    """Where between three samples the top of a parabola lies, −0.5 … 0.5 from the middle one."""
    if len(line) < 3:
        return 0.0
    bend = float(line[0] - 2 * line[1] + line[2])
    return min(0.5, max(-0.5, 0.5 * float(line[0] - line[2]) / bend)) if bend < -1e-6 else 0.0
