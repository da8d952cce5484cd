"""What is attached: words for it, and the real table joined from it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from companion.attached import Devices, Found, game_table, look, words
from companion.config import CameraSettings, Sensors, TableFile, load_table, save_table
from companion.errors import InputError
from companion.games import game
from companion.log import MemoryLog
from companion.service import Service
from companion.session import Session
from companion.table_setup import USUAL_PINS, TableSetup
from hardware.camera import Camera, CameraError, Frame
from tests.toy.noughts import NOUGHTS
from vision.calibration import Calibration
from vision.profile import Grid


def _no_camera(*asked: object) -> None:
    return None


def _open() -> Camera:
    raise CameraError("camera 0: is not there")


def _calibration(picture: bytes) -> Calibration:
    corners = ((10.0, 90.0), (90.0, 90.0), (90.0, 10.0), (10.0, 10.0))
    return Calibration((100, 100), Grid(), corners, "RYBRY/YBRBY/BRYBR", None, picture)


def test_nothing_is_nothing() -> None:
    found = look(None, _no_camera)
    assert (found.anything, found.sensors, game_table(found)) == (False, False, None)
    assert "kept by taps" in words(found)


def test_the_camera_is_looked_for_as_the_table_file_says(tmp_path: Path) -> None:
    asked: list[tuple[object, ...]] = []

    def find(*what: object) -> Callable[[], Camera]:
        asked.append(what)
        return _open

    file = tmp_path / "t.toml"
    save_table(file, TableFile(camera=CameraSettings("v4l2", "/dev/video7", fps=20.0)))
    found = look(file, find)
    assert asked == [("v4l2", "/dev/video7", None, 20.0)]
    assert (found.anything, game_table(found)) == (True, None)
    assert "calibration" in words(found)


def test_a_camera_that_cannot_be_named_is_bad_input(tmp_path: Path) -> None:
    def find(*what: object) -> None:
        raise CameraError("camera x: picamera2 numbers its cameras, use 0 for the first")

    file = tmp_path / "t.toml"
    save_table(file, TableFile(camera=CameraSettings("picamera2", "x")))
    with pytest.raises(InputError, match=r"t\.toml: camera x"):
        look(file, find)


def test_the_table_of_another_game_is_bad_input(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    save_table(file, TableFile(game="noughts"))
    with pytest.raises(InputError, match="'noughts'"):
        look(file, _no_camera)


def test_a_calibration_that_cannot_be_used_is_bad_input() -> None:
    found = Found(_open, TableFile(_calibration(b"no picture")), Path("t.toml"))
    with pytest.raises(InputError, match=r"t\.toml: calibration"):
        game_table(found)


def test_beams_without_a_camera_are_shown_but_score_nothing() -> None:
    found = Found(None, TableFile(sensors=Sensors({"a": 17})), Path("t.toml"))
    table = game_table(found)
    assert table is not None
    assert "drops are counted" in words(found)
    assert table.view()["sensors"] == {"state": "none", "lanes": {}}


def test_devices_that_cannot_be_opened_are_told_on_the_page() -> None:
    """One pin for two lanes, if there are pins at all; and the camera has just been unplugged."""
    found = Found(_open, TableFile(sensors=Sensors({"a": 17, "b": 17})), Path("t.toml"))
    service = Service(Session(NOUGHTS, MemoryLog()))
    service.start()
    devices = Devices(found, service)
    devices.start()
    snapshot = service.snapshot()
    while len(snapshot.view["notices"]) < 2:
        before, snapshot = snapshot, service.wait(snapshot.serial, 10)
        assert snapshot is not before
    texts = [notice["text"] for notice in snapshot.view["notices"]]
    assert any(text.startswith("camera 0: is not there") for text in texts)
    assert any("No drops are counted" in notice["text"] for notice in snapshot.view["notices"])
    devices.stop()
    service.stop()


class _OnePicture:
    """A camera that gives one picture and then none until it is closed."""

    name = "fake"

    def __init__(self) -> None:
        self._given, self._closed = False, threading.Event()

    def read(self) -> Frame | None:
        if self._given:
            self._closed.wait(10)
            return None
        self._given = True
        return Frame(np.full((48, 64, 3), 90, np.uint8), time.monotonic_ns())

    def close(self) -> None:
        self._closed.set()


def test_camera_and_beams_that_come_while_it_runs_are_opened_and_kept_without_a_restart(tmp_path: Path) -> None:
    camera = _OnePicture()
    there: list[Callable[[], Camera]] = []
    service = Service(Session(game("rematch"), MemoryLog()))
    service.start()
    devices = Devices(look(None, _no_camera), service, MockFactory(), lambda *asked: there[0] if there else None)
    devices.start()
    setup = TableSetup(devices.station, tmp_path / "table.toml")
    assert (setup.told()["camera"], setup.told()["pins"]) == ("none", None)
    assert setup.do({"do": "camera"})["error"]["code"] == "not_possible"
    there.append(lambda: camera)
    assert setup.do({"do": "camera"}) == {"ok": True}
    snapshot = service.snapshot()
    while snapshot.view["camera"]["state"] != "ok":
        before, snapshot = snapshot, service.wait(snapshot.serial, 10)
        assert snapshot is not before
    assert setup.told()["size"] == [64, 48]
    assert setup.do({"do": "beams", "step": "begin"}) == {"ok": True}
    assert sorted(setup.told()["beams"]["lanes"]) == ["a", "b", "c"]
    assert setup.do({"do": "beams", "step": "keep"}) == {"ok": True, "unsaved": ""}
    kept = load_table(tmp_path / "table.toml").sensors
    assert kept is not None
    assert kept.pins == USUAL_PINS
    assert service.snapshot().view["table"] == {"camera": True, "aimed": False, "beams": True}
    # from now on they count for the match
    service.say("probe", "")
    assert service.snapshot().view["sensors"]["lanes"].keys() == {"a", "b", "c"}
    setup.stop()
    camera.close()
    devices.stop()
    service.stop()
