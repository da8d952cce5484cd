"""The turn as it is seen: from readings and drops in order of time to clears, questions and put-backs (DESIGN §3).

Fed with values only, times among them; nothing here knows a clock. While a hand is in view nothing is decided. A tray
that has settled otherwise than it lay before is a clear that `evidence` explains, or a question, never silence.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.rules.rematch.evidence import MARGIN, NO_SIDES, Explanation, Reading, Sides, Sighting, explain, fitting
from companion.rules.rematch.hands import Hands, Split
from companion.rules.rematch.lanes import FEWER
from companion.rules.rematch.markers import NO_LIMITS, Limits
from companion.rules.rematch.tray import CELLS, COLOURS, EMPTY, LANES, ROWS, UNKNOWN, Tray
from companion.rules.rematch.twice import Between, Pair, pairs

SECOND = 1_000_000_000
AGREE_NS = 90_000_000
"""Frames so close together are one sighting, so that 30 frames/s do not weigh three times as much as 10."""
REFILL_NS = 400_000_000
"""How long a new gap at the tower may still be filled by a marble on its way down."""
HANG_NS = 1_500_000_000
"""How long a new gap below a marble may last: that one hangs, and will roll down."""
HUNG_NS = 6 * SECOND
"""How long a marble may hang halfway before it is asked what was pulled all the same."""
LATE_NS = 400_000_000
"""So long after a hand has left a marble that it pulled may still drop."""
DROPS_NS = 350_000_000
"""How long drops that do not agree with the tray may still be made good by an edge that arrives late."""
UNSURE_NS = 400_000_000
"""How long to wait for a settled reading without unsure cells."""
WENT_ON_NS = 6 * SECOND
"""How soon after a clear an illegal next one may be the same player's, who only put marbles aside."""
PULL_NS = 900_000_000
"""About how long a hand is over the tray for each marble that it pulls."""
SPARE_NS = 600_000_000
"""Without a count of drops: a hand that stayed so much longer may have pulled what no frame shows."""
BLIND_NS = 3 * SECOND
"""Without a picture for so long (the camera hung) anything may have been done, even by both players."""
GHOST_NS = 1_200_000_000
"""A drop that no hand can have caused waits so long for one, or for the counter to find the sensor ill."""
CLOSE_NS = 150_000_000
"""Drops in one lane so close together may be one marble that was counted twice: hands are slower (0.8 s and more)."""
CLEARLY = 0.3
"""By so much less misfit another count must explain what was seen before the beam's own is called in question."""
MOST_SIGHTINGS = 400
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
    """Marbles were pulled and it is known which, up to readings that come to the same. `explanation` judges it."""

    t_ns: int
    player: str
    explanation: Explanation
    before: str
    after: str
    drops: Mapping[str, int] | None

    @property
    def legal(self) -> bool:
        return self.explanation.verdict == "legal"

    @property
    def sure(self) -> bool:
        """Nothing else explains it: every lane's drops were counted and no sighting contradicts."""
        found = self.explanation
        one = len(found.readings) == 1 and not found.late
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


class Watcher:
    """`counted`: lanes whose drops are counted. Feed `seen` and `dropped` in order of time."""

    def __init__(self, turn: Turn | None = None, counted: Collection[str] = "") -> None:
        self.turn = turn or Turn()
        self.counted = set(counted)
        self.since_ns = self._now = 0
        self._base: str | None = None
        self._fresh()
        self._recent: list[Seen] = []
        self._last: ClearSeen | None = None
        self._former: str | None = None
        self._asked: Turn | None = None

    @property
    def _player(self) -> str:
        """Who pulled: the one on turn; or the opponent, whose hand came while a question about the turn was open."""
        on_turn = self.turn.player
        if self._asked is self.turn and self._hands.whose() == OTHER[on_turn]:
            return OTHER[on_turn]
        return on_turn

    @property
    def _declared(self) -> str | None:
        return self.turn.attack if self._player == self.turn.player else None

    @property
    def base(self) -> str | None:
        """The tray as it lay at the start of the turn; None: not seen yet."""
        return self._base

    def counts(self, lane: str) -> None:
        """The lane has a beam that counts."""
        self.counted.add(lane)

    def differs(self, sight: Seen) -> bool:
        """Whether this reading will have to be explained."""
        if not sight.settled or self._base is None:
            return False
        return any(self._drops.values()) or not _agree(self._base, sight.tray)

    def expect(self, tray: str | None) -> None:
        """Start from this tray (None: from the next one that settles): marbles restored by hand, an answer given."""
        self._base = tray
        self._former = None
        self._fresh()

    def _fresh(self) -> None:
        """Forget what was seen of the turn so far."""
        self.since_ns = self._now
        self._drops: dict[str, int] = dict.fromkeys(LANES, 0)
        self._drop_times: list[tuple[int, str]] = []
        self._faulty: set[str] = set()
        self._doubtful: set[str] = set()
        self._drop_ns: dict[str, int] = {}
        self._close: set[str] = set()
        self._hands = Hands()
        self._open: list[tuple[int, str]] = []
        self._said_hanging = False
        self._sightings: list[Sighting] = []
        self._since: tuple[str, int] | None = None
        self._counted_then: dict[str, int] = {}
        self._blind = self._hung = False
        self._hand_ns = 0

    # -- witnesses

    def dropped(self, drop: Dropped) -> None:
        self._drops[drop.lane] += 1
        if drop.t_ns - self._drop_ns.get(drop.lane, drop.t_ns - CLOSE_NS) < CLOSE_NS:
            self._close.add(drop.lane)
        self._drop_ns[drop.lane] = drop.t_ns
        self._drop_times.append((drop.t_ns, drop.lane))
        if not drop.certain:
            self._doubtful.add(drop.lane)

    def finish(self, t_ns: int) -> list[Outcome]:
        """No more will be seen. What was not decided is asked."""
        seen = self._recent[-1].tray if self._recent else "/".join([UNKNOWN * 5] * 3)
        dropped = {lane: n for lane, n in self._drops.items() if n}
        changed = self._base is not None and self._since is not None and not _agree(self._base, self._since[0])
        if not dropped and not changed:
            if not (self._blind and self._hand_ns) or self._base is None:
                return []
            text = "The camera lost the tray while a hand was over it. Was anything pulled?"
            return [Question(t_ns, self._player, text, (), self._base, seen, None)]
        counted = f": {' and '.join(f'{n} in lane {lane}' for lane, n in dropped.items())} dropped" if dropped else ""
        text = f"The tray did not come to rest in view{counted}. What was pulled?"
        return [Question(t_ns, self._player, text, (), self._base, seen, dropped or None)]

    def fault(self, lane: str) -> None:
        """The lane's sensor cannot be trusted in this turn."""
        self._faulty.add(lane)

    def doubt(self, lane: str) -> None:
        """The lane's count may be wrong by a marble or so."""
        self._doubtful.add(lane)

    def seen(self, sight: Seen) -> list[Outcome]:
        if self._base is not None and sight.t_ns - self._now > BLIND_NS:
            self._recent.clear()
            self._since = None
            self._blind = self._hung = True
        if sight.hand:
            self._hand_ns += min(max(0, sight.t_ns - self._now), SECOND)
        self._now = sight.t_ns
        if not sight.aim:
            self._recent.clear()
            self._since = None
            self._blind = True
            return []
        self._hands.seen(sight.t_ns, sight.hand, sight.covers)
        self._sighted(sight)
        if not sight.settled or sight.hand:
            self._since = None
            return []
        return self._settled(sight)

    def _sighted(self, sight: Seen) -> None:
        """Keep what was seen as sightings of the turn, one for each tenth of a second."""
        recent = self._recent
        if recent and (sight.t_ns - recent[0].t_ns >= AGREE_NS or sight.t_ns < recent[0].t_ns):
            text = "".join(_common(cells) for cells in zip(*(one.tray for one in recent), strict=True))
            if self._base is not None and len(self._sightings) < MOST_SIGHTINGS:
                self._sightings.append(Sighting(text, self._counted_then))
                if not recent[-1].hand and len(self._open) < MOST_SIGHTINGS:
                    self._open.append((recent[-1].t_ns, text))
            recent.clear()
        if not recent:
            self._counted_then = self._known_drops()
        recent.append(sight)

    def _known_drops(self) -> dict[str, int]:
        unsure = self._doubtful | self._faulty
        return {lane: n for lane, n in self._drops.items() if lane in self.counted and lane not in unsure}

    def _likely_drops(self) -> dict[str, int]:
        """Of the lanes whose count is not sure."""
        return {lane: self._drops[lane] for lane in LANES if lane in self._doubtful - self._faulty}

    # -- decisions

    def _settled(self, sight: Seen) -> list[Outcome]:
        text = sight.tray
        if self._since is None or self._since[0] != text:
            self._since = (text, sight.t_ns)
        waited = sight.t_ns - self._since[1]
        if sight.hanging and waited < HUNG_NS:
            if waited < HANG_NS or self._said_hanging:
                return []
            self._said_hanging = True
            return [Hanging(sight.t_ns, sight.hanging)]
        if self._base is None:
            if UNKNOWN in text and waited < UNSURE_NS:
                return []
            return self._first(sight)
        drops = self._known_drops()
        quiet = not any(drops.values()) and not any(self._likely_drops().values())
        if _agree(self._base, text) and quiet and not sight.hanging:
            return self._unchanged(sight)
        if _agree(self._base, text) and any(drops.values()) and not self._hand_ns:
            return self._ghost(sight, drops)
        if UNKNOWN in text and waited < UNSURE_NS:
            return []
        gaps = _gaps(text) - _gaps(self._base)
        if gaps and waited < (HANG_NS if _hanging(text, gaps) else REFILL_NS):
            return []
        if self._former is not None and _agree(self._former, text):
            return self._restored(sight)
        found = self._seen_through(sight, drops, self._declared)
        if found.verdict == "impossible" and waited < DROPS_NS:
            return []
        return self._decide(sight, found, drops)

    def _explain(
        self,
        before: str,
        after: str,
        player: str,
        drops: Mapping[str, int],
        attack: str | None = None,
        sightings: Sequence[Sighting] = (),
        margin: float = MARGIN,
        sides: Sides = NO_SIDES,
    ) -> Explanation:
        broken, limits = self.turn.broken.get(player, ""), self.turn.limits.get(player, NO_LIMITS)
        old, new = Tray.parse(before), Tray.parse(after)
        doubted = self._likely_drops()
        return explain(old, new, player, broken, drops or None, attack, sightings, margin, sides, limits, doubted)

    def _seen_through(
        self, sight: Seen, drops: Mapping[str, int], attack: str | None = None, margin: float = MARGIN
    ) -> Explanation:
        """This turn by all its witnesses."""
        assert self._base is not None
        dropped = any(drops.values()) or any(self._likely_drops().values())
        after = self._base if _agree(self._base, sight.tray) and not dropped else sight.tray
        return self._explain(self._base, after, self._player, drops, attack, self._sightings, margin, sight.sides)

    def _first(self, sight: Seen) -> list[Outcome]:
        dropped = {lane: n for lane, n in self._drops.items() if n}
        self.expect(sight.tray)
        if dropped:
            lanes = " and ".join(dropped)
            text = f"Marbles dropped into lane {lanes} before the tray could be seen. What was pulled?"
            return [Question(sight.t_ns, self._player, text, (), None, sight.tray, dropped)]
        return [Settled(sight.t_ns, sight.tray)]

    def _unchanged(self, sight: Seen) -> list[Outcome]:
        """The tray lies as before. Only plainly seen holes make it a put-back; anything else was only a hand."""
        assert self._base is not None
        outcomes: list[Outcome] = []
        uncounted = len(self._known_drops()) < len(LANES)
        if uncounted and (self._sightings or sight.sides.turned) and UNKNOWN not in sight.tray:
            found = self._seen_through(sight, self._known_drops())
            if not found.untouched or self._rolled(sight.sides):
                text = "Marbles seem to have been pulled, yet the tray lies as before. What was pulled?"
                return [self._ask(sight, text, _answers(self._player, found), self._known_drops())]
        holes = self._holes()
        if holes:
            outcomes.append(PutBack(sight.t_ns, self._player, holes))
        base = "".join(old if new == UNKNOWN else new for old, new in zip(self._base, sight.tray, strict=True))
        self._base = base
        self._fresh()
        return outcomes

    def _ghost(self, sight: Seen, drops: Mapping[str, int]) -> list[Outcome]:
        """Drops without a hand, and the tray lies as before: a beam that saw no marble, or a very quick hand."""
        if sight.t_ns - max(self._drop_ns.values()) < GHOST_NS:
            return []
        counted = " and ".join(f"{n} in lane {lane}" for lane, n in drops.items() if n)
        text = (
            f"The beams counted {counted}, but the camera saw no hand and the tray lies as before. Was anything pulled?"
        )
        return [self._ask(sight, text, _answers(self._player, self._seen_through(sight, drops)), drops)]

    def _counted_twice(self, sight: Seen, found: Explanation, drops: Mapping[str, int]) -> Question | None:
        """Two drops came too close for two pulls, and one less is explained as well."""
        for lane in sorted(self._close & drops.keys()):
            fewer = {**drops, lane: drops[lane] - 1}
            other = self._seen_through(sight, fewer, self._declared)
            if other.verdict in ("legal", "illegal") and not other.contradicted and other.cells != found.cells:
                if other.verdict == "legal" and other.attack == found.attack:
                    continue
                text = (
                    f"The beams counted {drops[lane]} in lane {lane}, two of them very close together; what the camera"
                    f" saw fits {fewer[lane]} as well. What was pulled?"
                )
                player = self._player
                return self._ask(sight, text, (*_answers(player, other), *_answers(player, found)), drops)
        return None

    def _missed_one(self, sight: Seen, found: Explanation, drops: Mapping[str, int]) -> Question | None:
        """What was seen contradicts the counts, and one more, which a beam missed, would explain it better."""
        if found.verdict not in ("legal", "illegal") or found.misfit <= MARGIN:
            return None
        sight_alone = replace(sight, sides=NO_SIDES)  # a marble that was only nudged says nothing against a count
        counted = self._seen_through(sight_alone, drops, self._declared)
        more = [
            (self._seen_through(sight_alone, {**drops, lane: n + 1}, self._declared), lane) for lane, n in drops.items()
        ]
        possible = [one for one in more if one[0].verdict in ("legal", "illegal", "ambiguous")]
        if not possible:
            return None
        also, lane = min(possible, key=lambda one: one[0].misfit)
        if also.misfit > counted.misfit - CLEARLY:
            return None
        text = (
            f"The beams counted {drops[lane]} in lane {lane}, but what the camera saw fits {drops[lane] + 1} better. "
            "What was pulled?"
        )
        return self._ask(sight, text, (*_answers(self._player, also)[:2], *_answers(self._player, found)), drops)

    def _rolled(self, sides: Sides) -> bool:
        """Whether a marble shows another side in a lane that nobody counts, with none above it left alone."""
        return any(
            turned[0] not in self.counted and not any(one[0] == turned[0] and one[1] > turned[1] for one in sides.alike)
            for turned in sides.turned
        )

    def _left_over(self, sides: Sides, found: Explanation) -> bool:
        """Whether a marble in a lane that nobody counts rolled, though nothing below it is said to have been pulled."""
        lowest = {lane: min((c[1] for c in found.cells if c[0] == lane), default="9") for lane in LANES}
        return any(cell[0] not in self.counted and cell[1] < lowest[cell[0]] for cell in sides.turned)

    def _holes(self) -> tuple[str, ...]:
        """Cells that were seen empty in between for some time, though a marble lies there before and after.

        Only with all their neighbours in plain sight: close to a hand a finger may look like an empty cell.
        """
        assert self._base is not None
        before = Tray.parse(self._base)
        counts = dict.fromkeys(CELLS, 0)
        for sighting in self._sightings:
            tray = Tray.parse(sighting.tray)
            for cell in CELLS:
                near = (tray.at(other) in COLOURS for other in _neighbours(cell))
                if tray.at(cell) == EMPTY and before.at(cell) in COLOURS and all(near):
                    counts[cell] += 1
        return tuple(cell for cell, n in counts.items() if n >= 2)

    def _restored(self, sight: Seen) -> list[Outcome]:
        """After an illegal clear or a question the marbles lie as before it."""
        assert self._base is not None
        cells = tuple(cell for cell, a, b in zip(CELLS, _cells(self._base), _cells(sight.tray), strict=True) if a != b)
        self.expect(sight.tray)
        return [PutBack(sight.t_ns, self._player, cells)]

    def _decide(self, sight: Seen, found: Explanation, drops: dict[str, int]) -> list[Outcome]:
        player = self._player
        if sight.hanging:
            text = f"A marble hangs halfway at {' '.join(sight.hanging)}: nudge it down. What was pulled?"
            return [self._ask(sight, text, _answers(player, found), drops)]
        if found.untouched:
            self.expect(sight.tray)
            return [Settled(sight.t_ns, sight.tray)]
        if found.verdict == "ambiguous":
            text = f"{self._doubted_words()}Which marbles were pulled?"
            return [self._ask(sight, text, _answers(player, found), drops)]
        if found.verdict == "legal" and (doubts := self._miscounted(sight, found)):
            return [self._ask(sight, *doubts, drops)]
        if len(drops) < len(LANES) and found.verdict in ("legal", "illegal"):
            more = self._unseen_pulls(sight, found, drops)
            if more:
                return [self._ask(sight, "The hand was there long enough to pull more. Which marbles?", more, drops)]
        if found.verdict == "legal" and self._left_over(sight.sides, found):
            text = "A marble that should lie untouched shows another side. Was more pulled?"
            return [self._ask(sight, text, _answers(player, self._seen_through(sight, drops, margin=2.5)), drops)]
        uncounted = found.verdict == "legal" and self._blind and len(drops) < len(LANES)
        if uncounted or (self._hung and found.verdict in ("legal", "illegal")):
            text = "The camera could not see the tray for a while. Was this pulled?"
            return [self._ask(sight, text, _answers(player, found), drops)]
        twice = self._counted_twice(sight, found, drops)
        if twice is not None:
            return [twice]
        guess = self._went_on(sight, found) or self._two_clears(sight, found)
        if guess is not None:
            text, answers = guess
            return [self._ask(sight, text, (*answers, *_answers(player, found)), drops)]
        missed = self._missed_one(sight, found, drops)
        if missed is not None:
            return [missed]
        if found.verdict == "impossible":
            return [self._contradiction(sight, found, drops)]
        seen = self._in_two_goes(sight) or ClearSeen(
            sight.t_ns, player, found, self._base or "", sight.tray, drops or None
        )
        former = None if seen.legal else self._former or self._base
        self.expect(sight.tray)
        self._former, self._last = former, seen
        return [seen]

    def _unseen_pulls(self, sight: Seen, found: Explanation, drops: Mapping[str, int]) -> tuple[Answer, ...]:
        """Without a count of drops: other answers, when there was time for pulls that no frame shows; else none."""
        assert self._base is not None
        spare = self._hand_ns - PULL_NS * len(found.cells)
        if spare < SPARE_NS:
            return ()
        margin = MARGIN + FEWER * min(2, spare // PULL_NS + 1)
        player = self._player
        wide = self._seen_through(sight, drops, self._declared, margin)
        others = [answer for answer in _answers(player, wide) if answer.clears[0][2] != found.attack]
        return (Answer(((player, found.cells, found.attack),)), *others) if others else ()

    def _ask(self, sight: Seen, text: str, answers: tuple[Answer, ...], drops: Mapping[str, int]) -> Question:
        question = Question(sight.t_ns, self._player, text, answers[:3], self._base, sight.tray, dict(drops) or None)
        former = self._former or self._base
        self.expect(sight.tray)
        self._former, self._last, self._asked = former, None, self.turn
        return question

    def _contradiction(self, sight: Seen, found: Explanation, drops: Mapping[str, int]) -> Question:
        """Beams and camera contradict each other: what the camera alone, and what fewer lanes' counts would say."""
        assert self._base is not None
        stuck = sorted({reason.cells[0][0] for reason in found.reasons if reason.cells})
        kept = {lane: n for lane, n in drops.items() if lane not in stuck}
        alone = self._seen_through(sight, kept)
        counted = [self._both_numbers(lane, drops[lane], sight) for lane in stuck if lane in drops]
        if counted:
            text = f"{' '.join(counted)} What was pulled?"
        else:
            text = "The tray does not follow from the one before. Were marbles put in by hand?"
        answers = _answers(self._player, alone)
        came = alone.untouched or any(self._came_by_hand(lane, sight) for lane in stuck)
        return self._ask(sight, text, (NO_CLEAR, *answers) if came else answers, drops)

    def _both_numbers(self, lane: str, counted: int, sight: Seen) -> str:
        """What the beam counted and what the camera would need, in one sentence."""
        assert self._base is not None
        at = LANES.index(lane)
        fits = fitting(self._base.split("/")[at], sight.tray.split("/")[at])
        needs = f"{fits[0]}" if len(fits) == 1 else f"{fits[0]} to {fits[-1]}"
        marbles = "marble" if counted == 1 else "marbles"
        return f"Lane {lane}: the beam counted {counted} {marbles}, but what the camera sees there needs {needs}."

    def _came_by_hand(self, lane: str, sight: Seen) -> bool:
        """Whether the lane only holds more than before: marbles may have been put in, or have dropped uncounted."""
        assert self._base is not None
        at = LANES.index(lane)
        old, new = (tray.split("/")[at].rstrip(EMPTY) for tray in (self._base, sight.tray))
        return len(new) > len(old) and _agree(old, new[: len(old)])

    def _doubted_words(self) -> str:
        counts = [f"{n} in lane {lane}" for lane, n in self._likely_drops().items()]
        return f"The beams counted {' and '.join(counts)}, but not surely. " if counts else ""

    def _miscounted(self, sight: Seen, found: Explanation) -> tuple[str, tuple[Answer, ...]] | None:
        """The answer needs another number of drops than an unsure beam counted: both numbers, and both answers."""
        assert self._base is not None
        after, player = sight.tray, self._player
        likely = self._likely_drops()
        needed = {lane: _drops_of(found.readings[0], lane, self._base, after) for lane in likely}
        if needed == likely:
            return None
        listed = [f"{n} in lane {lane} (not surely), this needs {needed[lane]}" for lane, n in likely.items()]
        as_counted = [
            reading
            for reading in found.readings
            if all(_drops_of(reading, lane, self._base, after) == n for lane, n in likely.items())
        ]
        first = found.readings[0]
        best = [Answer(((player, one.cells, one.attack),)) for one in (first, *as_counted[:2])]
        return f"The beams counted {'; '.join(listed)}. What was pulled?", tuple(dict.fromkeys(best))

    def _went_on(self, sight: Seen, found: Explanation) -> tuple[str, tuple[Answer, ...]] | None:
        """Perhaps the last player only put marbles aside and then pulled more of the same clear."""
        last = self._last
        if last is None or not last.legal or sight.t_ns - last.t_ns > WENT_ON_NS or last.player == self._player:
            return None
        whose = self._hands.whose()
        if whose == self._player or (found.verdict == "legal" and whose != last.player):
            return None
        now = self._known_drops()
        drops = {lane: n + now[lane] for lane, n in (last.drops or {}).items() if lane in now}
        both = self._explain(last.before, sight.tray, last.player, drops)
        if both.verdict != "legal":
            return None
        answer = Answer(((last.player, both.cells, both.attack),))
        return f"Did {last.player} go on pulling after {' '.join(last.explanation.cells)}?", (answer,)

    def _in_two_goes(self, sight: Seen) -> ClearSeen | None:
        """After a clear that was none the same player has pulled more: both together, where all was counted."""
        last, now = self._last, self._known_drops()
        if last is None or last.legal or last.player != self._player or self._hands.whose() == OTHER[self._player]:
            return None
        if sight.t_ns - last.t_ns > WENT_ON_NS or len(now) < len(LANES) or len(last.drops or ()) < len(LANES):
            return None
        drops = {lane: n + now[lane] for lane, n in (last.drops or {}).items()}
        both = self._explain(last.before, sight.tray, last.player, drops, self._declared)
        if both.verdict not in ("legal", "illegal"):
            return None
        return ClearSeen(sight.t_ns, last.player, both, last.before, sight.tray, drops)

    def _two_clears(self, sight: Seen, found: Explanation) -> tuple[str, tuple[Answer, ...]] | None:
        """Perhaps both players cleared, one right after the other, and the tray did not settle in between."""
        assert self._base is not None
        player, turn, drops = self._player, self.turn, self._known_drops()
        other = OTHER[player]
        sure = found.verdict == "legal"
        if sure and len(drops) < len(LANES):
            return None
        before, after = Tray.parse(self._base), Tray.parse(sight.tray)
        for split in self._hands.splits(player):
            if sure and not split.clear:
                continue
            between = self._between(split, drops)
            two = pairs(before, after, player, between, drops, turn.broken, self._declared, turn.limits)
            if two:
                answers = tuple(_pair_answer(player, other, pair) for pair in two[:2])
                return "Were these two clears, one right after the other?", answers[: 1 if sure else 2]
        return None

    def _between(self, split: Split, drops: Mapping[str, int]) -> Between:
        def by(lane: str, t_ns: int) -> int:
            return sum(name == lane and t <= t_ns for t, name in self._drop_times)

        known = {lane: (by(lane, split.end_ns), by(lane, split.start_ns + LATE_NS)) for lane in drops}
        return Between(known, [text for t, text in self._open if split.end_ns < t < split.start_ns])


def _answers(player: str, found: Explanation) -> tuple[Answer, ...]:
    """One answer for each attack that explains it, else the first illegal reading."""
    answers: dict[str | None, Answer] = {}
    for reading in found.readings:
        if reading.cells and reading.attack not in answers:
            answers[reading.attack] = Answer(((player, reading.cells, reading.attack),))
    return tuple(answers.values())


def _pair_answer(player: str, other: str, pair: Pair) -> Answer:
    one, two = pair.first, pair.second
    return Answer(((player, one.cells, one.attack), (other, two.cells, two.attack)))


def _drops_of(reading: Reading, lane: str, before: str, after: str) -> int:
    """How many marbles must have dropped into a lane for this reading."""
    old, new = (tray.split("/")[LANES.index(lane)] for tray in (before, after))
    return len(new.replace(EMPTY, "")) - len(old.replace(EMPTY, "")) + sum(cell[0] == lane for cell in reading.cells)


def _neighbours(cell: str) -> list[str]:
    lane, row = LANES.index(cell[0]), int(cell[1])
    around = ((lane - 1, row), (lane + 1, row), (lane, row - 1), (lane, row + 1))
    return [f"{LANES[x]}{y}" for x, y in around if 0 <= x < len(LANES) and 1 <= y <= ROWS]


def _common(letters: Sequence[str]) -> str:
    """What all that is known says; "?" when it does not agree."""
    known = {letter for letter in letters if letter != UNKNOWN}
    return known.pop() if len(known) == 1 else UNKNOWN


def _cells(tray: str) -> str:
    return tray.replace("/", "")


def _agree(one: str, other: str) -> bool:
    """The same where both are known."""
    return all(a == b or UNKNOWN in (a, b) for a, b in zip(one, other, strict=True))


def _hanging(tray: str, gaps: Collection[str]) -> bool:
    """Whether a marble lies above one of these gaps."""
    seen = Tray.parse(tray)
    return any(
        seen.at(f"{gap[0]}{row}") not in (EMPTY, UNKNOWN) for gap in gaps for row in range(int(gap[1]) + 1, ROWS + 1)
    )


def _gaps(tray: str) -> frozenset[str]:
    return frozenset(cell for cell, letter in zip(CELLS, _cells(tray), strict=True) if letter == EMPTY)
