"""Point 4 of the page, sentence by sentence (see also test_taps.py and test_page.py)."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.service import Service
from tests.web import playing
from tests.web.conftest import LANDSCAPE, PORTRAIT, Held, Served
from tests.web.fakes import FakeTable, refused
from tests.web.keeping import keep
from tests.web.playing import do, state
from tests.web.test_page import ILLEGAL, SIMULATED, a_match, asked, sent

pytestmark = pytest.mark.browser
HIT = {"do": "hit", "source": "A", "hits": [{"player": "B", "button": "R", "amount": 4}]}


@pytest.fixture
def service() -> Iterator[Service]:
    service = playing.a_service()
    playing.begin(service)
    yield service
    service.stop()


@pytest.fixture
def page(service: Service, serve: Callable[..., Served], new_page: Callable[..., Page]) -> Page:
    page = new_page(PORTRAIT)
    page.goto(serve(service).url)
    expect(page.locator("#end-turn")).to_be_visible()
    return page


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(a_match())


@pytest.fixture
def shown(table: FakeTable, serve: Callable[..., Served], new_page: Callable[..., Page]) -> Page:
    page = new_page(LANDSCAPE)
    page.goto(serve(table).url)
    page.wait_for_selector("body[data-match]")
    return page


def open_history(page: Page) -> None:
    page.tap("#menu")
    page.tap('[data-do="history"]')
    expect(page.locator(".history")).to_be_visible()


def edit(page: Page, seq: int) -> None:
    open_history(page)
    page.tap(f'[data-edit="{seq}"]')
    expect(page.locator('[data-do="back"]')).to_be_visible()


def test_a_tapped_marble_is_set_with_the_cameras_next_best_reading_first(shown: Page, table: FakeTable) -> None:
    best = [["R", 0.61], ["B", 0.31]]
    cells = {"a1": {"colour": "R", "best": best, "covered": False, "moving": False}}
    table.looked = {"state": "ok", "frame": 1, "age_ms": 5, "cells": cells}
    table.show(camera=SIMULATED["camera"])
    expect(shown.locator("#camera")).to_be_attached()
    shown.tap('[data-cell="a1"]')
    shown.tap("#set-cell")
    expect(shown.locator(".chance").first).to_have_text("camera: 31 %")
    letters = shown.eval_on_selector_all("#sheet [data-colour]", "all => all.map((one) => one.dataset.colour).join('')")
    keep(shown, "landscape-cell")
    assert letters == "BY.R", "the best that does not stand there yet; what stands there is last"
    assert sent(shown, table, '#sheet [data-colour="B"]') == {"do": "correct", "cell": "a1", "colour": "B"}


def test_the_turn_is_set_by_tapping_it(page: Page, service: Service) -> None:
    page.tap("#turn")
    page.tap('#sheet [data-do="turn-B"]')
    expect(page.locator("#turn")).to_contain_text("B’s turn")
    assert state(service)["turn"] == "B"


def test_undo_is_one_tap_and_two_quick_taps_are_two(page: Page, service: Service) -> None:
    for amount in (1, 2, 3):
        do(service, do="hit", source="A", hits=[{"player": "B", "button": "R", "amount": amount}])
    expect(page.locator('[data-dial="BR"] .hp')).to_have_text("4")
    page.evaluate("() => { const undo = document.getElementById('undo'); undo.click(); undo.click(); }")
    expect(page.locator('[data-dial="BR"] .hp')).to_have_text("9")
    page.tap("#redo")
    expect(page.locator('[data-dial="BR"] .hp')).to_have_text("7")
    expect(page.locator("#say")).not_to_contain_text("quicker")


def test_an_entry_is_changed_and_what_follows_is_seen_before_it_happens(page: Page, service: Service) -> None:
    do(service, do="clear", player="A", cells=["a1"])
    do(service, **HIT)
    do(service, do="hit", source="A", hits=[{"player": "B", "button": "R", "amount": 3}])
    seq = service.history()["commands"][-2]["seq"]
    before = state(service)
    edit(page, seq)
    expect(page.locator('#sheet [data-target="BR"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator('#sheet [data-amount="4"]')).to_have_attribute("aria-pressed", "true")
    page.tap('#sheet [data-amount="8"]')
    follows = page.locator(".follows")
    expect(follows).to_contain_text("8 to Red of B, now 2.")
    expect(follows).to_contain_text("breaks Red: B pays 1, restores 1")
    expect(page.locator(f'[data-changed="{seq + 1}"]')).to_contain_text(
        "3 to Red of B, now 3. → 3 to Red of B, which breaks"
    )
    assert state(service) == before, "nothing has happened yet"
    keep(page, "portrait-history")
    page.tap('[data-do="apply"]')
    expect(page.locator('[data-dial="BR"]')).to_have_attribute("data-broken", "")
    # both versions are kept, and undo brings the old one back
    open_history(page)
    expect(page.locator(f'[data-seq="{seq}"]')).to_contain_text("A deals 8 to Red of B")
    expect(page.locator(f'[data-seq="{seq}"]')).to_contain_text("It was: A deals 4 to Red of B")
    page.keyboard.press("Escape")
    page.tap("#undo")
    expect(page.locator('[data-dial="BR"] .hp')).to_have_text("3")
    assert state(service) == before


def test_what_was_worked_out_for_another_amount_cannot_be_confirmed(page: Page, service: Service) -> None:
    do(service, **HIT)
    edit(page, service.history()["commands"][-1]["seq"])
    page.tap('#sheet [data-amount="8"]')
    expect(page.locator('[data-do="apply"]')).to_be_enabled()
    held = Held(page, "**/api/control")
    page.tap('#sheet [data-amount="2"]')
    expect(page.locator('[data-do="apply"]')).to_be_disabled()
    held.release()
    expect(page.locator(".follows")).to_contain_text("2 to Red of B, now 8.")
    expect(page.locator('[data-do="apply"]')).to_be_enabled()


def test_a_form_is_not_replaced_by_one_that_comes_late(page: Page, service: Service) -> None:
    do(service, **HIT)
    held = Held(page, "**/api/control")
    edit(page, service.history()["commands"][-1]["seq"])
    held.asked()
    page.tap('[data-do="insert"]')
    expect(page.locator('#sheet [data-choice="hit"]')).to_be_visible()
    with page.expect_response("**/api/control"):
        held.release()
    page.wait_for_function("() => new Promise((done) => setTimeout(() => done(true)))")  # the page has had its turn
    expect(page.locator('#sheet [data-choice="hit"]')).to_be_visible()


def test_the_marbles_of_an_older_clear_are_tapped_on_the_tray_as_it_lay(page: Page, service: Service) -> None:
    do(service, do="clear", player="A", cells=["a1"])
    do(service, do="end_turn", player="A")
    edit(page, 3)
    expect(page.locator('#sheet [data-pick="a1"] .badge')).to_have_text("1")
    page.tap('#sheet [data-pick="a1"]')
    expect(page.locator(".follows")).to_be_empty()
    page.tap('#sheet [data-pick="c1"]')
    expect(page.locator(".follows")).to_contain_text("Not possible: c1 is out of reach")
    expect(page.locator('[data-do="apply"]')).to_have_count(0)
    page.tap('#sheet [data-pick="c1"]')
    page.tap('#sheet [data-pick="b3"]')
    page.tap('[data-do="apply"]')
    expect(page.locator(".mini")).to_have_text(["Rb3"])
    assert state(service)["last_clear"]["cells"] == ["b3"]


def test_what_was_forgotten_is_put_in_behind_an_entry(page: Page, service: Service) -> None:
    do(service, do="clear", player="A", cells=["a1"])
    do(service, do="end_turn", player="A")
    edit(page, 3)
    page.tap('[data-do="insert"]')
    page.tap('#sheet [data-choice="hit"]')
    expect(page.locator(".follows")).to_contain_text("1 to Red of B, now 9.")
    page.tap('#sheet [data-amount="6"]')
    expect(page.locator(".follows")).to_contain_text("6 to Red of B, now 4.")
    page.tap('[data-do="apply"]')
    expect(page.locator('[data-dial="BR"] .hp')).to_have_text("4")
    assert state(service)["turn"] == "B"


EVERYTHING: tuple[dict[str, Any], ...] = (
    {"do": "destroy", "player": "B", "cells": ["c5"]},
    {"do": "rules", "kicker": "optional"},
    {"do": "marker", "player": "A", "name": "spirit", "place": "row5"},
    {"do": "begin"},
    {"do": "correct", "player": "A", "button": "B", "hp": 3, "broken": True},
    {"do": "flip", "player": "A", "button": "B"},
    {"do": "correct", "player": "A", "credits": 3},
    {"do": "correct", "fan": "R", "place": "B"},
    {"do": "correct", "cell": "a1", "colour": "B"},
    {"do": "correct", "tray": "RYBRY/YBRBY/BRYBR"},
    {"do": "declare", "player": "A", "attack": "Y2"},
    {"do": "clear", "player": "A", "cells": ["a5", "b5"]},
    {"do": "resolve", "item": 1, "done": True},
    {"do": "resolve", "item": 2, "button": "R"},
    HIT,
    {"do": "heal", "player": "A", "button": "R", "amount": 2},
    {"do": "fan", "player": "A", "fan": "Y"},
    {"do": "pay", "player": "B", "credits": 1},
    {"do": "skip_next", "player": "B"},
    {"do": "end_turn", "player": "A"},
    {"do": "clear", "player": "A", "attack": "R1"},
    {"do": "correct", "turn": "B"},
    {"do": "concede", "player": "B"},
)
PLAIN = ("begin", "end_turn")


def test_every_kind_of_entry_can_be_changed(
    serve: Callable[..., Served], new_page: Callable[..., Page], service: Service
) -> None:
    do(service, do="concede", player="A")
    do(service, do="setup", first="A", tray=playing.TRAY, players={"A": {"fighter": "House"}})
    for command in EVERYTHING:
        if command["do"] == "resolve":  # whatever is due then has a number of its own
            command = {**command, "item": state(service)["due"][0]["id"]}
        do(service, **command)
    page = new_page(LANDSCAPE)
    page.goto(serve(service).url)
    page.wait_for_selector("body[data-match]")
    open_history(page)
    entries = service.history()["commands"]
    assert {one["command"]["do"] for one in entries} >= {one["do"] for one in EVERYTHING} | {"setup"}
    for entry in entries:
        page.tap(f'[data-edit="{entry["seq"]}"]')
        form = page.locator("#sheet .edit-columns .dial-sheet")
        if entry["command"]["do"] in PLAIN:
            expect(form).to_contain_text("It has nothing to change")
        else:
            expect(form.locator("button, input, select").first).to_be_visible()
        expect(page.locator('[data-do="remove"]')).to_have_count(0 if entry["command"]["do"] == "setup" else 1)
        page.tap('[data-do="back"]')


def test_after_an_illegal_pull_it_may_stand(shown: Page, table: FakeTable) -> None:
    seen = "RYYRY/YRRBY/BRYBR"
    table.show(verdict={**ILLEGAL, "may_stand": True}, differs=["a3", "b2"], seen=seen, **SIMULATED)
    expect(shown.locator("#put-back")).to_be_visible()
    shown.tap("#let-stand")
    expect(shown.locator("#sheet")).to_contain_text("The marbles branch at a2.")
    attacks = shown.eval_on_selector_all("#sheet [data-attack]", "all => all.map((one) => one.dataset.attack)")
    assert len(attacks) == 9
    keep(shown, "landscape-stand")
    assert asked(shown, table, '#sheet [data-attack="B2"]') == {"do": "let_stand", "attack": "B2"}
    table.show(verdict={**ILLEGAL, "may_stand": False}, differs=["a3"])
    expect(shown.locator("#let-stand")).to_have_count(0)


def test_an_illegal_clear_by_taps_may_stand_too(page: Page, service: Service) -> None:
    for cell in ("a1", "c2"):
        page.tap(f'[data-cell="{cell}"]')
    page.tap("#clear")
    page.tap("#let-stand")
    first = page.locator("#sheet [data-attack]").first
    expect(first).to_have_attribute("data-attack", "R2")
    first.tap()
    expect(page.locator(".stamp")).to_have_text("Let stand")
    clear = state(service)["last_clear"]
    assert (clear["attack"], clear["cells"]) == ("R2", ["a1", "c2"])
    assert clear["overruled"]


def test_of_two_who_act_at_once_the_later_is_told_what_changed(shown: Page, table: FakeTable) -> None:
    text = "Meanwhile: B ends the turn. Look at the score, then tap again."
    table.replies = [{**refused("changed", text), "version": 2}]
    shown.tap("#end-turn")
    say = shown.locator('#say [aria-live="polite"]')
    expect(say).to_contain_text("Someone else was quicker")
    expect(say).to_contain_text("B ends the turn")
    assert table.versions == [1], "the score that was looked at"
    table.show(a_match(turn="B"))  # version 2: what the refusal was about, and it stays to be read
    expect(shown.locator("#turn")).to_contain_text("B’s turn")
    expect(say).to_contain_text("B ends the turn")
    shown.tap("#dismiss")
    expect(say).not_to_contain_text("quicker")


def test_over_http_a_command_for_an_older_score_is_refused(service: Service, serve: Callable[..., Served]) -> None:
    served = serve(service, boards=playing.boards)

    def post(command: dict[str, Any], version: str) -> tuple[int, dict[str, Any]]:
        request = urllib.request.Request(
            f"{served.url}api/commands", json.dumps(command).encode(), {"Score-Version": version}
        )
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    now = service.snapshot().version
    assert post(HIT, str(now))[1]["version"] == now + 1
    status, reply = post(HIT, str(now))
    assert (status, reply["error"]["code"]) == (409, "changed")
    assert "A deals 4 to Red of B" in reply["error"]["text"]
    assert reply["state"]["players"]["B"]["buttons"]["R"]["hp"] == 6
    assert post(HIT, "x")[0] == 400
    with urllib.request.urlopen(f"{served.url}api/fighters") as answer:
        (board,) = json.load(answer)["fighters"]
    assert board["attacks"]["Y2"]["effects"].startswith("deal 4 to one of the opponent's buttons")
