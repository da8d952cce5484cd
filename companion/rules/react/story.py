"""The events of one command while it is decided, and how an effect that cannot be resolved is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from companion.rules.core import Event, Rejection
from companion.rules.react.events import evolve
from companion.rules.react.state import State

MOST_BY_ITSELF: Final = 20
"""So many passives in one command happen by themselves; the next waits, since two of them may go on for ever."""


class Story:
    """The events of one command so far, and the state after them."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self.by_themselves = 0

    def tell(self, what: str, /, **facts: Any) -> None:
        event = {"type": what, **facts}
        self.state = evolve(self.state, event)
        self.events.append(event)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an effect fails and is skipped. `slip`: entered by itself it is refused; `never`: in a line too."""

    code: str
    text: str
    cells: tuple[str, ...] = ()
    slip: bool = False
    never: bool = False

    def rejection(self, code: str | None = None, before: str = "") -> Rejection:
        return Rejection(code or self.code, f"{before}{self.text}", self.cells)


def not_your_turn(state: State, player: str) -> Rejection | None:
    if player == state.turn:
        return None
    return Rejection("not_your_turn", f"It is player {state.turn}'s turn, not player {player}'s.")
