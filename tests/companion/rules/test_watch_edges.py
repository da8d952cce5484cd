"""The watcher at its bounds: how long, how many, which neighbours. The situations are in test_watch.py."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.rematch.evidence import Sides
from companion.rules.rematch.tray import CELLS, Tray
from companion.rules.rematch.watch import (
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

TRAY = "RYBRY/YBRBY/BRYYR"
B3 = "RYBRY/YBBYR/BRYYR"
MS = 1_000_000
COVERED = "RYB??/Y????/B????"


class Table:
    """Feeds a watcher at times that each test says, in ms."""

    def __init__(self, tray: str | None = TRAY, counted: str = "abc", turn: Turn | None = None) -> None:
        self.watcher = Watcher(turn, counted)
        self.t = 0
        if tray is not None:
            assert self.see(tray) == [Settled(0, tray)]

    def see(self, tray: str, at: int | None = None, step: int = 100, **what: Any) -> list[Outcome]:
        """`at`: ms; else `step` after the last."""
        what.setdefault("settled", not what.get("hand", False))
        out = self.watcher.seen(Seen((self.t if at is None else at) * MS, tray, **what))
        self.t = (self.t if at is None else at) + step
        return out

    def hand(self, tray: str = COVERED, frames: int = 3, step: int = 100) -> Table:
        for _ in range(frames):
            assert self.see(tray, step=step, hand=True) == []
        return self

    def drop(self, lanes: str, certain: bool = True) -> Table:
        for lane in lanes:
            self.watcher.dropped(Dropped(self.t * MS, lane, certain))
        return self


def one(out: list[Outcome]) -> Outcome:
    assert len(out) == 1, out
    return out[0]


# --- how long --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tray", "drops", "waits"),
    [
        ("RYBRY/YBBY?/BRYYR", "b", 400),  # a cell that is unsure
        ("RYBRY/YBBY./BRYYR", "", 400),  # a gap that the tower may still fill
        ("RYBRY/YB.BY/BRYYR", "", 1500),  # a marble that hangs
        ("RYBRY/YBRB?/BRYYR".replace("RB?", ".B?"), "", 1500),
        (B3, "", 350),  # an edge that may still come
    ],
)
def test_so_long_and_no_longer(tray: str, drops: str, waits: int) -> None:
    table = Table().hand().drop(drops)
    start = table.t
    assert table.see(tray) == []
    assert table.see(tray, start + waits - 1) == []
    assert isinstance(one(table.see(tray, start + waits)), ClearSeen | Question)


def test_the_first_tray_with_an_unsure_cell_is_waited_for() -> None:
    table = Table(None)
    assert table.see("RYBR?/YBRBY/BRYYR", 0) == []
    assert table.see("RYBR?/YBRBY/BRYYR", 399) == []
    assert table.see("RYBR?/YBRBY/BRYYR", 400) == [Settled(400 * MS, "RYBR?/YBRBY/BRYYR")]


def test_a_gap_that_was_there_before_is_no_new_one() -> None:
    short = "RYBRY/YBRB./BRYYR"
    table = Table(short).hand("?????/YBRB./BRYYR").drop("a")
    assert isinstance(one(table.see("YBRYB/YBRB./BRYYR")), ClearSeen)


@pytest.mark.parametrize(
    ("gap", "hangs"), [("RYBR./YBRBY/BRYYR", False), ("RYB.Y/YBRBY/BRYYR", True), ("RYB.?/YBRBY/BRYYR", False)]
)
def test_only_a_marble_above_a_gap_hangs(gap: str, hangs: bool) -> None:
    table = Table().hand("RYB??/YBRBY/BRYYR")
    start = table.t
    table.see(gap)
    assert bool(table.see(gap, start + 400)) != hangs


def test_a_moved_marble_starts_the_wait_anew() -> None:
    table = Table().hand().drop("b")
    start = table.t
    assert table.see("RYBRY/YBBY?/BRYYR") == []
    assert table.see("RYBR?/YBBY?/BRYYR", start + 300) == []
    assert table.see("RYBR?/YBBY?/BRYYR", start + 699) == []
    assert isinstance(one(table.see("RYBR?/YBBY?/BRYYR", start + 700)), ClearSeen)


@pytest.mark.parametrize(("later", "asked"), [(6000, True), (6001, False)])
def test_six_seconds_after_a_clear_it_may_be_going_on(later: int, asked: bool) -> None:
    table = Table("RRBRY/YBYBY/BRYYR").hand("RR???/YBY??/BRYYR").drop("a")
    at = table.t
    assert isinstance(one(table.see("RBRYB/YBYBY/BRYYR")), ClearSeen)
    table.watcher.turn = Turn("B")
    table.see("RBRYB/YBYBY/BRYYR", at + 2500, settled=False)
    table.see("RBRYB/YBYBY/BRYYR", at + 5000, settled=False)
    table.t = at + later  # the hand comes again
    table.hand("R????/YBY??/BRYYR").drop("a")
    found = one(table.see("BRYBB/YBYBY/BRYYR"))
    assert isinstance(found, Question) == asked
    if isinstance(found, Question):
        assert found.answers[0].clears == (("A", ("a1", "a2"), "R2"),)
        assert found.text == "Did A go on pulling after a1?"


# --- sightings: what is seen in a tenth of a second is one -----------------------------------------------------------


def lifted(cell: str) -> str:
    return Tray.parse(TRAY).replace(cell, ".").text


@pytest.mark.parametrize(
    ("frames", "step", "seen"),
    [(1, 100, False), (2, 100, True), (2, 90, True), (2, 45, False), (4, 45, True), (2, 89, False)],
)
def test_a_marble_was_lifted_when_two_sightings_show_its_hole(frames: int, step: int, seen: bool) -> None:
    table = Table()
    table.see(TRAY, 500, step=500, hand=True)
    table.hand(lifted("b3"), frames, step)
    table.see(TRAY, table.t, step=200, hand=True)
    out = table.see(TRAY)
    assert out == ([PutBack((table.t - 100) * MS, "A", ("b3",))] if seen else [])


NEIGHBOURS = {
    "a1": "a2 b1", "a3": "a2 a4 b3", "a5": "a4 b5", "b1": "a1 c1 b2", "b3": "a3 c3 b2 b4", "b5": "a5 c5 b4",
    "c1": "b1 c2", "c3": "b3 c2 c4", "c5": "b5 c4",
}  # fmt: skip


@pytest.mark.parametrize("cell", NEIGHBOURS)
def test_a_hole_counts_only_with_its_neighbours_in_plain_sight(cell: str) -> None:
    near = NEIGHBOURS[cell].split()
    for other in CELLS:
        if other != cell:
            table = Table()
            table.see(TRAY, 500, step=500, hand=True)
            table.hand(Tray.parse(lifted(cell)).replace(other, "?").text, 3)
            table.see(TRAY, table.t, step=200, hand=True)
            assert bool(table.see(TRAY)) == (other not in near), other


def test_time_that_runs_backwards_begins_another_sighting() -> None:
    table = Table()
    for at in (500, 1000, 600, 700, 800):
        table.see(lifted("b3"), at, hand=True)
    table.see(TRAY, 900, step=200, hand=True)
    assert [type(found) for found in table.see(TRAY)] == [PutBack]


# --- the tray as before ----------------------------------------------------------------------------------------------


def test_what_was_known_of_an_unchanged_tray_stays_known() -> None:
    table = Table(None)
    for at in (0, 400):
        table.see("RYBR?/YBRBY/BRYYR", at)
    table.hand()
    assert table.see("RYBRY/YBR?Y/BRYYR") == []
    assert table.watcher.base == TRAY


def test_marbles_put_back_after_an_illegal_clear_are_named() -> None:
    table = Table().hand("RYBRY/YBRBY/?????").drop("c")
    wrong = one(table.see("RYBRY/YBRBY/RYYRB"))
    assert isinstance(wrong, ClearSeen)
    assert not wrong.legal
    table.hand("RYBRY/YBRBY/?????")
    back = one(table.see(TRAY))
    assert isinstance(back, PutBack)
    assert back.cells == ("c1", "c2", "c4", "c5")


def test_whether_a_reading_will_have_to_be_explained() -> None:
    def sight(tray: str, settled: bool = True) -> Seen:
        return Seen(SECOND, tray, settled)

    table = Table(None)
    assert not table.watcher.differs(sight(B3))
    table = Table()
    assert table.watcher.differs(sight(B3))
    assert not table.watcher.differs(sight(B3, settled=False))
    assert not table.watcher.differs(sight(TRAY))
    assert not table.watcher.differs(sight("RYBR?/YBRBY/BRYYR"))
    assert table.drop("a").watcher.differs(sight(TRAY))


# --- without beams ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counted", "turned", "kind"),
    [
        ("", ("b3", "b4", "b5"), ClearSeen),  # what was pulled and what rolled above it
        ("", ("b2",), Question),
        ("", ("b3",), ClearSeen),
        ("", ("a5",), Question),  # in a lane that nothing is said to have been pulled from
        ("a", ("a5",), ClearSeen),  # a lane that is counted does not deceive
        ("a", ("b2",), Question),
    ],
)
def test_a_rolled_marble_below_what_was_pulled(counted: str, turned: tuple[str, ...], kind: type[Outcome]) -> None:
    table = Table(counted=counted)
    table.hand("RYB??/Y????/B????", 2).drop("b" if "b" in counted else "")
    alike = tuple(cell for cell in CELLS if cell not in turned and cell not in ("b3", "b4", "b5"))
    assert isinstance(one(table.see(B3, 3000, sides=Sides(turned, alike))), kind)


@pytest.mark.parametrize(
    ("counted", "turned", "asked"), [("", "b5", True), ("b", "b5", False), ("a", "b5", True), ("ac", "c5", False)]
)
def test_only_a_lane_that_nobody_counts_is_asked_about(counted: str, turned: str, asked: bool) -> None:
    tray = "YYRBR/RBRBY/BRBRY"
    table = Table(tray, counted)
    alike = tuple(cell for cell in CELLS if cell != turned)
    out = table.see(tray, 3000, sides=Sides((turned,), alike))
    assert [type(found) for found in out] == [Question] * asked


@pytest.mark.parametrize(
    ("before", "after", "frames", "most"),
    [
        # one pull takes about 0.9 s; 0.4 s more without an answer are left to the hand
        (TRAY, B3, 12, 0),
        (TRAY, B3, 40, 3),
    ],
)
def test_a_hand_that_stays_longer_than_its_pulls_need(before: str, after: str, frames: int, most: int) -> None:
    table = Table(before, counted="")
    table.hand("?????/?????/?????", frames)
    found = one(table.see(after))
    if not most:
        assert isinstance(found, ClearSeen)
        return
    assert isinstance(found, Question)
    assert found.text.startswith("The hand was there long enough")
    assert found.answers[0].clears == (("A", ("b3",), "R1"),)
    assert 1 < len(found.answers) <= most
    assert all(answer.clears[0][2] != "R1" for answer in found.answers[1:])


@pytest.mark.parametrize(
    ("frames", "asked"),
    [
        ((500, 1000, 1299), False),  # 0.9 s for the one marble, 0.4 s to spare
        ((500, 1000, 1300), True),
        ((1000, 1299), False),
        ((2900, 3000, 3199), False),  # a view that was away for so long counts as one second
        ((2900, 3000, 3200), True),
        ((600, 1200, 1100, 1199), False),  # a clock that went back
        ((600, 1200, 1100, 1200), True),
    ],
)
def test_the_spare_time_of_a_hand(frames: tuple[int, ...], asked: bool) -> None:
    table = Table(counted="")
    for at in frames:
        assert table.see("?????/?????/?????", at, hand=True) == []
    assert isinstance(one(table.see(B3)), Question) == asked


# --- the end ---------------------------------------------------------------------------------------------------------


def test_the_end_asks_what_was_not_decided() -> None:
    assert Watcher().finish(SECOND) == []
    table = Table(None)
    (asked,) = table.drop("ab").watcher.finish(SECOND)
    assert asked == Question(
        SECOND, "A", "The tray did not come to rest in view: 1 in lane a and 1 in lane b dropped. What was pulled?",
        (), None, "?????/?????/?????", {"a": 1, "b": 1},
    )  # fmt: skip
    table = Table()
    assert table.see("RYBRY/YBBY./BRYYR") == []
    (asked,) = table.watcher.finish(SECOND)
    assert asked == Question(
        SECOND, "A", "The tray did not come to rest in view. What was pulled?", (), TRAY, "RYBRY/YBBY./BRYYR", None
    )
    table = Table()
    assert table.see(TRAY) == []
    assert table.watcher.finish(SECOND) == []


# --- what is counted needs no question -------------------------------------------------------------------------------


def test_a_long_hand_is_no_doubt_where_all_is_counted() -> None:
    """a3 and b2 would come to the same as the legal a2 and b2."""
    before, after = "RYYRR/BYBRB/BRYYR", "RYRRB/BBRBR/BRYYR"
    for counted, kind in (("abc", ClearSeen), ("", Question)):
        table = Table(before, counted).hand("?????/?????/BRYYR", 40).drop("ab" if counted else "")
        assert isinstance(one(table.see(after)), kind)


def test_a_view_lost_in_between_is_no_doubt_where_all_is_counted() -> None:
    for counted, kind in (("abc", ClearSeen), ("ab", Question)):
        table = Table(counted=counted)
        table.see("?????/?????/?????", aim=False, settled=False)
        table.hand().drop("b")
        assert isinstance(one(table.see(B3)), kind)


def test_two_frames_of_the_same_moment_are_one_sighting() -> None:
    table = Table()
    table.see(TRAY, 500, hand=True)
    for _ in range(3):
        table.see(lifted("b3"), 700, hand=True)
    table.see(TRAY, 900, step=200, hand=True)
    assert table.see(TRAY) == []


def test_the_page_has_room_for_three_answers() -> None:
    """Without counts and sightings three attacks explain it, and clears that are none."""
    watcher = Watcher()
    watcher.expect("BYRRR/RRRBR/YBRYY")
    found = one(watcher.seen(Seen(SECOND, "BYRRR/RRBRB/YBRYY", True)))
    assert isinstance(found, Question)
    assert len(found.answers) == 3
    assert len({answer.clears[0][2] for answer in found.answers} - {None}) >= 2


def test_a_hand_that_rests_on_the_tray_for_minutes_fills_no_memory() -> None:
    table = Table()
    table.hand(frames=4000)
    assert len(table.watcher._witnesses.sightings) == 400
    out = [outcome for _ in range(20) for outcome in table.see(TRAY)]
    assert [type(outcome) for outcome in out] in ([], [Settled])
