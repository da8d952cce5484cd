"""An evening that lasts a day and a night, in the time-travel clock: nothing crashes, grows or fills the card.

    python -m tests.slow.soak [--hours 24] [--matches 200] [--seed 1] [--folder DIR]

The real service, vision, counter, log and page, with two scripted players at the drawn table. The camera hangs and
comes back, pins glitch, pages come and go, readers look around, the companion is restarted now and then without losing
a match. Between two matches and while nobody moves only a few pictures are looked at, so that a day takes minutes.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import logging
import resource
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import cv2
from werkzeug.test import Client

from companion.autoplay import Autoplay, Command, Control, MoveFan, Pull, PutBack, Step
from companion.games import game, notation
from companion.history import Record
from companion.log import MemoryLog
from companion.log_reading import look
from companion.matches import Matches
from companion.pairing import Pairing
from companion.records import Records
from companion.rematch_look import fixed_of
from companion.service import Service
from companion.session import Session
from companion.shelf import Shelf
from companion.simulation import eyes, lay
from hardware.beams import Beams
from hardware.camera import Frame
from hardware.camera_thread import CameraStatus
from hardware.edges import Edge
from hardware.simulated import SimulatedRig
from web.app import create_app
from web.rates import Rates
from web.stream import EventStream

SECOND = 1_000_000_000
RULES = game("rematch")
MOVING_NS, CALM_NS, EMPTY_NS = SECOND // 15, 20 * SECOND, 60 * SECOND
"""Between two pictures: while somebody moves, while nobody does, between two matches."""
RESTING = 5
"""Pictures at the pace of movement after it: the eye wants to see that all lies still."""
PULLED = 0.01
"""Share of the clears that are pulled by hand for the camera; it costs a hundred pictures to see one."""
GROWTH = 0.05
MOST_WRITTEN = 1_000_000
"""Bytes an hour, at eight matches an hour: four times what two people play."""


class Crashes(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(self.format(record))


@dataclass
class Figures:
    counts: Counter[str] = field(default_factory=Counter)
    memory_kb: list[int] = field(default_factory=list)
    """At the end of each hour of table time."""
    written: list[int] = field(default_factory=list)
    """Bytes handed to the system in each hour; what reaches a card: docs/decisions/session-and-log.md."""


class Soak:
    def __init__(self, folder: Path, hours: float, matches: int, seed: int) -> None:
        self.random = Random(seed)
        self.t_ns = 1_000 * SECOND
        self.ends_ns = self.t_ns + round(hours * 3600 * SECOND)
        self.matches, self.each_ns = matches, round(hours * 3600 * SECOND / matches)
        self.folder = folder
        self.figures = Figures()
        self.rig = SimulatedRig(lambda: self.t_ns, seed)
        self.players = Autoplay(seed)
        self.hangs_until = 0
        self.lost = False
        self.next_trouble = dict.fromkeys(("hang", "glitch", "page", "reader"), self.t_ns)
        self.streams: list[EventStream] = []
        self.next_frame = 0
        self.resting = RESTING
        self.begin()

    # -- the companion, as application.py puts it together, but without threads ----------------------------------------

    def begin(self) -> None:
        self.kept = Matches(self.folder / "matches", RULES)
        self.service = Service(self.kept.resume(self._told), eyes(self.rig), clock_ns=lambda: self.t_ns)
        self.beams = Beams(self.rig.pins, self._edge, factory=self.rig.factory, clock_ns=self.rig.edge_ns)
        self.pairing = Pairing(self.folder, clock_s=self._seconds)
        records = Records(lambda: Shelf(self.folder / "matches", RULES, notation("rematch")), "rematch", RULES)
        self.app = create_app(self.service, pairing=self.pairing, records=records, rates=Rates(self._seconds))

    def restart(self) -> None:
        before = self.service.snapshot().state
        for stream in self.streams:
            stream.close()
        self.streams.clear()
        self.beams.close()
        self.service.stop()
        # a new process has nothing of the old one
        del self.app, self.service, self.beams, self.kept
        fixed_of.cache_clear()
        gc.collect()
        self.begin()
        assert self.service.snapshot().state == before, "a restart lost the match"
        self.figures.counts["restarts"] += 1

    def _told(self, text: str) -> None:
        raise AssertionError(text)

    def _seconds(self) -> float:
        return self.t_ns / SECOND

    def _edge(self, edge: Edge) -> None:
        self.service.offer_edge(edge)

    def pump(self) -> None:
        """What the writer's thread does in each of its rounds."""
        service = self.service
        while not service._inbox.empty():
            service._handle(service._inbox.get())
        service._desk.tick(self.t_ns)
        service._publish()

    # -- time ----------------------------------------------------------------------------------------------------------

    def run(self) -> Figures:
        hour_ns, written = self.t_ns + 3600 * SECOND, _written()
        began = self.t_ns
        for number in range(self.matches):
            self.match(began + (number + 1) * self.each_ns)
            if number % 20 == 19:
                self.restart()
            if self.t_ns >= hour_ns or number == self.matches - 1:
                hour_ns += 3600 * SECOND
                self.figures.memory_kb.append(_memory_kb())
                self.figures.written.append(_written() - written)
                written = _written()
                hours = (self.t_ns - began) / SECOND / 3600
                memory, kb = self.figures.memory_kb[-1] >> 10, self.figures.written[-1] >> 10
                print(f"{hours:.1f} h: {memory} MB, {kb} kB written, {dict(self.figures.counts)}", flush=True)
        self.check_logs()
        return self.figures

    def match(self, until_ns: int) -> None:
        self.new_match()
        latest = self.t_ns + 3 * self.each_ns  # players who quarrel give up
        while self.state["phase"] != "over" and self.t_ns < latest:
            self.moment()
        if self.state["phase"] != "over":
            self.post({"do": "concede", "player": self.state["turn"]})
            assert self.state["phase"] == "over"
            self.figures.counts["given up"] += 1
        self.figures.counts["matches"] += 1
        while self.t_ns < until_ns:
            self.t_ns += EMPTY_NS
            self.rig.step(self.t_ns)
            self.trouble()
            self.look()

    def moment(self) -> None:
        moving = self.rig.busy or self.resting > 0
        self.t_ns += MOVING_NS if moving else SECOND
        self.rig.step(self.t_ns)
        self.trouble()
        if moving or self.t_ns >= self.next_frame:
            self.resting = RESTING if self.rig.busy else max(0, self.resting - 1)
            self.look()
            self.next_frame = self.t_ns + CALM_NS
        else:
            self.pump()
        snapshot = self.service.snapshot()
        step = self.players.next(snapshot.state, snapshot.view, self.rig.tray_text, self.rig.busy, self._seconds())
        if step is not None and snapshot.state is not None and snapshot.state["phase"] != "over":
            if isinstance(step, Control) and step.request["do"] == "take_tray":
                self.stare()
            self.act(step)

    def stare(self) -> None:
        """At what lies there, at the pace at which a camera always looks."""
        for _ in range(RESTING):
            self.t_ns += MOVING_NS
            self.rig.step(self.t_ns)
            self.look()

    def look(self) -> None:
        if self.t_ns >= self.hangs_until:
            if self.lost:
                self.lost = False
                self.service.camera_told(CameraStatus("ok", "drawn", 0.0, self.figures.counts["hangs"], 0, ""))
            image, t_ns = self.rig.picture()
            self.service.offer_frame(Frame(image, t_ns))
            self.figures.counts["frames"] += 1
        elif not self.lost and self.hangs_until - self.t_ns > 3 * SECOND:
            self.lost = True
            self.service.camera_told(CameraStatus("lost", "drawn", 5.0, self.figures.counts["hangs"], 1, "No picture."))
        self.pump()

    # -- the players ---------------------------------------------------------------------------------------------------

    @property
    def state(self) -> dict[str, Any]:
        state = self.service.snapshot().state
        assert state is not None
        return state

    def new_match(self) -> None:
        for _ in range(200):
            if not self.rig.busy:
                break
            self.t_ns += MOVING_NS
            self.rig.step(self.t_ns)
        self.look()
        setup = {"first": self.random.choice("AB"), "tray": self.rig.tray_text}
        assert self.service.control({"do": "new_match", "setup": setup}) == {"ok": True}
        self.players = Autoplay(self.random.randrange(10**6), takes_fan=0.02)

    def act(self, step: Step) -> None:
        self.figures.counts[type(step).__name__] += 1
        try:
            if isinstance(step, Pull) and self.random.random() < PULLED:
                self.rig.pull(step.cells, step.player)
            elif isinstance(step, Pull):
                self.tap(step.cells, step.player)
            elif isinstance(step, PutBack):
                self.rig.put_back()
            elif isinstance(step, MoveFan):
                self.rig.move_fan(step.fan, step.place, step.player)
            elif isinstance(step, Command):
                self.post(dict(step.command))
            elif isinstance(step, Control):
                self.service.control(dict(step.request))
        except ValueError:
            self.figures.counts["not possible"] += 1

    def tap(self, cells: tuple[str, ...], player: str) -> None:
        """The clear is entered by taps, with what dropped in; the drawn marbles are laid as the score then says."""
        self.figures.counts["taps"] += 1
        self.players._pulled = ()
        refill = {
            lane: "".join(self.random.choice("RYB") for cell in cells if cell[0] == lane)
            for lane in sorted({cell[0] for cell in cells})
        }
        self.post({"do": "clear", "player": player, "cells": list(cells), "refill": refill})
        lay(self.rig, self.state["tray"])

    def post(self, command: dict[str, Any]) -> None:
        if self.random.random() < 0.8:  # the way through the page costs twice the rest
            self.figures.counts[
                "accepted" if self.service.command(json.dumps(command).encode())["ok"] else "refused"
            ] += 1
            return
        answer = Client(self.app).post("/api/commands", json=command, environ_overrides={"REMOTE_ADDR": "127.0.0.1"})
        self.answered(answer.status_code, command)

    def answered(self, status: int, what: object) -> None:
        assert status < 500 or status == 503, (status, what)
        self.figures.counts[f"answers {status}"] += 1

    # -- troubles ------------------------------------------------------------------------------------------------------

    def trouble(self) -> None:
        for name, every_s in (("hang", 900), ("glitch", 60), ("page", 30), ("reader", 45)):
            if self.t_ns >= self.next_trouble[name]:
                self.next_trouble[name] = self.t_ns + round(self.random.expovariate(1 / every_s) * SECOND)
                getattr(self, f"_{name}")()

    def _hang(self) -> None:
        self.hangs_until = self.t_ns + round(self.random.uniform(1, 40) * SECOND)
        self.figures.counts["hangs"] += 1

    def _glitch(self) -> None:
        """Pulses of a loose cable: too short, in a burst, or a beam that stays blocked for a while."""
        lane, t_ns = self.random.choice("abc"), self.t_ns
        for _ in range(self.random.choice((1, 1, 3, 40))):
            for blocked in (True, False):
                t_ns += round(self.random.expovariate(1 / 2e6)) + 1
                self.service.offer_edge(Edge(t_ns, lane, blocked))
        self.figures.counts["glitches"] += 1

    def _page(self) -> None:
        """Pages come and go, many without having read what was sent to them."""
        while len(self.streams) > self.random.randrange(8):
            self.streams.pop(self.random.randrange(len(self.streams))).close()
        for _ in range(self.random.randrange(4)):
            self.streams.append(EventStream(self.service, 0, lambda: False, lambda: None))
        for stream in self.streams:
            for _ in range(self.random.randrange(4)):
                assert next(stream).endswith(b"\n\n")
        self.figures.counts["pages"] += 1

    def _reader(self) -> None:
        client, address = Client(self.app), f"192.168.1.{self.random.randrange(2, 250)}"
        path = self.random.choice(
            ["/", "/watch", "/seen", "/records", "/api/state", "/api/history", "/api/seen", "/api/seen.jpg",
             "/frame.jpg", "/api/pairing", "/api/matches/1", "/no-such-page", "/static/main.js"]
        )  # fmt: skip
        if self.random.random() < 0.2:
            wrong = client.post("/api/pair", json={"pin": "wrong"}, environ_overrides={"REMOTE_ADDR": address})
            self.answered(wrong.status_code, "pair")
        with client.get(path, environ_overrides={"REMOTE_ADDR": address}) as answer:
            self.answered(answer.status_code, path)

    # -- at the end ----------------------------------------------------------------------------------------------------

    def check_logs(self) -> None:
        """Every match is there, and what its log tells is what the rules make of it."""
        self.service.stop()
        paths = sorted((self.folder / "matches").glob("match-*.sqlite"))
        assert len(paths) == self.matches, len(paths)
        for path in paths:
            records: tuple[Record, ...] = look(path)[1]
            assert Session(RULES, MemoryLog(records)).state_json is not None
            self.figures.counts["records"] += len(records)


def _memory_kb() -> int:
    gc.collect()
    # what Python has given back but the C library keeps is no growth
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() >> 10


def _written() -> int:
    lines = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(lines["wchar"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=24)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where to work (default: a temporary folder)")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    crashes = Crashes()
    logging.getLogger().addHandler(crashes)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        figures = Soak(Path(name), args.hours, args.matches, args.seed).run()
    print(json.dumps({"counts": figures.counts, "memory_kb": figures.memory_kb, "written": figures.written}))
    assert not crashes.told, crashes.told[:3]
    hourly = figures.memory_kb
    growth = max(hourly[1:], default=hourly[0]) / hourly[0] - 1
    most = max(figures.written)
    print(f"{args.hours:g} h of table time in {time.monotonic() - began:.0f} s; no crash; memory {growth:+.1%} after")
    print(f"the first hour; at most {most / 1000:.0f} kB written in an hour.")
    assert args.hours < 2 or growth <= GROWTH, hourly
    assert most < MOST_WRITTEN, figures.written
    return 0


if __name__ == "__main__":
    sys.exit(main())
