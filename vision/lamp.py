"""How the light on the marbles has moved: the one step of light that explains best what they show.

A step moves every pixel alike (vision.colour); steps are asked in batches, which costs little more than asking one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from vision.arrays import Floats, Index
from vision.colour import REACH, U_STEP, W_STEP, Palette, Step

NO_STEP: Step = (0, 0, 0)
_STARTS: tuple[Step, ...] = ((0, 5, 0), (0, -5, 0), (4, 0, 0), (-4, 0, 0), (0, 3, 2), (0, 0, -2), (0, 10, 0))
_POOR = -0.5  # worth a cell below which the light is far off
_LONGEST = 12  # steps of a climb
Worths = Callable[[Sequence[Step]], Sequence[float]]


def fit(palette: Palette, values: list[Floats], weight: Floats, hint: Step | None = None) -> tuple[Floats, Step | None]:
    """The one step of light, beside the field told by the surroundings, that explains the marbles best.

    `weight`: of each cell, 0–1: how far it is open and looks like a marble; `hint`: what was found far off in a picture
    just before. Returns the scores (colours × cells), and the step when it is far off: a hint for the next picture.
    """
    places = palette.places(values)
    skip = max(1, places[0].shape[1] // 45)
    few = [part[:, ::skip] for part in places]

    def worths(steps: Sequence[Step]) -> list[float]:
        own = (palette.scores(few, steps) - palette.typical).max(axis=2)
        # cells that fit nothing (empty, hidden) must not pull
        fits = (np.maximum(own, -2.5) @ weight).tolist()
        return [fit - _price(step, NO_STEP) for fit, step in zip(fits, steps, strict=True)]

    best, value = _climb(NO_STEP, worths)
    if value > _POOR * float(weight.sum()):
        return palette.scores(places, (best,))[0].T, None
    # far off: saturated colours do not follow the greys of the surroundings, nor one another
    for start in _STARTS if hint is None else (hint,):
        other, its = _climb(start, worths)
        if its > value:
            best, value = other, its
    steps = _drift(palette, few, weight, best)
    return np.stack([palette.scores(places, (step,))[0, :, k] for k, step in enumerate(steps)]), best


def _drift(palette: Palette, few: list[Index], weight: Floats, common: Step) -> list[Step]:
    """Each colour's own step of light, near the common one, from the cells that are most likely of that colour."""
    likely = palette.scores(few, (common,))[0].argmax(axis=1)
    steps = []
    for k in range(len(palette.colours)):
        own = (likely == k) & (weight > 0.5)
        mine = [part[own] for part in few]

        def worths(steps: Sequence[Step], k: int = k, mine: list[Index] = mine) -> list[float]:
            fits = np.maximum(palette.scores(mine, steps)[..., k] - palette.typical[k], -4).sum(axis=1).tolist()
            return [fit - 1.5 * _price(step, common) for fit, step in zip(fits, steps, strict=True)]

        steps.append(_climb(common, worths)[0] if own.sum() >= 2 else common)
    return steps


def shaded(palette: Palette, values: list[Floats], colour: int) -> float:
    """By how much a cell (1 × pixels × 3) is likelier of this colour in its own shade: a hand's."""
    few = palette.places([part[:, :: max(1, part.shape[1] // 60)] for part in values])

    def worths(steps: Sequence[Step]) -> list[float]:
        fits = palette.scores(few, steps)[:, 0, colour].tolist()
        return [fit - 2.0 * _price(step, NO_STEP) for fit, step in zip(fits, steps, strict=True)]

    return _climb(NO_STEP, worths)[1] - worths((NO_STEP,))[0]


@lru_cache(4096)
def _price(step: Step, start: Step) -> float:
    """What a step of light costs beside another one: small ones are likelier."""
    u, v, w = (step[0] - start[0]) * U_STEP, (step[1] - start[1]) * U_STEP, (step[2] - start[2]) * W_STEP
    return 2.0 * (u * u + v * v) + w * w


@lru_cache(4096)
def _around(step: Step, size: int) -> tuple[Step, ...]:
    u, v, w = step
    near = [(u - size, v, w), (u + size, v, w), (u, v - size, w), (u, v + size, w), (u, v, w - 1), (u, v, w + 1)]
    return tuple(one for one in near if all(abs(part) <= reach for part, reach in zip(one, REACH, strict=True)))


@lru_cache(4096)
def _asked(step: Step, size: int) -> tuple[Step, ...]:
    """Most climbs end where they begin: both sizes at once."""
    return tuple(dict.fromkeys((step, *_around(step, size), *_around(step, 1))))


def _climb(best: Step, worths: Worths) -> tuple[Step, float]:
    """The nearest step of light that no neighbouring one betters, and its worth."""
    first = _asked(best, 2)
    known = dict(zip(first, worths(first), strict=True))
    for size in (2, 1):
        for _ in range(_LONGEST):
            around = _around(best, size)
            top = max(around, key=known.__getitem__)
            if known[top] <= known[best] + 1e-6:
                break
            best = top
            new = [step for step in _asked(best, size) if step not in known]
            known.update(zip(new, worths(new), strict=True) if new else ())
    return best, known[best]
