"""The recorded clips with a camera that hangs from the first grasp until all lies still: the truth is asked about."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.evaluation import PROFILE, _quad
from companion.replaying import SECOND, replay
from hardware.camera import Frame
from hardware.cameras import ClipCamera
from hardware.counting import DropCounter
from hardware.edge_file import read_edges
from vision.calibrate import calibrate
from vision.eye import Eye
from vision.gaze import Gaze

FOOTAGE = Path(os.environ.get("COMPANION_FOOTAGE", Path(__file__).parents[2].parent / "shared" / "footage"))
HANG_NS = 8 * SECOND
CLIPS = sorted(path.parent for path in FOOTAGE.glob("clips/*/truth.json"))


class Hanging:
    """The clip's frames without those between two times; those after them, and all later edges, 8 s later."""

    def __init__(self, clip: Path, begins_s: float, ends_s: float) -> None:
        self._clip = ClipCamera(clip)
        self.name = self._clip.name
        self._begins_ns, self._ends_ns = round(begins_s * SECOND), round(ends_s * SECOND)

    def later(self, t_ns: int) -> int:
        return t_ns + HANG_NS if t_ns > self._ends_ns else t_ns

    def read(self) -> Frame | None:
        while (frame := self._clip.read()) is not None:
            if not self._begins_ns <= frame.t_ns <= self._ends_ns:
                return replace(frame, t_ns=self.later(frame.t_ns))
        return None

    def close(self) -> None:
        self._clip.close()


def eye_of(folder: Path, made: dict[str, Any]) -> Eye:
    board = _quad(made["board_corners"]) if made.get("board_corners") else None
    picture = (folder / made["image"]).read_bytes()
    return Eye(calibrate(picture, _quad(made["corner_centres"]), made["tray"], board, PROFILE), PROFILE)


@pytest.mark.skipif(not CLIPS, reason="no footage beside this checkout")
@pytest.mark.parametrize("folder", CLIPS, ids=lambda path: path.name)
@pytest.mark.parametrize("counter", [DropCounter, lambda: None], ids=["beams", "alone"])
def test_a_clear_during_a_hang_is_asked_about(folder: Path, counter: Callable[[], DropCounter | None]) -> None:
    truth = json.loads((folder / "truth.json").read_text())
    grasps = [event["t_grasp"] for event in truth["events"] if event["type"] == "pull"]
    if not grasps or len(truth["clears"]) != 1:
        pytest.skip("no clear, or several")
    hands = [frame["t"] for frame in truth["frames"] if frame["hand"]]
    still = [event["t_settled"] for event in truth["events"] if event["type"] == "drop"]
    camera = Hanging(folder / truth["clip"], grasps[0] - 0.05, max(*hands, *still) + 0.25)
    edges = [replace(edge, t_ns=camera.later(edge.t_ns)) for edge in read_edges(folder / "drops.csv")]
    counting = counter()
    gaze = Gaze(eye_of(folder, truth["calibration"]))
    told = list(replay(camera, gaze, counting, edges if counting else [], truth["player"], truth["broken"]))
    assert not [event for event in told if event["event"] == "clear"]
    (question,) = [event for event in told if event["event"] == "question"]
    wanted = sorted(truth["clears"][0]["cells"])
    assert wanted in [sorted(reading["cells"]) for reading in question["readings"]]
