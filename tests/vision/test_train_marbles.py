"""What the second opinion learns from (tests/slow/train_marbles.py)."""

from __future__ import annotations

import numpy as np

from tests.slow import marbles_drawn as drawn
from tests.slow import train_marbles as train
from tests.vision import stills


def test_learning_tells_two_clouds_apart() -> None:
    rng = np.random.default_rng(1)
    marble = (rng.random(4000) < 0.6).astype(np.float32)
    features = rng.normal(0, 1, (4000, train.RULE + 2 * train.RAW + 3)).astype(np.float32)
    features[:, : train.RULE] += 2 * marble[:, None]
    name = np.array(["t"] * 4000)
    examples = train.Examples(features, marble, np.ones(4000, np.float32), name, name)
    weights = train.learn(examples)
    assert ((train.judged(weights, examples) > 0) == (marble > 0.5)).mean() > 0.95
    assert (weights["first"][1, train.RULE : train.RULE + train.RAW] == 0).all()


def test_a_table_is_drawn_the_same_size_with_its_cells_changed_and_nothing_else() -> None:
    eye, image, truth = stills.eye("t03"), stills.image("t03_00"), stills.truth("t03_00")
    table = drawn.Drawn(eye, [image], np.random.default_rng(4))
    table.made, table.new_floor = "glass", True
    table.gain, table.gamma, table.blur, table.noise = np.ones(3), 1.0, 0, 0
    letters = train.letters_of(eye, truth)
    letters[7] = "."
    out = table.picture(image, truth, letters)
    assert out.shape == image.shape
    before, after = (eye.patch(one).astype(int) for one in (image, out))
    off = np.abs(after - before).mean(axis=2)
    x, y = (round(float(value)) for value in eye.geometry.centres[7])
    assert off[y - 5 : y + 6, x - 5 : x + 6].mean() > 15
    assert np.abs(out[:40].astype(int) - image[:40]).mean() < 6


def test_a_finger_covers_what_it_says() -> None:
    eye = stills.eye("t03")
    patch = eye.patch(stills.image("t03_00"))
    made, cover = drawn.fingered(patch, eye, np.array([110.0, 140.0, 200.0]), np.random.default_rng(3))
    moved = np.abs(made.astype(int) - patch).mean(axis=2)
    x, y = eye.geometry.centres[int(cover.argmax())]
    assert cover.max() > 0.6
    assert moved[round(float(y)), round(float(x))] > 10
