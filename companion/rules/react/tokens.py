"""Tokens, zone tiles and block tokens (rulebook: Tokens, Zone Tiles, Block Tokens)."""

from __future__ import annotations

from companion.rules.react.artists import BLOCK, Effect
from companion.rules.react.context import Context
from companion.rules.react.moving import on_field
from companion.rules.react.state import State
from companion.rules.react.story import Failure, Story
from companion.rules.react.triggers import tokens_came


def left(state: State, player: str, of: str, kind: str) -> int | None:
    """How many of a kind wait in the player's pool; None: they are not counted."""
    pool = getattr(state.side(player).things, of).get(kind)
    if pool is None:
        return None
    return max(0, int(pool) - placed(state, player, of, kind))


def placed(state: State, player: str, of: str, kind: str) -> int:
    if of == "tiles":
        return sum((tile.owner, tile.kind) == (player, kind) for tile in state.tiles)
    if kind == BLOCK:
        return sum(block.owner == player for block in state.blocks)
    return sum(pile.count for pile in state.piles if (pile.owner, pile.kind) == (player, kind))


def token(story: Story, effect: Effect, context: Context) -> Failure | None:
    """Placed one by one as long as there are any, moved, or back into the pool."""
    state, player, kind, count = story.state, effect["player"], effect["kind"], effect["count"]
    zone, name = effect.get("zone"), effect.get("unit")
    if name is not None:
        unit = on_field(state, name)
        if isinstance(unit, Failure):
            return unit
    elif zone is None or not state.field.holds(zone):
        return _off(str(zone))
    there = state.pile(player, kind, zone, name)
    if "remove" in effect or "to" in effect:
        return _take(story, effect, there, context)
    pool = left(state, player, "tokens", kind)
    if pool is not None and (not pool or (context.whole and pool < count)):
        few = f"only {pool} {kind} tokens" if pool else f"no {kind} token"
        return Failure("none_left", f"Player {player} has {few} left.", () if zone is None else (zone,))
    _lay(story, player, kind, zone, name, there, count if pool is None else min(count, pool))
    return None


def _take(story: Story, effect: Effect, there: int, context: Context) -> Failure | None:
    player, kind, zone, name = effect["player"], effect["kind"], effect.get("zone"), effect.get("unit")
    where, cells = zone or name, () if zone is None else (zone,)
    goal = effect.get("to")
    if not there or (context.whole and there < effect["count"]):
        few = f"are only {there} {kind} tokens" if there else f"is no {kind} token"
        return Failure("not_there", f"There {few} of player {player} at {where}.", cells)
    if goal is not None and not story.state.field.holds(goal):
        return _off(goal)
    if goal is not None and goal == zone:
        return Failure("not_there", f"It lies in {goal} already.", (goal,))
    count = min(effect["count"], there)
    story.tell("tokens", player=player, kind=kind, zone=zone, unit=name, count=there - count)
    if goal is not None:
        _lay(story, player, kind, goal, None, story.state.pile(player, kind, goal, None), count)
    return None


def _lay(story: Story, player: str, kind: str, zone: str | None, name: str | None, there: int, count: int) -> None:
    story.tell("tokens", player=player, kind=kind, zone=zone, unit=name, count=there + count)
    if zone is not None:
        tokens_came(story, player, kind, zone, there, there + count)


def tile(story: Story, effect: Effect, context: Context) -> Failure | None:
    state, player, kind, zone = story.state, effect["player"], effect["kind"], effect["zone"]
    goal = effect.get("to", zone)
    if not state.field.holds(goal):
        return _off(goal)
    if "to" in effect or "remove" in effect:
        there = state.tile_at(zone)
        if there is None or (there.owner, there.kind) != (player, kind):
            return Failure("not_there", f"There is no {kind} tile of player {player} in {zone}.", (zone,))
    elif left(state, player, "tiles", kind) == 0:
        return Failure("none_left", f"Player {player} has no {kind} tile left.", (zone,))
    if "remove" not in effect:
        other = state.tile_at(goal)
        if other is not None:
            return Failure("occupied", f"{goal} has a zone tile already, {other.owner}'s {other.kind}.", (goal,))
    if "to" in effect or "remove" in effect:
        story.tell("tile_lifted", player=player, kind=kind, zone=zone)
    if "remove" not in effect:
        story.tell("tile_laid", player=player, kind=kind, zone=goal)
    return None


def block(story: Story, effect: Effect, context: Context) -> Failure | None:
    state, player, zone = story.state, effect["player"], effect["zone"]
    if not state.field.holds(zone):
        return _off(zone)
    if "remove" in effect:
        if not any((block.owner, block.zone) == (player, zone) for block in state.blocks):
            return Failure("not_there", f"There is no block token of player {player} in {zone}.", (zone,))
        story.tell("block_removed", player=player, zone=zone)
        return None
    if left(state, player, "tokens", BLOCK) == 0:
        return Failure("none_left", f"Player {player} has no block token left.", (zone,))
    stays = effect.get("stays", state.rules.blocks_end == "hit")
    story.tell("block_placed", player=player, zone=zone, stays=stays)
    return None


def _off(zone: str) -> Failure:
    return Failure("off_board", f"{zone} lies off the board.", (zone,))
