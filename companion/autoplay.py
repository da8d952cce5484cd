"""Two scripted players for the simulated table: they clear, hit, end their turns, err now and then, for ever.

Pure but for its own seed: `next` is asked again and again with what a page would see, and answers with a step or none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.rules.rematch.chains import judge, moves
from companion.rules.rematch.tray import CELLS, COLOURS, LANES, ROWS, UNKNOWN_TRAY, Tray

View = Mapping[str, Any]
State = Mapping[str, Any]
OTHER = {"A": "B", "B": "A"}


@dataclass(frozen=True)
class Pull:
    """Marbles to take by hand, from the top row down so that none rolls away first."""

    player: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class PutBack:
    pass


@dataclass(frozen=True)
class MoveFan:
    """`player` takes the fan to `place` (`A`, `stage`, `B`)."""

    player: str
    fan: str
    place: str


@dataclass(frozen=True)
class Command:
    """What a player taps: a referee command."""

    command: Mapping[str, Any]


@dataclass(frozen=True)
class Control:
    """What a player taps: a control request."""

    request: Mapping[str, Any]


Step = Pull | PutBack | MoveFan | Command | Control


@dataclass(frozen=True)
class Pace:
    """Seconds: between two taps, to look at a verdict, for a clear to be seen, after the end of a match."""

    tap_s: float = 1.6
    look_s: float = 3.0
    seen_s: float = 12.0
    over_s: float = 8.0


class Autoplay:
    def __init__(self, seed: int, pace: Pace | None = None, errs: float = 0.15, takes_fan: float = 0.2) -> None:
        """`errs`: share of pulls that are illegal; `takes_fan`: share of attacks that move a fan."""
        self._random = Random(seed)
        self._pace = pace or Pace()
        self._errs = errs
        self._takes_fan = takes_fan
        self._not_before = 0.0
        self._pause_s = 0.0
        self._last: Step | None = None
        self._situation: object = None
        self._since = 0.0
        self._pulled: tuple[str, ...] = ()
        self._hit_in: object = None

    def next(self, state: State | None, view: View, tray: str, busy: bool, now_s: float) -> Step | None:
        """`tray`: as it lies on the table; `busy`: a hand or marble moves; `now_s`: the players' own watch."""
        if busy:
            # whatever is on the page now was seen before the hand came
            self._not_before, self._since = max(self._not_before, now_s + 0.3), now_s
            return None
        situation = (
            None if state is None else (state["phase"], state["turn_number"]),
            view["question"] and view["question"]["id"],
            view["verdict"] and view["verdict"]["kind"],
            bool(view["differs"]),
        )
        if situation != self._situation:
            self._situation, self._since = situation, now_s
        if now_s < self._not_before:
            return None
        step = self._step(state, view, tray, now_s - self._since)
        if step is not None:
            # one that changes nothing is tried again less and less often: each try is a record in the log
            self._pause_s = min(2 * self._pause_s, 60.0) if step == self._last else self._pace.tap_s
            self._last = step
            self._not_before = now_s + self._pause_s
        return step

    def _step(self, state: State | None, view: View, tray: str, waited_s: float) -> Step | None:
        if state is None or state["phase"] == "over":
            if state is not None and waited_s < self._pace.over_s:
                return None
            self._pulled = ()
            return Command({"do": "setup", "first": self._random.choice("AB"), "tray": tray})
        if view["question"] is not None:
            return self._answer(view["question"]) if waited_s >= self._pace.look_s else None
        wrong = self._pulled and view["verdict"] is not None and view["verdict"]["kind"] == "illegal"
        if view["differs"] or wrong:
            return self._mend(view) if waited_s >= self._pace.look_s else None
        if state["phase"] == "opening":
            for fan, place in view["fans_seen"].items():
                if place in ("A", "B"):  # where the last match left it
                    return MoveFan(place, fan, "stage")
            return Command({"do": "begin"})
        if state["phase"] == "resolve":
            self._pulled = ()
            return self._resolve(state)
        if self._pulled:
            # the eye has it, or will say what it lacks; a pull that nobody saw is made good by a tap
            if waited_s < self._pace.seen_s:
                return None
            self._pulled = ()
            return Control({"do": "take_tray"})
        return self._pull(state)

    def _answer(self, question: Mapping[str, Any]) -> Step:
        """What was really pulled, if that is among the answers."""
        answers: Sequence[Mapping[str, Any]] = question["answers"]
        fits = [n for n, answer in enumerate(answers) if sorted(answer["cells"]) == sorted(self._pulled)]
        self._pulled = ()
        return Control({"do": "answer", "id": question["id"], "choice": fits[0] if fits else len(answers) - 1})

    def _mend(self, view: View) -> Step:
        """The tray is not as expected: put back what should not have been pulled, else take it as it is."""
        pulled, self._pulled = self._pulled, ()
        return PutBack() if pulled and view["verdict"] is not None else Control({"do": "take_tray"})

    def _pull(self, state: State) -> Step:
        player = state["turn"]
        tray = Tray.parse(state["tray"])
        if tray == UNKNOWN_TRAY:
            return Control({"do": "take_tray"})
        broken = _broken(state, player)
        if broken and self._random.random() < 0.4:
            return Command({"do": "flip", "player": player, "button": self._random.choice(broken)})
        legal = moves(tray, player, broken)
        # the first turn of a match shows how it should be
        errs = state["turn_number"] > 1 and self._random.random() < self._errs
        if errs and (wrong := self._wrong(tray, player, broken)):
            return self._take(player, wrong)
        if legal:
            weights = [int(clear.attack[1]) ** 2 for clear in legal]
            return self._take(player, self._random.choices(legal, weights)[0].cells)
        if broken:
            return Command({"do": "flip", "player": player, "button": broken[0]})
        return Command({"do": "end_turn", "player": player})

    def _take(self, player: str, cells: Sequence[str]) -> Pull:
        self._pulled = tuple(sorted(cells, key=lambda cell: (-int(cell[1]), cell[0])))
        return Pull(player, self._pulled)

    def _wrong(self, tray: Tray, player: str, broken: Sequence[str]) -> tuple[str, ...] | None:
        """Marbles that look like a clear and are none, such as four in a T."""
        shapes = [_t_shape(cell) for cell in CELLS]
        wrong = [
            shape
            for shape in shapes
            if shape and len({tray.at(cell) for cell in shape}) == 1 and not judge(tray, player, shape, broken).legal
        ]
        if wrong:
            return self._random.choice(wrong)
        pairs = [
            (one, other)
            for one in CELLS
            for other in CELLS
            if one < other and tray.at(one) == tray.at(other) and not judge(tray, player, (one, other), broken).legal
        ]
        return self._random.choice(pairs) if pairs else None

    def _resolve(self, state: State) -> Step:
        player, other = state["turn"], OTHER[state["turn"]]
        attack = state["last_clear"]["attack"]
        key = state["turn_number"]
        if self._hit_in != key:
            self._hit_in = key
            targets = [button for button in COLOURS if not state["players"][other]["buttons"][button]["broken"]]
            if targets:
                amount = {"1": 2, "2": 3, "4": 6}[attack[1]]
                hit = {"player": other, "button": self._random.choice(targets), "amount": amount}
                return Command({"do": "hit", "source": player, "hits": [hit]})
        elif self._hit_in == key and self._random.random() < self._takes_fan:
            fans = [fan for fan in COLOURS if fan not in state["players"][player]["fans"]]
            if fans:
                return MoveFan(player, self._random.choice(fans), player)
        return Command({"do": "end_turn", "player": player})


def _broken(state: State, player: str) -> list[str]:
    buttons = state["players"][player]["buttons"]
    return [button for button in COLOURS if buttons[button]["broken"]]


def _t_shape(cell: str) -> tuple[str, ...] | None:
    """The T whose stem ends in lane a or c beside this cell of lane b, if it lies on the tray."""
    lane, row = cell[0], int(cell[1])
    if lane == LANES[1] or not 1 < row < ROWS:
        return None
    return (f"b{row - 1}", f"b{row}", f"b{row + 1}", cell)
