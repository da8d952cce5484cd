"""The turn as it is seen: from readings and drops in order of time to clears, questions and put-backs (DESIGN §3).

Fed with values only, times among them; nothing here knows a clock. While a hand is in view nothing is decided. A tray
that has settled otherwise than it lay before is a clear that `evidence` explains, or a question, never silence.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.rules.rematch import doubts, goes
from companion.rules.rematch.case import PULL_NS, Case
from companion.rules.rematch.evidence import Explanation
from companion.rules.rematch.outcomes import (
    NO_CLEAR,
    OTHER,
    SECOND,
    Answer,
    ClearSeen,
    Dropped,
    Hanging,
    Outcome,
    PutBack,
    Question,
    Seen,
    Settled,
    Turn,
    answers_of,
)
from companion.rules.rematch.tray import CELLS, LANES, UNKNOWN
from companion.rules.rematch.witnesses import AGREE_NS, Witnesses, agree, cells_of, gaps_of, hangs

__all__ = [
    "NO_CLEAR", "OTHER", "SECOND", "Answer", "ClearSeen", "Dropped", "Hanging", "Outcome", "PutBack", "Question",
    "Seen", "Settled", "Turn", "Watcher",
]  # fmt: skip

REFILL_NS = 400_000_000
"""How long a new gap at the tower may still be filled by a marble on its way down."""
HANG_NS = 1_500_000_000
"""How long a new gap below a marble may last: that one hangs, and will roll down."""
HUNG_NS = 6 * SECOND
"""How long a marble may hang halfway before it is asked what was pulled all the same."""
DROPS_NS = 350_000_000
"""How long drops that do not agree with the tray may still be made good by an edge that arrives late."""
UNSURE_NS = 400_000_000
"""How long to wait for a settled reading without unsure cells."""
BLIND_NS = 3 * SECOND
"""Without a picture for so long (the camera hung) anything may have been done, even by both players."""
GHOST_NS = 1_200_000_000
"""A drop that no hand can have caused waits so long for one, or for the counter to find the sensor ill."""


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
        """What was told of the tray as it lies: nothing was put back, answered or taken as it is since."""
        self._open: Question | None = None
        """The same of a question."""
        self._former: str | None = None
        self._asked: Turn | None = None
        self._untouched: object = None
        """What was known when it was last worked out that nobody touched anything: the same again tells the same."""
        self._own_side: set[str] = set()
        """Players whose hand was seen to come from their own side."""

    @property
    def _player(self) -> str:
        """Who pulled: the one on turn; or the opponent, whose hand came while a question about the turn was open."""
        on_turn = self.turn.player
        if self._asked is self.turn and self._witnesses.hands.whose() == OTHER[on_turn]:
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
        return any(self._witnesses.drops.values()) or not agree(self._base, sight.tray)

    def expect(self, tray: str | None) -> None:
        """Start from this tray (None: from the next one that settles): marbles restored by hand, an answer given."""
        self._base = tray
        self._former = self._last = self._open = None
        self._fresh()

    def _fresh(self) -> None:
        """Forget what was seen of the turn so far."""
        self.since_ns = self._now
        self._witnesses = Witnesses(self.counted)
        self._said_hanging = False
        self._since: tuple[str, int] | None = None

    # -- witnesses

    def dropped(self, drop: Dropped) -> None:
        self._witnesses.dropped(drop)

    def fault(self, lane: str) -> None:
        """The lane's sensor cannot be trusted in this turn."""
        self._witnesses.fault(lane)

    def doubt(self, lane: str) -> None:
        """The lane's count may be wrong by a marble or so."""
        self._witnesses.doubt(lane)

    def finish(self, t_ns: int) -> list[Outcome]:
        """No more will be seen. What was not decided is asked."""
        seen = self._recent[-1].tray if self._recent else "/".join([UNKNOWN * 5] * 3)
        dropped = {lane: n for lane, n in self._witnesses.drops.items() if n}
        changed = self._base is not None and self._since is not None and not agree(self._base, self._since[0])
        if not dropped and not changed:
            if not (self._witnesses.blind and self._witnesses.hand_ns) or self._base is None:
                return []
            text = "The camera lost the tray while a hand was over it. Was anything pulled?"
            return [Question(t_ns, self._player, text, (), self._base, seen, None)]
        counted = f": {' and '.join(f'{n} in lane {lane}' for lane, n in dropped.items())} dropped" if dropped else ""
        text = f"The tray did not come to rest in view{counted}. What was pulled?"
        return [Question(t_ns, self._player, text, (), self._base, seen, dropped or None)]

    def seen(self, sight: Seen) -> list[Outcome]:
        witnesses = self._witnesses
        if self._base is not None and sight.t_ns - self._now > BLIND_NS:
            self._recent.clear()
            self._since = None
            witnesses.blind = witnesses.hung = True
        if sight.hand:
            witnesses.hand_ns += min(max(0, sight.t_ns - self._now), SECOND)
        self._now = sight.t_ns
        if not sight.aim:
            self._recent.clear()
            self._since = None
            witnesses.blind = True
            return []
        witnesses.hands.seen(sight.t_ns, sight.hand, sight.covers)
        self._sighted(sight)
        if not sight.settled or sight.hand:
            self._since = None
            return []
        return self._settled(sight)

    def _sighted(self, sight: Seen) -> None:
        """Keep what was seen as sightings of the turn, one for each tenth of a second."""
        recent = self._recent
        if recent and (sight.t_ns - recent[0].t_ns >= AGREE_NS or sight.t_ns < recent[0].t_ns):
            if self._base is not None:
                self._witnesses.sighted(recent)
            recent.clear()
        if not recent:
            self._witnesses.begin_sighting()
        recent.append(sight)

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
        case = Case(self._base, self.turn, self._player, self._declared, self._witnesses, sight)
        quiet = not any(case.drops.values()) and not any(case.witnesses.likely_drops().values())
        if agree(self._base, text) and quiet and not sight.hanging:
            return self._unchanged(case)
        if agree(self._base, text) and any(case.drops.values()) and not case.witnesses.hand_ns:
            return self._ghost(case)
        if UNKNOWN in text and waited < UNSURE_NS:
            return []
        gaps = gaps_of(text) - gaps_of(self._base)
        if gaps and waited < (HANG_NS if hangs(text, gaps) else REFILL_NS):
            return []
        if self._former is not None and agree(self._former, text):
            return self._restored(sight)
        found = case.seen_through(case.drops, case.declared)
        if found.verdict == "impossible" and waited < DROPS_NS:
            return []
        return self._decide(case, found)

    def _first(self, sight: Seen) -> list[Outcome]:
        witnesses = self._witnesses
        dropped = {lane: n for lane, n in witnesses.drops.items() if n}
        uncounted = len(witnesses.known_drops()) < len(LANES)
        self.expect(sight.tray)
        text = ""
        if dropped:
            lanes = " and ".join(dropped)
            text = f"Marbles dropped into lane {lanes} before the tray could be seen. What was pulled?"
        elif uncounted and witnesses.blind and witnesses.hand_ns >= PULL_NS:
            text = "A hand was over the tray before it could be seen at rest. Was anything pulled?"
        if text:
            return [Question(sight.t_ns, self._player, text, (), None, sight.tray, dropped or None)]
        return [Settled(sight.t_ns, sight.tray)]

    def _unchanged(self, case: Case) -> list[Outcome]:
        """The tray lies as before. Only plainly seen holes make it a put-back; anything else was only a hand."""
        sight = case.sight
        uncounted = len(case.drops) < len(LANES)
        if uncounted and (case.witnesses.sightings or sight.sides.turned) and UNKNOWN not in sight.tray:
            known = case.known
            if known != self._untouched and case.seen_through(case.drops).untouched:
                self._untouched = known
            if known != self._untouched or doubts.rolled(sight.sides, self.counted):
                text = "Marbles seem to have been pulled, yet the tray lies as before. What was pulled?"
                return [self._ask(case, text, answers_of(case.player, case.seen_through(case.drops)))]
        if not uncounted and UNKNOWN not in sight.tray and (doubt := doubts.shows_another_side(case)):
            return [self._ask(case, *doubt)]
        holes = case.witnesses.holes(case.base)
        outcomes: list[Outcome] = [PutBack(sight.t_ns, case.player, holes)] if holes else []
        self._base = "".join(old if new == UNKNOWN else new for old, new in zip(case.base, sight.tray, strict=True))
        self._fresh()
        return outcomes

    def _ghost(self, case: Case) -> list[Outcome]:
        """Drops without a hand, and the tray lies as before: a beam that saw no marble, or a very quick hand."""
        drops = case.drops
        if case.sight.t_ns - max(case.witnesses.drop_ns.values()) < GHOST_NS:
            return []
        counted = " and ".join(f"{n} in lane {lane}" for lane, n in drops.items() if n)
        text = (
            f"The beams counted {counted}, but the camera saw no hand and the tray lies as before. Was anything pulled?"
        )
        return [self._ask(case, text, answers_of(case.player, case.seen_through(drops)))]

    def _restored(self, sight: Seen) -> list[Outcome]:
        """After an illegal clear or a question the marbles lie as before it."""
        assert self._base is not None
        old, new = cells_of(self._base), cells_of(sight.tray)
        cells = tuple(cell for cell, a, b in zip(CELLS, old, new, strict=True) if a != b)
        self.expect(sight.tray)
        return [PutBack(sight.t_ns, self._player, cells)]

    def _decide(self, case: Case, found: Explanation) -> list[Outcome]:
        if found.untouched and not case.sight.hanging:
            self.expect(case.sight.tray)
            return [Settled(case.sight.t_ns, case.sight.tray)]
        doubt = self._doubt(case, found)
        if doubt is not None:
            return [self._ask(case, *doubt)]
        sight = case.sight
        both = goes.in_two_goes(case, self._last)
        if both is not None and (doubt := goes.one_or_two(case, self._last, both, found)):
            return [self._ask(case, *doubt, before=both.before, drops=both.drops)]
        if self._open is not None and (doubt := goes.asked_before(case, self._open, found)):
            return [self._ask(case, *doubt, before=self._open.before)]
        hand = case.witnesses.hands.whose()
        if hand == case.player:
            self._own_side.add(case.player)
        less_sure = hand == OTHER[case.player] or doubts.time_for_more(case, found)
        seen = both or ClearSeen(sight.t_ns, case.player, found, case.base, sight.tray, case.drops or None, less_sure)
        former = None if seen.legal else self._former or self._base
        self.expect(sight.tray)
        self._former, self._last = former, seen
        return [seen]

    def _doubt(self, case: Case, found: Explanation) -> tuple[str, tuple[Answer, ...]] | None:
        """Why this cannot be told as it is; the first of the reasons that there are."""
        all_counted = len(case.drops) == len(LANES)
        told = found.verdict in ("legal", "illegal")
        answers = answers_of(case.player, found)
        if case.sight.hanging:
            return f"A marble hangs halfway at {' '.join(case.sight.hanging)}: nudge it down. What was pulled?", answers
        if found.verdict == "ambiguous":
            return f"{doubts.doubted_words(case)}Which marbles were pulled?", answers
        if found.verdict == "legal" and (doubt := doubts.miscounted(case, found)):
            return doubt
        if not all_counted and told and (doubt := doubts.unseen_pulls(case, found)):
            return doubt
        if found.verdict == "legal" and (doubt := doubts.left_over(case, found)):
            return doubt
        uncounted = found.verdict == "legal" and case.witnesses.blind and not all_counted
        if uncounted or (case.witnesses.hung and told):
            return "The camera could not see the tray for a while. Was this pulled?", answers
        if doubt := doubts.counted_twice(case, found):
            return doubt
        if doubt := goes.went_on(case, self._last, found) or goes.two_clears(case, found):
            return doubt[0], (*doubt[1], *answers)
        if (
            doubt := doubts.missed_one(case, found)
            or doubts.lies_as_before(case, found)
            or doubts.nearly_legal(case, found)
        ):
            return doubt
        if doubt := goes.other_side(case, found, self._last, case.player in self._own_side):
            return doubt
        return doubts.contradiction(case, found) if found.verdict == "impossible" else None

    def _ask(
        self,
        case: Case,
        text: str,
        answers: tuple[Answer, ...],
        before: str | None = None,
        drops: Mapping[str, int] | None = None,
    ) -> Question:
        """`before`, `drops`: of the answers, where that is more than this turn."""
        sight, counted = case.sight, drops or case.drops or None
        best = tuple(dict.fromkeys(answers))[:3]
        question = Question(sight.t_ns, case.player, text, best, before or case.base, sight.tray, counted)
        former = self._former or self._base
        self.expect(sight.tray)
        self._former, self._asked, self._open = former, self.turn, question
        return question
