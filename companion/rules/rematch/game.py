"""Re;MATCH as a `Game`: what the session, the referee and the page are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.rules.core import Event, Game, Rejection
from companion.rules.rematch import pointing, telling
from companion.rules.rematch.decide import decide
from companion.rules.rematch.events import evolve
from companion.rules.rematch.fighters import Board, same_name
from companion.rules.rematch.helping import help_for
from companion.rules.rematch.state import State
from companion.rules.rematch.state_json import to_json


class Rematch:
    """`boards`: the fighters that a set-up may name, by name; everything else is in the modules beside it."""

    name = "rematch"

    def __init__(self, boards: Mapping[str, Board] | None = None) -> None:
        self._boards = {same_name(name): board for name, board in (boards or {}).items()}

    def decide(self, state: State | None, command: Mapping[str, Any]) -> Sequence[Event] | Rejection:
        return decide(state, command, self._boards)

    def evolve(self, state: State | None, event: Event) -> State:
        return evolve(state, event)

    def state_to_json(self, state: State | None) -> dict[str, Any] | None:
        return None if state is None else to_json(state)

    def help(self, state: State | None) -> Mapping[str, Any] | None:
        return None if state is None else help_for(state)

    def named(self, command: Mapping[str, Any]) -> str:
        return telling.named(command)

    def told(self, events: Sequence[Event]) -> Sequence[str]:
        return telling.told(events)

    def meant(self, state: State | None, command: Mapping[str, Any]) -> Mapping[str, Any] | None:
        return None if state is None or not pointing.points(command) else pointing.meant(to_json(state), command)

    def pointed(
        self, state: State | None, command: Mapping[str, Any], meant: Mapping[str, Any]
    ) -> Mapping[str, Any] | None:
        return None if state is None else pointing.pointed(to_json(state), command, meant)


REMATCH: Final[Game] = Rematch()
"""Without any fighter's board."""
