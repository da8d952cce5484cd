"""Looking at many pictures in a row: what lies still, what is covered by a hand, what has changed for good.

`Gaze` remembers a little more than a tenth of a second of pictures. Times are those of the pictures; it has no clock.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.aiming import Aiming
from vision.arrays import Mask
from vision.attention import Attention
from vision.between import Between
from vision.board import Board
from vision.colour import Step
from vision.eye import Eye, Glance
from vision.geometry import Geometry
from vision.picture import Image
from vision.reading import Aim, CellReading, Reading
from vision.reaim import Finder, View
from vision.slices import Begun, whole
from vision.steady import Steady
from vision.surround import half
from vision.turning import Sides

Floats = npt.NDArray[np.float32]

MS = 1_000_000
STILL_NS = 90 * MS
"""Pictures so far apart are compared: at 30 frames/s two neighbours of a slow marble look alike."""
CALM_NS = 140 * MS
"""So long nothing may have moved before a reading settles: pictures over STILL_NS + CALM_NS agree."""
TOKEN_NS = 190 * MS
"""So long a token must have lain in its new place."""
STALE_NS = 700 * MS
"""A longer gap between pictures tells nothing of what moved meanwhile."""
MOVED = 8.0
"""Grey levels that a cell must change on average beyond its neighbourhood; noise stays under 5, marbles over 15."""
_NEAR = np.ones((3, 3), np.uint8)
_DARK = np.float32(10)
_LEVELS = np.arange(256, dtype=np.float32)[:, None] + _DARK
_SAME_LIGHT = 0.002
"""A change of the light below this is less than half a grey level anywhere."""
HAND = 0.06
"""Share of the surroundings that must be newly hidden for a hand; a marble rolling past hides less."""
LEFTOVER = 0.12
"""So much may stay changed (a shifted card at the rim) while every cell is read and nothing moves."""
BUSY_NS = 1000 * MS
"""So long after a hand movement outside the tray may hold up a reading: it is that hand, leaving."""
STAGE_NS = 350 * MS
"""So often the stage board is asked for while nothing moves in the picture."""
STAGE_STANDS_NS = 3000 * MS
"""So long its reading stands when nothing has changed on it."""
BOARD_WAITS = 4
"""So many pictures the stage board waits for one whose cells are not read."""
STEADY = 0.025
"""Share by which the light may change without a new reading."""
LIGHT_STEP = 0.18
"""Steps of log colour or brightness that are the lamp and not the camera's own exposure control."""


@dataclass(frozen=True)
class Change:
    """`what`: hand, aim_lost, aim_found, light or fan; `detail`: as DESIGN §6 prints it."""

    t_ns: int
    what: str
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Sight:
    """One picture in the light of those before it.

    `tray`: tray text, "?" where a cell is covered or unsure; `settled`: nothing moves, no hand, readings agree;
    `moving`: cells in which something moves; `hand`: something reaches over the tray; `covers`: cells it hides;
    `fans`: token → place, None where not known; `changes`: what has just happened; `sides`: what the marbles show, over
    the last pictures, for `vision.turning`; None while anything moves. `light`: as in Glance. `view`: another number
    once the tray has been found again after a knock: marbles then look a little different. `hanging`: cells that a
    marble lies half in, none of them known.
    """

    t_ns: int
    tray: str
    settled: bool
    moving: tuple[str, ...]
    hand: bool
    covers: tuple[str, ...]
    fans: dict[str, str | None]
    aim: Aim
    changes: tuple[Change, ...]
    glance: Glance | None = None
    sides: Floats | None = field(default=None, repr=False, compare=False)
    light: tuple[float, float, float] = (0.0, 0.0, 0.0)
    view: int = 0
    hanging: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class _Past:
    """A picture as it is remembered: half-size patch, smoothed; most and least near each pixel; some of its pixels and
    the whole picture, tiny, in planes that tell the change of the light."""

    t_ns: int
    patch: Image
    most: Image
    least: Image
    few: Floats
    wide: Floats


class Gaze:
    def __init__(self, eye: Eye, steady: Steady | None = None) -> None:
        """`steady`: finds the tray again after a knock; by default from the picture itself."""
        self.eye = eye
        self._steady = steady or Steady(Finder(eye))
        self._past: deque[_Past] = deque()
        self._discs = self._disc_pixels()
        self._sides = Sides(eye.geometry, eye.cells)
        self._between: Between | None = None
        self._lamp: Step | None = None
        self._hung: tuple[Glance, tuple[str, ...]] | None = None
        self._calm: deque[Floats] = deque(maxlen=3)
        self._calm_since: int | None = None
        self._hand_ns: int | None = None
        self._agreed: deque[tuple[int, str]] = deque()
        self._hand = False
        self._settled = False
        self._shape: tuple[int, ...] = ()
        self._attention = Attention(eye.cells, eye.grid.rows)
        self._gain, self._shaken = 1.0, False
        stage = eye.calibration.stage
        self._board = None if stage is None else Board(stage)
        self._stage_ns: int | None = None
        self._stage_read_ns: int | None = None
        self._stage_waits = 0
        self._stage_begun: Begun[dict[str, str | None]] | None = None
        self._fans_seen: dict[str, str | None] = {}
        self._fans_ns = 0
        self._moved_geometry: tuple[View, Geometry] | None = None
        self._leftover = 0.0
        self._aim = _Debounced(lost_ns=150 * MS, found_ns=250 * MS)
        self._aiming = Aiming(eye)
        self._unknown = False
        self._light: tuple[float, float, float] | None = None
        self._light_trial: tuple[int, tuple[float, float, float]] | None = None
        self._fans: dict[str, str | None] = dict.fromkeys(eye.profile.tokens)
        self._fan_trial: dict[str, tuple[str, int]] = {}

    def _disc_pixels(self) -> npt.NDArray[np.intp]:
        """Cells × pixels: flat places of each cell's disc in the half-size patch."""
        geometry = self.eye.geometry
        width, height = geometry.size[0] // 2, geometry.size[1] // 2
        centres, reach = np.round(geometry.centres / 2 - 0.25).astype(int), int(geometry.radius / 2 * 0.9)
        offsets = np.arange(-reach, reach + 1)
        dy, dx = np.meshgrid(offsets, offsets, indexing="ij")
        inside = dx * dx + dy * dy <= (geometry.radius / 2 * 0.9) ** 2
        rows = np.clip(centres[:, 1:2] + dy[inside], 0, height - 1)
        columns = np.clip(centres[:, 0:1] + dx[inside], 0, width - 1)
        return np.asarray(rows * width + columns, np.intp)

    @property
    def view(self) -> View | None:
        """How pictures are made to look as from the camera's old place; None: it stands there."""
        return self._steady.view

    def look(self, image: Image, t_ns: int) -> Sight:
        """The next picture, in order of time. Raises VisionError when its size is not the calibration's."""
        patch = self._patch(image)
        small = half(patch)
        moving, patch_still, busy = self._movement(image, small, t_ns)
        fans = self._stage_due(image, busy, t_ns)
        glance, fans = self._glance(image, patch, moving, patch_still, fans, t_ns)
        changes: list[Change] = []
        aim = self._watch_aim(glance, t_ns, changes)
        self._seek(image, glance.reading.aim.ok, t_ns)
        cells = self._cells(glance)
        hand, covers = self._watch_hand(glance, patch_still, cells, t_ns, changes) if aim else (False, ())
        if hand:
            self._hand_ns = t_ns
        hanging = self._hanging(glance, cells) if aim and not hand else ()
        cells |= dict.fromkeys(hanging, "?")
        tray = self._text(cells)
        if not aim or not patch_still or hand or (busy and self._held_up(t_ns)):
            self._calm_since = None
            self._agreed.clear()
            self._calm.clear()
        elif self._calm_since is None:
            self._calm_since = t_ns
        if self._calm_since is not None:
            self._calm.append(self._sides.print(small))
        settled = self._settle(tray, t_ns)
        self._settled = settled
        if settled:
            self._leftover = glance.foreign
        if aim and not hand:
            self._watch_light(glance, t_ns, changes)
            if busy:
                self._fan_trial.clear()
            elif fans is not None:
                self._watch_fans(self._fans_seen, t_ns, changes)
        return Sight(
            t_ns,
            tray,
            settled,
            tuple(name for name, flag in zip(self.eye.cells, moving, strict=True) if flag),
            hand,
            covers,
            dict(self._fans) if aim and self._steady.board else dict.fromkeys(self._fans),
            glance.reading.aim,
            tuple(changes),
            glance,
            np.mean(self._calm, axis=0, dtype=np.float32) if settled else None,
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
            geometry = self.eye.geometry
            self._moved_geometry = (view, replace(geometry, to_patch=geometry.to_patch @ np.linalg.inv(view.to_now)))
        return self._moved_geometry[1].warp(image)

    def _seek(self, image: Image, there: bool, t_ns: int) -> None:
        """While the aim is lost: look for the tray. Once found all that was seen from the old place is forgotten.

        `there`: in this picture it is where it is believed to be; the aim only waits for that to last.
        """
        if self._aim.state:
            self._steady.rest()
        elif not there and self._steady.seek(image, t_ns):
            self._past.clear()
            self._attention.forget()
            self._aiming.forget()
            self._settled, self._leftover = False, 0.0
            self._calm_since = None
            self._agreed.clear()
            self._calm.clear()
            self._fan_trial.clear()
            self._stage_waits, self._stage_begun = 0, None
            if self._board is not None:
                self._board.forget()

    def _stage_due(self, image: Image, busy: bool, t_ns: int) -> bool | None:
        """Whether the stage board is to be read: on quiet pictures, now and then, and while a token may have moved.

        True: it is; False: what was read last stands, since nothing has changed on it; None: not now.
        """
        if busy or self._hand or not self._steady.board:
            self._stage_ns, self._stage_waits, self._stage_begun = None, 0, None
            return None
        if self._stage_waits:
            return True
        if not (self._fan_trial or self._stage_ns is None or t_ns - self._stage_ns >= STAGE_NS):
            return None
        self._stage_ns = t_ns
        board = self._board
        if board is None or self._steady.view is not None:
            return True
        read = self._stage_read_ns
        due = board.due(image, read is None or t_ns - read >= STAGE_STANDS_NS)
        if due is None:
            self._stage_ns = t_ns - STAGE_NS + STILL_NS  # soon again
        elif due:
            self._stage_read_ns = t_ns
        return due

    def _glance(
        self, image: Image, patch: Image, moving: Mask, still: bool, fans: bool | None, t_ns: int
    ) -> tuple[Glance, bool | None]:
        """What the eye sees, or what it saw a moment ago where that stands; and whether the board has been asked, as
        from `_stage_due`. Of what is dear (cells, board, a search for the tray) one thing is done a picture."""
        # a hand over the tray seems to shake it and to change its light
        calm = not still or (not self._shaken and (abs(self._gain - 1) < STEADY or self._attention.rushed(t_ns)))
        self._unknown = False
        if calm and image.shape == self._shape:
            stands = self._attention.standing(t_ns, patch, moving, still, self._settled)
            if stands is None and self._aiming.open and not still:
                stands = self._attention.put_off(t_ns, patch)
                if stands is not None:
                    return self._search(stands), None
            if stands is not None:
                return self._beside(image, stands, still, fans, t_ns)
        aim = None if self._shaken or not self._aim.state else self._aiming.standing(t_ns, self._calm_since)
        if aim is None:
            aim = self._aiming.ask(image, self._to_now, t_ns)
        if aim is None or not aim.ok:
            return self._blank(patch, aim), None
        hint = {} if self._lamp is None else {"lamp": self._lamp}
        glance = self.eye.look(image, patch, False, aim, **hint)
        self._lamp = glance.lamp
        if fans:
            self._stage_waits += 1
            fans = None
            if self._stage_waits > BOARD_WAITS:
                fans, self._stage_waits, self._stage_begun = True, 0, None
                self._fans_seen = whole(self.eye.fans_asked(self._board_image(image)))
        self._attention.taken(t_ns, glance, still)
        self._shape = image.shape
        self._gain, self._shaken = 1.0, False
        return glance, fans

    def _beside(
        self, image: Image, stands: Glance, still: bool, fans: bool | None, t_ns: int
    ) -> tuple[Glance, bool | None]:
        """While a reading stands there is time for a slice of something else."""
        if self._aiming.open:
            # while something moves every other picture is read: one of them is put off for this
            return (self._search(stands) if still else stands), None
        if not fans:
            return stands, fans
        if self._stage_begun is None:
            self._stage_begun = Begun(t_ns, self.eye.fans_asked(self._board_image(image)))
        if not self._stage_begun.go_on():
            self._stage_waits = max(1, self._stage_waits)
            return stands, None
        self._fans_seen = self._stage_begun.answer
        self._stage_waits, self._stage_begun = 0, None
        return replace(stands, reading=replace(stands.reading, fans=self._fans_seen)), True

    def _search(self, stands: Glance) -> Glance:
        """A slice of the search beneath a hand; what stands meanwhile."""
        aim = self._aiming.go_on()
        return stands if aim is None or aim.ok else self._blank(stands.patch, aim)

    def _board_image(self, image: Image) -> Image:
        """The picture with the stage board where it was calibrated."""
        view, stage = self._steady.view, self.eye.calibration.stage
        return image if view is None or stage is None else view.board_undone(image, stage)

    @property
    def _to_now(self) -> npt.NDArray[Any] | None:
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

    # -- movement

    def _movement(self, image: Image, small: Image, t_ns: int) -> tuple[npt.NDArray[np.bool_], bool, bool]:
        """(cells in which something moves, the whole patch is still, something moves in the picture)."""
        now = _past(t_ns, small, image)
        past = self._past
        if past and t_ns - past[-1].t_ns > STALE_NS:
            past.clear()
        while len(past) > 1 and t_ns - past[1].t_ns >= STILL_NS:
            past.popleft()
        if not past:
            past.append(now)
            return np.ones(len(self.eye.cells), bool), False, False
        then = past[0]
        past.append(now)
        change, gain = _beyond(then, now)
        self._gain = max(self._gain, gain, key=lambda one: abs(one - 1))
        everywhere = _median(change[::2, ::2])
        self._shaken |= everywhere > MOVED / 4
        limit = MOVED + 3.0 * everywhere
        discs = change.take(self._discs)
        moving = np.asarray(discs.sum(axis=1) > limit * discs.shape[1])
        near = cv2.boxFilter(change, cv2.CV_16U, (5, 5), normalize=False)
        share = np.count_nonzero(near > 25 * limit) / near.size
        outside = _difference(then.wide, now.wide)
        busy = np.count_nonzero(outside > 3.0 * _median(outside) + 9.0) >= 3
        return moving, bool(share < 0.02 and not moving.any()), bool(busy)

    def _held_up(self, t_ns: int) -> bool:
        """Movement in the picture matters while it may be the hand that was just over the tray."""
        return self._hand_ns is not None and t_ns - self._hand_ns < BUSY_NS

    def _settle(self, tray: str, t_ns: int) -> bool:
        """Whether pictures far enough apart agree, cell by cell; unsure cells may come and go."""
        if self._calm_since is None or self._aiming.open:
            return False
        agreed = self._agreed
        agreed.append((t_ns, tray))
        while len(agreed) > 1 and t_ns - agreed[1][0] >= CALM_NS:
            agreed.popleft()
        return t_ns - agreed[0][0] >= CALM_NS and all(_agree(old, tray) for _, old in agreed)

    # -- readings

    def _cells(self, glance: Glance) -> dict[str, str]:
        reading = glance.reading
        return {name: "?" if name in reading.occluded else reading.cells[name].colour for name in self.eye.cells}

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

    # -- events

    def _watch_hand(
        self, glance: Glance, still: bool, cells: dict[str, str], t_ns: int, changes: list[Change]
    ) -> tuple[bool, tuple[str, ...]]:
        covers = tuple(name for name in self.eye.cells if glance.cover[name] > 0.3 and cells[name] == "?")
        fresh = glance.foreign - self._leftover
        if self._hand:
            # gone when the surroundings are back, or when what stays changed is small, still, and hides no cell
            gone = fresh < HAND * 0.6 or (still and not covers and glance.foreign < LEFTOVER)
            hand = not bool(gone)
        else:
            hand = bool(fresh > HAND) and (not still or bool(covers))
        if hand != self._hand:
            self._hand = hand
            changes.append(
                Change(t_ns, "hand", {"state": "in" if hand else "out", "covers": list(covers) if hand else []})
            )
        return hand, covers if hand else ()

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
            self._hand = False
        return aim.ok and self._aim.state

    def _watch_light(self, glance: Glance, t_ns: int, changes: list[Change]) -> None:
        light = glance.light
        if glance.foreign - self._leftover > HAND / 2:
            return
        if self._light is None:
            self._light = light
            return
        step = max(abs(light[0] - self._light[0]), abs(light[1] - self._light[1]), abs(light[2] - self._light[2]) / 1.5)
        if step < LIGHT_STEP:
            self._light_trial = None
            # follow the day and the exposure control, but not at once what may be a switch
            share = 0.3 if step < LIGHT_STEP / 2 else 0.05
            self._light = (
                self._light[0] + share * (light[0] - self._light[0]),
                self._light[1] + share * (light[1] - self._light[1]),
                self._light[2] + share * (light[2] - self._light[2]),
            )
            return
        if self._light_trial is None:
            self._light_trial = (t_ns, light)
        elif t_ns - self._light_trial[0] >= STILL_NS:
            changes.append(Change(self._light_trial[0], "light"))
            self._light, self._light_trial = light, None

    @property
    def fans_seen(self) -> tuple[int, dict[str, str | None]]:
        """When the board was last looked at, and what it showed: a fan may be hidden and yet be held to lie there."""
        return self._fans_ns, self._fans_seen

    def _watch_fans(self, seen: dict[str, str | None], t_ns: int, changes: list[Change]) -> None:
        self._fans_ns = t_ns
        for fan, place in seen.items():
            if place is None or place == self._fans.get(fan):
                self._fan_trial.pop(fan, None)
                continue
            trial = self._fan_trial.get(fan)
            if trial is None or trial[0] != place:
                self._fan_trial[fan] = (place, t_ns)
                continue
            if t_ns - trial[1] >= TOKEN_NS:
                before = self._fans.get(fan)
                self._fans[fan] = place
                del self._fan_trial[fan]
                if before is not None:
                    changes.append(Change(t_ns, "fan", {"fan": fan, "from": before, "to": place}))


class _Debounced:
    """Lost and found only after some time of agreement."""

    def __init__(self, lost_ns: int, found_ns: int) -> None:
        self.state = True
        self._wait = {False: lost_ns, True: found_ns}
        self._since: int | None = None

    def feed(self, ok: bool, t_ns: int, since_ns: int | None = None) -> bool | None:
        """The new state when it turns, else None. `since_ns`: since when it has not been ok, if that was before."""
        if ok == self.state:
            self._since = None
            return None
        if self._since is None:
            self._since = t_ns if ok or since_ns is None else since_ns
        if t_ns - self._since >= self._wait[ok]:
            self.state, self._since = ok, None
            return ok
        return None


def _past(t_ns: int, small: Image, image: Image) -> _Past:
    """`small`: the half-size patch."""
    soft = np.asarray(cv2.blur(small, (3, 3)), np.uint8)
    # some pixels of the whole picture are enough, and most of what a look at it costs
    few = cv2.resize(image, (160, 120), interpolation=cv2.INTER_NEAREST)
    wide = cv2.resize(few, (40, 30), interpolation=cv2.INTER_AREA)
    most, least = cv2.dilate(soft, _NEAR), cv2.erode(soft, _NEAR)
    return _Past(
        t_ns, soft, np.asarray(most, np.uint8), np.asarray(least, np.uint8), _planes(soft[::2, ::2]), _planes(wide)
    )


def _planes(picture: npt.NDArray[Any]) -> Floats:
    """3 × pixels: NumPy is quick with long rows. A little brighter: noise in the dark is no ratio."""
    return np.asarray(picture.reshape(-1, 3).T.astype(np.float32, order="C") + _DARK)


def _beyond(then: _Past, now: _Past) -> tuple[Image, float]:
    """How far each pixel lies outside of what its neighbourhood showed: a trembling camera and noise stay within.

    And the channel's change of the light as a whole that is farthest from 1; it has been taken out. All in bytes, whose
    subtraction ends at 0.
    """
    gain = _gain(then.few, now.few)
    farthest = max((float(one) for one in gain), key=lambda one: abs(one - 1))
    most, least = then.most, then.least
    if abs(farthest - 1) > _SAME_LIGHT:
        levels = np.maximum(_LEVELS * gain + (0.5 - _DARK), 0)
        table = np.minimum(levels, 255).astype(np.uint8)[None]
        most, least = np.asarray(cv2.LUT(most, table), np.uint8), np.asarray(cv2.LUT(least, table), np.uint8)
    blue, green, red = cv2.split(cv2.max(cv2.subtract(now.patch, most), cv2.subtract(least, now.patch)))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8), farthest


def _difference(then: Floats, now: Floats) -> Floats:
    """Largest channel's change of each pixel, after a change of the light as a whole has been taken out."""
    return np.asarray(np.abs(now - then * _gain(then[:, ::4], now[:, ::4])[:, None]).max(axis=0), np.float32)


def _gain(then: Floats, now: Floats) -> Floats:
    """The change of each channel (rows) that most pixels share."""
    ratio = now / then
    middle = ratio.shape[1] // 2
    ratio.partition(middle, axis=1)
    return np.asarray(ratio[:, middle])


def _median(values: npt.NDArray[Any]) -> float:
    flat = values.flatten()
    flat.partition(len(flat) // 2)
    return float(flat[len(flat) // 2])


def _agree(one: str, other: str) -> bool:
    return all(a == b or "?" in (a, b) for a, b in zip(one, other, strict=True))
