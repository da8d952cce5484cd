"""What lists say of a session with the reaction sheet; its commands stay JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.rules.notation import JsonNotation
from companion.rules.reactions.telling import named


class ReactionsNotation(JsonNotation):
    """See `companion.rules.notation.Notation`."""

    def remark(self, command: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        return named(command)

    def turn(self, state: Mapping[str, Any]) -> str:
        turn = state["turn"]
        return "" if turn is None else f"turn {turn['number']} {', '.join(turn['active'])}"

    def names(self, state: Mapping[str, Any]) -> str:
        return ", ".join(one["id"] for one in state["characters"])


REACTIONS_NOTATION: Final = ReactionsNotation()
