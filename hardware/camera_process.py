"""A camera in a process of its own, which can be ended when its driver hangs: a thread cannot (I2–I4).

Ending the process also gives the device back; a thread left behind in a driver would hold it for ever. It is started
anew, never forked: a fork would copy open pins (H7).
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import select
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np

from hardware.camera import CameraError, Frame

OPENING_S = 25.0
"""Importing the camera's library on a cold card, and the automatic's coming to rest."""
FRAME_S = 5.0
LARGEST = 1 << 28

_START = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from hardware.camera_child import main
main(sys.argv[2:])
"""


class ProcessCamera:
    """The camera that `function` of `module` opens with these arguments (what JSON can say) in its own process.

    A frame that does not come within `frame_s` is a hang: the process is killed and CameraError raised.
    """

    def __init__(
        self,
        name: str,
        module: str,
        function: str,
        arguments: tuple[Any, ...] = (),
        opening_s: float = OPENING_S,
        frame_s: float = FRAME_S,
    ) -> None:
        self.name = name
        self._frame_s = frame_s
        self._buffer = b""
        self._map: mmap.mmap | None = None
        self._memory = os.memfd_create("frames", os.MFD_CLOEXEC)
        self._answers, answers = os.pipe()
        # -P: never import from the folder the user happens to stand in
        command = [sys.executable, "-P", "-c", _START, json.dumps(sys.path), module, function, json.dumps(arguments)]
        try:
            self._process = subprocess.Popen(
                [*command, str(self._memory), str(answers)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                pass_fds=(self._memory, answers),
            )
        except OSError as error:
            os.close(self._answers)
            os.close(self._memory)
            raise CameraError(f"camera {name}: its process cannot be started ({error.strerror or error})") from error
        finally:
            os.close(answers)
        self._ending = threading.Lock()
        self._open = True
        said = self._answer(opening_s, "does not open")
        self.name = str(said["name"])
        self.about: dict[str, Any] = said["about"]
        """What the camera tells of itself, for `doctor`."""

    def read(self) -> Frame | None:
        """Raises CameraError when the camera is lost, or hangs; the process is ended then."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            self._end()
            raise CameraError(f"camera {self.name}: its process has ended") from None
        said = self._answer(self._frame_s, "hangs: no picture")
        if "end" in said:
            return None
        shape = tuple(said["shape"])
        size = int(np.prod(shape))
        if not 0 < size <= LARGEST:
            self._end()
            raise CameraError(f"camera {self.name}: gives a picture of {shape}")
        if self._map is None or len(self._map) != size:
            self._map = mmap.mmap(self._memory, size, prot=mmap.PROT_READ)
        # a copy: the next frame comes to lie in the same place
        image = np.frombuffer(self._map, np.uint8).reshape(shape).copy()
        return Frame(image, int(said["t_ns"]), said["metadata"])

    def _answer(self, within_s: float, what: str) -> dict[str, Any]:
        line = self._line(within_s)
        if line is None:
            self._end()
            raise CameraError(f"The camera {what} within {within_s:g} s ({self.name}).")
        if not line:
            self._end()
            code = self._process.returncode
            raise CameraError(f"camera {self.name}: its process ended ({'still there' if code is None else code})")
        said: dict[str, Any] = json.loads(line)
        if "error" in said:
            self._end(wait=True)
            raise CameraError(said["error"])
        return said

    def _line(self, within_s: float) -> bytes | None:
        """The next line; empty: the process has ended; None: not in time."""
        until = time.monotonic() + within_s
        poll = select.poll()
        poll.register(self._answers, select.POLLIN)
        while b"\n" not in self._buffer:
            if not poll.poll(max(0.0, until - time.monotonic()) * 1000):
                return None
            more = os.read(self._answers, 1 << 16)
            if not more:
                return b""
            self._buffer += more
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def close(self) -> None:
        self._end(wait=True)

    def _end(self, wait: bool = False) -> None:
        """Let it close its camera first, if it may still be able to (`wait`)."""
        with self._ending:  # by whoever reads and whoever stops: a descriptor closed twice may be another's by then
            if not self._open:
                return
            self._open = False
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            if wait:
                self._process.wait(3.0)
        self._process.kill()
        # one in the kernel's hands cannot be ended at once; it ends when its call does
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(2.0)
        self._map = None
        os.close(self._answers)
        os.close(self._memory)
