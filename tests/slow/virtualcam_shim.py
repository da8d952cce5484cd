"""Import before the camera adapter: the real picamera2 on libcamera's virtual camera (deploy/test-camera).

It has no DMA buffers, no RAW role and no pace, and two of picamera2's packages are missing; the adapter knows nothing
of all that. `open_virtual` is what a camera process opens.
"""

from __future__ import annotations

import mmap
import os
import sys
import time
import types
from typing import Any


def _stub(name: str, **attributes: Any) -> None:
    module = types.ModuleType(name)
    module.__dict__.update(attributes)
    sys.modules.setdefault(name, module)


class _Any:
    def __getattr__(self, name: str) -> str:
        return name


_stub("pykms", PixelFormat=_Any())
_stub("pidng")
_stub("pidng.camdefs", Picamera2Camera=object)
_stub("pidng.core", PICAM2DNG=object)

# what stands above must be in place before any of these is imported
import libcamera  # noqa: E402 (after the stubs)
import picamera2.picamera2 as core  # noqa: E402 (after the stubs)
from picamera2.allocators import Allocator  # noqa: E402 (after the stubs)
from picamera2.previews import NullPreview  # noqa: E402 (after the stubs)

from hardware.camera import Camera  # noqa: E402 (after the stubs)
from hardware.cameras import open_picamera  # noqa: E402 (after the stubs)


class _Sync:
    def __init__(self, allocator: Any, fb: Any, write: bool) -> None:
        self._mm = allocator.mapped_buffers[fb]

    def __enter__(self) -> Any:
        return self._mm

    def __exit__(self, *exc: object) -> None:
        return None

    get_buffer = __enter__


class MemfdAllocator(Allocator):
    def __init__(self) -> None:
        super().__init__()
        self.sync, self.mapped_buffers, self._by_stream = _Sync, {}, {}

    def allocate(self, config: Any, use_case: Any = None) -> None:
        self.mapped_buffers, self._by_stream = {}, {}
        for stream in config:
            buffers = self._by_stream[stream.stream] = []
            luma = stream.stride * stream.size.height
            for _ in range(stream.buffer_count):
                fd = os.memfd_create("frame")
                os.ftruncate(fd, stream.frame_size)
                planes = []
                for offset, length in ((0, luma), (luma, stream.frame_size - luma)):  # NV12: two planes, one file
                    plane = libcamera.FrameBuffer.Plane()
                    plane.fd, plane.offset, plane.length = fd, offset, length
                    planes.append(plane)
                buffer = libcamera.FrameBuffer(planes)
                buffers.append(buffer)
                self.mapped_buffers[buffer] = mmap.mmap(fd, stream.frame_size)
                os.close(fd)

    def buffers(self, stream: Any) -> Any:
        return self._by_stream[stream]

    def close(self) -> None:
        self.mapped_buffers, self._by_stream = {}, {}


core.DmaAllocator = MemfdAllocator  # used by default, and made anew by Picamera2.close()
core.Picamera2._get_raw_modes = lambda self: [{"format": "NV12", "size": (1280, 960)}]
_handle, _fps = NullPreview.handle_request, float(os.environ.get("VCAM_FPS", "30"))


def _paced(self: Any, camera: Any) -> None:
    time.sleep(1 / _fps)
    _handle(self, camera)


NullPreview.handle_request = _paced


def open_virtual(width: int, height: int) -> Camera:
    return open_picamera(0, (width, height), 30)
