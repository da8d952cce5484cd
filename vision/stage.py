"""Where the fans lie on the stage board (A's side, the stage, B's side): sure, or not known.

`vision.fans` tells for each spot how much the fan of a colour seems to lie there. One picture alone may take a
standee's blue base for the blue fan; so every reading weighs the calibration picture and that of now together: a fan
that stayed lies on something unchanged, one that moved has changed both spots, and what looks like a fan in both
pictures while another came and went is print. The calibration is not told where the fans lie. The fans are weighed
together: a game's fans are laid out all at once, so one that is plainly there vouches for the others, and where none
is, what looks a little like one is print. Nothing is kept between readings: one depends on the calibration and the
picture alone.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats
from vision.calibration import Quad
from vision.fans import COLOURS, STRIDE, Weights, nets, odds
from vision.picture import Image
from vision.profile import Profile
from vision.upright import MARGIN, WIDTH, Seen, Upright

SURE = 0.8  # a place less likely than this is not said
HEAT = 0.65  # the net learns from harder pictures than it reads, and is too unsure of these
SPOTS = 8  # of each colour, the likeliest
STAYED, MOVED, COVERED = np.log(0.6), np.log(0.3), np.log(0.1)  # what becomes of a fan
NEVER = np.log(0.14)
"""Of its being in sight in neither picture, the others lying there: one in twenty, where the net was taught with one in
six (0.5)."""
BARE, LAID = np.log(0.99), np.log(0.01)
"""Of the calibration's board being without any fans: one must be seen plainly before they are held to be laid out."""
CAME, STILL_BARE = np.log(0.5), np.log(0.5)  # what becomes of such a board
TINY = 1e-300
UNCHANGED = 8.0  # log odds against a fan's having come or gone where nothing is changed
CROWDED = 0.45  # of the board changed: a hand or a knock, and change tells little:
VAGUE = 6.0  # log odds against having come or gone then; to be covered costs nothing
CHANGED = 3.0  # log odds against a fan's having stayed where all is changed
ENOUGH = 0.4  # share of a spot that is changed when something came or went


class Stage:
    """Learns the board from the calibration picture; `read` any other."""

    def __init__(
        self,
        reference: Image,
        corners: Quad,
        profile: Profile,
        white: Floats,
        weights: tuple[Weights, ...] | None = None,
    ) -> None:
        """`white`: (u, v) of white under the calibration's light; `weights`: others than the shipped ones."""
        self._weights = nets() if weights is None else weights
        self._board = Upright(reference, corners, white)
        self._all, self._places = profile.tokens, profile.places
        rows, columns = (side // STRIDE for side in reversed(self._board.size))
        ys, xs = np.mgrid[0:rows, 0:columns] * STRIDE
        self._near = np.hypot(xs.ravel()[:, None] - xs.ravel(), ys.ravel()[:, None] - ys.ravel()) / self._board.radius
        x, y = xs.ravel() - MARGIN, ys.ravel() - MARGIN
        self._on = (x >= 0) & (x < WIDTH) & (y >= 0) & (y < self._board.height)
        self._x = x
        self._first = self._odds(self._board.first)

    def _odds(self, seen: Seen) -> Floats:
        """Spots × colours: log odds of its fan lying there to its not being in sight."""
        told = odds(seen.values, self._weights).reshape(-1, len(COLOURS))
        return np.asarray(np.where(self._on[:, None], told, -30) / HEAT, np.float32)

    def read(self, image: Image) -> dict[str, str | None]:
        """token → place, None where not sure."""
        return self.places(self.look(image))

    def look(self, image: Image, to_now: Floats | None = None) -> Seen:
        """The first half of `read`; the other, `places`, may wait for a later frame. `to_now`: 3×3, calibration picture
        → this one, when the camera stands elsewhere."""
        return self._board.look(image, to_now)

    def places(self, seen: Seen) -> dict[str, str | None]:
        now = self._odds(seen)
        size = int(0.375 * self._board.radius) * 2 + 1
        changed = None
        if seen.crowd <= CROWDED:
            changed = cv2.blur(seen.changed, (size, size))[:: STRIDE // 2, :: STRIDE // 2].ravel()
        tokens = [(k, token) for k, token in enumerate(COLOURS) if token in self._all]
        out: dict[str, str | None] = dict.fromkeys(self._all)
        if not tokens:
            return out
        fates = np.stack([self._fates(self._first[:, k], now[:, k], changed) for k, _ in tokens])
        for (_, token), likely in zip(tokens, together(fates), strict=True):
            best = int(likely.argmax())
            out[token] = self._places[best] if likely[best] >= SURE else None
        return out

    def _fates(self, first: Floats, now: Floats, changed: Floats | None) -> Floats:
        """Log weights, (laid out, bare at the calibration) × (places, not in sight now)."""
        left = np.maximum(first, now)
        then, since, at, spots = np.empty(SPOTS), np.empty(SPOTS), np.empty(SPOTS, int), np.empty(SPOTS, int)
        for k in range(SPOTS):
            middle = int(left.argmax())
            mine = np.nonzero((self._near[middle] < 1.0) & (left > -np.inf))[0]
            left[mine] = -np.inf
            belief = np.exp(now[mine])
            spots[k], then[k], since[k] = middle, np.log(np.exp(first[mine]).sum()), np.log(belief.sum())
            x = float((self._x[mine] * belief).sum() / belief.sum())
            at[k] = min(len(self._places) - 1, max(0, int(x * len(self._places) / WIDTH)))
        turned, covered, kept = np.full(SPOTS, -VAGUE), np.zeros(SPOTS), np.zeros(SPOTS)
        if changed is not None:
            share = changed[spots]
            covered = turned = -UNCHANGED * np.clip(1 - share / ENOUGH, 0, 1)
            kept = -CHANGED * np.clip((share - ENOUGH) / (1 - ENOUGH), 0, 1)
        # from where (rows) to where (columns); the last: not in sight
        fate = np.empty((SPOTS + 1, SPOTS + 1))
        fate[:-1, :-1] = MOVED + (then + turned)[:, None] + since + turned
        fate[:-1, -1], fate[-1, :-1], fate[-1, -1] = COVERED + then + covered, COVERED + since + turned, NEVER
        # two pictures of one thing tell of it once, unless it has moved a little
        same = np.arange(SPOTS)
        fate[same, same] = np.logaddexp(STAYED + (then + since) / 2 + kept, fate[same, same])
        top = float(fate.max())
        ways, came = np.exp(fate - top), np.exp(CAME + since + turned - top)
        laid, bare = (np.bincount(at, each, minlength=len(self._places)) for each in (ways[:, :-1].sum(axis=0), came))
        gone = ways[:, -1].sum(), np.exp(STILL_BARE - top)
        return np.asarray(np.log(np.column_stack([np.stack([laid, bare]), gone]) + TINY) + top)


def together(fates: Floats) -> Floats:
    """Fans × (laid out, bare) × (places, not in sight), log weights → fans × places: how likely it lies there now."""
    weights = np.exp(fates - fates.max(axis=(1, 2), keepdims=True))
    each = weights.sum(axis=2) + TINY
    ways = np.log(each).sum(axis=0) + np.array([LAID, BARE])
    ways = np.exp(ways - ways.max())
    share = ways / ways.sum() / each
    return np.asarray((weights * share[..., None]).sum(axis=1)[:, :-1])
