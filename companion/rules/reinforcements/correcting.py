"""What somebody sets by hand. The deck takes the difference, so that there are always 96 cards."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.reinforcements.cards import UNKNOWN
from companion.rules.reinforcements.commands import Command
from companion.rules.reinforcements.state import REVEALS
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
    seat = told.get("player") or (told["stack"][:1] if "stack" in told else None)
    if not set(told) - {"player"}:
        raise Refused("bad_command", "correct needs something that is set.")
    if seat is not None and seat not in story.state.sides:
        raise Refused("bad_value", f"There is no player {seat}.", seat)
    if {"hand", "locked", "main", "drawn"} & set(told) and "player" not in told:
        raise Refused("bad_command", "correct needs the player whose hand or marks are set.")
    if ("cards" in told) != ("stack" in told) or ("revealed" in told and "stack" not in told):
        raise Refused("bad_command", "correct needs stack and cards together.")
    if ("owner" in told) != ("totem" in told):
        raise Refused("bad_command", "correct needs totem and owner together.")
    before = story.state
    if "hand" in told:
        _hand(story, str(seat), told["hand"])
    if "stack" in told:
        _stack(story, command, told["stack"])
    for flag in ("locked", "main", "drawn"):
        if flag in told:
            story.tell("flags", player=seat, **{flag: told[flag]})
    if "totem" in told:
        if told["owner"] and told["owner"] not in story.state.sides:
            raise Refused("bad_value", f"There is no player {told['owner']}.", told["owner"])
        story.tell("totem", totem=told["totem"], owner=told["owner"])
    if "turn" in told:
        if told["turn"] not in story.state.playing:
            raise Refused("bad_value", f"There is no player {told['turn']} in the match.", told["turn"])
        story.tell("turn", player=told["turn"], number=story.state.turn_number)
    story.check_known()
    if story.state == before:
        story.events.clear()


def _hand(story: Story, seat: str, count: int) -> None:
    more = count - story.state.side(seat).hand
    if more > story.state.deck:
        raise Refused("bad_value", f"The deck has {story.state.deck} cards; {seat} cannot have {count} in hand.", seat)
    story.tell("corrected", player=seat, hand=count, stack=None, cards=None, revealed=None)


def _stack(story: Story, command: Command, name: str) -> None:
    """All cards of a stack, the bottom one first."""
    stack, cards = story.stack(name), list(command.cards)
    revealed = stack.revealed if command.revealed is None else bool(command.revealed)
    if not cards:
        raise Refused("bad_value", f"{name} needs at least one card; a stack that is gone was destroyed.", name)
    colours = {card[0] for card in cards}
    if revealed and (UNKNOWN in colours or len(colours) > 1):
        raise Refused("bad_value", f"{name} is revealed: its cards are known and of one colour.", name)
    most = 4 if revealed and colours == {"B"} else REVEALS if revealed else REVEALS - 1
    if len(cards) > most:
        raise Refused("bad_value", f"{name} can have {most} cards, not {len(cards)}.", name)
    if len(cards) - len(stack.slots) > story.state.deck:
        raise Refused("bad_value", f"The deck has {story.state.deck} cards; {name} cannot have {len(cards)}.", name)
    story.tell("corrected", player=name[0], hand=None, stack=name, cards=cards, revealed=revealed)
