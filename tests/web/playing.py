"""Pages on the real rules, and what a finger needs: shared by the tests of points 1 to 4 of the page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from companion.board_words import board_in_words
from companion.games import game
from companion.log import MemoryLog
from companion.rules.rematch.fighters import board_from_json
from companion.service import Service
from companion.session import Session

SIZES = ((800, 1280), (1280, 800), (1024, 768), (390, 844))
TRAY = "RYBRY/YBRBY/BRYBR"
HOUSE: dict[str, Any] = {
    "name": "House",
    "remarks": ["Read this once."],
    "attacks": {
        "Y2": {
            "effects": [
                {"do": "deal", "amount": 4},
                {"do": "destroy", "amount": 1},
                {"do": "heal", "amount": 2},
                {"do": "skip"},
            ],
            "kicker": "none",
        }
    },
}
BOARDS = {"House": board_from_json("board", HOUSE)}
SMALL = """() => [...document.querySelectorAll("button, input, a, select, summary")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => [one.id || one.className || one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
  .filter(([, box]) => box.width < 47.99 || box.height < 47.99)
  .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""
SIDEWAYS = """() => document.documentElement.scrollWidth > window.innerWidth
  || [...document.querySelectorAll("dialog[open]")].some((one) => one.scrollWidth > one.clientWidth)"""


def a_service() -> Service:
    service = Service(Session(game("rematch", BOARDS), MemoryLog()))
    service.show(fighters=[{"name": "House", "remarks": HOUSE["remarks"]}])
    service.start()
    return service


def boards() -> list[dict[str, Any]]:
    return [board_in_words(board) for board in BOARDS.values()]


def do(service: Service, **command: Any) -> dict[str, Any]:
    reply = service.command(json.dumps(command).encode())
    assert reply["ok"], reply
    return reply


def begin(service: Service, **players: Mapping[str, Any]) -> None:
    do(service, do="setup", first="A", tray=TRAY, players=players)
    do(service, do="begin")


def state(service: Service) -> dict[str, Any]:
    found = service.snapshot().state
    assert found is not None
    return found


def fits_everywhere(page: Any, what: str) -> None:
    """At each of the four sizes: every target wide enough for a finger, nothing to be scrolled sideways."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(SMALL) == [], (what, width, height)
        assert not page.evaluate(SIDEWAYS), (what, width, height)
