"""Which pictures are read, and what of the last reading stands meanwhile."""

from __future__ import annotations

import numpy as np
import pytest

from vision.attention import Attention
from vision.eye import Glance
from vision.reading import Aim, CellReading, Reading

MS = 1_000_000
CELLS = ("a1", "a2", "b1", "b2")
PATCH = np.zeros((4, 4, 3), np.uint8)


def glance(ok: bool = True) -> Glance:
    cells = dict(zip(CELLS, (CellReading(letter, 0.99) for letter in "RYB."), strict=True))
    reading = Reading("RY/B.", cells, {}, (), Aim(ok, 0.0))
    chances = np.ones((4, len(CELLS)))
    return Glance(reading, PATCH, np.zeros((1, 1), bool), dict.fromkeys(CELLS, 0.0), 0.0, (0.0, 0.0, 0.0), 1.0, chances)


def moving(*names: str) -> np.ndarray:
    return np.array([name in names for name in CELLS])


def attention(still: bool, ok: bool = True) -> Attention:
    out = Attention(CELLS, 2)
    out.taken(0, glance(ok), still)
    return out


def test_nothing_stands_before_the_first_reading_or_once_it_is_forgotten() -> None:
    assert Attention(CELLS, 2).standing(0, PATCH, moving(), True, True) is None
    one = attention(True)
    one.forget()
    assert one.standing(10 * MS, PATCH, moving(), True, True) is None


@pytest.mark.parametrize(
    ("still", "settled", "longest_ms"), [(True, True, 700), (True, False, 140), (False, False, 290), (False, True, 290)]
)
def test_a_reading_stands_for_a_while(still: bool, settled: bool, longest_ms: int) -> None:
    one = attention(still)
    assert one.standing((longest_ms - 1) * MS, PATCH, moving(), still, settled) is not None
    assert one.standing(longest_ms * MS, PATCH, moving(), still, settled) is None


def test_a_reading_stands_longer_where_all_lies_still_and_nothing_can_settle() -> None:
    one, stirred = attention(True), attention(True)
    assert one.standing(499 * MS, PATCH, moving(), True, False, settling=False) is not None
    assert one.standing(500 * MS, PATCH, moving(), True, False, settling=False) is None
    assert stirred.standing(50 * MS, PATCH, moving(), False, False) is not None
    assert stirred.standing(139 * MS, PATCH, moving(), True, False, settling=False) is not None
    assert stirred.standing(140 * MS, PATCH, moving(), True, False, settling=False) is None


def test_cells_that_moved_are_unknown_until_they_are_read() -> None:
    one = attention(False)
    now = one.standing(33 * MS, PATCH, moving("a2"), False, False)
    assert now is not None
    assert (now.reading.tray, now.reading.cells["a2"]) == ("R?/B.", CellReading("?", 0.0))
    assert now.chances is not None
    assert now.chances[:, 1].max() == 0
    later = one.standing(66 * MS, PATCH, moving("b2"), False, False)
    assert later is not None
    assert later.reading.tray == "R?/B?"  # a2 has come to rest, but nobody has looked
    one.taken(99 * MS, glance(), False)
    again = one.standing(120 * MS, PATCH, moving(), False, False)
    assert again is not None
    assert again.reading.tray == "RY/B."


def test_a_cell_that_has_come_to_rest_is_read_soon() -> None:
    one = attention(False)
    assert one.standing(33 * MS, PATCH, moving("a2"), False, False) is not None
    assert one.standing(100 * MS, PATCH, moving(), False, False) is not None
    assert one.standing(120 * MS, PATCH, moving(), False, False) is None


def test_the_first_picture_without_movement_is_read_at_once() -> None:
    assert attention(False).standing(10 * MS, PATCH, moving(), True, False) is None


def test_nothing_stands_while_the_aim_is_lost() -> None:
    assert attention(True, ok=False).standing(10 * MS, PATCH, moving(), True, True) is None


def test_a_reading_of_the_picture_before_stands_when_nothing_has_moved_since() -> None:
    calm, stirred, old = attention(False), attention(False), attention(False)
    assert calm.standing(100 * MS, PATCH, moving(), True, False, since_ns=0) is not None
    assert calm.standing(139 * MS, PATCH, moving(), True, False, since_ns=100 * MS) is not None
    assert calm.standing(140 * MS, PATCH, moving(), True, False, since_ns=100 * MS) is None
    assert stirred.standing(50 * MS, PATCH, moving("a1"), False, False, since_ns=0) is not None
    assert stirred.standing(100 * MS, PATCH, moving(), True, False, since_ns=0) is None
    assert old.standing(100 * MS, PATCH, moving(), True, False, since_ns=10 * MS) is None


def test_while_something_moves_fewer_than_half_of_the_pictures_are_read() -> None:
    one, read = attention(False), []
    for k in range(1, 41):
        stands = one.standing(k * 100 * MS, PATCH, moving("a1" if k % 2 else "b1"), False, False)
        read.append(stands is None)
        if stands is None:
            one.taken(k * 100 * MS, glance(), False)
    assert 13 <= sum(read) <= 18
    gaps = [len(gap) for gap in "".join("R" if flag else "." for flag in read).split("R")]
    assert max(gaps) <= 2  # none stands for longer than before
