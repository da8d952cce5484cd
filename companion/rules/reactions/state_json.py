"""The state as the JSON that pages and referees get."""

from __future__ import annotations

from typing import Any

from companion.rules.reactions import offers
from companion.rules.reactions.events import character_json, reaction_json
from companion.rules.reactions.state import State, Turn


def to_json(state: State) -> dict[str, Any]:
    """The whole state; the keys always come in this order."""
    grid, turn, step = state.grid, state.turn, state.step
    return {
        "characters": [character_json(one) for one in state.characters],
        "grid": None if grid is None else {"columns": grid.columns, "rows": grid.rows},
        "relations": [
            {"who": one.who, "to": one.to, "adjacent": one.adjacent, "in_range": one.in_range}
            for one in state.relations
        ],
        "turn": None if turn is None else _turn(turn),
        "turn_number": state.turns,
        "step": None
        if step is None
        else {
            "part": step.part,
            "by": step.by,
            "target": step.target,
            "path": [list(square) for square in step.path],
            "leaves": list(step.leaves),
            "moment": step.moment,
            "reactions": [reaction_json(one) for one in step.reactions],
            "may_be_stopped": any(one.action == "D" for one in step.reactions),
        },
        "offers": offers.to_json(state),
        "log": [reaction_json(one) for one in state.log],
        "over": None,
        "rules": state.rules.to_json(),
    }


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "number": turn.number,
        "active": list(turn.active),
        "actions": list(turn.actions),
        "entry": turn.entry.name,
        "parts": [part.name for part in turn.entry.parts],
        "done": [{"part": part, "outcome": outcome, "by": by} for part, outcome, by in turn.done],
        "left": {name: list(turn.left(name)) for name in turn.active},
    }
