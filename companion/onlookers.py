"""What the camera sees, for pages that look: worked out by those who ask, a few times a second for all of them.

The thread that sees is never asked for anything and pays nothing, however many look.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

PACE_NS = 190_000_000
"""So long a picture stands for all who ask: five a second, whatever the number of pages and how often they ask."""
KEPT = 4
"""Pictures that can still be fetched by number: a page that has the words also gets the picture that goes with them."""
SMOOTH = 0.1
"""Share of the newest frame in what is told of the pace."""


class Look(Protocol):
    """One picture and what was read from it: a value that any thread may work out at its leisure."""

    @property
    def t_ns(self) -> int: ...

    def to_json(self) -> dict[str, Any]: ...

    def jpeg(self) -> bytes: ...


class _Shown:
    """A look with its number; its parts are worked out once."""

    def __init__(self, number: int, look: Look) -> None:
        self.number, self.look = number, look
        self._lock = threading.Lock()
        self._json: dict[str, Any] | None = None
        self._jpeg: bytes | None = None

    def to_json(self) -> dict[str, Any]:
        with self._lock:
            if self._json is None:
                self._json = self.look.to_json()
            return self._json

    def jpeg(self) -> bytes:
        with self._lock:
            if self._jpeg is None:
                self._jpeg = self.look.jpeg()
            return self._jpeg


class Onlookers:
    """`newest`: the newest look there is, or None; called in the asking threads."""

    def __init__(self, newest: Callable[[], Look | None], clock_ns: Callable[[], int]) -> None:
        self._newest, self._clock_ns = newest, clock_ns
        self._lock = threading.Lock()
        self._shown: deque[_Shown] = deque(maxlen=KEPT)
        self._taken_ns = 0
        self._number = 0

    def seen(self) -> dict[str, Any]:
        """The keys `frame`, `age_ms` and those of the look; `frame` None: nothing was seen yet."""
        shown = self._take()
        if shown is None:
            return {"frame": None, "age_ms": None}
        age_ms = max(0, self._clock_ns() - shown.look.t_ns) // 1_000_000
        return {"frame": shown.number, "age_ms": age_ms, **shown.to_json()}

    def picture(self, number: int | None = None) -> tuple[int, bytes] | None:
        """The picture of that number, while it is kept, else the newest; and its number."""
        newest = self._take()
        if newest is None:
            return None
        with self._lock:
            shown = next((one for one in self._shown if one.number == number), newest)
        return shown.number, shown.jpeg()

    def _take(self) -> _Shown | None:
        with self._lock:
            look, now = self._newest(), self._clock_ns()
            if look is None:
                self._shown.clear()
                return None
            last = self._shown[-1] if self._shown else None
            if last is None or (look is not last.look and now - self._taken_ns >= PACE_NS):
                self._number += 1
                self._taken_ns = now
                self._shown.append(_Shown(self._number, look))
            return self._shown[-1]


class Pace:
    """How many frames a second were seen, and what each took; fed by the thread that sees, read by any."""

    def __init__(self) -> None:
        self._last_ns: int | None = None
        self._gap_s: float | None = None
        self._work_s: float | None = None

    def saw(self, t_ns: int, work_s: float) -> None:
        if self._last_ns is not None and t_ns > self._last_ns:
            gap_s = (t_ns - self._last_ns) / 1e9
            self._gap_s = gap_s if self._gap_s is None else self._gap_s + SMOOTH * (gap_s - self._gap_s)
        self._work_s = work_s if self._work_s is None else self._work_s + SMOOTH * (work_s - self._work_s)
        self._last_ns = t_ns

    def to_json(self) -> dict[str, Any]:
        gap_s, work_s = self._gap_s, self._work_s
        return {
            "fps": None if gap_s is None else round(1 / gap_s, 1),
            "work_ms": None if work_s is None else round(1000 * work_s, 1),
        }
