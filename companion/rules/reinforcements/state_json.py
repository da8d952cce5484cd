"""A match as the JSON that every device gets: nothing in it is hidden from anybody."""

from __future__ import annotations

from typing import Any

from companion.rules.reinforcements.cards import counted
from companion.rules.reinforcements.state import Side, Stack, State


def to_json(state: State) -> dict[str, Any]:
    """The whole state; the keys always come in this order."""
    fight = state.fight
    return {
        "players": {seat: _side(state, seat, side) for seat, side in state.sides.items()},
        "mode": state.mode,
        "turn": state.turn,
        "turn_number": state.turn_number,
        "deck": state.deck,
        "discard": {"count": len(state.discard) + state.buried, "known": counted(state.discard)},
        "totems": dict(state.totems),
        "asks": [dict(ask) for ask in state.asks],
        "fight": None
        if fight is None
        else {
            "player": fight.player,
            "target": fight.target,
            "cards": list(fight.cards),
            "power": fight.power,
            "round": fight.round,
        },
        "defends": state.defends,
        "total": total(state),
        "over": None if state.over is None else dict(state.over),
        "rules": {**state.rules.to_json(), "shield": state.rules.shield},
    }


def total(state: State) -> int:
    """Every card in every place: 96, always."""
    field = sum(
        1 + (slot.shield is not None) for side in state.sides.values() for stack in side.stacks for slot in stack.slots
    )
    hands = sum(side.hand for side in state.sides.values())
    flying = 0 if state.fight is None else len(state.fight.cards)
    return state.deck + len(state.discard) + state.buried + hands + field + flying


def _side(state: State, seat: str, side: Side) -> dict[str, Any]:
    free = {colour: sum(not stack.used for stack in side.revealed(colour)) for colour in "RBG"}
    return {
        "name": side.name,
        "hand": side.hand,
        "stacks": [_stack(stack) for stack in side.stacks],
        "drawn": side.drawn,
        "main": side.main,
        "kingdom": {"barrage": free["R"], "fortify": free["B"], "adapt": free["G"]},
        "totems": [totem for totem, owner in state.totems.items() if owner == seat],
        "locked": side.locked,
        "out": side.out,
    }


def _stack(stack: Stack) -> dict[str, Any]:
    return {
        "id": stack.id,
        "revealed": stack.revealed,
        "colour": stack.colour,
        "cards": [slot.card for slot in stack.slots],
        "shields": [slot.shield for slot in stack.slots],
        "most": stack.most,
        "used": stack.used,
    }
