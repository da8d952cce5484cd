"""Gaze over time, with an eye that sees what the test says: stillness, hands, light, aim and fans."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vision.arrays import Floats
from vision.calibration import Quad
from vision.eye import Glance
from vision.gaze import Gaze, Sight
from vision.geometry import geometry
from vision.picture import Image
from vision.profile import Grid, Profile
from vision.reading import Aim, CellReading, Reading
from vision.reaim import View
from vision.slices import Slices
from vision.steady import Steady

TRAY = "RYBRY/YBRBY/BRYYR"
MS = 1_000_000
CORNERS = ((220.0, 320.0), (300.0, 320.0), (300.0, 180.0), (220.0, 180.0))


@dataclass
class Scripted:
    """An eye that reads what it is told, whatever the picture."""

    tray: str = TRAY
    foreign: float = 0.0
    covered: tuple[str, ...] = ()
    light: tuple[float, float, float] = (0.0, 0.0, 0.0)
    aim: Aim = field(default_factory=lambda: Aim(True, 0.0))
    fans: dict[str, str | None] = field(default_factory=lambda: {"R": "A", "Y": "stage", "B": "B"})
    stage: Quad | None = None
    hides_blocks: bool = False
    slices: int = 0

    def __post_init__(self) -> None:
        self.looks = self.looks_at_stage = self.aims = 0
        self.grid, self.profile = Grid(), Profile()
        self.cells = self.grid.cells
        self.calibration = SimpleNamespace(stage=self.stage)
        self.geometry = geometry(CORNERS, self.grid, (640, 480))

    def patch(self, image: Image) -> Image:
        return self.geometry.warp(image)

    def aim_at_once(self, image: Image, to_now: Floats | None = None) -> tuple[Aim | None, bool]:
        self.aims += 1
        return (self.aim if self.aim.ok else None), self.hides_blocks

    def aim_asked(self, image: Image, to_now: Floats | None = None) -> Slices[Aim]:
        aim = self.aim
        for _ in range(self.slices):
            yield
        return aim

    aim_searched = aim_asked

    def fans_asked(self, image: Image, to_now: Floats | None = None) -> Slices[dict[str, str | None]]:
        self.looks_at_stage += 1
        fans = dict(self.fans)
        yield
        return fans

    def look(self, image: Image, patch: Image | None = None, fans: bool = True, aim: Aim | None = None) -> Glance:
        self.looks += 1
        self.aims += aim is None
        self.looks_at_stage += fans
        letters = dict(zip(self.cells, self.tray.replace("/", ""), strict=True))
        cells = {name: CellReading("?" if name in self.covered else letters[name], 0.99) for name in self.cells}
        cover = {name: float(name in self.covered) for name in self.cells}
        reading = Reading(self.tray, cells, dict(self.fans), self.covered, aim or self.aim)
        nothing = np.zeros((1, 1), bool)
        return Glance(reading, patch if patch is not None else image, nothing, cover, self.foreign, self.light, 1.0)


class Nowhere:
    """Never finds the tray again, unless it is told where."""

    def __init__(self) -> None:
        self.view: View | None = None
        self.back: View | None = None
        self.asked = 0

    def finding(self, image: Image, near: View | None = None, back: bool = False) -> Slices[View | None]:
        self.asked += 1
        yield
        return self.back if back and self.back is not None else self.view


NOISE = np.random.default_rng(2).standard_normal((600, 800, 3), np.float32)
"""Each picture takes its noise from another place in it: to draw so much anew takes longer than to look at it."""


class Film:
    """Pictures of nothing in particular, the tray region with marbles of texture, at `fps`."""

    def __init__(self, fps: float = 10.0) -> None:
        self.eye = Scripted()
        self.finder = Nowhere()
        self.gaze = Gaze(self.eye, Steady(self.finder))
        self.rng = np.random.default_rng(1)
        self.scene = self.rng.integers(60, 190, (48, 64, 3)).repeat(10, 0).repeat(10, 1).astype(np.float32)
        self.step, self.t = int(1e9 / fps), 0
        self.changes: list[tuple[float, str, dict[str, Any]]] = []

    def show(self, frames: int = 1, moved: float = 0.0, gain: float = 1.0, noise: float = 4.0) -> Sight:
        for _ in range(frames):
            y, x = self.rng.integers(NOISE.shape[0] - 480), self.rng.integers(NOISE.shape[1] - 640)
            picture = self.scene * np.float32(gain) + np.float32(noise) * NOISE[y : y + 480, x : x + 640]
            if moved:
                self.scene[180:320, 220:300] = np.roll(self.scene[180:320, 220:300], int(moved), axis=0)
            sight = self.gaze.look(picture.clip(0, 255).astype(np.uint8), self.t)
            self.changes += [(change.t_ns / 1e9, change.what, change.detail) for change in sight.changes]
            self.t += self.step
        return sight


def test_settles_after_a_quarter_of_a_second() -> None:
    for fps in (10.0, 30.0):
        film = Film(fps)
        settled = [film.show().settled for _ in range(int(fps))]
        first = settled.index(True) / fps
        assert 0.2 <= first <= 0.4
        assert all(settled[int(first * fps) :])


@pytest.mark.parametrize(("fps", "longest_ms"), [(30.0, 300), (10.0, 400)])
def test_the_answer_comes_soon_after_the_hand_has_left(fps: float, longest_ms: int) -> None:
    film = Film(fps)
    film.show(int(fps))
    film.eye.foreign, film.eye.covered = 0.2, ("a4", "a5")
    assert film.show(int(fps) // 2, moved=5).hand
    film.eye.foreign, film.eye.covered = 0.0, ()
    since = film.t
    while not (sight := film.show()).settled:
        pass
    assert (sight.t_ns - since) / MS <= longest_ms


def test_what_moves_is_not_settled() -> None:
    film = Film()
    film.show(6)
    sight = film.show(3, moved=14)
    assert not sight.settled
    assert sight.moving
    assert film.show(5).settled


def test_noise_and_exposure_are_no_movement() -> None:
    film = Film()
    film.show(6, noise=14)
    for gain in (1.0, 1.1, 0.9, 1.15, 0.85):
        sight = film.show(gain=gain, noise=14)
        assert (sight.settled, sight.moving) == (True, ())


def test_readings_that_do_not_agree_do_not_settle() -> None:
    film = Film()
    film.show(6)
    film.eye.tray = "YYBRY/YBRBY/BRYYR"
    assert not film.show(gain=1.1).settled
    assert film.show(3).settled
    # an unsure cell contradicts nothing
    film.eye.tray = "?YBRY/YBRBY/BRYYR"
    sight = film.show(gain=1.1)
    assert (sight.settled, sight.tray) == (True, "?YBRY/YBRBY/BRYYR")


def test_a_tray_that_lies_still_is_read_only_now_and_then() -> None:
    film = Film(30.0)
    film.show(20)
    before = film.eye.looks
    film.show(60)
    assert 2 <= film.eye.looks - before <= 6
    assert 3 <= film.eye.looks_at_stage <= 12
    before = film.eye.looks
    film.show(30, moved=14)  # one that moves is read at least each fifth of a second
    assert 5 <= film.eye.looks - before <= 15


def test_the_aim_is_checked_now_and_then_and_at_once_after_a_shake() -> None:
    film = Film(30.0)
    film.show(20)
    before = film.eye.looks, film.eye.aims
    for _ in range(6):  # something keeps moving in the tray
        film.show(4, moved=14)
        film.show(1, moved=28)
    looks, aims = film.eye.looks - before[0], film.eye.aims - before[1]
    assert looks >= 6
    assert 2 <= aims <= 6
    film.show(20)
    film.eye.aim, film.scene = Aim(False, 12.0), np.roll(film.scene, 40, axis=1)
    assert not film.show().aim.ok


def test_a_reading_that_stands_for_a_while_is_renewed_within_a_second() -> None:
    film = Film()
    film.show(12)
    film.eye.foreign, film.eye.covered = 0.3, ("a1",)
    assert film.show(8).hand


def test_a_long_gap_between_pictures_starts_anew() -> None:
    film = Film()
    film.show(6)
    film.t += 5_000 * MS
    assert not film.show().settled
    assert film.show(4).settled


def test_a_hand_covers_and_goes() -> None:
    film = Film()
    film.show(6)
    film.eye.foreign, film.eye.covered = 0.2, ("a4", "a5")
    sight = film.show(4, moved=5)
    assert (sight.hand, sight.covers, sight.settled, sight.tray[3:5]) == (True, ("a4", "a5"), False, "??")
    sight = film.show(10)  # it rests there
    assert (sight.hand, sight.settled) == (True, False)
    film.eye.foreign, film.eye.covered = 0.0, ()
    assert film.show(5).settled
    assert [(what, detail["state"]) for _, what, detail in film.changes] == [("hand", "in"), ("hand", "out")]


def test_a_card_left_at_the_rim_is_no_hand_for_ever() -> None:
    film = Film()
    film.show(6)
    film.eye.foreign, film.eye.covered = 0.2, ("a5",)
    film.show(4, moved=5)
    film.eye.foreign, film.eye.covered = 0.09, ()
    sight = film.show(6)
    assert (sight.hand, sight.settled) == (False, True)


def test_light_is_told_once_and_slow_daylight_never() -> None:
    film = Film()
    film.show(5)
    film.eye.light = (0.3, 0.1, -0.5)
    film.show(8)
    assert [what for _, what, _ in film.changes] == ["light"]
    for i in range(60):
        film.eye.light = (0.3 + i * 0.01, 0.1, -0.5)
        film.show()
    assert len(film.changes) == 1


def test_a_single_odd_picture_is_no_light() -> None:
    film = Film()
    film.show(5)
    film.eye.light = (0.5, 0.0, 0.0)
    film.show()
    film.eye.light = (0.0, 0.0, 0.0)
    film.show(5)
    assert film.changes == []


def test_aim_pauses_at_once_and_is_told_when_it_stays() -> None:
    film = Film()
    film.show(6)
    film.eye.aim, film.scene = Aim(False, 12.34), np.roll(film.scene, 40, axis=1)
    sight = film.show()
    assert (sight.settled, sight.aim.ok, film.changes) == (False, False, [])
    film.show(3)
    film.eye.aim, film.scene = Aim(True, 0.2), np.roll(film.scene, -40, axis=1)
    sight = film.show(8)
    assert sight.settled
    assert [(what, detail) for _, what, detail in film.changes] == [
        ("aim_lost", {"shift_px": 12.3}),
        ("aim_found", {"shift_px": 0.2}),
    ]


@pytest.mark.parametrize("seen", [None, "A"])
def test_a_fan_moves_when_it_has_lain_there_for_a_while(seen: str | None) -> None:
    film = Film()
    film.show(9)  # a look at the board takes two pictures
    film.eye.fans["B"] = seen
    film.show()
    assert film.changes == []
    sight = film.show(10)
    moves = [(what, detail) for _, what, detail in film.changes]
    assert moves == ([] if seen is None else [("fan", {"fan": "B", "from": "B", "to": "A"})])
    assert sight.fans["B"] == ("B" if seen is None else "A")


def test_a_fan_in_flight_is_not_told() -> None:
    film = Film()
    film.show(12)
    for place in ("stage", "A", "stage"):
        film.eye.fans["B"] = place
        film.show(2)
    film.eye.fans["B"] = "B"
    film.show(6)
    assert film.changes == []


def test_what_has_moved_since_it_was_read_is_not_known_until_it_has_been_read_again() -> None:
    film = Film()
    film.show(6)
    assert film.show(1, moved=14).tray == TRAY
    film.eye.tray = "BBBBB/BBBBB/BBBBB"
    looks, moved, unknown = film.eye.looks, set[str](), 0
    for _ in range(8):
        sight = film.show(1, moved=14)
        moved |= set(sight.moving)
        letters = dict(zip(film.eye.cells, sight.tray.replace("/", ""), strict=True))
        # what was read before something moved is never said of what lies there now
        assert {letters[name] for name in moved} <= {"?", "B"}
        unknown += sum(letters[name] == "?" for name in moved)
    assert len(moved) > 10
    assert unknown > 10
    assert 3 <= film.eye.looks - looks <= 5


def test_the_first_picture_that_lies_still_is_read() -> None:
    film = Film(30.0)
    film.show(20)
    film.show(10, moved=14)
    film.eye.tray = "BBBBB/BBBBB/BBBBB"
    while (sight := film.show()).moving:
        pass
    assert sight.tray == film.eye.tray


def test_what_changes_while_a_tray_is_about_to_settle_is_seen() -> None:
    film = Film(30.0)
    film.show(20)
    film.show(10, moved=14)
    while (sight := film.show()).moving:
        pass
    film.eye.tray = "BBBBB/BBBBB/BBBBB"
    while not (sight := film.show()).settled:
        pass
    assert sight.tray == film.eye.tray


def test_a_tray_that_lies_where_it_should_is_not_looked_for() -> None:
    film = Film()
    film.show(6)
    film.eye.aim = Aim(False, 12.0)
    film.scene = np.roll(film.scene, 40, axis=1)
    film.show(6)
    asked = film.finder.asked
    film.eye.aim = Aim(True, 0.2)
    film.scene = np.roll(film.scene, -40, axis=1)
    film.show()  # it is asked beside every other picture
    asked, before = film.finder.asked, asked
    assert asked - before <= 1
    film.show()
    assert (asked > 0, film.finder.asked) == (True, asked)
    assert [what for _, what, _ in film.changes] == ["aim_lost"]  # it must last before it counts as found
    film.show(3)
    assert film.changes[-1][1] == "aim_found"


def test_nothing_is_read_until_it_is_known_whether_the_tray_has_moved() -> None:
    film = Film()
    film.show(6)
    film.eye.aim, film.eye.slices, film.scene = Aim(False, 12.0), 3, np.roll(film.scene, 40, axis=1)
    looks = film.eye.looks
    for _ in range(4):  # three slices, and the picture that asks
        sight = film.show()
        assert (sight.aim.ok, set(sight.tray) - {"/"}, film.changes) == (False, {"?"}, [])
    film.show(2)
    assert [(what, detail) for _, what, detail in film.changes] == [("aim_lost", {"shift_px": 12.0})]
    assert film.eye.looks == looks


def test_what_a_hand_hides_is_looked_for_before_anything_settles() -> None:
    film = Film()
    film.eye.hides_blocks = True
    film.show(9)  # found to lie right in the first picture, and believed for a while
    film.eye.slices = 4
    opened = 0
    film.show(3, moved=14)
    while not (sight := film.show()).settled:
        opened += film.gaze._aiming.open
        assert film.t < 4_000 * MS
    assert opened >= 2
    assert not film.gaze._aiming.open
    assert sight.tray == TRAY
