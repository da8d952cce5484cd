"""The stage board upright, with the light taken out, against its calibration picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats
from vision.calibration import Quad
from vision.colour import uvw
from vision.fans import STRIDE
from vision.picture import Image
from vision.surround import Backdrop

WIDTH = 160  # pixels of the upright board, seen from above with the tower's side up
MARGIN = 12  # pixels of what lies around it: a fan may stick out
UNTOLD = 0.3  # how changed a pixel counts that is too bright to compare
TOKEN = 0.103  # a fan's radius in √(board's area): a measure of the game's parts


@dataclass(frozen=True, eq=False)
class Seen:
    """`values`: h × w × 3 (u, v from white, w from the board's middle); `changed`: h/2 × w/2, 0–1, since the
    calibration; `crowd`: share of the board that is changed."""

    values: Floats
    changed: Floats
    crowd: float


class Upright:
    def __init__(self, reference: Image, corners: Quad, white: Floats) -> None:
        """`white`: (u, v) of white under the calibration's light."""
        quad = np.array(corners, np.float32)
        across = (np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
        along = (np.linalg.norm(quad[2] - quad[1]) + np.linalg.norm(quad[3] - quad[0])) / 2
        self.height = int(np.clip(round(WIDTH * along / across), 20, 4 * WIDTH))
        self.radius = TOKEN * float(np.sqrt(WIDTH * self.height))
        self.size = (WIDTH + 2 * MARGIN, -(-(self.height + 2 * MARGIN) // STRIDE) * STRIDE)
        target = np.array([[0, 0], [WIDTH, 0], [WIDTH, self.height], [0, self.height]], np.float32) + MARGIN
        self.move = cv2.getPerspectiveTransform(quad, target * 2)
        self._white = np.append(white, 0).astype(np.float32)
        small = self.upright(reference)
        self._inside = (slice(MARGIN, MARGIN + self.height), slice(MARGIN, MARGIN + WIDTH))
        half = _half(small)
        static = np.zeros(half.shape[:2], bool)
        static[MARGIN // 2 : (MARGIN + self.height) // 2, MARGIN // 2 : (MARGIN + WIDTH) // 2] = True
        self._static = static
        self._backdrop = Backdrop(half, static)
        ys, xs = np.mgrid[0 : small.shape[0], 0 : small.shape[1]]
        self._grid = self._backdrop.field(xs.ravel() / 2 - 0.25, ys.ravel() / 2 - 0.25)
        self.first = Seen(self._values(small, None), np.zeros(half.shape[:2], np.float32), 0.0)

    def upright(self, image: Image, to_now: Floats | None = None) -> Image:
        """`to_now`: 3×3, calibration picture → this one, when the camera stands elsewhere."""
        size = (self.size[0] * 2, self.size[1] * 2)
        move = self.move if to_now is None else self.move @ np.linalg.inv(to_now)
        large = cv2.warpPerspective(image, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cv2.resize(large, self.size, interpolation=cv2.INTER_AREA), np.uint8)

    def _values(self, small: Image, coefficients: Floats | None) -> Floats:
        values = uvw(small) - self._white
        if coefficients is not None:
            values -= (self._grid @ coefficients).reshape(small.shape)
        values[..., 2] -= np.median(values[..., 2][self._inside])
        return values

    def look(self, image: Image, to_now: Floats | None = None) -> Seen:
        small = self.upright(image, to_now)
        found = self._backdrop.contrast(_half(small))
        changed = np.zeros(self._static.shape, np.float32)
        # what is too bright to compare tells nothing either way
        changed[self._static] = np.where(found.usable, found.flagged, np.float32(UNTOLD))
        return Seen(self._values(small, found.coefficients), changed, float(found.flagged.mean()))


def _half(small: Image) -> Image:
    size = (small.shape[1] // 2, small.shape[0] // 2)
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), np.uint8)
