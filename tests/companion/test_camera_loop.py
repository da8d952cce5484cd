"""The thread that reads a camera: lost, found again, hanging."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from companion.camera_loop import CameraLoop
from hardware.camera import Camera, CameraError, Frame

IMAGE = np.zeros((2, 2, 3), np.uint8)


class FakeCamera:
    """Gives so many frames, then does what `then` does."""

    def __init__(self, frames: int, then: Callable[[], Frame | None], closed: list[str]) -> None:
        self.name = "fake"
        self._left, self._then, self._closed = frames, then, closed

    def read(self) -> Frame | None:
        self._left -= 1
        return self._then() if self._left < 0 else Frame(IMAGE, self._left)

    def close(self) -> None:
        self._closed.append(self.name)


def _lost() -> Frame | None:
    raise CameraError("the fake camera was unplugged")


def _broken() -> Frame | None:
    raise RuntimeError("a driver's own fault")


def _at_its_end() -> Frame | None:
    return None


class Bench:
    """A loop over cameras that come one after the other; it is stopped when `enough` has been told."""

    def __init__(self, openers: list[Callable[[], Camera]], enough: int) -> None:
        self.frames: list[Frame] = []
        self.told: list[tuple[str | None, str]] = []
        self._openers = iter(openers)
        self._enough = enough
        self.loop = CameraLoop(lambda: next(self._openers)(), self.frames.append, self._tell, first_pause_s=0.0)

    def _tell(self, name: str | None, text: str) -> None:
        self.told.append((name, text))
        if len(self.told) == self._enough:
            self.loop.stop()


def test_a_lost_camera_is_opened_again_however_often() -> None:
    closed: list[str] = []
    ends = [_lost, _broken, _at_its_end] * 7
    bench = Bench([lambda end=end: FakeCamera(3, end, closed) for end in ends], enough=42)  # type: ignore[misc]
    bench.loop.run()
    assert len(bench.frames) == 3 * 21
    assert len(closed) == 21
    assert bench.told[:6:2] == [("fake", "")] * 3
    assert [text for _, text in bench.told[1:6:2]] == [
        "the fake camera was unplugged",
        'The camera failed (RuntimeError("a driver\'s own fault")); trying again.',
        "The camera gives no more pictures; trying again.",
    ]


def test_one_that_cannot_be_opened_is_tried_again() -> None:
    def missing() -> Camera:
        raise CameraError("camera 0: is not there")

    bench = Bench([missing, missing, lambda: FakeCamera(1, _at_its_end, [])], enough=3)
    bench.loop.run()
    assert bench.told == [(None, "camera 0: is not there")] * 2 + [("fake", "")]


def test_a_capture_that_hangs_for_ever_holds_up_nobody() -> None:
    hanging, never = threading.Event(), threading.Event()

    def hang() -> Frame | None:
        hanging.set()
        never.wait()
        return None

    bench = Bench([lambda: FakeCamera(0, hang, [])], enough=99)
    bench.loop.start()
    assert hanging.wait(10)
    bench.loop.stop(timeout_s=0.01)
    never.set()
