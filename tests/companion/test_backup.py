"""Everything as one file, made while a match is played, and put back whole or not at all."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import sqlite3
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.backup import FORMAT, KINDS, MANIFEST, VERSION, write_backup
from companion.cli import main
from companion.games import game
from companion.log_reading import FORMAT as LOG_FORMAT
from companion.log_reading import look
from companion.matches import Matches
from companion.pairing import Pairing, read_pin
from companion.restoring import NOTE, finish, restore
from companion.session import Session
from companion.switches import Switches
from tests.companion.running import running

RULES = game("rematch")
SETUP = {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"}
TABLE = 'version = 1\ngame = "rematch"\n\n[sensors.pins]\na = 17\nb = 27\nc = 22\n'


def filled(data: Path, heal: int = 1) -> Session:
    """A table's data with a match that is being played: the session holds its log open."""
    data.mkdir(parents=True)
    matches = Matches(data / "matches", RULES)
    first = matches.fresh()
    first.submit(SETUP)
    first.restart(SETUP)
    for _ in range(heal):
        assert first.submit({"do": "heal", "player": "A", "button": "R", "amount": 0}).accepted
    (data / "table.toml").write_text(TABLE)
    (data / "fighters").mkdir()
    (data / "fighters" / "house.toml").write_text("format = 1\n")
    (data / "matches" / "match-000001.sqlite.damaged-1").write_bytes(b"\xff" * 700)
    Pairing(data)
    Switches(data).set_help(True)
    (data / "simulated").mkdir()
    (data / "simulated" / "match-000001.sqlite").write_bytes(b"nobody looks this up")
    return first


def files(folder: Path) -> dict[str, bytes]:
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {name: data for name, data in found.items() if not name.endswith(("-lock", "-shm", "-wal", "lock"))}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Data of a table whose match is over for today."""
    filled(tmp_path / "data").close()
    return tmp_path / "data"


@pytest.fixture
def backup(table: Path, tmp_path: Path) -> Path:
    write_backup(table, tmp_path / "b.zip")
    return tmp_path / "b.zip"


def test_everything_comes_back_on_another_card_though_a_match_was_being_played(tmp_path: Path) -> None:
    session = filled(tmp_path / "data", heal=30)
    contents = write_backup(tmp_path / "data", tmp_path / "b.zip")
    assert contents.matches == 2
    # the match goes on; what came later is not in it
    assert session.submit({"do": "heal", "player": "B", "button": "R", "amount": 0}).accepted
    new = tmp_path / "new" / "card"
    assert restore(tmp_path / "b.zip", new).aside is None
    _, records = look(new / "matches" / "match-000002.sqlite")
    assert records == look(tmp_path / "data" / "matches" / "match-000002.sqlite")[1][:-1]
    assert len(records) == 31
    again = Matches(new / "matches", RULES).resume(lambda text: None)
    assert again.version == 31
    assert again.submit({"do": "undo"}).accepted
    again.close()
    session.close()
    assert read_pin(new) == read_pin(tmp_path / "data")
    assert Switches(new).help
    for name in ("table.toml", "fighters/house.toml", "matches/match-000001.sqlite.damaged-1"):
        assert (new / name).read_bytes() == (tmp_path / "data" / name).read_bytes()
    assert not (new / "simulated").exists()
    assert stat.S_IMODE((new / "pairing.json").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "b.zip").stat().st_mode) == 0o600


def test_what_is_replaced_is_kept_aside(table: Path, backup: Path) -> None:
    before = files(table)
    (table / "table.toml").write_text(TABLE.replace("17", "5"))
    (table / "fighters" / "mine.toml").write_text("format = 1\n")
    changed = files(table)
    found = restore(backup, table)
    assert found.aside == table / "before-restore-1"
    now = files(table)
    kept = {name.removeprefix("before-restore-1/"): data for name, data in now.items() if name.startswith("before")}
    simulated = {name for name in changed if name.startswith("simulated")}
    assert kept == {name: data for name, data in changed.items() if name not in simulated}
    logs = {name for name in before if name.endswith(".sqlite")}
    assert {name for name in now if not name.startswith("before")} == set(before)
    for name in set(before) - logs:
        assert now[name] == before[name]
    assert restore(backup, table).aside == table / "before-restore-2"


def test_an_older_backup_of_that_name_is_replaced_but_nothing_else(table: Path, backup: Path, tmp_path: Path) -> None:
    assert write_backup(table, backup).matches == 2
    other = tmp_path / "holiday.zip"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("beach.txt", "sun")
    data = other.read_bytes()
    for target in (other, table / "table.toml"):
        assert main(["backup", str(target), "--data", str(table)]) == 2
    assert other.read_bytes() == data
    assert main(["backup", str(tmp_path / "no" / "such" / "b.zip"), "--data", str(table)]) == 2
    assert main(["backup", str(tmp_path / "c.zip"), "--data", str(tmp_path / "nothing")]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.zip", "data", "holiday.zip"]


def repacked(backup: Path, change: Callable[[dict[str, bytes], dict[str, Any]], None]) -> None:
    """The same backup with other files and another list."""
    with zipfile.ZipFile(backup) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(found.pop(MANIFEST))
    change(found, manifest)
    with zipfile.ZipFile(backup, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, json.dumps(manifest))
        for name, data in found.items():
            archive.writestr(name, data)


def _set(**values: Any) -> Callable[[Any, Any], None]:
    return lambda found, manifest: manifest.update(values)


def _put(name: str) -> Callable[[Any, Any], None]:
    def change(found: dict[str, bytes], manifest: dict[str, Any]) -> None:
        found[name] = b""
        empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        manifest["files"].append({"name": name, "size": 0, "sha256": empty})

    return change


def _other_bytes(found: dict[str, bytes], manifest: dict[str, Any]) -> None:
    found["table.toml"] = found["table.toml"].replace(b"17", b"18")


def _more_than_it_says(found: dict[str, bytes], manifest: dict[str, Any]) -> None:
    found["table.toml"] = b"\0" * 10_000_000


def _lost(found: dict[str, bytes], manifest: dict[str, Any]) -> None:
    del found["table.toml"]


SPOILT: dict[str, tuple[Callable[[Any, Any], None], str]] = {
    "newer": (_set(version=VERSION + 1), "newer companion"),
    "another format": (_set(format="holiday"), "no backup"),
    "no list": (_set(files=None), "damaged"),
    "odd list": (_set(files=[{"name": "table.toml", "size": "x", "sha256": ""}]), "damaged"),
    "changed": (_other_bytes, "table.toml is not as it was put in"),
    "unpacks to more": (_more_than_it_says, "table.toml is not as it was put in"),
    "lost": (_lost, "other files"),
    "out of the folder": (_put("../evil.toml"), "no file of a table"),
    "absolute": (_put("/etc/evil.toml"), "no file of a table"),
    "deep": (_put("fighters/a/../../x.toml"), "no file of a table"),
    "a program": (_put("lock"), "no file of a table"),
    "hidden": (_put("fighters/.x.toml"), "no file of a table"),
}


@pytest.mark.parametrize("how", SPOILT)
def test_a_damaged_or_newer_backup_changes_nothing(
    table: Path, backup: Path, how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change, told = SPOILT[how]
    repacked(backup, change)
    before = files(table)
    assert main(["restore", str(backup), "--data", str(table)]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1
    assert files(table) == before
    assert not list(table.glob(".restoring*"))


@pytest.mark.parametrize("cut", [0, 1, 30, 500, 0.5, 0.9, -1])
def test_a_backup_that_was_cut_off_changes_nothing(
    table: Path, backup: Path, cut: float, capsys: pytest.CaptureFixture[str]
) -> None:
    size = backup.stat().st_size
    os.truncate(backup, size + int(cut) if cut < 0 else int(cut * size) if 0 < cut < 1 else int(cut))
    before = files(table)
    assert main(["restore", str(backup), "--data", str(table)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert files(table) == before


def test_flipped_bytes_are_noticed(table: Path, backup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = backup.read_bytes()
    before = files(table)
    refused = 0
    for at in range(40, len(whole), len(whole) // 25):
        backup.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        if main(["restore", str(backup), "--data", str(table)]) == 2:
            refused += 1
            assert capsys.readouterr().err.count("\n") == 1
            assert files(table) == before
        else:  # in a place of the archive that says nothing about its files
            shutil.rmtree(table)
            restore(backup, table)
            before = files(table)
    assert refused > 15


def test_a_log_or_table_file_of_a_newer_companion_changes_nothing(table: Path, tmp_path: Path) -> None:
    db = sqlite3.connect(table / "matches" / "match-000002.sqlite")
    db.execute(f"PRAGMA user_version = {LOG_FORMAT + 1}")
    db.close()
    write_backup(table, tmp_path / "log.zip")
    with pytest.raises(ValueError, match=r"match-000002\.sqlite was written by a newer companion"):
        restore(tmp_path / "log.zip", tmp_path / "new")
    shutil.rmtree(table / "matches")
    (table / "table.toml").write_text(TABLE.replace("version = 1", "version = 9"))
    write_backup(table, tmp_path / "t.zip")
    with pytest.raises(ValueError, match=r"table\.toml was written by a newer companion"):
        restore(tmp_path / "t.zip", tmp_path / "new")
    assert files(tmp_path / "new") == {}


def test_what_was_damaged_already_is_put_back_as_it_was(table: Path, tmp_path: Path) -> None:
    log = table / "matches" / "match-000001.sqlite"
    log.write_bytes(b"\0" * 900)
    write_backup(table, tmp_path / "b.zip")
    restore(tmp_path / "b.zip", tmp_path / "new")
    assert (tmp_path / "new" / "matches" / log.name).read_bytes() == b"\0" * 900


def test_a_full_card_is_said_before_anything_is_changed(
    table: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(table)
    monkeypatch.setattr("companion.restoring.free_bytes", lambda folder: 5 * 2**20)
    with pytest.raises(ValueError, match="only 5 MB are free"):
        restore(backup, table)
    assert files(table) == before


def test_wherever_the_plug_is_pulled_the_next_start_ends_it(
    table: Path, backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each rename, and each change of the note, is a moment at which it can end."""
    (table / "table.toml").write_text(TABLE.replace("17", "5"))
    restore(backup, shutil.copytree(table, tmp_path / "reference"))
    expected = files(tmp_path / "reference")
    before = files(table)
    outcomes = []
    for moment in range(40):
        data = shutil.copytree(table, tmp_path / f"try-{moment}")
        left = [moment]

        def pulled(real: Any, left: list[int] = left) -> Any:
            def act(*args: Any, **more: Any) -> Any:
                if not left[0]:
                    raise KeyboardInterrupt
                left[0] -= 1
                return real(*args, **more)

            return act

        with monkeypatch.context() as patched:
            patched.setattr(os, "rename", pulled(os.rename))
            patched.setattr("companion.restoring.write_whole", pulled(Path.write_bytes))
            patched.setattr("companion.restoring.sync_folder", pulled(lambda folder: None))
            try:
                restore(backup, data)
                ended = True
            except KeyboardInterrupt:
                ended = False
        begun = (data / NOTE).exists()
        finish(data)
        assert not (data / NOTE).exists()
        assert files(data) == (expected if ended or begun or files(data) == expected else before)
        outcomes.append((ended, begun))
        if ended:
            break
    assert outcomes[-1] == (True, False)
    assert (False, False) in outcomes
    assert (False, True) in outcomes


def test_a_note_that_is_none_is_named(tmp_path: Path) -> None:
    for text in ("", "{}", '{"version": 1, "phase": "place", "unpacked": "..", "aside": "x"}'):
        (tmp_path / NOTE).write_text(text)
        with pytest.raises(ValueError, match="no note of a restore"):
            finish(tmp_path)
    assert KINDS[0] == "matches"
    assert FORMAT.startswith("table-companion")


def test_a_running_companion_gives_a_backup_and_takes_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, file = tmp_path / "data", tmp_path / "b.zip"
    with running(data) as run:
        run.do(SETUP)
        state = run.do({"do": "begin"})["state"]
        connection = http.client.HTTPConnection("127.0.0.1", run.port, timeout=30)
        connection.request("GET", "/api/backup.zip")
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Content-Type"]) == (200, "application/zip")
        file.write_bytes(answer.read())
        connection.close()
        assert main(["restore", str(file), "--data", str(data)]) == 2
        assert "stop the companion first" in capsys.readouterr().err
        run.do({"do": "undo"})
        run.process.terminate()
        run.process.wait(30)
    assert main(["restore", str(file), "--data", str(data)]) == 0
    assert "before-restore-1" in capsys.readouterr().out
    with running(data) as run:
        assert run.state == state


def test_one_file_is_counted_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "table.toml").write_text("version = 1\n")
    assert main(["backup", str(tmp_path / "b.zip"), "--data", str(data)]) == 0
    assert ": 0 matches, 1 file, " in capsys.readouterr().out
    assert main(["restore", str(tmp_path / "b.zip"), "--data", str(tmp_path / "other")]) == 0
    assert capsys.readouterr().out.startswith("Restored: 0 matches, 1 file, as they were on ")
