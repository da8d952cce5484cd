"""A running Re;MATCH table that can be changed while it runs: what `companion.table_setup` needs of it.

The match is never touched but through the service's writer: it goes on where it was, before other eyes or ears.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.config import Sensors, TableFile
from companion.pipeline import Pipeline
from companion.rematch_look import Kept
from companion.rematch_table import RematchTable
from companion.rules.rematch.watch import Watcher
from companion.service import Service
from companion.table_port import GameTable
from hardware.camera import Frame
from hardware.counting import DropCounter
from hardware.edges import Edge
from vision.calibration import Quad
from vision.gaze import Gaze

Sink = Callable[[Edge], None]


class RematchStation:
    """Implements companion.table_setup.Station.

    `open_beams(sensors, sink)`: closes those that are open and opens these (None: none); a sentence for each lane that
    failed. `find_camera`: opens a camera that was not there before; whether there is one now.
    """

    def __init__(
        self,
        service: Service,
        table: TableFile,
        open_beams: Callable[[Sensors | None, Sink], list[str]],
        *,
        camera: bool,
        find_camera: Callable[[], bool] = lambda: False,
        simulated: bool = False,
    ) -> None:
        self._service, self._table, self._open_beams = service, table, open_beams
        self._camera, self._find_camera, self._simulated = camera, find_camera, simulated

    def begin(self) -> list[str]:
        """Open the beams in force; a sentence for each lane that failed. The service must have been started."""
        self._show()
        return [] if self._table.sensors is None else self._open_beams(self._table.sensors, self._service.offer_edge)

    def leave(self) -> None:
        """The devices are gone for good."""
        self._table, self._camera, self._simulated = TableFile(), False, False
        self._show()

    def _show(self) -> None:
        table = self._table
        told = {
            "camera": self._camera,
            "aimed": table.calibration is not None,
            "beams": table.sensors is not None,
        }
        self._service.show(table=told)

    # -- companion.table_setup.Station ---------------------------------------------------------------

    @property
    def table(self) -> TableFile:
        return self._table

    @property
    def camera(self) -> bool:
        return self._camera

    @property
    def simulated(self) -> bool:
        return self._simulated

    def frame(self) -> Frame | None:
        return self._service.frame()

    def now_aim(self) -> tuple[Quad, Quad | None] | None:
        calibration, look = self._table.calibration, self._service.look()
        if calibration is None or not isinstance(look, Kept) or not look.sight.aim.ok:
            return None
        if look.eye.calibration is not calibration:
            return None  # the picture was read before the aim was taken anew
        corners, stage = calibration.corners, calibration.stage
        if look.view is not None:
            corners = look.view.moved(corners)
            stage = None if stage is None else look.view.moved(stage)
        return corners, stage

    def score_tray(self) -> str | None:
        state = self._service.snapshot().state
        return None if state is None or state.get("over") is not None else str(state["tray"])

    def look_again(self) -> bool:
        if not self._camera:
            self._camera = self._find_camera()
            self._show()
        return self._camera

    def listen(self, sensors: Sensors, sink: Sink) -> list[str]:
        self._service.hold(True)
        if self.score_tray() is not None:
            self._service.say("set-up", "The light beams are being tried: nothing is scored meanwhile.", "warn")
        return self._open_beams(sensors, sink)

    def listen_no_more(self) -> None:
        # what was dropped for the trial belongs to no turn: watcher and counter begin anew
        self._service.refit(lambda before: self._joined(before, None))
        self._service.hold(False)
        # only now: the first edge of each lane, its level, must reach the counter
        failed = self._open_beams(self._table.sensors, self._service.offer_edge)
        self._service.say("set-up", " ".join(f"{text}." for text in dict.fromkeys(failed)), "error")
        self._show()

    def take(self, table: TableFile, gaze: Gaze | None) -> None:
        same = table.sensors == self._table.sensors
        self._table = table
        if gaze is not None:
            for about in ("found", "vision"):
                self._service.say(about, "")
            going = self.score_tray() is not None
            self._service.refit(lambda before: self._looking(before, gaze, same))
            self._service.say("aim", "The camera is aimed anew: the match goes on where it was." if going else "")
        self._show()

    def _looking(self, before: GameTable | None, gaze: Gaze, same: bool) -> GameTable | None:
        if same and isinstance(before, RematchTable):
            before.look_through(gaze)  # what is known of the turn stays known
            return before
        return self._joined(before, gaze)

    def _joined(self, before: GameTable | None, gaze: Gaze | None) -> GameTable | None:
        if self._service.snapshot().view["game"] != "rematch":
            return before  # another game's table: tray and lanes are none of its parts
        if gaze is None and isinstance(before, RematchTable):
            gaze = before.gaze
        sensors = self._table.sensors
        if gaze is None and sensors is None:
            return None
        counter = None if sensors is None else DropCounter(sensors.geometry)
        return RematchTable(Pipeline(gaze, Watcher(), counter))
