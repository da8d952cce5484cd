"""Paying for breaks, and who has lost when somebody cannot (rulebook: Breaking Button Health Dials; F.A.Q.)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from companion.rules.rematch.ledger import restored
from companion.rules.rematch.state import opponent
from companion.rules.rematch.story import Story, dials_json
from companion.rules.rematch.tray import PLAYERS


def pay_breaks(story: Story, due: Mapping[str, Sequence[tuple[str, int]]]) -> list[str]:
    """Pay for breaks, (button, credits) of each player, all at once. The players who cannot: they pay nothing."""
    failed = []
    for player, breaks in due.items():
        side = story.state.side(player)
        price = sum(credits for _, credits in breaks)
        if price > side.credits:
            failed.append(player)
            story.tell("could_not_pay", player=player, credits=price, **{"for": "breaks"})
            continue
        dials = restored(side, price, [button for button, _ in breaks], story.state.rules)
        left = side.credits - price
        story.tell("paid", player=player, credits=price, left=left, buttons=dials_json(dials), **{"for": "breaks"})
    return failed


def judge_loss(story: Story, failed: Collection[str], source: str) -> None:
    """Whether the match is over because somebody could not pay just now (DESIGN §7, last paragraph)."""
    if not failed:
        return
    state = story.state
    attacker, defender = state.turn, opponent(state.turn)
    if state.phase != "resolve":
        winner = source if len(failed) > 1 else opponent(next(iter(failed)))
    elif defender in failed:
        winner = attacker
    elif state.rules.both_lose == "first_loses":
        winner = defender
    else:
        return
    _lose(story, winner)


def settle_attack(story: Story) -> None:
    """The end of an attack: pay what is still due, then judge an attacker who could not pay."""
    owed = {player: story.state.side(player).owed for player in PLAYERS}
    pay_breaks(story, {player: breaks for player, breaks in owed.items() if breaks})
    attacker, defender = story.state.turn, opponent(story.state.turn)
    if story.state.side(defender).cannot_pay:
        _lose(story, attacker)
    elif story.state.side(attacker).cannot_pay:
        _lose(story, defender)


def _lose(story: Story, winner: str) -> None:
    both = story.state.side(winner).cannot_pay
    story.tell("match_over", winner=winner, reason="both_cannot_pay" if both else "cannot_pay")
