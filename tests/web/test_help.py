"""Help for learners on the page: switched on for all tablets, the clears shown on the tray, the odds said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.games import game
from companion.service import Service
from companion.session import Session
from tests.web.conftest import LANDSCAPE, PORTRAIT, Served, until
from tests.web.keeping import keep, shape

pytestmark = pytest.mark.browser


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service(Session(game("rematch")))
    service.start()
    for command in (b'{"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"}', b'{"do": "begin"}'):
        assert service.command(command)["ok"]
    yield service
    service.stop()


@pytest.mark.parametrize("size", [LANDSCAPE, PORTRAIT], ids=["landscape", "portrait"])
def test_a_learner_sees_what_can_be_cleared(
    serve: Callable[..., Served], new_page: Callable[..., Any], service: Service, size: tuple[int, int]
) -> None:
    served = serve(service)
    page, other = new_page(size), new_page(size)
    page.goto(served.url)
    other.goto(served.url)
    expect(page.locator("#end-turn")).to_be_visible()
    expect(page.locator("#help")).to_have_count(0)
    page.tap("#menu")
    page.tap('[data-do="help"]')
    expect(other.locator("#help")).to_be_visible()
    page.tap("#help")
    expect(page.locator("#sheet h3").first).to_have_text("Red 1")
    expect(page.locator('[data-chance="R"]')).to_contain_text("33 %")
    keep(page, f"{shape(size)}-help")
    page.tap('[data-clear="b1"]')
    expect(page.locator("#clear")).to_be_visible()
    page.tap("#clear")
    expect(page.locator(".say-title")).to_contain_text("A cleared")
    state = service.snapshot().state
    assert state is not None
    assert state["last_clear"]["cells"] == ["b1"]
    # nothing can be cleared now, and nothing is offered
    expect(other.locator("#help")).to_have_count(0)
    page.tap("#menu")
    page.tap('[data-do="help"]')
    page.wait_for_function("() => !document.querySelector('#sheet').open")
    until(page, lambda: service.snapshot().view["help"] is None)


def test_the_switch_is_a_switch(service: Service) -> None:
    for on in (None, 1, "yes", []):
        assert service.control({"do": "help", "on": on})["error"]["code"] == "bad_value"
    assert service.snapshot().view["help"] is None
    assert service.control({"do": "help", "on": True}) == {"ok": True}
    first = service.snapshot().view["help"]
    assert first["player"] == "A"
    assert len(first["clears"]) > 10
    assert service.command(b'{"do": "end_turn", "player": "A"}')["ok"] is False
    assert service.snapshot().view["help"] == first
    assert service.control({"do": "help", "on": False}) == {"ok": True}
    assert service.snapshot().view["help"] is None
