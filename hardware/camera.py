"""The camera port and what comes out of it. Exactly one owner reads a camera; many may look at its newest frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""height × width × 3, uint8, in B,G,R order as OpenCV has it."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture and the monotonic time (ns) at which it was taken."""

    image: Image
    t_ns: int
    metadata: dict[str, Any] | None = None


class CameraError(Exception):
    """The camera cannot be used: one sentence that names it and the fix."""


class Camera(Protocol):
    name: str

    def read(self) -> Frame | None:
        """The next frame (blocks until there is one); None when a clip or folder is at its end.

        Raises CameraError when the camera is lost.
        """
        ...

    def close(self) -> None: ...
