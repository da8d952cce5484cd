"""Finding the tray by itself on the tables that the suite leaves out."""

from __future__ import annotations

import pytest

from tests.vision import stills
from tests.vision.test_auto import FEW, PROFILE
from tests.vision.test_auto import test_marbles_are_clearest_where_the_tray_lies as clearest
from tests.vision.test_auto import test_the_first_guess_is_the_tray as first_guess
from vision.auto import calibrate_auto
from vision.calibration import VisionError

OTHERS = [table for table in stills.TABLES if table not in FEW]


@pytest.mark.parametrize("table", OTHERS)
def test_first_guess(table: str) -> None:
    first_guess(table)


@pytest.mark.parametrize("table", OTHERS)
def test_clearest(table: str) -> None:
    clearest(table)


def test_letters_that_changed_places_all_alike_are_refused() -> None:
    """Red told as yellow, yellow as blue, blue as red: each still looks like the others of its letter."""
    tray = stills.truth("t03_00")["tray"].translate(str.maketrans("RYB", "YBR"))
    with pytest.raises(VisionError, match="--corners"):
        calibrate_auto(stills.data("t03_00"), tray, None, PROFILE)
