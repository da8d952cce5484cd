"""The application's heart: one writer thread owns the session, everyone else puts values into its inbox (DESIGN §4).

The page asks through web.port.Table, the camera thread and the beams hand in frames and edges. What is published is
always a whole snapshot, and only the newest one. No game is named here: the table of a game is a `GameTable`.
"""

from __future__ import annotations

import itertools
import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from companion.errors import InputError
from companion.log import LogWriteError
from companion.picture import Picture
from companion.rules.core import Reason
from companion.session import Reply, Session
from companion.table_port import Act, Ask, GameTable, Say, Submit, Verdict, Withdraw
from companion.view import EMPTY
from hardware.camera import Frame
from hardware.edges import Edge
from web.port import Snapshot

log = logging.getLogger(__name__)

TICK_S = 0.25
LOST_NS = 3_000_000_000
"""Without a frame for so long a camera is lost: the age of frames counts, not that its thread lives (I1, I15)."""
PATIENCE_S = 30.0
"""So long a request waits for the writer before it is told that nothing is known."""


@dataclass(frozen=True)
class _Line:
    line: bytes
    answer: Future[dict[str, Any]]


@dataclass(frozen=True)
class _Request:
    """A function to run in the writer thread, between two commands."""

    run: Callable[[], dict[str, Any]]
    answer: Future[dict[str, Any]]


@dataclass(frozen=True)
class _CameraTold:
    name: str | None
    text: str


class _NewFrame:
    """The newest frame lies ready; the frame itself is not in the queue, so that a slow table never falls behind."""


class _Stop:
    pass


_Item = _Line | _Request | _CameraTold | Edge | _NewFrame | _Stop
Control = Callable[[Mapping[str, Any]], dict[str, Any] | None]
"""Answers a control request in the asking thread; None: not one of its own."""


class Service:
    """Implements web.port.Table. `start` and `stop` it; `use` changes the match and the table in a running one."""

    def __init__(
        self,
        session: Session,
        table: GameTable | None = None,
        *,
        simulated: bool = False,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        server: str | None = None,
    ) -> None:
        self._session = session
        self._table = table
        self._clock_ns = clock_ns
        self._inbox: queue.SimpleQueue[_Item] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="writer", daemon=True)
        self._changed = threading.Condition()

        self._frame: Frame | None = None  # the newest, until the writer takes it
        self._frame_lock = threading.Lock()
        self._picture = Picture()
        self._camera_name: str | None = None
        self._camera_t_ns: int | None = None

        self._extra: dict[str, Any] = {"server": server or secrets.token_hex(4), "simulated": simulated}
        self._control: Control | None = None
        self._verdict: Verdict | None = None
        self._question: tuple[str, Ask] | None = None
        self._question_ids = itertools.count(1)
        self._notices: dict[str, Say] = {}
        self._snapshot = Snapshot(0, 0, None, {})
        self._begin()
        self._publish()

    # -- life --------------------------------------------------------------------------------------

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Finish what is in the inbox, then close the log."""
        self._inbox.put(_Stop())
        if self._thread.is_alive():
            self._thread.join(PATIENCE_S)
        self._session.close()

    def set_control(self, control: Control | None) -> None:
        """Who answers the control requests that are not the service's own (the simulation)."""
        self._control = control

    def use(self, session: Session, table: GameTable | None, **extra: Any) -> None:
        """From now on this match and this table; `extra`: keys of the view such as `simulated`."""

        def change() -> dict[str, Any]:
            old, self._session = self._session, session
            old.close()
            self._table = table
            self._extra.update(extra)
            self._verdict = self._question = None
            if table is None:
                self._camera_name, self._camera_t_ns, self._picture = None, None, Picture()
            self._begin()
            return {"ok": True}

        self._in_writer(change)

    def show(self, **extra: Any) -> None:
        """Set keys of the view, e.g. `autoplay`."""

        def change() -> dict[str, Any]:
            self._extra.update(extra)
            return {"ok": True}

        self._in_writer(change)

    def say(self, about: str, text: str, level: str = "info") -> None:
        """A notice from another thread; an empty text takes it away."""

        def change() -> dict[str, Any]:
            self._perform(Say(about, text, level))
            return {"ok": True}

        if self._thread.is_alive():
            self._in_writer(change)
        else:
            change()
            self._publish()

    # -- web.port.Table ----------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        return self._snapshot

    def wait(self, serial: int, timeout_s: float) -> Snapshot:
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot.serial != serial, timeout_s)
            return self._snapshot

    def command(self, line: bytes) -> dict[str, Any]:
        answer: Future[dict[str, Any]] = Future()
        self._inbox.put(_Line(line, answer))
        return answer.result(PATIENCE_S)

    def control(self, request: dict[str, Any]) -> dict[str, Any]:
        own = {"answer": self._answer, "take_tray": self._take_tray, "dismiss": self._dismiss}.get(
            request.get("do", "")
        )
        if own is not None:
            return self._in_writer(lambda: own(request))
        reply = self._control(request) if self._control is not None else None
        return reply or failure("unknown_command", "This table has no such control.")

    def picture(self) -> bytes | None:
        return self._picture.jpeg()

    # -- camera and beams: they only put values in -------------------------------------------------

    def offer_frame(self, frame: Frame) -> None:
        """The newest frame; one that the writer has not taken yet is forgotten."""
        with self._frame_lock:
            waiting, self._frame = self._frame is not None, frame
        if not waiting:
            self._inbox.put(_NewFrame())

    def offer_edge(self, edge: Edge) -> None:
        self._inbox.put(edge)

    def camera_told(self, name: str | None, text: str = "") -> None:
        """A camera was opened (its name), or lost (why)."""
        self._inbox.put(_CameraTold(name, text))

    # -- the writer thread -------------------------------------------------------------------------

    def _write(self) -> None:
        next_tick = time.monotonic()
        while True:
            try:
                item: _Item | None = self._inbox.get(timeout=max(0.0, next_tick - time.monotonic()))
            except queue.Empty:
                item = None
            if isinstance(item, _Stop):
                break
            try:
                if item is not None:
                    self._handle(item)
                if time.monotonic() >= next_tick:
                    next_tick = time.monotonic() + TICK_S
                    if self._table is not None:
                        self._perform_all(self._table.tick(self._clock_ns()))
                self._publish()
            except (LogWriteError, InputError) as error:
                self._cannot_save(error)
            except Exception:
                # what was seen is lost, but not the match: the score goes on by taps, and the page says so
                log.exception("the writer failed at %s", type(item).__name__)
                self._perform(
                    Say("fault", "Something that was seen could not be understood; check the score.", "error")
                )

    def _handle(self, item: _Item) -> None:
        if isinstance(item, _Line):
            self._settle(item.answer, lambda: self._submitted(self._session.submit_line(item.line)))
        elif isinstance(item, _Request):
            self._settle(item.answer, item.run)
        elif isinstance(item, _NewFrame):
            with self._frame_lock:
                frame, self._frame = self._frame, None
            if frame is not None:
                self._see(frame)
        elif isinstance(item, Edge):
            if self._table is not None:
                self._perform_all(self._table.edge(item))
        elif isinstance(item, _CameraTold):
            if item.name is not None:
                self._camera_name, self._camera_t_ns = item.name, self._clock_ns()
            self._perform(Say("camera", item.text, "warn"))

    def _settle(self, answer: Future[dict[str, Any]], run: Callable[[], dict[str, Any]]) -> None:
        try:
            result = run()
        except (LogWriteError, InputError) as error:
            # nothing has happened, and the players must know: the log is the truth about the score
            self._cannot_save(error)
            result = {**failure("not_saved", str(error)), "state": self._session.state_json}
        except Exception as error:
            answer.set_exception(error)
            raise
        # a page that has its answer must also find it in the snapshot
        self._publish()
        answer.set_result(result)

    def _cannot_save(self, error: Exception) -> None:
        self._perform(Say("log", f"The last command was not saved and did not count: {error}", "error"))

    def _in_writer(self, run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        answer: Future[dict[str, Any]] = Future()
        self._inbox.put(_Request(run, answer))
        return answer.result(PATIENCE_S)

    # -- the score ---------------------------------------------------------------------------------

    def _submitted(self, reply: Reply) -> dict[str, Any]:
        if reply.accepted:
            self._follow(reply)
        return reply.body

    def _begin(self) -> None:
        """Tell the table of the match that is there."""
        self._follow(Reply({"ok": True, "events": [], "state": self._session.state_json}))

    def _follow(self, reply: Reply) -> None:
        if self._table is not None:
            self._perform_all(self._table.follow(reply))

    def _perform_all(self, acts: Sequence[Act]) -> None:
        for act in acts:
            self._perform(act)

    def _perform(self, act: Act) -> None:
        if isinstance(act, Submit):
            reply = self._session.submit(dict(act.command))
            self._submitted(reply)
            self._perform_all(act.then(reply))
        elif isinstance(act, Verdict):
            self._verdict = act
        elif isinstance(act, Ask):
            self._question = (f"q{next(self._question_ids)}", act)
        elif isinstance(act, Withdraw):
            self._verdict = None if act.verdict else self._verdict
            self._question = None if act.question else self._question
        elif act.text:
            self._notices[act.about] = act
        else:
            self._notices.pop(act.about, None)

    def _see(self, frame: Frame) -> None:
        self._camera_t_ns = frame.t_ns
        self._picture.take(frame)
        if self._table is not None:
            self._perform_all(self._table.see(frame))

    # -- control requests (in the writer thread) ---------------------------------------------------

    def _answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        choice = request.get("choice")
        if self._question is None or request.get("id") != self._question[0]:
            return failure("not_now", "That question is no longer open.")
        answers = self._question[1].answers
        if type(choice) is not int or not 0 <= choice < len(answers):
            return failure("bad_value", "There is no such answer.")
        self._question = None
        if not answers[choice].commands and self._table is not None:
            self._perform_all(self._table.dismiss())
        for command in answers[choice].commands:
            reply = self._session.submit(dict(command))
            self._submitted(reply)
            if not reply.accepted:
                return {"ok": False, "error": reply.body["error"]}
        return {"ok": True}

    def _take_tray(self, request: Mapping[str, Any]) -> dict[str, Any]:
        command = Reason("not_now", "No camera sees the table.") if self._table is None else self._table.take_tray()
        if isinstance(command, Reason):
            return {"ok": False, "error": command.to_json()}
        reply = self._session.submit(dict(command))
        self._submitted(reply)
        return {"ok": True} if reply.accepted else {"ok": False, "error": reply.body["error"]}

    def _dismiss(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """What is said is read: verdict, question and notices go; the score stays as it is."""
        self._perform(Withdraw())
        self._notices.clear()
        if self._table is not None:
            self._perform_all(self._table.dismiss())
        return {"ok": True}

    # -- what is published -------------------------------------------------------------------------

    def _publish(self) -> None:
        session, before = self._session, self._snapshot
        view = {**EMPTY, **self._extra, "game": session.game.name, "version": session.version}
        view["camera"] = self._camera()
        if self._table is not None:
            view |= self._table.view()
        view["verdict"] = self._verdict and self._verdict.to_json()
        view["question"] = self._question and _question_json(*self._question)
        view["notices"] = [{"level": say.level, "text": say.text} for say in self._notices.values()]
        view["serial"] = before.serial
        if view == before.view and session.state_json == before.state:
            return
        view["serial"] = before.serial + 1
        with self._changed:
            self._snapshot = Snapshot(before.serial + 1, session.version, session.state_json, view)
            self._changed.notify_all()

    def _camera(self) -> dict[str, Any]:
        if self._camera_t_ns is None:
            return {"state": "none", "age_s": None, "name": self._camera_name}
        age_ns = self._clock_ns() - self._camera_t_ns
        # whole seconds, and only once it matters: a page must not be sent something new for every frame
        age_s = age_ns // 1_000_000_000 if age_ns >= LOST_NS else 0
        return {"state": "lost" if age_ns >= LOST_NS else "ok", "age_s": age_s, "name": self._camera_name}


def failure(code: str, text: str, cells: Sequence[str] = ()) -> dict[str, Any]:
    """The answer to a control request that was not done."""
    return {"ok": False, "error": {"code": code, "text": text, "cells": list(cells)}}


def _question_json(name: str, question: Ask) -> dict[str, Any]:
    answers = [answer.to_json() for answer in question.answers]
    return {"id": name, "player": question.player, "text": question.text, "answers": answers}
