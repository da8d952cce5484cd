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


def tap(page: Page, name: str) -> None:
    page.tap(f'[data-do="{name}"]')


def state(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("fetch('/api/state').then((answer) => answer.json())")
    return found
