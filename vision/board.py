"""Has anything changed on the stage board? A cheap look that saves reading it again."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats
from vision.calibration import Quad
from vision.geometry import transform
from vision.picture import Image

WIDTH = 60  # pixels of the board as it is compared; a fan is nine of them wide
CHANGED = 16.0
"""Grey levels that some 3 × 3 pixels lie beyond what was near them: noise stays under 12, fans are over 35."""
STEADY = 0.05
"""Share by which the light may change."""
_NEAR = np.ones((3, 3), np.uint8)
_DARK = np.float32(10)


class Board:
    """Remembers the board as it was when it was last read and when it was last asked for, and nothing else."""

    def __init__(self, corners: Quad) -> None:
        quad = np.array(corners, np.float32)
        across = np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])
        along = np.linalg.norm(quad[2] - quad[1]) + np.linalg.norm(quad[3] - quad[0])
        height = int(np.clip(round(WIDTH * along / across), 10, 4 * WIDTH))
        target = np.array([[0, 0], [WIDTH, 0], [WIDTH, height], [0, height]], np.float32)
        ys, xs = np.mgrid[0:height, 0:WIDTH]
        places = np.stack([xs.ravel(), ys.ravel()], axis=1) + 0.5
        places = transform(cv2.getPerspectiveTransform(target, quad), places).reshape(height, WIDTH, 2)
        self._where, self._between = cv2.convertMaps(places[..., 0], places[..., 1], cv2.CV_16SC2)
        self._read: Floats | None = None
        self._asked: Floats | None = None

    def due(self, image: Image, stale: bool) -> bool | None:
        """Whether it is to be read now: True, it is another one than was read, and lies still, or that is too long ago;
        False, it looks as when it was read; None, something moves on it."""
        board = cv2.remap(image, self._where, self._between, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        now = np.asarray(cv2.blur(board, (3, 3)).astype(np.float32) + _DARK)
        before, self._asked = self._asked, now
        if self._read is not None and not stale and _same(self._read, now):
            return False
        if self._read is not None and (before is None or not _same(before, now)):
            return None
        self._read = now
        return True


def _same(then: Floats, now: Floats) -> bool:
    ratio = (now / then).reshape(-1, 3).T.copy()
    middle = ratio.shape[1] // 2
    ratio.partition(middle, axis=1)  # np.median takes twice as long
    gain = ratio[:, middle]
    if float(np.abs(gain - 1).max()) > STEADY:
        return False
    then = then * gain
    beyond = np.maximum(now - cv2.dilate(then, _NEAR), cv2.erode(then, _NEAR) - now)
    return float(cv2.blur(np.maximum(beyond, 0), (3, 3)).max()) < CHANGED
