"""Logs of older companions: they open, go on, and become ours in one step that no power cut can halve.

The files in tests/data/logs were written by the companions of format 1, before there was `amend`, and of format 2,
before texts were packed.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import companion.log_reading
from companion.errors import InputError
from companion.games import game
from companion.log import LogWriteError, SqliteLog
from companion.log_reading import FORMAT, DamagedLog
from companion.session import Session
from tests.toy.noughts import NOUGHTS

LOGS = Path(__file__).parent.parent / "data" / "logs"
AMEND = {"do": "amend", "seq": 2, "command": {"do": "mark", "player": "O", "square": 8}}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return Path(shutil.copy(LOGS / "format-1-noughts.sqlite", tmp_path / "m.sqlite"))


def _in_header(path: Path) -> int:
    """The format that the file itself says, before SQLite looks at what lies beside it."""
    return int.from_bytes(path.read_bytes()[60:64], "big")


def test_the_files_are_of_older_formats_and_we_write_a_newer_one(tmp_path: Path) -> None:
    assert [_in_header(path) for path in sorted(LOGS.iterdir())] == [1, 1, 2]
    SqliteLog(tmp_path / "new.sqlite").close()
    assert _in_header(tmp_path / "new.sqlite") == FORMAT > 2


def test_a_match_of_format_2_goes_on_with_its_refusals_and_amendments(tmp_path: Path) -> None:
    path = Path(shutil.copy(LOGS / "format-2-rematch.sqlite", tmp_path / "m.sqlite"))
    session = Session(game("rematch"), SqliteLog(path, "rematch"))
    state = session.state_json
    assert state is not None
    assert (state["players"]["B"]["buttons"]["Y"]["hp"], state["phase"], session.version) == (7, "resolve", 7)
    assert session.submit({"do": "undo"}).body["state"]["players"]["B"]["buttons"]["R"]["hp"] == 8
    session.close()
    assert _in_header(path) == FORMAT
    log = SqliteLog(path, "rematch")
    assert [record.kind for record in log.records()][3:] == ["refused", "accepted", "amend", "accepted", "undo", "undo"]
    log.close()


def test_a_log_of_format_1_is_read_and_left_as_it_is(old: Path) -> None:
    before = old.read_bytes()
    session = Session(NOUGHTS, SqliteLog(old, "noughts"))
    assert session.state_json == {"turn": "X", "squares": "OO..X....", "winner": None}
    assert session.version == 10
    assert [record.seq for record in session.timeline] == [1, 2, 4, 5]
    session.close()
    assert old.read_bytes() == before


def test_a_log_of_format_1_goes_on_and_can_be_amended(old: Path) -> None:
    session = Session(NOUGHTS, SqliteLog(old, "noughts"))
    assert session.submit(AMEND).body["misfits"] == []
    assert session.state_json == {"turn": "X", "squares": ".O..X...O", "winner": None}
    session.close()
    assert _in_header(old) == FORMAT
    again = Session(NOUGHTS, SqliteLog(old, "noughts"))
    assert (again.state, again.version) == (session.state, session.version)
    assert again.submit({"do": "undo"}).body["state"]["squares"] == "OO..X...."
    again.close()


def test_a_real_match_of_format_1_goes_on(tmp_path: Path) -> None:
    path = Path(shutil.copy(LOGS / "format-1-rematch.sqlite", tmp_path / "m.sqlite"))
    session = Session(game("rematch"), SqliteLog(path, "rematch"))
    state = session.state_json
    assert state is not None
    a, b = state["players"]["A"], state["players"]["B"]
    assert (a["buttons"]["R"]["hp"], b["buttons"]["Y"]["hp"], a["fans"], b["credits"]) == (6, 8, ["R"], 3)
    assert (state["tray"], state["phase"], state["rules"]["edition"]) == ("RYBRY/YBRBY/RYBRY", "start", "1.5")
    # record 6 hit for 3, and should have for 2
    hit = {"do": "hit", "source": "A", "hits": [{"player": "B", "button": "Y", "amount": 2}]}
    reply = session.submit({"do": "amend", "seq": 6, "command": hit})
    assert (reply.body["misfits"], reply.body["state"]["players"]["B"]["buttons"]["Y"]["hp"]) == ([], 9)
    before = json.dumps(session.state_json)
    session.close()
    again = Session(game("rematch"), SqliteLog(path, "rematch"))
    assert json.dumps(again.state_json) == before
    assert again.submit({"do": "undo"}).body["state"]["players"]["B"]["buttons"]["Y"]["hp"] == 8
    again.close()


def test_an_older_companion_refuses_it_and_touches_nothing(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while the new format stands only in the write-ahead log, as a kill leaves it."""
    session = Session(NOUGHTS, SqliteLog(old, "noughts"))
    session.submit(AMEND)
    cut = old.with_name("cut.sqlite")
    for ending in ("", "-wal"):
        shutil.copy(f"{old}{ending}", f"{cut}{ending}")
    assert _in_header(cut) == 1
    session.close()
    monkeypatch.setattr(companion.log_reading, "FORMAT", 1)
    for path in (old, cut):
        with pytest.raises(InputError, match="newer companion") as caught:
            SqliteLog(path, "noughts")
        assert not isinstance(caught.value, DamagedLog)
    monkeypatch.undo()
    again = Session(NOUGHTS, SqliteLog(cut, "noughts"))
    assert again.state == session.state
    again.close()


def test_a_first_record_that_cannot_be_written_leaves_the_old_format(old: Path) -> None:
    log = SqliteLog(old, "noughts")
    (pages,) = log._db.execute("PRAGMA page_count").fetchone()
    log._db.execute(f"PRAGMA max_page_count = {pages}")
    records = log.records()
    with pytest.raises(LogWriteError, match="full"):
        log.append("refused", {"do": Random(1).randbytes(25_000).hex()}, error={})
    assert log.records() == records
    assert log._db.execute("PRAGMA user_version").fetchone() == (1,)
    log.close()
    assert _in_header(old) == 1
    session = Session(NOUGHTS, SqliteLog(old, "noughts"))
    assert session.submit(AMEND).accepted, "the next one can"
    session.close()
    assert _in_header(old) == FORMAT


def test_a_first_record_that_sqlite_refuses_leaves_nothing_half_done(old: Path) -> None:
    log = SqliteLog(old, "noughts")
    stranger = sqlite3.connect(old)
    stranger.execute("INSERT INTO record VALUES (?, 'undo', '{}', '[]', NULL, '')", (log.next_seq,))
    stranger.commit()
    with pytest.raises(LogWriteError, match="UNIQUE"):
        log.append("undo", {"do": "undo"})
    assert not log._db.in_transaction
    assert log._db.execute("PRAGMA user_version").fetchone() == (1,)
    stranger.close()
    log.close()


_KILLED_AT = """
import itertools, os, signal, sys
from pathlib import Path
from companion.log import SqliteLog
from companion.session import Session
from tests.toy.noughts import NOUGHTS
session = Session(NOUGHTS, SqliteLog(Path(sys.argv[1]), "noughts"))
number = itertools.count(1)
def begins(statement):
    if next(number) == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
session._log._db.set_trace_callback(begins)
session.submit({"do": "amend", "seq": 2, "command": {"do": "mark", "player": "O", "square": 8}})
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("statement", [1, 2, 3, 4, 5])
def test_kill_9_before_each_statement_leaves_the_old_log_or_the_new_one(old: Path, statement: int) -> None:
    """Statements: begin, insert, format, commit; the fifth never comes, the process dies after its answer."""
    program = [sys.executable, "-c", _KILLED_AT, str(old), str(statement)]
    done = subprocess.run(program, capture_output=True, timeout=60, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == -signal.SIGKILL, done.stderr
    log = SqliteLog(old, "noughts")
    (written,) = log._db.execute("PRAGMA user_version").fetchone()
    kinds = [record.kind for record in log.records()]
    assert (written, kinds.count("amend")) == ((FORMAT, 1) if statement == 5 else (1, 0))
    session = Session(NOUGHTS, log)
    assert session.state.squares == (".O..X...O" if statement == 5 else "OO..X....")
    assert session.submit({"do": "mark", "player": "X", "square": 5}).accepted
    session.close()
    assert _in_header(old) == FORMAT
    assert os.listdir(old.parent) == [old.name]
