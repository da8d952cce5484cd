"""What is due, the rule set, markers, nearest clears and the history: the page in Chromium against the real rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.games import game
from companion.log import MemoryLog
from companion.service import Service
from companion.session import Session
from tests.web.conftest import LANDSCAPE, PORTRAIT, Served
from tests.web.keeping import keep

pytestmark = pytest.mark.browser

TRAY = "RYBRY/YBRBY/BRYBR"
BOARD = {
    "name": "House",
    "attacks": {
        "Y2": {
            "effects": [
                {"do": "deal", "amount": 2},
                {"do": "destroy", "amount": 2},
                {"do": "deal_all", "amount": "X", "x": "cards discarded"},
                {"do": "either", "options": [[{"do": "take", "amount": 1}], [{"do": "heal", "amount": 3}]]},
            ],
            "kicker": {"when": "either", "effects": [{"do": "any_fan"}]},
        }
    },
}


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service(Session(game("rematch"), MemoryLog()))
    service.show(fighters=[{"name": "House", "remarks": ["Read this once."]}])
    service.start()
    yield service
    service.stop()


@pytest.fixture(params=[LANDSCAPE, PORTRAIT], ids=["landscape", "portrait"])
def page(request: Any, service: Service, serve: Callable[..., Served], new_page: Callable[..., Page]) -> Page:
    page = new_page(request.param)
    page.goto(serve(service).url)
    return page


def begin(page: Page, service: Service, board: dict[str, Any] | None = BOARD) -> None:
    player = {"fans": ["Y"], **({} if board is None else {"board": board})}
    body = {"do": "setup", "first": "A", "tray": TRAY, "players": {"A": player}}
    assert service._desk.session.submit(body).accepted
    service.show(seen=None)
    page.wait_for_selector("body[data-match]")


def say(page: Page) -> Any:
    return expect(page.locator('#say [aria-live="polite"]'))


def resolve(page: Page, name: str) -> None:
    page.tap(f'[data-resolve="{name}"]')


def picture(page: Page, name: str) -> None:
    size = page.viewport_size or {}
    keep(page, f"due-{name}-{size.get('width')}")


def test_an_attack_is_resolved_choice_by_choice(page: Page, service: Service) -> None:
    begin(page, service)
    for cell in ("a5", "b5"):
        page.tap(f'[data-cell="{cell}"]')
    page.tap("#clear")
    say(page).to_contain_text("kicker, before or after the attack")
    picture(page, "kicker")
    resolve(page, "after")
    say(page).to_contain_text("deal 2 to one of the opponent's buttons")
    picture(page, "dial")
    resolve(page, "B")
    say(page).to_contain_text("Tap up to 2 marbles")
    for cell in ("c1", "c2"):
        page.tap(f'[data-cell="{cell}"]')
    picture(page, "destroy")
    resolve(page, "cells")
    say(page).to_contain_text("cards discarded")
    picture(page, "amount")
    resolve(page, "3")
    resolve(page, "confirm")
    say(page).to_contain_text("either")
    resolve(page, "1")  # heals: all dials are full, so it happens by itself
    say(page).to_contain_text("take any one fan")
    resolve(page, "B")
    expect(page.locator("[data-resolve]")).to_have_count(0)
    state = service.snapshot().state or {}
    assert {c: d["hp"] for c, d in state["players"]["B"]["buttons"].items()} == {"R": 7, "Y": 7, "B": 5}
    assert state["players"]["A"]["fans"] == ["Y", "B"]
    assert state["due"] == []


def test_what_was_left_undone_is_said(page: Page, service: Service) -> None:
    begin(page, service)
    for cell in ("a5", "b5"):
        page.tap(f'[data-cell="{cell}"]')
    page.tap("#clear")
    resolve(page, "drop")
    page.tap("#end-turn")
    say(page).to_contain_text("Not done in the last turn")
    say(page).to_contain_text("deal 2")


def test_without_a_board_nothing_asks(page: Page, service: Service) -> None:
    begin(page, service, board=None)
    for cell in ("a5", "b5"):
        page.tap(f'[data-cell="{cell}"]')
    page.tap("#clear")
    say(page).to_contain_text("A cleared Yellow 2")
    say(page).to_contain_text("Kicker: resolve it too")
    expect(page.locator("[data-resolve]")).to_have_count(0)


def test_the_rules_are_shown_and_changed_until_the_first_clear(page: Page, service: Service) -> None:
    begin(page, service)
    say(page).to_contain_text("edition 2.5, as printed")
    page.tap("#rules")
    picture(page, "rules")
    page.select_option('[data-rule="kicker"]', label="Is used if wanted")
    say(page).to_contain_text("house rules: the kicker")
    page.keyboard.press("Escape")
    assert (service.snapshot().state or {})["rules"]["kicker"] == "optional"
    page.tap('[data-cell="a5"]')
    page.tap("#clear")
    say(page).to_contain_text("A cleared")
    page.tap("#menu")
    page.tap('[data-do="rules"]')
    expect(page.locator('[data-rule="kicker"]')).to_be_disabled()


def test_an_illegal_clear_shows_the_nearest_legal_ones(page: Page, service: Service) -> None:
    begin(page, service)
    for cell in ("a1", "a4"):
        page.tap(f'[data-cell="{cell}"]')
    page.tap("#clear")
    say(page).to_contain_text("Legal and nearest to it")
    picture(page, "nearest")
    page.tap('[id^="nearest-"] >> nth=0')
    expect(page.locator("#clear")).to_be_visible()
    page.tap("#clear")
    say(page).to_contain_text("A cleared Red 1")


def test_markers_are_laid_seen_and_taken_off(page: Page, service: Service) -> None:
    begin(page, service)
    page.tap("#menu")
    page.tap('[data-do="markers"]')
    page.fill('[name="marker"]', "spirit")
    page.select_option("[data-places]", "row5")
    expect(page.locator("#marker-1")).to_contain_text("spirit (A) Row 5")
    for cell in ("a5", "b5"):
        page.tap(f'[data-cell="{cell}"]')
    page.tap("#clear")
    say(page).to_contain_text("Spirit of player A on row 5")
    picture(page, "marker")
    resolve(page, "done")
    page.tap("#menu")
    page.tap('[data-do="markers"]')
    picture(page, "markers")
    page.tap('[data-do="take-off-1"]')
    expect(page.locator("#marker-1")).to_have_count(0)


def test_markers_are_drawn_where_they_lie(page: Page, service: Service) -> None:
    begin(page, service, board=None)
    for name, place, player in (("lantern", "b3", "B"), ("spirit", "row5", "A"), ("token", "R", "A")):
        assert service._desk.session.submit({"do": "marker", "player": player, "name": name, "place": place}).accepted
    service.show(seen=None)
    expect(page.locator('[data-cell="b3"] .flag')).to_have_text("lantern")
    expect(page.locator('[data-cell="b3"] .flag')).to_have_attribute("data-owner", "B")
    expect(page.locator('[data-cell="b3"] .unseen')).to_have_text("b3: Red, marker lantern of B")
    expect(page.locator('[data-row="5"] .flag')).to_have_text("spirit")
    expect(page.locator("#tray .flag")).to_have_count(2)  # that on red lies on no cell
    picture(page, "flags")
    assert service._desk.session.submit({"do": "marker", "remove": 1}).accepted
    service.show(seen=None)
    expect(page.locator("#tray .flag")).to_have_count(1)


def test_any_number_can_be_given_for_what_x_counts(page: Page, service: Service) -> None:
    effect = {"do": "deal_all", "amount": "X", "x": "cards discarded"}
    begin(page, service, board={"name": "House", "attacks": {"Y2": {"effects": [effect]}}})
    for cell in ("a5", "b5"):
        page.tap(f'[data-cell="{cell}"]')
    page.tap("#clear")
    say(page).to_contain_text("cards discarded")
    expect(page.locator(".amount[data-resolve]")).to_have_count(13)
    page.tap('[data-do="others"]')
    expect(page.locator(".amount[data-resolve]")).to_have_count(24)
    page.tap('[data-do="others"]')
    expect(page.locator('[data-resolve="12"]')).to_be_visible()
    page.tap('[data-do="others"]')
    picture(page, "more")
    for number in page.locator(".amount[data-resolve]").all():
        box = number.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 48
    resolve(page, "36")
    resolve(page, "confirm")
    say(page).to_contain_text("A wins")


def test_an_older_command_is_taken_out_and_what_no_longer_fits_is_said(page: Page, service: Service) -> None:
    begin(page, service, board=None)
    session = service._desk.session
    for command in (
        {"do": "clear", "player": "A", "cells": ["a1"]},
        {"do": "hit", "source": "A", "hits": [{"player": "B", "button": "R", "amount": 3}]},
        {"do": "end_turn", "player": "A"},
    ):
        assert session.submit(command).accepted
    service.show(seen=None)
    page.tap("#menu")
    page.tap('[data-do="history"]')
    expect(page.locator(".history li")).to_have_count(4)
    expect(page.locator('[data-seq="2"]')).to_contain_text("A clears a1")
    expect(page.locator('[data-seq="3"]')).to_contain_text("A deals 3 to Red of B")
    expect(page.locator('[data-seq="3"]')).to_contain_text("3 to Red of B, now 7.")
    picture(page, "history")
    page.tap('[data-edit="2"]')
    page.tap('[data-do="remove"]')
    page.tap('[data-do="apply"]')
    expect(page.locator("#misfits")).to_contain_text("1 entry no longer fits")
    page.tap("#misfits")
    expect(page.locator(".history [data-misfit]")).to_contain_text("No longer fits")
    picture(page, "misfit")


def test_fighters_and_rules_of_a_new_match(page: Page, service: Service) -> None:
    page.select_option('[data-fighter="A"]', "House")
    expect(page.locator('[data-about="A"]')).to_contain_text("Read this once.")
    page.locator(".rule-set:has([data-rule]) summary").tap()
    page.select_option('[data-rule="third_break_price"]', label="3 credits")
    picture(page, "setup")
    page.tap("#start")
    page.wait_for_selector("body[data-match]")
    state = service.snapshot().state or {}
    assert (state["players"]["A"]["fighter"], state["rules"]["third_break_price"]) == ("House", 3)
