"""`companion bench`: its keys, its clock, its enlarged table, and bad input."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.benchmark import UsualWay, bench, enlarge, enlarged
from companion.cli import main
from companion.config import TableFile, save_table
from companion.stills import PROFILE
from hardware.camera import Frame
from hardware.cameras import ClipCamera
from tests.companion.test_replay import CLIPS, calibration_of, truth_of
from vision.calibration import Calibration
from vision.eye import Eye
from vision.picture import decode

KEYS = {"frames", "ms_p50", "ms_p95", "usual_ms_p50", "ratio"}


class Short:
    """The first pictures of a clip."""

    def __init__(self, name: str, frames: int) -> None:
        self._clip, self._left = ClipCamera(CLIPS / name / "clip.mp4"), frames
        self.name = self._clip.name

    def read(self) -> Frame | None:
        self._left -= 1
        return self._clip.read() if self._left >= 0 else None

    def close(self) -> None:
        self._clip.close()


def make_eye(calibration: Calibration) -> Eye:
    return Eye(calibration, PROFILE)


def test_each_frame_is_timed_by_the_clock_and_nothing_else_is() -> None:
    ticks = count(0, 3_000_000)  # each asking of the clock takes 3 ms
    figures = bench(lambda: Short("c04", 5), make_eye, calibration_of("c04"), clock=lambda: next(ticks))
    assert figures.to_json() == {"frames": 5, "ms_p50": 3.0, "ms_p95": 3.0, "usual_ms_p50": 3.0, "ratio": 1.0}


def test_of_each_frame_the_least_of_the_runs_counts() -> None:
    # 4 frames, twice; something else took its share of some
    ours, usual = (9, 2, 3, 4), (40, 40, 90, 40)
    took = (*ours, *usual, *(1, 8, 3, 7), *(70, 40, 40, 40))
    now, ends = 0, []
    for ms in took:
        ends += [now, now := now + ms * 1_000_000]
    ticks = iter(ends)
    figures = bench(lambda: Short("c04", 4), make_eye, calibration_of("c04"), runs=2, clock=lambda: next(ticks))
    # 1, 2, 3 and 4 ms are left
    assert (figures.frames, figures.ms_p50, figures.usual_ms_p50, figures.ratio) == (4, 2.5, 40.0, 16.0)
    assert next(ticks, None) is None


def test_an_enlarged_table_reads_enlarged_pictures() -> None:
    small = calibration_of("c15")
    large = enlarged(small, 2)
    assert large.size == (1280, 960)
    assert large.corners[0] == (small.corners[0][0] * 2 + 0.5, small.corners[0][1] * 2 + 0.5)
    reading = make_eye(large).read(enlarge(decode(small.picture), 2))
    assert (reading.tray, reading.aim.ok) == (small.tray, True)
    assert enlarged(small, 1) is small


def test_the_usual_way_is_a_fair_one() -> None:
    """It finds marbles where they lie: else beating it would say nothing."""
    right = cells = 0
    for name in ("c04", "c15", "c22"):
        large = enlarged(calibration_of(name), 2)
        eye = make_eye(large)
        found = UsualWay(eye.geometry, eye.cells).read(decode(large.picture))
        letters = truth_of(name)["calibration"]["tray"].replace("/", "")
        right += sum(found[cell] == letter for cell, letter in zip(eye.cells, letters, strict=True))
        cells += len(letters)
    assert right / cells > 0.5


@pytest.fixture(scope="module")
def table_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("table") / "c15.toml"
    save_table(path, TableFile(calibration=calibration_of("c15")))
    return str(path)


def test_on_the_command_line(table_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    threads = cv2.getNumThreads()
    picture = decode(calibration_of("c15").picture)
    for i in range(4):
        cv2.imwrite(str(tmp_path / f"{i}.png"), picture)
    assert main(["bench", str(tmp_path), "--table", table_file, "--scale", "2", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures.keys() == KEYS
    assert figures["frames"] == 4
    assert 0 < figures["ms_p50"] <= figures["ms_p95"]
    assert figures["ratio"] == pytest.approx(figures["usual_ms_p50"] / figures["ms_p50"], abs=0.06)
    assert cv2.getNumThreads() == threads
    assert main(["bench", str(tmp_path), "--table", table_file]) == 0
    assert capsys.readouterr().out.startswith("4 frames: ")


def test_bad_input(table_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = str(CLIPS / "c15" / "clip.mp4")
    small = tmp_path / "small"
    small.mkdir()
    cv2.imwrite(str(small / "1.png"), np.zeros((48, 64, 3), np.uint8))
    plain = tmp_path / "plain.toml"
    save_table(plain, TableFile())
    (tmp_path / "empty").mkdir()
    for args, named in (
        ([str(tmp_path / "none.mp4"), "--table", table_file], "none.mp4"),
        ([str(tmp_path / "empty"), "--table", table_file], "empty"),
        ([str(small), "--table", table_file], "64x48"),
        (["a\0b", "--table", table_file], "clip"),
        ([clip, "--table", str(tmp_path / "none.toml")], "none.toml"),
        ([clip, "--table", str(plain)], "no [calibration]"),
        ([clip, "--table", table_file, "--scale", "0"], "--scale: 0"),
        ([clip, "--table", table_file, "--scale", "9"], "--scale: 9"),
        ([clip, "--table", table_file, "--scale", "x"], "'x'"),
        ([clip], "--table"),
    ):
        assert main(["bench", *args]) == 2, args
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1), args
        assert named in err
