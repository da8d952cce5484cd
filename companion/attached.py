"""The real table: the devices that the table file names, or that are found, opened and joined to a service."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.camera_loop import CameraLoop
from companion.clips import open_clip
from companion.config import CameraSettings, Sensors, TableFile, load_table
from companion.errors import InputError
from companion.games import PLAYED
from companion.panel import Panel
from companion.pipeline import Pipeline
from companion.rematch_table import RematchTable
from companion.rules.rematch.watch import Watcher
from companion.service import Service
from companion.station import RematchStation
from companion.table_port import GameTable
from hardware.beams import BeamError, Beams
from hardware.camera import Camera, CameraError
from hardware.cameras import find_camera
from hardware.counting import DropCounter
from hardware.edges import Edge
from hardware.played import PlayedCamera
from vision.calibration import VisionError
from vision.eye import Eye
from vision.gaze import Gaze
from vision.profile import Profile

FROZEN_S = 15.0
"""The very same picture, pixel for pixel, for so long: no camera, though its frames are new (I15)."""

Open = Callable[[], Camera]
Find = Callable[[str, str | None, tuple[int, int] | None, float | None], Open | None]


@dataclass(frozen=True)
class Found:
    """What there is: a way to open the camera (None: none is there), the table file and what it says."""

    open_camera: Open | None
    table: TableFile | None = None
    file: Path | None = None

    @property
    def anything(self) -> bool:
        """A camera, a sensor or a table file. Without any, a bare start may simulate."""
        return self.open_camera is not None or self.table is not None

    @property
    def sensors(self) -> bool:
        return self.table is not None and self.table.sensors is not None

    def game(self, chosen: str | None = None) -> str:
        """What is played at it: the game that somebody chose, else the table file's."""
        return chosen or (self.table or TableFile()).game


def look(file: Path | None, find: Find = find_camera, clip: str | None = None, chosen: str | None = None) -> Found:
    """What is attached, for a match of the game that was chosen (None: the table file's); `clip` stands in for the
    camera. Raises InputError when one of them cannot be used."""
    table = None if file is None else load_table(file)
    if table is not None and table.game not in PLAYED:
        raise InputError(f"table file {file}: is for the game {table.game!r}, which this companion does not know")
    if clip is not None:
        return Found(_played(clip), table, file)
    settings = (table.camera if table is not None else None) or CameraSettings()
    size = settings.size or (None if table is None else _calibrated_size(table, chosen or table.game))
    try:
        opener = find(settings.kind, settings.device, size, settings.fps)
    except CameraError as error:
        raise InputError(f"table file {file}: {error}") from None
    return Found(opener, table, file)


def _calibrated_size(table: TableFile, name: str) -> tuple[int, int] | None:
    known = [part for part in (table.calibration, table.field) if part is not None]
    if name == "react":
        known.reverse()
    return known[0].size if known else None


def _played(clip: str) -> Open:
    try:
        open_clip(clip).close()  # one that is none: before anything starts
    except CameraError as error:
        raise InputError(f"--camera: {error}") from None
    return lambda: PlayedCamera(open_clip(clip))


def game_table(found: Found, name: str | None = None) -> GameTable | None:
    """The eyes and ears for what was found, in a match of this game (None: the table file's); None: nothing that could
    see or count. Raises InputError.
    """
    table = found.table or TableFile()
    kinds = {"rematch": _rematch_table, "react": _react_table}
    kind = kinds.get(found.game(name))
    try:
        return None if kind is None else kind(found, table)
    except VisionError as error:
        part = "calibration" if kind is _rematch_table else "field"
        raise InputError(f"table file {found.file}: {part}: {error}") from None


def _rematch_table(found: Found, table: TableFile) -> GameTable | None:
    if table.calibration is None and table.sensors is None:
        return None
    gaze = None
    if table.calibration is not None and found.open_camera is not None:
        gaze = Gaze(Eye(table.calibration, Profile(grid=table.calibration.grid)))
    counter = None if table.sensors is None else DropCounter(table.sensors.geometry)
    return RematchTable(Pipeline(gaze, Watcher(), counter))


def _react_table(found: Found, table: TableFile) -> GameTable | None:
    if found.open_camera is None:
        return None
    # imported late: most tables play another game, and their first page waits for what is imported
    from companion.react_table import BoardSize, ReactTable
    from vision.board_gaze import BoardGaze

    field = table.field
    if field is None:
        return ReactTable()
    return ReactTable(BoardGaze(field.calibration()), BoardSize(field.columns, field.rows, field.stars))


class Devices:
    """Camera and beams of a real table, feeding a service. What cannot be opened is told on the page, not raised."""

    def __init__(self, found: Found, service: Service, factory: Any = None, find: Find = find_camera) -> None:
        """`factory`: gpiozero's pins; None: those of this machine. `find`: looks for a camera that came later."""
        self._service = service
        self._found = found
        self._factory, self._find = factory, find
        self._panel: Panel | None = None
        self._beams: Beams | None = None
        self._camera: CameraLoop | None = None
        self.station = RematchStation(
            service,
            found.table or TableFile(),
            self._open_beams,
            camera=found.open_camera is not None,
            find_camera=self._look_again,
        )

    def start(self) -> None:
        """The service must have been started."""
        found, service = self._found, self._service
        for number, text in enumerate(dict.fromkeys(self.station.begin())):
            nothing = self._beams is None or not self._beams.lanes
            lost = "No drops are counted" if nothing else "One lane is not counted"
            service.say(f"beams-{number}", f"{lost}: {text}.", "error")
        if found.table is not None and found.table.extras:
            self._panel = Panel(service, found.table.extras, found.table.sensors, self._factory)
            self._panel.start()
        if found.open_camera is not None:
            self._watch(found.open_camera)

    def _watch(self, opener: Open) -> None:
        self._camera = CameraLoop(opener, self._service.offer_frame, self._service.camera_told, same_s=FROZEN_S)
        self._camera.start()

    def _look_again(self) -> bool:
        """A camera that was plugged in after the start."""
        try:
            opener = look(None, self._find).open_camera
        except InputError:
            return False
        if opener is not None:
            self._watch(opener)
        return opener is not None

    def _open_beams(self, sensors: Sensors | None, sink: Callable[[Edge], None]) -> list[str]:
        if self._beams is not None:
            self._beams.close()
            self._beams = None
        if sensors is None:
            return []
        try:
            self._beams = Beams(
                sensors.pins,
                sink,
                active_low=sensors.active_low,
                pull_up=sensors.pull_up,
                factory=self._factory,
                partly=True,
            )
        except BeamError as error:
            return [str(error)]
        return self._beams.failed

    def stop(self) -> None:
        if self._camera is not None:
            self._camera.stop()
        if self._panel is not None:
            self._panel.stop()
        if self._beams is not None:
            self._beams.close()


def words(found: Found, name: str | None = None) -> str:
    """One sentence on what was found, for a match of this game (None: the table file's)."""
    table, name = found.table, found.game(name)
    if name != "rematch":
        return _words_of_pieces(found, name)
    calibrated = table is not None and table.calibration is not None
    if found.open_camera is None and not found.sensors:
        return "No camera and no sensors were found: the score is kept by taps."
    if found.open_camera is None:
        return "No camera was found: drops are counted, but the score is kept by taps."
    if not calibrated:
        return (
            "A camera was found, but no table file with a calibration: set this table up on the page (menu). "
            "Until then the score is kept by taps."
        )
    return (
        "Camera and sensors were found."
        if found.sensors
        else "A camera was found, no sensors: the camera stands alone."
    )


def _words_of_pieces(found: Found, name: str) -> str:
    if found.open_camera is None:
        return "No camera was found: the score is kept by taps."
    if name != "react":
        return "A camera was found, but this game has no pieces that it reads: the score is kept by taps."
    if found.table is None or found.table.field is None:
        return (
            "A camera was found, but no table file that knows the board: lay the four printed tiles round the field, "
            "or make one with companion calibrate --game react."
        )
    return "A camera was found: it reads the pieces with markers."
