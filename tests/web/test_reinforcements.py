"""Reinforcements on its page: a whole match of four by taps, against the real service, session and rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.service import Service
from tests.web.conftest import LANDSCAPE, PORTRAIT, Served
from tests.web.further import PHONE, playing, state, tap
from tests.web.keeping import keep, shape
from tests.web.test_axe import findings

pytestmark = pytest.mark.browser


@pytest.fixture
def service() -> Iterator[Service]:
    with playing("reinforcements") as service:
        yield service


def set_up(page: Page, url: str, count: int, mode: str = "normal") -> None:
    page.goto(url)
    tap(page, "new-match")
    page.tap(f'[data-amount="{count}"]')
    for seat, name in zip("ABCD", ("Ann", "Bo", "Cy", "Di"), strict=False):
        if seat in "ABCD"[:count]:
            page.fill(f'[data-input="{seat}"]', name)
    page.tap(f'[data-choice="{mode}"]')
    tap(page, "begin")
    page.wait_for_selector("#table:not([hidden])")


def draw(page: Page) -> None:
    page.tap('[data-do^="draw-"] >> nth=0')


def strike(page: Page, card: str, target: str, flipped: str | None) -> None:
    tap(page, "attack")
    page.tap(f'[data-pick-card="{card}"]')
    page.tap(f'[data-pick-stack="{target}"]')
    tap(page, "go")
    if flipped is not None:
        expect(page.locator("#say")).to_contain_text(f"{target}: its top card is flipped")
        page.tap(f'#actions [data-pick-card="{flipped}"]')


def stacks(page: Page, seat: str) -> Any:
    return page.locator(f'[data-seat="{seat}"] .stack-box')


def test_a_whole_match_of_four_by_taps(service: Service, serve: Callable[..., Served], new_page: Any) -> None:
    page = new_page(PORTRAIT)
    set_up(page, serve(service).url, 4)
    expect(page.locator("#told")).to_have_text("Turn 1: A Ann")

    # Ann wins every blow; the others only draw and end their turns
    victims = [f"{seat}{number}" for seat in "BCD" for number in (1, 2, 3)]
    blows = ["R7", "R6", "R6", "B7", "B6", "B6", "G7", "G6", "G6"]
    for number, (target, card) in enumerate(zip(victims, blows, strict=True)):
        draw(page)
        if number == 1:
            strike(page, "G4", target, "G4")
            expect(page.locator(".loud")).to_have_text("REINFORCEMENTS!")
            keep(page, "reinforcements-tie")
            page.tap('[data-pick-defender="R1"]')
            page.tap('[data-pick-attacker="B5"]')
        else:
            strike(page, card, target, "R1" if card[0] != "R" else "B1")
        expect(page.locator(f'[data-stack="{target}"]')).to_have_count(0)
        if number == len(victims) - 1:
            break
        tap(page, "end")
        for seat in [one for one in "BCD" if any(victim[0] == one for victim in victims[number + 1 :])]:
            expect(page.locator("#told")).to_contain_text(f": {seat} ")
            draw(page)
            tap(page, "end")
        expect(page.locator("#told")).to_contain_text("A Ann")
    expect(page.locator("#say")).to_contain_text("A Ann wins!")
    assert state(page)["over"] == {"winner": "A", "reason": "last_standing"}
    assert state(page)["total"] == 96
    page.tap("#undo")
    expect(page.locator("#say")).to_contain_text("D3: its top card is flipped")


@pytest.mark.parametrize("size", [PORTRAIT, PHONE])
def test_reveal_totem_and_kingdom_actions(service: Service, serve: Any, new_page: Any, size: Any) -> None:
    page = new_page(size)
    up = {"cards": ["G1", "G2"], "revealed": True}
    service.control(
        {
            "do": "new_match",
            "setup": {
                "do": "setup",
                "players": [{"name": "Ann", "stacks": [up, 2, 1], "hand": 5}, {"name": "Bo"}],
                "first": "A",
                "phase": "action",
            },
        }
    )
    page.goto(serve(service).url)
    tap(page, "defend")
    page.tap('[data-pick-stack="A2"]')
    tap(page, "go")
    for i, card in enumerate(("G3", "G4", "G5")):
        page.tap(f'[data-pick-reveal{i}="{card}"]')
    expect(page.locator('[data-totem="chameleon"]')).to_contain_text("Ann")
    expect(stacks(page, "A")).to_have_count(4)
    keep(page, f"reinforcements-{'phone' if size == PHONE else shape(size)}")
    assert findings(page) == []
    tap(page, "adapt")
    page.tap('[data-pick-place="A1.1"]')
    page.tap('[data-pick-place="A2.3"]')
    tap(page, "go")
    expect(page.locator('[data-stack="A1"]')).to_have_attribute(
        "aria-label", "Stack A1, 2 cards, green: green Druid, green Soldier"
    )
    tap(page, "totem-chameleon")
    page.tap('[data-pick-mine="A3"]')
    page.tap('[data-pick-theirs="B1"]')
    tap(page, "go")
    expect(page.locator('[data-totem="chameleon"]')).not_to_contain_text("Ann")
    for box in page.locator("button:visible").all():
        assert box.bounding_box()["height"] >= 47.5
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_deploys(service: Service, serve: Any, new_page: Any) -> None:
    page = new_page(PORTRAIT)
    set_up(page, serve(service).url, 2)
    draw(page)
    tap(page, "deploy")
    page.tap('[data-pick-card="RA"]')
    page.tap('[data-pick-place="B1.1"]')
    tap(page, "go")
    expect(stacks(page, "B")).to_have_count(2)
    page.tap("#undo")
    tap(page, "deploy")
    page.tap('[data-pick-card="RC"]')
    page.tap('[data-pick-stack="B1"]')
    page.tap('[data-pick-pay="G4"]')
    tap(page, "go")
    page.tap('#actions [data-pick-card="B4"]')
    page.tap('#actions [data-pick-card="G1"]')
    expect(stacks(page, "B")).to_have_count(2)
    page.tap("#undo")
    page.tap("#undo")
    page.tap("#undo")
    tap(page, "deploy")
    tap(page, "peasants")
    page.tap('[data-pick-stack="B3"]')
    tap(page, "go")
    expect(stacks(page, "B")).to_have_count(2)
    assert state(page)["players"]["A"]["hand"] == 0


def test_chaos_mode(service: Service, serve: Any, new_page: Any) -> None:
    page = new_page(PORTRAIT)
    set_up(page, serve(service).url, 2, "chaos")
    tap(page, "totem-drawn")
    page.tap('[data-choice="elk"]')
    tap(page, "go")
    for seat in "AB":
        page.tap(f'[data-pick-send="{seat}1.1"]')
        expect(stacks(page, seat)).to_have_count(2)
    draw(page)
    draw(page)
    page.tap('#actions [data-choice="B"]')
    strike(page, "R4", "A2", "G1")
    tap(page, "end")
    expect(page.locator("#told")).to_have_text("Round 2: the token is with B Bo")


def test_what_goes_over_the_wire_holds_no_hidden_card(service: Service, serve: Any, new_page: Any) -> None:
    """Every answer that a phone gets: a card's name appears only once it lies open."""
    page = new_page(PHONE)
    heard: list[str] = []
    page.on("response", lambda answer: heard.append(answer.text()) if "/api/state" in answer.url else None)
    set_up(page, serve(service).url, 2)
    draw(page)
    tap(page, "defend")
    page.tap('[data-pick-stack="A1"]')
    tap(page, "go")
    expect(page.locator('[data-stack="A1"]')).to_have_attribute(
        "aria-label", "Stack A1, 2 cards, hidden: face down, face down"
    )
    told = state(page)
    cards = [card for side in told["players"].values() for stack in side["stacks"] for card in stack["cards"]]
    assert set(cards) == {"?"}
    assert told["discard"]["known"] == {}
    history = page.evaluate("fetch('/api/history').then((answer) => answer.text())")
    for text in (*heard, history):
        assert '"card":"?"' in text or '"card":' not in text.replace('"card":null', "")


def test_onlookers_tap_nothing(service: Service, serve: Any, new_page: Any) -> None:
    served = serve(service)
    set_up(new_page(PORTRAIT), served.url, 2)
    watching = new_page(LANDSCAPE)
    watching.goto(f"{served.url}watch")
    expect(watching.locator(".seat")).to_have_count(2)
    expect(watching.locator("#actions button")).to_have_count(0)
