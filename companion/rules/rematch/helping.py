"""Help for learners: what the player on turn could clear, and what the next marbles may be."""

from __future__ import annotations

from typing import Any

from companion.rules.rematch.limited import moves_within
from companion.rules.rematch.markers import limits
from companion.rules.rematch.state import State
from companion.rules.rematch.tray import CELLS, COLOURS


def help_for(state: State) -> dict[str, Any] | None:
    """`{"player", "clears": [..], "next": {colour: share} | null}`, or None when nobody can clear now.

    `clears`: every legal clear, markers and a declared attack minded. `next`: how likely a marble that drops has each
    colour, the same in each lane; None when marbles that nobody knows lie in the tray, or the tower is empty.
    """
    if state.over is not None or state.phase != "start":
        return None
    side, bounds = state.side(state.turn), limits(state.markers, state.turn)
    clears = moves_within(state.tray, state.turn, side.broken, state.rules.detours, bounds)
    named = [clear.to_json() for clear in clears if state.declared in (None, clear.attack)]
    return {"player": state.turn, "clears": named, "next": _next(state)}


def _next(state: State) -> dict[str, float] | None:
    lying = [state.tray.at(cell) for cell in CELLS]
    if any(colour not in COLOURS for colour in lying):
        return None
    # what was cleared is back in the tower when a turn begins
    left = {colour: max(0, state.rules.most_of_a_colour - lying.count(colour)) for colour in COLOURS}
    return {colour: round(count / sum(left.values()), 3) for colour, count in left.items()}
