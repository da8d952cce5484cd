"""The application's heart: one writer thread owns the match, everyone else puts values into its inbox (DESIGN §4).

The page asks through web.port.Table, the camera thread and the beams hand in frames and edges. What is published is
always a whole snapshot, and only the newest one. No game is named here.
"""

from __future__ import annotations

import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from companion.desk import Desk, failure
from companion.errors import InputError
from companion.history import Record
from companion.log import LogWriteError
from companion.onlookers import Look, Onlookers, Pace
from companion.picture import Picture
from companion.session import Session
from companion.switches import Switches
from companion.table_port import GameTable, Say
from companion.view import EMPTY
from hardware.camera import Frame
from hardware.camera_thread import CameraStatus
from hardware.edges import Edge
from web.port import Snapshot

log = logging.getLogger(__name__)

TICK_S = 0.25
LOST_NS = 3_000_000_000
"""Without a frame for so long a camera is lost: the age of frames counts, not that its thread lives (I1, I15)."""
PATIENCE_S = 30.0
"""So long a request waits for the writer before it is told that nothing is known."""

_Answer = Future[dict[str, Any]]


@dataclass(frozen=True)
class _Request:
    """A function to run in the writer thread, between two commands."""

    run: Callable[[], dict[str, Any]]
    answer: _Answer


class _NewFrame:
    """The newest frame lies ready; the frame itself is not in the queue, so that a slow table never falls behind."""


class _Stop:
    pass


_Item = _Request | CameraStatus | Edge | _NewFrame | _Stop
Control = Callable[[Mapping[str, Any]], dict[str, Any] | None]
"""Answers a control request in the asking thread; None: not one of its own."""


class Service:
    """Implements web.port.Table. `start` and `stop` it; `use` changes the match and the table in a running one."""

    def __init__(
        self,
        session: Session,
        table: GameTable | None = None,
        *,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        server: str | None = None,
        **extra: Any,
    ) -> None:
        """`server`: the start id; `extra`: keys of the view such as `simulated`."""
        self._desk = Desk(session, table)
        self._scores = table is not None
        self._clock_ns = clock_ns
        self._inbox: queue.SimpleQueue[_Item] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="writer", daemon=True)
        self._changed = threading.Condition()

        self._frame: Frame | None = None  # the newest, until the writer takes it
        self._frame_lock = threading.Lock()
        self._picture = Picture()
        self._onlookers = Onlookers(self._desk.look, clock_ns)
        self._pace = Pace()
        self._camera_status: CameraStatus | None = None
        self._camera_t_ns: int | None = None

        self._helps = False
        self._help: tuple[Any, Any] = (None, None)  # of which session and version, and what
        self._extra: dict[str, Any] = {"server": server or secrets.token_hex(4), **extra}
        self._control: Control | None = None
        self._play: Callable[[object], dict[str, Any]] | None = None
        self._switches: Switches | None = None
        self._beat: Callable[[], None] = lambda: None
        self._snapshot = Snapshot(0, 0, None, {})
        self._publish()

    # -- life ----------------------------------------------------------------------------------------

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Finish what is in the inbox, then close the log."""
        self._inbox.put(_Stop())
        if self._thread.is_alive():
            self._thread.join(PATIENCE_S)
        self._desk.session.close()

    def set_control(self, control: Control | None) -> None:
        """Who answers the control requests that are not the desk's own (the simulation)."""
        self._control = control

    def set_play(self, play: Callable[[object], dict[str, Any]]) -> None:
        """Who is asked for another game."""
        self._play = play

    def set_switches(self, switches: Switches) -> None:
        """What was switched on stays so, and is kept there from now on."""
        self._switches = switches
        self._in_writer(lambda: setattr(self, "_helps", switches.help))

    def set_beat(self, beat: Callable[[], None]) -> None:
        """`beat` is called in each round of the writer's loop, at least every TICK_S: a watchdog's sign of life."""
        self._beat = beat

    def use(self, session: Session, table: GameTable | None, **extra: Any) -> None:
        """From now on this match and this table; `extra`: keys of the view such as `simulated`."""

        def change() -> None:
            self._desk.use(session, table)
            self._scores = table is not None
            self._extra.update(extra)
            if table is None:
                self._camera_status, self._camera_t_ns, self._picture = None, None, Picture()

        self._in_writer(change)

    def refit(self, change: Callable[[GameTable | None], GameTable | None]) -> None:
        """The match goes on where it was, at what `change` makes of its table; it is called in the writer's thread."""

        def refit() -> None:
            def noted(before: GameTable | None) -> GameTable | None:
                after = change(before)
                self._scores = after is not None
                return after

            self._desk.refit(noted)

        self._in_writer(refit)

    def hold(self, on: bool) -> None:
        """While it holds, pictures and edges are not the match's: someone tries the devices."""
        self._in_writer(lambda: self._desk.hold(on))

    def frame(self) -> Frame | None:
        """The newest picture, whatever its age; any thread may ask."""
        return self._picture.frame

    def look(self) -> Look | None:
        """The newest picture with what was read from it; any thread may ask."""
        return self._desk.look()

    def show(self, **extra: Any) -> None:
        """Set keys of the view, e.g. `autoplay`."""
        self._in_writer(lambda: self._extra.update(extra))

    def say(self, about: str, text: str, level: str = "info") -> None:
        """A notice from outside; one with the same `about` replaces the last, an empty text takes it away."""
        self._in_writer(lambda: self._desk.perform([Say(about, text, level)]))

    # -- web.port.Table ------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        return self._snapshot

    def wait(self, serial: int, timeout_s: float) -> Snapshot:
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot.serial != serial, timeout_s)
            return self._snapshot

    def command(self, line: bytes, version: int | None = None) -> dict[str, Any]:
        return self._ask_writer(lambda: self._desk.submit_line(line, version))

    def control(self, request: dict[str, Any], version: int | None = None) -> dict[str, Any]:
        if request.get("do") == "help":
            return self._set_help(request.get("on"))
        if request.get("do") == "play" and self._play is not None:
            return self._play(request.get("game"))
        reply = self._control(request) if self._control is not None else None
        if reply is not None:
            return reply
        unknown = failure("unknown_command", "This table has no such control.")
        return self._ask_writer(lambda: self._desk.control(request, version) or unknown)

    def _set_help(self, on: object) -> dict[str, Any]:
        if not isinstance(on, bool):
            return failure("bad_value", "'on' is true or false.")
        if self._switches is not None:
            try:
                self._switches.set_help(on)
            except InputError as error:
                return failure("not_saved", f"The switch stays as it was: {error}.")
        self._in_writer(lambda: setattr(self, "_helps", on))
        return {"ok": True}

    def history(self) -> dict[str, Any]:
        # a value that never changes: whoever asks need not wait for the writer
        return self._desk.history()

    def timeline(self) -> tuple[Record, ...]:
        """The match's commands in force, oldest first; a value as well."""
        return self._desk.session.timeline

    def picture(self) -> bytes | None:
        return self._picture.jpeg()

    def seen(self) -> dict[str, Any]:
        view, seen = self._snapshot.view, self._onlookers.seen()
        camera = view["camera"]["state"]
        # a camera whose pictures nothing reads is blind: it has no calibration
        state = "blind" if camera == "ok" and seen["frame"] is None else camera
        told = {key: view[key] for key in ("server", "simulated", "camera", "sensors", "inlet", "notices")}
        return {**told, "state": state, **self._pace.to_json(), **seen}

    def seen_picture(self, number: int | None = None) -> tuple[int, bytes] | None:
        return self._onlookers.picture(number)

    # -- camera and beams: they only put values in -----------------------------------------------------

    def offer_frame(self, frame: Frame) -> None:
        """The newest frame; one that the writer has not taken yet is forgotten."""
        with self._frame_lock:
            waiting, self._frame = self._frame is not None, frame
        if not waiting:
            self._inbox.put(_NewFrame())

    def offer_edge(self, edge: Edge) -> None:
        self._inbox.put(edge)

    def camera_told(self, status: CameraStatus) -> None:
        """The camera was opened, lost (why), or is back."""
        self._inbox.put(status)

    # -- the writer thread ---------------------------------------------------------------------------

    def _write(self) -> None:
        next_tick = time.monotonic()
        while True:
            # before the work and whether it fails or not: what must show is a loop that no longer comes round
            self._beat()
            try:
                item: _Item | None = self._inbox.get(timeout=max(0.0, next_tick - time.monotonic()))
            except queue.Empty:
                item = None
            if isinstance(item, _Stop):
                return
            try:
                if item is not None:
                    self._handle(item)
                if time.monotonic() >= next_tick:
                    next_tick = time.monotonic() + TICK_S
                    self._desk.tick(self._clock_ns())
                self._publish()
            except (LogWriteError, InputError) as error:
                self._cannot_save(error)
            except Exception:
                # what was seen is lost, but not the match: the score goes on by taps, and the page says so
                log.exception("the writer failed at %s", type(item).__name__)
                text = "Something that was seen could not be understood; check the score."
                self._desk.perform([Say("fault", text, "error")])

    def _handle(self, item: _Item) -> None:
        if isinstance(item, _Request):
            self._settle(item)
        elif isinstance(item, _NewFrame):
            with self._frame_lock:
                frame, self._frame = self._frame, None
            if frame is not None:
                self._camera_t_ns = frame.t_ns
                self._picture.take(frame)
                began = time.perf_counter()
                self._desk.see(frame)
                self._pace.saw(frame.t_ns, time.perf_counter() - began)
        elif isinstance(item, Edge):
            self._desk.edge(item)
        elif isinstance(item, CameraStatus):
            self._camera_status = item
            self._desk.perform([_camera_notice(item, self._scores)])

    def _settle(self, request: _Request) -> None:
        try:
            result = request.run()
        except (LogWriteError, InputError) as error:
            # nothing has happened, and the players must know: the log is the truth about the score
            self._cannot_save(error)
            result = {**failure("not_saved", str(error)), "state": self._desk.session.state_json}
        except BaseException as error:
            request.answer.set_exception(error)
            raise
        # a page that has its answer must also find it in the snapshot
        self._publish()
        request.answer.set_result(result)

    def _cannot_save(self, error: Exception) -> None:
        text = f"The last command was not saved and did not count: {error}"
        self._desk.perform([Say("log", text, "error")])

    def _ask_writer(self, run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Run it in the writer thread and wait for its result; before `start` there is only this thread."""
        request = _Request(run, Future())
        if self._thread.ident is None:
            self._settle(request)
        elif self._thread.is_alive():
            self._inbox.put(request)
        else:
            raise RuntimeError("the companion is stopping")
        return request.answer.result(PATIENCE_S)

    def _in_writer(self, run: Callable[[], None]) -> None:
        def change() -> dict[str, Any]:
            run()
            return {}

        self._ask_writer(change)

    # -- what is published ---------------------------------------------------------------------------

    def _publish(self) -> None:
        session, before = self._desk.session, self._snapshot
        view = {**EMPTY, **self._extra, "camera": self._camera(), **self._desk.view()}
        view |= {"version": session.version, "serial": before.serial, "help": self._helped()}
        if view == before.view and session.state_json == before.state:
            return
        view["serial"] = before.serial + 1
        with self._changed:
            self._snapshot = Snapshot(before.serial + 1, session.version, session.state_json, view)
            self._changed.notify_all()

    def _helped(self) -> dict[str, Any] | None:
        """None: help is off; else what the game tells learners now, or nothing."""
        if not self._helps:
            return None
        session = self._desk.session
        now = (session, session.version)
        if self._help[0] != now:
            self._help = (now, dict(session.help() or {}))
        found: dict[str, Any] = self._help[1]
        return found

    def _camera(self) -> dict[str, Any]:
        status, t_ns = self._camera_status, self._camera_t_ns
        name = status.name or None if status is not None else None
        reopened = 0 if status is None else status.reopened
        # while it is being opened again it is still lost
        given_up = status is not None and status.state != "ok" and (status.state != "opening" or status.reopened > 0)
        age_ns = 0 if t_ns is None else self._clock_ns() - t_ns
        lost = given_up or age_ns >= LOST_NS
        state = "lost" if lost else "none" if t_ns is None else "ok"
        # whole seconds, and only once it matters: a page must not be sent something new for every frame
        age_s = None if t_ns is None else age_ns // 1_000_000_000 if lost else 0
        return {"state": state, "age_s": age_s, "name": name, "reopened": reopened}


def _camera_notice(status: CameraStatus, scores: bool) -> Say:
    """`scores`: what the camera sees is scored."""
    if status.state == "ok":
        times = "once" if status.reopened == 1 else f"{status.reopened} times"
        return Say("camera", f"The camera is back; it had to be opened again {times}." if status.reopened else "")
    # while it is being opened again, what is said of it stays true
    meanwhile = " What happens meanwhile will be asked about." if scores and status.text else ""
    return Say("camera", f"{status.text}{meanwhile}", "warn")
