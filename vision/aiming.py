"""When the aim is asked, and what it costs: a glance at the blocks each time, a search for them in slices.

Blocks of the tray that lie where they were answer at once. When a hand hides some of them the tray could have slid
beneath it: they are looked for beside pictures whose cells are not read, and until then what the others say holds.
When too few lie where they were nothing is believed until all have been looked for.
"""

from __future__ import annotations

from typing import Protocol

from vision.arrays import Floats
from vision.picture import Image
from vision.reading import Aim
from vision.slices import Begun, Slices, whole

MS = 1_000_000
AIM_NS = 500 * MS
"""So long an aim stands unchecked, unless something shook the picture or a tray is about to settle."""
AHEAD_NS = 200 * MS
"""So long before that it is asked beside a picture that is not read, while something moves: readings cost most then."""
SEARCH_NS = 800 * MS
"""So often the blocks beneath a hand are looked for."""
LOST_NS = 190 * MS
"""So often it is asked while the tray is elsewhere."""
AGAIN_NS = 500 * MS
"""So often all blocks are, once that found the tray elsewhere or not at all."""


class Asked(Protocol):
    """The part of an Eye that this needs. `to_now`: as in `vision.reaim.View`, when the camera stands elsewhere."""

    def aim_at_once(self, image: Image, to_now: Floats | None = None) -> tuple[Aim | None, bool]: ...

    def aim_asked(self, image: Image, to_now: Floats | None = None) -> Slices[Aim]: ...

    def aim_searched(self, image: Image, to_now: Floats | None = None) -> Slices[Aim]: ...


class Aiming:
    def __init__(self, eye: Asked) -> None:
        self._eye = eye
        self.forget()

    def forget(self) -> None:
        """All that was seen from another place."""
        self._held: tuple[int, Aim] | None = None
        self._searched_ns: int | None = None
        self._asked_ns: int | None = None
        self._search: Begun[Aim] | None = None
        self._pressing = False
        self._lost: tuple[int, Aim] | None = None
        self._first = True

    @property
    def open(self) -> bool:
        """Whether something is being looked for: nothing is to settle meanwhile."""
        return self._search is not None

    @property
    def since_ns(self) -> int | None:
        """Since when the tray has been elsewhere, as far as is known."""
        return None if self._lost is None else self._lost[0]

    def standing(self, t_ns: int, calm_since: int | None) -> Aim | None:
        """The aim that was found a moment ago, when it was good; None: ask."""
        if self._held is None or self._lost is not None:
            return None
        since, aim = self._held
        # no tray settles on an aim from before the calm
        if t_ns - since >= AIM_NS or (calm_since is not None and since < calm_since):
            return None
        return aim

    def stale(self, t_ns: int, still_since: int | None) -> bool:
        """Whether a reading that follows soon had better find it asked already. `still_since`: since when all has lain
        still; None: something moves."""
        if self._held is None or self._lost is not None:
            return False
        since = self._held[0]
        if still_since is None:
            return t_ns - since >= AIM_NS - AHEAD_NS
        return t_ns - since >= AIM_NS or since < still_since

    def ask(self, image: Image, to_now: Floats | None, t_ns: int) -> Aim | None:
        """None: not known yet, another slice with the next picture."""
        if self._first:
            self._first = False
            return self._take(t_ns, whole(self._eye.aim_asked(image, to_now)))
        if self._lost is not None and self._asked_ns is not None and t_ns - self._asked_ns < LOST_NS:
            return self._lost[1]  # the time is needed to look for it
        self._asked_ns = t_ns
        aim, doubtful = self._eye.aim_at_once(image, to_now)
        if aim is not None and not doubtful:
            self._search, self._lost = None, None
            self._held, self._searched_ns = (t_ns, aim), t_ns
            return aim
        if aim is not None and self._lost is None:
            if self._searched_ns is not None and t_ns - self._searched_ns < SEARCH_NS:
                self._held = (t_ns, aim)
            elif self._search is None:
                self._begin(image, to_now, t_ns, pressing=False)
            return aim
        if self._lost is not None:
            if self._search is None and t_ns - self._lost[0] >= AGAIN_NS:
                self._begin(image, to_now, t_ns, pressing=True)
            return self._lost[1]
        if self._search is None or not self._pressing:
            self._begin(image, to_now, t_ns, pressing=True)
            return None
        return self.go_on()

    def _begin(self, image: Image, to_now: Floats | None, t_ns: int, pressing: bool) -> None:
        self._search, self._pressing = Begun(t_ns, self._eye.aim_searched(image, to_now)), pressing

    def go_on(self) -> Aim | None:
        """A slice of what is being looked for; the answer once it is done."""
        search = self._search
        if search is None or not search.go_on():
            return None
        self._search = None
        return self._take(search.t_ns, search.answer)

    def _take(self, t_ns: int, aim: Aim) -> Aim:
        self._searched_ns = t_ns
        if aim.ok:
            self._held, self._lost = (t_ns, aim), None
        else:
            self._lost = (t_ns, aim)
        return aim
