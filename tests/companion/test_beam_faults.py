"""Every fault of a beam by its name: what the page shows, what is kept, how it recovers."""

from __future__ import annotations

from typing import Any

import pytest

from hardware.counting import Geometry
from tests.companion.beam_scene import BeamScene


def pulled(scene: BeamScene) -> list[str] | None:
    clear: dict[str, Any] | None = scene.state["last_clear"]
    return None if clear is None else clear["cells"]


def counted(scene: BeamScene) -> None:
    """A1 is pulled in lane a, and that is all: a plain clear that nobody has to be asked about."""
    scene.pulses("a", (300, 12))
    scene.pull("a1", a="B")
    assert pulled(scene) == ["a1"]
    assert (scene.view["verdict"]["sure"], scene.view["question"]) == (True, None)


def next_turn(scene: BeamScene) -> None:
    assert scene.do(do="end_turn", player="A")["ok"]
    scene.still(0.3)


def test_glitches_under_a_millisecond() -> None:
    scene = BeamScene()
    for lane in "abc":
        scene.pulses(lane, (100, 0.4), (250, 0.9), (450, 0.05))
    counted(scene)
    assert scene.notices == []


def test_chatter_at_the_edges() -> None:
    scene = BeamScene()
    scene.pulses("a", (300, 0.2), (300.4, 0.1), (300.7, 12), (312.9, 0.3), (313.4, 0.2))
    scene.pull("a1", a="B")
    assert pulled(scene) == ["a1"]
    assert scene.view["verdict"]["sure"]
    assert scene.notices == []


def test_sunlight_blinds_a_sensor() -> None:
    scene = BeamScene()
    scene.edge("b", 50, True)
    scene.still(1.0)
    assert scene.notices == [
        "Lane b's beam is blocked: a marble stands in it, or light blinds the sensor. Drops there are not sure."
    ]
    assert not scene.lane("b")["certain"]
    # the other lanes are counted as ever; lane b has the camera alone
    scene.pulses("a", (300, 12))
    scene.pull("a1", a="B")
    assert pulled(scene) == ["a1"]
    assert not scene.view["verdict"]["sure"]
    # the sun has gone
    next_turn(scene)
    scene.edge("b", 50, False)
    scene.still(1.0)
    assert scene.notices == []


def test_a_loose_cable_gives_endless_pulses() -> None:
    scene = BeamScene()
    scene.pulses("b", *[(10 + 10 * number, 5) for number in range(300)])
    scene.still(1.5)
    assert scene.view["sensors"]["state"] == "fault"
    (notice,) = scene.view["notices"]
    assert notice["level"] == "error"
    assert notice["text"].startswith("Sensor fault, lane b: more than 36 pulses in 1 s that are no marbles, check its")
    assert scene.lane("b")["drops"] == 0, "what the loose cable pulsed is taken back"
    assert (scene.view["question"], pulled(scene)) == (None, None)
    # lane a counts on, the camera sees, taps are taken
    scene.pulses("a", (300, 12))
    scene.pull("a1", a="B")
    assert pulled(scene) == ["a1"]
    assert not scene.view["verdict"]["sure"]
    assert scene.do(do="hit", source="A", hits=[{"player": "B", "button": "R", "amount": 1}])["ok"]
    # the cable is seated again: after 5 s of quiet it counts
    scene.edges.clear()
    scene.edge("b", 1, False)
    scene.still(6)
    assert scene.notices == []
    next_turn(scene)
    scene.pulses("b", (300, 12))
    scene.pull("b3", b="R")
    assert pulled(scene) == ["b3"]
    assert scene.view["verdict"]["sure"]
    assert scene.lane("b")["fault"] is None


def test_a_marble_is_stuck_in_the_beam_and_counts_when_it_leaves() -> None:
    scene = BeamScene()
    scene.edge("a", 300, True)
    scene.reach("YBRYB/YBRBY/BRYBR")
    assert any("Lane a's beam is blocked" in text for text in scene.notices)
    assert scene.lane("a")["drops"] == 0
    # the tray shows a clear that the beam has not confirmed: scored by the camera, and not called sure
    assert pulled(scene) == ["a1"]
    assert not scene.view["verdict"]["sure"]
    scene.edge("a", 100, False)
    scene.still(1)
    assert not any("Lane a" in text for text in scene.notices)


@pytest.mark.parametrize("level", [True, False])
def test_an_edge_is_lost(level: bool) -> None:
    """Two equal levels in a row: one between them was not seen, so the count is not certain."""
    scene = BeamScene()
    scene.pulses("a", (300, 12), (420, 12))
    del scene.edges[2 if level else 1]
    scene.pull("a1", a="B")
    assert scene.view["question"] is not None or not scene.view["verdict"]["sure"]


def test_stamps_that_arrive_late_are_put_in_order() -> None:
    scene = BeamScene()
    scene.edge("a", 300, True, late_ms=70)
    scene.edge("a", 312, False)
    scene.pull("a1", a="B")
    assert pulled(scene) == ["a1"]
    assert scene.view["verdict"]["sure"]


def test_stamps_that_arrive_far_too_late_make_the_lane_uncertain() -> None:
    scene = BeamScene()
    scene.edge("a", 100, True, late_ms=700)
    scene.edge("a", 112, False, late_ms=700)
    scene.pull("a1", a="B")
    assert scene.view["question"] is not None or not scene.view["verdict"]["sure"]


def test_a_queue_stands_in_the_beam_at_rest() -> None:
    scene = BeamScene(rest="abc", geometry=Geometry(rest="blocked"))
    assert scene.notices == []
    counted(scene)


def test_a_queue_found_by_itself_is_believed_once_it_has_moved_up() -> None:
    scene = BeamScene(rest="abc")
    scene.still(0.5)
    assert len(scene.notices) == 3
    scene.pulses("a", (300, 12))
    scene.pull("a1", a="B")
    assert pulled(scene) == ["a1"]
    assert [text[:6] for text in scene.notices] == ["Lane b", "Lane c"]
