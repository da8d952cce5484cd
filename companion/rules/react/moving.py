"""Units: movement, jump, swap, summons, exhausting (rulebook: Movement, Jump, Swapping, Summons, Exhaust)."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.react import field as g
from companion.rules.react.artists import Effect
from companion.rules.react.context import Context
from companion.rules.react.state import State, Unit
from companion.rules.react.story import Failure, Story
from companion.rules.react.triggers import entered


def on_field(state: State, name: str) -> Unit | Failure:
    unit = state.unit(name)
    return Failure("not_there", f"Unit {name} is not on the field.") if unit is None else unit


def move(story: Story, effect: Effect, context: Context) -> Failure | None:
    unit = on_field(story.state, effect["unit"])
    if isinstance(unit, Failure):
        return unit
    if "direction" in effect:
        goal = g.step(unit.zone, effect["direction"])
    else:
        goal = effect["to"]
        x, y = g.way(unit.zone, goal)
        if x and y:
            text = f"{goal} is not straight ahead of {unit.zone}: there are no diagonal moves."
            return Failure("out_of_reach", text, (unit.zone, goal), slip=True, never=True)
        if abs(x + y) != 1:
            return Failure("out_of_reach", f"{goal} is not next to {unit.zone}.", (unit.zone, goal))
    return _shift(story, unit, goal, "move")


def jump(story: Story, effect: Effect, context: Context) -> Failure | None:
    """Over occupied zones to the first empty one; the next zone being empty, it is a move."""
    state = story.state
    unit = on_field(state, effect["unit"])
    if isinstance(unit, Failure):
        return unit
    over, goal = [], g.step(unit.zone, effect["direction"])
    while state.field.holds(goal) and state.unit_at(goal) is not None:
        over.append(goal)
        goal = g.step(goal, effect["direction"])
    if over and not state.field.holds(goal):
        text = f"Every zone {effect['direction']} of {unit.zone} is occupied, to the edge of the board."
        return Failure("occupied", text, tuple(over))
    return _shift(story, unit, goal, "jump")


def swap(story: Story, effect: Effect, context: Context) -> Failure | None:
    found = []
    for name in effect["units"]:
        unit = on_field(story.state, name)
        if isinstance(unit, Failure):
            return unit
        found.append(unit)
    one, two = found
    zones = {one.id: two.zone, two.id: one.zone}
    for artist, goal in ((one, two.zone), (two, one.zone)):
        for follower in _followers(story.state, artist):
            zones.setdefault(follower.id, g.shifted(follower.zone, g.way(artist.zone, goal)))
    return _place(story, zones, "swap")


def summon(story: Story, effect: Effect, context: Context) -> Failure | None:
    state, player, kind, zone = story.state, effect["player"], effect["kind"], effect["zone"]
    known = state.side(player).things.summons[kind]
    there = {unit.id for unit in state.units if unit.owner == player and unit.kind == kind}
    if known.count is not None and len(there) >= known.count:
        return Failure("none_left", f"Player {player} has no {kind} left to summon.", (zone,))
    failure = _occupied(state, zone)
    if failure is not None:
        return failure
    number = next(n for n in range(1, len(there) + 2) if f"{player}.{kind}{n}" not in there)
    story.tell("summoned", unit=f"{player}.{kind}{number}", player=player, kind=kind, zone=zone, follows=known.follows)
    return None


def remove(story: Story, effect: Effect, context: Context) -> Failure | None:
    unit = on_field(story.state, effect["unit"])
    if isinstance(unit, Failure):
        return unit
    if unit.kind is None:
        return Failure("bad_value", f"Unit {unit.id} is an artist, who stays on the field.", (unit.zone,), slip=True)
    story.tell("removed", unit=unit.id, zone=unit.zone)
    return None


def exhaust(story: Story, effect: Effect, context: Context) -> Failure | None:
    unit = on_field(story.state, effect["unit"])
    if isinstance(unit, Failure):
        return unit
    if unit.exhausted:
        return Failure("exhausted", f"Unit {unit.id} is exhausted already.", (unit.zone,))
    story.tell("exhausted", unit=unit.id)
    return None


def refresh(story: Story, effect: Effect, context: Context) -> Failure | None:
    unit = on_field(story.state, effect["unit"])
    if isinstance(unit, Failure):
        return unit
    if not unit.exhausted:
        return Failure("not_exhausted", f"Unit {unit.id} is not exhausted.", (unit.zone,))
    story.tell("refreshed", units=[unit.id])
    return None


def _shift(story: Story, unit: Unit, goal: str, how: str) -> Failure | None:
    """The unit, and with an artist whatever follows it."""
    by = g.way(unit.zone, goal)
    followers = _followers(story.state, unit)
    zones = {unit.id: goal, **{other.id: g.shifted(other.zone, by) for other in followers}}
    return _place(story, zones, how)


def _followers(state: State, unit: Unit) -> list[Unit]:
    if unit.kind is not None:
        return []
    return [other for other in state.units if other.follows and other.owner == unit.owner]


def _place(story: Story, zones: Mapping[str, str], how: str) -> Failure | None:
    """All of these units at once; nothing happens if the board cannot be so."""
    state = story.state
    taken = {unit.zone: unit.id for unit in state.units if unit.id not in zones}
    for name, zone in zones.items():
        if not state.field.holds(zone):
            return Failure("off_board", f"Unit {name} would leave the board at {zone}.", (zone,))
        if zone in taken:
            return Failure("occupied", f"Unit {taken[zone]} stands in {zone}, where unit {name} would go.", (zone,))
        taken[zone] = name
    story.tell("moved", how=how, units=dict(zones))
    entered(story, zones)
    return None


def _occupied(state: State, zone: str) -> Failure | None:
    if not state.field.holds(zone):
        return Failure("off_board", f"{zone} lies off the board.", (zone,))
    unit = state.unit_at(zone)
    return None if unit is None else Failure("occupied", f"Unit {unit.id} stands in {zone}.", (zone,))
