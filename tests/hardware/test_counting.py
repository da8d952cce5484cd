"""Counting: one situation a test, then physics. Times in ms; a pulse is (start, length)."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from companion.cli import main
from hardware.counting import Drop, DropCounter, Geometry, LaneCount, count
from hardware.edges import Edge
from tests.hardware.physics import train

MS = 1_000_000


def edges(*pulses: tuple[float, float], lane: str = "b", rest: bool = False) -> list[Edge]:
    """A lane at rest with stretches away from its rest level."""
    out = [Edge(0, lane, rest)]
    for start, length in pulses:
        out += [Edge(round(start * MS), lane, not rest), Edge(round((start + length) * MS), lane, rest)]
    return out


def lane_b(*pulses: tuple[float, float], rest: bool = False) -> LaneCount:
    return count(edges(*pulses, rest=rest))["b"]


def test_each_lane_of_the_record_is_counted_and_no_other() -> None:
    record = [Edge(0, "a", False), *edges((100, 16), (900, 14))]
    assert count(record) == {
        "a": LaneCount(0, True, ()),
        "b": LaneCount(2, True, (100 * MS, 900 * MS)),
    }
    assert count([]) == {}


@pytest.mark.parametrize("width", [3, 5.6, 16, 26])
def test_a_lone_marble(width: float) -> None:
    assert lane_b((100, width)) == LaneCount(1, True, (100 * MS,))


def test_a_queue_in_the_beam_drops_by_short_openings() -> None:
    found = lane_b((100, 8), (700, 30), (760, 5), rest=True)
    assert (found.drops, found.certain, found.times_ns) == (3, True, (100 * MS, 700 * MS, 760 * MS))


def test_touching_marbles_off_the_axis_leave_a_gap_of_one_to_three_ms() -> None:
    assert lane_b((100, 12), (113.2, 11)).drops == 2
    assert lane_b((100, 12), (113.2, 11)).certain


def test_touching_marbles_on_the_axis_are_one_long_pulse_that_is_not_certain() -> None:
    steady = [(100 + 500 * number, 15.0) for number in range(5)]
    found = lane_b(*steady, (4000, 29))
    assert (found.drops, found.certain) == (7, False)
    assert not lane_b((100, 29)).certain


def test_slow_marbles_are_certain_once_the_lane_has_shown_that_it_is_slow() -> None:
    assert not lane_b((100, 40)).certain
    assert not lane_b((100, 24), (500, 40)).certain
    assert lane_b(*[(100 + 500 * number, 24.0 + number % 3) for number in range(6)]).certain


def test_a_fast_marble_makes_long_pulses_doubtful_even_earlier_ones() -> None:
    assert lane_b((100, 20), (600, 19)).certain
    assert not lane_b((100, 20), (600, 8)).certain


def test_a_beam_known_to_be_off_the_axis_needs_no_doubt() -> None:
    geometry = Geometry(offset=(0.4, 0.6))
    assert count(edges((100, 50), (900, 8)), geometry)["b"].certain


def test_glitches_under_a_millisecond_are_no_marbles() -> None:
    found = lane_b((50, 0.4), (100, 15), (300, 0.9), (600, 15))
    assert (found.drops, found.certain) == (2, True)


def test_a_glitch_in_the_middle_of_a_pulse_may_be_the_gap_of_a_pair() -> None:
    found = lane_b((100, 8), (108.4, 8))
    assert (found.drops, found.certain) == (1, False)
    late = lane_b((100, 14), (114.4, 2.5))
    assert (late.drops, late.certain) == (1, True)


def test_a_slit_of_light_in_a_queue_is_doubtful() -> None:
    found = lane_b((100, 8), (400, 0.5), rest=True)
    assert (found.drops, found.certain) == (1, False)


def test_chatter_at_both_edges() -> None:
    chatter = [(100, 0.2), (100.3, 0.1), (100.6, 14.8), (115.5, 0.2), (115.9, 0.1)]
    assert lane_b(*chatter) == LaneCount(1, True, (100 * MS,))


def test_a_pulse_between_glitch_and_marble_is_doubtful() -> None:
    assert (lane_b((100, 1.5)).drops, lane_b((100, 1.5)).certain) == (0, False)
    assert (lane_b((100, 2.5)).drops, lane_b((100, 2.5)).certain) == (1, False)


@pytest.mark.parametrize("level", [False, True])
def test_the_same_level_twice_is_an_unseen_edge(level: bool) -> None:
    record = edges((100, 15), (500, 15), (900, 15))
    record.remove(Edge((500 if not level else 515) * MS, "b", not level))
    found = count(record)["b"]
    assert (found.drops, found.certain) == (3, False)
    assert any("not seen" in doubt for doubt in found.doubts)


def test_a_beam_that_is_always_blocked_is_not_certain() -> None:
    assert count([Edge(0, "b", True)])["b"] == LaneCount(
        0, False, (), None, ("lane b: always blocked, by a queue of marbles or by light that blinds the sensor",)
    )
    assert count([Edge(0, "b", True)], Geometry(rest="blocked"))["b"].certain
    assert not count([Edge(0, "b", True)], Geometry(rest="clear"))["b"].certain


def test_a_marble_stuck_in_the_beam() -> None:
    stuck = [*edges((100, 15)), Edge(800 * MS, "b", True)]
    assert (count(stuck)["b"].drops, count(stuck)["b"].certain) == (1, False)


def test_a_marble_that_stood_in_the_beam_counts_when_it_leaves() -> None:
    counter = DropCounter()
    for edge in [Edge(0, "b", False), Edge(100 * MS, "b", True)]:
        counter.feed(edge)
    assert counter.tick(2000 * MS) == []
    assert counter.doubts("b")[0].t_ns == 100 * MS
    counter.feed(Edge(3000 * MS, "b", False))
    counter.feed(Edge(3008 * MS, "b", True))
    assert counter.tick(3100 * MS) == [Drop(3000 * MS, "b", True)]
    # the doubt belongs to the turn in which it arose
    assert counter.counts(2500 * MS)["b"] == LaneCount(1, True, (3000 * MS,))


def test_a_queue_that_is_used_up_leaves_a_clear_beam() -> None:
    found = count([Edge(0, "b", True), Edge(100 * MS, "b", False), *edges((900, 15))[1:]])["b"]
    assert (found.drops, found.certain) == (2, False)


@pytest.mark.parametrize(("period", "width"), [(10, 5), (20, 10), (2, 0.6), (40, 1.5), (70, 20), (90, 45), (300, 150)])
def test_endless_pulses_are_a_sensor_fault_and_stop_the_count(period: float, width: float) -> None:
    endless = [(2000 + period * number, width) for number in range(round(20_000 / period))]
    found = count([Edge(0, "a", False), *edges((100, 16), *endless), *edges((150, 16), lane="c")])
    assert found["b"].fault is not None
    assert found["b"].fault.startswith("sensor fault, lane b")
    assert not found["b"].certain
    assert found["b"].drops <= 1
    assert found["c"] == LaneCount(1, True, (150 * MS,))


def test_a_fault_ends_with_quiet_and_what_comes_then_counts() -> None:
    counter = DropCounter()
    for edge in edges(*[(1000 + 10 * number, 5) for number in range(200)]):
        counter.feed(edge)
    counter.tick(3100 * MS)
    assert counter.fault("b") is not None
    counter.tick(9000 * MS)
    assert counter.fault("b") is None
    for edge in edges((10_000, 15))[1:]:
        counter.feed(edge)
    counter.tick(10_100 * MS)
    assert counter.counts(9500 * MS)["b"] == LaneCount(1, True, (10_000 * MS,))
    assert counter.counts()["b"].fault is not None


def test_many_marbles_are_no_fault() -> None:
    # all there are, as fast as they can roll
    assert lane_b(*[(100 + 30 * number, 8) for number in range(36)]).drops == 36
    # for a long time, unevenly
    random = Random(5)
    assert (
        lane_b(*[(100 + 80 * number + random.uniform(0, 30), 9 + number % 4) for number in range(2000)]).drops == 2000
    )
    # for a long time, evenly but slowly
    assert lane_b(*[(100 + 300 * number, 16) for number in range(500)]).drops == 500


def test_edges_that_arrive_out_of_order_are_put_in_order() -> None:
    random = Random(3)
    record = edges(*[(100 + 200 * number, 12.0) for number in range(30)])
    shuffled = record[:1] + sorted(record[1:], key=lambda edge: edge.t_ns + random.uniform(0, 25 * MS))
    assert shuffled != record
    counter = DropCounter()
    drops = [drop for edge in shuffled for drop in counter.feed(edge)] + counter.flush()
    assert [drop.t_ns for drop in drops] == [edge.t_ns for edge in record[1::2]]
    assert counter.counts() == count(record) == count(record[:1] + record[:0:-1])


def test_an_edge_that_arrives_far_too_late_makes_the_count_uncertain() -> None:
    counter = DropCounter()
    for edge in edges((100, 15), (900, 15)):
        counter.feed(edge)
    counter.tick(2000 * MS)
    counter.feed(Edge(500 * MS, "b", True))
    counter.flush()
    assert not counter.counts()["b"].certain


def test_feeding_edge_by_edge_is_the_same_as_counting_the_record() -> None:
    for seed in range(40):
        found = train(Random(seed), rest=seed % 3 == 0, drops=8)
        counter = DropCounter()
        drops: list[Drop] = []
        for edge in found.edges:
            drops += counter.feed(edge)
            drops += counter.tick(edge.t_ns + 1)
        drops += counter.flush()
        assert counter.counts() == count(found.edges), seed
        assert [drop.t_ns for drop in drops] == list(counter.counts()["b"].times_ns), seed


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"marble_mm": (16.0, 14.0)}, "marble_mm"),
        ({"speed": (0.0, 2.0)}, "speed"),
        ({"offset": (0.2, 1.0)}, "offset"),
        ({"glitch_ms": 5.0}, "glitch_ms"),
        ({"rest": "open"}, "rest"),
    ],
)
def test_impossible_geometry_is_named(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Geometry(**wrong)


def test_what_stands_in_a_beam_is_told_until_it_leaves_or_moves_up() -> None:
    counter = DropCounter()
    for edge in [Edge(0, "a", True), Edge(0, "b", False), Edge(100 * MS, "b", True)]:
        counter.feed(edge)
    counter.tick(2000 * MS)
    assert (counter.stands("a"), counter.stands("b")) == (True, True)
    for edge in [Edge(2000 * MS, "a", False), Edge(2009 * MS, "a", True), Edge(2000 * MS, "b", False)]:
        counter.feed(edge)
    counter.tick(3000 * MS)
    assert (counter.stands("a"), counter.stands("b")) == (False, False)


def test_marbles_at_any_speed_are_not_taken_for_pairs() -> None:
    random = Random(7)
    pulses, t = [], 100.0
    for _ in range(300):
        pulses.append((t, 15 / random.uniform(0.3, 2)))
        t += 300
    found = lane_b(*pulses)
    assert not found.certain
    # by the width alone a slow one and two that touch are the same; most are one
    assert 300 <= found.drops <= 310


# ------------------------------------------------------------------ physics
Many = tuple[int, int, int, int]


def many(trains: int, seed: int, **kind: object) -> Many:
    """(trains, counted exactly, certain, certain but wrong) of tables with one speed each, ± 10 %."""
    random = Random(seed)
    exact = certain = wrong = 0
    for _ in range(trains):
        speed = random.uniform(0.3, 1.8)
        found = train(random, speed=(speed, 1.2 * speed), **kind)
        counted = count(found.edges)["b"]
        exact += counted.drops == found.drops
        certain += counted.certain
        wrong += counted.certain and counted.drops != found.drops
    return trains, exact, certain, wrong


@pytest.mark.parametrize("rest", [False, True])
def test_marbles_apart_with_chatter_are_all_counted(rest: bool) -> None:
    offset = (0.2, 0.6) if rest else (0.0, 0.6)
    trains, exact, _, wrong = many(150, 1, rest=rest, drops=12, pairs=0, glitches=0, offset=offset)
    assert (exact, wrong) == (trains, 0)


def through_the_command(
    trains: int, seed: int, folder: Path, capsys: pytest.CaptureFixture[str], **kind: object
) -> Many:
    """Marbles of any speed from 0.3 to 2 m/s, each train through `count-drops`."""
    random = Random(seed)
    exact = certain = wrong = 0
    for _ in range(trains):
        found = train(random, **kind)
        file = folder / "edges.csv"
        file.write_text(
            "t_ns,lane,blocked\n" + "".join(f"{edge.t_ns},{edge.lane},{edge.blocked:d}\n" for edge in found.edges)
        )
        assert main(["count-drops", str(file), "--json"]) == 0
        counted = json.loads(capsys.readouterr().out)["b"]
        exact += counted["drops"] == found.drops
        certain += counted["certain"]
        wrong += counted["certain"] and counted["drops"] != found.drops
    return trains, exact, certain, wrong


@pytest.mark.parametrize("rest", [False, True])
def test_any_speed_through_the_command(rest: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trains, exact, _, wrong = through_the_command(30, 3, tmp_path, capsys, rest=rest, drops=12)
    assert wrong == 0
    assert exact >= 0.4 * trains


@pytest.mark.parametrize("rest", [False, True])
def test_no_certain_count_is_wrong(rest: bool) -> None:
    trains, exact, certain, wrong = many(400, 2, rest=rest, drops=12)
    assert wrong == 0
    assert certain >= 0.25 * trains
    assert exact >= 0.75 * trains


def test_what_was_counted_before_a_turn_is_forgotten_and_its_own_counts_stay() -> None:
    # one marble, one glitch; then the turn: a marble, a glitch
    counter = DropCounter()
    for edge in edges((100, 16), (200, 1.5), (1000, 14), (1100, 1.5)):
        counter.feed(edge)
    counter.flush()
    whole, turn = counter.counts(), counter.counts(500 * MS)
    counter.forget(500 * MS)
    assert counter.counts() == turn == counter.counts(500 * MS)
    assert (whole["b"].drops, turn["b"].drops) == (2, 1)
    assert (len(whole["b"].doubts), len(turn["b"].doubts), len(counter.doubts("b"))) == (2, 1, 1)
