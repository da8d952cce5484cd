"""What a phone's camera would read from the codes: OpenCV's own reader looks at what is drawn."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest

from companion.qr import QUIET, as_svg, as_text, modules

URLS = ["http://192.168.1.120:8000/#pin=012345", "http://10.0.0.2:8000/", "http://companion.local:8000/#pin=999999"]


def read(dark: np.ndarray) -> str:
    image = np.kron(np.where(dark, 0, 255).astype(np.uint8), np.ones((8, 8), np.uint8))
    return str(cv2.QRCodeDetector().detectAndDecode(image)[0])


@pytest.mark.parametrize("url", URLS)
def test_a_code_says_its_address(url: str) -> None:
    dark = modules(url)
    assert read(dark) == url
    assert not dark[:QUIET].any()
    assert not dark[:, -QUIET:].any()
    assert dark[QUIET, QUIET]


def test_the_picture_has_the_same_modules() -> None:
    svg = as_svg(URLS[0]).decode()
    size = int(re.search(r'viewBox="0 0 (\d+) \1"', svg)[1])
    dark = np.zeros((size, size), bool)
    for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", svg):
        dark[int(y), int(x)] = True
    assert read(dark) == URLS[0]


def test_the_terminals_code_is_read_as_well() -> None:
    lines = as_text(URLS[0]).splitlines()
    upper = np.array([[one in "█▀" for one in line] for line in lines])
    lower = np.array([[one in "█▄" for one in line] for line in lines])
    light = np.stack([upper, lower], axis=1).reshape(-1, upper.shape[1])
    assert read(~light[: upper.shape[1]]) == URLS[0]
