"""From four corner marbles and a known tray to a calibration, with the sanity checks that one picture allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.calibration import Calibration, Quad, VisionError
from vision.check import beside_grid, odd_ones
from vision.eye import Eye
from vision.geometry import check_quad, geometry
from vision.picture import check_content, decode
from vision.profile import Profile

STAGE_NAMES = ("A on the tower's side", "B on the tower's side", "B on the far side", "A on the far side")
SURELY_ODD = 1.2  # log likelihood a pixel: no lamp makes a marble of one colour so much like another


def check_tray(tray: str, profile: Profile) -> None:
    """Raises VisionError naming the lane or letter that is wrong."""
    grid = profile.grid
    lanes = tray.split("/")
    names = [name[0] for name in grid.cells[:: grid.rows]]
    if len(lanes) != grid.lanes:
        raise VisionError(f"tray text {tray!r} has {len(lanes)} lanes, not {grid.lanes}")
    for name, lane in zip(names, lanes, strict=True):
        if len(lane) != grid.rows:
            raise VisionError(f"tray text {tray!r}: lane {name} has {len(lane)} letters, not {grid.rows}")
        for row, letter in enumerate(lane, 1):
            if letter not in (*profile.colours, "."):
                allowed = " ".join((*profile.colours, "."))
                raise VisionError(f"tray text {tray!r}: {name}{row} is {letter!r}, not one of {allowed}")


def calibrate(picture: bytes, corners: Quad, tray: str, stage: Quad | None, profile: Profile) -> Calibration:
    """`picture`: the encoded file. Raises VisionError (one sentence) when anything cannot be right."""
    image = decode(picture)
    check_content(image)
    size = (image.shape[1], image.shape[0])
    check_tray(tray, profile)
    geometry(corners, profile.grid, size)
    if stage is not None:
        check_quad(stage, size, "stage corner", STAGE_NAMES, margin=0.25 * max(size))
    calibration = Calibration(size, profile.grid, corners, tray, stage, picture)
    eye = Eye(calibration, profile)
    odd = odd_ones(eye.known, profile.colours)
    if max((by for *_, by in odd), default=0.0) > SURELY_ODD or (len(odd) > 1 and sum(by for *_, by in odd) > 1.0):
        named = ", ".join(f"{cell} (told {told}) looks like {best}" for cell, told, best, _ in odd[:4])
        raise VisionError(f"the picture does not agree with the tray text or the corners: {named}")
    if beside_grid(eye) > 1.15:
        raise VisionError("the corners are not on marbles: the marbles seem to lie half a cell beside them")
    return calibration


@dataclass(frozen=True)
class Fit:
    """How well a calibration reads its own picture. `text`: in plain words."""

    text: str
    differs: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"text": self.text, "differs": list(self.differs)}


def fit_words(calibration: Calibration, profile: Profile) -> Fit:
    """Read the calibration picture back (a dry run before the first game)."""
    eye = Eye(calibration, profile)
    reading = eye.read(decode(calibration.picture))
    told = calibration.tray.replace("/", "")
    differs = tuple(name for name, letter in zip(eye.cells, told, strict=True) if reading.cells[name].colour != letter)
    words = [f"all {len(told)} cells read back as told" if not differs else f"not sure of {' '.join(differs)}"]
    words += [f"{cell} looks rather like {best}" for cell, _, best, _ in odd_ones(eye.known, profile.colours)]
    level = float(np.percentile(eye.reference.max(axis=2), 60))
    if level < 50:
        words.append("the picture is dark, blue will be unreliable: more light, or a longer exposure")
    return Fit("calibrated: " + "; ".join(words), differs)
