"""The eye: one picture in, one reading out. It keeps no memory between pictures; time is Gaze's business."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.aim import Anchor
from vision.arrays import Floats, Index, Mask
from vision.calibration import Calibration, VisionError
from vision.colour import REACH, U_STEP, W_STEP, Palette, Step, even_out, learn_palette, unclip, uvw
from vision.form import Form, Shape
from vision.geometry import geometry
from vision.hue import HUES, white
from vision.likeness import CIRCLES, Likeness
from vision.marbles import Evidence, Marbles
from vision.picture import Image, decode
from vision.profile import Profile
from vision.reading import Aim, CellReading, Reading
from vision.stage import Stage
from vision.surround import Surround, Surroundings, half

SURE = 0.85  # a reading less likely than this is "?"
HAND = 0.08  # share of the surroundings that is changed when a hand is over the tray
UNDER = 0.6  # share of a cell's surroundings that is changed: beyond it a hand may lie on it
NO_MARBLE = 0.04  # an empty cell is no likelier to hold one: a dim marble is nearer to print than print to a marble


@dataclass(frozen=True, eq=False)
class Glance:
    """Everything one picture gave, for those who look at many in a row.

    `patch`: the upright tray (BGR); `changed`: half-size mask of surroundings that are hidden or changed; `cover`: cell
    → 0–1, how far it seems hidden; `foreign`: 0–1, share of the surroundings that is changed (hand); `light`:
    the mean step (u, v, w) of the light against the calibration; `trust`: 0–1, how clearly the light could be told;
    `chances`: (colours, then empty) × cells, what speaks for each; None while the aim is lost.
    """

    reading: Reading
    patch: Image
    changed: Mask
    cover: dict[str, float]
    foreign: float
    light: tuple[float, float, float]
    trust: float
    chances: Floats | None = None


class Eye:
    """Reads stills of one calibrated table. Building it derives everything from the calibration picture (about 1 s)."""

    def __init__(self, calibration: Calibration, profile: Profile) -> None:
        """Raises VisionError when the calibration picture cannot be used."""
        self.calibration, self.profile = calibration, profile
        self.grid = calibration.grid
        self.cells = self.grid.cells
        image = decode(calibration.picture)
        if (image.shape[1], image.shape[0]) != tuple(calibration.size):
            raise VisionError(
                f"the calibration picture is {image.shape[1]}x{image.shape[0]}, "
                f"not {calibration.size[0]}x{calibration.size[1]}"
            )
        self.geometry = geometry(calibration.corners, self.grid, calibration.size)
        patch = self.geometry.warp(image)
        self.reference = patch
        letters = calibration.tray.replace("/", "")
        present = np.array([letter in profile.colours for letter in letters])
        for colour in profile.colours:
            if colour not in letters:
                raise VisionError(
                    f"the tray shows no {colour} marble: lay at least one of each colour and calibrate again"
                )
        self._pixels = self._disc_pixels()
        discs = self._discs(patch)[0]
        self._lamp = even_out(discs, letters, self.geometry.centres)
        discs = discs - self._lamp[:, None, :]
        self.known = tuple((name, letter, disc) for name, letter, disc in zip(self.cells, letters, discs, strict=True))
        self.palette: Palette = learn_palette(
            [discs[i] for i in np.nonzero(present)[0]], [letters[i] for i in np.nonzero(present)[0]], profile.colours
        )
        small = half(patch)
        self.surroundings = Surroundings(self.geometry, patch)
        self.form = Form(self.geometry, small, present)
        self.likeness = Likeness(
            self.geometry, self.grid, 2 * self.form.radius, patch, present, image, calibration.stage
        )
        marks = self.likeness.compare(patch)[1]
        self.marbles = Marbles(marks, discs.std(axis=1), present, len(CIRCLES))
        self.anchor = Anchor(image, self.geometry)
        middles = np.median(discs[:, :, :2], axis=1)
        hues = [i for i, letter in enumerate(letters) if letter in HUES]
        lamp = white(middles[hues], [letters[i] for i in hues]) if hues else np.zeros(2, np.float32)
        self.stage = Stage(image, calibration.stage, profile, lamp) if calibration.stage else None

    def _disc_pixels(self) -> Index:
        """Cells × pixels: flat places in the patch."""
        radius = self.geometry.radius * 0.8
        reach = int(radius) + 1
        ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        inside = xs * xs + ys * ys <= radius * radius
        centres = np.round(self.geometry.centres).astype(int)
        rows, columns = centres[:, 1:2] + ys[inside][None, :], centres[:, 0:1] + xs[inside][None, :]
        return np.asarray(rows * self.geometry.size[0] + columns)

    def _discs(self, patch: Image) -> list[Floats]:
        """cells × pixels × 3 (u, v, w) of the discs where marbles lie, then other values they may have had."""
        pixels = patch.reshape(-1, 3).take(self._pixels, axis=0)
        values = uvw(pixels)
        return [values, *unclip(pixels, values)]

    def patch(self, image: Image) -> Image:
        """The upright tray: the cheap first step of `look`."""
        return self.geometry.warp(image)

    def read(self, image: Image) -> Reading:
        """One still. Raises VisionError when the picture's size is not the calibration's."""
        return self.look(image).reading

    def look(self, image: Image, patch: Image | None = None, fans: bool = True, aim: Aim | None = None) -> Glance:
        """As `read`, with everything seen on the way. `patch`: from `self.patch`, when it is at hand already.

        `fans`: whether the stage board is looked at; without, all of them are None. `aim`: when it is known already.
        """
        if (image.shape[1], image.shape[0]) != tuple(self.calibration.size):
            raise VisionError(
                f"the picture is {image.shape[1]}x{image.shape[0]}; "
                f"the table was calibrated at {self.calibration.size[0]}x{self.calibration.size[1]}"
            )
        patch = self.geometry.warp(image) if patch is None else patch
        small = half(patch)
        surround = self.surroundings.compare(small)
        aim = aim or self.aim_of(image)
        if not aim.ok:
            cells = dict.fromkeys(self.cells, CellReading("?", 0.0))
            occluded: tuple[str, ...] = ()
            chances: Floats | None = None
        else:
            cells, occluded, chances = self._cells(patch, small, surround)
        places: dict[str, str | None] = dict.fromkeys(self.profile.tokens)
        if fans and aim.ok:
            places = self.fans_on(image)
        text = "".join(cells[name].colour for name in self.cells)
        rows = self.grid.rows
        tray = "/".join(text[i : i + rows] for i in range(0, len(text), rows))
        light = surround.light
        return Glance(
            Reading(tray, cells, places, occluded, aim),
            patch,
            surround.changed,
            {name: float(surround.cover[i]) for i, name in enumerate(self.cells)},
            surround.foreign,
            (float(light[0]), float(light[1]), float(light[2])),
            surround.trust,
            chances,
        )

    def aim_of(self, image: Image) -> Aim:
        """Whether the tray lies where it was calibrated."""
        return self.anchor.check(image)

    def fans_on(self, image: Image) -> dict[str, str | None]:
        """Token → place, None where not known."""
        return self.stage.read(image) if self.stage else dict.fromkeys(self.profile.tokens)

    def _fit_light(self, values: list[Floats], weight: Floats) -> Floats:
        """The one step of light, beside the field told by the surroundings, that explains the marbles best.

        `weight`: of each cell, 0–1: how far it is open and looks like a marble. Returns the scores (colours × cells).
        """
        places = self.palette.places(values)
        skip = max(1, places[0].shape[1] // 45)
        few = [part[:, ::skip] for part in places]
        typical = self.palette.typical[:, None]

        def worth(step: Step) -> float:
            own = (self.palette.score(few, step) - typical).max(axis=0)
            # cells that fit nothing (empty, hidden) must not pull
            return float((np.maximum(own, -2.5) * weight).sum()) - _price(step, (0, 0, 0))

        best, value = _climb((0, 0, 0), worth)
        if value > -0.5 * weight.sum():
            return self.palette.score(places, best)
        # far off: saturated colours do not follow the greys of the surroundings, nor one another
        for start in _STARTS:
            other, its = _climb(start, worth)
            if its > value:
                best, value = other, its
        steps = self._drift(few, weight, best)
        return np.stack([self.palette.score(places, step)[k] for k, step in enumerate(steps)])

    def _drift(self, few: list[Index], weight: Floats, common: Step) -> list[Step]:
        """Each colour's own step of light, near the common one, from the cells that are most likely of that colour."""
        score = self.palette.score(few, common)
        steps = []
        for k in range(len(self.palette.colours)):
            own = (score.argmax(axis=0) == k) & (weight > 0.5)
            mine = [part[own] for part in few]

            def worth(step: Step, k: int = k, mine: list[Index] = mine) -> float:
                fit = float(np.maximum(self.palette.score(mine, step)[k] - self.palette.typical[k], -4).sum())
                return fit - 1.5 * _price(step, common)

            steps.append(_climb(common, worth)[0] if own.sum() >= 2 else common)
        return steps

    def _shaded(self, values: list[Floats], colour: int) -> float:
        """By how much a cell (1 × pixels × 3) is likelier of this colour in its own shade: a hand's."""
        few = self.palette.places([part[:, :: max(1, part.shape[1] // 60)] for part in values])

        def worth(step: Step) -> float:
            return float(self.palette.score(few, step)[colour, 0]) - 2.0 * _price(step, (0, 0, 0))

        return _climb((0, 0, 0), worth)[1] - worth((0, 0, 0))

    def _cells(
        self, patch: Image, small: Image, surround: Surround
    ) -> tuple[dict[str, CellReading], tuple[str, ...], Floats]:
        there = (self._lamp + surround.steps)[:, None, :]
        shape = self.form.measure(small)
        weight = (1.0 - np.minimum(1.0, 2.0 * surround.cover)) * np.clip(
            2 * np.minimum(shape.shading, shape.rim) - 0.6, 0.1, 1.0
        )
        values = [part - there for part in self._discs(patch)]
        score = self._fit_light(values, weight)
        best = score.argmax(axis=0)
        own = score.max(axis=0) - self.palette.typical[best]
        open_cells = surround.cover < 0.2
        # another lamp lets every marble of the picture look less like itself: what they share says nothing of one cell
        shading, own_shared = shape.shading, 0.0
        shared = shading[open_cells & (own > -1.2)]
        shading_shared = min(1.0, float(np.median(shared))) if len(shared) >= 4 else 1.0
        shared = own[open_cells & (shading > 0.75) & (shape.rim > 0.6)]
        own_shared = max(-2.0, min(0.0, float(np.median(shared)))) if len(shared) >= 4 else 0.0
        strict = 0.15 / min(max(self.form.shading_spread, 0.07), 0.25)
        measured, marks = self.likeness.compare(patch)
        shared = measured[open_cells & (own > -1.2) & (shape.rim > 0.6)]
        like = measured / (min(1.0, max(0.6, float(np.median(shared)))) if len(shared) >= 4 else 1.0)
        parts = np.stack(
            [
                np.ones_like(own),
                np.clip(own - own_shared, -1.3, 0.2),
                np.clip(1 + (shading - shading_shared) * strict, -0.5, 1.05),
                np.minimum(shape.rim, 1.0),
                np.clip(like, 0.0, 1.0),
            ]
        )
        sure = np.array(WEIGHTS) @ parts
        # in doubt, ask what was learnt on many tables
        doubt = np.nonzero((sure > LEAST) & (sure < MOST))[0]
        if surround.foreign > HAND:  # its shadow lies on some cells only
            for k in doubt[own[doubt] - own_shared < -0.4]:
                own[k] += self._shaded([part[k : k + 1] for part in values], int(best[k]))
                parts[1, k] = np.clip(own[k] - own_shared, -1.3, 0.2)
                sure[k] = np.array(WEIGHTS) @ parts[:, k]
        if len(doubt):
            evidence = self._evidence(doubt, own, score, shape, measured, marks, values[0])
            both = (sure[doubt] + 2 * self.marbles.odds(evidence)) / 3
            sure[doubt] = np.minimum(both, sure[doubt] + PERSUADED)
        marble = _logistic(sure)
        odds = np.exp(SHARPNESS * (score - score.max(axis=0)))
        colour_share = 1 / odds.sum(axis=0)
        # empty is said only of a cell whose surroundings can be seen to lie open
        # the less so when a hand is in view: it may lie in the middle of a cell; a marble's own shadow is no hand
        limit = float(np.interp(surround.foreign, (0.25 * HAND, 0.5 * HAND, 0.75 * HAND), (0.4, 0.28, 0.16)))
        hidden = _logistic(14 * (np.maximum(surround.cover, 0.6 * surround.blind) - limit))
        # a hand may look like a marble: the more of its surroundings is changed, the more like one it must be
        seen = _logistic(sure - np.logaddexp(0, 30 * (surround.cover - UNDER))) * colour_share
        empty = (1 - marble) * (1 - hidden)
        # and the less of a marble it may look like, for a marble in a hand's shadow hardly looks like one
        least = float(np.interp(surround.foreign, (0.5 * HAND, 1.5 * HAND), (NO_MARBLE, NO_MARBLE / 4)))
        cells: dict[str, CellReading] = {}
        occluded = []
        for i, name in enumerate(self.cells):
            if seen[i] >= SURE:
                cells[name] = CellReading(self.palette.colours[int(best[i])], round(float(seen[i]), 4))
            elif empty[i] >= SURE and marble[i] <= least:
                cells[name] = CellReading(".", round(float(empty[i]), 4))
            else:
                cells[name] = CellReading("?", round(float(1 - max(seen[i], empty[i])), 4))
                if surround.cover[i] > 0.12 or (surround.foreign > HAND and marble[i] < 0.5):
                    occluded.append(name)
        self._count(cells)
        return cells, tuple(occluded), np.vstack([odds * seen, empty])

    @staticmethod
    def _evidence(
        cells: Index, own: Floats, score: Floats, shape: Shape, like: Floats, marks: Floats, values: Floats
    ) -> Evidence:
        ranked = np.sort(score[:, cells], axis=0)
        gap = ranked[-1] - ranked[-2] if len(ranked) > 1 else np.zeros(len(cells), np.float32)
        spread = values[cells].std(axis=1)
        return Evidence(own[cells], gap, shape.shading[cells], shape.rim[cells], like[cells], marks[cells], spread)

    def _count(self, cells: dict[str, CellReading]) -> None:
        """More of a colour than there are marbles is a misread: the least sure of them are not known."""
        for colour in self.profile.colours:
            names = [name for name, cell in cells.items() if cell.colour == colour]
            for name in sorted(names, key=lambda name: cells[name].confidence)[
                : max(0, len(names) - self.profile.most)
            ]:
                cells[name] = CellReading("?", 0.5)


_STARTS: tuple[Step, ...] = ((0, 5, 0), (0, -5, 0), (4, 0, 0), (-4, 0, 0), (0, 3, 2), (0, 0, -2), (0, 10, 0))
LEAST, MOST = -6.0, 9.0  # logits between which the rule's own word is doubted
PERSUADED = 3.0  # no second opinion makes a marble of what the rule itself calls print
SHARPNESS = 8.0  # a disc's pixels are far from independent: so many count
# evidence for a marble: constant, colour, shading, rim, likeness. Fitted on all tables of the footage, checked with
# each left out (docs/decisions/vision-stills.md); no table's own weights lie far from these.
WEIGHTS = (-13.9, 1.7, 4.6, 4.6, 15.4)


def _logistic(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))))


def _price(step: Step, start: Step) -> float:
    """What a step of light costs beside another one: small ones are likelier."""
    u, v, w = ((a - b) * size for a, b, size in zip(step, start, (U_STEP, U_STEP, W_STEP), strict=True))
    return 2.0 * (u * u + v * v) + w * w


def _climb(best: Step, worth: Callable[[Step], float]) -> tuple[Step, float]:
    """The nearest step of light that no neighbouring one betters, and its worth."""
    known: dict[Step, float] = {}

    def ask(step: Step) -> float:
        if step not in known:
            known[step] = worth(step)
        return known[step]

    for size in (2, 1):
        for _ in range(6):
            before = best
            for axis in range(3):
                reach = size if axis < 2 else 1
                for sign in (-reach, reach):
                    trial = list(best)
                    trial[axis] = max(-REACH[axis], min(REACH[axis], trial[axis] + sign))
                    step = (trial[0], trial[1], trial[2])
                    if ask(step) > ask(best) + 1e-6:
                        best = step
            if best == before:
                break
    return best, ask(best)
