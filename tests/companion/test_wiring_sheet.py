"""The wiring sheet: its pins against gpiozero's own map of the header, and everything on the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from gpiozero.pins.data import PI4_J8, PI5_J8

from companion.cli import main
from companion.config import Sensors, TableFile, load_table, save_table
from companion.pdf import POINT
from companion.wiring_sheet import EXTRAS, HEADER, MOST, USUAL, pin_of, plugs

DOCS = Path(__file__).parents[2] / "docs" / "wiring.md"
WORDS = re.compile(rb"BT /F[12] ([\d.]+) Tf ([-\d.]+) ([-\d.]+) Td \((.*)\) Tj ET")


def sheet(folder: Path, *args: str) -> bytes:
    path = folder / "wiring.pdf"
    assert main(["sheet", "wiring", "-o", str(path), *args]) == 0
    return path.read_bytes()


def said(pdf: bytes) -> list[str]:
    return [text.decode("latin-1") for *_, text in WORDS.findall(pdf)]


def table_with(folder: Path, sensors: Sensors | None) -> str:
    path = folder / "t.toml"
    save_table(path, TableFile(sensors=sensors))
    return str(path)


@pytest.mark.parametrize("board", [PI4_J8, PI5_J8], ids=["Pi 4", "Pi 5"])
def test_the_header_is_the_one_that_gpiozero_knows(board: tuple[int, int, dict[int, dict[str, str]]]) -> None:
    rows, columns, pins = board
    assert rows * columns == len(HEADER)
    power = {"3.3 V": "3V3", "5 V": "5V", "ground": "GND"}
    for number, gives in enumerate(HEADER, 1):
        names = set(pins[number].values())
        assert (f"GPIO{gives}" if isinstance(gives, int) else power[gives]) in names, number


def test_supplies_and_grounds_are_what_they_are_called() -> None:
    every = Sensors(dict(zip("abcdef", (17, 27, 22, 5, 6, 13), strict=True)))
    for lane, (signal, supply, *grounds) in plugs(every).items():
        assert pin_of(every.pins[lane]) == signal
        assert HEADER[supply - 1] == "3.3 V"
        assert [HEADER[pin - 1] for pin in grounds] == ["ground", "ground"]
    first_four = [pin for _, _, *grounds in list(plugs(every).values())[:4] for pin in grounds]
    assert len(set(first_four)) == 8  # a ground for each wire while there are any


def test_the_usual_pins_are_those_of_the_docs() -> None:
    rows = re.findall(
        r"^\| `([a-z])` .*?BCM (\d+) \| (\d+) \| 3\.3 V, pin (\d+) \| pin (\d+) \| .*ground pin (\d+) \|$",
        DOCS.read_text("utf-8"),
        re.MULTILINE,
    )
    told = {lane: tuple(map(int, rest)) for lane, bcm, *rest in rows}
    assert told == {
        lane: (signal, supply, receiver, emitter) for lane, (signal, supply, receiver, emitter) in plugs(USUAL).items()
    }
    assert {lane: int(bcm) for lane, bcm, *_ in rows} == USUAL.pins


def test_the_page_says_each_lane_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = said(sheet(tmp_path))
    assert "lane b BCM 27" in capsys.readouterr().out
    for lane, bcm, pin in (("a", 17, 11), ("b", 27, 13), ("c", 22, 15)):
        assert f"lane {lane}: signal" in words
        assert f"BCM {bcm}, pin {pin}" in words
        assert f"{lane} = {bcm}" in words
    assert sum(text.isdecimal() for text in words) == 40  # the header's numbers
    assert any("Never 5 V" in text for text in words)


def test_pins_of_a_table_file(tmp_path: Path) -> None:
    sensors = Sensors({"a": 2, "b": 21, "c": 26, "d": 14}, active_low=False, pull_up=False)
    words = said(sheet(tmp_path, "--table", table_with(tmp_path, sensors)))
    assert "BCM 2, pin 3" in words
    assert {"I2C", "sound", "serial port"} <= set(words)
    assert any("t.toml" in text for text in words)
    assert any(text.startswith("High on a signal pin") for text in words)
    assert any("resistors are off" in text for text in words)
    # what the page gives to copy is what was read
    start = words.index("[sensors]")
    copied = tmp_path / "copied.toml"
    copied.write_text('version = 1\ngame = "rematch"\n' + "\n".join(words[start : start + 4 + len(sensors.pins)]))
    assert load_table(copied).sensors == sensors


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_nothing_lies_beyond_what_printers_can_reach(tmp_path: Path, paper: str) -> None:
    pins = dict(zip("abcdef", (10, 9, 11, 5, 6, 13), strict=True))
    assert len(pins) == MOST
    pdf = sheet(tmp_path, "--paper", paper, "--table", table_with(tmp_path, Sensors(pins)))
    found = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert found is not None
    width, height = float(found[1]), float(found[2])
    for size, x, y, text in WORDS.findall(pdf):
        wide = 0.5 * float(size) * len(text)  # Helvetica's letters are about half as wide as high
        assert float(x) > 8 * POINT
        assert float(x) + wide < width - 5 * POINT, text
        assert 8 * POINT < float(y) < height - 8 * POINT, text


def test_bad_input_is_one_sentence_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "x.pdf"
    out.write_bytes(b"as it was")
    many = {lane: pin for pin, lane in enumerate("abcdefg")}
    for args, word in (
        (["wiring", "--table", str(tmp_path / "none.toml")], "none.toml"),
        (["wiring", "--table", str(out)], "x.pdf"),
        (["wiring", "--table", str(tmp_path)], "directory"),
        (["wiring", "--table", table_with(tmp_path, Sensors(many))], "7 lanes"),
        (["wiring", "--size", "24"], "--size"),
        (["wiring", "--paper", "A3"], "A4 or Letter"),
        (["markers", "--table", "t.toml"], "--table"),
        (["beams"], "beams"),
    ):
        assert main(["sheet", *args, "-o", str(out)]) == 2, args
        said_out, said_err = capsys.readouterr()
        assert (said_out, said_err.count("\n")) == ("", 1), args
        assert word in said_err
    assert main(["sheet", "wiring", "--table", table_with(tmp_path, None), "-o", str(out)]) == 2
    assert "no [sensors]" in capsys.readouterr().err
    assert out.read_bytes() == b"as it was"


def test_pins_beyond_the_beams_stand_on_the_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    extras = {"inlet": 23, "button_a": 5, "button_b": 6, "light_a": 12, "light_b": 13, "buzzer": 16}
    every = Sensors(dict(zip("abcdef", (17, 27, 22, 4, 24, 25), strict=True)))
    path = tmp_path / "t.toml"
    save_table(path, TableFile(sensors=every, extras=extras))
    for paper, height in (("A4", 297.0), ("Letter", 279.4)):
        pdf = sheet(tmp_path, "--table", str(path), "--paper", paper)
        texts = said(pdf)
        for name, words in EXTRAS.items():
            assert words in texts
            assert f"{name} = {extras[name]}" in texts
        low = [float(y) / POINT for _, _, y, _ in WORDS.findall(pdf)]
        assert min(low) >= 8.0, (paper, height - min(low))
    assert "buzzer BCM 16" in capsys.readouterr().out


def test_without_extras_nothing_is_said_of_them(tmp_path: Path) -> None:
    assert not [text for text in said(sheet(tmp_path)) if "button" in text or "extras" in text]
