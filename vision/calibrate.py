"""From four corner marbles and a known tray to a calibration, with the sanity checks that one picture allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from vision.calibration import Calibration, Quad, VisionError
from vision.geometry import check_quad, geometry
from vision.picture import check_content, decode
from vision.profile import Profile


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
    from vision.eye import Eye

    image = decode(picture)
    check_content(image)
    size = (image.shape[1], image.shape[0])
    check_tray(tray, profile)
    geometry(corners, profile.grid, size)
    if stage is not None:
        check_quad(stage, size, "stage corner", ("1", "2", "3", "4"), margin=0.25 * max(size))
    calibration = Calibration(size, profile.grid, corners, tray, stage, picture)
    Eye(calibration, profile)
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
    from vision.eye import Eye

    eye = Eye(calibration, profile)
    reading = eye.read(decode(calibration.picture))
    told = calibration.tray.replace("/", "")
    differs = tuple(name for name, letter in zip(eye.cells, told, strict=True) if reading.cells[name].colour != letter)
    if not differs:
        return Fit(f"calibrated, all {len(told)} cells read back as told", ())
    return Fit(
        f"calibrated, {len(told) - len(differs)} of {len(told)} cells read back as told, not {' '.join(differs)}",
        differs,
    )
