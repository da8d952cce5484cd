"""The set-up of a match as it comes in (DESIGN §7; rulebook: Set Up)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.rules.rematch import form as f
from companion.rules.rematch.fighters import Board, BoardError, board_from_json
from companion.rules.rematch.state import CREDITS, FULL_HP, REPAIR_HP, STAGE, Dial
from companion.rules.rematch.switches import CHOICES, Rules
from companion.rules.rematch.tray import COLOURS, PLAYERS, Tray

LONGEST_NAME: Final = 60


@dataclass(frozen=True, slots=True)
class Setup:
    """`boards`: of the players whose board is told; None: told that there is none, whatever the fighter's name."""

    first: str
    tray: Tray
    dials: Mapping[str, Mapping[str, Dial]]
    credits: Mapping[str, int]
    fans: Mapping[str, str]
    fighters: Mapping[str, str | None]
    boards: Mapping[str, Board | None]
    rules: Rules


def read_setup(fields: f.Fields) -> Setup:
    first = fields.need("first", f.a_player)
    tray = fields.need("tray", f.a_tray)
    rules = fields.may("rules", a_rule_set, Rules())
    players = fields.may("players", f.an_object, f.Fields("setup: players", {}))
    dials: dict[str, dict[str, Dial]] = {}
    credits: dict[str, int] = {}
    fighters: dict[str, str | None] = {}
    boards: dict[str, Board | None] = {}
    fans = dict.fromkeys(COLOURS, STAGE)
    for player in PLAYERS:
        side = players.may(player, f.an_object, f.Fields("", {}))
        dials[player] = side.may("buttons", _dials, dict.fromkeys(COLOURS, Dial()))
        credits[player] = side.may("credits", f.an_amount, CREDITS)
        if side.has("board"):
            boards[player] = side.need("board", _board)
        fighters[player] = side.may("fighter", _fighter, None if (own := boards.get(player)) is None else own.name)
        for fan in side.may("fans", _fans, ()):
            if fans[fan] != STAGE:
                raise f.bad_value(f"{side.path}: fan {fan} is named more than once.")
            fans[fan] = player
        side.close()
    players.close()
    return Setup(first, tray, dials, credits, fans, fighters, boards, rules)


def a_rule_set(path: str, value: Any) -> Rules:
    fields = f.an_object(path, value)
    chosen = chosen_rules(fields)
    fields.close()
    return Rules(**chosen)


def chosen_rules(fields: f.Fields) -> dict[str, Any]:
    """The switches among the fields, with their values."""
    return f.chosen(fields, CHOICES)


def _dials(path: str, value: Any) -> dict[str, Dial]:
    fields = f.an_object(path, value)
    dials = {colour: fields.may(colour, _dial, Dial()) for colour in COLOURS}
    fields.close()
    return dials


def _dial(path: str, value: Any) -> Dial:
    fields = f.an_object(path, value)
    dial = Dial(fields.may("hp", f.an_hp, FULL_HP), fields.may("broken", f.a_flag, False))
    fields.close()
    if dial.broken and dial.hp >= REPAIR_HP:
        raise f.bad_value(f"{path}: a broken dial holds 1 to {REPAIR_HP - 1} HP, not {dial.hp}.")
    return dial


def _fans(path: str, value: Any) -> tuple[str, ...]:
    return tuple(f.a_button(path, fan) for fan in f.a_list(path, value))


def _fighter(path: str, value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_NAME or not value.isprintable():
        raise f.bad_value(f"{path} is {f.show(value)} where a name of up to {LONGEST_NAME} letters is needed.")
    return value


def _board(path: str, value: Any) -> Board | None:
    """A fighter's attack board, whose own paths go on from here."""
    if value is None:
        return None
    try:
        return board_from_json(path, value)
    except BoardError as error:
        raise f.bad_value(f"{error}.") from None
