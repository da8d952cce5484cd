"""The patch is made with maps worked out once: the same as OpenCV's own way, to a grey level."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import geometry
from vision.profile import Grid


def test_the_patch_is_the_perspective_one() -> None:
    rng = np.random.default_rng(1)
    picture = np.asarray(cv2.resize(rng.integers(0, 255, (60, 80, 3)).astype(np.uint8), (640, 480)), np.uint8)
    view = geometry(((220.0, 320.0), (310.0, 330.0), (300.0, 180.0), (225.0, 178.0)), Grid(), (640, 480))
    usual = cv2.warpPerspective(picture, view.to_patch, view.size, borderMode=cv2.BORDER_REPLICATE)
    assert np.abs(view.warp(picture).astype(int) - usual).max() <= 2
