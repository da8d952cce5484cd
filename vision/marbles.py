"""A second opinion on whether a cell holds a marble, learnt on many tables.

The eye's own rule knows one table only. Here a cell is measured against that table's typical marble, circle by circle
(light, edges along and across the rays), beside the rule's own evidence; what such differences mean went into a small
net. Its weights, marbles.npz, were learnt from the footage's tables and from tables made of them: other floors, lamps
and lenses, marbles turned into glass and swirls, print laid into the lanes, fingers over single cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from vision.arrays import Floats, Mask

FAR = 4.0  # spreads: no single number counts for more
# of own, shading, rim, like, gap
_LEAST = np.array([-2.5, -0.5, 0.0, -0.5, 0.0], np.float32)
_MOST = np.array([0.5, 1.3, 1.5, 1.5, 1.5], np.float32)


@dataclass(frozen=True, eq=False)
class Evidence:
    """Of each cell in question: how far it fits its likeliest colour, by how much better than the next colour, and
    what `form` and `likeness` measured; `marks`: cells × numbers, from `Likeness.compare`; `spread`: cells × 3, of its
    pixels in (u, v, w)."""

    own: Floats
    gap: Floats
    shading: Floats
    rim: Floats
    like: Floats
    marks: Floats
    spread: Floats


@cache
def _nets() -> dict[str, Floats]:
    with files("vision").joinpath("marbles.npz").open("rb") as file, np.load(file, allow_pickle=False) as weights:
        return {name: np.asarray(weights[name], np.float32) for name in weights.files}


class Marbles:
    """The typical marble of one table, and how others compare with it."""

    def __init__(self, marks: Floats, spread: Floats, present: Mask, circles: int) -> None:
        """`marks`, `spread`: of the calibration's cells; `present`: which hold a marble."""
        self._circles = circles
        self._typical = self._split(marks[present].mean(axis=0, keepdims=True))
        self._usual = np.median(self._circle_by_circle(marks[present]), axis=0)
        self._spread = np.log(np.median(spread[present], axis=0) + 0.03)

    def _split(self, marks: Floats) -> Floats:
        """cells × (light, along, across) × circles × angles."""
        return marks.reshape(len(marks), 3, self._circles, -1)

    def _circle_by_circle(self, marks: Floats) -> Floats:
        found, typical = self._split(marks), self._typical
        off = found - typical
        even = np.full(found.shape[-1], 1 / found.shape[-1], np.float32)
        mean = found @ even
        centred = found - mean[..., None]
        parts = (
            (found * typical) @ even,
            np.sqrt((off * off) @ even),
            off @ even,
            mean,
            np.sqrt((centred * centred) @ even),
        )
        return np.concatenate([part.reshape(len(marks), -1) for part in parts], axis=1)

    def features(self, evidence: Evidence) -> Floats:
        """cells × numbers, as the nets take them."""
        circles = self._circle_by_circle(evidence.marks)
        rule = np.stack((evidence.own, evidence.shading, evidence.rim, evidence.like, evidence.gap), axis=1)
        rule = np.minimum(np.maximum(rule, _LEAST), _MOST)
        spread = np.log(evidence.spread + 0.03) - self._spread
        return np.concatenate([rule, circles, circles - self._usual, spread], axis=1)

    def odds(self, evidence: Evidence) -> Floats:
        """Logits that a cell holds a marble; 0 = as likely as not."""
        net = _nets()
        values = (self.features(evidence) - net["middle"]) / net["spread"]
        values = np.minimum(np.maximum(values, -FAR), FAR)
        hidden = np.tanh(values @ net["first"] + net["first_bias"])  # nets × cells × hidden
        return np.asarray((hidden @ net["second"][..., None])[..., 0].mean(axis=0) + net["second_bias"].mean())
