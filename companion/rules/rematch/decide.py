"""What a command would do: events, or why it is refused (DESIGN §7, §8). Nothing is changed here.

One function a command, in the module of its subject. Each looks at the state as it is after the events told so far,
and tells the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from companion.rules.core import Event, Rejection
from companion.rules.rematch import clearing, correcting, effects, listing, marking, resolving, ruling, turn
from companion.rules.rematch import commands as c
from companion.rules.rematch.fighters import Board, board_to_json, same_name
from companion.rules.rematch.marker_form import AddMarker, ChangeRules, RemoveMarker
from companion.rules.rematch.setup_form import Setup
from companion.rules.rematch.state import State
from companion.rules.rematch.story import Story, dials_json, too_many
from companion.rules.rematch.tray import COLOURS, PLAYERS


def decide(
    state: State | None, raw: Mapping[str, Any], boards: Mapping[str, Board] = MappingProxyType({})
) -> Sequence[Event] | Rejection:
    """The events of a command, or its refusal. Form first, then whether it is the time for it, then the rules.

    `boards`: by `same_name`, for the fighters that a set-up names without giving their board.
    """
    command = c.parse(raw)
    if isinstance(command, Rejection):
        return command
    if isinstance(command, Setup):
        if state is not None and state.over is None:
            return Rejection("not_now", "A match is under way; concede it or play it to the end before a new one.")
        return too_many(command.tray, command.rules) or [_set_up(command, boards)]
    if state is None:
        return Rejection("not_now", "There is no match yet; set one up first.")
    if state.over is not None and not isinstance(command, c.Correct):
        return Rejection("match_over", f"The match is over; player {state.over.winner} has won.")
    story = Story(state)
    if state.phase == "opening" and not isinstance(command, _IN_OPENING):
        story.tell("begun")
        listing.start_turn(story)
        resolving.cascade(story)
    elif isinstance(command, c.Begin):
        return Rejection("not_now", "The opening has already ended.")
    if isinstance(command, c.ClearCells | c.ClearByTaps):
        # a corrected turn has left its start effects to happen, and after the clear they are too late
        resolving.cascade(story)
    if story.state.over is not None and state.over is None and not isinstance(command, c.Begin):
        how = "begin" if state.phase == "opening" else "resolve what is due"
        return Rejection("not_now", f"The start effects of the turn come first, and end the match: {how}.")
    refused = _HANDLERS[type(command)](story, command)
    if refused is None and isinstance(command, _LETS_HAPPEN):
        resolving.cascade(story)
    return story.events if refused is None else refused


def _set_up(command: Setup, boards: Mapping[str, Board]) -> Event:
    known = {player: boards.get(same_name(command.fighters[player] or "")) for player in PLAYERS}
    found = {**known, **command.boards}
    return {
        "type": "set_up",
        "first": command.first,
        "tray": command.tray.text,
        "players": {
            player: {
                "buttons": dials_json(command.dials[player]),
                "credits": command.credits[player],
                "fighter": command.fighters[player],
                "board": None if (board := found[player]) is None else board_to_json(board),
            }
            for player in PLAYERS
        },
        "fans": dict(command.fans),
        "fans_at_start": [fan for fan in COLOURS if command.fans[fan] == command.first],
        "rules": command.rules.to_json(),
    }


_IN_OPENING: Final = c.Destroy | c.Correct | AddMarker | RemoveMarker | ChangeRules
"""Commands that do not end the opening: nobody's turn has begun with them."""

_LETS_HAPPEN: Final = c.ClearCells | c.ClearByTaps | c.EndTurn | c.Resolve
"""Commands that go on with what is due. A correction lets nothing happen (DESIGN §7), nor does an effect that players
enter themselves: it may be the very one that is due, and must not happen twice."""

_HANDLERS: Final[Mapping[type[Any], Callable[[Story, Any], Rejection | None]]] = {
    c.Begin: turn.begin,
    c.Destroy: effects.destroy,
    c.Flip: turn.flip,
    c.Declare: turn.declare,
    c.ClearCells: clearing.clear_cells,
    c.ClearByTaps: clearing.clear_by_taps,
    c.Hit: effects.hit,
    c.Heal: effects.heal,
    c.TakeFan: effects.take_fan,
    c.Pay: effects.pay,
    c.SkipNext: turn.skip_next,
    c.EndTurn: turn.end_turn,
    c.Concede: turn.concede,
    c.Correct: correcting.correct,
    c.Resolve: resolving.resolve,
    AddMarker: marking.add_marker,
    RemoveMarker: marking.remove_marker,
    ChangeRules: ruling.change_rules,
}
