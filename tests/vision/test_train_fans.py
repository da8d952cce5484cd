"""The trainer of vision.fans in small: seeded scenes, right gradients, a loss that falls."""

from __future__ import annotations

import numpy as np
import pytest

from tests.slow import train_fans
from tests.slow.train_fans import Material, Scene, backward, compose, forward, fresh, learn, targets
from vision.fans import COLOURS, INPUTS, STRIDE, Weights, inputs, logits

NOTHING = Material([], [])


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    rng = np.random.default_rng(11)
    return [compose(rng, NOTHING) for _ in range(12)]


def test_one_seed_one_scene(scenes: list[Scene]) -> None:
    again = compose(np.random.default_rng(11), NOTHING)
    assert np.array_equal(again.values, scenes[0].values)
    assert again.fans == scenes[0].fans


def test_scenes_are_sound(scenes: list[Scene]) -> None:
    assert all(np.isfinite(scene.values.astype(np.float32)).all() for scene in scenes)
    assert all(scene.values.shape == (*train_fans.CANVAS, 3) for scene in scenes)
    assert {colour for scene in scenes for colour in scene.fans} == set(COLOURS)
    assert all(0 <= share <= 1 for scene in scenes for _, _, share in scene.fans.values())


def test_gradients_are_those_of_the_net() -> None:
    rng = np.random.default_rng(0)
    weights = {name: part.astype(np.float64) for name, part in fresh(rng).items()}
    picture = rng.normal(size=(INPUTS, 16, 24))
    out, kept = forward(picture, weights)
    pull = rng.normal(size=out.shape)
    slopes = backward(pull, kept, weights)
    for name in ("w0", "b0", "w1", "w2", "w3", "b4", "w5"):
        at = tuple(int(rng.integers(side)) for side in weights[name].shape)
        ends = []
        for step in (1e-5, -1e-5):
            moved = {**weights, name: weights[name].copy()}
            moved[name][at] += step
            ends.append(float((forward(picture, moved)[0] * pull).sum()))
        assert slopes[name][at] == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-3, abs=1e-4)


def test_the_trainer_and_the_reader_compute_alike(scenes: list[Scene]) -> None:
    weights = fresh(np.random.default_rng(2))
    seen = inputs(scenes[0].values.astype(np.float32))
    assert np.allclose(forward(seen, weights)[0].transpose(1, 2, 0), logits(seen, weights), atol=1e-4)


def test_targets_lie_where_the_fan_does_also_when_mirrored(scenes: list[Scene]) -> None:
    values = scenes[0].values
    scene = Scene(values, {"R": (60.0, 40.0, 1.0), "Y": (100.0, 40.0, 0.45)}, 10.6, frozenset())
    own, counts, known = targets(scene, (False, False))
    mirrored = targets(scene, (True, False))[0]
    where = np.argwhere(own[..., 0]) * STRIDE
    assert np.allclose(where.mean(axis=0), (40, 60), atol=STRIDE)
    assert np.allclose((np.argwhere(mirrored[..., 0]) * STRIDE).mean(axis=0), (40, 183 - 60), atol=STRIDE)
    assert not own[..., 1:].any()
    assert list(known) == [True, False, True]  # half hidden: nothing is learnt of it; gone: that it is gone
    assert counts[..., 2].all()


def test_learning_finds_more_of_what_it_was_shown(scenes: list[Scene], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train_fans, "BATCH", 2)
    few = scenes[:2]

    def right(weights: Weights) -> float:
        """Mean share of the belief that lies where a fan does."""
        out = []
        for scene in few:
            told = logits(inputs(scene.values.astype(np.float32)), weights)
            own = targets(scene, (False, False))[0]
            for k in range(len(COLOURS)):
                if own[..., k].any():
                    share = np.exp(told[..., k] - told[..., k].max())
                    out.append(float(share[own[..., k]].sum() / share.sum()))
        return float(np.mean(out))

    assert right(learn(few, [], 40, 4)) > 2 * right(fresh(np.random.default_rng(4)))
