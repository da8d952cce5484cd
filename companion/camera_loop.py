"""The one thread that reads a camera: it opens it, hands its frames on, and opens it again when it is lost (I17)."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from hardware.camera import Camera, CameraError, Frame

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 30.0


class CameraLoop:
    """`open_camera` may raise CameraError. `told(name, "")`: it is open; `told(None, text)`: lost, tried again."""

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        on_frame: Callable[[Frame], None],
        told: Callable[[str | None, str], None],
        first_pause_s: float = FIRST_PAUSE_S,
    ) -> None:
        self._open_camera = open_camera
        self._on_frame = on_frame
        self._told = told
        self._first_pause_s = first_pause_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self.run, name="camera", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, timeout_s: float = 1.0) -> None:
        """Ask it to end. A capture that hangs for ever (I2, I3) is left behind: it is a daemon thread."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def run(self) -> None:
        pause_s = self._first_pause_s
        while not self._stop.is_set():
            try:
                if self._read_until_lost():
                    pause_s = self._first_pause_s
                text = "The camera gives no more pictures; trying again."
            except CameraError as error:
                text = str(error)
            except Exception as error:
                log.exception("the camera failed")
                text = f"The camera failed ({error!r}); trying again."
            if self._stop.wait(0):
                break
            self._told(None, text)
            self._stop.wait(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def _read_until_lost(self) -> bool:
        """Whether there was at least one frame before its end. Raises what the camera raises."""
        camera = self._open_camera()
        seen = False
        try:
            while not self._stop.is_set():
                frame = camera.read()
                if frame is None:
                    break
                if not seen:
                    self._told(camera.name, "")
                    seen = True
                self._on_frame(frame)
        finally:
            camera.close()
        return seen
