"""One match being played: commands in, replies out, the state always the fold of the log (DESIGN §4, §7).

Generic over `Game`: it knows `setup`, `undo` and `redo`, and nothing else of what the commands mean.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.command_line import BadCommand, parse
from companion.errors import InputError
from companion.history import SETUP, History, HistoryError, Record
from companion.log import Log
from companion.rules.core import Event, Game, Rejection


@dataclass(frozen=True)
class Reply:
    """`body`: the referee's reply as plain JSON, exactly as DESIGN §7 has it; `code`: the refusal's, None: accepted.

    `command`: what it answers, empty for a line that was no command.
    """

    body: dict[str, Any]
    code: str | None = None
    command: Mapping[str, Any] = field(default_factory=dict)

    @property
    def accepted(self) -> bool:
        return self.code is None


class Session:
    """`log`: the match so far, None: no match yet; `next_log` makes the log of a new match, without it `log` goes on.

    Raises InputError when the log cannot be replayed by this game. `submit` never raises for anything a user sends;
    it passes on LogWriteError, and whatever a faulty game raises: the state is then as before.
    """

    def __init__(self, game: Game, log: Log | None = None, next_log: Callable[[], Log] | None = None) -> None:
        self.game = game
        self._log = log
        self._next_log = next_log
        self._history = History()
        self._states: list[Any] = [None]  # after the set-up and after each command in force
        self._replay(() if log is None else log.records())
        self._json = game.state_to_json(self.state)

    @property
    def state(self) -> Any:
        return self._states[-1]

    @property
    def state_json(self) -> dict[str, Any] | None:
        return self._json

    @property
    def version(self) -> int:
        """The number of accepted commands in the log, undo and redo among them."""
        return self._history.version

    @property
    def history(self) -> History:
        return self._history

    def submit_line(self, line: bytes) -> Reply:
        """One command as its JSON text."""
        try:
            command = parse(line)
        except BadCommand as error:
            # no command at all, so there is nothing to keep in the log
            return self._refusal(Rejection("bad_command", str(error)))
        return self.submit(command)

    def submit(self, command: object) -> Reply:
        """One command; the reply comes after it is in the log."""
        if not isinstance(command, dict) or not all(isinstance(key, str) for key in command):
            return self._refusal(Rejection("bad_command", "A command is an object with a field 'do'."))
        name = command.get("do")
        if not isinstance(name, str):
            return self._refuse(command, Rejection("bad_command", "The field 'do' names the command."))
        if name in ("undo", "redo"):
            return self._undo_or_redo(name, command)
        return self._decided(command, self.game.decide(self.state, command))

    def restart(self, setup: dict[str, Any]) -> Reply:
        """A new match in place of the one under way, which stays in its log as it is: `setup` decided from nothing.

        As a command, `setup` is refused by the game while a match is under way (DESIGN §7: it cannot be undone); this
        is for players who were asked whether they mean it.
        """
        command = {**setup, "do": SETUP}
        return self._decided(command, self.game.decide(None, command))

    def _decided(self, command: dict[str, Any], decision: Iterable[Event] | Rejection) -> Reply:
        if isinstance(decision, Rejection):
            return self._refuse(command, decision)
        return self._accept(command, decision)

    def close(self) -> None:
        if self._log is not None:
            self._log.close()

    def _accept(self, command: dict[str, Any], decided: Iterable[Event]) -> Reply:
        # once through JSON: what is folded now is then exactly what a replay will fold
        events = tuple(json.loads(json.dumps(list(decided), allow_nan=False)))
        setup = command["do"] == SETUP
        state = self._fold(None if setup else self.state, events)
        state_json = self.game.state_to_json(state)
        log = self._log
        if setup and self._next_log is not None:
            log = self._next_log()
        if log is not None:
            record = log.append("accepted", command, events)
        else:
            record = Record(self.version + 1, "accepted", command, events)
        if log is not self._log and self._log is not None:
            self._log.close()
        self._log = log
        if setup:
            self._states.clear()
        self._states.append(state)
        self._history = self._history.add(record)
        self._json = state_json
        return Reply({"ok": True, "events": list(events), "state": self._json}, command=command)

    def _undo_or_redo(self, name: str, command: dict[str, Any]) -> Reply:
        unknown = sorted(set(command) - {"do"})
        if unknown:
            return self._refuse(command, Rejection("bad_command", f"'{name}' has no field '{unknown[0]}'."))
        if self._history.setup is None:
            return self._refuse(command, Rejection("not_now", "There is no match yet: set one up first."))
        target = self._history.next_undo if name == "undo" else self._history.next_redo
        if target is None:
            return self._refuse(command, Rejection(f"nothing_to_{name}", f"There is nothing to {name}."))
        undo = name == "undo"
        state = self._states[-2] if undo else self._fold(self.state, target.events)
        state_json = self.game.state_to_json(state)
        event = {"type": "undone" if undo else "redone", "seq": target.seq, "command": target.command}
        if self._log is not None:
            record = self._log.append("undo" if undo else "redo", command)
        else:
            record = Record(self.version + 1, "undo" if undo else "redo", command)
        if undo:
            self._states.pop()
        else:
            self._states.append(state)
        self._history = self._history.add(record)
        self._json = state_json
        return Reply({"ok": True, "events": [event], "state": self._json}, command=command)

    def _refuse(self, command: dict[str, Any], rejection: Rejection) -> Reply:
        if self._log is not None:
            self._log.append("refused", command, error=rejection.to_json())
        return self._refusal(rejection, command)

    def _refusal(self, rejection: Rejection, command: Mapping[str, Any] | None = None) -> Reply:
        body = {"ok": False, "error": rejection.to_json(), "state": self._json}
        return Reply(body, rejection.code, command or {})

    def _fold(self, state: Any, events: Iterable[Mapping[str, Any]]) -> Any:
        for event in events:
            state = self.game.evolve(state, event)
        return state

    def _replay(self, records: Iterable[Record]) -> None:
        for record in records:
            try:
                before = self._history
                self._history = before.add(record)
                if record.kind == "undo":
                    self._states.pop()
                elif record.kind == "redo" and before.next_redo is not None:
                    self._states.append(self._fold(self.state, before.next_redo.events))
                elif record.kind == "accepted":
                    if record.command.get("do") == SETUP:
                        self._states = [self._fold(None, record.events)]
                    else:
                        self._states.append(self._fold(self.state, record.events))
            except (HistoryError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                raise InputError(
                    f"the log cannot be replayed by the rules of {self.game.name!r}: record {record.seq}: {error!r}"
                ) from error
