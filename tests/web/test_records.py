"""The page with the kept matches, on real logs: listed, drawn, replayed step by step, taken along and brought."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.games import game, notation
from companion.matches import Matches
from companion.records import Records
from companion.session import Session
from companion.shelf import Shelf
from tests.web.conftest import LANDSCAPE, PORTRAIT, Served
from tests.web.fakes import FakeTable, a_state
from tests.web.keeping import keep, shape
from web.app import create_app

pytestmark = pytest.mark.browser
both = pytest.mark.parametrize("size", [LANDSCAPE, PORTRAIT], ids=["landscape", "portrait"])


def hit(player: str, button: str, amount: int) -> dict[str, Any]:
    other = {"A": "B", "B": "A"}[player]
    return {"do": "hit", "source": player, "hits": [{"player": other, "button": button, "amount": amount}]}


MATCH: list[dict[str, Any]] = [
    {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"},
    {"do": "begin"},
    {"do": "clear", "player": "A", "cells": ["a1"]},
    hit("A", "R", 4),
    {"do": "end_turn", "player": "A"},
    {"do": "clear", "player": "B", "cells": ["c1"]},
    hit("B", "B", 6),
    {"do": "end_turn", "player": "B"},
    {"do": "clear", "player": "A", "cells": ["b1"]},
    hit("A", "Y", 7),
    {"do": "concede", "player": "B"},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for commands in (MATCH, MATCH[:5]):
        session = Session(game("rematch"), None, Matches(tmp_path, game("rematch")).next_log)
        for command in commands:
            reply = session.submit(command)
            assert reply.accepted, reply.body
        session.close()
    (tmp_path / "match-000003.sqlite").write_bytes(b"no log")
    return tmp_path


@pytest.fixture
def records(folder: Path) -> Records:
    rules = game("rematch")
    return Records(lambda: Shelf(folder, rules, notation("rematch")), "rematch", rules)


@both
def test_a_match_is_found_drawn_and_replayed(
    serve: Callable[..., Served], new_page: Callable[..., Any], records: Records, size: tuple[int, int]
) -> None:
    page = new_page(size)
    page.goto(f"{serve(FakeTable(a_state()), records=records).url}records")
    expect(page.locator(".match-row")).to_have_count(3)
    expect(page.locator(".match-row.broken")).to_contain_text("cannot be read")
    keep(page, f"{shape(size)}-records")
    page.tap('a.match-row[href="#1"]')
    expect(page.locator("#line")).to_contain_text("Step 10 of 10")
    expect(page.locator(".course-of")).to_have_count(2)
    dial = page.locator('[data-dial="BR"] .unseen')
    expect(dial).to_have_text("B’s Red dial: 6 HP")
    keep(page, f"{shape(size)}-replay")
    page.tap("#first")
    expect(dial).to_have_text("B’s Red dial: 10 HP")
    assert page.locator("#previous").is_disabled()
    for _ in range(3):
        page.tap("#next")
    expect(dial).to_have_text("B’s Red dial: 6 HP")
    expect(page.locator("#line")).to_contain_text("Step 3 of 10")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#line")).to_contain_text("Step 2 of 10")
    expect(dial).to_have_text("B’s Red dial: 10 HP")
    # quick fingers: what is shown at last is the step that was asked for last
    page.evaluate("for (let i = 0; i < 8; i += 1) document.getElementById('next').click()")
    expect(page.locator("#line")).to_contain_text("Step 10 of 10")
    expect(dial).to_have_text("B’s Red dial: 6 HP")
    with page.expect_download() as download:
        page.tap("#text")
    assert Path(download.value.path()).read_text() == records.text(1)
    page.tap("#all")
    expect(page.locator(".match-row")).to_have_count(3)


FURTHER: dict[str, tuple[list[dict[str, Any]], str, str, str]] = {
    "reinforcements": (
        [
            {"do": "setup", "players": [{"name": "Ann"}, {"name": "Bo"}], "first": "A"},
            {"do": "draw", "player": "A"},
            {"do": "attack", "player": "A", "card": "G4", "target": "B1", "seen": ["R2"]},
        ],
        "A: Angriff mit Ritter (grün) gegen B1",
        '[data-stack="B1"]',
        '[data-seat="B"]',
    ),
    "reactions": (
        [
            {"do": "setup", "characters": [{"id": "Ann", "at": [1, 1]}, {"id": "Bo", "at": [2, 1]}],
             "grid": {"columns": 4, "rows": 4}},
            {"do": "act", "active": ["Ann"], "actions": "D>"},
            {"do": "announce", "part": "move", "by": "Ann", "path": [[1, 2]]},
            {"do": "react", "character": "Bo", "reaction": ">", "to": [4, 4]},
        ],
        "Bo reagiert: Bewegung",
        '[data-offer="Bo"]',
        '[data-square="4,4"]:has-text("Bo")',
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FURTHER)
def test_a_match_of_a_further_game_is_replayed(
    serve: Callable[..., Served], new_page: Callable[..., Any], tmp_path: Path, name: str
) -> None:
    commands, last, before, after = FURTHER[name]
    rules = game(name)
    session = Session(rules, None, Matches(tmp_path, rules).next_log)
    for command in commands:
        assert session.submit(command).accepted
    session.close()
    records = Records(lambda: Shelf(tmp_path, rules, notation(name)), name, rules)
    page = new_page(PORTRAIT, locale="de-DE")
    page.goto(f"{serve(FakeTable(a_state()), records=records).url}records#1")
    expect(page.locator("#line b")).to_have_text(last)
    expect(page.locator(after)).to_be_visible()
    expect(page.locator(before)).to_have_count(0)
    page.tap("#previous")
    expect(page.locator(before)).to_be_visible()
    page.tap("#all")
    page.set_input_files("#file", {"name": "x.txt", "mimeType": "text/plain", "buffer": records.text(1).encode()})
    expect(page.locator(".match-row")).to_have_count(2)
    assert records.state(2, len(commands) - 1) == records.state(1, len(commands) - 1)


def test_a_text_is_brought_and_nonsense_is_refused(
    serve: Callable[..., Served], new_page: Callable[..., Any], records: Records, tmp_path: Path
) -> None:
    page = new_page()
    page.goto(f"{serve(FakeTable(a_state()), records=records).url}records")
    expect(page.locator(".match-row")).to_have_count(3)
    brought = tmp_path / "evening.txt"
    brought.write_text("this is no match")
    page.set_input_files("#file", brought)
    expect(page.locator("#told")).to_contain_text(re.compile("line 1", re.I))
    brought.write_text(records.text(1))
    page.set_input_files("#file", brought)
    expect(page.locator("#told")).to_contain_text("Kept: A – B")
    expect(page.locator(".match-row")).to_have_count(4)


def test_what_is_asked_wrongly_is_refused(records: Records, folder: Path) -> None:
    client = create_app(FakeTable(a_state()), records=records).test_client()
    before = sorted(folder.iterdir())
    for path in ("9", "3", "1/steps/11", "9/steps/0", "9.txt", "3.txt"):
        assert client.get(f"/api/matches/{path}").status_code == 404, path
        assert str(folder) not in client.get(f"/api/matches/{path}").text
    for path in ("-1", "x", "1/steps/-1", "1/steps/x", "../state", f"{10**30}"):
        assert client.get(f"/api/matches/{path}").status_code in (404, 308), path
    for body in ({}, [], {"text": 3}, {"text": "x"}, {"text": "\udc80"}, {"text": ""}):
        answer = client.post("/api/matches", json=body)
        assert (answer.status_code, answer.json["ok"]) == (400, False), body
    assert client.post("/api/matches", data=b'{"text": "' + b"x" * 2**21 + b'"}').status_code == 413
    assert sorted(folder.iterdir()) == before


def test_a_table_without_records_says_so() -> None:
    client = create_app(FakeTable(a_state())).test_client()
    for path in ("/api/matches", "/api/matches/1", "/api/matches/1/steps/0", "/api/matches/1.txt"):
        assert client.get(path).status_code == 404
    assert client.post("/api/matches", json={"text": "x"}).status_code == 404
