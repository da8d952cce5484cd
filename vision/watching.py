"""What comes and goes over many pictures: a hand over the tray, another light, the aim lost and found again."""

from __future__ import annotations

from vision.eye import Glance
from vision.sight import Change

MS = 1_000_000
HAND = 0.06
"""Share of the surroundings that must be newly hidden for a hand; a marble rolling past hides less."""
LEFTOVER = 0.12
"""So much may stay changed (a shifted card at the rim) while every cell is read and nothing moves."""
BUSY_NS = 1000 * MS
"""So long after a hand movement outside the tray may hold up a reading: it is that hand, leaving."""
LIGHT_STEP = 0.18
"""Steps of log colour or brightness that are the lamp and not the camera's own exposure control."""
LIGHT_NS = 90 * MS
"""So long another light must last."""


class HandWatch:
    """`here`: a hand was over the tray in the last picture."""

    def __init__(self) -> None:
        self.here = False
        self._leftover = 0.0
        self._seen_ns: int | None = None

    def gone(self) -> None:
        """The aim was lost or found: nothing is known of a hand."""
        self.here = False

    def settled(self, foreign: float) -> None:
        """The tray has settled: what is changed now was left there."""
        self._leftover = foreign

    def forget(self) -> None:
        """The tray is seen from elsewhere."""
        self._leftover = 0.0

    def fresh(self, glance: Glance) -> float:
        """How much of the surroundings is newly hidden."""
        return glance.foreign - self._leftover

    def left_just_now(self, t_ns: int) -> bool:
        """Movement in the picture matters while it may be the hand that was just over the tray."""
        return self._seen_ns is not None and t_ns - self._seen_ns < BUSY_NS

    def see(
        self, glance: Glance, still: bool, cells: dict[str, str], t_ns: int
    ) -> tuple[tuple[str, ...], tuple[Change, ...]]:
        """The cells that a hand covers, and its coming or going. `still`: nothing moves in the patch."""
        covers = tuple(name for name, cover in glance.cover.items() if cover > 0.3 and cells[name] == "?")
        fresh = self.fresh(glance)
        if self.here:
            # gone when the surroundings are back, or when what stays changed is small, still, and hides no cell
            gone = fresh < HAND * 0.6 or (still and not covers and glance.foreign < LEFTOVER)
            here = not bool(gone)
        else:
            here = bool(fresh > HAND) and (not still or bool(covers))
        if here:
            self._seen_ns = t_ns
        if here == self.here:
            return covers if here else (), ()
        self.here = here
        covers = covers if here else ()
        return covers, (Change(t_ns, "hand", {"state": "in" if here else "out", "covers": list(covers)}),)


class LightWatch:
    def __init__(self) -> None:
        self._light: tuple[float, float, float] | None = None
        self._trial: tuple[int, tuple[float, float, float]] | None = None

    def see(self, light: tuple[float, float, float], t_ns: int) -> tuple[Change, ...]:
        """`light`: of a picture without a hand in it, as in Glance."""
        last = self._light
        if last is None:
            self._light = light
            return ()
        step = max(abs(light[0] - last[0]), abs(light[1] - last[1]), abs(light[2] - last[2]) / 1.5)
        if step < LIGHT_STEP:
            self._trial = None
            # follow the day and the exposure control, but not at once what may be a switch
            share = 0.3 if step < LIGHT_STEP / 2 else 0.05
            u, v, w = (old + share * (new - old) for old, new in zip(last, light, strict=True))
            self._light = (u, v, w)
            return ()
        if self._trial is None:
            self._trial = (t_ns, light)
        elif t_ns - self._trial[0] >= LIGHT_NS:
            since = self._trial[0]
            self._light, self._trial = light, None
            return (Change(since, "light"),)
        return ()


class Debounced:
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
