"""Other marbles, prints and cameras: the same change to the calibration picture and to every still read with it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.picture import Image


@dataclass(frozen=True)
class Variant:
    """`hue`: turned by so many degrees; `saturation`: times; `exposure`: times, of linear light (gamma 2.2)."""

    hue: float = 0.0
    saturation: float = 1.0
    exposure: float = 1.0

    def apply(self, image: Image) -> Image:
        hsv = cv2.cvtColor(image.astype(np.float32) / 255, cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0] + self.hue) % 360
        hsv[..., 1] = np.minimum(hsv[..., 1] * self.saturation, 1)
        turned = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
        return np.asarray((turned * self.exposure ** (1 / 2.2)).clip(0, 1) * 255, np.uint8)


VARIANTS = (
    Variant(hue=12),
    Variant(hue=-12),
    Variant(hue=60),  # no marble is red, yellow or blue any more; they are as told
    Variant(saturation=0.6),
    Variant(saturation=1.3),
    Variant(exposure=0.5),
    Variant(exposure=1.5),
    Variant(hue=8, saturation=0.75, exposure=0.7),
)
