"""One marble dropped into each lane, asked for lane by lane: which beam saw it, in which order, which one is stuck.

Fed with edges and the time; it has no clock. `order` is what was learnt: the beam that saw each lane's marble.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardware.counting import DropCounter, Geometry
from hardware.edges import Edge

DEAF_S = 20
"""Seconds without a marble after which it is said what may be wrong."""


class BeamTrial:
    """`lanes`: those that have a beam, in the order in which they are asked for; `began_ns`: the time now."""

    def __init__(self, lanes: Sequence[str], began_ns: int, geometry: Geometry | None = None) -> None:
        self._counter = DropCounter(geometry)
        self._lanes = tuple(lanes)
        self._drops = dict.fromkeys(lanes, 0)
        self._fired: dict[str, str] = {}
        self._passed: set[str] = set()
        self._note = ""
        self._asked_ns = self._now = began_ns

    @property
    def asked(self) -> str | None:
        """The lane that wants a marble now; None: all had theirs, or were passed over."""
        return next((lane for lane in self._lanes if lane not in self._fired and lane not in self._passed), None)

    @property
    def order(self) -> dict[str, str]:
        """Lane → the beam that saw its marble."""
        return dict(self._fired)

    @property
    def swapped(self) -> bool:
        """Every lane had its marble, and some beam stands under another lane's name."""
        return len(self._fired) == len(self._lanes) and any(lane != beam for lane, beam in self._fired.items())

    def feed(self, edge: Edge) -> None:
        if edge.lane in self._lanes:
            self._take(drop.lane for drop in self._counter.feed(edge))

    def tick(self, t_ns: int) -> None:
        self._now = t_ns
        self._take(drop.lane for drop in self._counter.tick(t_ns))

    def pass_over(self) -> None:
        """The lane that is asked for gets no marble: its beam is to be looked at later."""
        if self.asked is not None:
            self._passed.add(self.asked)
            self._note, self._asked_ns = "", self._now

    def _take(self, lanes: Any) -> None:
        for beam in lanes:
            self._drops[beam] += 1
            asked = self.asked
            if asked is None:
                continue
            if beam in self._fired.values():
                # the marble of the lane before, counted again, or another one: it says nothing of the lane asked for
                self._note = f"Beam {beam} saw another marble. Now lane {asked}, please."
                continue
            self._fired[asked] = beam
            wrong = f"Lane {asked} was asked for, and beam {beam} saw it."
            self._note = "" if beam == asked else wrong
            self._asked_ns = self._now

    def to_json(self) -> dict[str, Any]:
        counts = self._counter.counts()
        lanes: dict[str, Any] = {}
        for lane in self._lanes:
            known = lane in counts
            fault = self._counter.fault(lane) if known else None
            stands = known and self._counter.stands(lane)
            text = ""
            if fault is not None:
                text = f"{fault[:1].upper()}{fault[1:]}."
            elif stands:
                text = "Always blocked: a marble stands in it, light blinds the sensor, or it does not face its lamp."
            lanes[lane] = {
                "drops": self._drops[lane],
                "blocked": known and self._counter.blocked(lane),
                "stuck": fault is not None or stands,
                "seen": lane in self._fired,
                "beam": self._fired.get(lane),
                "text": text,
            }
        return {"asked": self.asked, "lanes": lanes, "note": self._note or self._deaf(), "swapped": self._told()}

    def _deaf(self) -> str:
        asked = self.asked
        if asked is None or self._now - self._asked_ns < DEAF_S * 1_000_000_000:
            return ""
        return (
            f"Beam {asked} has seen nothing yet. Does the marble cross it, do lamp and receiver face one another, "
            "and is the wire in its pin?"
        )

    def _told(self) -> str | None:
        """The wrong order in words; None: it is right, or not known."""
        if not self.swapped:
            return None
        wrong = [f"lane {lane} is wired as {beam}" for lane, beam in self._fired.items() if lane != beam]
        return f"The wires are in another order: {', '.join(wrong)}."
