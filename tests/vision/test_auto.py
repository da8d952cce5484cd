"""The tray found without taps; what is no tray, or another one than told, is refused."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision import stills
from vision.auto import CLEARER, calibrate_auto, find_tray, guesses
from vision.calibration import VisionError
from vision.geometry import geometry
from vision.refine import clearness

PROFILE = stills.PROFILE


FEW = ("t03", "t11")
"""The others: tests/slow/test_auto_all.py."""


@pytest.mark.parametrize("table", FEW)
def test_the_first_guess_is_the_tray(table: str) -> None:
    told = stills.truth(f"{table}_00")
    corners = np.array(guesses(stills.image(f"{table}_00"), told["tray"], PROFILE)[0])
    off = np.hypot(*(corners - np.array(told["corner_centres"])).T)
    assert off.max() < 12  # half a marble: the rims do the rest


def test_it_is_calibrated_where_the_marbles_lie() -> None:
    told = stills.truth("t07_00")
    got = calibrate_auto(stills.data("t07_00"), told["tray"], None, PROFILE)
    assert np.hypot(*(np.array(got.corners) - np.array(told["corner_centres"])).T).max() < 3.5


@pytest.mark.parametrize("table", FEW)
def test_marbles_are_clearest_where_the_tray_lies(table: str) -> None:
    """A text that is a row or a lane off may fit by chance where print lies beside the marbles."""
    image, grid = stills.image(f"{table}_00"), PROFILE.grid
    right = stills.quad(stills.truth(f"{table}_00")["corner_centres"])
    assert max(clearness(image, right, grid)) < CLEARER
    plane = geometry(right, grid, (image.shape[1], image.shape[0]))
    for lane, row in ((0, -1), (0, 1), (1, 0), (-1, 0)):
        step = np.array([lane * plane.pitch[0], row * plane.pitch[1]], np.float32)
        beside = stills.quad(plane.to_picture(plane.centres + step)[[0, 10, 14, 4]].tolist())
        assert max(clearness(image, beside, grid)) > CLEARER


@pytest.mark.parametrize("other", ["t05"])
def test_a_tray_text_of_another_table_is_refused(other: str) -> None:
    with pytest.raises(VisionError, match="--corners"):
        calibrate_auto(stills.data("t03_00"), stills.truth(f"{other}_00")["tray"], None, PROFILE)


def test_a_picture_without_the_tray_is_refused() -> None:
    told = stills.truth("t05_00")
    image = stills.image("t05_00")
    corners = np.array(told["corner_centres"])
    middle = corners.mean(axis=0)
    hidden = cv2.fillConvexPoly(
        image.copy(), np.round(middle + 2.0 * (corners - middle)).astype(np.int32), (90, 110, 120)
    )
    picture = cv2.imencode(".png", hidden)[1].tobytes()
    with pytest.raises(VisionError, match="not found"):
        calibrate_auto(picture, told["tray"], None, PROFILE)


def test_a_tray_of_which_nothing_is_told_is_found() -> None:
    corners = np.array(find_tray(stills.image("t03_00"), PROFILE))
    assert np.hypot(*(corners - np.array(stills.truth("t03_00")["corner_centres"])).T).max() < 4


def test_a_picture_without_a_tray_shows_none() -> None:
    image = stills.image("t05_00")
    with pytest.raises(VisionError, match="not found surely enough"):
        find_tray(np.ascontiguousarray(image[:120, :400]), PROFILE)
