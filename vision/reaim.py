"""Where the tray lies after a knock: features of the calibration picture found again, and believed only when certain.

The result is a homography from the calibration picture to the picture of now. Undone by it, what is
taken from a picture looks as if nothing had moved, so that everything else reads it as ever, and says whether it fits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.aim import CLOSE, REACH
from vision.arrays import Floats, Mask
from vision.calibration import Quad
from vision.eye import Eye
from vision.geometry import Geometry, transform
from vision.picture import Image, decode
from vision.slices import Slices, whole

WIDTH = 640  # pixels of the picture in which features are looked for
FEATURES = 1200
ROUNDS = 3  # of putting a find right
RATIO = 0.8  # a match must be so much nearer than the next best
NEAR = 2.5  # pixels of the small picture that a match may lie off
FEWEST = 25  # matches that agree: so many do not by chance
OPEN = 0.12  # share of the surroundings that may look changed: a hand is not over the tray, and the rim lies on the rim
READ = 0.6  # share of the cells that must be read surely
SAME = 0.04  # of the way from cell to cell: two finds within it are one
BEYOND = 0.05  # share of the stage board that may have left the picture


@dataclass(frozen=True, eq=False)
class View:
    """`to_now`: 3×3, calibration picture → picture of now; `shift_px`: how far the tray's cells moved, on average.

    `places`: the cells now; `board`: the stage board is in view and where the tray's move puts it.
    """

    to_now: Floats
    shift_px: float
    places: Floats
    board: bool = False

    def moved(self, quad: Quad) -> Quad:
        """Where these corners of the calibration picture lie now."""
        a, b, c, d = transform(self.to_now, np.array(quad, np.float32)).tolist()
        return (a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1])

    def geometry(self, calibrated: Geometry) -> Geometry:
        """Of the tray where it lies now: its patch is taken straight from the camera's picture."""
        return replace(calibrated, to_patch=calibrated.to_patch @ np.linalg.inv(self.to_now))

    def near(self, other: View) -> bool:
        """Whether both are one find."""
        cell, neighbour = self.places[:2]
        return bool(np.hypot(*(self.places - other.places).T).max() < SAME * np.hypot(*(neighbour - cell)))


class Finder:
    """Looks for the tray of one calibrated eye. Nothing is prepared before the first knock."""

    def __init__(self, eye: Eye) -> None:
        self.eye = eye
        self._known: tuple[Floats, Floats] | None = None
        self._sift = cv2.SIFT_create(FEATURES)  # type: ignore[attr-defined]  # OpenCV's own stubs lack it
        self._cells = eye.geometry.to_picture(eye.geometry.centres)

    def find(self, image: Image) -> View | None:
        """All at once, as `finding`."""
        return whole(self.finding(image))

    def finding(self, image: Image, near: View | None = None, back: bool = False) -> Slices[View | None]:
        """None: not found, or not surely. `near`: where it was found in a picture just before; `back`: it may lie
        where it was calibrated.

        The blocks round the tray are looked for first, which is quick, and sees what a small knock does; features of
        the whole picture only when that finds nothing.
        """
        if near is not None:
            found = yield from self._refined(image, near.to_now, CLOSE, rounds=1)
            if found is not None:
                return found  # else it still swings
        if back:
            unmoved = self._view(np.eye(3))
            if (yield from self._holds(image, unmoved)):
                return replace(unmoved, board=True)
        found = yield from self._refined(image, np.eye(3), REACH)
        if found is not None:
            return found
        yield
        rough = self._rough(image)
        return None if rough is None else (yield from self._refined(image, rough, REACH))

    def _refined(self, image: Image, to_now: Floats, reach: int, rounds: int = ROUNDS) -> Slices[View | None]:
        """The blocks round the tray say the last pixel: the tray may have slid, and it stands above the table."""
        anchor = self.eye.anchor
        for _ in range(rounds):
            small = anchor.small(image, to_now)
            step = yield from anchor.correcting(small, reach)
            yield
            if step is None:
                return None
            to_now, reach = to_now @ step, CLOSE
        if not _camera_like(to_now, self._cells):
            return None
        view = self._view(to_now)
        yield
        if not (yield from self._holds(image, view)):
            return None
        return replace(view, board=(yield from self._sees_board(image, view)))

    def _holds(self, image: Image, view: View) -> Slices[bool]:
        """Whether blocks, surroundings and marbles all lie where this view says."""
        width, height = self.eye.calibration.size
        places = view.places
        if (places < 0).any() or (places >= (width, height)).any():
            return False
        aim = yield from self.eye.aim_asked(image, view.to_now)
        if not aim.ok:
            return False
        yield
        patch = view.geometry(self.eye.geometry).warp(image)
        yield
        glance = self.eye.look(image, patch, fans=False, aim=aim)
        letters = [cell.colour for cell in glance.reading.cells.values()]
        sure = sum(letter in self.eye.profile.colours for letter in letters)
        return glance.foreign < OPEN and sure >= READ * len(letters)

    def _sees_board(self, image: Image, view: View) -> Slices[bool]:
        """Whether the board can be read as well: most of what was in view is, and the table moved as the tray did."""
        stage = self.eye.calibration.stage
        if stage is None:
            return False
        anchor = self.eye.anchor
        small = anchor.small(image, view.to_now)
        height, width = small.shape
        scale = width / image.shape[1]
        board = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(board, np.round(np.array(stage, np.float32) * scale).astype(np.int32), 1)
        ys, xs = np.nonzero(board)
        there = transform(view.to_now, np.stack([xs, ys], axis=1) / scale)
        seen = np.asarray(((there >= 0) & (there < (image.shape[1], image.shape[0]))).all(axis=1))
        gone = 1 - float(seen.mean()) if len(seen) else 1.0
        return gone <= BEYOND and (yield from anchor.table_fits(small))

    def _view(self, to_now: Floats) -> View:
        places = transform(to_now, self._cells)
        return View(to_now, float(np.hypot(*(places - self._cells).T).mean()), places)

    def _rough(self, image: Image) -> Floats | None:
        if self._known is None:
            reference = decode(self.eye.calibration.picture)
            self._known = self._features(reference, self._elsewhere(reference))
        points, looks = self._known
        now, its = self._features(image, None)
        if len(points) < FEWEST or len(now) < FEWEST:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(looks, its, k=2)
        good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < RATIO * pair[1].distance]
        if len(good) < FEWEST:
            return None
        start = np.array([points[match.queryIdx] for match in good], np.float32)
        end = np.array([now[match.trainIdx] for match in good], np.float32)
        off = NEAR * max(1.0, image.shape[1] / WIDTH)
        cv2.setRNGSeed(1)
        matrix, kept = cv2.findHomography(start, end, cv2.RANSAC, off, maxIters=3000, confidence=0.999)
        if matrix is None or int(kept.sum()) < FEWEST or not _camera_like(matrix, self._cells):
            return None
        return np.asarray(matrix, np.float64)

    def _features(self, image: Image, mask: Mask | None) -> tuple[Floats, Floats]:
        """Places in the whole picture, and looks."""
        scale = min(1.0, WIDTH / image.shape[1])
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        if scale < 1:
            grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        small = None
        if mask is not None:
            small = cv2.resize(mask.astype(np.uint8), grey.shape[::-1], interpolation=cv2.INTER_NEAREST)
        found, looks = self._sift.detectAndCompute(grey, small)
        if looks is None:
            return np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32)
        return np.array([point.pt for point in found], np.float32) / np.float32(scale), np.asarray(looks, np.float32)

    def _elsewhere(self, reference: Image) -> Mask:
        """All but the marbles: they come and go, and are asked afterwards."""
        geometry = self.eye.geometry
        marbles = np.zeros(reference.shape[:2], np.uint8)
        for x, y in self._cells:
            cv2.circle(
                marbles, (round(float(x)), round(float(y))), round(1.1 * geometry.radius * geometry.scale), 1, -1
            )
        return np.asarray(marbles == 0)


def _camera_like(matrix: Floats, cells: Floats) -> bool:
    """A camera that was knocked or turned, not a mirror and no fold: the tray keeps its sense and about its size."""
    middle, spread = cells.mean(axis=0), cells.std(axis=0).mean()
    box = middle + spread * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    moved = transform(matrix, box)
    if not np.isfinite(moved).all():
        return False
    area = 0.5 * float(np.sum(moved[:, 0] * np.roll(moved[:, 1], -1) - np.roll(moved[:, 0], -1) * moved[:, 1]))
    return bool(0.4 < area / (4 * spread * spread) < 2.5)
