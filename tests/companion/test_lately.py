"""Who acts on a score that is no longer the newest is told what changed, and nothing is applied."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.desk import Desk
from companion.games import game
from companion.log import MemoryLog
from companion.session import Session

HIT = {"do": "hit", "source": "A", "hits": [{"player": "B", "button": "R", "amount": 4}]}


@pytest.fixture
def desk() -> Desk:
    desk = Desk(Session(game("rematch"), MemoryLog()))
    for command in ({"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"}, {"do": "begin"}):
        assert do(desk, command)["ok"]
    return desk


def do(desk: Desk, command: dict[str, Any], version: int | None = None) -> dict[str, Any]:
    return desk.submit_line(json.dumps(command).encode(), version)


def test_of_two_at_once_the_later_is_told_what_changed(desk: Desk) -> None:
    seen = desk.session.version
    assert do(desk, HIT, seen)["version"] == seen + 1
    late = do(desk, {"do": "undo"}, seen)
    assert (late["error"]["code"], late["version"]) == ("changed", seen + 1)
    assert "A deals 4 to Red of B" in late["error"]["text"]
    assert late["state"]["players"]["B"]["buttons"]["R"]["hp"] == 6, "nothing was applied"
    assert do(desk, {"do": "undo"}, late["version"])["ok"]


def test_who_says_no_version_is_never_late(desk: Desk) -> None:
    assert do(desk, HIT)["ok"]
    assert "version" not in do(desk, HIT)


def test_what_was_done_last_is_in_the_view(desk: Desk) -> None:
    do(desk, HIT)
    seq = desk.session.timeline[-1].seq
    assert desk.view()["last"]["text"] == "A deals 4 to Red of B"
    do(desk, {"do": "undo"})
    assert (desk.view()["last"]["do"], desk.view()["last"]["text"]) == ("undo", "undone: A deals 4 to Red of B")
    do(desk, {"do": "redo"})
    do(desk, {"do": "amend", "seq": seq, "command": {**HIT, "source": "B"}})
    assert desk.view()["last"]["text"] == "corrected: A deals 4 to Red of B → B deals 4 to Red of B"
    do(desk, {"do": "undo"})
    assert desk.view()["last"]["text"].startswith("undone: corrected: ")
    do(desk, {"do": "amend", "seq": seq, "remove": True})
    assert desk.view()["last"]["text"] == "taken out: A deals 4 to Red of B"


def test_only_the_newest_of_many_changes_are_told(desk: Desk) -> None:
    seen = desk.session.version
    for _ in range(5):
        do(desk, {"do": "correct", "player": "A", "credits": 2})
        do(desk, {"do": "correct", "player": "A", "credits": 3})
    text = do(desk, HIT, seen)["error"]["text"]
    assert text.startswith("Meanwhile: 7 more; Corrected: 3 credits for A")
    assert "another one" in do(desk, HIT, 10**6)["error"]["text"]


def test_a_second_new_match_at_once_is_refused(desk: Desk) -> None:
    seen = desk.session.version
    request = {"do": "new_match", "setup": {"first": "B", "tray": "RYBRY/YBRBY/BRYBR"}}
    assert desk.control(request, seen) == {"ok": True}
    late = desk.control(request, seen)
    assert late is not None
    assert late["error"]["code"] == "changed"


def test_a_preview_does_nothing_and_needs_a_command(desk: Desk) -> None:
    before = desk.session.state_json
    found = desk.control({"do": "preview", "command": HIT})
    assert found is not None
    assert found["told"] == ["4 to Red of B, now 6."]
    assert desk.session.state_json == before
    for bad in (None, 3, {}, {"do": 3}):
        refused = desk.control({"do": "preview", "command": bad})
        assert refused is not None
        assert refused["error"]["code"] == "bad_value"
