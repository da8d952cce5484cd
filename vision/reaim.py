"""Where the tray lies after a knock: features of the calibration picture found again, and believed only when certain.

The result is a homography from the calibration picture to the picture of now. Undone by it, a picture looks as if
nothing had moved, so that everything else reads it as ever, and says whether it fits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Floats, Mask
from vision.eye import Eye
from vision.geometry import transform
from vision.picture import Image, decode

WIDTH = 640  # pixels of the picture in which features are looked for
FEATURES = 1200
RATIO = 0.8  # a match must be so much nearer than the next best
NEAR = 2.5  # pixels of the small picture that a match may lie off
FEWEST = 25  # matches that agree: so many do not by chance
OPEN = 0.12  # share of the surroundings that may look changed: a hand is not over the tray, and the rim lies on the rim
READ = 0.6  # share of the cells that must be read surely
SAME = 1.0  # pixels within which two finds are one
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

    def undo(self, image: Image) -> Image:
        """The picture as the camera would have taken it from its old place."""
        size = (image.shape[1], image.shape[0])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(
            cv2.warpPerspective(image, self.to_now, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )

    def near(self, other: View) -> bool:
        return bool(np.hypot(*(self.places - other.places).T).max() < SAME)


class Finder:
    """Looks for the tray of one calibrated eye. Nothing is prepared before the first knock."""

    def __init__(self, eye: Eye) -> None:
        self.eye = eye
        self._known: tuple[Floats, Floats] | None = None
        self._sift = cv2.SIFT_create(FEATURES)  # type: ignore[attr-defined]
        self._cells = eye.geometry.to_picture(eye.geometry.centres)

    def find(self, image: Image) -> View | None:
        """None: not found, or not surely."""
        rough = self._rough(image)
        if rough is None:
            return None
        view = self._refined(image, self._view(rough))
        if view is None or not self.holds(image, view):
            return None
        return replace(view, board=self._sees_board(image, view))

    def unmoved(self, image: Image) -> View | None:
        """The calibration's own view, when it fits again."""
        view = self._view(np.eye(3))
        return replace(view, board=True) if self.holds(image, view) else None

    def holds(self, image: Image, view: View) -> bool:
        """Whether blocks, surroundings and marbles all lie where this view says."""
        width, height = self.eye.calibration.size
        places = view.places
        if (places < 0).any() or (places >= (width, height)).any():
            return False
        glance = self.eye.look(view.undo(image), fans=False)
        letters = [cell.colour for cell in glance.reading.cells.values()]
        sure = sum(letter in self.eye.profile.colours for letter in letters)
        return glance.reading.aim.ok and glance.foreign < OPEN and sure >= READ * len(letters)

    def _sees_board(self, image: Image, view: View) -> bool:
        """Whether the board can be read as well: most of what was in view is, and the table moved as the tray did."""
        stage = self.eye.calibration.stage
        if stage is None:
            return False
        shape = image.shape[:2]
        board = np.zeros(shape, np.uint8)
        cv2.fillConvexPoly(board, np.array(stage, np.float32).round().astype(np.int32), 1)
        back, size = np.linalg.inv(view.to_now), (shape[1], shape[0])
        seen = cv2.warpPerspective(np.ones(shape, np.uint8), back, size, flags=cv2.INTER_NEAREST)
        gone = float((seen[board > 0] == 0).mean()) if board.any() else 1.0
        return gone <= BEYOND and self.eye.anchor.table_fits(view.undo(image))

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

    def _refined(self, image: Image, view: View) -> View | None:
        """The blocks round the tray say the last pixel: the tray may have slid, and it stands above the table."""
        for _ in range(3):
            step = self.eye.anchor.correction(view.undo(image))
            if step is None:
                return None
            view = self._view(view.to_now @ step)
        return view


def _camera_like(matrix: Floats, cells: Floats) -> bool:
    """A camera that was knocked or turned, not a mirror and no fold: the tray keeps its sense and about its size."""
    middle, spread = cells.mean(axis=0), cells.std(axis=0).mean()
    box = middle + spread * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    moved = transform(matrix, box)
    if not np.isfinite(moved).all():
        return False
    area = 0.5 * float(np.sum(moved[:, 0] * np.roll(moved[:, 1], -1) - np.roll(moved[:, 0], -1) * moved[:, 1]))
    return bool(0.4 < area / (4 * spread * spread) < 2.5)
