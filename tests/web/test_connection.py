"""A page that slept, or lost its companion, shows the score of now at once: all of it, and nothing of the past."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import PORTRAIT, Held, Served
from tests.web.fakes import FakeTable, a_state, a_view
from tests.web.further import playing
from tests.web.playing import do
from tests.web.sse import Parser

pytestmark = pytest.mark.browser
EVENING = 150
# what the page was told, and how often it was drawn anew from the start
COUNT = """
window.loaded = Math.random(); window.heard = []; window.opened = 0;
const Stream = window.EventSource;
window.EventSource = class extends Stream {
  constructor(...with_) {
    super(...with_);
    window.opened += 1;
    this.addEventListener("message", (message) => window.heard.push(Number(message.lastEventId)));
  }
};
"""

DRAWN = """() => {
  window.drawn = 0;
  new MutationObserver(() => { window.drawn += 1; })
    .observe(document.querySelector("#player-a"), { subtree: true, childList: true, characterData: true });
}"""


class Witness:
    """Another page's stream: what it was sent, the sleeping page was sent as well."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        connection = http.client.HTTPConnection(parts.netloc, timeout=20)
        connection.request("GET", "/api/events")
        self._stream, self._parser = connection.getresponse(), Parser()

    def until(self, turn_number: int) -> None:
        while True:
            for message in self._parser.feed(self._stream.readline()):
                if message.event == "message" and json.loads(message.data)["turn_number"] == turn_number:
                    return


def watched(serve: Callable[..., Served], new_page: Callable[..., Any], table: FakeTable, path: str = "") -> Page:
    page: Page = new_page(PORTRAIT)
    page.add_init_script(COUNT)
    page.goto(f"{serve(table, beat_s=0.2).url}{path}")
    page.wait_for_selector("body[data-match]")
    return page


def an_evening(page: Page, table: FakeTable, listening: int) -> None:
    """So many changes, each sent on its own to so many streams (one is a witness); at the end A has 11 credits."""
    witness = Witness(page.url)
    for number in range(2, EVENING):
        state = a_state(turn="AB"[number % 2], turn_number=number)
        state["players"]["A"]["credits"] = 11 if number == EVENING - 1 else number % 10
        table.show(state)
        witness.until(number)
        assert table.taken(by=listening)


def told(page: Page, event: str) -> None:
    """The browser says that it puts the page to sleep, or wakes it (Page Lifecycle)."""
    page.evaluate("(name) => document.dispatchEvent(new Event(name))", event)


@pytest.mark.parametrize("path", ["", "watch"])
def test_a_page_that_is_put_to_sleep_hears_nothing_until_it_wakes(
    serve: Callable[..., Served], new_page: Callable[..., Any], path: str
) -> None:
    table = FakeTable(a_state())
    page = watched(serve, new_page, table, path)
    loaded, before = page.evaluate("[window.loaded, window.heard.length]")
    told(page, "freeze")
    an_evening(page, table, listening=1)
    told(page, "resume")
    expect(page.locator('[data-credits="A"] b')).to_have_text("11")
    assert page.evaluate("window.heard")[before:] == [table.snapshot().version]
    assert page.evaluate("[window.loaded, window.opened]") == [loaded, 2]


def test_what_piled_up_while_the_device_stood_still_is_shown_once(
    serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    """Nobody told the page that it would be stopped: all that was sent meanwhile waits for it."""
    table = FakeTable(a_state())
    page = watched(serve, new_page, table)
    page.evaluate(DRAWN)
    debugger = page.context.new_cdp_session(page)
    debugger.send("Debugger.enable")
    stopped: list[Any] = []
    debugger.on("Debugger.paused", lambda event: stopped.append(event))
    debugger.send("Debugger.pause")
    while not stopped:
        debugger.send("Runtime.getIsolateId")
    before = table.snapshot().version
    an_evening(page, table, listening=2)
    debugger.send("Debugger.resume")
    expect(page.locator('[data-credits="A"] b')).to_have_text("11")
    heard = [version for version in page.evaluate("window.heard") if version > before]
    assert len(heard) == EVENING - 2
    assert page.evaluate("window.drawn") < len(heard) / 4


def test_another_start_of_the_companion_is_heard_without_a_reload(
    serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    table = FakeTable(a_state())
    page = watched(serve, new_page, table)
    loaded = page.evaluate("window.loaded")
    told(page, "freeze")
    page.context.set_offline(True)
    told(page, "resume")
    expect(page.locator("#link")).not_to_have_text("Live")
    table.show(a_state(turn="B"), server="s2")
    page.context.set_offline(False)
    expect(page.locator(".marquee")).to_contain_text("B’s turn")
    expect(page.locator("#link")).to_have_text("Live")
    assert page.evaluate("window.loaded") == loaded


# the menu's patience with a companion that does not answer (link.js), put off: this machine may be slower
PATIENT = """const set = window.setTimeout;
window.setTimeout = (then, ms, ...with_) => (ms === 3000 ? 0 : set(then, ms, ...with_));"""


def test_a_menu_that_is_tapped_early_has_what_the_table_offers(
    serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    page = new_page(PORTRAIT)
    page.add_init_script(PATIENT)
    held = Held(page, "**/api/events")
    page.goto(serve(FakeTable(a_state(), a_view(table={"camera": True, "aimed": True, "beams": True}))).url)
    page.tap("#menu")
    held.asked()
    expect(page.locator("#sheet")).not_to_be_visible()
    held.release()
    for name in ("history", "set-up", "aim"):
        expect(page.locator(f'#sheet [data-do="{name}"]')).to_be_visible()


def test_so_it_is_in_a_further_game(serve: Callable[..., Served], new_page: Callable[..., Any]) -> None:
    page = new_page(PORTRAIT)
    page.add_init_script(PATIENT)
    held = Held(page, "**/api/events")
    with playing("reactions") as service:
        do(service, do="setup", characters=[{"id": "Ann"}, {"id": "Bo"}])
        page.goto(serve(service).url)
        page.tap("#menu")
        held.asked()
        expect(page.locator("#sheet")).not_to_be_visible()
        held.release()
        expect(page.locator('#sheet [data-do="history"]')).to_be_visible()


def test_a_menu_opens_though_the_companion_says_nothing(
    serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    page = new_page(PORTRAIT)
    Held(page, "**/api/events")
    page.goto(serve(FakeTable(a_state())).url)
    page.tap("#menu")
    expect(page.locator('#sheet [data-do="devices"]')).to_be_visible()
