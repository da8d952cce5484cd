"""The commands `marker` and `rules` as they come in (docs/decisions/rules-core.md, Markers; DESIGN §9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.rules.rematch import form as f
from companion.rules.rematch.markers import PLACES, TOUCHES, Marker, make
from companion.rules.rematch.setup_form import LONGEST_NAME, chosen_rules

MOST_TURNS: Final = 99


@dataclass(frozen=True, slots=True)
class AddMarker:
    """`marker`: with id 0, it is numbered when it is laid."""

    marker: Marker


@dataclass(frozen=True, slots=True)
class RemoveMarker:
    id: int


@dataclass(frozen=True, slots=True)
class ChangeRules:
    """The switches that change, with their new values."""

    switches: Mapping[str, Any]


def read_marker(fields: f.Fields) -> AddMarker | RemoveMarker:
    if fields.has("remove"):
        return RemoveMarker(fields.need("remove", _an_id))
    owner = fields.need("player", f.a_player)
    name = fields.need("name", _a_name)
    place = fields.need("place", f.one_of(PLACES, "row1 to row5, a cell, R, Y, B, player A or player B"))
    said = {
        "reacts": fields.may("reacts", _touches),
        "blocks": fields.may("blocks", f.a_flag),
        "turns": fields.may("turns", _turns),
        "forces": fields.may("forces", f.a_flag),
        "once": fields.may("once", f.a_flag),
    }
    try:
        return AddMarker(make(0, name, owner, place, **said))
    except ValueError as error:
        raise f.bad_value(f"marker: {error}.") from None


def read_rules(fields: f.Fields) -> ChangeRules:
    if not fields.values:
        raise f.bad_command("rules names no switch to change.")
    return ChangeRules(chosen_rules(fields))


def _an_id(path: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise f.bad_value(f"{path} is {f.show(value)} where the id of a marker is needed.")
    return value


def _a_name(path: str, value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_NAME or not value.isprintable():
        raise f.bad_value(f"{path} is {f.show(value)} where a name of up to {LONGEST_NAME} letters is needed.")
    return value


def _turns(path: str, value: Any) -> int | None:
    return None if value is None else int(f.a_number(1, MOST_TURNS)(path, value))


def _touches(path: str, value: Any) -> tuple[str, ...]:
    touch = f.one_of(TOUCHES, "clear, destroy or attack")
    named = tuple(touch(path, item) for item in f.a_list(path, value))
    if len(set(named)) < len(named):
        raise f.bad_value(f"{path} names the same thing more than once.")
    return named
