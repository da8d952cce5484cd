"""Re;ACT as text: a whole match there and back, and what is said when a line means nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion import match_text
from companion.cli import main
from companion.errors import InputError
from companion.games import game, notation
from companion.log import MemoryLog, SqliteLog
from companion.matches import Matches
from companion.records import Records
from companion.rules.notation import NotationError
from companion.rules.react import lines
from companion.session import Session
from companion.shelf import Shelf
from tests.companion.rules.react.cases import setup
from tests.companion.rules.react.matches import MATCH

WORDS = notation("react")


def played(*commands: dict[str, Any]) -> Session:
    session = Session(game("react"), MemoryLog())
    for command in commands:
        reply = session.submit(json.loads(json.dumps(command)))
        assert reply.accepted, (command, reply.body)
    return session


def text_of(session: Session) -> str:
    return match_text.write(session.timeline, session.game, WORDS)


def test_a_whole_match_there_and_back() -> None:
    session = played(*MATCH)
    assert session.state_json is not None
    assert session.state_json["over"] == {"winner": "A", "reason": "damage"}
    text = text_of(session)
    assert not [line for line in text.splitlines() if line.startswith("{")], "words say every command"
    again = match_text.play(match_text.read(text.encode(), "text"), game("react"), WORDS)
    assert again.state_json == session.state_json
    assert [record.command for record in again.timeline] == [record.command for record in session.timeline]
    assert text_of(again) == text
    assert "Setup" not in text
    for line in (
        '[Result "A wins: B has 3 damage"]',
        '[A "Dancer"]',
        '[Field "5x5 A 3,1 B 3,5"]',
        "A play intention card=Dancer effect=Leap from=ability costs=[(exhaust A)]  ; card 1",
        "resolve effects=[(damage [2,5] amount=2) (A descend)]  ; card 1 of player A resolves next",
    ):
        assert line in text.splitlines(), line


def test_everything_is_told_in_words() -> None:
    session = played(*MATCH)
    named = [session.game.named(record.command) for record in session.timeline]
    assert named[0] == "Set-up: A begins on 5 × 5 zones; A is Dancer; B is Ink Cook"
    assert "A plays Riptide as an Intention, paying: target 3,5" in named
    told = [text for record in session.timeline for text in session.game.told(record.events)]
    assert told[-1] == "A wins: the third damage."
    for text in ("A ascends.", "Third scale of A comes first.", "Blocked in 3,5.".lower()):
        assert text in told


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("A fly", "play, pass"),
        ("C pass", "where a command"),
        ("A play intention card=", "a value is needed"),
        ('A play intention card="x', "never closed"),
        ("A play intention card=x card=y", "said twice"),
        ("resolve effects=[(exhaust A)", "a value is needed"),
        ("resolve effects=[(exhaust A]", "name=value is needed"),
        ("resolve effects=[(setup)]", "where a command (move"),
        ("resolve effects=" + "[" * 60, "too deep"),
        ("resolve ) x", "name=value"),
        ("", "the line ends where a command"),
    ],
)
def test_a_line_that_means_nothing(line: str, said: str) -> None:
    with pytest.raises(NotationError) as error:
        lines.read(line)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("tags", "said"),
    [
        ('[First "A"]', "line 2: the tag Field is missing"),
        ('[Field "5x5 A 3,1 B 3,5"]', "the tag First is missing"),
        ('[First "A"]\n[Field "5x5"]', "line 3: Field: columns x rows"),
        ('[First "A"]\n[Field "5x5 A 3,1 B 3,6"]', "line 3: setup: field.stars.B: 3,6 lies off a board"),
        ('[First "A"]\n[Field "5x5 A 3,1 B 3,5"]\n[Tray "x"]', "line 4: there is no tag"),
        ('[First "C"]\n[Field "5x5 A 3,1 B 3,5"]', "line 2: setup: first"),
        ('[First "A"]\n[A "Juggler"]\n[Field "5x5 A 3,1 B 3,5"]', "line 3: setup: players.A.artist is 'Juggler'"),
        ('[First "A"]\n[Rules "kicker=optional"]\n[Field "5x5 A 3,1 B 3,5"]', "line 3: setup: rules has no field"),
        ('[First "A"]\n[More "x=1"]\n[Field "5x5 A 3,1 B 3,5"]', "line 3: More"),
    ],
)
def test_a_header_that_means_nothing(tags: str, said: str) -> None:
    text = f'[Game "react"]\n{tags}\n\ndraw\n'
    with pytest.raises(InputError) as error:
        match_text.play(match_text.read(text.encode(), "x"), game("react"), WORDS)
    assert said in str(error.value)


def test_a_wrong_note_is_named() -> None:
    text = '[Game "react"]\n[First "A"]\n[Field "5x5 A 3,1 B 3,5"]\n\ndraw ;= {}\n'
    for note, said in (("A hp 3 hand 4 deck 25", "but it is"), ("tray x", "cannot be checked"), ("phase main", None)):
        told = match_text.read(text.format(note).encode(), "x")
        if said is None:
            match_text.play(told, game("react"), WORDS)
            continue
        with pytest.raises(InputError) as error:
            match_text.play(told, game("react"), WORDS)
        assert said in str(error.value)


def test_a_set_up_that_no_words_have_is_json() -> None:
    odd = setup(field={"columns": 2, "rows": 3, "stars": {"A": [1, 1], "B": [2, 3]}})
    text = text_of(played(odd, {"do": "draw"}))
    assert "[Setup" in text
    again = match_text.play(match_text.read(text.encode(), "x"), game("react"), WORDS)
    assert text_of(again) == text


def test_matches_of_both_games_lie_beside_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`companion matches` and the records know both; each game goes on with its own newest."""
    folder = tmp_path / "matches"
    tray = {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"}
    for name, commands in (("rematch", [tray]), ("react", MATCH[:7])):
        session = Session(game(name), None, Matches(folder, game(name)).next_log)
        for command in commands:
            assert session.submit(dict(command)).accepted
        session.close()
    text = tmp_path / "match.txt"
    assert main(["matches", "export", "2", "--data", str(tmp_path), "-o", str(text)]) == 0
    assert main(["matches", "check", str(text), "--data", str(tmp_path)]) == 0
    assert main(["matches", "import", str(text), "--data", str(tmp_path)]) == 0
    assert main(["matches", "list", "--data", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "Dancer – Ink Cook" in out
    assert "run` still goes on with match 2" in out
    records = Records(lambda: Shelf(folder, game("rematch"), notation("rematch")), "rematch", game("rematch"))
    assert [(one["number"], one["game"], one["error"]) for one in records.matches()] == [
        (3, "react", None), (2, "react", None), (1, "rematch", None),
    ]  # fmt: skip
    match = records.match(2)
    assert match["game"] == "react"
    assert match["steps"][-1]["figures"]["A"] == {"HP": 3, "hand": 4}
    assert records.state(2, 6)["chain"]["slots"][0]["card"] == "Riptide"
    assert '[Game "react"]' in records.text(3)
    for name in ("rematch", "react"):
        resumed = Matches(folder, game(name)).resume(lambda text: None)
        assert resumed.state_json is not None
        assert resumed.game.name == name
        resumed.close()
    with pytest.raises(InputError):
        SqliteLog(folder / "match-000001.sqlite", "react")
