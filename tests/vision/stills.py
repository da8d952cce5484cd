"""The few stills of tests/data, with their truth."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.calibrate import calibrate, eye_of
from vision.calibration import Calibration, Quad
from vision.eye import Eye
from vision.picture import Image, decode
from vision.profile import Profile
from vision.reaim import View

FOLDER = Path(__file__).parents[1] / "data" / "stills"
PROFILE = Profile()
TABLES = ("t01", "t03", "t05", "t07", "t11")


def truth(name: str) -> dict[str, Any]:
    """`name`: such as t01_03."""
    return dict(json.loads((FOLDER / name[:3] / f"{name}.json").read_text()))


def data(name: str) -> bytes:
    return (FOLDER / name[:3] / f"{name}.jpg").read_bytes()


def image(name: str) -> Image:
    return decode(data(name))


def quad(value: Any) -> Quad:
    a, b, c, d = (tuple(map(float, point)) for point in value)
    return (a, b, c, d)


@functools.cache
def calibration(table: str) -> Calibration:
    told = truth(f"{table}_00")
    return calibrate(
        data(f"{table}_00"), quad(told["corner_centres"]), told["tray"], quad(told["board_corners"]), PROFILE
    )


@functools.cache
def eye(table: str) -> Eye:
    return eye_of(calibration(table), PROFILE)


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*/*.jpg"))


def undone(view: View, image: Image) -> Image:
    """The picture as the camera would have taken it from its old place."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (image.shape[1], image.shape[0])
    moved = cv2.warpPerspective(image, view.to_now, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)
