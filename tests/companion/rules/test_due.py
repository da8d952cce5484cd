"""Turn cases T01-T48 and S23-S34 that concern resolution, with boards made for the test (shared/rules/turns.md)."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.log import MemoryLog
from companion.rules.rematch.fighters import Board, board_to_json
from companion.rules.rematch.game import REMATCH
from companion.session import Session
from tests.companion.rules.boarding import BOARD
from tests.companion.rules.cases import TRAY, Match, side
from tests.companion.rules.commanding import check


def played(
    effects: list[dict[str, Any]],
    kicker: Any = "none",
    a: dict[str, Any] | None = None,
    b: dict[str, Any] | None = None,
    fans: str = "",
    attack: str = "R1",
    cells: tuple[str, ...] = ("a1",),
    tray: str = TRAY,
    more: dict[str, Any] | None = None,
    clear: bool = True,
    **rules: Any,
) -> Match:
    """A, whose `attack` is this, has made it."""
    board = {"name": "Tester", "attacks": {attack: {"effects": effects, "kicker": kicker}}, **(more or {})}
    players = {"A": {**(a or side()), "fans": list(fans), "board": board}, "B": b or side()}
    game = Match().ok("setup", first="A", tray=tray, players=players, rules=rules)
    return game.ok("clear", player="A", cells=list(cells)) if clear else game.ok("begin")


def due(game: Match) -> list[tuple[str, str, Any]]:
    return [(i["part"], i["effect"]["do"], i["choice"] and i["choice"]["kind"]) for i in game.json["due"]]


def answer(game: Match, **fields: Any) -> Match:
    return game.ok("resolve", item=game.json["due"][0]["id"], **fields)


def refused(game: Match, **fields: Any) -> dict[str, Any]:
    return game.refused("resolve", item=game.json["due"][0]["id"], **fields)


# --- after a correction ---


def test_a_correction_lets_nothing_happen_but_the_clear_does() -> None:
    start = {"start": [{"do": "fan", "fan": "B"}]}
    game = played([{"do": "deal", "amount": 1}], b={**side(), "board": {"name": "Other", **start}})
    game.ok("correct", turn="B")
    assert due(game) == [("start", "fan", "done")]
    assert game.json["players"]["B"]["fans"] == []
    game.ok("clear", player="B", cells=["c1"])
    assert game.json["players"]["B"]["fans"] == ["B"]


def test_an_item_without_a_choice_left_takes_the_only_one_or_done() -> None:
    for fields in ({"button": "B"}, {"done": True}):
        game = played([{"do": "deal", "amount": 2}], b=side("10 3! 10"))
        game.ok("correct", player="B", button="R", hp=4, broken=True)
        assert due(game) == [("attack", "deal", "done")]
        assert "no use for button" in refused(game, button="Y")["text"]
        answer(game, **fields)
        assert game.dials("B") == "4! 3! 8"


def test_no_other_turn_begins_while_a_player_could_not_pay() -> None:
    game = played([{"do": "pay", "who": "self"}], a=side(credits=0))
    assert game.json["players"]["A"]["cannot_pay"]
    assert "could not pay" in game.refused("correct", turn="B")["text"]


# --- forced choices ---


@pytest.mark.parametrize(
    ("effect", "a", "b", "fans"),
    [
        ({"do": "deal", "amount": 2}, side(), side("3! 3! 9"), ""),
        ({"do": "take", "amount": 2}, side("10 3! 3!"), side(), ""),
        ({"do": "deal_all", "amount": 2}, side(), side(), ""),
        ({"do": "take_all", "amount": 2}, side(), side(), ""),
        ({"do": "fan", "fan": "B"}, side(), side(), ""),
        ({"do": "any_fan"}, side(), side(), "RY"),
        ({"do": "pay"}, side(), side(), ""),
        ({"do": "skip"}, side(), side(), ""),
        ({"do": "no_destroy"}, side(), side(), ""),
        ({"do": "heal", "amount": 2}, side("10 5 10"), side(), ""),
    ],
)
def test_forced(effect: dict[str, Any], a: dict[str, Any], b: dict[str, Any], fans: str) -> None:
    game = played([effect], "none", a=a, b=b, fans=fans)
    assert game.json["due"] == []
    assert [e["by_itself"] for e in game.reply["events"] if e["type"] == "resolved"] == [True]


@pytest.mark.parametrize(
    ("effect", "a", "b", "fans"),
    [
        ({"do": "deal", "amount": 2}, side(), side("3! 3! 3!"), ""),
        ({"do": "deal_all", "amount": 2}, side(), side("3! 3! 3!"), ""),
        ({"do": "any_fan"}, side(), side(), "RYB"),
        ({"do": "fan", "fan": "R"}, side(), side(), "R"),
        ({"do": "heal", "amount": 2}, side(), side(), ""),
    ],
)
def test_nothing(effect: dict[str, Any], a: dict[str, Any], b: dict[str, Any], fans: str) -> None:
    game = played([effect], "none", a=a, b=b, fans=fans)
    assert game.json["due"] == []
    assert [e["type"] for e in game.reply["events"]] == ["begun", "cleared", "due_listed", "resolved"]


def test_real_choices() -> None:
    game = played([{"do": "deal", "amount": 3}], b=side("9 9 3!"))
    assert game.json["due"][0]["choice"] == {"kind": "dial", "player": "B", "options": ["R", "Y"]}
    error = refused(game, button="B")
    assert error["code"] == "bad_value"
    assert "R, Y" in error["text"]
    assert answer(game, button="Y").dials("B") == "9 6 3!"
    game = played([{"do": "take", "amount": 3}])
    assert game.json["due"][0]["choice"]["player"] == "A" == game.json["due"][0]["player"]
    game = played([{"do": "any_fan"}], fans="R")
    assert game.json["due"][0]["choice"]["options"] == ["Y", "B"]
    assert "R" not in answer(game, fan="B").json["stage_fans"]
    assert game.json["players"]["A"]["fans"] == ["R", "B"]


def test_top_to_bottom_and_only_the_first() -> None:
    game = played([{"do": "deal", "amount": 1}, {"do": "pay"}, {"do": "deal", "amount": 2}])
    assert [d[1] for d in due(game)] == ["deal", "pay", "deal"]
    last = game.json["due"][2]["id"]
    error = game.refused("resolve", item=last, button="R")
    assert error["code"] == "not_now"
    assert game.code("resolve", item=99, button="R") == "bad_value"
    answer(game, button="R")
    assert (game.credits("B"), len(game.json["due"])) == (3, 1)
    answer(game, button="R")
    assert (game.dials("B"), game.json["due"]) == ("7 10 10", [])
    assert game.code("resolve", item=last, button="R") == "not_now"


def test_breaks_settle_each_line() -> None:
    lines = [{"do": "deal_all", "amount": 1}, {"do": "deal_all", "amount": 1}]
    assert played(lines, b=side("1 2 9")).dials("B") == "1! 1 8"
    game = played(lines, b=side("1 2 9"), breaks_settle="attack_end")
    assert (game.credits("B"), game.json["players"]["B"]["owed"]) == (4, 3)


# --- kickers ---
K = [{"do": "fan", "fan": "B"}]


def test_t14_t17_t22() -> None:
    main = [{"do": "deal", "amount": 1}]
    assert due(played(main, {"when": "after", "effects": K}, fans="R")) == [
        ("attack", "deal", "dial"),
        ("kicker", "fan", None),
    ]
    assert due(played(main, {"when": "after", "effects": K}, fans="B")) == [("attack", "deal", "dial")]
    game = played(main, {"when": "before", "effects": [{"do": "heal", "amount": 1}]}, fans="R", a=side("5 5 5"))
    assert [d[0] for d in due(game)] == ["kicker", "attack"]


@pytest.mark.parametrize("when", ["either", "unknown"])
def test_t21(when: str) -> None:
    main = [{"do": "deal", "amount": 1}, {"do": "deal", "amount": 1}]
    kick = {"when": when, "effects": [{"do": "heal", "amount": 1}]}
    game = played(main, kick, fans="R", a=side("5 5 5"))
    assert due(game)[0] == ("kicker", "kicker", "when")
    answer(game, when="after")
    assert [d[0] for d in due(game)] == ["attack", "attack", "kicker"]
    game = answer(played(main, kick, fans="R", a=side("5 5 5")), when="before")
    assert [d[0] for d in due(game)] == ["kicker", "attack", "attack"]


@pytest.mark.parametrize("when", ["before", "after", "either", "unknown"])
def test_amb6(when: str) -> None:
    for yes in (True, False):
        board = {
            "name": "T",
            "attacks": {"R1": {"effects": [{"do": "deal", "amount": 1}], "kicker": {"when": when, "effects": K}}},
        }
        game = Match().ok(
            "setup",
            first="A",
            tray=TRAY,
            players={"A": {**side(), "fans": ["R"], "board": board}},
            rules={"kicker": "optional"},
        )
        game.ok("clear", player="A", cells=["a1"])
        while game.json["due"]:
            choice = game.json["due"][0]["choice"]
            kind = choice["kind"]
            answers: dict[str, dict[str, Any]]
            answers = {"yes_no": {"yes": yes}, "when": {"when": "after"}, "dial": {"button": "R"}}
            answer(game, **answers[kind])
        assert ("B" in game.json["players"]["A"]["fans"]) == yes


def test_t15_t16_t18() -> None:
    game = played([{"do": "fan", "fan": "R"}], {"when": "after", "effects": K})
    assert game.json["due"] == []
    assert game.json["players"]["A"]["fans"] == ["R"]
    # T16: B takes it after declare
    board = {"name": "T", "attacks": {"R1": {"effects": [{"do": "skip"}], "kicker": {"when": "after", "effects": K}}}}
    game = Match().ok("setup", first="A", tray=TRAY, players={"A": {**side(), "fans": ["R"], "board": board}})
    game.ok("declare", player="A", attack="R1").ok("fan", player="B", fan="R").ok("clear", player="A", cells=["a1"])
    assert "B" in game.json["players"]["A"]["fans"]


@pytest.mark.parametrize(("rule", "kicks"), [("turn_begins", False), ("after_start_effects", True)])
def test_t24_amb5(rule: str, kicks: bool) -> None:
    board = {
        "name": "T",
        "start": [{"do": "fan", "fan": "R"}],
        "attacks": {"R1": {"effects": [{"do": "skip"}], "kicker": {"when": "after", "effects": K}}},
    }
    game = Match().ok(
        "setup", first="A", tray=TRAY, players={"A": {**side(), "board": board}}, rules={"fan_snapshot": rule}
    )
    game.ok("begin")
    assert game.json["players"]["A"]["fans"] == ["R"]
    game.ok("clear", player="A", cells=["a1"])
    assert game.json["last_clear"]["kicker"] is kicks
    assert ("B" in game.json["players"]["A"]["fans"]) is kicks


# --- S23-S28 ---


def test_s23_s24_s25() -> None:
    bridge = "RBRYY/YYYYB/BYBRB"
    for hp, after in (("7!", "9 9 8"), ("6!", "9 9 8!")):
        board = {"name": "T", "attacks": {"R2": {"effects": [{"do": "take_all", "amount": 1}], "kicker": "none"}}}
        game = Match().ok("setup", first="A", tray=bridge, players={"A": {**side(f"10 10 {hp}"), "board": board}})
        game.ok("clear", player="A", cells=["a1", "a2", "a3"])
        assert game.dials("A") == after
    kick = {"when": "before", "effects": [{"do": "heal", "amount": 1}]}
    board = {"name": "T", "attacks": {"R2": {"effects": [{"do": "skip"}], "kicker": kick}}}
    game = Match().ok(
        "setup", first="A", tray=bridge, players={"A": {**side("10 10 7!"), "fans": ["R"], "board": board}}
    )
    game.ok("clear", player="A", cells=["a1", "a2", "a3"])
    types = [e["type"] for e in game.reply["events"] if e["type"] in ("cleared", "healed", "resolved", "skip_set")]
    assert types == ["cleared", "healed", "resolved", "healed", "resolved", "skip_set"]


def test_s28() -> None:
    board = {
        "name": "T",
        "attacks": {"R2": {"effects": [{"do": "deal_all", "amount": "X", "x": "marbles cleared"}], "kicker": "none"}},
    }
    game = Match().ok("setup", first="A", tray="RBRYY/YYYYB/BYBRB", players={"A": {**side("10 10 2!"), "board": board}})
    game.ok("clear", player="A", cells=["a1", "a2", "a3"])
    assert game.dials("B") == "8 8 8"


# --- destroy ---


def test_t25_to_t28() -> None:
    lines = [{"do": "destroy", "amount": 2}]
    game = answer(played(lines), cells=["c2", "c1"])
    assert game.json["due"] == []
    game = answer(played(lines), cells=["b3"], refill={"b": "R"})
    assert game.json["due"][0]["choice"] == {"kind": "cells", "most": 1}
    answer(game, cells=["b5"])
    assert game.json["due"] == []
    game = played(lines)
    assert refused(game, cells=["c1", "c2", "c3"])["code"] == "too_many"
    assert answer(game, cells=[]).json["due"] == []
    assert answer(played(lines), done=True).json["due"] == []
    assert answer(played(lines), cells=["c1"], done=True).json["due"] == []
    game = answer(played(lines), cells=["c1"])
    assert refused(game, cells=["c1", "c2"])["code"] == "too_many"
    assert answer(game, done=True).json["due"] == []
    assert refused(played(lines, tray="RYBRY/YBRBY/BRY.."), cells=["c5"])["code"] == "empty_cell"


def test_t32_shield_blocks() -> None:
    game = played([{"do": "no_destroy"}])
    assert game.json["markers"]
    game.ok("end_turn", player="A").ok("clear", player="B", cells=["c1"])
    assert game.refused("destroy", player="B", cells=["c1"])["code"] == "not_now"
    game.ok("end_turn", player="B")
    assert game.json["markers"] == []


# --- x, conditions ---


@pytest.mark.parametrize(
    ("amount", "told", "hp"), [("X", 3, 7), ("X-1", 3, 8), ("X-1", 0, 10), ("X+2", 0, 8), ("X-3", 2, 10)]
)
def test_x(amount: str, told: int, hp: int) -> None:
    game = played([{"do": "deal_all", "amount": amount, "x": "cards discarded"}])
    assert game.json["due"][0]["choice"] == {"kind": "amount", "x": "cards discarded"}
    assert answer(game, amount=told).dials("B") == f"{hp} {hp} {hp}"
    game = played([{"do": "deal", "amount": amount, "x": "cards discarded"}])
    answer(game, amount=told)
    assert (game.json["due"] == []) == (hp == 10)
    if hp != 10:
        assert answer(game, button="Y").dials("B") == f"10 {hp} 10"


def test_several_answers_in_one() -> None:
    game = played([{"do": "deal", "amount": "X", "x": "cards", "if": "angry", "optional": True}])
    assert due(game) == [("attack", "deal", "yes_no")]
    assert answer(game, yes=True, amount=2, button="B").dials("B") == "10 10 8"
    game = played([{"do": "deal", "amount": 2, "if": "angry"}, {"do": "skip"}])
    assert answer(game, yes=False).json["players"]["B"]["skips_next"]
    error = refused(played([{"do": "deal", "amount": 2, "if": "angry"}]), yes=False, button="R")
    assert error["code"] == "bad_value"


def test_either_and_others() -> None:
    options = [[{"do": "heal", "amount": 1}], [{"do": "deal", "amount": 2}, {"do": "skip"}]]
    game = played([{"do": "either", "options": options}])
    assert due(game) == [("attack", "either", "option")]
    assert refused(game, option=2)["code"] == "bad_value"
    answer(game, option=1)
    assert [d[1] for d in due(game)] == ["deal", "skip"]
    game = played([{"do": "deny"}])
    assert answer(game, colour="Y").json["markers"][0]["place"] == "Y"
    game = played([{"do": "marker", "marker": "spirit"}])
    assert answer(game, place="row3").json["markers"][0]["place"] == "row3"
    game = played([{"do": "note", "text": "Draw."}, {"do": "unknown"}])
    assert [d[2] for d in due(game)] == ["done", "done"]
    answer(game, done=True)
    answer(game, drop=True)
    assert game.json["due"] == []


# --- end ---


def test_t37_t38_t39_t47() -> None:
    hurt = [{"do": "take_all", "amount": 1}, {"do": "deal_all", "amount": 1}]
    game = played(hurt, a=side("1 5 5", 0), b=side("1 5 5", 0))
    assert game.json["over"] == {"winner": "A", "reason": "both_cannot_pay"}
    assert game.json["due"] == []
    game = played(hurt, a=side("1 5 5", 0), b=side("1 5 5", 0), both_lose="first_loses")
    assert game.json["over"]["winner"] == "B"
    assert game.json["due"] == []
    game = played(hurt, a=side("1 5 5", 0))
    assert game.json["over"] is None
    assert game.dials("B") == "9 9 9"
    assert game.ok("end_turn", player="A").json["over"]["winner"] == "B"
    game = played(
        [{"do": "deal", "amount": 1}],
        {"when": "after", "effects": [{"do": "deal", "amount": 2}]},
        fans="R",
        more={"end": [{"do": "heal", "amount": 1}]},
        a=side("5 5 5"),
    )
    assert [d[0] for d in due(game)] == ["attack", "kicker", "end"]


def test_t40_to_t43() -> None:
    pay = [{"do": "pay"}]
    assert played(pay, b=side("5 5 5", 3)).dials("B") == "5 5 5"
    assert played(pay, b=side("5 5 5", 3), forced_credit_heals=True).dials("B") == "6 6 6"
    assert played(pay, b=side("5 5 5", 0)).json["over"]["winner"] == "A"
    game = played([{"do": "pay", "who": "self", "amount": 2}], a=side("5 5 5", 3))
    assert game.credits("A") == 1
    assert played([{"do": "pay", "restores": True}], b=side("5 5 5", 3)).dials("B") == "6 6 6"


def test_left() -> None:
    game = played([{"do": "deal", "amount": 1}, {"do": "unknown"}])
    game.ok("end_turn", player="A")
    (ended,) = [e for e in game.reply["events"] if e["type"] == "turn_ended"]
    assert [i["effect"]["do"] for i in ended["left"]] == ["deal"]
    assert game.json["due"] == []


def test_t04_t36_start_effects() -> None:
    more = {"start": [{"do": "heal", "amount": 1}]}
    game = played([{"do": "skip"}], a=side("5 5 5"), more=more, clear=False)
    assert due(game) == [("start", "heal", "dial")]
    answer(game, button="R")
    game.ok("clear", player="A", cells=["a1"]).ok("end_turn", player="A")
    assert game.json["turn"] == "A"
    assert due(game) == [("start", "heal", "dial")]


def test_without_board() -> None:
    game = (
        Match()
        .ok("setup", first="A", tray=TRAY, players={"A": {**side(), "fans": ["R"]}})
        .ok("clear", player="A", cells=["a1"])
    )
    assert [d[:2] for d in due(game)] == [("attack", "unknown"), ("kicker", "unknown")]


def test_by_taps_and_overruled_and_corrected_turn() -> None:
    board = {
        "name": "T",
        "start": [{"do": "heal", "amount": 1}],
        "attacks": {"R1": {"effects": [{"do": "deal", "amount": 1}], "kicker": "none"}},
    }

    def new() -> Match:
        return Match().ok(
            "setup",
            first="A",
            tray=TRAY,
            players={"A": {**side("5 5 5"), "board": board}, "B": {**side("5 5 5"), "board": board}},
        )

    game = new().ok("clear", player="A", attack="R1")
    assert due(game) == [("attack", "deal", "dial")]
    (listed,) = [e for e in game.reply["events"] if e["type"] == "due_listed" and e.get("left")]
    assert [i["part"] for i in listed["left"]] == ["start"]
    game = new().ok("clear", player="A", cells=["c1"], attack="R1", overrule=True)
    assert due(game) == [("attack", "deal", "dial")]
    game.ok("correct", turn="B")
    assert due(game) == [("start", "heal", "dial")]
    assert game.json["turn"] == "B"


def test_bug1_owed_and_turn_corrected() -> None:
    game = played([{"do": "deal_all", "amount": 1}], b=side("1 5 5"), breaks_settle="attack_end")
    game.do({"do": "correct", "turn": "B"})
    game.do({"do": "flip", "player": "B", "button": "R"})
    dial = game.json["players"]["B"]["buttons"]["R"]
    assert dial["hp"] > 0 or dial["broken"]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, "bad_command"),
        ({"item": 1}, "bad_command"),
        ({"item": "1", "button": "R"}, "bad_value"),
        ({"item": True, "button": "R"}, "bad_value"),
        ({"item": 1.0, "button": "R"}, "bad_value"),
        ({"item": 0, "button": "R"}, "bad_value"),
        ({"item": 1, "button": "X"}, "bad_value"),
        ({"item": 1, "amount": -1}, "bad_value"),
        ({"item": 1, "amount": 10**9}, "bad_value"),
        ({"item": 1, "done": False}, "bad_value"),
        ({"item": 1, "drop": False}, "bad_value"),
        ({"item": 1, "drop": True, "button": "R"}, "bad_command"),
        ({"item": 1, "refill": {"a": "R"}}, "bad_command"),
        ({"item": 1, "cells": ["a6"]}, "bad_value"),
        ({"item": 1, "cells": ["a1", "a1"]}, "bad_value"),
        ({"item": 1, "option": -1}, "bad_value"),
        ({"item": 1, "when": "later"}, "bad_value"),
        ({"item": 1, "place": "row6"}, "bad_value"),
        ({"item": 1, "yes": 1}, "bad_value"),
        ({"item": 1, "button": "R", "odd": 1}, "bad_command"),
        ({"item": 1, "fan": "R"}, "bad_value"),
        ({"item": 1, "button": "R", "fan": "R"}, "bad_value"),
        ({"item": 10**30, "button": "R"}, "bad_value"),
        ({"item": 1, "odd": 1}, "bad_command"),
    ],
)
def test_malformed(fields: dict[str, Any], code: str) -> None:
    error = played([{"do": "deal", "amount": 1}]).refused("resolve", **fields)
    assert error["code"] == code, error
    assert error["text"].endswith((".", "…")), error


# --- any boards ---


def random_answer(rng: random.Random, item: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    choice = item["choice"]
    if choice is None:
        return {"done": True}
    if rng.random() < 0.1:
        return {"drop": True}
    match choice["kind"]:
        case "dial":
            return {"button": rng.choice(choice["options"])}
        case "fan":
            return {"fan": rng.choice(choice["options"])}
        case "colour":
            return {"colour": rng.choice(choice["options"])}
        case "when":
            return {"when": rng.choice(choice["options"])}
        case "yes_no":
            return {"yes": rng.random() < 0.7}
        case "amount":
            return {"amount": rng.randint(0, 5)}
        case "option":
            return {"option": rng.randrange(len(choice["options"]))}
        case "place":
            return {"place": rng.choice(choice["options"])}
        case "done":
            return {"done": True}
        case "cells":
            full = [
                f"{lane}{row + 1}"
                for lane, text in zip("abc", state["tray"].split("/"), strict=False)
                for row, letter in enumerate(text)
                if letter != "."
            ]
            return {"cells": rng.sample(full, min(len(full), rng.randint(0, min(choice["most"], 3))))}
    raise AssertionError(choice)


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    BOARD,
    BOARD,
    st.randoms(use_true_random=False),
    st.sampled_from(["effect", "attack_end"]),
    st.sampled_from(["mandatory", "optional"]),
    st.sampled_from(["turn_begins", "after_start_effects"]),
    st.sampled_from(["attacker_wins", "first_loses"]),
)
def test_any_boards(
    first: Board, second: Board, rng: random.Random, settle: str, kicker: str, snapshot: str, lose: str
) -> None:
    last: list[Any] = []
    log = MemoryLog()
    session = Session(REMATCH, log)
    players = {
        "A": {"fans": ["R"], "board": board_to_json(first), "credits": 9},
        "B": {"fans": ["Y", "B"], "board": board_to_json(second), "credits": 9},
    }

    def now() -> dict[str, Any]:
        assert session.state_json is not None
        return session.state_json

    def do(command: dict[str, Any]) -> bool:
        before = json.dumps(session.state_json)
        reply = session.submit(command)
        assert json.loads(json.dumps(session.state_json)) == session.state_json
        if not reply.accepted:
            assert json.dumps(session.state_json) == before
            last.append(reply.body["error"])
            return False
        if command["do"] != "setup":
            after = json.dumps(session.state_json)
            assert session.submit({"do": "undo"}).accepted
            assert json.dumps(session.state_json) == before
            assert session.submit({"do": "redo"}).accepted
            assert json.dumps(session.state_json) == after
        check(now())
        return True

    assert do(
        {
            "do": "setup",
            "first": "A",
            "tray": TRAY,
            "players": players,
            "rules": {"breaks_settle": settle, "kicker": kicker, "fan_snapshot": snapshot, "both_lose": lose},
        }
    )
    assert do({"do": "begin"})
    for _ in range(4):
        for phase in ("start", "resolve"):
            steps = 0
            while now()["due"] and not now()["over"]:
                item = now()["due"][0]
                ok = do({"do": "resolve", "item": item["id"], **random_answer(rng, item, now())})
                assert ok or "marker" in last[-1]["text"], (item, last[-1])
                steps += 1
                assert steps < 600
            if now()["over"]:
                assert now()["due"] == []
                break
            player = now()["turn"]
            if phase == "start":
                attack = rng.choice([c + n for c in "RYB" for n in "124"])
                do({"do": "clear", "player": player, "attack": attack, "overrule": True})
            else:
                assert do({"do": "end_turn", "player": player})
        if now()["over"]:
            break
    again = MemoryLog()
    for record in log.records():
        again.append(record.kind, *json.loads(json.dumps([record.command, record.events, record.error])))
    copy = Session(REMATCH, again)
    assert copy.state == session.state
    assert copy.state_json == session.state_json
