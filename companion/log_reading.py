"""A log of a match as it is read: looked at while it is played or after it, and told from what is none (DESIGN §4)."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from companion.errors import DamagedFile, InputError
from companion.history import Kind, Record
from companion.log_packing import pack, unpack

FORMAT = 3
"""Goes up when a log's tables or a game's events change so that an older companion would misread them.

1: the first. 2: records of kind `amend`. 3: packed texts (companion.log_packing). An older log is read as it is; the
first record that is added raises it.
"""

APPLICATION_ID = 0x7AB1E106
"""Marks a SQLite file as ours ("table log"), see https://www.sqlite.org/pragma.html#pragma_application_id"""

ALL = "SELECT seq, kind, command, events, error, wall FROM record ORDER BY seq"

_KINDS = frozenset(get_args(Kind))


class DamagedLog(DamagedFile):
    """The file is no log, or one that can no longer be read."""


def half_begun(path: Path) -> bool:
    """Its making did not come to its end: SQLite's rollback journal is there, as it never is once WAL is on."""
    return size(path.with_name(path.name + "-journal")) > 0 and not size(path.with_name(path.name + "-wal"))


def size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def look(path: Path) -> tuple[str, tuple[Record, ...]]:
    """The game and the records of a log, of a match that is being played as well: nothing is locked or written.

    Raises InputError as SqliteLog does, but for a log in use.
    """
    if (path.exists() and path.stat().st_size == 0) or half_begun(path):
        return "", ()  # about to be begun, or a plug was pulled just then
    check_header(path)
    with errors_told(path):
        if not _at_work(path):
            with contextlib.suppress(sqlite3.Error):
                found = looked_at(path, alone=True)
                if not _at_work(path):
                    return found
        return looked_at(path)


@contextlib.contextmanager
def errors_told(path: Path) -> Iterator[None]:
    """What SQLite says while a log is read, as an InputError."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if is_damage(error):
            raise DamagedLog(f"log {path}: is damaged: {error}") from None
        raise InputError(f"log {path}: cannot be read: {error}") from None
    except sqlite3.DatabaseError as error:
        raise DamagedLog(f"log {path}: is damaged: {error}") from None


def _at_work(path: Path) -> bool:
    """Whether the log is held, or was left by a power cut with records that are not in the file yet."""
    return any(path.with_name(path.name + ending).exists() for ending in ("-lock", "-wal"))


def looked_at(path: Path, alone: bool = False) -> tuple[str, tuple[Record, ...]]:
    """`alone`: told that nothing changes, SQLite leaves no files of its own beside the log."""
    address = f"{path.resolve().as_uri()}?mode=ro{'&immutable=1' if alone else ''}"
    with contextlib.closing(sqlite3.connect(address, uri=True, timeout=2)) as db:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > FORMAT:
            raise newer(path, version)
        (game,) = db.execute("SELECT game FROM match").fetchone() or ("",)
        rows = db.execute(ALL).fetchall()
    return game, tuple(whole(path, rows))


def whole(path: Path, rows: list[tuple[Any, ...]]) -> list[Record]:
    """The records, one after the other from the first. Raises DamagedLog: a page of the middle is an old one."""
    records = [to_record(path, *row) for row in rows]
    for number, record in enumerate(records, 1):
        if record.seq != number:
            raise DamagedLog(f"log {path}: is damaged: record {number} is missing")
    return records


def newer(path: Path, version: int) -> InputError:
    return InputError(f"log {path}: was written by a newer companion (format {version}, this one knows {FORMAT})")


def is_damage(error: sqlite3.OperationalError) -> bool:
    """A table or column is not there (not made by us, whatever its mark says), or a text is none."""
    return "no such" in str(error) or "Could not decode" in str(error)


def check_header(path: Path) -> None:
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
        raise newer(path, version)


def to_row(record: Record) -> tuple[Any, ...]:
    """A record as the columns of `ALL`."""
    command = dump(record.command)
    error = None if record.error is None else pack(dump(record.error), command)
    return record.seq, record.kind, pack(command), pack(dump(list(record.events)), command), error, record.wall


def to_record(path: Path, seq: int, kind: Any, command: Any, events: Any, error: Any, wall: str) -> Record:
    """Raises DamagedLog."""
    try:
        if kind not in _KINDS:
            raise ValueError(f"its kind is {kind!r}")
        command = unpack(command)
        why = None if error is None else json.loads(unpack(error, command))
        return Record(seq, kind, json.loads(command), tuple(json.loads(unpack(events, command))), why, wall)
    except (ValueError, TypeError) as problem:
        raise DamagedLog(f"log {path}: record {seq} cannot be read: {problem}") from None


def dump(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)
