"""Situations at the table, as five lines of what was seen and what must come out."""

from __future__ import annotations

from typing import Any

from companion.rules.rematch.evidence import NO_SIDES, Sides, explain, why_not
from companion.rules.rematch.tray import Tray
from companion.rules.rematch.watch import (
    BLIND_NS,
    SECOND,
    ClearSeen,
    Dropped,
    Outcome,
    PutBack,
    Question,
    Seen,
    Settled,
    Turn,
    Watcher,
)
from tests.companion.table_turns import Noise, turns

TRAY = "RYBRY/YBRBY/BRYYR"
B3 = "RYBRY/YBBYR/BRYYR"
"""TRAY after b3 (red) was pulled and a red came down."""
STEP = 100_000_000


class Table:
    """Plays frames at 10 frames/s into a watcher and passes the turn after a legal clear, as `replay` does."""

    def __init__(self, counted: str = "abc", player: str = "A", **broken: str) -> None:
        self.watcher = Watcher(Turn(player, broken), counted)
        self.t = 0
        self.out: list[Outcome] = []

    def see(self, tray: str, frames: int = 5, **what: Any) -> Table:
        for _ in range(frames):
            what.setdefault("settled", not what.get("hand", False))
            self.took(self.watcher.seen(Seen(self.t, tray, **what)))
            self.t += STEP
        return self

    def hand(self, tray: str, frames: int = 6) -> Table:
        return self.see(tray, frames, hand=True)

    def drop(self, lanes: str, certain: bool = True) -> Table:
        for lane in lanes:
            self.watcher.dropped(Dropped(self.t, lane, certain))
        return self

    def took(self, outcomes: list[Outcome]) -> None:
        self.out += [one for one in outcomes if not isinstance(one, Settled)]
        for one in outcomes:
            if isinstance(one, ClearSeen) and one.legal:
                self.watcher.turn = Turn("B" if one.player == "A" else "A")

    @property
    def only(self) -> Outcome:
        assert len(self.out) == 1, self.out
        return self.out[0]


def test_a_clear() -> None:
    clear = Table().see(TRAY).hand("RYB??/Y????/B????").drop("b").see(B3).only
    assert isinstance(clear, ClearSeen)
    assert (clear.player, clear.explanation.cells, clear.legal, clear.sure) == ("A", ("b3",), True, True)
    assert (clear.before, clear.after, clear.drops) == (TRAY, B3, {"a": 0, "b": 1, "c": 0})


def test_a_hand_that_only_points() -> None:
    assert Table().see(TRAY).hand("RYB??/Y????/B????", 20).see(TRAY).out == []


def test_nothing_is_decided_while_the_hand_is_in_view() -> None:
    table = Table().see(TRAY).hand("RYB??/Y????/B????").drop("b").hand(B3, 50)
    assert table.out == []
    assert isinstance(table.see(B3).only, ClearSeen)


def test_lifted_and_put_back() -> None:
    back = Table().see(TRAY).hand("RYBRY/YB.BY/BRYYR").see(TRAY).only
    assert isinstance(back, PutBack)
    assert back.cells == ("b3",)


def test_a_finger_next_to_covered_cells_is_no_put_back() -> None:
    assert Table().see(TRAY).hand("RY???/YB..?/BRYYR", 12).see(TRAY).out == []


def test_unsure_cells_are_waited_for_but_not_for_ever() -> None:
    table = Table().see(TRAY).hand("RYB??/Y????/B????").drop("b").see("RYBRY/YBBY?/BRYYR", 3)
    assert table.out == []
    assert isinstance(table.see("RYBRY/YBBY?/BRYYR", 5).only, ClearSeen)


def test_a_gap_is_given_time_to_fill() -> None:
    table = Table().see(TRAY).hand("RYB??/Y????/B????").see("RYBRY/YBBY./BRYYR", 3)
    assert table.out == []
    clear = table.drop("b").see(B3).only
    assert isinstance(clear, ClearSeen)
    assert clear.explanation.cells == ("b3",)


def test_an_empty_tower_is_a_clear_all_the_same_and_a_late_marble_is_none() -> None:
    table = Table().see(TRAY).hand("RYB??/Y????/B????").see("RYBRY/YBBY./BRYYR", 8)
    assert isinstance(table.only, ClearSeen)
    assert table.drop("b").see(B3).out == table.out[:1]
    assert table.watcher.base == B3


def test_a_marble_that_hangs_is_given_more_time() -> None:
    table = Table().see(TRAY).hand("RYB??/Y????/B????").see("RYBRY/YB.BY/BRYYR", 10)
    assert table.out == []
    assert isinstance(table.drop("b").see(B3).only, ClearSeen)
    clear = Table().see(TRAY).hand("RYB??/Y????/B????").see("RYBRY/YB.BY/BRYYR", 20).only
    assert isinstance(clear, ClearSeen)
    assert clear.explanation.cells == ("b3",)


def test_beams_and_camera_that_contradict_each_other_are_asked_about() -> None:
    question = Table().see(TRAY).hand("RYB??/Y????/B????").drop("bc").see("RYBRY/YBBYR/BRYYB", 8).out
    assert isinstance(question[0], ClearSeen)  # b3 and c5: explained, and out of reach
    question = Table().see(TRAY).hand("RYB??/Y????/B????").see(B3, 8).only
    assert isinstance(question, Question)
    assert question.text.startswith("Lane b: the beam counted 0 marbles, but what the camera sees there needs 1")
    assert question.answers[0].clears == (("A", ("b3",), "R1"),)


def test_an_edge_that_arrives_late_still_counts() -> None:
    table = Table().see(TRAY).hand("RYB??/Y????/B????").see(B3, 2)
    assert table.out == []
    assert isinstance(table.drop("b").see(B3).only, ClearSeen)


def test_an_unsure_count_is_the_likeliest_but_never_sure() -> None:
    clear = Table().see(TRAY).hand("RYB??/Y????/B????", 9).drop("b", certain=False).see(B3).only
    assert isinstance(clear, ClearSeen)
    assert (clear.explanation.cells, clear.sure, clear.drops) == (("b3",), False, {"a": 0, "c": 0})


def test_an_unsure_count_that_the_camera_does_not_bear_out_shows_both_numbers() -> None:
    question = Table().see(TRAY).hand("RYB??/Y????/B????", 9).drop("bb", certain=False).see(B3).only
    assert isinstance(question, Question)
    assert question.text == "The beams counted 2 in lane b (not surely), this needs 1. What was pulled?"
    assert question.answers[0].clears == (("A", ("b3",), "R1"),)
    assert len(question.answers[1].clears[0][1]) == 2, "and what the beam would have"


def test_the_other_player_is_on_turn_after_a_legal_clear_only() -> None:
    table = Table().see(TRAY).hand("RYB??/Y????/B????").drop("b").see(B3, 80)
    table.hand("RYBRY/YBBYR/?????").drop("c").see("RYBRY/YBBYR/RYYRB")
    assert [(one.player, one.explanation.cells, one.legal) for one in table.out if isinstance(one, ClearSeen)] == [
        ("A", ("b3",), True),
        ("B", ("c1",), True),
    ]
    table = Table().see(TRAY).hand("RYBRY/YBRBY/?????").drop("c").see("RYBRY/YBRBY/RYYRB")
    wrong = table.only
    assert isinstance(wrong, ClearSeen)
    assert (wrong.player, wrong.legal) == ("A", False)
    assert [reason.code for reason in wrong.explanation.reasons] == ["out_of_reach"]


def test_marbles_restored_after_an_illegal_clear() -> None:
    table = Table().see(TRAY).hand("RYBRY/YBRBY/?????").drop("c").see("RYBRY/YBRBY/RYYRB")
    table.hand("RYBRY/YBRBY/?????").see(TRAY)
    assert isinstance(table.out[1], PutBack)
    assert table.watcher.base == TRAY


def test_the_same_player_who_goes_on_pulling_is_asked() -> None:
    # the hand went away to lay the marble aside and came back for another
    before = "RYBRY/YRRBY/BRYYR"
    table = Table().see(before).hand("RYB??/YR???/BRY??").drop("b").see("RYBRY/YRBYB/BRYYR", 10)
    assert isinstance(table.only, ClearSeen)
    table.hand("RYB??/Y????/BRY??").drop("b").see("RYBRY/YBYBB/BRYYR")
    # for B, whose turn it is, b2 alone is legal: then it stands as B's clear
    assert [type(one) for one in table.out] == [ClearSeen, ClearSeen]
    table = Table().see("RRBRY/YBYBY/BRYYR").hand("RR???/YBY??/BRYYR").drop("a").see("RBRYB/YBYBY/BRYYR", 10)
    table.hand("R????/YBY??/BRYYR").drop("a").see("BRYBB/YBYBY/BRYYR")
    question = table.out[1]
    assert isinstance(question, Question)
    assert question.answers[0].clears[0][0] == "A"
    assert question.answers[0].clears[0][2] == "R2"


def test_two_clears_with_only_a_glimpse_between_them_are_asked_about() -> None:
    table = Table().see(TRAY).hand("RYB??/Y????/B????").drop("b").see(B3, 2, settled=False)
    table.hand("RYBRY/YBBYR/?????").drop("c").see("RYBRY/YBBYR/RYYRB")
    question = table.only
    assert isinstance(question, Question)
    assert question.answers[0].clears == (("A", ("b3",), "R1"), ("B", ("c1",), "B1"))


def test_a_bump_pauses_and_invents_nothing() -> None:
    table = Table().see(TRAY).see("?????/?????/?????", 10, aim=False, settled=False).see(TRAY, 5)
    assert table.out == []
    table.hand("RYB??/Y????/B????").drop("b").see(B3)
    assert isinstance(table.only, ClearSeen)


def test_what_changed_while_the_camera_was_blind_is_asked_without_beams() -> None:
    table = Table(counted="").see(TRAY).see("?????/?????/?????", 10, aim=False, settled=False).see(B3)
    assert isinstance(table.only, Question)


def test_a_clear_under_way_when_the_camera_hangs_is_asked_about() -> None:
    """Though every lane was counted: in that time both players may have pulled."""
    table = Table().see(TRAY).hand("RYB??/Y????/B????").drop("b")
    table.t += BLIND_NS
    question = table.see(B3).only
    assert isinstance(question, Question)
    assert question.answers[0].clears == (("A", ("b3",), "R1"),)
    assert question.drops == {"a": 0, "b": 1, "c": 0}
    # the next one is an ordinary clear again
    assert isinstance(table.hand("RYB??/Y????/B????").drop("a").see("YBRYY/YBBYR/BRYYR").out[-1], ClearSeen)


def test_a_camera_that_hung_while_nobody_touched_the_tray_asks_nothing() -> None:
    table = Table().see(TRAY)
    table.t += 10 * BLIND_NS
    assert table.see(TRAY).out == []
    assert isinstance(table.hand("RYB??/Y????/B????").drop("b").see(B3).only, ClearSeen)


def test_a_drop_without_a_hand_is_no_clear() -> None:
    """A beam that saw an insect, a flicker, a cable coming loose: the tray says that nothing has left it."""
    table = Table().see(TRAY).drop("b").see(TRAY, 10)
    assert table.out == []
    question = table.see(TRAY, 5).only
    assert isinstance(question, Question)
    assert "1 in lane b" in question.text
    # a cable that comes loose is found ill in that time: then there is nothing to ask
    table = Table().see(TRAY).drop("bbb").see(TRAY, 5)
    table.watcher.fault("b")
    assert table.see(TRAY, 20).out == []


def test_two_drops_too_close_for_two_pulls_are_asked_about() -> None:
    table = Table().see(TRAY).hand("RYB??/Y????/B????").drop("bb").see(B3)
    question = table.only
    assert isinstance(question, Question)
    assert "2 in lane b" in question.text
    assert "fits 1 as well" in question.text
    assert question.answers[0].clears == (("A", ("b3",), "R1"),)


def test_a_hand_in_view_at_the_start() -> None:
    table = Table().hand("RYB??/Y????/B????").see(TRAY)
    assert table.out == []
    assert table.watcher.base == TRAY
    table = Table().hand("RYB??/Y????/B????").drop("b").see(B3)
    question = table.only
    assert isinstance(question, Question)
    assert question.before is None


def test_a_marble_put_in_by_hand_is_asked_about() -> None:
    question = Table().see(TRAY).hand("RYB??/Y????/B????").see("RYBRY/YBRBB/BRYYR", 8).only
    assert isinstance(question, Question)


def test_a_recording_that_ends_with_the_hand_in_view_is_not_silent() -> None:
    table = Table().see(TRAY).hand("RYB??/Y????/B????").drop("b")
    assert isinstance(table.watcher.finish(table.t)[0], Question)
    assert Table().see(TRAY).hand("RYB??/Y????/B????").watcher.finish(0) == []


def test_no_wrong_claim_on_simulated_turns_with_beams() -> None:
    """Random turns, half hidden by hands: the truth, or what comes to the same, or a question; never anything else."""
    told = 0
    for kind in ("legal", "illegal", "newcomer"):
        for turn in turns(11, 60, kind, Noise()):
            watcher = Watcher(Turn(turn.player, {turn.player: turn.broken}), "abc")
            out: list[Outcome] = []
            for one in turn.stream:
                if isinstance(one, Dropped):
                    watcher.dropped(one)
                else:
                    out += watcher.seen(one)
            out = [one for one in out if isinstance(one, ClearSeen | Question)]
            assert len(out) == 1, turn
            if isinstance(out[0], Question):
                assert len(set(out[0].answers)) == len(out[0].answers)
                continue
            told += 1
            before, after = Tray.parse(turn.before), Tray.parse(turn.after)
            possible = explain(before, after, turn.player, turn.broken, turn.drops)
            legal = not why_not(before, turn.player, turn.broken, turn.cells)
            if legal:
                truth = next(one for one in possible.readings if set(one.cells) == set(turn.cells))
                assert (out[0].legal, out[0].explanation.attack) == (True, truth.attack), turn
            elif out[0].legal:  # the benefit of the doubt: the same outcome could have been had legally
                assert possible.verdict == "legal", turn
    assert told > 150


def _resting(t: float, tray: str, sides: Sides = NO_SIDES) -> Seen:
    return Seen(round(t * SECOND), tray, True, sides=sides)


def test_a_tray_as_before_with_another_marble_in_it_is_asked_about_without_beams() -> None:
    tray = "YYRBR/RBRBY/BRBRY"
    for counted, outcomes in (("", 1), ("abc", 0)):
        watcher = Watcher(counted=counted)
        watcher.seen(_resting(0, tray))
        told = watcher.seen(_resting(3, tray, Sides(turned=("a5",), alike=("a1", "a2", "a3", "a4"))))
        assert [type(one) for one in told] == [Question] * outcomes
    # what lies above a pulled marble rolls: this one was only nudged
    watcher = Watcher()
    watcher.seen(_resting(0, tray))
    assert watcher.seen(_resting(3, tray, Sides(turned=("a4",), alike=("a1", "a2", "a3", "a5")))) == []


def test_a_legal_clear_that_leaves_a_rolled_marble_unexplained_is_asked_without_beams() -> None:
    before, after = "YYRBR/RBRBY/BRBRY", "YYRBB/RBRBY/BRBRY"
    sides = Sides(turned=("b5",), alike=("a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4"))
    for mine, kind in ((sides, Question), (Sides(alike=sides.alike), ClearSeen)):
        watcher = Watcher()
        watcher.seen(_resting(0, before))
        (told,) = watcher.seen(_resting(3, after, mine))
        assert isinstance(told, kind)


def test_a_view_that_was_lost_under_a_hand_and_never_came_back_is_asked_about() -> None:
    tray = "YYRBR/RBRBY/BRBRY"
    for hand in (True, False):
        watcher = Watcher()
        watcher.seen(_resting(0, tray))
        watcher.seen(Seen(SECOND, tray, False, hand))
        watcher.seen(Seen(2 * SECOND, "?????/?????/?????", False, aim=False))
        assert [type(one) for one in watcher.finish(3 * SECOND)] == [Question] * hand
