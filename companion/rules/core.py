"""What every game's rules have in common: refusals as values, and the decide/evolve core (DESIGN §4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable


@dataclass(frozen=True)
class Reason:
    """One reason why something is not allowed: a code of DESIGN §8, the cells it is about, one sentence."""

    code: str
    text: str
    cells: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"code": self.code, "cells": list(self.cells), "text": self.text}


@dataclass(frozen=True)
class Rejection:
    """A refused command. The state it was decided on is untouched.

    `extra`: whatever else a game has to say about it, as plain JSON; it stands in the error under its own keys.
    """

    code: str
    text: str
    cells: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        error: dict[str, Any] = {"code": self.code, "text": self.text, "cells": list(self.cells)}
        if self.reasons:
            error["reasons"] = [reason.to_json() for reason in self.reasons]
        return {**error, **self.extra}


Event = Mapping[str, Any]
"""A fact, as plain JSON: `{"type": NAME, ...}`. What is in the log is what `evolve` gets, so no codec can differ."""


class Game(Protocol):
    """The rules of one game. `State` is a frozen value of the game's own; None before `setup`.

    `undo` and `redo` never reach a game: the session does them by replaying the log (companion/history.py).
    """

    name: str

    def decide(self, state: Any, command: Mapping[str, Any]) -> Sequence[Event] | Rejection:
        """What would happen. Never raises for a player's mistake, and never changes anything."""
        ...

    def evolve(self, state: Any, event: Event) -> Any:
        """The state after the event. Total: an event that came out of `decide` never fails."""
        ...

    def state_to_json(self, state: Any) -> dict[str, Any] | None:
        """The whole state as JSON with a fixed key order; None before `setup`."""
        ...


@runtime_checkable
class Helping(Protocol):
    """A game that helps learners."""

    def help(self, state: Any) -> Mapping[str, Any] | None:
        """What could be done now, as plain JSON for the game's own page; None: nothing to help with."""
        ...


@runtime_checkable
class Telling(Protocol):
    """A game that says in plain words what was done and what came of it, for the match's history."""

    def named(self, command: Mapping[str, Any]) -> str:
        """An accepted command as a short sentence without a full stop."""
        ...

    def told(self, events: Sequence[Event]) -> Sequence[str]:
        """What followed from it, one sentence each."""
        ...


class PackagedGame:
    """A Game, and Telling, made of the functions of its package, which keep no state of their own."""

    def __init__(
        self,
        name: str,
        decide: Callable[[Any, Mapping[str, Any]], Sequence[Event] | Rejection],
        evolve: Callable[[Any, Event], Any],
        to_json: Callable[[Any], dict[str, Any]],
        named: Callable[[Mapping[str, Any]], str],
        told: Callable[[Sequence[Event]], Sequence[str]],
    ) -> None:
        self.name = name
        self.decide, self.evolve, self.named, self.told = decide, evolve, named, told
        self._to_json = to_json

    def state_to_json(self, state: Any) -> dict[str, Any] | None:
        return None if state is None else self._to_json(state)


@runtime_checkable
class Pointing(Protocol):
    """A game some of whose commands point at things by numbers that the game gave out ("marker 3").

    When an older command is amended, the things after it may get other numbers. Whoever knows what a command meant
    can point at the same thing again (companion/amending.py).
    """

    def meant(self, state: Any, command: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """What the command points at in this state, as plain JSON without the numbers; None: at nothing."""
        ...

    def pointed(self, state: Any, command: Mapping[str, Any], meant: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The command with the numbers that this state has for it; None: it is not there."""
        ...
