"""The rule set of a match: one switch for each open point of the rulebook; the printed reading is the default.

What each is about and why its default is one: docs/decisions/react.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Rules:
    full_hand_empty_deck: str = "no_loss"
    reascend: str = "at_once"
    foe_completes: bool = True
    replaced_card: str = "beside"
    masterpiece_order: str = "owner"
    blocks_end: str = "turn"
    placing: str = "must"
    end_effects: str = "after_refresh"

    def to_json(self) -> dict[str, Any]:
        return {item.name: getattr(self, item.name) for item in fields(self)}


CHOICES: Final[Mapping[str, tuple[Any, ...]]] = {
    "full_hand_empty_deck": ("no_loss", "loses"),
    "reascend": ("at_once", "next_progress"),
    "foe_completes": (True, False),
    "replaced_card": ("beside", "out"),
    "masterpiece_order": ("owner", "mirrored", "table"),
    "blocks_end": ("turn", "hit"),
    "placing": ("must", "may"),
    "end_effects": ("after_refresh", "before_refresh"),
}

MEANINGS: Final[Mapping[str, str]] = {
    "full_hand_empty_deck": "a draw with 6 cards in hand and an empty deck",
    "reascend": "who descends with a complete masterpiece in the zone ascends at once, or when progressing next",
    "foe_completes": "whether an opponent's change that completes a masterpiece ascends its owner",
    "replaced_card": "a replaced masterpiece card goes back beside the board, or out of the match",
    "masterpiece_order": "cards 1-2-3 from the owner's left to right, from right to left, or both from A's left",
    "blocks_end": "block tokens go when the turn ends or the zone is hit, or only when it is hit",
    "placing": "in the Masterpiece Phase a card that can be placed must be, or may be",
    "end_effects": "end-of-turn effects come after all units are refreshed, or before",
}
