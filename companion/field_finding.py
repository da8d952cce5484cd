"""A board that no table file knows, found by the four printed tiles round its field; its size is the match's."""

from __future__ import annotations

import cv2
import numpy as np

from vision.board_gaze import BoardCalibration
from vision.calibration import Quad, VisionError
from vision.markers import field_by_markers
from vision.picture import Image
from vision.pieces import Area

OFTEN_NS = 1_000_000_000
RARELY_NS = 5_000_000_000
"""So often the tiles are looked for at first, and after PATIENT times."""
PATIENT = 30
SAME_PX = 2.0
"""So near two finds in a row must be: nobody lays the tiles any more."""
QUALITY = 92


class FieldFinder:
    def __init__(self) -> None:
        self._looked_ns: int | None = None
        self._failures = 0
        self._before: Quad | None = None

    def look(self, image: Image, t_ns: int, columns: int, rows: int) -> BoardCalibration | None:
        """None: not found, not found twice in the same place, or not the time to look."""
        pause = OFTEN_NS if self._failures < PATIENT else RARELY_NS
        if self._looked_ns is not None and t_ns - self._looked_ns < pause:
            return None
        self._looked_ns = t_ns
        try:
            corners = field_by_markers(image)
        except VisionError:
            self._failures, self._before = self._failures + 1, None
            return None
        before, self._before, self._failures = self._before, corners, 0
        if before is None or np.hypot(*(np.array(before) - np.array(corners)).T).max() > SAME_PX:
            return None
        picture = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        return BoardCalibration((image.shape[1], image.shape[0]), (Area("field", corners, columns, rows),), picture)
