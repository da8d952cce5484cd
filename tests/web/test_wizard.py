"""The set-up of a table in Chromium: a new one from nothing to a clear that is read; one aimed anew in mid-match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion import aiming
from companion.config import load_table
from companion.door import Door
from companion.pairing import Pairing
from tests.companion.table_room import Room, shifted
from tests.vision import stills
from tests.web.conftest import LANDSCAPE, PORTRAIT, Served
from tests.web.fakes import FakeTable, a_state, a_view, refused
from tests.web.keeping import keep, shape
from tests.web.test_axe import PHONE, findings

pytestmark = pytest.mark.browser
SIZES = pytest.mark.parametrize("size", [LANDSCAPE, PORTRAIT, PHONE], ids=["landscape", "portrait", "phone"])
NEXT = '#wizard [data-do="next"]'
MOST_TAPS = 15


class Taps:
    """What a finger does on the page, counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def on(self, selector: str) -> None:
        self.count += 1
        self.page.tap(selector)

    def at(self, x: float, y: float) -> None:
        """A place in the camera's picture (800×600)."""
        self.count += 1
        box = self.page.locator("#wizard .shot").bounding_box()
        assert box is not None
        self.page.touchscreen.tap(box["x"] + x / 800 * box["width"], box["y"] + y / 600 * box["height"])

    def to_step(self, name: str) -> None:
        self.on(NEXT)
        on_step(self.page, name)


def on_step(page: Page, name: str) -> None:
    expect(page.locator("#wizard")).to_have_attribute("data-step", name)
    page.wait_for_selector("#wizard:not([data-busy])")  # keys and taps are not for a step that is still asking


def press_next(page: Page) -> None:
    expect(page.locator(NEXT)).to_be_enabled()  # a key is not held back until then, as a tap is
    page.locator(NEXT).press("Enter")


def fits(page: Page) -> None:
    """Nothing hangs over the side, everything to tap is large enough and in view."""
    wide, high = page.viewport_size["width"], page.viewport_size["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= wide
    small = """[...document.querySelectorAll("#wizard button:not(.spot)")].filter((e) => e.checkVisibility())
        .filter((e) => e.offsetWidth < 48 || e.offsetHeight < 48).map((e) => e.outerHTML)"""
    assert page.evaluate(small) == []
    for selector in (NEXT, "#wizard-close"):
        box = page.locator(selector).bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= high


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path / "table.toml")
    yield room
    room.close()


def test_a_new_table_from_nothing_by_taps_and_then_a_clear_is_read(
    room: Room, serve: Callable[..., Served], new_page: Callable[..., Any], tmp_path: Path
) -> None:
    page = new_page(PORTRAIT)
    page.goto(serve(room.service, wizard=room.setup).url)
    taps = Taps(page)
    taps.on("#set-up")
    on_step(page, "devices")
    taps.to_step("aim")
    expect(page.locator(NEXT)).to_be_disabled()
    for x, y in room.rig.corners:
        taps.at(x + 4, y - 4)  # as near as fingers tap
    expect(page.locator("#fit")).to_have_text(re.compile(r"^\d\.\d px, good\.$"))
    expect(page.locator(".ring")).to_have_count(15)
    taps.to_step("stage")
    for x, y in room.rig.stage_corners:
        taps.at(x, y)
    taps.to_step("beams")
    for lane in "abc":
        expect(page.locator(f'#wizard [data-lane="{lane}"]')).to_have_attribute("data-asked", "")
        room.pull_unseen(f"{lane}5")
        expect(page.locator(f'#wizard [data-lane="{lane}"]')).to_have_attribute("data-state", "right")
    taps.to_step("colours")
    expect(page.locator(".spot")).to_have_count(15)
    read = page.locator(".spot").evaluate_all("all => all.map((e) => e.dataset.letter).join('')")
    assert read == room.rig.tray_text.replace("/", "")
    room.play(0.1)
    taps.to_step("match")
    expect(page.locator("#wizard .said")).to_contain_text("every cell reads back as told")
    room.play(1.0)
    expect(page.locator("#wizard .preview")).to_be_visible()
    taps.on("#wizard #start")
    expect(page.locator("body[data-match]")).to_be_attached()
    expect(page.locator("#wizard")).to_have_count(0)
    assert taps.count <= MOST_TAPS
    kept = load_table(tmp_path / "table.toml")
    assert kept.calibration is not None
    assert kept.calibration.stage is not None
    assert kept.sensors is not None
    assert kept.sensors.pins == room.rig.pins

    assert room.command(do="begin")["ok"]
    room.play(1.5)
    assert room.state["tray"] == room.rig.tray_text
    room.rig.pull(["b1"], "A")
    room.until_free()
    expect(page.locator("#say")).to_contain_text("A cleared")
    expect(page.locator("#say")).not_to_contain_text("did not see it all")
    assert room.state["last_clear"]["cells"] == ["b1"]


def test_aimed_anew_in_mid_match_by_the_banner_and_the_match_goes_on(
    room: Room, serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    room.aim_and_learn(stage=[list(point) for point in room.rig.stage_corners])
    assert room.command(do="setup", first="A", tray=room.rig.tray_text)["ok"]
    assert room.command(do="begin")["ok"]
    room.play(1.5)
    room.rig.pull(["b1"], "A")
    room.until_free()
    before = room.state
    assert before["last_clear"] is not None
    # the table stands on its head before another cloth: no tray that it knows
    room.seen_as = lambda image: image[::-1, ::-1, ::-1].copy()
    room.play(0.5)
    page = new_page(LANDSCAPE)
    page.goto(serve(room.service, wizard=room.setup).url)
    expect(page.locator("#say")).to_contain_text("nothing is scored until the tray is found")
    room.seen_as = lambda image: shifted(image, 30, 14)
    room.play(0.1)
    taps = Taps(page)
    taps.on("#aim-anew")
    on_step(page, "aim")
    for x, y in room.rig.corners:
        taps.at(x + 32, y + 12)
    expect(page.locator("#fit")).to_contain_text("good")
    taps.to_step("stage")
    # the board's corners have gone with the tray
    expect(page.locator("#wizard .board").first).to_be_attached()
    taps.to_step("colours")
    expect(page.locator(".spot")).to_have_count(15)
    taps.on(NEXT)
    expect(page.locator("#wizard")).to_have_count(0)
    room.play(1.0)
    expect(page.locator("#aim-anew")).to_have_count(0)
    expect(page.locator("#say")).to_contain_text("aimed anew: the match goes on where it was")
    assert taps.count <= MOST_TAPS
    assert room.state == before
    assert room.view["differs"] == []
    room.command(do="end_turn", player="A")
    room.rig.pull(["b1"], "B")
    room.until_free()
    assert room.state["last_clear"]["player"] == "B"


# ---------- each step as it looks, with a companion that only answers


class CannedWizard:
    """Implements web.wizard.Wizard for a still of tests/data."""

    def __init__(self, **told: Any) -> None:
        still = stills.truth("t03_00")
        self.corners = still["corner_centres"]
        self.letters = still["tray"].replace("/", "")
        self.asked: list[Mapping[str, Any]] = []
        self.refuse: dict[str, dict[str, Any]] = {}
        self.beams: dict[str, Any] | None = None
        self.more = told

    def told(self) -> dict[str, Any]:
        return {
            "camera": "ok", "size": [800, 600], "calibrated": False, "corners": None, "stage": None, "has_stage": False,
            "pins": None, "simulated": False, "match": False, "file": "table.toml", "beams": self.beams, **self.more,
        }  # fmt: skip

    def do(self, request: Mapping[str, Any]) -> dict[str, Any]:
        self.asked.append(request)
        do = str(request["do"])
        if do in self.refuse:
            return self.refuse[do]
        if do in ("fit", "find"):
            corners = self.corners if do == "find" or request.get("slip") else request["corners"]
            return {"ok": True, "fit": {"corners": corners, "px": 0.6, "word": "good", "hint": ""}, "stage": None}
        if do == "beams" and request["step"] == "begin":
            self.beams = trial()
        elif do == "beams":
            self.beams = None
        if do == "read":
            cells = {cell: {"letter": self.letters[i], "sure": 1.0} for i, cell in enumerate(CELLS)}
            places = aiming.upright(stills.image("t03_00"), stills.quad(self.corners))[1]
            return {"ok": True, "shot": 1, "corners": self.corners, "cells": cells, "places": places, "score": None}
        if do == "save":
            return {"ok": True, "text": "", "fit": {"px": 0.6, "word": "good"}, "differs": [], "unsaved": ""}
        return {"ok": True}

    def tray_picture(self) -> bytes | None:
        return aiming.upright(stills.image("t03_00"), stills.quad(self.corners))[0]


CELLS = [f"{lane}{row}" for lane in "abc" for row in range(1, 6)]


def trial(**changes: Any) -> dict[str, Any]:
    waiting = {"drops": 0, "blocked": False, "stuck": False, "seen": False, "beam": None, "text": ""}
    lanes = {
        "a": {**waiting, "drops": 1, "seen": True, "beam": "a"},
        "b": waiting,
        "c": {**waiting, "blocked": True, "stuck": True, "text": "Always blocked: a marble stands in it."},
    }
    return {"asked": "b", "lanes": lanes, "note": "", "swapped": None, "failed": [], **changes}


@pytest.fixture
def canned() -> CannedWizard:
    return CannedWizard()


@pytest.fixture
def table() -> FakeTable:
    table = FakeTable(None, a_view(table={"camera": True, "aimed": False, "beams": False}))
    table.jpeg = stills.data("t03_00")
    return table


@SIZES
def test_every_step_fits_and_axe_finds_nothing(
    serve: Callable[..., Served],
    new_page: Callable[..., Any],
    canned: CannedWizard,
    table: FakeTable,
    tmp_path: Path,
    size: tuple[int, int],
) -> None:
    pairing = Pairing(tmp_path)
    door = Door("192.168.1.7", pairing)
    door.port = 8000
    page = new_page(size)
    page.goto(serve(table, wizard=canned, pairing=pairing, invite=door.invitation).url)
    expect(page.locator("#offer")).to_be_visible()
    assert findings(page) == []
    taps = Taps(page)

    def looked_at(name: str) -> None:
        on_step(page, name)
        fits(page)
        assert findings(page) == []
        if (name, size) in (("aim", LANDSCAPE), ("colours", PORTRAIT)):
            keep(page, f"wizard-{name}-{shape(size)}")

    taps.on("#set-up")
    expect(page.locator("#wizard .code")).to_be_visible()
    expect(page.locator("#wizard")).to_contain_text("192.168.1.7")
    looked_at("devices")
    taps.to_step("aim")
    taps.on('[data-do="auto"]')
    expect(page.locator("#fit")).to_have_text("0.6 px, good.")
    looked_at("aim")
    taps.to_step("stage")
    for x, y in ((160, 380), (640, 380), (650, 540), (150, 540)):
        taps.at(x, y)
    looked_at("stage")
    taps.to_step("beams")
    expect(page.locator('#wizard [data-lane="c"]')).to_contain_text("Always blocked")
    looked_at("beams")
    taps.to_step("colours")
    expect(page.locator(".spot")).to_have_count(15)
    looked_at("colours")
    taps.to_step("match")
    expect(page.locator("#wizard #start")).to_be_visible()
    looked_at("match")


def test_what_was_read_wrongly_is_put_right_by_a_tap(
    serve: Callable[..., Served], new_page: Callable[..., Any], canned: CannedWizard, table: FakeTable
) -> None:
    canned.letters = f"?{canned.letters[1:]}"
    page = new_page(PORTRAIT)
    page.goto(serve(table, wizard=canned).url)
    taps = Taps(page)
    taps.on("#set-up")
    taps.to_step("aim")
    taps.on('[data-do="auto"]')
    expect(page.locator("#fit")).to_contain_text("good")
    taps.to_step("stage")
    taps.on('#wizard [data-do="skip"]')
    on_step(page, "beams")
    taps.on('#wizard [data-do="skip"]')
    on_step(page, "colours")
    expect(page.locator("#colours-prompt")).to_contain_text("Not sure of a1")
    expect(page.locator(NEXT)).to_be_disabled()
    for _ in range(2):
        taps.on('#wizard [data-cell="a1"]')
    expect(page.locator('#wizard [data-cell="a1"]')).to_have_attribute("aria-label", "a1: yellow")
    canned.refuse["save"] = refused("not_possible", "The picture does not agree with the tray text: b2.")
    taps.on(NEXT)
    expect(page.locator("#wizard .said")).to_contain_text("does not agree with the tray text: b2")
    on_step(page, "colours")
    canned.refuse.clear()
    taps.to_step("match")
    saved = canned.asked[-1]
    assert saved["tray"].replace("/", "") == f"Y{canned.letters[1:]}"
    assert saved["stage"] is None


def test_impossible_corners_are_told_with_the_reason_and_cannot_be_taken(
    serve: Callable[..., Served], new_page: Callable[..., Any], canned: CannedWizard, table: FakeTable
) -> None:
    canned.refuse["fit"] = refused("not_possible", "The corners are impossible: they run the wrong way round.")
    page = new_page(LANDSCAPE)
    page.goto(serve(table, wizard=canned).url)
    taps = Taps(page)
    taps.on("#set-up")
    taps.to_step("aim")
    for x, y in canned.corners[::-1]:
        taps.at(x, y)
    expect(page.locator("#fit")).to_have_text("The corners are impossible: they run the wrong way round.")
    expect(page.locator(NEXT)).to_be_disabled()


def test_by_keys_alone(
    serve: Callable[..., Served], new_page: Callable[..., Any], canned: CannedWizard, table: FakeTable
) -> None:
    page = new_page(LANDSCAPE)
    page.goto(serve(table, wizard=canned).url)
    page.locator("#set-up").press("Enter")
    on_step(page, "devices")
    press_next(page)
    on_step(page, "aim")
    page.locator('[data-do="auto"]').press("Enter")
    expect(page.locator("#fit")).to_contain_text("good")
    corner = page.locator('[data-corner="2"]')
    corner.press("ArrowLeft")
    corner.press("Shift+ArrowDown")
    expect(page.locator("#fit")).to_contain_text("good")
    expect(corner).to_be_focused()
    page.locator('[data-nudge="ArrowLeft"]').press("Enter")
    press_next(page)
    on_step(page, "stage")
    # points without a finger: Enter lays one, arrows move it
    page.locator("#wizard .shot").press("Enter")
    for i, key in enumerate(("Shift+ArrowRight", "Shift+ArrowDown", "Shift+ArrowLeft")):
        page.locator(f'[data-corner="{i}"]').press("Enter")
        page.locator(f'[data-corner="{i + 1}"]').press(key)
    press_next(page)
    on_step(page, "beams")
    laid = next(request for request in canned.asked if request["do"] == "stage")
    assert laid["stage"] == [[400, 300], [408, 300], [408, 308], [400, 308]]
    press_next(page)
    on_step(page, "colours")
    x, y = canned.corners[2]
    read = next(request for request in canned.asked if request["do"] == "read")
    assert read["corners"][2] == pytest.approx([x - 2, y + 8])
    page.keyboard.press("Escape")  # a stray key throws nothing away
    on_step(page, "colours")
    page.locator("#wizard-close").press("Enter")
    expect(page.locator("#wizard")).to_have_count(0)


def test_wires_in_another_order_are_put_right_by_a_tap(
    serve: Callable[..., Served], new_page: Callable[..., Any], canned: CannedWizard, table: FakeTable
) -> None:
    page = new_page(PORTRAIT)
    page.goto(serve(table, wizard=canned).url)
    taps = Taps(page)
    taps.on("#set-up")
    taps.to_step("aim")
    taps.on('#wizard [data-do="skip"]')
    on_step(page, "stage")
    taps.on('#wizard [data-do="skip"]')
    on_step(page, "beams")
    expect(page.locator('#wizard [data-lane="b"]')).to_have_attribute("data-asked", "")
    canned.beams = trial(asked=None, swapped="The wires are in another order: lane a is wired as c.")
    expect(page.locator("#wizard")).to_contain_text("lane a is wired as c")
    expect(page.locator(NEXT)).to_be_disabled()
    taps.on('[data-do="swap"]')
    on_step(page, "colours")
    assert {"do": "beams", "step": "swap"} in canned.asked
    # nobody has told it where the tray lies: it says so, and the rest goes on
    expect(page.locator("#colours-prompt")).to_contain_text("nothing to learn")
    taps.to_step("match")


@pytest.mark.parametrize(
    ("told", "steps"),
    [
        ({"camera": "none", "size": None}, ["devices", "aim", "beams", "match"]),
        ({}, ["devices", "aim", "stage", "beams", "colours", "match"]),
    ],
    ids=["no-camera", "camera"],
)
def test_every_step_can_be_skipped(
    serve: Callable[..., Served],
    new_page: Callable[..., Any],
    table: FakeTable,
    told: dict[str, Any],
    steps: list[str],
) -> None:
    wizard = CannedWizard(**told)
    wizard.refuse["beams"] = refused("not_possible", "No pin library works here.")
    page = new_page(PHONE)
    page.goto(serve(table, wizard=wizard).url)
    page.goto(f"{page.url}#set-up")  # as the page "what I see" leads there
    page.reload()
    for step in steps[:-1]:
        on_step(page, step)
        if step == "beams":
            expect(page.locator("#beam-prompt")).to_contain_text("No light beams")
        page.tap('#wizard [data-do="skip"]')
    on_step(page, steps[-1])
    assert [request for request in wizard.asked if request["do"] == "save"] == []
    page.tap(NEXT)
    expect(page.locator("#wizard")).to_have_count(0)


def test_a_device_that_only_watches_is_asked_for_the_pin_first(
    serve: Callable[..., Served], new_page: Callable[..., Any], canned: CannedWizard, table: FakeTable, tmp_path: Path
) -> None:
    served = serve(table, wizard=canned, pairing=Pairing(tmp_path))
    app = served.app.wsgi_app
    served.app.wsgi_app = lambda environ, start: app({**environ, "REMOTE_ADDR": "192.168.1.20"}, start)
    page = new_page(PORTRAIT)
    page.goto(served.url)
    expect(page.locator("#watching")).to_be_visible()
    page.tap("#set-up")
    expect(page.locator("#sheet input.pin")).to_be_visible()
    assert canned.asked == []


def test_a_match_under_way_goes_on_after_the_set_up(
    serve: Callable[..., Served], new_page: Callable[..., Any], canned: CannedWizard
) -> None:
    table = FakeTable(a_state(), a_view(table={"camera": True, "aimed": True, "beams": True}))
    table.jpeg = stills.data("t03_00")
    page = new_page(LANDSCAPE)
    page.goto(serve(table, wizard=canned).url)
    page.tap("#menu")
    page.tap('[data-do="set-up"]')
    for step in ("devices", "aim", "stage", "beams", "colours"):
        on_step(page, step)
        page.tap('#wizard [data-do="skip"]')
    on_step(page, "match")
    expect(page.locator("#wizard")).to_contain_text("A match is under way")
    page.tap(NEXT)
    expect(page.locator("#wizard")).to_have_count(0)
    # the camera alone is aimed anew from the menu as well, without the other steps
    page.tap("#menu")
    page.tap('[data-do="aim"]')
    on_step(page, "aim")
    expect(page.locator("#wizard .where")).to_have_text("Step 1 of 2")
    assert (table.commands, table.controls) == ([], [])
