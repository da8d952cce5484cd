"""The doctor's page: each check with its sentence and its one fix, worst first, again at a tap; not for strangers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.pairing import Pairing
from tests.web.conftest import LANDSCAPE, PORTRAIT, Served
from tests.web.fakes import FakeTable, a_state
from tests.web.keeping import keep, shape
from tests.web.test_axe import findings as axe
from web.app import create_app

PHONE = (390, 844)
STRANGER = {"REMOTE_ADDR": "192.168.1.9"}


def finding(check: str, state: str, text: str, fix: str | None = None) -> dict[str, Any]:
    return {"check": check, "state": state, "text": text, "fix": fix, "detail": {}}


class FakeDoctor:
    """Finds what it is told to find; None: it is at it already."""

    def __init__(self) -> None:
        self.asked = 0
        self.found: list[dict[str, Any]] | None = [
            finding("machine", "ok", "Raspberry Pi 5 Model B Rev 1.0: all is there."),
            finding("package", "ok", "numpy 2.2.4."),
            finding("power", "warn", "The supply has been too weak since the start.", "Use the 5 V 5 A supply."),
            finding("pins", "absent", "No pins on this machine."),
            finding("camera", "bad", "The camera gives no pictures; it is opened again by itself.", "Seat its cable."),
        ]

    def check(self) -> list[dict[str, Any]] | None:
        self.asked += 1
        return self.found


def test_only_a_request_of_a_device_that_may_act_is_told(tmp_path: Path) -> None:
    doctor = FakeDoctor()
    client = create_app(FakeTable(a_state()), pairing=Pairing(tmp_path), doctor=doctor).test_client()
    assert client.get("/doctor", environ_overrides=STRANGER).status_code == 200
    refused = client.post("/api/doctor", json={}, environ_overrides=STRANGER)
    assert (refused.status_code, refused.json["error"]["code"]) == (403, "not_paired")
    afar = client.post("/api/doctor", json={}, headers={"Host": "elsewhere.example"})
    assert (afar.status_code, afar.json["error"]["code"]) == (403, "not_allowed")
    assert client.get("/api/doctor").status_code == 405
    assert doctor.asked == 0
    told = client.post("/api/doctor", json={})
    assert (told.status_code, told.json) == (200, {"ok": True, "findings": doctor.found})
    doctor.found = None
    assert client.post("/api/doctor", json={}).status_code == 409


def test_a_table_without_a_doctor_says_so() -> None:
    answer = create_app(FakeTable(None)).test_client().post("/api/doctor", json={})
    assert (answer.status_code, answer.json["error"]["code"]) == (404, "not_found")


@pytest.mark.browser
@pytest.mark.parametrize("size", [LANDSCAPE, PORTRAIT, PHONE], ids=["landscape", "portrait", "phone"])
def test_each_check_is_shown_worst_first_and_checked_again_at_a_tap(
    serve: Callable[..., Served], new_page: Callable[..., Any], size: tuple[int, int]
) -> None:
    from playwright.sync_api import expect

    doctor = FakeDoctor()
    page = new_page(size)
    page.goto(serve(FakeTable(a_state()), doctor=doctor).url)
    page.tap("#menu")
    page.tap('[data-do="doctor"]')
    expect(page.locator("#told")).to_have_text("1 wrong, 1 to look at.")
    order = page.eval_on_selector_all("#findings li", "all => all.map((one) => one.dataset.check)")
    assert order == ["camera", "power", "machine", "package", "pins"]
    worst = page.locator("#findings li").first
    expect(worst).to_contain_text("gives no pictures")
    expect(worst.locator(".fix")).to_have_text("Seat its cable.")
    assert axe(page) == []
    assert not page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
    if size != PHONE:
        keep(page, f"doctor-{shape(size)}")
    doctor.found = [finding("camera", "ok", "The camera gives pictures.")]
    page.locator("#again").press("Enter")
    expect(page.locator("#told")).to_have_text("Nothing is wrong.")
    expect(page.locator("#findings li")).to_have_count(1)
    page.tap("#back")
    expect(page.locator("#end-turn")).to_be_visible()


@pytest.mark.browser
def test_a_device_that_only_watches_is_told_why_it_sees_nothing(
    serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    from playwright.sync_api import expect

    page = new_page(locale="de")
    page.route(
        "**/api/doctor",
        lambda route: route.fulfill(status=403, json={"ok": False, "error": {"code": "not_paired", "text": "No."}}),
    )
    page.goto(f"{serve(FakeTable(a_state())).url}doctor")
    expect(page.locator("#told")).to_contain_text("Lass dieses erst herein")
    # what has no German is marked as English
    page.unroute("**/api/doctor")
    page.route(
        "**/api/doctor",
        lambda route: route.fulfill(
            json={
                "ok": True,
                "findings": [finding("camera", "ok", "The camera gives pictures."), finding("disk", "ok", "Odd.")],
            }
        ),
    )
    page.tap("#again")
    expect(page.locator('[data-check="camera"] .finding')).to_have_text("Die Kamera liefert Bilder.")
    expect(page.locator('[data-check="disk"] .finding[lang="en"]')).to_have_text("Odd.")
