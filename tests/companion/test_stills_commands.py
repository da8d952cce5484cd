"""calibrate, read and evaluate as on the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.config import Sensors, TableFile, load_table, save_table
from tests.vision.test_markers import laid

STILLS = Path(__file__).parents[1] / "data" / "stills"
FIRST = STILLS / "t03" / "t03_00.jpg"
TOLD = json.loads(FIRST.with_suffix(".json").read_text())


def points(name: str) -> str:
    return " ".join(f"{x},{y}" for x, y in TOLD[name])


CORNERS = points("corner_centres")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "t.toml"
    stage = points("board_corners")
    assert (
        main(["calibrate", str(FIRST), "--corners", CORNERS, "--tray", TOLD["tray"], "--stage", stage, "-o", str(path)])
        == 0
    )
    return path


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert main(list(args)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_read_prints_the_contract_keys(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["read", str(STILLS / "t03" / "t03_06.jpg"), "--table", str(table), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert {"tray", "cells", "fans", "occluded", "aim"} <= set(said)
    assert said["tray"] == "BY.BB/RBYY./BBRBB"
    assert set(said["cells"]["a1"]) == {"colour", "confidence"}
    assert set(said["fans"]) == {"R", "Y", "B"}
    assert set(said["aim"]) == {"ok", "shift_px"}


def test_read_draws_the_tray_for_people(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(STILLS / "t03" / "t03_06.jpg"), "--table", str(table)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["a", "b", "c"]
    assert lines[1].split() == ["5", "B", ".", "B"]


def test_read_cold(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(FIRST), "--corners", CORNERS, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tray"] == TOLD["tray"]


def test_calibrating_anew_keeps_the_sensors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.toml"
    save_table(path, TableFile(sensors=Sensors({"a": 4})))
    assert main(["calibrate", str(FIRST), "--corners", CORNERS, "--tray", TOLD["tray"], "-o", str(path)]) == 0
    again = load_table(path)
    assert again.sensors == Sensors({"a": 4})
    assert again.calibration is not None
    assert again.calibration.stage is None


def test_a_file_that_is_something_else_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "notes.toml"
    path.write_text("dear = 'diary'\n")
    refused(capsys, "calibrate", str(FIRST), "--corners", CORNERS, "--tray", TOLD["tray"], "-o", str(path))
    assert path.read_text() == "dear = 'diary'\n"


def test_bad_calibrations_write_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "t.toml"
    for corners, tray in ((CORNERS, "RRRRR"), ("1,2 3,4", TOLD["tray"]), ("1,2 3,4 5,6 x,8", TOLD["tray"])):
        refused(capsys, "calibrate", str(FIRST), "--corners", corners, "--tray", tray, "-o", str(out))
    assert "no.jpg" in refused(
        capsys, "calibrate", "no.jpg", "--corners", CORNERS, "--tray", TOLD["tray"], "-o", str(out)
    )
    assert not out.exists()


def test_a_place_that_cannot_be_written_is_told_before_the_picture_is_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unreadable = tmp_path / "words.jpg"
    unreadable.write_text("no picture")
    for out, sentence in ((tmp_path / "no" / "t.toml", "there is no folder"), (tmp_path, "Is a directory")):
        text = refused(capsys, "calibrate", str(unreadable), "--auto", "--tray", TOLD["tray"], "-o", str(out))
        assert text.startswith(f"cannot write {out}: {sentence}")


def test_pictures_that_cannot_be_read(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut = tmp_path / "cut.jpg"
    cut.write_bytes(FIRST.read_bytes()[:30000])
    small = tmp_path / "small.png"
    cv2.imwrite(str(small), cv2.resize(cv2.imread(str(FIRST)), (400, 300)))
    dark = tmp_path / "dark.png"
    cv2.imwrite(str(dark), np.zeros((600, 800, 3), np.uint8))
    for path, word in ((cut, "cut off"), (small, "400x300"), (dark, "black"), (tmp_path, "directory")):
        text = refused(capsys, "read", str(path), "--table", str(table))
        assert word in text
        assert path.name in text


def test_read_needs_one_of_table_and_corners(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, "read", str(FIRST))
    refused(capsys, "read", str(FIRST), "--table", str(table), "--corners", CORNERS)
    refused(capsys, "read", str(FIRST), "--table", str(table), "--lanes", "4")
    assert "--lanes" in refused(capsys, "read", str(FIRST), "--corners", CORNERS, "--lanes", "99")
    assert "no.toml" in refused(capsys, "read", str(FIRST), "--table", "no.toml")


def test_evaluate_counts_and_names_mistakes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(STILLS / "t03"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    figures = told["tables"]["t03"]
    assert told["conditions"]["kind calibration"]["stills"] == 1
    assert sum(row["given"] for row in told["reliability"]) == 42 - figures["unsure"] - figures["empty_unsure"]
    assert figures["stills"] == 3
    assert figures["wrong"] == 0
    assert figures["right"] + figures["unsure"] + figures["empty_right"] + figures["empty_unsure"] == 42
    assert main(["evaluate", str(STILLS / "t03")]) == 0
    out = capsys.readouterr().out
    assert "t03" in out
    assert "confidence from" in out


def test_evaluate_scores_clips_with_and_without_drops(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = tmp_path / "c"
    found = sorted((STILLS.parent / "clips").glob("*/truth.json"))
    shutil.copytree(next(path.parent for path in found if json.loads(path.read_text())["clears"]), clip)
    assert main(["evaluate", str(clip), "--json"]) == 0
    clips = json.loads(capsys.readouterr().out)["clips"]
    assert clips["with drops"]["clears"] == clips["camera alone"]["clears"] > 0
    assert clips["with drops"]["right"] == clips["with drops"]["clears"]
    truth = json.loads((clip / "truth.json").read_text())
    truth["clears"][0].update(attack="B4", legal=True)
    (clip / "truth.json").write_text(json.dumps(truth))
    assert main(["evaluate", str(clip), "--mistakes", str(tmp_path / "out")]) == 0
    assert "was" in capsys.readouterr().out
    assert list((tmp_path / "out" / "with-drops").glob("*.jpg"))
    del truth["clears"]
    (clip / "truth.json").write_text(json.dumps(truth))
    text = refused(capsys, "evaluate", str(clip))
    assert "truth.json" in text
    assert "'clears'" in text


def test_evaluate_reads_photographs_cold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads((STILLS / "t03" / "t03_00.json").read_text())
    shutil.copy(STILLS / "t03" / "t03_00.jpg", tmp_path)
    place = {f"{cell['lane']}{cell['row']}": cell for cell in told["cells"]}
    cells = [place[f"{lane}{row}"] for row in (5, 4, 3, 2, 1) for lane in "abc"]
    a1, c1, c5, a5 = told["corner_centres"]
    grid = {
        "rows": 5, "cols": 3, "letters": [cell["colour"] for cell in cells],
        "cells": [[*cell["px"], cell["radius_px"]] for cell in cells], "corner_centres": [a5, c5, c1, a1],
    }  # fmt: skip
    truth = tmp_path / "truth.json"
    truth.write_text(json.dumps({"images": [{"file": "t03_00.jpg", "grid": grid}]}))
    assert main(["evaluate", str(tmp_path), "--json"]) == 0
    whole = json.loads(capsys.readouterr().out)["all"]
    assert whole["wrong"] == 0
    assert whole["right"] + whole["unsure"] == 15
    assert whole["right"] >= 8  # the places fit: not turned, not mirrored
    del grid["letters"]
    truth.write_text(json.dumps({"images": [{"file": "t03_00.jpg", "grid": grid}]}))
    assert "'letters'" in refused(capsys, "evaluate", str(tmp_path))


def test_evaluate_sees_a_wrong_reading(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The truth is falsified: the figures must say so, or they measure nothing."""
    for path in (STILLS / "t03").iterdir():
        shutil.copy(path, tmp_path)
    changed = tmp_path / "t03_06.json"
    truth = json.loads(changed.read_text())
    truth["cells"][0]["colour"] = "R"
    changed.write_text(json.dumps(truth))
    assert main(["evaluate", str(tmp_path), "--json", "--mistakes", str(tmp_path / "out")]) == 0
    (figures,) = json.loads(capsys.readouterr().out)["tables"].values()
    assert [path for path in (tmp_path / "out").iterdir() if path.stem.endswith("t03_06")]
    assert figures["wrong"] == 1
    assert any("t03_06 a1" in line for line in figures["mistakes"])


def test_evaluate_without_truth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no stills" in refused(capsys, "evaluate", str(tmp_path))
    assert "no such folder" in refused(capsys, "evaluate", str(tmp_path / "x"))
    (tmp_path / "a.json").write_text("{")
    assert "a.json" in refused(capsys, "evaluate", str(tmp_path))
    (tmp_path / "a.json").write_text('{"image": "a.jpg", "cells": [], "kind": "calibration", "calibration": true}')
    (tmp_path / "a.jpg").write_bytes(FIRST.read_bytes())
    assert "a.json: 'corner_centres' is missing" in refused(capsys, "evaluate", str(tmp_path))
    (tmp_path / "a.json").write_text('{"image": "a.jpg", "cells": []}')
    text = refused(capsys, "evaluate", str(tmp_path))
    assert "a.json" in text
    assert "'kind'" in text


def test_calibrating_by_markers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture, path = tmp_path / "p.png", tmp_path / "t.toml"
    cv2.imwrite(str(picture), laid("t03_00"))
    assert main(["calibrate", str(picture), "--markers", "--tray", TOLD["tray"], "-o", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["fit"]["word"] == "good"
    assert said["differs"] == []
    assert load_table(path).calibration is not None
    text = refused(capsys, "calibrate", str(FIRST), "--markers", "--tray", TOLD["tray"], "-o", str(path))
    assert "0 of 4 markers" in text
    args = ["calibrate", str(FIRST), "--markers", "--corners", CORNERS, "--tray", TOLD["tray"], "-o", str(path)]
    assert "not allowed with" in refused(capsys, *args)


def test_automatic_calibration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.toml"
    assert main(["calibrate", str(FIRST), "--auto", "--tray", TOLD["tray"], "-o", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["differs"], said["fit"]["word"]) == ([], "good")
    off = np.array(said["corners"]) - np.array(TOLD["corner_centres"])
    assert np.hypot(*off.T).max() < 3.5
    wrong = TOLD["tray"].translate(str.maketrans("RYB", "YBR"))[::-1]
    text = refused(capsys, "calibrate", str(FIRST), "--auto", "--tray", wrong, "-o", str(path))
    assert "--corners" in text
