"""Stills made worse after the calibration: brightness × colour temperature × noise × blur × JPEG, seeded."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.picture import Image

BRIGHTNESS = (0.5, 0.75, 1.0, 1.4)
WARMTH = (-0.2, 0.0, 0.2)
"""Red gains this share of its light, blue loses it: about 8500 K, 6500 K and 4500 K."""
NOISE = (0.0, 6.0)
BLUR = (0.0, 1.2)
JPEG = (90, 40)


@dataclass(frozen=True)
class Harm:
    brightness: float
    warmth: float
    noise: float
    blur: float
    jpeg: int

    def __str__(self) -> str:
        return f"light {self.brightness} warmth {self.warmth:+} noise {self.noise} blur {self.blur} jpeg {self.jpeg}"

    def apply(self, image: Image, seed: int) -> Image:
        """Light on linear values (gamma 2.2), then lens, then sensor, then file."""
        gains = self.brightness * np.array((1 - self.warmth, 1.0, 1 + self.warmth))
        table = [255 * (gain * (np.arange(256) / 255) ** 2.2) ** (1 / 2.2) for gain in gains]
        lit = np.stack([table[k].astype(np.float32)[image[..., k]] for k in range(3)], axis=2)
        if self.blur:
            lit = cv2.GaussianBlur(lit, (0, 0), self.blur)
        if self.noise:
            lit = lit + np.random.default_rng(seed).normal(0, self.noise, lit.shape)
        done = np.clip(lit, 0, 255).astype(np.uint8)
        data = cv2.imencode(".jpg", done, [cv2.IMWRITE_JPEG_QUALITY, self.jpeg])[1]
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def grid() -> Iterator[Harm]:
    for parts in itertools.product(BRIGHTNESS, WARMTH, NOISE, BLUR, JPEG):
        yield Harm(*parts)
