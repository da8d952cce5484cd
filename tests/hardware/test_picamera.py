"""The Pi's camera: the lock, the colours and the age of frames, on a source of our own. picamera2 itself needs a Pi."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.camera import CameraError
from hardware.picamera import PicameraCamera, PicameraSource, frame_time, holds, lock_from, to_bgr

NOW = 50_000_000_000
ALL = ("FrameDurationLimits", "AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains")


class Source:
    """A red picture in some format; its exposure settles after some frames."""

    name, size = "source", (64, 48)

    def __init__(self, form: str = "RGB888", controls: tuple[str, ...] = ALL) -> None:
        self.form = form
        self.advertised: dict[str, Any] = dict.fromkeys(controls)
        self.controls: list[dict[str, Any]] = []
        self.closed = self.hangs = False
        self.age_ns, self.drift, self.count = 30_000_000, 0, 0

    def set_controls(self, controls: Mapping[str, Any]) -> None:
        assert controls.keys() <= self.advertised.keys()
        self.controls.append(dict(controls))

    def start(self) -> None: ...

    def capture(self) -> tuple[np.ndarray, dict[str, Any]]:
        if self.hangs:
            raise CameraError("no picture")
        image = np.zeros((48, 64, 3), np.uint8)
        image[..., 2] = 200
        if self.form == "NV12":
            i420 = cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420)
            u, v = i420[48:].reshape(2, -1)
            image = np.vstack([i420[:48], np.stack([u, v], axis=1).reshape(24, 64)])
        exposure = max(5000, 9000 - 200 * self.count) + self.drift
        self.count += 1
        metadata: dict[str, Any] = {"SensorTimestamp": NOW - self.age_ns + 1000 * exposure}
        if "ExposureTime" in self.advertised:
            metadata |= {"ExposureTime": exposure, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.8)}
        else:
            metadata["SensorTimestamp"] = NOW - self.age_ns
        return image, metadata

    def close(self) -> None:
        self.closed = True


def opened(source: Source) -> PicameraCamera:
    return PicameraCamera(source, clock_ns=lambda: NOW)


def test_exposure_is_locked_when_it_has_settled_and_each_frame_is_held_against_it() -> None:
    source = Source()
    camera = opened(source)
    assert camera.lock == {
        "AeEnable": False, "AwbEnable": False, "ExposureTime": 5000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.8),
    }  # fmt: skip
    assert source.controls[-1] == camera.lock
    for drift, locked in ((0, True), (400, False), (-20, True)):
        source.drift = drift
        frame = camera.read()
        assert frame is not None
        assert frame.metadata is not None
        assert frame.metadata["locked"] is locked
        assert frame.t_ns == NOW - source.age_ns
    camera.close()
    assert source.closed


@pytest.mark.parametrize("form", ["RGB888", "NV12"])
def test_red_stays_red_in_the_format_that_the_camera_really_gives(form: str) -> None:
    frame = opened(Source(form)).read()
    assert frame is not None
    assert frame.image.shape == (48, 64, 3)
    assert frame.image[20, 20] == pytest.approx((0, 0, 200), abs=8)


def test_controls_that_are_not_advertised_are_not_set() -> None:
    source = Source(controls=("FrameDurationLimits",))
    camera = opened(source)
    assert [set(controls) for controls in source.controls] == [{"FrameDurationLimits"}, set()]
    assert camera.read() is not None


def test_a_camera_that_gives_nothing_at_the_start_is_let_go() -> None:
    source = Source()
    source.hangs = True
    with pytest.raises(CameraError, match="no picture"):
        opened(source)
    assert source.closed


def test_old_frames_are_not_given() -> None:
    source = Source()
    camera = opened(source)
    source.age_ns = 900_000_000
    with pytest.raises(CameraError, match="only old pictures"):
        camera.read()


def test_a_format_that_is_not_known_is_named() -> None:
    camera = opened(Source("SRGGB10"))
    with pytest.raises(CameraError, match="gives SRGGB10 pictures"):
        camera.read()


def test_the_true_cause_of_a_failed_import_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match=r"picamera2 cannot be imported .* system packages"):
        PicameraSource()


def test_padded_rows_are_cut_and_bgr_word_order_is_turned() -> None:
    array = np.zeros((50, 70, 3), np.uint8)
    array[..., 0] = 9
    assert to_bgr(array, "BGR888", (64, 48)).shape == (48, 64, 3)
    assert to_bgr(array, "BGR888", (64, 48))[0, 0].tolist() == [0, 0, 9]


def test_the_time_of_a_frame_is_when_its_exposure_began() -> None:
    assert frame_time({"SensorTimestamp": 10_000_000, "ExposureTime": 4000}, 99) == 6_000_000
    assert frame_time({}, 99) == 99


def test_a_lock_holds_within_rounding_only() -> None:
    lock = lock_from({"ExposureTime": 5000, "ColourGains": (1.5, 1.8)}, {"ExposureTime": 0, "ColourGains": 0})
    assert lock == {"ExposureTime": 5000, "ColourGains": (1.5, 1.8)}
    assert holds({"ExposureTime": 4990, "ColourGains": (1.51, 1.8)}, lock)
    assert not holds({"ExposureTime": 4990, "ColourGains": (1.8, 1.5)}, lock)
