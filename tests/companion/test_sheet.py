"""The marker sheet: its sizes from the PDF itself, and its markers found in what it draws."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.pdf import POINT
from vision.markers import INNER, find_markers
from vision.picture import Image

DPI = 200
BOX = re.compile(rb"^([\d.]+) g ([-\d.]+) ([-\d.]+) ([\d.]+) ([\d.]+) re f$", re.MULTILINE)
LINE = re.compile(
    rb"^([\d.]+) G ([\d.]+) w \[([\d.]*)\] 0 d ([-\d.]+) ([-\d.]+) m ([-\d.]+) ([-\d.]+) l S$", re.MULTILINE
)


def sheet(folder: Path, *args: str) -> bytes:
    path = folder / "markers.pdf"
    assert main(["sheet", "markers", "-o", str(path), *args]) == 0
    return path.read_bytes()


def size(pdf: bytes) -> tuple[float, float]:
    match = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert match is not None
    return float(match[1]) / POINT, float(match[2]) / POINT


def drawn(pdf: bytes) -> Image:
    """The boxes and lines as a printer of so many dots an inch would set them."""
    width, height = size(pdf)
    dot = DPI / 72
    page = np.full((round(height / 25.4 * DPI), round(width / 25.4 * DPI)), 255, np.uint8)
    for grey, x, y, w, h in (map(float, match) for match in BOX.findall(pdf)):
        top, left = len(page) - (y + h) * dot, x * dot
        page[round(top) : round(top + h * dot), round(left) : round(left + w * dot)] = round(grey * 255)
    for grey, _, _, *ends in LINE.findall(pdf):
        x1, y1, x2, y2 = (float(value) * dot for value in ends)
        ends_px = (round(x1), round(len(page) - y1)), (round(x2), round(len(page) - y2))
        cv2.line(page, *ends_px, round(float(grey) * 255))
    return cv2.cvtColor(page, cv2.COLOR_GRAY2BGR)


@pytest.mark.parametrize(("paper", "mm"), [("A4", (210, 297)), ("Letter", (215.9, 279.4))])
@pytest.mark.parametrize("side", ["10", "24", "36"])
def test_markers_are_found_in_the_drawn_page_and_are_true_to_size(
    tmp_path: Path, paper: str, mm: tuple[float, float], side: str
) -> None:
    pdf = sheet(tmp_path, "--paper", paper, "--size", side)
    assert size(pdf) == pytest.approx(mm, abs=0.01)
    found = find_markers(drawn(pdf))
    assert sorted(found) == [0, 1, 2, 3]
    for corners in found.values():
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1) / DPI * 25.4
        assert sides == pytest.approx(float(side), abs=0.25)


def test_the_sizes_in_the_file_are_exact(tmp_path: Path) -> None:
    boxes = [tuple(map(float, match[1:])) for match in BOX.findall(sheet(tmp_path))]
    wide = [w / POINT for _, _, w, _ in boxes]
    assert wide.count(pytest.approx(24.0, abs=1e-3)) >= 8  # top and bottom row of each marker
    assert all(h / POINT == pytest.approx(4.0, abs=1e-3) for _, _, w, h in boxes if w / POINT > 2)


def test_the_rulers_are_100_mm_both_ways(tmp_path: Path) -> None:
    lines = [tuple(map(float, match[3:])) for match in LINE.findall(sheet(tmp_path))]
    across = [(x2 - x1) / POINT for x1, y1, x2, y2 in lines if y1 == y2]
    down = [(y1 - y2) / POINT for x1, y1, x2, y2 in lines if x1 == x2]
    assert across.count(pytest.approx(100.0, abs=1e-3)) == 1
    assert down.count(pytest.approx(100.0, abs=1e-3)) == 1


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_nothing_lies_beyond_what_printers_can_reach(tmp_path: Path, paper: str) -> None:
    pdf = sheet(tmp_path, "--paper", paper, "--size", "36")
    width, height = size(pdf)
    points = [(x, y) for _, x, y, _, _ in BOX.findall(pdf)]
    points += [end for match in LINE.findall(pdf) for end in (match[3:5], match[5:7])]
    for x, y in points:
        assert 8 <= float(x) / POINT <= width - 8
        assert 8 <= float(y) / POINT <= height - 8


def test_the_cross_references_point_at_the_objects(tmp_path: Path) -> None:
    pdf = sheet(tmp_path)
    start = int(pdf.rsplit(b"startxref\n", 1)[1].split()[0])
    assert pdf[start:].startswith(b"xref")
    offsets = [int(line[:10]) for line in pdf[start:].splitlines()[3:] if line.endswith(b" n ")]
    assert len(offsets) == 7
    for number, offset in enumerate(offsets, 1):
        assert pdf[offset:].startswith(b"%d 0 obj" % number)
    length = int(re.search(rb"/Length (\d+)", pdf)[1])
    assert pdf.split(b"stream\n", 1)[1][length:].startswith(b"\nendstream")


def test_cut_tiles_touch_the_grid_with_the_marked_corner(tmp_path: Path) -> None:
    """The mark on the sheet is where calibrate believes the grid's corner to be."""
    pdf = sheet(tmp_path)
    found = find_markers(drawn(pdf))
    marks = [tuple(map(float, match[1:])) for match in BOX.findall(pdf)]
    marks = [(x, y, w, h) for x, y, w, h in marks if w / POINT == pytest.approx(1.2, abs=1e-3)]
    assert len(marks) == 4
    height = size(pdf)[1]
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    for number, quad in found.items():
        inner = np.array(INNER[number], np.float32).reshape(1, 1, 2)
        at = cv2.perspectiveTransform(inner, cv2.getPerspectiveTransform(square, quad)).ravel() / DPI * 25.4
        ends = [(x + i * w, y + j * h) for x, y, w, h in marks for i in (0, 1) for j in (0, 1)]
        near = min(np.hypot(x / POINT - at[0], height - y / POINT - at[1]) for x, y in ends)
        assert near < 0.3


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["--paper", "A3"], "A4 or Letter"),
        (["--size", "5"], "between 10 and 36"),
        (["--size", "nan"], "between 10 and 36"),
        (["--lanes", "1"], "--lanes"),
    ],
)
def test_bad_input_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], args: list[str], word: str
) -> None:
    assert main(["sheet", "markers", "-o", str(tmp_path / "x.pdf"), *args]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert word in err
    assert not (tmp_path / "x.pdf").exists()


def test_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", "markers", "-o", str(tmp_path / "none" / "x.pdf")]) == 2
    assert "cannot write" in capsys.readouterr().err
