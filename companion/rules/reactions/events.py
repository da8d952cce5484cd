"""What each event does to the state. Nothing is decided here: an event says how things are afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from companion.rules.core import Event
from companion.rules.reactions.entries import key_of
from companion.rules.reactions.state import (
    LOGGED,
    Character,
    Grid,
    Reaction,
    Relation,
    Square,
    State,
    Step,
    Turn,
)
from companion.rules.reactions.switches import Rules


def evolve(state: State | None, event: Event) -> State:
    """The state after the event; LookupError, TypeError or ValueError for an event that these rules never wrote."""
    if event["type"] == "set_up":
        grid = event["grid"]
        state = State(
            tuple(character_of(one) for one in event["characters"]),
            None if grid is None else Grid(grid["columns"], grid["rows"]),
            Rules(**event["rules"]),
        )
        for told in event.get("relations", ()):  # older logs have none
            state = _related(state, told)
        return state
    if state is None:
        raise ValueError(f"event {event['type']!r} before the set-up")
    return _EVENTS[event["type"]](state, event)


def character_of(data: Mapping[str, Any]) -> Character:
    return Character(data["id"], _square(data["at"]), data["range"], data["disabled"], data["reacted"])


def character_json(one: Character) -> dict[str, Any]:
    return {
        "id": one.id,
        "at": None if one.at is None else list(one.at),
        "range": one.range,
        "disabled": one.disabled,
        "reacted": one.reacted,
    }


def reaction_of(data: Mapping[str, Any]) -> Reaction:
    return Reaction(
        data["turn"], data["entry"], data["part"], data["character"], data["reaction"], data["against"], data["moment"]
    )


def reaction_json(one: Reaction) -> dict[str, Any]:
    return {
        "turn": one.turn,
        "entry": one.entry,
        "part": one.part,
        "character": one.character,
        "reaction": one.action,
        "against": one.against,
        "moment": one.moment,
    }


def _square(value: Any) -> Square | None:
    return None if value is None else (value[0], value[1])


def _joined(state: State, event: Event) -> State:
    return replace(state, characters=(*state.characters, character_of(event["character"])))


def _left(state: State, event: Event) -> State:
    gone = event["character"]
    return replace(
        state,
        characters=tuple(one for one in state.characters if one.id != gone),
        relations=tuple(one for one in state.relations if gone not in (one.who, one.to)),
    )


def _related(state: State, event: Event) -> State:
    others = [one for one in state.relations if (one.who, one.to) != (event["who"], event["to"])]
    told = Relation(event["who"], event["to"], event["adjacent"], event["in_range"])
    holds = told.adjacent is not None or told.in_range is not None
    return replace(state, relations=(*others, told) if holds else tuple(others))


def _acted(state: State, event: Event) -> State:
    actions = tuple(event["actions"])
    turn = Turn(event["turn"], tuple(event["active"]), actions, key_of(actions))
    fresh = state.rules.refresh == "turn"
    characters = tuple(replace(one, reacted=False) if fresh else one for one in state.characters)
    return replace(state, characters=characters, turns=turn.number, turn=turn, step=None)


def _announced(state: State, event: Event) -> State:
    step = Step(
        event["part"],
        event["by"],
        event["target"],
        tuple((x, y) for x, y in event["path"]),
        tuple(event["leaves"]),
    )
    return replace(state, step=step)


def _reacted(state: State, event: Event) -> State:
    reaction, step = reaction_of(event), state.step
    assert step is not None
    character = state.character(reaction.character)
    assert character is not None
    moment = step.moment if reaction.moment is None else reaction.moment
    state = state.with_character(replace(character, reacted=True))
    return replace(
        state,
        step=replace(step, reactions=(*step.reactions, reaction), moment=moment),
        log=(*state.log, reaction)[-LOGGED:],
    )


def _moved(state: State, event: Event) -> State:
    character = state.character(event["character"])
    assert character is not None
    return state.with_character(replace(character, at=_square(event["to"])))


def _part_done(state: State, event: Event) -> State:
    turn = state.turn
    assert turn is not None
    done = (*turn.done, (event["part"], event["outcome"], event["by"]))
    return replace(state, turn=replace(turn, done=done), step=None)


def _ended(state: State, event: Event) -> State:
    return replace(state, turn=None, step=None)


def _rules_changed(state: State, event: Event) -> State:
    return replace(state, rules=Rules(**event["rules"]))


def _corrected(state: State, event: Event) -> State:
    return state.with_character(character_of(event["character"]))


_EVENTS: Final[Mapping[str, Callable[[State, Event], State]]] = {
    "joined": _joined,
    "left": _left,
    "related": _related,
    "acted": _acted,
    "announced": _announced,
    "reacted": _reacted,
    "moved": _moved,
    "part_done": _part_done,
    "turn_ended": _ended,
    "rules_changed": _rules_changed,
    "corrected": _corrected,
}
