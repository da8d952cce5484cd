"""The onlookers' page: the same score at once, nothing to tap, and as a stream's overlay nothing but the strip."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.games import manual
from tests.web.conftest import LANDSCAPE, PORTRAIT, Served
from tests.web.fakes import FakeTable, a_state
from tests.web.further import playing
from tests.web.keeping import keep, shape
from tests.web.test_pictures import a_fight

pytestmark = pytest.mark.browser
CLEAR = {"player": "A", "attack": "R2", "cells": ["a4", "a3"], "chain": ["a4", "a3"], "heals": {}, "kicker": True}


@pytest.mark.parametrize("size", [LANDSCAPE, PORTRAIT, (1920, 1080)], ids=["landscape", "portrait", "big-screen"])
def test_onlookers_see_the_score_and_cannot_touch_it(
    serve: Callable[..., Served], new_page: Callable[..., Any], size: tuple[int, int]
) -> None:
    table = FakeTable(a_fight())
    page = new_page(size)
    page.goto(f"{serve(table).url}watch")
    expect(page.locator('[data-dial="AB"] .unseen')).to_have_text("A’s Blue dial: 5 HP, broken")
    table.show(a_fight(phase="resolve", last_clear=CLEAR))
    expect(page.locator(".mini")).to_have_count(2)
    expect(page.locator(".say-title")).to_contain_text("Red 2")
    for place in ('[data-dial="AR"]', '[data-cell="a1"]', '[data-credits="B"]', '[data-fan="R"]'):
        box = page.locator(place).bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert page.locator("dialog[open]").count() == 0
    assert (table.commands, table.controls) == ([], [])
    # everything is on the screen at once
    assert page.evaluate(
        "document.documentElement.scrollHeight <= innerHeight && document.body.scrollWidth <= innerWidth"
    )
    keep(page, f"watch-{'big' if size[0] > 1900 else shape(size)}")
    table.show(a_state(over={"winner": "B", "reason": "cannot pay"}))
    expect(page.locator(".say-title")).to_have_text("B wins")


def test_a_question_to_the_players_is_not_the_onlookers(
    serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    question = {"id": "q1", "player": "A", "text": "Was it one marble or two?", "answers": []}
    page = new_page()
    page.goto(f"{serve(FakeTable(a_fight(), {'question': question})).url}watch")
    expect(page.locator("#say")).to_contain_text("has asked the players")
    expect(page.locator("#say")).not_to_contain_text("one marble or two")


def test_before_a_match_it_says_so(serve: Callable[..., Served], new_page: Callable[..., Any]) -> None:
    page = new_page()
    page.goto(f"{serve(FakeTable(None)).url}watch")
    expect(page.locator("#waiting")).to_have_text("No match yet")


THROUGH = """[document.documentElement, document.body].map((one) => {
 const style = getComputedStyle(one); return style.backgroundColor + style.backgroundImage; })"""


@pytest.mark.parametrize(
    ("name", "players", "field"),
    [("react", ".person", "#field"), ("reinforcements", ".seat", "#pile")],
)
def test_the_further_games_have_one_too(
    name: str, players: str, field: str, serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    setup = next(entry for entry in manual(name).entries if entry.name == "setup").examples[0]
    with playing(name) as service:
        assert service.command(setup.encode())["ok"]
        page = new_page((1920, 1080))
        page.goto(f"{serve(service).url}watch?overlay")
        expect(page.locator(field)).not_to_be_visible()
        expect(page.locator(players).first).to_be_visible()
        taken = "[...document.querySelectorAll('button')].map((one) => getComputedStyle(one).pointerEvents)"
        assert set(page.evaluate(taken)) == {"none"}
        keep(page, f"watch-overlay-{name}")
        assert page.evaluate(THROUGH) == ["rgba(0, 0, 0, 0)none"] * 2
        top = min(page.locator(one).bounding_box()["y"] for one in ("#told", "#say"))
        assert top > 1080 * 0.6, "the stream's own picture keeps its place"


def test_the_overlay_is_a_strip_on_nothing(serve: Callable[..., Served], new_page: Callable[..., Any]) -> None:
    table = FakeTable(a_fight(phase="resolve", last_clear=CLEAR))
    page = new_page((1920, 1080))
    page.goto(f"{serve(table).url}watch?overlay")
    expect(page.locator(".mini")).to_have_count(2)
    expect(page.locator('[data-dial="BY"]')).to_be_visible()
    expect(page.locator("#tray")).not_to_be_visible()
    keep(page, "watch-overlay")
    assert page.evaluate(THROUGH) == ["rgba(0, 0, 0, 0)none"] * 2
    top = min(page.locator(one).bounding_box()["y"] for one in ("#player-a", "#player-b", "#say"))
    assert top > 1080 * 0.6, "the stream's own picture keeps its place"
