"""Looking at many pictures in a row: what lies still, what is covered by a hand, what has changed for good.

Each subject is a module of its own; `Gaze` asks them in order, and of what is dear it does one thing a picture. Times
are those of the pictures; it has no clock.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.aiming import Aiming
from vision.arrays import Floats
from vision.attention import Attention
from vision.between import Between
from vision.colour import Step
from vision.eye import Eye, Glance
from vision.geometry import Geometry
from vision.movement import Moved, Movement, halved
from vision.picture import Image
from vision.reading import Aim, CellReading, Reading
from vision.reaim import Finder, View
from vision.settling import Settling
from vision.sight import Change, Sight
from vision.steady import Steady
from vision.tokens import Tokens
from vision.turning import Sides
from vision.watching import HAND, Debounced, HandWatch, LightWatch

__all__ = ["Change", "Gaze", "Sight"]

MS = 1_000_000
STEADY = 0.025
"""Share by which the light may change without a new reading."""


class Gaze:
    def __init__(self, eye: Eye, steady: Steady | None = None) -> None:
        """`steady`: finds the tray again after a knock; by default from the picture itself."""
        self.eye = eye
        self._steady = steady or Steady(Finder(eye))
        self._movement = Movement(eye.geometry)
        self._between: Between | None = None
        self._lamp: Step | None = None
        self._hung: tuple[Glance, tuple[str, ...]] | None = None
        self._settling = Settling(Sides(eye.geometry, eye.cells))
        self._settled = False
        self._still_since: int | None = None
        self._shape: tuple[int, ...] = ()
        self._attention = Attention(eye.cells, eye.grid.rows)
        self._tokens = Tokens(eye, eye.profile.tokens, eye.calibration.stage)
        self._moved_geometry: tuple[View, Geometry] | None = None
        self._aim = Debounced(lost_ns=150 * MS, found_ns=250 * MS)
        self._aiming = Aiming(eye)
        self._unknown = False
        self._hand = HandWatch()
        self._light = LightWatch()

    @property
    def view(self) -> View | None:
        """How pictures are made to look as from the camera's old place; None: it stands there."""
        return self._steady.view

    @property
    def fans_seen(self) -> tuple[int, dict[str, str | None]]:
        """When the board was last looked at, and what it showed: a fan may be hidden and yet be held to lie there."""
        return self._tokens.seen

    def look(self, image: Image, t_ns: int) -> Sight:
        """The next picture, in order of time. Raises VisionError when its size is not the calibration's."""
        patch = self._patch(image)
        small = halved(patch)
        moved = self._movement.see(image, small, t_ns)
        if not moved.still:
            self._still_since = None
        elif self._still_since is None:
            self._still_since = t_ns
        fans = self._fans_due(image, moved.busy, t_ns)
        glance, fans = self._glance(image, patch, moved, fans, t_ns)
        changes: list[Change] = []
        aim = self._watch_aim(glance, t_ns, changes)
        self._seek(image, glance.reading.aim.ok, t_ns)
        cells = self._cells(glance)
        covers: tuple[str, ...] = ()
        if aim:
            covers, told = self._hand.see(glance, moved.still, cells, t_ns)
            changes += told
        hand = aim and self._hand.here
        hanging = self._hanging(glance, cells) if aim and not hand else ()
        cells |= dict.fromkeys(hanging, "?")
        tray = self._text(cells)
        if not aim or not moved.still or hand or (moved.busy and self._hand.left_just_now(t_ns)):
            self._settling.stir()
        else:
            self._settling.calm(small, t_ns)
        # nothing settles while something is being looked for
        settled = self._settled = not self._aiming.open and self._settling.settles(tray, t_ns)
        if settled:
            self._hand.settled(glance.foreign)
        if aim and not hand:
            if self._hand.fresh(glance) <= HAND / 2:
                changes += self._light.see(glance.light, t_ns)
            if moved.busy:
                self._tokens.stir()
            elif fans is not None:
                changes += self._tokens.watch(t_ns)
        fans_known = aim and self._steady.board
        return Sight(
            t_ns,
            tray,
            settled,
            tuple(name for name, flag in zip(self.eye.cells, moved.cells.tolist(), strict=True) if flag),
            hand,
            covers,
            dict(self._tokens.places) if fans_known else dict.fromkeys(self._tokens.places),
            glance.reading.aim,
            tuple(changes),
            glance,
            self._settling.prints() if settled else None,
            glance.light,
            self._steady.moves,
            hanging,
        )

    def _patch(self, image: Image) -> Image:
        """The upright tray, wherever the camera stands now."""
        view = self._steady.view
        if view is None:
            return self.eye.patch(image)
        if self._moved_geometry is None or self._moved_geometry[0] is not view:
            self._moved_geometry = (view, view.geometry(self.eye.geometry))
        return self._moved_geometry[1].warp(image)

    def _seek(self, image: Image, there: bool, t_ns: int) -> None:
        """While the aim is lost: look for the tray. Once found all that was seen from the old place is forgotten.

        `there`: in this picture it is where it is believed to be; the aim only waits for that to last.
        """
        if self._aim.state:
            self._steady.rest()
        elif not there and self._steady.seek(image, t_ns):
            self._movement.forget()
            self._attention.forget()
            self._aiming.forget()
            self._settled = False
            self._settling.stir()
            self._hand.forget()
            view, stage = self._steady.view, self.eye.calibration.stage
            self._tokens.forget(stage if view is None or stage is None else view.moved(stage))

    def _fans_due(self, image: Image, busy: bool, t_ns: int) -> bool | None:
        """As `Tokens.due`: never while something moves in the picture."""
        if busy or self._hand.here or not self._steady.board:
            self._tokens.pause()
            return None
        return self._tokens.due(image, t_ns)

    def _glance(
        self, image: Image, patch: Image, moved: Moved, fans: bool | None, t_ns: int
    ) -> tuple[Glance, bool | None]:
        """What the eye sees, or what it saw a moment ago where that stands; and whether the board has been asked, as
        from `_fans_due`. Of what is dear (cells, board, a search for the tray) one thing is done a picture."""
        still, shaken, gain = moved.still, self._movement.shaken, self._movement.gain
        # a hand over the tray seems to shake it and to change its light
        calm = not still or (not shaken and (abs(gain - 1) < STEADY or self._attention.rushed(t_ns)))
        self._unknown = False
        if calm and image.shape == self._shape:
            settling = self._settling.calm_since is not None
            stands = self._attention.standing(t_ns, patch, moved.cells, still, self._settled, moved.since_ns, settling)
            if stands is None and self._aiming.open and not still:
                stands = self._attention.put_off(t_ns, patch)
                if stands is not None:
                    return self._search(stands), None
            if stands is not None:
                return self._beside(image, stands, still, fans, t_ns)
        since = self._settling.calm_since
        aim = None if shaken or not self._aim.state else self._aiming.standing(t_ns, since)
        if aim is None:
            aim = self._aiming.ask(image, self._to_now, t_ns)
        if aim is None or not aim.ok:
            return self._blank(patch, aim), None
        hint = {} if self._lamp is None else {"lamp": self._lamp}
        glance = self.eye.look(image, patch, False, aim, **hint)
        self._lamp = glance.lamp
        if fans:
            fans = True if self._tokens.put_off(image, self._to_now) else None
        self._attention.taken(t_ns, glance, still)
        self._shape = image.shape
        self._movement.begin()
        return glance, fans

    def _beside(
        self, image: Image, stands: Glance, still: bool, fans: bool | None, t_ns: int
    ) -> tuple[Glance, bool | None]:
        """While a reading stands there is time for a slice of something else."""
        if self._aiming.open:
            # while something moves every other picture is read: one of them is put off for this
            return (self._search(stands) if still else stands), None
        if self._aim.state and self._aiming.stale(t_ns, self._still_since):
            aim = self._aiming.ask(image, self._to_now, t_ns)
            if aim is None or not aim.ok:
                return self._blank(stands.patch, aim), None
            if not still:
                return stands, None
        if not fans:
            return stands, fans
        seen = self._tokens.go_on(image, self._to_now, t_ns)
        if seen is None:
            return stands, None
        return replace(stands, reading=replace(stands.reading, fans=seen)), True

    def _search(self, stands: Glance) -> Glance:
        """A slice of the search beneath a hand; what stands meanwhile."""
        aim = self._aiming.go_on()
        return stands if aim is None or aim.ok else self._blank(stands.patch, aim)

    @property
    def _to_now(self) -> Floats | None:
        view = self._steady.view
        return None if view is None else view.to_now

    def _blank(self, patch: Image, aim: Aim | None) -> Glance:
        """Nothing is read: the tray is not where it should be, or (None) that is not known yet."""
        self._attention.forget()
        self._unknown = aim is None
        cells = self.eye.cells
        reading = Reading(
            self._text(dict.fromkeys(cells, "?")),
            dict.fromkeys(cells, CellReading("?", 0.0)),
            dict.fromkeys(self.eye.profile.tokens),
            (),
            aim or Aim(False, None),
        )
        nothing = np.zeros((patch.shape[0] // 2, patch.shape[1] // 2), bool)
        return Glance(reading, patch, nothing, dict.fromkeys(cells, 0.0), 0.0, (0.0, 0.0, 0.0), 0.0)

    def _watch_aim(self, glance: Glance, t_ns: int, changes: list[Change]) -> bool:
        """True while this picture can be trusted to show the tray where it was calibrated."""
        aim = glance.reading.aim
        if self._unknown:
            return False
        turned = self._aim.feed(aim.ok, t_ns, self._aiming.since_ns)
        if turned is not None:
            shift = self._steady.shift_px if turned else None
            shift = aim.shift_px if shift is None else shift
            shift = None if shift is None else round(shift, 1)
            changes.append(Change(t_ns, "aim_found" if turned else "aim_lost", {"shift_px": shift}))
            self._hand.gone()
        return aim.ok and self._aim.state

    def _cells(self, glance: Glance) -> dict[str, str]:
        reading = glance.reading
        cells = {name: reading.cells[name].colour for name in self.eye.cells}
        cells.update(dict.fromkeys(reading.occluded, "?"))
        return cells

    def _hanging(self, glance: Glance, cells: dict[str, str]) -> tuple[str, ...]:
        """Cells that a marble lies half in; worked out once for each reading."""
        if "." not in cells.values():
            return ()
        if self._between is None:  # made when it is needed: most trays are full
            self._between = Between(self.eye.geometry, self.eye.form, self.eye.cells, self.eye.grid.rows)
        last = self._hung
        if last is None or last[0].reading is not glance.reading:
            last = self._hung = (glance, self._between.find(glance.patch, cells))
        return last[1]

    def _text(self, cells: dict[str, str]) -> str:
        rows = self.eye.grid.rows
        text = "".join(cells[name] for name in self.eye.cells)
        return "/".join(text[i : i + rows] for i in range(0, len(text), rows))
