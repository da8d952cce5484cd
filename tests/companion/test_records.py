"""The kept matches as the page gets them: from real logs, while one is played, and with a broken one among them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.errors import InputError
from companion.games import game, notation
from companion.matches import Matches
from companion.records import Records
from companion.session import Session
from companion.shelf import Shelf

TRAY = "RYBRY/YBRBY/BRYBR"


@pytest.fixture
def rules() -> Any:
    return game("rematch")


@pytest.fixture
def records(tmp_path: Path, rules: Any) -> Records:
    return Records(lambda: Shelf(tmp_path, rules, notation("rematch")), "rematch", rules)


def play(folder: Path, rules: Any, *commands: dict[str, Any]) -> Session:
    session = Session(rules, None, Matches(folder, rules).next_log)
    for command in ({"do": "setup", "first": "A", "tray": TRAY}, {"do": "begin"}, *commands):
        assert session.submit(command).accepted, command
    return session


def hit(button: str, amount: int) -> dict[str, Any]:
    return {"do": "hit", "source": "A", "hits": [{"player": "B", "button": button, "amount": amount}]}


HIT = hit("R", 3)


def test_a_match_step_by_step(tmp_path: Path, rules: Any, records: Records) -> None:
    play(tmp_path, rules, HIT, {"do": "concede", "player": "A"}).close()
    found = records.match(1)
    assert (found["number"], found["game"], found["result"]) == (1, "rematch", records.matches()[0]["result"])
    assert "B wins" in found["result"]
    steps = found["steps"]
    assert [bool(step["line"]) for step in steps] == [False, True, True, True]
    assert [step["figures"]["B"]["R"] for step in steps] == [10, 10, 7, 7]
    assert [step["figures"]["A"]["credits"] for step in steps] == [4, 4, 4, 4]
    assert records.state(1, 0)["phase"] == "opening"
    assert records.state(1, 2)["players"]["B"]["buttons"]["R"]["hp"] == 7
    assert records.state(1, 3)["over"]["winner"] == "B"


def test_a_broken_dial_is_drawn_at_nought(rules: Any) -> None:
    session = Session(rules)
    for command in ({"do": "setup", "first": "A", "tray": TRAY}, {"do": "begin"}, hit("R", 10)):
        session.submit(command)
    state = session.state_json
    assert state is not None
    dial = state["players"]["B"]["buttons"]["R"]
    assert notation("rematch").figures(state)["B"]["R"] == 0
    assert dial["broken"] or dial["hp"] == 0


def test_undone_commands_are_no_steps_and_the_match_under_way_is_followed(
    tmp_path: Path, rules: Any, records: Records
) -> None:
    session = play(tmp_path, rules, HIT)
    assert len(records.match(1)["steps"]) == 3
    assert session.submit({"do": "undo"}).accepted
    assert len(records.match(1)["steps"]) == 2
    assert session.submit(hit("Y", 1)).accepted
    assert records.state(1, 2)["players"]["B"]["buttons"]["Y"]["hp"] == 9
    assert records.matches()[0]["result"] is None
    session.close()


def test_a_text_goes_out_and_comes_in_as_another_match(tmp_path: Path, rules: Any, records: Records) -> None:
    play(tmp_path, rules, HIT, {"do": "concede", "player": "A"}).close()
    text = records.text(1)
    found = records.take(text)
    assert (found["number"], found["kept_aside"]) == (2, True)
    assert [one["number"] for one in records.matches()] == [2, 1]
    assert records.text(2) == text
    assert records.match(2)["steps"][-1]["figures"] == records.match(1)["steps"][-1]["figures"]


@pytest.mark.parametrize(
    "text", ["", "nonsense", '[Game "chess"]', "\udc80", '[Game "rematch"]\nA clear a1\n', "x" * 1_000_001]
)
def test_what_is_no_match_changes_nothing(tmp_path: Path, records: Records, text: str) -> None:
    with pytest.raises(InputError) as caught:
        records.take(text)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_broken_file_is_listed_and_tells_no_path(tmp_path: Path, rules: Any, records: Records) -> None:
    play(tmp_path, rules).close()
    (tmp_path / "match-000002.sqlite").write_bytes(b"not a log at all" * 100)
    newest, other = records.matches()
    assert "cannot be read" in newest["error"]
    assert other["error"] is None
    for ask in (lambda: records.match(2), lambda: records.text(2), lambda: records.state(2, 0)):
        with pytest.raises(InputError, match="cannot be read") as caught:
            ask()
        assert str(tmp_path) not in str(caught.value)


def test_what_is_not_there_is_said(tmp_path: Path, rules: Any, records: Records) -> None:
    assert records.matches() == []
    with pytest.raises(InputError, match="no match 7"):
        records.match(7)
    play(tmp_path, rules).close()
    for step in (-1, 2, 10**9):
        with pytest.raises(InputError, match=f"no step {step}"):
            records.state(1, step)
