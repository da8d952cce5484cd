"""What can have happened in one lane, by brute force: every order of pulls and drops, and all places of the views.

Written from docs/decisions/evidence.md and the docstrings alone, with its figures; it shares no code with `lanes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

Glance = tuple[str, int | None, float]
"""A view: the lane's text, drops by then, weight."""
Moment = tuple[str, int, int]
"""The lane's text, drops so far, the row where a hole is open (0: none)."""
Found = dict[tuple[tuple[int, ...], int], float]
"""(rows pulled, newcomers pulled) → misfit."""


def ways(
    before: str,
    after: str,
    drops: int | None,
    views: Sequence[Glance] = (),
    margin: float = float("inf"),
    turned: Sequence[int] = (),
    alike: Sequence[int] = (),
) -> Found:
    rows = [row for row in range(1, 6) if before[row - 1] != "."]
    # without a count each pull costs 1, so none is invented; an unchanged lane needs none
    dear = 1.0 if drops is None and views else 0.0
    found: Found = {}
    for newcomers in range(3 if views or turned or alike else 1):
        if newcomers and found and min(found.values()) - (0.0 if before == after else dear) <= 1.0:
            break
        for size in range(len(rows) + 1):
            for pulled in combinations(rows, size):
                if newcomers and size + newcomers > 5:
                    continue  # more than a lane's worth of marbles: not considered
                cost = min(_costs(before, after, drops, views, pulled, newcomers), default=float("inf"))
                if cost < float("inf"):
                    found[pulled, newcomers] = cost + dear * (size + newcomers) + _sides(pulled, turned, alike)
    least = min(found.values(), default=0.0)
    return {way: misfit for way, misfit in found.items() if misfit <= least + margin + 1e-9}


def _sides(pulled: Sequence[int], turned: Sequence[int], alike: Sequence[int]) -> float:
    lowest = min(pulled, default=9)
    wrong = [row for row in turned if row < lowest] + [row for row in alike if row >= lowest]
    return 1.1 * min(len(wrong), 2)


def _costs(
    before: str, after: str, drops: int | None, views: Sequence[Glance], pulled: Sequence[int], newcomers: int
) -> Iterator[float]:
    """The misfit to the views of each history that ends in `after`."""
    stay = "".join(before[row - 1] for row in range(1, 6) if row not in pulled and before[row - 1] != ".")
    lies = after.replace(".", "")
    unsure = len(lies) - len(lies.rstrip("?"))
    for length in range(len(lies) - unsure, len(lies) + 1):
        came = length - len(stay)
        if came < 0 or any("?" not in pair and pair[0] != pair[1] for pair in zip(stay, lies, strict=False)):
            continue
        if drops is not None and drops != came + newcomers:
            continue
        for gone in combinations(range(came + newcomers), newcomers):
            colours = list(lies[len(stay) : length])
            for i in gone:
                colours.insert(i, "?")
            if not views:
                yield 0.0
                return
            marbles = [(row, before[row - 1]) for row in range(1, 6) if before[row - 1] != "."]
            tower = [(-1 - i, colour) for i, colour in enumerate(colours)]
            out = frozenset(pulled) | {-1 - i for i in gone}
            yield _least(tuple(marbles), tuple(tower), out, 0, tuple(views))


Marbles = tuple[tuple[int, str], ...]


def _text(marbles: Sequence[tuple[int, str]]) -> str:
    return "".join(colour for _, colour in marbles).ljust(5, ".")


@cache
def _least(lane: Marbles, tower: Marbles, out: frozenset[int], dropped: int, views: tuple[Glance, ...]) -> float:
    """Least misfit of the rest of the turn from a moment at which all lies still; a hole that no view sees costs 2."""
    now = (_text(lane), dropped, 0)
    best = float("inf")
    for spent, cost in _spent(now, views):
        left = views[spent:]
        if not out and not tower and not left:
            best = min(best, cost)
        for i, (name, _) in enumerate(lane):
            if name in out:
                # the marble is lifted, those above it are still on their way
                hole = (_text([*lane[:i], (0, "."), *lane[i + 1 :]]), dropped, i + 1)
                after = lane[:i] + lane[i + 1 :]
                for seen, more in _spent(hole, left):
                    rest = _least(after, tower, out - {name}, dropped, left[seen:])
                    best = min(best, cost + (more if seen else 2.0) + rest)
        if tower and len(lane) < 5:
            best = min(best, cost + _least((*lane, tower[0]), tower[1:], out, dropped + 1, left))
    return best


def _spent(moment: Moment, views: Sequence[Glance]) -> Iterator[tuple[int, float]]:
    """So many of the next views fell on this moment, and what they contradict."""
    cost = 0.0
    yield 0, 0.0
    for number, view in enumerate(views, 1):
        cost += _contradicted(moment, view)
        yield number, cost


@cache
def _contradicted(moment: Moment, view: Glance) -> float:
    text, dropped, hole = moment
    seen, by_then, weight = view
    cost = _wrong(text if not hole else text[:hole] + "*****"[hole:], seen)
    lies = text.rstrip(".")
    if not hole and len(lies) < 5:
        # a marble may hang above a gap for a moment
        hung = [(lies[:row] + "." + lies[row:]).ljust(5, ".") for row in range(1, len(lies))]
        cost = min([cost, *(0.25 + _wrong(other, seen) for other in hung)])
    # a marble is counted a little before it lies still
    if by_then is not None and dropped not in (by_then, by_then - 1):
        cost += 1.0
    return cost * weight


def _wrong(text: str, seen: str) -> float:
    """Cells that contradict: 1 for another colour, less for one that looks empty; 2 at most. `*`: anything."""
    wrong = 0.0
    for lies, looks in zip(text, seen, strict=True):
        if lies == "*" or looks == "?" or lies == looks or (lies == "?" and looks != "."):
            continue
        wrong += 0.35 if looks == "." else 1.0
    return min(wrong, 2.0)
