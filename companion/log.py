"""The log of one match: the truth about its score, append-only (DESIGN §4)."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from companion.errors import InputError
from companion.filelock import FileLock
from companion.files import sync_folder
from companion.history import Kind, Record
from companion.log_reading import (
    ALL,
    APPLICATION_ID,
    FORMAT,
    DamagedLog,
    check_header,
    errors_told,
    half_begun,
    is_damage,
    looked_at,
    newer,
    size,
    to_row,
    whole,
)

PAGE = 512
"""Bytes of a page of a new log."""
ROOM = 32 * 1024
"""Bytes by which the write-ahead log grows: a third of a match."""

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

    @property
    def next_seq(self) -> int:
        """The number that the next appended record will have."""
        ...

    def records(self) -> tuple[Record, ...]: ...

    def close(self) -> None: ...


class MemoryLog:
    """A log for as long as the process lives, after `records` of another one."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._records: list[Record] = list(records)

    def append(
        self,
        kind: Kind,
        command: Mapping[str, Any],
        events: Sequence[Mapping[str, Any]] = (),
        error: Mapping[str, Any] | None = None,
    ) -> Record:
        record = Record(self.next_seq, kind, command, tuple(events), error)
        self._records.append(record)
        return record

    @property
    def next_seq(self) -> int:
        return len(self._records) + 1

    def records(self) -> tuple[Record, ...]:
        return tuple(self._records)

    def close(self) -> None:
        pass


class OtherGame(InputError):
    """A log that another game's rules wrote; nothing is wrong with it."""


class SqliteLog:
    """One SQLite file a match. One process at a time may hold it; whoever only reads may look while it is held.

    Raises InputError (the file untouched) when it is held by another process, was written by a newer companion, is no
    log (DamagedLog), or its folder cannot be used. `append` raises LogWriteError.
    """

    def __init__(self, path: Path, game: str = "", wall: Callable[[], str] | None = None) -> None:
        """`wall`: the labels of new records, where they are not to say when they were written."""
        self.path = path
        self._wall = wall or _now
        self._room = -1
        """The write-ahead log's length with the place that is taken for it; -1: none is yet."""
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
        if half_begun(self.path):
            with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(self.path)) as db:
                db.execute("SELECT count(*) FROM sqlite_master")  # SQLite takes back what was begun
        new = not self.path.exists() or self.path.stat().st_size == 0
        beside = size(self.path.with_name(self.path.name + "-wal"))
        if not new:
            check_header(self.path)
            # before SQLite may write: the end of a connection folds what it has into the file, damaged or not
            with errors_told(self.path):
                looked_at(self.path, alone=not beside)
        elif beside:
            raise DamagedLog(f"log {self.path}: is damaged: the file is empty, but not what lies beside it")
        try:
            # the writer thread is the only user; whoever opened the log need not be that thread
            self._db = sqlite3.connect(self.path, isolation_level=None, timeout=2, check_same_thread=False)
        except sqlite3.Error as error:
            raise InputError(f"log {self.path}: cannot be opened: {error}") from None
        try:
            if new:
                self._create(game)
            self._format: int = self._db.execute("PRAGMA user_version").fetchone()[0]
            if self._format > FORMAT:
                raise newer(self.path, self._format)
            self._make_durable()
            (written_by,) = self._db.execute("SELECT game FROM match").fetchone() or ("",)
            if game and written_by != game:
                raise OtherGame(f"log {self.path}: is of the game {written_by!r}, not {game!r}")
            return whole(self.path, self._db.execute(ALL).fetchall())
        except sqlite3.OperationalError as error:
            self._db.close()
            if is_damage(error):
                raise DamagedLog(f"log {self.path}: is damaged: {error}") from None
            raise InputError(f"log {self.path}: cannot be used: {error}") from None
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise DamagedLog(f"log {self.path}: is damaged: {error}") from None
        except BaseException:
            self._db.close()
            raise

    def _create(self, game: str) -> None:
        # small pages: a commit writes whole ones, and a card has only so many writes (a record is 120 bytes)
        self._db.execute(f"PRAGMA page_size={PAGE}")
        # the marks go in before WAL mode, so that they stand in the file's own header
        self._db.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA:
            self._db.execute(statement)
        self._db.execute("INSERT INTO match VALUES (?)", (game,))
        self._db.execute("COMMIT")

    def _make_durable(self) -> None:
        self._db.execute("PRAGMA synchronous=FULL")
        # no match is so long: while one is played the write-ahead log alone is written, never the file itself
        self._db.execute("PRAGMA wal_autocheckpoint=8000")
        mode = self._db.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        if mode != "wal":
            raise InputError(f"log {self.path}: its file system cannot keep a write-ahead log (got {mode!r})")
        # SQLite makes the file's content durable, but not its name in the folder
        sync_folder(self.path.parent)

    def append(
        self,
        kind: Kind,
        command: Mapping[str, Any],
        events: Sequence[Mapping[str, Any]] = (),
        error: Mapping[str, Any] | None = None,
    ) -> Record:
        wall = self._wall()
        record = Record(self.next_seq, kind, command, tuple(events), error, wall)
        row = to_row(record)
        self._make_room()
        try:
            self._insert(row)
        except sqlite3.Error as problem:
            with contextlib.suppress(sqlite3.Error):
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
            raise LogWriteError(f"log {self.path}: could not be written: {problem}") from None
        self._records.append(record)
        return record

    def _make_room(self) -> None:
        """Take place on the card for the next records at once: each time that a file grows, its file system writes a
        journal of its own, more than the record itself. SQLite stops reading at what is no frame of its log.
        """
        path = self.path.with_name(self.path.name + "-wal")
        # where there is no such call, or no place, all works as well, and the card wears sooner
        with contextlib.suppress(OSError, AttributeError):
            if path.stat().st_size > self._room:
                handle = os.open(path, os.O_RDWR)
                try:
                    self._room = os.fstat(handle).st_size + ROOM
                    os.posix_fallocate(handle, self._room - ROOM, ROOM)
                finally:
                    os.close(handle)

    def _insert(self, row: tuple[Any, ...]) -> None:
        statement = "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?)"
        if self._format == FORMAT:
            self._db.execute(statement, row)
            return
        # what we write an older companion may misread: its log becomes one of ours together with our first record
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute(statement, row)
        self._db.execute(f"PRAGMA user_version={FORMAT}")
        self._db.execute("COMMIT")
        self._format = FORMAT

    @property
    def next_seq(self) -> int:
        return len(self._records) + 1

    def records(self) -> tuple[Record, ...]:
        return tuple(self._records)

    def close(self) -> None:
        """Folds the write-ahead log into the file and lets go of it."""
        self._db.close()
        self._lock.release()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
