"""What the eye makes of the newest picture, for people who look: the upright tray, each cell and how sure it is.

The thread that sees only keeps what it has anyway (`Kept`); everything here is worked out by whoever asks.
"""

from __future__ import annotations

import base64
import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera import Frame
from vision.calibrate import GRADES, present
from vision.eye import Eye
from vision.gaze import Gaze, Sight
from vision.geometry import transform
from vision.picture import Image, decode
from vision.reaim import View
from vision.refine import beside

Floats = npt.NDArray[np.float64]

COARSEST, FINEST = 2.0, 3.0
"""Pixels of the shown tray for each of the patch that is read: about the camera's own, and smooth on a large screen."""
QUALITY = 85
SHOWN = 0.01
"""A second best that is less likely is not worth a word."""
LIVELY = 0.35
"""Of a marble's pixels the most colourful make its swatch: clear glass and highlights are grey in every marble."""


@dataclass(frozen=True, eq=False)
class Kept:
    """One processed picture. `view`: how it was made to look as from the camera's old place; None: not at all.

    `fans_ns`: when each fan was last seen where it is held to lie.
    """

    frame: Frame
    sight: Sight
    eye: Eye
    view: View | None
    fans_ns: Mapping[str, int] = field(default_factory=dict)

    @property
    def t_ns(self) -> int:
        return self.frame.t_ns

    def to_json(self) -> dict[str, Any]:
        sight, fixed = self.sight, fixed_of(self.eye)
        return {
            "tray": sight.tray,
            "settled": sight.settled,
            "moving": list(sight.moving),
            "hand": sight.hand,
            "covers": list(sight.covers),
            "size": list(fixed.size),
            "cells": self._cells(fixed),
            "mask": self._mask(),
            "aim": self._aim(fixed),
            "light": self._light(),
            "references": self._references(fixed),
            "fans": {fan: {"place": place, "seen_ms": self._seen_ms(fan)} for fan, place in sight.fans.items()},
        }

    def jpeg(self) -> bytes:
        """The upright tray, sharper than it is read."""
        fixed = fixed_of(self.eye)
        matrix = fixed.to_shown if self.view is None else fixed.to_shown @ np.linalg.inv(self.view.to_now)
        shown = cv2.warpPerspective(
            self.frame.image, matrix, fixed.size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        )
        return cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()

    def _seen_ms(self, fan: str) -> int | None:
        seen_ns = self.fans_ns.get(fan)
        return None if seen_ns is None else (self.t_ns - seen_ns) // 1_000_000

    # -- parts -----------------------------------------------------------------------------------------

    def _cells(self, fixed: Fixed) -> dict[str, Any]:
        sight, glance = self.sight, self.sight.glance
        cells: dict[str, Any] = {}
        letters = sight.tray.replace("/", "")
        for i, name in enumerate(self.eye.cells):
            reading = None if glance is None else glance.reading.cells[name]
            chances = None if glance is None or glance.chances is None else glance.chances[:, i]
            cells[name] = {
                "colour": letters[i],
                "confidence": 0.0 if reading is None else round(reading.confidence, 4),
                "best": [] if chances is None else _best((*self.eye.profile.colours, "."), chances),
                "covered": name in sight.covers or (glance is not None and name in glance.reading.occluded),
                "cover": 0.0 if glance is None else round(glance.cover[name], 3),
                "moving": name in sight.moving,
                "at": fixed.places[i],
            }
        return cells

    def _mask(self) -> dict[str, Any] | None:
        """What is hidden or changed round the marbles, a bit a pixel, rows one after another."""
        glance = self.sight.glance
        if glance is None or not glance.changed.any():
            return None
        height, width = glance.changed.shape
        bits = base64.b64encode(np.packbits(glance.changed.ravel()).tobytes()).decode()
        return {"size": [width, height], "bits": bits, "share": round(glance.foreign, 3)}

    def _aim(self, fixed: Fixed) -> dict[str, Any]:
        aim = self.sight.aim
        to_now = np.eye(3) if self.view is None else self.view.to_now
        width, height = self.eye.calibration.size
        now = transform(to_now, fixed.in_picture)
        return {
            "ok": aim.ok,
            "shift_px": aim.shift_px,
            "radius_px": round(self.eye.geometry.radius * self.eye.geometry.scale, 1),
            "moved_px": None if self.view is None else round(self.view.shift_px, 1),
            "fit_px": round(fixed.fit_px, 2),
            "fit": fixed.fit,
            # of the whole picture, so that it fits whatever size the picture is shown at
            "grid": [[round(float(x) / width, 5), round(float(y) / height, 5)] for x, y in now],
            "picture": [width, height],
        }

    def _light(self) -> dict[str, Any] | None:
        glance = self.sight.glance
        if glance is None or glance.trust == 0:
            return None
        u, v, w = glance.light
        # the step (u, v, w) of the logs as what it does to red, green and blue together, and against one another
        return {
            "brightness": round(math.exp(w), 3),
            "red": round(u, 3),
            "blue": round(v, 3),
            "trust": round(glance.trust, 3),
        }

    def _references(self, fixed: Fixed) -> dict[str, Any]:
        """Each colour as it was calibrated, as its marbles look in this light, and how many of them there are."""
        glance, letters = self.sight.glance, self.sight.tray.replace("/", "")
        swatches: dict[str, Any] = {}
        for colour in self.eye.profile.colours:
            own = [i for i, letter in enumerate(letters) if letter == colour]
            now = None if glance is None or not own else _swatch(glance.patch, fixed.discs, own)
            swatches[colour] = {"calibrated": fixed.swatches.get(colour), "now": now, "count": len(own)}
        return swatches


def keep(frame: Frame, sight: Sight, gaze: Gaze, last: Kept | None) -> Kept:
    """What is kept of this picture; `last`: of the one before. The only thing here that the thread that sees does."""
    fans_ns = {} if last is None else last.fans_ns
    looked_ns, shown = gaze.fans_seen
    now = {
        fan: looked_ns
        for fan, place in sight.fans.items()
        if place is not None and shown.get(fan) == place and fans_ns.get(fan) != looked_ns
    }
    return Kept(frame, sight, gaze.eye, gaze.view, {**fans_ns, **now} if now else fans_ns)


@dataclass(frozen=True, eq=False)
class Fixed:
    """What one eye shows in every picture. `places`: the cells in the shown tray; `in_picture`: at the calibration.

    Both begin with the cells; `in_picture` is followed by the four corners of what is shown. `to_shown`: 3×3, picture
    of the calibration → shown tray; `fit_px`, `fit`: how far marbles lay beside the grid, and the word for it.
    """

    size: tuple[int, int]
    to_shown: Floats
    places: list[list[float]]
    in_picture: Floats
    discs: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]
    swatches: dict[str, str]
    fit_px: float
    fit: str


@functools.lru_cache(maxsize=1)  # an eye holds some MB, and there is one at a time
def fixed_of(eye: Eye) -> Fixed:
    plane, calibration = eye.geometry, eye.calibration
    width, height = plane.size
    scale = min(FINEST, max(COARSEST, plane.scale))
    size = (round(width * scale), round(height * scale))
    # pixel centres stay pixel centres
    grow = np.array([[scale, 0, (scale - 1) / 2], [0, scale, (scale - 1) / 2], [0, 0, 1]])
    radius = plane.radius / width
    places = [
        [round((float(x) + 0.5) / width, 5), round((float(y) + 0.5) / height, 5), round(radius, 5)]
        for x, y in plane.centres
    ]
    rim = np.array([[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]], np.float32)
    in_picture = plane.to_picture(np.concatenate([plane.centres, rim]))
    reach = int(plane.radius * 0.8)
    ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    inside = xs * xs + ys * ys <= reach * reach
    middle = np.round(plane.centres).astype(np.intp)
    discs = (middle[:, 1:2] + ys[inside], middle[:, 0:1] + xs[inside])
    letters = calibration.tray.replace("/", "")
    swatches = {
        colour: _swatch(eye.reference, discs, [i for i, letter in enumerate(letters) if letter == colour])
        for colour in eye.profile.colours
    }
    here = present(calibration.tray, eye.profile)
    fit_px = beside(decode(calibration.picture), calibration.corners, calibration.grid, here)
    share = fit_px / (plane.radius * plane.scale)
    fit = next((word for word, most in GRADES if share < most), "poor")
    return Fixed(size, grow @ plane.to_patch, places, np.asarray(in_picture, np.float64), discs, swatches, fit_px, fit)


def _best(letters: tuple[str, ...], chances: npt.NDArray[Any]) -> list[list[Any]]:
    """The two likeliest letters of a cell with their chances, as far as they are worth a word."""
    order = np.argsort(chances)[::-1][:2]
    return [[letters[k], round(float(chances[k]), 4)] for k in order if chances[k] >= SHOWN]


def _swatch(patch: Image, discs: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]], cells: list[int]) -> str:
    """#rrggbb of these cells' marbles."""
    pixels = patch[discs[0][cells], discs[1][cells]].reshape(-1, 3).astype(np.float32)
    lively = pixels.max(axis=1) - pixels.min(axis=1)
    some = pixels[lively >= np.quantile(lively, 1 - LIVELY)]
    blue, green, red = (round(float(value)) for value in some.mean(axis=0))
    return f"#{red:02x}{green:02x}{blue:02x}"
