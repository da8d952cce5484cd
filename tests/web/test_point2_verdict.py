"""Point 2 of the page, sentence by sentence (see also test_page.py and test_announce.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from companion.service import Service
from tests.web import playing
from tests.web.conftest import Served
from tests.web.fakes import FakeTable
from tests.web.playing import do
from tests.web.test_announce import LISTEN
from tests.web.test_page import ILLEGAL, SIMULATED, a_match, asked, marked

pytestmark = pytest.mark.browser


@pytest.fixture
def service() -> Iterator[Service]:
    service = playing.a_service()
    playing.begin(service, A={"buttons": {"B": {"hp": 3, "broken": True}}})
    yield service
    service.stop()


def test_the_chain_is_drawn_in_order_with_short_circuits_and_heals_marked(
    service: Service, serve: Callable[..., Served], new_page: Callable[..., Page]
) -> None:
    page = new_page()
    page.goto(serve(service).url)
    page.wait_for_selector("body[data-match]")
    for cell in ("b1", "b2", "a2"):  # the middle one is Blue, whose dial is broken
        page.tap(f'[data-cell="{cell}"]')
    page.tap("#clear")
    expect(page.locator("#say")).to_contain_text("A cleared Yellow 2")
    expect(page.locator(".ghost")).to_have_text(["Y1", "B2+2", "Y3"])
    expect(page.locator(".mini.short .heal")).to_have_text("+2")
    expect(page.locator("#say")).to_contain_text("Blue +2 by short circuit")


def test_the_nearest_legal_clears_of_an_illegal_pull_are_a_tap_away(
    serve: Callable[..., Served], new_page: Callable[..., Page]
) -> None:
    nearest = [
        {"attack": "R2", "cells": ["a1", "b3"], "chain": ["b3", "a1"], "heals": {}},
        {"attack": "R1", "cells": ["a1"], "chain": ["a1"], "heals": {}},
    ]
    table = FakeTable(a_match())
    page = new_page()
    page.goto(serve(table).url)
    page.wait_for_selector("body[data-match]")
    table.show(verdict={**ILLEGAL, "nearest": nearest}, differs=["a3"], seen="RYYRY/YBRBY/BRYBR", **SIMULATED)
    page.tap("#show-a1-b3")
    expect(page.locator("#show-a1-b3")).to_have_attribute("aria-pressed", "true")
    assert marked(page, "data-could") == ["a1", "b3"]
    expect(page.locator(".overlay .pick-ring")).to_have_count(2)
    expect(page.locator("#put-back")).to_be_visible()  # nothing is picked: the ways out stay
    page.tap("#show-a1")
    assert marked(page, "data-could") == ["a1"]
    page.tap("#show-a1")
    assert marked(page, "data-could") == []
    assert (table.commands, table.controls) == ([], [])


def test_of_two_or_three_answers_the_best_is_first_and_did_not_happen_is_last(
    serve: Callable[..., Served], new_page: Callable[..., Page]
) -> None:
    answers = [
        {"label": "A cleared a1 (Red-1)", "cells": ["a1"], "command": None},
        {"label": "A cleared b2 b4 (Blue-2)", "cells": ["b2", "b4"], "command": None},
        {"label": "It did not happen", "cells": [], "command": None},
    ]
    table = FakeTable(a_match())
    page = new_page()
    page.goto(serve(table).url)
    page.wait_for_selector("body[data-match]")
    table.show(question={"id": "q1", "player": "A", "text": "Which marbles left?", "answers": answers})
    expect(page.locator(".answer")).to_have_count(3)
    labels = page.eval_on_selector_all(
        ".answer > span:not(.answer-glasses)", "all => all.map((one) => one.textContent)"
    )
    assert labels == [answer["label"] for answer in answers]
    expect(page.locator(".answer.main")).to_have_attribute("data-choice", "0")
    glasses = page.eval_on_selector_all(
        ".answer", "all => all.map((one) => one.querySelectorAll('.mini-glass').length)"
    )
    assert glasses == [1, 2, 0], "the marbles lie on the answers"
    assert asked(page, table, '[data-choice="2"]') == {"do": "answer", "id": "q1", "choice": 2}


def test_a_correction_is_announced_once_with_the_new_total_only(
    service: Service, serve: Callable[..., Served], new_page: Callable[..., Page]
) -> None:
    page = new_page()
    page.add_init_script(LISTEN + 'localStorage.setItem("voice", "on");')
    page.goto(serve(service).url)
    expect(page.locator("#end-turn")).to_be_visible()

    def said(number: int) -> list[str]:
        page.wait_for_function("(n) => window.said.length >= n", arg=number)
        lines: list[str] = page.evaluate("window.said")
        return lines

    do(service, do="clear", player="A", cells=["a1"])
    assert said(1)[0].startswith("A cleared Red 1")
    do(service, do="hit", source="A", hits=[{"player": "B", "button": "R", "amount": 4}])
    assert said(2)[1] == "B, Red: 6"
    do(service, do="correct", player="B", button="R", hp=7)
    assert said(3)[2] == "B, Red: 7"
    do(service, do="undo")
    assert said(4)[3] == "B, Red: 6"
    (seq,) = [one["seq"] for one in service.history()["commands"] if one["command"]["do"] == "hit"]
    hit = {"do": "hit", "source": "A", "hits": [{"player": "B", "button": "R", "amount": 1}]}
    do(service, do="amend", seq=seq, command=hit)
    assert said(5)[4] == "B, Red: 9"
    do(service, do="end_turn", player="A")
    do(service, do="undo")  # the clear is shown again, but it is no news
    do(service, do="correct", player="A", credits=1)
    assert said(6)[5] == "A has 1 credit"
    assert len(said(6)) == 6
