"""Where something just is allowed and just is not any more: what mutants (tests/slow/mutate_rules.py) got away with."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.rules.notation import NotationError, Tag
from companion.rules.rematch import lines
from companion.rules.rematch.board_text import board_lines
from companion.rules.rematch.chains import judge
from companion.rules.rematch.evidence import Reading, Sides, Sighting, explain, why_not
from companion.rules.rematch.notation import REMATCH_NOTATION
from companion.rules.rematch.tray import CELLS, Tray
from tests.companion.rules.cases import Match, match, side
from tests.companion.rules.test_due import answer, due, played, refused

BEFORE = Tray.parse("RYBRY/YBRBY/BRYYR")
B3 = Tray.parse("RYBRY/YBBYR/BRYYR")
"""BEFORE after b3 was pulled and a red came down."""
COUNTED = {"a": 0, "b": 1, "c": 0}


# --- chains ----------------------------------------------------------------------------------------------------------


def test_of_several_shorter_ways_the_shortest_is_named() -> None:
    tray = Tray.parse("YRBBY/RBBBY/YYYYY")
    found = judge(tray, "A", ["a2", "a3", "a4", "b4", "b3", "b2", "b1"], "B", None, detours=False)
    assert [reason.code for reason in found.reasons] == ["detour"]
    assert found.reasons[0].text.endswith(": a2-b2-b1.")
    assert found.reasons[0].cells == ("a3", "a4", "b3", "b4")


def parts(cells: set[str]) -> int:
    """How many pieces the cells fall into."""
    count = 0
    left = set(cells)
    while left:
        count += 1
        edge = {left.pop()}
        while edge:
            x, y = "abc".index((cell := edge.pop())[0]), int(cell[1])
            near = {f"{'abc'[i]}{j}" for i, j in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if 0 <= i <= 2}
            edge |= near & left
            left -= near
    return count


def test_a_fork_is_where_three_arms_meet() -> None:
    rng = random.Random(4)
    tray = Tray.parse("RRRRR/RRRRR/RRRRR")
    forks = 0
    for _ in range(2000):
        cells = set(rng.sample(CELLS, rng.randint(4, 8)))
        reason = next((r for r in judge(tray, "A", sorted(cells), "").reasons if r.code == "branching"), None)
        if reason is None:
            continue
        joints = {cell for cell in cells if parts(cells - {cell}) > 2}
        if joints:
            forks += 1
            assert set(reason.cells) == joints
    assert forks > 20


# --- evidence --------------------------------------------------------------------------------------------------------


def test_an_explanation_says_nothing_that_is_not_so() -> None:
    for after, drops in ((BEFORE, None), (B3, COUNTED), (BEFORE, {"a": 0, "b": 0, "c": 2})):
        found = explain(BEFORE, after, "A", "", drops)
        assert not found.contradicted
    assert not explain(BEFORE, BEFORE, "A").late
    # one drop and the same lane: no second one that could have been pulled
    assert not explain(BEFORE, BEFORE, "A", "", {"a": 1, "b": 0, "c": 0}).late
    impossible = explain(BEFORE, B3, "A", "", {"b": 0})
    assert (impossible.late, impossible.contradicted) == (False, False)


def test_equally_good_means_equal_when_there_is_no_margin() -> None:
    found = explain(BEFORE, B3, "A", "", COUNTED, margin=0.0)
    assert found.readings == (Reading(("b3",), "R1", True),)
    late = explain(
        Tray.parse("RBRYY/RBRBY/BRBRY"), Tray.parse("RBRYB/RBRBY/BRBRY"), "A", "", {"a": 2, "b": 0, "c": 0}, margin=0.0
    )
    assert late.late  # fmt: skip


def test_from_two_on_sightings_are_left_out() -> None:
    for weight, contradicted in ((1.99, False), (2.0, True)):
        seen = [Sighting("YYBRY/?????/?????", {"a": 0, "b": 0, "c": 0}, weight)]
        assert explain(BEFORE, B3, "A", "", COUNTED, None, seen).contradicted == contradicted
        gap = Tray.parse("RYBR./YBRBY/BRYYR")
        found = explain(
            gap, BEFORE, "A", "", {"a": 1, "b": 0, "c": 0}, None, [Sighting("?????/BBRBY/?????", None, weight)]
        )
        assert (found.untouched, found.contradicted) == (True, contradicted)  # fmt: skip


def test_a_sighting_weighs_less_than_a_third_of_the_margin_a_cell() -> None:
    (reading,) = explain(BEFORE, B3, "A", "", COUNTED, None, [Sighting("YYBRY/?????/?????")]).readings
    assert reading.misfit == pytest.approx(0.3)


def test_a_newcomer_s_lane_is_named() -> None:
    reasons = why_not(BEFORE, "A", "", ("b3", "bnew"))
    assert [reason.code for reason in reasons] == ["rolled_in_while_pulling"]
    assert "lane b" in reasons[0].text


def test_of_equally_likely_illegal_readings_the_first_is_told() -> None:
    before = Tray.parse("RYBRY/YBRBY/YYRBR")
    found = explain(before, Tray.parse("RYBRY/YBRBY/YRBRB"), "A", "", {"a": 0, "b": 0, "c": 1})
    assert [reading.cells for reading in found.readings] == [("c1",), ("c2",)]
    assert found.cells == ("c1",)


def test_sides_are_asked_of_their_lane() -> None:
    sides = Sides(turned=("a1", "b2"), alike=("b5", "c3"))
    assert [sides.of(lane) for lane in "abc"] == [([1], []), ([2], [5]), ([], [3])]


# --- commands --------------------------------------------------------------------------------------------------------


def test_paying_all_one_has_is_paying() -> None:
    game = match(a=side(credits=2)).ok("pay", player="A", credits=2)
    assert (game.credits("A"), game.json["over"]) == (0, None)
    assert match(a=side(credits=2)).ok("pay", player="A", credits=3).json["over"] is not None


def test_the_same_cell_twice_is_no_destroying() -> None:
    error = match().ok("begin").refused("destroy", player="A", cells=["a1", "a1"])
    assert (error["code"], error["text"]) == ("bad_value", "destroy: cells names a1 more than once.")


def test_no_short_circuits_may_be_told_as_none() -> None:
    game = match(a=side("10 10 4!")).ok("clear", player="A", attack="R1", shorts={"B": 0})
    assert game.json["last_clear"]["heals"] == {}


def test_marbles_of_an_overruled_attack_are_no_short_circuits_of_it() -> None:
    """Blue is broken, and the players let a Blue attack stand."""
    game = match("BBRRY/YBRBY/BRYYR", a=side("10 10 4!"))
    game.ok("clear", player="A", cells=["a1", "a2"], attack="B2", overrule=True)
    assert game.json["last_clear"]["heals"] == {}
    game = match("BBRRY/YBRBY/BRYYR", a=side("10 10 4!"))
    game.ok("clear", player="A", cells=["a1", "a2", "a3"], attack="R2", overrule=True)
    assert game.json["last_clear"]["heals"] == {"B": 4}


@pytest.mark.parametrize(("item", "there"), [(10**6, True), (10**6 + 1, False), (0, False)])
def test_the_numbers_of_items(item: int, there: bool) -> None:
    error = played([{"do": "deal", "amount": 1}]).refused("resolve", item=item, done=True)
    assert ("there is no item" in error["text"]) == there
    assert ("from 1 to 1000000" in error["text"]) == (not there)


def test_six_options_at_most() -> None:
    options = [[{"do": "heal", "amount": n}] for n in range(1, 7)]
    game = played([{"do": "either", "options": options}], a=side("1 1 1"))
    assert "from 0 to 5" in refused(game, option=6)["text"]
    answer(game, option=5)
    assert due(game) == [("attack", "heal", "dial")]
    answer(game, button="R")
    assert game.dials("A") == "7 1 1"


def test_a_kicker_that_comes_after_comes_before_the_end_of_the_turn() -> None:
    kicker = {"when": "either", "effects": [{"do": "note", "text": "kicker"}]}
    end = {"end": [{"do": "note", "text": "end"}, {"do": "note", "text": "end 2"}]}
    game = played([{"do": "note", "text": "attack"}], kicker, fans="R", more=end)
    assert due(game)[0] == ("kicker", "kicker", "when")
    answer(game, when="after")
    assert [item["part"] for item in game.json["due"]] == ["attack", "kicker", "end", "end"]


def test_what_a_board_leaves_unknown_is_named_by_its_own_part() -> None:
    kicker = {"when": "after", "effects": [{"do": "note", "text": "focus"}, {"do": "unknown"}]}
    game = played([{"do": "unknown"}], kicker, fans="R")
    texts = [item["text"] for item in game.json["due"] if item["effect"]["do"] == "unknown"]
    assert "the attack is not on record" in texts[0]
    assert "the rest of the kicker is not on record" in texts[1]


@pytest.mark.parametrize(
    ("fields", "accepted"),
    [
        ({"player": "A", "button": "R", "hp": 3, "broken": True}, True),
        ({"player": "A", "button": "Y", "hp": 3, "broken": True}, False),
        ({"player": "B", "button": "R", "hp": 3, "broken": True}, False),
        ({"player": "A", "credits": 1}, False),
        ({}, False),
    ],
)
def test_a_turn_is_corrected_when_what_could_not_be_paid_is(fields: dict[str, Any], accepted: bool) -> None:
    """A's red dial broke in A's own attack and A could not pay: A loses when the turn ends, unless it was not so."""
    game = match(a=side("1 10 10", credits=0)).ok("clear", player="A", cells=["a1"])
    game.ok("hit", source="A", hits=[{"player": "A", "button": "R", "amount": 1}])
    assert game.json["players"]["A"]["cannot_pay"]
    told: Match = game.do({"do": "correct", "turn": "B", **fields})
    assert told.reply["ok"] == accepted


# --- boards as text --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("spare", "lines"), [(0, 1), (1, 2)])
def test_a_line_of_a_board_has_96_letters_at_most(spare: int, lines: int) -> None:
    effects: list[dict[str, Any]] = [{"do": "deal", "amount": 2}, {"do": "note", "text": ""}]
    bare = len('R1: deal 2, note ""')
    effects[1]["text"] = "x" * (96 - bare + spare)
    told = board_lines({"name": "Ours", "attacks": {"R1": {"effects": effects}}})
    assert len(told) == 1 + lines
    if lines == 1:
        assert len(told[1]) == 96


def test_letters_of_any_language_stay_readable() -> None:
    assert board_lines({"name": "Kähne 火", "attacks": {}})[0] == 'name "Kähne 火"'
    # what the words cannot say is JSON, in the same letters
    assert "火" in board_lines({"name": "火", "attacks": {}, "remarks": []})[0]


# --- commands as text ------------------------------------------------------------------------------------------------


def test_words_that_may_be_left_out() -> None:
    assert lines.read("A pay 1 restores") == {"do": "pay", "player": "A", "credits": 1, "restores": True}
    assert lines.read("A pay 1 restores no")["restores"] is False
    assert [lines.read(f"correct fan r {place}")["place"] for place in ("a", "B", "STAGE")] == ["A", "B", "stage"]


def test_a_whole_set_up_stands_alone() -> None:
    whole = {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR", "weather": "火"}
    (tag,) = REMATCH_NOTATION.setup_tags(whole, match().json)
    assert "火" in tag.block[0]
    assert REMATCH_NOTATION.setup([tag]).items() >= whole.items()
    with pytest.raises(NotationError) as caught:
        REMATCH_NOTATION.setup([tag, Tag("First", "A")])
    assert caught.value.tag == "First"


def test_the_first_thing_that_is_due_is_number_one() -> None:
    game = played([{"do": "deal", "amount": 1}, {"do": "deal", "amount": 2}])
    assert [item["id"] for item in game.json["due"]] == [1, 2]


def test_nobody_who_has_no_fighter_has_a_board_in_the_text() -> None:
    setup = {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"}
    names = [tag.name for tag in REMATCH_NOTATION.setup_tags(setup, match().json)]
    assert "A.Board" not in names
    assert {"First", "Tray"} <= set(names)


@pytest.mark.parametrize(("dial", "said"), [("R9999", "hp is 9999"), ("R10000", "a dial such as R10")])
def test_a_dial_of_too_many_digits_is_none(dial: str, said: str) -> None:
    tags = [Tag("First", "A"), Tag("Tray", "RYBRY/YBRBY/BRYBR"), Tag("A.Dials", dial)]
    with pytest.raises(NotationError, match=said):
        REMATCH_NOTATION.setup(tags)


# --- what is due -----------------------------------------------------------------------------------------------------


def by_itself(game: Match) -> list[bool]:
    """Of the items that the last command resolved."""
    return [event["by_itself"] for event in game.reply["events"] if event["type"] == "resolved"]


def test_what_is_chosen_does_not_happen_by_itself() -> None:
    game = played(
        [{"do": "deal", "amount": 1}, {"do": "destroy", "amount": 1}, {"do": "heal", "amount": 1, "if": "so"}]
    )
    assert by_itself(answer(game, button="R")) == [False]
    assert by_itself(answer(game, cells=["a1"])) == [False]
    assert by_itself(answer(game, yes=False)) == [False]


@pytest.mark.parametrize(
    ("when", "reading", "said"),
    [("after", "optional", {"yes": True}), ("either", "mandatory", {"when": "before"})],
)
def test_what_an_answer_makes_forced_happens_by_itself(when: str, reading: str, said: dict[str, Any]) -> None:
    kicker = {"when": when, "effects": [{"do": "fan", "fan": "B"}, {"do": "skip"}]}
    game = played([{"do": "fan", "fan": "Y"}], kicker, fans="R", clear=False)
    game.ok("rules", kicker=reading).ok("clear", player="A", cells=["a1"])
    answer(game, **said)
    assert set(by_itself(game)) == {True}
    assert game.json["due"] == []
    assert game.json["players"]["A"]["fans"] == ["R", "Y", "B"]


def test_a_choice_that_a_correction_took_away_may_still_be_named() -> None:
    game = played([{"do": "heal", "amount": 2}], a=side("5 5 10"))
    game.ok("correct", player="A", button="Y", hp=10)
    assert "no use for button" in refused(game, button="B")["text"]
    assert answer(game, button="R").dials("A") == "7 10 10"
    game = played([{"do": "any_fan"}], fans="R")
    game.ok("correct", fan="Y", place="A")
    assert "no use for fan" in refused(game, fan="R")["text"]
    assert answer(game, fan="B").json["players"]["A"]["fans"] == ["R", "Y", "B"]
