"""The simulated table end to end on a clock of its own: drawn pictures and mock pins in, score and verdicts out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.autoplay import Autoplay, Command, Control, MoveFan, Pace, Pull, PutBack, Step
from companion.desk import Desk
from companion.games import game
from companion.log import MemoryLog
from companion.rules.rematch.tray import Tray
from companion.session import Session
from companion.simulation import Simulation, eyes, lay
from companion.view import EMPTY
from hardware.beams import Beams
from hardware.camera import Frame
from hardware.edges import Edge
from hardware.simulated import SimulatedRig

MS = 1_000_000
FRAME_NS = 66 * MS


class Evening:
    """One simulated table for all matches of an evening. `play` lets time pass; nothing here waits."""

    def __init__(self, seed: int = 1) -> None:
        self.t_ns = 1_000 * MS
        self.rig = SimulatedRig(lambda: self.t_ns, seed)
        self.log = MemoryLog()
        self.desk = Desk(Session(game("rematch"), self.log), eyes(self.rig))
        self.spoil: Callable[[Edge], list[Edge]] = lambda edge: [edge]
        self.beams = Beams(self.rig.pins, self._edge, factory=self.rig.factory, clock_ns=self.rig.edge_ns)

    def _edge(self, edge: Edge) -> None:
        for one in self.spoil(edge):
            self.desk.edge(one)

    def begin(self, tray: str = "RYRBY/YRRRB/BYBYB") -> None:
        """A new match with this tray."""
        self.until_free()
        lay(self.rig, tray)
        assert self.desk.control({"do": "new_match", "setup": {"first": "A", "tray": tray}}) == {"ok": True}
        assert self.do(do="begin")["ok"]
        self.play(1.0)
        assert (self.view["differs"], self.view["question"], self.view["verdict"]) == ([], None, None)

    def do(self, **command: Any) -> dict[str, Any]:
        return self.desk.submit_line(json.dumps(command).encode())

    def frame(self) -> None:
        self.t_ns += FRAME_NS
        self.rig.step(self.t_ns)
        image, t_ns = self.rig.picture()
        self.desk.see(Frame(image, t_ns))
        self.desk.tick(self.t_ns)

    def play(self, seconds: float) -> None:
        for _ in range(round(seconds * 1e9 / FRAME_NS)):
            self.frame()

    def until_free(self) -> None:
        for _ in range(500):
            if not self.rig.busy:
                return
            self.frame()
        raise AssertionError("the hand never leaves")

    def until_hand_left(self) -> None:
        """Until the hand is out of the picture; marbles may still roll."""
        for _ in range(500):
            self.frame()
            if self.rig.table.hand is None:
                return
        raise AssertionError("the hand never leaves")

    def until(self, key: str, most_s: float) -> float:
        """Seconds until the view's key is set."""
        began = self.t_ns
        while not self.view[key]:
            assert self.t_ns - began < most_s * 1e9, self.view
            self.frame()
        return (self.t_ns - began) / 1e9

    @property
    def view(self) -> dict[str, Any]:
        return {**EMPTY, **self.desk.view()}

    @property
    def state(self) -> dict[str, Any]:
        state = self.desk.session.state_json
        assert state is not None
        return state


@pytest.fixture(scope="module")
def evening() -> Evening:
    return Evening()


def test_an_illegal_t_is_told_within_a_second_and_put_back(evening: Evening) -> None:
    evening.begin()
    before = json.dumps(evening.state)
    evening.rig.pull(["b4", "b3", "a3", "b2"], "A")
    evening.until_hand_left()
    assert evening.until("verdict", 5) <= 1.0
    verdict = evening.view["verdict"]
    assert (verdict["kind"], [reason["code"] for reason in verdict["reasons"]]) == ("illegal", ["branching"])
    assert sorted(verdict["cells"]) == ["a3", "b2", "b3", "b4"]
    assert json.dumps(evening.state) == before
    assert evening.view["differs"]
    evening.rig.put_back()
    evening.until_free()
    evening.play(1.5)
    assert (evening.view["verdict"], evening.view["differs"], evening.view["question"]) == (None, [], None)
    assert evening.state["tray"] == evening.rig.tray_text


def test_a_legal_clear_is_scored_and_undo_shows_what_differs(evening: Evening) -> None:
    evening.begin()
    score = json.dumps({**evening.state, "tray": None})
    evening.rig.pull(["b4", "b3"], "A")
    evening.until_free()
    evening.play(1.5)
    assert evening.state["last_clear"]["attack"] == "R2"
    assert evening.state["tray"] == evening.rig.tray_text
    assert evening.view["verdict"]["kind"] == "legal"
    assert evening.do(do="undo")["ok"]
    assert json.dumps({**evening.state, "tray": None}) == score
    assert evening.view["differs"]


def test_a_clear_under_way_when_the_camera_hangs_is_asked_about_and_not_lost(evening: Evening) -> None:
    evening.begin()
    evening.rig.pull(["b4", "b3"], "A")
    while evening.rig.table.hand is None or evening.rig.tray_text == "RYRBY/YRRRB/BYBYB":
        evening.frame()
    # no pictures for nine seconds; time, marbles and beams go on
    for _ in range(90):
        evening.t_ns += 100 * MS
        evening.rig.step(evening.t_ns)
        evening.desk.tick(evening.t_ns)
    assert sum(lane["drops"] for lane in evening.view["sensors"]["lanes"].values()) == 2
    before = json.dumps(evening.state)
    assert evening.until("question", 3) <= 1.5
    assert json.dumps(evening.state) == before
    question = evening.view["question"]
    assert "could not see" in question["text"]
    answer = next(n for n, one in enumerate(question["answers"]) if sorted(one["cells"]) == ["b3", "b4"])
    assert evening.desk.control({"do": "answer", "id": question["id"], "choice": answer}) == {"ok": True}
    assert evening.state["last_clear"]["attack"] == "R2"
    assert (evening.view["differs"], evening.state["tray"]) == ([], evening.rig.tray_text)


@pytest.mark.parametrize(("fault", "counted"), [("missed", 1), ("double", 3)])
def test_beams_that_disagree_with_the_camera_are_asked_about(evening: Evening, fault: str, counted: int) -> None:
    """One drop is missed, or counted twice, in a way that no beam can notice: both numbers, and a one-tap answer."""
    evening.begin()
    seen: list[Edge] = []

    def spoil(edge: Edge) -> list[Edge]:
        if edge.lane != "b" or len(seen) >= 2:
            return [edge]
        seen.append(edge)
        if fault == "missed":
            return []
        later = 60 * MS
        return (
            [edge]
            if edge.blocked
            else [edge, Edge(edge.t_ns + later, "b", True), Edge(edge.t_ns + later + 9 * MS, "b", False)]
        )

    evening.spoil = spoil
    try:
        evening.rig.pull(["b4", "b3"], "A")
        evening.until_free()
        assert len(seen) == 2
        assert evening.until("question", 5) <= 1.0
        question = evening.view["question"]
        assert f"counted {counted} " in question["text"]
        assert evening.state["last_clear"] is None
        answer = next(n for n, one in enumerate(question["answers"]) if sorted(one["cells"]) == ["b3", "b4"])
        assert evening.desk.control({"do": "answer", "id": question["id"], "choice": answer}) == {"ok": True}
        assert (evening.state["last_clear"]["attack"], evening.view["differs"]) == ("R2", [])
    finally:
        evening.spoil = lambda edge: [edge]


def test_a_hand_that_only_points_is_no_event(evening: Evening) -> None:
    evening.begin()
    records = len(evening.log.records())
    evening.rig.hover(["a2", "b3", "b1"], "A")
    evening.until_free()
    evening.play(1.5)
    assert len(evening.log.records()) == records
    assert (evening.view["verdict"], evening.view["question"], evening.view["differs"]) == (None, None, [])


def test_a_fan_that_is_carried_is_taken(evening: Evening) -> None:
    evening.begin()
    evening.rig.move_fan("Y", "A")
    evening.until_free()
    evening.play(1.0)
    assert evening.state["players"]["A"]["fans"] == ["Y"]


def test_a_tray_is_laid_as_the_log_says(evening: Evening) -> None:
    evening.until_free()
    rig, table = evening.rig, evening.rig.table
    lay(rig, "RYBRY/YRRRB/BYBYB")
    assert rig.tray_text == "RYBRY/YRRRB/BYBYB"
    colours = [marble.colour for marble in (*(one for _, one in table.on_tray()), *table.tower, *table.taken)]
    assert {colour: colours.count(colour) for colour in "RYB"} == {"R": 11, "Y": 11, "B": 11}
    lay(rig, "?????/YRRRB/BYBYB")
    assert rig.tray_text == "RYBRY/YRRRB/BYBYB", "what is not known stays"


@pytest.fixture
def simulation() -> Iterator[Simulation]:
    rules = game("rematch")
    simulation = Simulation(Session(rules, MemoryLog()), lambda: Session(rules, MemoryLog()))
    simulation.start(autoplay=False)
    yield simulation
    simulation.stop()


def test_the_page_can_pull_marbles_put_them_back_and_leave_for_a_real_match(simulation: Simulation) -> None:
    service = simulation.service
    view = service.snapshot().view
    assert (view["simulated"], view["autoplay"]) == (True, False)
    for cells in (None, "a1", [1], ["a9"], ["a1", "a1"], []):
        assert service.control({"do": "pull", "cells": cells})["ok"] is False
    assert service.control({"do": "put_back"})["error"]["code"] == "not_now"
    assert service.control({"do": "autoplay", "on": 1})["error"]["code"] == "bad_value"
    assert service.control({"do": "pull", "cells": ["a1"]}) == {"ok": True}
    assert "busy" in service.control({"do": "pull", "cells": ["a2"]})["error"]["text"]
    assert service.control({"do": "real_match"}) == {"ok": True}
    snapshot = service.snapshot()
    assert (snapshot.state, snapshot.view["simulated"], snapshot.view["camera"]["state"]) == (None, False, "none")
    assert service.control({"do": "pull", "cells": ["a1"]})["error"]["code"] == "unknown_command"
    assert service.command(b'{"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"}')["ok"]


# -- the scripted players, on a table that is only imagined --


class Imagined:
    """Carries out the players' steps at once and sees everything right."""

    def __init__(self, seed: int, errs: float) -> None:
        self.session = Session(game("rematch"), MemoryLog())
        self.players = Autoplay(seed, Pace(0.0, 0.0, 1.0, 0.0), errs)
        self.tray = "RYBRY/YBRBY/BRYBR"
        self.verdict: dict[str, Any] | None = None
        self.before: str | None = None
        self.now_s = 0.0

    def step(self) -> Step | None:
        state = self.session.state_json
        differs = [] if state is None or state["tray"] == self.tray else ["a1"]
        view = {**EMPTY, "differs": differs, "verdict": self.verdict}
        self.now_s += 2.0
        step = self.players.next(state, view, self.tray, False, self.now_s)
        if isinstance(step, Pull):
            self._pull(step)
        elif isinstance(step, PutBack):
            assert self.before is not None
            self.tray, self.verdict = self.before, None
        elif isinstance(step, Command):
            assert self.session.submit(dict(step.command)).accepted, (step, state)
        elif isinstance(step, Control):
            assert step.request == {"do": "take_tray"}
            assert self.session.submit({"do": "correct", "tray": self.tray}).accepted
        elif isinstance(step, MoveFan):
            assert self.session.submit({"do": "fan", "player": step.player, "fan": step.fan}).accepted
        return step

    def _pull(self, step: Pull) -> None:
        counts = {lane: sum(cell[0] == lane for cell in step.cells) for lane in "abc"}
        refill = {lane: "RYBYRBYB"[int(self.now_s) % 3 :][:count] for lane, count in counts.items() if count}
        self.before, self.tray = self.tray, Tray.parse(self.tray).without(step.cells, refill).text
        reply = self.session.submit({"do": "clear", "player": step.player, "cells": step.cells, "refill": refill})
        self.verdict = {"kind": "legal"} if reply.accepted else {"kind": "illegal"}


@pytest.mark.parametrize("seed", range(5))
def test_the_players_finish_matches_and_begin_new_ones(seed: int) -> None:
    table = Imagined(seed, errs=0.15)
    begun = over = wrong = idle = 0
    for _ in range(3000):
        step = table.step()
        idle = idle + 1 if step is None else 0
        assert idle < 3
        begun += isinstance(step, Command) and step.command["do"] == "setup"
        state = table.session.state_json
        over += state is not None and state["over"] is not None
        wrong += isinstance(step, PutBack)
    assert begun >= 3
    assert over >= 2
    assert wrong >= 10


def test_the_players_wait_while_the_table_is_busy() -> None:
    players = Autoplay(1)
    assert players.next(None, EMPTY, "RYBRY/YBRBY/BRYBR", True, 0.0) is None
    assert players.next(None, EMPTY, "RYBRY/YBRBY/BRYBR", False, 0.1) is None
    assert players.next(None, EMPTY, "RYBRY/YBRBY/BRYBR", False, 0.4) is not None


def test_the_players_look_again_after_a_hand_before_they_judge_the_tray() -> None:
    players = Autoplay(1, Pace(look_s=3.0))
    state = {"phase": "start", "turn": "A", "turn_number": 1, "tray": "RYBRY/YBRBY/BRYBR"}
    view = {**EMPTY, "differs": ["a1"]}
    players.next(state, view, "", False, 0.0)
    assert players.next(state, view, "", True, 9.0) is None
    assert players.next(state, view, "", False, 11.0) is None
    assert players.next(state, view, "", False, 12.1) == Control({"do": "take_tray"})


def test_a_step_that_changes_nothing_is_tried_less_and_less_often() -> None:
    players = Autoplay(1)
    state = {"phase": "start", "turn": "A", "turn_number": 1, "tray": "?????/?????/?????"}
    tries = [s for s in range(600) if players.next(state, EMPTY, "RYBRY/YBRBY/BRYBR", False, float(s)) is not None]
    assert 8 <= len(tries) <= 20


def test_the_players_answer_with_what_they_pulled() -> None:
    table = Imagined(1, errs=0.0)
    pull: Step | None = None
    while not isinstance(pull, Pull):
        pull = table.step()
    state = table.session.state_json
    answers = [{"cells": ["a1", "c5"]}, {"cells": list(pull.cells)}, {"cells": []}]
    view = {**EMPTY, "question": {"id": "q7", "answers": answers}}
    assert table.players.next(state, view, table.tray, False, 99.0) == Control(
        {"do": "answer", "id": "q7", "choice": 1}
    )
