"""Marbles that hang halfway, at the drawn table: read as neither colour nor empty, and decided only once they lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import cv2
import pytest

from companion.pipeline import Pipeline
from companion.rules.rematch.watch import ClearSeen, Hanging, Outcome, Turn, Watcher
from hardware.camera import Frame, Image
from hardware.counting import DropCounter
from hardware.edges import Edge
from hardware.simulated_drawing import TableDrawing
from hardware.simulated_table import LANES, SimulatedTable
from vision.between import Between
from vision.calibrate import calibrate
from vision.eye import Eye
from vision.gaze import Gaze
from vision.profile import Profile

SEED = 3
STEP = 100_000_000


@cache
def drawing() -> TableDrawing:
    return TableDrawing(SEED)


@cache
def eye() -> Eye:
    table = SimulatedTable(seed=SEED)
    picture = cv2.imencode(".jpg", drawing().draw(table), [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    profile = Profile()
    return Eye(calibrate(picture, table.corners, table.tray_text, table.stage_corners, profile), profile)


def drawn(change: Callable[[SimulatedTable], None]) -> Image:
    table = SimulatedTable(seed=SEED)
    change(table)
    return drawing().draw(table)


def hang(place: float) -> Callable[[SimulatedTable], None]:
    """The marble of b5, or the one above it when `place` is above 5, at this place; nothing above it."""

    def change(table: SimulatedTable) -> None:
        marbles = table._lanes["b"].marbles
        below = int(place) - 1 if place < 5 else 4
        marbles[:] = [*marbles[:below], replace(marbles[4], p=place)]

    return change


def empty(row: int) -> Callable[[SimulatedTable], None]:
    """Lane b holds nothing from this row up."""

    def change(table: SimulatedTable) -> None:
        del table._lanes["b"].marbles[row - 1 :]

    return change


def found(image: Image) -> tuple[str, ...]:
    reading = eye().read(image)
    between = Between(eye().geometry, eye().form, eye().cells, eye().grid.rows)
    return between.find(eye().patch(image), {name: cell.colour for name, cell in reading.cells.items()})


@pytest.mark.parametrize(
    ("place", "cells"),
    [
        (4.4, ("b4", "b5")), (4.5, ("b4", "b5")), (4.6, ("b4", "b5")), (2.5, ("b2", "b3")),
        (5.3, ("b5",)), (4.0, ()), (5.0, ()), (5.7, ()),
    ],
)  # fmt: skip
def test_where_a_marble_hangs(place: float, cells: tuple[str, ...]) -> None:
    assert found(drawn(hang(place))) == cells


@pytest.mark.parametrize("row", [1, 3, 4, 5])
def test_floors_are_no_marbles(row: int) -> None:
    assert found(drawn(empty(row))) == ()


def test_gaze_knows_neither_cell() -> None:
    gaze = Gaze(eye())
    image = drawn(hang(4.5))
    sights = [gaze.look(image, i * STEP) for i in range(5)]
    assert sights[-1].settled
    assert sights[-1].hanging == ("b4", "b5")
    assert sights[-1].tray.split("/")[1][3:] == "??"
    lies = [gaze.look(drawn(hang(4.0)), i * STEP) for i in range(5, 10)][-1]
    assert (lies.hanging, lies.tray.split("/")[1][4]) == ((), ".")


class Stuck(SimulatedTable):
    """The next marble that rolls past 4.5 in lane a hangs there until it is nudged."""

    hung: float | None = 4.5

    def _roll(self, lane, edges: list[Edge]) -> None:
        top = lane.marbles[-1] if lane.marbles else None
        if (
            lane.name != "a"
            or self.hung is None
            or top is None
            or not 4.3 < top.p <= self.hung
            or len(lane.marbles) > 4
        ):
            super()._roll(lane, edges)
            return
        super()._roll(lane, edges)
        top.p, top.v = self.hung, 0.001


@pytest.mark.parametrize("beams", [True, False])
def test_a_clear_is_told_when_the_marble_has_been_nudged_down(beams: bool) -> None:
    table = Stuck(seed=SEED)
    start = table.tray_text
    counter = DropCounter() if beams else None
    watcher = Watcher(Turn("A"))
    pipeline = Pipeline(Gaze(eye()), watcher, counter)
    out: list[Outcome] = []
    t = 0

    def live(seconds: float) -> None:
        nonlocal t
        for _ in range(round(seconds * 10)):
            for edge in table.advance(t):
                pipeline.edge(edge)
            done = pipeline.frame(Frame(drawing().draw(table), t))
            out.extend(one for one in done if isinstance(one, ClearSeen | Hanging))
            t += STEP

    if beams:
        for lane in LANES:
            pipeline.edge(Edge(0, lane, False))
    live(0.7)
    table.pull(["a2"], "A")
    live(4)
    assert [type(one) for one in out] == [Hanging], out
    table.hung = None
    live(1.5)
    assert [type(one) for one in out] == [Hanging, ClearSeen]
    clear = out[1]
    assert isinstance(clear, ClearSeen)
    assert (clear.before, clear.explanation.cells) == (start, ("a2",))
