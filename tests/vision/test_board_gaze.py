"""A board watched over time, on drawn pictures: what a reading costs, what is refused, and what is found after a knock.
The rest is played in tests/companion/test_react_table.py."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawn_board import AREAS, SMALL, Board, calibration
from vision.board_gaze import PACE_NS, RARELY_NS, BoardGaze
from vision.calibration import VisionError
from vision.pieces import Piece, Zone

MS = 1_000_000
HOME = {3: (2.0, 2.0, 0.0), 4: (4.0, 3.0, 90.0)}


class Counting:
    """A reader that counts, and says what it is told."""

    def __init__(self, *pieces: Piece) -> None:
        self.pieces, self.times = pieces, 0

    def read(self, image: object) -> tuple[Piece, ...]:
        self.times += 1
        return self.pieces


def test_a_still_board_is_read_now_and_then_and_a_busy_one_seldom() -> None:
    board = Board()
    gaze = BoardGaze(calibration(board, HOME))
    reader = Counting(Piece(3, (9.0, 9.0), Zone("field", 2, 2), 0))
    gaze._reader = reader
    still = board.picture(HOME)
    for n in range(60):  # 30 a second
        sight = gaze.look(still, n * 33 * MS)
    assert sight.lying.at_rest.keys() == {3}
    assert reader.times <= 8
    before = reader.times
    busy = [board.picture(HOME, hand=(3.0, 1.0 + n)) for n in (0, 1)]
    for n in range(20):
        sight = gaze.look(busy[n % 2], 2000 * MS + n * 100 * MS)
        assert sight.moving
    assert reader.times - before <= 2000 * MS // RARELY_NS
    assert gaze.look(still, 3900 * MS + PACE_NS // 2) is sight


def test_a_board_that_leaves_the_picture_is_lost_and_what_lay_there_is_not_forgotten() -> None:
    board = Board(1)
    gaze = BoardGaze(calibration(board, HOME))
    for n in range(9):
        gaze.look(board.picture(HOME), n * 100 * MS)
    elsewhere = np.roll(board.picture({}), 300, axis=1)
    for n in range(9, 14):
        sight = gaze.look(elsewhere, n * 100 * MS)
    assert gaze.lost
    assert (sight.found, sorted(sight.lying.at_rest)) == (False, [3, 4])


def test_what_cannot_be_used_is_refused() -> None:
    good = calibration(Board(), HOME)
    gaze = BoardGaze(good)
    with pytest.raises(VisionError, match="the picture is 320x240, the board was calibrated at 640x480"):
        gaze.look(np.zeros((240, 320, 3), np.uint8), 0)
    with pytest.raises(VisionError, match="lies outside the picture"):
        BoardGaze(replace(good, size=(320, 240)))
    with pytest.raises(VisionError, match=r"the picture is 640x480, not 800x600"):
        BoardGaze(replace(good, size=(800, 600)))
    flat = replace(AREAS[0], columns=1)
    with pytest.raises(VisionError, match="at least 2 columns and 2 rows"):
        BoardGaze(replace(good, areas=(flat,)))
    assert good.size == SMALL
