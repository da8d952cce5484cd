"""Corrections of older commands: what an `amend` asks for, and what becomes of everything after it. Pure, game-free.

`{"do": "amend", "seq": N, "command": {..}}` puts another command in the place of N, `{"do": "amend", "seq": N,
"remove": true}` takes it out, `{"do": "amend", "after": N, "command": {..}}` puts one in behind it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.history import SETUP, History, Record
from companion.rules.core import Event, Game, Pointing, Rejection

_FIELDS = frozenset({"do", "seq", "after", "command", "remove"})
_OF_THE_MATCH = frozenset({"undo", "redo", "amend"})
"""Commands that are about the match's history: they stand in no place of it."""
_GONE = Rejection("bad_value", "What it was about is not there.")


@dataclass(frozen=True)
class Amendment:
    """From place `at` of the timeline on all is decided again: first `new` if there is one, then `rest`.

    `seq`: of the command that is replaced, taken out, or put in; `new.events` are still to come. `was`: what stood
    there, None for one that is put in.
    """

    at: int
    seq: int
    new: Record | None
    was: Record | None
    rest: tuple[Record, ...]

    def event(self) -> dict[str, Any]:
        """What the reply to an amendment says has happened."""
        command, was = self.new and self.new.command, self.was and self.was.command
        return {"type": "amended", "seq": self.seq, "command": command, "was": was}


def amendment(command: Mapping[str, Any], history: History, seq: int) -> Amendment | Rejection:
    """What the command asks for; `seq`: the number that its own record will have."""
    wrong = _wrong_fields(command)
    if wrong is not None:
        return Rejection("bad_command", wrong)
    if history.setup is None:
        return Rejection("not_now", "There is no match yet: set one up first.")
    field = "seq" if "seq" in command else "after"
    at = history.place(command[field])
    if at is None:
        text = f"There is no such command to amend: '{field}' is one of {_numbers(history)}."
        return Rejection("bad_value", text)
    old, nested = history.timeline[at], command.get("command")
    rest = history.timeline[at + 1 :]
    replaces_setup = field == "seq" and at == 0
    if nested is None:
        if command["remove"] is not True:
            return Rejection("bad_value", "'remove' is true.")
        if replaces_setup:
            return Rejection("bad_value", "The set-up can be replaced, but not taken out.")
        return Amendment(at, old.seq, None, old, rest)
    if replaces_setup != (nested["do"] == SETUP):
        text = "In place of the set-up stands another set-up." if replaces_setup else "A set-up stands first alone."
        return Rejection("bad_command", text)
    if field == "after":
        return Amendment(at + 1, seq, Record(seq, "accepted", nested), None, rest)
    return Amendment(at, old.seq, replace(old, command=nested), old, rest)


def derive(game: Game, states: Sequence[Any], wanted: Amendment) -> tuple[Record, ...] | Rejection:
    """The timeline's new tail, every command decided again; what no longer fits is "refused".

    `states`: before each place of the timeline as it is, and after the last. A Rejection when the game refuses the new
    command itself.
    """
    state = states[wanted.at]
    tail = []
    if wanted.new is not None:
        decided = game.decide(state, wanted.new.command)
        if isinstance(decided, Rejection):
            return decided
        tail.append(_accepted(wanted.new, wanted.new.command, decided))
        state = _folded(game, state, tail[-1])
    rest = wanted.rest
    for old, record in zip(states[len(states) - 1 - len(rest) :], rest, strict=False):
        meant, command = record.meant, record.command
        if record.kind == "accepted" and isinstance(game, Pointing):
            meant = game.meant(old, command)
        if meant is not None and isinstance(game, Pointing):
            pointed = game.pointed(state, command, meant)
            command = command if pointed is None else pointed
            decided = _GONE if pointed is None else game.decide(state, command)
        else:
            decided = game.decide(state, command)
        if isinstance(decided, Rejection):
            error = plain(decided.to_json())
            tail.append(replace(record, kind="refused", command=command, events=(), error=error, meant=meant))
        else:
            tail.append(_accepted(record, command, decided))
            state = _folded(game, state, tail[-1])
    return tuple(tail)


def _accepted(record: Record, command: Mapping[str, Any], decided: Iterable[Event]) -> Record:
    events = plain_events(decided)
    return replace(record, kind="accepted", command=command, events=events, error=None, meant=None)


def _folded(game: Game, state: Any, record: Record) -> Any:
    for event in record.events:
        state = game.evolve(state, event)
    return state


def plain(value: Any) -> Any:
    """Once through JSON: what is kept and folded now is then exactly what a replay of the log will find."""
    return json.loads(json.dumps(value, allow_nan=False))


def plain_events(decided: Iterable[Event]) -> tuple[dict[str, Any], ...]:
    return tuple(plain(list(decided)))


def _wrong_fields(command: Mapping[str, Any]) -> str | None:
    unknown = sorted(set(command) - _FIELDS)
    if unknown:
        return f"'amend' has no field '{unknown[0]}'."
    if ("seq" in command) == ("after" in command):
        return "'amend' has either 'seq', the command to correct, or 'after', the one behind which another is put in."
    if "after" in command and "remove" in command:
        return "With 'after' a command is put in: 'remove' goes with 'seq'."
    if ("command" in command) == ("remove" in command):
        needed = "either 'command' or 'remove'" if "seq" in command else "'command'"
        return f"'amend' with '{'seq' if 'seq' in command else 'after'}' has {needed}."
    if "remove" in command:
        return None
    nested = command["command"]
    if not isinstance(nested, dict) or not all(isinstance(key, str) for key in nested):
        return "'command' is a command: an object with a field 'do'."
    if not isinstance(nested.get("do"), str):
        return "The field 'do' of 'command' names the command."
    if nested["do"] in _OF_THE_MATCH:
        return f"'{nested['do']}' stands in no place of the match: it cannot be put there."
    return None


def _numbers(history: History) -> str:
    """The commands that can be amended, such as "1 to 9, 12"."""
    runs: list[list[int]] = []
    for seq in sorted(record.seq for record in history.timeline):
        if runs and seq == runs[-1][-1] + 1:
            runs[-1][1:] = [seq]
        else:
            runs.append([seq])
    return ", ".join(" to ".join(map(str, run)) for run in runs)
