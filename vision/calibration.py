"""What is kept of a calibration. The table file stores it; everything else is derived from it when an eye is made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vision.arrays import Floats
from vision.profile import Grid

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]


class VisionError(ValueError):
    """A picture or calibration that cannot be used: one sentence that names what is wrong."""


def as_quad(points: Iterable[Sequence[float]] | Floats) -> Quad:
    """Four points of anything that has four, such as an array (4, 2). Raises ValueError, TypeError."""
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


@dataclass(frozen=True)
class Calibration:
    """`corners`: pixel centres of the marbles in a1, last lane row 1, last lane last row, a last row.

    `stage`: the stage board's corners, clockwise, the first two being A's and B's on the tower's side; None: no board.
    `picture`: the encoded picture (JPEG or PNG bytes) that it was made on; `tray`: what lay in it.
    """

    size: tuple[int, int]
    grid: Grid
    corners: Quad
    tray: str
    stage: Quad | None
    picture: bytes
