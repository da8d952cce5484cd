"""The simulated table as devices: mock pins that pulse like beams, and a camera that sees the drawing.

`SimulatedRig` is the only place with a thread, and it can do without: `step(t_ns)` lives up to a moment of any clock.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gpiozero.pins.mock import MockFactory

from hardware.camera import Frame, Image
from hardware.simulated_drawing import TableDrawing
from hardware.simulated_table import Point, SimulatedTable

PINS = {"a": 17, "b": 27, "c": 22}
BEAT_S, IDLE_BEAT_S = 0.005, 0.025


class SimulatedRig:
    """A table, its drawing and its beams' pins behind one lock: any thread may call anything.

    Open `Beams(rig.pins, sink, factory=rig.factory, clock_ns=rig.edge_ns)`: real gpiozero devices on mock pins, low
    while blocked. Each edge then has the exact moment of the simulation, however late the thread came by.
    """

    def __init__(
        self,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        seed: int = 1,
        pins: Mapping[str, int] | None = None,
        drawing: TableDrawing | None = None,
    ) -> None:
        self.clock_ns = clock_ns
        self.table = SimulatedTable(clock_ns, seed)
        self.drawing = drawing or TableDrawing(seed)
        self.pins: dict[str, int] = dict(pins or PINS)
        self.factory: Any = MockFactory()
        self._edge_ns: int | None = None
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    # ---------------------------------------------------------------- time
    def edge_ns(self) -> int:
        """The moment of the edge that is just being driven, else the time now."""
        return self.clock_ns() if self._edge_ns is None else self._edge_ns

    def step(self, t_ns: int | None = None) -> None:
        """Live until `t_ns` (None: now) and drive the pins on the way."""
        with self._lock:
            for edge in self.table.advance(self.clock_ns() if t_ns is None else t_ns):
                pin = self.factory.pin(self.pins[edge.lane])
                self._edge_ns = edge.t_ns
                try:
                    if edge.blocked:
                        pin.drive_low()
                    else:
                        pin.drive_high()
                finally:
                    self._edge_ns = None
                # the mock keeps every state for ever otherwise
                pin.clear_states()

    def start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="simulated-table", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(1.0)

    def _run(self) -> None:
        self.drawing.prepare()
        while not self._stop.is_set():
            self.step()
            self._stop.wait(BEAT_S if self.table.busy else IDLE_BEAT_S)

    # ---------------------------------------------------------------- the table, for any thread
    # what a hand looks like is drawn before it begins to move: nothing waits for it with the table held
    def pull(self, cells: Sequence[str], player: str) -> None:
        """See SimulatedTable.pull; ValueError = one sentence."""
        self.drawing.prepare()
        with self._lock:
            self.step()
            self.table.pull(cells, player)

    def hover(self, cells: Sequence[str], player: str) -> None:
        self.drawing.prepare()
        with self._lock:
            self.step()
            self.table.hover(cells, player)

    def put_back(self) -> None:
        with self._lock:
            self.step()
            self.table.put_back()

    def move_fan(self, colour: str, place: str, player: str = "A") -> None:
        self.drawing.prepare()
        with self._lock:
            self.step()
            self.table.move_fan(colour, place, player)

    def return_taken(self) -> None:
        with self._lock:
            self.table.return_taken()

    @property
    def busy(self) -> bool:
        with self._lock:
            return self.table.busy

    @property
    def can_put_back(self) -> bool:
        with self._lock:
            return self.table.can_put_back

    @property
    def tray_text(self) -> str:
        with self._lock:
            return self.table.tray_text

    @property
    def fans(self) -> dict[str, str]:
        with self._lock:
            return dict(self.table.fans)

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        return self.table.corners

    @property
    def stage_corners(self) -> tuple[Point, Point, Point, Point]:
        return self.table.stage_corners

    def picture(self) -> tuple[Image, int]:
        """The table as it is now, and the moment it shows."""
        with self._lock:
            self.step()
            return self.drawing.draw(self.table), self.table.t_ns


class SimulatedCamera:
    """A camera over a rig's table, at an even pace. `sleep(seconds)`: tests move their clock in it."""

    def __init__(self, rig: SimulatedRig, fps: float = 15, sleep: Callable[[float], object] = time.sleep) -> None:
        self.name = "simulated table"
        self._rig = rig
        self._pace_ns = round(1e9 / fps)
        self._sleep = sleep
        self._next_ns = rig.clock_ns()

    def read(self) -> Frame | None:
        wait_ns = self._next_ns - self._rig.clock_ns()
        if wait_ns > 0:
            self._sleep(wait_ns / 1e9)
        image, t_ns = self._rig.picture()
        # a camera that was held up does not hurry afterwards
        self._next_ns = max(self._next_ns + self._pace_ns, t_ns)
        return Frame(image, t_ns)

    def close(self) -> None:
        """Nothing to let go of."""
