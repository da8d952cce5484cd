"""Point 1 of the page, sentence by sentence (see also test_page.py, test_flat.py, test_axe.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.service import Service
from tests.web import playing
from tests.web.conftest import PORTRAIT, Served
from tests.web.fakes import FakeTable, refused
from tests.web.keeping import keep
from tests.web.playing import do, fits_everywhere
from tests.web.test_page import ILLEGAL, QUESTION, SIMULATED, a_match

pytestmark = pytest.mark.browser
NEAREST = [{"attack": "R1", "cells": ["a1"], "chain": ["a1"], "heals": {}}]
DUE = [
    {
        "id": 3,
        "part": "attack",
        "player": "A",
        "effect": {"do": "deal", "amount": 4},
        "text": "Player A: deal 4 to one of the opponent's buttons.",
        "choice": {"kind": "dial", "player": "B", "options": ["R", "Y", "B"]},
    }
]
CLEAR = {"player": "A", "attack": "Y2", "cells": ["a2", "a3", "b3"], "chain": ["a2", "a3", "b3"], "heals": {"B": 2}}
VIEWS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "start": ({}, {}),
    "opening": ({"phase": "opening", "opening_destroyed": 0}, {}),
    "simulated": ({}, SIMULATED),
    "cleared": ({"phase": "resolve", "last_clear": {**CLEAR, "kicker": True}}, {}),
    "due": ({"phase": "resolve", "last_clear": {**CLEAR, "kicker": False}, "due": DUE}, {}),
    "illegal": (
        {},
        {
            **SIMULATED,
            "verdict": {**ILLEGAL, "may_stand": True, "nearest": NEAREST},
            "differs": ["a3", "b2"],
            "seen": "RYYRY/YRRBY/BRYBR",
        },
    ),
    "question": ({}, {"question": QUESTION}),
    "over": ({"phase": "over", "over": {"winner": "B", "reason": "cannot_pay"}}, {}),
}


def test_every_view_fits_all_sizes_and_a_finger(serve: Callable[..., Served], new_page: Callable[..., Page]) -> None:
    table = FakeTable(a_match())
    plain = table.snapshot().view
    page = new_page(PORTRAIT)
    page.goto(serve(table).url)
    page.wait_for_selector("body[data-match]")
    for name, (changes, view) in VIEWS.items():
        serial = table.snapshot().serial
        table.show(a_match(**changes), **{**plain, **view})
        page.wait_for_function("(n) => document.body.dataset.serial > n", arg=serial)
        fits_everywhere(page, name)
        if name in ("cleared", "illegal"):
            keep(page, f"phone-{name}")
    table.show(a_match(), **plain)
    page.tap('[data-cell="a1"]')
    expect(page.locator("#clear")).to_be_visible()
    fits_everywhere(page, "picked")
    table.replies = [refused("illegal_clear", "No.", "a1", reasons=ILLEGAL["reasons"], nearest=NEAREST)]
    page.tap("#clear")
    expect(page.locator("#let-stand")).to_be_visible()
    fits_everywhere(page, "refused")


@pytest.fixture
def service() -> Iterator[Service]:
    service = playing.a_service()
    yield service
    service.stop()


def test_every_sheet_fits_all_sizes_and_a_finger(
    service: Service, serve: Callable[..., Served], new_page: Callable[..., Page]
) -> None:
    playing.begin(service, A={"fighter": "House"})
    do(service, do="clear", player="A", cells=["a1"])
    do(service, do="end_turn", player="A")
    page = new_page(PORTRAIT)
    page.goto(serve(service, boards=playing.boards).url)
    page.wait_for_selector("body[data-match]")
    sheets: dict[str, tuple[str, ...]] = {
        '[data-target="AR"]': ("#effects",),
        '[data-amount="1"]': ('[data-dial="AR"]',),
        '[data-do="turn-A"]': ("#turn",),
        "[data-attack]": ("#call",),
        "[data-board] dl": ("#menu", '[data-do="boards"]'),
        '[data-edit="3"]': ("#menu", '[data-do="history"]'),
        "[data-pick]": ("#menu", '[data-do="history"]', '[data-edit="3"]'),
        ".board-words": (
            "#menu",
            '[data-do="new-match"]',
            '#sheet [data-fighter="A"]',
            '#sheet [data-about="A"] summary',
        ),
    }
    for shown, taps in sheets.items():
        page.set_viewport_size({"width": PORTRAIT[0], "height": PORTRAIT[1]})
        for tap in taps:
            if "data-fighter" in tap:
                page.select_option(tap, "House")
            else:
                page.tap(tap)
        expect(page.locator(f"#sheet {shown}").first).to_be_visible()
        fits_everywhere(page, shown)
        page.keyboard.press("Escape")


def test_dials_and_whose_turn_it_is_can_be_read_at_a_metre(
    service: Service, serve: Callable[..., Served], new_page: Callable[..., Page]
) -> None:
    """A tablet of 7 to 13 inches has 4 to 7 pixels of the page a millimetre; letters of 4 mm are read at a metre."""
    playing.begin(service)
    page = new_page(PORTRAIT)
    page.goto(serve(service).url)
    page.wait_for_selector("body[data-match]")
    for width, height in playing.SIZES[:3]:
        page.set_viewport_size({"width": width, "height": height})
        assert (page.locator('[data-dial="BR"] .hp').bounding_box() or {})["height"] >= 28
        assert page.eval_on_selector(".who", "one => parseFloat(getComputedStyle(one).fontSize)") >= 24
        assert page.eval_on_selector(".say-title", "one => parseFloat(getComputedStyle(one).fontSize)") >= 22


def test_who_plays_which_fighter_stands_at_the_side(
    service: Service, serve: Callable[..., Served], new_page: Callable[..., Page]
) -> None:
    page = new_page()
    page.goto(serve(service, boards=playing.boards).url)
    page.select_option('[data-fighter="A"]', "House")
    expect(page.locator('[data-about="A"]')).to_contain_text("Read this once.")
    page.tap('[data-about="A"] summary')
    expect(page.locator('[data-about="A"] .board-words')).to_contain_text("deal 4 to one of the opponent's buttons")
    keep(page, "landscape-fighters")
    page.select_option('[data-fighter="B"]', label="Another name …")
    page.fill('[name="fighter-B"]', "Sam’s own")
    page.tap("#start")
    expect(page.locator("#player-a .fighter")).to_have_text("House")
    expect(page.locator("#player-b .fighter")).to_have_text("Sam’s own")
    players = playing.state(service)["players"]
    assert players["A"]["board"]["name"] == "House"
    assert (players["B"]["fighter"], players["B"]["board"]) == ("Sam’s own", None)


def test_a_phone_is_not_laid_flat_between_the_players(
    service: Service, serve: Callable[..., Served], new_page: Callable[..., Page]
) -> None:
    playing.begin(service)
    page = new_page((390, 844))
    page.add_init_script('localStorage.setItem("flat", "on");')
    page.goto(serve(service).url)
    expect(page.locator("#end-turn")).to_be_visible()
    expect(page.locator("body")).not_to_have_attribute("data-flat", "")
    page.set_viewport_size({"width": 800, "height": 1280})
    do(service, do="correct", player="A", credits=2)
    expect(page.locator("body")).to_have_attribute("data-flat", "")


def test_with_reduced_motion_nothing_moves(
    service: Service, serve: Callable[..., Served], new_page: Callable[..., Page]
) -> None:
    playing.begin(service)
    page = new_page(reduced_motion="reduce")
    page.goto(serve(service).url)
    page.wait_for_selector("body[data-match]")
    do(service, do="correct", cell="a1", colour="B")
    do(service, do="correct", player="A", button="R", hp=4)
    expect(page.locator('[data-dial="AR"] .hp')).to_have_text("4")
    names = page.evaluate("() => document.getAnimations().map((one) => one.animationName ?? one.transitionProperty)")
    assert set(names) <= {"still"}, "the number that says by how much: it appears and goes, and does not move"
