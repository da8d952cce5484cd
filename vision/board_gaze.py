"""Looking at a board with pieces, picture after picture: is it where it was, does anything move on it, what lies where.

The sibling of `vision.gaze`: the same aim by blocks round the field, the same search after a knock, and stillness of
the board as for the stage board. Times are those of the pictures; it has no clock.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.aim import Anchor
from vision.aiming import Aiming
from vision.arrays import Floats
from vision.board import Board
from vision.calibration import Calibration, Quad, VisionError, as_quad
from vision.geometry import geometry, transform
from vision.picture import Image, decode
from vision.pieces import CORNERS, Area, Piece, ZoneReader
from vision.profile import Grid
from vision.reading import Aim
from vision.reaim import Finder, View
from vision.resting import Lying, Resting
from vision.slices import Slices
from vision.steady import Steady

MS = 1_000_000
PACE_NS = 90 * MS
"""Pictures nearer to each other are passed over: at 30 a second two neighbours of a slow hand look alike."""
LOST_NS = 150 * MS
"""So long the board must not be where it was."""
RARELY_NS = 240 * MS
"""While something moves the pieces are read so often: what lies beneath it cannot come to rest sooner."""
READINGS = 6
"""So often a still board is read before a reading stands ..."""
STANDS_NS = 1000 * MS
"""... and so long it does, while nothing has changed."""


@dataclass(frozen=True)
class BoardCalibration:
    """`areas`: the field first, whose surroundings tell the aim. `picture`: the encoded picture that it was made on."""

    size: tuple[int, int]
    areas: tuple[Area, ...]
    picture: bytes


@dataclass(frozen=True)
class BoardSight:
    """`found`: the board is where it is believed to be; otherwise, and while that is being found out, `lying` is as it
    was. `moving`: something moves over it. `readable`: the areas that can be read.
    """

    t_ns: int
    found: bool
    moving: bool
    lying: Lying
    readable: tuple[str, ...]
    shift_px: float | None = None


class BoardEye:
    """What is derived of a calibration; implements vision.aiming.Asked. Raises VisionError."""

    def __init__(self, calibration: BoardCalibration) -> None:
        field, size = calibration.areas[0], calibration.size
        if min(field.columns, field.rows) < 2:
            raise VisionError("a field that a camera reads has at least 2 columns and 2 rows")
        ZoneReader(calibration.areas, size)  # refuses impossible corners
        (ax, ay), (bx, by), (cx, cy) = field.quad[:3]
        if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0:
            raise VisionError(f"the field's corners run the wrong way round: their order is {', '.join(CORNERS)}")
        reference = decode(calibration.picture)
        if reference.shape[1::-1] != size:
            raise VisionError(f"the picture is {reference.shape[1]}x{reference.shape[0]}, not {size[0]}x{size[1]}")
        corners, grid = _middles(field), Grid(field.columns, field.rows)
        self.areas = calibration.areas
        # as the search after a knock knows a table: what lies beside the field may slide by itself
        beside = calibration.areas[1].quad if len(calibration.areas) > 1 else None
        self.calibration = Calibration(size, grid, corners, "", beside, calibration.picture)
        self.geometry = geometry(corners, grid, size, board=True)
        self.anchor = Anchor(reference, self.geometry)

    def aim_at_once(self, image: Image, to_now: Floats | None = None) -> tuple[Aim | None, bool]:
        return self.anchor.at_once(image, to_now)

    def aim_asked(self, image: Image, to_now: Floats | None = None) -> Slices[Aim]:
        return self.anchor.checking(image, to_now)

    def aim_searched(self, image: Image, to_now: Floats | None = None) -> Slices[Aim]:
        return self.anchor.searching(image, to_now)


class _BoardFinder(Finder):
    """There are no marbles to ask afterwards: the blocks decide alone, and two pictures must agree (vision.steady)."""

    def __init__(self, eye: BoardEye) -> None:
        super().__init__(eye)  # type: ignore[arg-type]  # it has what a Finder uses of an Eye

    def _holds(self, image: Image, view: View) -> Slices[bool]:
        places = view.places
        if (places < 0).any() or (places >= self.eye.calibration.size).any():
            return False
        return (yield from self.eye.aim_asked(image, view.to_now)).ok


class BoardGaze:
    def __init__(self, calibration: BoardCalibration) -> None:
        self.eye = BoardEye(calibration)
        self._steady = Steady(_BoardFinder(self.eye))
        self._aiming = Aiming(self.eye)
        self._resting = Resting()
        self._lying = Lying({}, frozenset(), frozenset())
        self._lost = False
        self._sight: BoardSight | None = None
        self._bad_since: int | None = None
        self._calm_since: int | None = None
        self._aim()

    def _aim(self) -> None:
        """The areas where they lie now, and nothing known of how they look."""
        view, areas = self._steady.view, self.eye.areas
        if view is not None:
            areas = areas if view.board else areas[:1]
            areas = tuple(replace(area, quad=view.moved(area.quad)) for area in areas)
        self._areas = areas
        self._reader = ZoneReader(areas, self.eye.calibration.size)
        self._boards = [Board(_upright(area)) for area in areas]
        self._pieces: tuple[Piece, ...] = ()
        self._readings, self._read_ns = 0, 0

    @property
    def lost(self) -> bool:
        """The board is not where it was, and has not been found elsewhere."""
        return self._lost

    @property
    def areas(self) -> tuple[Area, ...]:
        """Those that can be read, where they lie in the picture of now."""
        return self._areas

    def look(self, image: Image, t_ns: int) -> BoardSight:
        """The next picture, in order of time. Raises VisionError when its size is not the calibration's."""
        if image.shape[1::-1] != self.eye.calibration.size:
            width, height = self.eye.calibration.size
            raise VisionError(
                f"the picture is {image.shape[1]}x{image.shape[0]}, the board was calibrated at {width}x{height}"
            )
        last = self._sight
        if last is not None and 0 <= t_ns - last.t_ns < PACE_NS:
            return last
        stale = self._readings < READINGS or t_ns - self._read_ns >= STANDS_NS
        due = [board.due(image, stale) for board in self._boards]
        moving = None in due
        if moving:
            self._calm_since, self._readings = None, 0
        elif self._calm_since is None:
            self._calm_since = t_ns
        aim = self._ask(image, t_ns)
        if aim is not None and aim.ok and not self._lost:
            new = t_ns - self._read_ns >= RARELY_NS if moving else True in due
            if new:
                self._pieces, self._read_ns = self._reader.read(image), t_ns
                self._readings += not moving
            if new or not moving:
                # a board that has not changed shows what it did
                self._lying = self._resting.see(self._pieces, t_ns)
        found = not self._lost and aim is not None
        names = tuple(area.name for area in self._areas)
        self._sight = BoardSight(t_ns, found, moving, self._lying, names, None if aim is None else aim.shift_px)
        return self._sight

    def _ask(self, image: Image, t_ns: int) -> Aim | None:
        """None: not known yet."""
        view = self._steady.view
        aim = None if self._lost else self._aiming.standing(t_ns, self._calm_since)
        if aim is None:
            aim = self._aiming.ask(image, None if view is None else view.to_now, t_ns)
        elif self._aiming.open:
            aim = self._aiming.go_on() or aim
        if aim is None:
            return None
        if aim.ok:
            self._steady.rest()
            self._lost, self._bad_since = False, None
            return aim
        if self._bad_since is None:
            self._bad_since = t_ns if self._aiming.since_ns is None else self._aiming.since_ns
        self._lost = self._lost or t_ns - self._bad_since >= LOST_NS
        if self._lost and self._steady.seek(image, t_ns):
            self._aiming.forget()
            self._aim()
        return aim


def _middles(area: Area) -> Quad:
    """The middles of the zones in the corners."""
    ends = np.array([[0, 0], [area.columns, 0], [area.columns, area.rows], [0, area.rows]], np.float32)
    x, y = area.columns - 0.5, area.rows - 0.5
    return as_quad(transform(_plane(ends, area.quad), np.array([[0.5, 0.5], [x, 0.5], [x, y], [0.5, y]], np.float32)))


def _plane(ends: Floats, quad: Quad) -> Floats:
    return np.asarray(cv2.getPerspectiveTransform(ends, np.array(quad, np.float32)))


def _upright(area: Area) -> Quad:
    """Its corners as `Board` has them: along the longer of the two sides it need not be coarser."""
    a, b, c, d = area.quad
    return (d, c, b, a) if area.columns >= area.rows else (a, d, c, b)
