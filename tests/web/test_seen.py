"""The page "what I see" in Chromium, with the real service and eye: clips, stills, no camera, no answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.games import game
from companion.log import MemoryLog
from companion.pipeline import Pipeline
from companion.rematch_table import RematchTable
from companion.rules.rematch.watch import Watcher
from companion.service import Service
from companion.session import Session
from hardware.camera import Frame
from hardware.cameras import ClipCamera
from hardware.counting import DropCounter
from tests.vision import stills
from tests.web.conftest import LANDSCAPE, PORTRAIT, Served
from tests.web.keeping import keep
from vision.calibrate import calibrate
from vision.eye import Eye
from vision.gaze import Gaze
from vision.picture import Image

pytestmark = pytest.mark.browser

MS = 1_000_000
CLIP = Path(__file__).parents[1] / "data" / "clips" / "c15"
Open = Callable[..., tuple[Page, "Bench"]]


class Bench:
    """A running service whose camera shows what a test holds before it; its clock is the test's."""

    def __init__(self, eye: Eye | None = None) -> None:
        self.t_ns = 1_000 * MS
        eyes = None if eye is None else RematchTable(Pipeline(Gaze(eye), Watcher(), DropCounter()))
        session = Session(game("rematch"), MemoryLog())
        self.service = Service(session, eyes, clock_ns=lambda: self.t_ns, server="s1")
        self.service.start()

    def show(self, name: str, frames: int = 12) -> None:
        """A second and more of this still, every frame of it seen."""
        for _ in range(frames):
            self.see(stills.image(name))

    def see(self, image: Image) -> None:
        self.t_ns += 100 * MS
        self.service.offer_frame(Frame(image, self.t_ns))
        self.service.say("probe", "")  # done by the writer after the frame


@pytest.fixture
def bench(request: Any) -> Iterator[Bench]:
    table = getattr(request, "param", None)
    bench = Bench(None if table is None else stills.eye(table))
    yield bench
    bench.service.stop()


@pytest.fixture(params=[LANDSCAPE, PORTRAIT], ids=["landscape", "portrait"])
def page(request: Any, new_page: Callable[..., Page]) -> Page:
    return new_page(request.param)


def picture(page: Page, name: str) -> None:
    keep(page, f"seen-{name}-{width(page)}")


def width(page: Page) -> int:
    assert page.viewport_size is not None
    return page.viewport_size["width"]


def fits(page: Page) -> None:
    """Nothing hangs over the side, and everything to tap is large enough."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width(page)
    small = """[...document.querySelectorAll("button, a")].filter((e) => e.offsetParent)
        .filter((e) => e.offsetWidth < 48 || e.offsetHeight < 48).map((e) => e.outerHTML)"""
    assert page.evaluate(small) == []


@pytest.mark.parametrize("bench", ["t03"], indirect=True)
def test_a_still_tray_a_hand_and_a_lost_aim(bench: Bench, serve: Callable[..., Served], page: Page) -> None:
    bench.show("t03_00")
    page.goto(serve(bench.service).url + "seen")
    expect(page.locator("#tile-state")).to_contain_text("Still")
    read = page.locator(".spot").evaluate_all("all => all.map((e) => e.dataset.reading).join('')")
    assert read == stills.truth("t03_00")["tray"].replace("/", "")
    expect(page.locator("#tile-aim")).to_contain_text("Good")
    expect(page.locator("#tile-light")).to_contain_text("As at the calibration")
    expect(page.locator('[data-colour="Y"] .tally')).to_have_text("7")
    expect(page.locator('[data-fan="R"]')).to_contain_text("with B")
    page.tap('[data-cell="b3"]')
    expect(page.locator("#tile-cell")).to_contain_text("b3: blue 99 %")
    assert _shown(page) != [0, 0, 0]
    fits(page)
    picture(page, "still")

    bench.service.show(inlet={"drops": 4, "certain": True, "fault": ""})
    expect(page.locator("#tile-beams")).to_contain_text("Back into the tower: 4")
    bench.service.show(inlet={"drops": 5, "certain": False, "fault": "blocked since 00:31"})
    expect(page.locator("#tile-beams")).to_contain_text("Back into the tower: about 5")
    expect(page.locator("#tile-beams")).to_contain_text("tower: blocked since 00:31")
    fits(page)

    bench.show("t03_05")
    expect(page.locator("#tile-state")).to_contain_text("Hand over it")
    expect(page.locator('[data-cell="c3"]')).to_have_attribute("data-reading", "?")
    expect(page.locator(".mark[data-covered]").first).to_be_attached()
    page.tap('[data-cell="c3"]')
    expect(page.locator("#tile-cell")).to_contain_text("Something lies over it")
    picture(page, "hand")

    bench.show("t01_00")
    expect(page.locator("#tile-aim")).to_contain_text("Lost")
    expect(page.locator('[data-view="camera"][aria-pressed="true"]')).to_be_visible()
    expect(page.locator(".grid[data-lost] circle")).to_have_count(15)
    fits(page)
    picture(page, "lost")
    page.tap('[data-view="tray"]')
    expect(page.locator('.spot[data-reading="?"]')).to_have_count(15)


@pytest.mark.parametrize("bench", ["t03"], indirect=True)
def test_an_old_picture_is_never_shown_as_live(bench: Bench, serve: Callable[..., Served], page: Page) -> None:
    bench.show("t03_00")
    page.goto(serve(bench.service).url + "seen")
    expect(page.locator("#tile-state")).to_contain_text("Still")
    expect(page.locator("#band")).to_be_hidden()
    bench.t_ns += 2_100 * MS
    expect(page.locator("#band")).to_contain_text("this picture is 2 s old")
    expect(page.locator(".frame")).to_have_attribute("data-old", "")
    expect(page.locator("#tile-state")).to_contain_text("Not live")
    expect(page.locator("#tile-state")).not_to_contain_text("Still")
    picture(page, "old")
    bench.t_ns += 60_000 * MS
    expect(page.locator("#nothing")).to_contain_text("The camera gives no pictures")
    expect(page.locator("#band")).to_contain_text("this picture is 62 s old")
    expect(page.locator(".facts")).to_be_hidden()
    fits(page)
    box, panel = page.locator(".frame").bounding_box(), page.locator("#nothing").bounding_box()
    assert box is not None
    assert panel is not None
    assert min(box["width"], box["height"]) > 250
    assert box["x"] + box["width"] <= panel["x"] or box["y"] + box["height"] <= panel["y"]  # beside or above it
    picture(page, "lost-camera")
    bench.show("t03_00")
    expect(page.locator("#band")).to_be_hidden()
    expect(page.locator("#nothing")).to_be_hidden()


@pytest.mark.parametrize("bench", ["t03"], indirect=True)
def test_a_companion_that_does_not_answer_is_told(bench: Bench, serve: Callable[..., Served], page: Page) -> None:
    bench.show("t03_00")
    page.goto(serve(bench.service).url + "seen")
    expect(page.locator("#tile-state")).to_contain_text("Still")
    page.route("**/api/seen*", lambda route: route.abort())
    expect(page.locator("#band")).to_contain_text("has not answered")
    expect(page.locator("#tile-state")).to_contain_text("Not live")
    expect(page.locator(".frame")).to_have_attribute("data-old", "")
    page.unroute("**/api/seen*")
    expect(page.locator("#band")).to_be_hidden()


def test_a_recorded_clip_is_followed_over_a_knock(serve: Callable[..., Served], new_page: Callable[..., Page]) -> None:
    truth = json.loads((CLIP / "truth.json").read_text())
    told = truth["calibration"]
    corners, board = stills.quad(told["corner_centres"]), stills.quad(told["board_corners"])
    picture_bytes = (CLIP / told["image"]).read_bytes()
    bench = Bench(Eye(calibrate(picture_bytes, corners, told["tray"], board, stills.PROFILE), stills.PROFILE))
    page = new_page(LANDSCAPE)
    page.goto(serve(bench.service).url + "seen")
    camera = ClipCamera(CLIP / "clip.mp4")
    last, with_hand = None, 0
    while (frame := camera.read()) is not None:
        last = frame.image
        bench.see(last)
        with_hand += bench.service.snapshot().view["hand"]
        if with_hand == 3:  # new looks are two frames apart
            expect(page.locator("#tile-state")).to_contain_text("Hand over it")
            with_hand += 1
    assert last is not None
    for _ in range(8):  # the clip ends before the knock's end
        bench.see(last)
    assert with_hand > 3
    expect(page.locator("#tile-aim")).to_contain_text("Found again after a knock")
    expect(page.locator("#tile-state")).to_contain_text("Still")
    read = page.locator(".spot").evaluate_all("all => all.map((e) => e.dataset.reading).join('')")
    assert read == truth["final_tray"].replace("/", "")
    picture(page, "clip")
    bench.service.stop()


def test_without_a_camera_it_says_what_to_do_and_leads_back(
    bench: Bench, serve: Callable[..., Served], page: Page
) -> None:
    page.goto(serve(bench.service).url)
    page.tap("#menu")
    page.tap('[data-do="seen"]')
    expect(page.locator("#nothing")).to_contain_text("there is no camera")
    expect(page.locator("#nothing")).to_contain_text("companion doctor")
    expect(page.locator(".picture")).to_be_hidden()
    fits(page)
    picture(page, "none")
    page.tap("#back")
    expect(page.locator("#welcome")).to_be_visible()


def test_a_camera_without_a_calibration_shows_its_picture_to_save(
    bench: Bench, serve: Callable[..., Served], page: Page
) -> None:
    bench.show("t03_00", frames=1)
    page.goto(serve(bench.service).url + "seen")
    expect(page.locator("#nothing")).to_contain_text("nobody has told me where the tray lies")
    expect(page.locator("#save")).to_have_attribute("href", "/frame.jpg")
    page.wait_for_function("document.querySelector('.shot').width === 800")
    fits(page)
    picture(page, "blind")


def _shown(page: Page) -> list[int]:
    """A pixel of the picture in the middle of b3."""
    return list(page.evaluate(
        """() => { const c = document.querySelector(".shot");
        return [...c.getContext("2d").getImageData(c.width / 2, c.height / 2, 1, 1).data].slice(0, 3); }"""
    ))  # fmt: skip
