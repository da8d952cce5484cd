"""What one frame costs: the whole pipeline as `run` uses it, and beside it the usual way of finding coloured balls.

Both get the same pictures in the same run, one after the other and on one thread. Counted is that thread's time on the
processor, not the clock's, and of a few times through the clip the least that each frame took: neither what else the
machine does nor a video decoder that works ahead must make a frame look dear.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import reduce
from typing import Any

import cv2
import numpy as np

from companion.errors import InputError
from companion.pipeline import Pipeline
from companion.rules.rematch.watch import OTHER, ClearSeen, Turn, Watcher
from hardware.camera import Camera, Frame
from vision.calibration import Calibration, Point, Quad, VisionError
from vision.eye import Eye
from vision.gaze import Gaze
from vision.geometry import Geometry
from vision.picture import Image, decode

LARGEST_SCALE = 8
RUNS = 5
READY_BYTES = 256_000_000
"""Of frames made ready at once: the first one after that pays for it, with 3 ms of cold caches."""
USUAL_ALWAYS, USUAL_THEN = 100, 20
"""The usual way is slow: so many frames it gets all, then one in so many."""

_HUES = {"R": ((0, 9), (170, 179)), "Y": ((18, 36),), "B": ((95, 130),)}
_SATURATION, _VALUE = 80, 50
_EDGE, _VOTES = 50, 15
"""Of eight pairs tried on the first pictures of eleven clips these read most marbles (84 %; 100 and 30 read 15 %)."""


@dataclass(frozen=True)
class Figures:
    """Milliseconds a frame. `ratio`: how many times less the pipeline takes than the usual way (medians)."""

    frames: int
    ms_p50: float
    ms_p95: float
    usual_ms_p50: float
    ratio: float

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def enlarge(image: Image, scale: int) -> Image:
    if scale == 1:
        return image
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR), np.uint8)


def enlarged(calibration: Calibration, scale: int) -> Calibration:
    """The same table as a camera with so many times the pixels a side would have been calibrated."""
    if scale == 1:
        return calibration
    done, data = cv2.imencode(".png", enlarge(decode(calibration.picture), scale))
    if not done:
        raise VisionError(f"the calibration picture cannot be enlarged {scale} times")
    return replace(
        calibration,
        size=(calibration.size[0] * scale, calibration.size[1] * scale),
        corners=_enlarged(calibration.corners, scale),
        stage=None if calibration.stage is None else _enlarged(calibration.stage, scale),
        picture=data.tobytes(),
    )


def _enlarged(quad: Quad, scale: int) -> Quad:
    def moved(point: Point) -> Point:
        # the middle of the first pixel is 0, its edge −½: as cv2.resize has it
        return ((point[0] + 0.5) * scale - 0.5, (point[1] + 0.5) * scale - 0.5)

    return (moved(quad[0]), moved(quad[1]), moved(quad[2]), moved(quad[3]))


class UsualWay:
    """Colour masks of the whole frame, circles by Hough, each circle the colour of most of its pixels."""

    def __init__(self, geometry: Geometry, cells: tuple[str, ...]) -> None:
        self._centres = geometry.to_picture(geometry.centres)
        self._cells = cells
        self._radius = geometry.radius * geometry.scale
        self._kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))

    def read(self, image: Image) -> dict[str, str]:
        """Cell → letter, "." where no circle is."""
        hsv = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2HSV), np.uint8)
        masks = {colour: self._mask(hsv, ranges) for colour, ranges in _HUES.items()}
        grey = cv2.medianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), 5)
        r = self._radius
        circles = cv2.HoughCircles(
            grey,
            cv2.HOUGH_GRADIENT,
            1,
            1.5 * r,
            param1=_EDGE,
            param2=_VOTES,
            minRadius=int(0.7 * r),
            maxRadius=int(1.3 * r),
        )
        out = dict.fromkeys(self._cells, ".")
        for x, y, size in circles.reshape(-1, 3) if circles is not None else ():
            away = np.hypot(self._centres[:, 0] - x, self._centres[:, 1] - y)
            i = int(away.argmin())
            if away[i] < r:
                out[self._cells[i]] = _most(masks, float(x), float(y), float(size))
        return out

    def _mask(self, hsv: Image, ranges: tuple[tuple[int, int], ...]) -> Image:
        parts = [
            cv2.inRange(hsv, np.array([low, _SATURATION, _VALUE]), np.array([high, 255, 255])) for low, high in ranges
        ]
        return np.asarray(cv2.morphologyEx(reduce(cv2.bitwise_or, parts), cv2.MORPH_OPEN, self._kernel), np.uint8)


def _most(masks: dict[str, Image], x: float, y: float, radius: float) -> str:
    reach = 0.7 * radius  # the square inside the circle
    part = (slice(max(0, int(y - reach)), int(y + reach) + 1), slice(max(0, int(x - reach)), int(x + reach) + 1))
    counts = {colour: int(np.count_nonzero(mask[part])) for colour, mask in masks.items()}
    best = max(counts, key=lambda colour: counts[colour])
    return best if counts[best] else "."


def bench(
    open_camera: Callable[[], Camera],
    make_eye: Callable[[Calibration], Eye],
    calibration: Calibration,
    scale: int = 1,
    runs: int = RUNS,
    clock: Callable[[], int] = time.thread_time_ns,
) -> Figures:
    """`open_camera`: the clip, from its beginning each time. Raises InputError: its pictures cannot be used with this
    table; CameraError: it cannot be read."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        eye = make_eye(enlarged(calibration, scale))
        usual = UsualWay(eye.geometry, eye.cells)
        own_ns: list[list[int]] = []
        usual_ns: list[list[int]] = []
        for _ in range(runs):
            # the whole clip each, not frame by frame: the usual way would leave the other one no cache, as nothing in
            # `run` does
            camera = open_camera()
            own_ns.append(_own(_frames(camera, scale), eye, camera.name, clock))
            usual_ns.append(_beside(_frames(open_camera(), scale), usual, clock))
    finally:
        cv2.setNumThreads(threads)
    own, others = (np.array(each).min(axis=0) / 1e6 for each in (own_ns, usual_ns))
    half, beside = float(np.median(own)), float(np.median(others))
    return Figures(
        len(own),
        round(half, 3),
        round(float(np.percentile(own, 95)), 3),
        round(beside, 3),
        round(beside / max(half, 1e-3), 1),
    )


def _own(frames: Iterator[Frame], eye: Eye, name: str, clock: Callable[[], int]) -> list[int]:
    """Nanoseconds of each frame in the pipeline."""
    watcher = Watcher(Turn("A", {"A": ""}))
    pipeline = Pipeline(Gaze(eye), watcher, None)
    took: list[int] = []
    for frame in frames:
        start = clock()
        try:
            happened = pipeline.frame(frame)
        except VisionError as error:
            raise InputError(f"clip {name}: {error}") from error
        took.append(clock() - start)
        for one in happened:
            if isinstance(one, ClearSeen) and one.legal:
                watcher.turn = Turn(OTHER[one.player], watcher.turn.broken)
    if not took:
        raise InputError(f"clip {name}: holds no frame")
    return took


def _beside(frames: Iterator[Frame], usual: UsualWay, clock: Callable[[], int]) -> list[int]:
    """Nanoseconds of each frame that the usual way is given."""
    took: list[int] = []
    for i, frame in enumerate(frames):
        if i < USUAL_ALWAYS or i % USUAL_THEN == 0:
            start = clock()
            usual.read(frame.image)
            took.append(clock() - start)
    return took


def _frames(camera: Camera, scale: int) -> Iterator[Frame]:
    """Made ready some at a time: to decode and enlarge one before each that is timed would empty the caches."""
    ready: list[Frame] = []
    size = 0
    try:
        while (frame := camera.read()) is not None:
            large = enlarge(frame.image, scale)
            ready.append(Frame(large, frame.t_ns))
            size += large.nbytes
            if size > READY_BYTES:
                yield from ready
                ready, size = [], 0
        yield from ready
    finally:
        camera.close()
