"""The camera of a running companion: its one owner (hardware.camera_thread), looked after twice a second (I1, I17)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from hardware.camera import Camera, Frame
from hardware.camera_thread import CameraStatus, CameraThread

BEAT_S = 0.5


class CameraLoop:
    """`told`: how the camera is, each time that this has changed. `same_s`: as CameraThread has it."""

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        on_frame: Callable[[Frame], None],
        told: Callable[[CameraStatus], None],
        clock_ns: Callable[[], int] = time.monotonic_ns,
        same_s: float | None = None,
    ) -> None:
        self._owner = CameraThread(open_camera, on_frame, clock_ns, same_s=same_s)
        self._told = told
        self._last: tuple[object, ...] = ()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="camera-watch", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(1.0)
        self._owner.close()

    def look(self) -> CameraStatus:
        """One beat: look after the camera, and tell what is new."""
        status = self._owner.watch()
        news = (status.state, status.name, status.reopened, status.stuck, status.text)
        if news != self._last:
            self._last = news
            self._told(status)
        return status

    def _watch(self) -> None:
        while not self._stop.is_set():
            self.look()
            self._stop.wait(BEAT_S)
