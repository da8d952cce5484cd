"""Marbles that lie between two cells: one that hangs halfway leaves both looking empty, and is not gone.

The form of a marble (`vision.form`) is looked for at places between the rows, only where two cells one above the other
are empty, or the one at the tower. Drawn and real trays: in between, marbles score 0.95 and more and floors 0.22 at the
most; at the tower 0.7 and more, where a marble that peeks out of its mouth is still above 5.4.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from vision.form import Form
from vision.geometry import Geometry
from vision.picture import Image
from vision.surround import half

LIKE_A_MARBLE = 0.6
"""Least share of a typical marble's shading and rim."""
PLACES = (0.25, 0.375, 0.5, 0.625, 0.75)
"""Rows above the lower cell; nearer to a cell a marble is read as lying in it."""
AT_TOWER = 0.4
"""Higher than this above the last row a marble is still in the tower's mouth."""


class Between:
    def __init__(self, geometry: Geometry, form: Form, cells: tuple[str, ...], rows: int) -> None:
        self._form, self._cells, self._rows = form, cells, rows
        self._pitch = geometry.pitch[1]

    def find(self, patch: Image, colours: Mapping[str, str]) -> tuple[str, ...]:
        """The cells that a marble lies half in, of those that look empty. `colours`: a letter a cell, "." empty."""
        last = self._rows - 1
        pairs = [
            i
            for i, name in enumerate(self._cells)
            if colours[name] == "." and (i % self._rows == last or colours[self._cells[i + 1]] == ".")
        ]
        if not pairs:
            return ()
        found: set[str] = set()
        index = np.array(pairs)
        window = rows, columns = self._form.window_of(index)
        size = (2 * (columns.stop - columns.start), 2 * (rows.stop - rows.start))
        parts = []
        for place in PLACES:
            there = np.array([[1, 0, -2 * columns.start], [0, 1, place * self._pitch - 2 * rows.start]], np.float32)
            moved = cv2.warpAffine(patch, there, size, borderMode=cv2.BORDER_REPLICATE)
            parts.append(half(np.asarray(moved, np.uint8)))
        shape = self._form.measure_parts(parts, window, index)
        likes = np.minimum(shape.shading, shape.rim) > LIKE_A_MARBLE
        for place, like in zip(PLACES, likes, strict=True):
            for i in index[like]:
                if i % self._rows < last:
                    found |= {self._cells[i], self._cells[i + 1]}
                elif place <= AT_TOWER:
                    found.add(self._cells[i])
        return tuple(name for name in self._cells if name in found)
