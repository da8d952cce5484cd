"""The kept matches for the page: a list, each step by step, as text, and texts taken in (web.records.Records)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from companion import match_text
from companion.errors import InputError
from companion.games import GAMES, game, notation
from companion.history import Record, history
from companion.rules.core import Game
from companion.session import Session
from companion.shelf import Found, Kept, Shelf


def played(data: bytes, source: str, rules: Callable[[str], Game], recount: bool = False) -> tuple[str, str, Session]:
    """The game, date and session of a match text. `rules`: a game by its name. Raises InputError."""
    text = match_text.read(data, source)
    name = next((name for name in GAMES if name == text.game.casefold()), None)
    if name is None:
        raise InputError(f"match {source}: Game: {text.game!r} is not known here: there is {', '.join(GAMES)}")
    return name, text.date, match_text.play(text, rules(name), notation(name), recount)


def told(name: str, session: Session) -> str:
    """One line about a match: who played, and how it ended or whose turn it is."""
    words, state = notation(name), session.state_json or {}
    return f"{words.names(state)}, {words.result(state) or f'under way, {words.turn(state)}'}"


class Records:
    """The matches, each by its game's own rules. Any thread may ask; only `take` opens a file for more than reading.

    `shelf`: the one to look at now, since a simulated table's matches lie apart.
    """

    def __init__(self, shelf: Callable[[], Shelf], name: str, rules: Game) -> None:
        self._shelf, self._name, self._rules = shelf, name, rules
        self._lock = threading.Lock()
        self._states: tuple[Any, list[Mapping[str, Any]]] = (None, [])  # those of the match asked for last

    def matches(self) -> list[dict[str, Any]]:
        """Newest first."""
        found = [{**summary.to_json(), "game": summary.game} for summary in self._shelf().summaries()]
        for one in found:
            del one["file"]
            one["error"] = one["error"] and str(_unreadable(one["number"]))
        return found[::-1]

    def match(self, number: int) -> dict[str, Any]:
        """`{"number", "game", "players", "result", "date", "steps": [{"wall", "turn", "line", "remark", "figures"}]}`

        The first step is the set-up. Raises InputError.
        """
        kept, found, in_force, states = self._replayed(number)
        words = found.notation
        steps = []
        for at, record in enumerate(in_force):
            before, after = states[max(at - 1, 0)], states[at]
            steps.append(
                {
                    "wall": record.wall,
                    "turn": words.turn(before),
                    "line": "" if at == 0 else match_text.line(words, record.command),
                    "remark": "" if at == 0 else words.remark(record.command, before, after),
                    "figures": words.figures(after),
                }
            )
        last = states[-1]
        return {
            "number": kept.number,
            "game": found.game.name,
            "players": words.names(last),
            "result": words.result(last),
            "date": in_force[0].wall[:10],
            "steps": steps,
        }

    def state(self, number: int, step: int) -> Mapping[str, Any]:
        """The state after a step of `match`. Raises InputError."""
        _, _, _, states = self._replayed(number)
        if not 0 <= step < len(states):
            raise InputError(f"match {number} has no step {step}, only 0 to {len(states) - 1}")
        return states[step]

    def text(self, number: int) -> str:
        """The match as text (docs/match-text.md). Raises InputError."""
        shelf, kept = self._found(number)
        try:
            found = shelf.read(kept)
            return match_text.write(found.records, found.game, found.notation)
        except InputError:
            raise _unreadable(number) from None

    def take(self, text: str) -> dict[str, Any]:
        """A text becomes a match of its own, whole or not at all: `{"number", "told", "kept_aside"}`.

        `kept_aside`: it can be looked up, but the companion does not go on with it. Raises InputError.
        """
        data = text.encode(errors="replace")
        if len(data) > match_text.MOST_BYTES:
            raise InputError(f"match: is larger than {match_text.MOST_BYTES // 1000} kB")
        name, date, session = played(data, "text", lambda name: self._rules if name == self._name else game(name))
        with self._lock:
            kept, _ = self._shelf().take(session, date)
        return {"number": kept.number, "told": told(name, session), "kept_aside": kept.imported}

    def _found(self, number: int) -> tuple[Shelf, Kept]:
        shelf = self._shelf()
        for kept in shelf.kept():
            if kept.number == number:
                return shelf, kept
        raise InputError(f"there is no match {number}")

    def _replayed(self, number: int) -> tuple[Kept, Found, tuple[Record, ...], list[Mapping[str, Any]]]:
        shelf, kept = self._found(number)
        try:
            found = shelf.read(kept)
            in_force = history(found.records).in_force
            key = (kept.path, len(found.records))
            with self._lock:
                if self._states[0] != key:
                    self._states = (key, match_text.states_of(in_force, found.game))
                states = self._states[1]
        except ValueError:
            raise _unreadable(number) from None
        if not in_force:
            raise InputError(f"match {number} was never set up")
        return kept, found, in_force, states


def _unreadable(number: int) -> InputError:
    # what it is in detail names paths of this machine, which are nobody's business; `companion matches` says it
    return InputError(f"match {number} cannot be read; its file is kept as it is")
