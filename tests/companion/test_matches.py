"""The folder of matches: what is resumed, what is put aside, what is refused."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from companion.errors import InputError
from companion.matches import Matches
from companion.session import Session
from tests.toy.noughts import NOUGHTS

SETUP = {"do": "setup", "first": "O"}
MARK = {"do": "mark", "player": "O", "square": 4}


def _resumed(folder: Path, told: list[str] | None = None) -> Session:
    return Matches(folder, NOUGHTS).resume((told if told is not None else []).append)


def _play(folder: Path, *commands: dict[str, object]) -> None:
    session = _resumed(folder)
    for command in commands:
        reply = session.restart(command) if command is SETUP else session.submit(command)
        assert reply.accepted
    session.close()


def test_the_newest_match_is_resumed_and_each_set_up_has_its_own_log(tmp_path: Path) -> None:
    _play(tmp_path, SETUP, MARK)
    _play(tmp_path, SETUP)
    _play(tmp_path, MARK, {"do": "undo"})
    session = _resumed(tmp_path)
    assert (session.version, session.state_json) == (3, {"turn": "O", "squares": ".........", "winner": None})
    assert session.submit({"do": "redo"}).accepted
    session.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["match-000001.sqlite", "match-000002.sqlite"]


def test_an_empty_folder_is_no_match(tmp_path: Path) -> None:
    assert _resumed(tmp_path / "not" / "yet").state_json is None


def test_the_order_is_the_numbers_not_the_clocks(tmp_path: Path) -> None:
    _play(tmp_path, SETUP, MARK)
    (tmp_path / "match-000001.sqlite").rename(tmp_path / "match-1000000.sqlite")
    _play(tmp_path, SETUP)
    assert (tmp_path / "match-1000001.sqlite").exists()


def test_a_log_that_was_never_set_up_is_passed_over(tmp_path: Path) -> None:
    _play(tmp_path, SETUP, MARK)
    Matches(tmp_path, NOUGHTS).next_log().close()
    session = _resumed(tmp_path)
    assert session.version == 2
    session.close()


def test_a_damaged_log_is_put_aside_and_told(tmp_path: Path) -> None:
    _play(tmp_path, SETUP, MARK)
    _play(tmp_path, SETUP)
    (tmp_path / "match-000002.sqlite").write_bytes(b"\0" * 4096)
    told: list[str] = []
    session = _resumed(tmp_path, told)
    assert session.version == 2, "the match before it"
    session.close()
    assert "match-000002.sqlite.damaged-1" in told[0]
    assert (tmp_path / "match-000002.sqlite.damaged-1").read_bytes() == b"\0" * 4096
    assert len(told) == 1


def test_one_that_cannot_even_be_put_aside_is_told_and_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _play(tmp_path, SETUP, MARK)
    _play(tmp_path, SETUP)
    (tmp_path / "match-000002.sqlite").write_bytes(b"\0" * 4096)

    def read_only(self: Path, target: Path) -> Path:
        raise PermissionError(30, "Read-only file system")

    monkeypatch.setattr(Path, "rename", read_only)
    told: list[str] = []
    session = _resumed(tmp_path, told)
    assert session.version == 2, "the match before it"
    session.close()
    assert len(told) == 1
    assert "cannot be set aside: Read-only file system" in told[0]


def test_a_log_of_a_newer_companion_ends_it_and_nothing_is_changed(tmp_path: Path) -> None:
    _play(tmp_path, SETUP)
    path = tmp_path / "match-000001.sqlite"
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    before = path.read_bytes()
    with pytest.raises(InputError, match="newer companion"):
        _resumed(tmp_path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_a_match_in_use_cannot_be_resumed_twice(tmp_path: Path) -> None:
    _play(tmp_path, SETUP)
    session = _resumed(tmp_path)
    with pytest.raises(InputError, match="in use by another process"):
        _resumed(tmp_path)
    session.close()


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "matches").touch()
    with pytest.raises(InputError, match="cannot be used"):
        _resumed(tmp_path / "matches")


def test_of_simulated_matches_only_the_newest_stay(tmp_path: Path) -> None:
    session = Matches(tmp_path, NOUGHTS, keep=3).fresh()
    for _ in range(6):
        session.restart(SETUP)
    session.close()
    assert sorted(path.stem for path in tmp_path.iterdir()) == [f"match-00000{n}" for n in (3, 4, 5, 6)]
