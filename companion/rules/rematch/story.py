"""The events of one command while it is decided, and what several commands ask of a state before they go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.core import Event, Rejection
from companion.rules.rematch.events import evolve
from companion.rules.rematch.state import Dial, State
from companion.rules.rematch.switches import Rules
from companion.rules.rematch.tray import CELLS, COLOUR_NAMES, COLOURS, EMPTY, Tray


class Story:
    """The events of one command so far, and the state after them."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def tell(self, kind: str, **facts: Any) -> None:
        event = {"type": kind, **facts}
        self.state = evolve(self.state, event)
        self.events.append(event)


def dials_json(dials: Mapping[str, Dial]) -> dict[str, Any]:
    return {colour: dial.to_json() for colour, dial in dials.items()}


def too_many(tray: Tray, rules: Rules) -> Rejection | None:
    for colour in COLOURS:
        if tray.count(colour) > rules.most_of_a_colour:
            cells = tuple(cell for cell in CELLS if tray.at(cell) == colour)
            text = f"{len(cells)} {COLOUR_NAMES[colour]} marbles in view, but there are only {rules.most_of_a_colour}."
            return Rejection("too_many_of_colour", text, cells)
    return None


def not_your_turn(state: State, player: str) -> Rejection | None:
    if player == state.turn:
        return None
    return Rejection("not_your_turn", f"It is player {state.turn}'s turn, not player {player}'s.")


def without(state: State, cells: Sequence[str], refill: Mapping[str, str]) -> Tray | Rejection:
    """The tray after some marbles are gone and others have dropped in."""
    try:
        tray = state.tray.without(cells, refill)
    except ValueError as error:
        return Rejection("bad_value", f"The {error}.")
    return too_many(tray, state.rules) or tray


def no_marble(state: State, cells: Sequence[str]) -> tuple[str, ...]:
    return tuple(cell for cell in cells if state.tray.at(cell) == EMPTY)
