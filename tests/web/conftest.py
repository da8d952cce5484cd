"""A live server on a free port, and a real Chromium looking at it."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.web.ending import stop_server
from web.app import create_app
from web.port import Table
from web.serving import create_server

LANDSCAPE = (1280, 800)
PORTRAIT = (800, 1280)
PATIENCE_MS = 120_000
"""How long a page may take to show what it must: a busy machine is no fault of the page's."""
expect.set_options(timeout=PATIENCE_MS)
LATE_S = float(os.environ.get("COMPANION_LATE_S", "0"))
"""How late everything comes to the pages under test: what passes without and fails with it leans on the pace, the test
or the page."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


TWINS = frozenset(
    {"due", "page", "seen", "taps", "watch", "doctor_page", "records", "pairing_page", "flat", "wizard", "end_to_end"}
)
"""Modules of which the suite leaves out what a tablet on its side shows again, for time: a browser takes seconds."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """COMPANION_ALL_SIZES=1: nothing is left out, nor where pictures are made. What fits on the screen is always
    looked at both ways round."""
    if os.environ.get("COMPANION_ALL_SIZES") or os.environ.get("COMPANION_PICTURES"):
        return

    def twin(item: pytest.Item) -> bool:
        test = item.name.partition("[")[0]
        return (
            item.path.stem.removeprefix("test_") in TWINS
            and "landscape" in item.name
            and not any(word in test for word in ("finger", "header", "on_the_page", "as_on_the_table", "set_up_fits"))
        )

    out = [item for item in items if twin(item)]
    config.hook.pytest_deselected(items=out)
    items[:] = [item for item in items if item not in out]


@dataclass(frozen=True)
class Served:
    url: str
    app: Any


def until(page: Any, true: Callable[[], Any]) -> None:
    """Waits for what no page shows."""
    for _ in range(PATIENCE_MS // 20):
        if true():
            return
        page.wait_for_timeout(20)
    raise AssertionError("it has not come true")


class Held:
    """What the page asks for at a path (a glob) is answered only when the test lets it be."""

    def __init__(self, page: Any, path: str) -> None:
        self._page, self._routes, self._free = page, list[Any](), False
        page.route(path, self._came)

    def _came(self, route: Any) -> None:
        if self._free:
            route.continue_()
        else:
            self._routes.append(route)

    def asked(self) -> None:
        until(self._page, lambda: self._routes)

    def release(self) -> None:
        self.asked()
        self._free = True
        for route in self._routes:
            route.continue_()


def late(app: Any, seconds: float) -> Any:
    """The same WSGI app on a slow network: what a page asks for comes `seconds` late, and so does what a stream sends
    second (the state and the view come apart); a file a tenth of that."""

    def apart(chunks: Any) -> Iterator[bytes]:
        sent = 0
        try:
            for chunk in chunks:
                if b"data:" in chunk:
                    sent += 1
                    if sent == 2:
                        time.sleep(seconds)
                yield chunk
        finally:
            chunks.close()

    def answer(environ: dict[str, Any], start: Any) -> Any:
        path = environ["PATH_INFO"]
        asked = path.startswith("/api/")
        time.sleep(seconds if asked else seconds / 10)
        answered = app(environ, start)
        return apart(answered) if path == "/api/events" else answered

    return answer


def slowed(app: Any) -> Any:
    """The Flask app, as slow as COMPANION_LATE_S wants it."""
    if LATE_S:
        app.wsgi_app = late(app.wsgi_app, LATE_S)
    return app


@pytest.fixture
def serve() -> Iterator[Callable[..., Served]]:
    """serve(table, **options of create_app) -> Served, as often as wanted; all end with the test."""
    servers = []

    def start(table: Table, **options: Any) -> Served:
        app = slowed(create_app(table, **options))
        server = create_server(app, "127.0.0.1", 0)
        serving = threading.Thread(target=server.run, daemon=True)
        serving.start()
        servers.append((server, serving))
        return Served(f"http://127.0.0.1:{server.effective_port}/", app)

    yield start
    for server, serving in servers:
        stop_server(server, serving)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser; tests that need it are skipped where there is none, unless COMPANION_CHROMIUM names one."""
    named = os.environ.get("COMPANION_CHROMIUM")
    path = named or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("no Chromium on this machine; name one in COMPANION_CHROMIUM")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, headless=True, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium: Any) -> Iterator[Callable[..., Any]]:
    """new_page(size) -> a Playwright page with touch. A script error on any of them fails the test."""
    contexts = []
    errors: list[str] = []

    def make(size: tuple[int, int] = LANDSCAPE, **options: Any) -> Any:
        context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=True, **options)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda m: errors.append(m.text) if "Content Security Policy" in m.text else None)
        return page

    yield make
    for context in contexts:
        context.close()
    assert errors == []
