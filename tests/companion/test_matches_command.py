"""`companion matches`: list, export, import, check (DESIGN §6)."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.log import SqliteLog
from companion.matches import Matches
from companion.rules.rematch.game import REMATCH
from companion.session import Session
from companion.shelf import Shelf

SETUP = {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"}
HIT = {"do": "hit", "source": "A", "hits": [{"player": "B", "button": "R", "amount": 3}]}
CONCEDE = {"do": "concede", "player": "B"}
TEXT = '[Game "rematch"]\n[Date "2026-02-28"]\n[First "A"]\n[Tray "RYBRY/YBRBY/BRYBR"]\n\nA hit B.R 3\n'
OVER = TEXT + "B concede\n"


@pytest.fixture(autouse=True)
def nobodys_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))


def said(capsys: pytest.CaptureFixture[str], *args: object) -> str:
    assert main(["matches", *map(str, args)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: pytest.CaptureFixture[str], *args: object) -> str:
    assert main(["matches", *map(str, args)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    return err


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def resumed(data: Path) -> Session:
    return Matches(data / "matches", REMATCH).resume(lambda text: None)


def play(data: Path, *commands: Mapping[str, Any]) -> Session:
    session = resumed(data)
    for command in commands:
        reply = session.restart(dict(command)) if command["do"] == "setup" else session.submit(dict(command))
        assert reply.accepted
    return session


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "m.txt"
    path.write_text(TEXT)
    return path


@pytest.fixture
def over(tmp_path: Path) -> Path:
    path = tmp_path / "over.txt"
    path.write_text(OVER)
    return path


def test_what_one_exports_another_imports_and_exports_the_same(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(data, SETUP, HIT, CONCEDE).close()
    file, other = tmp_path / "out.txt", tmp_path / "other"
    assert said(capsys, "export", "1", "-o", file, "--data", data) == ""
    assert said(capsys, "export", "--data", data).encode() == file.read_bytes()
    assert said(capsys, "check", file) == f"{file}: A – B, A wins: B concedes\n"
    assert said(capsys, "import", file, "--data", other) == "Imported as match 1: A – B, A wins: B concedes.\n"
    assert said(capsys, "export", "1", "--data", other).encode() == file.read_bytes()


def test_the_date_is_the_texts(data: Path, text: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "import", text, "--data", data)
    assert '[Date "2026-02-28"]' in said(capsys, "export", "--data", data)


def test_list(data: Path, over: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "list", "--data", data) == f"There are no matches in {data / 'matches'} yet.\n"
    assert json.loads(said(capsys, "list", "--json", "--data", data)) == []
    assert not data.exists()
    play(data, SETUP).close()
    session = play(data, SETUP, HIT)
    said(capsys, "import", over, "--data", data)
    (data / "matches" / "match-000009.sqlite").write_bytes(b"x" * 200)
    SqliteLog(data / "matches" / "match-000010.sqlite", "rematch").close()  # begun, but never set up
    rows = said(capsys, "list", "--data", data).splitlines()
    today = session.timeline[0].wall[:10]
    assert rows == [
        f"   1  {today}  A – B                     under way, turn 1 A",
        f"   2  {today}  A – B                     under way, turn 1 A  (run goes on with it)",
        "   3  2026-02-28  A – B                     A wins: B concedes  (imported)",
        f"   9  log {data / 'matches' / 'match-000009.sqlite'}: is no log of matches",
    ]
    listed = json.loads(said(capsys, "list", "--json", "--data", data))
    assert [item["number"] for item in listed] == [1, 2, 3, 9]
    assert listed[2] == {
        "number": 3, "date": "2026-02-28", "players": "A – B", "turn": "turn 1 A", "result": "A wins: B concedes",
        "resumed": False, "imported": True, "file": str(data / "matches" / "match-000003-imported.sqlite"),
        "error": None,
    }  # fmt: skip
    assert [item["resumed"] for item in listed] == [False, True, False, False]
    session.close()


def test_a_match_is_exported_while_it_is_played(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = play(data, SETUP, HIT)
    assert "A hit B.R 3" in said(capsys, "export", "--data", data)
    before = files(data)
    said(capsys, "list", "--data", data)
    # what SQLite shares between processes may change; the log and its write-ahead log may not
    assert {name: content for name, content in files(data).items() if not name.endswith("-shm")} == {
        name: content for name, content in before.items() if not name.endswith("-shm")
    }
    assert session.submit(CONCEDE).accepted
    assert "B concede" in said(capsys, "export", "latest", "--data", data)
    session.close()


def test_everything_is_told_on_request(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = play(data, SETUP, HIT)
    session.submit({"do": "undo"})
    session.submit({"do": "end_turn", "player": "B"})
    session.close()
    assert "hit" not in said(capsys, "export", "--data", data)
    text = said(capsys, "export", "--all", "--data", data)
    assert "; not in force: A hit B.R 3" in text
    assert "; refused: B end – It is player A's turn" in text


def test_an_unfinished_match_is_played_on_when_no_other_is_under_way(
    data: Path, text: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(data, SETUP, CONCEDE).close()
    assert said(capsys, "import", text, "--data", data) == (
        "Imported as match 2: A – B, under way, turn 1 A.\nThe next `companion run` goes on with it.\n"
    )
    session = play(data, CONCEDE)
    assert session.state_json is not None
    assert session.state_json["players"]["B"]["buttons"]["R"]["hp"] == 7
    assert len(session.timeline) == 3
    session.close()


def test_no_import_takes_the_place_of_the_match_under_way(
    data: Path, text: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = play(data, SETUP)
    assert said(capsys, "import", text, "--data", data).splitlines() == [
        "Imported as match 2: A – B, under way, turn 1 A.",
        "`companion run` still goes on with match 1, which is under way; to play this one on, end match 1 and import "
        "it again.",
    ]
    assert "[First" in said(capsys, "export", "2", "--data", data)
    assert "hit" not in said(capsys, "export", "latest", "--data", data)
    session.close()
    session = resumed(data)
    assert len(session.timeline) == 1
    # numbers are never given twice
    assert session.submit(CONCEDE).accepted
    assert session.submit(SETUP).accepted
    session.close()
    assert sorted(path.name for path in (data / "matches").iterdir()) == [
        "match-000001.sqlite", "match-000002-imported.sqlite", "match-000003.sqlite",
    ]  # fmt: skip


def test_a_finished_match_is_only_for_looking_up(data: Path, over: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(data, SETUP, CONCEDE).close()
    assert said(capsys, "import", over, "--data", data) == "Imported as match 2: A – B, A wins: B concedes.\n"
    session = resumed(data)
    assert session.timeline[-1].command == CONCEDE
    assert len(session.timeline) == 2  # match 1: its end can still be undone
    session.close()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (TEXT + "A hop\n", 'line 7: command: "hop" stands where a command'),
        (TEXT + "B end\n", "line 7: It is player A's turn"),
        (TEXT + ";= turn 3 A\n", "line 7: the note is wrong"),
        ("", "is empty"),
        (TEXT.replace("rematch", "chess"), "Game: 'chess' is not known here: there is rematch"),
        (TEXT.replace('"A"', '"A'), "line 3: a double quote is never closed"),
    ],
)
@pytest.mark.parametrize("what", ["import", "check"])
def test_nothing_half_imported(
    what: str, content: str, sentence: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(data, SETUP).close()
    before = files(data)
    file = tmp_path / "bad.txt"
    file.write_text(content)
    assert refused(capsys, what, file, "--data", data).startswith(f"match {file}: {sentence}")
    assert files(data) == before


def test_recount_leaves_notes_unchecked(text: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text.write_text(TEXT + ";= turn 3 A\n")
    refused(capsys, "check", text)
    said(capsys, "check", text, "--recount")
    said(capsys, "import", text, "--recount", "--data", data)
    assert ";= turn 1 A" in said(capsys, "export", "--data", data)


def test_files_that_cannot_be_used(
    data: Path, text: Path, over: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "No such file" in refused(capsys, "check", tmp_path / "none")
    assert "Is a directory" in refused(capsys, "import", tmp_path, "--data", data)
    large = tmp_path / "large"
    large.write_bytes(b"; x\n" * 2_500_000)
    assert "too large for a match" in refused(capsys, "check", large)
    play(data, SETUP).close()
    assert "cannot write" in refused(capsys, "export", "-o", tmp_path / "no" / "m.txt", "--data", data)
    assert "Not a directory" in refused(capsys, "import", text, "--data", over)
    (data / "wrong").mkdir()
    (data / "wrong" / "matches").touch()
    assert "matches: cannot be used: Not a directory" in refused(capsys, "import", text, "--data", data / "wrong")


@pytest.mark.parametrize(
    ("which", "sentence"),
    [
        ("7", "match 7: is not in folder {folder} (there is only 1)"),
        ("0", "match 0: is not in folder {folder} (there is only 1)"),
        ("newest", "match 'newest': is no number of a match, nor the word latest"),
        ("²", "match '²': is no number of a match"),
        ("9" * 5000, "match 999"),
    ],
)
def test_a_match_that_is_not_there(which: str, sentence: str, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "export", "--data", data) == f"folder {data / 'matches'}: holds no match yet\n"
    play(data, SETUP).close()
    assert refused(capsys, "export", which, "--data", data).startswith(sentence.format(folder=data / "matches"))
    assert said(capsys, "export", "0001", "--data", data) == said(capsys, "export", "1", "--data", data)


def test_a_folder_that_holds_imported_matches_alone_is_not_called_empty(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "over.txt"
    text.write_text(OVER)
    said(capsys, "import", text, "--data", data)
    sentence = f"folder {data / 'matches'}: no match was begun here; name one by its number (there is only 1)\n"
    assert refused(capsys, "export", "--data", data) == sentence


def test_a_log_of_another_game_or_of_events_that_no_rules_wrote(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = data / "matches"
    for number, game, events in ((1, "chess", []), (2, "rematch", [{"type": "castled"}])):
        log = SqliteLog(folder / f"match-00000{number}.sqlite", game)
        log.append("accepted", {"do": "setup"}, events)
        log.close()
    assert "is of the game 'chess', not 'rematch'" in refused(capsys, "export", "1", "--data", data)
    assert "match 2: the log cannot be replayed" in refused(capsys, "export", "2", "--data", data)
    first, second = json.loads(said(capsys, "list", "--json", "--data", data))
    assert "chess" in first["error"]
    assert "cannot be replayed" in second["error"]


def test_a_number_taken_meanwhile_is_passed_over(
    data: Path, over: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    link, taken = os.link, []

    def meanwhile(source: Path, target: Path) -> None:
        if not taken:
            taken.append(target)
            target.touch()
        link(source, target)

    monkeypatch.setattr(os, "link", meanwhile)
    assert said(capsys, "import", over, "--data", data).startswith("Imported as match 2: ")
    assert taken[0].read_bytes() == b""


def test_a_file_system_without_links(
    data: Path, over: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(source: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    said(capsys, "import", over, "--data", data)
    assert said(capsys, "import", over, "--data", data).startswith("Imported as match 2: ")
    assert sorted(files(data)) == ["matches/match-000001-imported.sqlite", "matches/match-000002-imported.sqlite"]


def test_a_card_that_is_full_leaves_nothing_behind(
    data: Path, over: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    play(data, SETUP).close()
    before = files(data)

    def full(self: SqliteLog, row: Any) -> None:
        self._db.execute("INSERT INTO nowhere VALUES (1)")

    monkeypatch.setattr(SqliteLog, "_insert", full)
    assert "could not be written" in refused(capsys, "import", over, "--data", data)
    assert files(data) == before


def test_only_take_writes(data: Path) -> None:
    from companion.games import notation

    shelf = Shelf(data, REMATCH, notation("rematch"))
    assert (shelf.kept(), list(shelf.summaries()), shelf.under_way()) == ([], [], None)
    assert not data.exists()
