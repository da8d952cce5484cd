"""What marbles can do to a beam: the geometry, and how many marbles a pulse was. Pure arithmetic."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import median
from typing import Literal

FASTER = 1.2
"""A marble may be so much faster than the fastest that has been seen."""


@dataclass(frozen=True)
class Geometry:
    """Marbles, beam and track. The defaults suit 14–16 mm marbles and a beam across the tower's mouth.

    `marble_mm`: smallest and largest diameter; `offset`: least and greatest distance of the beam from the marbles'
    axis, in radii; `speed`: slowest and fastest at the beam, m/s; `lone_ms`: longest pulse of one marble while nothing
    is known of the speed at this table; `shortest_ms`: shortest pulse of a marble; `glitch_ms`: flutter is shorter than
    this; `response_ms`: the sensor does not see openings shorter than this; `opening_ms`: longest opening while a queue
    moves up; `park_ms`: a beam blocked for so long has a marble standing in it; `late_ms`: so late an edge may arrive;
    `rest`: the beam's level at rest, found by itself when "auto"; `burst`: more pulses than (count, seconds) are no
    marbles, there are only 36; `stream`: nor are so many if they are unlike marbles; `flutter`: nor so many raw edges;
    `recover_s`: quiet that ends a fault.
    """

    marble_mm: tuple[float, float] = (14.0, 16.0)
    offset: tuple[float, float] = (0.0, 0.6)
    speed: tuple[float, float] = (0.3, 2.0)
    lone_ms: float = 26.0
    shortest_ms: float = 3.0
    glitch_ms: float = 1.0
    response_ms: float = 0.1
    opening_ms: float = 150.0
    park_ms: float = 250.0
    late_ms: float = 80.0
    rest: Literal["auto", "clear", "blocked"] = "auto"
    burst: tuple[int, float] = (36, 1.0)
    stream: tuple[int, float] = (36, 20.0)
    flutter: tuple[int, float] = (1500, 1.0)
    recover_s: float = 5.0

    def __post_init__(self) -> None:
        for name in ("marble_mm", "speed"):
            low, high = getattr(self, name)
            if not 0 < low <= high:
                raise ValueError(f"{name} must be two numbers above 0, the smaller first, not {low} and {high}")
        if not 0 <= self.offset[0] <= self.offset[1] < 1:
            raise ValueError(f"offset must lie between 0 and 1 radius, the smaller first, not {self.offset}")
        if not 0 < self.glitch_ms < self.shortest_ms < self.lone_ms < self.park_ms:
            raise ValueError("glitch_ms, shortest_ms, lone_ms and park_ms must be above 0 and in rising order")
        if self.rest not in ("auto", "clear", "blocked"):
            raise ValueError(f"rest must be auto, clear or blocked, not {self.rest!r}")

    @property
    def longest_ms(self) -> float:
        """The slowest, largest marble on the beam's axis."""
        return self.marble_mm[1] / self.speed[0]

    @property
    def least_part_ms(self) -> float:
        """Half way from flutter to marble: what is shorter is taken for flutter."""
        return (self.glitch_ms + self.shortest_ms) / 2

    @property
    def gap_shows(self) -> bool:
        """The beam is so far off the axis that touching marbles always let light through between them."""
        gap_mm = self.marble_mm[0] * (1 - sqrt(1 - self.offset[0] ** 2))
        return gap_mm / self.speed[1] > self.response_ms

    def two_ms(self, fastest_ms: float, open_between: bool = False) -> float:
        """The shortest pulse of two touching marbles where the fastest single one took `fastest_ms`.

        `open_between`: light was seen between them, so they may have gone by off the axis and cut less of the beam.
        Falling marbles speed up by at most g while they pass (mm and ms: 9.81e-3 mm/ms²).
        """
        g = 9.81e-3
        way = self.marble_mm[0] * (1 + (sqrt(1 - self.offset[1] ** 2) if open_between else 1))
        speed = min(self.speed[1], max(self.speed[0], self.marble_mm[1] / fastest_ms - g * fastest_ms / 2))
        return (sqrt(speed * speed + 2 * g * way) - speed) / g


@dataclass(frozen=True)
class Verdict:
    """On one pulse. `single`: it is a clean single marble for all we know, and tells how fast marbles are."""

    marbles: int
    certain: bool
    single: bool = False


def steady(widths: Collection[float]) -> bool:
    """Marbles pass this table's beams at about one speed."""
    return len(widths) >= 3 and max(widths) <= 1.45 * min(widths)


def lone_ms(geometry: Geometry, widths: Collection[float]) -> float:
    """Up to here a pulse is one marble; above it two touching ones are possible. `widths`: of single marbles, in ms."""
    if geometry.gap_shows:
        return geometry.longest_ms
    if not widths:
        return geometry.lone_ms
    limit = geometry.two_ms(min(widths) / FASTER)
    return limit if steady(widths) else min(limit, geometry.lone_ms)


def judge(
    geometry: Geometry, width_ms: float, parts: Sequence[float], widths: Collection[float], one_speed: bool = True
) -> Verdict:
    """A pulse of `width_ms`, cut into `parts` by openings under 1 ms, where single marbles lately took `widths`.

    `one_speed`: marbles come at about one speed here, so that a pulse twice as long is likelier two than a slow one.
    """
    g = geometry
    if width_ms < g.shortest_ms:
        return Verdict(1 if width_ms >= g.least_part_ms else 0, False)
    limit = lone_ms(g, widths)
    pieces = len(parts)
    if pieces > 1:
        # two touching marbles are about equal, the second one quicker; flutter at just that moment looks the same
        alike = pieces > 2 or 0.5 <= parts[1] / parts[0] <= 1.4
        fastest = min(widths) if steady(widths) else g.shortest_ms
        if alike and width_ms >= g.two_ms(fastest, open_between=True):
            return Verdict(pieces if width_ms > limit else 1, False)
    if width_ms <= limit:
        return Verdict(1, True, single=True)
    return Verdict(_guess(g, width_ms, widths if one_speed else ()), False)


def _guess(geometry: Geometry, width_ms: float, widths: Collection[float]) -> int:
    """The likelier number of marbles in a pulse that could be one slow marble or several touching ones."""
    if steady(widths):
        return min(5, max(1, round(width_ms / median(widths))))
    if width_ms <= geometry.longest_ms:
        return 1
    return 2 if width_ms <= 2 * geometry.longest_ms else 1
