"""The camera knocked in the middle of recorded clips, at random: is it noticed, found again, and never read wrongly?

    python -m tests.slow.fuzz_knocks FOLDER [--knocks 5] [--seed 1] [--no-drops]

FOLDER holds clips with their truth. From a random frame on the pictures are shifted, turned, zoomed or tilted, or
turned upside down; some knocks swing for a few frames first. Told for each kind: how long until "aim_lost" and
"aim_found", what became of the clears, and what settled readings said of cells that lay still.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np

from companion.replaying import replay
from companion.scoring import score
from companion.stills import PROFILE
from hardware.camera import Frame
from hardware.cameras import ClipCamera
from hardware.counting import DropCounter
from hardware.edge_file import read_edges
from vision.arrays import Floats
from vision.calibrate import calibrate
from vision.eye import Eye
from vision.gaze import Gaze, Sight
from vision.picture import Image

KINDS = ("shift", "turn", "zoom", "tilt", "all", "upside_down", "back")
MOVED = 0.35
"""Marble radii that the cells must move on average to be a knock: less does no harm, and may stay unnoticed."""


@dataclass(frozen=True)
class Knock:
    """`path`: where the picture lies from frame `at` on, one 3×3 a frame; the last one stays."""

    kind: str
    at: int
    path: tuple[Floats, ...]

    def apply(self, image: Image, i: int) -> Image:
        if i < self.at:
            return image
        matrix = self.path[min(i - self.at, len(self.path) - 1)]
        size = (image.shape[1], image.shape[0])
        return np.asarray(cv2.warpPerspective(image, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def draw(rng: random.Random, kind: str, frames: int, size: tuple[int, int]) -> Knock:
    width, height = size
    turn = rng.uniform(1, 12) * rng.choice([-1, 1]) if kind in ("turn", "all") else 0.0
    zoom = rng.choice([rng.uniform(0.8, 0.97), rng.uniform(1.03, 1.2)]) if kind in ("zoom", "all") else 1.0
    along = rng.uniform(0.01, 0.07) * width if kind in ("shift", "all", "back") else 0.0
    way = rng.uniform(0, 2 * np.pi)
    if kind == "upside_down":
        turn = 180.0
    end = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), turn, zoom), [0, 0, 1]])
    end[:2, 2] += along * np.cos(way), along * np.sin(way)
    if kind in ("tilt", "all"):
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        bent = corners + np.array([[rng.uniform(-0.04, 0.04) * width for _ in "xy"] for _ in range(4)], np.float32)
        end = cv2.getPerspectiveTransform(corners, bent) @ end
    path = [end]
    if kind == "back":
        path = [end] * rng.randint(3, 25) + [np.eye(3)]
    elif rng.random() < 0.5:  # it swings before it stands
        path = [np.eye(3) + s * (end - np.eye(3)) for s in (0.6, 1.3, 0.8, 1.1)] + path
    # what lay there before must have been seen once: nobody can tell what left a tray that was never seen
    return Knock(kind, rng.randrange(6, frames - 2), tuple(path))


class Knocked:
    name = "knocked"

    def __init__(self, images: list[Image], fps: float, knock: Knock) -> None:
        self._frames = iter([Frame(knock.apply(image, i), round(i * 1e9 / fps)) for i, image in enumerate(images)])

    def read(self) -> Frame | None:
        return next(self._frames, None)

    def close(self) -> None: ...


class Remembering(Gaze):
    def __init__(self, eye: Eye) -> None:
        super().__init__(eye)
        self.sights: list[Sight] = []

    def look(self, image: Image, t_ns: int) -> Sight:
        sight = super().look(image, t_ns)
        self.sights.append(sight)
        return sight


@dataclass
class Figures:
    counts: Counter[str] = field(default_factory=Counter)
    lost: list[float] = field(default_factory=list)
    found: list[float] = field(default_factory=list)

    def text(self) -> str:
        times = [
            f"{name} {median(values):.1f} s (at most {max(values):.1f})"
            for name, values in (("lost after", self.lost), ("found after", self.found))
            if values
        ]
        return ", ".join([*(f"{name} {count}" for name, count in sorted(self.counts.items())), *times])


@cache
def clip_of(folder: Path) -> tuple[dict[str, Any], Eye, list[Image]]:
    truth = json.loads((folder / "truth.json").read_text())
    made = truth["calibration"]
    corners, board = (tuple(tuple(map(float, p)) for p in made[key]) for key in ("corner_centres", "board_corners"))
    picture = (folder / made["image"]).read_bytes()
    eye = Eye(calibrate(picture, corners, made["tray"], board, PROFILE), PROFILE)
    return truth, eye, list(_images(folder / truth["clip"]))


def _images(path: Path) -> Iterator[Image]:
    camera = ClipCamera(path)
    while (frame := camera.read()) is not None:
        yield frame.image
    camera.close()


def try_one(folder: Path, knock: Knock, drops: bool, into: Figures) -> list[str]:
    """What went wrong, one sentence each."""
    truth, eye, images = clip_of(folder)
    gaze = Remembering(eye)
    edges = read_edges(folder / "drops.csv") if drops else []
    camera = Knocked(images, truth["fps"], knock)
    said = list(replay(camera, gaze, DropCounter() if drops else None, edges, truth["player"], truth["broken"]))
    result = score(truth, said, f"{folder.name} {knock.kind} at frame {knock.at}")
    counts = into.counts
    for name in ("clears", "right", "wrong", "asked", "missed", "invented", "invented_questions"):
        counts[name] += getattr(result, name)
    start, bumped = knock.at / truth["fps"], [e["t"] for e in truth["events"] if e["type"] == "camera_bumped"]
    places = eye.geometry.to_picture(eye.geometry.centres)
    there = cv2.perspectiveTransform(places[:, None], knock.path[0])[:, 0]
    if knock.kind != "back" or len(knock.path) * 1.0 / truth["fps"] > 1:
        moved = float(np.hypot(*(there - places).T).mean())
        big = moved > MOVED * eye.geometry.radius * eye.geometry.scale
        lost = [e["t"] for e in said if e["event"] == "aim_lost" and e["t"] >= start - 0.01]
        if big and not any(t <= start for t in bumped) and len(images) / truth["fps"] - start > 1:
            counts["knocks"] += 1
            counts["noticed in 1 s"] += bool(lost) and lost[0] - start <= 1.0
            into.lost += [round(lost[0] - start, 2)] if lost else []
            again = [e["t"] for e in said if e["event"] == "aim_found" and lost and e["t"] > lost[0]]
            counts["found"] += bool(again)
            into.found += [round(again[0] - start, 2)] if again else []
    wrong = _misread(gaze.sights, truth)
    counts["settled readings wrong"] += len(wrong)
    bad = [note for note in result.notes if " told " in note or " invented " in note or " missed " in note]
    return [*wrong, *(note for note in bad if "for nothing" not in note)]


def _misread(sights: list[Sight], truth: dict[str, Any]) -> list[str]:
    """Settled readings that say another colour than lies there, in the cells that lie still."""
    found = []
    for sight, frame in zip(sights, truth["frames"], strict=False):
        if sight.settled and not frame["moving"]:
            pairs = zip(sight.tray, frame["tray"], strict=True)
            if any(seen not in ("?", lies) for seen, lies in pairs):
                found.append(f"settled on {sight.tray} at {frame['t']} s, {frame['tray']} lies there")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--knocks", type=int, default=5, help="a kind and a clip (5)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--no-drops", action="store_true")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    figures: dict[str, Figures] = defaultdict(Figures)
    for path in sorted(args.folder.glob("*/truth.json")):
        _, _, images = clip_of(path.parent)
        for kind in args.kinds.split(","):
            for number in range(args.knocks):
                rng = random.Random(f"{args.seed} {path.parent.name} {kind} {number}")
                knock = draw(rng, kind, len(images), (images[0].shape[1], images[0].shape[0]))
                for note in try_one(path.parent, knock, not args.no_drops, figures[kind]):
                    print(path.parent.name, kind, number, note, flush=True)
        clip_of.cache_clear()
        print(path.parent.name, "done", flush=True)
    for kind, one in figures.items():
        print(f"{kind}: {one.text()}")


if __name__ == "__main__":
    main()
