"""Commands as they come in (plain JSON, from anybody), read into their fields. Here only the form is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.rules import form as f
from companion.rules.core import Rejection
from companion.rules.reinforcements.cards import CARDS, DECK, TOTEMS, UNKNOWN
from companion.rules.reinforcements.state import MOST_BLUE, SEATS, STACKS
from companion.rules.reinforcements.switches import CHOICES

LONGEST: Final = 40
MODES: Final = ("normal", "chaos")
SHIELD: Final = "s"


@dataclass(frozen=True, slots=True)
class Command:
    """`told`: its fields; those left out are None."""

    name: str
    told: Mapping[str, Any]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.told[name]
        except KeyError:
            raise AttributeError(name) from None


@dataclass(frozen=True, slots=True)
class Place:
    """A card on the field: a stack and its slot from 1, the bottom one; `shield`: the Mercenary on top of it."""

    stack: str
    slot: int
    shield: bool = False

    def __str__(self) -> str:
        return f"{self.stack}.{self.slot}{SHIELD if self.shield else ''}"


def a_card(path: str, value: Any) -> str:
    if isinstance(value, str) and value.upper() in CARDS:
        return value.upper()
    raise f.bad_value(f"{path} is {f.show(value)} where a card such as R5, BA, GM or RC is needed.")


def a_card_or_hidden(path: str, value: Any) -> str:
    return UNKNOWN if value == UNKNOWN else a_card(path, value)


def cards(least: int, most: int) -> f.Check:
    def check(path: str, value: Any) -> tuple[str, ...]:
        found = tuple(a_card_or_hidden(f"{path}[{i}]", one) for i, one in enumerate(f.a_list(path, value)))
        if not least <= len(found) <= most:
            raise f.bad_value(f"{path} has {len(found)} cards where {least} to {most} are needed.")
        return found

    return check


a_seat = f.one_of(tuple(SEATS), "a seat A to D")
a_totem = f.one_of(tuple(TOTEMS), " or ".join(TOTEMS))


def a_stack(path: str, value: Any) -> str:
    if isinstance(value, str) and value[:1] in tuple(SEATS) and value[1:].isascii() and value[1:].isdecimal():
        return value
    raise f.bad_value(f"{path} is {f.show(value)} where a stack such as B2 is needed.")


def a_place(path: str, value: Any) -> Place:
    """B2.3, or B2.3s for the shield on it."""
    if isinstance(value, str):
        stack, _, rest = value.partition(".")
        slot = rest.removesuffix(SHIELD)
        if (
            slot.isascii()
            and slot.isdecimal()
            and len(slot) < 3
            and stack[1:].isdecimal()
            and stack[:1] in tuple(SEATS)
        ):
            return Place(stack, int(slot), rest.endswith(SHIELD))
    raise f.bad_value(f"{path} is {f.show(value)} where a card on the field such as B2.1 is needed.")


def places(least: int, most: int) -> f.Check:
    def check(path: str, value: Any) -> tuple[Place, ...]:
        found = tuple(a_place(f"{path}[{i}]", one) for i, one in enumerate(f.a_list(path, value)))
        if not least <= len(found) <= most or len(set(found)) < len(found):
            raise f.bad_value(f"{path} needs {least} to {most} different cards on the field.")
        return found

    return check


def _a_card_or_none(path: str, value: Any) -> str | None:
    return None if value is None else a_card(path, value)


def _slot(path: str, value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        return {"card": a_card_or_hidden(path, value), "shield": None}
    o = f.an_object(path, value)
    found = {"card": o.need("card", a_card_or_hidden), "shield": o.may("shield", _a_card_or_none)}
    o.close()
    return found


def _a_stack_set_up(path: str, value: Any) -> dict[str, Any]:
    """A number of face-down cards, or `{"cards": [bottom first], "revealed": true}`."""
    if type(value) is int:
        return {"slots": [_slot(path, UNKNOWN)] * f.a_number(1, 2)(path, value), "revealed": False}
    o = f.an_object(path, value)
    slots = [_slot(f"{path}.cards[{i}]", one) for i, one in enumerate(o.need("cards", f.a_list))]
    revealed = o.may("revealed", f.a_flag, False)
    o.close()
    colours = {slot["card"][0] for slot in slots}
    if not 1 <= len(slots) <= MOST_BLUE or (revealed and (len(colours) > 1 or UNKNOWN in colours)):
        raise f.bad_value(f"{path} needs 1 to {MOST_BLUE} cards, a revealed stack known ones of one colour.")
    if not revealed and len(slots) > 2:
        raise f.bad_value(f"{path} has {len(slots)} cards and would be revealed.")
    return {"slots": slots, "revealed": revealed}


def _a_player(path: str, value: Any) -> dict[str, Any]:
    o = f.an_object(path, value)
    stacks = o.may("stacks", f.a_list, [1, 1, 1])
    if len(stacks) > STACKS:
        raise f.bad_value(f"{path}.stacks has {len(stacks)}; a player has at most {STACKS}.")
    found = {
        "name": o.may("name", f.a_text(LONGEST), ""),
        "hand": o.may("hand", f.a_number(0, DECK), 1),
        "stacks": [_a_stack_set_up(f"{path}.stacks[{i}]", one) for i, one in enumerate(stacks)],
        "locked": o.may("locked", f.a_flag, False),
        "totems": [a_totem(f"{path}.totems", one) for one in o.may("totems", f.a_list, [])],
    }
    o.close()
    return found


def _players(path: str, value: Any) -> dict[str, Any]:
    """An object by seat, or a list in the order of play."""
    if isinstance(value, list | tuple):
        value = dict(zip(SEATS, value, strict=False)) if len(value) <= len(SEATS) else {}
    o = f.an_object(path, value)
    found = {seat: o.need(seat, _a_player) for seat in SEATS if o.has(seat)}
    o.close()
    if not 2 <= len(found) <= 4 or tuple(found) != tuple(SEATS[: len(found)]):
        raise f.bad_value(f"{path} needs 2 to 4 players, seats A, B, C, D in the order of play.")
    return found


def _initiative(path: str, value: Any) -> dict[str, str]:
    o = f.an_object(path, value)
    found = {seat: o.need(seat, a_card) for seat in SEATS if o.has(seat)}
    o.close()
    return found


def _rules(path: str, value: Any) -> dict[str, Any]:
    o = f.an_object(path, value)
    chosen = f.chosen(o, CHOICES)
    o.close()
    return chosen


Spec = Mapping[str, tuple[f.Check, bool]]
"""Field → its check, and whether it must be there."""

_BLOW: Spec = {"target": (a_stack, True), "seen": (cards(0, MOST_BLUE), False)}
FIELDS: Final[Mapping[str, Spec]] = {
    "setup": {
        "players": (_players, True),
        "first": (a_seat, False),
        "initiative": (_initiative, False),
        "mode": (f.one_of(MODES, "normal or chaos"), False),
        "phase": (f.one_of(("draw", "action"), "draw or action"), False),
        "discard": (cards(0, DECK), False),
        "rules": (_rules, False),
    },
    "draw": {"player": (a_seat, True), "count": (f.a_number(0, DECK), False)},
    "attack": {"player": (a_seat, True), "card": (a_card, True), **_BLOW},
    "defend": {
        "player": (a_seat, True),
        "stack": (a_stack, True),
        "card": (a_card, False),
        "reveal": (cards(3, 3), False),
    },
    "discard": {"player": (a_seat, True), "cards": (cards(0, DECK), False), "count": (f.a_number(0, DECK), False)},
    "deploy": {
        "player": (a_seat, True),
        "cards": (cards(1, 5), True),
        "from": (a_place, False),
        "target": (lambda path, value: value, False),
        "pay": (cards(1, 5), False),
        "seen": (cards(0, MOST_BLUE), False),
        "drawn": (a_card, False),
    },
    "barrage": {"player": (a_seat, True), "card": (a_card, True), "from": (a_place, False), **_BLOW},
    "fortify": {"player": (a_seat, True), "stack": (a_stack, True), "card": (a_card, True)},
    "adapt": {
        "player": (a_seat, True),
        "card": (a_card, False),
        "with": (a_place, False),
        "swap": (places(2, 2), False),
    },
    "totem": {
        "player": (a_seat, True),
        "totem": (a_totem, True),
        "targets": (places(0, 3), False),
        "seen": (cards(0, 3), False),
        "mine": (a_stack, False),
        "theirs": (a_stack, False),
    },
    "elk_done": {"player": (a_seat, True)},
    "flip": {"card": (a_card, True)},
    "reinforcements": {
        "defender": (a_card, False),
        "attacker": (a_card, False),
        "winner": (f.one_of(("attacker", "defender"), "attacker or defender"), False),
    },
    "rallied": {"card": (a_card, True)},
    "reveal": {"cards": (cards(3, 3), True)},
    "hero": {"use": (f.a_flag, True)},
    "broken": {"player": (a_seat, True), "stack": (a_stack, True), "seen": (cards(0, 2), False)},
    "end_turn": {"player": (a_seat, True)},
    "end_round": {},
    "totem_drawn": {"player": (a_seat, True), "totem": (a_totem, True)},
    "send": {"player": (a_seat, True), "place": (a_place, True), "seen": (a_card, False)},
    "gift": {"player": (a_seat, True), "keep": (f.a_flag, False), "discard": (f.a_flag, False)},
    "clash": {"players": (lambda path, value: tuple(a_seat(path, one) for one in f.a_list(path, value)), True),
              "first": (a_seat, True)},
    "concede": {"player": (a_seat, True)},
    "rules": {name: (f.choice(values), False) for name, values in CHOICES.items()},
    "correct": {
        "player": (a_seat, False),
        "hand": (f.a_number(0, DECK), False),
        "stack": (a_stack, False),
        "cards": (cards(0, MOST_BLUE), False),
        "revealed": (f.a_flag, False),
        "new": (cards(1, MOST_BLUE), False),
        "shield_on": (a_place, False),
        "shield": (lambda path, value: "" if value == "" else a_card(path, value), False),
        "discard": (f.a_number(0, DECK), False),
        "locked": (f.a_flag, False),
        "main": (f.a_flag, False),
        "drawn": (f.a_flag, False),
        "totem": (a_totem, False),
        "owner": (f.one_of((*SEATS, "", "deck", "gone"), 'a seat, "" for the pile, deck or gone'), False),
        "turn": (a_seat, False),
    },
}  # fmt: skip


def _reader(name: str, spec: Spec) -> Callable[[f.Fields], Command]:
    def read(fields: f.Fields) -> Command:
        told = {}
        for key, (check, needed) in spec.items():
            told[key] = fields.need(key, check) if needed else fields.may(key, check)
        return Command(name, told)

    return read


_READERS: Final = {name: _reader(name, spec) for name, spec in FIELDS.items()}


def parse(raw: Mapping[str, Any]) -> Command | Rejection:
    """The command, or why it is none: bad_command, unknown_command, bad_value."""
    command: Command | Rejection = f.read(raw, _READERS)
    return command
