"""Where the camera stands now: after a knock the tray is looked for, and pictures are seen from where it was found.

Nothing is believed that two pictures in a row do not agree on.
"""

from __future__ import annotations

from typing import Protocol

from vision.picture import Image
from vision.reaim import View
from vision.slices import Slices, whole

MS = 1_000_000
APART_NS = 90 * MS
"""So far apart two pictures must agree: a knocked camera swings."""
TRY_NS = 300 * MS
"""So often the tray is looked for at first."""
RARELY_NS = 1000 * MS
"""So often after a while without success."""
PATIENT = 16


class Seeker(Protocol):
    """The part of a Finder that Steady needs."""

    def finding(self, image: Image, near: View | None = None, back: bool = False) -> Slices[View | None]: ...


class Steady:
    def __init__(self, finder: Seeker) -> None:
        self._finder = finder
        self.view: View | None = None
        """None: the camera stands as at the calibration."""
        self.moves = 0
        """How often another view has been taken."""
        self._candidate: tuple[int, View] | None = None
        self._tried_ns: int | None = None
        self._failures = 0

    @property
    def board(self) -> bool:
        """Whether the stage board can be read."""
        return self.view is None or self.view.board

    @property
    def shift_px(self) -> float | None:
        """How far the tray lies from where it was calibrated; None: there."""
        return None if self.view is None else self.view.shift_px

    def rest(self) -> None:
        """The aim holds: whatever was found meanwhile is of the past."""
        self._candidate, self._tried_ns, self._failures = None, None, 0

    def seek(self, image: Image, t_ns: int) -> bool:
        """While the aim is lost, with each picture as the camera gave it. True: another view is taken from now on."""
        if not self._due(t_ns):
            return False
        self._tried_ns = t_ns
        near = None if self._candidate is None else self._candidate[1]
        found = whole(self._finder.finding(image, near, self.view is not None))
        before, self._candidate = self._candidate, None
        if found is None:
            self._failures += 1
            return False
        if before is None or not found.near(before[1]):
            self._candidate = (t_ns, found)
            return False
        self.view = found if found.shift_px > 0 else None
        self.moves += 1
        self.rest()
        return True

    def _due(self, t_ns: int) -> bool:
        if self._candidate is not None:
            return t_ns - self._candidate[0] >= APART_NS
        wait = TRY_NS if self._failures < PATIENT else RARELY_NS
        return self._tried_ns is None or t_ns - self._tried_ns >= wait
