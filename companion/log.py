"""The log of one match: the truth about its score, append-only (DESIGN §4)."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, get_args

from companion.errors import InputError
from companion.filelock import FileLock
from companion.history import Kind, Record

FORMAT = 1
"""Goes up when a log's tables or a game's events change so that an older companion would misread them."""

APPLICATION_ID = 0x7AB1E106
"""Marks a SQLite file as ours ("table log"), see https://www.sqlite.org/pragma.html#pragma_application_id"""

_SCHEMA = (
    f"PRAGMA application_id={APPLICATION_ID}",
    f"PRAGMA user_version={FORMAT}",
    "CREATE TABLE match (game TEXT NOT NULL)",
    """CREATE TABLE record (
        seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, command TEXT NOT NULL,
        events TEXT NOT NULL, error TEXT, wall TEXT NOT NULL)""",
    "CREATE TRIGGER record_never_changes BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'append only'); END",
    "CREATE TRIGGER record_never_goes BEFORE DELETE ON record BEGIN SELECT RAISE(ABORT, 'append only'); END",
)

_KINDS = frozenset(get_args(Kind))


class DamagedLog(InputError):
    """The file is no log, or one that can no longer be read."""


class LogWriteError(OSError):
    """A record could not be made durable; the log is as it was before."""


class Log(Protocol):
    """Records in the order of their `seq`; an appended record is durable when `append` returns."""

    def append(
        self,
        kind: Kind,
        command: Mapping[str, Any],
        events: Sequence[Mapping[str, Any]] = (),
        error: Mapping[str, Any] | None = None,
    ) -> Record: ...

    def records(self) -> tuple[Record, ...]: ...

    def close(self) -> None: ...


class MemoryLog:
    """A log for as long as the process lives."""

    def __init__(self) -> None:
        self._records: list[Record] = []

    def append(
        self,
        kind: Kind,
        command: Mapping[str, Any],
        events: Sequence[Mapping[str, Any]] = (),
        error: Mapping[str, Any] | None = None,
    ) -> Record:
        record = Record(len(self._records) + 1, kind, command, tuple(events), error)
        self._records.append(record)
        return record

    def records(self) -> tuple[Record, ...]:
        return tuple(self._records)

    def close(self) -> None:
        pass


class SqliteLog:
    """One SQLite file a match. One process at a time may hold it; whoever only reads may look while it is held.

    Raises InputError (the file untouched) when it is held by another process, was written by a newer companion, is no
    log (DamagedLog), or its folder cannot be used. `append` raises LogWriteError.
    """

    def __init__(self, path: Path, game: str = "") -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(path.with_name(path.name + "-lock"), f"log {path}")
        except OSError as error:
            raise InputError(f"log {path}: cannot be written: {error.strerror or error}") from None
        try:
            self._records = self._open(game)
        except BaseException:
            self._lock.release()
            raise

    def _open(self, game: str) -> list[Record]:
        new = not self.path.exists() or self.path.stat().st_size == 0
        if not new:
            _check_header(self.path)
        try:
            # the writer thread is the only user; whoever opened the log need not be that thread
            self._db = sqlite3.connect(self.path, isolation_level=None, timeout=2, check_same_thread=False)
        except sqlite3.Error as error:
            raise InputError(f"log {self.path}: cannot be opened: {error}") from None
        try:
            if new:
                self._create(game)
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version > FORMAT:
                raise _newer(self.path, version)
            self._make_durable()
            (written_by,) = self._db.execute("SELECT game FROM match").fetchone() or ("",)
            if game and written_by != game:
                raise InputError(f"log {self.path}: is of the game {written_by!r}, not {game!r}")
            rows = self._db.execute("SELECT seq, kind, command, events, error, wall FROM record ORDER BY seq")
            return [_record(self.path, *row) for row in rows]
        except sqlite3.OperationalError as error:
            self._db.close()
            if "no such" in str(error):  # a table or column: not made by us, whatever its mark says
                raise DamagedLog(f"log {self.path}: is damaged: {error}") from None
            raise InputError(f"log {self.path}: cannot be used: {error}") from None
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise DamagedLog(f"log {self.path}: is damaged: {error}") from None
        except BaseException:
            self._db.close()
            raise

    def _create(self, game: str) -> None:
        # the marks go in before WAL mode, so that they stand in the file's own header
        self._db.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA:
            self._db.execute(statement)
        self._db.execute("INSERT INTO match VALUES (?)", (game,))
        self._db.execute("COMMIT")

    def _make_durable(self) -> None:
        self._db.execute("PRAGMA synchronous=FULL")
        mode = self._db.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        if mode != "wal":
            raise InputError(f"log {self.path}: its file system cannot keep a write-ahead log (got {mode!r})")
        # SQLite makes the file's content durable, but not its name in the folder
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def append(
        self,
        kind: Kind,
        command: Mapping[str, Any],
        events: Sequence[Mapping[str, Any]] = (),
        error: Mapping[str, Any] | None = None,
    ) -> Record:
        wall = datetime.now(UTC).isoformat(timespec="seconds")
        record = Record(len(self._records) + 1, kind, command, tuple(events), error, wall)
        row = (record.seq, kind, _dump(command), _dump(list(events)), None if error is None else _dump(error), wall)
        try:
            self._db.execute("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?)", row)
        except sqlite3.Error as problem:
            raise LogWriteError(f"log {self.path}: could not be written: {problem}") from None
        self._records.append(record)
        return record

    def records(self) -> tuple[Record, ...]:
        return tuple(self._records)

    def close(self) -> None:
        """Folds the write-ahead log into the file and lets go of it."""
        self._db.close()
        self._lock.release()


def _dump(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _newer(path: Path, version: int) -> InputError:
    return InputError(f"log {path}: was written by a newer companion (format {version}, this one knows {FORMAT})")


def _check_header(path: Path) -> None:
    """Look before SQLite opens the file, because its opening may already change something on disk."""
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except OSError as error:
        raise InputError(f"log {path}: cannot be read: {error.strerror or error}") from None
    if len(header) < 100 or not header.startswith(b"SQLite format 3\0"):
        raise DamagedLog(f"log {path}: is no log of matches")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise DamagedLog(f"log {path}: is a database, but no log of matches")
    version = int.from_bytes(header[60:64], "big")
    if version > FORMAT:
        raise _newer(path, version)


def _record(path: Path, seq: int, kind: Any, command: str, events: str, error: str | None, wall: str) -> Record:
    try:
        if kind not in _KINDS:
            raise ValueError(f"its kind is {kind!r}")
        why = None if error is None else json.loads(error)
        return Record(seq, kind, json.loads(command), tuple(json.loads(events)), why, wall)
    except (ValueError, TypeError) as problem:
        raise DamagedLog(f"log {path}: record {seq} cannot be read: {problem}") from None
