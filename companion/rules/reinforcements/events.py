"""What each event does to the state. Nothing is decided here: an event says what happened to which cards.

Every card is in one place: a hand or the deck (counted), a slot or a shield, the discard pile (known, or buried), or
in the blow that is being dealt. No event makes or loses one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from companion.rules.core import Event
from companion.rules.reinforcements.cards import UNKNOWN
from companion.rules.reinforcements.state import Fight, Side, Slot, Stack, State
from companion.rules.reinforcements.switches import Rules


def evolve(state: State | None, event: Event) -> State:
    """The state after the event; LookupError, TypeError or ValueError for an event that these rules never wrote."""
    if event["type"] == "set_up":
        return _set_up(event)
    if state is None:
        raise ValueError(f"event {event['type']!r} before the set-up")
    return _EVENTS[event["type"]](state, event)


def _set_up(event: Event) -> State:
    sides = {
        seat: Side(
            told["name"],
            told["hand"],
            tuple(
                Stack(
                    f"{seat}{number}",
                    tuple(Slot(slot["card"], slot["shield"]) for slot in stack["slots"]),
                    stack["revealed"],
                    stack["slots"][0]["card"][0] if stack["revealed"] else None,
                )
                for number, stack in enumerate(told["stacks"], 1)
            ),
            len(told["stacks"]),
            told["locked"],
            drawn=event["phase"] == "action",
        )
        for seat, told in event["players"].items()
    }
    return State(
        Rules(**event["rules"]),
        event["mode"],
        sides,
        event["first"],
        deck=event["deck"],
        discard=tuple(event["discard"]),
        buried=event["buried"],
        totems=dict(event["totems"]),
    )


def _drew(state: State, event: Event) -> State:
    seat, count = event["player"], event["count"]
    state = state.with_side(seat, hand=state.side(seat).hand + count)
    return replace(state, deck=state.deck - count)


def _reshuffled(state: State, event: Event) -> State:
    return replace(state, deck=state.deck + len(state.discard) + state.buried, discard=(), buried=0)


def _flags(state: State, event: Event) -> State:
    """Plain marks of a side: main, drawn, locked."""
    return state.with_side(event["player"], **{key: event[key] for key in ("main", "drawn", "locked") if key in event})


def _discarded(state: State, event: Event) -> State:
    """From a hand."""
    seat, cards = event["player"], event["cards"]
    state = state.with_side(seat, hand=state.side(seat).hand - len(cards))
    return _bury(state, cards)


def _bury(state: State, cards: Any) -> State:
    known = tuple(card for card in cards if card != UNKNOWN)
    return replace(state, discard=(*state.discard, *known), buried=state.buried + len(cards) - len(known))


def _used(state: State, event: Event) -> State:
    """A card leaves hand or stack into the blow, or is put down by what comes next."""
    seat, place = event["player"], event["from"]
    if place is None:
        return state.with_side(seat, hand=state.side(seat).hand - 1)
    stack = _stack(state, place["stack"])
    at = place["slot"] - 1
    if place["shield"]:
        slots = (*stack.slots[:at], replace(stack.slots[at], shield=None), *stack.slots[at + 1 :])
    else:
        # a shield on it falls on what lies below; at the bottom with nothing it is lost with it (told apart before)
        slots = (*stack.slots[:at], *stack.slots[at + 1 :])
    return state.with_stack(replace(stack, slots=slots))


def _spent(state: State, event: Event) -> State:
    """Used cards reach the discard pile without a blow."""
    return _bury(state, event["cards"])


def _placed(state: State, event: Event) -> State:
    """From the hand onto a stack, or as a new one."""
    seat = event["player"]
    side = state.side(seat)
    state = state.with_side(seat, hand=side.hand - 1)
    slot = Slot(event["card"])
    if event["stack"] is None:
        number = side.given + 1
        new = Stack(f"{seat}{number}", (slot,))
        return state.with_side(seat, stacks=(*state.side(seat).stacks, new), given=number)
    stack = _stack(state, event["stack"])
    return state.with_stack(replace(stack, slots=(*stack.slots, slot)))


def _shielded(state: State, event: Event) -> State:
    stack, at = _stack(state, event["stack"]), event["slot"] - 1
    slots = (*stack.slots[:at], replace(stack.slots[at], shield=event["card"]), *stack.slots[at + 1 :])
    return state.with_stack(replace(stack, slots=slots))


def _revealed(state: State, event: Event) -> State:
    stack = _stack(state, event["stack"])
    slots = tuple(replace(slot, card=card) for slot, card in zip(stack.slots, event["cards"], strict=True))
    return state.with_stack(replace(stack, slots=slots, revealed=True, colour=event["colour"]))


def _broke(state: State, event: Event) -> State:
    """The top cards go, the last one lies face down."""
    stack = _stack(state, event["stack"])
    gone = event["cards"]
    kept = stack.slots[: len(stack.slots) - len(gone)]
    shields = [slot.shield for slot in stack.slots[len(kept) :] if slot.shield is not None]
    hidden = tuple(replace(slot, card=UNKNOWN) for slot in kept)
    state = state.with_stack(replace(stack, slots=hidden, revealed=False, colour=None))
    return _bury(state, [*gone, *shields])


def _flipped(state: State, event: Event) -> State:
    stack, at = _stack(state, event["stack"]), event["slot"] - 1
    slots = (*stack.slots[:at], replace(stack.slots[at], card=event["card"]), *stack.slots[at + 1 :])
    return state.with_stack(replace(stack, slots=slots))


def _destroyed(state: State, event: Event) -> State:
    """A card on the field goes to the discard pile; those above it move down."""
    stack, at = _stack(state, event["stack"]), event["slot"] - 1
    slot = stack.slots[at]
    if event["shield"]:
        left = (*stack.slots[:at], replace(slot, shield=None), *stack.slots[at + 1 :])
    else:
        left = (*stack.slots[:at], *stack.slots[at + 1 :])
    return _bury(state.with_stack(replace(stack, slots=left)), [event["card"]])


def _fight(state: State, event: Event) -> State:
    told = event["fight"]
    if told is None:
        return replace(_bury(state, state.fight.cards if state.fight else ()), fight=None)
    return replace(state, fight=Fight(**{**told, "cards": tuple(told["cards"])}))


def _tie_cards(state: State, event: Event) -> State:
    """Drawn for REINFORCEMENTS, and discarded when they have been compared."""
    return _bury(replace(state, deck=state.deck - len(event["cards"])), event["cards"])


def _rally_card(state: State, event: Event) -> State:
    fight = state.fight
    assert fight is not None
    return replace(
        state,
        deck=state.deck - 1,
        fight=replace(fight, cards=(*fight.cards, event["card"]), power=fight.power + event["power"]),
    )


def _kingdom(state: State, event: Event) -> State:
    return state.with_stack(replace(_stack(state, event["stack"]), used=True))


def _swapped(state: State, event: Event) -> State:
    """Cards of one hand and one slot, or of two slots."""
    if event["hand"] is not None:
        stack, at = _stack(state, event["stack"]), event["slot"] - 1
        slots = (*stack.slots[:at], replace(stack.slots[at], card=event["hand"]), *stack.slots[at + 1 :])
        return state.with_stack(replace(stack, slots=slots))
    (one, i), (other, j) = ((place["stack"], place["slot"] - 1) for place in event["places"])
    first, second = _stack(state, one).slots[i].card, _stack(state, other).slots[j].card
    for name, at, card in ((one, i, second), (other, j, first)):
        stack = _stack(state, name)
        slots = (*stack.slots[:at], replace(stack.slots[at], card=card), *stack.slots[at + 1 :])
        state = state.with_stack(replace(stack, slots=slots))
    return state


def _traded(state: State, event: Event) -> State:
    """Two whole stacks change owners; each gets a name of its new owner's."""
    mine, theirs = _stack(state, event["mine"]), _stack(state, event["theirs"])
    for old, new in ((mine, theirs), (theirs, mine)):
        seat = old.id[0]
        number = state.side(seat).given + 1
        stacks = tuple(
            replace(new, id=f"{seat}{number}", used=False) if one.id == old.id else one
            for one in state.side(seat).stacks
        )
        state = state.with_side(seat, stacks=stacks, given=number)
    return state


def _totem(state: State, event: Event) -> State:
    return replace(state, totems={**state.totems, event["totem"]: event["owner"]})


def _defends(state: State, event: Event) -> State:
    return replace(state, defends=event["left"])


def _asked(state: State, event: Event) -> State:
    return replace(state, asks=(*state.asks, event["ask"]))


def _answered(state: State, event: Event) -> State:
    return replace(state, asks=(*state.asks[: event["at"]], *state.asks[event["at"] + 1 :]))


def _eliminated(state: State, event: Event) -> State:
    return state.with_side(event["player"], out=True)


def _turn(state: State, event: Event) -> State:
    """A turn, or in Chaos Mode a round, begins."""
    seats = list(state.sides) if state.chaos else [event["player"]]
    for seat in seats:
        stacks = tuple(replace(stack, used=False) for stack in state.side(seat).stacks)
        state = state.with_side(seat, main=False, drawn=False, stacks=stacks)
    return replace(state, turn=event["player"], turn_number=event["number"], defends=0)


def _token(state: State, event: Event) -> State:
    return replace(state, turn=event["player"])


def _gifted(state: State, event: Event) -> State:
    """A card straight from the deck as a new stack, into the hand, or to the discard pile (Chaos Mode, the Hero)."""
    seat, where = event["player"], event["where"]
    side = state.side(seat)
    state = replace(state, deck=state.deck - 1)
    if where == "stack":
        number = side.given + 1
        return state.with_side(seat, stacks=(*side.stacks, Stack(f"{seat}{number}", (Slot(),))), given=number)
    if where == "hand":
        return state.with_side(seat, hand=side.hand + 1)
    return _bury(state, [UNKNOWN])


def _returned(state: State, event: Event) -> State:
    """From a hand to the top of the deck."""
    seat, count = event["player"], event["count"]
    return replace(state.with_side(seat, hand=state.side(seat).hand - count), deck=state.deck + count)


def _over(state: State, event: Event) -> State:
    return replace(state, over={"winner": event["winner"], "reason": event["reason"]}, asks=(), fight=None)


def _rules_changed(state: State, event: Event) -> State:
    return replace(state, rules=Rules(**event["rules"]))


def _corrected(state: State, event: Event) -> State:
    """Counts that somebody set; the deck takes the difference, so that no card is made or lost."""
    seat = event["player"]
    if event["hand"] is not None:
        before = state.side(seat).hand
        state = replace(state.with_side(seat, hand=event["hand"]), deck=state.deck + before - event["hand"])
    if event["stack"] is not None:
        stack = _stack(state, event["stack"])
        shields = sum(slot.shield is not None for slot in stack.slots)
        cards = event["cards"]
        slots = tuple(
            replace(stack.slots[i], card=card) if i < len(stack.slots) else Slot(card) for i, card in enumerate(cards)
        )
        lost = shields - sum(slot.shield is not None for slot in slots)
        state = replace(state, deck=state.deck + len(stack.slots) - len(slots) + lost)
        revealed = event["revealed"]
        state = state.with_stack(
            replace(stack, slots=slots, revealed=revealed, colour=cards[0][0] if revealed and cards else None)
        )
    return state


def _added(state: State, event: Event) -> State:
    """A stack that somebody put in; whoever was out plays again."""
    seat, cards = event["player"], event["cards"]
    side = state.side(seat)
    colour = cards[0][0] if event["revealed"] else None
    new = Stack(f"{seat}{side.given + 1}", tuple(Slot(card) for card in cards), event["revealed"], colour)
    state = state.with_side(seat, stacks=(*side.stacks, new), given=side.given + 1, out=False)
    return replace(state, deck=state.deck - len(cards))


def _shield_set(state: State, event: Event) -> State:
    stack, at = _stack(state, event["stack"]), event["slot"] - 1
    before = stack.slots[at].shield
    slots = (*stack.slots[:at], replace(stack.slots[at], shield=event["card"]), *stack.slots[at + 1 :])
    more = (event["card"] is not None) - (before is not None)
    return replace(state.with_stack(replace(stack, slots=slots)), deck=state.deck - more)


def _discard_set(state: State, event: Event) -> State:
    more = event["count"] - len(state.discard) - state.buried
    return replace(state, deck=state.deck - more, buried=state.buried + more)


def _noted(state: State, event: Event) -> State:
    return state


def _stack(state: State, name: str) -> Stack:
    found = state.stack(name)
    if found is None:
        raise LookupError(name)
    return found


_EVENTS: Final[Mapping[str, Callable[[State, Event], State]]] = {
    "drew": _drew,
    "reshuffled": _reshuffled,
    "flags": _flags,
    "discarded": _discarded,
    "used": _used,
    "spent": _spent,
    "placed": _placed,
    "shielded": _shielded,
    "revealed": _revealed,
    "broke": _broke,
    "flipped": _flipped,
    "destroyed": _destroyed,
    "fight": _fight,
    "tie_cards": _tie_cards,
    "rally_card": _rally_card,
    "kingdom": _kingdom,
    "swapped": _swapped,
    "traded": _traded,
    "totem": _totem,
    "defends": _defends,
    "asked": _asked,
    "answered": _answered,
    "eliminated": _eliminated,
    "turn": _turn,
    "token": _token,
    "gifted": _gifted,
    "returned": _returned,
    "over": _over,
    "rules_changed": _rules_changed,
    "corrected": _corrected,
    "added": _added,
    "shield_set": _shield_set,
    "discard_set": _discard_set,
    "clash": _noted,
    "wasted": _noted,
    "blow": _noted,
}
