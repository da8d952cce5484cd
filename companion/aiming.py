"""What the set-up page is told of an aim: how well a grid fits one picture, where a tray may lie, what each cell shows.

Nothing is kept here. Pictures are BGR arrays, corners pixels of them; VisionError is one sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.auto import CLEARER, calibrate_auto, find_tray
from vision.calibrate import GRADES, LOST_TAPS, STAGE_NAMES
from vision.calibration import Point, Quad, VisionError, as_quad
from vision.cold import read_cold
from vision.geometry import NAMES, check_quad, geometry, transform
from vision.markers import corners_by_markers
from vision.picture import Image, check_content
from vision.profile import Profile
from vision.refine import beside, clearness, refine

PROFILE = Profile()
CORNER_CELLS = ("a1", "c1", "c5", "a5")
UPRIGHT = 3.0
"""Pixels of the shown tray for each of the patch."""
QUALITY = 88


@dataclass(frozen=True)
class Aimed:
    """`corners`: as told, or slipped onto the marbles; `word`: good, fair, poor; `hint`: what may be wrong, or ""."""

    corners: Quad
    px: float
    word: str
    hint: str = ""

    def to_json(self) -> dict[str, Any]:
        corners = [[round(x, 2), round(y, 2)] for x, y in self.corners]
        return {"corners": corners, "px": round(self.px, 2), "word": self.word, "hint": self.hint}


def fit(image: Image, corners: Quad, slip: bool) -> Aimed:
    """`slip`: taps may lie half a marble off, the rims say where it is. Raises VisionError for impossible corners."""
    grid = PROFILE.grid
    try:
        plane = geometry(corners, grid, (image.shape[1], image.shape[0]))
        check_content(image)
        radius = plane.radius * plane.scale
        if slip:
            refined = refine(image, corners, grid)
            if refined.moved <= LOST_TAPS * radius:
                corners = refined.corners
        px = beside(image, corners, grid)
    except VisionError as error:
        raise VisionError(by_cells(str(error))) from error
    word = next((word for word, most in GRADES if px < most * radius), "poor")
    return Aimed(corners, px, word, _hint(image, corners, word))


def _hint(image: Image, corners: Quad, word: str) -> str:
    if word == "poor":
        return "Put each ring on its marble: the four corner marbles, whole lanes between them."
    lane, row = clearness(image, corners, PROFILE.grid)
    if max(lane, row) < CLEARER * 1.02:
        return ""
    where = "lane" if lane > row else "row"
    return f"Marbles show as clearly one {where} farther on. Are a1 and c1 at the open end, a5 and c5 at the tower?"


def by_cells(text: str) -> str:
    """Corners named by their cells, as the page names them."""
    for name, cell in zip(NAMES, CORNER_CELLS, strict=True):
        text = re.sub(rf"\b{name}\b", cell, text)
    return text


def look_for(image: Image, tray: str | None) -> Quad:
    """The corners, found in the picture. `tray`: what lies there, when all of it is known. Raises VisionError."""
    check_content(image)
    if tray is not None:
        try:
            picture = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes()
            return calibrate_auto(picture, tray, None, PROFILE).corners
        except VisionError:
            pass  # it may lie otherwise than the score has it
    return find_tray(image, PROFILE)


def by_markers(image: Image) -> Quad:
    """The corners, from the four printed markers. Raises VisionError."""
    check_content(image)
    return corners_by_markers(image, PROFILE.grid)


def check_stage(stage: Quad, size: tuple[int, int]) -> None:
    """Raises VisionError."""
    check_quad(stage, size, "stage corner", STAGE_NAMES, margin=0.25 * max(size))


def moved(points: Quad, before: Quad, now: Quad) -> Quad:
    """The same points once the tray's corners have moved: both lie on one table."""
    matrix = cv2.getPerspectiveTransform(np.array(before, np.float32), np.array(now, np.float32))
    return as_quad(transform(np.asarray(matrix, np.float64), np.array(points, np.float32)))


def cells(image: Image, corners: Quad) -> dict[str, dict[str, Any]]:
    """What an eye that knows nothing of this table makes of each cell: a letter, `?` where it is not sure."""
    read = read_cold(image, corners, PROFILE).cells
    return {name: {"letter": cell.colour, "sure": round(cell.confidence, 3)} for name, cell in read.items()}


def upright(image: Image, corners: Quad) -> tuple[bytes, list[list[float]]]:
    """The tray set upright as JPEG, and where its cells lie: x, y, radius in shares of its width and height."""
    plane = geometry(corners, PROFILE.grid, (image.shape[1], image.shape[0]))
    width, height = plane.size
    grow = np.array([[UPRIGHT, 0, (UPRIGHT - 1) / 2], [0, UPRIGHT, (UPRIGHT - 1) / 2], [0, 0, 1]])
    size = (round(width * UPRIGHT), round(height * UPRIGHT))
    shown = cv2.warpPerspective(
        image, grow @ plane.to_patch, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    places = [
        [round((float(x) + 0.5) / width, 5), round((float(y) + 0.5) / height, 5), round(plane.radius / width, 5)]
        for x, y in plane.centres
    ]
    return cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes(), places


def points(value: object, size: tuple[int, int]) -> Quad | None:
    """Four points of a request; None: they are none."""
    if not isinstance(value, list) or len(value) != 4:
        return None
    found: list[Point] = []
    for point in value:
        if not isinstance(point, list) or len(point) != 2:
            return None
        x, y = point
        if not all(isinstance(v, int | float) and not isinstance(v, bool) and abs(v) < 1e6 for v in (x, y)):
            return None
        found.append((float(x), float(y)))
    return found[0], found[1], found[2], found[3]
