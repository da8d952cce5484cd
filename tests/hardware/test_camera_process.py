"""A camera in its own process: a real one, whose fault can be chosen."""

from __future__ import annotations

import os
import threading
import time

import numpy as np
import pytest

from hardware.camera import Camera, CameraError, Frame
from hardware.camera_process import ProcessCamera


class Faulty:
    """Two frames of growing size, then `then`."""

    def __init__(self, then: str) -> None:
        if then == "not there":
            raise CameraError("camera x: is not there, is it plugged in?")
        if then == "hangs in opening":
            threading.Event().wait()
        self.name = f"faulty ({os.getpid()})"
        self.about = {"mode": (640, 480)}
        self._then = then
        self._given = 0

    def read(self) -> Frame | None:
        self._given += 1
        if self._given <= 2:
            image = np.full((2 * self._given, 3, 3), self._given, np.uint8)
            return Frame(image, time.monotonic_ns(), {"ExposureTime": 5, "odd": threading})
        if self._then == "hangs":
            threading.Event().wait()
        if self._then == "dies":
            os.kill(os.getpid(), 9)
        if self._then == "lost":
            raise CameraError("the faulty camera was unplugged")
        return None

    def close(self) -> None:
        if self._then == "hangs in closing":
            threading.Event().wait()


def open_faulty(then: str) -> Camera:
    return Faulty(then)


def faulty(then: str, opening_s: float = 30.0, frame_s: float = 30.0) -> ProcessCamera:
    return ProcessCamera("faulty", __name__, "open_faulty", (then,), opening_s, frame_s)


def gone(camera: ProcessCamera) -> bool:
    return camera._process.returncode is not None


def test_frames_come_whole_and_stamped_and_a_hang_is_killed() -> None:
    camera = faulty("hangs")
    assert camera.name != f"faulty ({os.getpid()})"
    assert camera.about == {"mode": [640, 480]}
    before = time.monotonic_ns()
    first, second = camera.read(), camera.read()
    assert first is not None
    assert second is not None
    assert (first.image.shape, first.image.max(), second.image.shape, second.image.min()) == (
        (2, 3, 3),
        1,
        (4, 3, 3),
        2,
    )
    assert before < first.t_ns < second.t_ns < time.monotonic_ns()
    assert first.metadata is not None
    assert first.metadata["ExposureTime"] == 5
    camera._frame_s = 0.1
    with pytest.raises(CameraError, match=r"The camera hangs: no picture within 0.1 s \(faulty"):
        camera.read()
    assert gone(camera)
    with pytest.raises(CameraError, match="has ended"):
        camera.read()
    camera.close()


@pytest.mark.parametrize(
    ("then", "says"), [("lost", "^the faulty camera was unplugged$"), ("dies", r"its process ended \(-9\)")]
)
def test_what_goes_wrong_is_told_in_the_cameras_own_words(then: str, says: str) -> None:
    camera = faulty(then)
    camera.read(), camera.read()
    with pytest.raises(CameraError, match=says):
        camera.read()
    assert gone(camera)


@pytest.mark.parametrize(
    ("then", "opening_s", "says"),
    [
        ("not there", 30, "is it plugged in"),
        ("hangs in opening", 0.1, r"does not open within 0.1 s"),
    ],
)
def test_a_camera_that_cannot_be_opened(then: str, opening_s: float, says: str) -> None:
    with pytest.raises(CameraError, match=says):
        faulty(then, opening_s)


def test_a_clips_end_and_an_orderly_close() -> None:
    camera = faulty("ends")
    camera.read(), camera.read()
    assert camera.read() is None
    camera.close()
    assert camera._process.returncode == 0
