"""Passives that a unit's entering or a placed token sets off (rulebook: Resolving the React Chain, Zone Tiles)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.rules.react.artists import Passive
from companion.rules.react.field import opponent
from companion.rules.react.story import Story


def entered(story: Story, units: Iterable[str]) -> None:
    """These units have entered the zones where they are now: by a move, a jump or a swap, never by a summon."""
    found = []
    for name in units:
        unit = story.state.unit(name)
        tile = None if unit is None else story.state.tile_at(unit.zone)
        if unit is None or tile is None:
            continue
        for passive in story.state.side(tile.owner).things.passives:
            whose = "own" if unit.owner == tile.owner else "foe"
            if passive.when == "enter" and passive.of == tile.kind and passive.who in ("any", whose):
                found.append((tile.owner, passive, unit.zone, name))
    _set_off(story, found)


def tokens_came(story: Story, player: str, kind: str, zone: str, before: int, now: int) -> None:
    """So many tokens of that kind and player lie in the zone now."""
    passives = story.state.side(player).things.passives
    _set_off(
        story,
        [
            (player, passive, zone, None)
            for passive in passives
            if passive.when == "tokens" and passive.of == kind and before < passive.count <= now
        ],
    )


def of_the_turn(story: Story, when: str) -> None:
    """Start or end effects: the player's on turn first."""
    state = story.state
    found: list[tuple[str, Passive, str | None, str | None]] = [
        (player, passive, None, None)
        for player in (state.turn, opponent(state.turn))
        for passive in state.side(player).things.passives
        if passive.when == when and (passive.turns == "every" or player == state.turn)
    ]
    _set_off(story, found, part=when)


def _set_off(story: Story, found: Iterable[tuple[str, Passive, str | None, str | None]], part: str = "passive") -> None:
    state = story.state
    first = sorted(found, key=lambda item: item[0] != state.turn)
    items = [
        due_json(
            state.due_ids + number,
            part=part,
            player=player,
            name=passive.name,
            zone=zone,
            unit=unit,
            effects=None if passive.lines is None else [dict(line) for line in passive.lines],
        )
        for number, (player, passive, zone, unit) in enumerate(first, start=1)
    ]
    if items and state.over is None:
        story.tell("due_added", items=items)


def due_json(number: int, **told: Any) -> dict[str, Any]:
    return {"id": number, "slot": None, "zone": None, "unit": None, "effects": None, **told}
