"""Reading the fields of a command: names, types and ranges, each refusal one sentence with the field's path.

What all games share; the values of one game's own are in its package.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from companion.rules.core import Rejection

MOST: Final = 99
"""Amounts above this are slips of the finger."""


class Malformed(ValueError):
    """Unwinds the reading of one command; `read` makes a refusal of it."""

    def __init__(self, code: str, text: str, cells: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.rejection = Rejection(code, text, cells)


def show(value: Any) -> str:
    """A value as whoever wrote the JSON knows it, shortened."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    try:
        text = reprlib.repr(value)
    except ValueError:  # Python writes no whole number of thousands of digits
        return "a very long number"
    return text if len(text) <= 60 else f"{text[:57]}…"


def bad_value(text: str, *cells: str) -> Malformed:
    return Malformed("bad_value", text, cells)


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


def read(raw: Any, readers: Mapping[str, Callable[[Fields], Any]]) -> Any:
    """The command that its reader makes of plain JSON, or a Rejection: bad_command, unknown_command, bad_value.

    `readers`: by the name in the field "do".
    """
    if not isinstance(raw, Mapping):
        return Rejection("bad_command", "A command is a JSON object.")
    name = raw.get("do")
    if not isinstance(name, str):
        return Rejection("bad_command", 'A command names what to do in the text field "do".')
    reader = readers.get(name)
    if reader is None:
        return Rejection("unknown_command", f"There is no command {show(name)}; there are {', '.join(readers)}.")
    fields = Fields(name, {key: value for key, value in raw.items() if key != "do"})
    try:
        command = reader(fields)
        fields.close()
    except Malformed as malformed:
        return malformed.rejection
    return command


def chosen(fields: Fields, choices: Mapping[str, tuple[Any, ...]]) -> dict[str, Any]:
    """The switches among the fields, with their values."""
    return {name: fields.need(name, choice(options)) for name, options in choices.items() if fields.has(name)}


a_player = one_of(("A", "B"), "player A or B")


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


def a_list(path: str, value: Any) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise bad_value(f"{path} is {show(value)} where a list is needed.")
    return list(value)


def choice(options: tuple[Any, ...]) -> Check:
    """One of these values, and of the same type: 1 is not true."""

    def check(path: str, value: Any) -> Any:
        for option in options:
            if type(value) is type(option) and value == option:
                return option
        raise bad_value(f"{path} is {show(value)}, which is none of {', '.join(map(show, options))}.")

    return check


def a_text(longest: int) -> Check:
    """Words of the players' own, of one line."""

    def check(path: str, value: Any) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= longest or not value.isprintable():
            raise bad_value(f"{path} is {show(value)} where a text of up to {longest} letters is needed.")
        return value

    return check
