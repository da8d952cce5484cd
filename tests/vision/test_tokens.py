"""The stage board over time, seen from where the camera stands after a knock."""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats
from vision.calibration import Quad
from vision.picture import Image
from vision.slices import Slices
from vision.tokens import STAGE_NS, Places, Tokens

STAGE: Quad = ((100.0, 60.0), (540.0, 60.0), (540.0, 240.0), (100.0, 240.0))
NOW: Quad = ((120.0, 80.0), (560.0, 80.0), (560.0, 260.0), (120.0, 260.0))
MOVE = np.array([[1.0, 0, 20], [0, 1, 20], [0, 0, 1]])


class Board:
    def __init__(self) -> None:
        self.asked: list[Floats | None] = []

    def fans_asked(self, image: Image, to_now: Floats | None = None) -> Slices[Places]:
        self.asked.append(to_now)
        yield
        return {"R": "A"}


def read(tokens: Tokens, image: Image, to_now: Floats | None, t_ns: int) -> bool | None:
    """Whether it was due; then it is read whole."""
    due = tokens.due(image, t_ns)
    if due:
        while tokens.go_on(image, to_now, t_ns) is None:
            pass
    return due


def test_after_a_knock_the_board_is_read_where_it_lies_now_and_then_only_when_it_changes() -> None:
    image = np.random.default_rng(1).integers(40, 200, (48, 64, 3), np.uint8).repeat(10, 0).repeat(10, 1)
    eye = Board()
    tokens = Tokens(eye, ("R",), STAGE)
    assert read(tokens, image, None, 0)
    moved = np.roll(image, (20, 20), (0, 1))
    tokens.forget(NOW)
    assert read(tokens, moved, MOVE, STAGE_NS)
    assert [to_now is MOVE for to_now in eye.asked] == [False, True]
    assert read(tokens, moved, MOVE, 2 * STAGE_NS) is False
    moved[150:190, 300:340] = (0, 0, 255)
    tokens.due(moved, 3 * STAGE_NS)  # it may still be on its way
    assert read(tokens, moved, MOVE, 4 * STAGE_NS)
    assert len(eye.asked) == 3
