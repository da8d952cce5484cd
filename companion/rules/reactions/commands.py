"""Commands as they come in (plain JSON, from anybody) and as frozen values. Here only the form is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.rules import form as f
from companion.rules.core import Rejection
from companion.rules.reactions.entries import ACTIONS, RECOVERY
from companion.rules.reactions.state import MOST_CHARACTERS, Character, Grid, Square
from companion.rules.reactions.switches import CHOICES, MOST_RANGE, Rules

LONGEST: Final = 40
MOST_SQUARES: Final = 99
MOST_PATH: Final = 60


@dataclass(frozen=True, slots=True)
class Relate:
    """None of the two: what the grid says holds again."""

    who: str
    to: str
    adjacent: bool | None
    in_range: bool | None


@dataclass(frozen=True, slots=True)
class Setup:
    """`relations`: set by hand from the start; see Relate."""

    characters: tuple[Character, ...]
    grid: Grid | None
    rules: Rules
    relations: tuple[Relate, ...]


@dataclass(frozen=True, slots=True)
class Join:
    character: Character


@dataclass(frozen=True, slots=True)
class Leave:
    character: str


@dataclass(frozen=True, slots=True)
class Act:
    active: tuple[str, ...]
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Announce:
    part: str
    by: str | None
    target: str | None
    path: tuple[Square, ...] | None
    leaves: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class React:
    character: str
    action: str
    against: str | None
    moment: int | None
    to: Square | None


@dataclass(frozen=True, slots=True)
class Proceed:
    stopped: bool | None


@dataclass(frozen=True, slots=True)
class EndTurn:
    pass


@dataclass(frozen=True, slots=True)
class ChangeRules:
    chosen: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Correct:
    """`told`: at, range, disabled, reacted; those that are corrected."""

    character: str
    told: Mapping[str, Any]


Command = (
    Setup | Join | Leave | Relate | Act | Announce | React | Proceed | EndTurn | ChangeRules | Correct
)  # fmt: skip


def parse(raw: Mapping[str, Any]) -> Command | Rejection:
    """The command, or why it is none: bad_command, unknown_command, bad_value."""
    command: Command | Rejection = f.read(raw, READERS)
    return command


a_name = f.a_text(LONGEST)


def a_square(path: str, value: Any) -> Square:
    """[column, row] or "column,row", from 1."""
    parts = value.split(",") if isinstance(value, str) else value
    if isinstance(parts, list | tuple) and len(parts) == 2:
        column, row = (_whole(part) for part in parts)
        if 1 <= column <= MOST_SQUARES and 1 <= row <= MOST_SQUARES:
            return column, row
    raise f.bad_value(f"{path} is {f.show(value)} where a square such as [3, 2] is needed.")


def _whole(value: Any) -> int:
    """0: none."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 4:
        return int(value)
    return value if type(value) is int else 0


def _or_none(check: f.Check) -> f.Check:
    return lambda path, value: None if value is None else check(path, value)


def _names(path: str, value: Any) -> tuple[str, ...]:
    return tuple(a_name(f"{path}[{i}]", one) for i, one in enumerate(f.a_list(path, value)))


def _path(path: str, value: Any) -> tuple[Square, ...]:
    squares = tuple(a_square(f"{path}[{i}]", one) for i, one in enumerate(f.a_list(path, value)))
    if not 1 <= len(squares) <= MOST_PATH:
        raise f.bad_value(f"{path} has {len(squares)} squares where 1 to {MOST_PATH} are needed.")
    return squares


def _actions(path: str, value: Any) -> tuple[str, ...]:
    """ "A>", ["A", ">"], ["attack", "move"] or "recovery"."""
    if value in (RECOVERY, [RECOVERY], "--", "-", ["-", "-"]):
        return (RECOVERY,)
    parts = list(value) if isinstance(value, str) else value
    words = {symbol: symbol for symbol in ACTIONS} | {word: symbol for symbol, word in ACTIONS.items()}
    if isinstance(parts, list | tuple) and len(parts) == 2 and all(isinstance(p, str) and p in words for p in parts):
        return words[parts[0]], words[parts[1]]
    needed = "two of A > ! D (attack, move, stunt, defend) or recovery are needed"
    raise f.bad_value(f"{path} is {f.show(value)} where {needed}.")


def _character(path: str, value: Any) -> Character:
    o = f.an_object(path, value)
    found = Character(
        o.need("id", a_name),
        o.may("at", _or_none(a_square)),
        o.may("range", _or_none(f.a_number(0, MOST_RANGE))),
        o.may("disabled", f.a_flag, False),
        o.may("reacted", f.a_flag, False),
    )
    o.close()
    return found


def _grid(path: str, value: Any) -> Grid | None:
    if value is None:
        return None
    o = f.an_object(path, value)
    grid = Grid(o.need("columns", f.a_number(1, MOST_SQUARES)), o.need("rows", f.a_number(1, MOST_SQUARES)))
    o.close()
    return grid


def _chosen(path: str, value: Any) -> dict[str, Any]:
    o = f.an_object(path, value)
    chosen = f.chosen(o, CHOICES)
    o.close()
    return chosen


def _setup(o: f.Fields) -> Setup:
    listed = o.need("characters", f.a_list)
    if not 1 <= len(listed) <= MOST_CHARACTERS:
        raise f.bad_value(f"setup: characters has {len(listed)} where 1 to {MOST_CHARACTERS} are needed.")
    characters = tuple(_character(f"setup: characters[{i}]", one) for i, one in enumerate(listed))
    grid = o.may("grid", _grid)
    for i, one in enumerate(characters):
        if any(other.id == one.id for other in characters[:i]):
            raise f.bad_value(f"setup: characters[{i}].id is {f.show(one.id)} a second time.")
        if one.at is not None and (grid is None or not grid.holds(one.at)):
            raise f.bad_value(f"setup: characters[{i}].at is {list(one.at)}, which is not on the grid.")
        if one.at is not None and any(other.at == one.at for other in characters[:i]):
            raise f.bad_value(f"setup: characters[{i}].at is {list(one.at)}, where another stands.")
    relations = tuple(
        _relation(f"setup: relations[{i}]", one) for i, one in enumerate(o.may("relations", f.a_list, []))
    )
    names = {one.id for one in characters}
    for i, told in enumerate(relations):
        for field, name in (("who", told.who), ("to", told.to)):
            if name not in names:
                raise f.bad_value(f"setup: relations[{i}].{field} is {f.show(name)}, whom nobody has set up.")
        if told.who == told.to:
            raise f.bad_value(f"setup: relations[{i}]: {told.who} has no relation to itself.")
    return Setup(characters, grid, Rules(**o.may("rules", _chosen, {})), relations)


def _react(o: f.Fields) -> React:
    return React(
        o.need("character", a_name),
        _reaction(o.need("reaction", f.a_text(LONGEST))),
        o.may("against", a_name),
        o.may("moment", f.a_number(0, MOST_PATH)),
        o.may("to", a_square),
    )


def _reaction(value: str) -> str:
    words = {word: symbol for symbol, word in ACTIONS.items()}
    symbol = words.get(value, value)
    if symbol not in ACTIONS:
        raise f.bad_value(f"react: reaction is {f.show(value)} where one of A > ! D is needed.")
    return symbol


def _relate(o: f.Fields) -> Relate:
    return Relate(
        o.need("who", a_name),
        o.need("to", a_name),
        o.may("adjacent", _or_none(f.a_flag)),
        o.may("in_range", _or_none(f.a_flag)),
    )


def _relation(path: str, value: Any) -> Relate:
    o = f.an_object(path, value)
    found = _relate(o)
    o.close()
    return found


def _correct(o: f.Fields) -> Correct:
    checks: Mapping[str, f.Check] = {
        "at": _or_none(a_square),
        "range": _or_none(f.a_number(0, MOST_RANGE)),
        "disabled": f.a_flag,
        "reacted": f.a_flag,
    }
    name = o.need("character", a_name)
    told = {key: o.need(key, check) for key, check in checks.items() if o.has(key)}
    if not told:
        raise f.bad_command(f"correct needs one of the fields {', '.join(checks)}.")
    return Correct(name, told)


READERS: Final[Mapping[str, Callable[[f.Fields], Command]]] = {
    "setup": _setup,
    "join": lambda o: Join(o.need("character", _character)),
    "leave": lambda o: Leave(o.need("character", a_name)),
    "relate": _relate,
    "act": lambda o: Act(o.need("active", _names), o.need("actions", _actions)),
    "announce": lambda o: Announce(
        o.need("part", f.one_of(("recovery", "attack", "move", "stunt"), "recovery, attack, move or stunt")),
        o.may("by", a_name),
        o.may("target", a_name),
        o.may("path", _path),
        o.may("leaves", _names),
    ),
    "react": _react,
    "proceed": lambda o: Proceed(o.may("stopped", f.a_flag)),
    "end_turn": lambda o: EndTurn(),
    "rules": lambda o: ChangeRules(f.chosen(o, CHOICES)),
    "correct": _correct,
}
