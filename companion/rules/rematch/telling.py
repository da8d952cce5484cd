"""Commands and what came of them in plain words, for people who read the page or the history. Pure.

A command says what was done; its events say what followed from it, forced choices and payments among it. Events of the
older formats of a log lack some of their newer fields, so nothing here relies on those.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from companion.rules.core import Event
from companion.rules.rematch.chains import attack_name
from companion.rules.rematch.effect_words import effect_words, effects_words
from companion.rules.rematch.fighters import BoardError, effect_from_json
from companion.rules.rematch.markers import marker_of, place_name
from companion.rules.rematch.tray import COLOUR_NAMES, COLOURS

Json = Mapping[str, Any]


# --- what was done ----------------------------------------------------------------------------------------------------


def named(command: Json) -> str:
    """One accepted command as a short sentence without a full stop."""
    name = _COMMANDS.get(command["do"])
    return str(command["do"]).replace("_", " ") if name is None else name(command)


def _setup(command: Json) -> str:
    players = command.get("players", {})
    who = [f"{name} is {side['fighter']}" for name, side in sorted(players.items()) if side.get("fighter")]
    return "; ".join([f"Set-up: {command['first']} begins", *who])


def _clear(command: Json) -> str:
    attack = command.get("attack")
    what = f": {attack_name(attack)}" if attack else ""
    stands = ", let stand" if command.get("overrule") else ""
    if "cells" in command:  # what attack that is, the event says
        return f"{command['player']} clears {' '.join(command['cells'])}{what if stands else ''}{stands}"
    shorts = [f"{count} {COLOUR_NAMES[colour]}" for colour, count in command.get("shorts", {}).items() if count]
    over = f", short circuits: {_listed(shorts)}" if shorts else ""
    return f"{command['player']} calls an attack{what}{over}{stands}"


def _hit(command: Json) -> str:
    hits = [f"{hit['amount']} to {_dial(hit)}" for hit in command["hits"]]
    return f"{command['source']} deals {_listed(hits)}"


def _correct(command: Json) -> str:
    told = []
    if "button" in command:
        is_broken = command.get("broken")
        state = "" if is_broken is None else ", broken" if is_broken else ", not broken"
        told.append(f"{_dial(command)} {f'at {_hp(command)}' if 'hp' in command else ''}{state}".replace(" ,", ","))
    if "credits" in command:
        told.append(f"{_credits(command['credits'])} for {command['player']}")
    if "fan" in command:
        where = "on the stage" if command["place"] == "stage" else f"with {command['place']}"
        told.append(f"the {COLOUR_NAMES[command['fan']]} fan {where}")
    if "cell" in command:
        told.append(f"{command['cell']} {_LETTERS[command['colour']]}")
    if "tray" in command:
        told.append(f"the tray {command['tray']}")
    if "turn" in command:
        told.append(f"{command['turn']}’s turn")
    return f"Corrected: {_listed(told)}"


_LETTERS: Final = {"R": "is red", "Y": "is yellow", "B": "is blue", ".": "is empty", "?": "is not known"}


def _resolve(command: Json) -> str:
    if command.get("drop"):
        return "It did not happen"
    told = [_ANSWERS[key](value) for key, value in command.items() if key in _ANSWERS]
    return f"What was due: {_listed(told)}" if told else "What was due is done"


def _no_cells(cells: Sequence[str]) -> str:
    return " ".join(cells) or "no marbles"


_ANSWERS: Final[Mapping[str, Callable[[Any], str]]] = {
    "button": lambda value: f"the {COLOUR_NAMES[value]} dial",
    "fan": lambda value: f"the {COLOUR_NAMES[value]} fan",
    "cells": _no_cells,
    "amount": lambda value: f"X is {value}",
    "yes": lambda value: "yes" if value else "no",
    "option": lambda value: f"choice {value + 1}",
    "when": lambda value: f"{value} the attack",
    "colour": lambda value: COLOUR_NAMES[value],
    "place": place_name,
    "done": lambda value: "done",
}


def _marker(command: Json) -> str:
    if "remove" in command:
        return f"Marker {command['remove']} is taken off"
    return f"{command['player']} lays a marker on {place_name(command['place'])}: {command['name']}"


def _rules(command: Json) -> str:
    told = [f"{name} {value}" for name, value in command.items() if name != "do"]
    return f"Rules: {', '.join(told)}".replace("_", " ")


def _destroy(command: Json) -> str:
    return f"{command['player']} destroys {_no_cells(command['cells'])}"


_COMMANDS: Final[Mapping[str, Callable[[Json], str]]] = {
    "setup": _setup,
    "begin": lambda c: "The first turn begins",
    "destroy": _destroy,
    "flip": lambda c: f"{c['player']} flips {COLOUR_NAMES[c['button']]}",
    "declare": lambda c: f"{c['player']} declares {attack_name(c['attack'])}",
    "clear": _clear,
    "hit": _hit,
    "heal": lambda c: f"{_dial(c)} heals {c['amount']}",
    "fan": lambda c: f"{c['player']} takes the {COLOUR_NAMES[c['fan']]} fan",
    "pay": lambda c: f"{c['player']} pays {_credits(c['credits'])}",
    "skip_next": lambda c: f"{c['player']} skips the next turn",
    "end_turn": lambda c: f"{c['player']} ends the turn",
    "concede": lambda c: f"{c['player']} concedes",
    "correct": _correct,
    "resolve": _resolve,
    "marker": _marker,
    "rules": _rules,
}


# --- what came of it --------------------------------------------------------------------------------------------------


def told(events: Sequence[Event]) -> list[str]:
    """What followed, one sentence each."""
    lines: list[str] = []
    waiting: Event | None = None  # resolved, and what it did is told by the event after it
    for event in events:
        if event["type"] == "resolved":
            _flush(lines, waiting)
            waiting = event
            continue
        tell = _EVENTS.get(event["type"])
        if tell is None:
            continue
        text = tell(event)
        if waiting is not None and event["type"] in _DOES:
            text = _forced(text, waiting)
            waiting = None
        if text:
            lines.append(f"{text}.")
    _flush(lines, waiting)
    return lines


_DOES: Final = frozenset(
    {"hit", "healed", "paid", "could_not_pay", "fan_taken", "skip_set", "marker_laid", "destroyed"}
)
_ONE_OF: Final = frozenset({"deal", "take", "heal", "any_fan"})
"""Effects with a choice that was none, when they happened by themselves."""


def _forced(text: str, item: Event) -> str:
    """Why nobody was asked."""
    only = item["by_itself"] and item["effect"]["do"] in _ONE_OF
    return f"{text}: it was the only one" if only else text


def _flush(lines: list[str], item: Event | None) -> None:
    """An item that nothing else tells of: left out, done by hand, or it had nothing to act on."""
    if item is None:
        return
    text = str(item["text"]).removesuffix(".")
    answer = item["answer"]
    if answer.get("drop") or answer.get("yes") is False:
        lines.append(f"Did not happen: {text}.")
    elif item["by_itself"]:
        lines.append(f"Nothing to do: {text}.")
    elif answer.get("done") and item["effect"]["do"] != "destroy":
        lines.append(f"Done: {text}.")


def _cleared_told(event: Event) -> str:
    return "" if event["cells"] is None or event["overruled"] else attack_name(event["attack"])


def _hit_told(event: Event) -> str:
    hits = []
    for hit in event["hits"]:
        after = "which breaks" if hit["hp"] == 0 else f"now {hit['hp']}"
        hits.append(f"{hit['amount']} to {_dial(hit)}, {after}")
    return "; ".join(hits)


def _healed_told(event: Event) -> str:
    buttons = event["buttons"]
    if not buttons:
        return ""
    dials = [f"{COLOUR_NAMES[colour]} to {buttons[colour]['hp']}" for colour in COLOURS if colour in buttons]
    by = "by short circuit " if event.get("by") == "short_circuits" else ""
    return f"{event['player']} heals {by}{_listed(dials)}"


def _paid_told(event: Event) -> str:
    restored = event["buttons"]
    dials = [f"{COLOUR_NAMES[colour]} to {restored[colour]['hp']}" for colour in COLOURS if colour in restored]
    more = f", which restores {_listed(dials)}" if dials else ""
    why = " for the break" if event.get("for") == "breaks" else ""
    return f"{event['player']} pays {_credits(event['credits'])}{why}{more}"


def _fan_told(event: Event) -> str:
    place = event.get("from")
    where = f" from {place}" if place in ("A", "B") else ""
    return f"{event['to']} takes the {COLOUR_NAMES[event['fan']]} fan{where}"


def _owes_told(event: Event) -> str:
    price = sum(item["credits"] for item in event["breaks"])
    return f"{event['player']} owes {_credits(price)}, to be paid when the attack ends"


def _turn_told(event: Event) -> str:
    skipped = [f"{player} skips a turn" for player in event["skipped"]]
    return ". ".join([*skipped, *_left(event)])


def _left(event: Event) -> list[str]:
    items = [_item_words(item) for item in event.get("left", ())]
    return [f"Left undone: {'; '.join(items)}"] if items else []


def _item_words(item: Json) -> str:
    effect = item["effect"]
    try:
        if effect["do"] == "reminder":
            text = str(effect["text"]).removesuffix(".")
        elif effect["do"] == "kicker":
            each = [effect_from_json("effect", one) for one in effect["effects"]]
            text = f"the kicker ({effects_words(each)})"
        else:
            text = effect_words(effect_from_json("effect", effect)).removesuffix(".")
    except BoardError:  # an effect that these rules know no more
        text = str(effect.get("text") or effect["do"])
    return text if effect["do"] == "reminder" else f"{item['player']}: {text}"


def _counted_told(event: Event) -> str:
    return "; ".join(f"{marker_of(marker).label} is over" for marker in event["gone"])


def _lifted_told(event: Event) -> str:
    return f"{marker_of(event['marker']).label} is taken off"


_REASONS: Final = {"cannot_pay": "the other cannot pay", "both_cannot_pay": "neither can pay", "conceded": "conceded"}
_EVENTS: Final[Mapping[str, Callable[[Event], str]]] = {
    "cleared": _cleared_told,
    "hit": _hit_told,
    "healed": _healed_told,
    "paid": _paid_told,
    "owes": _owes_told,
    "could_not_pay": lambda e: f"{e['player']} cannot pay {_credits(e['credits'])}",
    "fan_taken": _fan_told,
    "skip_set": lambda e: f"{e['player']} skips the next turn",
    "destroyed": lambda e: f"{e['player']} destroys {_no_cells(e['cells'])}",
    "marker_laid": lambda e: f"{marker_of(e['marker']).label} is laid",
    "marker_lifted": _lifted_told,
    "markers_counted": _counted_told,
    "turn_ended": _turn_told,
    "corrected": lambda e: ". ".join(_left(e)),
    "due_listed": lambda e: ". ".join(_left(e)),
    "match_over": lambda e: f"{e['winner']} wins: {_REASONS.get(e['reason'], e['reason'])}",
}


# --- words ------------------------------------------------------------------------------------------------------------


def _dial(told: Json) -> str:
    return f"{COLOUR_NAMES[told['button']]} of {told['player']}"


def _hp(told: Json) -> str:
    return f"{told['hp']} HP"


def _credits(count: int) -> str:
    return f"{count} credit{'' if count == 1 else 's'}"


def _listed(texts: Sequence[str]) -> str:
    return " and ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else "".join(texts)
