"""What was pulled: the contract of DESIGN §6 `explain`, the figures of §3, and sightings in between."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.rematch.chains import judge
from companion.rules.rematch.evidence import Sides, Sighting, explain
from companion.rules.rematch.markers import Limits
from companion.rules.rematch.tray import CELLS, LANES, Tray
from tests.companion.table_turns import random_tray, turns

BEFORE = Tray.parse("RYBRY/YBRBY/BRYYR")


def pulled(before: Tray, cells: list[str], refill: dict[str, str]) -> tuple[Tray, dict[str, int]]:
    return before.without(cells, refill), {lane: len(refill.get(lane, "")) for lane in LANES}


def codes(found) -> set[str]:
    return {reason.code for reason in found.reasons}


def test_one_marble() -> None:
    after, drops = pulled(BEFORE, ["b3"], {"b": "R"})
    found = explain(BEFORE, after, "A", "", drops)
    assert (found.verdict, found.attack, found.cells) == ("legal", "R1", ("b3",))


def test_same_tray_without_drops_is_nothing() -> None:
    for drops in (None, {}, {"a": 0}, {"a": 0, "b": 0, "c": 0}):
        found = explain(BEFORE, BEFORE, "A", "", drops)
        assert (found.verdict, found.readings, found.cells) == ("nothing", (), ())


def test_same_tray_with_a_drop_is_a_clear() -> None:
    # a5 was pulled and the same colour came down
    found = explain(BEFORE, BEFORE, "A", "", {"a": 1, "b": 0, "c": 0})
    assert (found.verdict, found.cells) == ("legal", ("a5",))


def test_illegal_says_why() -> None:
    after, drops = pulled(BEFORE, ["c1"], {"c": "B"})
    found = explain(BEFORE, after, "A", "", drops)
    assert found.verdict == "illegal"
    assert codes(found) == {"out_of_reach"}
    assert not any(reading.legal for reading in found.readings)


def test_ambiguous_without_drops_and_settled_by_the_attack() -> None:
    before, after = Tray.parse("RBYBR/BRYRY/YBRYB"), Tray.parse("RBYBR/BRYRY/YBYBY")
    found = explain(before, after, "B", "Y", None)
    assert (found.verdict, found.attack) == ("ambiguous", None)
    assert found.cells == ("c3",)
    named = explain(before, after, "B", "Y", None, attack="R2")
    assert (named.verdict, named.attack) == ("legal", "R2")
    assert not any(reading.legal and reading.attack != "R2" for reading in named.readings)
    assert explain(before, after, "B", "Y", None, attack="B4").verdict == "illegal"


def test_impossible_names_the_lane() -> None:
    after, _ = pulled(BEFORE, ["b3"], {"b": "R"})
    found = explain(BEFORE, after, "A", "", {"a": 0, "b": 0, "c": 0})
    assert found.verdict == "impossible"
    assert found.readings == ()
    assert "lane b" in found.reasons[0].text
    assert explain(BEFORE, BEFORE, "A", "", {"a": 6}).verdict == "impossible"


def test_a_lane_left_out_is_not_known() -> None:
    after, _ = pulled(BEFORE, ["b3"], {"b": "R"})
    some = explain(BEFORE, after, "A", "", {"b": 1})
    assert any(reading.cells == ("a5", "b3") for reading in some.readings)
    full = explain(BEFORE, after, "A", "", {"a": 0, "b": 1, "c": 0})
    assert {reading.cells for reading in full.readings} < {reading.cells for reading in some.readings}


def test_an_empty_tower_leaves_the_lane_short() -> None:
    after = Tray.parse("RYBRY/YBBY./BRYYR")
    found = explain(BEFORE, after, "A", "", {"a": 0, "b": 0, "c": 0})
    assert (found.verdict, found.cells) == ("legal", ("b3",))
    # and one that only comes down later is no clear
    refilled = explain(after, Tray.parse("RYBRY/YBBYR/BRYYR"), "B", "", {"a": 0, "b": 1, "c": 0})
    assert (refilled.verdict, refilled.untouched, refilled.readings) == ("impossible", True, ())


def test_a_late_marble_or_a_clear_in_its_lane() -> None:
    """Where nobody counted, both explain it: the contract lists what can have been pulled (DESIGN §6)."""
    before, after = Tray.parse("RRR../YBRBY/BYYBR"), Tray.parse("RRRRR/YBRBY/BYYBR")
    found = explain(before, after, "A", "", {"b": 0, "c": 0})
    assert found.untouched
    assert found.cells == ("a1",)
    assert {reading.cells for reading in found.readings} >= {("a1",), ("a1", "a2")}


def test_a_marble_not_read_yet_may_be_a_new_one() -> None:
    after = Tray.parse("RYBR?/YBRBY/BRYYR")
    found = explain(Tray.parse("RYBRR/YBRBY/BRYYR"), after, "A", "", {"b": 0, "c": 0})
    assert ("a5",) in {reading.cells for reading in found.readings}


def test_unknown_cells_fit_anything() -> None:
    after = Tray.parse("RYBRY/YBB??/BRYYR")
    found = explain(BEFORE, after, "A", "", {"a": 0, "b": 1, "c": 0})
    assert found.cells == ("b3",)
    assert explain(BEFORE, Tray.parse("RYBR?/YBBYR/BRYYR"), "A", "", {"a": 0, "b": 1, "c": 0}).cells == ("b3",)


@pytest.mark.parametrize(
    ("drops", "named"),
    [({"a": -1}, "a"), ({"d": 1}, "'d'"), ({"a": True}, "True"), ({"": 0}, "''"), ({"ab": 1}, "'ab'")],
)
def test_drops_that_cannot_be(drops: dict[str, int], named: str) -> None:
    with pytest.raises(ValueError, match="drops") as error:
        explain(BEFORE, BEFORE, "A", "", drops)
    assert named in str(error.value)


@given(st.integers(0, 10**9), st.sets(st.sampled_from(CELLS), min_size=1, max_size=6), st.booleans())
@settings(max_examples=150, deadline=None)
def test_the_truth_is_always_among_the_readings(seed: int, cells: set[str], counted: bool) -> None:
    before, tower = random_tray(random.Random(seed))
    refill: dict[str, str] = {}
    for cell in sorted(cells):
        refill[cell[0]] = refill.get(cell[0], "") + tower.pop()
    after, drops = pulled(before, sorted(cells), refill)
    player = "AB"[seed % 2]
    found = explain(before, after, player, "", drops if counted else None)
    if not counted and after == before:
        assert found.verdict == "nothing"
        return
    truth = next(reading for reading in found.readings if set(reading.cells) == cells)
    verdict = judge(before, player, sorted(cells), "")
    assert truth.legal == verdict.legal
    # the contract: legal ones first, then fewest cells; the verdict follows from the readings
    order = [(not reading.legal, len(reading.cells)) for reading in found.readings]
    assert order == sorted(order)
    attacks = {reading.attack for reading in found.readings if reading.legal}
    assert found.verdict == ("illegal" if not attacks else "legal" if len(attacks) == 1 else "ambiguous")
    assert found.cells == found.readings[0].cells
    if verdict.legal and counted:
        assert (found.verdict, found.attack) == ("legal", verdict.attack)


def test_with_drops_the_attack_of_a_legal_clear_is_unique() -> None:
    """DESIGN §3: always with the number of drops; without, in about a quarter of the clears it is not."""
    unsure = all_legal = 0
    for turn in turns(3, 250, "legal"):
        before, after = Tray.parse(turn.before), Tray.parse(turn.after)
        found = explain(before, after, turn.player, turn.broken, turn.drops)
        assert found.verdict == "legal"
        all_legal += all(reading.legal for reading in found.readings)
        unsure += explain(before, after, turn.player, turn.broken, None).verdict == "ambiguous"
    assert 0.6 < all_legal / 250 < 0.9
    assert 0.1 < unsure / 250 < 0.35


# -- sightings

SHORT = Tray.parse("RBYBR/BRYRY/YBRYB"), Tray.parse("RBYBR/BRYRY/YBYBY")


def sight(text: str, **drops: int) -> Sighting:
    return Sighting(text, {"a": 0, "b": 0, "c": 0, **drops})


def test_a_sighting_tells_which_of_two_sets_it_was() -> None:
    before, after = SHORT
    drops = {"a": 0, "b": 2, "c": 1}
    plain = explain(before, after, "B", "Y", drops)
    assert {"b3 b4 c3", "b2 b3 c3"} <= {" ".join(reading.cells) for reading in plain.readings}
    # between the pulls in lane b its third marble still lay there, and the fourth was gone
    hidden = [sight("?????/BR???/?????")] * 3
    seen = [*hidden, *[sight("?????/BRYY?/?????", b=1)] * 4, *hidden]
    found = explain(before, after, "B", "Y", drops, None, [*seen, sight("?????/BRYRY/?????", b=2)])
    assert found.cells == ("b3", "b4", "c3")
    assert ("b2", "b3", "c3") not in {reading.cells for reading in found.readings}


def test_a_newcomer_is_only_claimed_when_it_was_seen() -> None:
    before = Tray.parse("RYBRY/YBRBY/BRYYR")
    # b3 pulled, a red came down, the red was pulled as well and a blue came down
    after = Tray.parse("RYBRY/YBBYB/BRYYR")
    drops = {"a": 0, "b": 2, "c": 0}
    assert "bnew" not in str(explain(before, after, "A", "", drops))
    seen = [
        *[sight("?????/YB?BY/?????")] * 2,
        *[sight("?????/YBBYR/?????", b=1)] * 6,
        *[sight("?????/YBBY?/?????", b=1)] * 2,
        *[sight("?????/YBBYB/?????", b=2)] * 2,
    ]
    found = explain(before, after, "A", "", drops, None, seen)
    assert (found.verdict, found.cells) == ("illegal", ("b3", "bnew"))
    assert "rolled_in_while_pulling" in codes(found)


def test_one_wrong_sighting_does_not_turn_the_verdict() -> None:
    after, drops = pulled(BEFORE, ["b3"], {"b": "R"})
    seen = [sight("?????/YB?BY/?????"), sight("?????/RR?RR/?????"), sight("?????/YB???/?????", b=1)]
    found = explain(BEFORE, after, "A", "", drops, None, seen)
    assert (found.verdict, found.cells, found.contradicted) == ("legal", ("b3",), False)


def test_sightings_that_fit_nothing_are_dropped_and_told() -> None:
    after, drops = pulled(BEFORE, ["b3"], {"b": "R"})
    seen = [sight("?????/RR?RR/?????")] * 8
    found = explain(BEFORE, after, "A", "", drops, None, seen)
    assert found.cells == ("b3",)
    assert found.contradicted


def test_a_finger_that_looks_like_an_empty_cell_changes_nothing() -> None:
    after, drops = pulled(BEFORE, ["b3"], {"b": "R"})
    seen = [sight("RY.R?/YB???/BRYYR")] * 12 + [sight("RYBRY/YBBYR/BRYYR", b=1)] * 2
    assert explain(BEFORE, after, "A", "", drops, None, seen).cells == ("b3",)
    alone = [Sighting(one.tray) for one in seen]
    assert explain(BEFORE, after, "A", "", None, None, alone).cells == ("b3",)


def test_sides_tell_the_lowest_marble_that_was_pulled() -> None:
    """One of two yellows that lie one above the other: the same tray, but only what lies above rolls."""
    before, after = Tray.parse("YYRBR/RBRBY/BRBRY"), Tray.parse("YRBRB/RBRBY/BRBRY")
    drops = {"a": 1, "b": 0, "c": 0}
    assert {r.cells for r in explain(before, after, "A", "", drops).readings} == {("a1",), ("a2",)}
    for sides, cells in ((Sides(alike=("a1",)), ("a2",)), (Sides(turned=("a1",)), ("a1",))):
        found = explain(before, after, "A", "", drops, sides=sides)
        assert [reading.cells for reading in found.readings] == [cells]


def test_sides_speak_for_a_newcomer() -> None:
    """Two drops in a lane whose lower marble was left alone: the second that was pulled had only just come in."""
    before, after = Tray.parse("YYRBR/RBRBY/BRBRY"), Tray.parse("YYRBB/RBRBY/BRBRY")
    found = explain(before, after, "A", "", {"a": 2, "b": 0, "c": 0}, sides=Sides(alike=("a1", "a2", "a3", "a4")))
    assert found.verdict == "illegal"
    assert ("a5", "anew") in {reading.cells for reading in found.readings}


def test_sides_without_beams_show_a_pull_that_left_the_same_tray() -> None:
    tray = Tray.parse("YYRBR/RBRBY/BRBRY")
    assert explain(tray, tray, "A").verdict == "nothing"
    found = explain(tray, tray, "A", sides=Sides(turned=("a3", "a4", "a5"), alike=("a1", "a2")))
    assert not found.untouched


@pytest.mark.parametrize(("refill", "late"), [("YB", True), ("BY", False)])
def test_a_clear_that_a_newcomer_explains_as_well_is_late(refill: str, late: bool) -> None:
    """Perhaps a5 was pulled and then the yellow that came in its place, not a4."""
    before = Tray.parse("RBRYY/RBRBY/BRBRY")
    after, drops = pulled(before, ["a4", "a5"], {"a": refill})
    found = explain(before, after, "A", "", drops)
    assert (found.verdict, found.cells, len(found.readings), found.late) == ("legal", ("a4", "a5"), 1, late)


def test_of_equal_readings_the_one_that_markers_allow_is_the_legal_one() -> None:
    before, after = Tray.parse("RRYBY/YBYBY/BYBYB"), Tray.parse("RYBYB/YBYBY/BYBYB")
    drops = {"a": 1, "b": 0, "c": 0}
    free = explain(before, after, "A", "", drops)
    assert [(r.cells, r.legal) for r in free.readings] == [(("a1",), True), (("a2",), True)]
    found = explain(before, after, "A", "", drops, limits=Limits(blocked=frozenset({"a1"})))
    assert (found.verdict, found.cells, found.attack) == ("legal", ("a2",), "R1")
    found = explain(before, after, "A", "", drops, limits=Limits(blocked=frozenset({"a1", "a2"})))
    assert (found.verdict, [reason.code for reason in found.reasons]) == ("illegal", ["out_of_reach"])
