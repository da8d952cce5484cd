"""Colour as the light leaves it: log likelihoods for each marble colour, learnt pixel by pixel from known marbles.

Working space: u = log R - log G, v = log B - (log R + log G)/2, w = mean of the logs. A lamp, a white balance or an
exposure multiplies each channel, so in (u, v, w) it moves every pixel by one and the same step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Index

Bytes = npt.NDArray[np.uint8]

DARK = 20.0  # grey levels added before the log: sensor noise in the dark must not look like colour
CLIPPED = 250  # a channel from here on may have been brighter than it could say
BEYOND = (0.35, 0.7)  # by so much, in logs
U_STEP, W_STEP = 0.1, 0.2
_U_LOW, _U_BINS = -3.3, 66
_W_LOW, _W_BINS = 1.9, 21
REACH = (20, 20, 8)  # bins: the greatest step of light (u, v, w) that is looked for
_PADDED_U, _PADDED_W = _U_BINS + 2 * REACH[1], _W_BINS + 2 * REACH[2]
Step = tuple[int, int, int]
FLOOR = -9.0  # no pixel (highlight, speck, hair) may speak louder than this

_ONE = np.ones(1, np.float32)
LOG = np.log(np.arange(256, dtype=np.float32) + np.float32(DARK)).astype(np.float32)
MIX = np.array([[0, -1, 1], [1, -0.5, -0.5], [1 / 3, 1 / 3, 1 / 3]], np.float32)
"""Logs of blue, green, red → u, v, w."""


def uvw(pixels: Bytes) -> Floats:
    """n × 3 uint8 B,G,R → n × 3 float32 (u, v, w)."""
    logs = cv2.LUT(pixels.reshape(-1, pixels.shape[-2], 3), LOG)
    return np.asarray(cv2.transform(logs, MIX), np.float32).reshape(pixels.shape)


def unclip(pixels: Bytes, values: Floats) -> list[Floats]:
    """Other values (u, v, w) that pixels with a channel at its end may have had; none when there are hardly any."""
    full = pixels >= CLIPPED
    if full.mean() < 0.01:
        return []
    out = []
    for step in BEYOND:
        more = full * np.float32(step)
        blue, green, red = more[..., 0], more[..., 1], more[..., 2]
        change = np.stack([red - green, blue - 0.5 * (red + green), (red + green + blue) / 3], axis=-1)
        out.append(values + change)
    return out


def _kernel(size: int, sigma: float) -> tuple[Floats, Floats]:
    """A Gaussian as far as it is more than next to nothing, and for each place how much of it falls inside."""
    reach = min(size - 1, int(5.7 * sigma))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1, dtype=np.float32) / sigma) ** 2)
    inside = np.convolve(np.ones(size, np.float32), kernel, "full")[reach : reach + size]
    return kernel, np.asarray(inside, np.float32)


def _smooth(cube: Floats, chroma: float, light: float) -> Floats:
    """Gaussian blur of u × v × w, in bins; nothing is lost at the ends."""
    across, within = _kernel(_U_BINS, chroma)
    along, inside = _kernel(_W_BINS, light)
    even = cube / (within[:, None, None] * within[None, :, None] * inside)
    out = cv2.sepFilter2D(even, -1, across, across, borderType=cv2.BORDER_CONSTANT)
    flat = cv2.sepFilter2D(out.reshape(-1, _W_BINS), -1, along, _ONE, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(flat, np.float32).reshape(cube.shape)


def _places(values: Floats) -> tuple[Index, Index, Index]:
    """n × 3 (u, v, w) → the bin of each, what lies outside in the outermost."""
    u = ((values[..., 0] - _U_LOW) * (1 / U_STEP)).astype(np.int32)
    v = ((values[..., 1] - _U_LOW) * (1 / U_STEP)).astype(np.int32)
    w = ((values[..., 2] - _W_LOW) * (1 / W_STEP)).astype(np.int32)
    for part, bins_ in ((u, _U_BINS), (v, _U_BINS), (w, _W_BINS)):  # np.clip takes longer
        np.minimum(np.maximum(part, 0, out=part), bins_ - 1, out=part)
    return u, v, w


def bins(values: Floats) -> Index:
    """n × 3 (u, v, w) → flat index into a table as `learn` makes it."""
    u, v, w = _places(values)
    flat: Index = ((u * _U_BINS + v) * _W_BINS + w).astype(np.intp)
    return flat


def learn(samples: Floats) -> Floats:
    """n × 3 (u, v, w) pixels of one colour → flat table of log density (per bin, normalised), floored."""
    table = np.bincount(bins(samples), minlength=_U_BINS * _U_BINS * _W_BINS)
    cube = table.reshape(_U_BINS, _U_BINS, _W_BINS).astype(np.float32) / max(1, len(samples))
    # three widths: what was seen, what noise and a neighbouring shade make of it, what another lamp makes of it
    density = np.zeros_like(cube)
    for weight, chroma, light in ((0.5, 1.2, 1.0), (0.35, 2.5, 2.2), (0.15, 4.5, 4.5)):
        density += weight * _smooth(cube, chroma, light)
    return np.asarray(np.log(density + np.exp(FLOOR) * 0.5).clip(FLOOR), np.float32).ravel()


def even_out(discs: Floats, letters: Sequence[str], places: Floats) -> Floats:
    """How the lamp falls on the tray: a smooth step (u, v, w) for each cell, told by marbles of one colour.

    `discs`: cells × pixels × 3; `letters`: of each cell (colours that occur twice can tell); `places`: cells × 2,
    any unit. Returns cells × 3, mean about zero, held back as far as marbles of one colour differ at random.
    """
    means = np.median(discs, axis=1)
    centred = places - places.mean(axis=0)
    centred = centred / (np.abs(centred).max() + 1e-6)
    x, y = centred[:, 0], centred[:, 1]
    slopes = np.stack([x, y, x * x - (x * x).mean(), x * y, y * y - (y * y).mean()], axis=1)
    colours = sorted({letter for letter in letters if letters.count(letter) > 1})
    rows = [i for i, letter in enumerate(letters) if letter in colours]
    if len(rows) < 6:
        return np.zeros((len(letters), 3), np.float32)
    ones = np.array([[float(letters[i] == colour) for colour in colours] for i in rows])
    design = np.concatenate([ones, slopes[rows]], axis=1)
    n = len(colours)
    penalty = np.diag([1e-6] * n + [1.0] * slopes.shape[1])
    out = np.zeros((len(letters), 3), np.float32)
    for k in range(3):
        target = means[rows, k]
        solution = np.linalg.solve(design.T @ design + penalty, design.T @ target)
        out[:, k] = slopes @ solution[n:]
    return out


@dataclass(frozen=True, eq=False)
class Palette:
    """`tables`: bins × colours log likelihoods, padded by REACH: a pixel asks for all colours at one place;
    `typical`: for each colour the mean log likelihood of its own pixels,
    leave-one-marble-out, and its spread between marbles."""

    colours: tuple[str, ...]
    tables: Floats
    typical: Floats
    spread: Floats

    def places(self, values: Sequence[Floats]) -> list[Index]:
        """Where pixels lie in the tables, for `score`. `values`: cells × pixels × 3, and what else they may be."""
        return [_padded(part) for part in values]

    def scores(self, places: Sequence[Index], steps: Sequence[Step]) -> Floats:
        """Steps × cells × colours: mean log likelihood of a cell's pixels under each colour, each pixel at its
        likeliest.

        `steps`: how far the light has moved (u, v, w) in bins, at most REACH.
        """
        return self._asked(places, np.array([_offset(step) for step in steps], np.intp)[:, None, None])

    def scores_each(self, places: Sequence[Index], steps: Sequence[Sequence[Step]]) -> Floats:
        """As `scores`, each cell with steps of its own, cells × steps: cells × steps × colours."""
        offsets = np.array([[_offset(step) for step in row] for row in steps], np.intp)[:, :, None]
        return self._asked([part[:, None, :] for part in places], offsets)

    def _asked(self, places: Sequence[Index], offset: Index) -> Floats:
        out = self.tables.take(places[0] - offset, axis=0)
        for other in places[1:]:
            np.maximum(out, self.tables.take(other - offset, axis=0), out=out)
        n = out.shape[-2]
        return np.asarray(np.full(n, 1 / n, np.float32) @ out)


def _offset(step: Step) -> int:
    """How far apart in the padded tables two pixels lie that differ by this step."""
    return (step[0] * _PADDED_U + step[1]) * _PADDED_W + step[2]


def _padded(values: Floats) -> Index:
    """As `bins`, in a table with REACH more on each side, so that steps of light need no clipping."""
    u, v, w = _places(values)
    return np.asarray(((u + REACH[0]) * _PADDED_U + v + REACH[1]) * _PADDED_W + w + REACH[2])


def _pad(table: Floats) -> Floats:
    cube = table.reshape(_U_BINS, _U_BINS, _W_BINS)
    return np.pad(cube, [(reach, reach) for reach in REACH], mode="edge").ravel()


def learn_palette(discs: Sequence[Floats], letters: Sequence[str], colours: tuple[str, ...]) -> Palette:
    """`discs`: pixels (u, v, w) of each known marble; `letters`: its colour. Every colour must occur at least once."""
    tables, typical, spread = [], [], []
    for colour in colours:
        own = [disc for disc, letter in zip(discs, letters, strict=True) if letter == colour]
        table = learn(np.concatenate(own))
        tables.append(_pad(table))
        means = []
        for i, disc in enumerate(own):
            rest = own[:i] + own[i + 1 :]
            against = learn(np.concatenate(rest)) if rest else table - 0.5
            means.append(float(against[bins(disc)].mean()))
        typical.append(float(np.median(means)))
        spread.append(float(np.std(means)) if len(means) > 1 else 0.0)
    interleaved = np.ascontiguousarray(np.stack(tables, axis=1))
    return Palette(colours, interleaved, np.asarray(typical, np.float32), np.asarray(spread, np.float32))
