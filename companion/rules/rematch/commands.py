"""Commands as they come in (plain JSON, from anybody) and as frozen values (DESIGN §7).

Here only the form is checked: names, fields, types, ranges. Whether a command is allowed now is for `decide`.
"""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from companion.rules.core import Rejection
from companion.rules.rematch.chains import ATTACKS
from companion.rules.rematch.state import CREDITS, FULL_HP, REPAIR_HP, STAGE, Dial
from companion.rules.rematch.switches import CHOICES, Rules
from companion.rules.rematch.tray import COLOURS, INDEX, LANES, LETTERS, PLAYERS, ROWS, Tray

MOST: Final = 99
"""Amounts and credits above this are slips of the finger."""
LONGEST_NAME: Final = 60
PLACES: Final = ("A", STAGE, "B")


@dataclass(frozen=True, slots=True)
class Setup:
    first: str
    tray: Tray
    dials: Mapping[str, Mapping[str, Dial]]
    credits: Mapping[str, int]
    fans: Mapping[str, str]
    fighters: Mapping[str, str | None]
    rules: Rules


@dataclass(frozen=True, slots=True)
class Begin:
    pass


@dataclass(frozen=True, slots=True)
class Destroy:
    player: str
    cells: tuple[str, ...]
    refill: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Flip:
    player: str
    button: str


@dataclass(frozen=True, slots=True)
class Declare:
    player: str
    attack: str


@dataclass(frozen=True, slots=True)
class ClearCells:
    """A clear whose cells are known."""

    player: str
    cells: tuple[str, ...]
    refill: Mapping[str, str]
    attack: str | None
    overrule: bool


@dataclass(frozen=True, slots=True)
class ClearByTaps:
    """A clear of which only the attack and the number of short circuits are told."""

    player: str
    attack: str
    shorts: Mapping[str, int]
    overrule: bool


@dataclass(frozen=True, slots=True)
class OneHit:
    player: str
    button: str
    amount: int


@dataclass(frozen=True, slots=True)
class Hit:
    source: str
    hits: tuple[OneHit, ...]


@dataclass(frozen=True, slots=True)
class Heal:
    player: str
    button: str
    amount: int


@dataclass(frozen=True, slots=True)
class TakeFan:
    player: str
    fan: str


@dataclass(frozen=True, slots=True)
class Pay:
    player: str
    credits: int
    restores: bool | None


@dataclass(frozen=True, slots=True)
class SkipNext:
    player: str


@dataclass(frozen=True, slots=True)
class EndTurn:
    player: str


@dataclass(frozen=True, slots=True)
class Concede:
    player: str


@dataclass(frozen=True, slots=True)
class Correct:
    """Any of these; None = not corrected. `player` goes with `button` and `credits`."""

    player: str | None = None
    button: str | None = None
    hp: int | None = None
    broken: bool | None = None
    credits: int | None = None
    fan: str | None = None
    place: str | None = None
    cell: str | None = None
    colour: str | None = None
    tray: Tray | None = None
    turn: str | None = None


Command = (
    Setup
    | Begin
    | Destroy
    | Flip
    | Declare
    | ClearCells
    | ClearByTaps
    | Hit
    | Heal
    | TakeFan
    | Pay
    | SkipNext
    | EndTurn
    | Concede
    | Correct
)


class _Malformed(ValueError):
    """Unwinds the reading of one command; never leaves this module."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.rejection = Rejection(code, text)


def parse(raw: Mapping[str, Any]) -> Command | Rejection:
    """The command, or why it is none: bad_command, unknown_command, bad_value."""
    if not isinstance(raw, Mapping):
        return Rejection("bad_command", "A command is a JSON object.")
    name = raw.get("do")
    if not isinstance(name, str):
        return Rejection("bad_command", 'A command names what to do in the text field "do".')
    reader = _READERS.get(name)
    if reader is None:
        return Rejection("unknown_command", f"There is no command {_show(name)}; there are {', '.join(_READERS)}.")
    fields = _Fields(name, {key: value for key, value in raw.items() if key != "do"})
    try:
        command = reader(fields)
        fields.close()
    except _Malformed as malformed:
        return malformed.rejection
    return command


def _show(value: Any) -> str:
    try:
        text = reprlib.repr(value)
    except ValueError:  # Python writes no whole number of thousands of digits
        return "a very long number"
    return text if len(text) <= 60 else f"{text[:57]}…"


def _bad_value(text: str) -> _Malformed:
    return _Malformed("bad_value", text)


def _bad_command(text: str) -> _Malformed:
    return _Malformed("bad_command", text)


_Check = Callable[[str, Any], Any]


@dataclass(slots=True)
class _Fields:
    """The fields of one JSON object. What was not asked for when it is closed is unknown: bad_command."""

    path: str
    values: dict[str, Any]
    asked: set[str] = field(default_factory=set)

    def has(self, name: str) -> bool:
        return name in self.values

    def need(self, name: str, check: _Check) -> Any:
        if name not in self.values:
            raise _bad_command(f"{self.path} needs the field {name}.")
        return self.may(name, check, None)

    def may(self, name: str, check: _Check, default: Any = None) -> Any:
        self.asked.add(name)
        if name not in self.values:
            return default
        joint = "." if ":" in self.path else ": "
        return check(f"{self.path}{joint}{name}", self.values[name])

    def close(self) -> None:
        for name in self.values:
            if name not in self.asked:
                raise _bad_command(f"{self.path} has no field {_show(name)}.")


def _object(path: str, value: Any) -> _Fields:
    if not isinstance(value, Mapping):
        raise _bad_value(f"{path} is {_show(value)} where an object is needed.")
    return _Fields(path, dict(value))


def _one_of(choices: Collection[str], what: str) -> _Check:
    def check(path: str, value: Any) -> str:
        if not isinstance(value, str) or value not in tuple(choices):
            raise _bad_value(f"{path} is {_show(value)} where {what} is needed.")
        return value

    return check


_player = _one_of(PLAYERS, "player A or B")
_button = _one_of(COLOURS, "R, Y or B")
_attack = _one_of(ATTACKS, "an attack (R1 R2 R4 Y1 Y2 Y4 B1 B2 B4)")
_cell = _one_of(INDEX, "a cell (a1 to c5)")
_letter = _one_of(LETTERS, "R, Y, B, . or ?")
_place = _one_of(PLACES, "A, stage or B")


def _flag(path: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise _bad_value(f"{path} is {_show(value)} where true or false is needed.")
    return value


def _number(least: int, most: int) -> _Check:
    def check(path: str, value: Any) -> int:
        # True is an int to Python, and 3.0 is none to us
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise _bad_value(f"{path} is {_show(value)} where a whole number from {least} to {most} is needed.")
        return value

    return check


_amount = _number(0, MOST)
_hp = _number(1, FULL_HP)


def _tray(path: str, value: Any) -> Tray:
    if not isinstance(value, str):
        raise _bad_value(f"{path} is {_show(value)} where a tray text is needed.")
    try:
        return Tray.parse(value)
    except ValueError as error:
        raise _bad_value(f"{path}: {error}.") from None


def _list(path: str, value: Any) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise _bad_value(f"{path} is {_show(value)} where a list is needed.")
    return list(value)


def _cells(path: str, value: Any) -> tuple[str, ...]:
    return tuple(_cell(path, cell) for cell in _list(path, value))


def _some_cells(path: str, value: Any) -> tuple[str, ...]:
    cells = _cells(path, value)
    if not cells:
        raise _bad_value(f"{path} names no cell.")
    return cells


def _distinct_cells(path: str, value: Any) -> tuple[str, ...]:
    cells = _cells(path, value)
    for cell, times in Counter(cells).items():
        if times > 1:
            raise _bad_value(f"{path} names {cell} more than once.")
    return cells


def _refill(path: str, value: Any) -> dict[str, str]:
    refill = {}
    for lane, letters in _object(path, value).values.items():
        if lane not in tuple(LANES):
            raise _bad_value(f"{path} names lane {_show(lane)}; lanes are a, b, c.")
        if not isinstance(letters, str) or any(letter not in LETTERS for letter in letters) or len(letters) > ROWS:
            raise _bad_value(f"{path}.{lane} is {_show(letters)} where up to {ROWS} letters of RYB.? are needed.")
        refill[lane] = letters
    return refill


def _shorts(path: str, value: Any) -> dict[str, int]:
    given = _object(path, value).values
    for colour in given:
        if colour not in tuple(COLOURS):
            raise _bad_value(f"{path} names the colour {_show(colour)}; colours are R, Y, B.")
    counts = {c: int(_number(0, MOST)(f"{path}.{c}", given[c])) for c in COLOURS if c in given}
    return {colour: count for colour, count in counts.items() if count}


def _hits(path: str, value: Any) -> tuple[OneHit, ...]:
    hits = []
    for number, item in enumerate(_list(path, value)):
        fields = _object(f"{path}[{number}]", item)
        hits.append(
            OneHit(fields.need("player", _player), fields.need("button", _button), fields.need("amount", _amount))
        )
        fields.close()
    if not hits:
        raise _bad_value(f"{path} is empty.")
    for (player, button), times in Counter((hit.player, hit.button) for hit in hits).items():
        if times > 1:
            raise _bad_value(f"{path} names dial {button} of player {player} more than once.")
    return tuple(hits)


# --- set-up ----------------------------------------------------------------------------------------------------------


def _setup(fields: _Fields) -> Setup:
    first = fields.need("first", _player)
    tray = fields.need("tray", _tray)
    rules = fields.may("rules", _rules, Rules())
    players = fields.may("players", _object, _Fields("setup: players", {}))
    dials: dict[str, dict[str, Dial]] = {}
    credits: dict[str, int] = {}
    fighters: dict[str, str | None] = {}
    fans = dict.fromkeys(COLOURS, STAGE)
    for player in PLAYERS:
        side = players.may(player, _object, _Fields("", {}))
        dials[player] = side.may("buttons", _dials, dict.fromkeys(COLOURS, Dial()))
        credits[player] = side.may("credits", _amount, CREDITS)
        fighters[player] = side.may("fighter", _fighter)
        for fan in side.may("fans", _fans, ()):
            if fans[fan] != STAGE:
                raise _bad_value(f"{side.path}: fan {fan} is named more than once.")
            fans[fan] = player
        side.close()
    players.close()
    return Setup(first, tray, dials, credits, fans, fighters, rules)


def _rules(path: str, value: Any) -> Rules:
    fields = _object(path, value)
    chosen = {name: fields.need(name, _choice(options)) for name, options in CHOICES.items() if fields.has(name)}
    fields.close()
    return Rules(**chosen)


def _choice(options: tuple[Any, ...]) -> _Check:
    def check(path: str, value: Any) -> Any:
        for option in options:
            if type(value) is type(option) and value == option:
                return option
        raise _bad_value(f"{path} is {_show(value)}, which is none of {', '.join(map(repr, options))}.")

    return check


def _dials(path: str, value: Any) -> dict[str, Dial]:
    fields = _object(path, value)
    dials = {colour: fields.may(colour, _dial, Dial()) for colour in COLOURS}
    fields.close()
    return dials


def _dial(path: str, value: Any) -> Dial:
    fields = _object(path, value)
    dial = Dial(fields.may("hp", _hp, FULL_HP), fields.may("broken", _flag, False))
    fields.close()
    if dial.broken and dial.hp >= REPAIR_HP:
        raise _bad_value(f"{path}: a broken dial holds 1 to {REPAIR_HP - 1} HP, not {dial.hp}.")
    return dial


def _fans(path: str, value: Any) -> tuple[str, ...]:
    return tuple(_button(path, fan) for fan in _list(path, value))


def _fighter(path: str, value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_NAME or not value.isprintable():
        raise _bad_value(f"{path} is {_show(value)} where a name of up to {LONGEST_NAME} letters is needed.")
    return value


# --- the others ------------------------------------------------------------------------------------------------------


def _clear(fields: _Fields) -> ClearCells | ClearByTaps:
    player = fields.need("player", _player)
    overrule = fields.may("overrule", _flag, False)
    attack = fields.need("attack", _attack) if overrule or not fields.has("cells") else fields.may("attack", _attack)
    if not fields.has("cells"):
        if fields.has("refill"):
            raise _bad_command("clear: the field refill goes with cells.")
        return ClearByTaps(player, attack, fields.may("shorts", _shorts, {}), overrule)
    if fields.has("shorts"):
        raise _bad_command("clear: the field shorts stands in place of cells, not beside them.")
    return ClearCells(player, fields.need("cells", _some_cells), fields.may("refill", _refill, {}), attack, overrule)


def _correct(fields: _Fields) -> Correct:
    for name, partners in _TOGETHER.items():
        if fields.has(name):
            for group in partners:
                if not any(fields.has(partner) for partner in group):
                    raise _bad_command(f"correct: the field {name} goes with {' or '.join(group)}.")
    found = {name: fields.need(name, check) for name, check in _CORRECTABLE.items() if fields.has(name)}
    if not found and not fields.values:
        raise _bad_command("correct names nothing to correct.")
    return Correct(**found)


_CORRECTABLE: Final[Mapping[str, _Check]] = {
    "player": _player,
    "button": _button,
    "hp": _hp,
    "broken": _flag,
    "credits": _amount,
    "fan": _button,
    "place": _place,
    "cell": _cell,
    "colour": _letter,
    "tray": _tray,
    "turn": _player,
}
_TOGETHER: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "player": (("button", "credits"),),
    "button": (("player",), ("hp", "broken")),
    "hp": (("player",), ("button",)),
    "broken": (("player",), ("button",)),
    "credits": (("player",),),
    "fan": (("place",),),
    "place": (("fan",),),
    "cell": (("colour",),),
    "colour": (("cell",),),
}

_READERS: Final[Mapping[str, Callable[[_Fields], Command]]] = {
    "setup": _setup,
    "begin": lambda f: Begin(),
    "destroy": lambda f: Destroy(
        f.need("player", _player), f.need("cells", _distinct_cells), f.may("refill", _refill, {})
    ),
    "flip": lambda f: Flip(f.need("player", _player), f.need("button", _button)),
    "declare": lambda f: Declare(f.need("player", _player), f.need("attack", _attack)),
    "clear": _clear,
    "hit": lambda f: Hit(f.need("source", _player), f.need("hits", _hits)),
    "heal": lambda f: Heal(f.need("player", _player), f.need("button", _button), f.need("amount", _amount)),
    "fan": lambda f: TakeFan(f.need("player", _player), f.need("fan", _button)),
    "pay": lambda f: Pay(f.need("player", _player), f.need("credits", _amount), f.may("restores", _flag)),
    "skip_next": lambda f: SkipNext(f.need("player", _player)),
    "end_turn": lambda f: EndTurn(f.need("player", _player)),
    "concede": lambda f: Concede(f.need("player", _player)),
    "correct": _correct,
}
