"""Pieces with a printed marker on them: which lies in which zone of a board, and how it is turned.

For games of tiles on a field. A piece is told only where it is beyond doubt; between two zones, half turned, or seen
twice it is named with what is known (`reason`) and never guessed. What is covered is not seen, and so not told.

Markers are AprilTags 25h9: 35 of them, any two of which differ in nine bits at least, and of a 5 × 5 code that a
camera still reads at 20 pixels a side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np

from vision.arrays import Floats
from vision.calibration import Point, Quad, VisionError
from vision.geometry import check_quad, transform
from vision.picture import Image

NUMBERS = range(35)
MODULES = 7  # of a marker's side, its black frame included
EDGE = 0.14
"""Nearer to another zone than this part of a zone, a piece lies between the two."""
ASKEW = 27.0
"""Degrees beside a right angle from which on a piece is neither straight nor turned."""
LEAST_PX = 14.0
"""Sides of a marker below this are not read: a bit would be two pixels wide."""
CORNERS = ("first column first row", "last column first row", "last column last row", "first column last row")


@dataclass(frozen=True, slots=True)
class Zone:
    """`column`, `row`: from 1."""

    area: str
    column: int
    row: int


@dataclass(frozen=True, slots=True)
class Area:
    """A part of a board that is divided into zones: a field, a row of cards.

    `quad`: its outer corners in picture pixels, in the order of CORNERS.
    """

    name: str
    quad: Quad
    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class Piece:
    """`number`: of its marker; `turn`: 0, 90, 180 or 270, clockwise from "top towards the last row"; `at`: in pixels.

    `reason`: "" all is known; "between" two zones (then `between`, nearest first, and `zone` None); "askew" (`turn`
    None); "twice" (the same marker lies in view elsewhere too: `between` names the zones of all of them); "off" every
    area.
    """

    number: int
    at: Point
    zone: Zone | None = None
    turn: int | None = None
    reason: str = ""
    between: tuple[Zone, ...] = ()


@dataclass(frozen=True, slots=True)
class Tag:
    """A marker in the picture: `corners` 4 × 2, top left first, then clockwise as printed."""

    number: int
    corners: Floats

    @property
    def centre(self) -> Floats:
        """Where the diagonals cross, which stays the centre in perspective."""
        a, b, c, d = (np.append(corner, 1.0) for corner in self.corners.astype(float))
        cross = np.cross(np.cross(a, c), np.cross(b, d))
        return np.asarray(cross[:2] / cross[2], np.float32)


@cache
def _dictionary() -> Any:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_25h9)


def modules(number: int) -> list[list[bool]]:
    """Rows of modules, True = black."""
    image = cv2.aruco.generateImageMarker(_dictionary(), number, MODULES)
    return [[bool(value == 0) for value in row] for row in image]


def find_tags(image: Image) -> tuple[Tag, ...]:
    """Every marker that is whole and large enough, one seen twice two times."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    options = cv2.aruco.DetectorParameters()
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    options.cornerRefinementWinSize = 3
    options.errorCorrectionRate = 0.25  # one bit: more would let pictures on cards pass for markers
    options.adaptiveThreshWinSizeMax = 43  # soft shadows over large markers
    corners, ids, _ = cv2.aruco.ArucoDetector(_dictionary(), options).detectMarkers(grey)
    if ids is None:
        return ()
    found = []
    for number, one in zip(ids.ravel(), corners, strict=True):
        quad = np.asarray(one, np.float32).reshape(4, 2)
        if np.hypot(*(quad - np.roll(quad, 1, axis=0)).T).min() >= LEAST_PX:
            found.append(Tag(int(number), quad))
    return tuple(_without_inner(found))


def _without_inner(tags: Sequence[Tag]) -> list[Tag]:
    """A frame's two edges may both pass for the marker: the larger one is it."""
    kept: list[Tag] = []
    for tag in sorted(tags, key=lambda tag: -float(cv2.contourArea(tag.corners))):
        side = np.sqrt(cv2.contourArea(tag.corners))
        if not any(other.number == tag.number and np.hypot(*(other.centre - tag.centre)) < side / 2 for other in kept):
            kept.append(tag)
    return kept


class ZoneReader:
    """Reads pieces into the zones of some areas, which must not overlap. VisionError: impossible corners."""

    def __init__(self, areas: Sequence[Area], size: tuple[int, int]) -> None:
        """`size`: the picture's width and height."""
        names = [area.name for area in areas]
        if len(set(names)) < len(names):
            raise VisionError("two areas have the same name")
        self._areas = []
        for area in areas:
            if area.columns < 1 or area.rows < 1:
                raise VisionError(f"area {area.name}: {area.columns} columns and {area.rows} rows are no zones")
            check_quad(area.quad, size, f"area {area.name}:", CORNERS)
            ends = np.array([[0, 0], [area.columns, 0], [area.columns, area.rows], [0, area.rows]], np.float32)
            self._areas.append((area, cv2.getPerspectiveTransform(np.array(area.quad, np.float32), ends)))

    def read(self, image: Image) -> tuple[Piece, ...]:
        """By number, and by place where one is seen twice."""
        tags = find_tags(image)
        often = Counter(tag.number for tag in tags)
        pieces = [self._piece(tag) for tag in tags]
        for number, times in often.items():
            if times > 1:
                same = [piece for piece in pieces if piece.number == number]
                zones = tuple(dict.fromkeys(zone for piece in same for zone in (piece.zone, *piece.between) if zone))
                twice = [Piece(number, piece.at, reason="twice", between=zones) for piece in same]
                pieces = [piece for piece in pieces if piece.number != number] + twice
        return tuple(sorted(pieces, key=lambda piece: (piece.number, piece.at)))

    def _piece(self, tag: Tag) -> Piece:
        centre = tag.centre
        at = (float(centre[0]), float(centre[1]))
        places = [(area, to_zones, transform(to_zones, centre[None])[0]) for area, to_zones in self._areas]
        # within one area before at the edge of another
        for reach in (0.0, EDGE):
            for area, to_zones, (u, v) in places:
                if not (-reach <= u < area.columns + reach and -reach <= v < area.rows + reach):
                    continue
                turn = _turn(transform(to_zones, tag.corners))
                between = _between(area, float(u), float(v))
                if between:
                    return Piece(tag.number, at, None, turn, "between", between)
                zone = Zone(area.name, int(u) + 1, int(v) + 1)
                return Piece(tag.number, at, zone, turn, "" if turn is not None else "askew")
        return Piece(tag.number, at, reason="off")


def _turn(corners: Floats) -> int | None:
    """The nearest right angle of a marker in zone units, None: not near enough to one."""
    # its upward direction, from both sides; v grows towards the last row
    x, y = (corners[0] - corners[3] + corners[1] - corners[2]).tolist()
    # seen from above with the last row away from the reader, clockwise is from +v towards +u
    angle = float(np.degrees(np.arctan2(x, y))) % 360.0
    nearest = round(angle / 90.0) * 90
    return nearest % 360 if abs(angle - nearest) <= ASKEW else None


def _between(area: Area, u: float, v: float) -> tuple[Zone, ...]:
    """The zones that a place may belong to, nearest first, where there is more than one; or the edge is too near."""
    columns = _near(u, area.columns)
    rows = _near(v, area.rows)
    if len(columns) == 1 and len(rows) == 1 and 0 < u < area.columns and 0 < v < area.rows:
        inside_u = EDGE <= u <= area.columns - EDGE
        inside_v = EDGE <= v <= area.rows - EDGE
        if inside_u and inside_v:
            return ()
    found = [(du + dv, Zone(area.name, column, row)) for du, column in columns for dv, row in rows]
    return tuple(zone for _, zone in sorted(found, key=lambda one: one[0]))


def _near(value: float, count: int) -> list[tuple[float, int]]:
    """`(distance, number from 1)` of the zones along one side that the value lies in or too near to."""
    return [
        (max(i - value, value - i - 1, 0.0), i + 1)
        for i in range(count)
        if i - EDGE < value < i + 1 + EDGE
    ]  # fmt: skip
