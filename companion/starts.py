"""How often the companion began, and how often it had not been shut down before: the plug was pulled, or it was killed.

A small file in the data folder holds the counts; another one, with the kernel's boot id, is there as long as a
companion runs. So no clock is asked, and an orderly end waits for no card.
"""

from __future__ import annotations

import contextlib
import json
import logging
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from companion.errors import InputError
from companion.files import read_file, set_aside, write_whole

log = logging.getLogger(__name__)

FILE = "starts.json"
RUNNING = "running"
VERSION = 1
LARGEST = 2**16
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True)
class Counts:
    starts: int = 0
    power_cuts: int = 0
    crashes: int = 0

    @property
    def unsafe(self) -> int:
        return self.power_cuts + self.crashes


Ended = Literal["safe", "power", "crash"]


class Starts:
    """`begin` when the page is about to be served, `end` in an orderly end; neither raises."""

    def __init__(self, data: Path, boot_id: Path = BOOT_ID) -> None:
        self._path, self._running = data / FILE, data / RUNNING
        self._boot_id = boot_id
        self.counts = Counts()

    def begin(self) -> tuple[Ended, str]:
        """How the companion before ended, and a sentence about a file that was set aside, or ""."""
        told = ""
        try:
            before = read_counts(self._path.parent) or Counts()
        except InputError as error:
            before, told = Counts(), _aside(self._path, error)
        here, last = self._here(), self._last()
        ended: Ended = "safe" if last is None else "crash" if last == here else "power"
        self.counts = replace(
            before,
            starts=before.starts + 1,
            power_cuts=before.power_cuts + (ended == "power"),
            crashes=before.crashes + (ended == "crash"),
        )
        try:
            text = json.dumps({"version": VERSION, **asdict(self.counts)}) + "\n"
            write_whole(self._path, text.encode())
            write_whole(self._running, f"{here}\n".encode())
        except InputError as error:
            log.warning("the starts are not counted: %s", error)
        return ended, told

    def end(self) -> None:
        with contextlib.suppress(OSError):
            self._running.unlink()

    def _last(self) -> str | None:
        """The boot id of a companion that did not end; None: the last one did."""
        try:
            return self._running.read_bytes().decode(errors="replace").strip()
        except OSError:
            return None

    def _here(self) -> str:
        try:
            return self._boot_id.read_text().strip()
        except OSError:
            return ""


def read_counts(data: Path) -> Counts | None:
    """None: no companion has run with this data folder. InputError: the file is damaged."""
    path = data / FILE
    if not path.exists():
        return None
    try:
        found: Any = json.loads(read_file(path, "file of starts", LARGEST))
        counts = [found[name] for name in ("starts", "power_cuts", "crashes")]
        known = found["version"] == VERSION
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: is no file of starts") from None
    if not known or not all(type(one) is int and one >= 0 for one in counts):
        raise InputError(f"{path}: is no file of starts of version {VERSION}")
    return Counts(*counts)


def _aside(path: Path, error: InputError) -> str:
    try:
        kept = set_aside(path)
    except InputError as problem:
        return f"{error} ({problem})."
    return f"{error}; it was set aside as {kept.name}, and unsafe shutdowns are counted from 0."
