"""What lists say of a session with the reaction sheet; its commands stay JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.rules.notation import JsonNotation, shown
from companion.rules.reactions.telling import named


class ReactionsNotation(JsonNotation):
    """See `companion.rules.notation.Notation`."""

    def remark(self, command: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        return named(command)

    def turn(self, state: Mapping[str, Any]) -> str:
        turn = state["turn"]
        return "" if turn is None else f"turn {turn['number']} {', '.join(turn['active'])}"

    def wrong(self, note: str, state: Mapping[str, Any]) -> str | None:
        true = self.turn(state)
        return None if note.strip().casefold() in ("", true.casefold()) else f"it says {shown(note)}, but it is {true}"

    def figures(self, state: Mapping[str, Any]) -> Mapping[str, Mapping[str, int]]:
        return {}

    def names(self, state: Mapping[str, Any]) -> str:
        return ", ".join(one["id"] for one in state["characters"])


REACTIONS_NOTATION: Final = ReactionsNotation()
