"""10,000 drops from physics, and the recorded clips' beams where they are at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hardware.counting import count
from hardware.edge_file import read_edges
from tests.hardware.test_counting import many, through_the_command

FOOTAGE = Path(os.environ.get("COMPANION_FOOTAGE", Path(__file__).parents[2].parent / "shared" / "footage"))


def test_ten_thousand_drops() -> None:
    results = {
        name: many(trains, seed, drops=12, **kind)
        for seed, (name, trains, kind) in enumerate(
            [
                ("apart", 300, {"pairs": 0.0, "glitches": 0.0}),
                ("pairs 0–50 ms apart, touching", 300, {}),
                ("queue in the beam", 240, {"rest": True}),
            ]
        )
    }
    for name, (trains, exact, certain, wrong) in results.items():
        print(f"{name}: {12 * trains} drops, exact {exact / trains:.1%}, certain {certain / trains:.1%}, wrong {wrong}")
        assert wrong == 0
    assert results["apart"][1] == 300


@pytest.mark.parametrize("rest", [False, True])
def test_ten_thousand_drops_of_any_speed_through_the_command(
    rest: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sizes, speeds, offsets, pairs, chatter and glitches over the issue's whole ranges, drawn anew for each marble."""
    trains, exact, certain, wrong = through_the_command(834, 5, tmp_path, capsys, rest=rest, drops=12)
    with capsys.disabled():
        print(f"\nrest {rest}: {12 * trains} drops, exact {exact / trains:.1%}, certain {certain / trains:.1%}")
    assert wrong == 0


@pytest.mark.skipif(not FOOTAGE.is_dir(), reason="no footage beside this checkout")
def test_the_clips_beams_agree_with_their_truth() -> None:
    clips = sorted(FOOTAGE.glob("clips/*/drops.csv"))
    assert clips
    for file in clips:
        truth = json.loads((file.parent / "truth.json").read_text())
        wanted = {"a": 0, "b": 0, "c": 0}
        for clear in truth["clears"]:
            for lane, drops in clear["drops_in_lane"].items():
                wanted[lane] += drops
        found = count(read_edges(file))
        assert {lane: one.drops for lane, one in found.items()} == wanted, file
        assert all(one.certain for one in found.values()), file
