"""Every open point of the rulebook, AMB-1 to AMB-27 (DESIGN §9, docs/decisions/rules-core.md): the printed reading, and
the switch where there is one. A row fails when its switch does nothing.

Points without a switch have one row: what the companion then does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.rules.rematch.chains import judge, moves
from companion.rules.rematch.switches import CHOICES, Rules
from companion.rules.rematch.tray import Tray
from tests.companion.rules.cases import TRAY, Match, match, side

BRIDGE = "RBRYY/YYBYY/BRYRB"
"""Blue in a2 and b3 lies between Red marbles of player A."""


def hit(*targets: str, source: str = "A") -> dict[str, Any]:
    """`BR3` = 3 damage to B's red dial, all at once."""
    hits = [{"player": t[0], "button": t[1], "amount": int(t[2:])} for t in targets]
    return {"source": source, "hits": hits}


def resolving(**rest: Any) -> Match:
    return match(**rest).ok("clear", player="A", cells=["a1"], refill={"a": "Y"})


def outcome(game: Match) -> Any:
    return "accepted" if game.reply["ok"] else game.reply["error"]["code"]


def tried(game: Match, do: str, **fields: Any) -> Any:
    return outcome(game.do({"do": do, **fields}))


# --- what is looked at: each is given the rules of a row and says what came of it ------------------------------------


def forced_credit(**rules: Any) -> Any:
    game = match(b=side("5 5 5", 3), **rules).ok("pay", player="B", credits=1)
    return game.dials("B"), game.credits("B")


def forced_credit_with_none_left(**rules: Any) -> Any:
    return match(b=side(credits=0), **rules).ok("pay", player="B", credits=1).json["over"]


def third_break(**rules: Any) -> Any:
    return match(b=side("3! 4! 1"), **rules).ok("hit", **hit("BB1")).credits("B")


def two_flips(**rules: Any) -> Any:
    game = match(a=side("10 4! 4!"), **rules).ok("flip", player="A", button="Y")
    return tried(game, "flip", player="A", button="B")


def fan_of_a_start_effect(**rules: Any) -> Any:
    game = match(**rules).ok("fan", player="A", fan="R").ok("clear", player="A", cells=["a1"])
    return game.json["last_clear"]["kicker"]


def with_board(attack: dict[str, Any], a: dict[str, Any], b: dict[str, Any], **rules: Any) -> Match:
    """A, whose Red-1 is `attack`, has the red fan and has made it."""
    board = {"name": "Tester", "edition": "2.5", "attacks": {"R1": attack}}
    players = {"A": {**a, "fans": ["R"], "board": board}, "B": b}
    game = Match().ok("setup", first="A", tray=TRAY, players=players, rules=rules)
    return game.ok("clear", player="A", cells=["a1"])


def kicker_by_itself(**rules: Any) -> Any:
    attack = {"effects": [{"do": "skip"}], "kicker": {"when": "after", "effects": [{"do": "fan", "fan": "B"}]}}
    game = with_board(attack, side(), side(), **rules)
    asked = [item["choice"]["kind"] for item in game.json["due"]]
    for item in game.json["due"]:
        game.ok("resolve", item=item["id"], yes=False)
    return asked, game.json["players"]["A"]["fans"]


def self_in_the_attack_then_the_foe_in_the_kicker(**rules: Any) -> Any:
    kicker = {"when": "after", "effects": [{"do": "deal_all", "amount": 1}]}
    attack = {"effects": [{"do": "take_all", "amount": 1}], "kicker": kicker}
    game = with_board(attack, side("1 5 5", 0), side("1 5 5", 0), **rules)
    return game.json["over"]["winner"]


def destroy_none(**rules: Any) -> Any:
    return resolving(**rules).ok("destroy", player="A", cells=[]).reply["events"]


def bridge_in_the_other_players_lane(**rules: Any) -> Any:
    tray = "YYYYY/RYRYY/BBBRR"
    return tried(match(tray, a=side("10 10 4!"), **rules), "clear", player="A", cells=["b1", "c1", "c2", "c3", "b3"])


def detour(**rules: Any) -> Any:
    game = match("RBRYY/BBBYY/YYYRR", a=side("10 10 1!"), **rules)
    code = tried(game, "clear", player="A", cells=["a1", "b1", "b2", "b3", "a3"])
    return code, game.dials("A")


def one_marble_with_a_bridge(**rules: Any) -> Any:
    game = match(BRIDGE, a=side("10 10 4!"), **rules)
    error = game.refused("clear", player="A", cells=["a1", "a2"])
    return [reason["code"] for reason in error["reasons"]]


def heal_beyond_ten(**rules: Any) -> Any:
    game = match(a=side("9 5 5"), **rules).ok("heal", player="A", button="R", amount=4)
    return game.dials("A")


def two_lines_that_break(**rules: Any) -> Any:
    game = resolving(b=side("2 1 9"), **rules).ok("hit", **hit("BR2")).ok("hit", **hit("BY1"))
    game.ok("end_turn", player="A")
    return game.dials("B"), game.credits("B")


def self_first_then_the_foe(**rules: Any) -> Any:
    game = resolving(a=side("1 5 5", 0), b=side("1 5 5", 0), **rules).ok("hit", **hit("AR1"))
    if game.json["over"] is None:
        game.ok("hit", **hit("BR1"))
    return game.json["over"]["winner"]


def marbles_beside_the_tray(**rules: Any) -> Any:
    return resolving(**rules).json["aside"]["R"]


def newcomer_in_the_chain(**rules: Any) -> Any:
    return tried(match("RYBRY/YBRBY/BRYBR", **rules), "clear", player="A", cells=["a4", "a4"])


def frozen_by_hand(**rules: Any) -> Any:
    game = match(**rules).ok("marker", player="B", name="frozen", place="row1", blocks=True)
    blocked = tried(game, "clear", player="A", cells=["a1"])
    return blocked, tried(game.ok("marker", remove=1), "clear", player="A", cells=["a1"])


def flip_after_start_effects(**rules: Any) -> Any:
    game = match("YBYBY/BYBYB/RRYBR", a=side("10 4! 4!"), **rules).ok("heal", player="A", button="R", amount=1)
    owed = tried(game, "end_turn", player="A")
    return owed, tried(game, "flip", player="A", button="B")


def flip_of_ones_choice(**rules: Any) -> Any:
    game = match("YBYBY/BYBYB/RRYBR", a=side("4! 4! 4!"), **rules)
    named = game.refused("end_turn", player="A")["text"]
    return "Yellow or Blue" in named, "Red" in named


def heal_a_broken_dial(**rules: Any) -> Any:
    return match(a=side("4! 5 5"), **rules).ok("heal", player="A", button="R", amount=2).dials("A")


def fan_one_has(**rules: Any) -> Any:
    game = match(a=side(fans="R"), **rules).ok("begin").ok("fan", player="A", fan="R")
    return game.reply["events"], game.json["players"]["A"]["fans"]


def restore_of_dials_broken_before(**rules: Any) -> Any:
    return match(b=side("4! 1 5"), **rules).ok("hit", **hit("BY1")).dials("B")


def skipped_turn(**rules: Any) -> Any:
    game = resolving(**rules).ok("skip_next", player="B").ok("end_turn", player="A")
    return game.json["turn"], game.json["turn_number"]


def no_damage(**rules: Any) -> Any:
    game = match(b=side("5 5 5"), **rules).ok("begin").ok("hit", **hit("BR0"))
    return game.reply["events"], tried(game, "hit", **hit("BR-1"))


def gaps_in_the_tray(**rules: Any) -> Any:
    game = match("R.RYY/.BRBY/BRYBR", **rules)
    return tried(game, "clear", player="A", cells=["a1", "a3"]), tried(game, "clear", player="A", cells=["a1"])


def first_break(**rules: Any) -> Any:
    return match(b=side("1 5 5"), **rules).ok("hit", **hit("BR1")).dials("B")


A_WINS = {"winner": "A", "reason": "cannot_pay"}

ROWS: list[tuple[str, Callable[..., Any], dict[str, Any], Any]] = [
    ("AMB-1", forced_credit, {}, ("5 5 5", 2)),
    ("AMB-1", forced_credit, {"forced_credit_heals": True}, ("6 6 6", 2)),
    ("AMB-2", forced_credit_with_none_left, {}, A_WINS),
    ("AMB-2", forced_credit_with_none_left, {"forced_credit_unpaid": "ignored"}, None),
    ("AMB-3", third_break, {}, 2),
    ("AMB-3", third_break, {"third_break_price": 3}, 1),
    ("AMB-4", two_flips, {}, "accepted"),
    ("AMB-4", two_flips, {"flips_per_turn": 1}, "too_many"),
    ("AMB-5", fan_of_a_start_effect, {}, False),
    ("AMB-5", fan_of_a_start_effect, {"fan_snapshot": "after_start_effects"}, True),
    ("AMB-6", kicker_by_itself, {}, ([], ["R", "B"])),
    ("AMB-6", kicker_by_itself, {"kicker": "optional"}, (["yes_no"], ["R"])),
    ("AMB-7", destroy_none, {}, []),
    ("AMB-8", bridge_in_the_other_players_lane, {}, "illegal_clear"),
    ("AMB-9", detour, {}, ("accepted", "10 10 7!")),
    ("AMB-9", detour, {"detours": False}, ("illegal_clear", "10 10 1!")),
    ("AMB-10", one_marble_with_a_bridge, {}, ["ends_on_short_circuit"]),
    ("AMB-11", heal_beyond_ten, {}, "10 5 5"),
    ("AMB-12", two_lines_that_break, {}, ("1! 1 10", 3)),
    ("AMB-12", two_lines_that_break, {"breaks_settle": "attack_end"}, ("3! 3! 10", 1)),
    ("AMB-13", self_first_then_the_foe, {}, "A"),
    ("AMB-13", self_first_then_the_foe, {"both_lose": "first_loses"}, "B"),
    ("AMB-14", self_in_the_attack_then_the_foe_in_the_kicker, {}, "A"),
    ("AMB-15", marbles_beside_the_tray, {}, 1),
    ("AMB-15", marbles_beside_the_tray, {"marbles_return": "at_once"}, 0),
    ("AMB-16", newcomer_in_the_chain, {}, "illegal_clear"),
    ("AMB-17", frozen_by_hand, {}, ("illegal_clear", "accepted")),
    ("AMB-18", flip_after_start_effects, {}, ("must_flip", "accepted")),
    ("AMB-19", flip_of_ones_choice, {}, (True, False)),
    ("AMB-20", heal_a_broken_dial, {}, "6! 5 5"),
    ("AMB-21", fan_one_has, {}, ([], ["R"])),
    ("AMB-22", restore_of_dials_broken_before, {}, "6! 2! 7"),
    ("AMB-23", restore_of_dials_broken_before, {"edition": "1.5"}, "4! 1! 5"),
    ("AMB-24", skipped_turn, {}, ("A", 2)),
    ("AMB-25", no_damage, {}, ([], "bad_value")),
    ("AMB-26", gaps_in_the_tray, {}, ("illegal_clear", "accepted")),
    ("AMB-27", first_break, {}, "1! 6 6"),
    ("AMB-27", first_break, {"edition": "1.5"}, "1! 5 5"),
]


@pytest.mark.parametrize(("point", "look", "rules", "expected"), ROWS, ids=[f"{row[0]}-{row[2]}" for row in ROWS])
def test_open_point(point: str, look: Callable[..., Any], rules: dict[str, Any], expected: Any) -> None:
    assert look(**rules) == expected


def test_every_open_point_and_every_switch_has_a_row() -> None:
    assert {row[0] for row in ROWS} == {f"AMB-{number}" for number in range(1, 28)}
    switched = {name for row in ROWS for name, value in row[2].items() if value != getattr(Rules(), name)}
    # of twelve spare marbles no open point tells: test_turns.test_t46_more_marbles_than_there_are
    assert switched == set(CHOICES) - {"spare_marbles"}
    for point, look, rules, expected in ROWS:
        for other in ROWS:
            if other[:2] == (point, look) and other[2] != rules:
                assert other[3] != expected


def test_amb_9_and_the_moves_that_are_offered() -> None:
    tray = Tray.parse("RBRYY/BBBYY/YYYRR")
    long = ("a1", "a3", "b1", "b2", "b3")
    assert long in {clear.cells for clear in moves(tray, "A", "B")}
    assert long not in {clear.cells for clear in moves(tray, "A", "B", detours=False)}
    assert judge(tray, "A", long, "B").legal


def test_the_printed_reading_is_the_default() -> None:
    printed = {name: values[0] for name, values in CHOICES.items()} | {"edition": "2.5"}
    assert Match().ok("setup", first="A", tray=TRAY).json["rules"] == printed
