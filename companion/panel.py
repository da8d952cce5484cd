"""Buttons, lights and buzzer at the table, and the beam at the inlet: all optional, `[extras]` of the table file.

What they do is worked out by two pure functions from what every page is told; the rest only carries it to the pins.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.config import Sensors
from companion.service import Service
from hardware.beams import BeamError, Beams
from hardware.counting import DropCounter
from hardware.edges import Edge
from hardware.extras import Extras, Light
from web.port import Snapshot

log = logging.getLogger(__name__)

INLET = "inlet"
BEAT_S = 0.5


@dataclass(frozen=True)
class Press:
    """What a button means now: a command of the rules, a control request, or only something to be said."""

    command: Mapping[str, Any] | None = None
    control: Mapping[str, Any] | None = None
    say: str = ""


def meaning(player: str, long: bool, state: Mapping[str, Any] | None, view: Mapping[str, Any]) -> Press:
    """Short: yes, to the first answer of the open question, else "my turn is over". Long: ask the judge."""
    question, verdict = view.get("question"), view.get("verdict")
    if long:
        return Press(say=f"{player} asks: {_judged(question, verdict)}")
    if question is not None:
        if not question["answers"]:
            return Press(say="This question has no answer that a button could give: tap it on the page.")
        return Press(control={"do": "answer", "id": question["id"], "choice": 0})
    if state is None or state.get("over") is not None:
        return Press()
    if state.get("phase") == "resolve" and state.get("turn") == player:
        return Press(command={"do": "end_turn", "player": player})
    return Press(say=f"{player}'s button: there is nothing to confirm now.")


def _judged(question: Mapping[str, Any] | None, verdict: Mapping[str, Any] | None) -> str:
    if question is not None:
        return str(question["text"])
    return "nothing has been judged yet." if verdict is None else str(verdict["text"])


def lights(state: Mapping[str, Any] | None, view: Mapping[str, Any]) -> dict[str, Light]:
    """On: it is this player's turn; blinking: an illegal pull of theirs lies on the table, or they are asked."""
    shown: dict[str, Light] = {"A": "off", "B": "off"}
    if state is None:
        return shown
    if state.get("over") is not None:
        winner = state["over"].get("winner") if isinstance(state["over"], Mapping) else None
        return shown if winner not in shown else {**shown, winner: "blink"}
    if state.get("turn") in shown:
        shown[state["turn"]] = "on"
    verdict, question = view.get("verdict"), view.get("question")
    if verdict is not None and verdict["kind"] == "illegal" and verdict["player"] in shown:
        shown[verdict["player"]] = "blink"
    if question is not None:
        asked = [question["player"]] if question["player"] in shown else list(shown)
        shown.update(dict.fromkeys(asked, "blink"))
    return shown


def beeps(before: Mapping[str, Any], now: Mapping[str, Any]) -> int:
    """How often to beep: something new that wants to be looked at."""
    if now.get("question") is not None and before.get("question") != now["question"]:
        return 2
    verdict = now.get("verdict")
    if verdict is not None and verdict["kind"] == "illegal" and before.get("verdict") != verdict:
        return 3
    errors = [one["text"] for one in now.get("notices", ()) if one["level"] == "error"]
    known = [one["text"] for one in before.get("notices", ())]
    return 1 if any(text not in known for text in errors) else 0


class Panel:
    """The pins of `[extras]`, joined to a service. `start` and `stop` it; what cannot be opened is told on the page."""

    def __init__(
        self,
        service: Service,
        pins: Mapping[str, int],
        sensors: Sensors | None = None,
        factory: Any = None,
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._service, self._clock_ns = service, clock_ns
        self._pins, self._sensors, self._factory = dict(pins), sensors or Sensors({}), factory
        self._counter = DropCounter(self._sensors.geometry)
        self._lock = threading.Lock()  # edges come in the pins' thread
        self._edges: list[Edge] = []
        self._extras: Extras | None = None
        self._inlet: Beams | None = None
        self._seen: Snapshot | None = None
        self._told: dict[str, Any] | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="panel", daemon=True)

    def start(self) -> None:
        failed: list[str] = []
        if INLET in self._pins:
            try:
                self._inlet = Beams(
                    {INLET: self._pins[INLET]}, self._edge, active_low=self._sensors.active_low,
                    pull_up=self._sensors.pull_up, factory=self._factory,
                )  # fmt: skip
            except BeamError as error:
                failed.append(str(error).replace("lane inlet", "inlet"))
        self._extras = Extras(self._pins, self._pressed, self._factory)
        for number, text in enumerate([*failed, *self._extras.failed]):
            self._service.say(f"extras-{number}", f"{text}. The rest works.", "error")
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(2 * BEAT_S)
        for device in (self._inlet, self._extras):
            if device is not None:
                device.close()

    def _follow(self) -> None:
        serial = -1
        while not self._stop.is_set():
            snapshot = self._service.wait(serial, BEAT_S)
            serial = snapshot.serial
            try:
                self.show(snapshot)
                self._count()
            except Exception:
                log.exception("the panel failed")

    def show(self, snapshot: Snapshot) -> None:
        """Lights and buzzer for what every page is told."""
        extras, before = self._extras, self._seen
        if extras is None or (before is not None and before.serial == snapshot.serial):
            return
        self._seen = snapshot
        for player, how in lights(snapshot.state, snapshot.view).items():
            extras.light(player, how)
        times = 0 if before is None else beeps(before.view, snapshot.view)
        if times:
            extras.beep(times)

    # -- the inlet's beam

    def _edge(self, edge: Edge) -> None:
        with self._lock:
            self._edges.append(edge)

    def _count(self) -> None:
        if self._inlet is None:
            return
        with self._lock:
            edges, self._edges = self._edges, []
        for edge in edges:
            self._counter.feed(edge)
        if INLET not in self._counter.lanes:
            return
        self._counter.tick(self._clock_ns())
        found = self._counter.counts()[INLET]
        told = {"drops": found.drops, "certain": found.certain, "fault": found.fault}
        if told != self._told:
            self._told = told
            self._service.show(inlet=told)

    # -- buttons, in gpiozero's thread: it must not wait for the writer

    def _pressed(self, player: str, long: bool) -> None:
        threading.Thread(target=self._press, args=(player, long), name="button", daemon=True).start()

    def _press(self, player: str, long: bool) -> None:
        snapshot = self._service.snapshot()
        press = meaning(player, long, snapshot.state, snapshot.view)
        try:
            if press.control is not None:
                self._said(self._service.control(dict(press.control)))
            elif press.command is not None:
                self._said(self._service.command(json.dumps(press.command).encode()))
            elif press.say:
                self._service.say("button", press.say)
        except Exception:
            log.exception("a button could not be obeyed")

    def _said(self, reply: Mapping[str, Any]) -> None:
        # a refusal has nobody else to be shown to: no page has asked
        self._service.say("button", "" if reply.get("ok") else str(reply["error"]["text"]), "warn")
