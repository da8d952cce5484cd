"""Frames and beam edges in, what happened at the table out: what `replay` and `run` share (DESIGN §4).

Everything is fed in order of time by one thread. The times are those of the frames and edges; there is no clock here.
"""

from __future__ import annotations

from dataclasses import replace

from companion.rules.rematch.chains import prepare
from companion.rules.rematch.evidence import NO_SIDES, Sides
from companion.rules.rematch.tray import CELLS
from companion.rules.rematch.watch import Dropped, Outcome, Seen, Watcher
from hardware.camera import Frame
from hardware.counting import Drop, DropCounter
from hardware.edges import Edge
from vision.gaze import Change, Gaze, Sight
from vision.turning import compare

SAME_LIGHT = 0.1
"""Steps of log colour or brightness within which marbles can be compared closely."""
Happening = Change | Outcome
"""What the vision alone noticed (hand, aim, light, fan), or what the watcher made of the turn."""


class Pipeline:
    """`gaze` None: no camera, drops alone prove nothing; `counter` None: no beams, the camera stands alone."""

    def __init__(self, gaze: Gaze | None, watcher: Watcher, counter: DropCounter | None = None) -> None:
        prepare()
        self.gaze = gaze
        self.watcher = watcher
        self.counter = counter
        self.sight: Sight | None = None
        self._begun: Sight | None = None
        """The last one of the tray as the turn found it."""
        self._doubts: dict[str, int] = {}
        self._counted_from: int | None = None

    def look_through(self, gaze: Gaze) -> None:
        """The same turn seen with other eyes: what was seen and counted of it stays."""
        self.gaze = gaze
        # marbles look otherwise from elsewhere: nothing of before is compared with what is seen now
        self.sight = self._begun = None

    def frame(self, frame: Frame) -> list[Happening]:
        """The next picture. Raises VisionError when its size is not the calibration's."""
        if self.gaze is None:
            return []
        self.tick(frame.t_ns)
        last = self.sight
        idle = last is not None and last.prints is not None and last.t_ns == self.watcher.since_ns
        if idle:
            self._begun = last
        sight = self.gaze.look(frame.image, frame.t_ns)
        self.sight = sight
        seen = Seen(sight.t_ns, sight.tray, sight.settled, sight.hand, sight.covers, sight.aim.ok)
        if sight.hanging:
            seen = replace(seen, hanging=sight.hanging)
        if not idle:
            seen = replace(seen, sides=self._sides(sight))
        if self.watcher.differs(seen):
            self._doubt_uncertain_lanes()
        return [*sight.changes, *self.watcher.seen(seen)]

    def _sides(self, sight: Sight) -> Sides:
        """What the marbles show against the tray as it lay when the turn began."""
        begun = self._begun
        if begun is None or begun.t_ns != self.watcher.since_ns or begun.sides is None or sight.sides is None:
            return NO_SIDES
        if begun.view != sight.view:
            return NO_SIDES  # the camera was knocked: it sees other sides of them
        if max(abs(then - now) for then, now in zip(begun.light, sight.light, strict=True)) > SAME_LIGHT:
            return NO_SIDES  # highlights and shadows lie elsewhere
        touched = compare(begun.sides, sight.sides, begun.tray.replace("/", ""), sight.tray.replace("/", ""), CELLS)
        return Sides(touched.turned, touched.alike)

    def edge(self, edge: Edge) -> list[Happening]:
        """The next edge. Its lane counts from now on, and no other."""
        if self.counter is not None:
            self.watcher.counts(edge.lane)
            self._dropped(self.counter.feed(edge))
        return []

    def tick(self, t_ns: int) -> None:
        """What only time decides: a pulse is over, a fault has come or gone."""
        if self.counter is None:
            return
        self._dropped(self.counter.tick(t_ns))
        for lane in self.counter.lanes:
            doubts = len(self.counter.doubts(lane))
            if self.counter.fault(lane) is not None or doubts > self._doubts.get(lane, 0):
                self.watcher.fault(lane)
            self._doubts[lane] = doubts
        if self.watcher.since_ns != self._counted_from:
            # a companion runs for weeks: of the turns before nothing is asked again
            self._counted_from = self.watcher.since_ns
            self.counter.forget(self._counted_from)
            self._doubts = {lane: len(self.counter.doubts(lane)) for lane in self.counter.lanes}

    def finish(self, t_ns: int) -> list[Happening]:
        """The recording is over: what was still open becomes a question."""
        if self.counter is not None:
            self._dropped(self.counter.flush())
        return [*self.watcher.finish(t_ns)]

    def _dropped(self, drops: list[Drop]) -> None:
        for drop in drops:
            self.watcher.dropped(Dropped(drop.t_ns, drop.lane, drop.certain))

    def _doubt_uncertain_lanes(self) -> None:
        """Judged by all that is known now: a faster marble seen later can make an earlier pulse doubtful."""
        if self.counter is None:
            return
        for lane, count in self.counter.counts(self.watcher.since_ns).items():
            if count.fault or count.doubts:
                self.watcher.fault(lane)
            elif not count.certain:
                self.watcher.doubt(lane)
