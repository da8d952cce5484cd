"""The light on the marbles: several climbs side by side find what each finds alone."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision import stills
from vision.colour import uvw
from vision.lamp import _STARTS, fit, shaded


def test_cells_in_a_shade_are_helped_as_each_alone_would_be() -> None:
    eye = stills.eye("t03")
    dark = (stills.image("t03_06") * 0.45).astype(np.uint8)
    pixels = eye.patch(dark).reshape(-1, 3).take(eye._pixels, axis=0)
    values = [uvw(pixels)]
    colours = [k % len(eye.palette.colours) for k in range(len(pixels))]
    together = shaded(eye.palette, values, colours)
    alone = [shaded(eye.palette, [values[0][k : k + 1]], [colour])[0] for k, colour in enumerate(colours)]
    assert together == pytest.approx(alone, abs=1e-4)
    assert max(together) > 0.3
    assert min(together) >= 0


def test_cells_that_are_hidden_have_no_say_in_the_light() -> None:
    eye = stills.eye("t03")
    pixels = eye.patch(stills.image("t03_06")).reshape(-1, 3).take(eye._pixels, axis=0)
    values = uvw(pixels)
    weight = np.ones(len(pixels), np.float32)
    weight[:6] = 0
    seen, _ = fit(eye.palette, [values], weight)
    values[:6] += np.float32(0.8)
    blind, _ = fit(eye.palette, [values], weight)
    np.testing.assert_allclose(seen[:, 6:], blind[:, 6:], atol=1e-5)


def test_starts_that_share_what_they_were_told_end_where_the_best_of_them_ends_alone() -> None:
    eye = stills.eye("t03")
    pixels = eye.patch(stills.image("t03_06")).reshape(-1, 3).take(eye._pixels, axis=0)
    values = [uvw(pixels) + np.array([0.3, -0.9, -0.3], np.float32)]
    weight = np.ones(len(pixels), np.float32)
    together, step = fit(eye.palette, values, weight)
    assert step is not None
    ends = [fit(eye.palette, values, weight, start) for start in _STARTS]
    assert step in [end for _, end in ends]
    # alone: that one explains the marbles as well as any
    worths = [float(np.maximum((scores.T - eye.palette.typical).max(axis=1), -2.5).sum()) for scores, _ in ends]
    [own] = {worth for worth, (_, end) in zip(worths, ends, strict=True) if end == step}
    assert own >= max(worths) - 0.5
    np.testing.assert_array_equal(together, next(scores for scores, end in ends if end == step))
