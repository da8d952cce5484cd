"""What can still be read of a damaged log: its records from the first up to the damage."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from companion.files import sync_folder
from companion.history import Record
from companion.log import ALL, FORMAT, DamagedLog, SqliteLog, to_record


def salvage(path: Path) -> tuple[Record, ...]:
    """The records before the damage, in their order without a gap; none: nothing can be read. Nothing is changed."""
    found: list[Record] = []
    # what was set aside has nobody writing to it; with a write-ahead log beside it SQLite must look at that as well
    whole = not path.with_name(path.name + "-wal").exists()
    address = f"{path.resolve().as_uri()}?mode=ro{'&immutable=1' if whole else ''}"
    with (
        contextlib.suppress(sqlite3.Error, DamagedLog),
        contextlib.closing(sqlite3.connect(address, uri=True, timeout=2)) as db,
    ):
        if db.execute("PRAGMA user_version").fetchone()[0] <= FORMAT:
            for row in db.execute(ALL):
                record = to_record(path, *row)
                if record.seq != len(found) + 1:
                    break
                found.append(record)
    return tuple(found)


def write_again(records: tuple[Record, ...], path: Path, game: str) -> None:
    """A log with these records, labels and all, whole or not at all. Raises InputError, LogWriteError, OSError."""
    written = path.with_name(f".salvaged-{path.name}")
    for old in path.parent.glob(f"{written.name}*"):
        old.unlink()
    wall = ""
    log = SqliteLog(written, game, lambda: wall)
    try:
        for record in records:
            wall = record.wall
            log.append(record.kind, record.command, record.events, record.error)
    finally:
        log.close()
    os.replace(written, path)
    sync_folder(path.parent)
