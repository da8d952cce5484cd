"""Commands as they come in (plain JSON, from anybody) and as frozen values (DESIGN §7).

Here only the form is checked: names, fields, types, ranges. Whether a command is allowed now is for `decide`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.rules.core import Rejection
from companion.rules.rematch import form as f
from companion.rules.rematch.fighters import MOST_OPTIONS
from companion.rules.rematch.marker_form import AddMarker, ChangeRules, RemoveMarker, read_marker, read_rules
from companion.rules.rematch.markers import PLACES as MARKER_PLACES
from companion.rules.rematch.setup_form import Setup, read_setup
from companion.rules.rematch.tray import Tray


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


@dataclass(frozen=True, slots=True)
class Resolve:
    """The item of the due list that happens now. `answers`: field → choice; `drop`: it did not happen."""

    item: int
    answers: Mapping[str, Any]
    drop: bool


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
    | Resolve
    | AddMarker
    | RemoveMarker
    | ChangeRules
)


def parse(raw: Mapping[str, Any]) -> Command | Rejection:
    """The command, or why it is none: bad_command, unknown_command, bad_value."""
    command: Command | Rejection = f.read(raw, _READERS)
    return command


def _hits(path: str, value: Any) -> tuple[OneHit, ...]:
    hits = []
    for number, item in enumerate(f.a_list(path, value)):
        fields = f.an_object(f"{path}[{number}]", item)
        hits.append(
            OneHit(
                fields.need("player", f.a_player), fields.need("button", f.a_button), fields.need("amount", f.an_amount)
            )
        )
        fields.close()
    if not hits:
        raise f.bad_value(f"{path} is empty.")
    for (player, button), times in Counter((hit.player, hit.button) for hit in hits).items():
        if times > 1:
            raise f.bad_value(f"{path} names dial {button} of player {player} more than once.")
    return tuple(hits)


def _clear(fields: f.Fields) -> ClearCells | ClearByTaps:
    player = fields.need("player", f.a_player)
    overrule = fields.may("overrule", f.a_flag, False)
    attack = (
        fields.need("attack", f.an_attack) if overrule or not fields.has("cells") else fields.may("attack", f.an_attack)
    )
    if not fields.has("cells"):
        if fields.has("refill"):
            raise f.bad_command("clear: the field refill goes with cells.")
        return ClearByTaps(player, attack, fields.may("shorts", f.shorts_of, {}), overrule)
    if fields.has("shorts"):
        raise f.bad_command("clear: the field shorts stands in place of cells, not beside them.")
    return ClearCells(
        player, fields.need("cells", f.some_cells), fields.may("refill", f.a_refill, {}), attack, overrule
    )


def _correct(fields: f.Fields) -> Correct:
    for name, partners in _TOGETHER.items():
        if fields.has(name):
            for group in partners:
                if not any(fields.has(partner) for partner in group):
                    raise f.bad_command(f"correct: the field {name} goes with {' or '.join(group)}.")
    found = {name: fields.need(name, check) for name, check in _CORRECTABLE.items() if fields.has(name)}
    if not found and not fields.values:
        raise f.bad_command("correct names nothing to correct.")
    return Correct(**found)


def _resolve(fields: f.Fields) -> Resolve:
    item = fields.need("item", f.a_number(1, MOST_ITEMS))
    answers = {name: fields.need(name, check) for name, check in _CHOICES.items() if fields.has(name)}
    drop = fields.may("drop", _true, False)
    if drop and answers:
        raise f.bad_command(f"resolve: drop stands alone, without {', '.join(answers)}.")
    if "refill" in answers and not answers.get("cells"):
        raise f.bad_command("resolve: the field refill goes with cells.")
    if not drop and not answers and not fields.values.keys() - {"item"}:
        raise f.bad_command(f"resolve needs a choice: {', '.join(name for name in _CHOICES)} or drop.")
    return Resolve(item, answers, drop)


def _true(path: str, value: Any) -> bool:
    if value is not True:
        raise f.bad_value(f"{path} is {f.show(value)} where true is needed.")
    return True


MOST_ITEMS: Final = 10**6
_CHOICES: Final[Mapping[str, f.Check]] = {
    "button": f.a_button,
    "fan": f.a_button,
    "cells": f.distinct_cells,
    "refill": f.a_refill,
    "amount": f.an_amount,
    "yes": f.a_flag,
    "option": f.a_number(0, MOST_OPTIONS - 1),
    "when": f.one_of(("before", "after"), "before or after"),
    "colour": f.a_button,
    "place": f.one_of(MARKER_PLACES, "a row, a cell, a colour or a player"),
    "done": _true,
}
_CORRECTABLE: Final[Mapping[str, f.Check]] = {
    "player": f.a_player,
    "button": f.a_button,
    "hp": f.an_hp,
    "broken": f.a_flag,
    "credits": f.an_amount,
    "fan": f.a_button,
    "place": f.a_place,
    "cell": f.a_cell,
    "colour": f.a_letter,
    "tray": f.a_tray,
    "turn": f.a_player,
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

_READERS: Final[Mapping[str, Callable[[f.Fields], Command]]] = {
    "setup": read_setup,
    "begin": lambda o: Begin(),
    "destroy": lambda o: Destroy(
        o.need("player", f.a_player), o.need("cells", f.distinct_cells), o.may("refill", f.a_refill, {})
    ),
    "flip": lambda o: Flip(o.need("player", f.a_player), o.need("button", f.a_button)),
    "declare": lambda o: Declare(o.need("player", f.a_player), o.need("attack", f.an_attack)),
    "clear": _clear,
    "hit": lambda o: Hit(o.need("source", f.a_player), o.need("hits", _hits)),
    "heal": lambda o: Heal(o.need("player", f.a_player), o.need("button", f.a_button), o.need("amount", f.an_amount)),
    "fan": lambda o: TakeFan(o.need("player", f.a_player), o.need("fan", f.a_button)),
    "pay": lambda o: Pay(o.need("player", f.a_player), o.need("credits", f.an_amount), o.may("restores", f.a_flag)),
    "skip_next": lambda o: SkipNext(o.need("player", f.a_player)),
    "end_turn": lambda o: EndTurn(o.need("player", f.a_player)),
    "concede": lambda o: Concede(o.need("player", f.a_player)),
    "correct": _correct,
    "resolve": _resolve,
    "marker": read_marker,
    "rules": read_rules,
}
