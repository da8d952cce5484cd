"""Every situation that is named beside the plain clear (issue 4, Build 5): what a player would expect to be told."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.rematch.evidence import Sides, Sighting, explain
from companion.rules.rematch.hands import Hands
from companion.rules.rematch.lanes import ways
from companion.rules.rematch.tray import CELLS, Tray
from companion.rules.rematch.twice import Between, pairs
from companion.rules.rematch.watch import (
    NO_CLEAR,
    SECOND,
    Answer,
    ClearSeen,
    Dropped,
    Hanging,
    PutBack,
    Question,
    Seen,
    Turn,
    Watcher,
)
from tests.companion.rules.test_watch import B3, STEP, TRAY, Table

A_OVER = ("a4", "a5", "b4", "b5")
"""What A's hand hides on the way to lane b, and B's."""
B_OVER = ("c4", "c5", "b4", "b5")
HIDDEN = "?????/?????/?????"


def told(before: str, after: str, player: str = "A", **given: Any) -> tuple[str, str | None, tuple[str, ...]]:
    found = explain(Tray.parse(before), Tray.parse(after), player, **given)
    return found.verdict, found.attack, found.cells


# --- the tower run empty, marbles put in by hand ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "drops", "expected"),
    [
        ("RYBRY/YBRBY/BRYYR", "YBRY./YBRBY/BRYYR", "", ("legal", "R1", ("a1",))),
        ("RYBRY/YRRBY/BRYYR", "RYBRY/YBYB./BRYYR", "b", ("legal", "R2", ("b2", "b3"))),
        ("RYB../YBRBY/BRYYR", "YB.../YBRBY/BRYYR", "", ("legal", "R1", ("a1",))),
        ("RYB../YBRBY/BRYYR", "YBR../YBRBY/BRYYR", "a", ("legal", "R1", ("a1",))),
        # more came down than was pulled: a jam came loose
        ("RYB../YBRBY/BRYYR", "YBRY./YBRBY/BRYYR", "aa", ("legal", "R1", ("a1",))),
        # the last marbles of all
        ("R..../...../.....", "...../...../.....", "", ("legal", "R1", ("a1",))),
    ],
)
def test_fewer_drops_than_pulls(
    before: str, after: str, drops: str, expected: tuple[str, str, tuple[str, ...]]
) -> None:
    assert told(before, after, drops={lane: drops.count(lane) for lane in "abc"}) == expected


def test_the_empty_tower_at_the_table() -> None:
    table = Table().see("RYB../YBRBY/BRYYR").hand("???../Y????/B????").see("YB.../YBRBY/BRYYR", 10)
    clear = table.only
    assert isinstance(clear, ClearSeen)
    assert (clear.explanation.cells, clear.legal, clear.sure) == (("a1",), True, True)


def test_a_marble_put_in_by_hand_is_no_clear_unless_they_say_so() -> None:
    question = Table().see("RYB../YBRBY/BRYYR").hand("???../Y????/B????").see("RYBY./YBRBY/BRYYR", 10).only
    assert isinstance(question, Question)
    assert question.answers[0] == NO_CLEAR
    assert question.text == (
        "Lane a: the beam counted 0 marbles, but what the camera sees there needs 1 to 4. What was pulled?"
    )


def test_a_marble_put_in_for_a_pulled_one_is_asked_with_the_clear_first() -> None:
    # nothing came down for b3, so the players laid one on top themselves
    question = Table().see(TRAY).hand("RYB??/Y????/B????").see(B3, 10).only
    assert isinstance(question, Question)
    assert question.answers[0].clears == (("A", ("b3",), "R1"),)
    assert NO_CLEAR not in question.answers


# --- put back --------------------------------------------------------------------------------------------------------


def test_lifted_where_no_camera_could_see_it_is_nothing() -> None:
    """As in the footage's c05: the hand hides the hole all the time, no drop, the tray as before."""
    table = Table().see(TRAY).hand("RY???/YBR??/BRYYR", 14).see(TRAY)
    assert table.out == []
    assert told(TRAY, TRAY, drops=dict.fromkeys("abc", 0)) == ("nothing", None, ())


def test_two_that_were_lifted_and_put_back() -> None:
    back = Table().see(TRAY).hand("RYB.Y/YB.BY/BRYYR", 8).see(TRAY).only
    assert isinstance(back, PutBack)
    assert back.cells == ("a4", "b3")


def test_put_back_after_its_lane_had_rolled_is_told_by_the_tray() -> None:
    """The newcomer was pushed up into the tower: beams count what they like, the tray lies as before a wrong clear."""
    table = Table().see(TRAY).hand("RYBRY/YBRBY/?????").drop("c").see("RYBRY/YBRBY/RYYRB")
    table.hand("RYBRY/YBRBY/?????").drop("c").see(TRAY)
    assert [type(one) for one in table.out] == [ClearSeen, PutBack]
    assert table.watcher.base == TRAY


# --- drops missing or doubted ----------------------------------------------------------------------------------------


def test_a_missing_drop_shows_both_numbers() -> None:
    before = "RYBRY/YRRBY/BRYYR"
    table = Table().see(before).hand("RYB??/Y????/B????", 12).drop("b").see("RYBRY/YBYBR/BRYYR", 10)
    question = table.only
    assert isinstance(question, Question)
    assert "beam counted 1 marble, but" in question.text
    assert "needs 2" in question.text
    assert question.answers[0].clears == (("A", ("b2", "b3"), "R2"),)


@pytest.mark.parametrize("likely", [None, 1, 2, 3])
def test_an_unsure_count_weighs_without_deciding(likely: int | None) -> None:
    found = {way.rows: way.misfit for way in ways("YBRBY", "YBBYR", None, likely=likely)}
    assert found[(3,)] == (0 if likely is None else 0.5 * abs(likely - 1))


def test_an_unsure_count_chooses_between_equals() -> None:
    before, after = "RYBRY/YRRBY/BRYYR", "RYBRY/YBYRB/BRYYR"
    assert told(before, after, drops={"a": 0, "c": 0}, doubted={"b": 2})[2] == ("b2", "b3")
    # nothing was said to have come down, and the tray is the same: so may one that dropped twice
    assert (
        explain(Tray.parse(TRAY), Tray.parse(TRAY), "A", drops={"a": 0, "c": 0}, doubted={"b": 1}).verdict != "nothing"
    )


def test_a_lane_whose_sensor_is_ill_counts_as_not_counted() -> None:
    table = Table().see(TRAY).hand("RYB??/Y????/B????").drop("bbbb", certain=False)
    table.watcher.fault("b")
    clear = table.see(B3).only
    assert isinstance(clear, ClearSeen)
    assert (clear.explanation.cells, clear.sure) == (("b3",), False)


# --- marbles that hang halfway ---------------------------------------------------------------------------------------


def test_nothing_is_decided_while_a_marble_hangs_and_it_is_said_once() -> None:
    table = Table().see(TRAY).hand("RYB??/Y????/B????")
    table.see("RYBRY/YBB??/BRYYR", 40, hanging=("b4", "b5"))
    assert table.out == [Hanging(table.out[0].t_ns, ("b4", "b5"))]
    clear = table.drop("b").see(B3).out[1]
    assert isinstance(clear, ClearSeen)
    assert (clear.explanation.cells, clear.sure) == (("b3",), True)


def test_a_marble_that_hangs_for_ever_is_asked_about() -> None:
    table = Table().see(TRAY).hand("RYB??/Y????/B????").see("RYBRY/YBB??/BRYYR", 70, hanging=("b4", "b5"))
    assert [type(one) for one in table.out] == [Hanging, Question]
    question = table.out[1]
    assert isinstance(question, Question)
    assert question.text.startswith("A marble hangs halfway at b4 b5")
    assert question.answers[0].clears[0][1] == ("b3",)
    # nudged down it changes nothing more
    assert len(table.drop("b").see(B3, 10).out) == 2


def test_a_tray_that_begins_with_a_hanging_marble_waits_for_it() -> None:
    watcher = Watcher(counted="abc")
    for i in range(20):
        watcher.seen(Seen(i * STEP, "RYBRY/YBB??/BRYYR", True, hanging=("b4", "b5")))
    assert watcher.base is None
    watcher.seen(Seen(2 * SECOND, B3, True))
    assert watcher.base == B3


# --- whose hand ------------------------------------------------------------------------------------------------------


def hands(*runs: tuple[str, int]) -> Hands:
    """Runs of frames: A or B for a hand that hides that side, x for both, - for none."""
    covers = {"A": A_OVER, "B": B_OVER, "x": A_OVER + B_OVER, "m": ("b4",)}
    found, t = Hands(), 0
    for who, frames in runs:
        for _ in range(frames):
            found.seen(t, who != "-", covers.get(who, ()))
            t += STEP
    return found


@pytest.mark.parametrize(
    ("runs", "whose", "splits"),
    [
        ([("A", 5)], "A", 0),
        ([("A", 1)], None, 0),
        ([("x", 9)], None, 0),
        ([("A", 5), ("-", 2), ("A", 5)], "A", 0),  # one player's hand that went away for a moment
        ([("A", 5), ("-", 2), ("B", 5)], None, 1),
        ([("A", 5), ("m", 3), ("B", 5)], None, 1),  # no pause, and yet two hands
        ([("A", 5), ("-", 1), ("m", 5)], "A", 1),  # the second may have been anyone's
        ([("m", 5), ("-", 1), ("m", 5), ("-", 1), ("m", 1)], None, 2),
        ([("B", 5), ("-", 2), ("A", 5)], None, 0),  # not in this order
        ([("A", 5), ("B", 1), ("A", 5)], None, 0),  # one odd frame
    ],
)
def test_whose_hand(runs: list[tuple[str, int]], whose: str | None, splits: int) -> None:
    found = hands(*runs)
    assert found.whose() == whose
    assert len(found.splits("A")) == splits


def test_two_hands_that_are_clear_come_first() -> None:
    found = hands(("A", 3), ("-", 1), ("A", 3), ("-", 2), ("B", 4)).splits("A")
    assert [(split.end_ns, split.start_ns, split.clear) for split in found] == [(6 * STEP, 9 * STEP, True)]


# --- two clears in one settling, and one clear in two goes -----------------------------------------------------------

TWO = "RYBRY/YBBYR/RYYRB"
"""After A pulled b3 and B c1."""


def test_two_clears_with_nothing_seen_in_between() -> None:
    table = Table().see(TRAY)
    table.see("RYB??/YBR??/BRYYR", 6, hand=True, covers=A_OVER).drop("b")
    table.see("RYBRY/Y????/B????", 6, hand=True, covers=B_OVER).drop("c")
    question = table.see(TWO).only
    assert isinstance(question, Question)
    assert question.answers[0].clears == (("A", ("b3",), "R1"), ("B", ("c1",), "B1"))
    assert question.answers[1].clears == (("A", ("b3", "c1"), None),), "and the one that would be wrong"


def test_two_clears_that_could_be_one_legal_one_are_asked_when_there_were_two_hands() -> None:
    before, after = "RYBRY/YRRBY/BRYYR", "RYBRY/YBYBY/BRYYR"
    for second, kind in ((B_OVER, Question), (A_OVER, ClearSeen)):
        table = Table().see(before).see("RYB??/YR???/BRYYR", 6, hand=True, covers=A_OVER).drop("b")
        table.see("RYB??/YR???/BRYYR", 3, settled=False)
        table.see("RYB??/Y????/B????", 6, hand=True, covers=second).drop("b")
        one = table.see(after).only
        assert isinstance(one, kind)
        if isinstance(one, Question):
            assert [len(answer.clears) for answer in one.answers[:2]] == [2, 1]
            assert one.answers[1].clears == (("A", ("b2", "b3"), "R2"),)


def test_a_hand_that_only_comes_after_a_clear_makes_it_no_two() -> None:
    table = Table().see(TRAY).see("RYB??/YBR??/BRYYR", 6, hand=True, covers=A_OVER).drop("b")
    clear = table.see("RYBRY/YB???/?????", 9, hand=True, covers=B_OVER).see(B3).only
    assert isinstance(clear, ClearSeen)
    assert clear.explanation.attack == "R1"


def test_one_wrong_clear_in_two_goes_of_one_hand_is_one_clear() -> None:
    """b3 and then c1: A's hand was away for a moment, and the tray seen whole meanwhile."""
    for covers, kind in ((A_OVER, ClearSeen), ((), Question)):
        table = Table().see(TRAY).see("RYB??/Y????/B????", 6, hand=True, covers=covers).drop("b")
        table.see(B3, 2, settled=False).see("RYBRY/YBBYR/?????", 6, hand=True, covers=covers).drop("c")
        assert isinstance(table.see(TWO).only, kind)


def test_one_legal_clear_in_two_goes_of_one_hand_is_one_clear() -> None:
    before, middle, after = "RYBRY/YRRBY/BRYYR", "RYBRY/YRBYB/BRYYR", "RYBRY/YBYBB/BRYYR"
    table = Table().see(before).see("RYB??/YR???/BRY??", 6, hand=True, covers=A_OVER).drop("b")
    table.see(middle, 3, settled=False).see("RYB??/Y????/BRY??", 6, hand=True, covers=A_OVER).drop("b")
    clear = table.see(after).only
    assert isinstance(clear, ClearSeen)
    assert (clear.explanation.cells, clear.explanation.attack) == (("b2", "b3"), "R2")


@pytest.mark.parametrize(("covers", "kind"), [(A_OVER, Question), (B_OVER, ClearSeen), ((), ClearSeen)])
def test_the_same_hand_again_after_a_clear_had_settled(covers: tuple[str, ...], kind: type) -> None:
    """b2 alone would be a legal clear of B, whose turn it is; if A's hand took it, A went on pulling."""
    table = Table().see("RYBRY/YRRBY/BRYYR").see("RYB??/YR???/BRY??", 6, hand=True, covers=A_OVER).drop("b")
    table.see("RYBRY/YRBYB/BRYYR", 10).see("RYB??/Y????/BRY??", 6, hand=True, covers=covers).drop("b")
    second = table.see("RYBRY/YBYBB/BRYYR").out[1]
    assert isinstance(second, kind)
    if isinstance(second, Question):
        assert second.answers[0].clears == (("A", ("b2", "b3"), "R2"),)
        assert second.answers[1].clears[0][0] == "B"


@pytest.mark.parametrize("seen", [(), (B3,), ("RYBRY/YBB??/BRYYR",), ("RYBRY/YBB../BRYYR",)])
def test_pairs_of_clears(seen: tuple[str, ...]) -> None:
    drops = {"a": 0, "b": 1, "c": 1}
    by = Between({"a": (0, 0), "b": (1, 1), "c": (0, 1)}, seen)
    found = pairs(Tray.parse(TRAY), Tray.parse(TWO), "A", by, drops, {})
    pulled = [(pair.first.cells, pair.second.cells) for pair in found]
    assert (("b3",), ("c1",)) in pulled
    assert all(pair.first.legal and pair.second.legal for pair in found)


def test_pairs_need_something_to_go_by() -> None:
    def of(drops: dict[str, int], seen: tuple[str, ...] = (), **more: Any) -> int:
        return len(pairs(Tray.parse(TRAY), Tray.parse(TWO), "A", Between({}, seen), drops, {}, **more))

    assert of({"a": 0, "b": 1}) == 0, "nothing was seen, and not all was counted"
    assert of({"a": 0, "b": 1, "c": 1}) > 0
    assert of({"a": 0, "b": 1, "c": 1}, attack="Y1") == 0, "another attack was declared"
    assert of({"a": 0, "b": 1, "c": 1}, (TRAY,)) == 0, "in between it lay as before"


def test_a_newcomer_of_the_first_clear_that_was_seen_may_be_pulled_by_the_second() -> None:
    # A pulls b3, a red comes down into b5, and B takes that one
    after = "RYBRY/YBBYB/BRYYR"
    by = Between({"b": (1, 1)}, (B3,))
    found = pairs(Tray.parse(TRAY), Tray.parse(after), "A", by, {"a": 0, "b": 2, "c": 0}, {})
    assert [(pair.first.cells, pair.second.cells) for pair in found] == [(("b3",), ("b5",))]


# --- contradictions --------------------------------------------------------------------------------------------------


def test_answers_are_three_at_most() -> None:
    watcher = Watcher(Turn("A"), "abc")
    watcher.seen(Seen(0, "RYBR./YBRB./BRYY.", True))
    question = None
    for i in range(10, 30):
        for one in watcher.seen(Seen(i * STEP, "RYBRY/YBRBY/BRYYR", True)):
            question = one
    assert isinstance(question, Question)
    assert question.answers[0] == NO_CLEAR
    assert 1 <= len(question.answers) <= 3


def test_sightings_of_a_hole_stand_against_equal_counts() -> None:
    """a1 and a2 are alike, both would leave the same: the hole that was seen says which."""
    seen = [Sighting("R.BRY/YBRBY/BRYYR")] * 4
    before, after = "RRBRY/YBRBY/BRYYR", "RBRYB/YBRBY/BRYYR"
    assert told(before, after, drops={"a": 1, "b": 0, "c": 0}, sightings=seen)[2] == ("a2",)


def test_while_a_question_is_open_the_other_sides_hand_is_the_other_players() -> None:
    """A recording goes on without an answer: what B's hand pulls next is B's clear, not an illegal one of A."""
    for covers, player in ((B_OVER, "B"), (A_OVER, "A"), ((), "A")):
        table = Table().see(TRAY).hand("RYB??/Y????/B????").see(B3, 10)
        assert isinstance(table.only, Question)
        table.see("RYBRY/YBBYR/?????", 6, hand=True, covers=covers).drop("c")
        clear = table.see(TWO).out[1]
        assert isinstance(clear, ClearSeen)
        assert (clear.player, clear.legal) == (player, player == "B")


def test_more_pulled_after_a_clear_that_was_none_counts_with_it() -> None:
    # three reds are none; the fourth, a1, makes them a Red-4
    table = Table().see("RRBRY/YRRYY/BRYYR").see("R????/Y????/BRYYR", 9, hand=True, covers=A_OVER)
    table.drop("abb").see("RBRYB/YYYBR/BRYYR")
    assert [(one.legal, len(one.explanation.cells)) for one in table.out if isinstance(one, ClearSeen)] == [(False, 3)]
    for covers, cells, legal in ((A_OVER, ("a1", "a2", "b2", "b3"), True), (B_OVER, ("a1",), True)):
        other = Table().see("RRBRY/YRRYY/BRYYR").see("R????/Y????/BRYYR", 9, hand=True, covers=A_OVER)
        other.drop("abb").see("RBRYB/YYYBR/BRYYR").see("?????/YYY??/BRYYR", 6, hand=True, covers=covers)
        second = other.drop("a").see("BRYBR/YYYBR/BRYYR").out[1]
        assert isinstance(second, ClearSeen)
        assert (second.explanation.cells, second.legal) == (cells, legal)
    # what is still none is told as one clear, and can still be put back
    table.see("R????/YYY??/BRYYR", 6, hand=True, covers=A_OVER).drop("b").see("RBRYB/YYBRB/BRYYR")
    worse = table.out[1]
    assert isinstance(worse, ClearSeen)
    assert (worse.legal, len(worse.explanation.cells), worse.before) == (False, 4, "RRBRY/YRRYY/BRYYR")
    assert isinstance(table.hand("R????/Y????/BRYYR").see("RRBRY/YRRYY/BRYYR").out[2], PutBack)


def test_a_drop_that_a_beam_missed_is_asked_about_when_the_frames_show_the_pull() -> None:
    """b4 and then b5 were pulled, one was counted: b5 alone leaves the same tray, but a red lay in b4 for long."""
    before, between, after = "RYBRY/YRBYR/BRYYR", "RYB??/YRBRY/BRYYR", "RYBRY/YRBYB/BRYYR"
    for frames, kind in ((6, Question), (1, ClearSeen)):
        table = Table().see(before).hand("RYB??/YRB??/B????", 4).hand(between, frames).hand("RYB??/YRB??/B????", 4)
        one = table.drop("b").see(after).only
        assert isinstance(one, kind)
        if isinstance(one, Question):
            assert one.text == "The beams counted 1 in lane b, but what the camera saw fits 2 better. What was pulled?"
            assert one.answers[0].clears[0][1] == ("b4", "b5")
            assert one.answers[-1].clears == (("A", ("b5",), "R1"),)


def test_two_drops_too_close_are_asked_about_whatever_is_legal() -> None:
    """b3 and b1 are none, nor are they with b5: what a bounce of the beam would make of it is asked."""
    table = Table().see(TRAY).hand("RYB??/Y????/B????").drop("b")
    table.watcher.dropped(Dropped(table.t - 6 * STEP, "b"))
    question = table.drop("b").see("RYBRY/BBYRY/BRYYR").only
    assert isinstance(question, Question)
    assert "very close together" in question.text


def test_one_clear_or_two_when_the_hand_comes_back_after_a_pause() -> None:
    """Three reds are none; with a1 a Red-4; and a1 alone is a Red-1: at once it is one clear, after 2 s it is asked."""
    for frames, asked in ((19, False), (20, True)):
        table = Table().see("RRBRY/YRRYY/BRYYR").see("R????/Y????/BRYYR", 9, hand=True, covers=A_OVER)
        table.drop("abb").see("RBRYB/YYYBR/BRYYR", frames)
        table.see("?????/YYY??/BRYYR", 6, hand=True, covers=A_OVER).drop("a").see("BRYBR/YYYBR/BRYYR")
        second = table.out[1]
        assert isinstance(second, Question) == asked
        if isinstance(second, Question):
            assert second.text == "Was this one clear together with a2 b2 b3, or a new one?"
            first = table.out[0]
            assert isinstance(first, ClearSeen)
            assert second.answers == (
                Answer((("A", ("a1", "a2", "b2", "b3"), "R4"),)),
                Answer((("A", first.explanation.cells, None), ("A", ("a1",), "R1"))),
            )
            assert (second.before, second.drops) == ("RRBRY/YRRYY/BRYYR", {"a": 2, "b": 2, "c": 0})


def test_after_the_marbles_were_put_back_a_clear_is_a_clear_of_its_own() -> None:
    table = Table().see("RRBRY/YRRYY/BRYYR").see("R????/Y????/BRYYR", 9, hand=True, covers=A_OVER)
    table.drop("abb").see("RBRYB/YYYBR/BRYYR").hand("R????/Y????/BRYYR").see("RRBRY/YRRYY/BRYYR")
    table.see("R????/YRR??/BRYYR", 6, hand=True, covers=A_OVER).drop("a").see("RBRYR/YRRYY/BRYYR")
    last = table.out[2]
    assert isinstance(last, ClearSeen)
    assert (last.explanation.cells, last.before) == (("a2",), "RRBRY/YRRYY/BRYYR")


def test_whose_clear_it_was_when_the_hand_came_from_the_other_side() -> None:
    """A has cleared; then a hand from A's side takes a marble of lane b that B may take as well."""
    for pause, covers, asked in ((59, A_OVER, True), (62, A_OVER, False), (59, B_OVER, False), (59, (), False)):
        table = Table().see("RYBRY/YBYBY/BRYYR").see("R????/YBY??/BRYYR", 9, hand=True, covers=A_OVER)
        table.drop("a").see("YBRYR/YBYBY/BRYYR", pause)
        table.see("YBRYR/YB???/BRYYR", 9, hand=True, covers=covers).drop("b").see("YBRYR/YBYBR/BRYYR")
        second = table.out[1]
        assert isinstance(second, Question) == asked, (pause, covers)
        if isinstance(second, Question):
            assert second.text == "It is B's turn, but the hand came from A's side. Whose clear was it?"
            assert [one.clears[0][::2] for one in second.answers] == [("B", "Y1"), ("A", "Y1")]


def test_out_of_reach_for_one_but_a_clear_of_the_other_whose_hand_it_was() -> None:
    table = Table().see("RYBRY/YBYBY/BRYYR").see("R????/YBY??/BRYYR", 9, hand=True, covers=A_OVER)
    table.drop("a").see("YBRYR/YBYBY/BRYYR", 90)
    table.see("YB???/YB???/BRYYR", 9, hand=True, covers=A_OVER).drop("a").see("BRYRY/YBYBY/BRYYR")
    question = table.out[1]
    assert isinstance(question, Question)
    assert [one.clears[0][::2] for one in question.answers] == [("A", "Y1"), ("B", None)]


def test_whose_clear_it_was_when_a_player_has_sat_on_their_own_side_before() -> None:
    table = Table().see("RYBRY/YBYBY/BRYYR")
    trays = ("YBRYR/YBYBY/BRYYR", "YBRYR/YBYBR/BRYYR", "BRYRY/YBYBR/BRYYR", "BRYRY/YBYRY/BRYYR")
    for tray, lane, covers in zip(trays, "abab", (A_OVER, B_OVER, A_OVER, A_OVER), strict=True):
        table.see(tray[:2] + "???" + tray[5:8] + "???" + tray[11:], 9, hand=True, covers=covers)
        table.drop(lane).see(tray, 80)
    assert [type(one) for one in table.out] == [ClearSeen, ClearSeen, ClearSeen, Question]


def test_more_pulled_while_a_question_about_the_first_is_open() -> None:
    """Three reds where a fourth may have been missed are asked about; then b4, red too, is taken by the same hand."""
    table = Table().see("RYBYR/YBRRR/BRYYR").see("RYB??/YB???/BRYYR", 30, hand=True, covers=A_OVER)
    table.drop("bbb").see("RYBYR/YBYBY/BRYYR", 10)
    assert isinstance(table.only, Question)
    table.see("RYB??/YB???/BRYYR", 9, hand=True, covers=A_OVER).drop("a").see("RYBYB/YBYBY/BRYYR", 10)
    second = table.out[1]
    assert isinstance(second, Question)
    assert second.text == "Was all this one clear, together with what was asked about?"
    assert second.answers[0] == Answer((("A", ("a5", "b3", "b4", "b5"), "R4"),))
    assert second.before == "RYBYR/YBRRR/BRYYR"


def test_a_legal_clear_that_fits_nearly_as_well_is_asked_about_before_another_is_called_none() -> None:
    """a2 and b2 are legal, a3 and b2 not; what speaks against a2 is that its marble seems to show the same side."""
    before, after = "RYYRR/BYBRB/BRYYR", "RYRRB/BBRBR/BRYYR"
    for alike, asked in (((), None), (("a2",), True)):
        table = Table().see(before).hand("?????/?????/BRYYR", 20).drop("ab")
        table.see(after, 10, sides=Sides((), alike))
        if asked:
            assert answers(table.only) == [(("a2", "b2"), "Y2"), (("a3", "b2"), None)]
        else:
            assert isinstance(table.only, ClearSeen)


# --- a beam that missed one ------------------------------------------------------------------------------------------

RED_TOPS = "RYBYR/YBRRR/BRYYR"
"""a5 and b5 are red: after one of them was pulled another red one may have come down for it, past the beam."""


def missed(drops: str, after: str, frames: int, before: str = RED_TOPS) -> Table:
    return Table().see(before).hand("RYB??/YB???/BRYYR", frames).drop(drops).see(after, 10)


def answers(question: object) -> list[tuple[tuple[str, ...], str | None]]:
    assert isinstance(question, Question)
    return [(cells, attack) for one in question.answers for _, cells, attack in one.clears]


def test_a_clear_that_is_none_but_would_be_one_with_one_marble_more() -> None:
    question = missed("bbb", "RYBYR/YBYBY/BRYYR", 30).only
    assert answers(question)[:2] == [(("a5", "b3", "b4", "b5"), "R4"), (("b3", "b4", "b5"), None)]
    assert isinstance(question, Question)
    assert question.text == ("The beams counted 0 in lane a, but what the camera saw fits 1 as well. What was pulled?")


@pytest.mark.parametrize(("frames", "asked"), [(14, False), (15, True)])
def test_another_attack_with_one_marble_more_where_there_was_time_for_it(frames: int, asked: bool) -> None:
    """One of b's, or b5 and a5: 0.9 s for one marble, 0.6 s to spare."""
    found = missed("b", "RYBYR/YBRRY/BRYYR", frames).only
    if asked:
        assert answers(found)[0] == (("b3",), "R1")
        assert (("a5", "b5"), "R2") in answers(found)
    else:
        assert isinstance(found, ClearSeen)
        assert found.explanation.attack == "R1"


@pytest.mark.parametrize(("frames", "turned", "asked"), [(15, "b5", True), (14, "b5", False), (15, "", False)])
def test_one_marble_more_that_explains_clearly_better(frames: int, turned: str, asked: bool) -> None:
    """b5 shows another side: nudged, unless there was time to pull it and have a yellow one come down for it."""
    table = Table().see(TRAY).hand("?????/YB???/BRYYR", frames).drop("a")
    alike = tuple(cell for cell in CELLS if cell[0] != "a" and cell != turned)
    found = table.see("YBRYB/YBRBY/BRYYR", 10, sides=Sides((turned,) if turned else (), alike)).only
    if not asked:
        assert isinstance(found, ClearSeen)
        return
    assert isinstance(found, Question)
    assert found.text == "The beams counted 0 in lane b, but what the camera saw fits 1 better. What was pulled?"
    assert answers(found) == [(("a1", "b5"), None), (("a1",), "R1")]


@pytest.mark.parametrize(("covers", "sure"), [(A_OVER, True), ((), True), (B_OVER, False)])
def test_a_clear_of_a_hand_from_the_other_side_is_not_called_sure(covers: tuple[str, ...], sure: bool) -> None:
    """b3 is legal for both; at a table where both sit on one side nobody is asked, and B may have taken it."""
    table = Table().see(TRAY).see("RYB??/YBR??/BRY??", 6, hand=True, covers=covers).drop("b")
    clear = table.see(B3, 10).only
    assert isinstance(clear, ClearSeen)
    assert (clear.player, clear.explanation.cells, clear.legal, clear.sure) == ("A", ("b3",), True, sure)


@pytest.mark.parametrize(("frames", "sure"), [(11, True), (12, False)])
def test_with_time_for_one_more_a_count_alone_is_not_called_sure(frames: int, sure: bool) -> None:
    """b3 alone; or b3 and the one that came down for it, unseen by the beam."""
    found = missed("b", "RYBYR/YBYBY/BRYYR", frames, "RYBYR/YBRYB/BRYYR").only
    assert isinstance(found, ClearSeen)
    assert (found.explanation.cells, found.sure, found.legal) == (("b3",), sure, True)


@pytest.mark.parametrize(
    ("frames", "turned", "asked"),
    [(9, "a5", True), (8, "a5", False), (9, "a3", False), (9, "", False)],
)
def test_a_top_marble_that_rolled_while_a_hand_had_time_to_pull_it(frames: int, turned: str, asked: bool) -> None:
    table = Table().see(RED_TOPS).hand("RYB??/YB???/BRYYR", frames)
    alike = tuple(cell for cell in CELLS if cell != turned)
    table.see(RED_TOPS, sides=Sides((turned,) if turned else (), alike))
    if not asked:
        assert table.out == []
        return
    question = table.only
    assert isinstance(question, Question)
    assert question.answers == (NO_CLEAR, Answer((("A", ("a5",), "R1"),)))
    assert question.text == "A marble shows another side at a5, but no beam counted one. Was it pulled?"


# --- the camera alone ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counted", "aim", "frames", "asked"),
    [
        ("", False, 9, True),
        ("", False, 8, False),
        ("", True, 10, False),
        ("ab", False, 10, True),
        ("abc", False, 10, False),
    ],
)
def test_a_knock_and_a_hand_before_the_tray_was_seen_at_rest(counted: str, aim: bool, frames: int, asked: bool) -> None:
    """Nobody knows what lay there before. Where no view was lost, players were still laying the tray."""
    table = Table(counted).see(TRAY, 2, settled=False).see(TRAY, 2, settled=False, aim=aim)
    table.see("RYB??/Y????/B????", frames, hand=True).see(B3, 10)
    assert [type(one) for one in table.out] == [Question] * asked
    if asked:
        question = table.only
        assert isinstance(question, Question)
        assert question.text == "A hand was over the tray before it could be seen at rest. Was anything pulled?"
        assert (question.answers, question.before, question.after) == ((), None, B3)
    assert table.watcher.base == B3


@pytest.mark.parametrize(("frames", "asked"), [(12, False), (13, True)])
def test_without_a_count_more_marbles_of_what_is_no_clear_are_asked_about(frames: int, asked: bool) -> None:
    """a5 is out of B's reach; with 0.4 s to spare b5, seen by nobody, may have gone with it."""
    table = Table("", "B").see(TRAY).hand("RYB??/YBR??/BRYYR", frames).see("RYBRB/YBRBY/BRYYR", 10)
    found = table.only
    if not asked:
        assert isinstance(found, ClearSeen)
        assert (found.explanation.cells, found.legal, found.sure) == (("a5",), False, False)
        return
    assert answers(found)[0] == (("a5",), None)
    assert "a5" in answers(found)[1][0]
    assert len(answers(found)[1][0]) == 2
