"""Legal clears where markers block cells, deny colours or force rows: the rules of `chains`, and then the markers'.

The names of markers' things are in no rulebook, so these reasons can be overruled like any other.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.rules.core import Reason
from companion.rules.rematch.chains import Clear, Verdict, attack_name, judge, moves
from companion.rules.rematch.markers import NO_LIMITS, Limits
from companion.rules.rematch.tray import CELLS, COLOUR_NAMES, COLOURS, REACH, Tray


def judge_within(
    tray: Tray,
    player: str,
    cells: Sequence[str],
    broken: Collection[str],
    attack: str | None = None,
    detours: bool = True,
    limits: Limits = NO_LIMITS,
) -> Verdict:
    """`judge` with what markers ask besides: `out_of_reach` for blocked cells, `denied_colour`, `not_forced`."""
    if limits == NO_LIMITS:
        return judge(tray, player, cells, broken, attack, detours)
    blocked = tuple(cell for cell in CELLS if cell in cells and cell in limits.blocked and cell[0] in REACH[player])
    # a way round a blocked cell is no needless one
    verdict = judge(
        tray if blocked else limits.open_tray(tray), player, cells, broken, attack, detours or bool(blocked)
    )
    reasons = list(verdict.reasons)
    if blocked:
        is_ = "is" if len(blocked) == 1 else "are"
        reasons.append(Reason("out_of_reach", f"{', '.join(blocked)} {is_} blocked by a marker.", blocked))
    denied = denied_colour(verdict.attack, limits)
    if denied:
        reasons.append(denied)
    forced = binding(tray, player, limits)
    if verdict.attack and forced and not any(tray.at(cell) == verdict.attack[0] for cell in forced & {*cells}):
        listed = tuple(cell for cell in CELLS if cell in forced)
        text = f"A marker forces a marble of the attack to be cleared in one of {', '.join(listed)}."
        reasons.append(Reason("not_forced", text, listed))
    return verdict if len(reasons) == len(verdict.reasons) else Verdict(False, verdict.attack, reasons=tuple(reasons))


def moves_within(
    tray: Tray, player: str, broken: Collection[str], detours: bool = True, limits: Limits = NO_LIMITS
) -> tuple[Clear, ...]:
    """`moves` that the markers leave."""
    if limits == NO_LIMITS:
        return moves(tray, player, broken, detours)
    forced = binding(tray, player, limits)
    return tuple(
        clear
        for clear in moves(limits.open_tray(tray), player, broken, detours)
        if clear.attack[0] not in limits.denied
        and (not forced or any(tray.at(cell) == clear.attack[0] for cell in forced & {*clear.cells}))
    )


def denied_colour(attack: str | None, limits: Limits) -> Reason | None:
    """The reason why an attack is denied by a marker; None: it is not."""
    if attack is None or attack[0] not in limits.denied:
        return None
    text = f"{COLOUR_NAMES[attack[0]]} attacks are denied by a marker, so there is no {attack_name(attack)}."
    return Reason("denied_colour", text)


def binding(tray: Tray, player: str, limits: Limits) -> frozenset[str]:
    """The known marbles that a marker forces the player to clear one of; empty: none is forced.

    Where none of the forced cells holds a marble that the player could clear, be it after a flip, nothing is forced.
    """
    return frozenset(
        cell
        for cell in limits.forced - limits.blocked
        if cell[0] in REACH[player] and tray.at(cell) in COLOURS and tray.at(cell) not in limits.denied
    )
