"""What a player who has not cleared yet still owes (rulebook: Structure of a Turn; F.A.Q. on broken buttons).

A single marble of an active colour is a legal clear, so whether there is one hangs only on the colours in reach.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.rematch.state import State
from companion.rules.rematch.tray import CELLS, COLOURS, REACH, UNKNOWN


@dataclass(frozen=True, slots=True)
class Duty:
    """`code`: must_clear or must_flip. `cells`: known marbles that would do. `buttons`: whose flip would do."""

    code: str
    cells: tuple[str, ...]
    buttons: tuple[str, ...] = ()


def duty(state: State) -> Duty | None:
    """What the player on turn must do before the turn can end without a clear; None: nothing that is certain.

    A `?` in reach may be any colour of which there are marbles left; a duty holds only if it holds for all of them.
    """
    broken = state.side(state.turn).broken
    reach = [cell for cell in CELLS if cell[0] in REACH[state.turn]]
    letters = {cell: state.tray.at(cell) for cell in reach}
    unknown = sum(letter == UNKNOWN for letter in letters.values())
    left = {colour: max(0, state.rules.most_of_a_colour - state.tray.count(colour)) for colour in COLOURS}

    active = tuple(cell for cell in reach if letters[cell] in COLOURS and letters[cell] not in broken)
    hidden_in_broken = sum(left[colour] for colour in broken)
    if active or unknown > hidden_in_broken:
        return Duty("must_clear", active)
    # no marble of an active colour is known in reach, so some are left that the unknown ones may be
    if unknown and len(broken) < len(COLOURS):
        return None
    bridges = tuple(cell for cell in reach if letters[cell] in broken)
    if not bridges and not unknown:
        return None
    present = {letters[cell] for cell in bridges}
    buttons = tuple(c for c in COLOURS if c in broken and (c in present or (unknown and left[c])))
    return Duty("must_flip", bridges, buttons)
