"""How one lane can have come from one text to another: which marbles were pulled out of it (DESIGN §3).

A lane is a stack: pull a marble and those above it roll down, then a new one drops in from the tower. Lanes do not
touch each other, so each is explained alone and `evidence` combines them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from companion.rules.rematch.tray import ROWS

HIDDEN_PULL = 2.0
"""Misfit of a pull of a marble that was plainly seen lying there in every view."""
FEWER = 1.0
"""Without a drop count: misfit of each pull, so that one that nothing speaks for is not invented."""
DOUBTED = 0.5
"""With a count that is not sure: misfit of each drop more or less than it."""
CONTRADICTED = 1.0
"""Misfit of the best way without newcomers from which on they are considered."""
MOST_NEWCOMERS = 2
EMPTY_LOOK = 0.35
"""What a marble that looked like an empty cell counts beside one that looked like another colour: fingers do, too."""
HANGING = 0.25
"""What it counts that a marble hangs above a gap that it should have rolled into."""
ALIKE = 3
"""So many equal views in a row are kept: as many marbles of a lane may have been pulled meanwhile."""
HEAVIEST = 2.0
"""Most that one unchanged sight of a lane can weigh."""
SIDE = 1.1
"""Misfit of a marble that shows the same side though it should have rolled, or another one though nothing moved it."""
MOST_SIDES = 2


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


def ways(
    before: str,
    after: str,
    drops: int | None,
    views: Sequence[View] = (),
    margin: float = float("inf"),
    turned: Collection[int] = (),
    alike: Collection[int] = (),
    likely: int | None = None,
) -> list[Way]:
    """Every way from `before` to `after`; with witnesses, those whose misfit is within `margin` of the least.

    `turned`, `alike`: rows whose marble now shows another side, or the very same: only what lies above the lowest
    pulled one rolls. `likely`: the number of drops by a count that is not sure, when `drops` is not known.

    A pulled newcomer changes nothing that `before`, `after` and `drops` show which fewer pulled marbles would not show
    as well, so it is only considered where views speak for it; and not beside so many others that a lane's worth of
    marbles has gone: a tray laid anew would have thousands of such ways.
    """
    lane = _Lane(before, after, drops, tuple(views), turned, alike, likely)
    found: list[Way] = []
    best = float("inf")
    for newcomers in range(MOST_NEWCOMERS + 1 if views or turned or alike else 1):
        if newcomers and not best - lane.least_prior > CONTRADICTED:
            break
        for size in range(len(lane.old) + 1):
            if lane.prior(size + newcomers) > best + margin or (newcomers and size + newcomers > ROWS):
                break
            for pulled in combinations(range(len(lane.old)), size):
                misfit = lane.fit(pulled, newcomers, best + margin)
                if misfit is not None:
                    found.append(Way(tuple(lane.old[i][0] for i in pulled), newcomers, misfit))
                    best = min(best, misfit)
    return [way for way in found if way.misfit <= best + margin]


class _Lane:
    """What is known of one lane before and after."""

    def __init__(
        self,
        before: str,
        after: str,
        drops: int | None,
        views: tuple[View, ...],
        turned: Collection[int],
        alike: Collection[int],
        likely: int | None = None,
    ) -> None:
        self.old = [(row, colour) for row, colour in enumerate(before, 1) if colour != "."]
        self.new = after.replace(".", "")
        # a "?" at the top end of what is seen may as well be an empty cell
        self.loose = len(self.new) - len(self.new.rstrip("?"))
        self.drops = drops
        self.likely = likely if drops is None else None
        self.views = views
        self.turned, self.alike = turned, alike
        self.least_prior = 0.0 if before == after else self.prior(1)

    def prior(self, pulls: int) -> float:
        """The least that so many pulls cost."""
        return FEWER * pulls if self.drops is None and self.likely is None and self.views else 0.0

    def fit(self, pulled: tuple[int, ...], newcomers: int, limit: float) -> float | None:
        """Least misfit of pulling `pulled` (indices of `old`) and newcomers; None: impossible, or over `limit`."""
        stay = [colour for i, (_, colour) in enumerate(self.old) if i not in pulled]
        if not all(a == b or "?" in (a, b) for a, b in zip(stay, self.new, strict=False)):
            return None
        best: float | None = None
        for length in range(len(self.new) - self.loose, len(self.new) + 1):
            dropped = length - len(stay) + newcomers
            if length < len(stay) or dropped < newcomers or (self.drops is not None and self.drops != dropped):
                continue
            prior = self.prior(len(pulled) + newcomers) + self._sides(pulled)
            if self.likely is not None:
                prior += DOUBTED * abs(dropped - self.likely)
            if not self.views:
                if prior <= limit:
                    best, limit = prior, prior
                continue
            colours = "".join(colour for _, colour in self.old)
            for gone in combinations(range(dropped), newcomers):
                late = list(self.new[len(stay) : length])
                for i in gone:
                    late.insert(i, "?")
                out = frozenset((*pulled, *(len(self.old) + i for i in gone)))
                misfit = prior + _misfit(
                    colours + "".join(late), len(self.old), out, dropped, self.views, limit - prior
                )
                if misfit <= limit and misfit < float("inf"):
                    best, limit = misfit, misfit
        return best

    def _sides(self, pulled: tuple[int, ...]) -> float:
        """Misfit of the sides that marbles show with these pulled (indices of `old`)."""
        lowest = min((self.old[i][0] for i in pulled), default=ROWS + 1)
        wrong = sum(row < lowest for row in self.turned) + sum(row >= lowest for row in self.alike)
        return SIDE * min(wrong, MOST_SIDES)


class _Moment(NamedTuple):
    """A moment of a turn in one lane, the same whatever the colours: they are many, the ways of pulling few.

    `there`: the marbles that lie there, -1 for a hole; `hole`: the row just emptied, with what lies above it still on
    its way; `doubtful`: no view has seen it; `edges`: the moments it leads to.
    """

    there: tuple[int, ...]
    dropped: int
    hole: int
    doubtful: bool
    edges: tuple[int, ...]


# an evening brings some three hundred ways of pulling, each of hundreds of moments (20 kB): this is full within an hour
# or two, and finding one anew takes a millisecond
@lru_cache(maxsize=128)
def _moments(start: int, out: frozenset[int], drops: int) -> tuple[_Moment, ...]:
    """All moments between nothing pulled and all of `out` pulled and all drops in, each before those it leads to.

    None at all when no order of pulls and drops comes to that end, for want of room for the drops.
    """
    # a moment: marbles gone, drops so far, last one lifted (while its hole is open), hole already seen by a view
    first = (frozenset[int](), 0, -1, True)
    order, known = [first], {first}
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
        order += [m for m in after if m not in known]
        known.update(after)
    if (out, drops, -1, True) not in edges:
        return ()
    order.sort(key=lambda m: (len(m[0]) + m[1], m[2] < 0, m[3]))
    place = {moment: i for i, moment in enumerate(order)}
    moments = []
    for gone, dropped, lifted, seen in order:
        there = [i for i in range(start + dropped) if i not in gone or i == lifted]
        hole = there.index(lifted) + 1 if lifted >= 0 else 0
        leads = tuple(place[m] for m in edges[gone, dropped, lifted, seen])
        lie = tuple(-1 if i == lifted else i for i in there)
        moments.append(_Moment(lie, dropped, hole, lifted >= 0 and not seen, leads))
    return tuple(moments)


@lru_cache(maxsize=128)
def _texts(colours: str, start: int, out: frozenset[int], drops: int) -> tuple[str, ...]:
    """What lies there at each of these moments."""
    known: dict[tuple[int, ...], str] = {}
    for moment in _moments(start, out, drops):
        if moment.there not in known:
            known[moment.there] = "".join("." if i < 0 else colours[i] for i in moment.there).ljust(ROWS, ".")
    return tuple(known[moment.there] for moment in _moments(start, out, drops))


@lru_cache(maxsize=4096)
def _cost(text: str, hole: int, seen: str) -> float:
    """How many visible cells contradict, at most 2 (a rolling marble spoils several at once)."""
    lies = text.rstrip(".")
    plain = _contradicted(text, hole, seen)
    if hole or not plain or len(lies) == ROWS:
        return plain
    hanging = (f"{lies[:row]}.{lies[row:]}".ljust(ROWS, ".") for row in range(1, len(lies)))
    return min([plain, *(HANGING + _contradicted(hung, 0, seen) for hung in hanging)])


def _contradicted(text: str, hole: int, seen: str) -> float:
    wrong = 0.0
    for row, (expected, visible) in enumerate(zip(text, seen, strict=True), 1):
        if hole and row > hole:
            break  # rolling down just now: may look like anything
        if visible == "?" or visible == expected or (expected == "?" and visible != "."):
            continue
        wrong += EMPTY_LOOK if visible == "." else 1.0
    return min(wrong, 2.0)


def _misfit(colours: str, start: int, out: frozenset[int], drops: int, views: tuple[View, ...], limit: float) -> float:
    """Least total misfit over all orders of pulls and drops; infinite once it is over `limit`.

    Views are in order of time; a moment may pass unseen. Dynamic programming along the moments: after each view, the
    least misfit of standing at each moment.
    """
    moments = _moments(start, out, drops)
    far = float("inf")
    if not moments:
        return far
    texts = _texts(colours, start, out, drops)
    at = [far] * len(moments)
    at[0] = 0.0
    for view in (*views, None):
        for i, moment in enumerate(moments):
            here = at[i]
            if here > limit:
                continue
            for j in moment.edges:
                # leaving a hole that no view was spent on: the pull happened in plain sight, yet unseen
                step = here + (HIDDEN_PULL if moment.doubtful and moments[j].hole == 0 else 0.0)
                if moment.doubtful and moments[j].hole:
                    continue  # only a view turns a doubtful hole into a seen one
                if step < at[j]:
                    at[j] = step
        if view is None:
            break
        now = [far] * len(moments)
        for i, moment in enumerate(moments):
            if at[i] > limit:
                continue
            cost = _cost(texts[i], moment.hole, view.text)
            if view.drops is not None and not view.drops - 1 <= moment.dropped <= view.drops:
                cost += 1.0  # a marble is counted a little before it lies still
            total = at[i] + cost * view.weight
            to = i
            if moment.doubtful:
                to = next(j for j in moment.edges if moments[j].hole)
            if total < now[to]:
                now[to] = total
        at = now
    return at[-1] if at[-1] <= limit else far


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
        weight = min(weight, HEAVIEST - spent)
        spent += weight
        if len(views) >= ALIKE and all((view.text, view.drops) == (text, drops) for view in views[-ALIKE:]):
            views[-1] = View(text, drops, views[-1].weight + weight)
        else:
            views.append(View(text, drops, weight))
    return tuple(views)
