"""The camera's newest picture as JPEG, encoded once for all pages and only when one asks."""

from __future__ import annotations

import threading

import cv2
import numpy as np

from hardware.camera import Frame

_QUALITY = 80
_WIDEST = 960


class Picture:
    """`take` from the writer, `jpeg` from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frame: Frame | None = None
        self._jpeg: bytes | None = None

    def take(self, frame: Frame) -> None:
        with self._lock:
            self._frame, self._jpeg = frame, None

    @property
    def frame(self) -> Frame | None:
        """The newest one."""
        with self._lock:
            return self._frame

    def jpeg(self) -> bytes | None:
        """None: there was no picture yet."""
        with self._lock:
            if self._jpeg is None and self._frame is not None:
                image = self._frame.image
                height, width = image.shape[:2]
                if width > _WIDEST:
                    size = (_WIDEST, round(height * _WIDEST / width))
                    image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
                self._jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()
            return self._jpeg
