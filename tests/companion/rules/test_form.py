"""Commands that are none: what is wrong is named, and nothing happens (DESIGN §7, §8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from companion.rules.core import Rejection
from companion.rules.rematch.game import REMATCH
from tests.companion.rules.cases import TRAY, Match, match

HIT = {"player": "B", "button": "R", "amount": 1}


def setup(**fields: Any) -> dict[str, Any]:
    return {"do": "setup", "first": "A", "tray": TRAY, **fields}


@pytest.mark.parametrize(
    ("command", "code", "named"),
    [
        ({}, "bad_command", "do"),
        ({"do": 1}, "bad_command", "do"),
        ({"do": ["clear"]}, "bad_command", "do"),
        ({"do": "dance"}, "unknown_command", "'dance'"),
        ({"do": "Clear"}, "unknown_command", "'Clear'"),
        ({"do": "begin", "player": "A"}, "bad_command", "'player'"),
        ({"do": "heal", "player": "A", "button": "R"}, "bad_command", "amount"),
        ({"do": "heal", "player": "A", "button": "R", "amount": 1, "why": ""}, "bad_command", "'why'"),
        ({"do": "heal", "player": "C", "button": "R", "amount": 1}, "bad_value", "player"),
        ({"do": "heal", "player": "AB", "button": "R", "amount": 1}, "bad_value", "player"),
        ({"do": "heal", "player": "", "button": "R", "amount": 1}, "bad_value", "player"),
        ({"do": "heal", "player": "A", "button": "G", "amount": 1}, "bad_value", "button"),
        ({"do": "declare", "player": "A", "attack": "R3"}, "bad_value", "attack"),
        ({"do": "clear", "player": "A"}, "bad_command", "attack"),
        ({"do": "clear", "player": "A", "cells": []}, "bad_value", "cells"),
        ({"do": "clear", "player": "A", "cells": ["a6"]}, "bad_value", "'a6'"),
        ({"do": "clear", "player": "A", "cells": ["d1"]}, "bad_value", "'d1'"),
        ({"do": "clear", "player": "A", "cells": "a1"}, "bad_value", "cells"),
        ({"do": "clear", "player": "A", "cells": [1]}, "bad_value", "cells"),
        ({"do": "clear", "player": "A", "cells": ["a1"], "overrule": True}, "bad_command", "attack"),
        ({"do": "clear", "player": "A", "cells": ["a1"], "attack": "R1", "overrule": 1}, "bad_value", "overrule"),
        ({"do": "clear", "player": "A", "cells": ["a1"], "attack": "R1", "shorts": {}}, "bad_command", "shorts"),
        ({"do": "clear", "player": "A", "attack": "R1", "refill": {"a": "R"}}, "bad_command", "refill"),
        ({"do": "clear", "player": "A", "shorts": {"B": 1}}, "bad_command", "attack"),
        ({"do": "clear", "player": "A", "attack": "R2", "shorts": {"B": -1}}, "bad_value", "shorts.B"),
        ({"do": "clear", "player": "A", "attack": "R2", "shorts": {"G": 1}}, "bad_value", "'G'"),
        ({"do": "clear", "player": "A", "attack": "R2", "shorts": {"B": True}}, "bad_value", "shorts.B"),
        ({"do": "destroy", "player": "B"}, "bad_command", "cells"),
        ({"do": "destroy", "player": "B", "cells": ["a1"], "refill": {"a": "RRRRRR"}}, "bad_value", "refill.a"),
        ({"do": "hit", "source": "A", "hits": []}, "bad_value", "hits"),
        ({"do": "hit", "source": "A", "hits": HIT}, "bad_value", "hits"),
        ({"do": "hit", "source": "A", "hits": [HIT, 3]}, "bad_value", "hits[1]"),
        ({"do": "hit", "source": "A", "hits": [HIT, HIT]}, "bad_value", "dial R of player B"),
        ({"do": "hit", "source": "A", "hits": [HIT, HIT | {"amount": 0}]}, "bad_value", "more than once"),
        ({"do": "hit", "source": "A", "hits": [HIT | {"why": 1}]}, "bad_command", "'why'"),
        ({"do": "hit", "source": "A", "hits": [{"player": "B", "button": "R"}]}, "bad_command", "amount"),
        ({"do": "hit", "hits": [HIT]}, "bad_command", "source"),
        ({"do": "hit", "source": "stage", "hits": [HIT]}, "bad_value", "source"),
        ({"do": "fan", "player": "A", "fan": "stage"}, "bad_value", "fan"),
        ({"do": "pay", "player": "A"}, "bad_command", "credits"),
        ({"do": "pay", "player": "A", "credits": 1, "restores": None}, "bad_value", "restores"),
        ({"do": "correct"}, "bad_command", "nothing"),
        ({"do": "correct", "why": 1}, "bad_command", "'why'"),
        ({"do": "correct", "player": "A"}, "bad_command", "player"),
        ({"do": "correct", "button": "R", "hp": 3}, "bad_command", "player"),
        ({"do": "correct", "player": "A", "button": "R"}, "bad_command", "hp or broken"),
        ({"do": "correct", "player": "A", "hp": 3}, "bad_command", "button"),
        ({"do": "correct", "credits": 3}, "bad_command", "player"),
        ({"do": "correct", "player": "A", "credits": -1}, "bad_value", "credits"),
        ({"do": "correct", "fan": "R"}, "bad_command", "place"),
        ({"do": "correct", "fan": "R", "place": "C"}, "bad_value", "place"),
        ({"do": "correct", "cell": "a1"}, "bad_command", "colour"),
        ({"do": "correct", "cell": "a6", "colour": "R"}, "bad_value", "cell"),
        ({"do": "correct", "tray": "RYBRY"}, "bad_value", "1 lane"),
        ({"do": "correct", "tray": 5}, "bad_value", "tray"),
        ({"do": "correct", "turn": "stage"}, "bad_value", "turn"),
    ],
)
def test_malformed(command: Mapping[str, Any], code: str, named: str) -> None:
    game = match().ok("begin")
    game.do(command)
    error = game.reply["error"]
    assert error["code"] == code
    assert named in error["text"]
    assert error["text"].endswith(".")
    # malformed is malformed, whatever there is to play
    assert Match().do(command).reply["error"] == error


@pytest.mark.parametrize(
    "amount", ["1", 1.0, 1.5, True, False, None, -1, 10**9, 10**5000, [1], {"a": 1}, float("inf")], ids=lambda _: ""
)
def test_amounts(amount: Any) -> None:
    game = match().ok("begin")
    assert game.code("heal", player="A", button="R", amount=amount) == "bad_value"
    assert game.code("hit", source="A", hits=[HIT | {"amount": amount}]) == "bad_value"
    assert game.code("pay", player="A", credits=amount) == "bad_value"
    assert game.code("correct", player="A", button="R", hp=amount) == "bad_value"
    assert game.code("correct", player="A", credits=amount) == "bad_value"


def test_the_largest_amount() -> None:
    game = match().ok("heal", player="A", button="R", amount=99).ok("correct", player="A", credits=99)
    assert game.code("heal", player="A", button="R", amount=100) == "bad_value"
    assert game.code("pay", player="A", credits=100) == "bad_value"
    assert game.ok("pay", player="A", credits=99).credits("A") == 0


@pytest.mark.parametrize(
    ("command", "code", "named"),
    [
        ({"do": "setup", "first": "A"}, "bad_command", "tray"),
        ({"do": "setup", "tray": TRAY}, "bad_command", "first"),
        (setup(first="C"), "bad_value", "first"),
        (setup(tray="RYBRY/YBRBY/BRYB"), "bad_value", "lane c has 4"),
        (setup(tray="RYBRY/YBRBY/BRYBG"), "bad_value", "c5"),
        (setup(tray=None), "bad_value", "tray"),
        (setup(stage="R"), "bad_command", "'stage'"),
        (setup(players=[]), "bad_value", "players"),
        (setup(players={"C": {}}), "bad_command", "'C'"),
        (setup(players={"A": {"hp": 3}}), "bad_command", "'hp'"),
        (setup(players={"A": {"buttons": {"G": {}}}}), "bad_command", "'G'"),
        (setup(players={"A": {"buttons": {"R": {"hp": 11}}}}), "bad_value", "players.A.buttons.R.hp"),
        (setup(players={"A": {"buttons": {"R": {"hp": 0}}}}), "bad_value", "players.A.buttons.R.hp"),
        (setup(players={"A": {"buttons": {"R": {"hp": 9, "broken": True}}}}), "bad_value", "players.A.buttons.R"),
        (setup(players={"A": {"buttons": {"R": {"broken": True}}}}), "bad_value", "players.A.buttons.R"),
        (setup(players={"A": {"buttons": {"R": {"broken": 1, "hp": 3}}}}), "bad_value", "broken"),
        (setup(players={"A": {"buttons": {"R": {"dead": True}}}}), "bad_command", "'dead'"),
        (setup(players={"A": {"credits": -1}}), "bad_value", "players.A.credits"),
        (setup(players={"A": {"fans": "R"}}), "bad_value", "players.A.fans"),
        (setup(players={"A": {"fans": ["R", "R"]}}), "bad_value", "fan R"),
        (setup(players={"A": {"fans": ["R"]}, "B": {"fans": ["R"]}}), "bad_value", "fan R"),
        (setup(players={"A": {"fans": ["G"]}}), "bad_value", "players.A.fans"),
        (setup(players={"A": {"fighter": 3}}), "bad_value", "players.A.fighter"),
        (setup(players={"A": {"fighter": "x" * 61}}), "bad_value", "players.A.fighter"),
        (setup(rules=[]), "bad_value", "rules"),
        (setup(rules={"house": True}), "bad_command", "'house'"),
        (setup(rules={"edition": 2.5}), "bad_value", "rules.edition"),
        (setup(rules={"edition": "3.0"}), "bad_value", "rules.edition"),
        (setup(rules={"flips_per_turn": 2}), "bad_value", "rules.flips_per_turn"),
        (setup(rules={"flips_per_turn": True}), "bad_value", "rules.flips_per_turn"),
        (setup(rules={"third_break_price": 4}), "bad_value", "rules.third_break_price"),
        (setup(rules={"spare_marbles": 1}), "bad_value", "rules.spare_marbles"),
        (setup(rules={"kicker": "never"}), "bad_value", "rules.kicker"),
    ],
)
def test_malformed_setup(command: Mapping[str, Any], code: str, named: str) -> None:
    game = Match().do(command)
    assert (game.reply["ok"], game.state) == (False, None)
    assert game.reply["error"]["code"] == code
    assert named in game.reply["error"]["text"]


@pytest.mark.parametrize("command", [[], "begin", None, 3])
def test_what_is_no_object(command: Any) -> None:
    rejection = REMATCH.decide(None, command)
    assert isinstance(rejection, Rejection)
    assert rejection.code == "bad_command"


def test_a_long_value_is_not_repeated_at_length() -> None:
    error = match().refused("heal", player="x" * 50_000, button="R", amount=1)
    assert len(error["text"]) < 200
    for size, shown in ((24, f"['{24 * 'x'}', '{28 * 'y'}']"), (25, f"['{25 * 'x'}', '{26 * 'y'}…")):
        error = match().refused("heal", player=["x" * size, "y" * 28], button="R", amount=1)
        assert error["text"] == f"heal: player is {shown} where player A or B is needed."


@pytest.mark.parametrize(("name", "fits"), [("", False), ("x", True), (60 * "x", True), (61 * "x", False)])
def test_a_fighters_name(name: str, fits: bool) -> None:
    assert Match().do(setup(players={"A": {"fighter": name}})).reply["ok"] is fits


def test_every_rule_switch_is_accepted_and_kept() -> None:
    rules = {
        "edition": "1.5",
        "forced_credit_heals": True,
        "flips_per_turn": 1,
        "fan_snapshot": "after_start_effects",
        "kicker": "optional",
        "detours": False,
        "breaks_settle": "attack_end",
        "both_lose": "first_loses",
        "marbles_return": "at_once",
        "spare_marbles": True,
        "third_break_price": 3,
        "forced_credit_unpaid": "ignored",
    }
    assert match(**rules).json["rules"] == rules
    assert set(match().json["rules"]) == set(rules)


def test_an_event_of_other_rules_is_our_fault_and_raises() -> None:
    with pytest.raises(ValueError, match="before the set-up"):
        REMATCH.evolve(None, {"type": "begun"})
    with pytest.raises(LookupError):
        REMATCH.evolve(match().state, {"type": "danced"})
