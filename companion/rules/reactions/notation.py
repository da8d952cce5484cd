"""A session with the reaction sheet as text: `react Bo D` (docs/match-text.md); what lists say of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.rules.reactions.commands import READERS
from companion.rules.reactions.telling import named
from companion.rules.wordlines import WordNotation, Words

ORDER: Final[Mapping[str, tuple[str, ...]]] = {
    "act": ("active", "actions"),
    "announce": ("part", "target"),
    "react": ("character", "reaction"),
    "correct": ("character",),
    "leave": ("character",),
    "relate": ("who", "to"),
}
"""Values that stand without their name."""


class ReactionsNotation(WordNotation):
    """See `companion.rules.notation.Notation`."""

    words = Words(READERS, ORDER, ())

    def remark(self, command: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        if command["do"] == "announce" and before["turn"] is not None:
            return named({"by": before["turn"]["active"][0], **command})
        return named(command)

    def turn(self, state: Mapping[str, Any]) -> str:
        turn = state["turn"]
        return "" if turn is None else f"turn {turn['number']} {', '.join(turn['active'])}"

    def names(self, state: Mapping[str, Any]) -> str:
        return ", ".join(one["id"] for one in state["characters"])


REACTIONS_NOTATION: Final = ReactionsNotation()
