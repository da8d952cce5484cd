"""Whose clear was it, and was it one? A clear in two goes of a hand, or two clears that settled as one."""

from __future__ import annotations

from companion.rules.rematch.case import Case, Doubt
from companion.rules.rematch.evidence import Explanation
from companion.rules.rematch.outcomes import OTHER, Answer, ClearSeen, Question, answers_of, pair_answer
from companion.rules.rematch.tray import LANES, Tray
from companion.rules.rematch.twice import pairs

WENT_ON_NS = 6_000_000_000
"""How soon after a clear an illegal next one may be the same player's, who only put marbles aside."""
PAUSE_NS = 2_000_000_000
"""A hand that comes back so long after a clear that was none may begin another."""


def went_on(case: Case, last: ClearSeen | None, found: Explanation) -> Doubt | None:
    """Perhaps the last player only put marbles aside and then pulled more of the same clear."""
    sight = case.sight
    if last is None or not last.legal or _away_ns(case, last) > WENT_ON_NS or last.player == case.player:
        return None
    whose = case.witnesses.hands.whose()
    if whose == case.player or (found.verdict == "legal" and whose != last.player):
        return None
    now = case.drops
    drops = {lane: n + now[lane] for lane, n in (last.drops or {}).items() if lane in now}
    both = case.explain(last.before, sight.tray, last.player, drops)
    if both.verdict != "legal":
        return None
    answer = Answer(((last.player, both.cells, both.attack),))
    return f"Did {last.player} go on pulling after {' '.join(last.explanation.cells)}?", (answer,)


def in_two_goes(case: Case, last: ClearSeen | None) -> ClearSeen | None:
    """After a clear that was none the same player has pulled more: both together, where all was counted."""
    sight, now = case.sight, case.drops
    if last is None or last.legal or last.player != case.player or case.witnesses.hands.whose() == OTHER[case.player]:
        return None
    if _away_ns(case, last) > WENT_ON_NS or len(now) < len(LANES) or len(last.drops or ()) < len(LANES):
        return None
    drops = {lane: n + now[lane] for lane, n in (last.drops or {}).items()}
    both = case.explain(last.before, sight.tray, last.player, drops, case.declared)
    if both.verdict not in ("legal", "illegal"):
        return None
    return ClearSeen(sight.t_ns, last.player, both, last.before, sight.tray, drops)


def one_or_two(case: Case, last: ClearSeen | None, both: ClearSeen, found: Explanation) -> Doubt | None:
    """After a pause what was pulled may be a clear of its own, if it is one: the marbles before were just not put back.

    The answers are from the tray before both.
    """
    if last is None or found.verdict != "legal" or _away_ns(case, last) < PAUSE_NS:
        return None
    first, player = last.explanation.cells, case.player
    together = Answer(((player, both.explanation.cells, both.explanation.attack),))
    apart = Answer(((player, first, None), (player, found.cells, found.attack)))
    return f"Was this one clear together with {' '.join(first)}, or a new one?", (together, apart)


def other_side(case: Case, found: Explanation, last: ClearSeen | None, own_side: bool) -> Doubt | None:
    """The hand was plainly the opponent's, for whom it would be a clear, and it is none of the player's.

    Or it is, and the opponent has just cleared, or the player's own hand has been seen before: at tables where both sit
    on one side it never is.
    """
    player, other, legal = case.player, OTHER[case.player], found.verdict == "legal"
    if found.verdict not in ("legal", "illegal") or case.witnesses.hands.whose() != other:
        return None
    if legal and not own_side and (last is None or last.player != other or _away_ns(case, last) > WENT_ON_NS):
        return None
    theirs = case.explain(case.base, case.sight.tray, other, case.drops, None, case.witnesses.sightings)
    if theirs.verdict not in ("legal", "ambiguous"):
        return None
    text = f"It is {player}'s turn, but the hand came from {other}'s side. Whose clear was it?"
    mine, yours = answers_of(player, found)[:1], answers_of(other, theirs)[:1]
    return text, (*mine, *yours) if legal else (*yours, *mine)


def asked_before(case: Case, asked: Question | None, found: Explanation) -> Doubt | None:
    """The same player pulled more while a question about the first marbles is open.

    The answers are from the tray before both.
    """
    if asked is None or asked.before is None or asked.player != case.player or _away_ns(case, asked) > WENT_ON_NS:
        return None
    now = case.drops
    if len(now) < len(LANES) or len(asked.drops or ()) < len(LANES):
        return None
    drops = {lane: n + now[lane] for lane, n in (asked.drops or {}).items()}
    both = case.explain(asked.before, case.sight.tray, case.player, drops, case.declared)
    if both.verdict not in ("legal", "ambiguous"):
        return None
    first = asked.answers[0].clears[0][1] if asked.answers and asked.answers[0].clears else ()
    apart = (Answer(((case.player, first, None), (case.player, found.cells, found.attack))),) if first else ()
    return "Was all this one clear, together with what was asked about?", (*answers_of(case.player, both)[:2], *apart)


def _away_ns(case: Case, last: ClearSeen | Question) -> int:
    """From what was told last until a hand came again."""
    start = case.witnesses.hands.since_ns
    return (case.sight.t_ns if start is None else start) - last.t_ns


def two_clears(case: Case, found: Explanation) -> Doubt | None:
    """Perhaps both players cleared, one right after the other, and the tray did not settle in between."""
    player, turn, drops = case.player, case.turn, case.drops
    other = OTHER[player]
    sure = found.verdict == "legal"
    if sure and len(drops) < len(LANES):
        return None
    before, after = Tray.parse(case.base), Tray.parse(case.sight.tray)
    for split in case.witnesses.hands.splits(player):
        if sure and not split.clear:
            continue
        between = case.witnesses.between(split, drops)
        two = pairs(before, after, player, between, drops, turn.broken, case.declared, turn.limits)
        if two:
            answers = tuple(pair_answer(player, other, pair) for pair in two[:2])
            return "Were these two clears, one right after the other?", answers[: 1 if sure else 2]
    return None
