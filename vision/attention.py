"""Which pictures are read, and what stands meanwhile: reading all cells costs many times what seeing movement does.

The memory is one reading. It stands for a fraction of a second and only for cells in which nothing has moved since;
the others are "?" until they are read again. At once are read: the first picture in which all lies still (unless the
one just before was, and nothing has moved since), the one on which a tray settles, any after a shake or a change of
the light; with a hand at work, cells that have come to rest, but of many pictures in a row fewer than half.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.arrays import Mask
from vision.eye import Glance
from vision.picture import Image
from vision.reading import CellReading

MS = 1_000_000
SETTLED_NS = 700 * MS
"""So long the reading of a settled tray stands in which nothing moves."""
STILL_NS = 140 * MS
"""So long one stands that was taken when movement had just ended: no longer than settling takes."""
WAITING_NS = 500 * MS
"""So long one stands while all lies still and yet nothing can settle: a hand rests there, or the aim was just found."""
RESTED_NS = 110 * MS
"""So long one stands while something moves, though a cell has come to rest."""
MOVING_NS = 290 * MS
"""So long one stands while nothing comes to rest."""
SHARE = 0.4
"""Of the pictures may be read while something moves: cameras are slow where time is short."""
SAVED = 1.5
"""Readings that may be saved up."""


class Attention:
    def __init__(self, cells: tuple[str, ...], rows: int) -> None:
        self._cells, self._rows = cells, rows
        self._last: tuple[int, Glance] | None = None
        self._moved = np.zeros(len(cells), bool)
        self._still = False
        self._stirred = False
        self._carried: Glance | None = None
        self._put_off = False
        self._spare = SAVED

    def forget(self) -> None:
        self._last = None

    def taken(self, t_ns: int, glance: Glance, still: bool) -> None:
        """This is what was read now. `still`: nothing moved in the tray."""
        self._last, self._still, self._carried = (t_ns, glance), still, None
        self._spare = max(0.0, self._spare - 1)
        self._moved[:] = False
        self._stirred = False

    def rushed(self, t_ns: int) -> bool:
        """Whether the last reading is so young that a change of the light alone is no reason for another one."""
        return self._last is not None and t_ns - self._last[0] < RESTED_NS

    def standing(
        self,
        t_ns: int,
        patch: Image,
        moving: Mask,
        still: bool,
        settled: bool,
        since_ns: int | None = None,
        settling: bool = True,
    ) -> Glance | None:
        """The last reading, as far as it still holds; None: read again. `moving`: cells in which something moves;
        `since_ns`: of the picture that tells whether it does; `settling`: a tray that lies still may settle now."""
        self._spare = min(SAVED, self._spare + SHARE)
        if self._last is None:
            return None
        self._put_off = False
        since, glance = self._last
        rested = self._moved & ~moving
        if (moving & ~self._moved).any():
            self._carried = None
        self._moved |= moving
        if still and since_ns is not None and since >= since_ns and not self._moved.any():
            self._still = True  # that picture lay still as well
        if not glance.reading.aim.ok or (still and not self._still):
            return None
        self._stirred |= not still
        if not still:
            stands_ns = RESTED_NS if self._spare >= 1 and rested.any() else MOVING_NS
        elif settled:
            stands_ns = SETTLED_NS
        else:
            stands_ns = STILL_NS if settling or self._stirred else WAITING_NS
        if t_ns - since >= stands_ns:
            self._put_off = not still
            return None
        return self._carry(patch)

    def put_off(self, t_ns: int, patch: Image) -> Glance | None:
        """In place of a reading that is due while something moves something else as dear can be done, once: what
        stands meanwhile; None: read now."""
        if self._last is None or not self._put_off:
            return None
        carried = self._carry(patch)
        self._last = (t_ns, self._last[1])
        return carried

    def _carry(self, patch: Image) -> Glance:
        assert self._last is not None
        glance = self._last[1]
        if self._carried is None:
            self._carried = self._without_moved(glance)
        return replace(self._carried, patch=patch)

    def _without_moved(self, glance: Glance) -> Glance:
        """Cells that may hold something else by now are not known."""
        if not self._moved.any():
            return glance
        moved = [name for name, flag in zip(self._cells, self._moved, strict=True) if flag]
        cells = glance.reading.cells | dict.fromkeys(moved, CellReading("?", 0.0))
        text = "".join(cells[name].colour for name in self._cells)
        tray = "/".join(text[i : i + self._rows] for i in range(0, len(text), self._rows))
        chances = None if glance.chances is None else np.where(self._moved, 0, glance.chances)
        return replace(glance, reading=replace(glance.reading, tray=tray, cells=cells), chances=chances)
