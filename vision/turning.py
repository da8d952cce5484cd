"""Which marbles were touched: one that rolled shows another side, one that was left alone shows the same to the pixel.

Colours cannot tell a marble from another of its colour; its streaks, bubbles and scratches can. Each cell of two quiet
pictures of a tray is compared with what the cells that stayed the same show of noise and light. Where marbles are too
plain, or the light has changed too much, nothing is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision.arrays import Floats
from vision.geometry import Geometry
from vision.picture import Image

TURNED, LEAST = 2.6, 2.4
"""Another side: so many times what unmoved cells differ, and so many grey levels. Seen: 3.5 times and more."""
ALIKE = 1.75
"""The same side: at most so many times what unmoved cells differ. Seen: 1.45 times at the most."""
NOISY = 5.0
"""Grey levels that unmoved cells may differ; beyond, the light is another one."""
PLAIN = 3.0
"""Marbles of one colour must differ by so many times as much from each other for "the same side" to mean anything."""
QUIET = 0.25
"""Share of the cells that is taken to be unmoved: a player reaches two lanes of three."""


@dataclass(frozen=True)
class Touched:
    """Names of cells that show another side than before, and of those that show the same. The rest is not known."""

    turned: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()


class Sides:
    """Takes prints of the cells of one table and compares them."""

    def __init__(self, geometry: Geometry, cells: tuple[str, ...]) -> None:
        self._cells = cells
        centres, radius = geometry.centres / 2 - 0.25, geometry.radius / 2 * 0.8
        reach = int(radius) + 1
        ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        inside = xs * xs + ys * ys <= radius * radius
        middle = np.round(centres).astype(int)
        rows, columns = middle[:, 1:2] + ys[inside][None, :], middle[:, 0:1] + xs[inside][None, :]
        self._pixels = np.asarray(rows * (geometry.size[0] // 2) + columns)

    def print(self, small: Image) -> Floats:
        """`small`: the half-size patch. cells × pixels × 3: what each cell shows around its own mean."""
        discs = small.reshape(-1, 3).take(self._pixels, axis=0).astype(np.float32)
        discs -= discs.mean(axis=1, keepdims=True)
        return discs


@dataclass(frozen=True, eq=False)
class Prints:
    """Of a few pictures, worked out only when somebody asks. `smalls`: their half-size patches."""

    sides: Sides
    smalls: tuple[Image, ...]

    @cached_property
    def mean(self) -> Floats:
        return np.asarray(np.mean([self.sides.print(small) for small in self.smalls], axis=0, dtype=np.float32))


def compare(then: Floats, now: Floats, colours_then: str, colours_now: str, cells: tuple[str, ...]) -> Touched:
    """`then`, `now`: prints, each best the mean of a few pictures; colours: a letter a cell, "?" not known."""
    apart = _apart(then, now)
    known = [i for i, (a, b) in enumerate(zip(colours_then, colours_now, strict=True)) if a == b and a not in ".?"]
    unmoved = sorted(apart.tolist())[int(QUIET * len(cells))]
    if unmoved > NOISY:
        return Touched()
    limit = max(LEAST, TURNED * unmoved)
    turned = tuple(cells[i] for i in known if apart[i] > limit)
    pairs = [(i, j) for i in range(len(cells)) for j in range(i) if colours_then[i] == colours_then[j]]
    patterned = bool(pairs) and _quarter(_apart(*then[np.array(pairs).T])) > PLAIN * max(unmoved, 1.0)
    alike = tuple(cells[i] for i in known if apart[i] < ALIKE * unmoved) if patterned else ()
    return Touched(turned, alike)


def _quarter(values: Floats) -> float:
    """What a quarter of them lie below."""
    ranked = sorted(values.tolist())
    place = 0.25 * (len(ranked) - 1)
    low = int(place)
    return float(ranked[low] + (place - low) * (ranked[min(low + 1, len(ranked) - 1)] - ranked[low]))


def _apart(one: Floats, other: Floats) -> npt.NDArray[np.float32]:
    return np.asarray(np.abs(one - other).mean(axis=(-1, -2)), np.float32)
