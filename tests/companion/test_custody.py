"""What is said of the files: an end that was none, a card that fills up, files that were damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion import room
from companion.custody import AGAIN, Custody, set_aside_files
from companion.doctor.keeping import kept
from companion.starts import FILE, Counts, read_counts
from companion.switches import Switches
from tests.companion.running import running

SETUP = {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"}


class Page:
    def __init__(self) -> None:
        self.said: list[tuple[str, str, str]] = []
        self.shown: dict[str, Any] = {}

    def say(self, about: str, text: str, level: str = "info") -> None:
        self.said.append((about, text, level))

    def show(self, **extra: Any) -> None:
        self.shown |= extra


class Machine:
    """A data folder on a machine that is booted, and whose card fills up, as a test wants it."""

    def __init__(self, folder: Path) -> None:
        self.data = folder
        self.boot_id = folder / "boot_id"
        self.boot("one")
        self.free: int | None = 10 * room.LOW

    def boot(self, name: str) -> None:
        self.boot_id.write_text(f"{name}\n")

    def start(self) -> tuple[Custody, Page]:
        custody, page = Custody(self.data, lambda folder: self.free, self.boot_id), Page()
        custody.begin(page)
        return custody, page


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_an_end_in_order_is_nothing_to_tell(machine: Machine) -> None:
    for number in (1, 2, 3):
        custody, page = machine.start()
        custody.end()
        assert page.said == []
        assert read_counts(machine.data) == Counts(starts=number)


def test_a_pulled_plug_and_a_killed_process_are_counted_apart(machine: Machine) -> None:
    machine.start()[0]._stop.set()
    machine.boot("two")
    custody, page = machine.start()
    custody._stop.set()
    assert [(about, level) for about, _, level in page.said] == [("unsafe", "info")]
    assert "the power was cut (for the first time)" in page.said[0][1]
    custody, page = machine.start()
    assert "ended from outside, or failed (2 times by now)" in page.said[0][1]
    assert page.shown["keeping"] == {"power_cuts": 1, "crashes": 1, "set_aside": [], "room": None}
    custody.end()
    custody, page = machine.start()
    custody.end()
    assert page.said == []
    assert read_counts(machine.data) == Counts(4, 1, 1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "7",
        '{"version": 2}',
        '{"version": 1, "starts": -1, "power_cuts": 0, "crashes": 0}',
    ],
)
def test_a_damaged_count_is_set_aside_and_said(machine: Machine, text: str) -> None:
    (machine.data / FILE).write_text(text)
    custody, page = machine.start()
    custody.end()
    assert [(about, level) for about, _, level in page.said] == [("starts", "error")]
    assert "set aside as starts.json.damaged-1" in page.said[0][1]
    assert (machine.data / "starts.json.damaged-1").read_text() == text
    assert page.shown["keeping"]["set_aside"] == ["starts.json.damaged-1"]


def test_a_card_that_fills_up_is_said_before_it_hurts_and_again_while_it_does(machine: Machine) -> None:
    custody, page = machine.start()
    custody.look(page)
    assert page.said == []
    machine.free = room.LOW - 1
    for _ in range(AGAIN):
        custody.look(page)
        machine.free -= 2**20  # less and less is no news each time
    assert [level for _, _, level in page.said] == ["warn"]
    assert "199 MB are free" in page.said[0][1]
    custody.look(page)
    assert len(page.said) == 2, "it was put away, and is still so"
    machine.free = room.FULL - 1
    custody.look(page)
    assert page.said[-1][2] == "error"
    assert "will be refused" in page.said[-1][1]
    assert page.shown["keeping"]["room"] == page.said[-1][1]
    machine.free = None  # it cannot be told: nothing is claimed
    custody.look(page)
    assert page.said[-1] == ("room", "", "info")
    assert page.shown["keeping"]["room"] is None
    custody.end()


def test_the_doctor_tells_what_became_of_the_files(machine: Machine) -> None:
    assert kept(machine.data).state == "absent"
    machine.start()[0]._stop.set()
    machine.boot("two")
    machine.start()[0].end()
    found = kept(machine.data)
    assert found.state == "ok"
    assert "1 of 2 starts followed no shutdown (1 times the power was cut)" in found.text
    (machine.data / "table.toml.damaged-1").touch()
    found = kept(machine.data)
    assert (found.state, found.detail["set_aside"]) == ("warn", ["table.toml.damaged-1"])


def test_a_real_folder_has_room() -> None:
    free = room.free_bytes(Path("/"))
    assert free is not None
    assert free >= 0
    assert room.free_bytes(Path("/no/such/folder")) is None


def test_what_was_set_aside_is_named_without_what_sqlite_keeps_beside_it(tmp_path: Path) -> None:
    (tmp_path / "matches").mkdir()
    for name in ("table.toml.damaged-1", "matches/m.sqlite.damaged-1", "matches/m.sqlite.damaged-1-wal"):
        (tmp_path / name).touch()
    assert [path.name for path in set_aside_files(tmp_path)] == ["m.sqlite.damaged-1", "table.toml.damaged-1"]


def test_a_switch_survives_and_a_damaged_file_of_them_is_set_aside(tmp_path: Path) -> None:
    Switches(tmp_path).set_help(True)
    assert Switches(tmp_path).help
    for text in ("", "[]", '{"version": 1, "help": 1}', '{"version": 9, "help": true}'):
        (tmp_path / "switches.json").write_text(text)
        told: list[str] = []
        assert not Switches(tmp_path, told.append).help
        assert len(told) == 1
        assert "set aside as switches.json.damaged" in told[0]
    assert not (tmp_path / "switches.json").exists()


def test_everything_of_a_table_survives_kill_9_and_what_is_damaged_is_set_aside(tmp_path: Path) -> None:
    with running(tmp_path) as run:
        run.do(SETUP)
        state = run.do({"do": "heal", "player": "A", "button": "R", "amount": 0})["state"]
        assert run.ask("POST", "/api/control", {"do": "help", "on": True})[1] == {"ok": True}
        run.kill_9()
    damaged = {"pairing.json": b"\0" * 300, "table.toml": b"version = 1\ngame = 're", "starts.json": b""}
    for name, data in damaged.items():
        (tmp_path / name).write_bytes(data)
    with running(tmp_path) as run:
        assert run.state == state
        view = json.loads(run.first_view())
        assert view["help"]
        told = [notice["text"] for notice in view["notices"]]
        for name in damaged:
            assert sum(f"set aside as {name}.damaged-1" in text for text in told) == 1, (name, told)
        assert view["keeping"]["set_aside"] == sorted(f"{name}.damaged-1" for name in damaged)
    for name, data in damaged.items():
        assert (tmp_path / f"{name}.damaged-1").read_bytes() == data
