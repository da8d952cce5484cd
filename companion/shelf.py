"""The kept matches, for whoever lists, exports or imports them; a companion may be playing the newest meanwhile."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import InputError
from companion.files import sync_folder
from companion.history import Record
from companion.log import LogWriteError, MemoryLog, SqliteLog, look
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


class Shelf:
    """The matches of one game in a folder that need not exist. Nothing is locked, and only `take` writes."""

    def __init__(self, folder: Path, game: Game, notation: Notation) -> None:
        self.folder = folder
        self._game = game
        self._notation = notation

    def kept(self) -> list[Kept]:
        """Oldest first. Raises InputError when the folder cannot be read."""
        if not self.folder.exists():
            return []
        return [
            Kept(number, path, path.name.endswith(IMPORTED)) for number, path in sorted(numbered(self.folder).items())
        ]

    def records(self, kept: Kept) -> tuple[Record, ...]:
        """Raises InputError."""
        game, records = look(kept.path)
        if game and game != self._game.name:
            raise InputError(f"log {kept.path}: is of the game {game!r}, not {self._game.name!r}")
        return records

    def find(self, which: str) -> Kept:
        """A match by its number, or the latest: the one that `run` would go on with. Raises InputError."""
        every = self.kept()
        if which.casefold() == LATEST:
            resumed = self._resumed(every)
            if resumed is None:
                raise InputError(f"folder {self.folder}: holds no match yet")
            return resumed[0]
        if not (which.isascii() and which.isdecimal()):
            raise InputError(f"match {which!r}: is no number of a match, nor the word {LATEST}")
        number = which.lstrip("0")
        found = [kept for kept in every if str(kept.number) == number]
        if not found:
            numbers = f"there are {every[0].number} to {every[-1].number}" if every else "there are none yet"
            raise InputError(f"match {which}: is not in folder {self.folder} ({numbers})")
        return found[0]

    def summaries(self) -> Iterator[Summary]:
        """Every match, oldest first; one that was never set up is left out."""
        every = self.kept()
        resumed = self._resumed(every)
        for kept in every:
            try:
                records = self.records(kept)
                if records:
                    state = self._state(kept, records)
                    yield Summary(
                        kept,
                        date=records[0].wall[:10],
                        players=self._notation.names(state),
                        turn=self._notation.turn(state),
                        result=self._notation.result(state),
                        resumed=resumed is not None and resumed[0] == kept,
                    )
            except InputError as error:
                yield Summary(kept, error=str(error))

    def under_way(self) -> Kept | None:
        """The match that `run` goes on with, if it has not ended."""
        resumed = self._resumed(self.kept())
        return None if resumed is None or self._notation.result(resumed[1]) is not None else resumed[0]

    def take(self, session: Session, date: str) -> tuple[Kept, Kept | None]:
        """Keep a played match under the next number, whole or not at all; and the match under way, if there is one.

        `date`: its label, "" = today. `run` goes on with it only if it has not ended and no other match is under way.
        Raises InputError.
        """
        other = self.under_way()
        ended = self._notation.result(session.state_json or {}) is not None
        aside = ended or other is not None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            written = self._written(session.timeline, date)
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

    def _written(self, records: tuple[Record, ...], date: str) -> Path:
        """A log with these records, under a name that is no match's."""
        path = self.folder / f".import-{os.getpid()}.sqlite"
        path.unlink(missing_ok=True)
        try:
            log = SqliteLog(path, self._game.name, (lambda: date) if date else None)
            try:
                for record in records:
                    log.append(record.kind, record.command, record.events)
            finally:
                log.close()
        except (InputError, LogWriteError):
            path.unlink(missing_ok=True)
            raise
        return path

    def _resumed(self, every: list[Kept]) -> tuple[Kept, Mapping[str, Any]] | None:
        """The match that `run` would go on with, and its state."""
        for kept in reversed(every):
            if not kept.imported:
                with contextlib.suppress(InputError):
                    records = self.records(kept)
                    if records:
                        return kept, self._state(kept, records)
        return None

    def _state(self, kept: Kept, records: tuple[Record, ...]) -> Mapping[str, Any]:
        try:
            return Session(self._game, MemoryLog(records)).state_json or {}
        except InputError as error:
            raise InputError(f"log {kept.path}: {error}") from None


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
