"""Tables that nobody photographed: the footage's stills with other floors, marbles, lamps, shadows and fingers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np

from tests.vision.stress import Harm
from vision.arrays import Floats
from vision.eye import Eye
from vision.geometry import PITCH
from vision.likeness import _hole
from vision.picture import Image

Random = np.random.Generator
FINE = 2  # drawn at so many times the patch's pixels
SECOND = ((215, 215, 215), (30, 30, 30), (60, 120, 120), (200, 200, 80))  # what else a swirl is made of (BGR)


def soft(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))), np.float32)


def bit(rng: Random, pictures: Sequence[Image]) -> Floats:
    """A square of print, two pitches wide, from anywhere in a picture; turned, dulled, its channels swapped."""
    whole = pictures[int(rng.integers(len(pictures)))]
    y, x = (int(rng.integers(PITCH, size - PITCH)) for size in whole.shape[:2])
    out = whole[y - PITCH : y + PITCH, x - PITCH : x + PITCH].astype(np.float32)
    out = np.rot90(out, int(rng.integers(4)))
    if rng.random() < 0.3:
        out = out[..., rng.permutation(3)]
    if rng.random() < 0.3:
        middle = out.mean(axis=(0, 1))
        out = middle + (out - middle) * rng.uniform(0.2, 1)
    return np.asarray(out, np.float32)


def grid_of(patch: Image) -> tuple[Floats, Floats]:
    ys, xs = np.mgrid[0 : patch.shape[0], 0 : patch.shape[1]].astype(np.float32)
    return xs, ys


def lay(patch: Image, eye: Eye, cell: int, print_: Floats, rng: Random) -> Image:
    """The marble taken out, print in its place, in the shade of a wall and of the marble beside it."""
    radius = 2 * eye.form.radius
    y, x, dy, dx = _hole(eye.geometry, radius, cell)
    xs, ys = grid_of(patch)
    cx, cy = eye.geometry.centres[cell]
    shade = np.full(patch.shape[:2], rng.uniform(0.45, 1.1), np.float32)
    if rng.random() < 0.6:
        side = rng.choice([-1, 1])
        edge = side * (xs - cx + side * rng.uniform(0.2, 1) * radius) / rng.uniform(0.7, 3)
        shade *= 1 - rng.uniform(0.2, 0.6) * soft(-edge)
    if rng.random() < 0.5:
        right, down = rng.uniform(-0.7, 0.7, 2) * radius
        far = np.hypot(xs - cx - right, ys - cy - rng.choice([-2, 2]) * radius - down)
        shade *= 1 - rng.uniform(0.2, 0.65) * soft((radius - far) / rng.uniform(0.5, 3))
    out = patch.copy()
    out[y, x] = np.clip(print_[dy, dx] * shade[y, x][:, None], 0, 255)
    return out


def rod(patch: Image, at: Floats, wide: float, rng: Random) -> Floats:
    """Distance from a finger or an arm that reaches to `at` from outside."""
    xs, ys = grid_of(patch)
    angle = rng.uniform(0, 2 * np.pi)
    right, down = xs - at[0], ys - at[1]
    along = right * np.cos(angle) + down * np.sin(angle)
    across = np.abs(down * np.cos(angle) - right * np.sin(angle))
    return np.asarray(np.where(along > 0, across, np.hypot(right, down)) - wide, np.float32)


def shadowed(patch: Image, eye: Eye, rng: Random) -> Image:
    """A hand's shadow, the hand not in view."""
    radius = 2 * eye.form.radius
    far = rod(patch, rng.uniform((0, 0), eye.geometry.size), rng.uniform(0.6, 6) * radius, rng)
    light = 1 - rng.uniform(0.2, 0.75) * soft(-far / (rng.uniform(0.03, 0.8) * radius))
    tint = 1 + rng.uniform(-0.08, 0.08, 3)
    return np.asarray(np.clip(patch * light[..., None] ** tint, 0, 255), np.uint8)


def fingered(patch: Image, eye: Eye, skin: Floats, rng: Random) -> tuple[Image, Floats]:
    """A finger over a cell; how far each cell is covered. `skin`: BGR under the lamp of now."""
    radius = 2 * eye.form.radius
    at = eye.geometry.centres[int(rng.integers(len(eye.cells)))] + rng.uniform(-0.4, 0.4, 2) * radius
    wide = rng.uniform(0.8, 1.3) * radius
    far = rod(patch, at, wide, rng)
    finger = skin * rng.uniform(0.7, 1.1) * (1 - 0.5 * (np.minimum(far + wide, wide) / wide) ** 3)[..., None]
    finger = finger + cv2.GaussianBlur(rng.normal(0, 6, patch.shape).astype(np.float32), (0, 0), 1.2)
    shade = 1 - rng.uniform(0.1, 0.5) * np.clip(1 - far / (rng.uniform(0.3, 1.2) * radius), 0, 1)
    over = np.clip(0.5 - far / 1.5, 0, 1)
    out = patch * shade[..., None] * (1 - over[..., None]) + finger * over[..., None]
    xs, ys = grid_of(patch)
    cover = [over[np.hypot(xs - x, ys - y) < radius].mean() for x, y in eye.geometry.centres]
    return np.asarray(np.clip(out, 0, 255), np.uint8), np.asarray(cover)


def harmed(patch: Image, rng: Random) -> Image:
    noise, blur = rng.uniform(0, 6) * (rng.random() < 0.5), rng.uniform(0, 1) * (rng.random() < 0.5)
    harm = Harm(rng.uniform(0.5, 1.45), rng.uniform(-0.22, 0.22), noise, blur, int(rng.integers(40, 95)))
    return harm.apply(patch, int(rng.integers(1 << 30)))


class Drawn:
    """One table drawn over another: the same floor, marbles, lamp and lens in all its stills."""

    def __init__(self, eye: Eye, pictures: Sequence[Image], rng: Random) -> None:
        """`pictures`: where print comes from."""
        self.rng, self.cells = rng, eye.cells
        zoom = np.array([[FINE, 0, 0.5 * (FINE - 1)], [0, FINE, 0.5 * (FINE - 1)], [0, 0, 1]])
        self.matrix = zoom @ eye.geometry.to_patch
        self.size = (eye.geometry.size[0] * FINE, eye.geometry.size[1] * FINE)
        self.centres = eye.geometry.centres * FINE + 0.5 * (FINE - 1)
        self.radius = 2 * eye.form.radius * FINE
        self.made = str(rng.choice(["as it is", "glass", "swirl"], p=[0.35, 0.4, 0.25]))
        self.new_floor = rng.random() < 0.75 or (self.made == "glass" and rng.random() < 0.5)
        self.share, self.grain = rng.uniform(0.15, 0.5), rng.uniform(0.25, 0.6)
        self.second = np.array(SECOND[int(rng.integers(len(SECOND)))], np.float32)
        self.floor = self._floor(pictures) * rng.uniform(0.5, 1.05)
        angle = rng.uniform(0, 2 * np.pi)
        self.shadow = np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(0.1, 0.6) * self.radius
        self.dark, self.edge = rng.uniform(0.2, 0.65), rng.uniform(1, 6)
        self.wall, self.side, self.tower = rng.uniform(0.1, 0.5), rng.choice([-1, 1]), rng.uniform(0, 0.5)
        self.gain = np.exp(rng.uniform(-0.15, 0.15, 3)) * rng.choice([1, rng.uniform(0.35, 1.3)])
        self.gamma, self.jpeg = rng.uniform(0.85, 1.2), int(rng.integers(60, 95))
        self.blur, self.noise = (rng.choice([0, rng.uniform(low, high)]) for low, high in ((0.3, 1.2), (1, 6)))
        self.level: Floats | None = None

    def _floor(self, pictures: Sequence[Image]) -> Floats:
        width, height = self.size
        whole = pictures[int(self.rng.integers(len(pictures)))]
        zoom = self.rng.uniform(1.2, 2.6)
        large = cv2.resize(whole, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_LINEAR)
        y, x = (
            int(self.rng.integers(max(1, have - want)))
            for have, want in zip(large.shape[:2], (height, width), strict=True)
        )
        part = large[y : y + height, x : x + width].astype(np.float32)
        down, right = height - part.shape[0], width - part.shape[1]
        part = np.asarray(cv2.copyMakeBorder(part, 0, down, 0, right, cv2.BORDER_REFLECT), np.float32)
        middle = part.mean(axis=(0, 1))
        return np.asarray(middle + (part[..., self.rng.permutation(3)] - middle) * self.rng.uniform(0.3, 1), np.float32)

    def picture(self, image: Image, truth: Mapping[str, Any], letters: list[str]) -> Image:
        """`letters`: of each cell; cells with "." show the new floor (none of that where the old floor stays)."""
        if truth["kind"] != "hand" and (self.new_floor or self.made != "as it is"):
            image = self._drawn(image, truth, letters)
        lit = 255 * (image.astype(np.float32) / 255) ** self.gamma * self.gain.astype(np.float32)
        if self.blur:
            lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), float(self.blur)), np.float32)
        lit = lit + self.rng.normal(0, self.noise, lit.shape) if self.noise else lit
        data = cv2.imencode(".jpg", np.clip(lit, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, self.jpeg])[1]
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)

    def _drawn(self, image: Image, truth: Mapping[str, Any], letters: list[str]) -> Image:
        seen = cv2.warpPerspective(image, self.matrix, self.size, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        points = np.zeros((len(self.cells), 1, 2), np.float32)
        for cell in truth["cells"]:
            points[self.cells.index(f"{cell['lane']}{cell['row']}"), 0] = cell["px"]
        places = cv2.perspectiveTransform(points, self.matrix)[:, 0]
        xs, ys = grid_of(seen)
        light = np.median(seen[:, : 3 * FINE].reshape(-1, 3), axis=0)
        self.level = light if self.level is None else self.level
        ratio = light / (self.level + 1)
        floor, out = np.clip(self.floor * ratio, 0, 255), seen.copy()
        there = [i for i, letter in enumerate(letters) if letter in "RYB"]
        if self.new_floor:
            floor = floor * self._shade(places[there], xs, ys)[..., None]
            lanes = self._lanes(xs, ys)[..., None]
            out = out * (1 - lanes) + floor * lanes
        for i in there:
            far = np.hypot(xs - places[i, 0], ys - places[i, 1])
            disc = np.clip((self.radius * 0.99 - far) / 1.6 + 0.5, 0, 1)[..., None]
            marble = seen if self.made == "as it is" else self._marble(seen, floor, places[i], far, ratio)
            out = out * (1 - disc) + marble * disc
        size, flags = (image.shape[1], image.shape[0]), cv2.WARP_INVERSE_MAP | cv2.INTER_CUBIC
        inside = cv2.warpPerspective(np.ones(out.shape[:2], np.float32), self.matrix, size, flags=flags) > 0.999
        back = cv2.warpPerspective(out.astype(np.float32), self.matrix, size, flags=flags)
        return np.asarray(np.where(inside[..., None], np.clip(back, 0, 255), image), np.uint8)

    def _lanes(self, xs: Floats, ys: Floats) -> Floats:
        out = np.zeros_like(xs)
        for x in np.unique(np.round(self.centres[:, 0], 1)):
            out = np.maximum(out, np.clip((self.radius * 1.12 - np.abs(xs - x)) / 1.5 + 0.5, 0, 1))
        low, high = self.centres[:, 1].min() - 1.1 * self.radius, self.centres[:, 1].max() + 1.02 * self.radius
        return np.asarray(out * np.clip((ys - low) / 2, 0, 1) * np.clip((high - ys) / 2, 0, 1))

    def _shade(self, places: Floats, xs: Floats, ys: Floats) -> Floats:
        """Of the floor: the walls', the tower's and the marbles' shadows."""
        out = 1 - self.tower * np.clip(1 - (ys - self.centres[:, 1].min() + self.radius) / (3 * self.radius), 0, 1)
        for x in np.unique(np.round(self.centres[:, 0], 1)):
            wall = 1 - self.wall * soft(-((xs - x) * self.side + 0.75 * self.radius) / 3)
            out *= np.where(np.abs(xs - x) < 1.3 * self.radius, wall, 1)
        for x, y in places + self.shadow:
            out *= 1 - self.dark * soft((self.radius - np.hypot(xs - x, ys - y)) / self.edge)
        return np.asarray(out)

    def _marble(self, seen: Floats, floor: Floats, at: Floats, far: Floats, ratio: Floats) -> Floats:
        """The marble with clear or mixed parts; its highlights stay."""
        inside = far < 0.9 * self.radius
        blobs = cv2.GaussianBlur(self.rng.normal(size=far.shape).astype(np.float32), (0, 0), self.radius * self.grain)
        other = soft(24 * (np.quantile(blobs[inside], self.share) - blobs) / blobs[inside].std())[..., None]
        light = seen.sum(axis=2)
        middle = np.median(light[inside])
        ball = np.clip(light / (middle + 1), 0.4, 1.3)[..., None]
        if self.made == "glass":
            xs, ys = grid_of(seen)
            behind = cv2.remap(
                floor.astype(np.float32),
                (at[0] - 0.7 * (xs - at[0])).astype(np.float32),
                (at[1] - 0.7 * (ys - at[1])).astype(np.float32),
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REFLECT,
            )
            part = (0.75 * behind + 0.25 * np.median(seen[inside], axis=0)) * np.maximum(ball, 0.6)
        else:
            part = self.second * ratio * ball
        shine = (seen.min(axis=2) > 0.72 * seen[inside].max()) & (light > 1.25 * middle)
        white = cv2.GaussianBlur(shine.astype(np.float32), (0, 0), 1)[..., None]
        mixed = seen * (1 - other) + np.clip(part, 0, 255) * other
        return np.asarray(mixed * (1 - white) + seen * white)
