"""A whole match at the simulated table: hands pull, camera and beams see it, the page is tapped for choices only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.games import game
from companion.log import MemoryLog
from companion.rules.rematch.chains import moves
from companion.rules.rematch.tray import Tray
from companion.service import Service
from companion.session import Session
from companion.simulation import eyes, lay
from hardware.beams import Beams
from hardware.camera import Frame
from hardware.camera_thread import CameraStatus
from hardware.simulated import SimulatedRig
from tests.web.conftest import PORTRAIT, Served

pytestmark = pytest.mark.browser
MS = 1_000_000
FRAME_NS = 66 * MS
PATIENCE = 150  # frames: ten seconds of the table's time
TRAY = "RYRBY/YRRRB/BYBYB"
ATTACKS = [f"{colour}{size}" for colour in "RYB" for size in (1, 2, 4)]
BOARD = {"name": "House", "attacks": {name: {"effects": [{"do": "deal", "amount": 4}]} for name in ATTACKS}}
# one broken dial can be paid, which gives each of the others one HP; a second one cannot
WEAK = {"credits": 1, "board": BOARD, "buttons": {colour: {"hp": 3} for colour in "RYB"}}


class Table:
    """A service that looks at a simulated table; time passes frame by frame and nothing waits for it."""

    def __init__(self) -> None:
        self.t_ns = 1_000 * MS
        self.rig = SimulatedRig(lambda: self.t_ns, 1)
        self.service = Service(Session(game("rematch"), MemoryLog()), eyes(self.rig), clock_ns=lambda: self.t_ns)
        self.beams = Beams(self.rig.pins, self.service.offer_edge, factory=self.rig.factory, clock_ns=self.rig.edge_ns)
        self.service.start()
        self.service.camera_told(CameraStatus("ok", "simulated", 0.0, 0, 0, ""))

    def frame(self) -> None:
        self.t_ns += FRAME_NS
        self.rig.step(self.t_ns)
        image, t_ns = self.rig.picture()
        self.service.offer_frame(Frame(image, t_ns))
        self.service.say("probe", "")  # done by the writer after the frame

    def until(self, seen: Callable[[], bool]) -> None:
        for _ in range(PATIENCE):
            if seen():
                return
            self.frame()
        raise AssertionError((self.state, self.view))

    @property
    def state(self) -> dict[str, Any]:
        state = self.service.snapshot().state
        assert state is not None
        return state

    @property
    def view(self) -> dict[str, Any]:
        return self.service.snapshot().view


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.beams.close()
    table.service.stop()


def pull(table: Table, player: str) -> str:
    """A hand pulls a legal clear of two marbles; what the attack is."""
    broken = [colour for colour, dial in table.state["players"][player]["buttons"].items() if dial["broken"]]
    clear = next(one for one in moves(Tray.parse(table.rig.tray_text), player, broken) if len(one.cells) == 2)
    table.rig.pull(sorted(clear.cells, key=lambda cell: cell[1], reverse=True), player)
    table.until(lambda: not table.rig.busy)
    return clear.attack


def choose(page: Page, table: Table, dial: str) -> None:
    """The dial that the attack hits, tapped where the page asks for it."""
    number = table.service.snapshot().version
    page.tap(f'[data-resolve="{dial}"]')
    confirm = page.locator('[data-resolve="confirm"]')
    expect(confirm.or_(page.locator(f'body:not(:has([data-resolve="{dial}"]))')).first).to_be_attached()
    if confirm.count():
        confirm.tap()
    expect(page.locator(f'[data-resolve="{dial}"]')).to_have_count(0)
    assert table.service.snapshot().version > number


def test_a_whole_match_by_hands_and_choices_ends_with_the_right_winner(
    table: Table, serve: Callable[..., Served], new_page: Callable[..., Page]
) -> None:
    lay(table.rig, TRAY)
    setup = {"first": "A", "tray": TRAY, "players": {"A": WEAK, "B": WEAK}}
    assert table.service.control({"do": "new_match", "setup": setup})["ok"]
    page = new_page(PORTRAIT)
    page.goto(serve(table.service).url)
    said = page.locator("#say")
    for player, target in (("A", "R"), ("B", "Y"), ("A", "B")):
        other = "B" if player == "A" else "A"
        attack = pull(table, player)
        # before the first turn, and until the other's turn was ended, it is asked what this was
        table.until(lambda: table.view["question"] is not None)
        page.locator(".answer", has_text=f"{player} cleared").first.tap()
        expect(page.locator("#actions [data-resolve]").first).to_be_visible()
        assert (table.state["last_clear"]["player"], table.state["last_clear"]["attack"]) == (player, attack)
        choose(page, table, target)
        dial = table.state["players"][other]["buttons"][target]
        assert dial["broken"]
        table.until(lambda: not table.view["moving"])
    assert table.state["over"] == {"winner": "A", "reason": "cannot_pay"}
    expect(said).to_contain_text("A wins")
    expect(said).to_contain_text("B cannot pay")
    assert table.state["tray"] == table.rig.tray_text
