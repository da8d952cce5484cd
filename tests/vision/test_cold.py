"""Cold reads of boards drawn here: hues under several lamps, holes, other colours."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision import stills
from vision.calibration import Quad
from vision.cold import read_cold
from vision.picture import Image
from vision.profile import Grid, Profile

COLOURS = {
    "R": (45, 40, 190),
    "Y": (40, 190, 215),
    "B": (180, 80, 40),
    ".": (190, 195, 200),
    "O": (40, 115, 225),
    "G": (70, 150, 60),
}
LANES = ("RRYB", ".YBR", "B...", "YRR.", "....", "BY..", "OG..")
PROFILE = Profile(Grid(7, 4), most=28)


def board(lamp: tuple[float, float, float], back: tuple[int, int, int] = (120, 110, 100)) -> tuple[Image, Quad]:
    """Discs on a board, lane a at the left, row 1 at the bottom; and the corner cells' centres."""
    image = np.full((420, 640, 3), back, np.uint8)
    for i, lane in enumerate(LANES):
        for k, letter in enumerate(lane):
            cv2.circle(image, (80 + 80 * i, 345 - 80 * k), 30, COLOURS[letter], -1, cv2.LINE_AA)
    rng = np.random.default_rng(3)
    lit = image.astype(np.float32) * np.array(lamp, np.float32) + rng.normal(0, 4, image.shape)
    return np.clip(lit, 0, 255).astype(np.uint8), ((80, 345), (560, 345), (560, 105), (80, 105))


@pytest.mark.parametrize("lamp", [(1, 1, 1), (0.5, 0.5, 0.5), (0.85, 1, 1.1), (1.12, 1, 0.9)])
def test_known_hues_holes_and_others(lamp: tuple[float, float, float]) -> None:
    image, corners = board(lamp)
    reading = read_cold(image, corners, PROFILE)
    for lane, letters in zip("abcdefg", LANES, strict=True):
        for row, letter in enumerate(letters, 1):
            expected = "?" if letter in "OG" else letter
            assert reading.cells[f"{lane}{row}"].colour == expected, (lane, row, letter)
    assert reading.tray.split("/")[0] == "RRYB"
    assert reading.aim.shift_px is None


def test_the_boards_own_blue_is_no_disc() -> None:
    image, corners = board((1, 1, 1), back=(130, 60, 30))
    for k in (2, 3):
        cv2.circle(image, (80 + 80 * 2, 345 - 80 * k), 30, (120, 56, 30), -1)  # board in the shade, behind the hole
    reading = read_cold(image, corners, PROFILE)
    assert reading.cells["c3"].colour == "."
    assert reading.cells["a4"].colour in "B?"  # a disc may not be told from such a board, but is never another colour


def test_marbles_of_real_tables_are_not_swapped() -> None:
    for name in ("t03_00", "t07_00", "t11_00"):
        told = stills.truth(name)
        reading = read_cold(stills.image(name), stills.quad(told["corner_centres"]), Profile())
        wrong = [n for n, c in zip(reading.cells, told["tray"].replace("/", ""), strict=True)
                 if reading.cells[n].colour not in (c, "?")]  # fmt: skip
        assert not wrong, name
