"""The eye: one picture in, one reading out. It keeps no memory between pictures; time is Gaze's business."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vision.aim import Anchor
from vision.arrays import Floats, Index, Mask
from vision.calibration import Calibration, VisionError
from vision.colour import Palette, Step, even_out, learn_palette, unclip, uvw
from vision.form import Form, Shape
from vision.geometry import geometry
from vision.hue import HUES, white
from vision.lamp import fit, shaded
from vision.likeness import CIRCLES, Likeness
from vision.marbles import Evidence, Marbles
from vision.picture import Image, decode
from vision.profile import Profile
from vision.reading import Aim, CellReading, Reading
from vision.slices import Slices
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
    `chances`: (colours, then empty) × cells, what speaks for each; None while the aim is lost. `lamp`: the step of
    light on the marbles where it is far from that of the surroundings: a hint for the next picture.
    """

    reading: Reading
    patch: Image
    changed: Mask
    cover: dict[str, float]
    foreign: float
    light: tuple[float, float, float]
    trust: float
    chances: Floats | None = None
    lamp: Step | None = None


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
        self._pixels = self._pixels[:, ::2]  # half of them tell a cell's colour as well
        self.palette: Palette = learn_palette(
            [discs[i] for i in np.nonzero(present)[0]], [letters[i] for i in np.nonzero(present)[0]], profile.colours
        )
        self._typical: list[float] = self.palette.typical.tolist()
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

    def look(
        self,
        image: Image,
        patch: Image | None = None,
        fans: bool = True,
        aim: Aim | None = None,
        lamp: Step | None = None,
    ) -> Glance:
        """As `read`, with everything seen on the way. `patch`: from `self.patch`, when it is at hand already.

        `fans`: whether the stage board is looked at; without, all of them are None. `aim`: when it is known already.
        `lamp`: that of the picture just before.
        """
        self._check_size(image)
        patch = self.geometry.warp(image) if patch is None else patch
        small = half(patch)
        values = uvw(small)
        surround = self.surroundings.compare(small, values)
        aim = aim or self.aim_of(image)
        if not aim.ok:
            cells = dict.fromkeys(self.cells, CellReading("?", 0.0))
            occluded: tuple[str, ...] = ()
            chances: Floats | None = None
        else:
            cells, occluded, chances, lamp = self._cells(patch, small, values, surround, lamp)
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
            lamp if aim.ok else None,
        )

    def _check_size(self, image: Image) -> None:
        if (image.shape[1], image.shape[0]) != tuple(self.calibration.size):
            raise VisionError(
                f"the picture is {image.shape[1]}x{image.shape[0]}; "
                f"the table was calibrated at {self.calibration.size[0]}x{self.calibration.size[1]}"
            )

    def aim_of(self, image: Image) -> Aim:
        """Whether the tray lies where it was calibrated."""
        return self.anchor.check(image)

    def aim_at_once(self, image: Image, to_now: Floats | None = None) -> tuple[Aim | None, bool]:
        """As far as it can be told without a search; see `Anchor.at_once`."""
        self._check_size(image)
        return self.anchor.at_once(image, to_now)

    def aim_asked(self, image: Image, to_now: Floats | None = None) -> Slices[Aim]:
        """As `aim_of`, in slices. `to_now`: 3×3, calibration picture → this one, when the camera stands elsewhere."""
        self._check_size(image)
        return self.anchor.checking(image, to_now)

    def aim_searched(self, image: Image, to_now: Floats | None = None) -> Slices[Aim]:
        """As `aim_asked` where `aim_at_once` was not enough."""
        self._check_size(image)
        return self.anchor.searching(image, to_now)

    def fans_asked(self, image: Image, to_now: Floats | None = None) -> Slices[dict[str, str | None]]:
        """As `fans_on`, in slices. `to_now`: as in `aim_asked`."""
        if self.stage is None:
            return dict.fromkeys(self.profile.tokens)
        seen = self.stage.look(image, to_now)
        yield
        return self.stage.places(seen)

    def fans_on(self, image: Image) -> dict[str, str | None]:
        """Token → place, None where not known."""
        return self.stage.read(image) if self.stage else dict.fromkeys(self.profile.tokens)

    def _cells(
        self, patch: Image, small: Image, small_values: Floats, surround: Surround, lamp: Step | None
    ) -> tuple[dict[str, CellReading], tuple[str, ...], Floats, Step | None]:
        """Plain numbers from where each cell is judged: for so few of them NumPy's calls cost more than the sums."""
        there = (self._lamp + surround.steps)[:, None, :]
        shape = self.form.measure(small, values=small_values)
        covers, shadings, rims = surround.cover.tolist(), shape.shading.tolist(), shape.rim.tolist()
        open_ = [
            (1.0 - min(1.0, 2.0 * cover)) * min(1.0, max(0.1, 2 * min(shading, rim) - 0.6))
            for cover, shading, rim in zip(covers, shadings, rims, strict=True)
        ]
        values = [part - there for part in self._discs(patch)]
        score, lamp = fit(self.palette, values, np.array(open_, np.float32), lamp)
        scores = score.T.tolist()
        bests = [each.index(max(each)) for each in scores]
        owns = [each[best] - self._typical[best] for each, best in zip(scores, bests, strict=True)]
        likes, marks = self.likeness.compare(patch)
        each_cell = list(zip(covers, owns, shadings, rims, likes.tolist(), strict=True))
        # another lamp lets every marble of the picture look less like itself: what they share says nothing of one cell
        shared = [shading for cover, own, shading, _, _ in each_cell if cover < 0.2 and own > -1.2]
        shading_shared = min(1.0, _middle(shared)) if len(shared) >= 4 else 1.0
        shared = [own for cover, own, shading, rim, _ in each_cell if cover < 0.2 and shading > 0.75 and rim > 0.6]
        own_shared = max(-2.0, min(0.0, _middle(shared))) if len(shared) >= 4 else 0.0
        shared = [like for cover, own, _, rim, like in each_cell if cover < 0.2 and own > -1.2 and rim > 0.6]
        like_shared = min(1.0, max(0.6, _middle(shared))) if len(shared) >= 4 else 1.0
        strict = 0.15 / min(max(self.form.shading_spread, 0.07), 0.25)
        constant, by_own, by_shading, by_rim, by_like = WEIGHTS
        rest = [
            constant
            + by_shading * min(1.05, max(-0.5, 1 + (shading - shading_shared) * strict))
            + by_rim * min(rim, 1.0)
            + by_like * min(1.0, max(0.0, like / like_shared))
            for _, _, shading, rim, like in each_cell
        ]

        def with_own(k: int) -> float:
            return float(rest[k] + by_own * min(0.2, max(-1.3, owns[k] - own_shared)))

        sure = [with_own(k) for k in range(len(rest))]
        # in doubt, ask what was learnt on many tables
        doubt = [k for k, one in enumerate(sure) if LEAST < one < MOST]
        if surround.foreign > HAND:  # its shadow lies on some cells only
            dim = [k for k in doubt if owns[k] - own_shared < -0.4]
            gains = shaded(self.palette, [part[dim] for part in values], [bests[k] for k in dim]) if dim else []
            for k, gain in zip(dim, gains, strict=True):
                owns[k] += gain
                sure[k] = with_own(k)
        if doubt:
            evidence = self._evidence(doubt, owns, scores, shape, likes, marks, values[0])
            for k, odds in zip(doubt, self.marbles.odds(evidence).tolist(), strict=True):
                sure[k] = min((sure[k] + 2 * odds) / 3, sure[k] + PERSUADED)
        # empty is said only of a cell whose surroundings can be seen to lie open
        # the less so when a hand is in view: it may lie in the middle of a cell; a marble's own shadow is no hand
        foreign = surround.foreign / HAND
        limit = _between(foreign, (0.25, 0.5, 0.75), (0.4, 0.28, 0.16))
        # and the less of a marble it may look like, for a marble in a hand's shadow hardly looks like one
        least = _between(foreign, (0.5, 1.5), (NO_MARBLE, NO_MARBLE / 4))
        cells: dict[str, CellReading] = {}
        occluded, chances = [], []
        for k, (name, blind) in enumerate(zip(self.cells, surround.blind.tolist(), strict=True)):
            marble, cover = _logistic(sure[k]), covers[k]
            odds_of = [math.exp(SHARPNESS * (one - scores[k][bests[k]])) for one in scores[k]]
            hidden = _logistic(14 * (max(cover, 0.6 * blind) - limit))
            # a hand may look like a marble: the more of its surroundings is changed, the more like one it must be
            seen = _logistic(sure[k] - math.log1p(math.exp(30 * (cover - UNDER)))) / sum(odds_of)
            empty = (1 - marble) * (1 - hidden)
            chances.append([*(one * seen for one in odds_of), empty])
            if seen >= SURE:
                cells[name] = CellReading(self.palette.colours[bests[k]], round(seen, 4))
            elif empty >= SURE and marble <= least:
                cells[name] = CellReading(".", round(empty, 4))
            else:
                cells[name] = CellReading("?", round(1 - max(seen, empty), 4))
                if cover > 0.12 or (surround.foreign > HAND and marble < 0.5):
                    occluded.append(name)
        self._count(cells)
        return cells, tuple(occluded), np.array(chances, np.float32).T, lamp

    @staticmethod
    def _evidence(
        cells: list[int],
        owns: list[float],
        scores: list[list[float]],
        shape: Shape,
        like: Floats,
        marks: Floats,
        values: Floats,
    ) -> Evidence:
        gap = []
        for k in cells:
            ranked = sorted(scores[k])
            gap.append(ranked[-1] - ranked[-2] if len(ranked) > 1 else 0.0)
        own = np.array([owns[k] for k in cells], np.float32)
        pixels = values[cells]
        even = np.full(pixels.shape[1], 1 / pixels.shape[1], np.float32)
        mean = even @ pixels
        spread = np.sqrt(np.maximum(even @ (pixels * pixels) - mean * mean, 0))
        return Evidence(
            own, np.array(gap, np.float32), shape.shading[cells], shape.rim[cells], like[cells], marks[cells], spread
        )

    def _count(self, cells: dict[str, CellReading]) -> None:
        """More of a colour than there are marbles is a misread: the least sure of them are not known."""
        for colour in self.profile.colours:
            names = [name for name, cell in cells.items() if cell.colour == colour]
            for name in sorted(names, key=lambda name: cells[name].confidence)[
                : max(0, len(names) - self.profile.most)
            ]:
                cells[name] = CellReading("?", 0.5)


LEAST, MOST = -6.0, 9.0  # logits between which the rule's own word is doubted
PERSUADED = 3.0  # no second opinion makes a marble of what the rule itself calls print
SHARPNESS = 8.0  # a disc's pixels are far from independent: so many count
# evidence for a marble: constant, colour, shading, rim, likeness. Fitted on all tables of the footage, checked with
# each left out (docs/decisions/vision-stills.md); no table's own weights lie far from these.
WEIGHTS = (-13.9, 1.7, 4.6, 4.6, 15.4)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-min(30.0, max(-30.0, x))))


def _middle(values: list[float]) -> float:
    """The median."""
    ranked = sorted(values)
    half = len(ranked) // 2
    return ranked[half] if len(ranked) % 2 else (ranked[half - 1] + ranked[half]) / 2


def _between(x: float, ends: tuple[float, ...], values: tuple[float, ...]) -> float:
    """On the line through these points, level beyond its ends."""
    for k in range(1, len(ends)):
        if x < ends[k]:
            share = max(0.0, (x - ends[k - 1]) / (ends[k] - ends[k - 1]))
            return values[k - 1] + share * (values[k] - values[k - 1])
    return values[-1]
