"""What a command would do: events, or why it is refused. Nothing is changed here.

One function a command, in the module of its subject. Each looks at the state as it is after the events told so far,
and tells the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from companion.rules.core import Event, Rejection
from companion.rules.react import chain, correcting, turn
from companion.rules.react import commands as c
from companion.rules.react.context import NOWHERE, Context, context_of, of_card
from companion.rules.react.events import evolve
from companion.rules.react.performing import fail, go_on, perform, unknown_things
from companion.rules.react.setup_form import Setup
from companion.rules.react.state import State
from companion.rules.react.story import Story


def decide(state: State | None, raw: Mapping[str, Any]) -> Sequence[Event] | Rejection:
    """The events of a command, or its refusal. Form first, then whether it is the time for it, then the rules."""
    command = c.parse(raw)
    if isinstance(command, Rejection):
        return command
    if isinstance(command, Setup):
        if state is not None and state.over is None:
            return Rejection("not_now", "A match is under way; concede it or play it to the end before a new one.")
        return _set_up(command)
    if state is None:
        return Rejection("not_now", "There is no match yet; set one up first.")
    if state.over is not None and not isinstance(command, c.Correct):
        winner = state.over.winner
        return Rejection("match_over", f"The match is over; {f'player {winner} has won' if winner else 'it is a tie'}.")
    story = Story(state)
    refused = _HANDLERS[type(command)](story, command)
    if refused is None and not isinstance(command, _LETS_NOTHING_HAPPEN):
        refused = go_on(story, chain.finish)
        turn.advance(story)
        # start effects that leave no choice
        refused = refused or go_on(story, chain.finish)
        turn.advance(story)
    return story.events if refused is None else refused


def _set_up(command: Setup) -> Sequence[Event]:
    event = {
        "type": "set_up",
        "first": command.first,
        "field": command.field.to_json(),
        "players": {player: _side_json(command, player) for player in command.sides},
        "masterpiece": list(command.spaces),
        "turn_number": command.turn_number,
        "rules": command.rules.to_json(),
    }
    story = Story(evolve(None, event))
    turn.begin_turn(story)
    go_on(story, chain.finish)
    turn.advance(story)
    return [event, *story.events]


def _side_json(command: Setup, player: str) -> dict[str, Any]:
    side = command.sides[player]
    things = side.things
    return {
        "artist": side.artist,
        "zone": command.zones[player],
        "exhausted": command.exhausted[player],
        "deck_size": things.deck,
        "hand": side.hand,
        "deck": side.deck,
        "discard": side.discard,
        "flipped": list(side.flipped),
        "ascended": side.ascended,
        "summons": {kind: told.to_json() for kind, told in things.summons.items()},
        "tokens": dict(things.tokens),
        "tiles": dict(things.tiles),
        "passives": [passive.to_json() for passive in things.passives],
        "invincible": things.invincible,
        "sheet": things.sheet,
    }


def _by_hand(story: Story, command: c.ByHand) -> Rejection | None:
    """An effect of what resolves now, or of whatever the players agree on. That it fails is a result, not a refusal."""
    state = story.state
    refused = unknown_things(state, command.effect)
    if refused is not None:
        return refused
    failure = perform(story, command.effect, _context(state))
    if failure is not None:
        if failure.slip:
            return failure.rejection()
        fail(story, command.effect, failure)
    return None


def _context(state: State) -> Context:
    if state.due:
        return context_of(state, state.due[0])
    return of_card(state, state.top.slot) if state.resolving and state.top is not None else NOWHERE


_LETS_NOTHING_HAPPEN: Final = c.Correct | c.ChangeRules

_HANDLERS: Final[Mapping[type[Any], Callable[[Story, Any], Rejection | None]]] = {
    c.Progress: turn.progress,
    c.DrawPhase: turn.draw_phase,
    c.Play: chain.play,
    c.Pass: chain.pass_,
    c.Resolve: chain.resolve,
    c.Interrupt: chain.interrupt,
    c.EndTurn: turn.end_turn,
    c.Concede: turn.concede,
    c.ByHand: _by_hand,
    c.Correct: correcting.correct,
    c.ChangeRules: correcting.change_rules,
}
