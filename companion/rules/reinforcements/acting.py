"""Main Actions, Kingdom Actions and totems: who may do them now, what they take, and what comes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.rules.reinforcements import fights
from companion.rules.reinforcements.cards import COLOUR_NAMES, TOTEM_NAMES, UNKNOWN, power
from companion.rules.reinforcements.commands import Command, Place, a_place
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


def kingdom(story: Story, seat: str, colour: str, not_by: str | None = None) -> None:
    """A Kingdom Action: one for each revealed stack of the colour and turn."""
    active(story, seat)
    stacks = story.state.side(seat).revealed(colour)
    free = [stack for stack in stacks if not stack.used]
    if not stacks:
        raise Refused("no_kingdom", f"{seat} has no revealed {COLOUR_NAMES[colour]} stack.", seat)
    if not free:
        text = f"{seat} has used the Kingdom Action of each revealed {COLOUR_NAMES[colour]} stack."
        raise Refused("already_done", text, *(stack.id for stack in stacks))
    # the stack that a card is taken from comes last: it may be gone then
    chosen = next((stack for stack in free if stack.id != not_by), free[0])
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


def waste(story: Story, command: Command) -> None:
    """What an action takes when the Hero nullifies it: the action, and its cards (Totems)."""
    seat, place = command.player, command.told.get("from")
    if command.name == "barrage":
        kingdom(story, seat, "R", None if place is None else place.stack)
    else:
        main(story, seat)
    cards = list(command.cards) if command.name == "deploy" else [command.card]
    if len(cards) > 1:
        story.tell("discarded", player=seat, cards=cards)
    else:
        story.use(seat, cards[0], place)
        story.tell("spent", player=seat, cards=cards)
    if command.name == "deploy":
        _cost(story, command, command.pay or ())
    story.tell("totem", totem="hero", owner="")
    story.tell("wasted", player=seat, command=command.name, cards=cards)
    story.check_known()


# -- Deploy ----------------------------------------------------------------------------------------------


def deploy(story: Story, command: Command) -> None:
    seat, cards = command.player, command.cards
    ranks = {card[1:] for card in cards}
    if UNKNOWN in cards or ("?" in ranks):
        raise Refused("bad_value", "deploy needs to know its cards.", seat)
    if ranks == {"1"}:
        _peasants(story, command)
        return
    if len(cards) != 1:
        raise Refused("bad_value", "deploy needs one Specialty Card, or five Peasants.", seat)
    kinds = {"A": _assassin, "M": _mage, "C": _mercenary}
    if cards[0][1] not in kinds:
        raise Refused("bad_value", f"{cards[0]} is no Specialty Card.", seat)
    if command.pay is not None and cards[0][1] != "C":
        raise Refused("bad_value", "Only a Mercenary is paid for.", seat)
    kinds[cards[0][1]](story, command)


def _whole(story: Story, value: Any) -> Stack:
    if not isinstance(value, str):
        raise Refused("bad_value", "deploy: target is a stack such as B2.")
    return story.stack(value)


def _one(value: Any) -> Place:
    try:
        return a_place("deploy: target", value)
    except ValueError:
        raise Refused("bad_value", "deploy: target is a card on the field such as B2.1.") from None


def _pay_with(story: Story, command: Command) -> None:
    """Hand or own revealed stack: is the card there?"""
    place = command.told["from"]
    if place is None:
        story.need_hand(command.player, len(command.cards))
    else:
        check_from(story, command.player, command.cards[0], place)


def _take(story: Story, command: Command) -> None:
    story.use(command.player, command.cards[0], command.told["from"])


def _assassin(story: Story, command: Command) -> None:
    seat, place = command.player, _one(command.target)
    main(story, seat)
    _pay_with(story, command)
    story.slot(place)

    def strike() -> None:
        seen = command.seen[0] if command.seen else None
        # the target first: taking the Assassin from a stack may move what lies above it
        story.destroy(place, seen)
        _after_take(story, command, [place])
        story.tell("spent", player=seat, cards=list(command.cards))
        story.check_known()

    if str(place) == str(command.told["from"]):
        raise Refused("bad_value", "The Assassin cannot be its own target.", str(place))
    guarded(story, command, [place.stack[0]], strike, command.cards)


def _after_take(story: Story, command: Command, gone: Sequence[Place]) -> None:
    """Take the deployed card, whose place may have moved down by what was destroyed below it in its own stack."""
    place = command.told["from"]
    if place is not None:
        below = sum(one.stack == place.stack and one.slot < place.slot and not one.shield for one in gone)
        place = Place(place.stack, place.slot - below)
    story.use(command.player, command.cards[0], place)


def _mage(story: Story, command: Command) -> None:
    """The top two cards of one stack, a shield among them."""
    seat, stack = command.player, _whole(story, command.target)
    main(story, seat)
    _pay_with(story, command)
    tops = _tops(stack, 2)
    if len(tops) < 2 and not story.state.rules.mage_on_one:
        raise Refused("bad_value", f"{stack.id} has one card, and a Mage destroys two.", stack.id)
    if command.told["from"] in tops:
        raise Refused("bad_value", "The Mage cannot be among its own targets.", stack.id)

    def strike() -> None:
        _wipe(story, tops, command.seen)
        _after_take(story, command, tops)
        story.tell("spent", player=seat, cards=list(command.cards))
        story.check_known()

    guarded(story, command, [stack.id[0]], strike, command.cards)


def _tops(stack: Stack, count: int) -> list[Place]:
    """From the top down."""
    found = []
    for at in range(len(stack.slots), 0, -1):
        if stack.slots[at - 1].shield is not None:
            found.append(Place(stack.id, at, True))
        found.append(Place(stack.id, at))
    return found[:count]


def _wipe(story: Story, places: Sequence[Place], seen: Sequence[str] | None) -> None:
    """Cards from the top down; `seen`: what the face-down ones are, as far as somebody says."""
    told = list(seen or ())
    for place in places:
        hidden = not place.shield and story.slot(place).card == UNKNOWN
        story.destroy(place, told.pop(0) if hidden and told else None)


def _peasants(story: Story, command: Command) -> None:
    """Five of any colour, from the hand."""
    seat, stack = command.player, _whole(story, command.target)
    if len(command.cards) != 5 or command.told["from"] is not None:
        raise Refused("bad_value", "A Peasant Mob is five Peasants from the hand.", seat)
    main(story, seat)
    story.need_hand(seat, 5)

    def strike() -> None:
        story.tell("discarded", player=seat, cards=list(command.cards))
        _wipe(story, _tops(stack, 2 * len(stack.slots)), command.seen)
        story.check_known()

    guarded(story, command, [stack.id[0]], strike, command.cards)


def _mercenary(story: Story, command: Command) -> None:
    """Free with a revealed stack of its colour, else for a card of equal power or higher (Mercenaries)."""
    seat, card, pay = command.player, command.cards[0], command.pay or ()
    main(story, seat)
    if pay:
        if len(pay) > 1 or UNKNOWN in pay or power(pay[0]) < power(card):
            raise Refused("cannot_pay", f"A Mercenary costs one card of power {power(card)} or more.", seat)
        story.need_hand(seat, 1 + (command.told["from"] is None))
    elif not story.state.side(seat).revealed(card[0]):
        text = f"{seat} has no revealed {COLOUR_NAMES[card[0]]} stack: {card} must be paid for."
        raise Refused("cannot_pay", text, seat)
    _pay_with(story, command)
    rules = story.state.rules
    if card[0] == rules.rally:
        _rally(story, command, pay)
    elif card[0] == rules.shield:
        _shield(story, command, pay)
    else:
        _foresight(story, command, pay)


def _cost(story: Story, command: Command, pay: Sequence[str]) -> None:
    if pay:
        story.tell("discarded", player=command.player, cards=list(pay))


def _rally(story: Story, command: Command, pay: Sequence[str]) -> None:
    stack = foreign(story, command.player, _whole(story, command.target).id)

    def blow() -> None:
        _cost(story, command, pay)
        _take(story, command)
        seat, card = command.player, command.cards[0]
        fights.open_one(story, seat, stack.id, [card], power(card))
        seen = list(command.seen or ())
        if story.available(1) == 0:
            fights.go_on(story, seen, first=True)
            return
        story.ask("rallied", seat, seen=seen)
        if command.drawn is not None:
            rallied(story, command.drawn)

    guarded(story, command, [stack.id[0]], blow, [*command.cards, *pay])


def rallied(story: Story, card: str) -> None:
    """What was drawn for a Rally."""
    ask = story.state.asks[0]
    story.tell("answered", at=0)
    story.available(1)
    story.tell("rally_card", card=card, power=power(card))
    story.check_known()
    fights.go_on(story, list(ask["seen"]), first=True)


def _shield(story: Story, command: Command, pay: Sequence[str]) -> None:
    seat, place = command.player, _one(command.target)
    slot = story.slot(place)
    if place.stack[0] != seat or place.shield or slot.shield is not None:
        raise Refused(
            "bad_value", f"A Shield is laid on a card of one's own that has none, not on {place}.", str(place)
        )
    source = command.told["from"]
    if source is not None and source.stack == place.stack and source.slot <= place.slot:
        if source.slot == place.slot:
            raise Refused("bad_value", "The Mercenary cannot shield itself.", str(place))
        place = Place(place.stack, place.slot - 1)
    _cost(story, command, pay)
    _take(story, command)
    story.tell("shielded", player=seat, stack=place.stack, slot=place.slot, card=command.cards[0])
    story.check_known()


def _foresight(story: Story, command: Command, pay: Sequence[str]) -> None:
    """Draw three, put any two of the hand on top of the deck."""
    seat = command.player
    if command.target is not None:
        raise Refused("bad_value", "Foresight has no target.", seat)
    _cost(story, command, pay)
    _take(story, command)
    story.tell("spent", player=seat, cards=list(command.cards))
    story.draw(seat, 3)
    back = min(2, story.state.side(seat).hand)
    story.tell("returned", player=seat, count=back)
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
    story.check_known()


def _trickery(story: Story, command: Command) -> None:
    seat = command.player
    if command.mine is None or command.theirs is None:
        raise Refused("bad_value", "The Chameleon needs mine and theirs, two stacks.")
    mine, theirs = story.stack(command.mine), foreign(story, seat, command.theirs)
    if mine.id[0] != seat:
        raise Refused("bad_value", f"{mine.id} is not {seat}'s stack.", mine.id)
    story.tell("traded", mine=mine.id, theirs=theirs.id)
