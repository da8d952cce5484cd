"""When a tray is believed to lie as it is read: nothing moves, no hand, and readings far enough apart agree."""

from __future__ import annotations

from collections import deque

from vision.picture import Image
from vision.turning import Prints, Sides

MS = 1_000_000
CALM_NS = 140 * MS
"""So long nothing may have moved before a reading settles: pictures over STILL_NS + CALM_NS agree."""
_PRINTS = 3


class Settling:
    def __init__(self, sides: Sides) -> None:
        self._sides = sides
        self.calm_since: int | None = None
        """Since when nothing moves."""
        self._agreed: deque[tuple[int, str]] = deque()
        self._seen: deque[Image] = deque(maxlen=_PRINTS)

    def stir(self) -> None:
        """Something moves, or nothing is known."""
        self.calm_since = None
        self._agreed.clear()
        self._seen.clear()

    def calm(self, small: Image, t_ns: int) -> None:
        """Nothing moves in this picture. `small`: its half-size patch."""
        if self.calm_since is None:
            self.calm_since = t_ns
        self._seen.append(small)

    def settles(self, tray: str, t_ns: int) -> bool:
        """Whether calm pictures far enough apart agree, cell by cell; unsure cells may come and go."""
        if self.calm_since is None:
            return False
        agreed = self._agreed
        agreed.append((t_ns, tray))
        while len(agreed) > 1 and t_ns - agreed[1][0] >= CALM_NS:
            agreed.popleft()
        return t_ns - agreed[0][0] >= CALM_NS and all(_agree(old, tray) for _, old in agreed)

    def prints(self) -> Prints:
        """What the marbles showed in the last calm pictures."""
        return Prints(self._sides, tuple(self._seen))


def _agree(one: str, other: str) -> bool:
    return one == other or all(a == b or "?" in (a, b) for a, b in zip(one, other, strict=True))
