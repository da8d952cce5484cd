"""The adviser of the reaction sheet on its page, against the real service, session and rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.games import PLAYED, game
from companion.log import MemoryLog
from companion.service import Service
from companion.session import Session
from tests.web.conftest import LANDSCAPE, PORTRAIT, Served
from tests.web.further import PHONE, playing, state, tap, touch, undo
from tests.web.keeping import keep, shape
from tests.web.test_axe import findings

pytestmark = pytest.mark.browser
NAMES = ("Ann", "Bo", "Cy", "Di", "Eve", "Flo")


@pytest.fixture
def service() -> Iterator[Service]:
    with playing("reactions") as service:
        yield service


def set_up(page: Page, url: str, grid: str = "6") -> None:
    page.goto(url)
    tap(page, "new-match")
    page.fill('[data-input="names"]', ", ".join(NAMES))
    touch(page, f'[data-choice="{grid}"]')
    tap(page, "begin")
    page.wait_for_selector("#table:not([hidden])")


def begin_attack(page: Page, who: str) -> None:
    touch(page, f'[data-character="{who}"]')
    for button in ("action-A", "action-D", "part-attack"):
        tap(page, button)


@pytest.mark.parametrize("size", [LANDSCAPE, PHONE])
def test_a_round_of_six_characters(service: Service, serve: Callable[..., Served], new_page: Any, size: Any) -> None:
    page = new_page(size)
    set_up(page, serve(service).url)
    # Ann to the middle; the others stay in the first row
    touch(page, '[data-character="Ann"]')
    expect(page.locator('[data-character="Ann"]')).to_have_attribute("data-active", "")
    tap(page, "action-A")
    tap(page, "action->")
    expect(page.locator("#told")).to_contain_text("Ann, Attack-Move")

    tap(page, "part-attack")
    touch(page, '[data-square="2,1"]')  # Bo
    tap(page, "announce")
    expect(page.locator('[data-offer="Bo"]')).to_contain_text("target")
    assert state(page)["offers"][0]["reactions"].keys() == {"D"}
    keep(page, f"reactions-{'phone' if size == PHONE else shape(size)}")
    assert findings(page) == []
    touch(page, '[data-react="Bo D"]')
    tap(page, "stopped")
    expect(page.locator("#log")).to_contain_text("Bo: Defend")

    tap(page, "part-move")
    for square in ("1,2", "2,3"):
        touch(page, f'[data-square="{square}"]')
    tap(page, "announce")
    # Bo has reacted already; nobody else stands beside a square that is left
    expect(page.locator('[data-offer="Bo"]')).to_have_count(0)
    tap(page, "proceed")
    expect(page.locator('[data-square="2,3"]')).to_contain_text("Ann")
    tap(page, "end")
    expect(page.locator("#told")).to_contain_text("Between two turns")
    touch(page, '[data-character="Cy"]')
    tap(page, "action-!")
    tap(page, "action-!")
    tap(page, "part-stunt")
    expect(page.locator('[data-offer="Bo"]')).to_contain_text("adjacent")
    touch(page, '[data-react="Di A"]')
    expect(page.locator("#log")).to_contain_text("Di: Attack against Cy")
    undo(page)
    expect(page.locator('[data-offer="Di"]')).to_have_count(1)
    for box in page.locator("button:visible").all():
        if box.get_attribute("data-square") is None:
            assert box.bounding_box()["height"] >= 47.5
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_a_grid_relations_are_set_by_hand(service: Service, serve: Any, new_page: Any) -> None:
    page = new_page(PORTRAIT)
    set_up(page, serve(service).url, "0")
    touch(page, '[data-character="Ann"]')
    tap(page, "recovery")
    expect(page.locator("#told")).to_contain_text("Ann")
    touch(page, '[data-character="Bo"]')
    touch(page, '[data-relate="in_range Ann"] [data-choice="yes"]')
    expect(page.locator(".follows")).to_contain_text("Bo and Ann: – → adjacency as the grid says, in range")
    tap(page, "apply")
    tap(page, "part-recovery")
    expect(page.locator('[data-offer="Bo"]')).to_contain_text("in range")
    touch(page, '[data-react="Bo A"]')
    expect(page.locator("#log")).to_contain_text("Bo: Attack")
    assert state(page)["turn"]["done"] == [{"part": "recovery", "outcome": "stopped", "by": "Ann"}]


def test_what_is_wrong_is_put_right(service: Service, serve: Any, new_page: Any) -> None:
    """Set by hand, an older entry changed and another taken out, each with what follows shown first."""
    page = new_page(PHONE)
    set_up(page, serve(service).url)
    begin_attack(page, "Cy")
    touch(page, '[data-square="2,1"]')  # Bo, but Di was meant
    tap(page, "announce")
    expect(page.locator('[data-offer="Bo"]')).to_contain_text("target")
    touch(page, "#menu")
    tap(page, "history")
    touch(page, ".entry >> nth=0")
    touch(page, '#sheet [data-choice="Di"]')
    expect(page.locator(".follows")).to_contain_text("Announced: Cy: attack on Bo → Cy: attack on Di")
    tap(page, "apply")
    expect(page.locator('[data-offer="Di"]')).to_contain_text("target")
    touch(page, "#menu")
    tap(page, "right")
    touch(page, '#sheet [data-choice="Di"] >> nth=0')
    touch(page, '[data-mark="disabled"] [data-choice="yes"]')
    expect(page.locator(".follows")).to_contain_text("Di may: Defend → –")
    tap(page, "apply")
    expect(page.locator('[data-offer="Di"]')).to_have_count(0)
    touch(page, "#menu")
    tap(page, "right")
    touch(page, '#sheet [data-choice="Flo"] >> nth=0')
    tap(page, "put")
    touch(page, '[data-square="4,2"]')
    expect(page.locator('[data-offer="Flo"]')).to_contain_text("adjacent")
    touch(page, '[data-react="Flo >"]')
    touch(page, '[data-square="6,6"]')
    expect(page.locator('[data-square="6,6"]')).to_contain_text("Flo")


def test_what_the_table_refuses_is_said(service: Service, serve: Any, new_page: Any) -> None:
    page = new_page(PORTRAIT)
    set_up(page, serve(service).url)
    begin_attack(page, "Ann")
    touch(page, '[data-character="Flo"]')  # five squares away
    tap(page, "announce")
    expect(page.locator("#said")).to_have_text("Flo is not in range of Ann.")


def test_onlookers_see_it_and_tap_nothing(service: Service, serve: Any, new_page: Any) -> None:
    served = serve(service)
    page = new_page(PORTRAIT)
    set_up(page, served.url)
    watching = new_page(LANDSCAPE)
    watching.goto(f"{served.url}watch")
    expect(watching.locator(".person-chip")).to_have_count(6)
    watching.locator('[data-character="Ann"]').click()
    expect(watching.locator("#actions")).to_be_hidden()


def test_it_speaks_german(service: Service, serve: Any, new_page: Any) -> None:
    page = new_page(PORTRAIT, locale="de-DE")
    page.goto(serve(service).url)
    tap(page, "new-match")
    expect(page.locator("#sheet-title")).to_have_text("Wer ist da")


@pytest.mark.parametrize("name", ["rematch", "reactions"])
def test_the_menu_offers_every_game(name: str, serve: Any, new_page: Any) -> None:
    service = Service(Session(game(name), MemoryLog()))
    asked: list[object] = []
    service.set_play(lambda wanted: asked.append(wanted) or {"ok": True})
    service.start()
    service.show(games=list(PLAYED))
    try:
        page = new_page(PORTRAIT)
        page.goto(serve(service).url)
        page.wait_for_selector("#welcome:not([hidden])")
        touch(page, "#menu")
        for one in PLAYED:
            expect(page.locator(f'#sheet [data-do="play-{one}"]')).to_be_visible()
        expect(page.locator(f'#sheet [data-do="play-{name}"]')).to_have_attribute("aria-current", "true")
        touch(page, '#sheet [data-do="play-reinforcements"]')
        expect(page.locator("#sheet")).to_contain_text("Reinforcements is being set up")
        assert asked == ["reinforcements"]
    finally:
        service.stop()
