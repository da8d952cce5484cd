"""What each event does to the state. Nothing is decided here: an event says how things are afterwards.

Events are plain JSON, so what is in the log is what is folded (docs/decisions/rules-core.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from companion.rules.core import Event
from companion.rules.react.artists import SummonKind, Things
from companion.rules.react.field import PLAYERS, Field
from companion.rules.react.setup_form import passive_of
from companion.rules.react.state import Block, Card, Due, Over, Pile, Side, State, Tile, Unit, with_units
from companion.rules.react.switches import Rules


def evolve(state: State | None, event: Event) -> State:
    """The state after the event; LookupError, TypeError or ValueError for an event that these rules never wrote."""
    if event["type"] == "set_up":
        return _set_up(event)
    if state is None:
        raise ValueError(f"event {event['type']!r} before the set-up")
    return _EVENTS[event["type"]](state, event)


def _set_up(event: Event) -> State:
    field, players = event["field"], event["players"]
    return State(
        rules=Rules(**event["rules"]),
        field=Field(field["columns"], field["rows"], (field["stars"]["A"], field["stars"]["B"])),
        first=event["first"],
        turn=event["first"],
        side_a=_side(players["A"]),
        side_b=_side(players["B"]),
        units=tuple(Unit(p, p, players[p]["zone"], exhausted=players[p]["exhausted"]) for p in PLAYERS),
        spaces=tuple(event["masterpiece"]),
        turn_number=event["turn_number"],
    )


def _side(data: Mapping[str, Any]) -> Side:
    things = Things(
        deck=data["deck_size"],
        summons={kind: SummonKind(told["count"], told["follows"]) for kind, told in data["summons"].items()},
        tokens=dict(data["tokens"]),
        tiles=dict(data["tiles"]),
        passives=tuple(passive_of(passive) for passive in data["passives"]),
        invincible=data["invincible"],
        sheet=data["sheet"],
    )
    return Side(
        data["artist"], things, data["hand"], data["deck"], data["discard"], tuple(data["flipped"]), data["ascended"]
    )


def _phase(state: State, event: Event) -> State:
    return replace(state, phase=event["phase"])


def _turn_ended(state: State, event: Event) -> State:
    blocks = tuple(block for block in state.blocks if block.stays)
    return replace(state, turn=event["next"], turn_number=event["turn_number"], phase="start", blocks=blocks)


def _progressed(state: State, event: Event) -> State:
    for player, cards in event["out"].items():
        state = state.with_side(player, out=tuple(cards))
    return replace(state, spaces=tuple(event["masterpiece"]))


def _ascended(state: State, event: Event) -> State:
    state = replace(state, spaces=tuple(event["masterpiece"]))
    return state.with_side(event["player"], ascended=True)


def _descended(state: State, event: Event) -> State:
    return state.with_side(event["player"], ascended=False)


def _cards(state: State, event: Event) -> State:
    return state.with_side(
        event["player"], **{name: event[name] for name in ("hand", "deck", "discard") if name in event}
    )


def _played(state: State, event: Event) -> State:
    lines = event["effects"]
    card = Card(
        slot=event["slot"],
        player=event["player"],
        kind=event["kind"],
        source=event["from"],
        name=event["card"],
        effect=event["effect"],
        costs=tuple(event["costs"]),
        lines=None if lines is None else tuple(lines),
    )
    state = state.with_side(event["player"], hand=event["hand"])
    chain = (*state.chain, card)
    return replace(state, chain=chain, priority=event["priority"], passes=0, played=state.played + 1)


def _passed(state: State, event: Event) -> State:
    return replace(state, priority=event["priority"], passes=event["passes"])


def _resolving(state: State, event: Event) -> State:
    return replace(state, resolving=True, priority=None, passes=0)


def _aimed(state: State, event: Event) -> State:
    told = {name: event[name] for name in ("zone", "direction") if name in event}
    return replace(
        state, chain=tuple(replace(card, **told) if card.slot == event["slot"] else card for card in state.chain)
    )


def _card_resolved(state: State, event: Event) -> State:
    state = replace(state, chain=tuple(card for card in state.chain if card.slot != event["slot"]))
    return state.with_side(event["player"], discard=event["discard"])


def _chain_ended(state: State, event: Event) -> State:
    return replace(state, chain=(), resolving=False, priority=None, passes=0)


def _due_added(state: State, event: Event) -> State:
    new = tuple(_due(item) for item in event["items"])
    return replace(state, due=new + state.due, due_ids=max(state.due_ids, *(item.id for item in new)))


def _due(data: Mapping[str, Any]) -> Due:
    lines = data["effects"]
    return Due(
        **{**{k: v for k, v in data.items() if k != "effects"}, "lines": None if lines is None else tuple(lines)}
    )


def _due_begun(state: State, event: Event) -> State:
    """From now on the item has just these lines to go."""
    return replace(
        state,
        due=tuple(
            replace(item, lines=tuple(event["effects"])) if item.id == event["item"] else item for item in state.due
        ),
    )


def _due_done(state: State, event: Event) -> State:
    return replace(state, due=tuple(item for item in state.due if item.id != event["item"]))


def _moved(state: State, event: Event) -> State:
    zones = event["units"]
    return with_units(state, (replace(unit, zone=zones.get(unit.id, unit.zone)) for unit in state.units))


def _summoned(state: State, event: Event) -> State:
    unit = Unit(event["unit"], event["player"], event["zone"], event["kind"], follows=event["follows"])
    return replace(state, units=(*state.units, unit))


def _removed(state: State, event: Event) -> State:
    return _without(state, event["unit"])


def _without(state: State, name: str) -> State:
    """Tokens that lay on the unit go back to their pools."""
    return replace(
        state,
        units=tuple(unit for unit in state.units if unit.id != name),
        piles=tuple(pile for pile in state.piles if pile.unit != name),
    )


def _damaged(state: State, event: Event) -> State:
    for hit in event["hits"]:
        if "flipped" in hit:
            state = state.with_side(hit["unit"], flipped=tuple(hit["flipped"]))
        elif hit["removed"]:
            state = _without(state, hit["unit"])
    return _less_blocks(state, event["blocked"])


def _less_blocks(state: State, gone: Any) -> State:
    """One block less in each of these zones, the oldest first."""
    left = list(state.blocks)
    for told in gone:
        left.remove(next(block for block in left if (block.zone, block.owner) == (told["zone"], told["player"])))
    return replace(state, blocks=tuple(left))


def _block_placed(state: State, event: Event) -> State:
    return replace(state, blocks=(*state.blocks, Block(event["player"], event["zone"], event["stays"])))


def _block_removed(state: State, event: Event) -> State:
    return _less_blocks(state, [event])


def _tokens(state: State, event: Event) -> State:
    """So many of that kind lie there now."""
    place = (event["player"], event["kind"], event["zone"], event["unit"])
    piles = [pile for pile in state.piles if (pile.owner, pile.kind, pile.zone, pile.unit) != place]
    if event["count"]:
        piles.append(Pile(event["player"], event["kind"], event["count"], event["zone"], event["unit"]))
    return replace(state, piles=tuple(piles))


def _tile_laid(state: State, event: Event) -> State:
    return replace(state, tiles=(*state.tiles, Tile(event["player"], event["kind"], event["zone"])))


def _tile_lifted(state: State, event: Event) -> State:
    return replace(state, tiles=tuple(tile for tile in state.tiles if tile.zone != event["zone"]))


def _exhausted(state: State, event: Event) -> State:
    return with_units(state, (replace(u, exhausted=u.exhausted or u.id == event["unit"]) for u in state.units))


def _refreshed(state: State, event: Event) -> State:
    return with_units(state, (replace(u, exhausted=u.exhausted and u.id not in event["units"]) for u in state.units))


def _nothing(state: State, event: Event) -> State:
    """Told for the people who read it."""
    return state


def _corrected(state: State, event: Event) -> State:
    if "player" in event:
        side = {name: event[name] for name in ("hand", "deck", "discard", "ascended") if name in event}
        if "flipped" in event:
            side["flipped"] = tuple(event["flipped"])
        state = state.with_side(event["player"], **side)
    if "masterpiece" in event:
        state = _progressed(state, event)
    for unit in (*((event["unit"],) if "unit" in event else ()), *event.get("units", ())):
        state = _unit_corrected(state, unit)
    told = {name: event[name] for name in ("turn", "phase") if name in event}
    return replace(state, **told)


def _unit_corrected(state: State, told: Mapping[str, Any]) -> State:
    if told["zone"] is None:
        return _without(state, told["id"])
    unit = Unit(**told)
    if state.unit(unit.id) is None:
        return replace(state, units=(*state.units, unit))
    return with_units(state, (unit if other.id == unit.id else other for other in state.units))


def _rules_set(state: State, event: Event) -> State:
    return replace(state, rules=Rules(**event["rules"]))


def _match_over(state: State, event: Event) -> State:
    return replace(state, phase="over", over=Over(event["winner"], event["reason"]), due=(), priority=None)


_EVENTS: Final[Mapping[str, Callable[[State, Event], State]]] = {
    "phase": _phase,
    "turn_ended": _turn_ended,
    "progressed": _progressed,
    "ascended": _ascended,
    "descended": _descended,
    "drew": _cards,
    "discarded": _cards,
    "played": _played,
    "passed": _passed,
    "resolving": _resolving,
    "aimed": _aimed,
    "card_resolved": _card_resolved,
    "chain_ended": _chain_ended,
    "due_added": _due_added,
    "due_begun": _due_begun,
    "due_done": _due_done,
    "moved": _moved,
    "summoned": _summoned,
    "removed": _removed,
    "damaged": _damaged,
    "block_placed": _block_placed,
    "block_removed": _block_removed,
    "tokens": _tokens,
    "tile_laid": _tile_laid,
    "tile_lifted": _tile_lifted,
    "exhausted": _exhausted,
    "refreshed": _refreshed,
    "other": _nothing,
    "failed": _nothing,
    "corrected": _corrected,
    "rules_set": _rules_set,
    "match_over": _match_over,
}
