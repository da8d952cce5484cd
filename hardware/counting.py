"""Edges of light beams to marbles that went by: pure, for any pulse train. The why is in docs/decisions/beams.md.

The story: a marble has dropped when it *leaves* the beam (blocked → clear). That one rule serves both rest states: with
a clear beam a drop is a short pulse, with a queue standing in it a short opening. Edges are put in the order of their
stamps, flutter under 1 ms is taken away, and each pulse is then held against what marbles can do. What that cannot
decide is counted by the likelier reading and marked uncertain; an uncertain moment without a drop is a `Doubt`.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from hardware.edges import Edge
from hardware.marbles import Geometry as Geometry
from hardware.marbles import judge, lone_ms
from hardware.sensor_fault import Alarm, RateWatch

MS = 1_000_000
_FOREVER = 1 << 62
_ENOUGH = 5
"""So many pulses tell whether marbles come at about one speed."""
_RECENT = 30
"""So many of the last clean pulses tell how fast marbles are at this table: one hard throw is forgotten again."""


@dataclass(frozen=True)
class Drop:
    """One marble. `t_ns`: when it entered the beam, or, if it stood in it, when it left."""

    t_ns: int
    lane: str
    certain: bool


@dataclass(frozen=True)
class Doubt:
    """From this moment on the lane's count is not sure; `text` is one sentence."""

    t_ns: int
    lane: str
    text: str


@dataclass(frozen=True)
class LaneCount:
    """`times_ns`: one for each drop; `fault`: the sentence for the page, counting stopped; `doubts`: sentences.

    `assumes`: what `certain` rests on and this record cannot show.
    """

    drops: int
    certain: bool
    times_ns: tuple[int, ...]
    fault: str | None = None
    doubts: tuple[str, ...] = ()
    assumes: str | None = field(default=None, compare=False)


@dataclass(frozen=True)
class _Counted:
    drop: Drop
    width_ms: float | None
    """Of a pulse that was one marble for all we knew then; a faster marble seen later can make it doubtful."""


@dataclass
class _Lane:
    name: str
    level: bool
    stable: bool
    edge_ns: int
    """The last raw edge; `level` has held since then."""
    queue: bool
    """Marbles stand in the beam at rest."""
    rate: RateWatch
    pulse_ns: int
    """Start of the stable blocked stretch that goes on, or went on last."""
    opened: bool = False
    """The beam has been seen to go from blocked to clear: it is alive."""
    burst: list[int] = field(default_factory=list)
    slits: list[tuple[int, int]] = field(default_factory=list)
    """Openings under 1 ms within this pulse."""
    moves: bool = False
    """What stands in the beam is a queue: it has moved up."""
    opened_before: bool = False
    """`pulse_ns` is a marble's arrival, not just the start of the record."""
    opening_ns: int | None = None
    """Start of the opening that goes on while a queue stands in the beam."""
    counted: list[_Counted] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    ill: bool = False
    fault: str | None = None
    fault_ns: int = 0
    waiting: list[tuple[int, int, bool]] = field(default_factory=list)
    done_ns: int = -_FOREVER


class DropCounter:
    """Feed it edges as they come and the time now and then; it answers with drops.

    Edges may arrive up to `late_ms` out of order, so a drop is known `late_ms` after it (or once `flush` is called).
    """

    def __init__(self, geometry: Geometry | None = None) -> None:
        self.geometry = geometry or Geometry()
        self._lanes: dict[str, _Lane] = {}
        self._singles: deque[tuple[int, str, float]] = deque(maxlen=_RECENT)
        self._plain: deque[bool] = deque(maxlen=_RECENT)
        self._serial = 0
        self._out: list[Drop] = []

    # ---------------------------------------------------------------- what goes in
    def feed(self, edge: Edge) -> list[Drop]:
        """One edge. A lane's first edge is its level at the start."""
        lane = self._lanes.get(edge.lane)
        if lane is None:
            self._lanes[edge.lane] = self._start(edge)
            return []
        if edge.t_ns < lane.done_ns:
            self._doubt(lane, edge.t_ns, "an edge arrived too late to be put in order")
            edge = Edge(lane.done_ns, edge.lane, edge.blocked)
        self._serial += 1
        heapq.heappush(lane.waiting, (edge.t_ns, self._serial, edge.blocked))
        # the newest stamp of the lane is a clock as well: tests and files need no tick
        self._advance(lane, max(lane.waiting)[0] - int(self.geometry.late_ms * MS))
        return self._take()

    def tick(self, t_ns: int) -> list[Drop]:
        """The time now: decides what only time decides (a pulse is over, a marble stands, a fault has ended)."""
        for lane in self._lanes.values():
            self._advance(lane, t_ns - int(self.geometry.late_ms * MS))
        return self._take()

    def flush(self) -> list[Drop]:
        """The record is at its end: what lies after the last edge stays as it is."""
        for lane in self._lanes.values():
            self._advance(lane, _FOREVER)
        return self._take()

    def forget(self, before_ns: int) -> None:
        """Nobody asks any more for what was counted or doubted before: `counts` from then on stay as they are."""
        for lane in self._lanes.values():
            lane.counted = [one for one in lane.counted if one.drop.t_ns >= before_ns]
            lane.doubts = [one for one in lane.doubts if one.t_ns >= before_ns]

    # ---------------------------------------------------------------- what is known
    @property
    def lanes(self) -> tuple[str, ...]:
        return tuple(sorted(self._lanes))

    def blocked(self, lane: str) -> bool:
        """The beam's level as far as edges have been worked off."""
        return self._lanes[lane].level

    def fault(self, lane: str) -> str | None:
        """The fault that is there now; it ends after `recover_s` of quiet."""
        found = self._lanes[lane]
        return found.fault if found.ill else None

    def stands(self, lane: str) -> bool:
        """The beam is blocked and nobody can tell whether a queue, one marble or the sun does it."""
        found = self._lanes[lane]
        return found.stable and found.queue and not (found.moves or self.geometry.rest == "blocked")

    def doubts(self, lane: str, since_ns: int = -_FOREVER) -> tuple[Doubt, ...]:
        return tuple(doubt for doubt in self._lanes[lane].doubts if doubt.t_ns >= since_ns)

    def counts(self, since_ns: int = -_FOREVER) -> dict[str, LaneCount]:
        """Each lane's count from `since_ns` on, judged by all that is known now."""
        widths = [
            one.width_ms
            for lane in self._lanes.values()
            for one in lane.counted
            if one.width_ms is not None and one.drop.t_ns >= since_ns
        ]
        limit = lone_ms(self.geometry, [*self._widths, *widths])
        return {name: self._count(self._lanes[name], since_ns, limit) for name in self.lanes}

    def _count(self, lane: _Lane, since_ns: int, limit: float) -> LaneCount:
        counted = [one for one in lane.counted if one.drop.t_ns >= since_ns]
        certain = all(one.drop.certain and (one.width_ms is None or one.width_ms <= limit) for one in counted)
        fault = lane.fault if lane.fault and (lane.ill or lane.fault_ns >= since_ns) else None
        # a beam that was never seen to open is a queue at rest, or blind: nobody can tell which
        blind = lane.stable and not lane.opened and self.geometry.rest != "blocked"
        doubts = tuple(doubt.text for doubt in self.doubts(lane.name, since_ns))
        if blind:
            doubts += (f"lane {lane.name}: always blocked, by a queue of marbles or by light that blinds the sensor",)
        times = tuple(one.drop.t_ns for one in counted)
        return LaneCount(len(counted), certain and not fault and not doubts, times, fault, doubts)

    # ---------------------------------------------------------------- putting edges in order
    def _start(self, edge: Edge) -> _Lane:
        rest = self.geometry.rest
        queue = edge.blocked and rest != "clear"
        rate = RateWatch(self.geometry)
        lane = _Lane(edge.lane, edge.blocked, edge.blocked, edge.t_ns, queue, rate, edge.t_ns)
        lane.done_ns = edge.t_ns
        if edge.blocked and rest == "clear":
            self._doubt(lane, edge.t_ns, "the beam was blocked at the start")
        return lane

    def _advance(self, lane: _Lane, until_ns: int) -> None:
        while lane.waiting and lane.waiting[0][0] <= until_ns:
            t_ns, _, blocked = heapq.heappop(lane.waiting)
            self._pass_time(lane, t_ns)
            lane.done_ns = max(lane.done_ns, t_ns)
            self._edge(lane, t_ns, blocked)
        if until_ns > lane.done_ns:
            self._pass_time(lane, until_ns)
            lane.done_ns = until_ns

    def _take(self) -> list[Drop]:
        drops, self._out = sorted(self._out, key=lambda drop: (drop.t_ns, drop.lane)), []
        return drops

    # ---------------------------------------------------------------- raw edges to stable levels
    def _edge(self, lane: _Lane, t_ns: int, blocked: bool) -> None:
        self._alarm(lane, t_ns, lane.rate.edge(t_ns))
        if blocked == lane.level:
            self._unseen(lane, t_ns)
        else:
            lane.burst.append(t_ns)
            lane.level = blocked
        lane.edge_ns = t_ns

    def _unseen(self, lane: _Lane, t_ns: int) -> None:
        """The same level twice: an edge between them was not seen (field report G12)."""
        self._doubt(lane, t_ns, "the same level came twice, so an edge was not seen")
        shortest = int(self.geometry.shortest_ms * MS)
        if lane.burst:
            return
        if not lane.level:
            if t_ns - lane.edge_ns >= shortest:
                self._drop(lane, t_ns, certain=False)
        elif t_ns - lane.pulse_ns >= shortest:
            self._drop(lane, lane.pulse_ns, certain=False)
            lane.pulse_ns, lane.slits = t_ns, []

    def _pass_time(self, lane: _Lane, now_ns: int) -> None:
        """All that happens by itself while the raw level holds from `edge_ns` to `now_ns`."""
        g = self.geometry
        held = now_ns - lane.edge_ns
        if lane.burst and held >= g.glitch_ms * MS:
            self._settle(lane)
        if lane.opening_ns is not None and now_ns - lane.opening_ns > g.opening_ms * MS:
            # the queue is used up, or the sun has gone: the marble that stood there may have been none
            self._drop(lane, lane.opening_ns, certain=False)
            lane.opening_ns, lane.queue = None, False
        if lane.stable and not lane.burst and not lane.queue and now_ns - lane.pulse_ns >= g.park_ms * MS:
            self._doubt(lane, lane.pulse_ns, "a marble stands in the beam, or light blinds the sensor")
            lane.queue, lane.moves, lane.slits = True, False, []
        if lane.ill and held >= g.recover_s * 1e9 and now_ns != _FOREVER:
            self._recover(lane, now_ns)

    def _settle(self, lane: _Lane) -> None:
        """The flutter since the last stable level has ended in `lane.level`."""
        first, last = lane.burst[0], lane.burst[-1]
        flutter, lane.burst = lane.burst, []
        long = last - first >= self.geometry.shortest_ms * MS
        if lane.level == lane.stable:
            self._alarm(lane, first, lane.rate.pulse(first))
            if lane.stable:
                lane.slits.append((first, last))
                if lane.queue:
                    self._doubt(lane, first, "a slit of light: flutter, or touching marbles that moved up")
                    if last - first >= self.geometry.glitch_ms * MS:
                        lane.opened = True
                        self._drop(lane, first, certain=False)
            elif long:
                self._doubt(lane, first, f"flutter for {(last - first) / MS:.1f} ms where a marble may have hidden")
            return
        lane.stable = lane.level
        if long and len(flutter) > 1:
            self._doubt(lane, first, "flutter at an edge went on for so long that a marble may have hidden in it")
        if lane.stable:
            self._rise(lane, first)
        else:
            self._fall(lane, last)

    # ---------------------------------------------------------------- stable levels to marbles
    def _rise(self, lane: _Lane, t_ns: int) -> None:
        self._alarm(lane, t_ns, lane.rate.pulse(t_ns))
        if lane.opening_ns is not None:
            self._drop(lane, lane.opening_ns, certain=True)
            lane.opening_ns, lane.moves = None, True
        lane.pulse_ns, lane.slits = t_ns, []

    def _fall(self, lane: _Lane, t_ns: int) -> None:
        lane.opened = True
        width_ms = (t_ns - lane.pulse_ns) / MS
        if lane.queue:
            if lane.opened_before and t_ns - lane.pulse_ns < self.geometry.shortest_ms * MS:
                self._doubt(lane, lane.pulse_ns, "the beam was blocked for less time than a marble needs")
            lane.opening_ns, lane.opened_before = t_ns, True
            return
        lane.rate.width(width_ms)
        verdict = judge(self.geometry, width_ms, self._parts(lane, t_ns), self._widths, self._one_speed)
        if not verdict.marbles:
            self._doubt(lane, lane.pulse_ns, f"a pulse of {width_ms:.1f} ms is too short for a marble")
        for number in range(verdict.marbles):
            start = lane.pulse_ns + (t_ns - lane.pulse_ns) * number // verdict.marbles
            self._drop(lane, start, verdict.certain, width_ms if verdict.single else None)
        if not lane.ill:
            self._plain.append(verdict.single)
        if verdict.single and not lane.ill:
            self._singles.append((lane.pulse_ns, lane.name, width_ms))

    @property
    def only_ms(self) -> float | None:
        """Width of the only pulse in all lanes, where two touching marbles could have made it as well as one."""
        g = self.geometry
        if g.gap_shows or len(self._singles) != 1 or len(self._plain) != 1:
            return None
        width_ms = self._widths[0]
        return width_ms if width_ms >= g.two_ms(g.shortest_ms) else None

    @property
    def _widths(self) -> list[float]:
        """Of the last single marbles at this table, in ms."""
        return [width_ms for _, _, width_ms in self._singles]

    @property
    def _one_speed(self) -> bool:
        """Most pulses are single marbles by their widths; else marbles come here at any speed."""
        return len(self._plain) >= _ENOUGH and sum(self._plain) >= 0.75 * len(self._plain)

    def _parts(self, lane: _Lane, end_ns: int) -> list[float]:
        """The pulse cut at its slits, in ms; slits within the flutter of an edge cut nothing."""
        least = self.geometry.least_part_ms
        parts, start = [], lane.pulse_ns
        for first, last in lane.slits:
            if (first - start) / MS >= least and (end_ns - last) / MS >= least:
                parts.append((first - start) / MS)
                start = last
        return [*parts, (end_ns - start) / MS]

    def _drop(self, lane: _Lane, t_ns: int, certain: bool, width_ms: float | None = None) -> None:
        if lane.ill:
            return
        drop = Drop(t_ns, lane.name, certain)
        lane.counted.append(_Counted(drop, width_ms))
        self._out.append(drop)

    def _doubt(self, lane: _Lane, t_ns: int, text: str) -> None:
        if not lane.ill:
            lane.doubts.append(Doubt(t_ns, lane.name, f"lane {lane.name}: {text}"))

    # ---------------------------------------------------------------- sensor faults
    def _alarm(self, lane: _Lane, t_ns: int, alarm: Alarm | None) -> None:
        if alarm is None or lane.ill:
            return
        lane.fault = f"sensor fault, lane {lane.name}: {alarm.why}, check its cable"
        lane.ill, lane.fault_ns = True, t_ns
        from_ns = alarm.from_ns
        # the pulses that showed the fault were no marbles
        lane.counted = [one for one in lane.counted if one.drop.t_ns < from_ns]
        self._singles = deque((one for one in self._singles if one[1] != lane.name or one[0] < from_ns), _RECENT)
        lane.doubts.append(Doubt(from_ns, lane.name, lane.fault))

    def _recover(self, lane: _Lane, now_ns: int) -> None:
        lane.ill, lane.queue, lane.opening_ns, lane.moves = False, lane.level, None, False
        lane.rate.clear()
        lane.doubts.append(Doubt(now_ns, lane.name, f"lane {lane.name}: the sensor is quiet again, counting goes on"))


def count(edges: Iterable[Edge], geometry: Geometry | None = None) -> dict[str, LaneCount]:
    """Count a whole record: every lane that is in it, by name. Edges need not be in order.

    The first edge of a lane in the order given is its level at the start.
    """
    counter = DropCounter(geometry)
    rest: list[Edge] = []
    for edge in edges:
        if edge.lane in counter.lanes:
            rest.append(edge)
        else:
            counter.feed(edge)
    for edge in sorted(rest, key=lambda edge: edge.t_ns):
        counter.feed(edge)
    counter.flush()
    return {name: _alone(one, counter) for name, one in counter.counts().items()}


def _alone(one: LaneCount, counter: DropCounter) -> LaneCount:
    """In a record with one pulse only nothing tells how fast marbles are at this table."""
    width_ms = counter.only_ms
    if width_ms is None or not one.drops or not one.certain:
        return one
    text = f"a single pulse of {width_ms:.1f} ms is one marble; two touching ones twice as fast would look the same"
    return replace(one, assumes=text)
