"""Commands and what came of them in plain words, for people who read the page or the history. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from companion.rules.core import Event
from companion.rules.react.field import PLAYERS

Json = Mapping[str, Any]


# --- what was done ----------------------------------------------------------------------------------------------------


def named(command: Json) -> str:
    """One accepted command as a short sentence without a full stop."""
    name = _COMMANDS.get(command["do"])
    return str(command["do"]).replace("_", " ") if name is None else name(command)


def _setup(command: Json) -> str:
    field = command["field"]
    players = command.get("players", {})
    who = [f"{name} is {players[name]['artist']}" for name in PLAYERS if players.get(name, {}).get("artist")]
    return "; ".join([f"Set-up: {command['first']} begins on {field['columns']} × {field['rows']} zones", *who])


def _progress(command: Json) -> str:
    player = command["player"]
    if "swap" in command:
        return f"{player} swaps spaces {command['swap'][0]} and {command['swap'][1]}"
    if "skip" in command:
        return f"{player} does not progress the masterpiece"
    how = "place" if "place" in command else "replace"
    verb = "places" if how == "place" else "replaces a card with"
    return f"{player} {verb} {player}{command[how]} in space {command['space']}"


def _play(command: Json) -> str:
    what = command.get("card") or "a card"
    which = f" ({command['effect']})" if command.get("effect") else ""
    costs = [effect_words(cost) for cost in command.get("costs", ())]
    paid = f", paying: {'; '.join(costs)}" if costs else ""
    kind = command["kind"].capitalize()
    return f"{command['player']} plays {what}{which} as {'an' if kind == 'Intention' else 'a'} {kind}{paid}"


def _resolve(command: Json) -> str:
    if command.get("drop"):
        return "It did not happen"
    lines = [effect_words(line) for line in command.get("effects", ())]
    if "choose" in command:
        lines.append(f"chosen: {_listed([str(number) for number in sorted(command['choose'])])}")
    return f"It resolves: {'; '.join(lines)}" if lines else "It resolves"


def _passive(command: Json) -> str:
    where = f" in {_zone(command['zone'])}" if "zone" in command else ""
    return f"{command['name']} of {command['player']} is set off{where}"


def _correct(command: Json) -> str:
    told = []
    for name, value in command.items():
        if name in ("do", "player", "zone", "unit", "units", "token", "tile", "count"):
            continue
        told.append(f"{name} {_spaces(value) if name == 'masterpiece' else value}".replace("_", " "))
    for name in ("unit", "token", "tile"):
        if name in command:
            where = f" in {command['zone']}" if command.get("zone") else " off the field" if "zone" in command else ""
            count = f"{command['count']} " if "count" in command else ""
            what = command[name] if command[name] is not None else "no tile"
            told.append(f"{count}{what}{where}")
    if "units" in command:
        told.append("; ".join(_correct(one).removeprefix("Corrected: ") for one in command["units"]))
    whose = f"{command['player']}: " if "player" in command else ""
    return f"Corrected: {whose}{', '.join(told)}"


def _rules(command: Json) -> str:
    return f"Rules: {', '.join(f'{name} {value}' for name, value in command.items() if name != 'do')}".replace("_", " ")


def _by_hand(command: Json) -> str:
    text = effect_words(command)
    return f"{text[:1].upper()}{text[1:]}"


def _draw(command: Json) -> str:
    return _by_hand(command) if "player" in command else "Both players draw"


_COMMANDS: Final[Mapping[str, Callable[[Json], str]]] = {
    "setup": _setup,
    "progress": _progress,
    "draw": _draw,
    "play": _play,
    "pass": lambda c: f"{c['player']} passes",
    "resolve": _resolve,
    "passive": _passive,
    "end_turn": lambda c: f"{c['player']} ends the turn",
    "concede": lambda c: f"{c['player']} concedes",
    "correct": _correct,
    "rules": _rules,
    **dict.fromkeys(
        (
            "move", "jump", "swap", "summon", "remove", "damage", "block", "token", "tile", "exhaust", "refresh",
            "discard", "rearrange", "ascend", "descend", "target", "direction", "lose", "other",
        ),
        _by_hand,
    ),
}  # fmt: skip


# --- effects ----------------------------------------------------------------------------------------------------------


def effect_words(effect: Json) -> str:
    """A line of a card, or a cost, in words."""
    return _EFFECTS[effect["do"]](effect)


def _zones(effect: Json) -> str:
    """The zones and units of a damage, as they came in or as they are kept."""
    told: list[str] = []
    for name in ("zones", "units"):
        value = effect.get(name, ())
        one = isinstance(value, str) or (value and isinstance(value[0], int))
        told += [_zone(value)] if one else [_zone(each) for each in value]
    return _listed(told)


def _zone(value: Any) -> str:
    return value if isinstance(value, str) else ",".join(str(part) for part in value)


def _thing(effect: Json) -> str:
    """A token, tile or block: placed, moved or taken off."""
    where = _zone(effect["zone"]) if "zone" in effect else effect["unit"]
    count = f"{effect['count']} " if effect.get("count", 1) != 1 else ""
    kind = effect.get("kind", "")
    what = f"{count}{kind} {effect['do']}".replace("  ", " ").strip()
    if "remove" in effect:
        return f"{effect['player']} takes {what} off {where}"
    if "to" in effect:
        return f"{effect['player']} moves {what} from {where} to {_zone(effect['to'])}"
    return f"{effect['player']} places {what} in {where}"


def _cards(effect: Json, verb: str) -> str:
    count = effect.get("cards", 1)
    return f"{effect['player']} {verb} {count} card{'' if count == 1 else 's'}"


_EFFECTS: Final[Mapping[str, Callable[[Json], str]]] = {
    "move": lambda e: f"{e['unit']} moves {e.get('direction') or 'to ' + _zone(e['to'])}",
    "jump": lambda e: f"{e['unit']} jumps {e['direction']}",
    "swap": lambda e: f"{_listed(list(e['units']))} swap",
    "summon": lambda e: f"{e['player']} summons {e['kind']} in {_zone(e['zone'])}",
    "remove": lambda e: f"{e['unit']} leaves the field",
    "damage": lambda e: f"{e.get('amount', 1)} damage to {_zones(e)}",
    "block": _thing,
    "token": _thing,
    "tile": _thing,
    "exhaust": lambda e: f"{e['unit']} is exhausted",
    "refresh": lambda e: f"{e['unit']} is refreshed",
    "draw": lambda e: _cards(e, "draws"),
    "discard": lambda e: _cards(e, "discards"),
    "progress": _progress,
    "rearrange": lambda e: f"{e['player']} swaps spaces {e['swap'][0]} and {e['swap'][1]}",
    "ascend": lambda e: f"{e['player']} ascends",
    "descend": lambda e: f"{e['player']} descends",
    "target": lambda e: f"target {_zone(e['zone'])}",
    "direction": lambda e: f"direction {e['direction']}",
    "lose": lambda e: f"{e['player']} loses",
    "other": lambda e: str(e["text"]),
}


# --- what came of it --------------------------------------------------------------------------------------------------


def told(events: Sequence[Event]) -> list[str]:
    """What followed, one sentence each."""
    return [f"{text}." for event in events if (text := _told(event))]


def _told(event: Event) -> str:
    tell = _EVENTS.get(event["type"])
    return "" if tell is None else tell(event)


def _moved(event: Event) -> str:
    return "; ".join([f"{name} to {zone}" for name, zone in event["units"].items()])


def _damaged(event: Event) -> str:
    told = []
    for hit in event["hits"]:
        if "flipped" in hit:
            count = len(hit["flipped"])
            told.append(f"{hit['unit']} has {count} damage")
        else:
            told.append(f"{hit['unit']} is removed" if hit["removed"] else f"{hit['unit']} takes no damage")
    told += [f"blocked in {one['zone']}" for one in event["blocked"]]
    told += [f"nobody in {' '.join(event['missed'])}"] if event["missed"] else []
    return "; ".join(told)


def _failed(event: Event) -> str:
    return f"Skipped: {effect_words(event['effect'])}: {event['text'].removesuffix('.')}"


def _due(event: Event) -> str:
    found = [item for item in event["items"] if item["part"] != "card"]
    return _listed([f"{item['name']} of {item['player']}" for item in found]) + " comes first" if found else ""


def _card(event: Event) -> str:
    where = "goes to the discard pile" if event["to"] == "discard" else f"goes back to {event['player']}"
    return f"Card {event['slot']} {where}"


def _spaces(spaces: Sequence[str | None]) -> str:
    return " ".join(card or "–" for card in spaces)


_REASONS: Final = {
    "damage": "the third damage",
    "empty_deck": "the other's deck is empty",
    "conceded": "conceded",
    "effect": "an effect says so",
}


def _over(event: Event) -> str:
    if event["winner"] is None:
        return "A tie: both take their third damage at once"
    return f"{event['winner']} wins: {_REASONS.get(event['reason'], event['reason'])}"


_EVENTS: Final[Mapping[str, Callable[[Event], str]]] = {
    "phase": lambda e: "",
    "turn_ended": lambda e: f"Turn {e['turn_number']}: {e['next']}",
    "progressed": lambda e: f"The Masterpiece Zone: {_spaces(e['masterpiece'])}",
    "ascended": lambda e: f"{e['player']} ascends",
    "descended": lambda e: f"{e['player']} descends",
    "drew": lambda e: f"{e['player']} draws: {e['hand']} in hand, {e['deck']} in the deck",
    "discarded": lambda e: f"{e['player']} has {e['hand']} in hand",
    "resolving": lambda e: "The React Chain resolves",
    "card_resolved": _card,
    "chain_ended": lambda e: "The React Chain is empty",
    "due_added": _due,
    "moved": _moved,
    "summoned": lambda e: f"{e['unit']} in {e['zone']}",
    "damaged": _damaged,
    "refreshed": lambda e: f"Refreshed: {', '.join(e['units'])}",
    "failed": _failed,
    "match_over": _over,
}


def _listed(texts: Sequence[str]) -> str:
    return " and ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else "".join(texts)
