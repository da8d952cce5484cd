"""What the camera asks on the page of Re;ACT: answered by a tap, in the page's language."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from companion.games import artists, game
from companion.log import MemoryLog
from companion.react_table import BoardSize, ReactTable
from companion.service import Service
from companion.session import Session
from hardware.camera import Frame
from tests.companion.rules.react.matches import DRAW, SETUP
from tests.companion.test_react_table import FRAME_NS, HOME, IMAGE, A, FakeGaze, piece
from tests.web.conftest import LANDSCAPE, PORTRAIT, Served
from tests.web.further import at_rest, state, tap, undo
from tests.web.test_axe import WEIGHT, findings
from vision.pieces import Piece

pytestmark = pytest.mark.browser


class Watched:
    """A running service whose camera sees what it is told, picture by picture."""

    def __init__(self) -> None:
        self.gaze, self.t_ns = FakeGaze(), 0
        table = ReactTable(self.gaze, BoardSize(5, 5, ("3,1", "3,5")))
        session = Session(game("react"), MemoryLog())
        self.service = Service(session, table, clock_ns=lambda: self.t_ns, artists=artists("react"))

    def lie(self, *pieces: Piece) -> None:
        self.gaze.at_rest = {one.number: one for one in pieces}
        for _ in range(12):
            self.t_ns += FRAME_NS
            self.service.offer_frame(Frame(IMAGE, self.t_ns))
            self.service.say("seen", "")  # comes back once the picture was looked at


@pytest.fixture
def watched() -> Iterator[Watched]:
    found = Watched()
    found.service.start()
    yield found
    found.service.stop()


def test_a_move_by_hand_is_asked_answered_and_undone(
    watched: Watched, serve: Callable[..., Served], new_page: Callable[..., Page]
) -> None:
    page = new_page(LANDSCAPE)
    page.goto(serve(watched.service).url)
    tap(page, "new-match")  # the board is the camera's, and need not be told again
    expect(page.locator('[data-size="rows"]')).to_have_value("5")
    page.select_option('[data-input="A-artist"]', "Dancer")
    tap(page, "begin")
    page.wait_for_selector("#table:not([hidden])")
    tap(page, "draw")
    at_rest(page)  # what is drawn changes the match, and a board that moves meanwhile is told otherwise
    watched.lie(*HOME)
    expect(page.locator("#camera")).to_have_text("The camera agrees.")
    watched.lie(piece(A, 3, 2), HOME[1])
    expect(page.locator("#camera .asked")).to_contain_text("A is seen in 3,2; the match has it in 3,1. What happened?")
    expect(page.locator('.field-zone[data-zone="3,2"]')).to_have_attribute("data-asked", "")
    assert state(page)["units"]["A"]["zone"] == "3,1"
    assert findings(page) == []
    assert page.evaluate(WEIGHT) <= 200_000
    tap(page, "answer-0")
    expect(page.locator('.field-zone[data-zone="3,2"] .unit')).to_have_text("A")
    watched.lie(piece(A, 3, 2), HOME[1])
    expect(page.locator("#camera")).to_have_text("The camera agrees.")
    undo(page)
    expect(page.locator('.field-zone[data-zone="3,1"] .unit')).to_have_text("A")
    watched.lie(piece(A, 3, 2), HOME[1])
    expect(page.locator("#camera")).to_have_text("The board lies otherwise. A is seen in 3,2; the match has it in 3,1.")


def test_what_the_camera_says_is_german_on_a_german_page(
    watched: Watched, serve: Callable[..., Served], new_page: Callable[..., Page]
) -> None:
    page = new_page(PORTRAIT, locale="de")
    page.goto(serve(watched.service).url)
    for command in (SETUP, DRAW):
        assert watched.service.command(json.dumps(command).encode())["ok"]
    watched.lie(*HOME)
    watched.lie(piece(A, 3, 1, 90), HOME[1], piece(34, 2, 2))
    expect(page.locator("#camera .head")).to_have_text(
        "A liegt erschöpft; in der Partie ist es bereit. "
        "Ein Marker, der zu nichts gehört (34), liegt auf 2,2. Was ist geschehen?"
    )
    labels = page.locator("#camera .action").all_text_contents()
    assert labels == ["Übernehmen, was so geht", "Die Partie stimmt: Ich lege es so hin"]
