"""What was seen and counted of one turn, at its bounds."""

from __future__ import annotations

import pytest

from companion.rules.rematch.evidence import Sides
from companion.rules.rematch.hands import Hands, Split
from companion.rules.rematch.outcomes import Dropped, Outcome, Question, Seen
from companion.rules.rematch.tray import CELLS
from companion.rules.rematch.twice import Between
from companion.rules.rematch.watch import Watcher
from companion.rules.rematch.witnesses import LATE_NS, Witnesses, agree, gaps_of, hangs

MS = 1_000_000
TRAY = "YYRBR/RBRBY/BRBRY"


def test_between_two_hands_what_fell_before_the_first_left_and_until_shortly_after_the_second_came() -> None:
    found = Witnesses("ab")
    end, start = 1000, 2000
    for t, lane in ((end, "a"), (end + 1, "a"), (end, "b"), (start + 1, "b")):
        found.dropped(Dropped(t * MS, lane))
    found.dropped(Dropped(start * MS + LATE_NS, "a"))
    found.dropped(Dropped(start * MS + LATE_NS + 1, "a"))
    split = Split(end * MS, start * MS, True)
    assert found.between(split, {"a": 4, "b": 2}) == Between({"a": (1, 3), "b": (1, 2)}, [])
    assert found.between(split, {"b": 2}).drops == {"b": (1, 2)}


@pytest.mark.parametrize(
    ("t", "hand", "seen"), [(1000, False, 0), (1001, False, 1), (1999, False, 1), (2000, False, 0), (1500, True, 0)]
)
def test_between_two_hands_what_was_seen_without_either(t: int, hand: bool, seen: int) -> None:
    found = Witnesses("abc")
    found.sighted([Seen(t * MS, TRAY, False, hand)])
    assert len(found.between(Split(1000 * MS, 2000 * MS, True), {}).seen) == seen


def test_a_split_needs_two_frames_of_each_and_less_than_two_against() -> None:
    def splits(*runs: tuple[str, int]) -> list[bool]:
        covers = {"A": ("a5",), "B": ("c5",), "m": ("b5",)}
        hands, t = Hands(), 0
        for who, frames in runs:
            for _ in range(frames):
                hands.seen(t, who != "-", covers.get(who, ()))
                t += 100 * MS
        return [split.clear for split in hands.splits("A")]

    assert splits(("m", 1), ("-", 1), ("m", 5)) == [False]
    assert splits(("A", 2), ("-", 1), ("B", 2)) == [True]
    assert splits(("A", 1), ("-", 1), ("B", 2)) == [False]
    assert splits(("A", 2), ("-", 1), ("B", 1)) == [False]
    assert splits(("A", 3), ("-", 1), ("A", 2)) == []
    assert splits(("A", 3), ("-", 1), ("A", 1), ("m", 2)) == [False]


@pytest.mark.parametrize(
    ("counted", "tray", "asked"), [("", TRAY, True), ("abc", TRAY, True), ("", "", False), ("abc", "", False)]
)
def test_an_unchanged_tray_with_an_unsure_cell_says_nothing_of_sides(counted: str, tray: str, asked: bool) -> None:
    watcher = Watcher(counted=counted)
    watcher.seen(Seen(0, TRAY, True))
    for t in range(500, 2500, 100):
        watcher.seen(Seen(t * MS, "??RBR/RB???/BRBRY", False, hand=True))
    sides = Sides(("b5",), tuple(cell for cell in CELLS if cell != "b5"))
    out: list[Outcome] = watcher.seen(Seen(2600 * MS, tray or TRAY.replace("YYR", "YY?"), True, sides=sides))
    assert [type(one) for one in out] == [Question] * asked
    assert watcher.base == TRAY


def test_which_cells_agree_are_empty_and_hang() -> None:
    assert agree("R?B", "RY?")
    assert not agree("R?B", "Y?B")
    assert gaps_of("RY.BR/.BRBY/BRBR.") == {"a3", "b1", "c5"}
    for tray, gaps, hanging in (
        ("RY.B./.....", "a3", True),
        ("RY.../.....", "a3", False),
        ("RY.??/.....", "a3", False),
    ):
        assert hangs(f"{tray}/.....", {gaps}) == hanging
