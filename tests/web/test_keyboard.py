"""All by keyboard alone: found by Tab, seen to be found, done by Enter or Space; the real rules behind the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.games import game
from companion.log import MemoryLog
from companion.service import Service
from companion.session import Session
from tests.web.conftest import LANDSCAPE, Served

pytestmark = pytest.mark.browser
TRAY = "RYBRY/YBRBY/BRYBR"
BOARD = {"name": "House", "attacks": {"Y2": {"effects": [{"do": "deal", "amount": 2}]}}}
MOST_TABS = 120
# what has the focus, and whether one sees that it has
FOCUS = """(wanted) => {
  const one = document.activeElement;
  if (!one.matches(wanted)) return null;
  const style = getComputedStyle(one);
  const box = one.getBoundingClientRect();
  const ringed = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  return one.matches(":focus-visible") && ringed && box.bottom > 0 && box.top < innerHeight ? "seen" : "not seen";
}"""


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service(Session(game("rematch"), MemoryLog()))
    service.start()
    yield service
    service.stop()


@pytest.fixture
def page(service: Service, serve: Callable[..., Served], new_page: Callable[..., Any]) -> Page:
    page: Page = new_page(LANDSCAPE)
    page.goto(serve(service).url)
    setup = {"first": "A", "tray": TRAY, "players": {"A": {"board": BOARD}}}
    assert service.control({"do": "new_match", "setup": setup})["ok"]
    page.wait_for_selector("body[data-match]")
    return page


def on(page: Page, wanted: str, key: str = "Enter") -> None:
    """Tab until it has the focus, then the key."""
    page.wait_for_selector(wanted)
    for _ in range(MOST_TABS):
        found = page.evaluate(FOCUS, wanted)
        if found is not None:
            assert found == "seen", wanted
            page.keyboard.press(key)
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} cannot be reached by Tab")


def said(page: Page, text: str) -> None:
    expect(page.locator('#say [aria-live="polite"]')).to_contain_text(text)


def test_a_verdict_a_resolution_and_a_correction_by_keyboard(page: Page, service: Service) -> None:
    def state() -> dict[str, Any]:
        found = service.snapshot().state
        assert found is not None
        return found

    # the verdict: an illegal clear, and one of the legal ones nearest to it
    on(page, "#begin")
    expect(page.locator("body[data-phase=start]")).to_have_count(1)
    for cell in ("a5", "a4", "b5"):
        on(page, f'[data-cell="{cell}"]', "Space")
        expect(page.locator(f'[data-cell="{cell}"][data-picked]')).to_have_count(1)
        assert page.evaluate(FOCUS, f'[data-cell="{cell}"]') == "seen", "the focus stays where it was"
    on(page, "#clear")
    said(page, "Not a legal clear")
    on(page, '[id="nearest-a5-b5"]')
    on(page, "#clear")
    said(page, "A cleared Yellow 2")
    # the resolution: the dial that the attack hits
    on(page, '[data-resolve="R"]')
    expect(page.locator('[data-dial="BR"] .hp')).to_have_text("8")
    # the correction: a dial that was told wrong, a credit, and both taken back
    on(page, '[data-dial="BY"]')
    expect(page.locator("dialog")).to_be_visible()
    on(page, '[data-do="set"], [data-choice="set"]')
    on(page, 'dialog [data-amount="7"]')
    expect(page.locator('[data-dial="BY"] .hp')).to_have_text("7")
    on(page, '[data-credits="A"]')
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).not_to_be_visible()
    assert page.evaluate(FOCUS, '[data-credits="A"]') == "seen", "where one came from"
    on(page, "#undo")
    expect(page.locator('[data-dial="BY"] .hp')).to_have_text("10")
    on(page, "#redo", "Space")
    expect(page.locator('[data-dial="BY"] .hp')).to_have_text("7")
    on(page, "#end-turn")
    expect(page.locator("body[data-turn=B]")).to_have_count(1)
    assert (state()["turn"], state()["players"]["B"]["buttons"]["R"]["hp"]) == ("B", 8)


def test_every_control_of_the_page_is_reached_by_tab(page: Page) -> None:
    """Each button, link and field that a finger can reach; round once and back at the start."""
    every = """() => [...document.querySelectorAll("button, a[href], input, select")]
      .filter((one) => !one.disabled && one.checkVisibility({ visibilityProperty: true }))"""
    name = "(one) => one.id || Object.entries(one.dataset)[0]?.join('=') || one.className"
    for sheet in (None, "#menu"):
        if sheet:
            on(page, sheet)
            expect(page.locator("dialog")).to_be_visible()
        root = "dialog[open]" if sheet else "body"
        wanted = page.evaluate(f"() => ({every})().filter((one) => one.closest('{root}')).map({name})")
        reached = set()
        for _ in range(len(wanted) + 10):
            page.keyboard.press("Tab")
            reached.add(page.evaluate(f"() => ({name})(document.activeElement)"))
        assert set(wanted) <= reached
