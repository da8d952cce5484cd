"""A simulated table as physics on its own time: tower, tray, beams, fans, and a hand. No clock, no thread, one seed.

Along a lane a marble's place `p` is counted in rows: 1–5 are the cells, the tower's mouth is at 6 with the beam in it.
A marble rolls down until it meets the one below; when row 5 is free the tower lets one drop through the beam. All the
rest is done by the hand, which follows a list of steps. Points are (x, y) pixels of the drawn picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random

from hardware.edges import Edge

LANES = "abc"
ROWS = 5
COLOURS = "RYB"
MARBLES_EACH = 11
PLACES = ("A", "stage", "B")

LANE_X = {"a": 341.0, "b": 400.0, "c": 459.0}
ROW_1_Y, PITCH = 350.0, 48.0
"""Marbles of a lane touch: the pitch is their diameter."""
STAGE = (190.0, 440.0, 610.0, 574.0)
"""Left, top, right, bottom of the stage board."""
HOME = {"A": (-330.0, 330.0), "B": (1130.0, 330.0)}
"""Where a hand's fingertips are when it is out of the picture."""

STEP_NS = 1_000_000
BEAM, CHORD = 6.0, 0.82
"""The beam's place and how much of it a marble breaks, in rows."""
MOUTH = 6.6
GAIN = 115.0
"""Rows/s² down the tray: one row takes 0.13 s."""
RAMP, AFTER_RAMP = 5.55, 14.0
"""There a dropping marble meets the ramp, and goes on at so many rows/s."""

Point = tuple[float, float]


@dataclass(eq=False)
class Marble:
    """`turned`: how far it has rolled, in rows, so that a drawing can turn it."""

    number: int
    colour: str
    p: float
    v: float = 0.0
    turned: float = 0.0
    goal: float | None = None
    """Where a hand pushes it to."""


@dataclass
class Hand:
    """`held`: what is between its fingers; `lift`: 0 on the marbles … 1 well above them."""

    player: str
    tip: Point
    lift: float = 1.0
    held: str | None = None


@dataclass
class _Step:
    """One stretch of the hand's way: to where (asked anew all the time), how high, how long, then what."""

    seconds: float
    to: Callable[[], Point]
    lift: float = 1.0
    ready: Callable[[], bool] = lambda: True
    then: Callable[[], None] = lambda: None
    began: int = -1
    start: tuple[Point, float] = ((0.0, 0.0), 1.0)


@dataclass
class _Lane:
    name: str
    marbles: list[Marble] = field(default_factory=list)
    """From row 1 up; the last one may still be dropping."""
    release_ns: int | None = None
    blocked: bool = False

    @property
    def moving(self) -> bool:
        return self.release_ns is not None or any(one.v or one.goal is not None for one in self.marbles)


def _lies(lane: _Lane) -> bool:
    return not lane.moving


class SimulatedTable:
    """`now` gives the time it begins at; all else happens in `advance`, in steps of 1 ms, the same for every caller."""

    lanes = LANES

    def __init__(self, now: Callable[[], int] = lambda: 0, seed: int = 1) -> None:
        self.seed = seed
        self.random = Random(seed)
        self.t_ns = now()
        numbers = iter(range(1000))
        bag = [Marble(next(numbers), colour, 0.0) for colour in COLOURS for _ in range(MARBLES_EACH)]
        self.random.shuffle(bag)
        self.tower: list[Marble] = bag
        self._lanes = {name: _Lane(name) for name in LANES}
        for lane in self._lanes.values():
            for row in range(1, ROWS + 1):
                marble = self.tower.pop()
                marble.p = float(row)
                lane.marbles.append(marble)
        self.taken: list[Marble] = []
        """Pulled in this turn, in order; back in the tower when the next pull begins."""
        self.fans = {"R": "stage", "Y": "stage", "B": "stage"}
        self.fan_in_hand: str | None = None
        self.hand: Hand | None = None
        self._steps: list[_Step] = []
        self._before: dict[str, list[Marble]] | None = None
        self._player = "A"

    # ---------------------------------------------------------------- what is true
    @property
    def tray_text(self) -> str:
        """The tray as it lies, or will lie when all marbles have come to rest."""
        return "/".join(
            "".join(one.colour for one in lane.marbles).ljust(ROWS, ".")[:ROWS] for lane in self._lanes.values()
        )

    @property
    def busy(self) -> bool:
        """A hand is in the picture or a marble moves."""
        return bool(self._steps) or self.hand is not None or self.rolling

    @property
    def rolling(self) -> bool:
        return any(lane.moving for lane in self._lanes.values())

    @property
    def can_put_back(self) -> bool:
        return self._before is not None

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """The centres of the marbles in a1, c1, c5, a5, as `calibrate --corners` wants them."""
        return cell_point("a", 1), cell_point("c", 1), cell_point("c", 5), cell_point("a", 5)

    @property
    def stage_corners(self) -> tuple[Point, Point, Point, Point]:
        left, top, right, bottom = STAGE
        return (left, top), (right, top), (right, bottom), (left, bottom)

    def beams(self) -> dict[str, bool]:
        """Whether each lane's beam is blocked."""
        return {lane.name: lane.blocked for lane in self._lanes.values()}

    def on_tray(self) -> Iterable[tuple[str, Marble]]:
        for lane in self._lanes.values():
            for marble in lane.marbles:
                yield lane.name, marble

    # ---------------------------------------------------------------- what players do
    def pull(self, cells: Sequence[str], player: str) -> None:
        """A hand from that player's side lifts these marbles one by one, named as they lie now, legal or not.

        Raises ValueError: busy, no such cell, no marble there, the same one twice.
        """
        self._begin(player)
        marbles = [self._at(cell) for cell in cells]
        if not marbles or len({marble.number for _, marble in marbles}) != len(marbles):
            raise ValueError(f"cells to pull must be named once each, not {','.join(cells) or 'none'}")
        self.return_taken()
        self._before = {name: list(lane.marbles) for name, lane in self._lanes.items()}
        self._player = player
        self._enter(player)
        for lane, marble in marbles:
            self._steps += self._pull_steps(lane, marble)
        self._leave(player)

    def hover(self, cells: Sequence[str], player: str) -> None:
        """A hand points at cells and leaves without a marble."""
        self._begin(player)
        marbles = [self._at(cell) for cell in cells]
        self._enter(player)
        for lane, marble in marbles:
            self._steps.append(_Step(0.5, self._follow(lane, marble), lift=0.35))
        self._leave(player)

    def put_back(self) -> None:
        """Undo the last pull by hand: what came is pushed up into the tower, what was taken lies where it lay.

        Raises ValueError: busy, nothing pulled since the marbles went back into the tower.
        """
        if self._before is None:
            raise ValueError("there is nothing to put back")
        self._begin(self._player)
        before, self._before = self._before, None
        self._enter(self._player)
        for name, was in before.items():
            lane = self._lanes[name]
            if lane.marbles == was:
                continue
            over = partial(cell_point, name, 3)
            self._steps.append(_Step(0.35, over, lift=0.1, then=partial(self._push, lane, was)))
            self._steps.append(_Step(0.9, over, lift=0.1, ready=partial(_lies, lane)))
        self._leave(self._player)

    def move_fan(self, colour: str, place: str, player: str = "A") -> None:
        """A hand takes a fan to `A`, `stage` or `B`."""
        if colour not in self.fans or place not in PLACES:
            raise ValueError(f"there is no fan {colour!r} or no place {place!r}")
        self._begin(player)

        def take() -> None:
            self.fan_in_hand = colour

        def lay() -> None:
            self.fan_in_hand = None
            self.fans[colour] = place

        was, will = fan_point(colour, self.fans[colour]), fan_point(colour, place)
        self._enter(player)
        self._steps += [
            _Step(0.4, lambda: was, lift=0.0, then=take),
            _Step(0.7, lambda: will, lift=0.2, then=lay),
        ]
        self._leave(player)

    def return_taken(self) -> None:
        """The turn is over: pulled marbles go back into the tower, which is shaken."""
        self.tower += self.taken
        self.taken = []
        self._before = None
        self.random.shuffle(self.tower)

    # ---------------------------------------------------------------- time
    def advance(self, t_ns: int) -> list[Edge]:
        """Live until `t_ns`; the beams' edges on the way, in order. Going back in time does nothing."""
        edges: list[Edge] = []
        while self.t_ns + STEP_NS <= t_ns:
            if not self.busy:
                self.t_ns = t_ns
                break
            self.t_ns += STEP_NS
            self._move_hand()
            for lane in self._lanes.values():
                if lane.moving or len(lane.marbles) < ROWS:
                    self._roll(lane, edges)
        return sorted(edges)

    def _roll(self, lane: _Lane, edges: list[Edge]) -> None:
        seconds = STEP_NS / 1e9
        floor = 1.0
        for marble in list(lane.marbles):
            before = marble.p
            if marble.goal is not None:
                self._pushed(lane, marble, seconds)
            elif marble.p > floor or marble.v:
                marble.v = min(marble.v, AFTER_RAMP) if marble.p < RAMP else marble.v
                marble.v += GAIN * seconds
                marble.p -= marble.v * seconds
                if marble.p <= floor:
                    marble.p, marble.v = floor, 0.0
            marble.turned += before - marble.p
            self._cross(lane, before, marble.p, edges)
            floor = marble.p + 1.0
        self._release(lane)

    def _cross(self, lane: _Lane, before: float, after: float, edges: list[Edge]) -> None:
        """Edges of one marble's two rims through the beam in this step, at their exact moments."""
        for rim, blocks in ((-CHORD / 2, before > after), (CHORD / 2, before < after)):
            if (before + rim - BEAM) * (after + rim - BEAM) < 0:
                share = (BEAM - before - rim) / (after - before)
                edges.append(Edge(round(self.t_ns - STEP_NS * (1 - share)), lane.name, blocks))
                lane.blocked = blocks

    def _release(self, lane: _Lane) -> None:
        """Row 5 free for a moment: the tower lets one drop."""
        free = len(lane.marbles) < ROWS and all(one.p <= ROWS - 0.8 and one.goal is None for one in lane.marbles[-1:])
        if lane.release_ns is None:
            if free and self.tower:
                lane.release_ns = self.t_ns + round(self.random.uniform(30e6, 90e6))
        elif self.t_ns >= lane.release_ns:
            lane.release_ns = None
            marble = self.tower.pop()
            marble.p, marble.v, marble.turned = MOUTH, self.random.uniform(58, 70), self.random.random()
            lane.marbles.append(marble)

    # ---------------------------------------------------------------- the hand
    def _begin(self, player: str) -> None:
        if player not in HOME:
            raise ValueError(f"there is no player {player!r}")
        if self.busy:
            raise ValueError("the table is busy: wait until the hand has left")

    def _at(self, cell: str) -> tuple[str, Marble]:
        lane, row = cell[:1], cell[1:]
        if lane not in self._lanes or row not in "12345" or len(row) != 1:
            raise ValueError(f"there is no cell {cell!r}")
        marbles = self._lanes[lane].marbles
        if len(marbles) < int(row):
            raise ValueError(f"there is no marble in {cell}")
        return lane, marbles[int(row) - 1]

    def _follow(self, lane: str, marble: Marble) -> Callable[[], Point]:
        return lambda: cell_point(lane, marble.p)

    def _enter(self, player: str) -> None:
        def come() -> None:
            self.hand = Hand(player, HOME[player])

        over = (LANE_X["b"] + (-90 if player == "A" else 90), 330.0)
        self._steps += [_Step(0.0, lambda: HOME[player], then=come), _Step(0.45, lambda: over)]

    def _leave(self, player: str) -> None:
        def gone() -> None:
            self.hand = None

        self._steps.append(_Step(0.5, lambda: HOME[player], then=gone))

    def _pull_steps(self, lane: str, marble: Marble) -> list[_Step]:
        def lift() -> None:
            self._lanes[lane].marbles.remove(marble)
            marble.v = 0.0
            self.taken.append(marble)
            if self.hand is not None:
                self.hand.held = marble.colour

        def pocket() -> None:
            if self.hand is not None:
                self.hand.held = None

        def lies() -> bool:
            return not marble.v and marble.p <= ROWS

        follow = self._follow(lane, marble)
        jitter = self.random.uniform(0.9, 1.15)
        side = -34.0 if self._player == "A" else 34.0

        def aside() -> Point:
            x, y = cell_point(lane, 3)
            return x + 2.5 * side, y

        return [
            _Step(0.32 * jitter, follow, lift=0.1, ready=lies),
            _Step(0.14 * jitter, follow, lift=0.0, then=lift),
            _Step(0.34 * jitter, aside, lift=0.8, then=pocket),
        ]

    def _move_hand(self) -> None:
        if not self._steps:
            return
        step = self._steps[0]
        hand = self.hand
        if step.began < 0:
            step.began = self.t_ns
            step.start = (hand.tip, hand.lift) if hand else ((0.0, 0.0), 1.0)
        share = 1.0 if step.seconds == 0 else min(1.0, (self.t_ns - step.began) / 1e9 / step.seconds)
        if hand is not None:
            ease = share * share * (3 - 2 * share)
            (x, y), lift = step.start
            to = step.to()
            hand.tip = (x + (to[0] - x) * ease, y + (to[1] - y) * ease)
            hand.lift = lift + (step.lift - lift) * ease
        if share >= 1.0 and step.ready():
            self._steps.pop(0)
            step.then()

    def _push(self, lane: _Lane, was: list[Marble]) -> None:
        """The hand sets the lane as it was: the marbles that stay or come in are pushed to their rows, others out."""
        for marble in was:
            if marble in self.taken:
                self.taken.remove(marble)
                marble.p = float(was.index(marble) + 1)
            marble.v, marble.goal = 0.0, float(was.index(marble) + 1)
        out = [marble for marble in lane.marbles if marble not in was]
        for number, marble in enumerate(out):
            marble.v, marble.goal = 0.0, MOUTH + 0.4 + number
        lane.release_ns = None
        lane.marbles = sorted([*was, *out], key=lambda marble: marble.goal or 0)

    def _pushed(self, lane: _Lane, marble: Marble, seconds: float) -> None:
        """A hand's push: 16 rows/s at the most (0.3 m/s)."""
        assert marble.goal is not None
        way = marble.goal - marble.p
        reach = 16.0 * seconds
        if abs(way) > reach:
            marble.p += reach if way > 0 else -reach
            return
        marble.p, marble.goal, marble.v = marble.goal, None, 0.0
        if marble.p > ROWS + 0.5:
            lane.marbles.remove(marble)
            self.tower.append(marble)


def cell_point(lane: str, p: float) -> Point:
    """The centre of a marble at place `p` of a lane."""
    return LANE_X[lane], ROW_1_Y - (p - 1) * PITCH


def fan_point(colour: str, place: str) -> Point:
    """Where a fan lies on its field of the stage board."""
    left, top, right, bottom = STAGE
    width = (right - left) / len(PLACES)
    across, down = {"R": (0.27, 0.40), "Y": (0.73, 0.40), "B": (0.50, 0.72)}[colour]
    return left + width * (PLACES.index(place) + across), top + (bottom - top) * down
