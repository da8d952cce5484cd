"""Point 3 of the page, sentence by sentence (see also test_due.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.service import Service
from tests.web import playing
from tests.web.conftest import PORTRAIT, Served
from tests.web.keeping import keep
from tests.web.playing import state

pytestmark = pytest.mark.browser
WEAK = {"buttons": {"R": {"hp": 3, "broken": False}, "Y": {"hp": 6, "broken": True}}, "credits": 3}
FORESEEN = "breaks Red: B pays 2, restores 2"


@pytest.fixture
def service() -> Iterator[Service]:
    service = playing.a_service()
    yield service
    service.stop()


@pytest.fixture
def page(service: Service, serve: Callable[..., Served], new_page: Callable[..., Page]) -> Page:
    page = new_page(PORTRAIT)
    page.goto(serve(service).url)
    return page


def start(page: Page, service: Service, **players: Any) -> None:
    playing.begin(service, **players)
    page.wait_for_selector("body[data-match]")
    expect(page.locator("#end-turn")).to_be_visible()


def yellow_two(page: Page) -> None:
    for cell in ("a5", "b5"):
        page.tap(f'[data-cell="{cell}"]')
    page.tap("#clear")


def test_effects_are_due_in_order_and_the_dial_to_hit_is_tapped(page: Page, service: Service) -> None:
    start(page, service, A={"fighter": "House"}, B=WEAK)
    yellow_two(page)
    expect(page.locator("#say .say-line").first).to_contain_text("deal 4 to one of the opponent's buttons")
    later = page.locator("#say .then")
    expect(later.nth(0)).to_contain_text("Then: Player A: destroy up to 1 marble")
    expect(later.nth(1)).to_contain_text("Then: Player A: heal 2")
    expect(later.nth(2)).to_have_text("Then one more.")
    expect(page.locator(".dial[data-choosable]")).to_have_count(2)  # Yellow is broken and takes no damage
    before = state(service)
    page.tap('[data-dial="BR"]')
    expect(page.locator('[data-dial="BR"]')).to_have_attribute("data-chosen", "")
    confirm = page.locator('[data-resolve="confirm"]')
    expect(confirm).to_contain_text(FORESEEN)
    assert state(service) == before
    page.tap('[data-dial="BB"]')
    expect(confirm).to_contain_text("Blue of B: 10 → 6")
    page.tap('[data-dial="BR"]')
    expect(confirm).to_contain_text(FORESEEN)
    keep(page, "portrait-foreseen")
    confirm.tap()
    expect(page.locator('[data-dial="BR"]')).to_have_attribute("data-broken", "")
    dial = state(service)["players"]["B"]["buttons"]["R"]
    assert (dial, state(service)["players"]["B"]["credits"]) == ({"hp": 2, "broken": True}, 1)
    # the rest: a marble, then what needs no choice happens by itself (all dials of A are full), and so does the skip
    page.tap('[data-cell="c1"]')
    page.tap('[data-resolve="cells"]')
    expect(page.locator("[data-resolve]")).to_have_count(0)
    assert state(service)["due"] == []
    assert state(service)["players"]["B"]["skips_next"] is True


def test_what_each_dial_would_come_to_stands_on_its_button(page: Page, service: Service) -> None:
    start(page, service, A={"fighter": "House"}, B=WEAK)
    yellow_two(page)
    expect(page.locator('[data-resolve="R"] .outlook')).to_have_text(FORESEEN)
    expect(page.locator('[data-resolve="B"] .outlook')).to_have_text("Blue of B: 10 → 6")
    page.tap('[data-resolve="B"]')
    expect(page.locator('[data-dial="BB"] .hp')).to_have_text("6")


def test_a_choice_that_is_none_happens_by_itself(page: Page, service: Service) -> None:
    one_left = {
        "buttons": {"R": {"hp": 3, "broken": True}, "Y": {"hp": 6, "broken": True}, "B": {"hp": 9, "broken": False}}
    }
    start(page, service, A={"fighter": "House"}, B=one_left)
    yellow_two(page)
    expect(page.locator('[data-dial="BB"] .hp')).to_have_text("5")
    expect(page.locator("#say")).to_contain_text("destroy up to 1 marble")


def test_damage_by_hand_is_shown_before_it_is_confirmed(page: Page, service: Service) -> None:
    start(page, service, B=WEAK)
    before = state(service)
    page.tap('[data-dial="BR"]')
    expect(page.locator('[data-do="confirm"]')).not_to_be_visible()
    page.tap('[data-amount="2"]')
    expect(page.locator("#sheet .outlook")).to_have_text("Red of B: 3 → 1")
    page.tap('[data-amount="3"]')
    expect(page.locator("#sheet .outlook")).to_contain_text(FORESEEN)
    page.tap('[data-also="B"]')
    expect(page.locator("#sheet .outlook")).to_contain_text("Blue of B: 10 → 9")
    assert state(service) == before
    page.tap('[data-do="confirm"]')
    expect(page.locator('[data-dial="BR"]')).to_have_attribute("data-broken", "")
    # who cannot pay has lost, and that is said before it happens
    page.tap('[data-dial="BB"]')
    page.tap('[data-amount="10"]')
    expect(page.locator("#sheet .outlook")).to_contain_text("A wins")


def test_without_boards_there_are_effect_buttons_and_amounts(page: Page, service: Service) -> None:
    start(page, service, B=WEAK)

    def effect(kind: str, *taps: str) -> None:
        page.tap("#effects")
        page.tap(f'#sheet [data-choice="{kind}"]')
        for tap in taps:
            page.tap(f"#sheet {tap}")
        expect(page.locator("#sheet")).not_to_be_visible()

    def players() -> Any:
        return state(service)["players"]

    page.tap("#effects")
    for tap in ('[data-target="BB"]', '[data-target="BR"]', '[data-amount="4"]'):
        page.tap(f"#sheet {tap}")
    expect(page.locator("#sheet .outlook")).to_contain_text(FORESEEN)
    keep(page, "portrait-effects")
    page.keyboard.press("Escape")
    effect("hit", '[data-target="BB"]', '[data-target="AY"]', '[data-amount="4"]', '[data-do="confirm"]')
    expect(page.locator('[data-dial="BB"] .hp')).to_have_text("6")
    expect(page.locator('[data-dial="AY"] .hp')).to_have_text("6")
    effect("heal", '[data-target="AY"]', '[data-amount="3"]', '[data-do="confirm"]')
    expect(page.locator('[data-dial="AY"] .hp')).to_have_text("9")
    effect("fan", '[data-take="B"]')
    expect(page.locator('[data-place="A"] [data-fan="B"]')).to_be_visible()
    effect("pay", '[data-amount="1"]', '[data-choice="yes"]', '[data-do="confirm"]')
    expect(page.locator('[data-credits="B"] b')).to_have_text("2")
    assert players()["B"]["buttons"]["B"]["hp"] == 7
    effect("skip", '[data-do="skip-B"]')
    yellow_two(page)
    expect(page.locator("#say")).to_contain_text("A cleared Yellow 2")
    assert players()["B"]["skips_next"] is True
    page.tap('[data-cell="c1"]')  # after the clear a marble that is tapped can be destroyed
    page.tap("#destroy")
    expect(page.locator('[data-cell="c1"] .glass')).to_have_text("R")
    effect("concede", '[data-do="concede-A"]')
    expect(page.locator("#say")).to_contain_text("B wins")
