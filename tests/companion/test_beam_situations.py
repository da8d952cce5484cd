"""Table situations of the field reports' groups D, F and G in which a count, or its lack, used to decide alone."""

from __future__ import annotations

from tests.companion.beam_scene import BeamScene
from tests.companion.test_rematch_table import TRAY

A, B, C = TRAY.split("/")


def hover(scene: BeamScene, seen: str, seconds: float = 0.8) -> None:
    """A hand leaves only `seen` in view and goes; the tray lies as before."""
    lies = scene.gaze.tray
    scene.gaze.hand, scene.gaze.settled, scene.gaze.tray = True, False, seen
    scene.still(seconds)
    scene.gaze.hand, scene.gaze.settled, scene.gaze.tray = False, True, lies
    scene.still(1.5)


def labels(scene: BeamScene) -> list[str]:
    return [answer["label"] for answer in scene.view["question"]["answers"]]


def test_a_stray_pulse_while_a_hand_is_elsewhere() -> None:
    """G16, G17: something else than a marble broke the beam. b5 lay in plain sight: nothing is scored unasked."""
    scene = BeamScene()
    scene.pulses("b", (300, 8))
    hover(scene, f"?????/{B}/{C}")
    assert scene.view["question"]["text"] == (
        "The beams counted 1 in lane b, but the tray lies as before. Was anything pulled?"
    )
    assert labels(scene)[:2] == ["Nothing was pulled: the tray is right as it lies", "A cleared b5 (Yellow-1)"]
    assert scene.state["last_clear"] is None
    scene.pulses("b", (300, 12))
    scene.pull("b3", b="R")  # it goes on without an answer
    last = scene.state
    assert (last["last_clear"]["cells"], scene.view["question"]) == (["b3"], None)


def test_a_pulse_with_nobody_there_is_asked_about_until_it_is_answered() -> None:
    """G7, G8: one false trip. The tray lies as it should, and that must not take the question away."""
    scene = BeamScene()
    scene.pulses("b", (300, 8))
    scene.still(4)
    assert "the camera saw no hand" in scene.view["question"]["text"]
    assert (scene.state["last_clear"], scene.view["differs"]) == (None, [])
    assert scene.answer("It did not happen") == {"ok": True}
    scene.still(2)
    assert (scene.view["question"], scene.state["last_clear"]) == (None, None)


def test_the_supply_dips_and_all_beams_blink_at_once() -> None:
    """G8: with nobody there it was nothing; in the middle of a pull no lane's count is sure, and it is asked."""
    scene = BeamScene()
    for lane in "abc":
        scene.pulses(lane, (300, 6))
    scene.still(4)
    assert (scene.view["question"], scene.state["last_clear"]) == (None, None)
    for lane in "abc":
        scene.pulses(lane, (100, 6))
    scene.pulses("b", (400, 12))
    scene.pull("b3", b="R")
    assert scene.state["last_clear"] is None
    assert labels(scene)[0] == "A cleared b3 (Red-1)"


def test_an_edge_that_arrives_five_seconds_late_is_no_second_clear() -> None:
    """G13: the clear is asked about, for want of a drop; the drop that comes afterwards is not another marble."""
    scene = BeamScene()
    scene.edge("b", 300, True, late_ms=5000)
    scene.edge("b", 312, False, late_ms=5000)
    scene.pull("b3", b="R")
    assert scene.answer(labels(scene)[0]) == {"ok": True}
    scored = scene.state["last_clear"]
    assert scored["cells"] == ["b3"]
    scene.still(8)
    assert (scene.state["last_clear"], scene.state["phase"]) == (scored, "resolve")


def test_two_marbles_changed_places_by_hand() -> None:
    """D6, F1: no beam saw a marble. Nothing is scored, and putting them back ends it."""
    scene = BeamScene()
    changed = f"{A[:2]}{B[2]}{A[3:]}/{B[:2]}{A[2]}{B[3:]}/{C}"
    scene.reach(changed)
    scene.still(2)
    assert scene.state["last_clear"] is None
    assert "the beam counted 0 marbles" in scene.view["question"]["text"]
    assert scene.view["differs"] == ["a3", "b3"]
    scene.reach(TRAY)
    assert (scene.view["question"], scene.view["differs"], scene.state["last_clear"]) == (None, [], None)


def test_a_beam_that_counts_every_marble_twice_drifts_nowhere() -> None:
    """G18: each launch adds one too many, all evening. Every clear is asked about, with the truth as an answer."""
    scene = BeamScene()
    for turn, (cell, refill, player) in enumerate((("b3", "R", "A"), ("b1", "B", "B"), ("b3", "R", "A"))):
        scene.pulses("b", (300, 12), (420, 12))
        tray = scene.pull(cell, b=refill)
        assert (scene.state["last_clear"] or {}).get("player") != player, turn
        truth = [label for label in labels(scene) if label.startswith(f"{player} cleared {cell} (")]
        assert len(truth) == 1, labels(scene)
        assert scene.answer(truth[0]) == {"ok": True}
        assert (scene.state["last_clear"]["cells"], scene.state["tray"]) == ([cell], tray)
        assert scene.do(do="end_turn", player=player)["ok"]
        assert scene.view["differs"] == []
