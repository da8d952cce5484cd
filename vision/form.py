"""Is there a marble at all? A marble is round, of known size, and shaded by the light; an empty cell is flat print."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats, Index, Mask
from vision.geometry import Geometry
from vision.picture import Image

_REACH = (
    (-2, 0),
    (-1, 0),
    (0, 0),
    (1, 0),
    (2, 0),
    (-2, -1),
    (-1, -1),
    (0, -1),
    (1, -1),
    (2, -1),
    (-2, 1),
    (-1, 1),
    (0, 1),
    (1, 1),
    (2, 1),
)


class Form:
    """Templates of shading and of the round edge, learnt from the marbles of the calibration, on the half-size patch."""

    def __init__(self, geometry: Geometry, reference: Image, present: Mask) -> None:
        """`reference`: half-size patch; `present`: which cells hold a marble in it."""
        radius = geometry.radius / 2
        reach = int(np.ceil(radius * 1.3))
        ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        far = np.hypot(xs, ys)
        disc = far <= radius * 1.2
        ring = (far <= radius * 1.3) & (far > radius * 0.55)
        centres = np.round(geometry.centres / 2 - 0.25).astype(int)
        height, width = reference.shape[:2]
        shifts = np.array(_REACH)
        at_x = centres[:, 0][:, None] + shifts[:, 0][None, :]
        at_y = centres[:, 1][:, None] + shifts[:, 1][None, :]
        at_x = np.clip(at_x, reach, width - 1 - reach)
        at_y = np.clip(at_y, reach, height - 1 - reach)

        def gather(mask: Mask) -> Index:
            offset = ys[mask] * width + xs[mask]
            flat: Index = (at_y * width + at_x)[:, :, None] + offset[None, None, :]
            return flat

        self._disc, self._ring = gather(disc), gather(ring)
        angle = np.arctan2(ys[ring], xs[ring])
        self._cos, self._sin = np.cos(2 * angle).astype(np.float32), np.sin(2 * angle).astype(np.float32)
        light, edge = self._maps(reference)
        n = len(centres)
        chosen = np.full(n, _REACH.index((0, 0)))
        for _ in range(4):
            self._light_template = _unit(light[np.arange(n), chosen][present].mean(axis=0))
            self._edge_template = _unit(edge[np.arange(n), chosen][present].mean(axis=0))
            chosen = (light @ self._light_template + edge @ self._edge_template).argmax(axis=1)
        # how well a marble of this table fits when it had no say in the template
        own = []
        index = np.nonzero(present)[0]
        for i in index:
            rest = index[index != i]
            one = _unit(light[rest, chosen[rest]].mean(axis=0))
            two = _unit(edge[rest, chosen[rest]].mean(axis=0))
            own.append(float((light[i] @ one + edge[i] @ two).max()))
        self.typical = float(np.median(own))
        self.lowest = float(np.min(own))

    def _maps(self, small: Image) -> tuple[Floats, Floats]:
        """Shading and edge vectors for cells × shifts × pixels, each of unit length."""
        logs = np.log(small.astype(np.float32) + 10)
        dx = cv2.Sobel(logs, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
        dy = cv2.Sobel(logs, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
        difference = (dx * dx - dy * dy).sum(axis=2).ravel()
        cross = 2 * (dx * dy).sum(axis=2).ravel()
        light = _unit(logs.mean(axis=2).ravel()[self._disc])
        energy = difference[self._ring] * self._cos + cross[self._ring] * self._sin  # radial less tangential
        edge = _unit(np.sign(energy) * np.sqrt(np.abs(energy)))
        return light, edge

    def fit(self, small: Image) -> Floats:
        """For each cell −2…2: how much it looks like a marble, whatever its colour (best place nearby)."""
        light, edge = self._maps(small)
        best: Floats = (light @ self._light_template + edge @ self._edge_template).max(axis=1)
        return best


def _unit(values: Floats) -> Floats:
    centred = values - values.mean(axis=-1, keepdims=True)
    return np.asarray(centred / (np.linalg.norm(centred, axis=-1, keepdims=True) + 1e-6), np.float32)
