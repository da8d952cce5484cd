"""What was pulled? One pure function of the witnesses: tray before and after, drops, sightings in between (DESIGN §3).

Why it is built like this: docs/decisions/evidence.md.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from companion.rules.core import Reason
from companion.rules.rematch.lanes import Way, views_of, ways
from companion.rules.rematch.limited import judge_within, moves_within
from companion.rules.rematch.markers import NO_LIMITS, Limits
from companion.rules.rematch.tray import LANES, ROWS, Tray

MARGIN = 0.9
"""Readings whose misfit to the sightings is at most this above the best one's are equally good."""
DOUBT = 2.0
"""From this misfit on even the best reading contradicts what was seen, and the explanation says so."""
NEWCOMER = "new"


@dataclass(frozen=True)
class Sighting:
    """The tray in the middle of a turn: "?" for what was covered or unsure.

    `drops`: drops so far in each lane, lanes that nobody counts left out. `weight`: what contradicting one cell of it
    costs, against MARGIN.
    """

    tray: str
    drops: Mapping[str, int] | None = None
    weight: float = 0.3


@dataclass(frozen=True)
class Sides:
    """Marbles that lie still after the turn: cells where one shows another side than before, or the very same."""

    turned: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()

    def of(self, lane: str) -> tuple[list[int], list[int]]:
        """The rows of one lane."""
        turned, alike = ([int(cell[1:]) for cell in cells if cell[0] == lane] for cells in (self.turned, self.alike))
        return turned, alike


NO_SIDES = Sides()


@dataclass(frozen=True)
class Reading:
    """A set of cells that explains the outcome. `attack`: of a legal clear. `misfit`: how far sightings contradict."""

    cells: tuple[str, ...]
    attack: str | None
    legal: bool
    misfit: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return {"cells": list(self.cells), "attack": self.attack, "legal": self.legal}


@dataclass(frozen=True)
class Explanation:
    """`verdict`: legal, illegal, ambiguous, impossible or nothing (DESIGN §6).

    `cells`: of the first reading. `readings`: legal ones first, then fewest cells. `contradicted`: some sightings fit
    no reading and had to be left out. `untouched`: it may be that no marble was pulled (a late one came down). `late`:
    trays and drops would be the same if one that came in during the turn had been pulled in place of one of the cells.
    `misfit`: how far even what fits best contradicts the sightings.
    """

    verdict: str
    attack: str | None = None
    cells: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()
    reasons: tuple[Reason, ...] = ()
    contradicted: bool = False
    untouched: bool = False
    late: bool = False
    misfit: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "attack": self.attack,
            "cells": list(self.cells),
            "readings": [reading.to_json() for reading in self.readings],
            "reasons": [reason.to_json() for reason in self.reasons],
        }


def explain(
    before: Tray,
    after: Tray,
    player: str,
    broken: Collection[str] = "",
    drops: Mapping[str, int] | None = None,
    attack: str | None = None,
    sightings: Sequence[Sighting] = (),
    margin: float = MARGIN,
    sides: Sides = NO_SIDES,
    limits: Limits = NO_LIMITS,
    doubted: Mapping[str, int] | None = None,
) -> Explanation:
    """What `player`, with `broken` buttons, pulled.

    `drops`: marbles that dropped into each lane; None, or a lane left out: not known. `attack`: the declared one.
    `doubted`: drops of lanes whose count is not sure. `limits`: what markers block, deny and force, so that of equal
    readings one that they allow is the legal one.
    ValueError: a lane or number in `drops` that cannot be.
    """
    counted = _checked(drops)
    same = before.text == after.text and not any(counted.values())
    nothing = Explanation("nothing", untouched=True)
    same = same and not any((doubted or {}).values())
    if same and (not (sightings or sides.turned) or len(counted) == len(LANES)):
        return nothing
    lanes: list[list[Way]] = []
    late = False
    stuck: list[Reason] = []
    for lane, old, new in zip(LANES, before.text.split("/"), after.text.split("/"), strict=True):
        seen = views_of(_lane_sightings(lane, sightings))
        found = ways(old, new, counted.get(lane), seen, margin, *sides.of(lane), (doubted or {}).get(lane))
        lanes.append(found)
        came = counted.get(lane, 0)
        # one drop fewer explains it as well: the last but one may have been pulled again
        late |= came > 1 and any(way.misfit <= margin for way in ways(old, new, came - 1, (), margin, *sides.of(lane)))
        if not found:
            stuck.append(_impossible(lane, old, new, came))
    if stuck:
        return Explanation("impossible", reasons=tuple(stuck))
    judged = replace(_judged(before, player, broken, attack, lanes, margin, limits), late=late)
    return nothing if same and judged.untouched else judged


def _judged(
    before: Tray,
    player: str,
    broken: Collection[str],
    attack: str | None,
    lanes: Sequence[Sequence[Way]],
    margin: float,
    limits: Limits,
) -> Explanation:
    allowed_clears = moves_within(before, player, broken, limits=limits)
    legal = {frozenset(clear.cells): clear.attack for clear in allowed_clears}
    least = sum(min(way.misfit for way in found) for found in lanes)
    readings: list[Reading] = []
    untouched = False
    for combined in product(*lanes):
        misfit = sum(way.misfit for way in combined)
        if misfit > least + margin:
            continue
        cells = _cells(combined)
        if not cells:
            # drops filled what was empty before; nothing need have been pulled
            untouched = True
            continue
        fits = legal.get(frozenset(cells))
        allowed = fits is not None and attack in (None, fits)
        readings.append(Reading(cells, fits if allowed else None, allowed, misfit))
    if not readings:
        late = Reason("impossible", "Marbles came down where cells had been empty; none need have been pulled.")
        return Explanation("impossible", reasons=(late,), contradicted=least >= DOUBT, untouched=True)
    readings.sort(key=lambda r: (not r.legal, len(r.cells), r.misfit, r.cells))
    attacks = {reading.attack for reading in readings if reading.legal}
    verdict = "illegal" if not attacks else "legal" if len(attacks) == 1 else "ambiguous"
    reasons: tuple[Reason, ...] = ()
    if verdict == "illegal":
        first, reasons = _mildest(before, player, broken, attack, readings, limits)
        readings.remove(first)
        readings.insert(0, first)
    return Explanation(
        verdict,
        readings[0].attack if verdict == "legal" else None,
        readings[0].cells,
        tuple(readings),
        reasons,
        contradicted=least >= DOUBT,
        untouched=untouched,
        misfit=least,
    )


def why_not(
    tray: Tray,
    player: str,
    broken: Collection[str],
    cells: Sequence[str],
    attack: str | None = None,
    limits: Limits = NO_LIMITS,
) -> tuple[Reason, ...]:
    """Why these cells, perhaps with newcomers (`bnew`) among them, are no legal clear; empty: they are one."""
    newcomers = tuple(cell for cell in cells if cell.endswith(NEWCOMER))
    old = [cell for cell in cells if cell not in newcomers]
    reasons: tuple[Reason, ...] = ()
    if old:
        reasons = judge_within(tray, player, old, broken, attack, limits=limits).reasons
    if newcomers:
        lane = newcomers[0][0]
        late = Reason(
            "rolled_in_while_pulling",
            f"A marble that only dropped into lane {lane} during the turn is never part of the chain.",
            newcomers,
        )
        reasons = (late, *reasons)
    return reasons


def _mildest(
    before: Tray,
    player: str,
    broken: Collection[str],
    attack: str | None,
    readings: Sequence[Reading],
    limits: Limits,
) -> tuple[Reading, tuple[Reason, ...]]:
    """Of the illegal readings with the fewest cells that fit best, the one with the fewest reasons against it."""
    best: tuple[Reading, tuple[Reason, ...]] | None = None
    for reading in readings:
        if (len(reading.cells), reading.misfit) != (len(readings[0].cells), readings[0].misfit):
            break
        reasons = why_not(before, player, broken, reading.cells, attack, limits)
        if best is None or len(reasons) < len(best[1]):
            best = reading, reasons
    assert best is not None
    return best


def _cells(combined: Sequence[Way]) -> tuple[str, ...]:
    cells = [f"{lane}{row}" for lane, way in zip(LANES, combined, strict=True) for row in way.rows]
    cells += [lane + NEWCOMER for lane, way in zip(LANES, combined, strict=True) for _ in range(way.newcomers)]
    return tuple(cells)


def _lane_sightings(lane: str, sightings: Sequence[Sighting]) -> list[tuple[str, int | None, float]]:
    index = LANES.index(lane)
    return [
        (sighting.tray.split("/")[index], (sighting.drops or {}).get(lane), sighting.weight) for sighting in sightings
    ]


def _checked(drops: Mapping[str, int] | None) -> dict[str, int]:
    for lane, number in (drops or {}).items():
        if len(lane) != 1 or lane not in LANES:
            raise ValueError(f"drops: there is no lane {lane!r}, only {', '.join(LANES)}")
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise ValueError(f"drops: {number!r} in lane {lane} is not a number of marbles")
    return dict(drops or {})


def fitting(old: str, new: str) -> list[int]:
    """The numbers of drops with which a lane can have come from `old` to `new`."""
    return [number for number in range(ROWS + 1) if ways(old, new, number)]


def _impossible(lane: str, old: str, new: str, drops: int) -> Reason:
    """Some number of drops always fits: all were pulled, and what lies there now came in."""
    fits = fitting(old, new)
    allowed = f"{fits[0]} drop{'' if fits[0] == 1 else 's'}" if len(fits) == 1 else f"{fits[0]} to {fits[-1]} drops"
    told = f"{drops} was" if drops == 1 else f"{drops} were"
    cells = tuple(f"{lane}{row}" for row in range(1, ROWS + 1))
    text = f"The change of lane {lane} from {old} to {new} allows {allowed}, but {told} counted."
    return Reason("impossible", text, cells)
