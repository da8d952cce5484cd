"""The log of one match: the truth about its score, append-only (DESIGN §4)."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, get_args

from companion.errors import DamagedFile, InputError
from companion.filelock import FileLock
from companion.files import sync_folder
from companion.history import Kind, Record

FORMAT = 2
"""Goes up when a log's tables or a game's events change so that an older companion would misread them.

1: the first. 2: records of kind `amend`. An older log is read as it is; the first record that is added raises it.
"""

APPLICATION_ID = 0x7AB1E106
"""Marks a SQLite file as ours ("table log"), see https://www.sqlite.org/pragma.html#pragma_application_id"""

PAGE = 512
"""Bytes of a page of a new log."""

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

ALL = "SELECT seq, kind, command, events, error, wall FROM record ORDER BY seq"

_KINDS = frozenset(get_args(Kind))


class DamagedLog(DamagedFile):
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
        if _half_begun(self.path):
            with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(self.path)) as db:
                db.execute("SELECT count(*) FROM sqlite_master")  # SQLite takes back what was begun
        new = not self.path.exists() or self.path.stat().st_size == 0
        beside = _size(self.path.with_name(self.path.name + "-wal"))
        if not new:
            _check_header(self.path)
            # before SQLite may write: the end of a connection folds what it has into the file, damaged or not
            with _errors_told(self.path):
                _look(self.path, alone=not beside)
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
                raise _newer(self.path, self._format)
            self._make_durable()
            (written_by,) = self._db.execute("SELECT game FROM match").fetchone() or ("",)
            if game and written_by != game:
                raise OtherGame(f"log {self.path}: is of the game {written_by!r}, not {game!r}")
            return _whole(self.path, self._db.execute(ALL).fetchall())
        except sqlite3.OperationalError as error:
            self._db.close()
            if _is_damage(error):
                raise DamagedLog(f"log {self.path}: is damaged: {error}") from None
            raise InputError(f"log {self.path}: cannot be used: {error}") from None
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise DamagedLog(f"log {self.path}: is damaged: {error}") from None
        except BaseException:
            self._db.close()
            raise

    def _create(self, game: str) -> None:
        # small pages: a commit writes whole ones, and a card has only so many writes (a record is 200 bytes)
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
        row = (record.seq, kind, _dump(command), _dump(list(events)), None if error is None else _dump(error), wall)
        try:
            self._insert(row)
        except sqlite3.Error as problem:
            with contextlib.suppress(sqlite3.Error):
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
            raise LogWriteError(f"log {self.path}: could not be written: {problem}") from None
        self._records.append(record)
        return record

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


def _half_begun(path: Path) -> bool:
    """Its making did not come to its end: SQLite's rollback journal is there, as it never is once WAL is on."""
    return _size(path.with_name(path.name + "-journal")) > 0 and not _size(path.with_name(path.name + "-wal"))


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def look(path: Path) -> tuple[str, tuple[Record, ...]]:
    """The game and the records of a log, of a match that is being played as well: nothing is locked or written.

    Raises InputError as SqliteLog does, but for a log in use.
    """
    if (path.exists() and path.stat().st_size == 0) or _half_begun(path):
        return "", ()  # about to be begun, or a plug was pulled just then
    _check_header(path)
    with _errors_told(path):
        if not _at_work(path):
            with contextlib.suppress(sqlite3.Error):
                found = _look(path, alone=True)
                if not _at_work(path):
                    return found
        return _look(path)


@contextlib.contextmanager
def _errors_told(path: Path) -> Iterator[None]:
    """What SQLite says while a log is read, as an InputError."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if _is_damage(error):
            raise DamagedLog(f"log {path}: is damaged: {error}") from None
        raise InputError(f"log {path}: cannot be read: {error}") from None
    except sqlite3.DatabaseError as error:
        raise DamagedLog(f"log {path}: is damaged: {error}") from None


def _at_work(path: Path) -> bool:
    """Whether the log is held, or was left by a power cut with records that are not in the file yet."""
    return any(path.with_name(path.name + ending).exists() for ending in ("-lock", "-wal"))


def _look(path: Path, alone: bool = False) -> tuple[str, tuple[Record, ...]]:
    """`alone`: told that nothing changes, SQLite leaves no files of its own beside the log."""
    address = f"{path.resolve().as_uri()}?mode=ro{'&immutable=1' if alone else ''}"
    with contextlib.closing(sqlite3.connect(address, uri=True, timeout=2)) as db:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > FORMAT:
            raise _newer(path, version)
        (game,) = db.execute("SELECT game FROM match").fetchone() or ("",)
        rows = db.execute(ALL).fetchall()
    return game, tuple(_whole(path, rows))


def _whole(path: Path, rows: list[tuple[Any, ...]]) -> list[Record]:
    """The records, one after the other from the first. Raises DamagedLog: a page of the middle is an old one."""
    records = [to_record(path, *row) for row in rows]
    for number, record in enumerate(records, 1):
        if record.seq != number:
            raise DamagedLog(f"log {path}: is damaged: record {number} is missing")
    return records


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _dump(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _newer(path: Path, version: int) -> InputError:
    return InputError(f"log {path}: was written by a newer companion (format {version}, this one knows {FORMAT})")


def _is_damage(error: sqlite3.OperationalError) -> bool:
    """A table or column is not there (not made by us, whatever its mark says), or a text is none."""
    return "no such" in str(error) or "Could not decode" in str(error)


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


def to_record(path: Path, seq: int, kind: Any, command: str, events: str, error: str | None, wall: str) -> Record:
    """Raises DamagedLog."""
    try:
        if kind not in _KINDS:
            raise ValueError(f"its kind is {kind!r}")
        why = None if error is None else json.loads(error)
        return Record(seq, kind, json.loads(command), tuple(json.loads(events)), why, wall)
    except (ValueError, TypeError) as problem:
        raise DamagedLog(f"log {path}: record {seq} cannot be read: {problem}") from None
