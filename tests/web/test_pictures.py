"""The pictures of the page in docs/: COMPANION_PICTURES=docs pytest tests/web makes them anew.

Without it nothing is kept; what is tested then is that each view comes about.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import LANDSCAPE, PORTRAIT, Served
from tests.web.fakes import FakeTable, a_state
from tests.web.keeping import keep

pytestmark = pytest.mark.browser
DOCS = Path(__file__).parents[2] / "docs"
MOST_BYTES = 300_000
TRAY = "RYBRY/YBRBY/BRYBR"
SIMULATED = {
    "simulated": True,
    "camera": {"state": "ok", "age_s": 0, "name": "simulated table"},
    "sensors": {"state": "ok", "lanes": {}},
    "seen": TRAY,
}


def a_fight(**changes: Any) -> dict[str, Any]:
    state = a_state(turn_number=7, stage_fans=["R"], tray=TRAY, **changes)
    a, b = state["players"]["A"], state["players"]["B"]
    a["buttons"] = {"R": {"hp": 7, "broken": False}, "Y": {"hp": 10, "broken": False}, "B": {"hp": 5, "broken": True}}
    b["buttons"] = {"R": {"hp": 2, "broken": False}, "Y": {"hp": 8, "broken": False}, "B": {"hp": 9, "broken": False}}
    a["credits"], a["fans"], b["fans"] = 3, ["Y"], ["B"]
    return state


def clear(page: Page, table: FakeTable) -> None:
    """Red 2 over a short circuit, with its kicker."""
    done = {"player": "A", "attack": "R2", "cells": ["a4", "a3", "b3"], "chain": ["a4", "a3", "b3"]}
    after = a_fight(phase="resolve", last_clear={**done, "heals": {"B": 2}, "kicker": True})
    tray = "RYYBR/YBBYR/BRYBR"
    table.show({**after, "tray": tray}, **{**SIMULATED, "seen": tray})
    expect(page.locator(".mini")).to_have_count(3)


def illegal(page: Page, table: FakeTable) -> None:
    text = "The marbles branch at a2: no line runs through all of them without turning back."
    verdict = {
        "kind": "illegal",
        "player": "A",
        "cells": ["a1", "a2", "a3", "b2"],
        "attack": None,
        "reasons": [{"code": "branching", "cells": ["a2"], "text": text}],
        "text": text,
        "sure": True,
    }
    differs = ["a4", "a5", "b2", "b3", "b4", "b5"]
    table.show(a_fight(), **{**SIMULATED, "seen": "RYBYR/YRBYB/BRYBR"}, verdict=verdict, differs=differs)
    expect(page.locator("#take-tray")).to_be_visible()


def question(page: Page, table: FakeTable) -> None:
    answers = [
        {"label": "A cleared a4 b4", "cells": ["a4", "b4"], "command": None},
        {"label": "A cleared a4", "cells": ["a4"], "command": None},
        {"label": "It did not happen", "cells": [], "command": None},
    ]
    text = "The tray looks as if two marbles left, but only lane a’s beam saw one fall. Which was it?"
    table.show(a_fight(), **SIMULATED, question={"id": "q1", "player": "A", "text": text, "answers": answers})
    expect(page.locator(".answer")).to_have_count(3)


def dial(page: Page, table: FakeTable) -> None:
    page.tap('[data-dial="BR"]')
    expect(page.locator("dialog")).to_be_visible()


def setting_up(page: Page, table: FakeTable) -> None:
    page.tap("#menu")
    page.tap('[data-do="new-match"]')
    page.tap('[data-choice="enter"]')
    for letter in "RYBRYYB":
        page.tap(f'[data-put="{letter}"]')


VIEWS = {"": clear, "-illegal": illegal, "-question": question, "-dial": dial, "-setup": setting_up}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(("name", "size"), [("landscape", LANDSCAPE), ("portrait", PORTRAIT)])
def test_picture(
    serve: Callable[..., Served],
    new_page: Callable[..., Page],
    tmp_path: Path,
    view: str,
    name: str,
    size: tuple[int, int],
) -> None:
    table = FakeTable(a_fight())
    page = new_page(size, reduced_motion="reduce")
    page.goto(serve(table).url)
    page.wait_for_selector("body[data-match]")
    VIEWS[view](page, table)
    page.screenshot(path=tmp_path / "page.png")
    keep(page, f"{name}{view}")


def test_the_pictures_in_docs_are_there_and_small() -> None:
    pictures = {path.name: path.stat().st_size for path in DOCS.glob("page-*.png")}
    wanted = {f"page-{name}{view}.png" for name in ("landscape", "portrait") for view in VIEWS}
    assert wanted <= set(pictures)
    assert max(pictures.values()) <= MOST_BYTES
