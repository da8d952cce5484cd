"""How much a spot of the stage board looks like a loose fan of one colour, whatever its shape.

Means on rings round the spot (light, distance from white, fine detail, the colour's own direction) go through a small
learnt net: logits, 0 = as likely as not. Its weights, fans.npz, were learnt from the boards of the footage and from
drawn boards, onto which fans cut out of pictures or drawn were laid at any place and turn, prints turned to any hue.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from itertools import pairwise

import cv2
import numpy as np

from vision.arrays import Floats
from vision.hue import CENTRES, hued, polar, within

EDGES = (0.0, 0.3, 0.55, 0.75, 0.92, 1.1, 1.35, 1.8)  # of the rings, in radii of a fan
SOFT = 35.0  # degrees from a colour's middle at which it is no more
_COMMON, _OWN = 6, 4  # maps that all colours share, maps of each colour
_COLOURS = tuple(CENTRES)


@cache
def _net() -> dict[str, Floats]:
    with files("vision").joinpath("fans.npz").open("rb") as file, np.load(file, allow_pickle=False) as weights:
        return {name: np.asarray(weights[name], np.float32) for name in weights.files}


def rings(radius: float) -> list[Floats]:
    """A kernel for the mean on each ring; `radius`: of a fan, in pixels."""
    reach = int(np.ceil(EDGES[-1] * radius))
    ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    far = np.hypot(xs, ys) / radius
    out = []
    for low, high in pairwise(EDGES):
        ring = np.clip((high - far) * radius + 0.5, 0, 1) * np.clip((far - low) * radius + 0.5, 0, 1)
        out.append((ring / ring.sum()).astype(np.float32))
    return out


def _maps(values: Floats, radius: float) -> Floats:
    """`values`: h × w × 3 (u, v from white, w) with an even number of rows and columns → h/2 × w/2 × maps."""
    chroma, light = values[..., :2], values[..., 2]
    far, angle = polar(chroma)
    size = int(radius * 0.7) * 2 + 1
    fine = values - cv2.blur(values, (size, size))
    edge = np.hypot(
        cv2.Sobel(light, cv2.CV_32F, 1, 0, scale=0.125),
        cv2.Sobel(light, cv2.CV_32F, 0, 1, scale=0.125),
    )
    maps = [
        np.clip(light, -1.5, 1.5),
        np.minimum(far, 2),
        np.clip(1 - far / 0.6, 0, 1) * np.clip((light + 0.3) / 0.5, 0, 1),
        np.minimum(np.abs(fine[..., 2]), 1),
        np.minimum(np.hypot(fine[..., 0], fine[..., 1]), 1.5),
        np.minimum(edge, 0.4),
    ]
    hue = hued(far)
    for colour, middle in CENTRES.items():
        turn = np.radians(middle)
        along, across = float(np.cos(turn)), float(np.sin(turn))
        off = np.abs((angle - middle + 180) % 360 - 180)
        maps += [
            np.clip(chroma[..., 0] * along + chroma[..., 1] * across, -1.5, 2),
            np.abs(np.clip(chroma[..., 1] * along - chroma[..., 0] * across, -1.5, 1.5)),
            hue * within(angle, colour),
            hue * np.clip(1 - off / SOFT, 0, 1),
        ]
    whole = np.stack(maps, axis=-1).astype(np.float32)
    return np.asarray(0.25 * (whole[0::2, 0::2] + whole[1::2, 0::2] + whole[0::2, 1::2] + whole[1::2, 1::2]))


def scores(values: Floats, radius: float) -> dict[str, Floats]:
    """Colour → h/2 × w/2 logits that the middle of such a fan lies there. `radius`: of a fan, in pixels of `values`."""
    maps, kernels, net = _maps(values, radius), rings(radius / 2), _net()
    height, width = maps.shape[:2]
    means = [
        [cv2.filter2D(maps[..., k], -1, ring, borderType=cv2.BORDER_REPLICATE).ravel() for ring in kernels]
        for k in range(maps.shape[2])
    ]
    out = {}
    for i, colour in enumerate(_COLOURS):
        first = _COMMON + _OWN * i
        features = np.stack([mean for k in (*range(_COMMON), *range(first, first + _OWN)) for mean in means[k]])
        total = np.zeros(height * width, np.float32)
        for n in range(len(net["middle"])):
            hidden = net["first"][n].T @ ((features - net["middle"][n][:, None]) / net["spread"][n][:, None])
            total += net["second"][n] @ np.tanh(hidden + net["first_bias"][n][:, None]) + net["second_bias"][n]
        out[colour] = (total / len(net["middle"])).reshape(height, width)
    return out
