"""A match in front of a camera *and* beams, on a clock of its own: a new situation is about five lines.

scene = BeamScene()
scene.pulses("b", (300, 12))                  # ms from now, ms long
scene.pull("b3", b="R")                       # a hand takes it, a red one comes down
assert scene.state["last_clear"]["cells"] == ["b3"]
"""

from __future__ import annotations

from typing import Any

from hardware.camera import Frame
from hardware.counting import DropCounter, Geometry
from hardware.edges import Edge
from tests.companion.test_rematch_table import FRAME_NS, IMAGE, TRAY, Scene

MS = 1_000_000


class BeamScene(Scene):
    """`rest`: lanes in whose beam a queue stands. `pulses` are stretches away from a lane's rest level."""

    def __init__(
        self, tray: str = TRAY, phase: str = "start", rest: str = "", geometry: Geometry | None = None
    ) -> None:
        self.edges: list[tuple[int, Edge]] = []  # (when it arrives, what)
        self.rest = rest
        super().__init__(tray)
        self.counter = self.table._pipeline.counter = DropCounter(geometry)
        for lane in "abc":
            self.desk.edge(Edge(self.t_ns, lane, lane in rest))
        self.still(0.3)

    def edge(self, lane: str, after_ms: float, blocked: bool, late_ms: float = 0) -> None:
        stamp = self.t_ns + round(after_ms * MS)
        self.edges.append((stamp + round(late_ms * MS), Edge(stamp, lane, blocked)))

    def pulses(self, lane: str, *pulses: tuple[float, float]) -> None:
        rest = lane in self.rest
        for after, length in pulses:
            self.edge(lane, after, not rest)
            self.edge(lane, after + length, rest)

    def still(self, seconds: float) -> None:
        for _ in range(round(seconds * 1e9 / FRAME_NS)):
            self.t_ns += FRAME_NS
            self.edges.sort(key=lambda one: one[0])
            while self.edges and self.edges[0][0] <= self.t_ns:
                self.desk.edge(self.edges.pop(0)[1])
            self.desk.see(Frame(IMAGE, self.t_ns))
            self.desk.tick(self.t_ns)

    @property
    def notices(self) -> list[str]:
        return [notice["text"] for notice in self.view["notices"]]

    def lane(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = self.view["sensors"]["lanes"][name]
        return found
