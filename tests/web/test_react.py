"""Re;ACT on its page: a whole match by taps, against the real service, session and rules."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.games import artists, game, notation
from companion.log import MemoryLog
from companion.matches import Matches
from companion.records import Records
from companion.rules.react.commands import READERS
from companion.service import Service
from companion.session import Session
from companion.shelf import Shelf
from tests.companion.rules.react.cases import CASES, setup
from tests.companion.rules.react.matches import MATCH
from tests.web.conftest import LANDSCAPE, PORTRAIT, Served
from tests.web.further import PHONE, playing, state, tap, touch, undo
from tests.web.keeping import keep
from tests.web.test_axe import WEIGHT, findings

pytestmark = pytest.mark.browser


@pytest.fixture
def service() -> Iterator[Service]:
    with playing("react", artists=artists("react")) as service:
        yield service


@pytest.fixture
def page(service: Service, serve: Callable[..., Served], new_page: Callable[..., Page]) -> Page:
    """A match on 3 × 3 zones that A starts, set up by taps."""
    page = new_page(LANDSCAPE)
    page.goto(serve(service).url)
    tap(page, "new-match")
    for name in ("columns", "rows"):
        page.fill(f'[data-size="{name}"]', "3")
        page.dispatch_event(f'[data-size="{name}"]', "change")
    page.select_option('[data-input="A-artist"]', "Dancer")
    page.fill('[data-input="B-name"]', "Ink Cook")
    page.fill('[data-input="B-summons"]', "imp 1")
    page.fill('[data-input="B-tiles"]', "wall 1")
    touch(page, 'fieldset[data-player="B"] summary')
    page.fill('[data-input="B-passive-name"]', "Trap")
    page.fill('[data-input="B-passive-of"]', "wall")
    tap(page, "B-add-passive")
    tap(page, "begin")
    page.wait_for_selector("#table:not([hidden])")
    return page


def zone(page: Page, name: str, act: str) -> None:
    touch(page, f'[data-zone="{name}"]')
    tap(page, act)


def play(page: Page, name: str, target: str | None = None) -> None:
    tap(page, "play")
    page.fill("#sheet input[type=text]", name)
    if target is not None:
        touch(page, f'[data-pick="{target}"]')
    tap(page, "go")
    expect(page.locator("#chain")).to_contain_text(name)


def passes(page: Page, *players: str) -> None:
    for player in players:
        expect(page.locator('[data-do="pass"]')).to_contain_text(player)
        tap(page, "pass")


def hp(page: Page, player: str, left: int) -> None:
    expect(page.locator(f'.person[data-player="{player}"] .hp i:not(.lost)')).to_have_count(left)


def test_a_whole_match_with_undo_in_a_resolving_chain(page: Page) -> None:
    assert state(page)["players"]["B"]["summons"] == {"imp": {"count": 1, "follows": False, "left": 1}}
    expect(page.locator('.field-zone[data-zone="2,3"] .unit')).to_have_text("B")
    tap(page, "draw")
    expect(page.locator('.person[data-player="A"] [data-count="hand"]')).to_contain_text("5")
    play(page, "Wave", "2,3")
    play(page, "Steam")
    passes(page, "A", "B")
    expect(page.locator(".slot.next")).to_contain_text("Steam")
    zone(page, "2,3", "move-left")
    expect(page.locator('.field-zone[data-zone="1,3"] .unit')).to_have_text("B")
    keep(page, "react-landscape")
    tap(page, "resolve")
    expect(page.locator(".slot.next")).to_contain_text("Wave")

    undo(page)
    expect(page.locator(".slot.next")).to_contain_text("Steam")
    undo(page)
    expect(page.locator('.field-zone[data-zone="2,3"] .unit')).to_have_text("B")
    assert state(page)["chain"]["stack"] == [2, 1]
    for _ in range(2):
        touch(page, "#redo")
    expect(page.locator(".slot.next")).to_contain_text("Wave")
    expect(page.locator('.field-zone[data-zone="1,3"] .unit')).to_have_text("B")

    zone(page, "2,3", "damage-here")
    hp(page, "B", 3)  # nobody stands there any more
    tap(page, "resolve")
    expect(page.locator(".slot.next")).to_have_count(0)

    play(page, "Flood")
    passes(page, "B", "A")
    zone(page, "1,3", "damage-more")
    touch(page, '[data-zone="2,2"]')
    tap(page, "damage")
    hp(page, "B", 2)
    tap(page, "resolve")
    tap(page, "end")

    expect(page.locator("#told")).to_contain_text("Masterpiece Phase")
    touch(page, '[data-space="5"]')
    tap(page, "place-1")
    expect(page.locator('[data-space="5"]')).to_have_text("B1")
    tap(page, "draw")
    play(page, "Pepper")
    passes(page, "A", "B")
    zone(page, "3,1", "move-down")
    expect(page.locator("#said")).to_contain_text("Skipped")
    zone(page, "2,2", "summon-B-imp")
    expect(page.locator('[data-unit="B.imp1"]')).to_be_visible()
    tap(page, "resolve")
    tap(page, "end")

    touch(page, '[data-space="1"]')
    tap(page, "place-1")
    tap(page, "draw")
    play(page, "Riptide")
    passes(page, "B", "A")
    for left in (1, 0):
        zone(page, "1,3", "damage-here")
        hp(page, "B", left)
    expect(page.locator("#say")).to_contain_text("Player A wins")
    assert state(page)["over"] == {"winner": "A", "reason": "damage"}
    touch(page, "#menu")
    tap(page, "history")
    expect(page.locator(".history li").first).to_contain_text("A wins")


def test_a_passive_waits_on_the_page(page: Page) -> None:
    tap(page, "draw")
    for _ in range(3):
        zone(page, "2,2", "token-A-scale")
    expect(page.locator(".slot.due")).to_contain_text("Third scale")
    expect(page.locator('[data-do="play"]')).to_have_count(0)
    tap(page, "resolve")
    expect(page.locator('[data-do="play"]')).to_be_visible()


def test_an_unknown_passive_and_any_other_cost_by_taps(page: Page) -> None:
    """The passive interrupts the chain and leaves the priority alone; a cost that cannot be paid plays no card."""
    offered = page.evaluate("import('/static/react_forms.js').then(({ kindsToPutIn }) => Object.keys(kindsToPutIn))")
    assert set(offered) == set(READERS) - {"setup", "rules", "correct"}
    assert state(page)["players"]["B"]["passives"] == [{"name": "Trap", "when": "enter", "of": "wall", "who": "any"}]
    tap(page, "draw")
    tap(page, "play")
    tap(page, "other-cost")
    touch(page, '#sheet [data-choice="move"]')
    touch(page, '.other-cost [data-choice="A"]')
    touch(page, '.other-cost [data-choice="down"]')
    tap(page, "put-line")
    tap(page, "go")
    expect(page.locator("#said")).to_contain_text("The cost cannot be paid")
    play(page, "Wave")
    tap(page, "passive")
    page.fill("#sheet input[type=text]", "Splash")
    touch(page, '#sheet [data-pick="2,3"]')
    tap(page, "go")
    expect(page.locator(".slot.due")).to_contain_text("Splash")
    expect(page.locator('[data-do="pass"]')).to_have_count(0)
    tap(page, "effect")
    touch(page, '#sheet [data-choice="damage"]')
    touch(page, '#sheet [data-pick="2,3"]')
    expect(page.locator("#sheet .outlook")).to_contain_text("B has 1 damage")
    tap(page, "put-line")
    hp(page, "B", 2)
    tap(page, "resolve")
    expect(page.locator('[data-do="pass"]')).to_contain_text("B")
    assert state(page)["chain"]["priority"] == "B"


def test_a_refusal_is_said_and_a_unit_put_right(page: Page) -> None:
    tap(page, "draw")
    zone(page, "2,3", "put")
    touch(page, '[data-zone="3,1"]')  # A stands there
    expect(page.locator("#said")).to_contain_text("a zone holds one unit")
    touch(page, '[data-zone="2,2"]')  # it is still being put
    expect(page.locator('.field-zone[data-zone="2,2"] .unit')).to_have_text("B")
    touch(page, '.person[data-player="A"]')
    touch(page, '#sheet [data-amount="6"]')
    expect(page.locator('.person[data-player="A"] [data-count="hand"]')).to_contain_text("6")


def test_an_older_command_is_taken_out(page: Page) -> None:
    """What no longer fits is said; the rest stands as if it had been so from the start."""
    tap(page, "draw")
    zone(page, "2,3", "move-left")
    zone(page, "1,3", "exhaust")
    play(page, "Wave")
    touch(page, "#menu")
    tap(page, "history")
    touch(page, '[data-edit="2"]')
    tap(page, "remove")
    expect(page.locator(".changed")).to_contain_text("would no longer fit")
    tap(page, "apply")
    expect(page.locator("#say")).to_contain_text("No longer fits")
    assert state(page)["phase"] == "draw"
    undo(page)
    expect(page.locator(".slot.intention")).to_contain_text("Wave")


def test_the_rules_are_chosen_before_the_first_card(page: Page) -> None:
    names = page.evaluate("import('/words/react.js').then(({ words }) => Object.keys(words.rules.switches))")
    assert set(names) == set(state(page)["rules"])
    touch(page, "#menu")
    tap(page, "rules")
    touch(page, '[data-choice="false"]')
    touch(page, '[data-choice="may"]')
    page.wait_for_function("fetch('/api/state').then((a) => a.json()).then((s) => s.rules.placing === 'may')")
    assert state(page)["rules"]["foe_completes"] is False


def test_onlookers_and_the_kept_matches_see_it_too(
    tmp_path: Path, serve: Callable[..., Served], new_page: Callable[..., Page]
) -> None:
    rules = game("react")
    service = Service(Session(rules, None, Matches(tmp_path, rules).next_log))
    service.start()
    shelf = Shelf(tmp_path, rules, notation("react"))
    served = serve(service, records=Records(lambda: shelf, "react", rules))
    for command in MATCH[:12]:
        assert service.command(json.dumps(command).encode())["ok"]
    page = new_page(LANDSCAPE)
    page.goto(f"{served.url}watch")
    expect(page.locator(".slot.next")).to_have_count(0)
    expect(page.locator('[data-unit="A"].exhausted')).to_be_visible()
    expect(page.locator("#actions, #undo, #menu").locator("visible=true")).to_have_count(0)
    page.goto(f"{served.url}records#1")
    expect(page.locator(".react-table")).to_contain_text("Dancer")
    expect(page.locator("#line")).to_contain_text("resolve")
    for _ in range(4):
        touch(page, "#previous")
    expect(page.locator('.slot[data-slot="1"]')).to_contain_text("Riptide")
    service.stop()


@pytest.mark.parametrize("size", [LANDSCAPE, PORTRAIT, PHONE], ids=["landscape", "portrait", "phone"])
def test_all_that_is_tapped_is_large_enough_and_inside(
    size: tuple[int, int], service: Service, serve: Callable[..., Served], new_page: Callable[..., Page]
) -> None:
    field = {"columns": 5, "rows": 5, "stars": {"A": "3,1", "B": "3,5"}}
    for command in (
        {"do": "setup", "first": "A", "field": field, "players": {"A": {"artist": "Dancer"}}},
        {"do": "draw"},
        {"do": "play", "player": "A", "kind": "intention", "card": "A card with a very long name for a stack"},
    ):
        assert service.command(json.dumps(command).encode())["ok"]
    page = new_page(size)
    page.goto(serve(service).url)
    page.wait_for_selector("#table:not([hidden])")
    assert findings(page) == []
    assert page.evaluate(WEIGHT) <= 200_000
    for button in page.locator("button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 47.5, button.get_attribute("class")
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0] + 0.5, button.get_attribute("class")
    if size != PHONE:  # sheets are the same everywhere, and narrowest there
        return
    for opens in ('[data-zone="3,1"]', '[data-do="play"]', '[data-space="1"]', '.person[data-player="B"]', "#menu"):
        touch(page, opens)
        page.wait_for_selector("#sheet[open]")
        assert findings(page) == [], opens
        page.keyboard.press("Escape")


def test_what_the_table_says_is_told_in_german(serve: Callable[..., Served], new_page: Callable[..., Page]) -> None:
    """Every sentence that the case file and a whole match bring about; but for what no tap can send."""
    rules = game("react")
    told: set[str] = set()
    for match in (
        [*MATCH],
        *([setup(**case.get("setup", {})), *(step[0] for step in case["steps"])] for case in CASES),
    ):
        session = Session(rules, MemoryLog())
        for command in match:
            reply = session.submit(command)
            if reply.accepted:
                told |= set(rules.told(reply.body["events"])) | set((session.state_json or {}).get("reminders", ()))
                told |= {rules.named(command)} if command["do"] in READERS else set()
            elif not re.match("[a-z]+: ", text := reply.body["error"]["text"]):  # a slip in the command's own form
                told.add(text)
    with playing("react") as service:
        page = new_page(locale="de")
        page.goto(serve(service).url)
        unknown = page.evaluate(
            "async (texts) => { const { inGerman } = await import('/words/told.js');"
            " const english = /\\b(is|has|the|and|where|lies|Player|Unit)\\b/;"
            " return texts.filter((text) => english.test(inGerman(text) ?? 'is')); }",
            sorted(told),
        )
    assert len(told) > 150
    assert unknown == []
