"""What runs in the camera's own process (hardware.camera_process): one camera, a frame for each line that asks for one.

Frames lie in shared memory, a line of JSON in front of each. When the asking side closes its end, or is gone, this
process ends as well, a hung driver or not.
"""

from __future__ import annotations

import importlib
import json
import mmap
import os
import queue
import sys
import threading
from typing import Any, BinaryIO

import numpy as np

from hardware.camera import Camera, CameraError, Frame

CLOSING_S = 2.0
"""So long a camera may take to close; it may hang with a loose cable (I3)."""


def main(arguments: list[str]) -> None:
    """`arguments`: module, function, its arguments as a JSON list, descriptors of the shared memory and the answers."""
    module, function, given, memory, answers = arguments
    asked: queue.SimpleQueue[bool] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, asked), daemon=True).start()
    with os.fdopen(int(answers), "wb", buffering=0) as out:
        try:
            camera: Camera = getattr(importlib.import_module(module), function)(*json.loads(given))
            _tell(out, {"name": camera.name, "about": getattr(camera, "about", {})})
            try:
                _serve(camera, asked, int(memory), out)
            finally:
                camera.close()
        except CameraError as error:
            _tell(out, {"error": str(error)})
        except BrokenPipeError:
            pass
        except Exception as error:
            _tell(out, {"error": f"the camera failed ({error!r})"})
    os._exit(0)  # threads of a driver must not keep it alive


def _serve(camera: Camera, asked: queue.SimpleQueue[bool], memory: int, out: BinaryIO) -> None:
    size, view = 0, None
    while asked.get():
        frame = camera.read()
        if frame is None:
            _tell(out, {"end": True})
            return
        if frame.image.nbytes != size:
            size = frame.image.nbytes
            os.ftruncate(memory, size)
            view = mmap.mmap(memory, size)
        assert view is not None
        np.copyto(np.frombuffer(view, np.uint8).reshape(frame.image.shape), frame.image)
        _tell(out, _header(frame))


def _header(frame: Frame) -> dict[str, Any]:
    return {"t_ns": frame.t_ns, "shape": frame.image.shape, "metadata": frame.metadata}


def _tell(out: BinaryIO, said: dict[str, Any]) -> None:
    out.write(json.dumps(said, default=str).encode() + b"\n")


def _listen(lines: BinaryIO, asked: queue.SimpleQueue[bool]) -> None:
    for _ in lines:
        asked.put(True)
    asked.put(False)
    threading.Event().wait(CLOSING_S)
    os._exit(1)
