"""Marbles that show another side, told from those left alone, on drawn discs with streaks and noise."""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats
from vision.profile import Grid
from vision.turning import Touched, compare

CELLS = Grid().cells
COLOURS = "RYBRYYBRBYBRYYR"


def sides(rng: np.random.Generator, contrast: float = 20.0) -> Floats:
    """A print of 15 marbles, each with streaks of its own."""
    return (contrast * rng.standard_normal((15, 12, 1)).repeat(8, 1).repeat(3, 2)).astype(np.float32)


def seen(rng: np.random.Generator, print_: Floats, noise: float = 1.5) -> Floats:
    return (print_ + rng.normal(0, noise, print_.shape)).astype(np.float32)


def test_a_marble_that_rolled_shows_another_side() -> None:
    rng = np.random.default_rng(1)
    then = sides(rng)
    now = then.copy()
    now[2:5] = sides(rng)[2:5]
    touched = compare(seen(rng, then), seen(rng, now), COLOURS, COLOURS, CELLS)
    assert touched == Touched(("a3", "a4", "a5"), tuple(cell for cell in CELLS if cell not in ("a3", "a4", "a5")))


def test_only_cells_of_the_same_known_colour_are_compared() -> None:
    rng = np.random.default_rng(2)
    then = sides(rng)
    touched = compare(seen(rng, then), seen(rng, then), "?" + COLOURS[1:], COLOURS, CELLS)
    assert "a1" not in touched.alike + touched.turned
    other = "Y" + COLOURS[1:]
    assert "a1" not in compare(seen(rng, then), seen(rng, then), other, COLOURS, CELLS).alike


def test_plain_marbles_say_nothing() -> None:
    rng = np.random.default_rng(3)
    plain = np.zeros((15, 96, 3), np.float32)
    assert compare(seen(rng, plain), seen(rng, plain), COLOURS, COLOURS, CELLS) == Touched()


def test_another_light_says_nothing() -> None:
    rng = np.random.default_rng(4)
    then = sides(rng)
    now = seen(rng, then, noise=9)
    assert compare(seen(rng, then), now, COLOURS, COLOURS, CELLS) == Touched()
