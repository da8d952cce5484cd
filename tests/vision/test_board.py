"""The cheap look at the stage board: noise, light and shaking are no change, a fan is; a hand at work is waited for."""

from __future__ import annotations

import cv2
import numpy as np

from vision.board import Board
from vision.picture import Image

CORNERS = ((100.0, 60.0), (540.0, 70.0), (560.0, 250.0), (80.0, 240.0))


class Scene:
    def __init__(self) -> None:
        self.rng = np.random.default_rng(2)
        coarse = self.rng.integers(60, 180, (24, 32, 3)).astype(np.uint8)
        self.picture = cv2.resize(coarse, (640, 480), interpolation=cv2.INTER_CUBIC)

    def shot(self, gain: float = 1.0, fan: tuple[int, int] | None = None, shake: int = 0) -> Image:
        picture = np.roll(self.picture, shake, axis=1)
        if fan is not None:
            picture = cv2.circle(picture.copy(), fan, 28, (40, 40, 210), -1)
        noisy = picture * gain + self.rng.normal(0, 5, picture.shape)
        return np.asarray(noisy.clip(0, 255), np.uint8)


def test_the_first_picture_is_due_and_the_same_board_is_not() -> None:
    scene, board = Scene(), Board(CORNERS)
    assert board.due(scene.shot(), False) is True
    for gain, shake in ((1.0, 0), (0.97, 1), (1.03, -1), (1.0, 2)):
        assert board.due(scene.shot(gain, shake=shake), False) is False


def test_what_is_stale_is_due() -> None:
    scene, board = Scene(), Board(CORNERS)
    board.due(scene.shot(), False)
    assert board.due(scene.shot(), True) is True
    assert board.due(scene.shot(), False) is False


def test_a_fan_that_came_is_due_once_it_lies_still() -> None:
    scene, board = Scene(), Board(CORNERS)
    board.due(scene.shot(), False)
    assert board.due(scene.shot(fan=(200, 150)), False) is None
    assert board.due(scene.shot(fan=(320, 150)), False) is None
    assert board.due(scene.shot(fan=(320, 150)), False) is True
    assert board.due(scene.shot(fan=(320, 150)), False) is False


def test_a_lamp_that_was_switched_is_due_once_it_is_steady() -> None:
    scene, board = Scene(), Board(CORNERS)
    board.due(scene.shot(), False)
    assert board.due(scene.shot(0.7), False) is None
    assert board.due(scene.shot(0.7), False) is True


def test_a_slow_drift_adds_up_to_a_change() -> None:
    scene, board = Scene(), Board(CORNERS)
    board.due(scene.shot(), False)
    said = [board.due(scene.shot(1 - 0.004 * i), False) for i in range(1, 26)]
    assert said.count(True) >= 1
