"""All footage clips through the pipeline; skipped where the footage is not there. Run with -s to see the figures."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.scoring import score_clips, table

CLIPS = Path(os.environ.get("FOOTAGE", Path(__file__).parents[3] / "shared" / "footage")) / "clips"


@pytest.mark.skipif(not CLIPS.is_dir(), reason="no footage on this machine")
@pytest.mark.parametrize("with_drops", [True, False])
def test_every_clip(with_drops: bool) -> None:
    scores = score_clips(CLIPS, with_drops)
    figures = table(scores)
    notes = [note for one in scores for note in one.notes]
    print("with drops" if with_drops else "camera alone", figures, *notes, sep="\n  ")
    assert (figures["wrong"], figures["missed"], figures["invented"]) == (0, 0, 0), notes
    assert figures["clips_right"] >= (len(scores) if with_drops else 0.75 * len(scores)), notes
    assert figures["late_frames_median"] <= 4
    assert figures["late_frames_worst"] <= 8
    assert figures["aim_lost"]["right"] == figures["aim_lost"]["expected"]
    assert figures["light"]["right"] == figures["light"]["expected"]
