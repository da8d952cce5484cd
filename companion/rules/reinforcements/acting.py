"""Main and Kingdom Actions and totems: who may do them now, what they take, what comes of them. Deploy: deploying."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.rules.reinforcements import fights
from companion.rules.reinforcements.cards import COLOUR_NAMES, TOTEM_NAMES, UNKNOWN, power
from companion.rules.reinforcements.commands import Command, Place
from companion.rules.reinforcements.state import Stack
from companion.rules.reinforcements.story import Refused, Story

Effect = Callable[[], None]


def active(story: Story, seat: str) -> None:
    """Raises Refused unless this player may act now."""
    state = story.state
    if seat not in state.sides:
        raise Refused("bad_value", f"There is no player {seat}; there are {', '.join(state.sides)}.", seat)
    side = state.side(seat)
    if side.out:
        raise Refused("not_your_turn", f"{seat} is out.", seat)
    if not state.chaos and seat != state.turn:
        raise Refused("not_your_turn", f"It is {state.turn}'s turn, not {seat}'s.", seat)
    waiting = [one for one in state.playing if not state.side(one).drawn] if state.chaos else []
    if waiting:
        raise Refused(
            "must_draw", f"In Chaos Mode all draw before anybody acts; {', '.join(waiting)} must draw.", *waiting
        )
    if not side.drawn:
        raise Refused("must_draw", f"{seat} draws first.", seat)


def main(story: Story, seat: str) -> None:
    """The one Main Action of a turn."""
    active(story, seat)
    if story.state.side(seat).main:
        raise Refused("already_done", f"{seat} has done the Main Action of this turn.", seat)
    story.tell("flags", player=seat, main=True)


def kingdom(story: Story, seat: str, colour: str, by: str | None = None) -> None:
    """A Kingdom Action: one for each revealed stack of the colour and turn."""
    active(story, seat)
    stacks = story.state.side(seat).revealed(colour)
    free = [stack for stack in stacks if not stack.used]
    if not stacks:
        raise Refused("no_kingdom", f"{seat} has no revealed {COLOUR_NAMES[colour]} stack.", seat)
    if not free:
        text = f"{seat} has used the Kingdom Action of each revealed {COLOUR_NAMES[colour]} stack."
        raise Refused("already_done", text, *(stack.id for stack in stacks))
    # the stack that a card is taken from acts first: it may be gone then, and its action with it
    chosen = next((stack for stack in free if stack.id == by), free[0])
    story.tell("kingdom", stack=chosen.id)


def foreign(story: Story, seat: str, name: str) -> Stack:
    """A stack that may be attacked."""
    stack = story.stack(name)
    if stack.id[0] == seat:
        raise Refused("bad_value", f"{name} is {seat}'s own stack; one attacks an opponent's.", name)
    return stack


def guarded(story: Story, command: Command, owners: Sequence[str], effect: Effect, cards: Sequence[str]) -> None:
    """The effect, unless the Hero of the People may step in: then its owner is asked first (Totems)."""
    hero = story.state.totems["hero"]
    if hero in owners and hero != command.player and not story.unguarded:
        told = {key: _plain(value) for key, value in command.told.items() if value is not None}
        story.rewind()  # nothing is done before its owner has spoken
        story.ask("hero", hero, command={"do": command.name, **told}, cards=list(cards))
        return
    effect()


def _plain(value: Any) -> Any:
    if isinstance(value, Place):
        return str(value)
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def attack(story: Story, command: Command) -> None:
    seat, card = command.player, command.card
    main(story, seat)
    stack = foreign(story, seat, command.target)
    story.need_hand(seat, 1)

    def blow() -> None:
        story.use(seat, card, None)
        fights.begin(story, seat, stack.id, [card], command.seen or (), power(card))

    guarded(story, command, [stack.id[0]], blow, [card])


def barrage(story: Story, command: Command) -> None:
    """Kingdom of Red."""
    seat, card, place = command.player, command.card, command.told["from"]
    kingdom(story, seat, "R", None if place is None else place.stack)
    if card[0] != "R":
        raise Refused("wrong_colour", f"A Barrage needs a red card, not {card}.", seat)
    stack = foreign(story, seat, command.target)
    if place is None:
        story.need_hand(seat, 1)
    else:
        check_from(story, seat, card, place)

    def blow() -> None:
        story.use(seat, card, place)
        fights.begin(story, seat, stack.id, [card], command.seen or (), power(card))

    guarded(story, command, [stack.id[0]], blow, [card])


def check_from(story: Story, seat: str, card: str, place: Place) -> None:
    """As `use` would refuse it, before anybody is asked anything."""
    trial = Story(story.state)
    trial.use(seat, card, place)


def defend(story: Story, command: Command) -> None:
    """Defend, or one of the Guardian Elk's."""
    seat = command.player
    if story.state.defends and seat == story.state.turn:
        active(story, seat)
        story.tell("defends", left=story.state.defends - 1)
    else:
        main(story, seat)
    lay(story, seat, command.stack, command.card, command.reveal)


def fortify(story: Story, command: Command) -> None:
    """Kingdom of Blue."""
    seat, stack = command.player, story.stack(command.stack)
    if not (stack.id[0] == seat and stack.revealed and stack.colour == "B"):
        raise Refused("not_revealed", f"{stack.id} is no revealed blue stack of {seat}.", stack.id)
    kingdom(story, seat, "B")
    lay(story, seat, command.stack, command.card, None)


def lay(story: Story, seat: str, name: str, card: str | None, reveal: Sequence[str] | None) -> None:
    stack = story.stack(name)
    if stack.id[0] != seat:
        raise Refused("bad_value", f"{name} is not {seat}'s stack.", name)
    story.need_hand(seat, 1)
    if len(stack.slots) >= stack.most:
        raise Refused("stack_full", f"{name} has {len(stack.slots)} cards, the most there may be.", name)
    if stack.revealed:
        if card is None:
            raise Refused("bad_value", f"{name} is revealed; say which card is laid on it.", name)
        if card[0] != stack.colour:
            raise Refused(
                "wrong_colour", f"{name} is {COLOUR_NAMES[stack.colour or 'R']}; {card} does not match.", name
            )
        story.tell("placed", player=seat, card=card, stack=name)
        story.check_known()
        return
    if card is not None:
        raise Refused("bad_value", f"{name} is hidden: the card is laid face down, and nobody is told which.", name)
    story.tell("placed", player=seat, card=UNKNOWN, stack=name)
    stack = story.stack(name)
    if len(stack.slots) < stack.most:
        if reveal is not None:
            raise Refused("bad_value", f"{name} has {len(stack.slots)} cards and stays hidden.", name)
    elif reveal is None:
        story.ask("reveal", seat, stack=name)
    else:
        story.reveal(stack, reveal)


def adapt(story: Story, command: Command) -> None:
    """Kingdom of Green."""
    seat, swap, card, place = command.player, command.swap, command.card, command.told["with"]
    kingdom(story, seat, "G")
    if (swap is None) == (card is None) or (card is None) != (place is None):
        raise Refused("bad_value", "adapt needs a card with a place on the field, or two places to swap.")
    for one in swap or (place,):
        stack, slot = story.stack(one.stack), story.slot(one)
        anybody = swap is not None and story.state.rules.adapt == "any"
        if one.shield or not stack.revealed or stack.colour != "G" or (stack.id[0] != seat and not anybody):
            whose = "a" if anybody else f"{seat}'s"
            raise Refused("not_revealed", f"{one} is no card of {whose} revealed green stack.", str(one))
        assert slot.card != UNKNOWN
    if card is not None:
        if card[0] != "G":
            raise Refused("wrong_colour", f"Adapt needs a green card, not {card}.", seat)
        story.need_hand(seat, 1)
        story.tell("swapped", player=seat, hand=card, stack=place.stack, slot=place.slot, places=None)
        story.check_known()
        return
    places = [{"stack": one.stack, "slot": one.slot} for one in swap]
    story.tell("swapped", player=seat, hand=None, stack=None, slot=None, places=places)


def discard(story: Story, command: Command) -> None:
    seat, cards, count = command.player, command.cards, command.count
    if cards is not None and count is not None and len(cards) != count:
        raise Refused("bad_value", f"{len(cards)} cards are named, but {count} are counted.", seat)
    gone = list(cards) if cards is not None else [UNKNOWN] * (count or 0)
    main(story, seat)
    story.need_hand(seat, len(gone))
    story.tell("discarded", player=seat, cards=gone)
    story.check_known()


# -- Totems -------------------------------------------------------------------------------------------


def totem(story: Story, command: Command) -> None:
    """Free, on one's own turn; it returns to the pile."""
    seat, which = command.player, command.totem
    active(story, seat)
    if story.state.totems[which] != seat:
        raise Refused("no_totem", f"{seat} does not hold {TOTEM_NAMES[which]}.", seat)
    if which == "hero":
        raise Refused("not_now", "The Hero of the People answers an attack; its owner is asked then.", seat)
    before = story.state
    story.tell("totem", totem=which, owner="")
    if which == "wurm":
        _rampage(story, command)
    elif which == "elk":
        story.draw(seat, 3)
        story.tell("defends", left=3)
    else:
        _trickery(story, command)
    story.settle(before, by_attack=False)


def _rampage(story: Story, command: Command) -> None:
    """Any three cards on the field; fewer only when there are fewer."""
    there = sum(1 + (slot.shield is not None) for s in story.state.sides.values() for k in s.stacks for slot in k.slots)
    targets = command.targets or ()
    if len(targets) != min(3, there):
        raise Refused("bad_value", f"The Wurm removes {min(3, there)} cards; {len(targets)} are named.")
    for place in targets:
        slot = story.slot(place)
        shield = Place(place.stack, place.slot, True)
        if not place.shield and slot.shield is not None and shield not in targets:
            raise Refused("shielded", f"The Mercenary on {place} must be destroyed first.", str(place))
    told = list(command.seen or ())
    hidden = {
        place: told.pop(0) for place in targets if told and story.slot(place).card == UNKNOWN and not place.shield
    }
    # from the top down, a shield before its card, so that no place moves before it is used
    for place in sorted(targets, key=lambda one: (one.stack, -one.slot, not one.shield)):
        story.destroy(place, hidden.get(place))
    fights.none_left(told)
    story.check_known()


def _trickery(story: Story, command: Command) -> None:
    seat = command.player
    if command.mine is None or command.theirs is None:
        raise Refused("bad_value", "The Chameleon needs mine and theirs, two stacks.")
    mine, theirs = story.stack(command.mine), foreign(story, seat, command.theirs)
    if mine.id[0] != seat:
        raise Refused("bad_value", f"{mine.id} is not {seat}'s stack.", mine.id)
    story.tell("traded", mine=mine.id, theirs=theirs.id)
