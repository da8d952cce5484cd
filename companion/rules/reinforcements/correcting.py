"""What somebody sets by hand. The deck takes the difference, so that there are always 96 cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.rules.reinforcements.cards import UNKNOWN
from companion.rules.reinforcements.commands import Command, Place
from companion.rules.reinforcements.state import MOST_BLUE, REVEALS, STACKS
from companion.rules.reinforcements.story import Refused, Story


def rules(story: Story, command: Command) -> None:
    changed = {name: value for name, value in command.told.items() if value is not None}
    new = replace(story.state.rules, **changed)
    if new.rally == new.foresight:
        raise Refused("bad_value", "Rally and Foresight cannot have the same colour.")
    if new != story.state.rules:
        story.tell("rules_changed", rules=new.to_json())


def correct(story: Story, command: Command) -> None:
    told = {name: value for name, value in command.told.items() if value is not None}
    _fit_together(told)
    before = story.state
    seat = told.get("player")
    for one in (
        seat,
        told.get("stack", "")[:1],
        told.get("turn"),
        told["shield_on"].stack[:1] if "shield_on" in told else None,
    ):
        if one and one not in before.sides:
            raise Refused("bad_value", f"There is no player {one}.", one)
    _not_meanwhile(story, told)
    if "hand" in told:
        _hand(story, str(seat), told["hand"])
    if "stack" in told:
        _stack(story, told["stack"], told["cards"], told.get("revealed"))
    if "new" in told:
        _new(story, str(seat), told["new"], bool(told.get("revealed")))
    if "shield_on" in told:
        _shield(story, told["shield_on"], told["shield"])
    if "discard" in told:
        _discard(story, told["discard"])
    for flag in ("locked", "main", "drawn"):
        if flag in told:
            story.tell("flags", player=seat, **{flag: told[flag]})
    if "totem" in told:
        _totem(story, told["totem"], told["owner"])
    if "turn" in told:
        _turn(story, told["turn"])
    story.check_known()
    if story.state == before:
        story.events.clear()


def _fit_together(told: Mapping[str, Any]) -> None:
    """Which fields need which others."""
    if not set(told) - {"player"}:
        raise Refused("bad_command", "correct needs something that is set.")
    if {"hand", "locked", "main", "drawn", "new"} & set(told) and "player" not in told:
        raise Refused("bad_command", "correct needs the player whose hand, marks or new stack are set.")
    if "stack" in told and "new" in told:
        raise Refused("bad_command", "correct sets one stack at a time: stack, or new.")
    if ("cards" in told) != ("stack" in told) or ("revealed" in told and not {"stack", "new"} & set(told)):
        raise Refused("bad_command", "correct needs stack and cards together.")
    if ("shield_on" in told) != ("shield" in told):
        raise Refused("bad_command", "correct needs shield_on and shield together.")
    if ("owner" in told) != ("totem" in told):
        raise Refused("bad_command", "correct needs totem and owner together.")


def _not_meanwhile(story: Story, told: Mapping[str, Any]) -> None:
    """What is being asked about stays as it is until it is answered; undo takes the question back."""
    state = story.state
    busy = {ask.get("stack") for ask in state.asks} | ({state.fight.target} if state.fight else set())
    stack = told["stack"] if "stack" in told else told["shield_on"].stack if "shield_on" in told else None
    if stack is not None and stack in busy:
        raise Refused("not_now", f"{stack} is being asked about; answer first, or take it back.", stack)
    if "turn" in told and state.asks:
        raise Refused("not_now", "Something is being asked; answer first, or take it back.", told["turn"])


def _from_deck(story: Story, more: int, what: str) -> None:
    if more > story.state.deck:
        raise Refused("bad_value", f"The deck has {story.state.deck} cards: too few for {what}.")


def _hand(story: Story, seat: str, count: int) -> None:
    _from_deck(story, count - story.state.side(seat).hand, f"{count} in the hand of {seat}")
    story.tell("corrected", player=seat, hand=count, stack=None, cards=None, revealed=None)


def _stack(story: Story, name: str, cards: Sequence[str], revealed: bool | None) -> None:
    """All cards of a stack, the bottom one first; none: the stack is not there."""
    stack = story.stack(name)
    revealed = stack.revealed if revealed is None else revealed
    if cards:
        _possible(name, cards, revealed)
    _from_deck(story, len(cards) - len(stack.slots), f"{len(cards)} in {name}")
    story.tell("corrected", player=name[0], hand=None, stack=name, cards=list(cards), revealed=revealed)


def _new(story: Story, seat: str, cards: Sequence[str], revealed: bool) -> None:
    if len(story.state.side(seat).stacks) >= STACKS:
        raise Refused("bad_value", f"{seat} has {STACKS} stacks, the most there may be.", seat)
    _possible(f"{seat}'s new stack", cards, revealed)
    _from_deck(story, len(cards), f"a new stack of {len(cards)}")
    story.tell("added", player=seat, cards=list(cards), revealed=revealed)


def _possible(name: str, cards: Sequence[str], revealed: bool) -> None:
    colours = {card[0] for card in cards}
    if revealed and (UNKNOWN in colours or len(colours) > 1):
        raise Refused("bad_value", f"{name} is revealed: its cards are known and of one colour.", name)
    most = MOST_BLUE if revealed and colours == {"B"} else REVEALS if revealed else REVEALS - 1
    if len(cards) > most:
        raise Refused("bad_value", f"{name} can have {most} cards, not {len(cards)}.", name)


def _shield(story: Story, place: Place, card: str) -> None:
    slot = story.slot(replace(place, shield=False))
    if card and card[1] != "C":
        raise Refused("bad_value", f"{card} is no Mercenary and shields nothing.", str(place))
    if card and slot.shield is None:
        _from_deck(story, 1, "one more card on the field")
    story.tell("shield_set", stack=place.stack, slot=place.slot, card=card or None)


def _discard(story: Story, count: int) -> None:
    state = story.state
    if count < len(state.discard):
        raise Refused("bad_value", f"{len(state.discard)} cards of the discard pile are known; it cannot have {count}.")
    _from_deck(story, count - len(state.discard) - state.buried, f"{count} in the discard pile")
    story.tell("discard_set", count=count)


def _totem(story: Story, totem: str, owner: str) -> None:
    state = story.state
    if state.chaos != (owner in ("deck", "gone")):
        where = "in the deck, or gone" if state.chaos else "with a player, or in the pile"
        raise Refused("bad_value", f"In this mode a totem is {where}.", totem)
    if owner and not state.chaos and owner not in state.sides:
        raise Refused("bad_value", f"There is no player {owner}.", owner)
    if state.totems[totem] != owner:
        story.tell("totem", totem=totem, owner=owner)


def _turn(story: Story, seat: str) -> None:
    state = story.state
    if seat not in state.playing:
        raise Refused("bad_value", f"There is no player {seat} in the match.", seat)
    if seat != state.turn:
        if state.chaos:
            story.tell("token", player=seat)
        else:
            story.tell("turn", player=seat, number=state.turn_number)
