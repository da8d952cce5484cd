"""The form of effects: what a card, cost or passive does, one tool a line, as plain JSON `{"do": TOOL, ...}`.

Within a line of a card or passive a zone may be `target` (where the card's chain token lies) or `here` (where the
passive was set off), a direction `chosen` (that of the token), a unit `it` (which set the passive off).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.rules import form as f
from companion.rules.react.artists import Effect
from companion.rules.react.field import DIAGONALS, DIRECTIONS, read_zone
from companion.rules.react.state import CARDS, SLOTS, SPACES

LONGEST: Final = 60
MOST_LINES: Final = 20
ZONE_WORDS: Final = ("target", "here")
CHOSEN: Final = "chosen"
IT: Final = "it"

_KIND: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_UNIT: Final = re.compile(rf"[AB](?:\.{_KIND.pattern}[0-9]{{1,2}})?")


def a_zone(path: str, value: Any) -> str:
    """`x,y`, or `[x, y]`; whether it lies on the board is for the rules."""
    zone = None
    if isinstance(value, str):
        zone = read_zone(value)
    elif isinstance(value, list | tuple) and len(value) == 2 and all(type(part) is int for part in value):
        zone = read_zone(f"{value[0]},{value[1]}") if all(abs(part) < 100 for part in value) else None
    if zone is None:
        raise f.bad_value(f'{path} is {f.show(value)} where a zone such as "2,3" (column, row) is needed.')
    return zone


def a_zone_or_word(path: str, value: Any) -> str:
    return str(value) if isinstance(value, str) and value in ZONE_WORDS else a_zone(path, value)


def zones(path: str, value: Any) -> list[str]:
    """A zone, or a list of zones that differ."""
    if not isinstance(value, list | tuple) or (value and type(value[0]) is int):
        return [a_zone_or_word(path, value)]
    return _distinct(path, [a_zone_or_word(path, zone) for zone in value], "zone")


def a_direction(path: str, value: Any) -> str:
    known = (*DIRECTIONS, CHOSEN)
    if not isinstance(value, str) or value not in known:
        if isinstance(value, str) and value in DIAGONALS:
            raise f.bad_value(f"{path} is {value}: there are no diagonals, only {', '.join(DIRECTIONS)}.")
        raise f.bad_value(f"{path} is {f.show(value)} where {', '.join(DIRECTIONS)} or {CHOSEN} is needed.")
    return value


def a_kind(path: str, value: Any) -> str:
    """The name of a kind of token, tile or summon: no digit, so that numbers can follow it."""
    if not isinstance(value, str) or len(value) > 20 or not _KIND.fullmatch(value):
        raise f.bad_value(f"{path} is {f.show(value)} where a name of letters and hyphens is needed.")
    return value


def a_unit(path: str, value: Any) -> str:
    if not isinstance(value, str) or (value != IT and not _UNIT.fullmatch(value)):
        raise f.bad_value(f"{path} is {f.show(value)} where a unit is needed: A, B, or a summon such as A.fish1.")
    return value


def units(path: str, value: Any) -> list[str]:
    if isinstance(value, str):
        return [a_unit(path, value)]
    return _distinct(path, [a_unit(path, unit) for unit in f.a_list(path, value)], "unit")


def _two_units(path: str, value: Any) -> list[str]:
    named = _distinct(path, [a_unit(path, unit) for unit in f.a_list(path, value)], "unit")
    if len(named) != 2:
        raise f.bad_value(f"{path} names {len(named)} units where two are swapped.")
    return named


def _distinct(path: str, named: list[str], what: str) -> list[str]:
    if not named:
        raise f.bad_value(f"{path} names no {what}.")
    for one in named:
        if named.count(one) > 1:
            raise f.bad_value(f"{path} names {one} more than once.")
    return named


def true(path: str, value: Any) -> bool:
    if value is not True:
        raise f.bad_value(f"{path} is {f.show(value)} where true is needed.")
    return True


a_card = f.a_number(CARDS[0], CARDS[-1])
a_space = f.a_number(1, SPACES)
a_slot = f.a_number(1, SLOTS)
a_count = f.a_number(1, f.MOST)
words = f.a_text(LONGEST)


def two_spaces(path: str, value: Any) -> list[int]:
    named = [a_space(path, space) for space in f.a_list(path, value)]
    if len(named) != 2 or named[0] == named[1]:
        raise f.bad_value(f"{path} is {f.show(value)} where two different spaces are needed.")
    return named


Reader = Callable[[f.Fields], dict[str, Any]]


def _fields(**checks: f.Check) -> Reader:
    """All of these; a name that ends in `_` may be left out."""

    def read(o: f.Fields) -> dict[str, Any]:
        told = {}
        for name, check in checks.items():
            if not name.endswith("_"):
                told[name] = o.need(name, check)
            elif o.has(name.removesuffix("_")):
                told[name.removesuffix("_")] = o.need(name.removesuffix("_"), check)
        return told

    return read


def _one_of(o: f.Fields, *names: str) -> str:
    """Which of the fields is told: exactly one must be."""
    told = [name for name in names if o.has(name)]
    if len(told) != 1:
        raise f.bad_command(f"{o.path} needs one of the fields {', '.join(names)}.")
    return told[0]


def _move(o: f.Fields) -> dict[str, Any]:
    where = _one_of(o, "direction", "to")
    check = a_direction if where == "direction" else a_zone_or_word
    return {"unit": o.need("unit", a_unit), where: o.need(where, check)}


def _damage(o: f.Fields) -> dict[str, Any]:
    told = _fields(player_=f.a_player, zones_=zones, units_=units, amount_=a_count)(o)
    if "zones" not in told and "units" not in told:
        raise f.bad_command(f"{o.path} needs zones or units.")
    return {"amount": 1, **told}


def _token(o: f.Fields) -> dict[str, Any]:
    where = _one_of(o, "zone", "unit")
    told = {
        "player": o.need("player", f.a_player),
        "kind": o.need("kind", a_kind),
        where: o.need(where, a_zone_or_word if where == "zone" else a_unit),
        "count": o.may("count", a_count, 1),
    }
    return _goes(o, told)


def _tile(o: f.Fields) -> dict[str, Any]:
    told = {name: o.need(name, check) for name, check in _TILE.items()}
    return _goes(o, told)


def _block(o: f.Fields) -> dict[str, Any]:
    told = _fields(player=f.a_player, zone=a_zone_or_word, stays_=f.a_flag)(o)
    return {**told, "remove": o.need("remove", true)} if o.has("remove") else told


def _goes(o: f.Fields, told: dict[str, Any]) -> dict[str, Any]:
    """Moved to another zone, or removed; without either it is placed."""
    if o.has("to") or o.has("remove"):
        how = _one_of(o, "to", "remove")
        told[how] = o.need(how, a_zone_or_word if how == "to" else true)
    return told


def progress(o: f.Fields) -> dict[str, Any]:
    player = o.need("player", f.a_player)
    how = _one_of(o, "place", "replace", "swap", "skip")
    if how in ("place", "replace"):
        return {"player": player, how: o.need(how, a_card), "space": o.need("space", a_space)}
    return {"player": player, how: o.need(how, two_spaces if how == "swap" else true)}


def _aim(o: f.Fields) -> dict[str, Any]:
    return _fields(zone=a_zone_or_word, slot_=a_slot)(o)


def _turn_token(o: f.Fields) -> dict[str, Any]:
    return _fields(direction=a_direction, slot_=a_slot)(o)


_TILE: Final[Mapping[str, f.Check]] = {"player": f.a_player, "kind": a_kind, "zone": a_zone_or_word}
_cards: Final = _fields(player=f.a_player, cards_=a_count)

TOOLS: Final[Mapping[str, Reader]] = {
    "move": _move,
    "jump": _fields(unit=a_unit, direction=a_direction),
    "swap": _fields(units=_two_units),
    "summon": _fields(player=f.a_player, kind=a_kind, zone=a_zone_or_word),
    "remove": _fields(unit=a_unit),
    "damage": _damage,
    "block": _block,
    "token": _token,
    "tile": _tile,
    "exhaust": _fields(unit=a_unit),
    "refresh": _fields(unit=a_unit),
    "draw": _cards,
    "discard": _cards,
    "progress": progress,
    "rearrange": _fields(player=f.a_player, swap=two_spaces),
    "ascend": _fields(player=f.a_player),
    "descend": _fields(player=f.a_player),
    "target": _aim,
    "direction": _turn_token,
    "lose": _fields(player=f.a_player),
    "other": _fields(text=words),
}


def tool(name: str, o: f.Fields) -> Effect:
    """The effect of that tool, with what was left out where it has a default."""
    return {"do": name, **TOOLS[name](o)}


def effect(path: str, value: Any) -> Effect:
    """One line of a card, cost or passive."""
    o = f.an_object(path, value)
    name = o.need("do", f.one_of(TOOLS, f"one of {', '.join(TOOLS)}"))
    told = tool(name, o)
    o.close()
    return told


def effects(path: str, value: Any) -> tuple[Effect, ...]:
    lines = f.a_list(path, value)
    if len(lines) > MOST_LINES:
        raise f.bad_value(f"{path} has {len(lines)} lines; {MOST_LINES} are the most.")
    return tuple(effect(f"{path}[{number}]", line) for number, line in enumerate(lines))
