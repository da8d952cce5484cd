"""What the sheet leaves open, each a switch; why each default is one: docs/decisions/reactions.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Rules:
    range: int = 3
    adjacency: int = 8
    disabled_stops: str = "everything"
    any_includes_target: bool = True
    unsaid_timing: str = "before"
    refresh: str = "turn"
    actives_react: bool = False
    attack_needs_range: bool = True

    def to_json(self) -> dict[str, Any]:
        return {item.name: getattr(self, item.name) for item in fields(self)}


MOST_RANGE: Final = 60
CHOICES: Final[Mapping[str, tuple[Any, ...]]] = {
    "range": tuple(range(MOST_RANGE + 1)),
    "adjacency": (4, 8),
    "disabled_stops": ("everything", "actions", "reactions", "nothing"),
    "any_includes_target": (True, False),
    "unsaid_timing": ("before", "open"),
    "refresh": ("turn", "by_hand"),
    "actives_react": (True, False),
    "attack_needs_range": (True, False),
}
MEANINGS: Final[Mapping[str, str]] = {
    "range": "how many squares far a character without a range of its own attacks",
    "adjacency": "4: squares that share a side are adjacent; 8: those that share a corner, too",
    "disabled_stops": "what a Disabled character cannot do",
    "any_includes_target": "Attack-Stunt: whether any character in range includes the target",
    "unsaid_timing": "where a line does not say when: just before, or left open",
    "refresh": "when the one reaction comes back: with each turn, or when somebody says so",
    "actives_react": "whether one active character may react to another",
    "attack_needs_range": "an attack whose target is out of range when it comes to it does not happen",
}
