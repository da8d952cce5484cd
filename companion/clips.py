"""Recorded clips as a camera: a video file on its own clock, or a folder of pictures at a fixed rate."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np

from companion.errors import InputError
from companion.stills import read_bytes
from hardware.camera import Camera, Frame

FOLDER_FPS = 10.0
PICTURES = (".jpg", ".jpeg", ".png")
SECOND = 1_000_000_000


def open_clip(path: str | Path) -> Camera:
    """Raises InputError: not there, no video, no pictures in the folder."""
    path = Path(path)
    try:
        if path.is_dir():
            return FolderCamera(path)
        if not path.is_file():
            raise InputError(f"clip {path}: there is no such file or folder")
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"clip {path}: {getattr(error, 'strerror', None) or error}") from error
    return ClipCamera(path)


class FolderCamera:
    """The pictures of a folder in the order of their names."""

    def __init__(self, path: Path, fps: float = FOLDER_FPS) -> None:
        self.name = str(path)
        self._files = sorted(file for file in path.iterdir() if file.suffix.lower() in PICTURES)
        if not self._files:
            raise InputError(f"clip {path}: the folder holds no picture ({', '.join(PICTURES)})")
        self._step = round(SECOND / fps)
        self._index = 0

    def read(self) -> Frame | None:
        """Raises InputError for a picture that cannot be decoded."""
        if self._index >= len(self._files):
            return None
        file = self._files[self._index]
        data = np.frombuffer(read_bytes(str(file)), np.uint8)
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
        if image is None:
            raise InputError(f"clip {self.name}: picture {file.name} cannot be decoded")
        frame = Frame(np.asarray(image, np.uint8), self._index * self._step)
        self._index += 1
        return frame

    def close(self) -> None:
        self._index = len(self._files)


class ClipCamera:
    """A video file; a frame's time is the file's own, 0 for the first."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        # what is wrong is said in one sentence of our own, not by the decoder on stderr
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            raise InputError(f"clip {path}: is no video that can be read")
        self._frames = round(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self._step = round(SECOND / fps) if 1 <= fps <= 1000 else round(SECOND / FOLDER_FPS)
        self._read = 0
        self._last_ns = -1

    def read(self) -> Frame | None:
        """Raises InputError when the file ends before the number of frames that it announces."""
        ok, image = self._capture.read()
        if not ok:
            if self._read == 0:
                raise InputError(f"clip {self.name}: holds no frame that can be decoded")
            if self._read < self._frames - 1:
                raise InputError(f"clip {self.name}: is damaged after {self._read} of {self._frames} frames")
            return None
        t_ns = round(self._capture.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
        if t_ns <= self._last_ns:  # no time of its own in this file
            t_ns = self._last_ns + self._step if self._read else 0
        self._last_ns = t_ns
        self._read += 1
        return Frame(np.asarray(image, np.uint8), t_ns)

    def close(self) -> None:
        self._capture.release()
