"""A match by taps: the page in Chromium against the real service, session and rules, without camera or sensors."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.games import game
from companion.log import MemoryLog
from companion.service import Service
from companion.session import Session
from tests.web.conftest import LANDSCAPE, PORTRAIT, Served, until

pytestmark = pytest.mark.browser
#   lane:  a     b     c       row 5: Y Y R
#                              row 4: R B B
TRAY = "RYBRY/YBRBY/BRYBR"  # row 3: B R Y
#                              row 2: Y B R
#                              row 1: R Y B


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service(Session(game("rematch"), MemoryLog()))
    service.start()
    yield service
    service.stop()


@pytest.fixture
def size() -> tuple[int, int]:
    return LANDSCAPE


both = pytest.mark.parametrize("size", [LANDSCAPE, PORTRAIT], ids=["landscape", "portrait"])


@pytest.fixture
def page(size: tuple[int, int], service: Service, serve: Callable[..., Served], new_page: Callable[..., Page]) -> Page:
    """A match that A starts, with a known tray, set up by taps."""
    page = new_page(size)
    page.goto(serve(service).url)
    page.tap('[data-choice="enter"]')
    page.fill("#tray-text", TRAY)
    page.tap("#start")
    page.wait_for_selector("body[data-match]")
    return page


def pick(page: Page, *cells: str) -> None:
    for cell in cells:
        page.tap(f'[data-cell="{cell}"]')


def said(page: Page, text: str) -> None:
    expect(page.locator('#say [aria-live="polite"]')).to_contain_text(text)


def hp(page: Page, dial: str, value: int) -> None:
    expect(page.locator(f'[data-dial="{dial}"] .hp')).to_have_text(str(value))


@both
def test_a_clear_a_hit_and_undo(page: Page, service: Service) -> None:
    pick(page, "a5", "b5")
    page.tap("#clear")
    said(page, "A cleared Yellow 2")
    expect(page.locator(".mini")).to_have_count(2)
    assert service.snapshot().state["tray"] == "RYBR?/YBRB?/BRYBR"

    page.tap('[data-fill="R"]')
    expect(page.locator('[data-cell="a5"] .glass')).to_have_text("R")
    page.tap('[data-dial="BY"]')
    page.tap('[data-amount="4"]')
    page.tap('[data-do="confirm"]')
    hp(page, "BY", 6)

    page.tap("#undo")
    hp(page, "BY", 10)
    page.tap("#redo")
    hp(page, "BY", 6)
    page.tap("#end-turn")
    expect(page.locator(".marquee")).to_contain_text("B’s turn")
    page.tap("#undo")
    expect(page.locator(".marquee")).to_contain_text("A’s turn")
    for _ in range(3):
        page.tap("#undo")
    expect(page.locator('[data-cell="a5"] .glass')).to_have_text("Y")
    assert service.snapshot().state["tray"] == TRAY
    hp(page, "BY", 10)


@both
def test_an_illegal_clear_says_why_and_where_and_changes_nothing(page: Page, service: Service) -> None:
    before = service.snapshot().state
    pick(page, "a1", "a2", "a3", "b2")
    page.tap("#clear")
    said(page, "Not a legal clear")
    reply = service.command(b'{"do":"clear","player":"A","cells":["a1","a2","a3","b2"]}')
    reasons = reply["error"]["reasons"]
    assert "branching" in {reason["code"] for reason in reasons}
    for reason in reasons:
        said(page, reason["text"])
    bad = page.eval_on_selector_all(".cell[data-bad]", "cells => cells.map((cell) => cell.dataset.cell).sort()")
    assert bad == sorted({cell for reason in reasons for cell in reason["cells"]} | set(reply["error"]["cells"]))
    assert service.snapshot().state == before


def test_a_break_is_unmistakable_and_is_paid(page: Page) -> None:
    pick(page, "a5", "b5")
    page.tap("#clear")
    page.tap('[data-dial="BR"]')
    page.tap('[data-amount="10"]')
    page.tap('[data-do="confirm"]')
    expect(page.locator('[data-dial="BR"] svg')).to_contain_text("BROKEN")
    expect(page.locator('[data-credits="B"] b')).to_have_text("3")
    hp(page, "BR", 1)


def test_corrections_reach_everything(page: Page, service: Service) -> None:
    page.tap('[data-credits="A"]')
    page.tap('[data-amount="2"]')
    expect(page.locator('[data-credits="A"] b')).to_have_text("2")
    page.tap('[data-fan="Y"]')
    page.tap('[data-do="put-B"]')
    expect(page.locator('[data-place="B"] [data-fan="Y"]')).to_be_visible()
    page.tap("#set-marbles")
    page.tap('[data-cell="b3"]')
    page.tap('[data-colour="B"]')
    expect(page.locator('[data-cell="b3"] .glass')).to_have_text("B")
    page.tap("#set-marbles")
    page.tap("#menu")
    page.tap('[data-do="turn-B"]')
    expect(page.locator(".marquee")).to_contain_text("A may destroy up to 2 marbles")  # before B's first turn
    state = service.snapshot().state
    assert (state["players"]["A"]["credits"], state["players"]["B"]["fans"], state["turn"]) == (2, ["Y"], "B")


def test_a_tray_that_nobody_knows_can_be_played_by_calling_attacks(page: Page) -> None:
    page.tap("#menu")
    page.tap('[data-do="new-match"]')
    page.tap('[data-choice="unknown"]')
    page.tap("#start")
    expect(page.locator('[data-cell="a1"] .glass')).to_have_text("?")
    page.tap("#begin")
    page.tap("#call")
    page.tap('[data-attack="R4"]')
    said(page, "A cleared Red 4")


def test_the_end_of_the_match_and_back(page: Page, service: Service) -> None:
    service.command(b'{"do":"correct","player":"B","credits":0}')
    pick(page, "a5", "b5")
    page.tap("#clear")
    page.tap('[data-dial="BR"]')
    page.tap('[data-amount="10"]')
    page.tap('[data-do="confirm"]')
    said(page, "A wins")
    said(page, "B cannot pay")
    page.tap("#undo")
    expect(page.locator(".marquee")).to_contain_text("A’s turn")
    hp(page, "BR", 10)


def test_a_whole_match_by_taps_ends_with_the_right_winner(page: Page, service: Service) -> None:
    """A hits one dial after the other until B cannot pay; every step by taps alone, every answer seen on the page."""

    def state() -> dict[str, Any]:
        found = service.snapshot().state
        assert found is not None
        return found

    page.tap("#begin")
    for number in range(2, 60):
        player = state()["turn"]
        expect(page.locator(".marquee")).to_contain_text(f"{player}’s turn")
        page.tap("#call")
        working = [colour for colour in "RYB" if not state()["players"][player]["buttons"][colour]["broken"]]
        page.tap(f'[data-attack="{working[0]}1"]')
        said(page, f"{player} cleared")
        if player == "A":
            # the dial of B that is nearest to its end among those that still work, else any
            dials = state()["players"]["B"]["buttons"]
            target = min("RYB", key=lambda colour: (dials[colour]["broken"], dials[colour]["hp"]))
            before = json.dumps(state()["players"]["B"])
            page.tap(f'[data-dial="B{target}"]')
            page.tap('[data-amount="8"]')
            page.tap('[data-do="confirm"]')
            expect(page.locator("#sheet")).not_to_be_visible()
            until(page, lambda was=before: json.dumps(state()["players"]["B"]) != was or state()["over"])
        if not state()["over"]:
            page.tap("#end-turn")
            until(page, lambda turn=number: state()["turn_number"] >= turn or state()["over"])
        if state()["over"]:
            break
    assert state()["over"]["winner"] == "A"
    said(page, "A wins")
    assert state()["players"]["B"]["credits"] < 4
    # and it can be taken back, as any tap
    page.tap("#undo")
    expect(page.locator(".say-title")).not_to_contain_text("A wins")
    assert state()["over"] is None
