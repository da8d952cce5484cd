"""Reinforcements as a `Game`: what the session, the referee and the page are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.core import Event, Rejection
from companion.rules.reinforcements import telling
from companion.rules.reinforcements.decide import decide
from companion.rules.reinforcements.events import evolve
from companion.rules.reinforcements.state import State
from companion.rules.reinforcements.state_json import to_json


class Reinforcements:
    name = "reinforcements"

    def decide(self, state: State | None, command: Mapping[str, Any]) -> Sequence[Event] | Rejection:
        return decide(state, command)

    def evolve(self, state: State | None, event: Event) -> State:
        return evolve(state, event)

    def state_to_json(self, state: State | None) -> dict[str, Any] | None:
        return None if state is None else to_json(state)

    def named(self, command: Mapping[str, Any]) -> str:
        return telling.named(command)

    def told(self, events: Sequence[Event]) -> Sequence[str]:
        return telling.told(events)
