"""The kept matches, for whoever lists, exports or imports them; a companion may be playing the newest meanwhile."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import InputError
from companion.files import sync_folder
from companion.games import GAMES, game, notation
from companion.history import Record
from companion.log import LogWriteError, MemoryLog, SqliteLog
from companion.log_reading import look
from companion.matches import IMPORTED, numbered
from companion.rules.core import Game
from companion.rules.notation import Notation
from companion.session import Session

LATEST = "latest"


@dataclass(frozen=True)
class Kept:
    """One match. `imported`: kept for looking up only, `run` never goes on with it."""

    number: int
    path: Path
    imported: bool


@dataclass(frozen=True)
class Summary:
    """What there is to say about a match in a list. `result` None: it is under way; `error`: it cannot be read."""

    kept: Kept
    date: str = ""
    players: str = ""
    turn: str = ""
    result: str | None = None
    resumed: bool = False
    error: str | None = None
    game: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.kept.number,
            "date": self.date,
            "players": self.players,
            "turn": self.turn,
            "result": self.result,
            "resumed": self.resumed,
            "imported": self.kept.imported,
            "file": str(self.kept.path),
            "error": self.error,
        }


@dataclass(frozen=True)
class Found:
    """A log that was read: whose rules and words it is written in, and its records."""

    game: Game
    notation: Notation
    records: tuple[Record, ...]

    def state(self, kept: Kept) -> Mapping[str, Any]:
        try:
            return Session(self.game, MemoryLog(self.records)).state_json or {}
        except InputError as error:
            raise InputError(f"log {kept.path}: {error}") from None


class Shelf:
    """The matches in a folder that need not exist. Nothing is locked, and only `take` writes.

    `game`: the one that `run` plays and goes on with; matches of every game that is known lie beside each other.
    """

    def __init__(self, folder: Path, rules: Game, words: Notation) -> None:
        self.folder = folder
        self._game = rules
        self._notation = words

    def kept(self) -> list[Kept]:
        """Oldest first. Raises InputError when the folder cannot be read."""
        if not self.folder.exists():
            return []
        return [
            Kept(number, path, path.name.endswith(IMPORTED)) for number, path in sorted(numbered(self.folder).items())
        ]

    def read(self, kept: Kept) -> Found:
        """Raises InputError, for a game that is not known here as well."""
        name, records = look(kept.path)
        if name in ("", self._game.name):
            return Found(self._game, self._notation, records)
        if name not in GAMES:
            raise InputError(f"log {kept.path}: is of the game {name!r}, not {' or '.join(map(repr, GAMES))}")
        return Found(game(name), notation(name), records)

    def records(self, kept: Kept) -> tuple[Record, ...]:
        """Raises InputError."""
        return self.read(kept).records

    def find(self, which: str) -> Kept:
        """A match by its number, or the latest: the one that `run` would go on with. Raises InputError."""
        every = self.kept()
        if which.casefold() == LATEST:
            resumed = self._resumed(every)
            if resumed is None:
                if every:
                    kept = _numbers(every)
                    raise InputError(f"folder {self.folder}: no match was begun here; name one by its number ({kept})")
                raise InputError(f"folder {self.folder}: holds no match yet")
            return resumed[0]
        if not (which.isascii() and which.isdecimal()):
            raise InputError(f"match {which!r}: is no number of a match, nor the word {LATEST}")
        number = which.lstrip("0")
        found = [kept for kept in every if str(kept.number) == number]
        if not found:
            raise InputError(f"match {which}: is not in folder {self.folder} ({_numbers(every)})")
        return found[0]

    def summaries(self) -> Iterator[Summary]:
        """Every match, oldest first; one that was never set up is left out."""
        every = self.kept()
        resumed = self._resumed(every)
        for kept in every:
            try:
                found = self.read(kept)
                if found.records:
                    state = found.state(kept)
                    yield Summary(
                        kept,
                        date=found.records[0].wall[:10],
                        players=found.notation.names(state),
                        turn=found.notation.turn(state),
                        result=found.notation.result(state),
                        game=found.game.name,
                        resumed=resumed is not None and resumed[0] == kept,
                    )
            except InputError as error:
                yield Summary(kept, error=str(error))

    def under_way(self, name: str | None = None) -> Kept | None:
        """The match that `run` goes on with, if it has not ended. `name`: of another game than the shelf's."""
        name = name or self._game.name
        resumed = self._resumed(self.kept(), name)
        return None if resumed is None or notation(name).result(resumed[1]) is not None else resumed[0]

    def take(self, session: Session, date: str) -> tuple[Kept, Kept | None]:
        """Keep a played match under the next number, whole or not at all; and the match under way, if there is one.

        `date`: its label, "" = today. `run` goes on with it only if it has not ended and no other match is under way.
        Raises InputError.
        """
        name = session.game.name
        other = self.under_way(name)
        ended = notation(name).result(session.state_json or {}) is not None
        aside = ended or other is not None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            written = self._written(session.timeline, name, date)
            try:
                while True:
                    number = max(numbered(self.folder), default=0) + 1
                    path = self.folder / f"match-{number:06d}{IMPORTED if aside else '.sqlite'}"
                    with contextlib.suppress(FileExistsError):  # a companion took that number just now
                        _name(written, path)
                        break
            finally:
                written.unlink(missing_ok=True)
            sync_folder(self.folder)
        except OSError as error:
            raise InputError(f"folder {self.folder}: cannot be written: {error.strerror or error}") from None
        return Kept(number, path, aside), other

    def _written(self, records: tuple[Record, ...], name: str, date: str) -> Path:
        """A log with these records, under a name that is no match's."""
        path = self.folder / f".import-{os.getpid()}.sqlite"
        path.unlink(missing_ok=True)
        try:
            log = SqliteLog(path, name, (lambda: date) if date else None)
            try:
                for record in records:
                    log.append(record.kind, record.command, record.events)
            finally:
                log.close()
        except (InputError, LogWriteError):
            path.unlink(missing_ok=True)
            raise
        return path

    def _resumed(self, every: list[Kept], name: str | None = None) -> tuple[Kept, Mapping[str, Any]] | None:
        """The match that `run` would go on with, and its state."""
        for kept in reversed(every):
            if not kept.imported:
                with contextlib.suppress(InputError):
                    found = self.read(kept)
                    if found.records and found.game.name == (name or self._game.name):
                        return kept, found.state(kept)
        return None


def _name(written: Path, path: Path) -> None:
    """Give a whole file its name. Raises FileExistsError when it is taken."""
    try:
        os.link(written, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links, such as exFAT
        if path.exists():
            raise FileExistsError(path) from None
        written.rename(path)


def _numbers(every: Sequence[Kept]) -> str:
    if not every:
        return "there are none yet"
    first, last = every[0].number, every[-1].number
    return f"there is only {first}" if first == last else f"there are {first} to {last}"
