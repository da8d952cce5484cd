"""One turn that lies still and is to be explained: its tray, its player and all its witnesses in one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.rules.rematch.evidence import MARGIN, NO_SIDES, Explanation, Sides, Sighting, explain
from companion.rules.rematch.markers import NO_LIMITS
from companion.rules.rematch.outcomes import Answer, Seen, Turn
from companion.rules.rematch.tray import Tray
from companion.rules.rematch.witnesses import Witnesses, agree

PULL_NS = 900_000_000
"""About how long a hand is over the tray for each marble that it pulls."""
Doubt = tuple[str, tuple[Answer, ...]]
"""A question and its answers."""


@dataclass(frozen=True)
class Case:
    """`base`: the tray at the start of the turn; `player`: who pulled; `declared`: their attack, if it was named."""

    base: str
    turn: Turn
    player: str
    declared: str | None
    witnesses: Witnesses
    sight: Seen
    _tried: dict[tuple[str, int, bool], Explanation] = field(default_factory=dict, compare=False)
    """Other counts that were tried already: several doubts ask for the same."""

    @property
    def drops(self) -> dict[str, int]:
        return self.witnesses.known_drops()

    @property
    def known(self) -> object:
        """All that `seen_through` goes by: equal to another case's when the answer is."""
        witnesses, sight = self.witnesses, self.sight
        likely = witnesses.likely_drops()
        return self.base, sight.tray, sight.sides, self.turn, self.player, self.drops, likely, (*witnesses.sightings,)

    def explain(
        self,
        before: str,
        after: str,
        player: str,
        drops: Mapping[str, int],
        attack: str | None = None,
        sightings: Sequence[Sighting] = (),
        margin: float = MARGIN,
        sides: Sides = NO_SIDES,
    ) -> Explanation:
        broken, limits = self.turn.broken.get(player, ""), self.turn.limits.get(player, NO_LIMITS)
        old, new = Tray.parse(before), Tray.parse(after)
        doubted = self.witnesses.likely_drops()
        return explain(old, new, player, broken, drops or None, attack, sightings, margin, sides, limits, doubted)

    def seen_through(
        self,
        drops: Mapping[str, int],
        attack: str | None = None,
        margin: float = MARGIN,
        sides: Sides | None = None,
        sightings: Sequence[Sighting] | None = None,
    ) -> Explanation:
        """By all its witnesses. `sides`, `sightings`: in place of those that were seen."""
        witnesses, sight = self.witnesses, self.sight
        dropped = any(drops.values()) or any(witnesses.likely_drops().values())
        after = self.base if agree(self.base, sight.tray) and not dropped else sight.tray
        shown = sight.sides if sides is None else sides
        views = witnesses.sightings if sightings is None else sightings
        return self.explain(self.base, after, self.player, drops, attack, views, margin, shown)

    def miscounted_by(self, lane: str, more: int, sides: Sides | None = None) -> Explanation:
        """Had the lane's beam counted so many too few, nobody knows when: what it had by each sighting says nothing."""
        key = (lane, more, sides is None)
        if key not in self._tried:
            drops = {**self.drops, lane: self.drops[lane] + more}
            views = [
                replace(one, drops={name: n for name, n in (one.drops or {}).items() if name != lane})
                for one in self.witnesses.sightings
            ]
            self._tried[key] = self.seen_through(drops, self.declared, sides=sides, sightings=views)
        return self._tried[key]

    def spare_ns(self, pulls: int) -> int:
        """So much longer a hand was over the tray than it takes to pull so many marbles; negative: not so long."""
        return self.witnesses.hand_ns - PULL_NS * pulls
