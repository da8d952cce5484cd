"""One turn that lies still and is to be explained: its tray, its player and all its witnesses in one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.rules.rematch.evidence import MARGIN, NO_SIDES, Explanation, Sides, Sighting, explain
from companion.rules.rematch.markers import NO_LIMITS
from companion.rules.rematch.outcomes import Answer, Seen, Turn
from companion.rules.rematch.tray import Tray
from companion.rules.rematch.witnesses import Witnesses, agree

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

    @property
    def drops(self) -> dict[str, int]:
        return self.witnesses.known_drops()

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
        self, drops: Mapping[str, int], attack: str | None = None, margin: float = MARGIN, sides: Sides | None = None
    ) -> Explanation:
        """By all its witnesses. `sides`: in place of those that were seen."""
        witnesses, sight = self.witnesses, self.sight
        dropped = any(drops.values()) or any(witnesses.likely_drops().values())
        after = self.base if agree(self.base, sight.tray) and not dropped else sight.tray
        shown = sight.sides if sides is None else sides
        return self.explain(self.base, after, self.player, drops, attack, witnesses.sightings, margin, shown)
