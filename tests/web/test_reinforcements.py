"""Reinforcements on its page: a whole match of four by taps, against the real service, session and rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.games import game, notation
from companion.matches import Matches
from companion.records import Records
from companion.service import Service
from companion.session import Session
from companion.shelf import Shelf
from tests.web.conftest import LANDSCAPE, PORTRAIT, Served
from tests.web.further import PHONE, playing, state, tap, touch, undo
from tests.web.keeping import keep, shape
from tests.web.test_axe import findings
from web.app import create_app

pytestmark = pytest.mark.browser


@pytest.fixture
def service() -> Iterator[Service]:
    with playing("reinforcements") as service:
        yield service


def set_up(page: Page, url: str, count: int, mode: str = "normal") -> None:
    page.goto(url)
    tap(page, "new-match")
    touch(page, f'[data-amount="{count}"]')
    for seat, name in zip("ABCD", ("Ann", "Bo", "Cy", "Di"), strict=False):
        if seat in "ABCD"[:count]:
            page.fill(f'[data-input="{seat}"]', name)
    touch(page, f'[data-choice="{mode}"]')
    tap(page, "begin")
    page.wait_for_selector("#table:not([hidden])")


def draw(page: Page) -> None:
    touch(page, '[data-do^="draw-"] >> nth=0')


def strike(page: Page, card: str, target: str, flipped: str | None) -> None:
    tap(page, "attack")
    touch(page, f'[data-pick-card="{card}"]')
    touch(page, f'[data-pick-stack="{target}"]')
    tap(page, "go")
    if flipped is not None:
        expect(page.locator("#say")).to_contain_text(f"{target}: its top card is flipped")
        touch(page, f'#actions [data-pick-card="{flipped}"]')


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
            touch(page, '[data-pick-defender="R1"]')
            touch(page, '[data-pick-attacker="B5"]')
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
    undo(page)
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
    touch(page, '[data-pick-stack="A2"]')
    tap(page, "go")
    for i, card in enumerate(("G3", "G4", "G5")):
        touch(page, f'[data-pick-reveal{i}="{card}"]')
    expect(page.locator('[data-totem="chameleon"]')).to_contain_text("Ann")
    expect(stacks(page, "A")).to_have_count(4)
    keep(page, f"reinforcements-{'phone' if size == PHONE else shape(size)}")
    assert findings(page) == []
    tap(page, "adapt")
    touch(page, '[data-pick-place="A1.1"]')
    touch(page, '[data-pick-place="A2.3"]')
    tap(page, "go")
    expect(page.locator('[data-stack="A1"]')).to_have_attribute(
        "aria-label", "Stack A1, 2 cards, green: green Druid, green Soldier"
    )
    tap(page, "totem-chameleon")
    touch(page, '[data-pick-mine="A3"]')
    touch(page, '[data-pick-theirs="B1"]')
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
    touch(page, '[data-pick-card="RA"]')
    touch(page, '[data-pick-place="B1.1"]')
    tap(page, "go")
    expect(stacks(page, "B")).to_have_count(2)
    undo(page)
    tap(page, "deploy")
    touch(page, '[data-pick-card="RC"]')
    touch(page, '[data-pick-stack="B1"]')
    touch(page, '[data-pick-pay="G4"]')
    tap(page, "go")
    touch(page, '#actions [data-pick-card="B4"]')
    touch(page, '#actions [data-pick-card="G1"]')
    expect(stacks(page, "B")).to_have_count(2)
    undo(page)
    undo(page)
    undo(page)
    tap(page, "deploy")
    tap(page, "peasants")
    touch(page, '[data-pick-stack="B3"]')
    tap(page, "go")
    expect(stacks(page, "B")).to_have_count(2)
    assert state(page)["players"]["A"]["hand"] == 0


def test_chaos_mode(service: Service, serve: Any, new_page: Any) -> None:
    page = new_page(PORTRAIT)
    set_up(page, serve(service).url, 2, "chaos")
    tap(page, "totem-drawn")
    touch(page, '[data-choice="elk"]')
    tap(page, "go")
    for seat in "AB":
        touch(page, f'[data-pick-send="{seat}1.1"]')
        expect(stacks(page, seat)).to_have_count(2)
    draw(page)
    draw(page)
    touch(page, '#actions [data-choice="B"]')
    strike(page, "R4", "A2", "G1")
    tap(page, "end")
    expect(page.locator("#told")).to_have_text("Round 2: the token is with B Bo")
    draw(page)
    draw(page)
    tap(page, "more")
    touch(page, '#sheet [data-choice="B"]')
    expect(page.locator(".follows")).to_contain_text("The end: – → A Ann wins!")
    tap(page, "apply")
    expect(page.locator("#told")).to_have_text("A Ann wins!")


def test_what_is_wrong_is_put_right(service: Service, serve: Any, new_page: Any) -> None:
    """Set by hand, and an older entry changed, each with what follows shown first."""
    page = new_page(PHONE)
    set_up(page, serve(service).url, 2)
    draw(page)
    strike(page, "G4", "B1", "R3")
    expect(stacks(page, "B")).to_have_count(2)
    touch(page, "#menu")
    tap(page, "history")
    touch(page, ".entry >> nth=0")  # the flipped card was another
    touch(page, '#sheet [data-pick-card="R5"]')
    expect(page.locator(".follows")).to_contain_text("B1: – → ▮ (hidden)")
    tap(page, "apply")
    expect(stacks(page, "B")).to_have_count(3)
    touch(page, "#menu")
    tap(page, "right")
    touch(page, '#sheet [data-choice="B"] >> nth=0')
    touch(page, '[data-mark="B2"]')
    touch(page, '#sheet [data-choice="revealed"]')
    for card in ("B1", "B2", "B3"):
        touch(page, f'[data-pick-more="{card}"]')
    touch(page, '[data-out="1"]')
    expect(page.locator(".follows")).to_contain_text("B2: ▮ (hidden) → B1 B3")
    assert findings(page) == []
    tap(page, "apply")
    expect(page.locator('[data-stack="B2"]')).to_have_attribute("data-colour", "B")
    undo(page)
    expect(page.locator('[data-stack="B2"]')).not_to_have_attribute("data-colour", "B")


def test_what_goes_over_the_wire_holds_no_hidden_card(tmp_path: Path) -> None:
    """Whatever a phone asks for. A card is named while it lies open; one that was turned back is named no more."""
    rules = game("reinforcements")
    session = Session(rules, None, Matches(tmp_path, rules).next_log)
    records = Records(lambda: Shelf(tmp_path, rules, notation("reinforcements")), "reinforcements", rules)
    service = Service(session)
    service.start()
    client = create_app(service, records=records).test_client()
    play = partial(client.post, "/api/commands")
    hidden = re.compile(r"\bG[1-7AMC]\b|\bB[6-7AMC]\b|blue|green", re.IGNORECASE)  # all that lies open is red

    def told() -> Iterator[tuple[str, str]]:
        steps = len(client.get("/api/matches/1").json["steps"])
        for path in ("state", "history", "matches", "matches/1", "matches/1.txt", f"matches/1/steps/{steps - 1}"):
            yield path, client.get(f"/api/{path}").text
        stream = client.get("/api/events")
        yield "events", "".join(next(iter(stream.response)).decode() for _ in range(1))
        stream.close()
        for command in (
            {"do": "attack", "player": "B", "card": "R5", "target": "A1"},
            {"do": "amend", "seq": 2, "remove": True},
            {"do": "correct", "player": "A", "hand": 3},
        ):
            yield str(command), client.post("/api/control", json={"do": "preview", "command": command}).text

    try:
        for command in (
            {"do": "setup", "players": [{"name": "Ann", "stacks": [2, 1, 1]}, {"name": "Bo"}], "first": "A"},
            {"do": "draw", "player": "A"},
            {"do": "defend", "player": "A", "stack": "A2"},
            {"do": "defend", "player": "A", "stack": "A1"},  # refused: one Main Action
            {"do": "end_turn", "player": "A"},
            {"do": "draw", "player": "B"},
        ):
            play(json=command)
        for path, text in told():
            assert text, path
            assert not hidden.search(text), (path, hidden.search(text))
        play(json={"do": "attack", "player": "B", "card": "R5", "target": "A1"})
        assert play(json={"do": "flip", "card": "G7"}).json["ok"]  # it holds, and is turned back
        now = [(path, text) for path, text in told() if path == "state" or "/steps/" in path or "'hand'" in path]
        assert len(now) == 3
        for path, text in now:
            assert not hidden.search(text), (path, hidden.search(text))
    finally:
        service.stop()


def test_onlookers_tap_nothing(service: Service, serve: Any, new_page: Any) -> None:
    served = serve(service)
    set_up(new_page(PORTRAIT), served.url, 2)
    watching = new_page(LANDSCAPE)
    watching.goto(f"{served.url}watch")
    expect(watching.locator(".seat")).to_have_count(2)
    expect(watching.locator("#actions button")).to_have_count(0)
