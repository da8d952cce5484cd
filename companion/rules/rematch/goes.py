"""Whose clear was it, and was it one? A clear in two goes of a hand, or two clears that settled as one."""

from __future__ import annotations

from companion.rules.rematch.case import Case, Doubt
from companion.rules.rematch.evidence import Explanation
from companion.rules.rematch.outcomes import OTHER, Answer, ClearSeen, pair_answer
from companion.rules.rematch.tray import LANES, Tray
from companion.rules.rematch.twice import pairs

WENT_ON_NS = 6_000_000_000
"""How soon after a clear an illegal next one may be the same player's, who only put marbles aside."""


def went_on(case: Case, last: ClearSeen | None, found: Explanation) -> Doubt | None:
    """Perhaps the last player only put marbles aside and then pulled more of the same clear."""
    sight = case.sight
    if last is None or not last.legal or sight.t_ns - last.t_ns > WENT_ON_NS or last.player == case.player:
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
    if sight.t_ns - last.t_ns > WENT_ON_NS or len(now) < len(LANES) or len(last.drops or ()) < len(LANES):
        return None
    drops = {lane: n + now[lane] for lane, n in (last.drops or {}).items()}
    both = case.explain(last.before, sight.tray, last.player, drops, case.declared)
    if both.verdict not in ("legal", "illegal"):
        return None
    return ClearSeen(sight.t_ns, last.player, both, last.before, sight.tray, drops)


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
