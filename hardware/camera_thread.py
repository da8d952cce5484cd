"""One owner of a camera, with a watch on the age of its frames: a capture that hangs is left behind and opened anew.

Real cameras run in a process of their own, which is killed when it hangs (hardware.camera_process). This is the second
line: nothing can end a thread that hangs. It is abandoned, counted, and its camera closed should it ever come back;
after `most_stuck` such threads no more are made, and the page says what to do. Rules and counters live on.
"""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from hardware.camera import Camera, CameraError, Frame

SECOND = 1_000_000_000
OLD_NS = 2 * SECOND
"""A frame of so long ago is not shown any more."""


@dataclass(frozen=True)
class CameraStatus:
    """`age_s`: of the newest frame, None before the first; `reopened`: how often; `text`: why it is not ok."""

    state: Literal["opening", "ok", "lost", "ended"]
    name: str
    age_s: float | None
    reopened: int
    stuck: int
    text: str


class CameraThread:
    """Owns the camera that `open_camera` gives. Frames go to `on_frame` (in its thread) and to `newest`.

    `watch` must be called now and then by somebody else's thread; it never blocks. A camera that gives no frame for
    `most_age_s` (the first one: `opening_s`), fails, or cannot be opened is opened again: after `pause_s`, then twice
    as long each time, up to 30 s. A clip that ends stays ended. Old frames, those of before the last one, and with
    `same_s` the very same picture for so long are no sign of life, and go to nobody.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        on_frame: Callable[[Frame], None] = lambda frame: None,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        most_age_s: float = 8.0,
        pause_s: float = 1.0,
        most_stuck: int = 3,
        opening_s: float = 40.0,
        same_s: float | None = None,
    ) -> None:
        self._open_camera, self._on_frame, self._clock_ns = open_camera, on_frame, clock_ns
        self._most_age_ns, self._opening_ns = round(most_age_s * SECOND), round(opening_s * SECOND)
        self._same_ns = None if same_s is None else round(same_s * SECOND)
        self._first_pause_ns = self._pause_ns = round(pause_s * SECOND)
        self._most_stuck = most_stuck
        self._lock = threading.Lock()
        self._owner = 0  # number of the thread that may speak; others are abandoned
        self._running = False
        self._closed = False
        self._heard_ns = clock_ns()
        self._again_ns = self._heard_ns
        self._newest: Frame | None = None
        self._frame_ns: int | None = None
        self._print, self._printed_ns = 0, 0
        self._reopened = -1
        self._stuck = 0
        self._state: Literal["opening", "ok", "lost", "ended"] = "opening"
        self._text = ""
        self._name = ""

    @property
    def newest(self) -> Frame | None:
        return self._newest

    def start(self) -> None:
        self.watch()

    def watch(self) -> CameraStatus:
        """Look after the camera, and tell how it is."""
        with self._lock:
            now = self._clock_ns()
            patience = self._opening_ns if self._state == "opening" else self._most_age_ns
            if self._running and now - self._heard_ns > patience:
                self._owner += 1
                self._running = False
                self._stuck += 1
                self._lose(f"The camera hangs: no picture for {(now - self._heard_ns) / SECOND:.0f} s.", now)
            if not self._running and not self._closed and self._state != "ended" and now >= self._again_ns:
                if self._stuck >= self._most_stuck:
                    self._text = (
                        f"The camera has hung {self._stuck} times: check its cable and start the companion anew."
                    )
                else:
                    self._begin(now)
            age = None if self._frame_ns is None else max(0, now - self._frame_ns) / SECOND
            return CameraStatus(self._state, self._name, age, max(0, self._reopened), self._stuck, self._text)

    def close(self, timeout_s: float = 1.0) -> None:
        """Let the camera go. A thread that hangs is left behind."""
        with self._lock:
            self._closed = True
            self._owner += 1
            thread = self._thread if self._running else None
        if thread is not None:
            thread.join(timeout_s)

    def _begin(self, now: int) -> None:
        self._owner += 1
        self._running = True
        self._reopened += 1
        self._state = "opening"
        self._heard_ns = now
        self._thread = threading.Thread(target=self._run, args=(self._owner,), name="camera", daemon=True)
        self._thread.start()

    def _lose(self, text: str, now: int) -> None:
        self._state, self._text = "lost", text
        self._again_ns = now + self._pause_ns
        self._pause_ns = min(2 * self._pause_ns, 30 * SECOND)

    def _run(self, me: int) -> None:
        text, ended = "The camera gives no more pictures.", False
        try:
            camera = self._open_camera()
            try:
                while (frame := camera.read()) is not None:
                    if not self._got(me, camera.name, frame):
                        return
                ended = True
            finally:
                camera.close()
        except CameraError as error:
            text = str(error)
        except Exception as error:
            text = f"The camera failed ({error!r})."
        finally:
            with self._lock:
                if me == self._owner:
                    self._running = False
                    if ended:
                        self._state, self._text = "ended", text
                    else:
                        self._lose(text, self._clock_ns())
                elif not self._closed:
                    # it had been given up, and has come back after all
                    self._stuck = max(0, self._stuck - 1)

    def _got(self, me: int, name: str, frame: Frame) -> bool:
        """Whether this thread still owns the camera. Raises CameraError when its pictures are no news."""
        with self._lock:
            if me != self._owner:
                return False
            now = self._clock_ns()
            if self._stale(frame, now):
                if now - self._heard_ns > self._most_age_ns // 2:
                    raise CameraError(f"camera {name}: gives only old pictures")
                return True
            self._frozen(name, frame, now)
            self._heard_ns = self._frame_ns = now
            self._newest, self._name = frame, name
            self._state, self._text = "ok", ""
            self._pause_ns = self._first_pause_ns
        self._on_frame(frame)
        return True

    def _stale(self, frame: Frame, now: int) -> bool:
        before = self._newest
        return now - frame.t_ns > OLD_NS or (before is not None and frame.t_ns <= before.t_ns)

    def _frozen(self, name: str, frame: Frame, now: int) -> None:
        """A sensor's noise never repeats, not even in the dark: the very same picture again and again is no picture."""
        if self._same_ns is None:
            return
        seen = zlib.crc32(frame.image[::4, ::4].tobytes())
        if seen != self._print or self._state == "opening":
            self._print, self._printed_ns = seen, now
        elif now - self._printed_ns > self._same_ns:
            raise CameraError(
                f"camera {name}: shows the very same picture for {self._same_ns / SECOND:.0f} s: frozen, or covered"
            )
