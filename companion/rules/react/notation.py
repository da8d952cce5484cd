"""Re;ACT as text: set-up as tags, commands as lines, states as notes (docs/match-text.md). Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.rules.core import Rejection
from companion.rules.notation import NotationError, Tag, known_as, shown, whole_setup, wrong_part
from companion.rules.react import lines
from companion.rules.react.commands import parse
from companion.rules.react.field import PLAYERS

TAGS: Final = ("Rules", "A", "A.Things", "B", "B.Things", "More", "First", "Field")
_REASONS: Final[Mapping[str, str]] = {
    "damage": "{loser} has 3 damage",
    "empty_deck": "{loser} draws from an empty deck",
    "conceded": "{loser} concedes",
    "effect": "{loser} loses by an effect",
}
_FIELD: Final = re.compile(r"\s*([0-9]{1,2})\s*[x×]\s*([0-9]{1,2})\s+A\s+(\S+)\s+B\s+(\S+)\s*")
_MORE: Final = ("masterpiece", "turn_number")


class ReactNotation:
    """See `companion.rules.notation.Notation`."""

    def setup_tags(self, setup: Mapping[str, Any], state: Mapping[str, Any]) -> Sequence[Tag]:
        try:
            tags = _tags(setup)
            if self.setup(tags) == _tidied(setup):
                return tags
        except (NotationError, ValueError, TypeError, LookupError, AttributeError):
            pass
        # some field that these words do not know
        return (Tag("Setup", block=(json.dumps(dict(setup), ensure_ascii=False),)),)

    def setup(self, tags: Sequence[Tag]) -> dict[str, Any]:
        whole = whole_setup(tags)
        if whole is not None:
            return whole
        command: dict[str, Any] = {"do": "setup"}
        for tag in tags:
            name = known_as(tag, TAGS)
            if tag.block is not None:
                raise NotationError(f"{name}: its value is needed in the same line, in double quotes", tag.name)
            try:
                _read_tag(command, name, tag.value)
            except NotationError as error:
                raise NotationError(str(error), tag.name) from None
        for needed, example in (("First", '[First "A"]'), ("Field", '[Field "5x5 A 3,1 B 3,5"]')):
            if needed.casefold() not in command:
                raise NotationError(f"the tag {needed} is missing, as in {example}")
        refused = parse(command)
        if isinstance(refused, Rejection):
            raise NotationError(refused.text.removesuffix("."), _blamed(refused.text, tags))
        return command

    def line(self, command: Mapping[str, Any]) -> str | None:
        return lines.write(command)

    def command(self, line: str) -> dict[str, Any]:
        return lines.read(line)

    def remark(self, command: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        if command["do"] == "resolve" and before["next"] is not None:
            return str(before["next"]["text"])
        if command["do"] == "play":
            return f"card {len(before['chain']['stack']) + 1}"
        return ""

    def turn(self, state: Mapping[str, Any]) -> str:
        return f"turn {state['turn_number']} {state['turn']}"

    def note(self, state: Mapping[str, Any]) -> str:
        return " | ".join(f"{name} {text}" for name, text in _notes(state).items() if text)

    def wrong(self, note: str, state: Mapping[str, Any]) -> str | None:
        return wrong_part(note, {**_notes(state), "turn": self.turn(state).removeprefix("turn ")})

    def figures(self, state: Mapping[str, Any]) -> Mapping[str, Mapping[str, int]]:
        """HP left and cards in hand."""
        return {player: {"HP": side["hp"], "hand": side["hand"]} for player, side in state["players"].items()}

    def names(self, state: Mapping[str, Any]) -> str:
        return " – ".join(state["players"][player]["artist"] or player for player in PLAYERS)

    def seats(self, state: Mapping[str, Any]) -> Mapping[str, str]:
        named = {player: state["players"][player]["artist"] for player in PLAYERS}
        return {player: name for player, name in named.items() if name}

    def winner(self, state: Mapping[str, Any]) -> str | None:
        return None if state["over"] is None else state["over"]["winner"]

    def result(self, state: Mapping[str, Any]) -> str | None:
        over = state.get("over")
        if over is None:
            return None
        if over["winner"] is None:
            return "a tie: both have 3 damage"
        loser = "B" if over["winner"] == "A" else "A"
        return f"{over['winner']} wins: {_REASONS.get(over['reason'], over['reason']).format(loser=loser)}"


REACT_NOTATION: Final = ReactNotation()


# --- set-up -----------------------------------------------------------------------------------------------------------


def _tidied(setup: Mapping[str, Any]) -> Any:
    """As the tags give it back: nothing said that says nothing."""
    told = json.loads(json.dumps(setup))
    players = {player: side for player, side in told.pop("players", {}).items() if side}
    if players:
        told["players"] = players
    if not told.get("rules", True):
        del told["rules"]
    return told


def _tags(setup: Mapping[str, Any]) -> tuple[Tag, ...]:
    told = _tidied(setup)
    tags = [Tag("Rules", _fields(told["rules"]))] if "rules" in told else []
    for player in PLAYERS:
        side = told.get("players", {}).get(player, {})
        if "artist" in side:
            tags.append(Tag(player, side.pop("artist")))
        if side:
            tags.append(Tag(f"{player}.Things", _fields(side)))
    more = {name: told[name] for name in _MORE if name in told}
    if more:
        tags.append(Tag("More", _fields(more)))
    field = told["field"]
    stars = field["stars"]
    size = f"{field['columns']}x{field['rows']} A {stars['A']} B {stars['B']}"
    return (*tags, Tag("First", told["first"]), Tag("Field", size))


def _fields(told: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={lines.value_text(value)}" for name, value in told.items())


def _read_tag(command: dict[str, Any], name: str, value: str) -> None:
    if name == "First":
        command["first"] = value.strip().upper()
    elif name == "Field":
        match = _FIELD.fullmatch(value)
        if match is None:
            raise NotationError('Field: columns x rows and both stars are needed, as in "5x5 A 3,1 B 3,5"')
        columns, rows, a, b = match.groups()
        command["field"] = {"columns": int(columns), "rows": int(rows), "stars": {"A": a, "B": b}}
    elif name == "Rules":
        command["rules"] = lines.read_fields(value, name)
    elif name == "More":
        more = lines.read_fields(value, name)
        for key in more:
            if key not in _MORE:
                raise NotationError(f"More: {shown(key)} is none of {', '.join(_MORE)}")
        command.update(more)
    else:
        side = command.setdefault("players", {}).setdefault(name[0], {})
        side.update({"artist": value} if name in PLAYERS else lines.read_fields(value, name))


def _blamed(text: str, tags: Sequence[Tag]) -> str | None:
    """The tag that a refusal's sentence is about."""
    for tag in reversed(tags):
        name = tag.name.casefold()
        where = {"first": "first", "field": "field", "rules": "rules", "more": ""}.get(
            name, f"players.{name[0].upper()}"
        )
        if where and f"setup: {where}" in text:
            return tag.name
    return None


# --- states -----------------------------------------------------------------------------------------------------------


def _notes(state: Mapping[str, Any]) -> dict[str, str]:
    """What a note can name → how it stands now."""
    notes = {}
    for player in PLAYERS:
        side = state["players"][player]
        deck = "" if side["deck"] is None else f" deck {side['deck']}"
        notes[player] = f"hp {side['hp']} hand {side['hand']}{deck}{' ascended' if side['ascended'] else ''}"
    notes["units"] = " ".join(
        f"{name}@{unit['zone']}{'!' if unit['exhausted'] else ''}" for name, unit in state["units"].items()
    )
    cards = " ".join(card or "-" for card in state["masterpiece"])
    notes["mp"] = cards if any(state["masterpiece"]) else ""
    notes["phase"] = state["phase"]
    return notes
