"""What the page tests of the further games share: a service of a game, taps by name, the state as the page hears it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page

from companion.games import game
from companion.log import MemoryLog
from companion.service import Service
from companion.session import Session

PHONE = (390, 844)


@contextmanager
def playing(name: str, **view: Any) -> Iterator[Service]:
    """A running service without a match; `view`: further keys of what it shows."""
    service = Service(Session(game(name), MemoryLog()), **view)
    service.start()
    try:
        yield service
    finally:
        service.stop()


def at_rest(page: Page) -> None:
    """What was tapped last has been answered and drawn: a second tap on the same picture counts as the same tap."""
    page.wait_for_selector("body:not([data-asking])")


def touch(page: Page, selector: str) -> None:
    at_rest(page)
    page.tap(selector)


def tap(page: Page, name: str) -> None:
    touch(page, f'[data-do="{name}"]')


def undo(page: Page) -> None:
    touch(page, "#undo")


def state(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("fetch('/api/state').then((answer) => answer.json())")
    return found
