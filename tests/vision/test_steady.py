"""When a find is believed, and how often one is looked for."""

from __future__ import annotations

import numpy as np

from vision.picture import Image
from vision.reaim import View
from vision.slices import Slices
from vision.steady import MS, Steady

IMAGE: Image = np.zeros((48, 64, 3), np.uint8)


def view(shift: float) -> View:
    move = np.array([[1.0, 0, shift], [0, 1, 0], [0, 0, 1]])
    return View(move, shift, np.array([[10.0 + shift, 10.0], [10.0 + shift, 35.0]], np.float32), board=True)


class Finder:
    def __init__(self) -> None:
        self.finds: View | None = None
        self.back: View | None = None
        self.slices = False
        self.times: list[int] = []
        self.now = 0

    def finding(self, image: Image, near: View | None = None, back: bool = False) -> Slices[View | None]:
        self.times.append(self.now)
        if self.slices:
            yield
        return self.back if back and self.back is not None else self.finds


def seek(steady: Steady, finder: Finder, ms: int) -> bool:
    finder.now = ms
    return steady.seek(IMAGE, ms * MS)


def test_two_pictures_must_agree() -> None:
    finder = Finder()
    steady = Steady(finder)
    finder.finds = view(9.0)
    assert not seek(steady, finder, 0)
    assert not seek(steady, finder, 30)  # too close to the first to say anything
    finder.finds = view(7.0)
    assert not seek(steady, finder, 100)  # still swinging
    finder.finds = view(6.8)
    assert seek(steady, finder, 200)
    assert (steady.shift_px, steady.board, steady.moves) == (6.8, True, 1)


def test_what_is_not_found_is_looked_for_less_and_less_often() -> None:
    finder = Finder()
    steady = Steady(finder)
    for ms in range(0, 9000, 100):
        assert not seek(steady, finder, ms)
    early, late = (sum(low <= ms < low + 1500 for ms in finder.times) for low in (0, 6000))
    assert (early, late) == (5, 1)
    assert steady.view is None


def test_an_aim_that_holds_forgets_the_find() -> None:
    finder = Finder()
    steady = Steady(finder)
    finder.finds = view(9.0)
    assert not seek(steady, finder, 0)
    steady.rest()
    assert not seek(steady, finder, 100)
    assert seek(steady, finder, 200)


def test_put_back_where_it_was_nothing_is_undone_any_more() -> None:
    finder = Finder()
    steady = Steady(finder)
    finder.finds = view(9.0)
    seek(steady, finder, 0)
    assert seek(steady, finder, 100)
    finder.back = view(0.0)
    assert not seek(steady, finder, 5000)
    assert seek(steady, finder, 5100)
    assert (steady.shift_px, steady.moves) == (None, 2)
    assert steady.view is None
