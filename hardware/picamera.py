"""The Pi's own camera by picamera2 (apt's, imported only here and only when asked for). Why each step: docs/decisions.

One mode for the whole session. The format and size that the camera really gives are read after `configure()`; controls
are limited to those it advertises; exposure and gains are locked once they have settled, and every frame's metadata is
held against the lock. Written against picamera2 0.3.3x; never yet run on a Pi, see docs/decisions/cameras.md.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import cv2
import numpy as np

from hardware.camera import CameraError, Frame, Image

SETTLE_FRAMES, MOST_SETTLE_FRAMES = 12, 90
"""The automatic must agree with itself for so many frames; at the latest after so many it is locked as it is (I7)."""
LOCKED = ("ExposureTime", "AnalogueGain", "ColourGains")
DEADLINE_S = 4.0
STALE_NS = 500_000_000

_TO_BGR: dict[str, int | None] = {
    # picamera2's names give the order in a word, memory has it the other way round (A18)
    "RGB888": None,
    "BGR888": cv2.COLOR_RGB2BGR,
    "XRGB8888": cv2.COLOR_BGRA2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "YUYV": cv2.COLOR_YUV2BGR_YUYV,
}


def to_bgr(array: np.ndarray[Any, Any], form: str, size: tuple[int, int]) -> Image:
    """A picamera2 array in B,G,R, cut to `size` (width, height): rows may be padded.

    Raises CameraError for a format that nobody has taught it.
    """
    if form == "MJPEG":
        image = cv2.imdecode(np.asarray(array, np.uint8).ravel(), cv2.IMREAD_COLOR)
        if image is None:
            raise CameraError("the camera sent a JPEG that cannot be decoded")
        return np.asarray(image, np.uint8)
    if form not in _TO_BGR:
        raise CameraError(f"the camera gives {form} pictures, which are not supported: ask for RGB888")
    code = _TO_BGR[form]
    converted = array if code is None else cv2.cvtColor(array, code)
    return np.ascontiguousarray(converted[: size[1], : size[0]], np.uint8)


def frame_time(metadata: Mapping[str, Any], now_ns: int) -> int:
    """When the exposure began: SensorTimestamp (end of the first row) less the exposure; `now_ns` if it is not told."""
    stamp = metadata.get("SensorTimestamp")
    if stamp is None:
        return now_ns
    return int(stamp) - 1000 * int(metadata.get("ExposureTime", 0))


def lock_from(metadata: Mapping[str, Any], advertised: Mapping[str, Any]) -> dict[str, Any]:
    """The controls that hold exposure and white balance where this frame has them; only those the camera knows."""
    wanted: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
    for name in LOCKED:
        if name in metadata:
            wanted[name] = metadata[name]
    return {name: value for name, value in wanted.items() if name in advertised}


def holds(metadata: Mapping[str, Any], lock: Mapping[str, Any]) -> bool:
    """Whether a frame was taken with the locked values, to 3 % (the sensor rounds); see A9, A14."""
    for name in LOCKED:
        if name not in lock or name not in metadata:
            continue
        locked, found = np.atleast_1d(lock[name]).astype(float), np.atleast_1d(metadata[name]).astype(float)
        if locked.shape != found.shape or bool((abs(found - locked) > 0.03 * abs(locked) + 1e-3).any()):
            return False
    return True


class Source(Protocol):
    """What `PicameraCamera` needs of a camera that runs: one mode, captures with metadata, controls."""

    name: str
    form: str
    size: tuple[int, int]
    advertised: dict[str, Any]

    def set_controls(self, controls: Mapping[str, Any]) -> None: ...

    def start(self) -> None: ...

    def capture(self) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
        """Raises CameraError when none comes in time."""
        ...

    def close(self) -> None: ...


class PicameraCamera:
    """A camera with exposure and gains locked. Frames carry their metadata, and in it `locked`: the lock was in force.

    Opening takes as long as the automatic needs to settle, a few seconds.
    """

    def __init__(self, source: Source, fps: float = 15, clock_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self.name = source.name
        self._source, self._clock_ns = source, clock_ns
        frame_us = round(1e6 / fps)
        first = {"FrameDurationLimits": (frame_us, frame_us), "AeEnable": True, "AwbEnable": True}
        try:
            # before start: controls set later give frames with another colour matrix (A15)
            source.set_controls({name: value for name, value in first.items() if name in source.advertised})
            source.start()
            self.lock = self._settle()
            source.set_controls(self.lock)
            self.about: dict[str, Any] = {**getattr(source, "about", {}), "format": source.form, "lock": self.lock}
        except Exception as error:
            source.close()
            if isinstance(error, CameraError):
                raise
            raise CameraError(f"{self.name} cannot be started ({error})") from error

    def _settle(self) -> dict[str, Any]:
        """Let the automatic come to rest, then take what it found."""
        anchor: dict[str, Any] = {}
        agreed = 0
        for _ in range(MOST_SETTLE_FRAMES):
            metadata = self._source.capture()[1]
            found = {name: metadata[name] for name in LOCKED if name in metadata}
            # held against one frame, not against the one before: a slow drift is no rest
            if anchor.keys() == found.keys() and holds(found, anchor):
                agreed += 1
            else:
                anchor, agreed = found, 0
            if agreed >= SETTLE_FRAMES:
                break
        return lock_from(found, self._source.advertised)

    def read(self) -> Frame | None:
        """The next frame that is not stale. Raises CameraError when none comes."""
        for _ in range(8):
            array, metadata = self._source.capture()
            t_ns = frame_time(metadata, self._clock_ns())
            # a queued frame may be older than the question (I5)
            if self._clock_ns() - t_ns < STALE_NS:
                metadata["locked"] = holds(metadata, self.lock)
                return Frame(to_bgr(array, self._source.form, self._source.size), t_ns, metadata)
        raise CameraError(f"{self.name}: gives only old pictures")

    def close(self) -> None:
        """Ends the camera; it may hang with a loose cable (I3), so call it from a thread one can do without."""
        self._source.close()


class PicameraSource:
    """The few calls of picamera2 itself. Raises CameraError: cannot be imported, opened or configured."""

    def __init__(self, number: int = 0, size: tuple[int, int] = (1280, 960)) -> None:
        self.name = f"picamera2 {number}"
        try:
            from picamera2 import Picamera2
        except Exception as error:
            # a clash of NumPy versions is no ImportError, and is the usual cause (I10–I13)
            raise CameraError(
                f"picamera2 cannot be imported ({error}): install python3-picamera2 by apt, and make the environment"
                " with system packages and apt's own NumPy"
            ) from error
        try:
            self._camera = Picamera2(number)
            self._camera.configure(
                self._camera.create_video_configuration(main={"size": size, "format": "RGB888"}, buffer_count=4)
            )
            # what it really gives, which may be neither what was asked for nor an error
            main = self._camera.camera_configuration()["main"]
            self.form, self.size = str(main["format"]), (int(main["size"][0]), int(main["size"][1]))
            self.advertised: dict[str, Any] = dict(self._camera.camera_controls)
            self.about = {
                "model": self._camera.camera_properties.get("Model"),
                "mode": self._camera.camera_configuration().get("sensor"),
                "advertised": sorted(self.advertised),
            }
        except Exception as error:
            raise CameraError(
                f"camera {number} of picamera2 cannot be opened ({error}): is its cable seated, is it free?"
            ) from error

    def set_controls(self, controls: Mapping[str, Any]) -> None:
        self._camera.set_controls(dict(controls))

    def start(self) -> None:
        self._camera.start()

    def capture(self) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
        """A capture that does not come within DEADLINE_S is a lost camera (I1–I4)."""
        try:
            request = self._camera.capture_request(wait=False).get_result(timeout=DEADLINE_S)
        except TimeoutError:
            raise CameraError(f"{self.name}: no picture within {DEADLINE_S:g} s, is its cable loose?") from None
        try:
            return request.make_array("main"), dict(request.get_metadata())
        finally:
            request.release()

    def close(self) -> None:
        try:
            self._camera.stop()
        finally:
            self._camera.close()
