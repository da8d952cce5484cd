"""Pictures of what was misread: the still with its cells drawn, or a clip's frame, with what was told and the truth."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from companion.errors import InputError
from companion.evaluation import Scored
from companion.scoring import ClipScore
from companion.stills import read_bytes
from hardware.camera import CameraError
from hardware.cameras import ClipCamera
from vision.picture import Image, decode

GOOD, UNSURE, BAD = (80, 220, 80), (0, 220, 255), (60, 60, 255)
LINE = 16  # pixels of a line of text


def write_stills(folder: Path, scored: Iterable[Scored]) -> int:
    """One JPEG for each still with a mistake; how many. Raises InputError."""
    count = 0
    for one in scored:
        if not one.figures.mistakes:
            continue
        image = decode(read_bytes(str(one.path))).copy()
        for cell in one.truth["cells"]:
            found = one.reading.cells[f"{cell['lane']}{cell['row']}"].colour
            colour = GOOD if found == cell["colour"] else UNSURE if found == "?" else BAD
            x, y = (round(value) for value in cell["px"])
            cv2.circle(image, (x, y), round(cell["radius_px"]), colour, 1, cv2.LINE_AA)
            if found != cell["colour"]:
                _put(image, f"{found}({cell['colour']})", x - 14, y + 4, colour)
        for fan in one.truth.get("fans", ()):
            place = one.reading.fans.get(fan["colour"])
            colour = GOOD if place == fan["place"] else UNSURE if place is None else BAD
            x, y = (round(value) for value in fan["px"])
            _put(image, f"{fan['colour']} {place or '?'}({fan['place']})", x - 20, y, colour)
        _save(folder / f"{one.path.parent.name}-{one.path.stem}.jpg", _with_text(image, one.figures.mistakes))
        count += 1
    return count


def write_clip(folder: Path, clip: Path, score: ClipScore) -> int:
    """One JPEG for each mistake of a clip: the frame of the answer. Raises InputError."""
    if not score.notes:
        return 0
    try:
        camera = ClipCamera(clip)
        frames = []
        while (frame := camera.read()) is not None:
            frames.append(frame)
        camera.close()
    except CameraError as error:
        raise InputError(str(error)) from error
    for i, (note, t) in enumerate(zip(score.notes, score.times, strict=True), 1):
        frame = min(frames, key=lambda one: abs(one.t_ns - frames[0].t_ns - t * 1e9))
        _save(folder / f"{score.clip}-{i}.jpg", _with_text(frame.image.copy(), [note]))
    return len(score.notes)


def _with_text(image: Image, lines: Iterable[str]) -> Image:
    width = max(1, image.shape[1] // 8)
    parts = [line[i : i + width] for line in lines for i in range(0, len(line), width)]
    image = np.asarray(cv2.copyMakeBorder(image, 0, LINE * len(parts) + 6, 0, 0, cv2.BORDER_CONSTANT), np.uint8)
    for i, part in enumerate(reversed(parts)):
        _put(image, part, 4, image.shape[0] - 6 - LINE * i, (255, 255, 255))
    return image


def _put(image: Image, text: str, x: int, y: int, colour: tuple[int, int, int]) -> None:
    cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.42, colour, 1, cv2.LINE_AA)


def _save(path: Path, image: Image) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(cv2.imencode(".jpg", image)[1].tobytes())
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
