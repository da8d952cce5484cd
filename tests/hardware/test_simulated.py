"""The simulated table on a clock of the test's own: what it does to marbles, beams and the picture."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from hardware.beams import Beams
from hardware.counting import count
from hardware.edges import Edge
from hardware.simulated import SimulatedCamera, SimulatedRig
from hardware.simulated_drawing import TableDrawing
from hardware.simulated_table import CHORD, LANES, SimulatedTable, cell_point, fan_point

MS = 1_000_000


def finish(table: SimulatedTable, limit_s: float = 30) -> list[Edge]:
    edges: list[Edge] = []
    end = table.t_ns + round(limit_s * 1000) * MS
    while table.busy:
        assert table.t_ns < end, "it never comes to rest"
        edges += table.advance(table.t_ns + 13 * MS)
    return edges


def rolled(tray: str, cells: list[str]) -> str:
    """What stays of a tray when cells are taken and the rest rolls down."""
    return "/".join(
        "".join(colour for row, colour in enumerate(lane, 1) if f"{name}{row}" not in cells)
        for name, lane in zip(LANES, tray.split("/"), strict=True)
    )


def colours(table: SimulatedTable) -> Counter[str]:
    return Counter([one.colour for _, one in table.on_tray()] + [one.colour for one in (*table.tower, *table.taken)])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("player", ["A", "B"])
def test_a_pull_leaves_what_was_above_and_drops_one_for_each(seed: int, player: str) -> None:
    table = SimulatedTable(seed=seed)
    before = table.tray_text
    cells = ["b5", "b4", "a3" if player == "A" else "c3", "b1"]
    table.pull(cells, player)
    edges = finish(table)
    left = rolled(before, cells).split("/")
    assert [lane[: len(kept)] for lane, kept in zip(table.tray_text.split("/"), left, strict=True)] == left
    assert "." not in table.tray_text
    counted = count([Edge(0, lane, False) for lane in LANES] + edges)
    assert {lane: one.drops for lane, one in counted.items()} == {"b": 3, "a": 0, "c": 0} | {cells[2][0]: 1}
    assert all(one.certain for one in counted.values())
    assert colours(table) == {"R": 11, "Y": 11, "B": 11}
    assert len(table.taken) == 4


def test_pulses_last_as_long_as_marbles_take() -> None:
    table = SimulatedTable(seed=4)
    for cells in (["a1", "a2"], ["b5", "b4"], ["b3"]):
        table.pull(cells, "A")
        edges = finish(table)
        for down, up in zip(edges[::2], edges[1::2], strict=True):
            assert (down.lane, down.blocked, up.blocked) == (up.lane, True, False)
            assert CHORD * 12 * MS <= up.t_ns - down.t_ns <= 16 * MS


def test_what_is_pulled_goes_back_into_the_tower_before_the_next_pull() -> None:
    table = SimulatedTable(seed=2)
    table.pull(["a1", "b2"], "A")
    finish(table)
    assert (len(table.tower), len(table.taken)) == (16, 2)
    table.pull(["c1"], "B")
    assert (len(table.tower), len(table.taken)) == (18, 0)


@pytest.mark.parametrize("cells", [["b5"], ["a5", "a4", "b1"], ["a1", "a2", "a3", "a4"]])
def test_put_back_restores_the_tray_marble_by_marble(cells: list[str]) -> None:
    table = SimulatedTable(seed=9)
    before = [marble.number for _, marble in table.on_tray()]
    table.pull(cells, "A")
    finish(table)
    table.put_back()
    finish(table)
    assert [marble.number for _, marble in table.on_tray()] == before
    assert [marble.p for _, marble in table.on_tray()] == [1, 2, 3, 4, 5] * 3
    assert table.taken == []
    assert colours(table) == {"R": 11, "Y": 11, "B": 11}
    with pytest.raises(ValueError, match="nothing to put back"):
        table.put_back()


def test_a_fan_is_carried() -> None:
    table = SimulatedTable(seed=1)
    table.move_fan("Y", "B", "B")
    finish(table)
    assert table.fans == {"R": "stage", "Y": "B", "B": "stage"}
    assert table.hand is None


def test_a_hand_that_only_hovers_changes_nothing() -> None:
    table = SimulatedTable(seed=1)
    before = table.tray_text
    table.hover(["a1", "b3"], "A")
    assert table.busy
    assert finish(table) == []
    assert table.tray_text == before


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda table: table.pull(["a6"], "A"), "no cell 'a6'"),
        (lambda table: table.pull(["b12"], "A"), "no cell 'b12'"),
        (lambda table: table.pull([], "A"), "named once each"),
        (lambda table: table.pull(["a1", "a1"], "A"), "named once each"),
        (lambda table: table.pull(["a1"], "C"), "no player 'C'"),
        (lambda table: table.move_fan("R", "floor"), "no place 'floor'"),
        (lambda table: (table.pull(["a1"], "A"), table.pull(["a2"], "A")), "busy"),
    ],
)
def test_what_cannot_be_done_is_named(act: Callable[[SimulatedTable], object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        act(SimulatedTable(seed=1))


def test_the_same_seed_and_the_same_time_give_the_same_table_however_it_is_advanced() -> None:
    texts, edges = [], []
    for stride in (1, 7, 500):
        table = SimulatedTable(seed=6)
        table.pull(["a5", "b5", "b4"], "A")
        found: list[Edge] = []
        for t_ms in range(0, 6000, stride):
            found += table.advance(t_ms * MS)
        found += table.advance(6000 * MS)
        texts.append(table.tray_text)
        edges.append(found)
    assert texts[0] == texts[1] == texts[2]
    assert edges[0] == edges[1] == edges[2] != []


def test_an_idle_table_costs_nothing_however_long() -> None:
    table = SimulatedTable(seed=6)
    assert table.advance(10**18) == []
    assert table.t_ns == 10**18


# ---------------------------------------------------------------- as devices
class Clock:
    ns = 5_000 * MS

    def __call__(self) -> int:
        return self.ns

    def sleep(self, seconds: float) -> None:
        self.ns += round(seconds * 1e9)


@pytest.fixture(scope="module")
def drawing() -> TableDrawing:
    return TableDrawing(3)


@pytest.fixture
def rig_and_clock(drawing: TableDrawing) -> tuple[SimulatedRig, Clock]:
    clock = Clock()
    return SimulatedRig(clock, seed=3, drawing=drawing), clock


def test_beams_on_mock_pins_have_the_moment_of_the_simulation(rig_and_clock: tuple[SimulatedRig, Clock]) -> None:
    rig, clock = rig_and_clock
    edges: list[Edge] = []
    beams = Beams(rig.pins, edges.append, factory=rig.factory, clock_ns=rig.edge_ns)
    rig.pull(["a5", "b5"], "A")
    while rig.busy:
        clock.ns += 40 * MS  # later than any pulse is long
        rig.step()
    beams.close()
    counted = count(edges)
    assert {lane: (one.drops, one.certain) for lane, one in counted.items()} == {
        "a": (1, True),
        "b": (1, True),
        "c": (0, True),
    }


def test_the_camera_keeps_its_pace_and_sees_the_hand_come(rig_and_clock: tuple[SimulatedRig, Clock]) -> None:
    rig, clock = rig_and_clock
    camera = SimulatedCamera(rig, fps=10, sleep=clock.sleep)
    still = [camera.read() for _ in range(3)]
    rig.pull(["b3"], "B")
    moving = [camera.read() for _ in range(6)]
    frames = [frame for frame in still + moving if frame is not None]
    assert [later.t_ns - earlier.t_ns for earlier, later in pairwise(frames)] == [100 * MS] * 8
    assert frames[0].image.shape == (600, 800, 3)
    change = [float(np.abs(frame.image.astype(int) - frames[0].image).mean()) for frame in frames]
    assert max(change[:3]) < 4
    assert change[-1] > 6
    # it comes from B's side
    half = np.abs(frames[5].image.astype(int) - frames[0].image).mean(axis=(0, 2))
    assert half[650:].mean() > 3 * half[:150].mean()


def test_a_thread_can_do_the_advancing(drawing: TableDrawing) -> None:
    came = threading.Event()
    rig = SimulatedRig(seed=3, drawing=drawing)
    beams = Beams(rig.pins, lambda edge: came.set() if edge.blocked else None, factory=rig.factory)
    rig.start()
    rig.pull(["b5"], "B")
    assert came.wait(20)
    rig.stop()
    beams.close()


def test_marbles_and_fans_are_drawn_where_they_are_said_to_be(drawing: TableDrawing) -> None:
    table = SimulatedTable(seed=5)
    table.fans["B"] = "A"
    image = drawing.draw(table)

    def hue(x: float, y: float, reach: int) -> str:
        blue, green, red = image[round(y) - reach : round(y) + reach, round(x) - reach : round(x) + reach].mean((0, 1))
        return "B" if blue > red else "Y" if green > 0.5 * red else "R"

    for lane, marble in table.on_tray():
        assert hue(*cell_point(lane, marble.p), 12) == marble.colour
    for colour, place in table.fans.items():
        x, y = fan_point(colour, place)
        assert hue(x, y - 8, 6) == colour


def test_the_same_moment_gives_the_same_picture_another_moment_other_noise(drawing: TableDrawing) -> None:
    table = SimulatedTable(seed=5)
    first = drawing.draw(table)
    assert (drawing.draw(table) == first).all()
    table.advance(66 * MS)
    assert 0 < np.abs(drawing.draw(table).astype(int) - first).mean() < 4
