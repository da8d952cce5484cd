"""What moves between two pictures, and what only looks so."""

from __future__ import annotations

import numpy as np
import pytest

from vision.geometry import geometry
from vision.movement import Movement, halved
from vision.picture import Image
from vision.profile import Grid

MS = 1_000_000
GEOMETRY = geometry(((220.0, 320.0), (300.0, 320.0), (300.0, 180.0), (220.0, 180.0)), Grid(), (640, 480))
CELLS = Grid().cells


def scene() -> Image:
    coarse = np.random.default_rng(2).integers(60, 190, (48, 64, 3))
    return coarse.repeat(10, 0).repeat(10, 1).astype(np.uint8)


def see(movement: Movement, picture: Image, t_ms: int) -> tuple[set[str], bool, bool]:
    moved = movement.see(picture, halved(GEOMETRY.warp(picture)), t_ms * MS)
    return {name for name, flag in zip(CELLS, moved.cells, strict=True) if flag}, moved.still, moved.busy


def test_only_the_cell_that_changed_moves() -> None:
    movement, picture = Movement(GEOMETRY), scene()
    assert see(movement, picture, 0) == (set(CELLS), False, False)  # nothing to compare it with
    assert see(movement, picture, 100) == (set(), True, False)
    x, y = np.round(GEOMETRY.to_picture(GEOMETRY.centres)[CELLS.index("b3")]).astype(int)
    picture[y - 10 : y + 11, x - 10 : x + 11] = (0, 0, 255)
    cells, still, _ = see(movement, picture, 200)
    assert (cells, still) == ({"b3"}, False)
    assert see(movement, picture, 300)[:2] == (set(), True)


def test_another_light_is_no_movement_and_is_remembered_until_the_next_reading() -> None:
    movement, picture = Movement(GEOMETRY), scene()
    see(movement, picture, 0)
    assert see(movement, (picture * 0.8).astype(np.uint8), 100) == (set(), True, False)
    assert movement.gain == pytest.approx(0.8, abs=0.03)
    movement.begin()
    assert movement.gain == 1.0


def test_a_gap_between_pictures_tells_nothing() -> None:
    movement, picture = Movement(GEOMETRY), scene()
    see(movement, picture, 0)
    assert see(movement, picture, 5000)[:2] == (set(CELLS), False)


@pytest.mark.parametrize("shape", [(8, 6), (9, 7)])
def test_two_pixels_a_side_make_one(shape: tuple[int, int]) -> None:
    patch = np.random.default_rng(1).integers(0, 256, (*shape, 3), dtype=np.uint8)
    blocks = patch[:8, :6].reshape(4, 2, 3, 2, 3).mean(axis=(1, 3))
    assert np.abs(halved(patch) - blocks).max() <= 0.5
