"""A match of Reinforcements as text: `A attack R4 B1` (docs/match-text.md); what lists and standings say of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.rules.reinforcements.commands import FIELDS
from companion.rules.reinforcements.state import SEATS
from companion.rules.reinforcements.telling import named
from companion.rules.wordlines import WordNotation, Words

ORDER: Final[Mapping[str, tuple[str, ...]]] = {
    "draw": ("count",),
    "attack": ("card", "target"),
    "barrage": ("card", "target"),
    "defend": ("stack", "card"),
    "fortify": ("stack", "card"),
    "deploy": ("cards", "target"),
    "discard": ("count",),
    "totem": ("totem",),
    "flip": ("card",),
    "rallied": ("card",),
    "reveal": ("cards",),
    "reinforcements": ("defender", "attacker"),
    "hero": ("use",),
    "broken": ("stack",),
    "totem_drawn": ("totem",),
    "send": ("place",),
}
"""Values that stand without their name."""


class ReinforcementsNotation(WordNotation):
    """See `companion.rules.notation`: Notation and Seated."""

    words = Words(FIELDS, ORDER, tuple(SEATS))

    def remark(self, command: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        return named(command)

    def turn(self, state: Mapping[str, Any]) -> str:
        word = "round" if state["mode"] == "chaos" else "turn"
        return f"{word} {state['turn_number']} {state['turn']}"

    def figures(self, state: Mapping[str, Any]) -> Mapping[str, Mapping[str, int]]:
        return {
            seat: {
                "stacks": len(side["stacks"]),
                "cards": sum(len(stack["cards"]) for stack in side["stacks"]),
                "hand": side["hand"],
            }
            for seat, side in state["players"].items()
        }

    def names(self, state: Mapping[str, Any]) -> str:
        return " – ".join(side["name"] or seat for seat, side in state["players"].items())

    def seats(self, state: Mapping[str, Any]) -> Mapping[str, str]:
        return {seat: side["name"] for seat, side in state["players"].items() if side["name"]}

    def winner(self, state: Mapping[str, Any]) -> str | None:
        return None if state["over"] is None else state["over"]["winner"]

    def result(self, state: Mapping[str, Any]) -> str | None:
        if state["over"] is None:
            return None
        winner = state["over"]["winner"]
        return "nobody is left" if winner is None else f"{winner} wins: the last one with cards on the table"


REINFORCEMENTS_NOTATION: Final = ReinforcementsNotation()
