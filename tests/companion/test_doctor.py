"""`companion doctor`: on this machine as it is, and each check on a machine of the test's own."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from companion.attached import look
from companion.cli import main
from companion.config import CameraSettings, Sensors, TableFile, save_table
from companion.doctor import checkup, devices, system
from companion.doctor.finding import Finding
from companion.filelock import FileLock
from hardware.camera import Camera, CameraError, Frame
from hardware.counting import Geometry
from hardware.overlays import overlays_on
from tests.hardware.test_beams import HeldLow

PI = "Raspberry Pi 5 Model B Rev 1.0"


def all_there(names: tuple[str, ...]) -> Mapping[str, tuple[str | None, str | None]]:
    return dict.fromkeys(names, ("1.0", None))


def doctor(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["doctor", "--json", "--seconds", "0", *arguments]) == 0
    said, errors = capsys.readouterr()
    assert errors == ""
    found: dict[str, Any] = json.loads(said)
    return found


def test_a_machine_without_camera_and_pins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No traceback, every line true, and what is missing is said to be fine."""
    monkeypatch.setattr(system, "pi_model", lambda: None)
    monkeypatch.setattr(checkup, "look", partial(look, find=lambda *asked: None))
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    monkeypatch.setattr("gpiozero.Device.pin_factory", None)
    found = doctor(capsys, "--data", str(tmp_path / "data"))
    states = {one["check"]: one["state"] for one in found["findings"]}
    wanted = {
        "machine",
        "python",
        "package",
        "disk",
        "kept",
        "clock",
        "power",
        "pins",
        "table",
        "beams",
        "camera",
        "address",
    }
    assert set(states) == wanted
    assert found["ok"]
    absent = {one["check"] for one in found["findings"] if one["state"] == "absent"}
    assert {"machine", "power", "pins", "table", "beams", "camera"} <= absent
    versions = {
        one["detail"]["name"]: one["detail"]["version"] for one in found["findings"] if one["check"] == "package"
    }
    assert versions["numpy"] == np.__version__
    assert not (tmp_path / "data").exists(), "it only looks"
    monkeypatch.setattr(system, "packages", lambda model: [])
    assert main(["doctor", "--seconds", "0", "--data", str(tmp_path)]) == 0
    assert "Nothing is wrong." in capsys.readouterr().out


def test_bad_input_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--seconds", "nan"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_table_file_that_is_wrong_and_one_that_is_in_use(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text('version = 1\ngame = "rematch"\n[sensors.pins]\na = 99\n')
    (finding,) = checkup._table(tmp_path, None, 0, None)
    assert (finding.check, finding.state) == ("table", "bad")
    assert "sensors.pins.a is 99, not between 0 and 27" in finding.text
    lock = FileLock(tmp_path / "lock", "x")
    assert checkup._runs(tmp_path)
    lock.release()
    assert not checkup._runs(tmp_path)


def test_a_check_that_fails_itself_ends_no_other() -> None:
    def fails() -> list[Finding]:
        raise RuntimeError("nobody thought of this")

    (finding,) = checkup._tried("clock", fails)
    assert (finding.check, finding.state) == ("clock", "bad")


# -- packages, disk, clock, power --


@pytest.mark.parametrize(
    ("name", "why", "fix"),
    [
        ("lgpio", None, "sudo apt install python3-lgpio"),
        ("lgpio", "is an empty package", "pip uninstall lgpio"),
        ("picamera2", "ValueError('numpy.dtype size changed')", "leaves apt's NumPy in place"),
        ("cv2", None, "Make the environment anew"),
    ],
)
def test_a_missing_package_on_a_pi(name: str, why: str | None, fix: str) -> None:
    findings = system.packages(PI, lambda names: {**all_there(names), name: (None, why)})
    (wrong,) = [one for one in findings if one.state != "ok"]
    assert (wrong.state, wrong.detail["name"]) == ("bad", name)
    assert fix in wrong.fix


def test_an_import_that_kills_python_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deadly.py").write_text("import os\nos._exit(7)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = system.versions(("json", "nowhere_to_be_found", "deadly", "csv"))
    assert found["json"][1] is None
    assert found["nowhere_to_be_found"] == (None, None)
    assert found["deadly"] == (None, "its import ended Python (7)")
    assert found["csv"][0] is None


def test_disks(tmp_path: Path) -> None:
    assert system.disk(tmp_path).state == "ok"
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("")
    wrong = system.disk(tmp_path / "file")
    assert (wrong.state, "cannot be written" in wrong.text) == ("bad", True)


def test_a_wrong_clock_is_no_fault(tmp_path: Path) -> None:
    assert system.clock(lambda: 86_400.0).state == "warn"
    assert system.clock(time.time, tmp_path).text.endswith("(set by the network).")


@pytest.mark.parametrize(
    ("flags", "state"), [(0, "ok"), (0x50005, "bad"), (0x50000, "warn"), (0x4, "warn"), (None, "warn")]
)
def test_the_under_voltage_flag(flags: int | None, state: str) -> None:
    assert system.power(PI, lambda: flags).state == state
    assert system.power(None, lambda: None).state == "absent"


# -- pins and beams --


def test_overlays_that_own_pins() -> None:
    config = "dtparam=spi=on\n# dtparam=i2c_arm=on\n[all]\ndtoverlay=w1-gpio , gpiopin=17\ndtoverlay=vc4-kms-v3d\n"
    owners = overlays_on(config)
    assert owners[17] == ("1-Wire", "dtoverlay=w1-gpio,gpiopin=17")
    assert set(owners) == {17, 7, 8, 9, 10, 11}
    assert overlays_on("dtoverlay=w1-gpio")[4][0] == "1-Wire"


def test_a_lane_whose_pin_belongs_to_an_overlay(tmp_path: Path) -> None:
    file = tmp_path / "config.txt"
    file.write_text("dtoverlay=w1-gpio\n")
    (finding,) = devices.overlays(Sensors({"a": 17, "b": 4}), {"buzzer": 5}, (file,))
    assert finding.text == "Lane b: pin 4 belongs to 1-Wire."
    assert "another pin for lane b" in finding.fix
    (finding,) = devices.overlays(None, {"light_a": 4}, (file,))
    assert finding.text == "Light a: pin 4 belongs to 1-Wire."


def test_buttons_lights_and_buzzer() -> None:
    factory = MockFactory()
    assert devices.extra_pins({}, PI, factory) == []
    (fine,) = devices.extra_pins({"button_a": 5, "buzzer": 12, "inlet": 16}, PI, factory)
    assert (fine.state, fine.text) == ("ok", "Can be used: button a (pin 5), buzzer (pin 12).")
    (wrong,) = devices.extra_pins({"button_a": 5, "light_a": 5}, PI, factory)
    assert (wrong.state, wrong.text[:21]) == ("bad", "light a: pin 5 is use")
    factory.reset()


def test_a_button_that_is_held_down() -> None:
    factory = MockFactory(pin_class=HeldLow)
    (held,) = devices.extra_pins({"button_b": 27}, PI, factory)
    assert (held.state, held.text) == ("warn", "The button of B is pressed.")
    factory.reset()


def test_beams_are_counted_live() -> None:
    factory = MockFactory()
    now_ms = 0

    def drop(seconds: float) -> None:
        nonlocal now_ms
        for _ in range(2):
            factory.pin(17).drive_low()
            now_ms += 6
            factory.pin(17).drive_high()
            now_ms += 12
        factory.pin(27).drive_low()

    a, b = devices.beams(Sensors({"a": 17, "b": 27}), PI, 3, factory, drop, lambda: now_ms * 1_000_000)
    assert (a.state, a.detail["drops"], a.detail["blocked"]) == ("ok", 2, False)
    assert a.text == "Lane a (pin 17): clear; 2 counted in 3 s."
    assert (b.state, b.detail["blocked"]) == ("warn", True)
    assert "shield it from the sun" in b.fix
    (queue,) = devices.beams(Sensors({"a": 17}, geometry=Geometry(rest="blocked")), PI, 1, factory, lambda s: None)
    assert (queue.state, "queue stands there" in queue.text) == ("warn", True)
    (twice,) = devices.beams(Sensors({"a": 17, "b": 17}), PI, 1, factory, lambda s: None)
    assert (twice.state, "pin 17 is used twice" in twice.text) == ("bad", True)
    factory.reset()


# -- camera --


class Fake:
    name = "fake camera"

    def __init__(self, level: int = 90, metadata: dict[str, Any] | None = None, fails: str = "") -> None:
        self._level, self._metadata, self._fails = level, metadata, fails
        self._t_ns = 0

    def read(self) -> Frame:
        if self._fails:
            raise CameraError(self._fails)
        self._t_ns += 50_000_000
        return Frame(np.full((30, 40, 3), self._level, np.uint8), self._t_ns, self._metadata)

    def close(self) -> None:
        self._fails = "closed"


LOCKED = {"ExposureTime": 8000, "AnalogueGain": 2.0, "locked": True}


@pytest.mark.parametrize(
    ("camera", "settings", "state", "says"),
    [
        (Fake(), None, "ok", "fake camera: 40×30, 20 pictures a second."),
        (Fake(metadata=LOCKED), None, "ok", "exposure and gains are locked, and in force"),
        (Fake(metadata={**LOCKED, "locked": False}), None, "warn", "exposure is not the one that was set"),
        (Fake(level=3), None, "warn", "all black"),
        (Fake(), CameraSettings(size=(640, 480)), "bad", "not 640×480 as the table file asks"),
        (Fake(fails="camera http://10.0.0.7/: answers"), None, "bad", "Camera http://10.0.0.7/: answers."),
        (Fake(fails="camera /dev/video0: gives no more pictures"), None, "bad", "Camera /dev/video0: gives no more"),
    ],
)
def test_a_camera(camera: Fake, settings: CameraSettings | None, state: str, says: str) -> None:
    finding = devices.camera(lambda: camera, settings, PI)
    assert (finding.state, says in finding.text) == (state, True), finding
    assert camera._fails != "", "it is let go of again"
    assert bool(finding.fix) == (state != "ok")


def test_a_camera_that_is_not_there() -> None:
    def missing() -> Camera:
        raise CameraError("camera /dev/video9: is not there, is it plugged in?")

    assert devices.camera(missing, None, PI).state == "bad"
    assert devices.camera(None, None, PI).state == "warn"
    assert devices.camera(None, None, None).state == "absent"


def test_what_is_in_the_table_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "look", partial(look, find=lambda *asked: None))
    save_table(tmp_path / "table.toml", TableFile(sensors=Sensors({"a": 17})))
    findings = list(checkup._table(tmp_path, None, 0, None))
    assert [one.check for one in findings] == ["table", "beams", "camera"]
    assert "no calibration, beams in lanes a" in findings[0].text
