"""A match in a few words, as a venue shows it; of any game, by its notation."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from companion.history import Record
from companion.rules.notation import Notation, Seated


def match_id(first: Record) -> str:
    """The same for the same match on every start, and hardly ever for two: from its set-up and when that was."""
    text = json.dumps([first.wall, first.command], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def summary(words: Notation, game: str, state: Mapping[str, Any] | None) -> dict[str, Any]:
    """`{"game", "players", "seats", "turn", "figures", "result", "winner"}`; no match: only `game`."""
    if state is None:
        return {
            "game": game,
            "players": "",
            "seats": {},
            "turn": "",
            "figures": {},
            "result": None,
            "winner": None,
        }
    result = words.result(state)
    return {
        "game": game,
        "players": words.names(state),
        "seats": dict(words.seats(state)) if isinstance(words, Seated) else {},
        "turn": words.turn(state) if result is None else "",
        "figures": {player: dict(numbers) for player, numbers in words.figures(state).items()},
        "result": result,
        "winner": None if result is None else words.winner(state) if isinstance(words, Seated) else None,
    }
