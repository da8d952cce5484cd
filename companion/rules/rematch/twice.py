"""Two clears within one settling: the player's and then the opponent's, explained together.

The tray between them was seen in part at best, so every legal first clear is tried: what it leaves, with newcomers that
nobody saw as "?", must not contradict what was seen, and the rest must be a legal second clear.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.rules.rematch.evidence import Reading, explain
from companion.rules.rematch.limited import moves_within
from companion.rules.rematch.markers import NO_LIMITS, Limits
from companion.rules.rematch.tray import COLOURS, EMPTY, LANES, UNKNOWN, Tray

OTHER = {"A": "B", "B": "A"}
STRAY = 1
"""So many cells seen in between may contradict: a marble was still rolling."""


@dataclass(frozen=True)
class Between:
    """What is known of the moment between. `drops`: the least and the most that a counted lane may have had by then.

    `seen`: trays seen meanwhile, the last one last.
    """

    drops: Mapping[str, tuple[int, int]]
    seen: Sequence[str] = ()


@dataclass(frozen=True)
class Pair:
    first: Reading
    second: Reading


def pairs(
    before: Tray,
    after: Tray,
    player: str,
    between: Between,
    drops: Mapping[str, int],
    broken: Mapping[str, str],
    attack: str | None = None,
    limits: Mapping[str, Limits] | None = None,
) -> list[Pair]:
    """The two-clear explanations, one for each pair of attacks, best first. `drops`: of the counted lanes, in all."""
    if not between.seen and len(drops) < len(LANES):
        return []  # nothing to hold them against
    limited = limits or {}
    found: list[tuple[float, int, Pair]] = []
    for clear in moves_within(before, player, broken.get(player, ""), limits=limited.get(player, NO_LIMITS)):
        pulled = Counter(cell[0] for cell in clear.cells)
        fits = all(least <= pulled[lane] <= most for lane, (least, most) in between.drops.items())
        rest = {lane: n - pulled[lane] for lane, n in drops.items()}
        if not fits or attack not in (None, clear.attack) or min(rest.values(), default=0) < 0:
            continue
        middle = before.without(clear.cells)
        misfit, shown = min(((_misfit(middle, text), -i) for i, text in enumerate(between.seen)), default=(0, 0))
        if misfit > STRAY:
            continue
        if between.seen and not misfit:
            middle = _filled(middle, between.seen[-shown])
        other = OTHER[player]
        second = explain(
            middle, after, other, broken.get(other, ""), rest or None, limits=limited.get(other, NO_LIMITS)
        )
        mine = Reading(clear.cells, clear.attack, True)
        for reading in second.readings:
            if reading.legal:
                found.append((misfit, len(clear.cells) + len(reading.cells), Pair(mine, reading)))
    found.sort(key=lambda one: one[:2])
    best: dict[tuple[str | None, str | None], Pair] = {}
    for _, _, pair in found:
        best.setdefault((pair.first.attack, pair.second.attack), pair)
    return list(best.values())


def _misfit(middle: Tray, seen: str) -> int:
    """How many cells contradict."""
    return sum(a != b and UNKNOWN not in (a, b) for a, b in zip(middle.text, seen, strict=True))


def _filled(middle: Tray, seen: str) -> Tray:
    """Newcomers that were seen."""
    letters = [b if a == UNKNOWN and b in COLOURS + EMPTY else a for a, b in zip(middle.text, seen, strict=True)]
    return Tray.parse("".join(letters))
