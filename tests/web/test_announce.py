"""What a device says aloud: verdicts and questions once, corrections with the new total only, nothing unasked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Served
from tests.web.fakes import FakeTable, a_state
from tests.web.test_pictures import SIMULATED, a_fight, illegal, question

pytestmark = pytest.mark.browser

LISTEN = """
window.said = []; window.played = 0;
window.SpeechSynthesisUtterance = function (text) { this.text = text; };
const voice = { cancel() {}, speak: (line) => window.said.push(line.text) };
Object.defineProperty(window, "speechSynthesis", { value: voice });
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.played += 1; return start.apply(this, when); };
"""


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(a_fight())


@pytest.fixture
def page(serve: Callable[..., Served], new_page: Callable[..., Any], table: FakeTable) -> Page:
    page: Page = new_page()
    page.add_init_script(LISTEN)
    page.goto(serve(table).url)
    expect(page.locator("#end-turn")).to_be_visible()
    return page


def switch(page: Page, *names: str) -> None:
    page.tap("#menu")
    for name in names:
        page.tap(f'[data-do="{name}"]')
        expect(page.locator(f'[data-do="{name}"]')).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    page.evaluate("window.said = []; window.played = 0")


def test_a_device_is_silent_until_it_is_asked_to_speak(page: Page, table: FakeTable) -> None:
    illegal(page, table)
    assert page.evaluate("[window.said.length, window.played]") == [0, 0]


def test_verdicts_and_questions_are_said_once(page: Page, table: FakeTable) -> None:
    switch(page, "voice", "sounds")
    illegal(page, table)
    page.wait_for_function("() => window.said.length > 0")
    assert page.evaluate("window.said.length") == 1
    assert "branch at a2" in page.evaluate("window.said[0]")
    assert page.evaluate("window.played") == 2
    # the hand moves and the camera blinks: nothing new to say
    table.show(hand=True)
    expect(page.locator("#hand")).to_be_visible()
    table.show(hand=False, camera={**SIMULATED["camera"], "state": "lost"})
    expect(page.locator("#camera")).to_be_visible()
    assert page.evaluate("window.said.length") == 1
    question(page, table)
    page.wait_for_function("() => window.said.length > 1")
    assert "Which was it?" in page.evaluate("window.said[1]")


def test_a_correction_is_said_with_the_new_total_only(page: Page, table: FakeTable) -> None:
    switch(page, "voice")
    state = a_fight()
    state["players"]["B"]["buttons"]["R"]["hp"] = 4  # it was 2
    state["players"]["A"]["credits"] = 2
    table.show(state)
    page.wait_for_function("() => window.said.length > 0")
    assert page.evaluate("window.said") == ["A has 2 credits. B, Red: 4"]
    assert page.evaluate("window.played") == 0


def test_a_page_that_comes_late_or_wakes_does_not_tell_old_news(
    serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    table = FakeTable(a_state(over={"winner": "B", "reason": "cannot pay"}))
    page = new_page()
    page.add_init_script(LISTEN + 'localStorage.setItem("voice", "on");')
    page.goto(serve(table).url)
    expect(page.locator(".say-title")).to_have_text("B wins")
    assert page.evaluate("window.said") == []
