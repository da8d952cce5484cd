"""Blows: an attack, a Barrage or a Rally against the top of a stack (Attack, What If They Tie?, Bleed Damage).

A blow goes from card to card as long as power is left. It stops to ask what a face-down card is, and to draw for
REINFORCEMENTS; `go_on` is called again with the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from companion.rules.reinforcements.cards import UNKNOWN, power
from companion.rules.reinforcements.commands import Command, Place
from companion.rules.reinforcements.state import Fight
from companion.rules.reinforcements.story import Refused, Story


def begin(story: Story, seat: str, target: str, cards: Sequence[str], seen: Sequence[str], might: int) -> None:
    """The cards have left hand or stack. `might`: their power together; the first one is what attacks."""
    open_one(story, seat, target, cards, might)
    left = list(seen)
    go_on(story, left, first=True)
    none_left(left)


def none_left(seen: Sequence[str]) -> None:
    """What stays hidden is nobody's business, and a card too many is a slip of the finger."""
    if seen:
        raise Refused("bad_value", f"seen names {', '.join(seen)}, but no more hidden cards are flipped.")


def open_one(story: Story, seat: str, target: str, cards: Sequence[str], might: int) -> None:
    red = cards[0][0] == "R" and bool(story.state.side(seat).revealed("R"))
    story.tell("fight", fight=asdict(Fight(seat, target, tuple(cards), might, red)))
    story.check_known()


def go_on(story: Story, seen: list[str], first: bool = False) -> None:
    """Until the blow is over or something must be answered; what was flipped is taken out of `seen`."""
    while (fight := story.state.fight) is not None:
        stack = story.state.stack(fight.target)
        if stack is None:
            _end(story, "destroyed")
            return
        at = len(stack.slots)
        slot = stack.slots[-1]
        place = Place(stack.id, at, slot.shield is not None)
        card = slot.shield if slot.shield is not None else slot.card
        if card == UNKNOWN:
            if not seen:
                story.ask("flip", stack.id[0], stack=stack.id, slot=at, first=first)
                return
            card = seen.pop(0)
            story.tell("flipped", stack=stack.id, slot=at, card=card)
            story.check_known()
        strength = power(card)
        if fight.power > strength:
            _strike(story, place, card, fight.power - strength)
            first = False
        elif fight.power < strength:
            _hide(story, stack.id, at, first)
            _end(story, "held")
        elif fight.red and (first or story.state.rules.bleed_tie_red):
            _strike(story, place, card, 0)
            _end(story, "destroyed_by_tie")
        else:
            story.ask(
                "reinforcements", fight.player, against=stack.id[0], stack=stack.id, slot=at, card=card, first=first
            )
            return


def _strike(story: Story, place: Place, card: str, left: int) -> None:
    fight = story.state.fight
    assert fight is not None
    story.tell("destroyed", stack=place.stack, slot=place.slot, shield=place.shield, card=card)
    story.tell("fight", fight=asdict(fight) | {"power": left, "cards": list(fight.cards)})


def _hide(story: Story, name: str, at: int, first: bool) -> None:
    """A card of a hidden stack that was flipped and stays."""
    stack = story.state.stack(name)
    assert stack is not None
    hides = first or story.state.rules.bleed_hides_again
    if not stack.revealed and stack.slots[at - 1].card != UNKNOWN and hides:
        story.tell("flipped", stack=name, slot=at, card=UNKNOWN)


def _end(story: Story, outcome: str) -> None:
    fight = story.state.fight
    assert fight is not None
    story.tell("blow", player=fight.player, target=fight.target, cards=list(fight.cards), outcome=outcome)
    story.tell("fight", fight=None)


def settled(story: Story, command: Command) -> None:
    """Both drew for a tie; the attacker's red passive does not count here (Kingdom of Red).

    With no two cards left to draw the players say who wins: the rulebook does not.
    """
    attacker, defender, winner = command.attacker, command.defender, command.winner
    there = story.available(2)
    if (attacker is None or defender is None) and winner is None:
        raise Refused("bad_command", "reinforcements needs both cards, the defender's and the attacker's.")
    if there < 2 and winner is None:
        text = "There are no two cards left to draw for REINFORCEMENTS; settle it and say who wins (winner)."
        raise Refused("no_cards", text)
    if winner is not None and (there >= 2 or attacker is not None or defender is not None):
        raise Refused(
            "bad_value", "There are cards to draw for REINFORCEMENTS: say both; winner is for when there are none."
        )
    ask, fight = story.state.asks[0], story.state.fight
    assert fight is not None
    story.tell("answered", at=0)
    stack = story.state.stack(ask["stack"])
    assert stack is not None
    slot = stack.slots[ask["slot"] - 1]
    place = Place(stack.id, ask["slot"], slot.shield is not None)
    if winner is None:
        drawn = {"attacker": attacker, "defender": defender}
        story.tell("tie_cards", cards=[defender, attacker], **drawn, round=fight.round)
        story.check_known()
        if power(attacker) != power(defender):
            winner = max(drawn, key=lambda who: power(drawn[who]))
    if winner == "attacker":
        _strike(story, place, ask["card"], 0)
        _end(story, "destroyed_by_tie")
    elif winner == "defender":
        _hide(story, stack.id, ask["slot"], ask["first"])
        _end(story, "held_by_tie")
    else:
        story.tell("fight", fight=asdict(fight) | {"round": fight.round + 1, "cards": list(fight.cards)})
        told = {key: value for key, value in ask.items() if key not in ("kind", "player")}
        story.ask("reinforcements", ask["player"], **told)
