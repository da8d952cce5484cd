"""Who may react to the step that is about to happen, with what, and just before what; each with the line it comes from.

A reaction that makes nothing impossible stops nothing (the sheet's first paragraph); one reaction each, however often
it is triggered (the second).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.rules.reactions.entries import ACTIONS, Action, Right, Role
from companion.rules.reactions.state import Character, Square, State, Step, Turn


@dataclass(frozen=True, slots=True)
class Offer:
    """`against`: whom an attack may be for, else (); `moment`: of a move, what is being left; `right`: its line."""

    character: str
    action: Action
    role: Role
    against: tuple[str, ...] = ()
    moment: int | None = None
    before: bool = True


def adjacent(state: State, one: str, other: str) -> bool:
    """By hand (either way round) before by the grid."""
    told = _told(state, one, other, "adjacent")
    told = _told(state, other, one, "adjacent") if told is None else told
    if told is not None:
        return told
    a, b = _square(state, one), _square(state, other)
    return a is not None and b is not None and near(state, a, b)


def in_range(state: State, attacker: str, target: str) -> bool:
    told = _told(state, attacker, target, "in_range")
    if told is not None:
        return told
    one, other = state.character(attacker), state.character(target)
    if one is None or other is None or one.at is None or other.at is None:
        return False
    reach = state.rules.range if one.range is None else one.range
    return 0 < distance(state, one.at, other.at) <= reach


def near(state: State, one: Square, other: Square) -> bool:
    return distance(state, one, other) == 1


def distance(state: State, one: Square, other: Square) -> int:
    """In steps from square to adjacent square."""
    across, along = abs(one[0] - other[0]), abs(one[1] - other[1])
    return max(across, along) if state.rules.adjacency == 8 else across + along


def offers(state: State) -> tuple[Offer, ...]:
    """By character in the order of the set-up, then by moment; what several lines give is offered once."""
    turn, step = state.turn, state.step
    if turn is None or step is None:
        return ()
    part = turn.entry.part(step.part)
    if part is None:
        return ()
    found: dict[tuple[str, str, int | None], Offer] = {}
    for character in state.characters:
        if not may_react(state, turn, character):
            continue
        for right in part.rights:
            for offer in _of(state, turn, step, character.id, right):
                found.setdefault((offer.character, offer.action, offer.moment), offer)
    return tuple(found.values())


def may_react(state: State, turn: Turn, character: Character) -> bool:
    """Whatever the entry says."""
    stopped = character.disabled and state.rules.disabled_stops in ("everything", "reactions")
    acting = character.id in turn.active and not state.rules.actives_react
    return not (character.reacted or stopped or acting)


def _of(state: State, turn: Turn, step: Step, name: str, right: Right) -> list[Offer]:
    if name == step.by:
        return []
    before = right.said or state.rules.unsaid_timing == "before"
    if right.role == "leaves":
        return [
            # what moves is "the active character": an attack is for it alone
            Offer(name, action, "leaves", (step.by,) if action == "A" else (), moment, before)
            for moment in moments(state, step, name)
            for action in right.reactions
        ]
    others = tuple(one for one in turn.active if one != name)
    if right.role == "target":
        holds, against = name == step.target, others
    elif name == step.target and not (right.target_too and state.rules.any_includes_target):
        return []
    elif right.role == "adjacent":
        holds, against = any(adjacent(state, name, one) for one in others), others
    else:
        against = tuple(one for one in others if in_range(state, name, one))
        holds = bool(against)
    if not holds:
        return []
    return [
        Offer(name, action, right.role, against if action == "A" else (), None, before) for action in right.reactions
    ]


def moments(state: State, step: Step, name: str) -> list[int]:
    """Which squares of the move, by their place in it, are left beside this character; none that is past."""
    if step.path:
        own = _square(state, name)
        left = [own is not None and near(state, square, own) for square in step.path[:-1]]
    else:
        left = [who == name for who in step.leaves]
    return [moment for moment, holds in enumerate(left) if holds and moment >= step.moment]


def to_json(state: State) -> list[dict[str, Any]]:
    """One item for a character and moment: `reactions` with whom an attack may be against, the lines and the time."""
    turn, step = state.turn, state.step
    if turn is None or step is None:
        return []
    items: dict[tuple[str, int | None], dict[str, Any]] = {}
    for offer in offers(state):
        item = items.setdefault(
            (offer.character, offer.moment),
            {
                "character": offer.character,
                "moment": offer.moment,
                "when": _when(state, step, offer),
                "entry": turn.entry.name,
                "part": step.part,
                "reactions": {},
                "because": [],
            },
        )
        item["reactions"][offer.action] = {"name": ACTIONS[offer.action], "against": list(offer.against)}
        if offer.role not in item["because"]:
            item["because"].append(offer.role)
    return list(items.values())


def _when(state: State, step: Step, offer: Offer) -> str:
    if not offer.before:
        return "the sheet does not say when"
    if offer.moment is not None and step.path:
        x, y = step.path[offer.moment]
        return f"just before {step.by} leaves {x},{y}"
    if offer.moment is not None:
        return f"just before {step.by} leaves the square adjacent to {offer.character}"
    return f"just before the {step.part}"


def _told(state: State, who: str, to: str, what: str) -> bool | None:
    found = next((one for one in state.relations if (one.who, one.to) == (who, to)), None)
    value: bool | None = None if found is None else getattr(found, what)
    return value


def _square(state: State, name: str) -> Square | None:
    found = state.character(name)
    return None if found is None else found.at
