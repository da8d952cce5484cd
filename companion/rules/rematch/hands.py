"""Whose hand was it, and could there have been two? A hand hides the lane of its own side first (DESIGN §2).

A player reaches over the outer lane of their own side; only what is hidden there and not on the other side says whose
hand it is. So the sides say nothing of a hand that hides both, or only the middle.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

OUTER = {"A": "a", "B": "c"}
CLEARLY = 2
"""So many frames of one side and none of the other."""
MOST = 2000


@dataclass(frozen=True)
class Split:
    """Between `end_ns` and `start_ns` one hand may have left and another come. `clear`: the sides say so."""

    end_ns: int
    start_ns: int
    clear: bool


@dataclass
class Hands:
    """The hands of one turn, frame by frame."""

    _frames: list[tuple[int, str]] = field(default_factory=list)
    """Frames with a hand over the tray: time and whose, "" where nobody can tell."""
    _left: bool = False
    _returns: list[int] = field(default_factory=list)
    """Indices of frames before which no hand was in view."""

    def seen(self, t_ns: int, hand: bool, covers: Collection[str]) -> None:
        if not hand:
            self._left = True
            return
        if len(self._frames) >= MOST:
            return
        hides = [player for player, lane in OUTER.items() if any(cell[0] == lane for cell in covers)]
        if self._left and self._frames:
            self._returns.append(len(self._frames))
        self._left = False
        self._frames.append((t_ns, hides[0] if len(hides) == 1 else ""))

    @property
    def since_ns(self) -> int | None:
        """When the first hand came; None: there was none."""
        return self._frames[0][0] if self._frames else None

    def whose(self) -> str | None:
        """The one player whose hand it was all the time; None: it cannot be told."""
        counts = {player: sum(side == player for _, side in self._frames) for player in OUTER}
        clear = [player for player, n in counts.items() if n >= CLEARLY and sum(counts.values()) == n]
        return clear[0] if clear else None

    def splits(self, player: str) -> list[Split]:
        """Moments at which `player` may have been done and the opponent have begun, the likeliest first."""
        frames = self._frames
        other = next(one for one in OUTER if one != player)
        found = []
        for at in range(1, len(frames)):
            before, after = [side for _, side in frames[:at]], [side for _, side in frames[at:]]
            against = before.count(other) + after.count(player)
            clear = before.count(player) >= CLEARLY <= after.count(other)
            turned = clear and frames[at][1] == other and other not in before
            if against < CLEARLY and (at in self._returns or turned):
                found.append((against, not clear, Split(frames[at - 1][0], frames[at][0], clear)))
        return [split for _, _, split in sorted(found, key=lambda one: one[:2])]
