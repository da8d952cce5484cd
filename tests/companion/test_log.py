"""The log on disk: what it refuses, and that it then changes nothing."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from companion.errors import InputError
from companion.games import game
from companion.log import LogWriteError, SqliteLog
from companion.log_reading import FORMAT, DamagedLog, look
from companion.session import Session


def _written(path: Path) -> Path:
    log = SqliteLog(path, "noughts")
    log.append("accepted", {"do": "setup"}, [{"type": "began"}])
    log.append("refused", {"do": "dance"}, error={"code": "unknown_command"})
    log.close()
    return path


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_records_come_back_in_order(tmp_path: Path) -> None:
    log = SqliteLog(_written(tmp_path / "m.sqlite"), "noughts")
    first, second = log.records()
    assert (first.seq, first.kind, first.command, first.events) == (
        1,
        "accepted",
        {"do": "setup"},
        ({"type": "began"},),
    )
    assert (second.seq, second.kind, second.error) == (2, "refused", {"code": "unknown_command"})
    assert log.append("undo", {"do": "undo"}).seq == 3
    log.close()
    assert os.listdir(tmp_path) == ["m.sqlite"]


def test_every_append_is_durable_when_it_returns(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "m.sqlite")
    (mode,) = log._db.execute("PRAGMA journal_mode").fetchone()
    (synchronous,) = log._db.execute("PRAGMA synchronous").fetchone()
    assert (mode, synchronous) == ("wal", 2)
    assert not log._db.in_transaction
    log.close()


def test_no_record_is_ever_changed_or_taken_out(tmp_path: Path) -> None:
    db = sqlite3.connect(_written(tmp_path / "m.sqlite"))
    for statement in ("DELETE FROM record", "UPDATE record SET kind = 'refused'"):
        with pytest.raises(sqlite3.IntegrityError, match="append only"):
            db.execute(statement)
    db.close()


def test_a_log_of_a_newer_version_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = _written(tmp_path / "m.sqlite")
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {FORMAT + 1}")
    db.close()
    before = _files(tmp_path)
    with pytest.raises(InputError, match="newer companion") as caught:
        SqliteLog(path, "noughts")
    assert not isinstance(caught.value, DamagedLog)
    assert str(path) in str(caught.value)
    assert _files(tmp_path) == before


def _no_database(path: Path) -> None:
    path.write_bytes(b"score: 3 to 4\n" * 20)


def _another_database(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE record (seq)")
    db.close()


def _cut_short(path: Path) -> None:
    _written(path)
    os.truncate(path, 1024)


def _garbled(path: Path) -> None:
    _written(path)
    with path.open("r+b") as file:
        file.seek(1024)
        file.write(b"\xa5" * 2048)


def _bad_json(path: Path) -> None:
    log = SqliteLog(path, "noughts")
    log._db.execute("INSERT INTO record VALUES (1, 'accepted', '{', '[]', NULL, '')")
    log.close()


@pytest.mark.parametrize("spoil", [_no_database, _another_database, _cut_short, _garbled, _bad_json])
def test_a_file_that_is_no_log_is_refused_and_not_touched(tmp_path: Path, spoil: object) -> None:
    path = tmp_path / "m.sqlite"
    spoil(path)
    before = path.read_bytes()
    with pytest.raises(DamagedLog) as caught:
        SqliteLog(path, "noughts")
    assert str(path) in str(caught.value)
    assert path.read_bytes() == before


def test_an_empty_file_is_a_log_that_never_began(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    path.touch()
    log = SqliteLog(path, "noughts")
    assert log.records() == ()
    log.close()


@pytest.mark.parametrize("at", [1, 6, 8])
def test_a_log_whose_making_was_cut_off_never_began(tmp_path: Path, at: int) -> None:
    """kill -9 between two statements of its making, and with what SQLite had written by then."""
    made = tmp_path / "made"
    made.mkdir()
    script = f"""
import os, signal, sys
from pathlib import Path
from companion import log
class Cut(log.SqliteLog):
    def _create(self, game):
        calls = iter(range(99))
        real = self._db
        class Db:
            def execute(self, statement, *more):
                if next(calls) == {at}:
                    real.execute("PRAGMA cache_spill=1")
                    os.kill(os.getpid(), signal.SIGKILL)
                return real.execute(statement, *more)
        real.execute("PRAGMA cache_size=1")  # so that pages are written before the end
        self._db = Db()
        super()._create(game)
Cut(Path({str(made / "m.sqlite")!r}), "noughts")
"""
    ended = subprocess.run([sys.executable, "-c", script], check=False, timeout=60)
    assert ended.returncode == -9
    assert look(made / "m.sqlite") == ("", ())
    log = SqliteLog(made / "m.sqlite", "noughts")
    assert log.records() == ()
    assert log.append("accepted", {"do": "setup"}).seq == 1
    log.close()
    assert look(made / "m.sqlite")[0] == "noughts"


def test_the_log_of_another_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'noughts', not 'rematch'"):
        SqliteLog(_written(tmp_path / "m.sqlite"), "rematch")


def test_a_folder_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        SqliteLog(tmp_path / "file" / "m.sqlite")
    (tmp_path / "m.sqlite").mkdir()
    with pytest.raises(InputError):
        SqliteLog(tmp_path / "m.sqlite")


def test_a_log_has_one_owner(tmp_path: Path) -> None:
    path = _written(tmp_path / "m.sqlite")
    log = SqliteLog(path)
    with pytest.raises(InputError, match="in use by another"):
        SqliteLog(path)
    program = f"from companion.log import SqliteLog; from pathlib import Path; SqliteLog(Path({str(path)!r}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "in use by another process" in done.stderr
    log.append("undo", {"do": "undo"})
    log.close()
    SqliteLog(path).close()


def test_whoever_only_reads_may_look_while_it_is_held(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "m.sqlite")
    log.append("accepted", {"do": "setup"})
    reader = sqlite3.connect(f"file:{log.path}?mode=ro", uri=True)
    assert reader.execute("SELECT count(*) FROM record").fetchone() == (1,)
    reader.close()
    assert look(log.path) == ("", log.records())
    log.append("undo", {"do": "undo"})
    assert len(look(log.path)[1]) == 2
    log.close()


def test_a_look_leaves_nothing_behind(tmp_path: Path) -> None:
    path = _written(tmp_path / "m.sqlite")
    before = _files(tmp_path)
    game, records = look(path)
    assert (game, [record.seq for record in records]) == ("noughts", [1, 2])
    assert _files(tmp_path) == before


def test_a_look_sees_what_a_power_cut_left_in_the_write_ahead_log(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "m.sqlite")
    log.append("accepted", {"do": "setup"})
    cut = tmp_path / "cut"
    cut.mkdir()
    for ending in ("", "-wal"):
        (cut / f"m.sqlite{ending}").write_bytes((tmp_path / f"m.sqlite{ending}").read_bytes())
    log.close()
    assert [record.command for record in look(cut / "m.sqlite")[1]] == [{"do": "setup"}]


def test_a_look_refuses_what_opening_refuses(tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"x" * 200)
    with pytest.raises(DamagedLog, match="is no log of matches"):
        look(tmp_path / "other")
    path = _written(tmp_path / "m.sqlite")
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {FORMAT + 1}")
    db.close()
    with pytest.raises(InputError, match="newer companion"):
        look(path)
    empty = _written(tmp_path / "e.sqlite")
    db = sqlite3.connect(empty)
    db.execute("DROP TABLE record")
    db.close()
    with pytest.raises(DamagedLog, match="damaged"):
        look(empty)
    (tmp_path / "begun").touch()
    assert look(tmp_path / "begun") == ("", ())


def test_records_may_be_labelled_with_another_time(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "m.sqlite", wall=lambda: "2026-02-28")
    assert log.append("accepted", {"do": "setup"}).wall == "2026-02-28"
    log.close()


def test_a_write_that_fails_is_told_and_leaves_no_record(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "m.sqlite")
    log._db.execute("PRAGMA max_page_count = 6")
    with pytest.raises(LogWriteError, match="full"):
        log.append("accepted", {"do": "setup", "name": Random(1).randbytes(25_000).hex()})
    assert log.records() == ()
    log.append("accepted", {"do": "setup"})
    log.close()
    again = SqliteLog(tmp_path / "m.sqlite")
    assert [r.command for r in again.records()] == [{"do": "setup"}]
    again.close()


def test_a_match_takes_little_of_a_card(tmp_path: Path) -> None:
    """What is handed to the system, in whole frames; and the file seldom grows: each time costs a journal as well."""
    session = Session(game("rematch"), SqliteLog(tmp_path / "m.sqlite", "rematch"))
    wal = tmp_path / "m.sqlite-wal"
    session.submit({"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"})
    session.submit({"do": "begin"})
    lengths, written = set(), _end_of_frames(wal)
    for number in range(40):
        hits = [{"player": "AB"[number % 2], "button": "RYB"[number % 3], "amount": 1}]
        assert session.submit({"do": "hit", "source": "A", "hits": hits}).accepted
        lengths.add(wal.stat().st_size)
    assert (_end_of_frames(wal) - written) / 40 < 900
    assert len(lengths) <= 3
    session.close()


def _end_of_frames(wal: Path) -> int:
    data = wal.read_bytes()
    return 32 + 536 * sum(data[at + 8 : at + 16] == data[16:24] for at in range(32, len(data), 536))


def test_a_card_without_such_a_call_keeps_the_log_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(handle: int, at: int, length: int) -> None:
        raise OSError("not supported")

    monkeypatch.setattr(os, "posix_fallocate", refuse)
    path = _written(tmp_path / "m.sqlite")
    log = SqliteLog(path)
    assert len(log.records()) > 0
    log.close()


def test_a_log_with_a_record_missing_in_the_middle_is_damaged(tmp_path: Path) -> None:
    """An old page between new ones, as a torn checkpoint leaves it: the state after it would be another match's."""
    path = tmp_path / "m.sqlite"
    log = SqliteLog(path, "toy")
    for number in range(5):
        log.append("accepted", {"do": "x", "n": number})
    log.close()
    with contextlib.closing(sqlite3.connect(path)) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("DELETE FROM record WHERE seq = 3")
        db.commit()
    for read in (lambda: SqliteLog(path, "toy"), lambda: look(path)):
        with pytest.raises(DamagedLog, match="record 3 is missing"):
            read()
