"""axe-core on every page and sheet in every layout and language; tests/web/test_axe.py has each scene once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.door import Door
from companion.pairing import Pairing
from tests.web.conftest import Served, chromium, new_page, serve
from tests.web.fakes import FakeTable, a_state, a_view
from tests.web.test_axe import HELP, LAYOUTS, PATHS, SCENES, findings, nothing
from tests.web.test_pictures import a_fight
from web.language import LANGUAGES

__all__ = ["chromium", "new_page", "serve"]
pytestmark = pytest.mark.browser


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scene", SCENES)
def test_scene(
    serve: Callable[..., Served], new_page: Callable[..., Any], tmp_path: Path, scene: str, language: str
) -> None:
    pairing = Pairing(tmp_path)
    door = Door("192.168.1.7", pairing)
    door.port = 8000
    table = FakeTable(a_fight(), a_view(help=HELP))
    page = new_page(LAYOUTS[0], locale=language)
    page.goto(serve(table, pairing=pairing, invite=door.invitation).url)
    nothing(page, table)
    SCENES[scene](page, table)
    for width, height in LAYOUTS:
        page.set_viewport_size({"width": width, "height": height})
        assert findings(page) == [], (width, height)
        assert not page.evaluate("() => document.documentElement.scrollWidth > innerWidth"), (width, height)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", PATHS)
def test_page(serve: Callable[..., Served], new_page: Callable[..., Any], path: str, language: str) -> None:
    page = new_page(LAYOUTS[0], locale=language)
    page.goto(f"{serve(FakeTable(a_state())).url}{path}")
    page.wait_for_function("() => document.body.innerText.trim().length > 0")
    # no stream lays its strip over a phone's picture
    for width, height in LAYOUTS[: 3 if "overlay" in path else 4]:
        page.set_viewport_size({"width": width, "height": height})
        assert findings(page) == [], (width, height)
