"""The net on pictures made here: what it is given, how it is computed, what it finds."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Floats
from vision.fans import COLOURS, INPUTS, STRIDE, inputs, logits, nets, odds, taps
from vision.hue import CENTRES

RADIUS = 10.6


def field(*, height: int = 88, width: int = 184) -> Floats:
    """Grey print, as Upright gives it."""
    rng = np.random.default_rng(3)
    values = np.zeros((height, width, 3), np.float32)
    rough = rng.normal(0, 0.3, (height // 8, width // 8)).astype(np.float32)
    values[..., 2] = cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)
    return values + rng.normal(0, 0.02, values.shape).astype(np.float32)


def lay(values: Floats, colour: str, x: int, y: int) -> None:
    """A round token with a pale rim."""
    turn = np.radians(CENTRES[colour])
    cv2.circle(values, (x, y), round(RADIUS), (0.0, 0.0, 0.6), -1, cv2.LINE_AA)
    core = (float(1.2 * np.cos(turn)), float(1.2 * np.sin(turn)), 0.2 if colour == "Y" else -0.4)
    cv2.circle(values, (x, y), round(0.82 * RADIUS), core, -1, cv2.LINE_AA)


@pytest.mark.parametrize("colour", COLOURS)
def test_each_colour_has_an_input_of_its_own(colour: str) -> None:
    turn = np.radians(CENTRES[colour])
    pixel = np.array([[[np.cos(turn), np.sin(turn), 0.0]]], np.float32)
    hues = dict(zip(COLOURS, inputs(pixel)[4:, 0, 0], strict=True))
    assert hues.pop(colour) == 1
    assert set(hues.values()) == {0}


def test_grey_has_no_hue_and_light_grey_is_pale() -> None:
    dark, light = inputs(np.array([[[0, 0, -1], [0, 0, 0.5]]], np.float32))[:, 0].T
    assert (dark[3:] == 0).all()
    assert light[3] == 1
    assert (light[4:] == 0).all()


@pytest.mark.parametrize(("stride", "dilation"), [(1, 1), (1, 2), (2, 1)])
def test_taps_are_those_of_a_convolution(stride: int, dilation: int) -> None:
    rng = np.random.default_rng(1)
    picture, kernel = rng.normal(size=(24, 40)).astype(np.float32), rng.normal(size=(3, 3)).astype(np.float32)
    spread = np.zeros((2 * dilation + 1,) * 2, np.float32)
    spread[::dilation, ::dilation] = kernel
    want = cv2.filter2D(picture, -1, spread, borderType=cv2.BORDER_CONSTANT)[::stride, ::stride]
    got = kernel.ravel() @ taps(picture[None], 3, stride, dilation)
    assert np.allclose(got.reshape(want.shape), want, atol=1e-4)


def test_a_picture_moved_by_a_stride_moves_the_spots_by_one() -> None:
    values = field()
    lay(values, "R", 80, 44)
    one = odds(values, nets())
    other = odds(np.roll(values, STRIDE, axis=1), nets())
    assert one.shape == (88 // STRIDE, 184 // STRIDE, len(COLOURS))
    assert np.allclose(one[8:-8, 12:-12], other[8:-8, 13:-11], atol=1e-3)


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("at", [(40, 40), (92, 52), (140, 36)])
def test_a_lone_token_is_found_where_it_lies(colour: str, at: tuple[int, int]) -> None:
    values = field()
    lay(values, colour, *at)
    told = odds(values, nets())[..., COLOURS.index(colour)]
    y, x = np.unravel_index(int(told.argmax()), told.shape)
    assert np.hypot(x * STRIDE - at[0], y * STRIDE - at[1]) < 0.6 * RADIUS
    assert told.max() > 0


def test_several_nets_are_averaged() -> None:
    values, one = field(), nets()[0]
    other = {**one, "absent": one["absent"] + 2}
    assert np.allclose(odds(values, (one, other)), odds(values, (one,)) - 1, atol=1e-4)
    assert np.allclose(odds(values, (one,)), logits(inputs(values), one) - one["absent"], atol=1e-4)


def test_the_weights_fit_the_inputs_and_are_few() -> None:
    for weights in nets():
        assert weights["w0"].shape[2] == INPUTS
        assert all(np.isfinite(part).all() for part in weights.values())
        assert sum(part.size for part in weights.values()) < 40_000
