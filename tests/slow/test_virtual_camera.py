"""Our adapter with the real picamera2, on libcamera's virtual camera: run by deploy/test-camera, skipped elsewhere."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from queue import SimpleQueue

import numpy as np
import pytest

if os.environ.get("COMPANION_VIRTUAL_CAMERA") != "1":
    pytest.skip("only inside deploy/test-camera", allow_module_level=True)

from tests.slow.virtualcam_shim import open_virtual  # noqa: I001  (first: it makes picamera2 importable)

from companion.camera_loop import CameraLoop
from companion.doctor.devices import camera as examined
from hardware.camera import Camera, CameraError, Frame
from hardware.camera_process import ProcessCamera
from hardware.camera_thread import CameraStatus

SIZE = (640, 480)


def process(frame_s: float = 5.0) -> ProcessCamera:
    return ProcessCamera("virtual", "tests.slow.virtualcam_shim", "open_virtual", SIZE, frame_s=frame_s)


def is_the_test_card(frame: Frame) -> bool:
    """Red on the left and blue on the right, in B,G,R."""
    left, right = frame.image[20:200, 20:280].mean(axis=(0, 1)), frame.image[20:200, 360:620].mean(axis=(0, 1))
    return bool(left[2] > 150 > left[0] and right[0] > 150 > right[2])


@pytest.fixture
def camera() -> Iterator[Camera]:
    camera = open_virtual(*SIZE)
    yield camera
    camera.close()


def test_frames_are_bgr_fresh_and_stamped_on_the_monotonic_clock(camera: Camera) -> None:
    taken = []
    for _ in range(20):
        asked = time.monotonic_ns()
        frame = camera.read()
        assert frame is not None
        assert (frame.image.shape, frame.image.dtype) == ((480, 640, 3), np.uint8)
        assert is_the_test_card(frame)
        assert -500_000_000 < frame.t_ns - asked < 1_000_000_000
        taken.append(frame)
    assert all(later.t_ns > earlier.t_ns for earlier, later in pairwise(taken))
    assert len({frame.image.tobytes() for frame in taken}) > 3, "the bar moves: these are not one picture"


def test_what_is_in_force_is_told(camera: Camera) -> None:
    about = camera.about
    assert about["format"] == "NV12", "RGB888 was asked for; what comes is what counts"
    assert about["model"] == "Table"
    # it has no exposure to lock: controls are limited to those that it advertises
    assert "ExposureTime" not in about["advertised"]
    assert about["lock"] == {}
    frame = camera.read()
    assert frame is not None
    assert frame.metadata is not None
    assert frame.metadata["locked"] is True
    assert "SensorTimestamp" in frame.metadata


def test_it_can_be_closed_and_opened_again_and_in_another_size() -> None:
    for size in (SIZE, (1280, 960), SIZE):
        camera = open_virtual(*size)
        frame = camera.read()
        assert frame is not None
        assert frame.image.shape == (size[1], size[0], 3)
        camera.close()


def test_a_hang_is_killed_and_the_device_is_free_again() -> None:
    camera = process()
    frame = camera.read()
    assert frame is not None
    assert is_the_test_card(frame)
    os.kill(camera._process.pid, signal.SIGSTOP)
    camera._frame_s = 0.5
    with pytest.raises(CameraError, match=r"hangs: no picture within 0\.5 s"):
        camera.read()
    again = process()
    frame = again.read()
    assert frame is not None
    assert is_the_test_card(frame)
    again.close()


def test_the_running_companions_owner_opens_it_again_by_itself() -> None:
    opened: list[ProcessCamera] = []
    told: SimpleQueue[CameraStatus] = SimpleQueue()
    frames: SimpleQueue[Frame] = SimpleQueue()

    def opener() -> Camera:
        opened.append(process(frame_s=1.0))
        return opened[-1]

    loop = CameraLoop(opener, frames.put, told.put, same_s=8)
    loop.start()

    def until(true: Callable[[CameraStatus], bool]) -> CameraStatus:
        while not true(status := told.get(timeout=30)):
            pass
        return status

    until(lambda status: status.state == "ok")
    os.kill(opened[0]._process.pid, signal.SIGSTOP)
    began = time.monotonic()
    lost = until(lambda status: status.state == "lost")
    assert "hangs" in lost.text
    back = until(lambda status: status.state == "ok")
    assert (back.reopened, back.stuck) == (1, 0)
    assert time.monotonic() - began < 10 + 5  # 10 s, and as much again for a busy machine's imports
    loop.stop()
    assert threading.active_count() < 20


def test_doctor_tells_the_truth_of_it() -> None:
    finding = examined(process, None, None)
    assert finding.state == "ok"
    assert (finding.detail["size"], finding.detail["format"]) == ([640, 480], "NV12")
    assert 15 < finding.detail["fps"] < 40
