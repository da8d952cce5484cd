"""One lane: every way from one text to another, against a brute force; and how sightings become views."""

from __future__ import annotations

import random

import pytest

from companion.rules.rematch.lanes import View, Way, views_of, ways
from tests.companion.rules import lane_brute
from tests.companion.rules.lane_brute import Glance

SAMPLES = 40


def drawn(rng: random.Random) -> tuple[str, str, int | None, list[Glance]]:
    """A lane before and after, its drops, and some views of what happened between, a few of them wrong."""
    before = "".join(rng.choices("RYB", k=rng.choice((5, 5, 5, 4, 3)))).ljust(5, ".")
    if rng.random() < 0.15:
        before = before.replace("R", "?", 1)
    lane, dropped = list(before.rstrip(".")), 0
    moments = [("".join(lane), 0)]
    for _ in range(rng.randint(0, 4)):
        if lane and rng.random() < 0.55:
            i = rng.randrange(len(lane))
            hole = "".join(lane[:i]) + "." + "".join(rng.choice("?.RY") for _ in lane[i + 1 :])
            moments.append((hole, dropped))
            del lane[i]
        elif len(lane) < 5:
            lane.append(rng.choice("RYB"))
            dropped += 1
        moments.append(("".join(lane), dropped))
    after = "".join(lane).ljust(5, ".")
    if rng.random() < 0.2:
        after = after[:4] + "?"
    views: list[Glance] = []
    for text, count in rng.sample(moments, rng.randint(0, min(4, len(moments)))) if rng.random() < 0.8 else []:
        seen = "".join("?" if rng.random() < 0.3 else letter for letter in text.ljust(5, "."))
        if rng.random() < 0.25:
            i = rng.randrange(5)
            seen = seen[:i] + rng.choice("RYB.") + seen[i + 1 :]
        views.append((seen, rng.choice((None, count, count, count + 1, count + 2)), rng.choice((0.3, 0.6, 1.0, 2.0))))
    return before, after, rng.choice((None, dropped, dropped)), views


@pytest.mark.parametrize("margin", [1e-6, 0.9, float("inf")])
def test_ways_equal_the_brute_force(margin: float) -> None:
    rng = random.Random(7)
    newcomers = several = 0
    for _ in range(SAMPLES):
        before, after, drops, views = drawn(rng)
        turned, alike = [], []
        if rng.random() < 0.3:
            rows = rng.sample(range(1, 6), rng.randint(1, 4))
            turned, alike = rows[::2], rows[1::2]
        found = ways(before, after, drops, [View(*view) for view in views], margin, turned, alike)
        expected = lane_brute.ways(before, after, drops, views, margin, turned, alike)
        told = {(way.rows, way.newcomers): way.misfit for way in found}
        assert len(told) == len(found)
        assert told == pytest.approx(expected), (before, after, drops, views, turned, alike)
        newcomers += any(way.newcomers for way in found)
        several += len(found) > 1
    assert newcomers
    assert several > SAMPLES / 5


def test_readings_that_fit_equally_well_all_stay() -> None:
    """Trays and drops alone, and one unsure cell: nothing is better than anything else, even without a margin."""
    assert {(way.rows, way.misfit) for way in ways("RRRYB", "RRYBR", 1, (), 0.0)} == {((1,), 0), ((2,), 0), ((3,), 0)}
    hidden = [View("?????", None, 1.0)]
    assert {way.rows for way in ways("RRRYB", "RRYBR", 1, hidden, 0.0)} == {(1,), (2,), (3,)}
    # without a count each pull is dear: both ways of the fewest pulls are still there
    assert {(way.rows, way.misfit) for way in ways("RRYBY", "RYBYB", None, hidden, 0.0)} == {((1,), 1), ((2,), 1)}


def test_a_newcomer_needs_room_to_drop_in() -> None:
    """A second newcomer cannot drop into a full lane before the first has been pulled: no order of this is possible."""
    views = [View("?BRBR"), View("??.RY"), View("YBR?R", None, 0.3)]
    with_sides = ways("YBRBR", "BRBR?", None, views, float("inf"), [2, 4], [3, 5])
    assert {(way.rows, way.newcomers): way.misfit for way in with_sides}[(1,), 1] == pytest.approx(4.8)


@pytest.mark.parametrize(
    ("sightings", "views"),
    [
        ([], []),
        ([("RYBRY", 0, 0.3)], [("RYBRY", 0, 0.3)]),
        # what stays the same is kept three times, as many marbles may have been pulled meanwhile; the rest adds up
        ([("?????", 0, 0.3)] * 2, [("?????", 0, 0.3)] * 2),
        ([("?????", 0, 0.3)] * 3, [("?????", 0, 0.3)] * 3),
        ([("?????", 0, 0.3)] * 4, [("?????", 0, 0.3)] * 2 + [("?????", 0, 0.6)]),
        # and hurts 2 at most, in all, also while drops are counted on
        ([("RYBRY", 0, 0.3)] * 10, [("RYBRY", 0, 0.3)] * 2 + [("RYBRY", 0, 1.4)]),
        ([("RYBRY", n, 1.5) for n in (0, 1, 1)], [("RYBRY", 0, 1.5), ("RYBRY", 1, 0.5), ("RYBRY", 1, 0.0)]),
        # another sight begins anew
        ([("RYBRY", 0, 1.5), ("RYBR?", 0, 1.5)], [("RYBRY", 0, 1.5), ("RYBR?", 0, 1.5)]),
        ([("RYB?Y", 0, 1.5), ("R?BRY", 0, 1.5)] * 2, [("RYB?Y", 0, 1.5), ("R?BRY", 0, 1.5)] * 2),
        ([("R????", 0, 0.3)] * 3 + [("R????", 1, 0.3)] * 2, [("R????", 0, 0.3)] * 3 + [("R????", 1, 0.3)] * 2),
    ],
)  # fmt: skip
def test_views_of_one_lane(sightings: list[Glance], views: list[Glance]) -> None:
    told = views_of(sightings)
    assert [(view.text, view.drops) for view in told] == [(text, drops) for text, drops, _ in views]
    assert [view.weight for view in told] == pytest.approx([weight for _, _, weight in views])


def test_a_view_weighs_one_unless_it_is_said() -> None:
    assert ways("RYBRY", "RYBRY", 0, [View("YYBRY")]) == [Way((), 0, 1.0)]
    assert Way((1,)) == Way((1,), 0, 0.0)


def test_newcomers_are_considered_when_nothing_else_fits() -> None:
    """Once all other ways contradict what was seen by more than 1; an unchanged lane costs nothing by itself."""

    def newcomers(before: str, after: str, weight: float) -> bool:
        found = ways(before, after, None, [View("YYBRY", None, weight)])
        return any(way.newcomers for way in found)

    assert not newcomers("RYBRY", "RYBRY", 1.0)
    assert newcomers("RYBRY", "RYBRY", 1.25)


def test_a_hanging_marble_is_hardly_a_contradiction() -> None:
    for seen, misfit in (("R.YB.", 0.25), ("RY.B.", 0.25), (".RYB.", 1.6), ("RYB..", 0.0)):
        assert ways("RYB..", "RYB..", 0, [View(seen)]) == [Way((), 0, misfit)]


def test_what_has_no_room_for_its_drops_is_no_way_however_wide_the_margin() -> None:
    """Nothing dropped into a full lane before a marble had left it, so the newcomer alone cannot have been pulled."""
    found = ways("RYBRY", "RYBRY", 1, [View("RYBRY", weight=2.0)])
    assert found
    assert all(way.misfit < float("inf") for way in found)
    assert Way((), 1, float("inf")) not in found


def test_a_pull_that_costs_all_of_the_margin_still_counts() -> None:
    assert Way((1,), 0, 1.0) in ways("RRRRR", "RRRRR", None, [View("?????")], margin=1.0)
    assert Way((1,), 0, 1.0) not in ways("RRRRR", "RRRRR", None, [View("?????")], margin=0.9)
