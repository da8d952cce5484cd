"""What is awaited now, and what the players should not forget."""

from __future__ import annotations

from typing import Any

from companion.rules.react import masterpiece
from companion.rules.react.artists import MOST_IN_HAND
from companion.rules.react.field import PLAYERS, opponent
from companion.rules.react.state import SLOTS, State


def next_json(state: State) -> dict[str, Any] | None:
    """`{"do", "player", "slot", "text"}`: the step that the match waits for; None: it is over."""
    if state.over is not None:
        return None
    do, player, slot, text = _next(state)
    return {"do": do, "player": player, "slot": slot, "text": text}


def _next(state: State) -> tuple[str, str | None, int | None, str]:
    turn = state.turn
    if state.due:
        item = state.due[0]
        what = f"card {item.slot}, {item.name}" if item.part == "card" else f"{item.name} ({_PARTS[item.part]})"
        return "resolve", item.player, item.slot, f"{what} of player {item.player} happens now"
    if state.resolving and state.top is not None:
        top = state.top
        return "resolve", top.player, top.slot, f"card {top.slot} of player {top.player} resolves next"
    if state.phase == "masterpiece":
        step = " or ".join(masterpiece.options(state, turn)) or "skip"
        return "progress", turn, None, f"player {turn} progresses the masterpiece: {step}"
    if state.phase == "draw":
        return "draw", None, None, "both players draw a card"
    if state.chain:
        number = len(state.chain) + 1
        return "play", state.priority, number, f"player {state.priority} plays Reaction {number} or passes"
    return "play", turn, 1, f"player {turn} plays an Intention or ends the turn"


_PARTS = {"passive": "passive", "start": "start of turn", "end": "end of turn"}


def reminders(state: State) -> list[str]:
    """Plain sentences."""
    told = []
    if state.over is not None:
        return []
    if state.phase == "draw":
        told += [_draws(state, player) for player in (state.turn, opponent(state.turn))]
    if state.phase == "main" and not state.chain:
        told += [f"End of turn: {text}." for text in _at_the_end(state)]
    if state.phase == "main" and state.chain and not state.resolving and len(state.chain) == SLOTS - 1:
        told.append("The next card is the fifth, and the React Chain resolves.")
    if state.passes == 1:
        told.append("One pass: if the next player passes too, the React Chain resolves.")
    for player in PLAYERS:
        side = state.side(player)
        if side.ascended and masterpiece.complete(state, player):
            told.append(f"Player {player} has a complete masterpiece, and ascends again after descending.")
    return [text for text in told if text]


def _draws(state: State, player: str) -> str:
    side = state.side(player)
    if side.deck is None:
        return f"Player {player} has no deck: {side.things.sheet or 'look at the reference sheet'}."
    if side.hand >= MOST_IN_HAND:
        return f"Player {player} has {MOST_IN_HAND} cards, and draws none."
    return f"Player {player}'s deck is empty: drawing loses the match." if not side.deck else ""


def _at_the_end(state: State) -> list[str]:
    tired = [unit.id for unit in state.units if unit.exhausted]
    told = [f"refresh {', '.join(tired)}"] if tired else []
    gone = [block.zone for block in state.blocks if not block.stays]
    told += [f"block tokens go from {' '.join(gone)}"] if gone else []
    for player in (state.turn, opponent(state.turn)):
        for passive in state.side(player).things.passives:
            if passive.when == "end" and (passive.turns == "every" or player == state.turn):
                told.append(f"{passive.name} of player {player}")
    return told
