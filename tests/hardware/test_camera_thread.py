"""The camera's owner, on a clock of the test's own. Threads are waited for by events, never by time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import pairwise
from queue import SimpleQueue

import numpy as np

from hardware.camera import Camera, CameraError, Frame
from hardware.camera_thread import CameraStatus, CameraThread

SECOND = 1_000_000_000
LIMIT_S = 60.0


class Clock:
    ns = 1000 * SECOND

    def __call__(self) -> int:
        return self.ns


class Scripted:
    """A camera that gives what it is told: a frame, an end (None), a fault, or a hang until `free`."""

    name = "scripted"

    def __init__(self) -> None:
        self.script: SimpleQueue[Frame | CameraError | str | None] = SimpleQueue()
        self.free, self.hanging, self.closed = threading.Event(), threading.Event(), threading.Event()

    def read(self) -> Frame | None:
        said = self.script.get(timeout=LIMIT_S)
        if said == "hang":
            self.hanging.set()
            assert self.free.wait(LIMIT_S)
            return frame(0)
        if isinstance(said, CameraError):
            raise said
        assert not isinstance(said, str)
        return said

    def close(self) -> None:
        self.closed.set()


def frame(number: int, t_ns: int = 0) -> Frame:
    """By default stamped `number` ns after the clock's start."""
    return Frame(np.full((8, 8, 3), number % 256, np.uint8), t_ns or Clock.ns + number)


def owner(cameras: list[Scripted], clock: Clock, **more: float) -> tuple[CameraThread, SimpleQueue[Frame]]:
    frames: SimpleQueue[Frame] = SimpleQueue()
    made = iter(cameras)

    def open_camera() -> Camera:
        return next(made)

    return CameraThread(open_camera, frames.put, clock, **more), frames


def until(found: Callable[[], CameraStatus], state: str) -> CameraStatus:
    """The worker tells its end a moment after the event that a test can wait for."""
    waiting = threading.Event()
    for _ in range(2000):
        if (status := found()).state == state:
            return status
        waiting.wait(0.005)
    raise AssertionError(f"never {state}: {status}")


def test_frames_come_and_the_newest_is_kept() -> None:
    clock, camera = Clock(), Scripted()
    thread, frames = owner([camera], clock)
    thread.start()
    for number in (1, 2):
        camera.script.put(frame(number))
        assert frames.get(timeout=LIMIT_S).image[0, 0, 0] == number
    clock.ns += SECOND // 2
    assert thread.watch() == CameraStatus("ok", "scripted", 0.5, 0, 0, "")
    assert thread.newest is not None
    assert thread.newest.image[0, 0, 0] == 2
    camera.script.put(None)
    assert camera.closed.wait(LIMIT_S)
    assert until(thread.watch, "ended").reopened == 0


def test_a_lost_camera_is_opened_again_after_a_pause() -> None:
    clock, cameras = Clock(), [Scripted(), Scripted()]
    thread, frames = owner(cameras, clock)
    thread.start()
    cameras[0].script.put(CameraError("its cable is loose"))
    status = until(thread.watch, "lost")
    assert status.text == "its cable is loose"
    assert cameras[0].closed.is_set()
    clock.ns += 2 * SECOND
    thread.watch()
    cameras[1].script.put(frame(7, clock.ns))
    assert frames.get(timeout=LIMIT_S).image[0, 0, 0] == 7
    assert (thread.watch().state, thread.watch().reopened) == ("ok", 1)
    cameras[1].script.put(None)


def test_a_capture_that_hangs_is_left_behind_and_its_late_frame_is_not_shown() -> None:
    clock, cameras = Clock(), [Scripted(), Scripted()]
    thread, frames = owner(cameras, clock)
    thread.start()
    cameras[0].script.put(frame(1))
    frames.get(timeout=LIMIT_S)
    cameras[0].script.put("hang")
    assert cameras[0].hanging.wait(LIMIT_S)
    clock.ns += 9 * SECOND
    status = thread.watch()
    assert (status.state, status.stuck) == ("lost", 1)
    assert "no picture for 9 s" in status.text
    # opened anew well within 10 s of the hang
    clock.ns += SECOND
    thread.watch()
    cameras[1].script.put(frame(7, clock.ns))
    assert frames.get(timeout=LIMIT_S).image[0, 0, 0] == 7
    cameras[0].free.set()
    assert cameras[0].closed.wait(LIMIT_S)
    assert frames.empty()
    cameras[1].script.put(None)
    assert cameras[1].closed.wait(LIMIT_S)


def test_opening_has_more_time_than_a_frame() -> None:
    clock, camera = Clock(), Scripted()
    thread, frames = owner([camera], clock)
    thread.start()
    clock.ns += 20 * SECOND
    assert thread.watch().state == "opening"
    camera.script.put(frame(1, clock.ns))
    frames.get(timeout=LIMIT_S)
    assert thread.watch().state == "ok"
    camera.script.put(None)


def test_old_pictures_and_those_of_before_go_to_nobody_and_end_the_camera() -> None:
    clock, camera = Clock(), Scripted()
    thread, frames = owner([camera], clock)
    thread.start()
    camera.script.put(frame(5))
    assert frames.get(timeout=LIMIT_S).image[0, 0, 0] == 5
    clock.ns += 5 * SECOND
    for old in (frame(9), frame(5), frame(1)):
        camera.script.put(old)
    status = until(thread.watch, "lost")
    assert status.text == "camera scripted: gives only old pictures"
    assert frames.empty()


def test_the_same_picture_for_ever_is_no_picture() -> None:
    clock, camera = Clock(), Scripted()
    thread, frames = owner([camera], clock, same_s=8)
    thread.start()
    for second in range(20):
        clock.ns += SECOND
        # a little noise until second 8
        picture = frame(min(second, 8), clock.ns)
        camera.script.put(picture)
        if second <= 16:
            frames.get(timeout=LIMIT_S)
            assert thread.watch().state == "ok"
    assert "very same picture for 8 s" in until(thread.watch, "lost").text
    assert frames.empty()


def test_hangs_are_bounded_and_then_told() -> None:
    clock, cameras = Clock(), [Scripted(), Scripted()]
    thread, _ = owner(cameras, clock, most_stuck=2, opening_s=8)
    thread.start()
    for camera in cameras:
        camera.script.put("hang")
        assert camera.hanging.wait(LIMIT_S)
        clock.ns += 40 * SECOND
        thread.watch()
        clock.ns += 40 * SECOND
        status = thread.watch()
    assert (status.state, status.stuck, status.reopened) == ("lost", 2, 1)
    assert "check its cable and start the companion anew" in status.text
    for camera in cameras:
        camera.free.set()
        assert camera.closed.wait(LIMIT_S)


def test_a_camera_that_cannot_be_opened_is_tried_ever_more_slowly() -> None:
    clock, tries = Clock(), []

    def open_camera() -> Camera:
        tries.append(clock.ns)
        raise CameraError("not plugged in")

    thread = CameraThread(open_camera, clock_ns=clock)
    thread.start()
    for _ in range(130):
        until(thread.watch, "lost")
        clock.ns += SECOND
    waits = [round((later - earlier) / SECOND) for earlier, later in pairwise(tries)]
    assert waits[0] <= 2
    assert max(waits) in (30, 31)
    assert waits == sorted(waits)


def test_closing_lets_the_camera_go() -> None:
    clock, camera = Clock(), Scripted()
    thread, frames = owner([camera], clock)
    thread.start()
    camera.script.put(frame(1))
    frames.get(timeout=LIMIT_S)
    thread.close(0)
    camera.script.put(frame(2))
    assert camera.closed.wait(LIMIT_S)
    assert frames.empty()
    clock.ns += 100 * SECOND
    thread.watch()
