"""What can still be read of a damaged log: its records from the first up to the damage."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
from pathlib import Path

from companion.files import sync_folder
from companion.history import Record
from companion.log import SqliteLog
from companion.log_reading import ALL, FORMAT, DamagedLog, to_record


def salvage(path: Path, game: str = "") -> tuple[Record, ...]:
    """The records before the damage, in their order without a gap; none: nothing can be read. Nothing is changed.

    Where the file itself tells less than the write-ahead log beside it, a new file of the same `game` takes its place:
    while a match is played nothing is written but the write-ahead log, and every log begins with the same pages.
    """
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".salvage-") as name:
        copy, begun = Path(name) / "copy", Path(name) / "begun"
        shutil.copyfile(path, copy)
        SqliteLog(begun, game).close()
        if (wal := path.with_name(path.name + "-wal")).exists():
            for one in (copy, begun):
                shutil.copyfile(wal, one.with_name(one.name + "-wal"))
        return max(_readable(copy), _readable(begun), key=len)


def _readable(path: Path) -> tuple[Record, ...]:
    found: list[Record] = []
    with (
        contextlib.suppress(sqlite3.Error, DamagedLog),
        contextlib.closing(sqlite3.connect(path)) as db,
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
