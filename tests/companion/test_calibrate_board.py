"""A board with pieces: `calibrate --game react`, the table file's [field], corner tiles, and a clip as the camera."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.attached import game_table, look, words
from companion.cli import main
from companion.config import TableFile, dump_table, load_table, save_table
from companion.desk import Desk
from companion.errors import InputError
from companion.games import game
from companion.log import MemoryLog
from companion.react_table import ReactTable
from companion.rules.react.markers import MARKED
from companion.session import Session
from hardware.camera import Frame
from hardware.cameras import FolderCamera
from hardware.played import PlayedCamera
from tests.vision import stills
from tests.vision.drawn_board import AREAS, SMALL, Board, encoded
from vision.calibration import Quad, VisionError
from vision.markers import INNER, MODULES, RIM, field_by_markers, modules
from vision.picture import Image

ARTIST = next(number for number, mark in enumerate(MARKED) if mark.name == "A artist")
TILE = 0.8  # zones: a corner marker's side


def told(quad: Quad) -> str:
    return " ".join(f"{x},{y}" for x, y in quad)


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("board") / "board.jpg"
    path.write_bytes(encoded(Board().picture({ARTIST: (3, 1, 0)})))
    return path


def board(picture: Path, file: Path, **changed: str | None) -> list[str]:
    options = {
        "game": "react", "corners": told(AREAS[0].quad), "spaces": told(AREAS[1].quad), "columns": "5", "rows": "4",
        "stars": "3,1 3,4", "output": str(file), **changed,
    }  # fmt: skip
    return ["calibrate", str(picture), *(f"--{name}={value}" for name, value in options.items() if value is not None)]


def test_a_board_is_calibrated_and_its_table_file_makes_a_table(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.toml"
    assert main(board(picture, file)) == 0
    assert capsys.readouterr().out == f"{file}: a field of 5 × 4 zones; 1 markers of pieces are read in the picture\n"
    assert main([*board(picture, file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pieces"] == 1
    table = load_table(file)
    assert table.field is not None
    assert (table.game, table.field.columns, table.field.rows, table.field.stars) == ("react", 5, 4, ("3,1", "3,4"))
    assert (table.field.corners, table.field.spaces) == (AREAS[0].quad, AREAS[1].quad)
    save_table(file, table)
    assert load_table(file) == table
    found = look(file, clip=str(picture.parent))
    assert words(found) == "A camera was found: it reads the pieces with markers."
    asked: list[object] = []
    look(file, lambda *what: asked.append(what[2]))
    assert asked == [SMALL]  # the camera is to give what the board was calibrated with
    both = tmp_path / "both.toml"
    save_table(both, replace(table, calibration=stills.calibration("t03")))
    for chosen in (None, "rematch", "react"):
        look(both, lambda *what: asked.append(what[2]), chosen=chosen)
    assert asked[1:] == [SMALL, stills.calibration("t03").size, SMALL]  # or the tray, if that is played
    joined = game_table(found)
    assert isinstance(joined, ReactTable)
    assert joined.view()["board"]["field"] == {"columns": 5, "rows": 4, "stars": {"A": "3,1", "B": "3,4"}}
    assert game_table(found, "rematch") is None
    assert game_table(look(file, lambda *asked: None)) is None


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"stars": None}, "--stars is needed: a board has two"),
        ({"stars": "3,1"}, "--stars: 1 zones given; a board has two stars"),
        ({"stars": "3,1 3,5"}, "the star of player B, 3,5, lies off a board of 5 columns and 4 rows"),
        ({"stars": "3,1 3,1"}, "both stars are 3,1"),
        ({"stars": "c1 c4"}, "the star of player A is 'c1', not a zone"),
        ({"rows": "1", "stars": "1,1 2,1"}, "at least 2 columns and 2 rows"),
        ({"columns": "13"}, "--columns: 13 is not between 1 and 12"),
        ({"corners": "1,1 2,2"}, "--corners: 2 points given"),
        ({"corners": told(AREAS[0].quad[::-1])}, "the field's corners run the wrong way round"),
        ({"spaces": "490,440 490,120 552,122 9999,442"}, "lies outside the picture"),
        ({"tray": "RYBRY/YBRBY/BRYBR"}, "--auto, --tray and --stage are Re;MATCH's"),
        ({"game": "rematch"}, "--tray is needed"),
        ({"game": "rematch", "tray": "RYBRY/YBRBY/BRYBR"}, "--stars and --spaces go with --game react"),
    ],
)
def test_bad_input_is_one_sentence(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], changed: dict[str, str | None], text: str
) -> None:
    assert main(board(picture, tmp_path / "t.toml", **changed)) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert text in err
    assert not (tmp_path / "t.toml").exists()


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ('stars = ["3,1", "3,4"]\n', "", "field.stars is missing: a board has two"),
        ('"3,4"]', '"3,9"]', "field.stars: the star of player B, 3,9, lies off"),
        ("columns = 5", "columns = 0", "field.columns is 0, not between 1 and 12"),
        ("rows = 4", "rows = 4\nseats = 2", "field.seats is not a known key"),
    ],
)
def test_a_table_file_that_is_wrong_says_where(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, text: str
) -> None:
    file = tmp_path / "table.toml"
    assert main(board(picture, file)) == 0
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(InputError, match=text):
        load_table(file)


def test_a_field_that_cannot_be_used_is_told_with_its_file(picture: Path, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    assert main(board(picture, file)) == 0
    text = dump_table(load_table(file))
    file.write_text(text.replace(f"size = {list(SMALL)}", "size = [320, 240]"))
    with pytest.raises(InputError, match=r"table\.toml: field: "):
        game_table(look(file, clip=str(picture.parent)))
    assert TableFile().field is None


def tiled(image: Image, quad: Quad) -> Image:
    """With the four tiles where the sheet wants them."""
    ends = np.array([[0, 0], [5, 0], [5, 4], [0, 4]], np.float32)
    plane = cv2.getPerspectiveTransform(ends, np.array(quad, np.float32))
    for number in range(4):
        module = 24
        tile = np.full(((MODULES + 2) * module,) * 2, 235, np.uint8)
        tile[module:-module, module:-module][np.array(modules(number)).repeat(module, 0).repeat(module, 1)] = 25
        # a tile's own axes run right and down, the field's right and away from player A
        corners = np.array([[-RIM, -RIM], [1 + RIM, -RIM], [1 + RIM, 1 + RIM], [-RIM, 1 + RIM]], np.float32)
        there = ends[number] + TILE * (corners - np.array(INNER[number], np.float32)) * np.array([1, -1], np.float32)
        start = np.array([[0, 0], [len(tile), 0], [len(tile), len(tile)], [0, len(tile)]], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(start, cv2.perspectiveTransform(there[:, None], plane)[:, 0])
        size = image.shape[1::-1]
        cover = cv2.warpPerspective(np.ones_like(tile, np.float32), matrix, size)[..., None]
        flat = cv2.warpPerspective(tile, matrix, size, flags=cv2.INTER_AREA)[..., None]
        image = np.asarray(image * (1 - cover) + flat * cover, np.uint8)
    return image


@pytest.fixture(scope="module")
def beside() -> tuple[Image, Image, Quad]:
    """A board with room for the tiles, without them and with them, and its field's corners."""
    bare = np.full((SMALL[1] + 200, SMALL[0] + 200, 3), 90, np.uint8)
    bare[100:-100, 100:-100] = Board().picture({ARTIST: (3, 1, 0)})
    a, b, c, d = ((x + 100, y + 100) for x, y in AREAS[0].quad)
    return bare, tiled(bare, (a, b, c, d)), (a, b, c, d)


def test_the_fields_corners_are_found_by_the_printed_tiles(beside: tuple[Image, Image, Quad]) -> None:
    bare, image, corners = beside
    assert np.hypot(*(np.array(field_by_markers(image)) - np.array(corners)).T).max() < 1.0
    with pytest.raises(VisionError, match="0 of 4 markers are seen; not found: A's left, A's right"):
        field_by_markers(bare)


def test_a_board_that_no_table_file_knows_is_found_by_its_tiles(beside: tuple[Image, Image, Quad]) -> None:
    bare, image, _ = beside
    table = game_table(look(None, clip=None, find=lambda *asked: lambda: None))
    assert table is None  # of Re;MATCH, that is
    table = game_table(look(None, find=lambda *asked: lambda: None), "react")
    assert isinstance(table, ReactTable)
    desk = Desk(Session(game("react"), MemoryLog()), table)
    setup = {"do": "setup", "first": "A", "field": {"columns": 5, "rows": 4, "stars": {"A": "3,1", "B": "3,4"}}}
    assert desk.submit_line(json.dumps(setup).encode())["ok"]
    states = []
    for n, picture in enumerate([bare] * 2 + [image] * 40):
        desk.see(Frame(picture, n * 100_000_000))
        states.append(desk.view()["board"]["state"])
    assert states[:12] == ["unknown"] * 12
    assert states[-1] == "agrees"
    assert desk.view()["board"]["field"] == {"columns": 5, "rows": 4, "stars": None}
    # another match on another board: its zones are others
    assert desk.control({"do": "new_match", "setup": {**setup, "field": {**setup["field"], "columns": 4}}}) == {
        "ok": True
    }
    assert desk.view()["board"]["state"] == "unknown"


def test_the_sheet_of_corner_tiles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "corners.pdf"
    assert main(["sheet", "markers", "--game", "react", "--corners", "-o", str(file)]) == 0
    assert b"field of zones" in file.read_bytes()
    assert main(["sheet", "markers", "--corners", "-o", str(file)]) == 2
    assert "--corners goes with --game react" in capsys.readouterr().err


def test_a_clip_stands_in_for_a_camera_at_its_own_pace(picture: Path, tmp_path: Path) -> None:
    for n in (1, 2, 3):
        (tmp_path / f"{n}.jpg").write_bytes(picture.read_bytes())
    now, waits = [5_000_000_000], []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        now[0] += round(seconds * 1e9)

    camera = PlayedCamera(FolderCamera(tmp_path), lambda: now[0], wait)
    times = []
    while (frame := camera.read()) is not None:
        assert isinstance(frame, Frame)
        times.append(frame.t_ns)
        now[0] += 30_000_000  # somebody works on it
    assert times == [5_000_000_000, 5_100_000_000, 5_200_000_000]
    assert waits == pytest.approx([0.07, 0.07])
    camera.close()
    with pytest.raises(InputError, match=r"--camera: clip .* there is no such video file"):
        look(None, clip=str(tmp_path / "nothing"))
