"""The Main Action Deploy: Assassin, Mage, Peasant Mob and Mercenaries (Deploy); and what the Hero lets go to waste."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.rules.reinforcements import fights
from companion.rules.reinforcements.acting import check_from, foreign, guarded, kingdom, main
from companion.rules.reinforcements.cards import COLOUR_NAMES, UNKNOWN, power
from companion.rules.reinforcements.commands import Command, Place, a_place
from companion.rules.reinforcements.state import Stack
from companion.rules.reinforcements.story import Refused, Story


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
    if command.drawn is not None and cards[0] != story.state.rules.rally + "C":
        raise Refused("bad_value", "Only for a Rally is a card drawn.", seat)
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
        fights.none_left((command.seen or ())[1:])
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
    fights.none_left(told)


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
    if card[0] != rules.rally:
        fights.none_left(command.seen or ())
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
            fights.none_left(rallied(story, command.drawn))

    guarded(story, command, [stack.id[0]], blow, [*command.cards, *pay])


def rallied(story: Story, card: str) -> list[str]:
    """What was drawn for a Rally; gives what was said beforehand of cards that were not flipped then."""
    ask = story.state.asks[0]
    story.tell("answered", at=0)
    story.available(1)
    story.tell("rally_card", card=card, power=power(card))
    story.check_known()
    seen = list(ask["seen"])
    fights.go_on(story, seen, first=True)
    return seen


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
