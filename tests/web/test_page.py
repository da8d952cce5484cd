"""The page in a real Chromium, by touch, against a fake table: what it shows and what it asks for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import LANDSCAPE, PORTRAIT, Served
from tests.web.fakes import FakeTable, a_state, a_view, refused

pytestmark = pytest.mark.browser
SIMULATED = {
    "simulated": True,
    "camera": {"state": "ok", "age_s": 0, "name": "simulated"},
    "sensors": {"state": "ok", "lanes": {}},
}
ILLEGAL = {
    "kind": "illegal",
    "player": "A",
    "cells": ["a1", "a2", "a3", "b2"],
    "attack": None,
    "reasons": [{"code": "branching", "cells": ["a2"], "text": "The marbles branch at a2."}],
    "text": "A pulled a1 a2 a3 b2.",
    "sure": True,
}
QUESTION = {
    "id": "q7",
    "player": "A",
    "text": "Which marbles left?",
    "answers": [
        {"label": "A cleared a1 a2", "cells": ["a1", "a2"], "command": None},
        {"label": "It did not happen", "cells": [], "command": None},
    ],
}


def a_match(**changes: Any) -> dict[str, Any]:
    """In the middle: one broken dial on each side, every fan somewhere else."""
    state = a_state(stage_fans=["R"], **changes)
    a, b = state["players"]["A"], state["players"]["B"]
    a["buttons"]["B"], a["credits"], a["fans"] = {"hp": 3, "broken": True}, 3, ["Y"]
    b["buttons"]["R"], b["credits"], b["fans"] = {"hp": 1, "broken": False}, 2, ["B"]
    return state


@pytest.fixture
def size() -> tuple[int, int]:
    return LANDSCAPE


both = pytest.mark.parametrize("size", [LANDSCAPE, PORTRAIT], ids=["landscape", "portrait"])


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(a_match())


@pytest.fixture
def page(table: FakeTable, serve: Callable[..., Served], new_page: Callable[..., Page], size: tuple[int, int]) -> Page:
    page = new_page(size)
    page.goto(serve(table).url)
    page.wait_for_selector("body[data-match]")
    return page


def sent(page: Page, table: FakeTable, tap: str) -> Any:
    """The command that a tap makes the page send."""
    with page.expect_response(lambda answer: answer.url.endswith("/api/commands")):
        page.tap(tap)
    return table.commands[-1]


def asked(page: Page, table: FakeTable, tap: str) -> Any:
    """The control request that a tap makes the page send."""
    with page.expect_response(lambda answer: answer.url.endswith("/api/control")):
        page.tap(tap)
    return table.controls[-1]


def marked(page: Page, attribute: str) -> list[str]:
    return page.eval_on_selector_all(f".cell[{attribute}]", "cells => cells.map((cell) => cell.dataset.cell).sort()")


@both
def test_everything_on_the_table_is_on_the_page(page: Page) -> None:
    expect(page.locator('[data-dial="AB"]')).to_have_accessible_name("A’s Blue dial: 3 HP, broken")
    expect(page.locator('[data-dial="AB"] svg')).to_contain_text("BROKEN")
    expect(page.locator('[data-dial="BR"]')).to_have_accessible_name("B’s Red dial: 1 HP")
    expect(page.locator('[data-credits="A"] b')).to_have_text("3")
    expect(page.locator('[data-place="A"] [data-fan]')).to_have_attribute("aria-label", "Yellow fan with A")
    expect(page.locator('[data-place="stage"] [data-fan]')).to_have_attribute("data-fan", "R")
    expect(page.locator('[data-place="B"] [data-fan]')).to_have_attribute("data-fan", "B")
    expect(page.locator(".marquee")).to_contain_text("A’s turn")
    tray = page.eval_on_selector_all(".cell .glass", "all => all.map((one) => one.textContent).join('')")
    assert tray == "YRBYR" + "YBRBY" + "RBYRB", "each lane from the tower down"


@both
def test_the_tray_lies_as_on_the_table(page: Page) -> None:
    box = {cell: page.locator(f'[data-cell="{cell}"]').bounding_box() for cell in ("a1", "a5", "c1")}
    assert box["a5"]["y"] < box["a1"]["y"], "row 5 is next to the tower, at the top"
    assert box["a1"]["x"] < box["c1"]["x"], "lane a is on A's side, left"
    assert page.locator("#player-a").bounding_box()["x"] < box["a1"]["x"]


@both
def test_a_clear_by_taps_in_the_order_of_the_taps(page: Page, table: FakeTable) -> None:
    for cell in ("b2", "a2", "a3"):
        page.tap(f'[data-cell="{cell}"]')
    expect(page.locator("#clear")).to_have_text("Clear 3 marbles")
    page.tap('[data-cell="a3"]')
    expect(page.locator("#clear")).to_have_text("Clear 2 marbles")
    assert sent(page, table, "#clear") == {"do": "clear", "player": "A", "cells": ["b2", "a2"]}
    expect(page.locator("#clear")).to_have_count(0)


@both
def test_a_refused_clear_says_why_marks_the_cells_and_keeps_the_picks(page: Page, table: FakeTable) -> None:
    reasons = [
        {"code": "branching", "cells": ["a2"], "text": "The marbles branch at a2."},
        {"code": "mixed_colours", "cells": ["b2"], "text": "b2 is Blue."},
    ]
    table.replies = [refused("illegal_clear", "That is no legal clear.", "a2", reasons=reasons)]
    for cell in ("a1", "a2", "a3", "b2"):
        page.tap(f'[data-cell="{cell}"]')
    sent(page, table, "#clear")
    said = page.locator('#say [aria-live="polite"]')
    expect(said).to_contain_text("Not a legal clear")
    expect(said).to_contain_text("The marbles branch at a2.")
    expect(said).to_contain_text("b2 is Blue.")
    assert marked(page, "data-bad") == ["a2", "b2"]
    assert marked(page, "data-picked") == ["a1", "a2", "a3", "b2"]
    page.tap("#dismiss")
    expect(said).not_to_contain_text("branch")


@both
def test_a_hit_names_its_source_and_one_effect_may_hit_several_dials(page: Page, table: FakeTable) -> None:
    page.tap('[data-dial="BR"]')
    page.tap('[data-amount="3"]')
    assert sent(page, table, '[data-do="confirm"]') == {
        "do": "hit",
        "source": "A",
        "hits": [{"player": "B", "button": "R", "amount": 3}],
    }
    page.tap('[data-dial="AR"]')
    page.tap('[data-choice="B"]')
    page.tap('[data-also="Y"]')
    page.tap('[data-amount="2"]')
    assert sent(page, table, '[data-do="confirm"]') == {
        "do": "hit",
        "source": "B",
        "hits": [{"player": "A", "button": "R", "amount": 2}, {"player": "A", "button": "Y", "amount": 2}],
    }


def test_heal_set_flip_credits_fans_and_turn_each_have_their_command(page: Page, table: FakeTable) -> None:
    page.tap('[data-dial="AB"]')  # broken, so healing is offered first
    assert sent(page, table, '[data-amount="2"]') == {"do": "heal", "player": "A", "button": "B", "amount": 2}
    page.tap('[data-dial="AB"]')
    assert sent(page, table, '[data-do="flip"]') == {"do": "flip", "player": "A", "button": "B"}
    page.tap('[data-dial="BY"]')
    page.tap('[data-choice="set"]')
    page.tap('[data-choice="broken"]')
    right = {"do": "correct", "player": "B", "button": "Y", "hp": 4, "broken": True}
    assert sent(page, table, '[data-amount="4"]') == right
    page.tap('[data-credits="B"]')
    assert sent(page, table, '[data-amount="1"]') == {"do": "correct", "player": "B", "credits": 1}
    page.tap('[data-fan="R"]')
    assert sent(page, table, '[data-do="take-A"]') == {"do": "fan", "player": "A", "fan": "R"}
    page.tap('[data-fan="B"]')
    assert sent(page, table, '[data-do="put-stage"]') == {"do": "correct", "fan": "B", "place": "stage"}
    page.tap("#menu")
    assert sent(page, table, '[data-do="turn-B"]') == {"do": "correct", "turn": "B"}


@both
def test_undo_redo_and_end_turn_are_one_tap(page: Page, table: FakeTable) -> None:
    assert sent(page, table, "#undo") == {"do": "undo"}
    assert sent(page, table, "#redo") == {"do": "redo"}
    assert sent(page, table, "#end-turn") == {"do": "end_turn", "player": "A"}


def test_a_refused_command_is_said_at_once(page: Page, table: FakeTable) -> None:
    table.replies = [refused("nothing_to_undo", "There is nothing to undo.")]
    sent(page, table, "#undo")
    expect(page.locator('#say [aria-live="polite"]')).to_contain_text("There is nothing to undo.")


@pytest.mark.parametrize(("code", "hinted"), [("must_clear", ["a1", "b4"]), ("must_flip", []), ("too_many", [])])
def test_no_marble_is_crossed_out_but_those_of_an_illegal_clear(
    page: Page, table: FakeTable, code: str, hinted: list[str]
) -> None:
    table.replies = [refused(code, "Player A can clear, and so must before the turn ends.", "a1", "b4")]
    sent(page, table, "#end-turn")
    expect(page.locator("#say")).to_contain_text("so must before the turn ends")
    assert marked(page, "data-bad") == []
    expect(page.locator(".cell .badge .icon-no")).to_have_count(0)
    assert marked(page, "data-could") == hinted
    page.tap("#dismiss")
    expect(page.locator(".cell[data-could]")).to_have_count(0)


def test_a_nervous_second_tap_is_not_a_second_command_but_two_undos_are_two(page: Page, table: FakeTable) -> None:
    twice = "(id) => { const one = document.getElementById(id); one.click(); one.click(); }"
    for button, times in (("end-turn", 1), ("undo", 2)):
        table.commands.clear()
        page.evaluate(twice, button)
        with page.expect_response(lambda answer: answer.request.post_data_json == {"do": "redo"}):
            page.tap("#redo")
        assert len(table.commands) == times + 1


LIT = "all => all.map((one) => one.dataset.player).join()"


@both
def test_in_the_opening_the_second_player_acts(page: Page, table: FakeTable) -> None:
    table.show(a_match(phase="opening", opening_destroyed=0))
    for part in (".marquee", "#say"):
        expect(page.locator(part)).to_contain_text("B may destroy up to 2 marbles")
    expect(page.locator(".marquee .who")).to_have_attribute("data-player", "B")
    expect(page.locator('.player[data-on-turn][data-player="B"]')).to_be_visible()
    assert page.eval_on_selector_all(".player[data-on-turn]", LIT) == "B"
    assert page.eval_on_selector_all(".action.main", "all => all.map((one) => one.id).join()") == "begin"
    page.tap('[data-cell="a4"]')
    expect(page.locator(".action.main")).to_have_text("Destroy 1 marble")
    assert sent(page, table, "#destroy") == {"do": "destroy", "player": "B", "cells": ["a4"]}
    expect(page.locator(".cell[data-picked]")).to_have_count(0)
    table.show(a_match(phase="opening", opening_destroyed=1))
    expect(page.locator("#say")).to_contain_text("B may destroy 1 more marble")
    table.show(a_match(phase="opening", opening_destroyed=2))
    expect(page.locator("#say")).to_contain_text("A begins")
    expect(page.locator('.player[data-on-turn][data-player="A"]')).to_be_visible()
    assert page.eval_on_selector_all(".player[data-on-turn]", LIT) == "A"
    assert sent(page, table, "#begin") == {"do": "begin"}


def test_in_the_opening_of_a_simulated_match_marbles_are_destroyed_by_pulling(page: Page, table: FakeTable) -> None:
    table.show(a_match(phase="opening", opening_destroyed=0), **SIMULATED)
    page.tap('[data-cell="a4"]')
    expect(page.locator("#pull")).to_have_text("Destroy 1 marble")
    page.tap('[data-cell="b4"]')
    expect(page.locator("#pull")).to_have_text("Destroy 2 marbles")
    assert asked(page, table, "#pull") == {"do": "pull", "cells": ["a4", "b4"]}


def test_marbles_are_set_by_tapping_them(page: Page, table: FakeTable) -> None:
    page.tap("#set-marbles")
    page.tap('[data-cell="c4"]')
    assert sent(page, table, '[data-colour="Y"]') == {"do": "correct", "cell": "c4", "colour": "Y"}


def test_without_a_camera_what_rolled_in_is_one_tap_each(page: Page, table: FakeTable) -> None:
    table.show(a_match(phase="resolve", tray="RYBR?/YBRB?/BRYBR"))
    expect(page.locator(".fill-in")).to_contain_text("a5")
    assert sent(page, table, '[data-fill="B"]') == {"do": "correct", "cell": "a5", "colour": "B"}
    page.tap('[data-cell="b5"]')
    assert sent(page, table, '[data-colour="R"]') == {"do": "correct", "cell": "b5", "colour": "R"}


def test_an_attack_can_be_called_by_name(page: Page, table: FakeTable) -> None:
    page.tap("#call")
    expect(page.locator('[data-attack="B1"]')).to_be_disabled()  # A's blue button is broken
    page.tap('.stepper [aria-label="+1"]')
    assert sent(page, table, '[data-attack="R2"]') == {"do": "clear", "player": "A", "attack": "R2", "shorts": {"B": 1}}


def test_a_legal_clear_is_drawn_in_order_with_its_short_circuit(page: Page, table: FakeTable) -> None:
    clear = {
        "player": "A",
        "attack": "Y2",
        "cells": ["a2", "a3", "b3"],
        "chain": ["a2", "a3", "b3"],
        "heals": {"B": 2},
        "kicker": True,
    }
    before = a_match(tray="RYBRY/YBYBY/BRYBR")
    table.show(before)
    expect(page.locator('[data-cell="b3"] .glass')).to_have_text("Y")
    table.show(a_match(phase="resolve", last_clear=clear, tray="RRYBR/YBBYR/BRYBR"))
    say = page.locator("#say")
    expect(say).to_contain_text("A cleared Yellow 2")
    expect(say).to_contain_text("Legal")
    expect(say).to_contain_text("Blue +2 by short circuit")
    expect(say).to_contain_text("Kicker")
    assert page.eval_on_selector_all(".mini small", "all => all.map((one) => one.textContent)") == ["a2", "a3+2", "b3"]
    assert page.eval_on_selector_all(".mini-glass", "all => all.map((one) => one.textContent).join('')") == "YBY"
    expect(page.locator(".ghost")).to_have_text(["Y1", "B2+2", "Y3"])
    expect(page.locator(".ghost.short")).to_have_count(1)


@both
def test_the_last_clear_is_never_taken_for_what_lies_there_now(page: Page, table: FakeTable) -> None:
    clear = {"player": "A", "attack": "Y2", "cells": ["a4", "b4"], "chain": ["a4", "b4"], "heals": {}, "kicker": False}
    done = {"last_clear": clear, "tray": "BRYRY/YBBRY/RBBRB"}
    table.show(a_match(phase="resolve", **done))
    expect(page.locator(".ghost")).to_have_text(["Y1", "Y2"])
    expect(page.locator(".ghost-path")).to_have_css("stroke-dasharray", re.compile(r"\d"))
    for i, cell in enumerate(clear["cells"]):  # beside the marble: its middle stays free
        glass, ghost = (
            page.locator(f'[data-cell="{cell}"]').bounding_box(),
            page.locator(".ghost-disc").nth(i).bounding_box(),
        )
        assert ghost["width"] < glass["width"] * 0.4
        assert ghost["x"] + ghost["width"] < glass["x"] + glass["width"] * 0.4
        assert ghost["y"] + ghost["height"] < glass["y"] + glass["height"] * 0.4
    expect(page.locator(".overlay circle:not(.ghost-disc)")).to_have_count(0)
    table.show(a_match(turn="B", **done))
    expect(page.locator("#say")).to_contain_text("A cleared Yellow 2")
    expect(page.locator(".mini")).to_have_count(2)
    expect(page.locator(".overlay > *")).to_have_count(0)


@both
def test_an_illegal_pull_says_why_and_shows_what_to_restore(page: Page, table: FakeTable) -> None:
    table.show(verdict=ILLEGAL, differs=["a3", "b2"], seen="RYYRY/YRRBY/BRYBR", **SIMULATED)
    say = page.locator('#say [aria-live="polite"]')
    expect(say).to_contain_text("Illegal pull by A")
    expect(say).to_contain_text("The marbles branch at a2.")
    assert marked(page, "data-bad") == ["a2"]
    assert marked(page, "data-pulled") == ["a1", "a2", "a3", "b2"]
    assert marked(page, "data-restore") == ["a3", "b2"]
    expect(page.locator('[data-cell="a3"] .glass')).to_have_text("B")
    expect(page.locator('[data-cell="a3"] .now')).to_have_text("Y")
    assert asked(page, table, "#take-tray") == {"do": "take_tray"}
    assert asked(page, table, "#put-back") == {"do": "put_back"}


def test_a_tray_that_differs_has_two_ways_out_once_it_lies_still(page: Page, table: FakeTable) -> None:
    table.show(differs=["c5"], seen="RYBRY/YBRBY/BRYBB", hand=True, camera=SIMULATED["camera"])
    expect(page.locator("#hand")).to_be_visible()
    expect(page.locator("#take-tray")).to_have_count(0)
    table.show(hand=False)
    expect(page.locator("#say")).to_contain_text("c5")
    expect(page.locator("#put-back")).to_have_count(0)  # nobody but the players can put real marbles back
    assert asked(page, table, "#take-tray") == {"do": "take_tray"}


@both
def test_a_question_is_answered_by_a_big_button(page: Page, table: FakeTable) -> None:
    table.show(question=QUESTION)
    expect(page.locator('#say [aria-live="polite"]')).to_contain_text("Which marbles left?")
    assert asked(page, table, '[data-choice="1"]') == {"do": "answer", "id": "q7", "choice": 1}


def test_at_a_simulated_table_marbles_are_pulled_by_taps(page: Page, table: FakeTable) -> None:
    table.show(**SIMULATED)
    expect(page.locator("#top")).to_contain_text("Simulated table")
    for cell in ("c1", "c2"):  # out of A's reach: the page does not judge, the rules do
        page.tap(f'[data-cell="{cell}"]')
    assert asked(page, table, "#pull") == {"do": "pull", "cells": ["c1", "c2"]}
    assert asked(page, table, "#autoplay") == {"do": "autoplay", "on": True}
    table.show(autoplay=True)
    expect(page.locator("#autoplay")).to_have_attribute("aria-pressed", "true")
    assert asked(page, table, "#autoplay") == {"do": "autoplay", "on": False}
    assert asked(page, table, "#real-match") == {"do": "real_match"}


def test_the_end_says_who_won_and_can_be_undone(page: Page, table: FakeTable) -> None:
    table.show(a_match(phase="over", over={"winner": "B", "reason": "cannot_pay"}))
    expect(page.locator("#say")).to_contain_text("B wins")
    expect(page.locator("#new-match")).to_be_visible()
    assert sent(page, table, "#undo") == {"do": "undo"}


@both
def test_before_a_match_the_page_sets_one_up(
    serve: Callable[..., Served], new_page: Callable[..., Page], size: tuple[int, int]
) -> None:
    table = FakeTable(None)
    page = new_page(size)
    page.goto(serve(table).url)
    page.tap('#welcome [data-choice="B"]')
    page.tap('[data-choice="enter"]')
    for letter in "RYBRY":
        page.tap(f'[data-put="{letter}"]')
    expect(page.locator("#tray-text")).to_have_value("RYBRY/?????/?????")
    page.fill("#tray-text", "rybry/ybrby/brybr")
    assert sent(page, table, "#start") == {"do": "setup", "first": "B", "tray": "RYBRY/YBRBY/BRYBR"}


def test_the_tray_that_the_camera_sees_is_offered_first(
    serve: Callable[..., Served], new_page: Callable[..., Page]
) -> None:
    table = FakeTable(None, a_view(seen="BBBRY/YBRBY/BRYB?"))
    page = new_page()
    page.goto(serve(table).url)
    assert sent(page, table, "#start") == {"do": "setup", "first": "A", "tray": "BBBRY/YBRBY/BRYB?"}


def test_a_new_match_in_the_middle_of_one_is_no_command_of_the_rules(page: Page, table: FakeTable) -> None:
    page.tap("#menu")
    page.tap('[data-do="new-match"]')
    page.tap('#sheet [data-choice="unknown"]')
    request = asked(page, table, "#sheet #start")
    assert request == {"do": "new_match", "setup": {"first": "A", "tray": "?????/?????/?????"}}
    assert table.commands == []


def test_what_changed_on_a_dial_is_shown_within_a_match_only(page: Page, table: FakeTable) -> None:
    def show(hp: int, do: str) -> None:
        state = a_match()
        state["players"]["B"]["buttons"]["R"]["hp"] = hp
        table.show(state, last={"version": table.snapshot().version + 1, "do": do, "text": ""})
        expect(page.locator('[data-dial="BR"]')).to_have_accessible_name(f"B’s Red dial: {hp} HP")

    mark = page.locator('[data-dial="BR"] .change')
    show(4, "heal")
    expect(mark).to_have_class("change shown")
    expect(mark).to_have_text("+3")
    show(7, "setup")
    expect(mark).to_have_class("change")
    show(6, "hit")
    expect(mark).to_have_class("change shown")
    expect(mark).to_have_text("−1")


def test_two_pages_show_the_same_at_once(table: FakeTable, page: Page, new_page: Callable[..., Page]) -> None:
    second = new_page(PORTRAIT)
    second.goto(page.url)
    second.wait_for_selector("body[data-match]")
    table.show(a_match(turn="B"))
    for one in (page, second):
        expect(one.locator(".marquee")).to_contain_text("B’s turn")


def test_silence_dims_the_page_and_it_comes_back_whole_without_a_reload(
    serve: Callable[..., Served], new_page: Callable[..., Page]
) -> None:
    table = FakeTable(a_match())
    page = new_page()
    page.clock.install()
    streams: list[str] = []
    page.on("request", lambda request: streams.append(request.url) if "/api/events" in request.url else None)
    page.goto(serve(table, beat_s=3600).url)  # a server that says nothing of its own accord
    page.wait_for_selector("body[data-match]")
    page.clock.fast_forward(2500)
    expect(page.locator("#link")).to_have_text("Live")
    page.clock.fast_forward(1500)
    expect(page.locator("body")).to_have_attribute("data-silent", "")
    expect(page.locator("#link")).to_have_text(re.compile(r"Last heard \d+ s ago"))
    table.show(a_match(turn="B"))
    expect(page.locator(".marquee")).to_contain_text("B’s turn")
    expect(page.locator("body")).not_to_have_attribute("data-silent", "")
    # a stream that died without a word is opened again; the page's clock runs on, so a slow machine may open more
    before = len(streams)
    page.clock.fast_forward(7000)
    page.clock.fast_forward(1000)
    expect(page.locator("#link")).to_have_text("Live")
    assert len(streams) > before


def test_another_start_of_the_server_forgets_what_was_picked(page: Page, table: FakeTable) -> None:
    page.tap('[data-cell="a1"]')
    page.tap('[data-dial="AR"]')
    table.show(a_match(turn_number=9), server="s2")
    expect(page.locator("dialog")).not_to_be_visible()
    assert marked(page, "data-picked") == []


def test_a_page_without_a_place_says_so_and_gets_one_later(
    serve: Callable[..., Served], new_page: Callable[..., Page]
) -> None:
    served = serve(FakeTable(a_match()), max_streams=1)
    first, second = new_page(), new_page()
    first.goto(served.url)
    first.wait_for_selector("body[data-match]")
    second.goto(served.url)
    expect(second.locator("#link")).to_have_text("Too many pages open; waiting")
    first.close()
    second.wait_for_selector("body[data-match]")
    expect(second.locator("#link")).to_have_text("Live")


VIEWS: dict[str, dict[str, Any]] = {
    "start": {},
    "simulated": SIMULATED,
    "question": {"question": QUESTION},
    "illegal": {**SIMULATED, "verdict": ILLEGAL, "differs": ["a3", "b2"], "seen": "RYYRY/YRRBY/BRYBR"},
    "notices": {"notices": [{"level": "warn", "text": "No camera and no sensors were found. " * 3}]},
}
SHEETS = {"dial": '[data-dial="AB"]', "credits": '[data-credits="A"]', "fan": '[data-fan="R"]', "menu": "#menu"}
SMALL = """() => [...document.querySelectorAll("button, input, a, select")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => [one.id || one.className || one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
  .filter(([, box]) => box.width < 47.99 || box.height < 47.99)
  .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""
SIDEWAYS = "() => document.documentElement.scrollWidth > window.innerWidth"
SCROLLS = "() => document.documentElement.scrollHeight > window.innerHeight"


@both
@pytest.mark.parametrize("view", VIEWS)
def test_all_controls_are_fingers_wide_and_nothing_scrolls(page: Page, table: FakeTable, view: str) -> None:
    table.show(**VIEWS[view])
    page.tap('[data-cell="a1"]')
    expect(page.locator('[data-cell="a1"]')).to_have_attribute("data-picked", "")
    assert page.evaluate(SMALL) == []
    assert not page.evaluate(SIDEWAYS)
    assert not page.evaluate(SCROLLS)
    page.tap('[data-cell="a1"]')
    assert page.evaluate(SMALL) == []
    assert not page.evaluate(SCROLLS)


@both
@pytest.mark.parametrize("sheet", SHEETS)
def test_sheets_fit_and_their_controls_are_fingers_wide(page: Page, sheet: str) -> None:
    page.tap(SHEETS[sheet])
    assert page.evaluate(SMALL) == []
    assert not page.evaluate(SIDEWAYS)
    box = page.locator("dialog").bounding_box()
    view = page.viewport_size
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= view["height"]
    page.locator('dialog header [aria-label="Close"]').tap()
    expect(page.locator("dialog")).not_to_be_visible()


LOUD: dict[str, dict[str, Any]] = {
    "#hand": {"hand": True},
    "#camera.bad": {"autoplay": True, "camera": {"state": "lost", "age_s": 9, "name": None}},
    "#aim": {"sensors": {"state": "fault", "lanes": {}}, "aim": {"ok": False, "shift_px": 40}},
}


@both
@pytest.mark.parametrize("simulated", [True, False], ids=["simulated", "real"])
def test_the_header_stands_still_whatever_it_says(page: Page, table: FakeTable, simulated: bool) -> None:
    table.show(**{**SIMULATED, "simulated": simulated})
    expect(page.locator("#camera")).to_be_attached()
    parts = ("#top", "#undo", "#redo", "#menu", "#tray", *(["#real-match"] if simulated else []))
    quiet = {part: page.locator(part).bounding_box() for part in parts}
    for chip, loud in LOUD.items():
        table.show(**loud)
        expect(page.locator(chip)).to_be_visible()
        assert {part: page.locator(part).bounding_box() for part in parts} == quiet
    assert not page.evaluate(SIDEWAYS)


@both
def test_the_pressing_chip_can_be_read(page: Page, table: FakeTable) -> None:
    table.show(hand=True, **SIMULATED)
    expect(page.locator("#hand")).to_be_visible()
    assert page.locator("#hand span").evaluate("one => one.scrollWidth <= one.clientWidth")


@both
def test_the_set_up_fits_with_its_start_button(page: Page) -> None:
    page.tap("#menu")
    page.tap('[data-do="new-match"]')
    page.tap('[data-choice="enter"]')
    expect(page.locator("#start")).to_be_in_viewport(ratio=1)
    expect(page.locator("#tray-text")).to_be_in_viewport(ratio=1)
    assert page.evaluate(SMALL) == []


def test_small_and_odd_screens_never_scroll_sideways(table: FakeTable, page: Page) -> None:
    for simulated in (False, True):
        table.show(**{**SIMULATED, "simulated": simulated}, autoplay=simulated)
        expect(page.locator("#real-match")).to_have_count(int(simulated))
        for width, height in ((1024, 768), (768, 1024), (390, 844), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            assert not page.evaluate(SIDEWAYS), (width, height)
            expect(page.locator(".sim-name")).to_have_count(int(simulated))
            assert page.locator(".sim-name").count() == page.locator(".sim-name:visible").count(), (width, height)


@both
def test_the_first_load_is_small_and_stays_at_home(
    serve: Callable[..., Served], new_page: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = new_page(size)
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    served = serve(FakeTable(a_match()))
    page.goto(served.url)
    page.wait_for_selector("body[data-match]")
    assert [url for url in urls if not url.startswith(served.url)] == []
    sizes = page.evaluate(
        """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
             .map((one) => one.transferSize)"""
    )
    assert len(sizes) > 5
    assert sum(sizes) <= 200_000


def test_those_who_want_no_movement_get_none(serve: Callable[..., Served], new_page: Callable[..., Page]) -> None:
    page = new_page(LANDSCAPE, reduced_motion="reduce")
    table = FakeTable(a_match())
    page.goto(serve(table).url)
    page.wait_for_selector("body[data-match]")
    table.show(a_match(tray="BBBBB/YBRBY/BRYBR"))
    expect(page.locator('[data-cell="a1"] .glass')).to_have_text("B")
    moving = "() => document.getAnimations().filter((one) => one.effect.getTiming().duration > 1).length"
    assert page.evaluate(moving) == 0


def test_all_can_be_done_by_keyboard(page: Page, table: FakeTable) -> None:
    page.locator('[data-cell="a1"]').focus()
    page.keyboard.press("Enter")
    page.locator('[data-cell="a2"]').focus()
    page.keyboard.press("Space")
    page.locator("#clear").focus()
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.keyboard.press("Enter")
    assert table.commands[-1]["cells"] == ["a1", "a2"]
    page.locator('[data-dial="BR"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).not_to_be_visible()
