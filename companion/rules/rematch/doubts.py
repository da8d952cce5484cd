"""Why a turn that can be explained is asked about all the same: counts that may be wrong, marbles nobody saw leave.

Each doubt is a function of the `Case`; it answers with the question and its answers, or with None. The order in which
they are raised is the watcher's; doubts about whose clear it was are in `goes`.
"""

from __future__ import annotations

from collections.abc import Collection

from companion.rules.rematch.case import PULL_NS, Case, Doubt
from companion.rules.rematch.evidence import MARGIN, NO_SIDES, Explanation, Reading, Sides, fitting
from companion.rules.rematch.lanes import FEWER
from companion.rules.rematch.outcomes import NO_CLEAR, Answer, answers_of
from companion.rules.rematch.tray import CELLS, EMPTY, LANES, Tray
from companion.rules.rematch.witnesses import agree

SPARE_NS = 600_000_000
"""A hand that stayed so much longer than its pulls need may have pulled what no frame, or no beam, shows."""
LITTLE_NS = 400_000_000
"""The same where no beam counts."""
SOME_NS = 300_000_000
"""From so much spare time on what was told is not called sure where one marble more explains it as well."""
NEARLY = 1.5
"""A legal clear whose misfit is only so much above the best reading's is asked about before that is called none."""
CLEARLY = 1.0
"""By so much less misfit another count must explain what was seen before the beam's own is called in question."""


def counted_twice(case: Case, found: Explanation) -> Doubt | None:
    """Two drops came too close for two pulls, and one less is explained as well."""
    drops, player = case.drops, case.player
    for lane in sorted(case.witnesses.close & drops.keys()):
        other = case.miscounted_by(lane, -1)
        if other.verdict in ("legal", "illegal") and not other.contradicted and other.cells != found.cells:
            if other.verdict == "legal" and other.attack == found.attack:
                continue
            text = (
                f"The beams counted {drops[lane]} in lane {lane}, two of them very close together; what the camera"
                f" saw fits {drops[lane] - 1} as well. What was pulled?"
            )
            return text, (*answers_of(player, other), *answers_of(player, found))
    return None


def lies_as_before(case: Case, found: Explanation) -> Doubt | None:
    """The tray lies as before, and a marble that the count would have pulled lay in plain sight all the time, or shows
    the same side: a stray pulse, perhaps.
    """
    if found.verdict not in ("legal", "illegal") or not agree(case.base, case.sight.tray):
        return None
    base, seen = Tray.parse(case.base), [Tray.parse(one.tray) for one in case.witnesses.sightings]
    plain = any(all(one.at(cell) == base.at(cell) for one in seen) for cell in found.cells if cell in CELLS)
    if found.misfit <= MARGIN and not plain:
        return None
    counted = " and ".join(f"{n} in lane {lane}" for lane, n in case.witnesses.drops.items() if n)
    text = f"The beams counted {counted}, but the tray lies as before. Was anything pulled?"
    return text, (NO_CLEAR, *answers_of(case.player, found))


def missed_one(case: Case, found: Explanation) -> Doubt | None:
    """A beam may have missed a marble: one more in its lane explains what was seen clearly better, or, as well as the
    count does, makes a legal clear of one that is none, or, where there was time for it, of another attack.
    """
    if found.verdict not in ("legal", "illegal"):
        return None
    drops, player = case.drops, case.player
    time = case.spare_ns(len(found.cells)) >= SPARE_NS
    # a marble that was only nudged says nothing against a count, unless there was time to pull it
    sides = None if time else NO_SIDES
    counted = found if time else case.seen_through(drops, case.declared, sides=NO_SIDES)
    likely: list[tuple[bool, float, str, Explanation]] = []
    for lane in drops:
        also = case.miscounted_by(lane, 1, sides)
        clear = also.verdict in ("legal", "ambiguous")
        better = (clear or also.verdict == "illegal") and also.misfit <= counted.misfit - CLEARLY
        as_well = clear and also.misfit <= counted.misfit
        other = found.verdict == "illegal" or (time and also.attack != found.attack)
        if better or (as_well and other):
            likely.append((not better, also.misfit, lane, also))
    if not likely:
        return None
    worse, _, lane, also = min(likely, key=lambda one: one[:3])
    fits = "as well" if worse else "better"
    text = (
        f"The beams counted {drops[lane]} in lane {lane}, but what the camera saw fits {drops[lane] + 1} {fits}. "
        "What was pulled?"
    )
    more, told = answers_of(player, also), answers_of(player, found)
    if worse and found.verdict == "legal":
        return text, (*told[:1], *more)
    return text, (*more[:1], *told[:1], *more[1:])


def nearly_legal(case: Case, found: Explanation) -> Doubt | None:
    """What fits best is no clear, but one that is fits nearly as well: it takes little to misjudge a single side."""
    if found.verdict != "illegal" or len(case.drops) < len(LANES):
        return None  # without a count a margin so wide lets in a pull that nobody saw
    wide = case.seen_through(case.drops, case.declared, NEARLY)
    if wide.verdict not in ("legal", "ambiguous"):
        return None
    near = answers_of(case.player, wide)
    return "Which marbles were pulled?", (*near[:2], *answers_of(case.player, found)[:1], *near[2:])


def time_for_more(case: Case, found: Explanation) -> bool:
    """Whether a marble that a beam missed would explain it as well, and there was time to pull it."""
    if case.spare_ns(len(found.cells)) < SOME_NS:
        return False
    more = [case.miscounted_by(lane, 1) for lane in case.drops]
    return any(one.verdict != "impossible" and one.misfit <= found.misfit for one in more)


def miscounted(case: Case, found: Explanation) -> Doubt | None:
    """The answer needs another number of drops than an unsure beam counted: both numbers, and both answers."""
    before, after, player = case.base, case.sight.tray, case.player
    likely = case.witnesses.likely_drops()
    needed = {lane: drops_of(found.readings[0], lane, before, after) for lane in likely}
    if needed == likely:
        return None
    listed = [f"{n} in lane {lane} (not surely), this needs {needed[lane]}" for lane, n in likely.items()]
    as_counted = [
        reading
        for reading in found.readings
        if all(drops_of(reading, lane, before, after) == n for lane, n in likely.items())
    ]
    best = [Answer(((player, one.cells, one.attack),)) for one in (found.readings[0], *as_counted)]
    return f"The beams counted {'; '.join(listed)}. What was pulled?", tuple(best)


def unseen_pulls(case: Case, found: Explanation) -> Doubt | None:
    """Without a count of drops: other answers, when there was time for pulls that no frame shows."""
    spare = case.spare_ns(len(found.cells))
    if spare < LITTLE_NS:
        return None
    margin = MARGIN + FEWER * min(2, spare // PULL_NS + 1)
    wide = case.seen_through(case.drops, case.declared, margin)
    player, cells = case.player, found.cells
    others = [answer for answer in answers_of(player, wide) if answer.clears[0][2] != found.attack]
    # what is no clear with more marbles may be another kind of none, or the one that was made
    more = min(
        (one for one in wide.readings if not one.legal and len(one.cells) > len(cells)),
        key=lambda one: (one.misfit, len(one.cells)),
        default=None,
    )
    if more is not None:
        others.append(Answer(((player, more.cells, None),)))
    if not others:
        return None
    return "The hand was there long enough to pull more. Which marbles?", (
        Answer(((player, cells, found.attack),)),
        *others,
    )


def left_over(case: Case, found: Explanation) -> Doubt | None:
    """A marble in a lane that nobody counts rolled, though nothing below it is said to have been pulled."""
    lowest = {lane: min((c[1] for c in found.cells if c[0] == lane), default="9") for lane in LANES}
    counted = case.witnesses.counted
    if not any(cell[0] not in counted and cell[1] < lowest[cell[0]] for cell in case.sight.sides.turned):
        return None
    text = "A marble that should lie untouched shows another side. Was more pulled?"
    return text, answers_of(case.player, case.seen_through(case.drops, margin=2.5))


def shows_another_side(case: Case) -> Doubt | None:
    """All is counted, nothing dropped and the tray lies as before, but a top marble rolled while a hand had time to
    pull it: one of its colour may have come down for it, and a beam have missed it.
    """
    sides = case.sight.sides
    if not sides.turned or case.spare_ns(1) < 0 or not rolled(sides, ""):
        return None
    some = [case.miscounted_by(cell[0], 1) for cell in sides.turned]
    best = min(
        (one for one in some if one.verdict in ("legal", "illegal", "ambiguous")),
        key=lambda one: one.misfit,
        default=None,
    )
    if best is None:
        return None
    text = f"A marble shows another side at {' '.join(sides.turned)}, but no beam counted one. Was it pulled?"
    return text, (NO_CLEAR, *answers_of(case.player, best))


def rolled(sides: Sides, counted: Collection[str]) -> bool:
    """Whether a marble shows another side in a lane that nobody counts, with none above it left alone."""
    return any(
        turned[0] not in counted and not any(one[0] == turned[0] and one[1] > turned[1] for one in sides.alike)
        for turned in sides.turned
    )


def contradiction(case: Case, found: Explanation) -> Doubt:
    """Beams and camera contradict each other: what the camera alone, and what fewer lanes' counts would say."""
    drops = case.drops
    stuck = sorted({reason.cells[0][0] for reason in found.reasons if reason.cells})
    kept = {lane: n for lane, n in drops.items() if lane not in stuck}
    alone = case.seen_through(kept)
    counted = [_both_numbers(case, lane, drops[lane]) for lane in stuck if lane in drops]
    if counted:
        text = f"{' '.join(counted)} What was pulled?"
    else:
        text = "The tray does not follow from the one before. Were marbles put in by hand?"
    answers = answers_of(case.player, alone)
    came = alone.untouched or any(_came_by_hand(case, lane) for lane in stuck)
    return text, (NO_CLEAR, *answers) if came else answers


def _both_numbers(case: Case, lane: str, counted: int) -> str:
    """What the beam counted and what the camera would need, in one sentence."""
    fits = fitting(*_lane_texts(case, lane))
    needs = f"{fits[0]}" if len(fits) == 1 else f"{fits[0]} to {fits[-1]}"
    marbles = "marble" if counted == 1 else "marbles"
    return f"Lane {lane}: the beam counted {counted} {marbles}, but what the camera sees there needs {needs}."


def _came_by_hand(case: Case, lane: str) -> bool:
    """Whether the lane only holds more than before: marbles may have been put in, or have dropped uncounted."""
    old, new = (text.rstrip(EMPTY) for text in _lane_texts(case, lane))
    return len(new) > len(old) and agree(old, new[: len(old)])


def _lane_texts(case: Case, lane: str) -> tuple[str, str]:
    """Before and after."""
    at = LANES.index(lane)
    return case.base.split("/")[at], case.sight.tray.split("/")[at]


def doubted_words(case: Case) -> str:
    counts = [f"{n} in lane {lane}" for lane, n in case.witnesses.likely_drops().items()]
    return f"The beams counted {' and '.join(counts)}, but not surely. " if counts else ""


def drops_of(reading: Reading, lane: str, before: str, after: str) -> int:
    """How many marbles must have dropped into a lane for this reading."""
    old, new = (tray.split("/")[LANES.index(lane)] for tray in (before, after))
    return len(new.replace(EMPTY, "")) - len(old.replace(EMPTY, "")) + sum(cell[0] == lane for cell in reading.cells)
