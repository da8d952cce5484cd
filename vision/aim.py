"""Has the camera or the tray been moved since the calibration?"""

from __future__ import annotations

from vision.geometry import Geometry
from vision.picture import Image
from vision.reading import Aim


class Anchor:
    def __init__(self, reference: Image, geometry: Geometry) -> None:
        pass

    def check(self, image: Image, foreign: float) -> Aim:
        return Aim(True, 0.0)
