"""A cold read: no calibration, only the four corner cells are known, so hue has to speak for itself.

White is looked for in the picture first, for a lamp is never quite white. A cell is read when most of its middle has
one hue; a hue that is none of the known ones, or half a cell, is "?"; grey, dark, or the same as the board between the
cells is empty.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats
from vision.calibration import Quad
from vision.colour import uvw
from vision.geometry import geometry
from vision.hue import HUES, PALE, hued, polar, white, within
from vision.picture import Image
from vision.profile import Profile
from vision.reading import Aim, CellReading, Reading

GREY = 0.35  # an empty cell is no further from white
SURE = 0.8


def read_cold(image: Image, corners: Quad, profile: Profile) -> Reading:
    """Raises VisionError for impossible corners. The fans are not looked for."""
    grid = profile.grid
    place = geometry(corners, grid, (image.shape[1], image.shape[0]))
    # the patch is smaller than the picture: blur first, or single pixels speak for many
    scale = max(1.0, place.scale)
    source = cv2.GaussianBlur(image, (0, 0), 0.5 * scale) if scale > 1.3 else image
    patch = place.warp(np.asarray(source, np.uint8))
    values = uvw(patch)
    radius = 0.27 * min(place.pitch)
    ys, xs = np.mgrid[0 : patch.shape[0], 0 : patch.shape[1]]
    discs = [np.hypot(xs - x, ys - y) <= radius for x, y in place.centres]
    chroma = values[..., :2] - white(np.array([np.median(values[disc][:, :2], axis=0) for disc in discs]))
    far, angle = polar(chroma)
    between = _between(np.dstack([values, far, angle]), place.centres, place.pitch)
    cells: dict[str, CellReading] = {}
    for name, disc in zip(grid.cells, discs, strict=True):
        cells[name] = _cell(values[disc], far[disc], angle[disc], between, profile.colours)
    text = "".join(cells[name].colour for name in grid.cells)
    tray = "/".join(text[i : i + grid.rows] for i in range(0, len(text), grid.rows))
    return Reading(tray, cells, dict.fromkeys(profile.tokens), (), Aim(True, None))


def _between(values: Floats, centres: Floats, pitch: tuple[float, float]) -> Floats:
    """What the board looks like in the middle of four cells: n × (u, v, w, distance from white, angle)."""
    height, width = values.shape[:2]
    points = centres + np.array(pitch, np.float32) / 2
    x = np.clip(np.round(points[:, 0]).astype(int), 0, width - 1)
    y = np.clip(np.round(points[:, 1]).astype(int), 0, height - 1)
    return np.asarray(values[y, x])


def _cell(values: Floats, far: Floats, angle: Floats, between: Floats, colours: tuple[str, ...]) -> CellReading:
    has_hue = hued(far)
    shares = {colour: float((has_hue * within(angle, colour)).mean()) for colour in colours if colour in HUES}
    known = sum(shares.values())
    # neither grey nor a hue: pale marbles under a coloured lamp, milk glass
    other = max(0.0, 1 - known - float((1 - has_hue).mean()))
    grey = float(np.clip((GREY - far) / 0.1, 0, 1).mean())
    best = max(shares, key=lambda colour: shares[colour]) if shares else ""
    rest = known - shares.get(best, 0.0) + other
    middle = np.median(values, axis=0)
    apart = np.abs(between[:, :3] - middle)
    # the board's own hue, and no stronger: the board itself, its shadow, or white seen through it
    spread = np.median(far), np.median(angle)
    turn = np.abs((between[:, 4] - spread[1] + 180) % 360 - 180)
    tinted = bool(((turn < 25) & (spread[0] < 1.1 * between[:, 3]) & (between[:, 3] > PALE)).mean() > 0.5)
    like_board = bool(
        ((apart[:, :2].max(axis=1) < 0.2) & (apart[:, 2] < 0.45) & (middle[2] < between[:, 2] + 0.2)).mean() > 0.25
    )
    if tinted and not like_board and middle[2] > np.median(between[:, 2]) + 0.2:
        board = float(np.median(between[:, 4]))
        if any(low <= board <= high for low, high in HUES.values()):
            # brighter than a board of a known hue: a disc of that colour, or the board in a better light
            return CellReading("?", 0.5)
    if like_board or tinted:
        return CellReading(".", 0.85)
    if best and shares[best] > 0.6 and rest < 0.25:
        sure = min(1.0, shares[best] - rest + 0.15)
        return CellReading(best, round(sure, 3)) if sure >= SURE else CellReading("?", round(1 - sure, 3))
    if grey > 0.6:
        sure = min(1.0, grey + 0.25)
        return CellReading(".", round(sure, 3)) if sure >= SURE else CellReading("?", round(1 - sure, 3))
    return CellReading("?", round(1 - max(grey, *shares.values(), 0.0), 3))
