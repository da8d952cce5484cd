"""A match as the JSON that pages and referees get (DESIGN §7)."""

from __future__ import annotations

from typing import Any

from companion.rules.rematch.choosing import due_json
from companion.rules.rematch.fighters import board_to_json
from companion.rules.rematch.state import STAGE, State
from companion.rules.rematch.tray import COLOURS


def to_json(state: State) -> dict[str, Any]:
    """The whole state; the keys always come in this order."""
    return {
        "players": {player: _side_to_json(state, player) for player in ("A", "B")},
        "stage_fans": list(state.fans_at(STAGE)),
        "first": state.first,
        "turn": state.turn,
        "turn_number": state.turn_number,
        "phase": state.phase,
        "tray": state.tray.text,
        "declared": state.declared,
        "fans_at_start": list(state.fans_at_start),
        "flips": state.flips,
        "opening_destroyed": state.opening_destroyed,
        "aside": dict(zip(COLOURS, state.aside, strict=True)),
        "last_clear": None if state.last_clear is None else state.last_clear.to_json(),
        "over": None if state.over is None else state.over.to_json(),
        "rules": state.rules.to_json(),
        "markers": [marker.to_json() for marker in state.markers],
        "due": [due_json(state, item, first=at == 0) for at, item in enumerate(state.due)],
        "left": list(state.left),
    }


def _side_to_json(state: State, player: str) -> dict[str, Any]:
    side = state.side(player)
    return {
        "buttons": {colour: side.dial(colour).to_json() for colour in COLOURS},
        "credits": side.credits,
        "fans": list(state.fans_at(player)),
        "fighter": side.fighter,
        "skips_next": side.skips_next,
        "cannot_pay": side.cannot_pay,
        "owed": sum(credits for _, credits in side.owed),
        "board": None if side.board is None else board_to_json(side.board),
    }
