"""Hue as a direction from white in the plane of u and v (vision.colour), whatever the brightness."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Floats

# the sector of each hue in degrees (0 = red towards pink, -90 = yellow, 90 = blue), and the doubt at its edges
HUES: dict[str, tuple[float, float]] = {"R": (-45.0, 45.0), "Y": (-130.0, -66.0), "B": (68.0, 142.0)}
CENTRES = {"R": -8.0, "Y": -90.0, "B": 110.0}
EDGE = 7.0
PALE, VIVID = 0.3, 0.65  # distance from white below which a pixel has no hue, and from which it surely has


def polar(chroma: Floats) -> tuple[Floats, Floats]:
    """… × 2 (u, v) from white → distance from white, direction in degrees."""
    far = np.hypot(chroma[..., 0], chroma[..., 1])
    return np.asarray(far), np.asarray(np.degrees(np.arctan2(chroma[..., 1], chroma[..., 0])))


def hued(far: Floats) -> Floats:
    """0–1: has a pixel a hue at all?"""
    return np.clip((far - PALE) / (VIVID - PALE), 0, 1)


def within(angle: Floats, colour: str) -> Floats:
    """0–1: is it this colour's hue?"""
    low, high = HUES[colour]
    return np.clip(np.minimum(angle - low, high - angle) / EDGE + 0.5, 0, 1)


def white(middles: Floats, letters: Sequence[str] | None = None) -> Floats:
    """Where white lies (u, v), held towards the camera's own: there colours (n × 2) are known hues, or grey.

    `letters`: the hue that each is known to have; None: any hue of HUES, or grey. The rest of the picture is no help: a
    tablecloth may have any colour.
    """
    axis = np.arange(-0.5, 0.51, 0.05) if letters is None else np.arange(-1.0, 1.01, 0.05)
    shift = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 1, 2)
    far, angle = polar(middles[None] - shift)
    vivid = np.clip((far - PALE) / (0.9 - PALE), 0, 1)
    price = (shift[:, 0] ** 2).sum(axis=1) / (2 * 0.25**2)
    if letters is None:
        fit = np.exp(-((far / 0.25) ** 2))
        for centre in CENTRES.values():
            fit = np.maximum(fit, np.exp(-((_turn(angle, centre) / 25) ** 2)) * vivid)
        worth = fit.mean(axis=1) - 0.3 * price
    else:
        centres = np.array([CENTRES[letter] for letter in letters])
        worth = (np.exp(-((_turn(angle, centres) / 25) ** 2)) * vivid).mean(axis=1) - 0.05 * price
    return np.asarray(shift[int(worth.argmax()), 0], np.float32)


def _turn(angle: Floats, centre: Floats | float) -> Floats:
    return np.abs((angle - centre + 180) % 360 - 180)
