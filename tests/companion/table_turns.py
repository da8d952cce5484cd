"""Turns at an imagined table as a camera at 10 frames/s and beams would report them, with what really happened.

Physics and hands are as the footage shows them: a marble is lifted, those above roll down a little later, a new one
drops in; the hand hides the cell it works at, much of what lies behind it, and now and then more.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from companion.rules.rematch.chains import moves
from companion.rules.rematch.tray import CELLS, LANES, REACH, ROWS, Tray
from companion.rules.rematch.watch import Dropped, Seen

STEP_NS = 100_000_000


@dataclass
class TurnOnTable:
    """`cells`: pulled, named as at the start, `bnew` for newcomers; `stream`: in order of time."""

    player: str
    broken: str
    before: str
    after: str
    cells: tuple[str, ...]
    drops: dict[str, int]
    stream: list[Seen | Dropped] = field(default_factory=list)


@dataclass
class Noise:
    """Chances: a visible cell is unsure; it is misread; a rolling marble is read as something it is not."""

    unsure: float = 0.08
    misread: float = 0.002
    blur: float = 0.15
    glimpse: float = 0.15


def random_tray(rng: random.Random) -> tuple[Tray, list[str]]:
    bag = list("RYB" * 11)
    rng.shuffle(bag)
    return Tray.parse("/".join("".join(bag[5 * i : 5 * i + 5]) for i in range(3))), bag[15:]


def random_turn(rng: random.Random, kind: str = "legal", noise: Noise | None = None) -> TurnOnTable:
    """`kind`: legal, illegal (cells at random within reach), newcomer (one that dropped in is pulled as well)."""
    while True:
        tray, tower = random_tray(rng)
        player, broken = rng.choice("AB"), rng.choice(["", "", "", "R", "Y", "B"])
        clears = moves(tray, player, broken)
        if not clears:
            continue
        if kind == "illegal":
            reach = [cell for cell in CELLS if cell[0] in REACH[player]]
            cells = rng.sample(reach, rng.choice([1, 2, 2, 3, 3, 4, 4]))
        else:
            sizes = sorted({clear.attack[1] for clear in clears})
            size = rng.choice(sizes)
            cells = list(rng.choice([clear for clear in clears if clear.attack[1] == size]).cells)
            rng.shuffle(cells)
        order: list[str] = list(cells)
        if kind == "newcomer":
            lane = rng.choice(cells)[0]
            last = max(i for i, cell in enumerate(order) if cell[0] == lane)
            order.insert(rng.randint(last + 1, len(order)), lane + "new")
        return _played(rng, tray, tower, player, broken, order, noise or Noise())


class _Lane:
    def __init__(self, letters: str) -> None:
        self.stack: list[tuple[int, str]] = list(enumerate(letters, 1))  # (row at the start or 0, colour)
        self.hole: int | None = None  # index that was lifted out
        self.rolling = False

    def text(self) -> str:
        letters = [colour for _, colour in self.stack]
        if self.hole is not None:
            letters.insert(self.hole, ".")
        return "".join(letters).ljust(ROWS, ".")


def _played(
    rng: random.Random, tray: Tray, tower: list[str], player: str, broken: str, order: list[str], noise: Noise
) -> TurnOnTable:
    lanes = {name: _Lane(text) for name, text in zip(LANES, tray.lanes, strict=True)}
    turn = TurnOnTable(player, broken, tray.text, "", tuple(order), dict.fromkeys(LANES, 0))
    clock = [0]
    pending: list[tuple[int, str, str]] = []  # time, what, lane

    def happen() -> None:
        for event in sorted(pending):
            t, what, name = event
            if t > clock[0]:
                continue
            pending.remove(event)
            lane = lanes[name]
            if what == "roll":
                lane.hole, lane.rolling = None, True
                pending.append((t + 1 * STEP_NS, "drop", name))
                turn.stream.append(Dropped(t, name))
                turn.drops[name] += 1
            elif what == "drop":
                lane.stack.append((0, tower.pop()))
                pending.append((t + STEP_NS, "rest", name))
            else:
                lane.rolling = False
        pending.sort()

    def frame(hand: tuple[str, int] | None, settled: bool = False) -> None:
        happen()
        covered = _covered(rng, player, hand, noise) if hand else set()
        cells = {}
        for name in LANES:
            lane = lanes[name]
            for row, letter in enumerate(lane.text(), 1):
                cell = f"{name}{row}"
                seen = letter
                if cell in covered:
                    seen = "?"
                elif lane.rolling and row >= 2 and rng.random() < 0.85:
                    seen = "?" if rng.random() > noise.blur else rng.choice("RYB.")
                elif rng.random() < noise.unsure and hand:
                    seen = "?"
                elif rng.random() < noise.misread and hand:
                    seen = rng.choice("RYB.")
                cells[cell] = seen
        text = "/".join("".join(cells[f"{n}{r}"] for r in range(1, 6)) for n in LANES)
        turn.stream.append(Seen(clock[0], text, settled, hand is not None, tuple(sorted(covered))))
        clock[0] += STEP_NS

    for _ in range(4):
        frame(None, settled=True)
    for target in order:
        name = target[0]
        lane = lanes[name]
        for _ in range(rng.randint(2, 5)):  # reach for it
            index = _index(lane, target)
            frame((name, index + 1))
        # the lane must lie still before the next marble is taken out of it
        while lane.rolling or lane.hole is not None:
            frame((name, 3))
        index = _index(lane, target)
        frame((name, index + 1))
        lane.stack.pop(index)
        lane.hole = index
        pending.append((clock[0] + rng.randint(2, 5) * STEP_NS, "roll", name))
        for _ in range(rng.randint(1, 3)):  # take it away
            frame((name, index + 1))
    for _ in range(rng.randint(0, 2)):
        frame(None)
    while pending:
        frame(None)
    turn.after = "/".join(lanes[name].text() for name in LANES)
    frame(None)
    for _ in range(14):
        frame(None, settled=True)
    return turn


def _index(lane: _Lane, target: str) -> int:
    row = 0 if target.endswith("new") else int(target[1])
    found = [i for i, (start, _) in enumerate(lane.stack) if start == row]
    return found[-1] if found else min(len(lane.stack) - 1, 4)


def _covered(rng: random.Random, player: str, hand: tuple[str, int], noise: Noise) -> set[str]:
    """The hand comes from the player's side and from the tower's end, as in the footage."""
    lane, row = hand
    side = LANES if player == "A" else LANES[::-1]
    covered = set()
    depth = side.index(lane)
    for cell in CELLS:
        behind = side.index(cell[0]) <= depth
        reach = int(cell[1]) >= row - (0 if side.index(cell[0]) == depth else 1)
        if cell == f"{lane}{row}" or (behind and reach and rng.random() > noise.glimpse) or rng.random() < 0.08:
            covered.add(cell)
    return covered


def turns(seed: int, count: int, kind: str, noise: Noise | None = None) -> Iterator[TurnOnTable]:
    rng = random.Random(seed)
    for _ in range(count):
        yield random_turn(rng, kind, noise)
