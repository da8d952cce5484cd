"""The tray found without taps; what is no tray, or another one than told, is refused."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision import stills
from vision.auto import calibrate_auto, guesses
from vision.calibration import VisionError

PROFILE = stills.PROFILE


@pytest.mark.parametrize("table", stills.TABLES)
def test_the_first_guess_is_the_tray(table: str) -> None:
    told = stills.truth(f"{table}_00")
    corners = np.array(guesses(stills.image(f"{table}_00"), told["tray"], PROFILE)[0])
    off = np.hypot(*(corners - np.array(told["corner_centres"])).T)
    assert off.max() < 12  # half a marble: the rims do the rest


def test_it_is_calibrated_where_the_marbles_lie() -> None:
    told = stills.truth("t07_00")
    got = calibrate_auto(stills.data("t07_00"), told["tray"], None, PROFILE)
    assert np.hypot(*(np.array(got.corners) - np.array(told["corner_centres"])).T).max() < 3.5


@pytest.mark.parametrize("other", ["t05"])
def test_a_tray_text_of_another_table_is_refused(other: str) -> None:
    with pytest.raises(VisionError, match="--corners"):
        calibrate_auto(stills.data("t03_00"), stills.truth(f"{other}_00")["tray"], None, PROFILE)


def test_letters_that_changed_places_all_alike_are_refused() -> None:
    """Red told as yellow, yellow as blue, blue as red: each still looks like the others of its letter."""
    tray = stills.truth("t03_00")["tray"].translate(str.maketrans("RYB", "YBR"))
    with pytest.raises(VisionError, match="--corners"):
        calibrate_auto(stills.data("t03_00"), tray, None, PROFILE)


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
