"""Calibrating by printed markers: tiles laid into a picture of a real tray, on its own plane."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision import stills
from vision.arrays import Floats
from vision.calibrate import calibrate, fit_words
from vision.calibration import VisionError
from vision.markers import INNER, MODULES, RIM, corners_by_markers, modules
from vision.picture import Image

GRID = stills.PROFILE.grid
TILE = 1.8  # cells: a marker's side


def laid(name: str, numbers: tuple[int, ...] = (0, 1, 2, 3), turned: int | None = None) -> Image:
    """The still with tiles where the sheet wants them. `turned`: that one lies on its side."""
    image = stills.image(name)
    corners = np.array(stills.truth(name)["corner_centres"], np.float32)
    centres = np.array([[0.5, 4.5], [2.5, 4.5], [2.5, 0.5], [0.5, 0.5]], np.float32)
    plane = cv2.getPerspectiveTransform(centres, corners)  # cells from the upper left corner of the grid, to pixels
    ends = np.array([[0, 5], [3, 5], [3, 0], [0, 0]], np.float32)
    for place, number in enumerate(numbers):
        image = _paste(image, plane, ends[place] - TILE * np.array(INNER[place], np.float32), number, number == turned)
    return image


def _paste(image: Image, plane: Floats, corner: Floats, number: int, turned: bool) -> Image:
    module = 24
    tile = np.full(((MODULES + 2) * module,) * 2, 235, np.uint8)
    black = np.array(modules(number)).repeat(module, 0).repeat(module, 1)
    tile[module:-module, module:-module][black] = 25
    if turned:
        tile = np.ascontiguousarray(np.rot90(tile))
    side = len(tile)
    span = TILE * (1 + 2 * RIM)
    low = corner - TILE * RIM
    there = low + span * np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    start = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(start, cv2.perspectiveTransform(there[:, None], plane)[:, 0])
    size = (image.shape[1], image.shape[0])
    cover = cv2.warpPerspective(np.ones_like(tile, np.float32), matrix, size)[..., None]
    flat = cv2.warpPerspective(tile, matrix, size, flags=cv2.INTER_AREA)[..., None]
    return np.asarray(image * (1 - cover) + flat * cover, np.uint8)


@pytest.mark.parametrize("table", ["t01", "t03", "t05", "t11"])
def test_corners_are_found_to_a_pixel_and_calibrate(table: str) -> None:
    image, told = laid(f"{table}_00"), stills.truth(f"{table}_00")
    corners = corners_by_markers(image, GRID)
    assert np.hypot(*(np.array(corners) - np.array(told["corner_centres"])).T).max() < 1.0
    picture = cv2.imencode(".png", image)[1].tobytes()
    fit = fit_words(calibrate(picture, corners, told["tray"], None, stills.PROFILE), stills.PROFILE)
    assert fit.differs == ()


def test_twice_as_many_pixels_are_as_good() -> None:
    image = cv2.resize(laid("t11_00"), None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    corners = (np.array(corners_by_markers(np.asarray(image, np.uint8), GRID)) - 0.5) / 2
    assert np.hypot(*(corners - np.array(stills.truth("t11_00")["corner_centres"])).T).max() < 1.0


def test_worse_pictures_are_no_worse_than_taps() -> None:
    image = laid("t03_00").astype(np.float32)
    noise = np.random.default_rng(3).normal(0, 8, image.shape)
    worse = (cv2.GaussianBlur(image, (0, 0), 1.2) * 0.7 + noise).clip(0, 255).astype(np.uint8)
    corners = corners_by_markers(worse, GRID)
    told = stills.truth("t03_00")["corner_centres"]
    assert np.hypot(*(np.array(corners) - np.array(told)).T).max() < 2.0


def refused(image: Image) -> str:
    with pytest.raises(VisionError) as error:
        corners_by_markers(image, GRID)
    return str(error.value)


def test_markers_that_are_missing_are_named() -> None:
    assert "0 of 4" in refused(stills.image("t03_00"))
    text = refused(laid("t03_00", (0, 1, 2)))
    assert "3 of 4" in text
    assert "a5" in text


def test_a_marker_that_is_turned_or_swapped_is_refused() -> None:
    assert "c5 is turned" in refused(laid("t03_00", turned=2))
    assert "not at its corner" in refused(laid("t03_00", (1, 0, 2, 3)))
    assert "not at its corner" in refused(laid("t03_00", (3, 1, 2, 0)))


def test_two_sets_of_markers_are_refused() -> None:
    assert "twice" in refused(laid("t03_00", (0, 0, 2, 3)))
