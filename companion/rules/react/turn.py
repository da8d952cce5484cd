"""The phases of a turn (rulebook: How to Play the Game, Masterpiece Phase, Draw Phase, End Phase)."""

from __future__ import annotations

from companion.rules.core import Rejection
from companion.rules.react import commands as c
from companion.rules.react import harming, masterpiece
from companion.rules.react.chain import due_first
from companion.rules.react.field import opponent
from companion.rules.react.performing import fail
from companion.rules.react.state import State
from companion.rules.react.story import Story, not_your_turn
from companion.rules.react.triggers import of_the_turn


def begin_turn(story: Story) -> None:
    of_the_turn(story, "start")


def advance(story: Story) -> None:
    """From a phase in which nothing is left to do to the next, until one needs the players."""
    while (state := story.state).over is None and not state.due:
        if state.phase == "start":
            # whoever goes first skips the Masterpiece Phase of the first turn
            first = state.turn_number == 1
            story.tell("phase", phase="draw" if first or _nothing_to_progress(state) else "masterpiece")
        elif state.phase == "end":
            if state.rules.end_effects == "before_refresh":
                _refresh_all(story)
            story.tell("turn_ended", next=opponent(state.turn), turn_number=state.turn_number + 1)
            begin_turn(story)
            return
        else:
            return


def progress(story: Story, command: c.Progress) -> Rejection | None:
    state, effect = story.state, command.effect
    player = effect["player"]
    if state.due or state.resolving:
        return _by_a_card(story, command)
    if state.phase != "masterpiece":
        text = f"It is the {state.phase} phase; a card progresses a masterpiece while it resolves."
        return Rejection("not_now", text)
    refused = not_your_turn(state, player)
    if refused is not None:
        return refused
    if "skip" in effect:
        if masterpiece.must(state, player):
            free = tuple(f"mp{at}" for at, card in enumerate(state.spaces, start=1) if card is None)
            return Rejection("must_progress", "A Masterpiece card can be placed, so one must be.", free)
        # a masterpiece that is complete already counts from now on, although nothing is done
        masterpiece.settle(story, player)
    else:
        failure = masterpiece.progress(story, effect)
        if failure is not None:
            return failure.rejection()
    story.tell("phase", phase="draw")
    return None


def _by_a_card(story: Story, command: c.Progress) -> Rejection | None:
    if "skip" in command.effect:
        return Rejection("not_now", "What is not progressed by a card need not be entered.")
    failure = masterpiece.progress(story, command.effect)
    return None if failure is None else failure.rejection()


def draw_phase(story: Story, command: c.DrawPhase) -> Rejection | None:
    """Both draw, the turn player first."""
    state = story.state
    if state.due or state.phase != "draw":
        return due_first(state) or Rejection("not_now", f"It is the {state.phase} phase, not the Draw Phase.")
    for player in (state.turn, opponent(state.turn)):
        failure = harming.draw_one(story, player)
        if failure is not None:
            fail(story, {"do": "draw", "player": player}, failure)
        if story.state.over is not None:
            return None
    story.tell("phase", phase="main")
    return None


def end_turn(story: Story, command: c.EndTurn) -> Rejection | None:
    state = story.state
    refused = not_your_turn(state, command.player) or due_first(state)
    if refused is not None:
        return refused
    if state.phase == "masterpiece":
        if masterpiece.must(state, state.turn):
            return Rejection("must_progress", "First the Masterpiece Phase: a card can be placed, so one must be.")
        return Rejection("not_now", "First the Masterpiece Phase: progress, or skip it.")
    if state.phase == "draw":
        return Rejection("must_draw", "First the Draw Phase: both players draw.")
    if state.chain:
        slots = tuple(f"slot{card.slot}" for card in state.chain)
        return Rejection("not_now", "The React Chain has to resolve before the turn can end.", slots)
    story.tell("phase", phase="end")
    if state.rules.end_effects == "after_refresh":
        _refresh_all(story)
    of_the_turn(story, "end")
    return None


def concede(story: Story, command: c.Concede) -> Rejection | None:
    story.tell("match_over", winner=opponent(command.player), reason="conceded")
    return None


def _refresh_all(story: Story) -> None:
    """Units of both players."""
    tired = [unit.id for unit in story.state.units if unit.exhausted]
    if tired:
        story.tell("refreshed", units=tired)


def _nothing_to_progress(state: State) -> bool:
    return not masterpiece.options(state, state.turn)
