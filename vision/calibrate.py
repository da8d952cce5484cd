"""From four corner marbles and a known tray to a calibration, with the sanity checks that one picture allows."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vision.arrays import Mask
from vision.calibration import Calibration, Quad, VisionError
from vision.check import beside_grid, odd_ones
from vision.cold import read_cold
from vision.eye import Eye
from vision.geometry import NAMES, check_quad, geometry
from vision.picture import check_content, decode
from vision.profile import Profile
from vision.refine import beside, refine

STAGE_NAMES = ("A on the tower's side", "B on the tower's side", "B on the far side", "A on the far side")
WELL_TAPPED = 0.16  # radii that taps may lie off on average: marbles lie as loose in their lanes, so no fit is nearer
LOST_TAPS = 0.6  # radii: a fit that moves them farther may be another cell's
GRADES = (("good", 0.15), ("fair", 0.25))  # radii that marbles lie beside the grid
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
    plane = geometry(corners, profile.grid, size)
    if stage is not None:
        check_quad(stage, size, "stage corner", STAGE_NAMES, margin=0.25 * max(size))
    calibration = Calibration(size, profile.grid, corners, tray, stage, picture)
    refined = refine(image, corners, profile.grid, present(tray, profile))
    radius = plane.radius * plane.scale
    if WELL_TAPPED * radius < refined.moved <= LOST_TAPS * radius:
        try:
            return _agreeing(replace(calibration, corners=refined.corners), profile)
        except VisionError:
            pass  # the taps themselves may still do
    try:
        return _agreeing(calibration, profile)
    except VisionError as error:
        a, b, c, d = corners
        if _agrees(replace(calibration, corners=(c, d, a, b)), profile):
            raise VisionError(
                "the corners are told from the wrong end: the tray text fits with the tower on the other side "
                f"(their order is {', '.join(NAMES)})"
            ) from error
        raise


@functools.lru_cache(maxsize=1)
def eye_of(calibration: Calibration, profile: Profile) -> Eye:
    """The eye of the calibration that is at work. Building one takes half a second, a calibration asks for it three
    times; it keeps no memory between pictures, so they share it. Raises VisionError."""
    return Eye(calibration, profile)


def present(tray: str, profile: Profile) -> Mask:
    """Which cells of this tray text hold a marble."""
    return np.array([letter in profile.colours for letter in tray.replace("/", "")])


def _agrees(calibration: Calibration, profile: Profile) -> bool:
    try:
        _agreeing(calibration, profile)
    except VisionError:
        return False
    return True


def _agreeing(calibration: Calibration, profile: Profile) -> Calibration:
    """The same calibration. Raises VisionError when the picture contradicts it."""
    eye = eye_of(calibration, profile)
    odd = odd_ones(eye.known, profile.colours)
    if max((by for *_, by in odd), default=0.0) > SURELY_ODD or (len(odd) > 1 and sum(by for *_, by in odd) > 1.0):
        named = ", ".join(f"{cell} (told {told}) looks like {best}" for cell, told, best, _ in odd[:4])
        raise VisionError(f"the picture does not agree with the tray text or the corners: {named}")
    # marbles that are like another letter's, and of its hue to an eye that was told nothing: a slip in the text
    cold = read_cold(decode(calibration.picture), calibration.corners, profile).cells if odd else {}
    slips = [one for one in odd if cold[one[0]].colour == one[2]]
    if slips:
        named = ", ".join(f"{cell} (told {told}) looks like {best}" for cell, told, best, _ in slips[:4])
        raise VisionError(f"the picture does not agree with the tray text: {named}")
    if beside_grid(eye) > 1.15:
        raise VisionError("the corners are not on marbles: the marbles seem to lie half a cell beside them")
    return calibration


@dataclass(frozen=True)
class Fit:
    """How well a calibration reads its own picture. `text`: in plain words.

    `differs`: cells that are not read back as told; `odd`: those that look rather like another colour;
    `px`: how far marbles lie beside the grid, on average, pixels; `word`: good, fair or poor for marbles of that size.
    """

    text: str
    differs: tuple[str, ...]
    px: float
    word: str
    corners: Quad
    odd: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        corners = [[round(x, 2), round(y, 2)] for x, y in self.corners]
        fit = {"px": round(self.px, 2), "word": self.word}
        return {"text": self.text, "differs": list(self.differs), "fit": fit, "corners": corners}


def fit_words(calibration: Calibration, profile: Profile) -> Fit:
    """Read the calibration picture back (a dry run before the first game)."""
    eye = eye_of(calibration, profile)
    image = decode(calibration.picture)
    reading = eye.read(image)
    px = beside(image, calibration.corners, calibration.grid, present(calibration.tray, profile))
    share = px / (eye.geometry.radius * eye.geometry.scale)
    word = next((word for word, most in GRADES if share < most), "poor")
    told = calibration.tray.replace("/", "")
    differs = tuple(name for name, letter in zip(eye.cells, told, strict=True) if reading.cells[name].colour != letter)
    words = [f"{px:.1f} px, {word}"]
    words += [f"all {len(told)} cells read back as told" if not differs else f"not sure of {' '.join(differs)}"]
    odd = odd_ones(eye.known, profile.colours)
    words += [f"{cell} looks rather like {best}" for cell, _, best, _ in odd]
    cold = read_cold(image, calibration.corners, profile).cells
    unlike = {cell: best for cell, _, best, _ in odd}
    for cell, letter in zip(eye.cells, told, strict=True):
        hue = cold[cell].colour
        if cell not in unlike and letter in profile.colours and hue in profile.colours and hue != letter:
            words.append(f"{cell} has the hue of {hue}")
            unlike[cell] = hue
    bare = [name for name, alone in zip(eye.cells, eye.surroundings.bare, strict=True) if alone]
    if bare:
        words.append(f"no wall is in view beside {' '.join(bare)}: never read as empty there, put the camera higher")
    level = float(np.percentile(eye.reference.max(axis=2), 60))
    if level < 50:
        words.append("the picture is dark, blue will be unreliable: more light, or a longer exposure")
    return Fit("calibrated: " + "; ".join(words), differs, px, word, calibration.corners, tuple(unlike))
