"""How the light on the marbles has moved: the one step of light that explains best what they show.

A step moves every pixel alike (vision.colour); steps are asked in batches, which costs little more than asking one: of
several climbs each asks what it needs next, and all are answered together.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from vision.arrays import Floats, Index
from vision.colour import REACH, U_STEP, W_STEP, Palette, Step

NO_STEP: Step = (0, 0, 0)
_STARTS: tuple[Step, ...] = ((0, 5, 0), (0, -5, 0), (4, 0, 0), (-4, 0, 0), (0, 3, 2), (0, 0, -2), (0, 10, 0))
_POOR = -0.5  # worth a cell below which the light is far off
_LONGEST = 12  # steps of a climb
Steps = Sequence[Step]
Worths = Sequence[float]
Climb = Generator[Steps, Worths, tuple[Step, float]]


def fit(palette: Palette, values: list[Floats], weight: Floats, hint: Step | None = None) -> tuple[Floats, Step | None]:
    """The one step of light, beside the field told by the surroundings, that explains the marbles best.

    `weight`: of each cell, 0–1: how far it is open and looks like a marble; `hint`: what was found far off in a picture
    just before. Returns the scores (colours × cells), and the step when it is far off: a hint for the next picture.
    """
    places = palette.places(values)
    skip = max(1, places[0].shape[1] // 45)
    few = [part[:, ::skip] for part in places]
    open_ = weight > 0
    heard, weights = [part[open_] for part in few], weight[open_]

    def worths(asked: Mapping[int, Steps]) -> dict[int, Worths]:
        steps = list(dict.fromkeys(step for one in asked.values() for step in one))
        own = (palette.scores(heard, steps) - palette.typical).max(axis=2)
        # cells that fit nothing (empty, hidden) must not pull
        fits = (np.maximum(own, -2.5) @ weights).tolist()
        worth = {step: fit - _price(step, NO_STEP) for fit, step in zip(fits, steps, strict=True)}
        return {k: [worth[step] for step in one] for k, one in asked.items()}

    known: dict[Step, float] = {}
    [(best, value)] = _side_by_side([_climb(NO_STEP, known)], worths)
    if value > _POOR * float(weight.sum()):
        return palette.scores(places, (best,))[0].T, None
    # far off: saturated colours do not follow the greys of the surroundings, nor one another
    starts = _STARTS if hint is None else (hint,)
    for other, its in _side_by_side([_climb(start, known) for start in starts], worths):
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

        def worths(asked: Mapping[int, Steps], k: int = k, mine: list[Index] = mine) -> dict[int, Worths]:
            steps = asked[0]
            fits = np.maximum(palette.scores(mine, steps)[..., k] - palette.typical[k], -4).sum(axis=1).tolist()
            return {0: [fit - 1.5 * _price(step, common) for fit, step in zip(fits, steps, strict=True)]}

        steps.append(_side_by_side([_climb(common)], worths)[0][0] if own.sum() >= 2 else common)
    return steps


def shaded(palette: Palette, values: list[Floats], colours: Sequence[int]) -> list[float]:
    """By how much each cell (cells × pixels × 3) is likelier of its colour in its own shade: a hand's."""
    few = palette.places([part[:, :: max(1, part.shape[1] // 60)] for part in values])
    plain: dict[int, float] = {}

    def worths(asked: Mapping[int, Steps]) -> dict[int, Worths]:
        cells, most = list(asked), max(len(steps) for steps in asked.values())
        rows = [[*asked[k], *[NO_STEP] * (most - len(asked[k]))] for k in cells]
        scores = palette.scores_each([part[cells] for part in few], rows)
        fits = scores[np.arange(len(cells)), :, [colours[k] for k in cells]].tolist()
        told: dict[int, Worths] = {
            k: [fit - 2.0 * _price(step, NO_STEP) for fit, step in zip(own, asked[k], strict=False)]
            for k, own in zip(cells, fits, strict=True)
        }
        for k in cells:
            plain.setdefault(k, told[k][0])  # the first that is asked for is no step at all
        return told

    found = _side_by_side([_climb(NO_STEP) for _ in colours], worths)
    return [value - plain[k] for k, (_, value) in enumerate(found)]


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


def _side_by_side(
    climbs: Sequence[Climb], worths: Callable[[Mapping[int, Steps]], Mapping[int, Worths]]
) -> list[tuple[Step, float]]:
    """What each climb ends with. `worths`: of the steps that each of those under way (by number) asks for."""
    ends: dict[int, tuple[Step, float]] = {}
    told: Mapping[int, Worths | None] = dict.fromkeys(range(len(climbs)))
    while told:
        asked: dict[int, Steps] = {}
        for k, its in told.items():
            try:
                asked[k] = next(climbs[k]) if its is None else climbs[k].send(its)
            except StopIteration as end:
                ends[k] = end.value
        told = worths(asked) if asked else {}
    return [ends[k] for k in range(len(climbs))]


def _climb(best: Step, known: dict[Step, float] | None = None) -> Climb:
    """The nearest step of light that no neighbouring one betters, and its worth. It asks for the worths of steps.

    `known`: worths that are known already; several climbs may share it, so that none asks what another one was told.
    """
    known = {} if known is None else known
    for size in (2, 1):
        for _ in range(_LONGEST):
            new = [step for step in _asked(best, size) if step not in known]
            if new:
                known.update(zip(new, (yield new), strict=True))
            top = max(_around(best, size), key=known.__getitem__)
            if known[top] <= known[best] + 1e-6:
                break
            best = top
    return best, known[best]
