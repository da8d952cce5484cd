"""The simulated table as a part of the running companion: its devices, its control requests, its two scripted players.

Everything behind the devices is the real thing: the vision calibrated on a picture, the watcher, beams on mock pins.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import cv2

from companion.autoplay import Autoplay, Command, Control, MoveFan, Pull, PutBack, Step
from companion.camera_loop import CameraLoop
from companion.config import Sensors, TableFile
from companion.desk import failure
from companion.pipeline import Pipeline
from companion.rematch_table import RematchTable
from companion.rules.rematch.tray import COLOURS
from companion.rules.rematch.watch import Watcher
from companion.service import Service
from companion.session import Session
from companion.station import RematchStation
from hardware.beams import Beams
from hardware.counting import DropCounter
from hardware.edges import Edge
from hardware.simulated import SimulatedCamera, SimulatedRig
from vision.calibration import Calibration
from vision.eye import Eye
from vision.gaze import Gaze
from vision.profile import Profile

log = logging.getLogger(__name__)

BEAT_S = 0.2


class Simulation:
    """A simulated table with its service. `start` it, `stop` it; `fresh` makes the session of a real match.

    `new`: nobody has set the table up yet.
    """

    def __init__(
        self, session: Session, fresh: Callable[[], Session], seed: int = 1, fps: float = 15, new: bool = False
    ) -> None:
        self._new = new
        self._rig = SimulatedRig(time.monotonic_ns, seed)
        self._fresh = fresh
        state = session.state_json
        if state is not None:
            lay(self._rig, state["tray"])
            _lay_fans(self._rig, state)
        table = TableFile() if new else TableFile(calibration_of(self._rig), Sensors(self._rig.pins))
        self.service = Service(session, None if new else _looking(table), simulated=True, autoplay=False)
        self.station = RematchStation(self.service, table, self._open_beams, camera=True, simulated=True)
        self.service.set_control(self.control)
        self._camera = CameraLoop(
            lambda: SimulatedCamera(self._rig, fps), self.service.offer_frame, self.service.camera_told
        )
        self._beams: Beams | None = None
        self._players = Autoplay(seed)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._play, name="players", daemon=True)
        self._autoplay = threading.Event()

    def start(self, autoplay: bool = True) -> None:
        self.service.start()
        self._set_autoplay(autoplay and not self._new)
        self.station.begin()
        self._rig.start()
        self._camera.start()
        if self.service.snapshot().state is None and not self._new:
            self._submit({"do": "setup", "first": "A", "tray": self._rig.tray_text})
            self._submit({"do": "begin"})
        self._thread.start()

    def stop(self) -> None:
        self._leave()
        self.service.stop()

    def _open_beams(self, sensors: Sensors | None, sink: Callable[[Edge], None]) -> list[str]:
        if self._beams is not None:
            self._beams.close()
            self._beams = None
        if sensors is not None:
            self._beams = Beams(sensors.pins, sink, factory=self._rig.factory, clock_ns=self._rig.edge_ns)
        return []

    def _leave(self) -> None:
        """Camera, beams and players end; the service goes on."""
        self._stop.set()
        self._camera.stop()
        self._rig.stop()
        if self._beams is not None:
            self._beams.close()
            self._beams = None

    # -- control requests, in the page's thread --------------------------------------------------------

    def control(self, request: Mapping[str, Any]) -> dict[str, Any] | None:
        do = request.get("do")
        if self._stop.is_set():
            return None
        if do == "pull":
            return self._pull(request.get("cells"))
        if do == "put_back":
            return _tried(self._rig.put_back)
        if do == "autoplay":
            if not isinstance(request.get("on"), bool):
                return failure("bad_value", "'on' is true or false.")
            self._set_autoplay(request["on"])
            return {"ok": True}
        if do == "real_match":
            self._leave()
            self.service.use(self._fresh(), None, simulated=False, autoplay=False)
            self.station.leave()
            return {"ok": True}
        return None

    def _pull(self, cells: object) -> dict[str, Any]:
        if not isinstance(cells, list) or not all(isinstance(cell, str) for cell in cells):
            return failure("bad_value", "'cells' is a list of cells such as b3.")
        # one who pulls plays: the scripted players would only be in the way
        self._set_autoplay(False)
        return _tried(lambda: self._rig.pull(_from_the_top(cells), _puller(self.service.snapshot().state)))

    def _set_autoplay(self, on: bool) -> None:
        if on:
            self._autoplay.set()
        else:
            self._autoplay.clear()
        self.service.show(autoplay=on)

    # -- the scripted players, in a thread of their own --------------------------------------------------

    def _play(self) -> None:
        while not self._stop.wait(BEAT_S):
            if not self._autoplay.is_set():
                continue
            snapshot = self.service.snapshot()
            tray, busy = self._rig.tray_text, self._rig.busy
            step = self._players.next(snapshot.state, snapshot.view, tray, busy, time.monotonic())
            if step is None or self._stop.is_set():
                continue
            try:
                self._do(step)
            except Exception:
                # the players must not end the show
                log.exception("the scripted players could not do %r", step)

    def _do(self, step: Step) -> None:
        if isinstance(step, Pull):
            self._rig.pull(step.cells, step.player)
        elif isinstance(step, PutBack):
            self._rig.put_back()
        elif isinstance(step, MoveFan):
            self._rig.move_fan(step.fan, step.place, step.player)
        elif isinstance(step, Command):
            self._submit(step.command)
        elif isinstance(step, Control):
            self.service.control(dict(step.request))

    def _submit(self, command: Mapping[str, Any]) -> None:
        reply = self.service.command(json.dumps(command).encode())
        if not reply["ok"]:
            log.info("the scripted players were refused %s: %s", command, reply["error"]["text"])


def calibration_of(rig: SimulatedRig) -> Calibration:
    """Made on a picture of the simulated table as it lies now."""
    image = rig.picture()[0]
    size = (image.shape[1], image.shape[0])
    picture = cv2.imencode(".png", image)[1].tobytes()
    # not by `calibrate`: it proves a stranger's corners, and takes as long again
    return Calibration(size, Profile().grid, rig.corners, rig.tray_text, rig.stage_corners, picture)


def eyes(rig: SimulatedRig) -> RematchTable:
    """The real vision, calibrated on a picture of the simulated table as it lies now, and the real counter."""
    return _looking(TableFile(calibration_of(rig)))


def _looking(table: TableFile) -> RematchTable:
    assert table.calibration is not None
    return RematchTable(Pipeline(Gaze(Eye(table.calibration, Profile())), Watcher(), DropCounter()))


def lay(rig: SimulatedRig, tray: str) -> None:
    """Lay the simulated marbles as this tray text says, as far as there are enough of each colour in the tower."""
    letters = tray.replace("/", "")
    for (_, marble), letter in zip(list(rig.table.on_tray()), letters, strict=True):
        if letter in COLOURS and marble.colour != letter:
            other = next((one for one in rig.table.tower if one.colour == letter), None)
            if other is not None:
                marble.colour, other.colour = other.colour, marble.colour


def _lay_fans(rig: SimulatedRig, state: Mapping[str, Any]) -> None:
    for player, side in state["players"].items():
        for fan in side["fans"]:
            rig.table.fans[fan] = player


def _puller(state: Mapping[str, Any] | None) -> str:
    """Whose hand it is: the player's who is on turn, after the attack the other's."""
    if state is None:
        return "A"
    turn: str = state["turn"]
    return {"A": "B", "B": "A"}[turn] if state["phase"] == "resolve" else turn


def _from_the_top(cells: list[str]) -> list[str]:
    """Pulled from row 5 down, as the rulebook advises: none rolls away before it is its turn."""
    return sorted(cells, key=lambda cell: cell[1:], reverse=True)


def _tried(act: Callable[[], None]) -> dict[str, Any]:
    try:
        act()
    except ValueError as error:
        text = str(error)
        return failure("not_now", f"{text[:1].upper()}{text[1:]}.")
    return {"ok": True}
