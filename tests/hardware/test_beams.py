"""Beams through gpiozero's real mock pins."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from queue import SimpleQueue
from random import Random
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.exc import PinFactoryFallback
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.beams import BeamError, Beams
from hardware.counting import count
from hardware.edges import Edge
from tests.hardware.physics import train

PINS = {"a": 17, "b": 27, "c": 22}


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = MockFactory()
    yield factory
    factory.reset()


class Clock:
    def __init__(self) -> None:
        self.ns = 0

    def __call__(self) -> int:
        return self.ns


class HeldLow(MockPin):
    """A receiver that holds its pin low whatever the pull says; the mock alone would go high."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self.info.name == "GPIO27":
            self.drive_low()


def test_the_level_at_the_start_is_a_lanes_first_edge() -> None:
    factory = MockFactory(pin_class=HeldLow)
    edges: list[Edge] = []
    beams = Beams(PINS, edges.append, factory=factory, clock_ns=lambda: 7)
    assert edges == [Edge(7, "a", False), Edge(7, "b", True), Edge(7, "c", False)]
    assert beams.levels() == {"a": False, "b": True, "c": False}
    beams.close()


@pytest.mark.parametrize("pull_up", [True, False])
@pytest.mark.parametrize("active_low", [True, False])
def test_the_receivers_polarity_and_the_pull(factory: MockFactory, pull_up: bool, active_low: bool) -> None:
    edges: list[Edge] = []
    beams = Beams({"a": 17}, edges.append, factory=factory, active_low=active_low, pull_up=pull_up, clock_ns=lambda: 0)
    factory.pin(17).drive_low() if pull_up else factory.pin(17).drive_high()
    low = [not pull_up, pull_up]
    assert [edge.blocked for edge in edges] == [level == active_low for level in low]
    beams.close()


def test_two_hundred_edges_a_second_none_lost_order_kept(factory: MockFactory) -> None:
    clock, edges = Clock(), SimpleQueue[Edge]()
    beams = Beams(PINS, edges.put, factory=factory, clock_ns=clock)
    sent = [Edge(0, lane, False) for lane in PINS]
    for number in range(2 * 200 * 10):
        # ten seconds of 200 edges a second in each of two lanes
        clock.ns += 2_500_000
        lane = "ab"[number % 2]
        blocked = number // 2 % 2 == 0
        pin = factory.pin(PINS[lane])
        pin.drive_low() if blocked else pin.drive_high()
        sent.append(Edge(clock.ns, lane, blocked))
    got = [edges.get_nowait() for _ in range(edges.qsize())]
    assert got == sent
    beams.close()


def test_marbles_through_pins_are_counted(factory: MockFactory) -> None:
    clock = Clock()
    edges: list[Edge] = []
    beams = Beams(PINS, edges.append, factory=factory, clock_ns=clock)
    for number in range(30):
        clock.ns = (number + 1) * 300_000_000
        factory.pin(22).drive_low()
        clock.ns += 3_000_000 if number % 2 else 5_000_000
        factory.pin(22).drive_high()
    beams.close()
    assert (count(edges)["c"].drops, count(edges)["c"].certain) == (30, True)


def test_physics_through_pins_is_counted_like_the_record() -> None:
    """Three lanes at once, both rest states: every edge comes, in order, and the counts are those of the record."""
    clock, edges = Clock(), list[Edge]()
    trains = [train(Random(n), lane=lane, rest=lane == "b", drops=60) for n, lane in enumerate(PINS)]
    factory = MockFactory(pin_class=HeldLow)  # a queue stands in lane b's beam
    beams = Beams(PINS, edges.append, factory=factory, clock_ns=clock)
    sent = sorted(edge for one in trains for edge in one.edges[1:])
    for edge in sent:
        clock.ns = edge.t_ns
        pin = factory.pin(PINS[edge.lane])
        pin.drive_low() if edge.blocked else pin.drive_high()
    beams.close()
    assert len(sent) > 400
    assert edges == [*(one.edges[0] for one in trains), *sent]
    assert {lane: one.drops > 50 for lane, one in count(edges).items()} == dict.fromkeys(PINS, True)


def test_an_exception_in_the_sink_does_not_end_later_edges(factory: MockFactory) -> None:
    got: list[Edge] = []

    def sink(edge: Edge) -> None:
        if len(got) == 2:
            got.append(edge)
            raise OSError("disk full")
        got.append(edge)

    beams = Beams({"a": 17}, sink, factory=factory, clock_ns=lambda: 0)
    for _ in range(3):
        factory.pin(17).drive_low()
        factory.pin(17).drive_high()
    assert len(got) == 7
    assert beams.errors == 1
    beams.close()


def test_the_same_level_twice_is_handed_on(factory: MockFactory) -> None:
    edges: list[Edge] = []
    beams = Beams({"a": 17}, edges.append, factory=factory, clock_ns=lambda: 5)
    pin = factory.pin(17)
    pin.drive_low()
    # what lgpio's thread does when it reports the same level again
    pin.when_changed(0.0, pin.state)
    assert [edge.blocked for edge in edges] == [False, True, True]
    assert not count(edges)["a"].certain
    beams.close()


def test_edges_have_the_pin_librarys_own_stamp(factory: MockFactory) -> None:
    edges: list[Edge] = []
    beams = Beams({"a": 17}, edges.append, factory=factory)
    pin = factory.pin(17)
    taken = time.monotonic() - 0.5
    pin.when_changed(taken, 0)
    assert edges[-1].t_ns == round(taken * 1e9)
    # a stamp of the future would be no stamp
    pin.when_changed(time.monotonic() + 5, 1)
    assert edges[-1].t_ns <= time.monotonic_ns()
    beams.close()


def test_a_pin_library_with_another_origin_is_brought_to_the_monotonic_clock(factory: MockFactory) -> None:
    edges: list[Edge] = []
    beams = Beams({"a": 17}, edges.append, factory=factory)
    pin = factory.pin(17)
    other = time.monotonic() + 1_700_000_000
    pin.when_changed(other, 0)
    pin.when_changed(other + 0.012, 1)
    assert abs(edges[-1].t_ns - time.monotonic_ns()) < 3600 * 10**9
    # the second callback came at once, its stamp 12 ms later: the difference is what counts
    assert edges[-1].t_ns - edges[-2].t_ns <= 12_000_000
    beams.close()


@pytest.mark.parametrize(
    ("pins", "says"),
    [
        ({"a": 17, "b": 17}, "lane b: pin 17 is used twice"),
        ({"a": 17, "b": "GPIO17"}, "lane b: pin GPIO17 is used twice"),
        ({"a": 17, "b": 99}, "lane b: 99 is no GPIO pin of this board"),
        ({"a": "GND1"}, "lane a: 'GND1' is no GPIO pin"),
    ],
)
def test_a_pin_that_cannot_be_is_named_and_nothing_stays_open(
    factory: MockFactory, pins: dict[str, Any], says: str
) -> None:
    with pytest.raises(BeamError, match=says):
        Beams(pins, lambda edge: None, factory=factory)
    beams = Beams({"a": 17}, lambda edge: None, factory=factory)
    beams.close()


def test_a_busy_pin_is_named_with_what_may_hold_it(factory: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(self: object, value: object) -> None:
        monkeypatch.undo()
        raise RuntimeError("GPIO busy")

    monkeypatch.setattr("gpiozero.pins.mock.MockPin._set_pull", busy)
    with pytest.raises(BeamError, match=r"lane a: pin 4 cannot be opened \(GPIO busy\): is an overlay such as 1-Wire"):
        Beams({"a": 4}, lambda edge: None, factory=factory)


def test_without_a_pin_library_the_fix_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    with warnings.catch_warnings():
        warnings.simplefilter("error", PinFactoryFallback)
        with pytest.raises(BeamError, match=r"No pin library works here: .*python3-lgpio"):
            Beams(PINS, lambda edge: None)
