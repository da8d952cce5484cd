"""The eye: one picture in, one reading out. It keeps no memory between pictures; time is Gaze's business."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.aim import Anchor
from vision.arrays import Floats, Index, Mask
from vision.calibration import Calibration, VisionError
from vision.colour import Palette, learn_palette, uvw
from vision.form import Form
from vision.geometry import geometry
from vision.picture import Image, decode
from vision.profile import Profile
from vision.reading import CellReading, Reading
from vision.stage import Stage
from vision.surround import Surround, Surroundings, half

SURE = 0.9  # a reading less likely than this is "?"


@dataclass(frozen=True, eq=False)
class Glance:
    """Everything one picture gave, for those who look at many in a row.

    `patch`: the upright tray (BGR); `changed`: half-size mask of surroundings that are hidden or changed; `cover`: cell → 0–1,
    how far it seems hidden; `foreign`: 0–1, share of the surroundings that is changed (a hand, or a knock); `light`: the
    mean step (u, v, w) of the light against the calibration; `trust`: 0–1, how clearly the light could be told.
    """

    reading: Reading
    patch: Image
    changed: Mask
    cover: dict[str, float]
    foreign: float
    light: tuple[float, float, float]
    trust: float


class Eye:
    """Reads stills of one calibrated table. Building it derives everything from the calibration picture (~0.1 s)."""

    def __init__(self, calibration: Calibration, profile: Profile) -> None:
        """Raises VisionError when the calibration picture cannot be used."""
        self.calibration, self.profile = calibration, profile
        self.grid = calibration.grid
        self.cells = self.grid.cells
        image = decode(calibration.picture)
        if (image.shape[1], image.shape[0]) != tuple(calibration.size):
            raise VisionError(
                f"the calibration picture is {image.shape[1]}x{image.shape[0]}, not {calibration.size[0]}x{calibration.size[1]}"
            )
        self.geometry = geometry(calibration.corners, self.grid, calibration.size)
        patch = self.geometry.warp(image)
        letters = calibration.tray.replace("/", "")
        present = np.array([letter in profile.colours for letter in letters])
        for colour in profile.colours:
            if colour not in letters:
                raise VisionError(
                    f"the tray shows no {colour} marble: lay at least one of each colour and calibrate again"
                )
        self._pixels = self._disc_pixels()
        discs = self._discs(patch)
        self.palette: Palette = learn_palette(
            [discs[i] for i in np.nonzero(present)[0]], [letters[i] for i in np.nonzero(present)[0]], profile.colours
        )
        small = half(patch)
        self.surroundings = Surroundings(self.geometry, patch)
        self.form = Form(self.geometry, small, present)
        self.anchor = Anchor(image, self.geometry)
        self.stage = Stage(image, calibration.stage, profile, self.palette) if calibration.stage else None

    def _disc_pixels(self) -> tuple[Index, Index]:
        radius = self.geometry.radius * 0.8
        reach = int(radius) + 1
        ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        inside = xs * xs + ys * ys <= radius * radius
        centres = np.round(self.geometry.centres).astype(int)
        return centres[:, 1:2] + ys[inside][None, :], centres[:, 0:1] + xs[inside][None, :]

    def _discs(self, patch: Image) -> Floats:
        """cells × pixels × 3 (u, v, w) of the discs where marbles lie."""
        return uvw(patch[self._pixels])

    def patch(self, image: Image) -> Image:
        """The upright tray: the cheap first step of `look`."""
        return self.geometry.warp(image)

    def read(self, image: Image) -> Reading:
        """One still. Raises VisionError when the picture's size is not the calibration's."""
        return self.look(image).reading

    def look(self, image: Image, patch: Image | None = None) -> Glance:
        """As `read`, with everything seen on the way. `patch`: from `self.patch`, when it is at hand already."""
        if (image.shape[1], image.shape[0]) != tuple(self.calibration.size):
            raise VisionError(
                f"the picture is {image.shape[1]}x{image.shape[0]}; "
                f"the table was calibrated at {self.calibration.size[0]}x{self.calibration.size[1]}"
            )
        patch = self.geometry.warp(image) if patch is None else patch
        small = half(patch)
        surround = self.surroundings.compare(small)
        aim = self.anchor.check(image, surround.foreign)
        if not aim.ok:
            cells = dict.fromkeys(self.cells, CellReading("?", 0.0))
            fans: dict[str, str | None] = dict.fromkeys(self.profile.tokens)
            occluded: tuple[str, ...] = ()
        else:
            cells, occluded = self._cells(patch, small, surround)
            fans = (
                self.stage.read(image, surround.steps.mean(axis=0))
                if self.stage
                else dict.fromkeys(self.profile.tokens)
            )
        text = "".join(cells[name].colour for name in self.cells)
        rows = self.grid.rows
        tray = "/".join(text[i : i + rows] for i in range(0, len(text), rows))
        light = surround.steps.mean(axis=0)
        return Glance(
            Reading(tray, cells, fans, occluded, aim),
            patch,
            surround.changed,
            {name: float(surround.cover[i]) for i, name in enumerate(self.cells)},
            surround.foreign,
            (float(light[0]), float(light[1]), float(light[2])),
            surround.trust,
        )

    def _fit_light(self, values: Floats, surround: Surround) -> tuple[Floats, Floats]:
        """The one step of light, beside the field told by the surroundings, that explains the marbles best.

        Returns the steps (cells × 3) and scores (colours × cells).
        """
        n = values.shape[1]
        few = values[:, :: max(1, n // 45)]
        weight = 1.0 - np.minimum(1.0, 2.0 * surround.cover)
        steps = surround.steps[:, None, :]
        base = few - steps
        best = np.zeros(3, np.float32)

        def worth(step: Floats) -> float:
            score = self.palette.score(base, step).mean(axis=2).max(axis=0)
            # cells that fit nothing (empty, hidden) must not pull
            kept = np.maximum(score - self.palette.typical.min(), -1.5)
            return float((kept * weight).sum()) - float(4.0 * (step[0] ** 2 + step[1] ** 2) + 1.5 * step[2] ** 2)

        value = worth(best)
        for size in (0.2, 0.1, 0.05):
            for _ in range(4):
                moved = False
                for axis in range(3):
                    for sign in (-1, 1):
                        trial = best.copy()
                        trial[axis] += sign * size
                        other = worth(trial)
                        if other > value + 1e-6:
                            best, value, moved = trial, other, True
                if not moved:
                    break
        full = self.palette.score(values - steps, best).mean(axis=2)
        return surround.steps + best, full

    def _cells(self, patch: Image, small: Image, surround: Surround) -> tuple[dict[str, CellReading], tuple[str, ...]]:
        values = self._discs(patch)
        _, score = self._fit_light(values, surround)
        fit = self.form.fit(small)
        cells: dict[str, CellReading] = {}
        occluded = []
        for i, name in enumerate(self.cells):
            column = score[:, i]
            k = int(column.argmax())
            odds = np.exp(np.minimum(0, SHARPNESS * (column - column[k])))
            colour_share = float(odds[k] / odds.sum())
            own = float(column[k] - self.palette.typical[k])
            roundness = float(fit[i] / self.form.typical)
            marble = _logistic(WEIGHTS[0] + WEIGHTS[1] * own + WEIGHTS[2] * roundness)
            hidden = _logistic(14 * (float(surround.cover[i]) - 0.28))
            visible_marble = marble * colour_share
            empty = (1 - marble) * (1 - hidden)
            if visible_marble >= SURE and visible_marble >= empty:
                cells[name] = CellReading(self.palette.colours[k], round(visible_marble, 4))
            elif empty >= SURE:
                cells[name] = CellReading(".", round(empty, 4))
            else:
                cells[name] = CellReading("?", round(max(0.0, 1 - max(visible_marble, empty)), 4))
                if hidden > 0.5:
                    occluded.append(name)
        self._count(cells)
        return cells, tuple(occluded)

    def _count(self, cells: dict[str, CellReading]) -> None:
        """More of a colour than there are marbles is a misread: the least sure of them are not known."""
        for colour in self.profile.colours:
            names = [name for name, cell in cells.items() if cell.colour == colour]
            for name in sorted(names, key=lambda name: cells[name].confidence)[
                : max(0, len(names) - self.profile.most)
            ]:
                cells[name] = CellReading("?", 0.5)


SHARPNESS = 8.0  # a disc's pixels are far from independent: so many count
WEIGHTS = (-2.0, 3.0, 9.0)  # of a marble: constant, colour fit, roundness; see docs/decisions/vision-stills.md


def _logistic(x: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(x, -30, 30))))
