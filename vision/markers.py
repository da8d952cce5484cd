"""Printed markers round the tray: ArUco squares on tiles, one for each corner cell.

Each tile touches one corner of the cell grid (half a cell beyond the corner marble's centre, both ways) with its own
inner corner, and lies beside the tray, not before the tower:

        a5 |. . .| c5        . the grid's last row, at the tower
        a1 |. . .| c1        . row 1, at the open end

All tiles stand upright, their top towards the tower. The white rim of a tile is one module wide, a sixth of the
marker.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from vision.arrays import Floats
from vision.calibration import Point, Quad, VisionError, as_quad
from vision.geometry import transform
from vision.picture import Image
from vision.profile import Grid

MODULES = 6  # of a marker's side, its black frame included
RIM = 1 / MODULES  # the white rim, in marker sides
# where a tile's inner corner lies, in marker sides from the marker's top left corner; ids in the order of `corners`
_FAR, _NEAR = 1 + RIM, -RIM
INNER = ((_FAR, _FAR), (_NEAR, _FAR), (_NEAR, _NEAR), (_FAR, _NEAR))
UPRIGHT = 25.0  # degrees that a tile may be turned against the lanes


def _dictionary() -> Any:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def names(grid: Grid) -> tuple[str, ...]:
    """The corner cells in the order of the ids."""
    first, last = grid.cells[0], grid.cells[-1]
    return first, f"{last[0]}1", last, f"a{grid.rows}"


def modules(number: int) -> list[list[bool]]:
    """Rows of modules, True = black."""
    image = cv2.aruco.generateImageMarker(_dictionary(), number, MODULES)
    return [[bool(value == 0) for value in row] for row in image]


def find_markers(image: Image) -> dict[int, Floats]:
    """Marker corners by id, 4 × 2 pixels: top left, then clockwise as printed. VisionError: one is seen twice."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found: dict[int, Floats] = {}
    # Which of two outlines close together are rivals: few, and a tile's edge may take the marker's place; many, and so
    # may the inner edge of its frame, which is an eighth too small. So more are asked about only where one is missing.
    for rate in (0.125, 0.05, 0.01):
        if len(found) == len(INNER):
            break
        seen = _seen(grey, rate)
        found |= {number: quad for number, quad in seen.items() if number not in found}
    return found


def _seen(grey: Any, rate: float) -> dict[int, Floats]:
    options = cv2.aruco.DetectorParameters()
    options.minMarkerDistanceRate = rate
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    options.cornerRefinementWinSize = 4
    corners, ids, _ = cv2.aruco.ArucoDetector(_dictionary(), options).detectMarkers(grey)
    found: dict[int, Floats] = {}
    numbers: list[int] = [] if ids is None else [int(number) for number in ids.ravel()]
    for one, number in zip(corners, numbers, strict=True):
        if number >= len(INNER):
            continue
        quad = np.asarray(one, np.float32).reshape(4, 2)
        before = found.get(number)
        if before is not None:
            apart = float(np.hypot(*(quad.mean(axis=0) - before.mean(axis=0))))
            if apart > 0.25 * float(np.hypot(*(before[2] - before[0]))):
                raise VisionError(f"marker {number} is seen twice: only one set of markers may be in view")
            # both edges of its frame: the outer one is the marker's
            quad = max(before, quad, key=lambda corners: float(cv2.contourArea(corners)))
        found[number] = quad
    return found


FIELD = ("A's left", "A's right", "B's side right", "B's side left")
"""The corners of a board's field as player A sees them, in the order of the ids."""


def field_by_markers(image: Image) -> Quad:
    """The field's outer corners, in the order of FIELD. Raises VisionError as `corners_by_markers`."""
    a, b, c, d = as_quad(_inner(image, FIELD))
    return _round(a), _round(b), _round(c), _round(d)


def corners_by_markers(image: Image, grid: Grid) -> Quad:
    """The corner cells' centres. Raises VisionError: a marker is missing, or lies where it does not belong."""
    inner = _inner(image, names(grid))
    ends = np.array([[0, 0], [grid.lanes, 0], [grid.lanes, grid.rows], [0, grid.rows]], np.float32)
    to_picture = cv2.getPerspectiveTransform(ends, inner.astype(np.float32))
    x, y = grid.lanes - 0.5, grid.rows - 0.5
    at = transform(to_picture, np.array([[0.5, 0.5], [x, 0.5], [x, y], [0.5, y]], np.float32))
    a, b, c, d = ((float(px), float(py)) for px, py in at)
    return _round(a), _round(b), _round(c), _round(d)


def _inner(image: Image, corners: tuple[str, ...]) -> Floats:
    """4 × 2: the tiles' inner corners; `corners`: what they lie at, for words."""
    found = find_markers(image)
    missing = [corners[i] for i in range(4) if i not in found]
    if missing:
        raise VisionError(f"{len(found)} of 4 markers are seen; not found: {', '.join(missing)}")
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    inner = np.concatenate(
        [transform(cv2.getPerspectiveTransform(square, found[i]), np.array([INNER[i]], np.float32)) for i in range(4)]
    )
    up = (inner[3] - inner[0], inner[2] - inner[1])
    for i in range(4):
        own = found[i][0] - found[i][3] + found[i][1] - found[i][2]
        lane = up[0] if i in (0, 3) else up[1]
        turned = np.degrees(np.arccos(np.clip(own @ lane / (np.linalg.norm(own) * np.linalg.norm(lane) + 1e-9), -1, 1)))
        if turned > UPRIGHT:
            raise VisionError(
                f"the marker of {corners[i]} is turned by {turned:.0f} degrees against the lanes, or not at its corner"
            )
    return inner


def _round(point: Point) -> Point:
    return round(point[0], 3), round(point[1], 3)
