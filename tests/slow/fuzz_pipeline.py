"""Random turns at the drawn table through the real vision, counter and pipeline, scored like the footage.

    python -m tests.slow.fuzz_pipeline --turns 100 --seed 1 [--no-drops] [--kinds legal,newcomer] [--keep FILE]

`--keep`: what the vision saw is kept in FILE and taken from there the next time, so that changes of what is made of it
are tried out in seconds.
"""

from __future__ import annotations

import argparse
import pickle
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.replaying import replay
from companion.rules.rematch.chains import moves
from companion.rules.rematch.evidence import explain, why_not
from companion.rules.rematch.tray import CELLS, REACH, Tray
from companion.scoring import score
from hardware.camera import Frame, Image
from hardware.counting import DropCounter
from hardware.edges import Edge
from hardware.simulated_drawing import TableDrawing
from hardware.simulated_table import LANES, ROWS, Marble, SimulatedTable, _Step, cell_point
from vision.calibrate import calibrate
from vision.eye import Eye
from vision.gaze import Gaze, Sight
from vision.profile import Profile

SIZE = (640, 480)
SCALE = SIZE[0] / 800
OTHER = {"A": "B", "B": "A"}
KINDS = (
    "legal", "short", "random", "t", "mixed", "three", "reach", "newcomer", "lift", "hover", "fan", "two", "stays",
    "hang", "dry", "light", "bump", "quick", "apart", "rush", "stuck", "again",
)  # fmt: skip


class Table(SimulatedTable):
    """The simulated table with players who also do other things than pull marbles one after the other."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed=seed)
        self.events: list[dict[str, Any]] = []
        self.starts: dict[int, str] = {}
        self.pulled: list[str] = []
        self.lifted: Marble | None = None
        self.hanging: tuple[str, float, int] | None = None
        """Lane, place and how long the next marble that comes by hangs there."""
        self._hangs: tuple[Marble, int] | None = None

    def on_tray(self) -> Iterator[tuple[str, Marble]]:
        return ((lane, marble) for lane, marble in super().on_tray() if marble is not self.lifted)

    def begin_turn(self, player: str) -> None:
        self.starts = {
            marble.number: f"{name}{row}"
            for name, lane in self._lanes.items()
            for row, marble in enumerate(lane.marbles, 1)
        }
        self.pulled = []
        self._player = player

    def take(self, cells: list[str], player: str, speed: float = 1.0, stay: float = 0.0, pause: float = 0.0) -> None:
        """Pull these, named as at the start of the turn; `bnew`: the newest that has come into that lane."""
        self._enter(player)
        for i, cell in enumerate(cells):
            marble = next((m for _, m in self.on_tray() if self.starts.get(m.number) == cell), None)
            self._steps += self._taking(cell[0], marble, pause if i else 0.0)
        if stay:
            spot = cell_point(cells[-1][0], 3)
            self._steps.append(_Step(stay, lambda: (spot[0] + (-30 if player == "A" else 30), spot[1] + 20), lift=0.3))
        self._leave(player)
        for step in self._steps:
            step.seconds /= speed

    def _taking(self, lane: str, marble: Marble | None, pause: float) -> list[_Step]:
        mine: list[Marble] = [marble] if marble else []

        def target() -> tuple[float, float]:
            return cell_point(lane, mine[0].p if mine else 5.0)

        def ready() -> bool:
            if not mine:
                new = [m for m in self._lanes[lane].marbles if m.number not in self.starts]
                if not new:
                    return False
                mine.append(new[-1])
            return not mine[0].v and mine[0].p <= ROWS

        def lift() -> None:
            marble = mine[0]
            row = self._lanes[lane].marbles.index(marble) + 1
            self._lanes[lane].marbles.remove(marble)
            marble.v = 0.0
            self.taken.append(marble)
            assert self.hand is not None
            self.hand.held = marble.colour
            cell = self.starts.get(marble.number, lane + "new")
            self.pulled.append(cell)
            t = self.t_ns / 1e9
            self.events.append({"type": "pull", "t_grasp": t - 0.11, "t_lifted": t, "lane": lane, "row": row})

        def pocket() -> None:
            if self.hand is not None:
                self.hand.held = None

        side = -34.0 if self._player == "A" else 34.0
        x, y = cell_point(lane, 3)
        jitter = self.random.uniform(0.85, 1.2)
        steps = [_Step(pause, lambda: (x + 1.5 * side, y))] if pause else []
        return [
            *steps,
            _Step(0.36 * jitter, target, lift=0.1, ready=ready),
            _Step(0.16 * jitter, target, lift=0.0, then=lift),
            _Step(0.36 * jitter, lambda: (x + 2.5 * side, y), lift=0.8, then=pocket),
        ]

    def lift_and_put_back(self, cell: str, player: str) -> None:
        self._enter(player)
        marble = next(m for _, m in self.on_tray() if self.starts.get(m.number) == cell)
        spot = cell_point(cell[0], int(cell[1]))
        event: dict[str, Any] = {"type": "lift_and_put_back", "lane": cell[0], "row": int(cell[1])}

        def up() -> None:
            self.lifted = marble
            event["t_grasp"] = self.t_ns / 1e9
            assert self.hand is not None
            self.hand.held = marble.colour

        def down() -> None:
            self.lifted = None
            assert self.hand is not None
            self.hand.held = None
            self.events.append(event)

        away = (spot[0] + self.random.uniform(-40, 40), spot[1] + self.random.uniform(0, 60))
        self._steps += [
            _Step(0.4, lambda: spot, lift=0.0, then=up),
            _Step(self.random.uniform(0.3, 0.8), lambda: away, lift=0.6),
            _Step(self.random.uniform(0.3, 0.5), lambda: spot, lift=0.0, then=down),
        ]
        self._leave(player)

    def point(self, cells: list[str], player: str) -> None:
        self._enter(player)
        for cell in cells:
            spot = cell_point(cell[0], int(cell[1]))
            self._steps.append(_Step(0.5, lambda spot=spot: spot, lift=0.35))
        self._leave(player)

    def _roll(self, lane: Any, edges: list[Edge]) -> None:
        hang = self.hanging
        if hang is not None and hang[0] == lane.name:
            for marble in lane.marbles:
                if marble.v and marble.p <= hang[1] and marble.p > hang[1] - 0.3:
                    self._hangs, self.hanging = (marble, self.t_ns + hang[2]), None
        held = self._hangs
        if held is not None and held[0] in lane.marbles:
            marble, until = held
            if self.t_ns < until:
                place = marble.p
                super()._roll(lane, edges)
                marble.p, marble.v = place, 0.001
                return
            self._hangs = None
        super()._roll(lane, edges)


@dataclass
class Recorded:
    """What was seen of one situation, with its truth."""

    kind: str
    seed: int
    truth: dict[str, Any]
    edges: list[Edge]
    sights: list[Sight] = field(default_factory=list)


@dataclass
class Wear:
    """What is done to the pictures."""

    rng: np.random.Generator
    gain: float = 1.0
    jitter: float = 0.0
    noise: float = 0.0
    jpeg: int = 92
    step: tuple[float, tuple[float, float, float]] | None = None
    bump: float | None = None
    wander: float = 0.0

    def __call__(self, image: Image, t: float) -> Image:
        image = cv2.resize(image, SIZE, interpolation=cv2.INTER_AREA)
        if self.bump is not None and t >= self.bump:
            turn = cv2.getRotationMatrix2D((320, 240), 1.5, 1.0)
            turn[:, 2] += (14, -9)
            image = cv2.warpAffine(image, turn, SIZE, borderMode=cv2.BORDER_REPLICATE)
        self.wander = 0.8 * self.wander + self.jitter * float(self.rng.standard_normal())
        gain = np.full(3, self.gain * (1 + self.wander))
        if self.step is not None and t >= self.step[0]:
            gain *= self.step[1]
        levels = np.clip(np.arange(256)[:, None] * gain, 0, 255).astype(np.uint8)
        image = cv2.LUT(image, levels[None])
        if self.noise:
            image = np.clip(image + self.rng.normal(0, self.noise, image.shape), 0, 255).astype(np.uint8)
        done = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self.jpeg])[1], cv2.IMREAD_COLOR)
        return np.asarray(done, np.uint8)


@lru_cache
def drawing(seed: int) -> TableDrawing:
    return TableDrawing(seed)


@lru_cache
def eye(seed: int) -> Eye:
    table = SimulatedTable(seed=seed)
    image = Wear(np.random.default_rng(seed))(drawing(seed).draw(table), 0)
    quads = [tuple((x * SCALE, y * SCALE) for x, y in quad) for quad in (table.corners, table.stage_corners)]
    picture = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    profile = Profile()
    return Eye(calibrate(picture, quads[0], table.tray_text, quads[1], profile), profile)


def choose(rng: random.Random, kind: str, tray: Tray, player: str, broken: str) -> list[str] | None:
    """The cells of a clear of this kind in the order of pulling; None: this tray has none."""
    clears = moves(tray, player, broken)
    reach = [cell for cell in CELLS if cell[0] in REACH[player]]
    if kind == "short":
        clears = [clear for clear in clears if any(tray.at(cell) != clear.attack[0] for cell in clear.cells)]
    if kind == "random":
        cells = rng.sample(reach, rng.choice([1, 2, 2, 3, 4, 4]))
    elif kind == "mixed":
        cells = rng.sample(reach, 2)
        if len({tray.at(cell) for cell in cells}) == 1:
            return None
    elif kind == "three":
        line = rng.choice([[f"{lane}{row + i}" for i in range(3)] for lane in REACH[player] for row in (1, 2, 3)])
        if len({tray.at(cell) for cell in line}) != 1:
            return None
        cells = line
    elif kind == "t":
        lane, other = rng.sample(REACH[player], 2)
        row = rng.choice([2, 3, 4])
        cells = [f"{lane}{row - 1}", f"{lane}{row}", f"{lane}{row + 1}", f"{other}{row}"]
        if len({tray.at(cell) for cell in cells}) != 1:
            return None
    elif kind == "reach":
        cells = [rng.choice([cell for cell in CELLS if cell[0] not in REACH[player]])]
    elif kind == "again" and rng.random() < 0.5:
        cells = rng.sample(reach, 2)
    else:
        if not clears:
            return None
        size = rng.choice(sorted({clear.attack[1] for clear in clears}))
        cells = list(rng.choice([clear for clear in clears if clear.attack[1] == size]).cells)
    cells.sort(key=lambda cell: cell[1], reverse=True)
    if rng.random() < 0.5:
        rng.shuffle(cells)
    if kind == "newcomer":
        lane = rng.choice(cells)[0]
        last = max(i for i, cell in enumerate(cells) if cell[0] == lane)
        cells.insert(rng.randint(last + 1, len(cells)), lane + "new")
    return cells


def lay_for(rng: random.Random, kind: str, table: Table, player: str) -> None:
    """T's and threes are rare: lay them."""
    if kind not in ("t", "three"):
        return
    lane, other = rng.sample(REACH[player], 2)
    row = rng.choice([2, 3, 4])
    cells = [(lane, row - 1), (lane, row), (lane, row + 1)] + ([(other, row)] if kind == "t" else [])
    colour = rng.choice("RYB")
    for name, r in cells:
        marble = table._lanes[name].marbles[r - 1]
        one = next((m for m in table.tower if m.colour == colour), None)
        if one is None:
            return  # too many of that colour lie on the tray: another table is tried
        marble.colour, one.colour = one.colour, marble.colour


def record(kind: str, seed: int) -> Recorded:
    rng = random.Random(seed * 7919 + KINDS.index(kind))
    while True:
        table = Table(rng.randrange(10**6))
        player = rng.choice("AB")
        broken = rng.choice("RYB") if kind == "short" else rng.choice(["", "", "R", "Y", "B"])
        lay_for(rng, kind, table, player)
        start = Tray.parse(table.tray_text)
        cells = None if kind in ("lift", "hover", "fan") else choose(rng, kind, start, player, broken)
        if cells or kind in ("lift", "hover", "fan"):
            break
    look = rng.choice([3, 5])
    fps = rng.choice([10, 10, 15])
    worn = Wear(
        np.random.default_rng(seed),
        rng.uniform(0.85, 1.15),
        rng.choice([0, 0, 0.01, 0.02]),
        rng.choice([0, 2, 4]),
        rng.choice([60, 75, 85, 92]),
    )
    speed = rng.uniform(1.5, 2.0) if kind == "quick" else rng.uniform(0.7, 1.2)
    begin = rng.uniform(0.8, 1.2)
    if kind == "light":
        warm = rng.choice([(1, 1, 1), (0.75, 1, 1.15), (1.15, 1, 0.75)])
        factor = rng.choice([0.55, 0.7, 1.4])
        worn.step = (begin + rng.uniform(0.2, 2.2), (warm[0] * factor, factor, warm[2] * factor))
    if kind == "bump":
        worn.bump = begin + rng.uniform(0.3, 3.0)
    if kind == "dry":
        table.tower = table.tower[: rng.randint(0, 2)]
    if kind == "stuck" and cells:
        table.hanging = (cells[0][0], rng.choice([5.3, 5.0, 4.5, 3.5]), round(rng.uniform(2, 4) * 1e9))
    if kind == "hang" and cells:
        table.hanging = (cells[0][0], rng.choice([5.3, 5.0, 4.5]), round(rng.uniform(0.5, 1.4) * 1e9))
    frames: list[dict[str, Any]] = []
    clears: list[dict[str, Any]] = []
    edges = [Edge(0, lane, False) for lane in LANES]
    gaze = Gaze(eye(look))
    out = Recorded(kind, seed, {}, edges)
    pace = 1 / fps

    def run(until: Callable[[], bool]) -> None:
        while True:
            t = len(frames) * pace
            edges.extend(table.advance(round(t * 1e9)))
            image = worn(drawing(look).draw(table), t)
            out.sights.append(replace(gaze.look(image, round(t * 1e9)), glance=None))
            frames.append({"t": t, "hand": table.hand is not None, "moving": table.rolling, "tray": table.tray_text})
            if until():
                return

    def rest(seconds: float) -> None:
        end = len(frames) * pace + seconds
        run(lambda: len(frames) * pace >= end)

    def turn(who: str, hurt: str, chosen: list[str], stay: float, pause: float) -> None:
        before = Tray.parse(table.tray_text)
        table.begin_turn(who)
        dropped = len(edges)
        goes = [chosen]
        if kind == "apart" and len(chosen) > 1:
            cut = rng.randint(1, len(chosen) - 1)
            goes = [chosen[:cut], chosen[cut:]]
        for number, some in enumerate(goes):
            if number:
                rest(rng.choice([0.2, 0.3, 0.5]))
            table.take(some, who, speed, stay, pause)
            run(lambda: table.hand is None)
        was_rolling = len(frames)
        run(lambda: not table.rolling or len(frames) - was_rolling > 3 * fps)
        cells = tuple(table.pulled)
        drops = {lane: sum(e.lane == lane and e.blocked for e in edges[dropped:]) for lane in LANES}
        codes = [reason.code for reason in why_not(before, who, hurt, cells)]
        found = explain(before, Tray.parse(table.tray_text), who, hurt, drops)
        clears.append(
            {
                "player": who,
                "cells": list(cells),
                "attack": next((m.attack for m in moves(before, who, hurt) if set(m.cells) == set(cells)), None),
                "legal": not codes,
                "why_not": codes,
                "legal_by_outcome": sorted({r.attack for r in found.readings if r.legal}),
            }
        )

    rest(begin)
    table.begin_turn(player)
    if kind == "lift":
        table.lift_and_put_back(rng.choice(CELLS), player)
    elif kind == "hover":
        table.point(rng.sample(CELLS, rng.randint(1, 4)), player)
    elif kind == "fan":
        fan = rng.choice("RYB")
        place = rng.choice("AB")
        at = table.t_ns / 1e9
        table.move_fan(fan, place, player)
        table.events.append({"type": "fan_moved", "colour": fan, "t_grasp": at, "from": "stage", "to": place})
    if kind in ("lift", "hover", "fan"):
        run(lambda: table.hand is None)
    else:
        assert cells is not None
        stay = rng.uniform(1.0, 2.5) if kind == "stays" else 0.0
        turn(player, broken, cells, stay, rng.choice([0, 0, 0.4]))
        if kind == "again":  # the same hand once more, whatever the first clear was
            rest(rng.choice([1.0, 3.0, 5.0, 6.5]))
            second = choose(rng, "legal", Tray.parse(table.tray_text), player, broken)
            if second:
                turn(player, broken, second, 0.0, 0.0)
        if kind in ("two", "rush"):
            rest(rng.choice([0.4, 0.7, 1.2] if kind == "two" else [0.0, 0.1, 0.2]))
            second = choose(
                rng, rng.choice(["legal", "legal", "random"]), Tray.parse(table.tray_text), OTHER[player], ""
            )
            if second and clears[0]["legal"]:
                turn(OTHER[player], "", second, 0.0, 0.0)
    rest(2.0 if kind != "stuck" else 6.0)
    if worn.step is not None:
        table.events.append({"type": "light_switched", "t": worn.step[0]})
    if worn.bump is not None:
        table.events.append({"type": "camera_bumped", "t": worn.bump})
    out.truth = {
        "player": player, "broken": broken, "fps": fps, "clears": clears, "events": table.events, "frames": frames,
        "start": start.text, "speed": round(speed, 2),
    }  # fmt: skip
    return out


class _Reel:
    """A camera and a gaze that give back what was seen."""

    name = "reel"

    def __init__(self, sights: list[Sight]) -> None:
        self._sights = sights
        self._at = -1

    def read(self) -> Frame | None:
        self._at += 1
        if self._at == len(self._sights):
            return None
        return Frame(np.zeros((1, 1, 3), np.uint8), self._sights[self._at].t_ns)

    def look(self, image: Image, t_ns: int) -> Sight:
        return self._sights[self._at]

    def close(self) -> None:
        pass


def told(one: Recorded, with_drops: bool) -> list[dict[str, Any]]:
    reel: Any = _Reel(one.sights)
    counter = DropCounter() if with_drops else None
    edges = one.edges if with_drops else []
    return list(replay(reel, reel, counter, edges, one.truth["player"], one.truth["broken"]))


def judge(one: Recorded, with_drops: bool) -> tuple[Counter[str], list[str]]:
    said = told(one, with_drops)
    result = score(one.truth, said, f"{one.kind}:{one.seed}")
    figures = Counter(
        clears=result.clears,
        right=result.right,
        wrong=result.wrong,
        asked=result.asked,
        silent=result.missed,
        invented=result.invented,
        asked_for_nothing=result.invented_questions,
    )
    sure = sum(bool(event.get("sure")) for event in said if event["event"] == "clear")
    if result.wrong and sure:
        figures["wrong_and_sure"] += 1
    doubted = [c for c in one.truth["clears"] if not c["legal"]]
    if result.right and doubted and any(event["event"] == "clear" and event["legal"] for event in said):
        figures["right_by_doubt"] += len(one.truth["clears"]) == 1
    for kind, (expected, right, extra) in result.events.items():
        figures[f"{kind} expected"] += expected
        figures[f"{kind} right"] += right
        figures[f"{kind} for nothing"] += extra
    return figures, result.notes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--no-drops", action="store_true")
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    kinds = args.kinds.split(",")
    kept: dict[tuple[str, int], Recorded] = {}
    if args.keep and args.keep.exists():
        kept = pickle.loads(args.keep.read_bytes())
    total: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
    for number in range(args.turns):
        key = (kinds[number % len(kinds)], args.seed * 100_000 + number)
        one = kept.get(key) or kept.setdefault(key, record(*key))
        figures, notes = judge(one, not args.no_drops)
        total[key[0]] += figures
        print(*notes, sep="\n", flush=True)
        if args.keep and number % 9 == 8:
            args.keep.write_bytes(pickle.dumps(kept))
    if args.keep:
        args.keep.write_bytes(pickle.dumps(kept))
    for kind in kinds:
        print(f"{kind:9}", {k: v for k, v in total[kind].items() if v})
    print("all      ", {k: v for k, v in sum(total.values(), Counter()).items() if v})


if __name__ == "__main__":
    main()
