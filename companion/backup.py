"""Everything of a table as one file: its matches, table file, boards, devices and switches (docs/decisions/backup.md).

A backup is a ZIP archive that any computer opens: `backup.json` first, with the version and each file's checksum, then
the files as they lie in the data folder. It is made while a match is played: SQLite copies a log as it is at a moment.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import re
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from companion import __version__
from companion.errors import DamagedFile, InputError
from companion.files import fill_whole

FORMAT = "table-companion-backup"
VERSION = 1
"""Goes up when an older companion could not put a backup back."""
MANIFEST = "backup.json"
MOST_BYTES = 4 * 2**30
"""Of all files unpacked; ten thousand matches are less."""
MOST_FILES = 50_000
LARGEST_MANIFEST = 16 * 2**20

KINDS = ("matches", "table.toml", "fighters", "pairing.json", "switches.json", "venue.toml")
"""What belongs to a table, and is replaced as a whole: names in the data folder."""

_NAMES = (
    re.compile(r"matches/match-\d{6,}(-imported)?\.sqlite"),
    re.compile(r"(matches|fighters)/[\w .()+-]{1,120}\.damaged-\d{1,3}(-wal)?"),
    re.compile(r"fighters/[\w()+-][\w .()+-]{0,120}\.toml(\.old)?"),
    re.compile(r"(table|venue)\.toml|(pairing|switches)\.json"),
)
_LOG = re.compile(r"matches/match-\d{6,}(-imported)?\.sqlite")


@dataclass(frozen=True)
class Entry:
    """A file of a backup, by its name in the data folder."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Contents:
    made: str
    companion: str
    entries: tuple[Entry, ...]

    @property
    def matches(self) -> int:
        return sum(is_log(entry.name) for entry in self.entries)

    def words(self) -> str:
        """How much it is: "2 matches, 1 file"."""
        matches, files = self.matches, len(self.entries)
        return f"{matches} {'match' if matches == 1 else 'matches'}, {files} {'file' if files == 1 else 'files'}"


def is_log(name: str) -> bool:
    return _LOG.fullmatch(name) is not None


def write_backup(data: Path, target: Path) -> Contents:
    """Whole or not at all; an older backup of that name is replaced. Raises InputError."""
    if not data.is_dir():
        raise InputError(f"data folder {data}: is not there")
    if target.exists() and not _is_backup(target):
        raise InputError(f"{target}: is there already and no backup; name another file")
    return fill_whole(target, lambda file: pack(data, file, target.parent), private=True)


def packed(data: Path) -> BinaryIO:
    """A backup in a file without a name, at its beginning. Raises InputError, OSError."""
    file: BinaryIO = tempfile.TemporaryFile(dir=data)  # noqa: SIM115 (the caller closes it)
    try:
        pack(data, file, data)
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return file


def pack(data: Path, out: BinaryIO, scratch: Path) -> Contents:
    """Into an open file; `scratch`: a folder with room for as much again. Raises InputError, OSError."""
    with tempfile.TemporaryFile(dir=scratch) as first:
        entries = []
        with zipfile.ZipFile(first, "w", zipfile.ZIP_DEFLATED) as files:
            for name in _names(data):
                with _content(data, name) as content:
                    entries.append(_add(files, name, content))
        contents = Contents(datetime.now(UTC).isoformat(timespec="seconds"), __version__, tuple(entries))
        # the list goes first, so that whoever reads knows what comes; hence a second archive with the packed files
        first.seek(0)
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as files, zipfile.ZipFile(first) as made:
            files.writestr(_info(MANIFEST), _manifest(contents))
            for entry in entries:
                with made.open(entry.name) as source, files.open(_info(entry.name), "w") as copy:
                    while part := source.read(2**20):
                        copy.write(part)
    return contents


def _names(data: Path) -> Iterator[str]:
    for kind in KINDS:
        path = data / kind
        if path.is_dir():
            names = sorted(f"{kind}/{one.name}" for one in path.iterdir() if one.is_file())
        else:
            names = [kind] if path.is_file() else []
        yield from (name for name in names if any(known.fullmatch(name) for known in _NAMES))


@contextlib.contextmanager
def _content(data: Path, name: str) -> Iterator[BinaryIO]:
    path = data / name
    copied = _copy_of_log(path) if is_log(name) else None
    if copied is not None:
        yield io.BytesIO(copied)
    else:
        with path.open("rb") as file:
            yield file


def _copy_of_log(path: Path) -> bytes | None:
    """A log as it is at this moment, though it is being written; None: SQLite cannot read it, so take it as it is."""
    address = f"{path.resolve().as_uri()}?mode=ro"
    alone = not any(path.with_name(path.name + ending).exists() for ending in ("-lock", "-wal"))
    try:
        with (
            contextlib.closing(sqlite3.connect(address + "&immutable=1" * alone, uri=True, timeout=5)) as source,
            contextlib.closing(sqlite3.connect(":memory:")) as copy,
        ):
            source.backup(copy)
            found: bytes = copy.serialize()
    except sqlite3.Error:
        return None
    # what SQLite copied says that a write-ahead log is used: it begins again with the first new record
    return found[:18] + b"\1\1" + found[20:] if found[18:20] == b"\2\2" else found


def _add(files: zipfile.ZipFile, name: str, content: BinaryIO) -> Entry:
    digest, size = hashlib.sha256(), 0
    with files.open(_info(name), "w") as out:
        while part := content.read(2**20):
            digest.update(part)
            size += len(part)
            out.write(part)
    return Entry(name, size, digest.hexdigest())


def _info(name: str) -> zipfile.ZipInfo:
    # the same files give the same bytes, whatever the clock says
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    return info


def _manifest(contents: Contents) -> bytes:
    value = {
        "format": FORMAT,
        "version": VERSION,
        "made": contents.made,
        "companion": contents.companion,
        "files": [{"name": one.name, "size": one.size, "sha256": one.sha256} for one in contents.entries],
    }
    return json.dumps(value, indent=1).encode()


def _is_backup(path: Path) -> bool:
    try:
        with opened(path) as (_, _):
            return True
    except InputError:
        return False


@contextlib.contextmanager
def opened(path: Path) -> Iterator[tuple[zipfile.ZipFile, Contents]]:
    """A backup and what it says of itself. Raises InputError: it cannot be read, is none, damaged, or newer."""
    try:
        with zipfile.ZipFile(path) as files:
            yield files, _contents(path, files)
    except OSError as error:
        raise InputError(f"backup {path}: {error.strerror or error}") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeError) as error:
        raise DamagedFile(f"backup {path}: is damaged or no backup: {error}") from error


def _contents(path: Path, files: zipfile.ZipFile) -> Contents:
    none = DamagedFile(f"backup {path}: is no backup of a table companion")
    try:
        if files.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
            raise none
        found: Any = json.loads(files.read(MANIFEST))
        if found["format"] != FORMAT:
            raise none
        version = found["version"]
    except InputError:
        raise
    except (KeyError, ValueError, TypeError, RecursionError):
        raise none from None
    if type(version) is not int or version > VERSION:
        raise InputError(f"backup {path}: was made by a newer companion (version {version}, this one knows {VERSION})")
    try:
        entries = tuple(Entry(str(one["name"]), int(one["size"]), str(one["sha256"])) for one in found["files"])
        contents = Contents(str(found["made"]), str(found["companion"]), entries)
    except (KeyError, ValueError, TypeError):
        raise DamagedFile(f"backup {path}: is damaged: its list of files cannot be read") from None
    _check_list(path, files, contents)
    return contents


def _check_list(path: Path, files: zipfile.ZipFile, contents: Contents) -> None:
    names = [entry.name for entry in contents.entries]
    packed = files.infolist()
    if sorted([MANIFEST, *names]) != sorted(info.filename for info in packed) or len(set(names)) != len(names):
        raise DamagedFile(f"backup {path}: is damaged: other files are in it than it lists")
    for name in names:
        if not any(known.fullmatch(name) for known in _NAMES):
            raise DamagedFile(f"backup {path}: holds {name[:80]!r}, which is no file of a table")
    total = sum(info.file_size for info in packed)
    if total > MOST_BYTES or len(packed) > MOST_FILES:
        raise InputError(f"backup {path}: is larger than any table's ({total >> 20} MB unpacked)")
