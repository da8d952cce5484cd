"""The service, its inbox and its snapshots, with the toy game: nothing of it knows a marble."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.log import LogWriteError, MemoryLog
from companion.service import LOST_NS, Service
from companion.session import Session
from companion.view import EMPTY
from hardware.camera_thread import CameraStatus
from hardware.edges import Edge
from tests.toy.noughts import NOUGHTS
from tests.toy.table import NoughtsTable, picture
from tests.web.sse import Message, Parser
from web.app import create_app
from web.port import Snapshot


class Clock:
    t_ns = 0

    def __call__(self) -> int:
        return self.t_ns


class Bench:
    """A running service and what a test does with it."""

    def __init__(self, table: NoughtsTable | None = None, log: MemoryLog | None = None) -> None:
        self.clock = Clock()
        self.log = log or MemoryLog()
        self.table = table
        self.service = Service(Session(NOUGHTS, self.log), table, clock_ns=self.clock, server="s1")
        self.service.start()

    def do(self, **command: Any) -> dict[str, Any]:
        return self.service.command(json.dumps(command).encode())

    def until(self, true: Callable[[Snapshot], bool]) -> Snapshot:
        """The first snapshot of which it is true; a test that waits for ever fails."""
        snapshot = self.service.snapshot()
        for _ in range(100):
            if true(snapshot):
                return snapshot
            snapshot = self.service.wait(snapshot.serial, 5)
        raise AssertionError(snapshot)


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.service.stop()


@pytest.fixture
def seeing() -> Iterator[Bench]:
    bench = Bench(NoughtsTable())
    bench.do(do="setup", first="O")
    yield bench
    bench.service.stop()


def test_without_a_table_it_keeps_the_score_by_taps(bench: Bench) -> None:
    assert bench.service.snapshot().view == {**EMPTY, "server": "s1", "game": "noughts", "serial": 1}
    assert bench.do(do="setup", first="O")["ok"]
    reply = bench.do(do="mark", player="O", square=4)
    snapshot = bench.service.snapshot()
    assert reply["state"] == snapshot.state == {"turn": "X", "squares": "....O....", "winner": None}
    assert (snapshot.version, snapshot.view["version"]) == (2, 2)
    assert snapshot.serial == snapshot.view["serial"]


def test_a_refused_command_publishes_nothing(bench: Bench) -> None:
    bench.do(do="setup", first="O")
    before = bench.service.snapshot()
    assert bench.do(do="mark", player="X", square=4)["error"]["code"] == "not_your_turn"
    assert bench.service.command(b"\xff")["error"]["code"] == "bad_command"
    assert bench.service.snapshot() is before


def test_wait_gives_the_newest_snapshot_at_once_or_after_the_time_out(bench: Bench) -> None:
    old = bench.service.snapshot()
    assert bench.service.wait(old.serial, 0) is old
    bench.do(do="setup", first="O")
    bench.do(do="mark", player="O", square=0)
    bench.do(do="mark", player="X", square=1)
    state = bench.service.wait(old.serial, 60).state
    assert state is not None
    assert state["squares"] == "OX......."


def test_what_is_seen_becomes_a_command_and_a_verdict(seeing: Bench) -> None:
    seeing.service.offer_frame(picture(4))
    snapshot = seeing.until(lambda s: s.view["verdict"] is not None)
    assert snapshot.state == {"turn": "X", "squares": "....O....", "winner": None}
    assert snapshot.view["verdict"] == {
        "kind": "legal", "player": "O", "cells": ["4"], "attack": None, "reasons": [], "text": "O marked 4.",
        "sure": True, "nearest": [], "may_stand": False,
    }  # fmt: skip


def test_what_is_seen_and_refused_is_in_the_log_with_its_reason(seeing: Bench) -> None:
    seeing.do(do="mark", player="O", square=4)
    seeing.service.offer_frame(picture(4))
    view = seeing.until(lambda s: s.view["verdict"] is not None).view
    assert (view["verdict"]["kind"], view["verdict"]["text"]) == ("illegal", "That square is taken.")
    last = seeing.log.records()[-1]
    assert (last.kind, last.error and last.error["code"]) == ("refused", "taken")


def test_the_table_hears_of_every_accepted_command_and_only_of_those(seeing: Bench) -> None:
    seeing.do(do="mark", player="O", square=4)
    seeing.do(do="mark", player="O", square=5)
    seeing.do(do="undo")
    assert seeing.table is not None
    assert [command.get("do") for command in seeing.table.followed] == [None, "setup", "mark", "undo"]


def _ask(bench: Bench) -> dict[str, Any]:
    bench.service.offer_frame(picture(9))
    question: dict[str, Any] = bench.until(lambda s: s.view["question"] is not None).view["question"]
    return question


def test_a_question_is_answered_once(seeing: Bench) -> None:
    question = _ask(seeing)
    assert [answer["label"] for answer in question["answers"]] == ["square 7", "square 8", "did not happen"]
    assert question["answers"][0]["command"] == {"do": "mark", "player": "O", "square": 7}
    answer = {"do": "answer", "id": question["id"], "choice": 1}
    assert seeing.service.control(answer) == {"ok": True}
    snapshot = seeing.service.snapshot()
    assert snapshot.state is not None
    assert (snapshot.state["squares"], snapshot.view["question"]) == ("........O", None)
    assert seeing.service.control(answer)["error"]["code"] == "not_now"


def test_did_not_happen_leaves_the_score_alone(seeing: Bench) -> None:
    question = _ask(seeing)
    before = seeing.service.snapshot().state
    assert seeing.service.control({"do": "answer", "id": question["id"], "choice": 2}) == {"ok": True}
    assert seeing.service.snapshot().state == before
    assert seeing.service.snapshot().view["question"] is None
    assert seeing.table is not None
    assert seeing.table.answers == 1


@pytest.mark.parametrize("choice", [3, -1, "1", True, None])
def test_an_answer_that_was_not_offered_is_refused(seeing: Bench, choice: object) -> None:
    question = _ask(seeing)
    reply = seeing.service.control({"do": "answer", "id": question["id"], "choice": choice})
    assert reply["error"]["code"] == "bad_value"
    assert seeing.service.snapshot().view["question"] == question


def test_an_answer_that_the_rules_refuse_says_so(seeing: Bench) -> None:
    question = _ask(seeing)
    seeing.table.follow = lambda reply: ()
    seeing.do(do="mark", player="O", square=7)
    reply = seeing.service.control({"do": "answer", "id": question["id"], "choice": 0})
    assert reply["error"]["code"] == "not_your_turn"


def test_the_table_as_it_is_seen_can_be_taken(seeing: Bench) -> None:
    assert seeing.service.control({"do": "take_tray"})["error"]["code"] == "not_now"
    _ask(seeing)
    seeing.table.seen = "3"
    assert seeing.service.control({"do": "take_tray"}) == {"ok": True}
    assert seeing.service.snapshot().state["squares"] == "...O....."


def test_notices_come_and_go(seeing: Bench) -> None:
    seeing.service.offer_edge(Edge(0, "b", True))
    assert seeing.until(lambda s: bool(s.view["notices"])).view["notices"] == [
        {"level": "info", "text": "b is blocked"}
    ]
    seeing.service.offer_edge(Edge(1, "b", False))
    seeing.until(lambda s: not s.view["notices"])


def test_dismiss_takes_away_what_is_said_and_nothing_else(seeing: Bench) -> None:
    _ask(seeing)
    seeing.service.say("test", "read me")
    before = seeing.service.snapshot().state
    assert seeing.service.control({"do": "dismiss"}) == {"ok": True}
    after = seeing.service.snapshot()
    assert (after.state, after.view["question"], after.view["notices"]) == (before, None, [])


def test_a_control_that_nobody_knows_is_refused(bench: Bench) -> None:
    assert bench.service.control({"do": "pull", "cells": ["a1"]})["error"]["code"] == "unknown_command"
    assert bench.service.control({"do": "take_tray"})["error"]["code"] == "not_now"


def test_an_eye_that_fails_is_told_and_the_score_goes_on(seeing: Bench) -> None:
    seeing.service.offer_frame(picture(10))
    notice = seeing.until(lambda s: bool(s.view["notices"])).view["notices"][0]
    assert notice["level"] == "error"
    assert seeing.do(do="mark", player="O", square=4)["ok"]


def test_only_the_newest_frame_waits(seeing: Bench) -> None:
    inside, go_on = threading.Event(), threading.Event()
    see = seeing.table.see
    seen: list[int] = []

    def slow(frame: Any) -> Any:
        seen.append(frame.t_ns)
        inside.set()
        assert go_on.wait(10)
        return see(frame)

    seeing.table.see = slow
    seeing.service.offer_frame(picture(0, t_ns=1))
    assert inside.wait(10)
    for t_ns in range(2, 50):
        seeing.service.offer_frame(picture(1, t_ns))
    go_on.set()
    seeing.until(lambda s: s.view["seen"] == "1")
    assert seen == [1, 49]


def test_a_camera_without_frames_is_lost_however_alive_its_thread(seeing: Bench) -> None:
    seeing.service.camera_told(CameraStatus("ok", "a camera", 0.0, 0, 0, ""))
    seeing.service.offer_frame(picture(0))
    seeing.until(lambda s: s.view["camera"] == {"state": "ok", "age_s": 0, "name": "a camera", "reopened": 0})
    seeing.clock.t_ns += LOST_NS + 2_000_000_000
    seeing.until(lambda s: s.view["camera"] == {"state": "lost", "age_s": 5, "name": "a camera", "reopened": 0})
    seeing.service.offer_frame(picture(1, seeing.clock.t_ns))
    seeing.until(lambda s: s.view["camera"]["state"] == "ok")


def test_a_camera_that_is_opened_again_is_counted_and_told(seeing: Bench) -> None:
    """Lost, being opened, back: and rules and beams go on all the while."""
    seeing.service.offer_frame(picture(0))
    seeing.service.camera_told(CameraStatus("lost", "a camera", 6.0, 0, 1, "The camera hangs."))
    view = seeing.until(lambda s: s.view["camera"]["state"] == "lost").view
    assert "The camera hangs. What happens meanwhile will be asked" in view["notices"][0]["text"]
    assert seeing.do(do="mark", player="X", square=4)["ok"]
    seeing.service.offer_edge(Edge(0, "b", True))
    seeing.until(lambda s: len(s.view["notices"]) == 2)
    seeing.service.camera_told(CameraStatus("opening", "a camera", 7.0, 1, 1, "The camera hangs."))
    assert seeing.until(lambda s: s.view["camera"]["reopened"] == 1).view["camera"]["state"] == "lost"
    seeing.service.camera_told(CameraStatus("ok", "a camera", 0.0, 1, 0, ""))
    view = seeing.until(lambda s: s.view["camera"]["state"] == "ok").view
    assert any("opened again once" in notice["text"] for notice in view["notices"])


def test_a_camera_that_never_opened_is_lost_and_not_absent(seeing: Bench) -> None:
    seeing.service.camera_told(CameraStatus("lost", "", None, 0, 0, "camera 0: is not there."))
    view = seeing.until(lambda s: s.view["camera"]["state"] == "lost").view
    assert view["camera"] == {"state": "lost", "age_s": None, "name": None, "reopened": 0}


def test_the_picture_is_the_newest_frame(seeing: Bench) -> None:
    assert seeing.service.picture() is None
    seeing.service.offer_frame(picture(3))
    seeing.until(lambda s: s.view["seen"] == "3")
    jpeg = seeing.service.picture()
    assert jpeg is not None
    assert jpeg.startswith(b"\xff\xd8")
    assert seeing.service.picture() is jpeg


class _FullDisk(MemoryLog):
    def append(self, *args: Any, **kwargs: Any) -> Any:
        raise LogWriteError("the disk is full")


def test_what_cannot_be_saved_is_not_accepted_and_the_page_says_so() -> None:
    bench = Bench(log=_FullDisk())
    reply = bench.do(do="setup", first="O")
    assert (reply["ok"], reply["error"]["code"], reply["state"]) == (False, "not_saved", None)
    assert "the disk is full" in bench.service.snapshot().view["notices"][0]["text"]
    bench.service.stop()


def test_another_match_and_table_can_take_over(seeing: Bench) -> None:
    _ask(seeing)
    seeing.service.use(Session(NOUGHTS, MemoryLog()), None, simulated=False)
    snapshot = seeing.service.snapshot()
    assert (snapshot.state, snapshot.view["question"], snapshot.view["seen"]) == (None, None, None)
    assert seeing.do(do="setup", first="X")["ok"]


def test_a_new_match_can_begin_in_the_middle_of_one(seeing: Bench) -> None:
    _ask(seeing)
    assert seeing.do(do="setup", first="X")["error"]["code"] == "not_now"
    assert seeing.service.control({"do": "new_match", "setup": {"first": "Z"}})["error"]["code"] == "bad_value"
    assert seeing.service.control({"do": "new_match"})["error"]["code"] == "bad_value"
    assert seeing.service.control({"do": "new_match", "setup": {"first": "X"}}) == {"ok": True}
    state = seeing.service.snapshot().state
    assert state == {"turn": "X", "squares": ".........", "winner": None}


def test_what_no_longer_fits_is_in_the_view_until_it_is_settled(seeing: Bench) -> None:
    for player, square in (("O", 0), ("X", 3), ("O", 1)):
        seeing.do(do="mark", player=player, square=square)
    assert seeing.service.snapshot().view["misfits"] == []
    reply = seeing.do(do="amend", seq=3, remove=True)
    (misfit,) = reply["misfits"]
    assert (misfit["seq"], misfit["error"]["code"]) == (4, "not_your_turn")
    assert seeing.service.snapshot().view["misfits"] == [misfit]
    seeing.do(do="mark", player="X", square=8)
    assert seeing.service.control({"do": "dismiss"}) == {"ok": True}
    assert seeing.service.snapshot().view["misfits"] == [misfit], "it is still no part of the match"
    seeing.do(do="amend", seq=4, remove=True)
    assert seeing.service.snapshot().view["misfits"] == []
    seeing.do(do="undo")
    assert seeing.service.snapshot().view["misfits"] == [misfit]
    assert seeing.table is not None
    assert seeing.table.followed[-2:] == [{"do": "amend", "seq": 4, "remove": True}, {"do": "undo"}]


def test_many_hands_at_once_lose_nothing(bench: Bench) -> None:
    bench.do(do="setup", first="O")
    replies: list[bool] = []

    def tap() -> None:
        for _ in range(20):
            replies.append(bench.do(do="mark", player="O", square=0)["ok"])

    hands = [threading.Thread(target=tap) for _ in range(5)]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    assert (len(replies), replies.count(True)) == (100, 1)
    assert [r.seq for r in bench.log.records()] == list(range(1, 102))


# -- the toy game over HTTP --


class _Page:
    def __init__(self, service: Service) -> None:
        self._client = create_app(service).test_client()
        self._parser = Parser()
        self._stream = self._client.get("/api/events")
        self._chunks = self._stream.iter_encoded()

    def next(self) -> list[Message]:
        while True:
            found = [m for m in self._parser.feed(next(self._chunks)) if m.event != "beat"]
            if found:
                return found

    def post(self, **command: Any) -> Any:
        return self._client.post("/api/commands", json=command)

    def close(self) -> None:
        self._stream.close()


def test_the_event_stream_and_undo_know_no_marble(bench: Bench) -> None:
    page = _Page(bench.service)
    state, view = page.next()
    assert (state.last_id, state.data, json.loads(view.data)["game"]) == ("0", "null", "noughts")
    assert page.post(do="mark", player="O", square=0).status_code == 409
    assert page.post(do="setup", first="O").status_code == 200
    assert json.loads(page.next()[0].data)["squares"] == "........."
    assert page.post(do="mark", player="O", square=0).json["events"][0]["type"] == "marked"
    assert json.loads(page.next()[0].data)["squares"] == "O........"
    assert page.post(do="undo").status_code == 200
    after = page.next()[0]
    assert (after.last_id, json.loads(after.data)["squares"]) == ("3", ".........")
    page.close()


def test_amend_and_the_match_so_far_over_http(bench: Bench) -> None:
    client = create_app(bench.service).test_client()
    assert client.get("/api/history").json == {"version": 0, "commands": [], "amendments": []}
    bench.do(do="setup", first="O")
    bench.do(do="mark", player="O", square=0)
    amend = {"do": "amend", "seq": 2, "command": {"do": "mark", "player": "O", "square": 4}}
    answer = client.post("/api/commands", json=amend)
    assert (answer.status_code, answer.json["misfits"]) == (200, [])
    assert client.post("/api/commands", json={"do": "amend", "seq": 9, "remove": True}).status_code == 400
    assert client.post("/api/commands", json={"do": "amend", "seq": 2}).status_code == 400
    wrong = {"do": "amend", "seq": 2, "command": {"do": "mark", "player": "X", "square": 4}}
    assert client.post("/api/commands", json=wrong).status_code == 409
    history = client.get("/api/history").json
    assert history["version"] == 3
    assert [(c["seq"], c["command"], c["events"]) for c in history["commands"]] == [
        (1, {"do": "setup", "first": "O"}, ["began"]),
        (2, amend["command"], ["marked"]),
    ]
    (amended,) = history["amendments"]
    assert (amended["seq"], amended["command"], amended["was"]["square"], amended["undone"]) == (3, amend, 0, False)
