"""The rule set of a match: the edition and one switch for each open point of the rulebook (DESIGN §9).

The printed reading is the default. The rule set is chosen in `setup` and belongs to the match and its log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

MARBLES_A_COLOUR: Final = 11
"""Spare marbles, one a colour, may be in play as well (rulebook: Set Up)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """`edition`: which version of the changelog is played; only V2.0 changed a core rule."""

    edition: str = "2.5"
    forced_credit_heals: bool = False
    flips_per_turn: int | None = None
    fan_snapshot: str = "turn_begins"
    kicker: str = "mandatory"
    detours: bool = True
    breaks_settle: str = "effect"
    both_lose: str = "attacker_wins"
    marbles_return: str = "end_of_turn"
    spare_marbles: bool = False
    third_break_price: int = 2
    forced_credit_unpaid: str = "loses"

    @property
    def restores_all(self) -> bool:
        """Whether each credit restores all dials (since V2.0) or each break only the dial just broken."""
        return not self.edition.startswith("1.")

    @property
    def most_of_a_colour(self) -> int:
        """More than this in view is a misread."""
        return MARBLES_A_COLOUR + self.spare_marbles

    def to_json(self) -> dict[str, Any]:
        return {item.name: getattr(self, item.name) for item in fields(self)}


CHOICES: Final[Mapping[str, tuple[Any, ...]]] = {
    "edition": ("1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "2.0", "2.1", "2.2", "2.3", "2.4", "2.5"),
    "forced_credit_heals": (False, True),
    "flips_per_turn": (None, 1),
    "fan_snapshot": ("turn_begins", "after_start_effects"),
    "kicker": ("mandatory", "optional"),
    "detours": (True, False),
    "breaks_settle": ("effect", "attack_end"),
    "both_lose": ("attacker_wins", "first_loses"),
    "marbles_return": ("end_of_turn", "at_once"),
    "spare_marbles": (False, True),
    "third_break_price": (2, 3),
    "forced_credit_unpaid": ("loses", "ignored"),
}
