"""A fighter's board as a value: nine attacks, each a list of effects and a kicker (rulebook: Making an Attack).

The rulebook prints hardly any attack text. What a board does not say is an effect `unknown`: it is due, and tapped in
by hand. Nothing here reads files; the same JSON is a table of a board file (companion.boards), the `board` of a set-up
and what the log keeps.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Final

from companion.rules.rematch.tray import COLOURS

ATTACKS: Final = tuple(f"{colour}{count}" for colour in COLOURS for count in (1, 2, 4))
WHEN: Final = ("before", "after", "either", "unknown")
"""When a kicker comes; `either`: the player says (the "Before or After" icon); `unknown`: the icon is not known."""
PAYERS: Final = ("opponent", "self")

MOST: Final = 99
"""Amounts above this are slips of the finger."""
LONGEST_NAME: Final = 60
LONGEST_TEXT: Final = 400
MOST_EFFECTS: Final = 20
MOST_OPTIONS: Final = 6
MOST_REMARKS: Final = 40


class BoardError(ValueError):
    """A board that is none: one sentence with the path of the field, what is there and what is needed."""


@dataclass(frozen=True, slots=True)
class Amount:
    """How much: `fixed`, or X `plus` so many, where `x` says in words what X counts. Exactly one of both is None."""

    fixed: int | None = None
    x: str | None = None
    plus: int = 0

    def of(self, counted: int = 0) -> int:
        """The amount when X is `counted`; never below 0."""
        return self.fixed if self.fixed is not None else max(0, counted + self.plus)

    def to_json(self) -> int | str:
        if self.fixed is not None:
            return self.fixed
        return f"X{self.plus:+d}" if self.plus else "X"


@dataclass(frozen=True, slots=True)
class Effect:
    """One line of an attack. `do` is a key of FIELDS, which says what else it holds; the rest stays at its default.

    `condition` (JSON: `if`): when it happens at all, in words. `optional`: the player may leave it out. `restores`:
    whether the credit that a `pay` forces restores HP; None: as the rule set says.
    """

    do: str
    amount: Amount | None = None
    fan: str | None = None
    who: str | None = None
    restores: bool | None = None
    marker: str | None = None
    options: tuple[tuple[Effect, ...], ...] = ()
    text: str | None = None
    condition: str | None = None
    optional: bool = False


UNKNOWN: Final = Effect("unknown")


@dataclass(frozen=True, slots=True)
class Kicker:
    """What a matching fan adds (rulebook: Resolving an Attack). `when` is one of WHEN."""

    when: str = "unknown"
    effects: tuple[Effect, ...] = (UNKNOWN,)


@dataclass(frozen=True, slots=True)
class Attack:
    """`kicker` None: this attack has none. `source`: where the facts are printed."""

    effects: tuple[Effect, ...] = (UNKNOWN,)
    kicker: Kicker | None = Kicker()
    source: str | None = None

    @property
    def known(self) -> str:
        """`known`: nothing of it is left to be tapped in by hand; `partly`; or `unknown`: nothing at all is said."""
        kicker = () if self.kicker is None else self.kicker.effects
        missing = [effect.do == "unknown" for effect in flat((*self.effects, *kicker))]
        if all(missing):
            return "unknown"
        unsure = self.kicker is not None and self.kicker.when == "unknown"
        return "partly" if unsure or any(missing) else "known"


UNKNOWN_ATTACK: Final = Attack()


def _all_unknown() -> Mapping[str, Attack]:
    return dict.fromkeys(ATTACKS, UNKNOWN_ATTACK)


@dataclass(frozen=True, slots=True)
class Board:
    """One fighter. `attacks` always holds all nine. `start`, `end`: effects of each of its turns' start and end.

    `edition`: the version of the game that it is printed in, in words; `remarks`: shown when the fighter is chosen.
    """

    name: str
    edition: str | None = None
    attacks: Mapping[str, Attack] = field(default_factory=_all_unknown)
    start: tuple[Effect, ...] = ()
    end: tuple[Effect, ...] = ()
    remarks: tuple[str, ...] = ()


def flat(effects: Collection[Effect]) -> tuple[Effect, ...]:
    """The effects with those inside of `either`, which is left out itself."""
    return tuple(chain.from_iterable(chain.from_iterable(e.options) if e.do == "either" else (e,) for e in effects))


def same_name(name: str) -> str:
    """What two spellings of a fighter's name have in common."""
    return " ".join(name.casefold().split())


# --- to JSON: what is at its default is left out ---------------------------------------------------------------------


def effect_to_json(effect: Effect) -> dict[str, Any]:
    value: dict[str, Any] = {"do": effect.do}
    if effect.amount is not None:
        value["amount"] = effect.amount.to_json()
        if effect.amount.x is not None:
            value["x"] = effect.amount.x
    for name in ("fan", "who", "restores", "marker"):
        if getattr(effect, name) is not None:
            value[name] = getattr(effect, name)
    if effect.options:
        value["options"] = [effects_to_json(option) for option in effect.options]
    if effect.text is not None:
        value["text"] = effect.text
    if effect.condition is not None:
        value["if"] = effect.condition
    if effect.optional:
        value["optional"] = True
    return value


def effects_to_json(effects: Collection[Effect]) -> list[dict[str, Any]]:
    return [effect_to_json(effect) for effect in effects]


def _attack_to_json(attack: Attack) -> dict[str, Any]:
    value: dict[str, Any] = {"effects": effects_to_json(attack.effects)}
    if attack.kicker is None:
        value["kicker"] = "none"
    elif attack.kicker != Kicker():
        value["kicker"] = {"when": attack.kicker.when, "effects": effects_to_json(attack.kicker.effects)}
    if attack.source is not None:
        value["source"] = attack.source
    return value


def board_to_json(board: Board) -> dict[str, Any]:
    """What `board_from_json` reads back as an equal board."""
    value: dict[str, Any] = {"name": board.name}
    if board.edition is not None:
        value["edition"] = board.edition
    said = {name: board.attacks[name] for name in ATTACKS if board.attacks[name] != UNKNOWN_ATTACK}
    value["attacks"] = {name: _attack_to_json(attack) for name, attack in said.items()}
    if board.start:
        value["start"] = effects_to_json(board.start)
    if board.end:
        value["end"] = effects_to_json(board.end)
    if board.remarks:
        value["remarks"] = list(board.remarks)
    return value


# --- from JSON: every refusal is a BoardError ------------------------------------------------------------------------

Check = Callable[[str, Any], Any]

_COUNTED: Final = re.compile(r"X([+-][1-9][0-9]?)?")


def _show(value: Any) -> str:
    try:
        text = reprlib.repr(value)
    except ValueError:  # Python writes no whole number of thousands of digits
        return "a very long number"
    return text if len(text) <= 60 else f"{text[:57]}…"


def _needs(path: str, value: Any, what: str) -> BoardError:
    return BoardError(f"{path} is {_show(value)}, where {what} is needed")


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _object(path: str, value: Any, known: Collection[str]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _needs(path or "the board", value, "a table")
    for name in value:
        if name not in known:
            shown = name if isinstance(name, str) and name.isidentifier() and len(name) <= 40 else _show(name)
            raise BoardError(f"{_join(path, shown)} is not a known key: known are {', '.join(known)}")
    return value


def _list(path: str, value: Any, least: int, most: int, of: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise _needs(path, value, f"a list of {of}")
    if not least <= len(value) <= most:
        raise BoardError(f"{path} holds {len(value)}, where {least} to {most} {of} are needed")
    return list(value)


def _words(longest: int, what: str) -> Check:
    def check(path: str, value: Any) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= longest or not value.isprintable():
            raise _needs(path, value, f"{what} (1 to {longest} printable letters in one line)")
        if value != value.strip():
            raise _needs(path, value, f"{what} without a space at its beginning or end")
        return value

    return check


def _one_of(choices: Collection[Any], what: str) -> Check:
    def check(path: str, value: Any) -> Any:
        # True is 1 to Python, and "RY" is in "RYB"
        if not any(type(value) is type(choice) and value == choice for choice in tuple(choices)):
            raise _needs(path, value, what)
        return value

    return check


_a_name = _words(LONGEST_NAME, "a name")
_a_text = _words(LONGEST_TEXT, "a text")
_a_fan = _one_of(COLOURS, "R, Y or B")
_a_payer = _one_of(PAYERS, " or ".join(PAYERS))
_a_flag = _one_of((True, False), "true or false")


def _amount(path: str, value: Any, words: Mapping[str, Any]) -> Amount:
    fixed = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST
    counted = _COUNTED.fullmatch(value) if isinstance(value, str) else None
    if not fixed and counted is None:
        raise _needs(path, value, f'a whole number from 1 to {MOST}, or "X", "X-1", "X+2"')
    beside = f"{path.rpartition('.')[0]}.x" if "." in path else "x"
    if counted is None:
        if "x" in words:
            raise BoardError(f"{beside} says what X counts, but {path} is {value}")
        return Amount(value)
    if "x" not in words:
        raise BoardError(f"{beside} is missing: {path} is {value}, so it must say in words what X counts")
    return Amount(None, _a_text(beside, words["x"]), int(counted[1] or 0))


def _options(path: str, value: Any) -> tuple[tuple[Effect, ...], ...]:
    options = _list(path, value, 2, MOST_OPTIONS, "lists of effects")
    return tuple(_effects(f"{path}[{i}]", option, inside=True) for i, option in enumerate(options))


FIELDS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "deal": (("amount",), ()),
    "deal_all": (("amount",), ()),
    "take": (("amount",), ()),
    "take_all": (("amount",), ()),
    "heal": (("amount",), ()),
    "fan": (("fan",), ()),
    "any_fan": ((), ()),
    "destroy": (("amount",), ()),
    "pay": ((), ("amount", "who", "restores")),
    "skip": ((), ()),
    "marker": (("marker",), ()),
    "no_destroy": ((), ()),
    "deny": ((), ()),
    "note": (("text",), ()),
    "either": (("options",), ()),
    "unknown": ((), ()),
}
"""`do` → the fields that it needs, and those that it may have. `text`, `if` and `optional` may stand with each."""

ALWAYS: Final = ("text", "if", "optional")


def effect_from_json(path: str, value: Any, inside: bool = False) -> Effect:
    """`inside`: as a part of an `either`, which cannot hold another one. Raises BoardError."""
    if not isinstance(value, Mapping):
        raise _needs(path, value, "an effect, such as { do = 'deal', amount = 2 },")
    if "do" not in value:
        raise BoardError(f"{_join(path, 'do')} is missing: one of {', '.join(FIELDS)}")
    do = value["do"]
    if not isinstance(do, str) or do not in FIELDS:
        raise _needs(_join(path, "do"), do, f"one of {', '.join(FIELDS)}")
    if inside and do == "either":
        raise BoardError(f"{_join(path, 'do')} is 'either', which cannot stand inside of another 'either'")
    needed, may = FIELDS[do]
    counts = ("x",) if "amount" in (*needed, *may) else ()
    _object(path, value, tuple(dict.fromkeys(("do", *needed, *may, *counts, *ALWAYS))))
    for name in needed:
        if name not in value:
            raise BoardError(f"{_join(path, name)} is missing: {do!r} needs it")

    def read(name: str, check: Check, default: Any = None) -> Any:
        return check(_join(path, name), value[name]) if name in value else default

    amount = read("amount", lambda where, given: _amount(where, given, value))
    if amount is None and "x" in value:
        raise BoardError(f"{_join(path, 'x')} says what X counts, but there is no amount")
    effect = Effect(
        do,
        amount=amount,
        fan=read("fan", _a_fan),
        who=read("who", _a_payer),
        restores=read("restores", _a_flag),
        marker=read("marker", _a_name),
        options=read("options", _options, ()),
        text=read("text", _a_text),
        condition=read("if", _a_text),
        optional=read("optional", _a_flag, False),
    )
    if do == "pay":
        return replace(effect, amount=amount or Amount(1), who=effect.who or "opponent")
    return effect


def _effects(path: str, value: Any, inside: bool = False) -> tuple[Effect, ...]:
    effects = _list(path, value, 1, MOST_EFFECTS, "effects")
    return tuple(effect_from_json(f"{path}[{i}]", effect, inside) for i, effect in enumerate(effects))


def _kicker(path: str, value: Any) -> Kicker | None:
    if isinstance(value, str) and value == "none":
        return None
    if not isinstance(value, Mapping):
        raise _needs(path, value, "a table, or 'none',")
    fields = _object(path, value, ("when", "effects"))
    when = _one_of(WHEN, ", ".join(WHEN))(_join(path, "when"), fields["when"]) if "when" in fields else "unknown"
    effects = _effects(_join(path, "effects"), fields["effects"]) if "effects" in fields else (UNKNOWN,)
    return Kicker(when, effects)


def _attack(path: str, value: Any) -> Attack:
    fields = _object(path, value, ("effects", "kicker", "source"))
    return Attack(
        _effects(_join(path, "effects"), fields["effects"]) if "effects" in fields else (UNKNOWN,),
        _kicker(_join(path, "kicker"), fields["kicker"]) if "kicker" in fields else Kicker(),
        _a_text(_join(path, "source"), fields["source"]) if "source" in fields else None,
    )


def board_from_json(path: str, value: Any) -> Board:
    """The board of a JSON or TOML object that stands at `path` ("" = alone). Raises BoardError."""
    fields = _object(path, value, ("name", "edition", "attacks", "start", "end", "remarks"))

    def read(name: str, check: Check, default: Any) -> Any:
        return check(_join(path, name), fields[name]) if name in fields else default

    if "name" not in fields:
        raise BoardError(f"{_join(path, 'name')} is missing")
    said = read("attacks", lambda where, given: _object(where, given, ATTACKS), {})
    return Board(
        _a_name(_join(path, "name"), fields["name"]),
        read("edition", _a_name, None),
        {
            name: _attack(f"{_join(path, 'attacks')}.{name}", said[name]) if name in said else UNKNOWN_ATTACK
            for name in ATTACKS
        },
        read("start", _effects, ()),
        read("end", _effects, ()),
        tuple(
            _a_text(f"{_join(path, 'remarks')}[{i}]", remark) for i, remark in enumerate(read("remarks", _remarks, ()))
        ),
    )


def _remarks(path: str, value: Any) -> list[Any]:
    return _list(path, value, 0, MOST_REMARKS, "texts")
