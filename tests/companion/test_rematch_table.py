"""The table of Re;MATCH: from sights of a tray to the score, to questions, and out of step and back."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from companion import rematch_acts as acts
from companion.desk import Desk
from companion.games import game
from companion.log import MemoryLog
from companion.pipeline import Pipeline
from companion.rematch_acts import on_question
from companion.rematch_table import PATIENCE_NS, RematchTable
from companion.rules.rematch.evidence import Explanation
from companion.rules.rematch.tray import Tray
from companion.rules.rematch.watch import Answer as Guess
from companion.rules.rematch.watch import ClearSeen, Question, Watcher
from companion.session import Session
from companion.table_port import Answer, Ask, Submit
from hardware.camera import Frame
from vision.gaze import Change, Sight
from vision.reading import Aim

TRAY = "RYBRY/YBRBY/BRYBR"
FRAME_NS = 100_000_000
IMAGE = np.zeros((2, 2, 3), np.uint8)


class FakeGaze:
    """Says of every frame what the scene says."""

    eye: Any = None  # nobody looks on
    view = 0
    fans_seen: tuple[int, dict[str, str | None]] = (0, {})

    def __init__(self) -> None:
        self.tray = TRAY
        self.settled = True
        self.hand = False
        self.fans: dict[str, str | None] = dict.fromkeys("RYB", "stage")
        self.changes: tuple[Change, ...] = ()
        self.hanging: tuple[str, ...] = ()

    def look(self, image: Any, t_ns: int) -> Sight:
        changes, self.changes = self.changes, ()
        aim = Aim(True, 0.4)
        return Sight(t_ns, self.tray, self.settled, (), self.hand, (), self.fans, aim, changes, hanging=self.hanging)


class Scene:
    """A match in front of a camera, on the camera's own clock."""

    def __init__(self, tray: str = TRAY, phase: str = "start", **setup: Any) -> None:
        self.gaze = FakeGaze()
        self.gaze.tray = tray
        self.log = MemoryLog()
        self.table = RematchTable(Pipeline(self.gaze, Watcher()))
        self.desk = Desk(Session(game("rematch"), self.log), self.table)
        self.t_ns = 0
        assert self.do(do="setup", first="A", tray=TRAY, **setup)["ok"]
        if phase != "opening":
            self.do(do="begin")
        self.still(0.6)

    def do(self, **command: Any) -> dict[str, Any]:
        return self.desk.submit_line(json.dumps(command).encode())

    def still(self, seconds: float) -> None:
        for _ in range(round(seconds * 1e9 / FRAME_NS)):
            self.t_ns += FRAME_NS
            self.desk.see(Frame(IMAGE, self.t_ns))

    def reach(self, tray: str) -> None:
        """A hand comes, works, and has gone; then the tray lies like this."""
        self.gaze.hand, self.gaze.settled = True, False
        self.still(0.5)
        self.gaze.hand, self.gaze.settled, self.gaze.tray = False, True, tray
        self.still(1.5)

    def pull(self, *cells: str, **refill: str) -> str:
        """Take these cells out of what lies there now; the tray after."""
        after = Tray.parse(self.gaze.tray).without(cells, refill).text
        self.reach(after)
        return after

    @property
    def state(self) -> dict[str, Any]:
        state = self.desk.session.state_json
        assert state is not None
        return state

    @property
    def view(self) -> dict[str, Any]:
        return self.desk.view()

    def answer(self, label: str) -> dict[str, Any]:
        question = self.view["question"]
        labels = [answer["label"] for answer in question["answers"]]
        (choice,) = [n for n, text in enumerate(labels) if label in text]
        reply = self.desk.control({"do": "answer", "id": question["id"], "choice": choice})
        assert reply is not None
        return reply


def test_a_legal_clear_is_scored_with_what_dropped_in() -> None:
    scene = Scene()
    after = scene.pull("a1", a="B")
    assert (scene.state["phase"], scene.state["tray"]) == ("resolve", after)
    assert scene.state["last_clear"]["cells"] == ["a1"]
    verdict = scene.view["verdict"]
    assert (verdict["kind"], verdict["player"], verdict["cells"], verdict["attack"]) == ("legal", "A", ["a1"], "R1")
    assert scene.view["differs"] == []


def test_an_illegal_clear_is_told_with_its_reason_and_kept_in_the_log() -> None:
    scene = Scene()
    before = json.dumps(scene.state)
    scene.pull("c2", c="Y")
    view = scene.view
    assert (view["verdict"]["kind"], view["verdict"]["reasons"][0]["code"]) == ("illegal", "out_of_reach")
    assert view["verdict"]["reasons"][0]["text"] in view["verdict"]["text"]
    assert view["verdict"]["nearest"][0]["cells"], "and what may have been meant"
    assert json.dumps(scene.state) == before
    assert view["differs"] == ["c2", "c3", "c4", "c5"]
    last = scene.log.records()[-1]
    assert (last.kind, last.error and last.error["code"]) == ("refused", "illegal_clear")


def test_of_equal_readings_one_that_a_marker_blocks_is_not_taken() -> None:
    scene = Scene("RRYBY/YBYBY/BYBYB")
    scene.do(do="correct", tray="RRYBY/YBYBY/BYBYB")
    scene.do(do="marker", player="B", name="frozen", place="a1", blocks=True)
    scene.pull("a2", a="B")
    assert scene.state["last_clear"]["cells"] == ["a2"]
    # and what only a blocked cell explains is refused, with that reason
    scene = Scene()
    scene.do(do="marker", player="B", name="frozen", place="row1", blocks=True)
    scene.pull("a1", a="B")
    verdict = scene.view["verdict"]
    assert (verdict["kind"], [reason["code"] for reason in verdict["reasons"]]) == ("illegal", ["out_of_reach"])


def test_putting_the_marbles_back_ends_it() -> None:
    scene = Scene()
    scene.pull("c2", c="Y")
    scene.reach(TRAY)
    view = scene.view
    assert (view["verdict"], view["differs"], view["question"]) == (None, [], None)
    scene.pull("a1", a="B")
    assert scene.state["last_clear"]["cells"] == ["a1"]


def test_while_out_of_step_nothing_is_scored() -> None:
    scene = Scene()
    scene.pull("c2", c="Y")
    scene.pull("a1", a="B")
    assert scene.state["last_clear"] is None
    assert scene.view["differs"] != []
    assert scene.view["notices"][0]["level"] == "warn"


def test_the_tray_can_be_taken_as_it_is_and_the_turn_stays() -> None:
    scene = Scene()
    after = scene.pull("c2", c="Y")
    assert scene.desk.control({"do": "take_tray"}) == {"ok": True}
    assert (scene.state["tray"], scene.state["turn"], scene.state["phase"]) == (after, "A", "start")
    assert (scene.view["verdict"], scene.view["differs"]) == (None, [])
    scene.pull("a1", a="B")
    assert scene.state["last_clear"]["cells"] == ["a1"]


def test_the_tray_is_not_taken_while_a_hand_is_at_it() -> None:
    scene = Scene()
    scene.pull("c2", c="Y")
    scene.gaze.hand, scene.gaze.settled = True, False
    scene.still(0.2)
    reply = scene.desk.control({"do": "take_tray"})
    assert reply is not None
    assert reply["error"]["code"] == "not_now"
    assert scene.state["tray"] == TRAY


def test_undo_cannot_put_marbles_back_so_the_tray_differs_until_they_are() -> None:
    scene = Scene()
    scene.pull("a1", a="B")
    assert scene.do(do="undo")["ok"]
    assert (scene.state["phase"], scene.view["verdict"]) == ("start", None)
    assert scene.view["differs"] == ["a1", "a2", "a3", "a4", "a5"]
    scene.reach(TRAY)
    assert scene.view["differs"] == []
    scene.pull("a1", a="B")
    assert scene.state["last_clear"]["cells"] == ["a1"]


def test_redo_makes_the_tray_the_expected_one_again() -> None:
    scene = Scene()
    scene.pull("a1", a="B")
    scene.do(do="undo")
    scene.do(do="redo")
    assert scene.view["differs"] == []


def test_an_older_clear_that_is_taken_out_makes_the_tray_differ_like_an_undo() -> None:
    scene = Scene()
    scene.pull("a1", a="B")
    scene.do(do="end_turn", player="A")
    scene.pull("c1", c="Y")
    clear, _, later = (record.seq for record in scene.log.records()[-3:])
    reply = scene.do(do="amend", seq=clear, remove=True)
    # nobody has cleared now: the turn cannot end, and what B pulled was out of turn
    assert [(m["seq"], m["error"]["code"]) for m in reply["misfits"]] == [
        (clear + 1, "must_clear"), (later, "not_your_turn"),
    ]  # fmt: skip
    assert scene.view["misfits"] == reply["misfits"]
    assert (scene.state["tray"], scene.state["phase"], scene.view["verdict"]) == (TRAY, "start", None)
    assert scene.view["differs"] == ["a1", "a2", "a3", "a4", "a5", "c1", "c2", "c3", "c4", "c5"]
    scene.pull("b1", b="R")
    assert (scene.state["phase"], scene.state["tray"]) == ("start", TRAY), "out of step nothing is scored"
    scene.reach(TRAY)
    assert scene.view["differs"] == []
    scene.pull("a1", a="B")
    assert scene.state["last_clear"]["cells"] == ["a1"]
    assert scene.view["misfits"] == reply["misfits"], "they stay until they are settled"
    for misfit in reply["misfits"]:
        assert scene.do(do="amend", seq=misfit["seq"], remove=True)["ok"]
    assert scene.view["misfits"] == []


def test_undo_of_an_amendment_makes_the_tray_the_expected_one_again() -> None:
    scene = Scene()
    scene.pull("a1", a="B")
    scene.do(do="amend", seq=scene.log.records()[-1].seq, remove=True)
    assert scene.view["differs"] != []
    scene.do(do="undo")
    assert (scene.view["differs"], scene.state["phase"]) == ([], "resolve")
    scene.do(do="end_turn", player="A")
    scene.pull("c1", c="R")
    assert scene.state["last_clear"]["cells"] == ["c1"]


def test_an_amendment_can_make_the_tray_the_expected_one() -> None:
    """A tapped clear told another marble than the one that came down."""
    scene = Scene()
    scene.do(do="clear", player="A", cells=["a1"], refill={"a": "R"})
    scene.do(do="heal", player="A", button="R", amount=1)
    tapped = scene.log.records()[-2].seq
    scene.pull("a1", a="B")
    scene.still(3)
    assert scene.view["differs"] == ["a5"]
    right = {"do": "clear", "player": "A", "cells": ["a1"], "refill": {"a": "B"}}
    assert scene.do(do="amend", seq=tapped, command=right)["misfits"] == []
    assert scene.view["differs"] == []
    scene.do(do="end_turn", player="A")
    scene.pull("c1", c="R")
    assert scene.state["last_clear"]["cells"] == ["c1"]


def test_an_amendment_closes_the_question_of_what_was_pulled_before_it() -> None:
    scene = Scene()
    scene.do(do="heal", player="A", button="R", amount=1)
    healed = scene.log.records()[-1].seq
    scene.pull("a1", a="B")
    scene.pull("c1", c="Y")
    assert scene.view["question"] is not None
    scene.do(do="amend", seq=healed, remove=True)
    assert scene.view["question"] is None
    assert scene.view["differs"] == ["c1", "c2", "c3", "c4", "c5"]


def test_the_opponents_clear_before_the_turn_was_ended_is_asked() -> None:
    scene = Scene()
    scene.pull("a1", a="B")
    after = scene.pull("c5", c="B")
    question = scene.view["question"]
    assert question["player"] == "B"
    assert [answer["cells"] for answer in question["answers"]] == [["c5"], ["c5"], []]
    assert scene.state["turn"] == "A", "a question changes nothing"
    assert scene.answer("B cleared c5") == {"ok": True}
    assert (scene.state["turn"], scene.state["phase"], scene.state["tray"]) == ("B", "resolve", after)
    assert (scene.view["question"], scene.view["differs"]) == (None, [])


def test_a_late_tap_that_ends_the_turn_makes_the_opponents_pull_the_next_clear() -> None:
    scene = Scene()
    scene.pull("a1", a="B")
    after = scene.pull("c5", c="B")
    assert scene.do(do="end_turn", player="A")["ok"]
    assert (scene.state["turn"], scene.state["phase"], scene.state["tray"]) == ("B", "resolve", after)
    assert (scene.view["question"], scene.view["differs"]) == (None, [])
    assert scene.view["verdict"]["kind"] == "legal"


def test_a_late_tap_tells_an_illegal_pull_of_the_opponent_too() -> None:
    scene = Scene()
    scene.pull("a1", a="B")
    scene.pull("c1", "c4", c="YY")
    scene.do(do="end_turn", player="A")
    assert (scene.state["turn"], scene.state["phase"]) == ("B", "start")
    assert scene.view["verdict"]["reasons"][0]["code"] == "not_connected"
    assert scene.view["differs"] == ["c1", "c2", "c3", "c4", "c5"]


def test_an_effect_meanwhile_leaves_the_question_open() -> None:
    scene = Scene()
    scene.pull("a1", a="B")
    scene.pull("c5", c="B")
    scene.do(do="hit", source="A", hits=[{"player": "B", "button": "R", "amount": 2}])
    assert scene.answer("B cleared c5") == {"ok": True}
    assert scene.state["turn"] == "B"


def test_a_clear_told_by_hand_closes_the_question() -> None:
    scene = Scene()
    scene.pull("a1", a="B")
    scene.pull("c5", c="B")
    assert scene.do(do="destroy", player="A", cells=["c5"], refill={"c": "B"})["ok"]
    assert (scene.view["question"], scene.view["differs"]) == (None, [])


def test_players_can_accept_an_illegal_clear() -> None:
    scene = Scene()
    after = scene.pull("c2", c="Y")
    verdict = scene.view["verdict"]
    assert scene.do(do="clear", player="A", cells=verdict["cells"], attack="R1", overrule=True)["ok"]
    assert (scene.view["verdict"], scene.view["differs"]) == (None, [])
    assert scene.state["phase"] == "resolve"
    assert scene.state["tray"] == after[:-1] + "?"


def test_marbles_that_an_effect_destroyed_are_no_clear() -> None:
    scene = Scene()
    scene.pull("a1", a="B")
    after = scene.pull("c5", c="B")
    assert scene.answer("A destroyed c5") == {"ok": True}
    assert (scene.state["turn"], scene.state["tray"], scene.view["differs"]) == ("A", after, [])


def test_it_did_not_happen_leaves_the_score_and_shows_what_differs() -> None:
    scene = Scene()
    scene.pull("a1", a="B")
    before = json.dumps(scene.state)
    scene.pull("c5", c="B")
    assert scene.answer("did not happen") == {"ok": True}
    assert (json.dumps(scene.state), scene.view["differs"]) == (before, ["c5"])


def test_in_the_opening_it_is_asked_who_took_the_marbles() -> None:
    scene = Scene(phase="opening")
    after = scene.pull("a1", a="B")
    assert [answer["label"].split(":")[0] for answer in scene.view["question"]["answers"]] == [
        "A cleared a1 (Red-1)", "B destroyed a1", "It did not happen",
    ]  # fmt: skip
    scene.answer("B destroyed")
    assert (scene.state["phase"], scene.state["tray"]) == ("opening", after)


def test_a_tap_while_the_marbles_still_roll_does_not_cost_the_clear() -> None:
    scene = Scene()
    scene.gaze.hand, scene.gaze.settled = True, False
    scene.still(0.5)
    scene.gaze.hand, scene.gaze.settled = False, True
    scene.gaze.tray = "YBRY./YBRBY/BRYBR"
    scene.still(0.3)
    assert scene.do(do="heal", player="A", button="R", amount=0)["ok"]
    scene.gaze.tray = "YBRYB/YBRBY/BRYBR"
    scene.still(1.5)
    assert scene.state["last_clear"]["cells"] == ["a1"]


def test_a_tapped_clear_that_the_camera_then_sees_is_counted_once() -> None:
    scene = Scene()
    scene.do(do="clear", player="A", cells=["a1"])
    assert scene.view["differs"] != []
    scene.pull("a1", a="B")
    assert (scene.state["phase"], scene.view["differs"], scene.view["question"]) == ("resolve", [], None)


def test_a_tray_that_the_score_does_not_know_is_told_when_it_is_needed() -> None:
    scene = Scene()
    scene.do(do="clear", player="A", attack="R1")
    scene.do(do="end_turn", player="A")
    assert scene.state["tray"] == "?????/?????/?????"
    after = scene.pull("c5", c="B")
    assert (scene.state["last_clear"]["cells"], scene.state["tray"]) == (["c5"], after)


def test_a_marble_that_was_jammed_comes_down_late() -> None:
    scene = Scene()
    after = scene.pull("a1", a=".")
    assert scene.state["tray"] == after
    scene.gaze.settled = False
    scene.still(0.3)
    scene.gaze.settled, scene.gaze.tray = True, after.replace(".", "B")
    scene.still(3)
    assert (scene.state["tray"], scene.view["differs"]) == (after.replace(".", "B"), [])


def test_a_tray_that_is_not_the_expected_one_is_never_passed_over() -> None:
    scene = Scene(tray="RYBRY/YBRBY/BRYBY")
    assert scene.view["differs"] == []
    scene.still(PATIENCE_NS / 1e9 + 0.3)
    assert scene.view["differs"] == ["c5"]


def test_a_fan_that_is_moved_is_taken() -> None:
    scene = Scene()
    scene.gaze.changes = (Change(0, "fan", {"fan": "R", "from": "stage", "to": "B"}),)
    scene.still(0.1)
    assert scene.state["players"]["B"]["fans"] == ["R"]
    version = scene.desk.session.version
    scene.gaze.changes = (Change(0, "fan", {"fan": "R", "from": "stage", "to": "B"}),)
    scene.still(0.1)
    assert scene.desk.session.version == version, "the score knows it already"
    scene.gaze.changes = (Change(0, "fan", {"fan": "R", "from": "B", "to": "stage"}),)
    scene.still(0.1)
    assert scene.state["stage_fans"] == ["R", "Y", "B"]


def test_a_knock_is_said_and_the_match_goes_on_where_it_was() -> None:
    scene = Scene()
    scene.gaze.changes = (Change(scene.t_ns, "aim_lost", {"shift_px": 13.2}),)
    scene.gaze.settled = False
    scene.still(0.5)
    assert notices(scene) == ["The camera or the tray was moved: nothing is scored until the tray is found again. "
                              "Do not pull now."]  # fmt: skip
    scene.gaze.changes = (Change(scene.t_ns, "aim_found", {"shift_px": 13.2}),)
    scene.gaze.settled = True
    scene.still(0.5)
    assert notices(scene) == ["The tray is found again, 13 px from where it was: the match goes on where it was."]
    scene.pull("a1", a="B")
    assert scene.state["last_clear"]["cells"] == ["a1"]


def notices(scene: Scene) -> list[str]:
    return [notice["text"] for notice in scene.view["notices"]]


def test_without_a_match_it_only_looks() -> None:
    scene = Scene()
    table = RematchTable(Pipeline(scene.gaze, Watcher()))
    desk = Desk(Session(game("rematch"), MemoryLog()), table)
    for n in range(20):
        scene.gaze.tray = TRAY if n < 10 else "YBRYB/YBRBY/BRYBR"
        desk.see(Frame(IMAGE, n * FRAME_NS))
    assert (desk.session.state_json, desk.view()["seen"]) == (None, "YBRYB/YBRBY/BRYBR")
    assert desk.control({"do": "take_tray"}) == {
        "ok": False, "error": {"code": "not_now", "text": "There is no match yet: set one up first.", "cells": []},
    }  # fmt: skip


def test_after_the_end_nothing_is_counted() -> None:
    scene = Scene()
    scene.do(do="concede", player="A")
    before = json.dumps(scene.state)
    scene.pull("a1", a="B")
    assert json.dumps(scene.state) == before


@pytest.mark.parametrize("cells", [("a1", "c2"), ("a3", "b2"), ("b1", "b2", "b3")])
def test_every_refusal_names_a_reason(cells: tuple[str, ...]) -> None:
    scene = Scene()
    scene.pull(*cells, **{lane: "RYB"[: sum(c[0] == lane for c in cells)] for lane in {c[0] for c in cells}})
    view = scene.view
    said = view["verdict"] or view["question"]
    assert said is not None
    assert said["text"]


def test_fans_that_lie_elsewhere_than_scored_are_said_until_they_agree() -> None:
    scene = Scene()
    scene.gaze.fans = {"R": "stage", "Y": None, "B": "B"}
    scene.still(1.0)
    assert scene.view["notices"] == []
    scene.still(2.0)
    (notice,) = scene.view["notices"]
    assert notice["level"] == "warn"
    assert "Blue fan at B, not on the stage" in notice["text"]
    assert "Yellow" not in notice["text"]
    scene.gaze.fans = {"R": "A", "Y": None, "B": "B"}
    scene.still(3.0)
    (notice,) = scene.view["notices"]
    assert "Red fan at A" in notice["text"]
    scene.do(do="correct", fan="B", place="B")
    scene.do(do="correct", fan="R", place="A")
    scene.still(0.2)
    assert scene.view["notices"] == []


def test_fans_under_a_hand_are_not_compared() -> None:
    scene = Scene()
    scene.gaze.fans = {"R": "stage", "Y": "stage", "B": "B"}
    scene.gaze.hand, scene.gaze.settled = True, False
    scene.still(4.0)
    assert scene.view["notices"] == []


def test_an_answer_that_is_not_allowed_says_why() -> None:
    """Without beams a hand that stays long is asked about; what the players then say may be illegal."""
    scene = Scene()
    after = Tray.parse(TRAY).without(["a1", "b2"], {"a": "Y", "b": "Y"}).text
    scene.desk.perform(
        on_question(
            scene.state,
            Question(scene.t_ns, "A", "Which?", (Guess((("A", ("a1", "b2"), None),)),), TRAY, after, None),
            {},
        )
    )
    reply = scene.answer("a1 b2")
    assert reply["error"]["code"] == "illegal_clear"
    verdict = scene.view["verdict"]
    assert (verdict["kind"], verdict["player"], verdict["cells"]) == ("illegal", "A", ["a1", "b2"])
    assert "more than one colour" in verdict["text"] or "not touch" in verdict["text"]


def test_a_new_match_takes_old_notices_away() -> None:
    scene = Scene()
    scene.gaze.changes = (Change(scene.t_ns, "fan", {"fan": "R", "from": "stage", "to": "A"}),)
    scene.still(0.1)
    assert "Red fan went to A" in scene.view["notices"][0]["text"]
    assert scene.desk.control({"do": "new_match", "setup": {"first": "A", "tray": TRAY}}) == {"ok": True}
    assert scene.view["notices"] == []


def let_stand(scene: Scene, attack: Any = "R4") -> dict[str, Any]:
    reply = scene.desk.control({"do": "let_stand", "attack": attack})
    assert reply is not None
    return reply


def test_an_illegal_pull_may_stand_as_the_attack_that_the_players_name() -> None:
    scene = Scene()
    after = scene.pull("a1", "a2", "b1", a="BB", b="Y")
    assert scene.view["verdict"]["may_stand"] is True
    assert let_stand(scene, "R2") == {"ok": True}
    assert (scene.state["tray"], scene.state["phase"]) == (after, "resolve")
    clear = scene.state["last_clear"]
    assert (clear["attack"], clear["cells"]) == ("R2", ["a1", "a2", "b1"])
    assert clear["overruled"], "with its reasons"
    assert (scene.view["differs"], scene.view["verdict"]) == ([], None)
    # and the match goes on from there
    scene.do(do="end_turn", player="A")
    scene.still(1)
    scene.pull("c1", c="Y")
    assert scene.state["last_clear"]["player"] == "B"


def test_what_was_moved_after_an_illegal_pull_still_differs() -> None:
    scene = Scene()
    scene.pull("c2", c="Y")
    scene.reach("BBBRY/YBRBY/BYBRY")
    assert let_stand(scene, "Y1") == {"ok": True}
    assert scene.view["differs"] == ["a1", "a2"]


def test_only_an_illegal_pull_can_stand_and_the_attack_is_named() -> None:
    scene = Scene()
    assert let_stand(scene)["error"]["code"] == "not_now"
    scene.pull("a1", a="B")
    assert scene.view["verdict"]["may_stand"] is False
    scene = Scene()
    scene.pull("c2", c="Y")
    before = scene.state
    for wrong in (None, 4, "R3", "", {"a": 1}):
        assert let_stand(scene, wrong)["error"]["code"] in ("bad_value", "bad_command")
    assert scene.state == before
    assert scene.view["verdict"]["may_stand"] is True
    assert scene.do(do="undo")["ok"]
    assert let_stand(scene)["error"]["code"] == "not_now"


def test_a_pull_that_took_a_new_marble_stands_without_its_cells() -> None:
    seen = ClearSeen(0, "A", Explanation("illegal", None, ("a1", "bnew")), TRAY, "YBRYB/YBRBR/BRYBR", None)
    scene = Scene()
    (submit,) = [act for act in acts.on_clear(scene.state, seen) if isinstance(act, Submit)]
    reply = scene.desk.session.submit(dict(submit.command))
    assert not reply.accepted
    broken = json.loads(json.dumps(scene.state))
    broken["players"]["A"]["buttons"]["R"]["broken"] = True
    told, tray = acts._let_stand(submit.command, broken, seen, "B2")
    assert told == {"do": "clear", "player": "A", "attack": "B2", "shorts": {"R": 1}, "overrule": True}
    assert tray == {"do": "correct", "tray": "YBRYB/YBRBR/BRYBR"}


def test_an_answer_that_the_rules_refuse_may_stand_too() -> None:
    scene = Scene()
    scene.pull("a1", a="B")
    scene.do(do="end_turn", player="A")
    scene.still(1)
    pulled = {"do": "clear", "player": "B", "cells": ["a5"]}
    scene.desk.perform([Ask("B", "What was it?", (Answer("B cleared", ("a5",), (pulled,), acts._refused),))])
    scene.answer("B cleared")
    assert scene.view["verdict"]["may_stand"] is True
    assert let_stand(scene, "R1") == {"ok": True}
    assert scene.state["last_clear"]["attack"] == "R1"
