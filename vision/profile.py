"""What a game tells the vision about its table: the grid, the colours, the tokens. Vision knows no game."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase


@dataclass(frozen=True)
class Grid:
    """`lanes` × `rows` cells, named lane letter + row number; row 1 is the open end (DESIGN §2)."""

    lanes: int = 3
    rows: int = 5

    @property
    def cells(self) -> tuple[str, ...]:
        """Cell names in the order of a tray text: a1 a2 … b1 …"""
        return tuple(f"{lane}{row}" for lane in ascii_lowercase[: self.lanes] for row in range(1, self.rows + 1))


@dataclass(frozen=True)
class Profile:
    """grid; `colours`: marble letters; `most`: at most so many of each in view; `tokens`, `places`: of the stage."""

    grid: Grid = Grid()
    colours: tuple[str, ...] = ("R", "Y", "B")
    most: int = 12
    tokens: tuple[str, ...] = ("R", "Y", "B")
    places: tuple[str, ...] = ("A", "stage", "B")
