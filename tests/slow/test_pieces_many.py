"""Pieces on many drawn tables: at least 99.5 % right, none wrong. About a minute and a half."""

from __future__ import annotations

import cv2
import pytest

from tests.vision.drawn_pieces import SIZE, draw
from tests.vision.pieces_score import Score, score
from vision.pieces import ZoneReader


@pytest.mark.parametrize("first", [0, 100, 200])
def test_a_hundred_tables(first: int) -> None:
    cv2.setNumThreads(1)
    total = Score()
    for seed in range(first, first + 100):
        drawn = draw(seed)
        total += score(drawn, ZoneReader(drawn.areas, SIZE).read(drawn.image))
    print(total)
    assert total.wrong == 0
    assert total.right >= 0.995 * (total.right + total.asked)
