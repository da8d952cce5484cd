"""Reading the fields of a command, as far as their values are this game's own (companion/rules/form.py: the rest)."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from companion.rules.form import MOST as MOST
from companion.rules.form import Check as Check
from companion.rules.form import Fields as Fields
from companion.rules.form import Malformed as Malformed
from companion.rules.form import a_flag as a_flag
from companion.rules.form import a_list as a_list
from companion.rules.form import a_number as a_number
from companion.rules.form import a_player as a_player
from companion.rules.form import an_object as an_object
from companion.rules.form import bad_command as bad_command
from companion.rules.form import bad_value as bad_value
from companion.rules.form import choice as choice
from companion.rules.form import chosen as chosen
from companion.rules.form import one_of as one_of
from companion.rules.form import read as read
from companion.rules.form import show as show
from companion.rules.rematch.chains import ATTACKS
from companion.rules.rematch.state import FULL_HP, STAGE
from companion.rules.rematch.tray import COLOURS, INDEX, LANES, LETTERS, ROWS, Tray

PLACES: Final = ("A", STAGE, "B")

a_button = one_of(COLOURS, "R, Y or B")
an_attack = one_of(ATTACKS, "an attack (R1 R2 R4 Y1 Y2 Y4 B1 B2 B4)")
a_cell = one_of(INDEX, "a cell (a1 to c5)")
a_letter = one_of(LETTERS, "R, Y, B, . or ?")
a_place = one_of(PLACES, "A, stage or B")

an_amount = a_number(0, MOST)
an_hp = a_number(1, FULL_HP)


def a_tray(path: str, value: Any) -> Tray:
    if not isinstance(value, str):
        raise bad_value(f"{path} is {show(value)} where a tray text is needed.")
    try:
        return Tray.parse(value)
    except ValueError as error:
        raise bad_value(f"{path}: {error}.") from None


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
