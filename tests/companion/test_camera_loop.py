"""The camera of a running companion on a clock of the test's own: lost, opened again, hanging, and the page told."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue

import numpy as np

from companion.camera_loop import CameraLoop
from hardware.camera import Camera, CameraError, Frame
from hardware.camera_thread import CameraStatus

SECOND = 1_000_000_000


class Clock:
    t_ns = 1000 * SECOND

    def __call__(self) -> int:
        self.t_ns += 1
        return self.t_ns


class FakeCamera:
    """Gives so many frames, then does what `then` does."""

    def __init__(self, clock: Clock, frames: int, then: Callable[[], Frame | None]) -> None:
        self.name = "fake"
        self._clock, self._left, self._then = clock, frames, then

    def read(self) -> Frame | None:
        self._left -= 1
        return self._then() if self._left < 0 else Frame(np.zeros((2, 2, 3), np.uint8), self._clock())

    def close(self) -> None:
        pass


def _lost() -> Frame | None:
    raise CameraError("the fake camera was unplugged")


def _broken() -> Frame | None:
    raise RuntimeError("a driver's own fault")


class Bench:
    """A loop over cameras that come one after the other."""

    def __init__(self, clock: Clock, openers: list[Callable[[], Camera]]) -> None:
        self.clock = clock
        self.frames: SimpleQueue[Frame] = SimpleQueue()
        self.told: list[CameraStatus] = []
        waiting = iter(openers)
        self.loop = CameraLoop(lambda: next(waiting)(), self.frames.put, self.told.append, clock)

    def until(self, true: Callable[[CameraStatus], bool], hangs: bool = False) -> CameraStatus:
        """Beats of 0.5 s each until it is so; a real moment for the camera's thread in between. While a camera works,
        and does not hang, the clock waits for it: on a busy machine its thread may not have come to work yet."""
        pause = threading.Event()
        for _ in range(10_000):
            if true(status := self.loop.look()):
                return status
            if hangs or status.state == "lost":
                self.clock.t_ns += SECOND // 2
            pause.wait(0.002)
        raise AssertionError(status)


def test_a_lost_camera_is_opened_again_however_often_and_counted() -> None:
    clock = Clock()
    bench = Bench(clock, [lambda n=n: FakeCamera(clock, 3, (_lost, _broken)[n % 2]) for n in range(21)])
    for number in range(21):
        status = bench.until(lambda status, n=number: status.state == "lost" and status.reopened == n)
        assert ("unplugged" in status.text, "driver's own fault" in status.text) == (number % 2 == 0, number % 2 == 1)
    assert bench.frames.qsize() == 3 * 21
    bench.loop.stop()


def test_a_hang_is_left_and_the_camera_is_back_within_ten_seconds() -> None:
    clock, never = Clock(), threading.Event()
    hanging = threading.Event()

    def hang() -> Frame | None:
        hanging.set()
        never.wait(30)
        return None

    bench = Bench(clock, [lambda: FakeCamera(clock, 1, hang), lambda: FakeCamera(clock, 1, hang)])
    bench.loop.look()
    assert hanging.wait(10)
    began = clock.t_ns
    bench.until(lambda status: status.state == "lost", hangs=True)
    hanging.clear()
    bench.until(lambda status: status.state == "opening")
    assert clock.t_ns - began <= 10 * SECOND
    assert hanging.wait(10)
    bench.until(lambda status: status.state == "ok")
    assert [(told.state, told.reopened) for told in bench.told][-3:] == [("lost", 0), ("opening", 1), ("ok", 1)]
    assert "no picture for" in bench.told[-3].text
    bench.loop.stop()
    never.set()


def test_the_loops_own_thread_looks_and_nothing_is_told_twice() -> None:
    clock, told = Clock(), SimpleQueue[CameraStatus]()
    never = threading.Event()

    def missing() -> Camera:
        raise CameraError("camera 0: is not there")

    def wait() -> Frame | None:
        never.wait(30)
        return None

    loop = CameraLoop(missing, lambda frame: None, told.put, clock)
    loop.start()
    states = [told.get(timeout=60).state]
    while states[-1] != "lost":
        states.append(told.get(timeout=60).state)
    loop.stop()
    assert states in (["opening", "lost"], ["lost"])
    for _ in range(5):
        loop.look()
    assert told.empty()
    never.set()
