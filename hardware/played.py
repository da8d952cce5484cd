"""A recorded clip in place of a camera: its pictures come when they would have been taken, on the clock of now."""

from __future__ import annotations

import time
from collections.abc import Callable

from hardware.camera import Camera, Frame


class PlayedCamera:
    """Once, from its beginning; then there are no more pictures."""

    def __init__(
        self,
        clip: Camera,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = clip.name
        self._clip, self._clock_ns, self._wait = clip, clock_ns, wait
        self._began_ns: int | None = None

    def read(self) -> Frame | None:
        """Raises CameraError as the clip does."""
        frame = self._clip.read()
        if frame is None:
            return None
        now = self._clock_ns()
        if self._began_ns is None:
            self._began_ns = now - frame.t_ns
        early = self._began_ns + frame.t_ns - now
        if early > 0:
            self._wait(early / 1e9)
        return Frame(frame.image, self._clock_ns())

    def close(self) -> None:
        self._clip.close()
