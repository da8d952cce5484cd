"""Where the fans lie on the stage board.

A fan is told by its hue, its size and by lying loose: nothing of its hue reaches far beyond it. The calibration is not
told where the fans lie, so a place found on that picture counts only when no other place comes near it; later a fan
that came must lie on something changed, and one that stayed on something unchanged. Anything else is not known.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats, Mask
from vision.calibration import Quad
from vision.colour import uvw
from vision.fans import scores
from vision.hue import HUES, hued, polar, within
from vision.picture import Image
from vision.profile import Profile
from vision.surround import Backdrop

WIDTH = 120  # pixels of the upright board, seen from above with the tower's side up
TOKEN = 0.103  # a fan's radius in √(board's area): a measure of the game's parts
FOUND = 0.28  # how far hue must gather in a fan's size (1 = all of it, none around it) to be one at all
ALONE = 0.4  # of the clearest place: others must lie below for the clearest to be believed on the calibration picture
ARRIVED = 0.24  # the same measure, of changed pixels alone, for a fan that has come
SHARP = 0.4  # from here on a token lay just where it was found
STAYED = 0.34  # the same for one that lies elsewhere in its old place: print that it uncovered may have its hue
LOOSE = 0.3  # of its middle must be changed
CROWDED = 0.45  # of the board changed: a hand or a knock, nothing can have "come"
# looks like a fan, in logits (vision.fans)
CLEAR, LEAD = 4.5, 3.0  # a spot that is a fan, and by how much before the clearest spot of any other place
NEW, GAIN = 2.0, 4.0  # the same for a spot that has gained so much since the calibration
ALIKE = 12  # grey levels between two pictures of a board on which nothing moved
NEW_LEAD, BEHIND = 2.0, 1.0  # before other new spots, and no further than this behind an old one


class Stage:
    """Learns the board from the calibration picture; `read` any other."""

    def __init__(self, reference: Image, corners: Quad, profile: Profile, white: Floats) -> None:
        """`white`: (u, v) of white under the calibration's light."""
        quad = np.array(corners, np.float32)
        across = (np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
        along = (np.linalg.norm(quad[2] - quad[1]) + np.linalg.norm(quad[3] - quad[0])) / 2
        height = int(np.clip(round(WIDTH * along / across), 20, 4 * WIDTH))
        target = np.array([[0, 0], [WIDTH, 0], [WIDTH, height], [0, height]], np.float32)
        self._size = (WIDTH, height)
        self._double = cv2.getPerspectiveTransform(quad, target * 2)
        self._white = white
        self._tokens = [token for token in profile.tokens if token in HUES]
        self._all, self._places = profile.tokens, profile.places
        self._radius = TOKEN * float(np.sqrt(WIDTH * height))
        reach = int(np.ceil(1.6 * self._radius))
        ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        far = np.hypot(xs, ys) / self._radius
        disc, ring = (far < 0.9).astype(np.float32), ((far > 1.2) & (far < 1.6)).astype(np.float32)
        self._kernels = (disc / disc.sum(), ring / ring.sum())
        small = self._small(reference)
        self._backdrop = Backdrop(small, np.ones(small.shape[:2], bool))
        ys, xs = np.mgrid[0 : small.shape[0], 0 : small.shape[1]]
        self._grid = self._backdrop.field(xs.ravel(), ys.ravel())
        self._last: tuple[Image, dict[str, str | None]] | None = None
        self._first = self._scores(reference, np.zeros(small.shape, np.float32))
        self._then = {token: self._hue(uvw(small), token) for token in self._tokens}
        self._looked = {token: self._gathered(self._then[token]) for token in self._tokens}
        self._likeliest = {
            token: max((clear, i, x, y) for i, (clear, x, y) in enumerate(self._clearest(self._looked[token])))
            for token in self._tokens
        }
        self._home = {token: self._at_home(small, token) for token in self._tokens}

    def _large(self, image: Image) -> Image:
        size = (self._size[0] * 2, self._size[1] * 2)
        return np.asarray(cv2.warpPerspective(image, self._double, size, flags=cv2.INTER_LINEAR), np.uint8)

    def _small(self, image: Image) -> Image:
        large = self._large(image)
        return np.asarray(cv2.resize(large, self._size, interpolation=cv2.INTER_AREA), np.uint8)

    def _scores(self, image: Image, steps: Floats) -> dict[str, Floats]:
        """Token → how much each spot looks like it; `steps`: of the light, for each pixel of the small board."""
        large = self._large(image)
        values = uvw(large) - cv2.resize(steps.astype(np.float32), (large.shape[1], large.shape[0]))
        values[..., :2] -= self._white
        values[..., 2] -= np.median(values[..., 2])
        return scores(np.asarray(values, np.float32), 2 * self._radius)

    def _hue(self, values: Floats, token: str) -> Floats:
        """0–1 for each pixel: has it this token's hue? `values`: … × 3 (u, v, w) under the calibration's light."""
        far, angle = polar(values[..., :2] - self._white)
        return np.asarray(hued(far) * within(angle, token), np.float32)

    def _gathered(self, share: Floats) -> Floats:
        disc, ring = self._kernels
        inside = cv2.filter2D(share, -1, disc, borderType=cv2.BORDER_CONSTANT)
        return np.asarray(inside - cv2.filter2D(share, -1, ring, borderType=cv2.BORDER_REPLICATE))

    def _clearest(self, gathered: Floats) -> list[tuple[float, int, int]]:
        """For each place: how clear its clearest spot is, and where (x, y)."""
        edge = int(0.5 * self._radius)
        out = []
        for i in range(len(self._places)):
            left, right = i * WIDTH // len(self._places), (i + 1) * WIDTH // len(self._places)
            part = gathered[edge : gathered.shape[0] - edge, left:right]
            y, x = divmod(int(part.argmax()), part.shape[1])
            out.append((float(part[y, x]), x + left, y + edge))
        return out

    def _at_home(self, small: Image, token: str) -> tuple[str, int, int] | None:
        spots = self._clearest(self._gathered(self._hue(uvw(small), token)))
        best = max(range(len(spots)), key=lambda i: spots[i][0])
        rest = max((spot[0] for i, spot in enumerate(spots) if i != best), default=0.0)
        if spots[best][0] < FOUND or rest > ALONE * spots[best][0]:
            return None
        return self._places[best], spots[best][1], spots[best][2]

    def read(self, image: Image) -> dict[str, str | None]:
        """token → place, None where not sure."""
        small = self._small(image)
        found = self._backdrop.contrast(small)
        changed = found.flagged.reshape(small.shape[:2])
        usable = found.usable.reshape(small.shape[:2])
        steps = (self._grid @ found.coefficients).reshape(small.shape)
        values = uvw(small) - steps
        out: dict[str, str | None] = dict.fromkeys(self._all)
        # looking for fans costs more than all the rest: only when the board shows something else than the last time
        soft = cv2.blur(small, (3, 3))
        if self._last is None or int(cv2.absdiff(soft, self._last[0]).max()) > ALIKE:
            self._last = (np.asarray(soft, np.uint8), self._by_look(self._scores(image, steps), changed))
        looks = self._last[1]
        for token in self._tokens:
            places = {self._place(token, values, changed, usable), looks[token]} - {None}
            out[token] = places.pop() if len(places) == 1 else None
        return out

    def _spots(self, score: Floats) -> list[tuple[float, int, int]]:
        """The clearest spots a fan's radius apart: score, x, y."""
        left, out = score.copy(), []
        for _ in range(6):
            y, x = divmod(int(left.argmax()), left.shape[1])
            out.append((float(left[y, x]), x, y))
            left[self._disc(x, y, 1.0)] = -np.inf
        return out

    def _by_look(self, now: dict[str, Floats], changed: Mask) -> dict[str, str | None]:
        """Token → place by what looks like a fan, of all spots and of those that do so only since the calibration."""
        spots = {token: self._spots(now[token]) for token in self._tokens}
        crowded = float(changed.mean()) > CROWDED
        out: dict[str, str | None] = {}
        for token in self._tokens:
            best, new = [-np.inf] * len(self._places), [-np.inf] * len(self._places)
            bared: set[int] = set()
            for score, x, y in spots[token]:
                before = float(self._first[token][max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].max())
                came = score - before > GAIN
                if not came and float(changed[self._disc(x, y, 0.75)].mean()) < 0.3:
                    score = (score + before) / 2  # two pictures of one thing
                if any(
                    spots[other][0][0] > score + 1
                    and abs(spots[other][0][1] - x) + abs(spots[other][0][2] - y) < self._radius
                    for other in self._tokens
                    if other != token
                ):
                    continue  # that is another fan
                at = min(len(self._places) - 1, x * len(self._places) // WIDTH)
                if score > best[at]:
                    best[at] = score
                    # where another fan lay there may be print that it has uncovered: it can hold others back, no more
                    near = self._disc(x, y, 1.0)
                    lain = any(self._first[k][near].max() > NEW for k in self._tokens if k != token)
                    (bared.add if came and lain else bared.discard)(at)
                if came and not crowded:
                    new[at] = max(new[at], score)
            out[token] = None
            for marks, enough, lead in ((best, CLEAR, LEAD), (new, NEW, NEW_LEAD)):
                top, second = sorted(marks, reverse=True)[:2] if len(marks) > 1 else (marks[0], -np.inf)
                if top >= enough and top - second >= lead and top > max(best) - BEHIND:
                    at = marks.index(top)
                    out[token] = None if at in bared else self._places[at]
                    break
        return out

    def _place(self, token: str, values: Floats, changed: Mask, usable: Mask) -> str | None:
        home = self._home[token]
        untouched = False
        if home is not None:
            core = self._disc(home[1], home[2], 0.75)
            untouched = float(changed[core].mean()) < 0.15
            if float(usable[core].mean()) <= 0.7:  # too bright to compare: then its hue must speak
                untouched &= float(self._hue(values[core], token).mean()) > 0.85
        crowded = float(changed.mean()) > CROWDED
        came = None if crowded or not changed.any() else self._arrived(token, values, changed, untouched)
        if home is None or (came is not None and not untouched):
            return came
        return home[0] if untouched and came in (None, home[0]) else None

    def _arrived(self, token: str, values: Floats, changed: Mask, untouched: bool) -> str | None:
        """The place at which this token lies loose on something changed."""
        then, where, home = self._then[token], changed, self._home[token]
        if home is not None and not untouched and self._looked[token][home[2], home[1]] > SHARP:
            # it has left the spot where it lay: what had its hue there was itself, and it may lie half there still
            old = self._disc(home[1], home[2], 1.1)
            then = np.where(old, 0, then)
            where = changed | old
        # print of that hue that a fan has uncovered is no fan that has come: there was such a hue before
        fresh = np.maximum(self._hue(values, token) - then, 0) * where
        spots = self._clearest(self._gathered(fresh))
        best = max(range(len(spots)), key=lambda i: spots[i][0])
        rest = max((spot[0] for i, spot in enumerate(spots) if i != best), default=0.0)
        clear, x, y = spots[best]
        if clear < ARRIVED or rest >= 0.5 * clear:
            return None
        spot = self._disc(x, y, 0.75)
        place, first, seen = self._places[best], self._likeliest[token], self._hue(values, token)
        if home is None and first[0] >= max(FOUND, clear) and self._places[first[1]] != place:
            core = self._disc(first[2], first[3], 0.75)
            if float(seen[core].mean()) > 0.7 * float(self._then[token][core].mean()):
                return (
                    None  # where one lay more clearly still all is as it was: this may be print that another uncovered
                )
        if float(where[spot].mean()) < LOOSE or (home is not None and place == home[0] and clear < STAYED):
            return None
        return place

    def _disc(self, x: int, y: int, size: float) -> Mask:
        """What lies nearer to this spot than so many radii of a token."""
        ys, xs = np.mgrid[0 : self._size[1], 0 : self._size[0]]
        return np.asarray(np.hypot(xs - x, ys - y) <= size * self._radius)
