"""Pictures and places that cannot be used, by every command that takes some: one sentence, and nothing written."""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.config import Sensors, TableFile, save_table
from tests.vision.stills import calibration
from vision.picture import decode

STILLS = Path(__file__).parents[1] / "data" / "stills" / "t03"
FIRST = STILLS / "t03_00.jpg"
WHOLE = FIRST.read_bytes()
IMAGE = decode(WHOLE)
TOLD = json.loads(FIRST.with_suffix(".json").read_text())
A1, C1, C5, A5 = (f"{x},{y}" for x, y in TOLD["corner_centres"])
CORNERS = f"{A1} {C1} {C5} {A5}"


def png(image: cv2.typing.MatLike) -> bytes:
    return bytes(cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes())


def jpeg(image: cv2.typing.MatLike) -> bytes:
    return bytes(cv2.imencode(".jpg", image)[1].tobytes())


def huge() -> bytes:
    """A header that promises 65,000 pixels a side."""
    at = WHOLE.index(b"\xff\xc0") + 5
    return WHOLE[:at] + struct.pack(">HH", 65000, 65000) + WHOLE[at + 4 :]


# what it is: the file's name, its bytes, a word that says what is wrong
PICTURES: dict[str, tuple[str, bytes, str]] = {
    "empty": ("p.jpg", b"", "empty"),
    "cut after the start": ("p.jpg", WHOLE[:2], "cut off"),
    "cut in the header": ("p.jpg", WHOLE[:300], "cut off"),
    "cut in the middle": ("p.jpg", WHOLE[: len(WHOLE) // 2], "cut off"),
    "cut at the last byte": ("p.jpg", WHOLE[:-1], "cut off"),
    "a PNG that is cut": ("p.png", png(IMAGE)[:90000], "cut off"),
    "a PNG that is damaged": ("p.png", png(IMAGE)[:5000] + bytes(9) + png(IMAGE)[5009:], "damaged"),
    "huge by its header": ("p.jpg", huge(), "picture"),
    "one pixel": ("p.png", png(IMAGE[:1, :1]), "1x1"),
    "one pixel, JPEG": ("p.jpg", jpeg(IMAGE[:1, :1]), "1x1"),
    "one row": ("p.png", png(IMAGE[:1]), "800x1"),
    "greyscale": ("p.png", png(IMAGE[..., 1]), "greyscale"),
    "greyscale, JPEG": ("p.jpg", jpeg(IMAGE[..., 1]), "greyscale"),
    "greyscale saved as colour": ("p.png", png(cv2.cvtColor(IMAGE[..., 1], cv2.COLOR_GRAY2BGR)), "no colour"),
    "16 bits": ("p.png", png(IMAGE.astype(np.uint16) * 257), "16 bits"),
    "16 bits, greyscale": ("p.png", png(IMAGE[..., 1].astype(np.uint16) * 257), "16 bits"),
    "4 channels": ("p.png", png(cv2.cvtColor(IMAGE, cv2.COLOR_BGR2BGRA)), "4 channels"),
    "black": ("p.png", png(np.zeros_like(IMAGE)), "black"),
    "black, JPEG": ("p.jpg", jpeg(np.zeros_like(IMAGE)), "black"),
    "white": ("p.png", png(np.full_like(IMAGE, 255)), "white"),
    "one tone": ("p.png", png(np.full_like(IMAGE, (40, 90, 160))), "flat"),
    "a text": ("p.jpg", b"dear diary\n", "neither a JPEG nor a PNG"),
    "a GIF": ("p.gif", b"GIF89a\x01\x00\x01\x00\x00\x00\x00;", "neither a JPEG nor a PNG"),
    "zeros": ("p.png", bytes(5000), "neither a JPEG nor a PNG"),
}
OTHER_SIZE = ("p.jpg", jpeg(IMAGE[:480, :640]), "640x480")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "t.toml"
    save_table(path, TableFile(calibration("t03"), Sensors({"a": 17})))
    return path


@pytest.fixture
def refused(capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """The one line that a command says; what a decoder prints past us counts too."""

    def run(*args: str) -> str:
        capfd.readouterr()
        assert main(list(args)) == 2, args
        out, err = capfd.readouterr()
        assert out == ""
        assert err.count("\n") == 1, err
        assert len(err) < 400
        return err

    return run


def folder_of(path: Path) -> dict[str, bytes | None]:
    return {str(one): one.read_bytes() if one.is_file() else None for one in path.rglob("*")}


def lay(folder: Path, picture: tuple[str, bytes, str]) -> Path:
    path = folder / picture[0]
    path.write_bytes(picture[1])
    return path


@pytest.mark.parametrize("which", PICTURES)
def test_read_and_calibrate(which: str, table: Path, tmp_path: Path, refused: Callable[..., str]) -> None:
    path, word = lay(tmp_path, PICTURES[which]), PICTURES[which][2]
    old, new = tmp_path / "old.toml", tmp_path / "new.toml"
    shutil.copy(table, old)
    before = folder_of(tmp_path)
    for args in (
        ("read", "--table", str(table)),
        ("read", "--corners", CORNERS),
        *(
            ("calibrate", "--tray", TOLD["tray"], "-o", str(out), *how)
            for out in (old, new)
            for how in (("--corners", CORNERS), ("--markers",), ("--auto",))
        ),
    ):
        text = refused(args[0], str(path), *args[1:])
        assert word in text, args
        assert text.startswith(f"{path}: "), args
    assert folder_of(tmp_path) == before


def test_a_folder_and_a_missing_file(table: Path, tmp_path: Path, refused: Callable[..., str]) -> None:
    for path in (tmp_path, tmp_path / "none.jpg", FIRST / "x"):
        for args in (("read", "--table", str(table)), ("calibrate", "--auto", "--tray", TOLD["tray"], "-o", "t.toml")):
            assert refused(args[0], str(path), *args[1:]).startswith(f"{path}: ")


def test_a_picture_of_another_size(table: Path, tmp_path: Path, refused: Callable[..., str]) -> None:
    path = lay(tmp_path, OTHER_SIZE)
    text = refused("read", str(path), "--table", str(table))
    assert text.startswith(f"{path}: ")
    assert "640x480" in text
    assert "800x600" in text


def test_a_jpeg_that_lost_its_middle(table: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It has an end: only what is decoded shows it. The decoder itself may warn first."""
    path = lay(tmp_path, ("p.jpg", WHOLE[: len(WHOLE) // 2] + WHOLE[-2:], ""))
    assert main(["read", str(path), "--table", str(table)]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.splitlines()[-1] == f"{path}: the JPEG is damaged (its lower part is missing)"


@pytest.mark.parametrize(
    ("corners", "word"),
    [
        (f"-5,200 {C1} {C5} {A5}", "first lane row 1 at -5,200 lies outside"),
        (f"{A1} {C1} 5000,90 {A5}", "last lane last row at 5000,90 lies outside"),
        (f"{A1} {C1} {C5} 336,1e9", "--corners"),
        (f"{C1} {A1} {C5} {A5}", "cross"),
        (f"{A1} {C5} {C1} {A5}", "cross"),
        (f"{C1} {A1} {A5} {C5}", "wrong way round"),
        (f"{A1} {A1} {C5} {A5}", "coincide"),
        (f"{A1} {C1} {C1} {A5}", "coincide"),
        ("100,100 200,100 300,100 400,100", "one line"),
        (f"nan,1 {C1} {C5} {A5}", "--corners"),
        (f"{A1} {C1} {C5}", "3 points"),
        (f"{A1} {C1} {C5} {A5} {A5}", "5 points"),
        ("", "0 points"),
        ("300,300 306,300 306,290 300,290", "too small"),
    ],
)
def test_corners(corners: str, word: str, table: Path, tmp_path: Path, refused: Callable[..., str]) -> None:
    path = tmp_path / "t.toml"
    shutil.copy(table, path)
    before = path.read_bytes()
    assert word in refused("read", str(FIRST), f"--corners={corners}")
    args = ("calibrate", str(FIRST), f"--corners={corners}", "--tray", TOLD["tray"], "-o", str(path))
    assert word in refused(*args)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("stage", "word"),
    [
        ("-900,1 586,375 607,564 99,579", "stage corner"),
        ("586,375 122,358 607,564 99,579", "cross"),
        ("1,2 3,4", "--stage"),
    ],
)
def test_the_boards_corners(stage: str, word: str, tmp_path: Path, refused: Callable[..., str]) -> None:
    out = tmp_path / "t.toml"
    args = ["calibrate", str(FIRST), "--corners", CORNERS, "--tray", TOLD["tray"], f"--stage={stage}", "-o", str(out)]
    assert word in refused(*args)
    assert not out.exists()


def test_a_table_file_that_cannot_be_written(tmp_path: Path, refused: Callable[..., str]) -> None:
    out = tmp_path / "none" / "t.toml"
    assert str(out) in refused("calibrate", str(FIRST), "--corners", CORNERS, "--tray", TOLD["tray"], "-o", str(out))
    assert folder_of(tmp_path) == {}


@pytest.mark.parametrize(
    ("command", "which"),
    [
        ("replay", "empty"),
        ("replay", "cut in the middle"),
        ("replay", "a PNG that is damaged"),
        ("replay", "16 bits, greyscale"),
        ("bench", "huge by its header"),
        ("bench", "4 channels"),
    ],
)
def test_a_folder_of_frames(command: str, which: str, table: Path, tmp_path: Path, refused: Callable[..., str]) -> None:
    """Black and white ones are not among them: that happens to a camera, and the aim is lost."""
    name, _, word = PICTURES[which]
    lay(tmp_path, PICTURES[which])
    text = refused(command, str(tmp_path), "--table", str(table))
    assert text.startswith(("clip", "folder"))
    assert f"{tmp_path}: {name}" in text
    assert word in text.split(name)[1]


@pytest.mark.parametrize("which", PICTURES)
def test_evaluating_on_a_bad_calibration(which: str, tmp_path: Path, refused: Callable[..., str]) -> None:
    name, _, word = PICTURES[which]
    lay(tmp_path, PICTURES[which])
    (tmp_path / "p.json").write_text(json.dumps({**TOLD, "image": name, "calibration": True}))
    text = refused("evaluate", str(tmp_path), "--mistakes", str(tmp_path / "out"))
    assert text.startswith(f"{tmp_path / name}: ")
    assert word in text
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("which", ["greyscale, JPEG"])
def test_evaluating_a_bad_still(which: str, tmp_path: Path, refused: Callable[..., str]) -> None:
    name, _, word = PICTURES[which]
    lay(tmp_path, PICTURES[which])
    shutil.copy(FIRST, tmp_path)
    (tmp_path / "t03_00.json").write_text(json.dumps(TOLD))
    (tmp_path / "bad.json").write_text(json.dumps({**TOLD, "image": name, "calibration": False}))
    text = refused("evaluate", str(tmp_path))
    assert text.startswith(f"{tmp_path / name}: ")
    assert word in text


@pytest.mark.parametrize("content", [b"", b"no clip\n", bytes(100_000)])
def test_clips(content: bytes, table: Path, tmp_path: Path, refused: Callable[..., str]) -> None:
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(content)
    assert str(clip) in refused("replay", str(clip), "--table", str(table))


def test_a_clip_that_is_cut_off(table: Path, tmp_path: Path, refused: Callable[..., str]) -> None:
    whole = (STILLS.parents[1] / "clips" / "c15" / "clip.mp4").read_bytes()
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(whole[: len(whole) // 2])
    assert str(clip) in refused("bench", str(clip), "--table", str(table))
    clip.write_bytes(whole)
    assert "640x480" in refused("replay", str(clip), "--table", str(table))  # of another table's size


def test_a_table_file_with_a_damaged_picture(table: Path, tmp_path: Path, refused: Callable[..., str]) -> None:
    text = table.read_text()
    path = tmp_path / "t.toml"
    start = text.index('picture = """')
    for changed, word in (
        (text[:start] + 'picture = "AAAA"\n', "neither a JPEG nor a PNG"),
        (text[: start + 4000] + '\n"""\n', "base64|cut off"),
        (text[: start + 4000], "not valid TOML"),
        (text.replace("size = [800, 600]", "size = [640, 480]"), "800x600|outside"),
    ):
        path.write_text(changed)
        said = refused("read", str(FIRST), "--table", str(path))
        assert any(one in said for one in word.split("|")), said
        assert str(path) in said
