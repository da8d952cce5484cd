"""The screen stays on while a match is under way, and only then; where it cannot, the page says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import pytest
from playwright.sync_api import Page, expect

import web
from tests.web.conftest import Served
from tests.web.fakes import FakeTable, a_state

pytestmark = pytest.mark.browser
STATIC = Path(web.__file__).parent / "static"
COUNT = """
window.held = 0; window.asked = 0;
class Lock extends EventTarget {
  release() { window.held -= 1; this.dispatchEvent(new Event("release")); return Promise.resolve(); }
}
Object.defineProperty(navigator, "wakeLock", { value: {
  request: async () => { window.asked += 1; window.held += 1; window.lock = new Lock(); return window.lock; },
} });
"""


def opened(serve: Callable[..., Served], new_page: Callable[..., Any], table: FakeTable, script: str) -> Page:
    page: Page = new_page()
    page.add_init_script(script)
    page.goto(serve(table).url)
    page.wait_for_function("() => document.body.hasAttribute('data-known')")
    return page


def test_the_screen_is_held_for_a_match_and_let_go_after_it(
    serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    table = FakeTable(None)
    page = opened(serve, new_page, table, COUNT)
    assert page.evaluate("window.asked") == 0
    table.show(a_state())
    page.wait_for_function("() => window.held === 1")
    for turn in range(2, 5):
        table.show(a_state(turn_number=turn, turn="AB"[turn % 2]))
    expect(page.locator(".marquee")).to_contain_text("A’s turn")
    assert page.evaluate("[window.held, window.asked]") == [1, 1]
    # the browser takes it away when the page is hidden; it is asked for again when the page is looked at
    page.evaluate("window.lock.release(); document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function("() => window.held === 1 && window.asked === 2")
    table.show(a_state(over={"winner": "B", "reason": "cannot pay"}))
    page.wait_for_function("() => window.held === 0")


def test_where_it_cannot_the_menu_says_so(serve: Callable[..., Served], new_page: Callable[..., Any]) -> None:
    page = opened(serve, new_page, FakeTable(a_state()), "delete Navigator.prototype.wakeLock;")
    page.tap("#menu")
    expect(page.locator("#sheet")).to_contain_text("set the tablet to stay on")
    page = opened(serve, new_page, FakeTable(a_state()), COUNT)
    page.tap("#menu")
    expect(page.locator("#sheet")).not_to_contain_text("set the tablet to stay on")


def test_it_can_be_put_on_a_home_screen() -> None:
    manifest = json.loads((STATIC / "manifest.json").read_text())
    assert manifest["start_url"] == "/"
    for icon in manifest["icons"]:
        path = STATIC / icon["src"].removeprefix("/static/")
        if icon["type"] == "image/png":
            height, width = cv2.imread(str(path)).shape[:2]
            assert icon["sizes"] == f"{width}x{height}"
        else:
            assert path.read_text().startswith("<svg")
