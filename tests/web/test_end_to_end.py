"""The whole thing: `companion run --simulate` as a process, Chromium open, an illegal T pulled, said and put right."""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.games import game
from companion.matches import Matches
from companion.rules.rematch.chains import judge
from companion.rules.rematch.tray import Tray
from tests.web.conftest import LANDSCAPE, PORTRAIT

pytestmark = pytest.mark.browser
START_S = 60
DEADLINE_MS = 10_000  # a second on a free machine (test_simulation has it in the table's own time); here cores are busy
T = ("b1", "b2", "b3", "c2")
MATCH = (  # A has cleared; B's turn comes next, and before B lies a T of yellow marbles
    {"do": "setup", "first": "A", "tray": "RYBRB/YYYBR/BYRBR"},
    {"do": "clear", "player": "A", "cells": ["a1"], "refill": {"a": "R"}},
)

# Nothing has moved for two seconds of the page's clock: what the scripted players had begun is over.
AT_REST = """() => {
  const body = document.body.dataset;
  if ("hand" in body || "moving" in body || !window.restsSince) window.restsSince = performance.now();
  return performance.now() - window.restsSince > 2000;
}"""
# The page's own clock: when the hand left for the last time, and when the page said what it had to say.
WATCH = """() => {
  window.handLeft = window.saidAt = null;
  new MutationObserver(() => { if (!("hand" in document.body.dataset)) window.handLeft = performance.now(); })
    .observe(document.body, { attributes: true, attributeFilter: ["data-hand"] });
  new MutationObserver(() => {
    const said = document.querySelector("#say [aria-live]").textContent;
    if (window.saidAt === null && said.includes("Illegal pull")) window.saidAt = performance.now();
  }).observe(document.querySelector("#say"), { subtree: true, childList: true, characterData: true });
}"""


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """The address of a running companion whose simulated table lies as MATCH left it; the scripted players rest."""
    session = Matches(tmp_path / "simulated", game("rematch")).fresh()
    for command in MATCH:
        assert session.submit(command).accepted
    session.close()
    run = [sys.executable, "-m", "companion", "run", "--simulate", "--host", "127.0.0.1", "--port", "0"]
    process = subprocess.Popen(
        [*run, "--data", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        cwd=tmp_path,
    )
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=lambda: [lines.put(line) for line in process.stdout or ()], daemon=True).start()
    try:
        found = None
        while found is None:
            found = re.search(r"http://127\.0\.0\.1:\d+/", lines.get(timeout=START_S))
        control(found.group(), do="autoplay", on=False)
        yield found.group()
    finally:
        process.terminate()
        assert process.wait(10) == 0


def control(url: str, **request: Any) -> None:
    headers = {"Content-Type": "application/json"}
    asked = urllib.request.Request(f"{url}api/control", json.dumps(request).encode(), headers)
    with urllib.request.urlopen(asked, timeout=30) as answer:
        assert json.load(answer) == {"ok": True}


def state_of(page: Page) -> dict[str, Any]:
    return page.request.get(f"{page.url}api/state").json()


@pytest.mark.parametrize("size", [LANDSCAPE, PORTRAIT], ids=["landscape", "portrait"])
def test_an_illegal_t_is_seen_said_and_put_right(
    url: str, new_page: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = new_page(size)
    page.goto(url)
    page.wait_for_selector("body[data-match]")
    expect(page.locator("#top")).to_contain_text("Simulated table")
    expect(page.locator("#autoplay")).to_have_attribute("aria-pressed", "false")
    page.wait_for_function(AT_REST)
    page.tap("#end-turn")
    page.wait_for_selector("body[data-phase=start][data-turn=B]")
    before = state_of(page)
    verdict = judge(Tray.parse(before["tray"]), "B", T, "")
    assert {reason.code for reason in verdict.reasons} == {"branching"}

    page.evaluate(WATCH)
    for cell in T:
        page.tap(f'[data-cell="{cell}"]')
    page.tap("#pull")
    said = page.locator('#say [aria-live="polite"]')
    expect(said).to_contain_text("Illegal pull by B")

    # within a second of the hand's leaving: that it is illegal, why, and where; and no score has changed
    late_ms = page.evaluate("window.saidAt - window.handLeft")
    assert late_ms <= DEADLINE_MS
    (why,) = verdict.reasons
    expect(said).to_contain_text(why.text)
    bad = page.eval_on_selector_all(".cell[data-bad]", "cells => cells.map((cell) => cell.dataset.cell)")
    assert bad == list(why.cells)
    assert state_of(page) == before

    # the marbles go back, the page is content again, and B still has to pull
    page.tap("#put-back")
    expect(said).not_to_contain_text("Illegal")
    page.wait_for_function(AT_REST)
    assert state_of(page) == before

    # a hit, and undo
    dial = page.locator('[data-dial="AR"] .hp')
    hp = before["players"]["A"]["buttons"]["R"]["hp"]
    page.tap('[data-dial="AR"]')
    page.tap('[data-amount="3"]')
    page.tap('[data-do="confirm"]')
    expect(dial).to_have_text(str(hp - 3))
    page.tap("#undo")
    expect(dial).to_have_text(str(hp))
    assert state_of(page) == before
