"""What the menu tells of the files, and the link that saves everything."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect
from werkzeug.test import Client

from companion import room
from companion.errors import InputError
from tests.web.conftest import PORTRAIT, Served
from tests.web.fakes import FakeTable, a_state
from web.app import create_app

KEPT = {
    "power_cuts": 3,
    "crashes": 1,
    "set_aside": ["table.toml.damaged-1", "match-000002.sqlite.damaged-1"],
    "room": room.words(150 * 2**20)[0],
}


def test_the_menu_tells_what_is_to_tell_in_both_languages(
    serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    table = FakeTable(a_state())
    table.show(keeping=KEPT)
    served = serve(table)
    for locale, words in (
        (
            "en",
            ("only 150 MB are free", "3 × the power was cut", "table.toml.damaged-1, match-000002.sqlite.damaged-1"),
        ),
        ("de", ("Nur noch 150 MB", "3 × war der Strom weg", "Beschädigt")),
    ):
        page = new_page(PORTRAIT, locale=locale)
        page.goto(served.url)
        page.tap("#menu")
        told = page.inner_text("#sheet .keeping")
        for word in words:
            assert word in told, (word, told)
        link = page.locator("[data-do=backup]")
        assert link.get_attribute("href") == "/api/backup.zip"
        assert link.bounding_box()["height"] >= 48


def test_where_all_is_well_the_menu_says_nothing(serve: Callable[..., Served], new_page: Callable[..., Any]) -> None:
    table = FakeTable(a_state())
    table.show(keeping={"power_cuts": 0, "crashes": 0, "set_aside": [], "room": None})
    page = new_page(PORTRAIT)
    page.goto(serve(table).url)
    page.tap("#menu")
    expect(page.locator("#sheet .keeping")).to_be_visible()
    assert page.locator("#sheet .keeping p").count() == 0


def test_the_file_comes_whole_or_with_a_sentence() -> None:
    def full() -> Any:
        raise InputError("cannot write backup: No space left on device")

    whole = Client(create_app(FakeTable(a_state()), backup=lambda: io.BytesIO(b"PK everything"))).get("/api/backup.zip")
    assert (whole.status_code, whole.data, whole.mimetype) == (200, b"PK everything", "application/zip")
    assert "attachment; filename=table-backup.zip" in whole.headers["Content-Disposition"]
    assert whole.headers["Cache-Control"] == "no-store"
    failed = Client(create_app(FakeTable(a_state()), backup=full)).get("/api/backup.zip")
    assert failed.status_code == 503
    assert failed.json is not None
    assert "No space left on device" in failed.json["error"]["text"]
    assert Client(create_app(FakeTable(a_state()))).get("/api/backup.zip").status_code == 404
