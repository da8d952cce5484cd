"""A damaged log is put aside, and what can still be read of it is played on."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path
from random import Random

import pytest

from companion.games import game
from companion.log import MemoryLog, SqliteLog
from companion.matches import Matches
from companion.salvage import salvage
from companion.session import Session

RULES = game("rematch")
SETUP = {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"}


def played(folder: Path, commands: int) -> Path:
    session = Matches(folder, RULES).fresh()
    session.submit(SETUP)
    for number in range(commands - 1):
        session.submit({"do": "correct", "player": "AB"[number % 2], "credits": number % 4})
    session.close()
    return folder / "match-000001.sqlite"


def resumed(folder: Path) -> tuple[Session, list[str]]:
    told: list[str] = []
    return Matches(folder, RULES).resume(told.append), told


def test_a_hole_in_the_middle_costs_what_lies_behind_it(tmp_path: Path) -> None:
    path = played(tmp_path, 120)
    data = bytearray(path.read_bytes())
    whole = len(data) // 512
    middle = whole // 2 * 512
    data[middle : middle + 512] = b"\xff" * 512
    path.write_bytes(data)
    session, told = resumed(tmp_path)
    kept = session.version
    assert 1 <= kept < 120
    expected = Session(RULES, MemoryLog())
    expected.submit(SETUP)
    for number in range(kept - 1):
        expected.submit({"do": "correct", "player": "AB"[number % 2], "credits": number % 4})
    assert session.state_json == expected.state_json
    assert session.submit({"do": "undo"}).accepted
    session.close()
    assert len(told) == 1
    assert f"the {kept} commands that could still be read" in told[0]
    assert (tmp_path / "match-000001.sqlite.damaged-1").read_bytes() == data
    assert sorted(one.name for one in tmp_path.iterdir()) == ["match-000001.sqlite", "match-000001.sqlite.damaged-1"]


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_cut_or_overwritten_the_companion_begins(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    path = played(tmp_path, 60)
    data = bytearray(path.read_bytes())
    if seed % 2:
        del data[random.randrange(len(data)) :]
    else:
        at = random.randrange(len(data))
        data[at : at + 600] = random.randbytes(600)
    path.write_bytes(data)
    session, told = resumed(tmp_path)
    assert session.version <= 60
    assert session.version == 60 or told or not data
    assert session.submit(SETUP).accepted or session.submit({"do": "undo"}).accepted
    session.close()


def test_a_log_that_the_rules_cannot_replay_goes_on_up_to_there(tmp_path: Path) -> None:
    path = played(tmp_path, 5)
    log = SqliteLog(path, "rematch")
    log.append("accepted", {"do": "heal"}, [{"type": "exploded"}])
    log.close()
    session, told = resumed(tmp_path)
    assert session.version == 5
    assert "match-000001.sqlite.damaged-1" in told[0]
    session.close()


def test_a_record_that_is_missing_ends_what_can_be_read(tmp_path: Path) -> None:
    path = played(tmp_path, 9)
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER record_never_goes")
    db.execute("DELETE FROM record WHERE seq = 4")
    db.commit()
    db.close()
    assert [record.seq for record in salvage(path)] == [1, 2, 3]


@pytest.mark.parametrize("left", [0, 50, 700, 2000])
def test_a_match_that_was_under_way_is_whole_though_its_file_was_cut(tmp_path: Path, left: int) -> None:
    """While a match is played only the write-ahead log is written: it tells everything."""
    folder = tmp_path / "matches"
    session = Matches(folder, RULES).fresh()
    session.submit(SETUP)
    for number in range(80):
        session.submit({"do": "correct", "player": "AB"[number % 2], "credits": number % 4})
    cut = tmp_path / "cut"
    shutil.copytree(folder, cut)
    (cut / "match-000001.sqlite-lock").unlink()
    os.truncate(cut / "match-000001.sqlite", left)
    again, told = resumed(cut)
    assert (again.version, again.state_json) == (81, session.state_json)
    assert "goes on with the 81 commands" in told[0]
    assert again.submit({"do": "undo"}).accepted
    again.close()
    session.close()
