"""What the walls say about a cell: little where they are narrow, so that what lies farther round counts as well."""

from __future__ import annotations

import numpy as np
import pytest

from vision.geometry import Geometry, geometry
from vision.picture import Image
from vision.profile import Grid
from vision.surround import Surroundings, half


def tray(ratio: float) -> Geometry:
    """Lanes so many rows apart."""
    right, row = 200 + 60 * ratio, 30
    low, high = 100 + 4 * row, 100
    return geometry(((200, low), (right, low), (right, high), (200, high)), Grid(), (640, 480))


def pictures(plane: Geometry) -> tuple[Image, Image]:
    """A tray, and the same with something motley round its upper end; between the lanes nothing changed."""
    width, height = plane.size
    random = np.random.default_rng(2)
    before = random.integers(70, 110, (height, width, 3)).astype(np.uint8)
    after = before.copy()
    xs, upper = plane.centres[:, 0], slice(0, height // 2)
    outside = (np.arange(width) < xs.min()) | (np.arange(width) > xs.max())
    motley = random.integers(0, 247, (height, width, 3)).astype(np.uint8)
    after[upper, outside] = motley.repeat(6, 0).repeat(6, 1)[upper, : int(outside.sum())]
    return half(before), half(after)


@pytest.mark.parametrize(("ratio", "open_"), [(1.5, True), (1.18, False)])
def test_a_narrow_wall_does_not_vouch_for_a_cell(ratio: float, open_: bool) -> None:
    plane = tray(ratio)
    before, after = pictures(plane)
    surroundings = Surroundings(plane, np.asarray(before.repeat(2, 0).repeat(2, 1), np.uint8))
    found = surroundings.compare(after)
    middle = found.cover[8:10].max()
    assert not surroundings.bare.any()
    assert found.cover[3:5].min() > 0.05
    assert (middle < 0.02) if open_ else (middle > 0.1), middle
    assert surroundings.compare(before).cover.max() < 0.05
