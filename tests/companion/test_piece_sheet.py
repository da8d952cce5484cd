"""The sheet of markers for pieces: each is found in what it draws, true to size, with its name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.cli import main
from companion.games import piece_names
from companion.rules.react.markers import MARKED, Marked
from tests.companion.test_sheet import DPI, drawn
from vision.pieces import NUMBERS, find_tags


def sheet(folder: Path, *args: str) -> bytes:
    path = folder / "pieces.pdf"
    assert main(["sheet", "markers", "--game", "react", "-o", str(path), *args]) == 0
    return path.read_bytes()


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("side", ["14", "18"])
def test_every_marker_is_found_once_and_true_to_size(tmp_path: Path, paper: str, side: str) -> None:
    tags = find_tags(drawn(sheet(tmp_path, "--paper", paper, "--size", side)))
    assert sorted(tag.number for tag in tags) == list(range(len(MARKED)))
    for tag in tags:
        sides = np.linalg.norm(tag.corners - np.roll(tag.corners, 1, axis=0), axis=1) / DPI * 25.4
        assert sides == pytest.approx(float(side), abs=0.35)


def test_names_stand_on_the_sheet(tmp_path: Path) -> None:
    pdf = sheet(tmp_path)
    for name in piece_names("react"):
        assert f"({name})".encode() in pdf


def test_there_is_a_marker_for_each_thing_once() -> None:
    assert len(set(MARKED)) == len(MARKED) == len({marked.name for marked in MARKED}) <= len(NUMBERS)
    assert Marked("artist", "A") in MARKED
    assert Marked("summon", "B", 7) in MARKED
    assert Marked("token", "", 5) in MARKED
    assert Marked("card", "B", 3, back=True).name == "B art 3 back"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--size", "36"], "do not fit one page"),
        (["--size", "5"], "is not between"),
        (["--lanes", "3"], "go with the markers of a tray"),
        (["--game", "rematch", "--table", "x.toml"], "--table goes with wiring"),
    ],
)
def test_what_does_not_go_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], args: list[str], words: str
) -> None:
    path = tmp_path / "pieces.pdf"
    assert main(["sheet", "markers", "--game", "react", "-o", str(path), *args]) == 2
    assert words in capsys.readouterr().err
    assert not path.exists()
