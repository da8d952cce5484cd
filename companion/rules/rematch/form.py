"""Reading the fields of a command: names, types and ranges, each refusal one sentence with the field's path."""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from companion.rules.core import Rejection
from companion.rules.rematch.chains import ATTACKS
from companion.rules.rematch.state import FULL_HP, STAGE
from companion.rules.rematch.tray import COLOURS, INDEX, LANES, LETTERS, PLAYERS, ROWS, Tray

MOST: Final = 99
"""Amounts and credits above this are slips of the finger."""
PLACES: Final = ("A", STAGE, "B")


class Malformed(ValueError):
    """Unwinds the reading of one command; never leaves this module."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.rejection = Rejection(code, text)


def show(value: Any) -> str:
    """A value as whoever wrote the JSON knows it, shortened."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    try:
        text = reprlib.repr(value)
    except ValueError:  # Python writes no whole number of thousands of digits
        return "a very long number"
    return text if len(text) <= 60 else f"{text[:57]}…"


def bad_value(text: str) -> Malformed:
    return Malformed("bad_value", text)


def bad_command(text: str) -> Malformed:
    return Malformed("bad_command", text)


Check = Callable[[str, Any], Any]


@dataclass(slots=True)
class Fields:
    """The fields of one JSON object. What was not asked for when it is closed is unknown: bad_command."""

    path: str
    values: dict[str, Any]
    asked: set[str] = field(default_factory=set)

    def has(self, name: str) -> bool:
        return name in self.values

    def need(self, name: str, check: Check) -> Any:
        if name not in self.values:
            raise bad_command(f"{self.path} needs the field {name}.")
        return self.may(name, check, None)

    def may(self, name: str, check: Check, default: Any = None) -> Any:
        self.asked.add(name)
        if name not in self.values:
            return default
        joint = "." if ":" in self.path else ": "
        return check(f"{self.path}{joint}{name}", self.values[name])

    def close(self) -> None:
        for name in self.values:
            if name not in self.asked:
                raise bad_command(f"{self.path} has no field {show(name)}.")


def an_object(path: str, value: Any) -> Fields:
    if not isinstance(value, Mapping):
        raise bad_value(f"{path} is {show(value)} where an object is needed.")
    return Fields(path, dict(value))


def one_of(choices: Collection[str], what: str) -> Check:
    def check(path: str, value: Any) -> str:
        if not isinstance(value, str) or value not in tuple(choices):
            raise bad_value(f"{path} is {show(value)} where {what} is needed.")
        return value

    return check


a_player = one_of(PLAYERS, "player A or B")
a_button = one_of(COLOURS, "R, Y or B")
an_attack = one_of(ATTACKS, "an attack (R1 R2 R4 Y1 Y2 Y4 B1 B2 B4)")
a_cell = one_of(INDEX, "a cell (a1 to c5)")
a_letter = one_of(LETTERS, "R, Y, B, . or ?")
a_place = one_of(PLACES, "A, stage or B")


def a_flag(path: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise bad_value(f"{path} is {show(value)} where true or false is needed.")
    return value


def a_number(least: int, most: int) -> Check:
    def check(path: str, value: Any) -> int:
        # True is an int to Python, and 3.0 is none to us
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise bad_value(f"{path} is {show(value)} where a whole number from {least} to {most} is needed.")
        return value

    return check


an_amount = a_number(0, MOST)
an_hp = a_number(1, FULL_HP)


def a_tray(path: str, value: Any) -> Tray:
    if not isinstance(value, str):
        raise bad_value(f"{path} is {show(value)} where a tray text is needed.")
    try:
        return Tray.parse(value)
    except ValueError as error:
        raise bad_value(f"{path}: {error}.") from None


def a_list(path: str, value: Any) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise bad_value(f"{path} is {show(value)} where a list is needed.")
    return list(value)


def cells(path: str, value: Any) -> tuple[str, ...]:
    return tuple(a_cell(path, cell) for cell in a_list(path, value))


def some_cells(path: str, value: Any) -> tuple[str, ...]:
    named = cells(path, value)
    if not named:
        raise bad_value(f"{path} names no cell.")
    return named


def distinct_cells(path: str, value: Any) -> tuple[str, ...]:
    named = cells(path, value)
    for cell, times in Counter(named).items():
        if times > 1:
            raise bad_value(f"{path} names {cell} more than once.")
    return named


def a_refill(path: str, value: Any) -> dict[str, str]:
    refill = {}
    for lane, letters in an_object(path, value).values.items():
        if lane not in tuple(LANES):
            raise bad_value(f"{path} names lane {show(lane)}; lanes are a, b, c.")
        if not isinstance(letters, str) or any(letter not in LETTERS for letter in letters) or len(letters) > ROWS:
            raise bad_value(f"{path}.{lane} is {show(letters)} where up to {ROWS} letters of RYB.? are needed.")
        refill[lane] = letters
    return refill


def shorts_of(path: str, value: Any) -> dict[str, int]:
    given = an_object(path, value).values
    for colour in given:
        if colour not in tuple(COLOURS):
            raise bad_value(f"{path} names the colour {show(colour)}; colours are R, Y, B.")
    counts = {c: int(a_number(0, MOST)(f"{path}.{c}", given[c])) for c in COLOURS if c in given}
    return {colour: count for colour, count in counts.items() if count}
