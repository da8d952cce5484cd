"""The data folder, and files that users name: read up to a size, written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, TypeVar

from companion.errors import InputError

_Told = TypeVar("_Told")


def default_data() -> Path:
    """The data folder: systemd's state folder when it gives one, else where the desktop's programs keep theirs."""
    state = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    if state:
        return Path(state)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "table-companion"


def read_file(path: Path, what: str, largest: int) -> bytes:
    """A file's bytes; `what` it should be ("table file"). Raises InputError: not there, more than `largest` bytes."""
    try:
        with open(path, "rb") as file:
            data = file.read(largest + 1)
    except OSError as error:
        raise InputError(f"{what} {path}: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in the name
        raise InputError(f"{what} {str(path)!r}: {error}") from error
    if len(data) > largest:
        raise InputError(f"{path}: too large for a {what}")
    return data


def set_aside(path: Path) -> Path:
    """Rename a damaged file, and what SQLite keeps beside it, so that a new one can begin; nothing of it is lost.

    Raises InputError.
    """
    for number in range(1, 1000):
        aside = path.with_name(f"{path.name}.damaged-{number}")
        if not aside.exists():
            break
    # the file itself goes last: beside a new one of its name there must never lie what belonged to the old one
    try:
        for companion in path.parent.glob(f"{path.name}-*"):
            companion.rename(companion.with_name(companion.name.replace(path.name, aside.name)))
        path.rename(aside)
        sync_folder(path.parent)
    except OSError as error:
        raise InputError(f"{path}: is damaged and cannot be set aside: {error.strerror or error}") from error
    return aside


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(path: Path, data: bytes, private: bool = False) -> None:
    """Write whole or not at all: a hard power-off leaves the old file or the new one. Raises InputError.

    `private`: nobody but its owner may read it.
    """
    fill_whole(path, lambda file: file.write(data), private)


def fill_whole(path: Path, fill: Callable[[BinaryIO], _Told], private: bool = False) -> _Told:
    """The same for what is too much to hold: `fill` writes it, and what it gives is given on. Raises InputError."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                told = fill(file)
                file.flush()
                os.fsync(file.fileno())
            if not private:
                # as mkstemp makes it; the others are as readable as any file
                umask = os.umask(0)
                os.umask(umask)
                os.chmod(name, 0o666 & ~umask)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in the name
        raise InputError(f"cannot write {str(path)!r}: {error}") from error
    return told
