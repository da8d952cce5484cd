"""What a player who has not cleared yet still owes (rulebook: Structure of a Turn; F.A.Q. on broken buttons).

A single marble of an active colour is a legal clear, so whether there is one hangs only on the colours in reach, and on
the cells that markers block or force.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from companion.rules.rematch.limited import binding
from companion.rules.rematch.markers import limits
from companion.rules.rematch.state import State
from companion.rules.rematch.tray import CELLS, COLOURS, REACH, UNKNOWN


@dataclass(frozen=True, slots=True)
class Duty:
    """`code`: must_clear or must_flip. `cells`: known marbles that would do. `buttons`: whose flip would do."""

    code: str
    cells: tuple[str, ...]
    buttons: tuple[str, ...] = ()


def duty(state: State) -> Duty | None:
    """What the player on turn must do before the turn can end without a clear; None: nothing that is certain."""
    bounds = limits(state.markers, state.turn)
    reach = [cell for cell in CELLS if cell[0] in REACH[state.turn] and cell not in bounds.blocked]
    forced = [cell for cell in reach if cell in bounds.forced]
    unknown = any(state.tray.at(cell) == UNKNOWN for cell in forced)
    if binding(state.tray, state.turn, bounds):
        return _duty(state, forced, bounds.denied)
    owed = _duty(state, reach, bounds.denied)
    if not unknown or owed is None:
        return owed
    # whether the marker forces anything hangs on a marble that nobody knows
    if_forced = _duty(state, forced, bounds.denied)
    return owed if if_forced is not None and if_forced.code == owed.code else None


def _duty(state: State, cells: Collection[str], denied: Collection[str]) -> Duty | None:
    """The duty of a player who may clear from `cells`, and no attack of the colours `denied`.

    A `?` in reach may be any colour of which there are marbles left; a duty holds only if it holds for all of them.
    """
    broken = state.side(state.turn).broken
    letters = {cell: state.tray.at(cell) for cell in cells}
    unknown = sum(letter == UNKNOWN for letter in letters.values())
    left = {colour: max(0, state.rules.most_of_a_colour - state.tray.count(colour)) for colour in COLOURS}
    useless = [colour for colour in COLOURS if colour in broken or colour in denied]

    active = tuple(cell for cell in cells if letters[cell] in COLOURS and letters[cell] not in useless)
    if active or unknown > sum(left[colour] for colour in useless):
        return Duty("must_clear", active)
    # no marble of an active colour is known in reach, so some are left that the unknown ones may be
    if unknown and len(useless) < len(COLOURS):
        return None
    flippable = [colour for colour in COLOURS if colour in broken and colour not in denied]
    bridges = tuple(cell for cell in cells if letters[cell] in flippable)
    if not bridges and unknown <= sum(left[colour] for colour in denied):
        return None
    present = {letters[cell] for cell in bridges}
    buttons = tuple(c for c in flippable if c in present or (unknown and left[c]))
    return Duty("must_flip", bridges, buttons)
