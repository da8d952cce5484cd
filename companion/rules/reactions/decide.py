"""What a command would do: events, or why it is refused. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from companion.rules.core import Event, Reason, Rejection
from companion.rules.reactions import commands as c
from companion.rules.reactions.entries import ACTIONS, ENTRIES, key_of
from companion.rules.reactions.events import character_json, reaction_json
from companion.rules.reactions.offers import Offer, in_range, may_react, near, offers
from companion.rules.reactions.state import MOST_CHARACTERS, Character, Reaction, Square, State, Step, Turn

Answer = Sequence[Event] | Rejection


def decide(state: State | None, raw: Mapping[str, Any]) -> Answer:
    """The events of a command, or its refusal. Form first, then whether it is the time for it, then the sheet."""
    command = c.parse(raw)
    if isinstance(command, Rejection):
        return command
    if isinstance(command, c.Setup):
        return [
            {
                "type": "set_up",
                "characters": [character_json(one) for one in command.characters],
                "grid": None if command.grid is None else {"columns": command.grid.columns, "rows": command.grid.rows},
                "rules": command.rules.to_json(),
                "relations": [_related(one) for one in command.relations],
            }
        ]
    if state is None:
        return Rejection("not_now", "Nothing is set up yet; name the characters first.")
    return _HANDLERS[type(command)](state, command)


def _nobody(state: State, name: str, path: str) -> Rejection | None:
    if state.character(name) is not None:
        return None
    return Rejection("bad_value", f"{path} is {name!r}, whom nobody has set up.", (name,))


def _place(state: State, name: str, at: Square | None, path: str) -> Rejection | None:
    """Why somebody cannot stand there."""
    if at is None:
        return None
    if state.grid is None:
        return Rejection("bad_value", f"{path} is {list(at)}, but there is no grid.", (name,))
    if not state.grid.holds(at):
        return Rejection("bad_value", f"{path} is {list(at)}, which is not on the grid.", (name,))
    other = state.standing_at(at)
    if other is not None and other.id != name:
        return Rejection("bad_value", f"{path} is {list(at)}, where {other.id} stands.", (name, other.id))
    return None


def _join(state: State, command: c.Join) -> Answer:
    new = command.character
    if state.character(new.id) is not None:
        return Rejection("bad_value", f"join: there is a {new.id!r} already.", (new.id,))
    if len(state.characters) >= MOST_CHARACTERS:
        return Rejection("too_many", f"There are {MOST_CHARACTERS} characters already.")
    return _place(state, new.id, new.at, "join: character.at") or [{"type": "joined", "character": character_json(new)}]


def _leave(state: State, command: c.Leave) -> Answer:
    name, turn = command.character, state.turn
    refused = _nobody(state, name, "leave: character")
    if refused is not None:
        return refused
    if turn is not None and name in turn.active:
        return Rejection("not_now", f"{name} is active; end the turn first.", (name,))
    if state.step is not None and name == state.step.target:
        return Rejection("not_now", f"{name} is the target; let the attack proceed first.", (name,))
    return [{"type": "left", "character": name}]


def _relate(state: State, command: c.Relate) -> Answer:
    refused = _nobody(state, command.who, "relate: who") or _nobody(state, command.to, "relate: to")
    if refused is not None:
        return refused
    if command.who == command.to:
        return Rejection("bad_value", f"relate: {command.who} has no relation to itself.", (command.who,))
    return [{"type": "related", **_related(command)}]


def _related(told: c.Relate) -> dict[str, Any]:
    return {"who": told.who, "to": told.to, "adjacent": told.adjacent, "in_range": told.in_range}


def _act(state: State, command: c.Act) -> Answer:
    if state.step is not None:
        return Rejection("not_now", f"The {state.step.part} is announced; let it proceed first.")
    if not command.active or len(set(command.active)) < len(command.active):
        return Rejection("bad_value", "act: active names one character or several, each once.", command.active)
    for name in command.active:
        refused = _nobody(state, name, "act: active")
        if refused is not None:
            return refused
        if _stopped(state, name):
            return Rejection("disabled", f"{name} is Disabled and does not act.", (name,))
    events: list[Event] = [] if state.turn is None else [{"type": "turn_ended", "turn": state.turn.number}]
    events.append(
        {
            "type": "acted",
            "turn": state.turns + 1,
            "active": list(command.active),
            "actions": list(command.actions),
            "entry": ENTRIES[key_of(command.actions)].name,
        }
    )
    return events


def _stopped(state: State, name: str) -> bool:
    character = state.character(name)
    stops = state.rules.disabled_stops in ("everything", "actions")
    return stops and character is not None and character.disabled


def _announce(state: State, command: c.Announce) -> Answer:
    turn = state.turn
    if turn is None:
        return Rejection("not_now", "Nobody is active; name who acts, and the two actions, first.")
    if state.step is not None:
        return Rejection("not_now", f"The {state.step.part} is announced; let it proceed first.")
    by = command.by if command.by is not None else turn.active[0] if len(turn.active) == 1 else None
    if by is None:
        return Rejection("bad_value", f"announce: by is needed; active are {', '.join(turn.active)}.", turn.active)
    if by not in turn.active:
        return Rejection("bad_value", f"announce: by is {by!r}, who is not active.", (by,))
    refused = _part_of(turn, command.part, by)
    if refused is not None:
        return refused
    shape = _shape(state, command, by)
    if isinstance(shape, Rejection):
        return shape
    path, leaves = shape
    return [
        {
            "type": "announced",
            "part": command.part,
            "by": by,
            "target": command.target,
            "path": [list(square) for square in path],
            "leaves": list(leaves),
        }
    ]


def _part_of(turn: Turn, part: str, by: str) -> Rejection | None:
    """Why this character has no such part left. A defend and Double-Defend have none: nobody may react."""
    if part in turn.left(by):
        return None
    if turn.entry.part(part) is None:
        return Rejection("bad_value", f"announce: {turn.entry.name} has no {part}.")
    return Rejection("already_done", f"{by} has done the {part} of this turn.", (by,))


def _shape(state: State, command: c.Announce, by: str) -> Rejection | tuple[tuple[Square, ...], tuple[str, ...]]:
    """Path and leaves of the step, or what is wrong with its target, path or leaves."""
    if command.part != "attack" and command.target is not None:
        return Rejection("bad_value", f"announce: a {command.part} has no target.", (command.target,))
    if command.part != "move" and (command.path is not None or command.leaves is not None):
        return Rejection("bad_value", f"announce: a {command.part} leaves no square.")
    if command.part == "attack":
        if command.target is None:
            return Rejection("bad_value", "announce: an attack needs its target.")
        refused = _nobody(state, command.target, "announce: target")
        if refused is not None:
            return refused
        if command.target == by:
            return Rejection("bad_value", f"announce: {by} cannot be its own target.", (by,))
        if state.rules.attack_needs_range and not in_range(state, by, command.target):
            return Rejection("out_of_reach", f"{command.target} is not in range of {by}.", (by, command.target))
        return (), ()
    if command.part != "move":
        return (), ()
    start = _character(state, by).at
    if command.path is not None and command.leaves is not None:
        return Rejection("bad_value", "announce: a move has a path or leaves, not both.")
    if start is None or command.path is None:
        if command.path is not None:
            return Rejection("bad_value", f"announce: {by} stands on no square; say whose squares are left.", (by,))
        return _leaves(state, command, by, start)
    path = (start, *command.path)
    for here, there in pairwise(path):
        if state.grid is None or not state.grid.holds(there):
            return Rejection("bad_value", f"announce: path leads to {list(there)}, which is not on the grid.")
        if not near(state, here, there):
            return Rejection("bad_value", f"announce: path leads from {list(here)} to {list(there)}, not adjacent.")
    other = state.standing_at(path[-1])
    if other is not None and other.id != by:
        return Rejection("bad_value", f"announce: path ends at {list(path[-1])}, where {other.id} stands.", (other.id,))
    return path, ()


def _leaves(
    state: State, command: c.Announce, by: str, start: Square | None
) -> Rejection | tuple[tuple[Square, ...], tuple[str, ...]]:
    if command.leaves is None:
        needed = "its path" if start is not None else "leaves: whose adjacent squares are left, in order"
        return Rejection("bad_value", f"announce: a move needs {needed}.")
    for name in command.leaves:
        refused = _nobody(state, name, "announce: leaves")
        if refused is not None:
            return refused
        if name == by:
            return Rejection("bad_value", f"announce: {by} does not leave itself.", (by,))
    return (), command.leaves


def _character(state: State, name: str) -> Character:
    found = state.character(name)
    assert found is not None
    return found


def _react(state: State, command: c.React) -> Answer:
    turn, step = state.turn, state.step
    refused = _nobody(state, command.character, "react: character")
    if refused is not None:
        return refused
    if turn is None or step is None:
        return Rejection("not_now", "Nothing is announced that one could react to.")
    open_to = [offer for offer in offers(state) if offer.character == command.character]
    fitting = [
        offer
        for offer in open_to
        if offer.action == command.action and (command.moment is None or offer.moment == command.moment)
    ]
    if not fitting:
        return _no_reaction(state, turn, step, command, open_to)
    offer = fitting[0]
    against = command.against if command.against is not None else offer.against[0] if len(offer.against) == 1 else None
    if offer.against and against is None:
        listed = ", ".join(offer.against)
        return Rejection("bad_value", f"react: against is needed, one of {listed}.", offer.against)
    if against is not None and against not in offer.against:
        whom = ", ".join(offer.against) or "nobody"
        return Rejection("bad_value", f"react: against is {against!r}, but this is for {whom}.", (against,))
    if command.to is not None and command.action != ">":
        return Rejection("bad_value", "react: only a move has a square to go to.")
    refused = _place(state, command.character, command.to, "react: to")
    if refused is not None:
        return refused
    made = Reaction(turn.number, turn.entry.name, step.part, command.character, command.action, against, offer.moment)
    events: list[Event] = [{"type": "reacted", **reaction_json(made)}]
    if command.to is not None:
        events.append({"type": "moved", "character": command.character, "to": list(command.to)})
    if step.part == "recovery":
        # an attack is the only thing that stops a recovery (the sheet's first paragraph)
        events.append({"type": "part_done", "part": "recovery", "by": step.by, "outcome": "stopped"})
    return events


def _no_reaction(state: State, turn: Turn, step: Step, command: c.React, open_to: Sequence[Offer]) -> Rejection:
    name, character = command.character, _character(state, command.character)
    if character.reacted:
        return Rejection("already_reacted", f"{name} has used its one reaction of this turn.", (name,))
    if not may_react(state, turn, character):
        why = "is Disabled" if character.disabled else "is active itself"
        return Rejection("no_reaction", f"{name} {why} and does not react.", (name,))
    what = ACTIONS[command.action]
    if not open_to:
        text = f"{turn.entry.name}, {step.part}: {name} may not react to it."
        return Rejection("no_reaction", text, (name,))
    allowed = ", ".join(dict.fromkeys(ACTIONS[offer.action] for offer in open_to))
    text = f"{turn.entry.name}, {step.part}: {name} may not {what}"
    if any(offer.action == command.action for offer in open_to):
        times = ", ".join(str(offer.moment) for offer in open_to if offer.action == command.action)
        text += f" at moment {command.moment}, only at {times}"
        return Rejection("no_reaction", f"{text}.", (name,))
    reason = Reason("no_reaction", f"{name} may: {allowed}.", (name,))
    return Rejection("no_reaction", f"{text}; it may {allowed}.", (name,), (reason,))


def _proceed(state: State, command: c.Proceed) -> Answer:
    """The announced part happens, unless it was interrupted or has become impossible."""
    step = state.step
    if step is None:
        return Rejection("not_now", "Nothing is announced that could proceed.")
    defended = any(one.action == "D" for one in step.reactions)
    if command.stopped and not defended:
        text = f"A {step.part} proceeds: only a defend interrupts an attack, and an attack a recovery."
        return Rejection("not_stopped", text, (step.by,))
    why = _impossible(state, step)
    outcome = "stopped" if command.stopped else "done" if why is None else "impossible"
    events: list[Event] = []
    if step.part == "move" and outcome == "done" and step.path:
        events.append({"type": "moved", "character": step.by, "to": list(step.path[-1])})
    done = {"type": "part_done", "part": step.part, "by": step.by, "outcome": outcome}
    return [*events, done if why is None or command.stopped else {**done, "why": why}]


def _impossible(state: State, step: Step) -> str | None:
    """What the reactions have made of it."""
    if _stopped(state, step.by):
        return f"{step.by} is Disabled"
    if step.target is not None and state.rules.attack_needs_range and not in_range(state, step.by, step.target):
        return f"{step.target} is out of range"
    if step.path:
        if _character(state, step.by).at != step.path[0]:
            return f"{step.by} is no longer where the move begins"
        other = state.standing_at(step.path[-1])
        if other is not None and other.id != step.by:
            return f"{other.id} stands where the move ends"
    return None


def _end_turn(state: State, command: c.EndTurn) -> Answer:
    if state.turn is None:
        return Rejection("not_now", "Nobody is active.")
    if state.step is not None:
        return Rejection("not_now", f"The {state.step.part} is announced; let it proceed first.")
    return [{"type": "turn_ended", "turn": state.turn.number}]


def _rules(state: State, command: c.ChangeRules) -> Answer:
    rules = replace(state.rules, **command.chosen)
    return [] if rules == state.rules else [{"type": "rules_changed", "rules": rules.to_json()}]


def _correct(state: State, command: c.Correct) -> Answer:
    refused = _nobody(state, command.character, "correct: character")
    if refused is not None:
        return refused
    if "at" in command.told:
        refused = _place(state, command.character, command.told["at"], "correct: at")
        if refused is not None:
            return refused
    before = _character(state, command.character)
    after = replace(before, **command.told)
    return [] if after == before else [{"type": "corrected", "character": character_json(after)}]


_HANDLERS: Final[Mapping[type[Any], Callable[[State, Any], Answer]]] = {
    c.Join: _join,
    c.Leave: _leave,
    c.Relate: _relate,
    c.Act: _act,
    c.Announce: _announce,
    c.React: _react,
    c.Proceed: _proceed,
    c.EndTurn: _end_turn,
    c.ChangeRules: _rules,
    c.Correct: _correct,
}
