"""One match being played: commands in, replies out, the state always the fold of the log (DESIGN §4, §7).

Generic over `Game`: it knows `setup`, `undo`, `redo` and `amend`, and nothing else of what the commands mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.amending import amendment, derive, plain, plain_events
from companion.command_line import BadCommand, parse
from companion.errors import InputError
from companion.foreseeing import foresee
from companion.history import SETUP, History, HistoryError, Kind, Record, misfit_to_json, tail_to_json
from companion.log import Log
from companion.rules.core import Event, Game, Helping, Rejection


@dataclass(frozen=True)
class Reply:
    """`body`: the referee's reply as plain JSON, exactly as DESIGN §7 has it; `code`: the refusal's, None: accepted.

    `command`: what it answers, empty for a line that was no command. `state`: of an accepted one the game's own value.
    """

    body: dict[str, Any]
    code: str | None = None
    command: Mapping[str, Any] = field(default_factory=dict)
    state: Any = field(default=None, compare=False)

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
        self._states: list[Any] = []  # after each place of the timeline; a misfit leaves it as it was
        self._replay(() if log is None else log.records())
        self._json = game.state_to_json(self.state)

    @property
    def state(self) -> Any:
        return self._states[-1] if self._states else None

    @property
    def state_json(self) -> dict[str, Any] | None:
        return self._json

    def help(self) -> Mapping[str, Any] | None:
        """What the game tells learners about the state of now; None: nothing."""
        return self.game.help(self.state) if isinstance(self.game, Helping) else None

    @property
    def version(self) -> int:
        """The number of accepted commands in the log, undo, redo and amend among them."""
        return self._history.version

    @property
    def history(self) -> History:
        return self._history

    @property
    def timeline(self) -> tuple[Record, ...]:
        """The commands in force with what they did, set-up first; after an amendment in the order it made."""
        return self._history.in_force

    @property
    def misfits(self) -> tuple[Record, ...]:
        """The commands that no longer fit since an older one was amended, each with its `error`."""
        return self._history.misfits

    def misfits_to_json(self) -> list[dict[str, Any]]:
        return [misfit_to_json(record) for record in self.misfits]

    def foresee(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """What a command would do (companion.foreseeing); nothing is done, and nothing goes into the log."""
        return foresee(self.game, self._history, [None, *self._states], command, self._next_seq)

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
        if name == "amend":
            return self._amend(command)
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
        events = plain_events(decided)
        setup = command["do"] == SETUP
        state = self._fold(None if setup else self.state, events)
        at = 0 if setup else len(self._states)
        self._write("accepted", plain(command), events, at, [state], new=setup)
        body = {"ok": True, "events": list(events), "state": self._json}
        return Reply(body, command=command, state=self.state)

    def _undo_or_redo(self, name: str, command: dict[str, Any]) -> Reply:
        unknown = sorted(set(command) - {"do"})
        if unknown:
            return self._refuse(command, Rejection("bad_command", f"'{name}' has no field '{unknown[0]}'."))
        if self._history.setup is None:
            return self._refuse(command, Rejection("not_now", "There is no match yet: set one up first."))
        kind: Kind = "undo" if name == "undo" else "redo"
        target = self._history.next_undo if kind == "undo" else self._history.next_redo
        if target is None:
            return self._refuse(command, Rejection(f"nothing_to_{name}", f"There is nothing to {name}."))
        at, tail = self._history.change(Record(0, kind, command))
        self._write(kind, command, (), at, self._states_of(at, tail))
        event = {"type": "undone" if kind == "undo" else "redone", "seq": target.seq, "command": target.command}
        body = {"ok": True, "events": [event], "state": self._json}
        if target.kind == "amend":
            body["misfits"] = self.misfits_to_json()
        return Reply(body, command=command, state=self.state)

    def _amend(self, command: dict[str, Any]) -> Reply:
        wanted = amendment(command, self._history, self._next_seq)
        if isinstance(wanted, Rejection):
            return self._refuse(command, wanted)
        tail = derive(self.game, [None, *self._states], wanted)
        if isinstance(tail, Rejection):
            return self._refuse(command, tail)
        kept = plain(tail_to_json(tail))
        self._write("amend", plain(command), kept, wanted.at, self._states_of(wanted.at, tail))
        body = {"ok": True, "events": [wanted.event()], "state": self._json, "misfits": self.misfits_to_json()}
        return Reply(body, command=command, state=self.state)

    @property
    def _next_seq(self) -> int:
        return self.version + 1 if self._log is None else self._log.next_seq

    def _write(
        self,
        kind: Kind,
        command: dict[str, Any],
        events: Sequence[Mapping[str, Any]],
        at: int,
        states: Sequence[Any],
        new: bool = False,
    ) -> None:
        """Into the log, and then into force: from place `at` of the timeline on the states are these.

        `new`: in a log of its own. Whatever is raised, nothing has changed.
        """
        state_json = self.game.state_to_json(states[-1] if states else self._states[at - 1])
        log = self._next_log() if new and self._next_log is not None else self._log
        if log is not None:
            record = log.append(kind, command, events)
        else:
            record = Record(self.version + 1, kind, command, tuple(events))
        self._history = self._history.add(record)
        if log is not self._log and self._log is not None:
            self._log.close()
        self._log = log
        self._states[at:] = states
        self._json = state_json

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

    def _states_of(self, at: int, tail: Iterable[Record]) -> list[Any]:
        """The states after each place of a tail that stands from `at` on; what did happen is folded, not decided."""
        state = self._states[at - 1] if at else None
        states = []
        for record in tail:
            state = self._fold(state, record.events)
            states.append(state)
        return states

    def _replay(self, records: Iterable[Record]) -> None:
        for record in records:
            try:
                if record.kind == "refused":
                    continue
                at, tail = self._history.change(record)
                self._states[at:] = self._states_of(at, tail)
                self._history = self._history.add(record)
            except (HistoryError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                raise InputError(
                    f"the log cannot be replayed by the rules of {self.game.name!r}: record {record.seq}: {error!r}"
                ) from error
