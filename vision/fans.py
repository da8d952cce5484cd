"""Where a loose fan of each colour would lie on the stage board: a small convolutional net.

It sees the board upright with the light taken out and tells, for each colour and each spot of a grid, how much the one
fan of that colour seems to lie there: logits beside `absent`, that of its not being in sight. The softmax over both is
what it was taught. Its weights, fans.npz, are remade by tests/slow/train_fans.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import numpy as np

from vision.arrays import Floats
from vision.hue import CENTRES

STRIDE = 4  # pixels between the spots
LAYERS = ((2, 1), (2, 1), (1, 1), (1, 2), (1, 2), (1, 1))  # stride, dilation
COLOURS = tuple(CENTRES)
_TURNS = tuple(np.float32(np.radians(middle)) for middle in CENTRES.values())
INPUTS = 4 + len(COLOURS)
Weights = Mapping[str, Floats]


@cache
def nets() -> tuple[Weights, ...]:
    """The shipped ones: what they say is averaged."""
    with files("vision").joinpath("fans.npz").open("rb") as file, np.load(file, allow_pickle=False) as weights:
        return unpacked({name: weights[name] for name in weights.files})


def unpacked(parts: Weights) -> tuple[Weights, ...]:
    """As they lie in a file: the number of the net, `.`, name."""
    out: dict[str, dict[str, Floats]] = {}
    for name, part in parts.items():
        number, _, own = name.partition(".")
        out.setdefault(number, {})[own] = np.asarray(part, np.float32)
    return tuple(out.values())


def inputs(values: Floats) -> Floats:
    """h × w × 3 (u, v from white, w from the board's middle) → INPUTS × h × w: these, paleness, each colour's hue."""
    planes = np.ascontiguousarray(values.transpose(2, 0, 1), np.float32)
    u, v, w = planes
    out = np.empty((INPUTS, *u.shape), np.float32)
    np.minimum(np.maximum(planes, -2), 2, out=out[:3])
    pale = np.maximum(1 - 1.6 * np.maximum(np.abs(u), np.abs(v)), 0)
    np.multiply(pale, np.minimum(np.maximum(2 * w + 0.6, 0), 1), out=out[3])
    for k, turn in enumerate(_TURNS):
        along, across = u * np.cos(turn) + v * np.sin(turn), v * np.cos(turn) - u * np.sin(turn)
        np.minimum(np.maximum(1.5 * (along - np.abs(across)), 0), 1, out=out[4 + k])
    return out


def taps(x: Floats, size: int, stride: int, dilation: int) -> Floats:
    """c × h × w → size·size·c × spots, all that each output of a convolution sees. Whole planes are quick to copy."""
    channels, height, width = x.shape
    if size == 1:
        return x.reshape(channels, -1)
    padded = np.zeros((channels, height + 2 * dilation, width + 2 * dilation), x.dtype)
    padded[:, dilation : dilation + height, dilation : dilation + width] = x
    out = np.empty((size * size, channels, height // stride, width // stride), x.dtype)
    for tap, (i, j) in enumerate(np.ndindex(size, size)):
        out[tap] = padded[:, i * dilation :, j * dilation :][:, :height:stride, :width:stride]
    return out.reshape(size * size * channels, -1)


def logits(seen: Floats, weights: Weights) -> Floats:
    """INPUTS × h × w, both multiples of STRIDE → h/STRIDE × w/STRIDE × colours."""
    x = seen
    for k, (stride, dilation) in enumerate(LAYERS):
        kernel, (height, width) = weights[f"w{k}"], x.shape[1:]
        x = kernel.reshape(-1, kernel.shape[-1]).T @ taps(x, kernel.shape[0], stride, dilation)
        x += weights[f"b{k}"][:, None]
        if k + 1 < len(LAYERS):
            np.maximum(x, 0, out=x)
        x = x.reshape(-1, height // stride, width // stride)
    return x.transpose(1, 2, 0)


def odds(values: Floats, weights: tuple[Weights, ...]) -> Floats:
    """h × w × 3 → h/STRIDE × w/STRIDE × colours: log odds of its fan lying there to its not being in sight."""
    seen = inputs(values)
    told = [logits(seen, one) - one["absent"] for one in weights]
    return np.asarray(sum(told[1:], start=told[0]) / np.float32(len(told)))
