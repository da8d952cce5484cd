"""The fans over time: when the stage board is read, in which slices, and which fan has moved for good."""

from __future__ import annotations

from typing import Protocol

from vision.arrays import Floats
from vision.board import Board
from vision.calibration import Quad
from vision.picture import Image
from vision.sight import Change
from vision.slices import Begun, Slices, whole

MS = 1_000_000
TOKEN_NS = 190 * MS
"""So long a token must have lain in its new place."""
STAGE_NS = 350 * MS
"""So often the stage board is asked for while nothing moves in the picture."""
SOON_NS = 90 * MS
"""So soon again when something moves on it."""
STAGE_STANDS_NS = 3000 * MS
"""So long its reading stands when nothing has changed on it."""
EARLY_NS, EARLY = 1000 * MS, 3
"""So long, and so often, while a fan has not been seen anywhere yet."""
BOARD_WAITS = 4
"""So many pictures the stage board waits for one whose cells are not read."""
Places = dict[str, str | None]


class Asked(Protocol):
    """The part of an Eye that this needs."""

    def fans_asked(self, image: Image, to_now: Floats | None = None) -> Slices[Places]: ...


class Tokens:
    """`places`: token → where it is held to lie, None: not known."""

    def __init__(self, eye: Asked, tokens: tuple[str, ...], stage: Quad | None) -> None:
        self._eye = eye
        self.places: Places = dict.fromkeys(tokens)
        self._board = None if stage is None else Board(stage)
        self._asked_ns: int | None = None
        self._read_ns: int | None = None
        self._waits = self._early = 0
        self._begun: Begun[Places] | None = None
        self._seen: Places = {}
        self._seen_ns = 0
        self._trial: dict[str, tuple[str, int]] = {}

    @property
    def seen(self) -> tuple[int, Places]:
        """When the board was last looked at, and what it showed: a fan may be hidden and yet be held to lie there."""
        return self._seen_ns, self._seen

    def forget(self, stage: Quad | None) -> None:
        """The table is seen from elsewhere: the board lies at `stage` now; None: there is none."""
        self._trial.clear()
        self._waits, self._begun, self._read_ns = 0, None, None
        self._board = None if stage is None else Board(stage)

    def pause(self) -> None:
        """The board cannot be read now: something moves in the picture, or it is out of view."""
        self._asked_ns, self._waits, self._begun = None, 0, None

    def stir(self) -> None:
        """Something moves in the picture: a fan must lie for a while after that."""
        self._trial.clear()

    def due(self, image: Image, t_ns: int) -> bool | None:
        """Whether the board is to be read: on quiet pictures, now and then, and while a token may have moved.

        True: it is; False: what was read last stands, since nothing has changed on it; None: not now.
        """
        if self._waits:
            return True
        if not (self._trial or self._asked_ns is None or t_ns - self._asked_ns >= STAGE_NS):
            return None
        self._asked_ns = t_ns
        if self._board is None:
            return True
        read = self._read_ns
        early = self._early < EARLY and None in self.places.values()
        due = self._board.due(image, read is None or t_ns - read >= (EARLY_NS if early else STAGE_STANDS_NS))
        if due is None:
            self._asked_ns = t_ns - STAGE_NS + SOON_NS
        elif due:
            self._read_ns = t_ns
            self._early += early
        return due

    def put_off(self, image: Image, to_now: Floats | None) -> bool:
        """Something else is done beside this picture. True: it has waited so often that it was read all the same.

        `to_now`: as in `vision.reaim.View`, when the camera stands elsewhere."""
        self._waits += 1
        if self._waits <= BOARD_WAITS:
            return False
        self._waits, self._begun = 0, None
        self._seen = whole(self._eye.fans_asked(image, to_now))
        return True

    def go_on(self, image: Image, to_now: Floats | None, t_ns: int) -> Places | None:
        """A slice of the reading that is due; the answer once it is done."""
        if self._begun is None:
            self._begun = Begun(t_ns, self._eye.fans_asked(image, to_now))
        if not self._begun.go_on():
            self._waits = max(1, self._waits)
            return None
        self._seen = self._begun.answer
        self._waits, self._begun = 0, None
        return self._seen

    def watch(self, t_ns: int) -> list[Change]:
        """The board has been read, or was found to look as before: which fans have moved?"""
        self._seen_ns = t_ns
        changes = []
        for fan, place in self._seen.items():
            if place is None or place == self.places.get(fan):
                self._trial.pop(fan, None)
                continue
            trial = self._trial.get(fan)
            if trial is None or trial[0] != place:
                self._trial[fan] = (place, t_ns)
                continue
            if t_ns - trial[1] >= TOKEN_NS:
                before = self.places.get(fan)
                self.places[fan] = place
                del self._trial[fan]
                if before is not None:
                    changes.append(Change(t_ns, "fan", {"fan": fan, "from": before, "to": place}))
        return changes
