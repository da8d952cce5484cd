"""A backup put back in place of what is there, which is kept aside; whole or not at all, whenever the plug is pulled.

Everything is unpacked and checked beside the data first. Then a note says what is being done, what was there is moved
aside, and what was unpacked takes its place; a start that finds the note ends what was begun.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from companion.backup import KINDS, Contents, Entry, is_log, opened
from companion.board_file import read_boards
from companion.config import load_table
from companion.errors import DamagedFile, InputError
from companion.filelock import FileLock
from companion.files import read_file, sync_folder, write_whole
from companion.log_reading import look
from companion.pairing import read_pin
from companion.room import free_bytes
from companion.switches import read_switches

NOTE = "restoring.json"
VERSION = 1
SPARE = 10 * 2**20
"""Bytes that stay free on the card."""

Phase = Literal["aside", "place"]


@dataclass(frozen=True)
class Restored:
    """`aside`: the folder that holds what was there before; None: there was nothing."""

    contents: Contents
    aside: Path | None


def restore(file: Path, data: Path) -> Restored:
    """Raises InputError; then nothing has changed."""
    with opened(file) as (files, contents):
        try:
            data.mkdir(parents=True, exist_ok=True)
            lock = FileLock(data / "lock", f"data folder {data}")
        except OSError as error:
            raise InputError(f"data folder {data}: cannot be written: {error.strerror or error}") from None
        except InputError as error:
            raise InputError(f"{error}; stop the companion first (sudo systemctl stop table-companion)") from None
        try:
            finish(data)
            needed = sum(entry.size for entry in contents.entries) + SPARE
            free = free_bytes(data)
            if free is not None and free < needed:
                raise InputError(f"backup {file}: needs {needed >> 20} MB, but only {free >> 20} MB are free in {data}")
            unpacked = Path(tempfile.mkdtemp(prefix=".restoring-", dir=data))
            try:
                for entry in contents.entries:
                    with files.open(entry.name) as source:
                        _unpack(file, source, entry, unpacked)
                _check(file, unpacked, contents)
                _give(unpacked, data)
                _sync_all(unpacked)
                aside = _free_name(data)
                _note(data, "aside", unpacked, aside)
            except BaseException:
                if not (data / NOTE).exists():
                    shutil.rmtree(unpacked, ignore_errors=True)
                raise
            finish(data)
        except OSError as error:
            raise InputError(f"backup {file}: cannot be put back: {error.strerror or error}") from None
        finally:
            lock.release()
    return Restored(contents, aside if aside.exists() else None)


def finish(data: Path) -> bool:
    """End what a restore has begun before the plug was pulled; whether there was something. Raises InputError."""
    try:
        found = _read_note(data)
        if found is None:
            _sweep(data)
            return False
        phase, unpacked, aside = found
        if phase == "aside":
            for kind in KINDS:
                # one that is aside already has nothing in its place yet
                if (data / kind).exists() and not (aside / kind).exists():
                    aside.mkdir(exist_ok=True)
                    _give(aside, data)
                    os.rename(data / kind, aside / kind)
            sync_folder(data)
            if aside.exists():
                sync_folder(aside)
            _note(data, "place", unpacked, aside)
        for kind in KINDS:
            if (unpacked / kind).exists():
                os.rename(unpacked / kind, data / kind)
        sync_folder(data)
        (data / NOTE).unlink()
        sync_folder(data)
        _sweep(data)
    except OSError as error:
        raise InputError(f"data folder {data}: a restore cannot be ended: {error.strerror or error}") from None
    return True


def _unpack(file: Path, source: Any, entry: Entry, folder: Path) -> None:
    target = folder / entry.name
    target.parent.mkdir(exist_ok=True)
    digest, size = hashlib.sha256(), 0
    private = entry.name == "pairing.json"
    with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o644), "wb") as out:
        # never more than it says: a few kB can unpack to gigabytes
        while size <= entry.size and (part := source.read(2**20)):
            digest.update(part)
            size += len(part)
            out.write(part)
    if size != entry.size or digest.hexdigest() != entry.sha256:
        raise DamagedFile(f"backup {file}: is damaged: {entry.name} is not as it was put in")


def _check(file: Path, folder: Path, contents: Contents) -> None:
    """Could this companion use it? What was damaged already when the backup was made is put back as it was."""
    for entry in contents.entries:
        path = folder / entry.name
        try:
            if is_log(entry.name):
                look(path)
            elif entry.name == "table.toml":
                load_table(path)
            elif entry.name == "pairing.json":
                read_pin(folder)
            elif entry.name == "switches.json":
                read_switches(path)
            elif entry.name.startswith("fighters/") and entry.name.endswith(".toml"):
                read_boards(path)
        except DamagedFile:
            continue
        except InputError as error:
            if "newer companion" in str(error):
                raise InputError(
                    f"backup {file}: {entry.name} was written by a newer companion; update this one first"
                ) from None


def _give(folder: Path, data: Path) -> None:
    """To whom the data folder belongs: root puts back what the service's own user will have to write."""
    if os.geteuid() == 0:
        owner = data.stat()
        for path in (folder, *folder.rglob("*")):
            os.chown(path, owner.st_uid, owner.st_gid)


def _sync_all(folder: Path) -> None:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with path.open("rb") as written:
                os.fsync(written.fileno())
        else:
            sync_folder(path)
    sync_folder(folder)


def _free_name(data: Path) -> Path:
    number = 1
    while (aside := data / f"before-restore-{number}").exists():
        number += 1
    return aside


def _note(data: Path, phase: Phase, unpacked: Path, aside: Path) -> None:
    value = {"version": VERSION, "phase": phase, "unpacked": unpacked.name, "aside": aside.name}
    write_whole(data / NOTE, (json.dumps(value) + "\n").encode())


def _read_note(data: Path) -> tuple[Phase, Path, Path] | None:
    path = data / NOTE
    if not path.exists():
        return None
    try:
        found: Any = json.loads(read_file(path, "note of a restore", 2**16))
        phase, unpacked, aside = found["phase"], Path(found["unpacked"]).name, Path(found["aside"]).name
        if found["version"] != VERSION or phase not in ("aside", "place"):
            raise ValueError
        if not unpacked.startswith(".restoring-") or not aside.startswith("before-restore-"):
            raise ValueError
    except (KeyError, TypeError, ValueError):
        # written whole or not at all: this was no restore of ours
        raise InputError(f"{path}: is no note of a restore; look into {data} and take it away") from None
    return phase, data / unpacked, data / aside


def _sweep(data: Path) -> None:
    """What a restore unpacked that never came to its note, or is done."""
    for left in data.glob(".restoring-*"):
        shutil.rmtree(left, ignore_errors=True)
