"""All that was seen and counted of one turn so far: sightings, drops, hands (DESIGN §3)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from companion.rules.rematch.evidence import Sighting
from companion.rules.rematch.hands import Hands, Split
from companion.rules.rematch.outcomes import Dropped, Seen
from companion.rules.rematch.tray import CELLS, COLOURS, EMPTY, LANES, ROWS, UNKNOWN, Tray
from companion.rules.rematch.twice import Between

AGREE_NS = 90_000_000
"""Frames so close together are one sighting, so that 30 frames/s do not weigh three times as much as 10."""
LATE_NS = 400_000_000
"""So long after a hand has left a marble that it pulled may still drop."""
CLOSE_NS = 150_000_000
"""Drops in one lane so close together may be one marble that was counted twice: hands are slower (0.8 s and more)."""
SAME_NS = 2_000_000
"""Drops in all lanes so close together are a dip of the supply, no marbles."""
MOST_SIGHTINGS = 400


class Witnesses:
    """`counted`: lanes whose drops are counted; it may grow meanwhile.

    `blind`: the camera lost the tray for a while; `hung`: it gave no picture at all. `hand_ns`: how long a hand was
    seen.
    """

    def __init__(self, counted: Collection[str]) -> None:
        self.counted = counted
        self.drops: dict[str, int] = dict.fromkeys(LANES, 0)
        self.drop_ns: dict[str, int] = {}
        """When the last one of each lane came."""
        self.close: set[str] = set()
        self.hands = Hands()
        self.sightings: list[Sighting] = []
        self.blind = self.hung = False
        self.hand_ns = 0
        self._drop_times: list[tuple[int, str]] = []
        self._faulty: set[str] = set()
        self._doubtful: set[str] = set()
        self._open: list[tuple[int, str]] = []
        """Sightings without a hand, each with its time."""
        self._counted_then: dict[str, int] = {}

    def dropped(self, drop: Dropped) -> None:
        self.drops[drop.lane] += 1
        if drop.t_ns - self.drop_ns.get(drop.lane, drop.t_ns - CLOSE_NS) < CLOSE_NS:
            self.close.add(drop.lane)
        self.drop_ns[drop.lane] = drop.t_ns
        if len(self.drop_ns) == len(LANES) and max(self.drop_ns.values()) - min(self.drop_ns.values()) < SAME_NS:
            self._doubtful |= set(LANES)
        self._drop_times.append((drop.t_ns, drop.lane))
        if not drop.certain:
            self._doubtful.add(drop.lane)

    def fault(self, lane: str) -> None:
        self._faulty.add(lane)

    def doubt(self, lane: str) -> None:
        self._doubtful.add(lane)

    def known_drops(self) -> dict[str, int]:
        """Of the lanes whose count is sure."""
        unsure = self._doubtful | self._faulty
        return {lane: n for lane, n in self.drops.items() if lane in self.counted and lane not in unsure}

    def likely_drops(self) -> dict[str, int]:
        """Of the lanes whose count is not sure."""
        return {lane: self.drops[lane] for lane in LANES if lane in self._doubtful - self._faulty}

    def begin_sighting(self) -> None:
        """What is seen from now on counts with the drops that there are now."""
        self._counted_then = self.known_drops()

    def sighted(self, frames: Sequence[Seen]) -> None:
        """Frames of one moment."""
        if len(self.sightings) >= MOST_SIGHTINGS:
            return
        text = frames[0].tray
        if any(one.tray != text for one in frames):
            text = "".join(_common(cells) for cells in zip(*(one.tray for one in frames), strict=True))
        self.sightings.append(Sighting(text, self._counted_then))
        if not frames[-1].hand:
            self._open.append((frames[-1].t_ns, text))

    def holes(self, base: str) -> tuple[str, ...]:
        """Cells that were seen empty in between for some time, though a marble lies there before and after.

        Only with all their neighbours in plain sight: close to a hand a finger may look like an empty cell.
        """
        before = Tray.parse(base)
        counts = dict.fromkeys(CELLS, 0)
        for sighting in self.sightings:
            if EMPTY not in sighting.tray:
                continue
            tray = Tray.parse(sighting.tray)
            for cell in CELLS:
                near = (tray.at(other) in COLOURS for other in _neighbours(cell))
                if tray.at(cell) == EMPTY and before.at(cell) in COLOURS and all(near):
                    counts[cell] += 1
        return tuple(cell for cell, n in counts.items() if n >= 2)

    def between(self, split: Split, drops: Mapping[str, int]) -> Between:
        """What is known of the moment between two hands."""

        def by(lane: str, t_ns: int) -> int:
            return sum(name == lane and t <= t_ns for t, name in self._drop_times)

        known = {lane: (by(lane, split.end_ns), by(lane, split.start_ns + LATE_NS)) for lane in drops}
        return Between(known, [text for t, text in self._open if split.end_ns < t < split.start_ns])


def agree(one: str, other: str) -> bool:
    """The same where both are known."""
    return all(a == b or UNKNOWN in (a, b) for a, b in zip(one, other, strict=True))


def gaps_of(tray: str) -> frozenset[str]:
    return frozenset(cell for cell, letter in zip(CELLS, cells_of(tray), strict=True) if letter == EMPTY)


def cells_of(tray: str) -> str:
    return tray.replace("/", "")


def hangs(tray: str, gaps: Collection[str]) -> bool:
    """Whether a marble lies above one of these gaps."""
    seen = Tray.parse(tray)
    return any(
        seen.at(f"{gap[0]}{row}") not in (EMPTY, UNKNOWN) for gap in gaps for row in range(int(gap[1]) + 1, ROWS + 1)
    )


def _neighbours(cell: str) -> list[str]:
    lane, row = LANES.index(cell[0]), int(cell[1])
    around = ((lane - 1, row), (lane + 1, row), (lane, row - 1), (lane, row + 1))
    return [f"{LANES[x]}{y}" for x, y in around if 0 <= x < len(LANES) and 1 <= y <= ROWS]


def _common(letters: Sequence[str]) -> str:
    """What all that is known says; "?" when it does not agree."""
    known = {letter for letter in letters if letter != UNKNOWN}
    return known.pop() if len(known) == 1 else UNKNOWN
