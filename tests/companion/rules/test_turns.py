"""Turn order, flips, fans, kickers, destroying and the end of the match: the cases T.. and S.. of the rules in words.

Each test is named after what it shows; the sections of the rulebook are Structure of a Turn, Common Attack Effects,
Repairing Broken Buttons and the F.A.Q.
"""

from __future__ import annotations

import pytest

from tests.companion.rules.cases import TRAY, Match, match, side

ONLY_BLUE_AND_YELLOW = "YBYBY/BYBYB/RRYBR"


def cleared(**rest: object) -> Match:
    """A has cleared a1 (Red-1) and resolves it."""
    return match(**rest).ok("clear", player="A", cells=["a1"], refill={"a": "Y"})


# --- set-up and opening ----------------------------------------------------------------------------------------------


def test_t44_a_new_match() -> None:
    game = Match().ok("setup", first="B", tray=TRAY)
    assert (game.dials("A"), game.dials("B")) == ("10 10 10", "10 10 10")
    assert (game.credits("A"), game.credits("B")) == (4, 4)
    state = game.json
    assert (state["turn"], state["turn_number"], state["phase"]) == ("B", 1, "opening")
    assert (state["stage_fans"], state["last_clear"], state["over"]) == (["R", "Y", "B"], None, None)
    assert state["players"]["A"]["fans"] == []
    assert state["aside"] == {"R": 0, "Y": 0, "B": 0}
    assert (state["flips"], state["declared"], state["opening_destroyed"], state["first"]) == (0, None, 0, "B")


def test_setup_fills_in_what_is_left_out() -> None:
    players = {
        "A": {"buttons": {"Y": {"hp": 3}, "B": {"hp": 8, "broken": True}}, "fighter": "Chef"},
        "B": {"fans": ["B"]},
    }
    game = Match().ok("setup", first="A", tray=TRAY, players=players, rules={"edition": "1.5"})
    assert game.dials("A") == "10 3 8!"
    assert game.json["players"]["A"]["fighter"] == "Chef"
    assert game.json["stage_fans"] == ["R", "Y"]
    assert game.json["rules"]["edition"] == "1.5"
    assert game.json["rules"]["third_break_price"] == 2


def test_only_setup_comes_before_the_setup() -> None:
    for do, fields in [
        ("begin", {}),
        ("end_turn", {"player": "A"}),
        ("heal", {"player": "A", "button": "R", "amount": 1}),
    ]:
        assert Match().code(do, **fields) == "not_now"


def test_no_second_setup_under_way_but_one_after_the_end() -> None:
    game = match()
    assert game.code("setup", first="B", tray=TRAY) == "not_now"
    game.ok("begin")
    assert game.code("setup", first="B", tray=TRAY) == "not_now"
    game.ok("concede", player="A").ok("setup", first="B", tray=TRAY)
    assert (game.json["turn"], game.json["over"], game.json["phase"]) == ("B", None, "opening")


def test_t30_the_second_player_destroys_up_to_two_anywhere() -> None:
    game = match()
    game.ok("destroy", player="B", cells=["a1"], refill={"a": "B"})
    assert game.json["phase"] == "opening"
    game.ok("destroy", player="B", cells=["c5"], refill={"c": "Y"})
    assert game.json["tray"] == "YBRYB/YBRBY/BRYBY"
    assert game.code("destroy", player="B", cells=["b1"]) == "too_many"
    assert match().code("destroy", player="B", cells=["a1", "a2", "a3"]) == "too_many"
    assert match(first="B").ok("destroy", player="A", cells=["c1", "c2"]).json["tray"] == "RYBRY/YBRBY/YBR??"


def test_t31_the_first_player_does_not() -> None:
    assert match().code("destroy", player="A", cells=["a1"]) == "not_now"
    assert match(first="B").code("destroy", player="B", cells=["a1"]) == "not_now"
    # once the opening is over anybody may, as an effect
    game = match().ok("begin").ok("destroy", player="A", cells=["a1"])
    assert (game.json["phase"], game.json["opening_destroyed"]) == ("start", 0)


@pytest.mark.parametrize(
    ("do", "fields"),
    [
        ("begin", {}),
        ("flip", {"player": "A", "button": "B"}),
        ("declare", {"player": "A", "attack": "R1"}),
        ("hit", {"source": "B", "hits": [{"player": "A", "button": "R", "amount": 1}]}),
        ("hit", {"source": "B", "hits": [{"player": "A", "button": "R", "amount": 0}]}),
        ("heal", {"player": "B", "button": "R", "amount": 0}),
        ("fan", {"player": "B", "fan": "R"}),
        ("fan", {"player": "B", "fan": "Y"}),
        ("pay", {"player": "B", "credits": 1}),
        ("skip_next", {"player": "B"}),
    ],
)
def test_any_other_accepted_command_ends_the_opening(do: str, fields: dict[str, object]) -> None:
    game = match(a=side("10 10 5!"), b=side(fans="Y")).ok(do, **fields)
    assert game.json["phase"] == "start"
    assert game.code("begin") == "not_now"


def test_a_refused_command_or_a_correction_does_not_end_the_opening() -> None:
    game = match()
    assert game.code("flip", player="A", button="B") == "not_broken"
    assert game.code("clear", player="A", cells=["a1", "a2"]) == "illegal_clear"
    game.ok("correct", turn="B").ok("correct", turn="A").ok("correct", player="A", credits=3)
    assert game.json["phase"] == "opening"
    game.ok("begin")
    assert game.json["phase"] == "start"


def test_a_correction_of_the_turn_in_the_opening_says_who_is_first() -> None:
    game = match().ok("correct", turn="B")
    assert game.code("destroy", player="B", cells=["a1"]) == "not_now"
    assert game.ok("destroy", player="A", cells=["a1"]).json["phase"] == "opening"


# --- flips -----------------------------------------------------------------------------------------------------------


def test_t01_t02_flipping_keeps_the_hp_and_gives_the_attacks_back() -> None:
    game = match(a=side("10 10 1!")).ok("flip", player="A", button="B")
    assert game.dials("A") == "10 10 1"
    game.ok("clear", player="A", cells=["a3"])
    assert game.json["last_clear"]["attack"] == "B1"


def test_t03_too_late_once_declared_or_cleared() -> None:
    game = match(a=side("10 4! 4!")).ok("declare", player="A", attack="R1")
    assert game.code("flip", player="A", button="B") == "too_late"
    game.ok("clear", player="A", cells=["a1"])
    assert game.code("flip", player="A", button="B") == "too_late"


def test_t03_unless_there_is_no_valid_move_without_it() -> None:
    game = match(ONLY_BLUE_AND_YELLOW, a=side("10 4! 4!")).ok("declare", player="A", attack="R1")
    game.ok("flip", player="A", button="B")
    assert game.json["declared"] is None


def test_t05_a_flipped_button_is_not_broken_for_the_price() -> None:
    game = match(a=side("1 10 4!")).ok("flip", player="A", button="B")
    game.ok("hit", source="B", hits=[{"player": "A", "button": "R", "amount": 1}])
    assert (game.credits("A"), game.dials("A")) == (3, "1! 10 5")


def test_t06_flips_in_a_turn() -> None:
    both = side("10 4! 5!")
    game = match(a=both).ok("flip", player="A", button="Y").ok("flip", player="A", button="B")
    assert (game.dials("A"), game.json["flips"]) == ("10 4 5", 2)
    game = match(a=both, flips_per_turn=1).ok("flip", player="A", button="Y")
    assert game.code("flip", player="A", button="B") == "too_many"
    game.ok("clear", player="A", cells=["a1"]).ok("end_turn", player="A")
    game.ok("clear", player="B", cells=["c1"]).ok("end_turn", player="B")
    game.ok("flip", player="A", button="B")


def test_t07_nobody_flips_in_the_other_players_turn() -> None:
    assert match(b=side("10 10 4!")).code("flip", player="B", button="B") == "not_your_turn"


def test_t08_no_move_but_by_a_flip() -> None:
    game = match(ONLY_BLUE_AND_YELLOW, a=side("10 4! 4!"))
    error = game.refused("end_turn", player="A")
    assert error["code"] == "must_flip"
    assert "Yellow or Blue" in error["text"]
    game.ok("flip", player="A", button="B")
    assert game.code("end_turn", player="A") == "must_clear"


def test_t09_the_flip_has_to_give_a_move() -> None:
    game = match("YYYYY/YYYY./RRRBB", a=side("10 4! 4!"), flips_per_turn=1).ok("flip", player="A", button="B")
    error = game.refused("end_turn", player="A")
    assert (error["code"], "Blue" in error["text"]) == ("must_flip", False)
    # a forced flip comes before a house rule on the number of flips
    game.ok("flip", player="A", button="Y").ok("clear", player="A", cells=["a1"])


def test_t10_no_flip_is_forced_while_there_is_a_move() -> None:
    assert match("RBYBY/BYBYB/RRYBR", a=side("10 4! 4!")).code("end_turn", player="A") == "must_clear"


def test_t11_all_broken() -> None:
    assert match(a=side("1! 4! 4!")).code("end_turn", player="A") == "must_flip"
    assert match(a=side("1! 4! 4!")).code("declare", player="A", attack="R1") == "broken_button"


@pytest.mark.parametrize(
    ("tray", "names"),
    [
        ("BBB../...../RRRRR", "flip Blue to"),
        ("B..../Y..../RRRRR", "flip Yellow or Blue to"),
        ("B?.../...../RRRRR", "flip Red or Yellow or Blue to"),
        ("?BBBB/BBBBB/B....", "flip Red or Yellow or Blue to"),
        ("?..../BBBBB/BBBBB", "flip Red or Yellow or Blue to"),
    ],
)
def test_the_buttons_whose_flip_would_do_are_named(tray: str, names: str) -> None:
    assert names in match(tray, a=side("4! 4! 4!")).refused("end_turn", player="A")["text"]


def test_nothing_to_clear_and_nothing_to_flip() -> None:
    game = match("...../...../RYBRY", a=side("1! 4! 4!")).ok("end_turn", player="A")
    assert (game.json["turn"], game.json["turn_number"]) == ("B", 2)
    # a button is broken, but no marble of its colour is in reach
    game = match("...../...../RYBRY", a=side("10 10 4!")).ok("end_turn", player="A")
    assert game.json["turn"] == "B"


@pytest.mark.parametrize(
    ("tray", "dials", "code"),
    [
        # one unknown marble of an active colour would do, and all colours are active
        ("?..../...../RYBRY", "10 10 10", "must_clear"),
        # it may be Blue, and then only a flip would give a move; or else it is no flip that is needed
        ("?..../...../RYBRY", "10 10 4!", None),
        ("?..../R..../RYBRY", "10 10 4!", "must_clear"),
        ("?..../B..../RYBRY", "10 10 4!", None),
        ("?..../...../RYBRY", "4! 4! 4!", "must_flip"),
        # an unknown marble out of reach says nothing
        ("...../...../?YBRY", "10 10 10", None),
        ("B..../...../?YBRY", "10 10 4!", "must_flip"),
        # all 11 Blue are in view, so the unknown marble is of an active colour
        ("?BBBB/BBBBB/RYBB.", "10 10 4!", "must_clear"),
        # ten are: one of two unknown marbles is
        ("??BBB/BBBBB/RYBB.", "10 10 4!", "must_clear"),
        ("?BBBB/BBBBB/RYB..", "10 10 4!", None),
        ("?BBBB/YYYY./RRRRR", "10 4! 4!", None),
    ],
)
def test_a_duty_holds_only_if_it_does_for_every_colour_an_unknown_marble_could_have(
    tray: str, dials: str, code: str | None
) -> None:
    game = match(tray, a=side(dials))
    game.do({"do": "end_turn", "player": "A"})
    assert (None if game.reply["ok"] else game.reply["error"]["code"]) == code


# --- the clear -------------------------------------------------------------------------------------------------------


def test_c31_c32_c37_size_and_seat() -> None:
    tray = "RRRRY/YBYBB/BRRYB"
    assert match(tray).code("clear", player="A", cells=["a1", "a2", "a3"]) == "illegal_clear"
    assert match(tray).ok("clear", player="A", cells=["a1"]).json["last_clear"]["attack"] == "R1"
    assert match(tray, first="B").code("clear", player="B", cells=["a1"]) == "illegal_clear"
    assert match(tray, first="B").ok("clear", player="B", cells=["c2", "c3"]).json["last_clear"]["attack"] == "R2"


def test_c33_c34_exactly_one_attack_a_turn() -> None:
    game = match()
    assert game.code("end_turn", player="A") == "must_clear"
    game.ok("clear", player="A", cells=["a1"])
    assert game.code("clear", player="A", cells=["a1"]) == "already_cleared"
    assert game.code("declare", player="A", attack="B1") == "already_cleared"
    assert game.code("clear", player="B", cells=["c1"]) == "not_your_turn"
    assert game.code("end_turn", player="B") == "not_your_turn"
    game.ok("end_turn", player="A")
    assert (game.json["turn"], game.json["phase"], game.json["turn_number"]) == ("B", "start", 2)


def test_an_illegal_clear_says_why() -> None:
    game = match("BYRRR/YBYRB/YBBYY")
    error = game.refused("clear", player="A", cells=["a5", "a4", "b4", "a3"])
    assert (error["code"], error["cells"]) == ("illegal_clear", ["a4"])
    assert [reason["code"] for reason in error["reasons"]] == ["branching"]
    assert "a4" in error["text"]


def test_the_refill_drops_in() -> None:
    tray = "RRYRY/YBRBY/BRYBR"
    game = match(tray).ok("clear", player="A", cells=["a1", "a2"], refill={"a": "B"})
    assert game.json["tray"] == "YRYB?/YBRBY/BRYBR"
    game = match(tray).ok("clear", player="A", cells=["a2", "a1"], refill={"a": "B."})
    assert game.json["tray"] == "YRYB./YBRBY/BRYBR"
    assert game.json["last_clear"]["cells"] == ["a2", "a1"]
    for refill in ({"a": "BBB"}, {"b": "B"}, {"d": "B"}, {"a": "G"}, {"a": 1}, []):
        assert match(tray).code("clear", player="A", cells=["a1", "a2"], refill=refill) == "bad_value"


def test_t46_more_marbles_than_there_are() -> None:
    tray = "RRRRR/RRRRR/RYBYB"
    error = Match().refused("setup", first="A", tray="RRRRR/RRRRR/RRYBY")
    assert (error["code"], len(error["cells"])) == ("too_many_of_colour", 12)
    game = match("RRRRB/RRRRR/RRYBY")
    assert game.code("correct", cell="a5", colour="R") == "too_many_of_colour"
    assert game.code("correct", tray="RRRRR/RRRRR/RRYBY") == "too_many_of_colour"
    assert game.code("clear", player="A", cells=["a5"], refill={"a": "R"}) == "too_many_of_colour"
    assert game.code("destroy", player="B", cells=["c5"], refill={"c": "R"}) == "too_many_of_colour"
    match(tray, spare_marbles=True).ok("correct", cell="c2", colour="R")
    assert match(tray, spare_marbles=True).code("correct", tray="RRRRR/RRRRR/RRR..") == "too_many_of_colour"


def test_declared_attack() -> None:
    tray = "RRYRY/YBRBY/BRYBR"
    game = match(tray).ok("declare", player="A", attack="R2")
    assert (game.json["declared"], game.json["phase"]) == ("R2", "start")
    error = game.refused("clear", player="A", cells=["a1"])
    assert [reason["code"] for reason in error["reasons"]] == ["wrong_attack"]
    assert game.json["declared"] == "R2"
    error = game.refused("clear", player="A", cells=["a1"], attack="R1")
    assert [reason["code"] for reason in error["reasons"]] == ["wrong_attack"]
    error = game.refused("clear", player="A", cells=["a1", "a2"], attack="R1")
    assert [reason["code"] for reason in error["reasons"]] == ["wrong_attack"]
    assert game.code("clear", player="A", attack="R1") == "illegal_clear"
    game.ok("declare", player="A", attack="R1").ok("clear", player="A", cells=["a1"])
    assert game.json["declared"] is None
    assert match(tray).code("declare", player="B", attack="R1") == "not_your_turn"
    assert match(tray, a=side("5! 10 10")).code("declare", player="A", attack="R1") == "broken_button"


def test_a_clear_by_taps_is_trusted() -> None:
    game = match(a=side("10 10 3!")).ok("clear", player="A", attack="R2", shorts={"B": 2})
    assert game.dials("A") == "10 10 7!"
    state = game.json
    assert state["tray"] == "?????/?????/?????"
    assert state["phase"] == "resolve"
    assert state["last_clear"] | {"kicker": None} == {
        "player": "A",
        "attack": "R2",
        "cells": None,
        "chain": None,
        "heals": {"B": 4},
        "kicker": None,
        "overruled": [],
    }
    match().ok("clear", player="A", attack="Y4")


@pytest.mark.parametrize(
    ("attack", "shorts", "code"),
    [
        ("B1", {}, "broken_button"),
        ("R2", {"Y": 1}, "mixed_colours"),
        ("R2", {"R": 1}, "mixed_colours"),
        ("R1", {"B": 1}, "ends_on_short_circuit"),
        ("R2", {"B": 9}, "wrong_count"),
    ],
)
def test_a_clear_by_taps_that_no_tray_can_hold(attack: str, shorts: dict[str, int], code: str) -> None:
    game = match(a=side("10 10 3!"))
    error = game.refused("clear", player="A", attack=attack, shorts=shorts)
    assert error["code"] == "illegal_clear"
    assert [reason["code"] for reason in error["reasons"]] == [code]
    game.ok("clear", player="A", attack=attack, shorts=shorts, overrule=True)
    assert [reason["code"] for reason in game.json["last_clear"]["overruled"]] == [code]


def test_a_clear_by_taps_may_use_every_cell_in_reach() -> None:
    game = match(a=side("10 10 3!")).ok("clear", player="A", attack="R2", shorts={"B": 8})
    assert game.json["last_clear"]["heals"] == {"B": 16}


def test_an_attacks_own_colour_is_no_bridge_even_where_the_players_overrule() -> None:
    fields = {"player": "A", "attack": "B2", "shorts": {"B": 1, "Y": 1}}
    game = match(a=side("10 5! 3!"))
    error = game.refused("clear", **fields)
    assert [reason["code"] for reason in error["reasons"]] == ["mixed_colours", "broken_button"]
    assert error["reasons"][0]["text"] == "Blue marbles are no short circuits in this clear."
    assert game.ok("clear", **fields, overrule=True).json["last_clear"]["heals"] == {"Y": 2}


def test_the_players_may_overrule() -> None:
    game = match("BYRRR/YBYRB/YBBYY", a=side("10 4! 4!"))
    cells = ["a5", "a4", "b4", "a3", "a2"]
    game.ok("clear", player="A", cells=cells, attack="R4", overrule=True, refill={"a": "YYY"})
    clear = game.json["last_clear"]
    assert (clear["attack"], clear["cells"], clear["chain"]) == ("R4", cells, None)
    assert [reason["code"] for reason in clear["overruled"]] == ["branching"]
    assert clear["heals"] == {"Y": 2}
    assert game.dials("A") == "10 6! 4!"
    assert game.json["tray"] == "BYYY?/YBYB?/YBBYY"
    assert game.json["phase"] == "resolve"


def test_overruling_what_is_legal_is_no_overruling() -> None:
    game = match().ok("clear", player="A", cells=["a1"], attack="R1", overrule=True)
    assert game.json["last_clear"]["overruled"] == []
    assert game.json["last_clear"]["chain"] == ["a1"]
    game = (
        match().ok("declare", player="A", attack="R2").ok("clear", player="A", cells=["a1"], attack="R1", overrule=True)
    )
    assert [reason["code"] for reason in game.json["last_clear"]["overruled"]] == ["wrong_attack"]
    game = match().ok("clear", player="A", cells=["a1"], attack="R4", overrule=True)
    assert [reason["code"] for reason in game.json["last_clear"]["overruled"]] == ["wrong_attack"]
    assert game.json["last_clear"]["attack"] == "R4"


def test_overruling_tells_each_reason_once() -> None:
    game = match("BYRRR/YBYRB/YBBYY").ok("declare", player="A", attack="R2")
    game.ok("clear", player="A", cells=["a5", "a4", "b4", "a3"], attack="R4", overrule=True)
    assert [reason["code"] for reason in game.json["last_clear"]["overruled"]] == ["branching", "wrong_attack"]
    game = match("BYRRR/YBYRB/YBBYY").ok("declare", player="A", attack="R2")
    game.ok("clear", player="A", cells=["a5"], attack="R4", overrule=True)
    assert [reason["code"] for reason in game.json["last_clear"]["overruled"]] == ["wrong_attack"]


def test_nobody_overrules_a_marble_into_being() -> None:
    game = match(".YBRY/YBRBY/BRYBR")
    for cells, code in ((["a1"], "empty_cell"), (["a2", "a2"], "repeated_cell")):
        error = game.refused("clear", player="A", cells=cells, attack="Y1", overrule=True)
        assert [reason["code"] for reason in error["reasons"]] == [code]


# --- short circuits --------------------------------------------------------------------------------------------------

BRIDGE = "RBRYY/YYBYY/BRYRB"


def test_s23_s24_the_bridge_heals_before_the_attack_takes_effect() -> None:
    game = match(BRIDGE, a=side("10 10 7!")).ok("clear", player="A", cells=["a1", "a2", "a3"])
    assert game.dials("A") == "10 10 9"
    game.ok("hit", source="A", hits=[{"player": "A", "button": button, "amount": 1} for button in "RYB"])
    assert game.dials("A") == "9 9 8"


def test_s25_still_broken_it_takes_nothing() -> None:
    game = match(BRIDGE, a=side("10 10 6!")).ok("clear", player="A", cells=["a1", "a2", "a3"])
    game.ok("hit", source="A", hits=[{"player": "A", "button": button, "amount": 1} for button in "RYB"])
    assert game.dials("A") == "9 9 8!"


def test_s26_heals_are_told_before_the_cap() -> None:
    game = match("RBBBR/YYYYY/BRYRB", a=side("10 10 7!")).ok("clear", player="A", cells=["a1", "a2", "a3", "a4", "a5"])
    assert (game.dials("A"), game.json["last_clear"]["heals"]) == ("10 10 10", {"B": 6})


def test_s29_a_flipped_colour_is_no_bridge() -> None:
    game = match(BRIDGE, a=side("10 10 7!")).ok("flip", player="A", button="B")
    error = game.refused("clear", player="A", cells=["a1", "a2", "a3"])
    assert "mixed_colours" in [reason["code"] for reason in error["reasons"]]


def test_s30_the_repaired_colour_attacks_from_the_next_turn() -> None:
    game = match(BRIDGE, a=side("10 10 7!")).ok("clear", player="A", cells=["a1", "a2", "a3"], refill={"a": "BBB"})
    assert game.code("clear", player="A", cells=["a3"]) == "already_cleared"
    game.ok("end_turn", player="A").ok("clear", player="B", cells=["c1"]).ok("end_turn", player="B")
    game.ok("clear", player="A", cells=["a3"])
    assert game.json["last_clear"]["attack"] == "B1"


def test_s32_the_way_that_was_really_pulled_heals() -> None:
    tray = "RBBRY/YBBYY/YYYYY"
    short, long = ["a1", "a2", "a3", "a4"], ["a1", "a2", "b2", "b3", "a3", "a4"]
    for cells, hp in ((short, 5), (long, 9)):
        game = match(tray, a=side("10 10 1!")).ok("clear", player="A", cells=cells)
        assert game.dials("A") == f"10 10 {hp}" + ("!" if hp < 9 else "")
    assert match(tray, a=side("10 10 1!"), detours=False).code("clear", player="A", cells=long) == "illegal_clear"
    match(tray, a=side("10 10 1!"), detours=False).ok("clear", player="A", cells=short)


def test_s34_each_colour_heals_its_own_dial() -> None:
    game = match("RBYRB/YYBYY/BRYRB", a=side("10 5! 6!")).ok("clear", player="A", cells=["a1", "a2", "a3", "a4"])
    assert (game.dials("A"), game.json["last_clear"]["heals"]) == ("10 7! 8!", {"Y": 2, "B": 2})


def test_only_the_own_broken_colours_are_bridges() -> None:
    assert match(BRIDGE, b=side("10 10 7!")).code("clear", player="A", cells=["a1", "a2", "a3"]) == "illegal_clear"


# --- fans and kickers ------------------------------------------------------------------------------------------------


def test_t14_t17_t18_a_kicker_needs_the_fan_of_its_colour_and_does_not_spend_it() -> None:
    game = cleared(a=side(fans="R"))
    assert game.json["last_clear"]["kicker"] is True
    assert game.json["players"]["A"]["fans"] == ["R"]
    assert cleared(a=side(fans="YB")).json["last_clear"]["kicker"] is False
    assert cleared(b=side(fans="R")).json["last_clear"]["kicker"] is False


def test_t15_a_fan_taken_by_the_attack_is_too_late() -> None:
    assert cleared().ok("fan", player="A", fan="R").json["last_clear"]["kicker"] is False


def test_t16_a_fan_lost_after_the_turn_began_still_counts() -> None:
    game = match(a=side(fans="R")).ok("declare", player="A", attack="R1").ok("fan", player="B", fan="R")
    assert game.ok("clear", player="A", cells=["a1"]).json["last_clear"]["kicker"] is True
    game = match(a=side(fans="R"), fan_snapshot="after_start_effects").ok("declare", player="A", attack="R1")
    game.ok("fan", player="B", fan="R")
    assert game.ok("clear", player="A", cells=["a1"]).json["last_clear"]["kicker"] is True


def test_t19_t20_fans_come_from_the_stage_or_the_opponent() -> None:
    game = match(b=side(fans="BY")).ok("fan", player="A", fan="B").ok("fan", player="A", fan="R")
    assert game.json["players"]["A"]["fans"] == ["R", "B"]
    assert game.json["players"]["B"]["fans"] == ["Y"]
    assert game.json["stage_fans"] == []


def test_a_fan_one_holds_already_is_no_event() -> None:
    game = match(a=side(fans="R")).ok("begin").ok("fan", player="A", fan="R")
    assert game.reply["events"] == []


def test_t24_a_fan_from_a_start_effect() -> None:
    game = match().ok("fan", player="A", fan="R").ok("clear", player="A", cells=["a1"])
    assert game.json["last_clear"]["kicker"] is False
    later = (
        match(fan_snapshot="after_start_effects").ok("fan", player="A", fan="R").ok("clear", player="A", cells=["a1"])
    )
    assert later.json["last_clear"]["kicker"] is True
    lost = match(a=side(fans="R"), fan_snapshot="after_start_effects").ok("fan", player="B", fan="R")
    assert lost.ok("clear", player="A", cells=["a1"]).json["last_clear"]["kicker"] is False


def test_the_next_player_starts_with_the_fans_of_that_moment() -> None:
    game = cleared().ok("fan", player="B", fan="B").ok("end_turn", player="A")
    assert game.ok("clear", player="B", cells=["c1"]).json["last_clear"]["kicker"] is True


def test_a_corrected_fan_stood_there_all_along() -> None:
    game = match().ok("begin").ok("correct", fan="R", place="A").ok("clear", player="A", cells=["a1"])
    assert game.json["last_clear"]["kicker"] is True
    game = match(a=side(fans="R")).ok("correct", fan="R", place="stage").ok("clear", player="A", cells=["a1"])
    assert game.json["last_clear"]["kicker"] is False
    assert cleared().ok("correct", fan="R", place="A").json["last_clear"]["kicker"] is False


@pytest.mark.parametrize("place", ["A", "B"])
def test_moving_one_fan_leaves_the_others_where_they_stood(place: str) -> None:
    game = match(a=side(fans="RB")).ok("begin").ok("correct", fan="Y", place=place)
    assert game.json["fans_at_start"] == (["R", "Y", "B"] if place == "A" else ["R", "B"])
    game = match(a=side(fans="RB"), fan_snapshot="after_start_effects").ok("fan", player=place, fan="Y")
    assert game.json["fans_at_start"] == (["R", "Y", "B"] if place == "A" else ["R", "B"])


# --- destroying ------------------------------------------------------------------------------------------------------


def test_t25_t26_anywhere_and_one_after_the_other() -> None:
    game = cleared().ok("destroy", player="A", cells=["c1", "c2"], refill={"c": "YY"})
    assert game.json["tray"].endswith("/YBRYY")
    game.ok("destroy", player="A", cells=["c5"], refill={"c": "R"}).ok("destroy", player="B", cells=["c5"])
    assert game.json["tray"].endswith("/YBRY?")
    assert game.json["last_clear"]["cells"] == ["a1"]  # T29


def test_t28_destroying_none_is_allowed() -> None:
    game = match().ok("destroy", player="B", cells=[])
    assert (game.json["phase"], game.reply["events"]) == ("opening", [])
    assert cleared().ok("destroy", player="A", cells=[]).reply["events"] == []


def test_there_must_be_a_marble_to_destroy() -> None:
    game = match(".YBRY/YBRB?/BRYBR")
    error = game.refused("destroy", player="B", cells=["a1", "a2"])
    assert (error["code"], error["cells"]) == ("empty_cell", ["a1"])
    assert game.code("destroy", player="B", cells=["a2", "a2"]) == "bad_value"
    assert game.code("destroy", player="B", cells=["a6"]) == "bad_value"
    game.ok("destroy", player="B", cells=["b5"], refill={"b": "Y"})


# --- skipped turns, the end ------------------------------------------------------------------------------------------


def test_t36_a_skipped_turn() -> None:
    game = (
        cleared(a=side(fans="")).ok("skip_next", player="B").ok("fan", player="A", fan="Y").ok("end_turn", player="A")
    )
    assert (game.json["turn"], game.json["phase"]) == ("A", "start")
    assert game.json["players"]["B"]["skips_next"] is False
    assert game.ok("clear", player="A", cells=["a1"]).json["last_clear"]["kicker"] is True
    assert game.ok("end_turn", player="A").json["turn"] == "B"


def test_ones_own_next_turn_and_both_can_be_skipped() -> None:
    game = cleared().ok("skip_next", player="A").ok("end_turn", player="A")
    assert game.json["turn"] == "B"
    game.ok("clear", player="B", cells=["c1"]).ok("end_turn", player="B")
    assert game.json["turn"] == "B"
    game = cleared().ok("skip_next", player="A").ok("skip_next", player="B").ok("skip_next", player="B")
    assert game.reply["events"] == []
    game.ok("end_turn", player="A")
    assert game.json["turn"] == "B"


def test_either_player_may_concede_at_any_time() -> None:
    for player, winner in (("A", "B"), ("B", "A")):
        for game in (match(), cleared()):
            game.ok("concede", player=player)
            assert game.json["over"] == {"winner": winner, "reason": "conceded"}
            assert game.json["phase"] == "over"


def test_after_the_end_only_corrections_and_a_new_match() -> None:
    game = match().ok("concede", player="A")
    for do, fields in [
        ("begin", {}),
        ("clear", {"player": "A", "cells": ["a1"]}),
        ("end_turn", {"player": "A"}),
        ("heal", {"player": "A", "button": "R", "amount": 1}),
        ("destroy", {"player": "B", "cells": ["a1"]}),
        ("concede", {"player": "A"}),
    ]:
        assert game.code(do, **fields) == "match_over"
    game.ok("correct", player="A", credits=1).ok("correct", turn="B")
    assert (game.credits("A"), game.json["phase"], game.json["over"]["winner"]) == (1, "over", "B")


def test_marbles_wait_beside_the_tray_until_the_turn_ends() -> None:
    game = match(BRIDGE, a=side("10 10 6!")).ok("clear", player="A", cells=["a1", "a2", "a3"])
    assert game.json["aside"] == {"R": 2, "Y": 0, "B": 1}
    assert game.ok("end_turn", player="A").json["aside"] == {"R": 0, "Y": 0, "B": 0}
    game = match(a=side("10 10 6!")).ok("clear", player="A", attack="R2", shorts={"B": 1})
    assert game.json["aside"] == {"R": 2, "Y": 0, "B": 1}
    assert cleared(marbles_return="at_once").json["aside"] == {"R": 0, "Y": 0, "B": 0}


# --- corrections -----------------------------------------------------------------------------------------------------


def test_corrections_pay_and_heal_nothing() -> None:
    game = match(b=side(credits=0)).ok("correct", player="B", button="R", hp=6, broken=True, credits=2)
    assert (game.dials("B"), game.credits("B"), game.json["over"]) == ("6! 10 10", 2, None)
    game.ok("correct", player="B", button="R", broken=False)
    assert game.dials("B") == "6 10 10"
    game.ok("correct", player="B", button="R", hp=8, broken=True)
    assert game.dials("B") == "8! 10 10"


@pytest.mark.parametrize(
    "fields",
    [
        {"hp": 0},
        {"hp": 11},
        {"broken": True},  # a broken dial of 10 HP
        {"hp": 9, "broken": True},
        {"hp": 0, "broken": True},
        {"hp": 4.0},
        {"hp": True},
        {"hp": "4"},
        {"hp": None},
        {"broken": 1},
    ],
)
def test_a_dial_that_cannot_be(fields: dict[str, object]) -> None:
    assert match().code("correct", player="A", button="R", **fields) == "bad_value"


def test_several_corrections_at_once_or_none() -> None:
    game = match().ok("correct", fan="Y", place="B", cell="a2", colour="?", turn="B")
    assert game.json["players"]["B"]["fans"] == ["Y"]
    assert game.json["tray"] == "R?BRY/YBRBY/BRYBR"
    assert game.json["fans_at_start"] == ["Y"]
    # one that cannot be leaves the others undone
    assert game.code("correct", player="A", credits=1, cell="a2", colour="G") == "bad_value"
    assert game.credits("A") == 4


def test_a_corrected_turn_begins_afresh() -> None:
    game = cleared(a=side("10 10 4!")).ok("correct", turn="B")
    assert (game.json["turn"], game.json["phase"]) == ("B", "start")
    game.ok("clear", player="B", cells=["c1"])


def test_taking_the_tray_as_it_is_leaves_the_turn() -> None:
    game = match().ok("begin").ok("correct", tray="YYBRY/YBRBY/BRYBR")
    assert game.json["turn"] == "A"
    assert game.code("end_turn", player="A") == "must_clear"
