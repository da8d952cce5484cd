"""A simulated table that nobody has set up, on the test's own clock: real vision, counter, service and set-up."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from companion.config import Sensors, TableFile
from companion.games import game
from companion.log import MemoryLog
from companion.service import Service
from companion.session import Session
from companion.simulation import lay
from companion.station import RematchStation
from companion.table_setup import TableSetup
from hardware.beams import Beams
from hardware.camera import Frame
from hardware.edges import Edge
from hardware.simulated import SimulatedRig
from hardware.simulated_drawing import TableDrawing
from vision.calibration import Quad

MS = 1_000_000
FRAME_NS = 66 * MS
TRAY = "RYRBY/YRRRB/BYBYB"
Shake = Callable[[Any], Any]


@functools.cache
def drawing() -> TableDrawing:
    """Looks the same for all tests, and takes a while to make."""
    return TableDrawing(1)


class Room:
    """A simulated table that nobody has set up, on the test's own clock."""

    def __init__(self, file: Path | None, seed: int = 1) -> None:
        self.t_ns = 1_000 * MS
        self.rig = SimulatedRig(lambda: self.t_ns, seed, drawing=drawing())
        lay(self.rig, TRAY)
        self.service = Service(Session(game("rematch"), MemoryLog()), clock_ns=lambda: self.t_ns)
        self.service.start()
        self.beams: Beams | None = None
        self.no_pins = ""
        self.station = RematchStation(self.service, TableFile(), self._open_beams, camera=True)
        self.station.begin()
        self.setup = TableSetup(self.station, file, lambda: self.t_ns)
        self.seen_as: Shake = lambda image: image
        self.play(0.2)

    def close(self) -> None:
        self.setup.stop()
        self.service.stop()

    def _open_beams(self, sensors: Sensors | None, sink: Callable[[Edge], None]) -> list[str]:
        if self.beams is not None:
            self.beams.close()
        self.beams = None
        if sensors is not None and self.no_pins:
            return [self.no_pins] * len(sensors.pins)
        if sensors is not None:
            self.beams = Beams(sensors.pins, sink, factory=self.rig.factory, clock_ns=self.rig.edge_ns)
        return []

    def play(self, seconds: float) -> None:
        for _ in range(round(seconds * 1e9 / FRAME_NS)):
            self.t_ns += FRAME_NS
            self.rig.step(self.t_ns)
            image, t_ns = self.rig.picture()
            self.service.offer_frame(Frame(self.seen_as(image), t_ns))
            self.service.say("probe", "")  # done by the writer after the frame

    def until_free(self) -> None:
        while self.rig.busy:
            self.play(0.2)
        self.play(1.0)

    def pull_unseen(self, cell: str) -> None:
        """A hand takes a marble out, and nobody looks: only the beams tell of the next one."""
        self.rig.pull([cell], "A")
        while self.rig.busy:
            self.t_ns += FRAME_NS
            self.rig.step(self.t_ns)
            self.setup.told()
        self.play(0.1)

    def ask(self, **request: Any) -> dict[str, Any]:
        return self.setup.do(request)

    def done(self, **request: Any) -> dict[str, Any]:
        reply = self.ask(**request)
        assert reply["ok"], reply
        return reply

    def refused(self, **request: Any) -> tuple[str, str]:
        reply = self.ask(**request)
        assert not reply["ok"]
        return reply["error"]["code"], reply["error"]["text"]

    def aim_and_learn(self, corners: Quad | None = None, **more: Any) -> dict[str, Any]:
        fit = self.done(do="fit", corners=points(corners or self.rig.corners), slip=True)["fit"]
        read = self.done(do="read", corners=fit["corners"])
        tray = "".join(cell["letter"] for cell in read["cells"].values())
        text = "/".join(tray[i : i + 5] for i in (0, 5, 10))
        return self.done(do="save", shot=read["shot"], tray=text, **more)

    def command(self, **fields: Any) -> dict[str, Any]:
        return self.service.command(json.dumps(fields).encode())

    @property
    def view(self) -> dict[str, Any]:
        return self.service.snapshot().view

    @property
    def state(self) -> dict[str, Any]:
        state = self.service.snapshot().state
        assert state is not None
        return state


def points(quad: Quad, dx: float = 0.0, dy: float = 0.0) -> list[list[float]]:
    return [[x + dx, y + dy] for x, y in quad]


def apart(one: list[list[float]], other: Quad) -> float:
    return max(abs(a - b) for p, q in zip(one, other, strict=True) for a, b in zip(p, q, strict=True))


def shifted(image: Any, dx: int, dy: int) -> Any:
    return np.roll(np.roll(image, dx, axis=1), dy, axis=0)
