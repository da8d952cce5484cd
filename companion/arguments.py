"""Words of the command line that several commands take: tray text, player, buttons, attack (DESIGN §6)."""

from __future__ import annotations

from companion.errors import InputError
from companion.rules.rematch.tray import COLOURS, REACH, Tray

NUMBERS = "124"


def tray(text: str, what: str = "TRAY") -> Tray:
    try:
        return Tray.parse(text)
    except ValueError as error:
        raise InputError(f"{what}: {error}") from error


def player(text: str, what: str = "--player") -> str:
    if len(text) != 1 or text not in REACH:
        raise InputError(f"{what}: {text!r} is not one of {', '.join(REACH)}")
    return text


def broken(text: str, what: str = "--broken") -> str:
    for letter in text:
        if letter not in COLOURS:
            raise InputError(f"{what}: {letter!r} is not one of the buttons {', '.join(COLOURS)}")
    if len(set(text)) < len(text):
        raise InputError(f"{what}: {text!r} names a button twice")
    return text


def attack(text: str, what: str = "--attack") -> str:
    if len(text) != 2 or text[0] not in COLOURS or text[1] not in NUMBERS:
        raise InputError(f"{what}: {text!r} is not an attack such as {COLOURS[0]}2")
    return text
