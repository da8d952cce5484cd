"""What is due is worked off: by itself, by answers, or not at all (rulebook: Resolving an Attack).

Boards are made for the test; the ids are the cases of the rules in words (S.., T..).
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.log import MemoryLog
from companion.rules.rematch.fighters import Board, board_from_json, board_to_json
from companion.rules.rematch.game import REMATCH, Rematch
from companion.rules.rematch.markers import PLACES
from companion.session import Session
from tests.companion.rules.cases import TRAY, Match, side

Json = dict[str, Any]

DEAL = {"do": "deal", "amount": 2}
SKIP = {"do": "skip"}
NOTE = {"do": "note", "text": "Light a lantern."}
BRIDGE = "RBRYY/YYBYY/BRYRB"


def board(*effects: Json, kicker: Any = "none", attack: str = "R1", **rest: Any) -> Json:
    return {"name": "Night Watch", "attacks": {attack: {"effects": list(effects), "kicker": kicker}}, **rest}


def ready(a: Json, b: Json | None = None, tray: str = TRAY, first: str = "A", **rules: Any) -> Match:
    """Set up, still in the opening. `a`, `b`: a board, or a side that holds one."""
    sides = {
        player: value if value is None or "name" not in value else {"board": value}
        for player, value in (("A", a), ("B", b))
    }
    players = {player: value for player, value in sides.items() if value is not None}
    return Match().ok("setup", first=first, tray=tray, players=players, rules=rules)


def made(*effects: Json, a: Json | None = None, b: Json | None = None, kicker: Any = "none", **rest: Any) -> Match:
    """A has made Red-1, which does these effects."""
    own = {**(a or side()), "board": board(*effects, kicker=kicker)}
    return ready(own, b or side(), **rest).ok("clear", player="A", cells=["a1"])


def first(game: Match) -> Json:
    item: Json = game.json["due"][0]
    return item


def answer(game: Match, **fields: Any) -> Match:
    return game.ok("resolve", item=first(game)["id"], **fields)


def dos(game: Match) -> list[str]:
    return [item["effect"]["do"] for item in game.json["due"]]


def parts(game: Match) -> list[str]:
    return [item["part"] for item in game.json["due"]]


def told(game: Match, kind: str) -> list[Json]:
    return [event for event in game.reply["events"] if event["type"] == kind]


# --- who lets things happen ------------------------------------------------------------------------------------------


def test_an_effect_entered_by_hand_never_lets_happen_what_is_due() -> None:
    game = made(DEAL, SKIP, b=side("3 3 4!"))
    hits = [{"player": "B", "button": "R", "amount": 3}]
    # Yellow is the only live dial now, but this may have been the very hit that is due
    game.ok("hit", source="A", hits=hits)
    assert (dos(game), game.json["players"]["B"]["buttons"]["Y"]["hp"]) == (["deal", "skip"], 5)
    assert first(game)["choice"] == {"kind": "done"}
    answer(game, done=True)
    assert (dos(game), game.json["players"]["B"]["buttons"]["Y"]["hp"]) == ([], 3)
    assert [event["by_itself"] for event in told(game, "resolved")] == [False, True]


@pytest.mark.parametrize(
    ("do", "fields"),
    [
        ("heal", {"player": "B", "button": "R", "amount": 1}),
        ("fan", {"player": "B", "fan": "Y"}),
        ("pay", {"player": "B", "credits": 1}),
        ("destroy", {"player": "B", "cells": ["c1"]}),
        ("skip_next", {"player": "A"}),
        ("marker", {"player": "B", "name": "own", "place": "R"}),
        ("correct", {"player": "B", "credits": 2}),
        ("correct", {"cell": "c1", "colour": "?"}),
    ],
)
def test_nothing_else_touches_the_list(do: str, fields: Json) -> None:
    game = made(DEAL, SKIP, b=side("5 5 5"))
    before = game.json["due"]
    assert game.ok(do, **fields).json["due"] == before
    assert "resolved" not in [event["type"] for event in game.reply["events"]]


def test_a_correction_lets_nothing_happen() -> None:
    game = made(DEAL, SKIP, b=side("3 3 3!"))
    game.ok("correct", player="B", button="R", broken=True)
    assert [event["type"] for event in game.reply["events"]] == ["corrected"]
    assert (dos(game), game.dials("B")) == (["deal", "skip"], "3! 3 3!")
    # what would have been chosen is as good as "done"
    assert answer(game, button="Y").dials("B") == "3! 1 3!"


def test_a_correction_of_the_turn_begins_another_one_and_names_what_was_undone() -> None:
    own = {**side("5 5 5"), "board": board(DEAL, start=[{"do": "heal", "amount": 1}, SKIP])}
    game = ready({"board": board(DEAL)}, own).ok("clear", player="A", cells=["a1"])
    game.ok("correct", turn="B")
    (corrected,) = told(game, "corrected")
    assert [item["effect"]["do"] for item in corrected["left"]] == ["deal"]
    assert (parts(game), dos(game)) == (["start", "start"], ["heal", "skip"])
    assert [event["type"] for event in game.reply["events"]] == ["corrected", "due_listed"]


def test_what_is_dropped_did_not_happen() -> None:
    game = made(DEAL, SKIP)
    answer(game, drop=True)
    (dropped, after) = told(game, "resolved")
    assert (dropped["answer"], dropped["by_itself"], after["by_itself"]) == ({"drop": True}, False, True)
    assert (game.dials("B"), game.json["due"]) == ("10 10 10", [])


def test_the_first_command_of_a_match_comes_after_the_start_effects() -> None:
    start = [{"do": "take_all", "amount": 1}]
    game = ready({"board": board(DEAL, start=start)}).ok("clear", player="A", cells=["a1"])
    kinds = [event["type"] for event in game.reply["events"]]
    assert kinds.index("hit") < kinds.index("cleared")
    assert game.dials("A") == "9 9 9"


def test_start_effects_that_end_the_match_leave_no_time_for_a_clear() -> None:
    own = {**side("1 1 1", credits=0), "board": board(DEAL, start=[{"do": "take_all", "amount": 1}])}
    game = ready(own)
    assert game.code("clear", player="A", cells=["a1"]) == "not_now"
    assert game.code("end_turn", player="A") == "not_now"
    assert game.ok("begin").json["over"] == {"winner": "B", "reason": "cannot_pay"}


def test_nor_do_those_of_a_corrected_turn() -> None:
    own = {**side("1 1 1", credits=0), "board": board(DEAL, start=[{"do": "take_all", "amount": 1}])}
    game = ready({}, own).ok("begin").ok("correct", turn="B")
    error = game.refused("clear", player="B", cells=["c1"])
    assert (error["code"], "resolve what is due" in error["text"]) == ("not_now", True)
    assert answer(game, done=True).json["over"] == {"winner": "A", "reason": "cannot_pay"}


def test_a_clear_comes_too_late_for_start_effects_that_were_not_entered() -> None:
    own = {**side("5 5 5"), "board": board(DEAL, start=[{"do": "heal", "amount": 1}])}
    game = ready(own).ok("begin").ok("clear", player="A", cells=["a1"])
    (listed,) = told(game, "due_listed")
    assert [item["part"] for item in listed["left"]] == ["start"]
    assert parts(game) == ["attack"]


def test_an_x_of_cleared_marbles_counts_only_those_of_this_turn() -> None:
    heal = {"do": "heal", "amount": "X", "x": "marbles cleared"}
    own = {**side("1 1 1"), "board": board(heal, start=[heal], end=[heal])}
    game = ready({}, own).ok("clear", player="A", cells=["a1"]).ok("end_turn", player="A")
    assert first(game)["choice"] == {"kind": "amount", "x": "marbles cleared"}
    answer(game, amount=4, button="R")
    assert game.dials("B") == "5 1 1"


# --- kickers, short circuits, cards ----------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["mandatory", "optional"])
@pytest.mark.parametrize("when", ["before", "after", "either", "unknown"])
def test_t21_t22_when_a_kicker_comes_and_whether(when: str, rule: str) -> None:
    kicker = {"when": when, "effects": [{"do": "heal", "amount": 1}, NOTE]}
    own = side("5 5 5", fans="R")
    asked = when in ("either", "unknown")
    for chosen in ("before", "after") if asked else (when,):
        game = ready({**own, "board": board(DEAL, DEAL, kicker=kicker)}, kicker=rule)
        game.ok("clear", player="A", cells=["a1"])
        if rule == "optional":
            if when == "after":
                assert parts(game) == ["attack", "attack", "kicker"]
                answer(answer(game, button="R"), button="R")
            assert first(game)["choice"]["kind"] == "yes_no"
            assert "heal 1 on one of your own buttons" in first(game)["choice"]["text"]
            answer(game, yes=True)
        if asked:
            assert first(game)["choice"] == {"kind": "when", "options": ["before", "after"]}
            answer(game, when=chosen)
        attack = [] if rule == "optional" and when == "after" else ["attack", "attack"]
        both = ["kicker", "kicker"]
        assert parts(game) == (both + attack if chosen == "before" else attack + both)


@pytest.mark.parametrize("when", ["before", "after", "either"])
def test_a_kicker_that_is_not_wanted_leaves_the_attack(when: str) -> None:
    kicker = {"when": when, "effects": [SKIP]}
    own = {**side(fans="R"), "board": board(DEAL, kicker=kicker)}
    game = ready(own, kicker="optional").ok("clear", player="A", cells=["a1"])
    while game.json["due"]:
        answer(game, **({"yes": False} if first(game)["choice"]["kind"] == "yes_no" else {"button": "R"}))
    assert not game.json["players"]["B"]["skips_next"]
    assert game.dials("B") == "8 10 10"


def test_wanted_and_when_in_one_command() -> None:
    own = {**side(fans="R"), "board": board(DEAL, kicker={"when": "either", "effects": [SKIP]})}
    game = ready(own, kicker="optional").ok("clear", player="A", cells=["a1"])
    assert answer(game, yes=True, when="after").json["players"]["B"]["skips_next"] is False
    assert answer(game, button="R").json["players"]["B"]["skips_next"] is True


def test_either_in_a_kicker_gives_its_own_items() -> None:
    options = [[{"do": "heal", "amount": 1}], [{"do": "deal", "amount": 1}, SKIP]]
    kicker = {"when": "before", "effects": [{"do": "either", "options": options, "if": "a lantern is lit"}]}
    game = made(DEAL, a=side("5 5 5", fans="R"), kicker=kicker)
    answer(game, yes=True)
    assert first(game)["choice"]["options"] == [
        "heal 1 on one of your own buttons",
        "deal 1 to one of the opponent's buttons; the opponent skips the next turn",
    ]
    answer(game, option=1)
    assert (dos(game), parts(game)) == (["deal", "skip", "deal"], ["kicker", "kicker", "attack"])


def test_s30_the_attack_is_that_of_its_own_colour_whatever_a_bridge_repaired() -> None:
    attacks = {"R2": {"effects": [NOTE], "kicker": "none"}, "B2": {"effects": [SKIP], "kicker": "none"}}
    own = {**side("10 10 7!"), "board": {"name": "T", "attacks": attacks}}
    game = ready(own, tray=BRIDGE).ok("clear", player="A", cells=["a1", "a2", "a3"])
    assert (game.dials("A"), dos(game)) == ("10 10 9", ["note"])


def test_s26_the_bridges_heal_at_once_and_no_more_than_the_dial_holds() -> None:
    own = {**side("10 10 7!"), "board": board({"do": "take_all", "amount": 1}, attack="R2")}
    game = ready(own, tray="RBBBR/YYRYY/BRRRB").ok("clear", player="A", cells=["a1", "a2", "a3", "a4", "a5"])
    assert game.dials("A") == "9 9 9"


def test_t33_a_prediction_acts_before_the_attack_which_may_take_the_fan_back() -> None:
    game = ready({"board": board({"do": "fan", "fan": "R"}, NOTE)})
    game.ok("marker", player="B", name="tarot", place="R").ok("clear", player="A", cells=["a1"])
    assert parts(game) == ["prediction", "attack", "attack"]
    game.ok("fan", player="B", fan="R")
    assert game.json["players"]["B"]["fans"] == ["R"]
    answer(game, done=True)
    assert (game.json["players"]["A"]["fans"], game.json["players"]["B"]["fans"], dos(game)) == (["R"], [], ["note"])


def test_t34_t35_a_card_waits_for_the_whole_attack_and_its_kicker() -> None:
    kicker = {"when": "after", "effects": [NOTE]}
    own = {**side(fans="R"), "board": board(DEAL, kicker=kicker, end=[NOTE])}
    game = ready(own).ok("marker", player="B", name="trick card", place="R").ok("clear", player="A", cells=["a1"])
    assert parts(game) == ["prediction", "attack", "kicker", "card", "end"]
    assert game.code("resolve", item=game.json["due"][3]["id"], done=True) == "not_now"


def test_t48_an_amp_in_the_row_comes_before_the_rest_of_the_destroying() -> None:
    game = made({"do": "destroy", "amount": 2}).ok("marker", player="B", name="amp", place="row3")
    answer(game, cells=["a3"], refill={"a": "R"})
    assert (parts(game), dos(game)) == (["prediction", "attack"], ["reminder", "destroy"])
    answer(game, done=True)
    assert (game.json["markers"], first(game)["choice"]) == ([], {"kind": "cells", "most": 1})
    assert "1 destroyed already" in first(game)["text"]
    assert answer(game, done=True).json["due"] == []


# --- forced, or nothing at all ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dials", "asks"),
    [
        ("10 10 10", False),
        ("10 6 10", False),
        ("10 6! 10", True),
        ("10 6 6", True),
        ("10 6! 6!", True),
    ],
)
def test_a_heal_is_a_choice_unless_it_can_do_no_harm(dials: str, asks: bool) -> None:
    game = made({"do": "heal", "amount": 2}, a=side(dials))
    assert bool(game.json["due"]) is asks
    if asks:
        assert first(game)["choice"] == {"kind": "dial", "player": "A", "options": ["R", "Y", "B"]}
        assert answer(game, button="Y").dials("A").split()[1].rstrip("!") == "8"
    else:
        assert game.dials("A").split()[1] in ("8", "10")


def test_a_broken_dial_that_is_healed_to_nine_is_active_again() -> None:
    assert answer(made({"do": "heal", "amount": 3}, a=side("10 6! 10")), button="Y").dials("A") == "10 9 10"


@pytest.mark.parametrize(("own", "options"), [("", "RYB"), ("R", "YB"), ("RY", ""), ("RYB", "")])
def test_t20_t21_any_fan_is_one_that_is_not_there_yet(own: str, options: str) -> None:
    game = made({"do": "any_fan"}, a=side(fans=own))
    assert [item["choice"] for item in game.json["due"]] == (
        [{"kind": "fan", "options": list(options)}] if options else []
    )
    assert len(game.json["players"]["A"]["fans"]) == (len(own) if options else 3)


def test_t19_a_fan_moves_from_the_opponent_directly() -> None:
    game = made({"do": "fan", "fan": "R"}, b=side(fans="R"))
    (taken,) = told(game, "fan_taken")
    assert (taken["from"], taken["to"]) == ("B", "A")


def test_nothing_is_asked_where_nothing_can_be_destroyed() -> None:
    bare = ready({"board": board({"do": "destroy", "amount": 2})}, tray="R..../...../.....")
    assert bare.ok("clear", player="A", cells=["a1"], refill={"a": "."}).json["due"] == []
    game = ready({"board": board({"do": "destroy", "amount": 2}, SKIP)})
    game.ok("marker", player="B", name="shield", place="player B").ok("clear", player="A", cells=["a1"])
    assert game.json["due"] == []


def test_the_last_marble_destroyed_leaves_nothing_to_ask() -> None:
    game = ready({"board": board({"do": "destroy", "amount": 2}, SKIP)}, tray="RY.../...../.....")
    game.ok("clear", player="A", cells=["a1"], refill={"a": "."})
    answer(game, cells=["a1"], refill={"a": "."})
    assert (game.json["due"], game.json["tray"]) == ([], "...../...../.....")


def test_t29_destroyed_marbles_are_not_cleared() -> None:
    game = answer(made({"do": "destroy", "amount": 1}), cells=["c1"], refill={"c": "Y"})
    assert (game.json["aside"], game.json["last_clear"]["cells"]) == ({"R": 1, "Y": 0, "B": 0}, ["a1"])


@pytest.mark.parametrize("do", ["deal", "deal_all", "take", "take_all", "heal", "destroy", "pay"])
def test_an_amount_of_nothing_does_nothing(do: str) -> None:
    game = made({"do": do, "amount": "X-1", "x": "lanterns"}, a=side("5 5 5"), b=side("5 5 5", credits=0))
    for told_x in (1, 0):
        again = Match()
        again.state = game.state
        assert answer(again, amount=told_x).json["due"] == []
        assert [event["type"] for event in again.reply["events"]] == ["due_listed", "resolved"]


@pytest.mark.parametrize("name", ["spirit", "Trick cards", "amp", "forced row", "shield", "tarot", "lantern"])
def test_any_marker_fits_on_any_place(name: str) -> None:
    game = made({"do": "marker", "marker": name})
    for place in PLACES:
        again = Match()
        again.state = game.state
        assert answer(again, place=place).json["markers"][0]["place"] == place


# --- several at once -------------------------------------------------------------------------------------------------


def test_a_condition_an_amount_and_a_dial_in_one_command_or_one_after_the_other() -> None:
    effect = {"do": "deal", "amount": "X+1", "x": "lanterns", "if": "a lantern is lit"}
    at_once = answer(made(effect), yes=True, amount=2, button="B")
    slowly = made(effect)
    for fields in ({"yes": True}, {"amount": 2}, {"button": "B"}):
        answer(slowly, **fields)
    assert at_once.json == slowly.json
    assert at_once.dials("B") == "10 10 7"


@pytest.mark.parametrize(
    "fields",
    [
        {"yes": True, "fan": "R"},
        {"yes": False, "amount": 2},
        {"amount": 2},
        {"button": "R"},
        {"yes": True, "button": "R"},
        {"yes": True, "amount": 2, "button": "R", "colour": "R"},
        {"yes": True, "amount": 2, "button": "Y"},
        {"done": True},
    ],
)
def test_an_answer_that_nothing_asked_for_refuses_the_whole_command(fields: Json) -> None:
    effect = {"do": "deal", "amount": "X", "x": "lanterns", "if": "a lantern is lit"}
    game = made(effect, b=side("5 5! 5"))
    error = game.refused("resolve", item=first(game)["id"], **fields)
    assert error["code"] == "bad_value"
    assert error["text"].startswith("resolve: ")
    assert "\n" not in error["text"]
    assert error["text"].endswith(".")


@pytest.mark.parametrize(
    ("effect", "fields", "code", "words"),
    [
        (DEAL, {"fan": "R"}, "bad_value", "needs button (R, Y, B), not fan"),
        ({"do": "any_fan"}, {"fan": "R", "button": "R"}, "bad_value", "has no use for button"),
        ({"do": "either", "options": [[DEAL], [SKIP]]}, {"option": 2}, "bad_value", "has the options 0 to 1, not 2"),
        ({"do": "either", "options": [[DEAL], [SKIP]]}, {"option": 0, "button": "R"}, "bad_value", "no use for button"),
        ({"do": "destroy", "amount": 1}, {"cells": ["c1", "c2"]}, "too_many", "Up to 1"),
        ({"do": "destroy", "amount": 1}, {"cells": ["c1"], "refill": {"a": "RR"}}, "bad_value", "lane a"),
        ({"do": "destroy", "amount": 1}, {"cells": [], "refill": {"a": "R"}}, "bad_command", "refill"),
        ({"do": "deny"}, {"colour": "X"}, "bad_value", "R, Y or B"),
        ({"do": "marker", "marker": "spirit"}, {"place": "d1"}, "bad_value", "a row, a cell, a colour or a player"),
        (NOTE, {"yes": True}, "bad_value", "needs done, not yes"),
    ],
)
def test_each_refusal_says_what_is_needed(effect: Json, fields: Json, code: str, words: str) -> None:
    game = made(effect)
    before = game.bytes
    error = game.refused("resolve", item=first(game)["id"], **fields)
    assert (error["code"], game.bytes) == (code, before)
    assert words in error["text"], error["text"]
    assert not error["text"].endswith("..")


def test_only_the_first_can_be_done_and_the_refusal_names_it() -> None:
    game = made(DEAL, NOTE)
    error = game.refused("resolve", item=game.json["due"][1]["id"], done=True)
    text = f"Item {first(game)['id']} comes first: Player A: deal 2 to one of the opponent's buttons."
    assert (error["code"], error["text"]) == ("not_now", text)
    assert game.refused("resolve", item=99, done=True)["code"] == "bad_value"
    assert ready({}).ok("begin").code("resolve", item=1, done=True) == "not_now"


# --- the end of a turn and of a match --------------------------------------------------------------------------------


def test_t47_what_was_left_is_named_when_the_turn_ends_and_does_not_hold_it() -> None:
    kicker = {"when": "after", "effects": [{"do": "unknown"}]}
    own = {**side("5 5 5", fans="R"), "board": board(DEAL, kicker=kicker, end=[{"do": "heal", "amount": 1}])}
    game = ready(own).ok("clear", player="A", cells=["a1"])
    assert parts(game) == ["attack", "kicker", "end"]
    game.ok("end_turn", player="A")
    (ended,) = told(game, "turn_ended")
    assert [item["effect"]["do"] for item in ended["left"]] == ["deal", "heal"]
    assert (game.json["due"], game.json["turn"]) == ([], "B")


def test_end_effects_of_a_turn_without_a_clear_are_named() -> None:
    own = {**side(), "board": board(DEAL, end=[NOTE])}
    game = ready(own, tray="...../...../RRRRR").ok("end_turn", player="A")
    (ended,) = told(game, "turn_ended")
    assert [item["part"] for item in ended["left"]] == ["end"]


def test_t36_a_skipped_turn_has_neither_start_nor_end_effects() -> None:
    other = board(DEAL, start=[{"do": "take_all", "amount": 1}], end=[NOTE])
    game = ready({"board": board(SKIP)}, other).ok("clear", player="A", cells=["a1"]).ok("end_turn", player="A")
    (ended,) = told(game, "turn_ended")
    assert (ended["skipped"], ended["left"], game.dials("B"), game.json["due"]) == (["B"], [], "10 10 10", [])


def test_start_effects_run_when_the_turn_begins_and_may_end_the_match() -> None:
    other = {**side("1 5 5", credits=0), "board": board(DEAL, start=[{"do": "take_all", "amount": 1}, NOTE])}
    game = ready({"board": board(NOTE)}, other).ok("clear", player="A", cells=["a1"]).ok("end_turn", player="A")
    assert (game.json["over"], game.json["due"]) == ({"winner": "A", "reason": "cannot_pay"}, [])


def test_the_end_of_the_match_empties_the_list_and_undo_brings_it_back() -> None:
    session = Session(REMATCH, MemoryLog())
    players = {"A": {"board": board(DEAL, SKIP, DEAL)}, "B": {**side("1 1 1", credits=0)}}
    session.submit({"do": "setup", "first": "A", "tray": TRAY, "players": players})
    session.submit({"do": "clear", "player": "A", "cells": ["a1"]})
    before = json.dumps(session.state_json)
    item = now(session)["due"][0]["id"]
    state = session.submit({"do": "resolve", "item": item, "button": "R"}).body["state"]
    assert (state["over"]["winner"], state["due"]) == ("A", [])
    assert session.submit({"do": "resolve", "item": item + 1, "done": True}).body["error"]["code"] == "match_over"
    session.submit({"do": "undo"})
    assert json.dumps(session.state_json) == before


def test_t38_an_attacker_who_cannot_pay_goes_on_and_loses_when_the_turn_ends() -> None:
    game = made({"do": "take_all", "amount": 1}, DEAL, a=side("1 5 5", credits=0))
    assert (game.json["over"], dos(game)) == (None, ["deal"])
    game.ok("end_turn", player="A")
    assert game.json["over"] == {"winner": "B", "reason": "cannot_pay"}


def test_t37_t39_unless_the_defender_cannot_either() -> None:
    game = made({"do": "take_all", "amount": 1}, DEAL, a=side("1 5 5", credits=0), b=side("1 5 5", credits=0))
    assert answer(game, button="R").json["over"] == {"winner": "A", "reason": "both_cannot_pay"}


def test_t43_a_forced_credit_that_is_not_there() -> None:
    assert made({"do": "pay"}, b=side(credits=0)).json["over"] == {"winner": "A", "reason": "cannot_pay"}
    assert made({"do": "pay"}, b=side(credits=0), forced_credit_unpaid="ignored").json["over"] is None
    game = made({"do": "pay", "who": "self"}, SKIP, a=side(credits=0))
    assert game.json["over"] is None
    assert game.json["players"]["A"]["cannot_pay"]


def test_breaks_may_be_settled_at_the_end_of_the_attack() -> None:
    twice = ({"do": "deal_all", "amount": 1}, {"do": "deal_all", "amount": 1})
    game = made(*twice, b=side("1 2 9"), breaks_settle="attack_end")
    assert (game.credits("B"), game.dials("B"), game.json["players"]["B"]["owed"]) == (4, "0! 0! 7", 3)
    game.ok("end_turn", player="A")
    assert (game.credits("B"), game.dials("B")) == (1, "3! 3! 10")
    assert made(*twice, b=side("1 2 9")).dials("B") == "1! 1 8"


# --- the log ---------------------------------------------------------------------------------------------------------


def now(session: Session) -> Json:
    state = session.state_json
    assert state is not None
    return state


def replayed(session: Session, game: Rematch | None = None) -> Session:
    copy = MemoryLog()
    for record in session._log.records():
        copy.append(record.kind, *json.loads(json.dumps([record.command, record.events, record.error])))
    return Session(game or REMATCH, copy)


def resolving_first(session: Session, **fields: Any) -> Json:
    body = session.submit({"do": "resolve", "item": now(session)["due"][0]["id"], **fields}).body
    assert body["ok"], body
    return body


def named_match() -> Session:
    watch = board_from_json("", board({"do": "take_all", "amount": 1}, DEAL, NOTE))
    session = Session(Rematch({"Night Watch": watch, "Ace": Board("Ace")}), MemoryLog())
    players = {"A": {"fighter": "night  WATCH"}, "B": {"fighter": "ace"}}
    assert session.submit({"do": "setup", "first": "A", "tray": TRAY, "players": players}).accepted
    assert now(session)["players"]["A"]["board"] == board_to_json(watch)
    assert session.submit({"do": "clear", "player": "A", "cells": ["a1"]}).accepted
    return session


def test_a_match_with_boards_needs_none_of_them_when_it_is_replayed() -> None:
    session = named_match()
    resolving_first(session, button="Y")
    again = replayed(session)
    assert again.state_json == session.state_json
    assert again.state == session.state
    for one in (session, again):
        assert resolving_first(one, done=True)["state"]["due"] == []


def test_undo_takes_a_command_with_everything_that_happened_by_itself() -> None:
    session = named_match()
    after = json.dumps(session.state_json)
    assert now(session)["players"]["A"]["buttons"]["R"]["hp"] == 9
    session.submit({"do": "undo"})
    assert (now(session)["players"]["A"]["buttons"]["R"]["hp"], now(session)["due"]) == (10, [])
    session.submit({"do": "redo"})
    assert json.dumps(session.state_json) == after


def test_an_amended_attack_keeps_the_answers_that_still_have_a_question() -> None:
    attacks = {
        "R1": {"effects": [DEAL, NOTE], "kicker": "none"},
        "Y1": {"effects": [SKIP, NOTE, DEAL], "kicker": "none"},
        "B1": {"effects": [{"do": "heal", "amount": 1}], "kicker": "none"},
    }
    session = Session(REMATCH, MemoryLog())
    players = {"A": {**side("5 5 5"), "board": {"name": "T", "attacks": attacks}}}
    session.submit({"do": "setup", "first": "A", "tray": TRAY, "players": players})
    session.submit({"do": "clear", "player": "A", "attack": "R1"})
    resolving_first(session, button="Y")
    resolving_first(session, done=True)
    clear = {"do": "clear", "player": "A", "attack": "Y1"}
    body = session.submit({"do": "amend", "seq": 2, "command": clear}).body
    # the note stands before the damage by now: what came later is not first, and is listed; the note itself is done
    assert [misfit["error"]["code"] for misfit in body["misfits"]] == ["not_now"]
    assert [item["effect"]["do"] for item in body["state"]["due"]] == ["deal"]
    body = session.submit({"do": "amend", "seq": 2, "command": {**clear, "attack": "B1"}}).body
    assert [misfit["error"]["text"] for misfit in body["misfits"]] == ["What it was about is not there."] * 2
    assert [item["effect"]["do"] for item in body["state"]["due"]] == ["heal"]
    body = session.submit({"do": "amend", "seq": 2, "command": {**clear, "attack": "R1"}}).body
    assert (body["misfits"], body["state"]["due"]) == ([], [])
    assert body["state"]["players"]["B"]["buttons"]["Y"]["hp"] == 8
    assert replayed(session).state_json == session.state_json


# --- what players read -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("effect", "text"),
    [
        (DEAL, "Player A: deal 2 to one of the opponent's buttons."),
        (NOTE, "Player A: Light a lantern."),
        ({"do": "unknown"}, "Player A: the attack is not on record; enter what it does by taps."),
        (
            {"do": "unknown", "text": "worn off"},
            "Player A: the attack is not on record (worn off); enter what it does by taps.",
        ),
        (
            {"do": "pay", "if": "the opponent holds a fan"},
            "Player A: if the opponent holds a fan: the opponent pays 1 credit.",
        ),
        (
            {"do": "deal", "amount": "X-1", "x": "lanterns"},
            "Player A: deal X-1 (X: lanterns) to one of the opponent's buttons.",
        ),
        ({"do": "destroy", "amount": 1}, "Player A: destroy up to 1 marble."),
    ],
)
def test_what_is_due_in_one_sentence(effect: Json, text: str) -> None:
    assert first(made(effect))["text"] == text


def test_when_it_is_not_the_attack_itself_the_sentence_says_so() -> None:
    kicker = {"when": "either", "effects": [DEAL, NOTE]}
    own = {**side(fans="R"), "board": board(NOTE, {"do": "unknown"}, kicker=kicker, start=[DEAL], end=[NOTE])}
    game = ready(own).ok("begin")
    assert first(game)["text"] == "Player A, start of the turn: deal 2 to one of the opponent's buttons."
    game.ok("clear", player="A", cells=["a1"])
    assert [item["text"] for item in game.json["due"]] == [
        "Player A, kicker, before or after the attack: deal 2 to one of the opponent's buttons; Light a lantern.",
        "Player A: Light a lantern.",
        "Player A: the rest of the attack is not on record; enter what it does by taps.",
        "Player A, end of the turn: Light a lantern.",
    ]
    answer(game, when="before")
    assert first(game)["text"] == "Player A, kicker: deal 2 to one of the opponent's buttons."


@pytest.mark.parametrize(
    ("rest", "question"),
    [
        ({"if": "you hold no fan"}, "Is it so: you hold no fan? If yes: take any one fan."),
        ({"optional": True}, "Do it: take any one fan?"),
        (
            {"if": "you hold no fan", "optional": True},
            "Is it so, and is it wanted: you hold no fan? If yes: take any one fan.",
        ),
    ],
)
def test_a_question_says_its_condition_once(rest: Json, question: str) -> None:
    game = made({"do": "any_fan", **rest})
    assert first(game)["choice"] == {"kind": "yes_no", "text": question}
    answer(game, yes=True)
    assert first(game)["text"] == "Player A: take any one fan."


def test_an_amount_that_was_told_is_said_as_a_number() -> None:
    game = answer(made({"do": "deal", "amount": "X-1", "x": "lanterns"}), amount=4)
    assert first(game)["text"] == "Player A: deal 3 to one of the opponent's buttons."
