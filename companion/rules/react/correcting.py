"""Corrections: the state as the players know it to be. They let nothing happen, but the result must be possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.core import Rejection
from companion.rules.react import commands as c
from companion.rules.react.artists import BLOCK
from companion.rules.react.field import PLAYERS
from companion.rules.react.state import Side, State, Unit
from companion.rules.react.story import Story
from companion.rules.react.tokens import left


def correct(story: Story, command: c.Correct) -> Rejection | None:
    told, state = command.told, story.state
    facts: dict[str, Any] = {}
    for check in (_turn_and_phase, _cards, _unit, _units):
        found = check(state, told)
        if isinstance(found, Rejection):
            return found
        facts |= found
    refused = _board_things(story, told)
    if refused is not None:
        return refused
    if "masterpiece" in told:
        spaces = list(told["masterpiece"])
        # a card that lies there has not left the match
        out = {p: [card for card in state.side(p).out if f"{p}{card}" not in spaces] for p in PLAYERS}
        facts |= {"masterpiece": spaces, "out": out}
    story.tell("corrected", **facts)
    return None


def change_rules(story: Story, command: c.ChangeRules) -> Rejection | None:
    if story.state.played:
        return Rejection("too_late", "The rules are changed before the first card is played.")
    story.tell("rules_set", rules={**story.state.rules.to_json(), **command.chosen})
    return None


def _bad(text: str, *cells: str) -> Rejection:
    return Rejection("bad_value", text, cells)


def _turn_and_phase(state: State, told: Mapping[str, Any]) -> dict[str, Any] | Rejection:
    found = {name: told[name] for name in ("turn", "phase") if name in told}
    if found and (state.chain or state.due):
        return Rejection("not_now", "Turn and phase are corrected when nothing is on the React Chain or due.")
    if found and state.over is not None:
        return Rejection("match_over", "The match is over; undo what ended it.")
    if "turn" in found and "phase" not in found:
        # a turn that begins anew begins with what comes first
        found["phase"] = "draw" if state.turn_number == 1 else "masterpiece"
    return found


def _cards(state: State, told: Mapping[str, Any]) -> dict[str, Any] | Rejection:
    found = {name: told[name] for name in ("hand", "deck", "discard", "ascended") if name in told}
    if "flipped" in told:
        found["flipped"] = list(told["flipped"])
    if not found:
        return {}
    side = state.side(told["player"])
    if "deck" in found and side.deck is None:
        return _bad(f"correct: deck: player {told['player']} has no deck.")
    size = side.things.deck
    laid = sum((card.player, card.source) == (told["player"], "hand") for card in state.chain)
    if size is not None and _together(side, found) + laid > size:
        return _bad(f"correct: hand, deck, discard and React Chain together are more than {size} cards.")
    return {"player": told["player"], **found}


def _together(side: Side, found: Mapping[str, Any]) -> int:
    return sum(found.get(name, getattr(side, name)) or 0 for name in ("hand", "deck", "discard"))


def _unit(state: State, told: Mapping[str, Any]) -> dict[str, Any] | Rejection:
    if "unit" not in told:
        return {}
    found = _put(state, told, [unit for unit in state.units if unit.id != told["unit"]])
    return found if isinstance(found, Rejection) else {"unit": found}


def _units(state: State, told: Mapping[str, Any]) -> dict[str, Any] | Rejection:
    """All at once: each may stand where another one of them stood."""
    if "units" not in told:
        return {}
    names = [one["unit"] for one in told["units"]]
    others = [unit for unit in state.units if unit.id not in names]
    found: list[dict[str, Any]] = []
    for one in told["units"]:
        put = _put(state, one, others)
        if isinstance(put, Rejection):
            return put
        found.append(put)
        if put["zone"] is not None:
            others.append(Unit(**put))
    return {"units": found}


def _put(state: State, told: Mapping[str, Any], others: Sequence[Unit]) -> dict[str, Any] | Rejection:
    """The unit as it is then; `others`: those that stand on the field beside it."""
    name = told["unit"]
    owner, _, rest = name.partition(".")
    kind = rest.rstrip("0123456789") or None
    summons = state.side(owner).things.summons
    if kind is not None and kind not in summons:
        return _bad(f"correct: player {owner} has no summon called {kind}.")
    there = state.unit(name)
    if there is None:
        most = None if kind is None else summons[kind].count
        if most is not None and sum((u.owner, u.kind) == (owner, kind) for u in others) >= most:
            return _bad(f"correct: player {owner} has only {most} {kind} in all.")
        if told.get("zone") is None:
            return _bad(f"correct: unit {name} is not on the field; name its zone.")
        there = Unit(name, owner, "", kind, follows=kind is not None and summons[kind].follows)
    zone = told.get("zone", there.zone)
    if zone is None and kind is None:
        return _bad("correct: an artist always stands on the field.")
    if zone is not None:
        if not state.field.holds(zone):
            return _bad(f"correct: {zone} lies off the board.", zone)
        other = next((unit for unit in others if unit.zone == zone), None)
        if other is not None:
            return _bad(f"correct: unit {other.id} stands in {zone}; a zone holds one unit.", zone)
    unit = {"id": name, "owner": owner, "zone": zone, "kind": kind, "follows": there.follows}
    return {**unit, "exhausted": told.get("exhausted", there.exhausted)}


def _board_things(story: Story, told: Mapping[str, Any]) -> Rejection | None:
    """Tokens, blocks and tiles of one zone."""
    state, zone, player = story.state, told.get("zone"), told.get("player", "")
    if "token" not in told and "tile" not in told:
        return None
    if not state.field.holds(str(zone)):
        return _bad(f"correct: {zone} lies off the board.", str(zone))
    if "tile" in told:
        return _tile(story, told["tile"], str(zone), player)
    kind, count = told["token"], told["count"]
    if kind != BLOCK and kind not in state.side(player).things.tokens:
        return _bad(f"correct: player {player} has no token called {kind}.")
    blocks = sum((block.owner, block.zone) == (player, zone) for block in state.blocks)
    there = blocks if kind == BLOCK else state.pile(player, kind, zone, None)
    pool = left(state, player, "tokens", kind)
    if pool is not None and count - there > pool:
        return _bad(f"correct: player {player} has only {pool} {kind} left.", str(zone))
    if kind != BLOCK:
        story.tell("tokens", player=player, kind=kind, zone=zone, unit=None, count=count)
        return None
    for _ in range(there, count):
        story.tell("block_placed", player=player, zone=zone, stays=state.rules.blocks_end == "hit")
    for _ in range(count, there):
        story.tell("block_removed", player=player, zone=zone)
    return None


def _tile(story: Story, kind: str | None, zone: str, player: str) -> Rejection | None:
    there = story.state.tile_at(zone)
    if kind is not None and kind not in story.state.side(player).things.tiles:
        return _bad(f"correct: player {player} has no tile called {kind}.")
    if there is not None:
        story.tell("tile_lifted", player=there.owner, kind=there.kind, zone=zone)
    if kind is not None:
        if left(story.state, player, "tiles", kind) == 0:
            return _bad(f"correct: player {player} has no {kind} tile left.", zone)
        story.tell("tile_laid", player=player, kind=kind, zone=zone)
    return None
