"""Clears under markers: what is blocked, denied or forced is refused with a reason, and never offered."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from companion.rules.rematch.chains import judge, moves
from companion.rules.rematch.limited import judge_within, moves_within
from companion.rules.rematch.markers import Limits
from companion.rules.rematch.tray import CELLS, Tray
from tests.companion.rules.brute import legal_clears

TRAY = Tray.parse("RRYBB/RYYBY/BRYRB")


def codes(cells: list[str], limits: Limits, broken: str = "", attack: str | None = None) -> list[str]:
    return [reason.code for reason in judge_within(TRAY, "A", cells, broken, attack, limits=limits).reasons]


def test_blocked_cells_are_out_of_reach() -> None:
    limits = Limits(blocked=frozenset({"a2", "b2", "c2"}))
    verdict = judge_within(TRAY, "A", ["a1", "a2"], "", limits=limits)
    assert (verdict.legal, verdict.attack, verdict.chain) == (False, "R2", ())
    (reason,) = verdict.reasons
    assert (reason.code, reason.cells) == ("out_of_reach", ("a2",))
    assert reason.text == "a2 is blocked by a marker."
    assert judge_within(TRAY, "A", ["a1", "b1"], "", limits=limits).legal
    # the lane that is out of reach anyway is named once, as such
    reasons = judge_within(TRAY, "A", ["a2", "b2", "c2"], "", limits=limits).reasons
    assert [(r.code, r.cells) for r in reasons if r.code == "out_of_reach"] == [
        ("out_of_reach", ("c2",)),
        ("out_of_reach", ("a2", "b2")),
    ]
    assert "a2, b2 are blocked by a marker." in [r.text for r in reasons]


def test_a_blocked_bridge_is_no_bridge() -> None:
    tray = Tray.parse("RBRYY/YYBYY/BRYRB")
    limits = Limits(blocked=frozenset({"a2"}))
    assert judge_within(tray, "A", ["a1", "a2", "a3"], "B").legal
    assert not judge_within(tray, "A", ["a1", "a2", "a3"], "B", limits=limits).legal


def test_the_way_round_a_blocked_cell_is_no_detour() -> None:
    tray = Tray.parse("RBR../BBB../.....")
    long = ["a1", "b1", "b2", "b3", "a3"]
    assert judge_within(tray, "A", long, "B").legal
    assert [r.code for r in judge_within(tray, "A", long, "B", detours=False).reasons] == ["detour"]
    limits = Limits(blocked=frozenset({"a2"}))
    assert judge_within(tray, "A", long, "B", detours=False, limits=limits).legal
    assert set(long) in [set(clear.cells) for clear in moves_within(tray, "A", "B", False, limits)]
    reasons = judge_within(tray, "A", ["a1", "a2", "a3"], "B", detours=False, limits=limits).reasons
    assert [r.code for r in reasons] == ["out_of_reach"]


def test_a_denied_colour() -> None:
    limits = Limits(denied=frozenset("R"))
    assert codes(["a1"], limits) == ["denied_colour"]
    assert codes(["a3"], limits) == []
    others = ["mixed_colours", "wrong_count", "not_connected"]
    assert codes(["a1", "a3"], limits, attack="R2") == [*others, "denied_colour"]
    # denied and broken: it still bridges
    tray = Tray.parse("RBRYY/YYBYY/BRYRB")
    assert judge_within(tray, "A", ["a1", "a2", "a3"], "B", limits=Limits(denied=frozenset("B"))).legal


def test_a_forced_row() -> None:
    limits = Limits(forced=frozenset({"a4", "b4", "c4"}))
    verdict = judge_within(TRAY, "A", ["a1"], "", limits=limits)
    assert [(r.code, r.cells) for r in verdict.reasons] == [("not_forced", ("a4", "b4"))]
    assert verdict.reasons[0].text == "A marker forces a marble of the attack to be cleared in one of a4, b4."
    assert codes(["a4"], limits) == []
    assert codes(["b4", "a4"], limits) == []
    # as a bridge it is not cleared
    assert codes(["a4"], limits, broken="B") == ["broken_button"]
    tray = Tray.parse("..RBR/YYYYY/YYYYY")
    assert [r.code for r in judge_within(tray, "A", ["a3", "a4", "a5"], "B", limits=limits).reasons] == ["not_forced"]


@pytest.mark.parametrize(
    ("tray", "denied"),
    [("RYYYY/RYYYY/RYYYY", "R"), (".YYYY/.YYYY/RYYYY", ""), ("?YYYY/.YYYY/RYYYY", "")],
)
def test_where_nothing_can_be_cleared_nothing_is_forced(tray: str, denied: str) -> None:
    limits = Limits(forced=frozenset({"a1", "b1", "c1"}), denied=frozenset(denied))
    assert judge_within(Tray.parse(tray), "A", ["a2"], "", limits=limits).legal
    assert moves_within(Tray.parse(tray), "A", "", limits=limits)


def test_moves_and_judge_agree_on_any_set_of_cells() -> None:
    rng = random.Random(5)
    reach = [cell for cell in CELLS if cell[0] in "ab"]
    for _ in range(25):
        tray = Tray.parse("/".join("".join(rng.choice("RYB.") for _ in range(5)) for _ in range(3)))
        broken = rng.choice(["", "R", "BY"])
        limits = Limits(
            blocked=frozenset(rng.sample(CELLS, rng.randrange(4))),
            denied=frozenset(rng.sample("RYB", rng.randrange(2))),
            forced=frozenset(rng.choice([[], rng.sample(CELLS, 4)])),
        )
        listed = {clear.cells: clear for clear in moves_within(tray, "A", broken, limits=limits)}
        for size in range(1, 5):
            for cells in combinations(reach, size):
                verdict = judge_within(tray, "A", cells, broken, limits=limits)
                assert verdict.legal == (cells in listed)
                if verdict.legal:
                    assert (verdict.attack, verdict.heals) == (listed[cells].attack, listed[cells].heals)
        free = legal_clears(tray.text, "A", broken)
        assert {frozenset(cells) for cells in listed} <= set(free)
        assert not any(limits.blocked & {*cells} for cells in listed)
        assert not any(clear.attack[0] in limits.denied for clear in listed.values())


def test_without_markers_it_is_the_rulebook_alone() -> None:
    assert moves_within(TRAY, "A", "B") == moves(TRAY, "A", "B")
    assert judge_within(TRAY, "A", ["a1", "a3"], "B", "R2") == judge(TRAY, "A", ["a1", "a3"], "B", "R2")
