"""A few of the knocks of tests/slow/fuzz_knocks.py: noticed within a second, and nothing is read or scored wrongly."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.slow.fuzz_knocks import Figures, clip_of, draw, try_one

CLIP = Path(__file__).parents[1] / "data" / "clips" / "c22"


@pytest.mark.parametrize("kind", ["all", "upside_down", "back"])
def test_a_knock_in_the_middle_of_a_clip(kind: str) -> None:
    images = clip_of(CLIP)[2]
    knock = draw(random.Random(f"small {kind}"), kind, len(images) - 15, (640, 480))
    figures = Figures()
    assert try_one(CLIP, knock, True, figures) == []
    told = figures.counts
    assert (told["wrong"], told["missed"], told["invented"], told["settled readings wrong"]) == (0, 0, 0, 0)
    assert told["right"] + told["asked"] == told["clears"] == 1
    assert told["noticed in 1 s"] == told["knocks"]
    assert told["knocks"] == 1 or kind == "back"
