"""A cold read: no calibration, only the four corner cells are known."""

from __future__ import annotations

from vision.calibration import Quad
from vision.geometry import geometry
from vision.picture import Image
from vision.profile import Profile
from vision.reading import Aim, CellReading, Reading


def read_cold(image: Image, corners: Quad, profile: Profile) -> Reading:
    """Raises VisionError for impossible corners."""
    grid = profile.grid
    geometry(corners, grid, (image.shape[1], image.shape[0]))
    cells = dict.fromkeys(grid.cells, CellReading("?", 0.0))
    text = "?" * len(cells)
    tray = "/".join(text[i : i + grid.rows] for i in range(0, len(text), grid.rows))
    return Reading(tray, cells, dict.fromkeys(profile.tokens), (), Aim(True, None))
