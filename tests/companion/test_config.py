from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.config import CameraSettings, Sensors, TableFile, dump_table, load_table, save_table
from companion.errors import InputError
from hardware.counting import Geometry
from vision.calibration import Calibration
from vision.profile import Grid

CALIBRATION = Calibration(
    (800, 600),
    Grid(),
    ((1.5, 2.0), (3.25, 4.0), (5.0, 6.0), (7.0, 8.1)),
    "RYBRY/YBRBY/BRYBR",
    None,
    b"\x00\xff picture" * 40,
)
WHOLE = TableFile(
    CALIBRATION,
    Sensors({"a": 17, "b": 27, "c": 22}, False, False, Geometry(marble_mm=(15.0, 16.5), rest="clear")),
    CameraSettings("v4l2", '/dev/video"0\\', (1280, 960), 15.0),
)  # fmt: skip


@pytest.mark.parametrize("table", [WHOLE, TableFile(CALIBRATION), TableFile(sensors=Sensors({"a": 4})), TableFile()])
def test_what_is_saved_is_loaded(table: TableFile, tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    save_table(path, table)
    assert load_table(path) == table
    assert os.listdir(tmp_path) == ["t.toml"]


def test_saving_over_a_file_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.toml"
    save_table(path, TableFile(CALIBRATION))
    before = path.read_bytes()

    def power_cut(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", power_cut)
    with pytest.raises(InputError, match="cannot write"):
        save_table(path, WHOLE)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["t.toml"]


def test_folder_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot write"):
        save_table(tmp_path / "no" / "t.toml", WHOLE)


def swap(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (swap("lanes = 3", "lanes = 3\nlenses = 2"), "calibration.lenses is not a known key"),
        (swap("version = 1", "version = 1\nowner = 'me'"), "owner is not a known key"),
        (swap("[sensors.pins]", "[sensors.pins]\nab = 3"), "sensors.pins.ab"),
        (swap("a = 17", "a = 27"), "sensors.pins.b is 27"),
        (swap("a = 17", "a = 99"), "sensors.pins.a is 99"),
        (swap("a = 17", "a = true"), "sensors.pins.a must be a whole number"),
        (swap("version = 1", "version = 2"), "newer companion"),
        (swap("version = 1", ""), "version is missing"),
        (swap("version = 1", "version = 'one'"), "version must be a whole number"),
        (swap("rows = 5", "rows = 500"), "calibration.rows is 500"),
        (swap("RYBRY/", "RYBR/"), "calibration.tray"),
        (swap("[1.5, 2.0]", "[1.5]"), "calibration.corners[0]"),
        (swap("[1.5, 2.0]", "[1.5, inf]"), "calibration.corners[0]"),
        (swap("[1.5, 2.0]", "[1.5, 'x']"), "calibration.corners[0]"),
        (swap("size = [800, 600]", "size = [800]"), "calibration.size"),
        (swap('picture = """', 'picture = """***'), "calibration.picture is not base64"),
        (swap('kind = "v4l2"', 'kind = "webcam"'), "camera.kind"),
        (swap("fps = 15.0", "fps = 0"), "camera.fps is 0"),
        (swap("active_low = false", "active_low = 0"), "sensors.active_low"),
        (swap('rest = "clear"', 'rest = "closed"'), "sensors.geometry is impossible"),
        (swap("marble_mm = [15.0, 16.5]", "marble_mm = [16.0, 15.0]"), "sensors.geometry is impossible"),
        (swap('game = "rematch"', 'game = "../x"'), "game"),
        (swap("[camera]", "[camera"), "line 4"),
        (lambda text: "camera = 3\n" + text.replace("[camera]", "[x]"), "camera must be a table"),
    ],
)
def test_bad_files_are_named_in_one_sentence(change: Callable[[str], str], words: str, tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text(change(dump_table(WHOLE)))
    with pytest.raises(InputError) as error:
        load_table(path)
    assert words in str(error.value)
    assert "t.toml" in str(error.value)


def test_files_that_are_no_tables(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no\.toml"):
        load_table(tmp_path / "no.toml")
    with pytest.raises(InputError):
        load_table(tmp_path)
    (tmp_path / "b.toml").write_bytes(b"version = 1\nx = '\xff'\n")
    with pytest.raises(InputError, match="line 2"):
        load_table(tmp_path / "b.toml")
