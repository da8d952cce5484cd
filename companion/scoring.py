"""How well a folder of recorded clips with truth was understood (format: the footage's README). For `evaluate`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from companion.errors import InputError
from companion.replaying import replay
from companion.stills import PROFILE, calibrated_by, read_bytes
from hardware.camera import CameraError
from hardware.cameras import ClipCamera
from hardware.counting import DropCounter
from hardware.edge_file import read_edges
from vision.calibrate import eye_of
from vision.calibration import VisionError
from vision.gaze import Gaze

Json = Mapping[str, Any]


@dataclass
class ClipScore:
    """`wrong`: a clear told otherwise than it was; `asked`: a question in place of a clear; `missed`: neither;
    `invented`: a clear or question for which nothing was pulled; `late`: frames from hand gone and marbles still to the
    answer; `events`: (kind, expected, got right) of fans, light and aim; `notes`: one sentence for each mistake.
    """

    clip: str
    clears: int = 0
    right: int = 0
    wrong: int = 0
    asked: int = 0
    missed: int = 0
    invented: int = 0
    invented_questions: int = 0
    late: list[float] = field(default_factory=list)
    events: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    """When each of `notes` happened, seconds of the clip."""

    def note(self, text: str, t: float) -> None:
        self.notes.append(f"{self.clip}: {text}")
        self.times.append(t)


def score(truth: Json, told: Sequence[Json], name: str = "") -> ClipScore:
    """Compare what `replay` printed with a clip's truth.json."""
    result = ClipScore(name, clears=len(truth["clears"]))
    windows = _windows(truth)
    answers = [event for event in told if event["event"] in ("clear", "question")]
    for clear, (start, end) in zip(truth["clears"], windows, strict=True):
        mine = [event for event in answers if start <= event["t"] < end]
        answers = [event for event in answers if event not in mine]
        if not mine:
            result.missed += 1
            result.note(f"missed {clear['cells']}", start if end == float("inf") else end)
            continue
        first, *more = mine
        _count_invented(result, more)
        free = _free_at(truth, start, end)
        if free is not None:
            result.late.append(round((first["t"] - free) * truth["fps"], 1))
        if first["event"] == "question":
            result.asked += 1
            result.note(f"asked {first['text']!r} about {clear['cells']}", first["t"])
        elif wrong := _wrong(clear, first):
            result.wrong += 1
            result.note(wrong, first["t"])
        else:
            result.right += 1
    _count_invented(result, answers)
    _score_events(result, truth, told)
    return result


def _count_invented(result: ClipScore, events: Iterable[Json]) -> None:
    for event in events:
        if event["event"] == "clear":
            result.invented += 1
            result.note(f"invented {event['cells']} at {event['t']} s", event["t"])
        else:
            result.invented_questions += 1
            result.note(f"asked {event['text']!r} at {event['t']} s for nothing", event["t"])


def _windows(truth: Json) -> list[tuple[float, float]]:
    """For each clear the time from its first touch to the next one's."""
    pulls = [event for event in truth["events"] if event["type"] == "pull"]
    starts = []
    for clear in truth["clears"]:
        starts.append(pulls[0]["t_grasp"] if pulls else 0.0)
        pulls = pulls[len(clear["cells"]) :]
    return list(zip(starts, [*starts[1:], float("inf")][: len(starts)], strict=True))


def _free_at(truth: Json, start: float, end: float) -> float | None:
    """When the hand had left and all marbles lay still after the last pull of the clear."""
    frames = [frame for frame in truth["frames"] if start <= frame["t"] < end]
    free = None
    for frame in reversed(frames):
        if frame["hand"] or frame["moving"]:
            if free is not None or frame is not frames[-1]:
                return free
        else:
            free = float(frame["t"])
    return free


def _wrong(clear: Json, told: Json) -> str | None:
    """What is wrong with a reported clear; None: right, cells up to the ambiguity of DESIGN §3."""
    said = f"{told['player']} {told['cells']} {told['attack']} {[reason['code'] for reason in told['reasons']]}"
    was = f"{clear['player']} {clear['cells']} {clear['attack']} {clear['why_not']}"
    if told["player"] != clear["player"]:
        return f"told {said}, was {was}"
    if clear["legal"]:
        return None if told["legal"] and told["attack"] == clear["attack"] else f"told {said}, was {was}"
    if told["legal"]:
        return None if told["attack"] in clear["legal_by_outcome"] else f"told {said}, was {was}"
    if sorted(told["cells"]) == sorted(clear["cells"]):
        codes = {reason["code"] for reason in told["reasons"]}
        return None if set(clear["why_not"]) <= codes else f"told {said}, was {was}"
    lanes = sorted(cell[0] for cell in told["cells"]) == sorted(cell[0] for cell in clear["cells"])
    return None if lanes else f"told {said}, was {was}"


def _score_events(result: ClipScore, truth: Json, told: Sequence[Json]) -> None:
    """(expected, right, for nothing) for each kind."""
    kinds = {
        "fan_moved": "fan",
        "light_switched": "light",
        "camera_bumped": "aim_lost",
        "lift_and_put_back": "put_back",
    }
    for kind, name in kinds.items():
        expected = [event for event in truth["events"] if event["type"] == kind]
        said = [event for event in told if event["event"] == name]
        right = 0
        for event in expected:
            hit = next((one for one in said if _same(event, one)), None)
            if hit is not None:
                said.remove(hit)
                right += 1
            else:
                result.note(f"did not tell {event}", event.get("t", event.get("t_grasp", 0.0)))
        for one in said:
            result.note(f"told {one} for nothing", one["t"])
        result.events[name] = (len(expected), right, len(said))


def _same(event: Json, told: Json) -> bool:
    when = event.get("t", event.get("t_grasp", 0.0))
    if told["t"] < when - 0.15:
        return False
    if told["event"] == "fan":
        return bool((told["fan"], told["from"], told["to"]) == (event["colour"], event["from"], event["to"]))
    if told["event"] == "put_back":
        return bool(told["cells"] == [f"{event['lane']}{event['row']}"])
    return True


def score_clip(folder: Path, with_drops: bool = True) -> ClipScore:
    """One clip of the footage, calibrated on the picture its truth names. Raises InputError."""
    try:
        truth = json.loads(read_bytes(str(folder / "truth.json")))
        made = truth["calibration"]
        eye = eye_of(calibrated_by(folder / made["image"], made), PROFILE)
        edges = read_edges(folder / "drops.csv") if with_drops else []
        camera = ClipCamera(folder / truth["clip"])
    except (CameraError, VisionError, KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        what = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise InputError(f"{folder / 'truth.json'}: {what}") from error
    try:
        counter = DropCounter() if with_drops else None
        told = list(replay(camera, Gaze(eye), counter, edges, truth["player"], truth["broken"]))
    except CameraError as error:
        raise InputError(str(error)) from error
    finally:
        camera.close()
    try:
        return score(truth, told, folder.name)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise InputError(f"{folder / 'truth.json'}: {what}") from error


def score_clips(folder: Path, with_drops: bool = True) -> list[ClipScore]:
    """Every clip in the folder (sub-folders with a truth.json), by name."""
    return [score_clip(path.parent, with_drops) for path in sorted(folder.glob("*/truth.json"))]


def table(scores: Sequence[ClipScore]) -> dict[str, Any]:
    """The figures over all clips."""
    late = [frames for one in scores for frames in one.late]
    total: dict[str, Any] = {
        name: sum(getattr(one, name) for one in scores)
        for name in ("clears", "right", "wrong", "asked", "missed", "invented", "invented_questions")
    }
    total["clips"] = len(scores)
    total["clips_right"] = sum(one.right == one.clears and not one.invented for one in scores)
    total["late_frames_median"] = median(late) if late else None
    total["late_frames_worst"] = max(late) if late else None
    for name in ("fan", "light", "aim_lost", "put_back"):
        parts = [one.events.get(name, (0, 0, 0)) for one in scores]
        total[name] = {
            "expected": sum(part[0] for part in parts),
            "right": sum(part[1] for part in parts),
            "for_nothing": sum(part[2] for part in parts),
        }
    return total
