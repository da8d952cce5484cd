"""Cameras behind the port of hardware.camera: video clip, folder of pictures, and anything OpenCV can open.

`find_camera` tells how to open what is attached. CameraError is one sentence that names the camera and what is wrong.
"""

from __future__ import annotations

import fcntl
import importlib.util
import os
import re
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import cv2
import numpy as np

from hardware.camera import Camera, CameraError, Frame, Image
from hardware.camera_process import ProcessCamera

SECOND = 1_000_000_000
FOLDER_FPS = 10.0
PICTURES = (".jpg", ".jpeg", ".png")
OPEN_TIMEOUT_MS, READ_TIMEOUT_MS = 5000, 5000
_QUERYCAP, _VIDEO_CAPTURE, _DEVICE_CAPS = 0x80685600, 0x1, 0x80000000
_NOT_CAMERAS = ("bcm2835-codec", "bcm2835-isp", "rpi-hevc-dec", "pispbe", "rp1-cfe", "unicam")
"""Video nodes of a Pi that are no cameras in themselves; its own camera is picamera2's."""


def _quiet() -> None:
    # what is wrong is said in one sentence of our own, not by the decoder on stderr
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # 4.11 has the function in one place, later ones in another; 0 = silent
    set_level: Callable[[int], int] = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
    set_level(0)


class ClipCamera:
    """A video file on its own clock: frame number / frames a second, 0 = its first frame."""

    def __init__(self, path: str | Path) -> None:
        self.name = str(path)
        try:
            if Path(path).is_dir() or not Path(path).exists():
                raise CameraError(f"clip {path}: there is no such video file")
        except (OSError, ValueError) as error:
            raise CameraError(f"clip {path}: {getattr(error, 'strerror', None) or error}") from error
        _quiet()
        self._capture = cv2.VideoCapture(self.name, cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            raise CameraError(f"clip {path}: is no video that can be read")
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self.fps = fps if 0.1 <= fps <= 1000 else FOLDER_FPS
        self.frames = max(0, round(self._capture.get(cv2.CAP_PROP_FRAME_COUNT)))
        """As many as the file announces; 0: it does not say."""
        self._index = 0

    def read(self) -> Frame | None:
        """Raises CameraError: no frame at all, or fewer than the file announces."""
        ok, image = self._capture.read()
        if ok:
            self._index += 1
            return Frame(np.asarray(image, np.uint8), round((self._index - 1) * SECOND / self.fps))
        if self._index == 0:
            raise CameraError(f"clip {self.name}: holds no frame that can be decoded")
        if self._index < self.frames - 1:
            raise CameraError(f"clip {self.name}: is damaged after {self._index} of {self.frames} frames")
        return None

    def close(self) -> None:
        self._capture.release()


def _by_number(file: Path) -> list[tuple[int, str]]:
    """2.jpg before 10.jpg, whether or not the numbers were written with zeros in front."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]+)", file.name)]


def _decode(data: bytes) -> Image:
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED) if data else None
    except cv2.error:  # e.g. a header that claims an absurd size
        image = None
    if image is None:
        raise ValueError("the picture cannot be decoded")
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        # turned into colour in silence it would be read, and wrongly
        raise ValueError("the picture is not of 3 colour channels of 8 bits")
    return np.asarray(image, np.uint8)


class FolderCamera:
    """The pictures of a folder in the order of their names (2 before 10), `fps` a second."""

    def __init__(
        self,
        path: str | Path,
        fps: float = FOLDER_FPS,
        decode: Callable[[bytes], Image] | None = None,
    ) -> None:
        """`decode`: a file's bytes to a picture; raises ValueError, one sentence, when it cannot be used."""
        self.name = str(path)
        try:
            found = sorted((file for file in Path(path).iterdir() if file.suffix.lower() in PICTURES), key=_by_number)
        except OSError as error:
            raise CameraError(f"folder {path}: {error.strerror or error}") from error
        if not found:
            raise CameraError(f"folder {path}: holds no picture ({', '.join(PICTURES)})")
        self._files, self._fps, self._index = found, fps, 0
        self._decode = decode or _decode

    def read(self) -> Frame | None:
        """Raises CameraError for a picture that cannot be decoded."""
        if self._index >= len(self._files):
            return None
        file = self._files[self._index]
        try:
            image = self._decode(file.read_bytes())
        except OSError as error:
            raise CameraError(f"folder {self.name}: {file.name} cannot be read ({error.strerror or error})") from error
        except ValueError as error:
            raise CameraError(f"folder {self.name}: {file.name}: {error}") from error
        self._index += 1
        return Frame(image, round((self._index - 1) * SECOND / self._fps))

    def close(self) -> None:
        self._index = len(self._files)


class OpenCVCamera:
    """A webcam (number or /dev/video0) or a network stream (address). `read` gives its newest frame, never an old one.

    Frames are stamped by the driver where it tells the time, else as they arrive.
    """

    def __init__(
        self,
        source: int | str,
        size: tuple[int, int] | None = None,
        fps: float | None = None,
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        path = f"/dev/video{source}" if isinstance(source, int) else source
        self.name = shown(path)
        self._clock_ns = clock_ns
        self._stream = "://" in path
        _quiet()
        if self._stream:
            limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_TIMEOUT_MS]
            self._capture = cv2.VideoCapture(path, cv2.CAP_FFMPEG, limits)
        else:
            if not Path(path).exists():
                raise CameraError(f"camera {self.name}: is not there, is it plugged in?")
            self._capture = cv2.VideoCapture(path, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise CameraError(
                f"camera {self.name}: answers, if at all, with something else than a video stream"
                if self._stream
                else f"camera {self.name}: cannot be opened, does another program use it?"
            )
        if not self._stream:
            self._ask_for(size, fps)
        rate = self._capture.get(cv2.CAP_PROP_FPS) or 15
        self._pace_ns = round(SECOND / rate)
        given = [
            round(self._capture.get(cv2.CAP_PROP_FRAME_WIDTH)),
            round(self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT)),
        ]
        code = int(self._capture.get(cv2.CAP_PROP_FOURCC)).to_bytes(4, "little", signed=True)
        self.about = {"mode": {"size": given, "fps": rate, "format": code.decode("latin-1").strip("\0 ")}}
        """What the driver says is in force."""

    def _ask_for(self, size: tuple[int, int] | None, fps: float | None) -> None:
        # motion JPEG: raw pictures of this size would fill a USB 2 bus at a few frames a second
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        if size is not None:
            self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
            self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        if fps is not None:
            self._capture.set(cv2.CAP_PROP_FPS, fps)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def read(self) -> Frame | None:
        """Raises CameraError when the camera gives no more frames."""
        for _ in range(8):
            asked = self._clock_ns()
            if not self._capture.grab():
                raise CameraError(f"camera {self.name}: gives no more pictures")
            # one that comes at once was lying in a buffer: it is old, take the next
            if self._clock_ns() - asked > self._pace_ns // 4:
                break
        ok, image = self._capture.retrieve()
        if not ok or image is None:
            raise CameraError(f"camera {self.name}: sent a picture that cannot be decoded")
        return Frame(np.asarray(image, np.uint8), self._stamp())

    def _stamp(self) -> int:
        now = self._clock_ns()
        if self._stream:
            return now
        driver = round(self._capture.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
        return driver if 0 <= now - driver < SECOND else now

    def close(self) -> None:
        self._capture.release()


# ---------------------------------------------------------------- what is attached
def find_camera(
    kind: str = "auto",
    device: str | None = None,
    size: tuple[int, int] | None = None,
    fps: float | None = None,
    attached: Callable[[], str | None] | None = None,
) -> Callable[[], Camera] | None:
    """How to open the camera; None: nothing was asked for by name and nothing is attached. Opens nothing itself.

    `kind`: auto, picamera2 or v4l2; `device`: picamera2's number, a path, or a stream's address.
    """
    if kind == "auto" and device is None:
        found = (attached or attached_camera)()
        if found is None:
            return None
        kind, device = ("picamera2", None) if found == "picamera2" else ("v4l2", found)
    if kind == "picamera2" or (kind == "auto" and device is not None and device.isdigit()):
        number = device or "0"
        if not number.isdigit():
            raise CameraError(f"camera {device}: picamera2 numbers its cameras, use 0 for the first")
        return lambda: own_process(f"picamera2 {number}", "open_picamera", int(number), size, fps)
    path = device or "/dev/video0"
    return lambda: own_process(path, "open_opencv", path, size, fps)


def own_process(name: str, function: str, *arguments: object) -> Camera:
    """What `function` of this module opens, where a hang can be killed."""
    return ProcessCamera(shown(name), __name__, function, arguments)


def shown(address: str) -> str:
    """A camera's name for the page, which the whole home network may see: without a stream's password."""
    return re.sub(r"://[^/@]*@", "://", address)


def open_opencv(source: str, size: tuple[int, int] | None, fps: float | None) -> Camera:
    return OpenCVCamera(source, size, fps)


def open_picamera(number: int, size: tuple[int, int] | None, fps: float | None) -> Camera:
    from hardware.picamera import PicameraCamera, PicameraSource

    width, height = size or (1280, 960)
    return PicameraCamera(PicameraSource(number, (width, height)), fps or 15)


def attached_camera(
    picamera2: Callable[[], bool] | None = None, devices: Callable[[], Iterable[str]] | None = None
) -> str | None:
    """ "picamera2", a path such as /dev/video0, or None. Neither blocks for more than a few seconds nor raises."""
    if (picamera2 or has_picamera2)():
        return "picamera2"
    return next(iter((devices or video_devices)()), None)


def has_picamera2(timeout_s: float = 8.0) -> bool:
    """picamera2 is installed and sees a camera. Asked in a process of its own, which can be ended when it hangs."""
    try:
        if importlib.util.find_spec("picamera2") is None:
            return False
        question = "import sys; from picamera2 import Picamera2; sys.exit(not Picamera2.global_camera_info())"
        asked = subprocess.run(
            [sys.executable, "-c", question],
            timeout=timeout_s,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, ImportError, ValueError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


def video_devices(folder: Path = Path("/dev")) -> list[str]:
    """The webcams: video nodes that capture, in the order of their numbers."""
    nodes = [node for node in folder.glob("video*") if node.name[5:].isdigit()]
    return [str(node) for node in sorted(nodes, key=lambda node: int(node.name[5:])) if captures(node)]


def captures(node: Path) -> bool:
    """Whether this V4L2 node gives pictures; half of a webcam's nodes carry only metadata."""
    try:
        handle = os.open(node, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        answer = fcntl.ioctl(handle, _QUERYCAP, bytes(104))
    except OSError:
        return False
    finally:
        os.close(handle)
    driver = answer[:16].split(b"\0")[0].decode("ascii", "replace")
    all_caps, device_caps = struct.unpack_from("=II", answer, 84)
    caps = device_caps if all_caps & _DEVICE_CAPS else all_caps
    return bool(caps & _VIDEO_CAPTURE) and not driver.startswith(_NOT_CAMERAS)
