"""Commands and events of Reinforcements in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from companion.rules.core import Event
from companion.rules.reinforcements.cards import COLOUR_NAMES, TOTEM_NAMES, UNKNOWN, name


def named(command: Mapping[str, Any]) -> str:
    """An accepted command as a short sentence without a full stop."""
    do, seat = str(command["do"]), command.get("player", "")
    target = f" against {command['target']}" if command.get("target") else ""
    if do in ("attack", "barrage"):
        return f"{seat}: {do} with {_card(command['card'])}{target}"
    if do == "deploy":
        return f"{seat}: deploy {', '.join(map(_card, command['cards']))}{target}"
    if do in ("defend", "fortify", "broken"):
        return f"{seat}: {do} {command['stack']}"
    if do == "totem":
        return f"{seat} uses {TOTEM_NAMES[command['totem']]}"
    if do == "totem_drawn":
        return f"{seat} draws {TOTEM_NAMES[command['totem']]}"
    if do in ("flip", "rallied"):
        return f"It is {_card(command['card'])}"
    if do == "reveal":
        return f"Revealed: {', '.join(map(_card, command['cards']))}"
    if do == "reinforcements":
        if "winner" in command:
            return f"REINFORCEMENTS! The {command['winner']} wins"
        return f"REINFORCEMENTS! {_card(command['defender'])} against {_card(command['attacker'])}"
    if do == "hero":
        return "The Hero of the People steps in" if command["use"] else "The Hero of the People lets it happen"
    if do == "correct":
        return f"Set by hand: {'; '.join(_set(command))}"
    return f"{seat}: {_WORDS.get(do, do)}" if seat else _WORDS.get(do, do)


def _set(command: Mapping[str, Any]) -> Iterator[str]:
    """What a correction sets."""
    seat = command.get("player", "")
    revealed = ", revealed" if command.get("revealed") else ""
    if "hand" in command:
        yield f"{seat} has {command['hand']} in hand"
    if "stack" in command:
        cards = " ".join(command["cards"])
        yield f"{command['stack']} is {cards}{revealed}" if cards else f"{command['stack']} is not there"
    if "new" in command:
        yield f"{seat} has a new stack: {' '.join(command['new'])}{revealed}"
    if "shield_on" in command:
        yield f"{command['shield_on']} has {_card(command['shield']) if command['shield'] else 'none'} as its shield"
    if "discard" in command:
        yield f"the discard pile has {command['discard']}"
    for flag, words in (("locked", "locked"), ("main", "done with the Main Action"), ("drawn", "done drawing")):
        if flag in command:
            yield f"{seat} is {'' if command[flag] else 'not '}{words}"
    if "totem" in command:
        owner = command["owner"]
        where = {"": "in the pile", "deck": "in the deck", "gone": "gone"}.get(owner, f"with {owner}")
        yield f"{TOTEM_NAMES[command['totem']]} is {where}"
    if "turn" in command:
        yield f"it is {command['turn']}'s turn"


_WORDS: Final[Mapping[str, str]] = {
    "setup": "Set up",
    "draw": "draw",
    "discard": "discard",
    "adapt": "adapt",
    "end_turn": "the turn ends",
    "end_round": "The round ends",
    "elk_done": "no more defends",
    "send": "sends a card",
    "gift": "draws a stack",
    "clash": "At the same time",
    "concede": "concedes",
    "rules": "Other rules",
}

_OUTCOMES: Final[Mapping[str, str]] = {
    "destroyed": "The stack {target} is destroyed.",
    "held": "{target} holds.",
    "destroyed_by_tie": "The tie goes to {player}.",
    "held_by_tie": "The tie goes to {target}.",
}


def told(events: Sequence[Event]) -> list[str]:
    """What followed from it, one sentence each."""
    return [line for event in events if (line := _line(event))]


def _line(event: Event) -> str:
    kind = event["type"]
    if kind == "destroyed":
        return f"{_begun(_card(event['card']))} leaves {event['stack']}."
    if kind == "blow":
        return _OUTCOMES[event["outcome"]].format(**event)
    if kind == "revealed":
        return f"{event['stack']} is revealed: {COLOUR_NAMES[event['colour']]}."
    if kind == "broke":
        return f"{event['stack']} was broken: two cards go, one lies face down again."
    if kind == "totem":
        who = _begun(TOTEM_NAMES[event["totem"]])
        return f"{who} goes to {event['owner']}." if event["owner"] in tuple("ABCD") else f"{who} goes back."
    if kind == "flags" and event.get("locked"):
        return f"{event['player']} is locked."
    if kind == "eliminated":
        return f"{event['player']} is out."
    if kind == "over":
        return f"{event['winner']} wins." if event["winner"] else "Nobody is left: nobody wins."
    if kind == "asked" and event["ask"]["kind"] == "reinforcements":
        return "A tie: REINFORCEMENTS!"
    if kind == "wasted":
        return "It is nullified."
    if kind == "reshuffled":
        return "The discard pile is shuffled and put under the deck."
    return ""


def _begun(text: str) -> str:
    """As a sentence begins; names keep their capitals."""
    return text[:1].upper() + text[1:]


def _card(card: Any) -> str:
    return str(card) if card == UNKNOWN or not isinstance(card, str) or len(card) != 2 else name(card.upper())
