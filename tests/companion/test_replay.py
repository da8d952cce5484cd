"""Recorded clips through the whole pipeline, and bad input to `replay` and `explain`."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.clips import open_clip
from companion.config import TableFile, save_table
from companion.replaying import replay
from companion.scoring import score, score_clip, table
from companion.stills import PROFILE
from hardware.camera import CameraError, Frame
from hardware.cameras import ClipCamera, FolderCamera
from hardware.counting import DropCounter
from hardware.edge_file import read_edges
from tests.vision.stills import image, undone
from vision.calibrate import calibrate
from vision.calibration import Calibration
from vision.eye import Eye
from vision.gaze import Gaze
from vision.reaim import Finder

CLIPS = Path(__file__).parent.parent / "data" / "clips"
STEP = 100_000_000


def truth_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((CLIPS / name / "truth.json").read_text())
    return found


@cache
def calibration_of(name: str) -> Calibration:
    made = truth_of(name)["calibration"]
    corners, board = (tuple(tuple(point) for point in made[key]) for key in ("corner_centres", "board_corners"))
    return calibrate((CLIPS / name / "first.jpg").read_bytes(), corners, made["tray"], board, PROFILE)


@cache
def eye_of(name: str) -> Eye:
    return Eye(calibration_of(name), PROFILE)


@pytest.fixture(scope="module")
def frames() -> dict[str, list[np.ndarray]]:
    found = {}
    for name in ("c04", "c15", "c22"):
        capture = cv2.VideoCapture(str(CLIPS / name / "clip.mp4"))
        found[name] = []
        while (got := capture.read())[0]:
            found[name].append(got[1])
        capture.release()
    return found


class Film:
    """A camera that shows these pictures, 10 a second."""

    name = "film"

    def __init__(self, pictures: list[np.ndarray]) -> None:
        self.frames = [Frame(picture, i * STEP) for i, picture in enumerate(pictures)]

    def read(self) -> Frame | None:
        return self.frames.pop(0) if self.frames else None

    def close(self) -> None: ...


def told(name: str, pictures: list[np.ndarray], drops: bool = True) -> list[dict[str, Any]]:
    truth = truth_of(name)
    edges = read_edges(CLIPS / name / "drops.csv") if drops else []
    gaze = Gaze(eye_of(name))
    counter = DropCounter() if drops else None
    return list(replay(Film(pictures), gaze, counter, edges, truth["player"], truth["broken"]))


@pytest.mark.parametrize("drops", [True, False])
@pytest.mark.parametrize("name", ["c04", "c15"])
def test_clips_with_and_without_beams(name: str, drops: bool) -> None:
    got = score_clip(CLIPS / name, drops)
    assert (got.right, got.wrong, got.missed, got.invented) == (got.clears, 0, 0, 0), got.notes
    assert all(frames <= 4 for frames in got.late)
    assert got.events["aim_lost"] == ((1, 1, 0) if name == "c15" else (0, 0, 0))
    assert got.events["light"] == (0, 0, 0)


def test_short_circuits_need_the_beams_and_are_asked_about_without_them() -> None:
    got = score_clip(CLIPS / "c22")
    assert (got.right, got.invented, got.invented_questions) == (1, 0, 0), got.notes
    alone = score_clip(CLIPS / "c22", with_drops=False)
    assert (alone.wrong, alone.missed) == (0, 0), alone.notes


def test_the_hand_comes_and_goes_once(frames: dict[str, list[np.ndarray]]) -> None:
    events = told("c04", frames["c04"])
    assert [(event["event"], event.get("state")) for event in events] == [("hand", "in"), ("hand", "out")]
    seen = truth_of("c04")["frames"]
    covered = [frame["t"] for frame in seen if frame["hand_covers"]]
    assert abs(events[0]["t"] - covered[0]) <= 0.31
    assert 0 <= events[1]["t"] - covered[-1] <= 0.31


def test_a_lamp_that_is_switched_is_light_and_nothing_else(frames: dict[str, list[np.ndarray]]) -> None:
    still = frames["c04"][0]
    dark = (still.astype(np.float32) * (0.75, 0.5, 0.35)).astype(np.uint8)
    events = told("c04", [still] * 12 + [dark] * 12)
    assert [event["event"] for event in events] == ["light"]
    assert abs(events[0]["t"] - 1.2) < 0.25


def test_exposure_steps_and_flicker_are_nothing(frames: dict[str, list[np.ndarray]]) -> None:
    still = frames["c04"][0].astype(np.float32)
    pictures = [(still * (1 + 0.06 * (-1) ** i)).clip(0, 255).astype(np.uint8) for i in range(24)]
    rows = np.arange(still.shape[0])[:, None, None]
    pictures += [(still * (1 + 0.05 * np.sin(rows / 25 + i))).clip(0, 255).astype(np.uint8) for i in range(24)]
    assert told("c04", pictures) == []


def test_a_knock_that_goes_back_is_lost_and_found(frames: dict[str, list[np.ndarray]]) -> None:
    still = frames["c15"][0]
    events = told("c15", [still] * 8 + [knocked(still, 3.0)] * 12 + [still] * 16, drops=False)
    # found where it was knocked to, and found again where it had been
    assert [event["event"] for event in events] == ["aim_lost", "aim_found"] * 2
    assert events[0]["t"] <= 0.8 + 1.0
    assert events[0]["shift_px"] > 3


def test_a_tray_that_changed_while_the_aim_was_lost_is_asked_about(frames: dict[str, list[np.ndarray]]) -> None:
    """The last picture is the knocked camera's, after a clear that nobody saw."""
    still, after = frames["c15"][0], frames["c15"][-1]
    events = told("c15", [still] * 8 + [after] * 30, drops=False)
    assert [event["event"] for event in events] == ["aim_lost", "aim_found", "question"]
    assert events[2]["tray"] == truth_of("c15")["final_tray"]
    assert events[2]["readings"][0]["attack"] == "R1"


def test_a_clip_that_starts_in_the_middle_of_a_turn_asks(frames: dict[str, list[np.ndarray]]) -> None:
    start = 14
    gaze = Gaze(eye_of("c22"))
    edges = [
        type(edge)(max(0, edge.t_ns - start * STEP), edge.lane, edge.blocked)
        for edge in read_edges(CLIPS / "c22" / "drops.csv")
    ]
    events = list(replay(Film(frames["c22"][start:]), gaze, DropCounter(), edges, "B", "Y"))
    assert [event["event"] for event in events if event["event"] != "hand"] == ["question"]


def test_every_other_frame_lost_still_gives_the_clear(frames: dict[str, list[np.ndarray]]) -> None:
    pictures = [picture for i, picture in enumerate(frames["c15"][:28]) if i % 3 != 1]
    pictures = [picture for picture in pictures for _ in (0, 1)]
    clears = [event for event in told("c15", pictures, drops=False) if event["event"] == "clear"]
    assert [(event["cells"], event["attack"]) for event in clears] == [(["c1"], "R1")]


def test_the_score_counts_silence_and_inventions() -> None:
    truth = truth_of("c15")
    silent = score(truth, [])
    assert (silent.missed, silent.right) == (1, 0)
    clear = {"event": "clear", "player": "B", "cells": ["c1"], "attack": "R1", "legal": True, "reasons": []}
    assert score(truth, [{**clear, "t": 2.5}]).right == 1
    assert score(truth, [{**clear, "t": 0.5}, {**clear, "t": 2.5}]).invented == 1
    assert score(truth, [{**clear, "t": 2.5, "attack": "R2"}]).wrong == 1
    assert score(truth, [{"event": "question", "t": 2.5, "text": "?"}]).asked == 1
    assert table([silent])["missed"] == 1


@pytest.fixture(scope="module")
def table_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("table") / "c15.toml"
    save_table(path, TableFile(calibration=calibration_of("c15")))
    return str(path)


def test_on_the_command_line(table_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    clip = CLIPS / "c15"
    args = [
        "replay",
        str(clip / "clip.mp4"),
        "--table",
        table_file,
        "--drops",
        str(clip / "drops.csv"),
        "--player",
        "B",
    ]
    assert main(args) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["event"] for event in events] == ["hand", "hand", "clear", "aim_lost", "aim_found"]
    assert {"t", "player", "cells", "attack", "legal", "reasons"} <= events[2].keys()


def test_a_folder_of_frames(
    table_file: str, tmp_path: Path, frames: dict[str, list[np.ndarray]], capsys: pytest.CaptureFixture[str]
) -> None:
    for i, picture in enumerate(frames["c15"][:27]):
        cv2.imwrite(str(tmp_path / f"{i}.png"), picture)
    assert main(["replay", str(tmp_path), "--table", table_file, "--player", "B"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["cells"] for event in events if event["event"] == "clear"] == [["c1"]]


def test_bad_input(table_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = str(CLIPS / "c15" / "clip.mp4")
    text = tmp_path / "text"
    text.write_text("no clip\n")
    small = tmp_path / "small"
    small.mkdir()
    cv2.imwrite(str(small / "1.png"), np.zeros((48, 64, 3), np.uint8))
    (tmp_path / "empty").mkdir()
    for args, named in (
        ([str(tmp_path / "none.mp4"), "--table", table_file], "none.mp4"),
        ([str(text), "--table", table_file], "text"),
        ([str(tmp_path / "empty"), "--table", table_file], "empty"),
        ([str(small), "--table", table_file], "64x48"),
        (["a\0b", "--table", table_file], "clip"),
        ([clip, "--table", str(tmp_path / "none.toml")], "none.toml"),
        ([clip, "--table", str(text)], "line 1"),
        ([clip, "--table", table_file, "--drops", str(tmp_path / "none.csv")], "none.csv"),
        ([clip, "--table", table_file, "--drops", str(text)], "line 1"),
        ([clip, "--table", table_file, "--player", "C"], "--player"),
        ([clip, "--table", table_file, "--broken", "G"], "--broken"),
    ):
        assert main(["replay", *args]) == 2, args
        out, err = capsys.readouterr()
        assert out == ""
        assert named in err
        assert err.count("\n") == 1


def test_explain_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    trays = ["RYBRY/YBRBY/BRYYR", "RYBRY/YBBYR/BRYYR"]
    assert main(["explain", *trays, "--player", "A", "--drops", "a=0,b=1,c=0", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == {
        "verdict": "legal",
        "attack": "R1",
        "cells": ["b3"],
        "readings": [{"cells": ["b3"], "attack": "R1", "legal": True}],
        "reasons": [],
        "nearest": [],
    }
    assert main(["explain", *trays, "--player", "A"]) == 0
    assert capsys.readouterr().out.startswith("legal: b3 R1\n")
    for extra, named in (
        (["--drops", "d=1"], "'d'"),
        (["--drops", "a=-1"], "'-1' in lane a"),
        (["--drops", "a=1,a=2"], "twice"),
        (["--drops", "a"], "LANE=NUMBER"),
        (["--drops", ""], "LANE=NUMBER"),
        (["--attack", "G1"], "G1"),
        (["--broken", "RR"], "twice"),
    ):
        assert main(["explain", *trays, "--player", "A", *extra]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert named in err
    assert main(["explain", trays[0], "RYB", "--player", "A"]) == 2
    assert "AFTER" in capsys.readouterr().err


def test_a_folder_with_one_video_among_other_files_is_that_video(tmp_path: Path) -> None:
    for name in ("clip.mp4", "first.jpg"):
        (tmp_path / name).write_bytes((CLIPS / "c04" / name).read_bytes())
    camera = open_clip(str(tmp_path))
    assert isinstance(camera, ClipCamera)
    camera.close()
    (tmp_path / "other.avi").write_bytes(b"x")
    with pytest.raises(CameraError, match="holds 2 videos; name the one"):
        open_clip(str(tmp_path))
    for name in ("clip.mp4", "other.avi"):
        (tmp_path / name).unlink()
    assert isinstance(open_clip(str(tmp_path)), FolderCamera)


def knocked(picture: np.ndarray, degrees: float) -> np.ndarray:
    """As after the camera was turned about its axis and shifted a little."""
    matrix = cv2.getRotationMatrix2D((320, 240), degrees, 1.0)
    matrix[:, 2] += 14, -9
    return cv2.warpAffine(picture, matrix, (640, 480))


@pytest.mark.parametrize("degrees", [4.0, 180.0])
def test_a_knocked_camera_is_found_again_and_scoring_goes_on(
    frames: dict[str, list[np.ndarray]], degrees: float
) -> None:
    """The knock comes before the pull, or the camera was put up the other way round: the clear comes out anyway."""
    truth = truth_of("c15")
    start, bump = 6 if degrees < 90 else 0, 27
    waiting = 12
    pictures = frames["c15"][:1] * start + [knocked(frames["c15"][0], degrees)] * waiting
    pictures += [knocked(picture, degrees) for picture in frames["c15"][:bump]]
    late = (start + waiting) * STEP
    edges = [replace(edge, t_ns=edge.t_ns + late) for edge in read_edges(CLIPS / "c15" / "drops.csv")]
    events = list(replay(Film(pictures), Gaze(eye_of("c15")), DropCounter(), edges, truth["player"]))
    lost, found, *rest = [event for event in events if event["event"] not in ("hand", "light")]
    assert (lost["event"], found["event"]) == ("aim_lost", "aim_found")
    assert start * 0.1 <= lost["t"] <= start * 0.1 + 1.0
    assert found["t"] - lost["t"] <= 1.0
    assert found["shift_px"] == pytest.approx(moved_by("c15", degrees), abs=1.0)
    assert [(event["event"], event["cells"], event["attack"]) for event in rest] == [("clear", ["c1"], "R1")]


def moved_by(name: str, degrees: float) -> float:
    """How far the cells went, on average."""
    geometry = eye_of(name).geometry
    before = geometry.to_picture(geometry.centres)
    matrix = cv2.getRotationMatrix2D((320, 240), degrees, 1.0)
    matrix[:, 2] += 14, -9
    return float(np.hypot(*(cv2.transform(before[:, None], matrix)[:, 0] - before).T).mean())


@pytest.mark.parametrize("other", ["t03", "t05"])
def test_another_table_in_view_is_never_read(frames: dict[str, list[np.ndarray]], other: str) -> None:
    """The camera was turned to something else: nothing of it is scored."""
    strange = cv2.resize(image(f"{other}_00"), (640, 480))
    events = told("c15", frames["c15"][:4] + [strange] * 25, drops=False)
    assert [event["event"] for event in events] == ["aim_lost"]


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ("grey", "greyscale"),
        ("deep", "16 bits"),
        ("clear", "4 channels"),
        ("one", "1x1"),
        ("small", "320x240"),
        ("cut", "cut off"),
    ],
)
def test_frames_that_cannot_be_used(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    frames: dict[str, list[np.ndarray]],
    table_file: str,
    wrong: str,
    word: str,
) -> None:
    still = frames["c15"][0]
    picture = {
        "grey": still[..., 0],
        "deep": still.astype(np.uint16) * 256,
        "clear": cv2.cvtColor(still, cv2.COLOR_BGR2BGRA),
        "one": still[:1, :1],
        "small": cv2.resize(still, (320, 240)),
        "cut": still,
    }[wrong]
    cv2.imwrite(str(tmp_path / "0.png"), still)
    data = cv2.imencode(".png", picture)[1].tobytes()
    (tmp_path / "1.png").write_bytes(data[: len(data) // 200] if wrong == "cut" else data)
    assert main(["replay", str(tmp_path), "--table", table_file]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert word in err


def test_black_and_white_frames_are_never_read_as_marbles(frames: dict[str, list[np.ndarray]]) -> None:
    """A covered or dazzled lens is something that happens: the tray is lost and found again."""
    first = frames["c15"][0]
    for level in (0, 255):
        blind = [np.full_like(first, level)] * 12
        events = told("c15", [first] * 8 + blind + [first] * 12, drops=False)
        assert [event["event"] for event in events if event["event"].startswith("aim")] == ["aim_lost", "aim_found"]
        assert not [event for event in events if event["event"] in ("clear", "question", "put_back", "fan")]


def test_few_blocks_round_the_tray_are_enough_to_find_it(frames: dict[str, list[np.ndarray]]) -> None:
    """The tray's own blocks may be a small share of the picture's, and agree for all that."""
    eye = eye_of("c22")
    last = knocked(frames["c22"][-1], 3.0)
    view = Finder(eye).find(last)
    assert view is not None
    assert eye.read(undone(view, last)).tray == eye.read(frames["c22"][-1]).tray == truth_of("c22")["final_tray"]
