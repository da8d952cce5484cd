"""Where the cells lie: four corner marbles give a plane, the plane gives an upright patch with the tower at the top."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.arrays import Floats, Index
from vision.calibration import Point, Quad, VisionError
from vision.picture import Image
from vision.profile import Grid

PITCH = 28  # patch pixels from row to row: a marble is about so wide; finer brings nothing but time
MARGIN = 1.15  # pitches of surroundings kept round the corner cells
NAMES = ("first lane row 1", "last lane row 1", "last lane last row", "first lane last row")


@dataclass(frozen=True, eq=False)
class Geometry:
    """The upright patch of the grid.

    `to_patch`: 3×3, picture → patch pixels; `size`: patch width, height; `centres`: n × 2, in the order of Grid.cells;
    `radius`: of a marble, in patch pixels (marbles of a lane touch one another); `pitch`: lane, row pitch in patch
    pixels; `scale`: picture pixels a patch pixel, about.
    """

    to_patch: Floats
    size: tuple[int, int]
    centres: Floats
    radius: float
    pitch: tuple[float, float]
    scale: float

    def warp(self, image: Image) -> Image:
        """The patch of this picture."""
        where, between = self._maps
        return np.asarray(cv2.remap(image, where, between, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    @cached_property
    def _maps(self) -> tuple[Index, Index]:
        """Where in the picture each pixel of the patch lies: worked out once, as OpenCV is quickest with it."""
        ys, xs = np.mgrid[0 : self.size[1], 0 : self.size[0]]
        places = self.to_picture(np.stack([xs.ravel(), ys.ravel()], axis=1)).reshape(*xs.shape, 2)
        where, between = cv2.convertMaps(places[..., 0], places[..., 1], cv2.CV_16SC2)
        return np.asarray(where), np.asarray(between)

    def to_picture(self, points: Floats) -> Floats:
        """Patch pixels → picture pixels, n × 2."""
        return transform(np.linalg.inv(self.to_patch), points)


def transform(matrix: Floats, points: Floats) -> Floats:
    """Apply a 3×3 homography to n × 2 points."""
    shaped = np.asarray(points, np.float32).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(shaped, matrix), np.float32).reshape(-1, 2)


def _distance(a: Point, b: Point) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def check_quad(quad: Quad, size: tuple[int, int], what: str, names: tuple[str, ...], margin: float = 0.0) -> None:
    """Refuse corners that lie outside the picture, cross, or fold: VisionError says which and why.

    A quad must turn the same way at all its corners.
    """
    width, height = size
    for name, (x, y) in zip(names, quad, strict=True):
        if not (np.isfinite(x) and np.isfinite(y)):
            raise VisionError(f"{what} {name} is no number")
        if not (-margin <= x <= width - 1 + margin and -margin <= y <= height - 1 + margin):
            raise VisionError(f"{what} {name} at {x:g},{y:g} lies outside the picture ({width}x{height})")
    turns = []
    for i in range(4):
        (ax, ay), (bx, by), (cx, cy) = quad[i], quad[(i + 1) % 4], quad[(i + 2) % 4]
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    if min(abs(turn) for turn in turns) < 1e-9 or min(_distance(quad[i], quad[(i + 1) % 4]) for i in range(4)) < 2:
        raise VisionError(f"the {what}s are impossible: two of them coincide or three lie on one line")
    if len({turn > 0 for turn in turns}) > 1:
        raise VisionError(f"the {what}s are impossible: their order crosses ({', '.join(names)} must go round)")


def geometry(corners: Quad, grid: Grid, size: tuple[int, int], board: bool = False) -> Geometry:
    """Raises VisionError when no grid of that size can look like this from any sensible camera place.

    `board`: a hanging board of holes (cold read) rather than a tray, where the pitch need not be a marble's width.
    """
    if grid.lanes < 2 or grid.rows < 2:
        raise VisionError("a grid needs at least 2 lanes and 2 rows")
    check_quad(corners, size, "corner", NAMES)
    bottom, right = _distance(corners[0], corners[1]), _distance(corners[1], corners[2])
    top, left = _distance(corners[2], corners[3]), _distance(corners[3], corners[0])
    (ax, ay), (bx, by), (cx, cy) = corners[:3]
    if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0:
        raise VisionError(
            f"the corners are impossible: they run the wrong way round (their order is {', '.join(NAMES)})"
        )
    lane, row = (bottom + top) / 2 / (grid.lanes - 1), (left + right) / 2 / (grid.rows - 1)
    for one, other, which in ((bottom, top, "row 1 and the last row"), (left, right, "the first and the last lane")):
        ratio = max(one, other) / min(one, other)
        if ratio > 2.2:
            raise VisionError(f"the corners are impossible: {which} differ {ratio:.1f}-fold in length")
    if not 0.55 <= lane / row <= 3.2:
        raise VisionError(
            f"the corners are impossible for {grid.lanes} lanes and {grid.rows} rows: "
            f"lanes would lie {lane:.0f} px apart and rows {row:.0f} px"
        )
    if min(lane, row) < 8:
        raise VisionError(
            f"the cells are too small in the picture: {min(lane, row):.0f} px apart, at least 8 are needed"
        )
    lane_patch, row_patch = PITCH * lane / row, float(PITCH)
    margin_x = margin_y = MARGIN * PITCH
    width = round(lane_patch * (grid.lanes - 1) + 2 * margin_x)
    height = round(row_patch * (grid.rows - 1) + 2 * margin_y)
    x0, x1 = margin_x, margin_x + lane_patch * (grid.lanes - 1)
    y0, y1 = margin_y, margin_y + row_patch * (grid.rows - 1)
    target = np.array([[x0, y1], [x1, y1], [x1, y0], [x0, y0]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.array(corners, np.float32), target)
    centres = np.array(
        [[x0 + lane_patch * i, y1 - row_patch * k] for i in range(grid.lanes) for k in range(grid.rows)], np.float32
    )
    radius = 0.5 * min(lane_patch, row_patch)
    if np.linalg.cond(matrix) > 1e12:
        raise VisionError("the corners are impossible: no plane fits them")
    return Geometry(
        np.asarray(matrix, np.float64), (width, height), centres, radius, (lane_patch, row_patch), row / PITCH
    )
