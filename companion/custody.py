"""What the page must know of its files: room on the card, what was set aside, how often it was not shut down."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from companion import room
from companion.starts import BOOT_ID, Starts

log = logging.getLogger(__name__)

EVERY_S = 20.0
AGAIN = 30
"""A warning that was read and put away is said again after so many looks: ten minutes."""


class Page(Protocol):
    """The two of a service that are needed here."""

    def say(self, about: str, text: str, level: str = "info") -> None: ...

    def show(self, **extra: Any) -> None: ...


class Custody:
    """`begin` it when the page is about to be served, `end` it last of all in an orderly end."""

    def __init__(
        self, data: Path, free: Callable[[Path], int | None] = room.free_bytes, boot_id: Path = BOOT_ID
    ) -> None:
        self._data = data
        self._free = free
        self._starts = Starts(data, boot_id)
        self._stop = threading.Event()
        self._said = ("", "info")
        self._looks = 0

    def begin(self, page: Page) -> None:
        ended, damaged = self._starts.begin()
        counts = self._starts.counts
        if damaged:
            page.say("starts", damaged, "error")
        if ended != "safe":
            why = "the power was cut" if ended == "power" else "it was ended from outside, or failed"
            times = "for the first time" if counts.unsafe == 1 else f"{counts.unsafe} times by now"
            page.say(
                "unsafe", f"The companion was not shut down before: {why} ({times}). Every saved command is there."
            )
        page.show(keeping=self.to_json())
        self.look(page)
        threading.Thread(target=self._watch, args=(page,), name="custody", daemon=True).start()

    def end(self) -> None:
        self._stop.set()
        self._starts.end()

    def look(self, page: Page) -> None:
        """Say what there is to say of the room on the card; nothing twice, but again after a while."""
        text, level = room.words(self._free(self._data))
        self._looks += 1
        # the number of MB changes all the time: only another level is news
        if level == self._said[1] and bool(text) == bool(self._said[0]) and (not text or self._looks < AGAIN):
            return
        self._said, self._looks = (text, level), 0
        page.say("room", text, level)
        page.show(keeping=self.to_json())

    def to_json(self) -> dict[str, Any]:
        """The view's key `keeping` (docs/decisions/page-view.md)."""
        counts = self._starts.counts
        return {
            "power_cuts": counts.power_cuts,
            "crashes": counts.crashes,
            "set_aside": [path.name for path in set_aside_files(self._data)],
            "room": self._said[0] or None,
        }

    def _watch(self, page: Page) -> None:
        while not self._stop.wait(EVERY_S):
            try:
                self.look(page)
            except RuntimeError:  # the writer has ended, and so shall we
                return
            except TimeoutError:  # it hangs: that is the watchdog's business
                log.warning("the page could not be told of the files")


def set_aside_files(data: Path) -> list[Path]:
    """What was damaged and set aside in a data folder, by name; the files that SQLite kept beside a log left out."""
    found = [path for folder in (data, data / "matches") for path in folder.glob("*.damaged-*")]
    return sorted(path for path in found if not path.name.endswith(("-wal", "-shm", "-lock", "-journal")))
