"""Corrections: something is set to what it really is. Nothing is paid or healed, and nobody wins or loses by it."""

from __future__ import annotations

from typing import Any

from companion.rules.core import Rejection
from companion.rules.rematch import commands as c
from companion.rules.rematch.effects import start_fans
from companion.rules.rematch.listing import left_of, start_turn
from companion.rules.rematch.state import FULL_HP, REPAIR_HP, State
from companion.rules.rematch.story import Story, too_many
from companion.rules.rematch.tray import COLOUR_NAMES, COLOURS, PLAYERS


def correct(story: Story, command: c.Correct) -> Rejection | None:
    """Set something to what it really is. Nothing is paid or healed, and nobody wins or loses by it."""
    state = story.state
    told: dict[str, Any] = {}
    if command.player is not None and command.button is not None:
        old = state.side(command.player).dial(command.button)
        hp = old.hp if command.hp is None else command.hp
        broken = old.broken if command.broken is None else command.broken
        most = REPAIR_HP - 1 if broken else FULL_HP
        if not 1 <= hp <= most:
            what = "A broken" if broken else "An active"
            return Rejection("bad_value", f"correct: {what} dial holds 1 to {most} HP, not {hp}.")
        told["buttons"] = {command.button: {"hp": hp, "broken": broken}}
    if command.player is not None and command.credits is not None:
        told["credits"] = command.credits
    facts: dict[str, Any] = {"players": {command.player: told} if command.player is not None else {}}

    tray = command.tray or state.tray
    if command.cell is not None and command.colour is not None:
        tray = tray.replace(command.cell, command.colour)
    if tray != state.tray:
        refused = too_many(tray, state.rules)
        if refused:
            return refused
        facts["tray"] = tray.text

    fans = {command.fan: command.place} if command.fan is not None and command.place is not None else {}
    facts["fans"] = fans
    places = {fan: fans.get(fan, state.place(fan)) for fan in COLOURS}
    turn = command.turn or state.turn
    if turn != state.turn:
        if state.over is None and (unpaid := _unpaid(state, command)):
            return Rejection("bad_value", f"correct: {unpaid}.")
        facts["turn"] = turn
        if left := left_of(state, state.due):
            facts["left"] = left
        facts["fans_at_start"] = [fan for fan in COLOURS if places[fan] == turn]
    elif state.phase in ("opening", "start"):
        # where a fan really stands is where it stood when the turn began
        facts["fans_at_start"] = start_fans(state, fans)
        facts["fans_otherwise"] = start_fans(state, fans, state.fans_otherwise)
    else:
        facts["fans_at_start"] = list(state.fans_at_start)
        facts["fans_otherwise"] = list(state.fans_otherwise)
    story.tell("corrected", **facts)
    if "turn" in facts and story.state.phase == "start":
        start_turn(story)
    return None


def _unpaid(state: State, command: c.Correct) -> str | None:
    """A payment that is not settled, beside that for the corrected dial: another turn cannot begin with it."""
    for player in PLAYERS:
        for colour in COLOURS:
            if state.side(player).dial(colour).hp == 0 and (player, colour) != (command.player, command.button):
                name = f"{COLOUR_NAMES[colour]} of player {player}"
                return f"{name} is at 0 HP and not paid for yet: end the turn, or correct that dial first"
        settles = command.player == player and command.button is not None
        settles = settles and state.side(player).dial(command.button or "R").hp == 0
        if state.side(player).cannot_pay and not settles:
            return f"player {player} could not pay: end the turn, or undo that payment first"
    return None
