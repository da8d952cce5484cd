"""Endless pulses: a loose cable, not marbles. There are 36 marbles at the most (33 and three spare ones)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from hardware.marbles import Geometry

MS = 1_000_000
LIKENESS = 32
"""So many pulses tell whether a stream of them is like marbles."""
EVEN_NS = 100 * MS


@dataclass(frozen=True)
class Alarm:
    """`from_ns`: what was counted from then on was no marble."""

    from_ns: int
    why: str


class RateWatch:
    """One lane's edges and pulses of late."""

    def __init__(self, geometry: Geometry) -> None:
        self._geometry = geometry
        self._edges: deque[int] = deque(maxlen=geometry.flutter[0] + 1)
        self._pulses: deque[int] = deque(maxlen=max(geometry.burst[0], geometry.stream[0], LIKENESS) + 1)
        self._widths: deque[float] = deque(maxlen=LIKENESS)

    def clear(self) -> None:
        for times in (self._edges, self._pulses, self._widths):
            times.clear()

    def edge(self, t_ns: int) -> Alarm | None:
        """A raw edge."""
        self._edges.append(t_ns)
        return self._too_many(self._edges, self._geometry.flutter, "edges")

    def pulse(self, t_ns: int) -> Alarm | None:
        """A pulse, or a blip too short to be one, begins."""
        self._pulses.append(t_ns)
        return self._too_many(self._pulses, self._geometry.burst, "pulses") or (
            self._too_many(self._pulses, self._geometry.stream, "pulses") if self._unlike_marbles() else None
        )

    def width(self, width_ms: float) -> None:
        """A pulse that was longer than a blip has ended."""
        self._widths.append(width_ms)

    def _unlike_marbles(self) -> bool:
        """Whether the last pulses are too short, too long, or too many and too even for marbles."""
        if len(self._widths) < LIKENESS or len(self._pulses) < LIKENESS:
            return False
        longest = 2.2 * self._geometry.longest_ms  # two slow ones that touch
        strange = sum(not self._geometry.shortest_ms <= width <= longest for width in self._widths)
        if strange >= LIKENESS // 4:
            return True
        apart = [later - earlier for earlier, later in pairwise(list(self._pulses)[-LIKENESS:])]
        usual = median(apart)
        return usual < EVEN_NS and all(abs(one - usual) < 0.05 * usual for one in apart)

    @staticmethod
    def _too_many(times: deque[int], limit: tuple[int, float], what: str) -> Alarm | None:
        most, seconds = limit
        if len(times) <= most or times[-1] - times[-most - 1] > seconds * 1e9:
            return None
        return Alarm(times[-most - 1], f"more than {most} {what} in {seconds:g} s that are no marbles")
