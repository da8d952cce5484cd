"""What the watcher is told and what it tells: plain values (DESIGN §3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.rules.rematch.evidence import NO_SIDES, Explanation, Sides
from companion.rules.rematch.markers import Limits
from companion.rules.rematch.tray import LANES
from companion.rules.rematch.twice import Pair

SECOND = 1_000_000_000
OTHER = {"A": "B", "B": "A"}


@dataclass(frozen=True)
class Seen:
    """One frame. `tray`: tray text, "?" for covered and unsure cells. `settled`: frames agree, nothing moves, no hand.

    `hand`: something reaches over the tray. `aim`: False while the camera does not know where the tray is.
    `sides`: of a settled tray, against the one seen at `Watcher.since_ns`. `hanging`: cells that a marble lies half in.
    """

    t_ns: int
    tray: str
    settled: bool
    hand: bool = False
    covers: tuple[str, ...] = ()
    aim: bool = True
    sides: Sides = NO_SIDES
    hanging: tuple[str, ...] = ()


@dataclass(frozen=True)
class Dropped:
    """A marble fell into `lane`. Not `certain`: perhaps, or perhaps two; the lane's count is then only likely."""

    t_ns: int
    lane: str
    certain: bool = True


@dataclass(frozen=True)
class Turn:
    """Whose turn it is, the broken buttons of both, the declared attack, if any, and what markers leave them."""

    player: str = "A"
    broken: Mapping[str, str] = field(default_factory=dict)
    attack: str | None = None
    limits: Mapping[str, Limits] = field(default_factory=dict)


@dataclass(frozen=True)
class ClearSeen:
    """Marbles were pulled and it is known which, up to readings that come to the same. `explanation` judges it.

    `less_sure`: a hand was there long enough to pull a marble that a beam may have missed, and that would explain what
    was seen as well; or it came from the opponent's side.
    """

    t_ns: int
    player: str
    explanation: Explanation
    before: str
    after: str
    drops: Mapping[str, int] | None
    less_sure: bool = False

    @property
    def legal(self) -> bool:
        return self.explanation.verdict == "legal"

    @property
    def sure(self) -> bool:
        """Nothing else explains it: every lane's drops were counted and no sighting contradicts."""
        found = self.explanation
        one = len(found.readings) == 1 and not found.late and not self.less_sure
        return one and not found.contradicted and len(self.drops or ()) == len(LANES)


@dataclass(frozen=True)
class Answer:
    """A possible answer to a question: these clears, in order, as (player, cells, attack or None).

    None at all: nothing was pulled, and the tray is right as it lies (a marble was put in by hand, or came down late).
    """

    clears: tuple[tuple[str, tuple[str, ...], str | None], ...]


@dataclass(frozen=True)
class Question:
    """The witnesses do not say what happened. `answers`: the best guesses first, may be empty."""

    t_ns: int
    player: str
    text: str
    answers: tuple[Answer, ...]
    before: str | None
    after: str
    drops: Mapping[str, int] | None


@dataclass(frozen=True)
class PutBack:
    """These marbles had been lifted and lie as before."""

    t_ns: int
    player: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Settled:
    """The tray lies still and is not a matter of a clear: first sight, or a late marble has come down."""

    t_ns: int
    tray: str


@dataclass(frozen=True)
class Hanging:
    """A marble hangs halfway in these cells, and nothing is decided until it has come down."""

    t_ns: int
    cells: tuple[str, ...]


Outcome = ClearSeen | Question | PutBack | Settled | Hanging
NO_CLEAR = Answer(())


def answers_of(player: str, found: Explanation) -> tuple[Answer, ...]:
    """One answer for each attack that explains it, else the first illegal reading."""
    answers: dict[str | None, Answer] = {}
    for reading in found.readings:
        if reading.cells and reading.attack not in answers:
            answers[reading.attack] = Answer(((player, reading.cells, reading.attack),))
    return tuple(answers.values())


def pair_answer(player: str, other: str, pair: Pair) -> Answer:
    one, two = pair.first, pair.second
    return Answer(((player, one.cells, one.attack), (other, two.cells, two.attack)))
