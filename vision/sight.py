"""What is told of one picture in the light of those before it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from vision.arrays import Floats
from vision.eye import Glance
from vision.reading import Aim
from vision.turning import Prints


@dataclass(frozen=True)
class Change:
    """`what`: hand, aim_lost, aim_found, light or fan; `detail`: as DESIGN §6 prints it."""

    t_ns: int
    what: str
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Sight:
    """One picture in the light of those before it.

    `tray`: tray text, "?" where a cell is covered or unsure; `settled`: nothing moves, no hand, readings agree;
    `moving`: cells in which something moves; `hand`: something reaches over the tray; `covers`: cells it hides;
    `fans`: token → place, None where not known; `changes`: what has just happened; `prints`: of the last pictures, None
    unless settled. `light`: as in Glance. `view`: another number once the tray has been found again after a knock:
    marbles then look a little different. `hanging`: cells that a marble lies half in, none of them known.
    """

    t_ns: int
    tray: str
    settled: bool
    moving: tuple[str, ...]
    hand: bool
    covers: tuple[str, ...]
    fans: dict[str, str | None]
    aim: Aim
    changes: tuple[Change, ...]
    glance: Glance | None = None
    prints: Prints | None = field(default=None, repr=False, compare=False)
    light: tuple[float, float, float] = (0.0, 0.0, 0.0)
    view: int = 0
    hanging: tuple[str, ...] = ()

    @property
    def sides(self) -> Floats | None:
        """What the marbles show, for `vision.turning`; None while anything moves."""
        return None if self.prints is None else self.prints.mean
