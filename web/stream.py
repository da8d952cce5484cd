"""Server-sent events: each page gets the newest snapshot, whole, and never a backlog (field reports J5, J6)."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator

from web.port import Snapshot, Watched
from web.replies import to_text

RETRY_MS = 1000


STREAMS_EACH = 16
"""Streams of one device, so that it cannot take every place."""


class Slots:
    """At most `most` streams at once: each holds a thread of the server, and pages need threads too.

    `each`: so many of one sender; the sender "" is not bounded.
    """

    def __init__(self, most: int, each: int = STREAMS_EACH) -> None:
        self.most = most
        self._each = each
        self._open = 0
        self._of: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def open(self) -> int:
        return self._open

    def take(self, who: str = "") -> bool:
        with self._lock:
            if self._open >= self.most or (who and self._of[who] >= self._each):
                return False
            self._open += 1
            self._of[who] += 1
            return True

    def give_back(self, who: str = "") -> None:
        with self._lock:
            self._open -= 1
            self._of[who] -= 1
            if not self._of[who]:
                del self._of[who]


class EventStream:
    """The body of one `GET /api/events`, an iterator of chunks that ends when the client is gone.

    First chunk: `retry:`, the state and the view, whole. Then what changed, newest only: the state as the default
    message (`id:` = version), the view as `event: table`. After `beat_s` without a change a comment and `event: beat`
    (a page cannot see comments, and must know within 3 s that nobody is there). A class, not a generator: `close` of
    a generator that was never started would not run its `finally`, and the slot would be lost.
    """

    def __init__(self, table: Watched, beat_s: float, gone: Callable[[], bool], on_close: Callable[[], None]) -> None:
        self._table = table
        self._beat_s = beat_s
        self._gone = gone
        self._on_close: Callable[[], None] | None = on_close
        self._last: Snapshot | None = None

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self._on_close is None:
            raise StopIteration
        if self._last is None:
            self._last = self._table.snapshot()
            return f"retry: {RETRY_MS}\n\n{_state(self._last)}{_view(self._last)}".encode()
        if self._gone():
            raise StopIteration
        last, now = self._last, self._table.wait(self._last.serial, self._beat_s)
        self._last = now
        if now.serial == last.serial:
            return f": still here\nevent: beat\ndata: {now.serial}\n\n".encode()
        changed = now.version != last.version or now.state != last.state
        return f"{_state(now) if changed else ''}{_view(now)}".encode()

    def close(self) -> None:
        """Called by the server whatever happened; gives the slot back once."""
        on_close, self._on_close = self._on_close, None
        if on_close is not None:
            on_close()


def _state(snapshot: Snapshot) -> str:
    return f"id: {snapshot.version}\ndata: {to_text(snapshot.state)}\n\n"


def _view(snapshot: Snapshot) -> str:
    return f"event: table\ndata: {to_text(snapshot.view)}\n\n"
