"""A match as the JSON that pages and referees get."""

from __future__ import annotations

from typing import Any

from companion.rules.react.artists import DAMAGE_TO_LOSE
from companion.rules.react.field import PLAYERS
from companion.rules.react.reminders import next_json, reminders
from companion.rules.react.state import CARDS, SLOTS, Card, Due, State
from companion.rules.react.tokens import left, placed


def to_json(state: State) -> dict[str, Any]:
    """The whole state; the keys always come in this order."""
    return {
        "players": {player: _side(state, player) for player in PLAYERS},
        "first": state.first,
        "turn": state.turn,
        "turn_number": state.turn_number,
        "phase": state.phase,
        "field": state.field.to_json(),
        "units": {unit.id: _unit(state, unit.id) for unit in state.units},
        "tokens": [
            {"player": pile.owner, "kind": pile.kind, "count": pile.count, "zone": pile.zone, "unit": pile.unit}
            for pile in state.piles
        ],
        "tiles": [{"player": tile.owner, "kind": tile.kind, "zone": tile.zone} for tile in state.tiles],
        "blocks": [{"player": block.owner, "zone": block.zone, "stays": block.stays} for block in state.blocks],
        "masterpiece": list(state.spaces),
        "chain": _chain(state),
        "due": [_due(item) for item in state.due],
        "next": next_json(state),
        "reminders": reminders(state),
        "played": state.played,
        "over": None if state.over is None else state.over.to_json(),
        "rules": state.rules.to_json(),
    }


def _side(state: State, player: str) -> dict[str, Any]:
    side = state.side(player)
    things = side.things
    return {
        "artist": side.artist,
        "hand": side.hand,
        "deck": side.deck,
        "deck_size": things.deck,
        "discard": side.discard,
        "damage": side.damage,
        "hp": DAMAGE_TO_LOSE - side.damage,
        "ascended": side.ascended,
        "masterpiece": [
            {
                "card": card,
                "space": state.spaces.index(f"{player}{card}") + 1 if f"{player}{card}" in state.spaces else None,
                "flipped": card in side.flipped,
                "out": card in side.out,
            }
            for card in CARDS
        ],
        "beside": list(state.beside(player)),
        "summons": {
            kind: {**told.to_json(), "left": _summons_left(state, player, kind)}
            for kind, told in things.summons.items()
        },
        "tokens": _pools(state, player, "tokens"),
        "tiles": _pools(state, player, "tiles"),
        "passives": [passive.to_json() for passive in things.passives],
        "invincible": things.invincible,
        "sheet": things.sheet,
    }


def _summons_left(state: State, player: str, kind: str) -> int | None:
    count = state.side(player).things.summons[kind].count
    there = sum((unit.owner, unit.kind) == (player, kind) for unit in state.units)
    return None if count is None else max(0, count - there)


def _pools(state: State, player: str, of: str) -> dict[str, Any]:
    pools = getattr(state.side(player).things, of)
    return {
        kind: {"count": count, "placed": placed(state, player, of, kind), "left": left(state, player, of, kind)}
        for kind, count in pools.items()
    }


def _unit(state: State, name: str) -> dict[str, Any]:
    unit = state.unit(name)
    assert unit is not None
    return {
        "player": unit.owner,
        "kind": unit.kind or "artist",
        "zone": unit.zone,
        "exhausted": unit.exhausted,
        "follows": unit.follows,
    }


def _chain(state: State) -> dict[str, Any]:
    """`slots`: all five, from 1; `stack`: the slots that hold a card, in the order in which they resolve."""
    top = state.top
    return {
        "slots": [None if (card := state.card(slot)) is None else _card(card) for slot in range(1, SLOTS + 1)],
        "stack": [card.slot for card in reversed(state.chain)],
        "tokens": SLOTS,
        "priority": state.priority,
        "passes": state.passes,
        "resolving": state.resolving,
        "next": None if top is None else top.slot,
    }


def _card(card: Card) -> dict[str, Any]:
    return {
        "slot": card.slot,
        "player": card.player,
        "kind": card.kind,
        "from": card.source,
        "card": card.name,
        "effect": card.effect,
        "costs": [dict(cost) for cost in card.costs],
        "zone": card.zone,
        "direction": card.direction,
        "effects": None if card.lines is None else [dict(line) for line in card.lines],
    }


def _due(item: Due) -> dict[str, Any]:
    return {
        "id": item.id,
        "part": item.part,
        "player": item.player,
        "text": item.name,
        "slot": item.slot,
        "zone": item.zone,
        "unit": item.unit,
        "effects": None if item.lines is None else [dict(line) for line in item.lines],
    }
