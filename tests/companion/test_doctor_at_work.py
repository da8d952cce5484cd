"""The doctor of the running companion: camera, beams and aim as the view has them, the rest as the command tells it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from companion.doctor import at_work
from companion.doctor.finding import Finding
from companion.filelock import FileLock
from companion.view import EMPTY


def told(**changes: Any) -> dict[str, tuple[str, str]]:
    view = {**copy.deepcopy(EMPTY), **changes}
    return {one.check: (one.state, one.text) for one in at_work.at_work(view)}


def a_camera(state: str, reopened: int = 0) -> dict[str, Any]:
    return {"state": state, "age_s": 0, "name": "imx708", "reopened": reopened}


def a_lane(**changes: Any) -> dict[str, Any]:
    return {"drops": 2, "certain": True, "blocked": False, "fault": None, "doubt": None, **changes}


def test_a_table_of_taps_lacks_nothing() -> None:
    assert {state for state, _ in told().values()} == {"absent"}
    assert set(told()) == {"camera", "beams"}


@pytest.mark.parametrize(
    ("camera", "state"), [(a_camera("ok"), "ok"), (a_camera("ok", 2), "warn"), (a_camera("lost"), "bad")]
)
def test_the_camera_as_it_is_now(camera: dict[str, Any], state: str) -> None:
    found = told(camera=camera)
    assert found["camera"][0] == state
    assert "imx708" in found["camera"][1]
    assert found["aim"][0] == "ok"
    assert told(camera=camera, aim={"ok": False, "shift_px": None})["aim"][0] == "bad"


@pytest.mark.parametrize(
    ("lane", "state"),
    [(a_lane(), "ok"), (a_lane(blocked=True), "warn"), (a_lane(blocked=True, fault="it counts without end"), "bad")],
)
def test_each_beam_as_it_is_now(lane: dict[str, Any], state: str) -> None:
    assert told(sensors={"state": "ok", "lanes": {"a": lane}})["beams"][0] == state


def test_what_the_page_warns_of_is_wrong_here_too() -> None:
    notices = [{"level": "error", "text": "The log is full."}, {"level": "info", "text": "Fine."}]
    found = [one for one in at_work.at_work({**EMPTY, "notices": notices}) if one.check == "notice"]
    assert [(one.state, one.text) for one in found] == [("bad", "The log is full.")]


def test_it_takes_the_place_of_the_line_that_camera_and_pins_are_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = Finding("address", "ok", "The page, once the companion runs: http://192.168.1.7/")
    lines = [Finding("disk", "ok", "d"), Finding("running", "warn", "r"), address]
    asked: list[Any] = []
    monkeypatch.setattr(at_work, "checkup", lambda *with_: asked.append(with_) or iter(lines))
    doctor = at_work.DoctorAtWork(tmp_path, None, lambda: 8123, lambda: EMPTY)
    found = doctor.check()
    assert found is not None
    assert [one["check"] for one in found] == ["disk", "camera", "beams", "address"]
    assert asked == [(tmp_path, None, 0.0, 8123)]
    assert found[-1]["text"] == "The page: http://192.168.1.7/"


def test_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meanwhile: list[Any] = []
    doctor = at_work.DoctorAtWork(tmp_path, None, lambda: 8000, lambda: EMPTY)

    def slow(*_: Any) -> Any:
        meanwhile.append(doctor.check())
        return iter([])

    monkeypatch.setattr(at_work, "checkup", slow)
    assert doctor.check() == []
    assert meanwhile == [None]
    meanwhile.clear()
    assert doctor.check() == []


def test_the_running_companions_own_lock_is_seen_from_within(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / "lock", "data folder")
    found = at_work.DoctorAtWork(tmp_path, None, lambda: 8000, lambda: EMPTY).check()
    lock.release()
    assert found is not None
    assert "running" not in {one["check"] for one in found}
    assert {"camera", "beams", "disk", "address"} <= {one["check"] for one in found}
