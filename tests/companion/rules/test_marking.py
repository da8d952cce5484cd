"""The command `marker`: laying and lifting, what is blocked, denied, forced and shielded, and turns that run out."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.rematch.game import REMATCH
from tests.companion.rules.cases import TRAY, Match, match, side


def marked(game: Match, name: str, place: str, player: str = "B", **rest: Any) -> Match:
    return game.ok("marker", player=player, name=name, place=place, **rest)


def ids(game: Match) -> list[int]:
    return [marker["id"] for marker in game.json["markers"]]


# --- laying and lifting ----------------------------------------------------------------------------------------------


def test_a_marker_is_laid_and_lifted() -> None:
    game = marked(match(), "spirit", "row3")
    spirit = {
        "id": 1,
        "name": "spirit",
        "owner": "B",
        "place": "row3",
        "reacts": ["clear"],
        "blocks": False,
        "turns": None,
        "forces": False,
        "once": False,
    }
    assert game.json["markers"] == [spirit]
    marked(game, "thing", "b2", reacts=["destroy", "clear"], blocks=True, turns=2, forces=True, once=True)
    assert game.json["markers"][1] == {
        "id": 2,
        "name": "thing",
        "owner": "B",
        "place": "b2",
        "reacts": ["clear", "destroy"],
        "blocks": True,
        "turns": 2,
        "forces": True,
        "once": True,
    }
    game.ok("marker", remove=1)
    assert game.reply["events"] == [{"type": "marker_lifted", "marker": spirit, "why": "removed"}]
    assert ids(game) == [2]
    # no number is given twice
    assert ids(marked(game.ok("marker", remove=2), "spirit", "row3")) == [3]
    assert game.code("marker", remove=2) == "bad_value"


def test_spirits_may_share_a_row() -> None:
    assert ids(marked(marked(match(), "spirit", "row3"), "spirit", "row3")) == [1, 2]


def test_markers_do_not_end_the_opening_nor_wait_for_a_turn() -> None:
    game = marked(marked(match(), "spirit", "row3"), "stick", "row1", player="A").ok("marker", remove=1)
    assert game.json["phase"] == "opening"
    game.ok("clear", player="A", cells=["a1"])
    assert ids(marked(game, "amp", "row2")) == [2, 3]


def test_before_the_set_up_and_after_the_end_there_is_none() -> None:
    assert Match().code("marker", player="A", name="spirit", place="row3") == "not_now"
    game = marked(match(), "spirit", "row3").ok("concede", player="A")
    assert game.code("marker", remove=1) == "match_over"
    assert game.code("marker", player="A", name="spirit", place="row3") == "match_over"


def test_there_is_room_for_sixty() -> None:
    game = match()
    for _ in range(60):
        marked(game, "spirit", "row3")
    assert game.code("marker", player="A", name="spirit", place="row3") == "too_many"
    marked(game.ok("marker", remove=1), "spirit", "row3")


@pytest.mark.parametrize(
    ("fields", "code", "named"),
    [
        ({}, "bad_command", "player"),
        ({"player": "A", "place": "row3"}, "bad_command", "name"),
        ({"player": "A", "name": "x"}, "bad_command", "place"),
        ({"player": "C", "name": "x", "place": "row3"}, "bad_value", "'C'"),
        ({"player": "A", "name": "", "place": "row3"}, "bad_value", "name"),
        ({"player": "A", "name": 61 * "x", "place": "row3"}, "bad_value", "60 letters"),
        ({"player": "A", "name": "a\nb", "place": "row3"}, "bad_value", "name"),
        ({"player": "A", "name": 3, "place": "row3"}, "bad_value", "name"),
        ({"player": "A", "name": "x", "place": "row6"}, "bad_value", "'row6'"),
        ({"player": "A", "name": "x", "place": "a6"}, "bad_value", "'a6'"),
        ({"player": "A", "name": "x", "place": ["a1"]}, "bad_value", "place"),
        ({"player": "A", "name": "x", "place": "row3", "reacts": "clear"}, "bad_value", "reacts"),
        ({"player": "A", "name": "x", "place": "row3", "reacts": ["pull"]}, "bad_value", "'pull'"),
        ({"player": "A", "name": "x", "place": "row3", "reacts": ["clear", "clear"]}, "bad_value", "more than once"),
        ({"player": "A", "name": "x", "place": "row3", "reacts": ["attack"]}, "bad_value", "on a colour"),
        ({"player": "A", "name": "x", "place": "row3", "blocks": 1}, "bad_value", "blocks"),
        ({"player": "A", "name": "x", "place": "row3", "turns": 0}, "bad_value", "1 to 99"),
        ({"player": "A", "name": "x", "place": "row3", "turns": 100}, "bad_value", "1 to 99"),
        ({"player": "A", "name": "x", "place": "row3", "turns": True}, "bad_value", "1 to 99"),
        ({"player": "A", "name": "x", "place": "R", "forces": True}, "bad_value", "on a row"),
        ({"player": "A", "name": "x", "place": "row3", "colour": "R"}, "bad_command", "'colour'"),
        ({"remove": "1"}, "bad_value", "'1'"),
        ({"remove": True}, "bad_value", "remove"),
        ({"remove": 0}, "bad_value", "remove"),
        ({"remove": 7}, "bad_value", "no marker 7"),
        ({"remove": 1, "player": "A"}, "bad_command", "'player'"),
    ],
)
def test_malformed(fields: dict[str, Any], code: str, named: str) -> None:
    error = match().refused("marker", **fields)
    assert (error["code"], named in error["text"]) == (code, True), error["text"]


@pytest.mark.parametrize("name", ["x", 60 * "x"])
def test_any_name_will_do(name: str) -> None:
    assert marked(match(), name, "row3", turns=99).json["markers"][0]["name"] == name


def test_a_log_from_before_there_were_markers_has_none() -> None:
    game = match().ok("fan", player="A", fan="R").ok("clear", player="A", cells=["a1"]).ok("end_turn", player="A")
    old: Any = None
    for event in game.log:
        old = REMATCH.evolve(old, {key: value for key, value in event.items() if key != "fans_otherwise"})
    assert old == game.state
    assert game.json["markers"] == []


# --- blocked ---------------------------------------------------------------------------------------------------------


def test_what_is_blocked_may_not_be_cleared_but_overruled() -> None:
    game = marked(match("RRYBB/RYYBY/BRYRB"), "frozen", "row1", blocks=True)
    error = game.refused("clear", player="A", cells=["a1", "a2"])
    assert (error["code"], error["cells"]) == ("illegal_clear", ["a1"])
    assert [reason["code"] for reason in error["reasons"]] == ["out_of_reach"]
    assert error["nearest"]
    for clear in error["nearest"]:
        assert not {"a1", "b1"} & set(clear["cells"])
    game.ok("clear", player="A", cells=["a1", "a2"], attack="R2", overrule=True)
    assert [reason["code"] for reason in game.json["last_clear"]["overruled"]] == ["out_of_reach"]


def test_it_is_blocked_for_the_opponent_of_its_owner_only() -> None:
    game = marked(match(), "blocked", "b1", player="A")
    game.ok("clear", player="A", cells=["b1"], refill={"b": "Y"}).ok("end_turn", player="A")
    assert game.code("clear", player="B", cells=["b1"]) == "illegal_clear"
    game.ok("clear", player="B", cells=["c1"])


def test_a_clear_by_taps_is_trusted_to_keep_off_blocked_cells() -> None:
    marked(match(), "blocked", "row1").ok("clear", player="A", attack="R1")


def test_blocked_cells_are_no_valid_move() -> None:
    tray = "RBBBB/BBBBB/YYYYY"
    game = marked(match(tray, a=side("10 10 4!")), "blocked", "a1")
    error = game.refused("end_turn", player="A")
    assert (error["code"], "flip Blue to" in error["text"]) == ("must_flip", True)
    assert match(tray, a=side("10 10 4!")).code("end_turn", player="A") == "must_clear"
    game = match("R..../...../YYYYY")
    marked(game, "blocked", "row1").ok("end_turn", player="A")


# --- denied ----------------------------------------------------------------------------------------------------------


def test_a_denied_colour_is_neither_declared_nor_cleared() -> None:
    game = marked(match(), "denied", "R", turns=1)
    error = game.refused("declare", player="A", attack="R1")
    assert (error["code"], "Red attacks are denied" in error["text"]) == ("not_now", True)
    error = game.refused("clear", player="A", cells=["a1"])
    assert [reason["code"] for reason in error["reasons"]] == ["denied_colour"]
    assert all(clear["attack"][0] != "R" for clear in error["nearest"])
    error = game.refused("clear", player="A", attack="R2")
    assert [reason["code"] for reason in error["reasons"]] == ["denied_colour"]
    game.ok("declare", player="A", attack="Y1").ok("clear", player="A", cells=["a2"]).ok("end_turn", player="A")
    assert game.json["markers"] == []


def test_t11_the_last_active_colour_denied_one_must_be_flipped() -> None:
    game = marked(match(a=side("10 4! 4!")), "denied", "R", turns=1)
    error = game.refused("end_turn", player="A")
    assert (error["code"], "Yellow or Blue" in error["text"]) == ("must_flip", True)
    # even when another flip was made and only one is allowed, and when an attack was declared
    game.ok("flip", player="A", button="B")
    assert game.code("end_turn", player="A") == "must_clear"
    game.ok("clear", player="A", cells=["a3"])
    assert match(a=side("10 4! 4!")).code("end_turn", player="A") == "must_clear"


def test_t11_a_denied_broken_button_is_no_way_out() -> None:
    game = marked(marked(match(a=side("10 4! 4!")), "denied", "R"), "denied", "B")
    assert "must flip Yellow to" in game.refused("end_turn", player="A")["text"]
    marked(game, "denied", "Y").ok("end_turn", player="A")


@pytest.mark.parametrize(
    ("tray", "dials", "code"),
    [
        ("?..../...../RYBRY", "10 4! 4!", None),  # it may be Red, and then there is nothing to flip
        ("?B.../...../RYBRY", "10 4! 4!", "must_flip"),
        ("?..../...../RYBRY", "10 10 4!", None),
        ("?RRRR/RRRRR/RR...", "10 4! 4!", "must_flip"),  # all Red are in view
        ("?RRRR/RRRRR/R....", "10 4! 4!", None),
    ],
)
def test_a_duty_beside_a_denied_colour_holds_only_for_certain(tray: str, dials: str, code: str | None) -> None:
    game = marked(match(tray, a=side(dials)), "denied", "R")
    game.do({"do": "end_turn", "player": "A"})
    assert (None if game.reply["ok"] else game.reply["error"]["code"]) == code


# --- forced ----------------------------------------------------------------------------------------------------------


def test_a_forced_row_has_to_be_cleared_from() -> None:
    game = marked(match("RRYBB/RYYBY/BRYRB"), "trip", "row4", forces=True)
    error = game.refused("clear", player="A", cells=["a1", "a2"])
    assert [reason["code"] for reason in error["reasons"]] == ["not_forced"]
    assert error["nearest"]
    for clear in error["nearest"]:
        assert {"a4", "b4"} & set(clear["cells"])
    error = game.refused("end_turn", player="A")
    assert (error["code"], error["cells"]) == ("must_clear", ["a4", "b4"])
    game.ok("clear", player="A", cells=["a4"])


def test_t12_only_broken_colours_in_the_forced_row() -> None:
    game = marked(match("RRYBB/RYYBY/BRYRB", a=side("10 10 4!")), "trip", "row4", forces=True)
    error = game.refused("end_turn", player="A")
    assert (error["code"], error["cells"], "flip Blue to" in error["text"]) == ("must_flip", ["a4", "b4"], True)
    assert game.refused("clear", player="A", cells=["a1", "a2"])["nearest"] == []
    # a flip that is forced is never too late
    game.ok("declare", player="A", attack="R1").ok("flip", player="A", button="B")
    game.ok("clear", player="A", cells=["a4"])


@pytest.mark.parametrize(
    ("tray", "dials", "code"),
    [
        (".YYYY/.YYYY/RRRRB", "10 10 10", "must_clear"),  # nothing lies in the forced row
        ("?YYYY/.YYYY/RRRRB", "10 10 10", "must_clear"),
        ("?YYYY/.YYYY/RRRRB", "10 10 4!", None),  # a Blue marble would ask for a flip
        ("?YYYY/BYYYY/RRRRB", "10 10 4!", None),
        ("?YYYY/RYYYY/RRRRB", "10 10 4!", "must_clear"),
        ("?..../...../RRRRB", "4! 4! 4!", "must_flip"),
    ],
)
def test_a_duty_in_a_forced_row_holds_only_for_certain(tray: str, dials: str, code: str | None) -> None:
    game = marked(match(tray, a=side(dials)), "forced", "row1")
    game.do({"do": "end_turn", "player": "A"})
    assert (None if game.reply["ok"] else game.reply["error"]["code"]) == code


# --- shield and turns ------------------------------------------------------------------------------------------------


def turn(game: Match, player: str) -> Match:
    cell = "a2" if player == "A" else "c2"
    return game.ok("clear", player=player, cells=[cell]).ok("end_turn", player=player).ok("correct", tray=TRAY)


def test_t32_a_shield_keeps_the_opponent_from_destroying_for_a_turn() -> None:
    game = marked(match().ok("begin"), "shield", "player A", player="A", turns=1)
    error = game.refused("destroy", player="B", cells=["a1"])
    assert (error["code"], error["text"]) == (
        "not_now",
        "Player B may not destroy marbles now: Shield of player A on player A.",
    )
    game.ok("destroy", player="B", cells=[]).ok("destroy", player="A", cells=["a1"], refill={"a": "R"})
    turn(game, "A")
    assert game.code("destroy", player="B", cells=["a1"]) == "not_now"
    turn(game, "B")
    assert game.json["markers"] == []
    game.ok("destroy", player="B", cells=["a1"])


def test_turns_run_out_one_by_one_and_the_events_say_so() -> None:
    game = marked(marked(match(), "frozen", "row1", player="A", turns=2), "spirit", "row1", player="A")
    frozen, spirit = game.json["markers"]
    turn(game, "A")
    assert game.json["markers"] == [frozen, spirit]
    game.ok("clear", player="B", cells=["c2"]).ok("end_turn", player="B")
    assert game.reply["events"][-1] == {"type": "markers_counted", "turns": [{"id": 1, "turns": 1}], "gone": []}
    turn(game.ok("correct", tray=TRAY), "A")
    game.ok("clear", player="B", cells=["c2"]).ok("end_turn", player="B")
    assert game.reply["events"][-1] == {"type": "markers_counted", "turns": [], "gone": [{**frozen, "turns": 1}]}
    assert game.json["markers"] == [spirit]


def test_a_skipped_turn_does_not_count() -> None:
    game = marked(match(), "shield", "player A", player="A", turns=1).ok("skip_next", player="B")
    turn(game, "A")
    assert (game.json["turn"], ids(game)) == ("A", [1])


# --- by an attack board ----------------------------------------------------------------------------------------------


def attacked(*effects: dict[str, Any]) -> Match:
    """A has made Red-1, which does this."""
    board = {"name": "Tester", "attacks": {"R1": {"effects": list(effects)}}}
    return (
        Match()
        .ok("setup", first="A", tray=TRAY, players={"A": {"board": board}})
        .ok("clear", player="A", cells=["a1"], refill={"a": "R"})
    )


def test_an_attack_that_shields() -> None:
    game = attacked({"do": "no_destroy"})
    assert (game.json["due"], game.json["markers"][0]["name"], game.json["markers"][0]["turns"]) == ([], "shield", 1)
    assert game.code("destroy", player="B", cells=["a1"]) == "not_now"
    turn(game.ok("end_turn", player="A").ok("correct", tray=TRAY), "B")
    assert game.json["markers"] == []


def test_t11_an_attack_that_denies_a_colour() -> None:
    game = attacked({"do": "deny"})
    (item,) = game.json["due"]
    assert item["choice"] == {"kind": "colour", "options": ["R", "Y", "B"]}
    game.ok("resolve", item=item["id"], colour="Y").ok("end_turn", player="A")
    assert game.code("declare", player="B", attack="Y1") == "not_now"
    turn(game.ok("correct", tray="RBBRY/YBRBY/BRYBR"), "B")
    assert game.json["markers"] == []


def test_an_attack_that_lays_a_marker() -> None:
    game = attacked({"do": "marker", "marker": "spirit"})
    (item,) = game.json["due"]
    assert item["choice"]["kind"] == "place"
    assert game.code("resolve", item=item["id"], place="row6") == "bad_value"
    game.ok("resolve", item=item["id"], place="row2")
    assert [(m["name"], m["owner"], m["place"], m["reacts"]) for m in game.json["markers"]] == [
        ("spirit", "A", "row2", ["clear"])
    ]


def test_t32_under_a_shield_an_attack_destroys_nothing() -> None:
    board = {"name": "Tester", "attacks": {"R1": {"effects": [{"do": "destroy", "amount": 2}]}}}
    for shielded, due in ((False, ["cells"]), (True, [])):
        game = Match().ok("setup", first="A", tray=TRAY, players={"A": {"board": board}})
        if shielded:
            marked(game, "shield", "player B")
        game.ok("clear", player="A", cells=["a1"])
        assert [item["choice"]["kind"] for item in game.json["due"]] == due
