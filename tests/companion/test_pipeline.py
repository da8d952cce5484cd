"""What the pipeline keeps: a companion runs for weeks."""

from __future__ import annotations

from companion.pipeline import Pipeline
from companion.rules.rematch.outcomes import Seen
from companion.rules.rematch.watch import Watcher
from hardware.counting import DropCounter
from hardware.edges import Edge

TRAY = "RYBRY/YBRBY/BRYBR"
MS, SECOND = 1_000_000, 1_000_000_000


def test_a_turn_that_is_over_is_forgotten_and_its_doubts_are_none_of_the_next() -> None:
    counter, watcher = DropCounter(), Watcher()
    pipeline = Pipeline(None, watcher, counter)
    pipeline.edge(Edge(0, "b", False))
    for turn in range(1, 6):
        t_ns = turn * 10 * SECOND
        for after, blocked in ((0, True), (1500_000, False), (SECOND, True), (SECOND + 15 * MS, False)):
            pipeline.edge(Edge(t_ns + after, "b", blocked))
        pipeline.tick(t_ns + 2 * SECOND)
        now = counter.counts()["b"]
        assert (now.drops, len(now.doubts), now.certain) == (1, 1, False)
        watcher.seen(Seen(t_ns + 3 * SECOND, TRAY, True, False, (), True))
        watcher.expect(TRAY)
        pipeline.tick(t_ns + 4 * SECOND)
        after_it = counter.counts()["b"]
        assert (after_it.drops, after_it.doubts, after_it.certain) == (0, (), True)
