"""axe-core on every page and sheet: nothing that it calls serious or critical.

`vendor/axe.min.js` is axe-core 4 by Deque Systems (MPL 2.0, see its head), unchanged; it is for tests alone.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.door import Door
from companion.pairing import Pairing
from tests.web.conftest import LANDSCAPE, PORTRAIT, Served
from tests.web.fakes import FakeTable, a_state, a_view
from tests.web.test_pictures import a_fight, clear, illegal, question

pytestmark = pytest.mark.browser
AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
PHONE = (390, 844)
LAYOUTS = (PORTRAIT, LANDSCAPE, (1024, 768), PHONE)
WEIGHT = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .reduce((sum, one) => sum + one.transferSize, 0)"""
HELP = {
    "player": "A",
    "clears": [{"attack": "R1", "cells": ["a1"], "chain": ["a1"], "heals": {}}],
    "next": {"R": 0.5, "Y": 0.25, "B": 0.25},
}


def findings(page: Page) -> list[str]:
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']} ({one['impact']}): {node['target']} {node['failureSummary']}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


def sheet(*taps: str) -> Callable[[Page, FakeTable], None]:
    def open_it(page: Page, table: FakeTable) -> None:
        for tap in taps:
            page.tap(tap)
        expect(page.locator("#sheet")).to_be_visible()

    return open_it


def nothing(page: Page, table: FakeTable) -> None:
    expect(page.locator("#end-turn")).to_be_visible()


SCENES: dict[str, Callable[[Page, FakeTable], None]] = {
    "match": nothing,
    "clear": clear,
    "illegal": illegal,
    "question": question,
    "menu": sheet("#menu"),
    "set-up": sheet("#menu", '[data-do="new-match"]'),
    "history": sheet("#menu", '[data-do="history"]'),
    "rules": sheet("#menu", '[data-do="rules"]'),
    "markers": sheet("#menu", '[data-do="markers"]'),
    "devices": sheet("#menu", '[data-do="devices"]'),
    "dial": sheet('[data-dial="AR"]'),
    "credits": sheet('[data-credits="A"]'),
    "fan": sheet('[data-fan="R"]'),
    "call": sheet("#call"),
    "help": sheet("#help"),
}


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(a_fight(), a_view(help=HELP))


@pytest.mark.parametrize(
    ("scene", "size"),
    # each scene in one of the layouts; all of them in all of the layouts: tests/slow/test_axe_everywhere.py
    [*((scene, LAYOUTS[number % 4]) for number, scene in enumerate(SCENES)), ("match", PHONE), ("illegal", PHONE)],
)
def test_the_match_page(
    serve: Callable[..., Served],
    new_page: Callable[..., Any],
    table: FakeTable,
    tmp_path: Path,
    scene: str,
    size: tuple[int, int],
) -> None:
    pairing = Pairing(tmp_path)
    door = Door("192.168.1.7", pairing)
    door.port = 8000
    page = new_page(size)
    page.goto(serve(table, pairing=pairing, invite=door.invitation).url)
    nothing(page, table)
    SCENES[scene](page, table)
    assert findings(page) == []


PATHS = ("", "watch", "watch?overlay", "seen", "records", "doctor")


@pytest.mark.parametrize("state", [None, a_state()], ids=["before", "match"])
@pytest.mark.parametrize(
    ("path", "size"),
    [
        ("", PORTRAIT),
        ("watch", PORTRAIT),
        ("watch?overlay", LANDSCAPE),
        ("seen", LANDSCAPE),
        ("records", PHONE),
        ("doctor", (1024, 768)),
    ],
)
def test_every_page(
    serve: Callable[..., Served],
    new_page: Callable[..., Any],
    path: str,
    state: dict[str, Any] | None,
    size: tuple[int, int],
) -> None:
    page = new_page(size)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    served = serve(FakeTable(state))
    page.goto(f"{served.url}{path}")
    page.wait_for_load_state("load")
    page.wait_for_function("() => document.body.innerText.trim().length > 0")
    assert findings(page) == []
    # nothing is asked of anybody else, and little of us
    assert [url for url in asked if not url.startswith(served.url)] == []
    assert page.evaluate(WEIGHT) <= 200_000
