"""The set-up of a table from the page: aim, beams, colours, and the table file (docs/decisions/set-up.md).

Implements web.wizard.Wizard. Seeing and reckoning happen in the asking thread; the match is only touched by `Station`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import cv2

from companion import aiming
from companion.beam_trial import BeamTrial
from companion.config import Sensors, TableFile, load_table, save_table
from companion.desk import failure
from companion.errors import InputError
from companion.files import set_aside
from hardware.camera import Frame
from hardware.edges import Edge
from vision.calibrate import calibrate, check_tray, fit_words
from vision.calibration import Quad, VisionError
from vision.eye import Eye
from vision.gaze import Gaze
from vision.picture import Image

USUAL_PINS = {"a": 17, "b": 27, "c": 22}
OLD_NS = 3_000_000_000
BUSY_S = 20.0
"""So long one request waits for another device's to be done."""
FORGOTTEN_S = 15.0
"""A trial of the beams that no page asks for any longer is over: the match must not wait for a tablet that is off."""
QUALITY = 93

Answer = dict[str, Any]


class Station(Protocol):
    """The devices of one table while they run, and the match that they feed."""

    @property
    def table(self) -> TableFile:
        """What is in force."""
        ...

    @property
    def camera(self) -> bool:
        """There is one to look through."""
        ...

    @property
    def simulated(self) -> bool: ...

    def frame(self) -> Frame | None:
        """The newest picture, whatever its age."""
        ...

    def now_aim(self) -> tuple[Quad, Quad | None] | None:
        """Where tray and stage board are believed to lie in the picture of now; None: no aim, or it is lost."""
        ...

    def score_tray(self) -> str | None:
        """The tray as the score has it; None: no match is under way."""
        ...

    def look_again(self) -> bool:
        """Whether there is a camera now; one that was plugged in meanwhile is opened."""
        ...

    def listen(self, sensors: Sensors, sink: Callable[[Edge], None]) -> list[str]:
        """Edges of these beams go there, and nothing is scored. A sentence for each lane that cannot be opened."""
        ...

    def listen_no_more(self) -> None:
        """The beams in force feed the match again."""
        ...

    def take(self, table: TableFile, gaze: Gaze | None) -> None:
        """From now on this table, with these eyes (None: the ones there are); the match goes on where it was."""
        ...


@dataclass(frozen=True)
class Shot:
    """The picture that colours are learnt from."""

    number: int
    image: Image
    corners: Quad
    upright: bytes
    places: list[list[float]]


class TableSetup:
    """`file`: where the table file is kept; None: nowhere, as for a simulated table."""

    def __init__(self, station: Station, file: Path | None, clock_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._station, self._file, self._clock_ns = station, file, clock_ns
        self._busy = threading.Lock()
        self._shot: Shot | None = None
        self._shots = 0
        self._trial: BeamTrial | None = None
        self._trial_lock = threading.Lock()  # edges come in the pins' thread
        self._sensors: Sensors | None = None  # those on trial
        self._failed: list[str] = []
        self._asked_ns = 0
        self._end = threading.Event()
        self._watch: threading.Thread | None = None

    def stop(self) -> None:
        self._end.set()

    # -- web.wizard.Wizard ---------------------------------------------------------------------------

    def told(self) -> Answer:
        station, self._asked_ns = self._station, self._clock_ns()
        table, frame = station.table, self._fresh()
        size = None if frame is None else [frame.image.shape[1], frame.image.shape[0]]
        aim = station.now_aim()
        sensors = self._sensors or table.sensors
        return {
            "camera": "none" if not station.camera else "lost" if frame is None else "ok",
            "size": size,
            "calibrated": table.calibration is not None,
            "corners": None if aim is None else _listed(aim[0]),
            "stage": None if aim is None or aim[1] is None else _listed(aim[1]),
            "has_stage": table.calibration is not None and table.calibration.stage is not None,
            "pins": None if sensors is None else dict(sensors.pins),
            "simulated": station.simulated,
            "match": station.score_tray() is not None,
            "file": None if self._file is None else self._file.name,
            "beams": self._trial_told(),
        }

    def do(self, request: Mapping[str, Any]) -> Answer:
        own: dict[str, Callable[[Mapping[str, Any]], Answer]] = {
            "fit": self._fit,
            "find": self._find,
            "stage": self._stage,
            "read": self._read,
            "save": self._save,
            "beams": self._beams,
            "camera": self._look_again,
        }
        do = own.get(str(request.get("do")))
        if do is None:
            return failure("unknown_command", "The set-up has no such step.")
        if not self._busy.acquire(timeout=BUSY_S):
            return failure("not_now", "Another device is just setting the table up. Try again.")
        try:
            return do(request)
        except VisionError as error:
            return failure("not_possible", _sentence(str(error)))
        finally:
            self._busy.release()

    def tray_picture(self) -> bytes | None:
        shot = self._shot
        return None if shot is None else shot.upright

    # -- the aim -------------------------------------------------------------------------------------

    def _fresh(self) -> Frame | None:
        frame = self._station.frame()
        return None if frame is None or self._clock_ns() - frame.t_ns > OLD_NS else frame

    def _image(self) -> Image:
        frame = self._fresh()
        if frame is None:
            raise VisionError("the camera gives no picture just now; look at its cable")
        return frame.image

    def _fit(self, request: Mapping[str, Any]) -> Answer:
        image = self._image()
        corners = aiming.points(request.get("corners"), _size(image))
        if corners is None:
            return failure("bad_value", "'corners' are four points x, y: the marbles in a1, c1, c5, a5.")
        return self._aimed(image, corners, slip=request.get("slip") is True)

    def _aimed(self, image: Image, corners: Quad, slip: bool) -> Answer:
        found = aiming.fit(image, corners, slip)
        return {"ok": True, "fit": found.to_json(), "stage": self._guessed_stage(found.corners)}

    def _guessed_stage(self, corners: Quad) -> list[list[float]] | None:
        """Where the stage board went, as far as it lies where it lay beside the tray."""
        calibration = self._station.table.calibration
        if calibration is None or calibration.stage is None:
            return None
        return _listed(aiming.moved(calibration.stage, calibration.corners, corners))

    def _find(self, request: Mapping[str, Any]) -> Answer:
        how, image = request.get("how"), self._image()
        if how == "markers":
            return self._aimed(image, aiming.by_markers(image), slip=False)
        if how != "auto":
            return failure("bad_value", "'how' is auto or markers.")
        tray = self._station.score_tray()
        known = tray if tray is not None and not set(tray) & set("?.") else None
        return self._aimed(image, aiming.look_for(image, known), slip=False)

    def _stage(self, request: Mapping[str, Any]) -> Answer:
        image = self._image()
        stage = aiming.points(request.get("stage"), _size(image))
        if stage is None:
            return failure("bad_value", "'stage' are four points x, y: the corners of the stage board.")
        aiming.check_stage(stage, _size(image))
        return {"ok": True}

    # -- the colours ---------------------------------------------------------------------------------

    def _read(self, request: Mapping[str, Any]) -> Answer:
        """Take the picture to learn from, and say what each cell shows to an eye that knows nothing yet."""
        image = self._image()
        corners = aiming.points(request.get("corners"), _size(image))
        if corners is None:
            return failure("bad_value", "'corners' are four points x, y: the marbles in a1, c1, c5, a5.")
        corners = aiming.fit(image, corners, slip=True).corners
        picture, places = aiming.upright(image, corners)
        self._shots += 1
        self._shot = Shot(self._shots, image, corners, picture, places)
        found = {"cells": aiming.cells(image, corners), "places": places, "score": self._station.score_tray()}
        return {"ok": True, "shot": self._shots, "corners": _listed(corners), **found}

    def _save(self, request: Mapping[str, Any]) -> Answer:
        shot, tray = self._shot, request.get("tray")
        if shot is None or request.get("shot") != shot.number:
            return failure("not_now", "Another picture was taken meanwhile. Look at the colours once more.")
        if not isinstance(tray, str) or len(tray) > 100:
            return failure("bad_value", "'tray' is a tray text such as RYBRY/YBRBY/BRYBR.")
        check_tray(tray, aiming.PROFILE)
        stage = None
        if request.get("stage") is not None:
            stage = aiming.points(request["stage"], _size(shot.image))
            if stage is None:
                return failure("bad_value", "'stage' are four points x, y: the corners of the stage board.")
        picture = cv2.imencode(".jpg", shot.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        try:
            calibration = calibrate(picture, shot.corners, tray, stage, aiming.PROFILE)
            told = fit_words(calibration, aiming.PROFILE)
            gaze = Gaze(Eye(calibration, aiming.PROFILE))
        except VisionError as error:
            raise VisionError(aiming.by_cells(str(error))) from error
        table = replace(self._station.table, calibration=calibration)
        self._station.take(table, gaze)
        unsaved = self._write(table)
        fit = {"px": round(told.px, 2), "word": told.word}
        text = told.text.removeprefix("calibrated: ")
        return {"ok": True, "text": _sentence(text), "fit": fit, "differs": list(told.differs), "unsaved": unsaved}

    def _write(self, table: TableFile) -> str:
        """Keep the table; why that was not possible, or ""."""
        if self._file is None:
            return ""
        try:
            if self._file.exists() and self._file.stat().st_size:
                try:
                    load_table(self._file)
                except InputError:
                    set_aside(self._file)  # nobody could read it; nothing of it is lost
            save_table(self._file, table)
        except (InputError, OSError) as error:
            return f"This table is used from now on, but could not be saved ({error}): set it up again after a restart."
        return ""

    # -- the beams -----------------------------------------------------------------------------------

    def _beams(self, request: Mapping[str, Any]) -> Answer:
        step = request.get("step")
        if step == "begin":
            return self._begin_trial(self._sensors or self._station.table.sensors or Sensors(USUAL_PINS))
        if step == "end":
            self._end_trial()
            return {"ok": True}
        trial = self._trial
        if trial is None or self._sensors is None:
            return failure("not_now", "The beams are not being tried.")
        if step == "pass":
            with self._trial_lock:
                trial.pass_over()
            return {"ok": True}
        if step in ("swap", "keep"):
            return self._keep(trial, self._sensors, swap=step == "swap")
        return failure("bad_value", "'step' is begin, pass, swap, keep or end.")

    def _begin_trial(self, sensors: Sensors) -> Answer:
        trial = BeamTrial(sorted(sensors.pins), self._clock_ns(), sensors.geometry)
        self._trial, self._sensors, self._asked_ns = trial, sensors, self._clock_ns()

        def edge(one: Edge) -> None:
            with self._trial_lock:
                trial.feed(one)

        self._failed = [_sentence(text) for text in dict.fromkeys(self._station.listen(sensors, edge))]
        if len(self._failed) >= len(sensors.pins) or any("pin library" in text for text in self._failed):
            text = self._failed[0]
            self._end_trial()
            return failure("not_possible", text)
        if self._watch is None:
            self._watch = threading.Thread(target=self._watch_trials, name="set-up", daemon=True)
            self._watch.start()
        return {"ok": True}

    def _keep(self, trial: BeamTrial, sensors: Sensors, swap: bool) -> Answer:
        """These beams count from now on; `swap`: each under the name of the lane whose marble it saw."""
        pins = dict(sensors.pins)
        if swap:
            pins = {lane: sensors.pins[trial.order.get(lane, lane)] for lane in pins}
            if len(set(pins.values())) != len(pins):
                return failure("not_now", "Not every lane had its marble yet.")
        table = replace(self._station.table, sensors=replace(sensors, pins=pins))
        self._trial = self._sensors = None
        self._station.take(table, None)
        self._station.listen_no_more()
        return {"ok": True, "unsaved": self._write(table)}

    def _end_trial(self) -> None:
        if self._trial is not None:
            self._trial = self._sensors = None
            self._station.listen_no_more()

    def end_what_is_forgotten(self) -> None:
        """A trial that no page has asked about for a while ends by itself."""
        if self._trial is not None and self._clock_ns() - self._asked_ns > FORGOTTEN_S * 1e9:
            with self._busy:
                self._end_trial()

    def _watch_trials(self) -> None:
        while not self._end.wait(2.0):
            self.end_what_is_forgotten()

    def _trial_told(self) -> Answer | None:
        trial = self._trial
        if trial is None:
            return None
        with self._trial_lock:
            trial.tick(self._clock_ns())
            return {**trial.to_json(), "failed": self._failed}

    def _look_again(self, request: Mapping[str, Any]) -> Answer:
        if self._station.look_again():
            return {"ok": True}
        return failure("not_possible", "No camera was found. Plug it in, wait a moment and look again.")


def _size(image: Image) -> tuple[int, int]:
    return image.shape[1], image.shape[0]


def _listed(quad: Quad) -> list[list[float]]:
    return [[round(x, 2), round(y, 2)] for x, y in quad]


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"
