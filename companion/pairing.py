"""Which devices may change the match: each is let in once, by the PIN shown at the table (DESIGN §6, `--open`).

What is kept is one small file in the data folder: the PIN and, of each device's token, a hash. Nothing in it has a
date, so a clock that is wrong (a Pi has none of its own) locks nobody out.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.errors import InputError
from companion.files import read_file, set_aside, write_whole
from web.pairing import Paired

FILE = "pairing.json"
VERSION = 1
LARGEST = 2**20
DIGITS = 6
DEVICES = 200
"""The newest so many stay; a table with more has lost count of them itself."""
FREE_TRIES = 3
"""Wrong PINs of one address that cost nothing: fingers are wet."""
LONGEST_WAIT_S = 300.0
FORGOTTEN_S = 3600.0
EVERYBODY = 40
"""Wrong PINs of all addresses together within `FORGOTTEN_S`: at this rate a million PINs take years."""


class Pairing:
    """Implements web.pairing.Pairing. `notice`: told once of a damaged file. InputError: it cannot be written."""

    def __init__(
        self,
        data: Path,
        notice: Callable[[str], None] = lambda text: None,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path = data / FILE
        self._clock_s = clock_s
        self._lock = threading.Lock()
        self._wrong: dict[str, list[float]] = {}
        self._pin, self._hashes = _read(self._path, notice)
        if not self._pin:
            self._save(_new_pin(), [])

    @property
    def pin(self) -> str:
        return self._pin

    def allows(self, token: str) -> bool:
        digest = _digest(token)
        return any(hmac.compare_digest(digest, known) for known in self._hashes)

    def pair(self, pin: str, address: str) -> Paired:
        """Let the device at `address` in, or say why not."""
        with self._lock:
            wait_s = self._wait_s(address)
            if wait_s > 0:
                # not looked at: a right one among many guesses must not tell itself
                return Paired(None, _too_many(wait_s), wait_s)
            if not hmac.compare_digest(pin.encode(), self._pin.encode()):
                self._wrong.setdefault(address, []).append(self._clock_s())
                wait_s = self._wait_s(address)
                more = f" {_too_many(wait_s)}" if wait_s > 0 else ""
                return Paired(None, f"That is not the PIN of this table.{more}", wait_s)
            token = secrets.token_urlsafe(32)
            try:
                self._save(self._pin, [*self._hashes, _digest(token)][-DEVICES:])
            except InputError as error:
                return Paired(None, f"The device could not be let in: {error}.", code="not_saved")
            self._wrong.pop(address, None)
            return Paired(token)

    def renew(self, token: str) -> str | None:
        """A new PIN; of the devices only the one that asks stays. None: it could not be saved, and nothing changed."""
        with self._lock:
            try:
                self._save(_new_pin(), [known for known in self._hashes if known == _digest(token)])
            except InputError:
                return None
            return self._pin

    def _save(self, pin: str, hashes: list[str]) -> None:
        text = json.dumps({"version": VERSION, "pin": pin, "devices": hashes}, indent=1) + "\n"
        write_whole(self._path, text.encode(), private=True)
        self._pin, self._hashes = pin, hashes

    def _wait_s(self, address: str) -> float:
        now = self._clock_s()
        for other, times in list(self._wrong.items()):
            self._wrong[other] = [t for t in times if now - t < FORGOTTEN_S]
            if not self._wrong[other]:
                del self._wrong[other]
        waits = [0.0]
        if own := self._wrong.get(address, []):
            over = len(own) - FREE_TRIES
            if over >= 0:
                waits.append(own[-1] + min(LONGEST_WAIT_S, 5.0 * 2.0**over) - now)
        every = sorted(t for times in self._wrong.values() for t in times)
        if len(every) >= EVERYBODY:
            waits.append(every[-EVERYBODY] + FORGOTTEN_S - now)
        return max(waits)


def read_pin(data: Path) -> str | None:
    """The PIN of a data folder; None: no companion has run with it yet. InputError: the file is damaged."""
    if not (data / FILE).exists():
        return None
    return _parse(data / FILE)[0]


def _read(path: Path, notice: Callable[[str], None]) -> tuple[str, list[str]]:
    if not path.exists():
        return "", []
    try:
        return _parse(path)
    except InputError as error:
        kept = set_aside(path)
        notice(f"{error}; it was set aside as {kept.name}, and every device must enter the new PIN once.")
        return "", []


def _parse(path: Path) -> tuple[str, list[str]]:
    try:
        found: Any = json.loads(read_file(path, "pairing file", LARGEST))
    except ValueError:
        raise InputError(f"{path}: is no pairing file") from None
    if not isinstance(found, dict) or found.get("version") != VERSION:
        raise InputError(f"{path}: is no pairing file of version {VERSION}")
    pin, hashes = found.get("pin"), found.get("devices")
    if not (isinstance(pin, str) and len(pin) == DIGITS and pin.isascii() and pin.isdigit()):
        raise InputError(f"{path}: pin must be {DIGITS} digits")
    if not (isinstance(hashes, list) and all(isinstance(one, str) and one.isascii() for one in hashes)):
        raise InputError(f"{path}: devices must be a list of texts")
    return pin, hashes


def _new_pin() -> str:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}"


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _too_many(wait_s: float) -> str:
    seconds = int(wait_s) + 1
    wait = f"{seconds} seconds" if seconds < 120 else f"{seconds // 60 + 1} minutes"
    return f"Too many wrong PINs: try again in {wait}."
