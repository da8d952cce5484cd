"""How one lane can have come from one text to another: which marbles were pulled out of it (DESIGN §3).

A lane is a stack: pull a marble and those above it roll down, then a new one drops in from the tower. Lanes do not
touch each other, so each is explained alone and `evidence` combines them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from companion.rules.rematch.tray import ROWS

HIDDEN_PULL = 2.0
"""Misfit of a pull of a marble that was plainly seen lying there in every view."""
FEWER = 1.0
"""Without a drop count: misfit of each pull, so that one that nothing speaks for is not invented."""
MOST_NEWCOMERS = 2
HEAVIEST = 2.0
"""Most that one unchanged sight of a lane can weigh."""


@dataclass(frozen=True)
class View:
    """A lane as it was seen during the turn: one character a row, "?" covered or unsure.

    `drops`: how many marbles had dropped into the lane by then (None: not counted). `weight`: how much it hurts to
    contradict it; about half the number of frames that agreed.
    """

    text: str
    drops: int | None = None
    weight: float = 1.0


@dataclass(frozen=True)
class Way:
    """`rows` (at the start of the turn) were pulled, and `newcomers` marbles that had dropped in during the turn.

    `misfit`: weight of the views that it contradicts.
    """

    rows: tuple[int, ...]
    newcomers: int = 0
    misfit: float = 0.0


def ways(before: str, after: str, drops: int | None, views: Sequence[View] = ()) -> list[Way]:
    """Every way from `before` to `after`; with `views`, each with its misfit to them.

    A pulled newcomer changes nothing that `before`, `after` and `drops` show which fewer pulled marbles would not show
    as well, so it is only considered where views speak for it.
    """
    old = [(row, colour) for row, colour in enumerate(before, 1) if colour != "."]
    new = after.replace(".", "")
    # a "?" at the top end of what is seen may as well be an empty cell
    loose = len(new) - len(new.rstrip("?"))
    found: list[Way] = []
    for newcomers in range(MOST_NEWCOMERS + 1 if views else 1):
        if newcomers and min((way.misfit for way in found), default=1.0) == 0:
            break
        for size in range(len(old) + 1):
            for pulled in combinations(range(len(old)), size):
                best = _fit(old, pulled, newcomers, new, loose, drops, views)
                if best is not None:
                    found.append(Way(tuple(old[i][0] for i in pulled), newcomers, best))
    return found


def _fit(
    old: Sequence[tuple[int, str]],
    pulled: tuple[int, ...],
    newcomers: int,
    new: str,
    loose: int,
    drops: int | None,
    views: Sequence[View],
) -> float | None:
    """Least misfit of pulling `pulled` (indices of `old`) and so many newcomers; None: cannot end as `new`."""
    stay = [colour for i, (_, colour) in enumerate(old) if i not in pulled]
    if not all(a == b or "?" in (a, b) for a, b in zip(stay, new, strict=False)):
        return None
    best: float | None = None
    for length in range(len(new) - loose, len(new) + 1):
        dropped = length - len(stay) + newcomers
        if length < len(stay) or dropped < newcomers or (drops is not None and drops != dropped):
            continue
        if not views:
            return 0.0
        colours = "".join(colour for _, colour in old)
        for gone in combinations(range(dropped), newcomers):
            late = list(new[len(stay) : length])
            for i in gone:
                late.insert(i, "?")
            out = (*pulled, *(len(old) + i for i in gone))
            misfit = _misfit(colours + "".join(late), len(old), frozenset(out), dropped, tuple(views))
            if drops is None:
                misfit += FEWER * len(out)
            best = misfit if best is None else min(best, misfit)
    return best


@dataclass(frozen=True)
class _Stage:
    """A moment of a turn in one lane. `hole`: the row just emptied, with what lies above it still on its way."""

    text: str
    dropped: int
    hole: int
    doubtful: bool
    edges: tuple[int, ...]


@lru_cache(maxsize=4096)
def _stages(colours: str, start: int, out: frozenset[int], drops: int) -> tuple[_Stage, ...]:
    """All moments between nothing pulled and all of `out` pulled and all drops in, each before those it leads to."""
    # a moment: marbles gone, drops so far, last one lifted (while its hole is open), hole already seen by a view
    first = (frozenset[int](), 0, -1, True)
    order = [first]
    edges: dict[tuple[frozenset[int], int, int, bool], list[tuple[frozenset[int], int, int, bool]]] = {}
    for moment in order:  # grows while it is walked
        gone, dropped, lifted, seen = moment
        after: list[tuple[frozenset[int], int, int, bool]] = []
        if lifted >= 0:
            if not seen:
                after.append((gone, dropped, lifted, True))
            after.append((gone, dropped, -1, True))
        else:
            there = [i for i in range(start + dropped) if i not in gone]
            after += [(gone | {i}, dropped, i, False) for i in there if i in out]
            if dropped < drops and len(there) < ROWS:
                after.append((gone, dropped + 1, -1, True))
        edges[moment] = after
        order += [m for m in after if m not in edges and m not in order]
    order.sort(key=lambda m: (len(m[0]) + m[1], m[2] < 0, m[3]))
    place = {moment: i for i, moment in enumerate(order)}
    stages = []
    for gone, dropped, lifted, seen in order:
        there = [i for i in range(start + dropped) if i not in gone or i == lifted]
        text = "".join("." if i == lifted else colours[i] for i in there).ljust(ROWS, ".")
        hole = there.index(lifted) + 1 if lifted >= 0 else 0
        leads = tuple(place[m] for m in edges[gone, dropped, lifted, seen])
        stages.append(_Stage(text, dropped, hole, lifted >= 0 and not seen, leads))
    return tuple(stages)


@lru_cache(maxsize=65536)
def _cost(text: str, hole: int, seen: str) -> float:
    """How many visible cells contradict, at most 2 (a rolling marble spoils several at once)."""
    wrong = 0
    for row, (expected, visible) in enumerate(zip(text, seen, strict=True), 1):
        if hole and row > hole:
            break  # rolling down just now: may look like anything
        if visible != "?" and visible != expected and not (expected == "?" and visible != "."):
            wrong += 1
    return float(min(wrong, 2))


def _misfit(colours: str, start: int, out: frozenset[int], drops: int, views: tuple[View, ...]) -> float:
    """Least total misfit over all orders of pulls and drops. Views are in order of time; a moment may pass unseen.

    Dynamic programming along the moments: after each view, the least misfit of standing at each moment.
    """
    stages = _stages(colours, start, out, drops)
    far = float("inf")
    at = [far] * len(stages)
    at[0] = 0.0
    for view in (*views, None):
        for i, stage in enumerate(stages):
            here = at[i]
            if here == far:
                continue
            for j in stage.edges:
                # leaving a hole that no view was spent on: the pull happened in plain sight, yet unseen
                step = here + (HIDDEN_PULL if stage.doubtful and stages[j].hole == 0 else 0.0)
                if stage.doubtful and stages[j].hole:
                    continue  # only a view turns a doubtful hole into a seen one
                if step < at[j]:
                    at[j] = step
        if view is None:
            break
        now = [far] * len(stages)
        for i, stage in enumerate(stages):
            if at[i] == far:
                continue
            cost = _cost(stage.text, stage.hole, view.text)
            if view.drops is not None and not view.drops - 1 <= stage.dropped <= view.drops:
                cost += 1.0  # a marble is counted a little before it lies still
            total = at[i] + cost * view.weight
            to = i
            if stage.doubtful:
                to = next(j for j in stage.edges if stages[j].hole)
            if total < now[to]:
                now[to] = total
        at = now
    return at[-1] if stages else far


def views_of(sightings: Iterable[tuple[str, int | None, float]]) -> tuple[View, ...]:
    """One lane's views from (lane text, drops so far, weight).

    What stays the same is kept as several views, because several marbles may be pulled behind one hand, but hurts only
    once: a finger taken for a marble must not outweigh everything else by staying.
    """
    views: list[View] = []
    spent = 0.0
    for text, drops, weight in sightings:
        if not views or views[-1].text != text:
            spent = 0.0
        elif spent >= HEAVIEST and "?" not in text and len(views) > 1 and views[-2].text == text:
            continue
        weight = min(weight, HEAVIEST - spent)
        spent += weight
        views.append(View(text, drops, weight))
    return tuple(views)
