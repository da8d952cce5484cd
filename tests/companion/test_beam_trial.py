"""One marble a lane: which beam saw it, in which order, which one is stuck."""

from __future__ import annotations

from companion.beam_trial import BeamTrial
from hardware.edges import Edge

MS = 1_000_000
SECOND = 1_000 * MS


class Table:
    """Three beams at rest, all open; `drop` lets one marble through one of them."""

    def __init__(self, blocked: str = "") -> None:
        self.t_ns = SECOND
        self.trial = BeamTrial("abc", self.t_ns)
        for lane in "abc":
            self.trial.feed(Edge(self.t_ns, lane, lane in blocked))
        self.rest()

    def rest(self, seconds: float = 1.0) -> None:
        for _ in range(round(seconds * 10)):
            self.t_ns += 100 * MS
            self.trial.tick(self.t_ns)

    def drop(self, lane: str) -> None:
        self.trial.feed(Edge(self.t_ns, lane, True))
        self.trial.feed(Edge(self.t_ns + 12 * MS, lane, False))
        self.rest()

    @property
    def told(self) -> dict[str, object]:
        return self.trial.to_json()


def test_lane_after_lane_is_asked_for_and_told() -> None:
    table = Table()
    for lane, after in (("a", "b"), ("b", "c"), ("c", None)):
        assert table.told["asked"] == lane
        table.drop(lane)
        assert table.told["asked"] == after
        assert (table.told["note"], table.told["swapped"]) == ("", None)
    assert table.trial.order == {"a": "a", "b": "b", "c": "c"}


def test_wires_in_another_order_are_told_and_learnt() -> None:
    table = Table()
    table.drop("c")
    assert table.told["note"] == "Lane a was asked for, and beam c saw it."
    table.drop("b")
    table.drop("a")
    assert table.told["swapped"] == "The wires are in another order: lane a is wired as c, lane c is wired as a."
    assert table.trial.order == {"a": "c", "b": "b", "c": "a"}


def test_another_marble_in_a_lane_that_had_its_own_is_not_the_next_lanes() -> None:
    table = Table()
    table.drop("a")
    table.drop("a")
    assert (table.told["asked"], table.trial.order) == ("b", {"a": "a"})
    assert table.told["note"] == "Beam a saw another marble. Now lane b, please."


def test_a_beam_that_is_always_blocked_is_told_and_can_be_passed_over() -> None:
    table = Table(blocked="b")
    table.rest(5)
    lanes = table.told["lanes"]
    assert isinstance(lanes, dict)
    assert [lane for lane, told in lanes.items() if told["stuck"]] == ["b"]
    assert "blocked" in lanes["b"]["text"]
    table.drop("a")
    table.trial.pass_over()
    assert table.told["asked"] == "c"
    table.drop("c")
    assert (table.told["asked"], table.told["swapped"]) == (None, None)


def test_a_beam_that_sees_nothing_is_told_after_a_while() -> None:
    table = Table()
    table.rest(18)
    assert table.told["note"] == ""
    table.rest(2)
    assert str(table.told["note"]).startswith("Beam a has seen nothing yet")
