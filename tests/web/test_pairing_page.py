"""A tablet that was not let in yet, in a real browser: it watches, enters the PIN, and keeps the score after it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.pairing import Pairing
from tests.web.conftest import LANDSCAPE, PORTRAIT, Held, Served
from tests.web.fakes import FakeTable, a_state

pytestmark = pytest.mark.browser
both = pytest.mark.parametrize("size", [LANDSCAPE, PORTRAIT], ids=["landscape", "portrait"])


class Elsewhere:
    """The app as a device of the home network reaches it: loopback itself would need no PIN."""

    def __init__(self, app: Any) -> None:
        self._app = app

    def __call__(self, environ: dict[str, Any], start: Any) -> Any:
        return self._app({**environ, "REMOTE_ADDR": "192.168.1.20"}, start)


@pytest.fixture
def pairing(tmp_path: Path) -> Pairing:
    return Pairing(tmp_path)


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(a_state())


@pytest.fixture
def served(serve: Callable[..., Served], table: FakeTable, pairing: Pairing) -> Served:
    served = serve(table, pairing=pairing)
    served.app.wsgi_app = Elsewhere(served.app.wsgi_app)
    return served


@both
def test_a_tablet_watches_and_keeps_the_score_after_the_pin(
    new_page: Callable[..., Any], served: Served, table: FakeTable, pairing: Pairing, size: tuple[int, int]
) -> None:
    page = new_page(size)
    page.goto(served.url)
    page.tap("#watching")
    wrong = "000000" if pairing.pin != "000000" else "111111"
    page.fill("input.pin", wrong)
    page.tap('[data-do="pair"]')
    expect(page.locator("#sheet")).to_contain_text("not the PIN of this table")
    page.fill("input.pin", pairing.pin)
    page.tap('[data-do="pair"]')
    expect(page.locator("#watching")).to_have_count(0)
    expect(page.locator("#sheet")).not_to_be_visible()
    with page.expect_response(lambda answer: answer.url.endswith("/api/commands")) as told:
        page.tap("#undo")
    assert told.value.status == 200
    assert table.commands == [{"do": "undo"}]
    # a reload knows it still, and it can let in the next
    page.reload()
    page.tap("#menu")
    page.tap('[data-do="devices"]')
    expect(page.locator(".pin.shown")).to_have_text(pairing.pin)
    before = pairing.pin
    page.tap('[data-do="renew-pin"]')
    expect(page.locator("#sheet")).to_contain_text("Every other device must enter it once")
    expect(page.locator(".pin.shown")).to_have_text(pairing.pin)
    assert pairing.pin != before


def test_a_tap_of_a_tablet_that_only_watches_asks_for_the_pin(
    new_page: Callable[..., Any], served: Served, table: FakeTable
) -> None:
    page = new_page()
    page.goto(served.url)
    page.tap("#undo")
    expect(page.locator("input.pin")).to_be_focused()
    assert table.commands == []


def test_the_address_of_the_qr_code_lets_it_in_and_keeps_no_pin(
    new_page: Callable[..., Any], served: Served, pairing: Pairing
) -> None:
    page = new_page()
    page.goto(f"{served.url}#pin={pairing.pin}")
    expect(page.locator("#undo")).to_be_visible()
    with page.expect_response(lambda answer: answer.url.endswith("/api/commands")) as told:
        page.tap("#undo")
    assert told.value.status == 200
    expect(page).to_have_url(re.compile(r"/$"))
    expect(page.locator("#watching")).to_have_count(0)


def test_what_is_tapped_while_it_is_being_let_in_waits(
    new_page: Callable[..., Any], served: Served, pairing: Pairing, table: FakeTable
) -> None:
    page = new_page()
    held = Held(page, "**/api/pair")
    page.goto(f"{served.url}#pin={pairing.pin}")
    held.asked()
    with page.expect_response(lambda answer: answer.url.endswith("/api/commands")) as told:
        page.tap("#undo")
        held.release()
    assert told.value.status == 200
    assert table.commands == [{"do": "undo"}]


def test_an_open_table_says_that_nothing_is_needed(
    new_page: Callable[..., Any], serve: Callable[..., Served], table: FakeTable
) -> None:
    page = new_page()
    page.goto(serve(table).url)
    page.tap("#menu")
    expect(page.locator("#watching")).to_have_count(0)
    page.tap('[data-do="devices"]')
    expect(page.locator("#sheet")).to_contain_text("lets every device on the network")
