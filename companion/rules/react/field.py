"""The field: rows × columns of zones, two of them with a star (rulebook: Setting Up the Game, Zone, Adjacent).

A zone is written `x,y`: column x from player A's left, row y from player A's side, both from 1. Directions are seen
from A's seat too, so `up` is away from A.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

PLAYERS: Final = ("A", "B")
DIRECTIONS: Final = {"up": (0, 1), "right": (1, 0), "down": (0, -1), "left": (-1, 0)}
DIAGONALS: Final = frozenset(
    text.format(*pair)
    for pair in (("up", "left"), ("up", "right"), ("down", "left"), ("down", "right"))
    for text in ("{0}-{1}", "{1}-{0}")
)
MOST: Final = 12
"""Rows or columns."""

_ZONE: Final = re.compile(r" *(-?[0-9]{1,2}) *, *(-?[0-9]{1,2}) *")


def opponent(player: str) -> str:
    return "B" if player == "A" else "A"


def read_zone(text: str) -> str | None:
    """The zone as it is always written; None: it is none, on any board. It need not lie on the board."""
    match = _ZONE.fullmatch(text)
    return None if match is None else name(int(match[1]), int(match[2]))


def name(x: int, y: int) -> str:
    return f"{x},{y}"


def xy(zone: str) -> tuple[int, int]:
    x, _, y = zone.partition(",")
    return int(x), int(y)


def step(zone: str, direction: str) -> str:
    """The next zone in a direction; it may lie off the board."""
    return shifted(zone, DIRECTIONS[direction])


def shifted(zone: str, by: tuple[int, int]) -> str:
    x, y = xy(zone)
    return name(x + by[0], y + by[1])


def way(start: str, end: str) -> tuple[int, int]:
    (x, y), (x2, y2) = xy(start), xy(end)
    return x2 - x, y2 - y


@dataclass(frozen=True, slots=True)
class Field:
    """`stars`: where player A's and player B's artist begin."""

    columns: int
    rows: int
    stars: tuple[str, str]

    def holds(self, zone: str) -> bool:
        x, y = xy(zone)
        return 1 <= x <= self.columns and 1 <= y <= self.rows

    def to_json(self) -> dict[str, Any]:
        return {"columns": self.columns, "rows": self.rows, "stars": dict(zip(PLAYERS, self.stars, strict=True))}
