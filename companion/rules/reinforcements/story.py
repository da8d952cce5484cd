"""The events of one command while it is decided, and what follows of itself after every change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.core import Event, Rejection
from companion.rules.reinforcements.cards import COLOURS, TOTEMS, UNKNOWN, counted, how_many, name
from companion.rules.reinforcements.commands import Place
from companion.rules.reinforcements.events import evolve
from companion.rules.reinforcements.state import HAND, STACKS, Slot, Stack, State


class Refused(Exception):
    """Unwinds the decision about one command; never leaves `decide`."""

    def __init__(self, code: str, text: str, *cells: str) -> None:
        super().__init__(text)
        self.rejection = Rejection(code, text, cells)


class Story:
    """The events of one command so far, and the state after them."""

    def __init__(self, state: State, unguarded: bool = False) -> None:
        """`unguarded`: the Hero's owner has let it happen."""
        self.state = self._first = state
        self.events: list[Event] = []
        self._kept = 0
        self.unguarded = unguarded

    def keep(self) -> None:
        """`rewind` goes back to here."""
        self._first, self._kept = self.state, len(self.events)

    def rewind(self) -> None:
        self.state = self._first
        del self.events[self._kept :]

    def tell(self, what: str, /, **facts: Any) -> None:
        event = {"type": what, **facts}
        self.state = evolve(self.state, event)
        self.events.append(event)

    def ask(self, kind: str, player: str, /, **facts: Any) -> None:
        self.tell("asked", ask={"kind": kind, "player": player, **facts})

    # -- looking things up -------------------------------------------------------------------------

    def stack(self, told: str) -> Stack:
        found = self.state.stack(told)
        if found is None:
            raise Refused("bad_value", f"There is no stack {told}.", told)
        return found

    def slot(self, place: Place) -> Slot:
        stack = self.stack(place.stack)
        if not 1 <= place.slot <= len(stack.slots):
            raise Refused(
                "bad_value", f"Stack {stack.id} has {len(stack.slots)} cards, none at {place.slot}.", str(place)
            )
        slot = stack.slots[place.slot - 1]
        if place.shield and slot.shield is None:
            raise Refused("bad_value", f"There is no Mercenary on {stack.id}.{place.slot}.", str(place))
        return slot

    def need_hand(self, seat: str, count: int) -> None:
        held = self.state.side(seat).hand
        if held < count:
            raise Refused("no_cards", f"{seat} has {held} cards in hand, and {count} are needed.", seat)

    def check_known(self) -> None:
        """No card lies open more often than there are such cards."""
        for card, count in counted(self.state.known()).items():
            if count > how_many(card):
                raise Refused("too_many_of_card", f"There are only {how_many(card)} of {card} ({name(card)}).", card)

    # -- cards ----------------------------------------------------------------------------------------

    def draw(self, seat: str, count: int) -> int:
        """Into the hand, with the discard pile put under a deck that is too small (FAQ); how many there were."""
        count = self.available(count)
        if count:
            self.tell("drew", player=seat, count=count)
        return count

    def available(self, count: int) -> int:
        state = self.state
        if state.deck < count and (state.discard or state.buried):
            self.tell("reshuffled", count=len(state.discard) + state.buried)
        return min(count, self.state.deck)

    def use(self, seat: str, card: str, place: Place | None) -> None:
        """A card leaves the hand, or one's own revealed stack (Deploy, Barrage)."""
        if place is None:
            self.need_hand(seat, 1)
            self.tell("used", player=seat, card=card, **{"from": None})
            return
        slot, stack = self.slot(place), self.stack(place.stack)
        if stack.id[0] != seat or not stack.revealed:
            raise Refused("not_revealed", f"{place} is not in a revealed stack of {seat}.", str(place))
        if place.shield or slot.shield is not None:
            raise Refused("shielded", f"A Mercenary lies on {stack.id}.{place.slot}; it stays there.", str(place))
        if slot.card != card:
            raise Refused("bad_value", f"At {place} lies {slot.card} ({name(slot.card)}), not {card}.", str(place))
        told = {"stack": place.stack, "slot": place.slot, "shield": False}
        self.tell("used", player=seat, card=card, **{"from": told})

    def destroy(self, place: Place, seen: str | None) -> None:
        """One card on the field, whatever it is."""
        slot = self.slot(place)
        if place.shield:
            card = slot.shield or UNKNOWN  # `slot` has seen that there is one
        elif slot.shield is not None:
            raise Refused("shielded", f"The Mercenary on {place} must be destroyed first.", str(place))
        else:
            card = slot.card
        if card == UNKNOWN and seen is not None:
            card = seen
        elif seen is not None and seen not in (UNKNOWN, card):
            raise Refused("bad_value", f"At {place} lies {card} ({name(card)}), not {seen}.", str(place))
        self.tell("destroyed", stack=place.stack, slot=place.slot, shield=place.shield, card=card)

    # -- what follows of itself -----------------------------------------------------------------------

    def settle(self, before: State, by_attack: bool) -> None:
        """After cards were destroyed or moved: locks, totems that return, who is out, who has won."""
        if self.state.over is not None:
            return
        self.lock(before, by_attack)
        self.totems_return()
        for seat, side in self.state.sides.items():
            if not side.out and not side.stacks:
                self.tell("eliminated", player=seat)
        playing = self.state.playing
        if len(playing) <= 1:
            self.tell("over", winner=playing[0] if playing else None, reason="last_standing")

    def lock(self, before: State, by_attack: bool) -> None:
        """Whoever has lost the last hidden stack (Ending the Game)."""
        for seat, side in before.sides.items():
            now = self.state.side(seat)
            lost = bool(side.hidden) and not now.hidden and len(now.stacks) < len(side.stacks)
            if lost and now.stacks and not now.locked and (by_attack or self.state.rules.lock_by_any):
                self.tell("flags", player=seat, locked=True)

    def totems_return(self) -> None:
        for totem, owner in self.state.totems.items():
            if owner in self.state.sides:
                held = [bool(self.state.side(owner).revealed(colour)) for colour in TOTEMS[totem]]
                every = totem != "hero" or self.state.rules.hero_lost == "any"
                if not (all(held) if every else any(held)):
                    self.tell("totem", totem=totem, owner="")

    def reveal(self, stack: Stack, cards: Sequence[str]) -> None:
        """The third card of a hidden stack: revealed and a new stack, or broken (Gaining New Stacks, Defend)."""
        seat = stack.id[0]
        colours = {card[0] for card in cards}
        if UNKNOWN in cards:
            raise Refused("bad_value", f"All three cards of {stack.id} are flipped; say all of them.", stack.id)
        for at, (slot, card) in enumerate(zip(stack.slots, cards, strict=True), 1):
            if slot.card not in (UNKNOWN, card):
                place = f"{stack.id}.{at}"
                raise Refused("bad_value", f"At {place} lies {slot.card} ({name(slot.card)}), not {card}.", place)
        if len(colours) > 1:
            self.tell("broke", stack=stack.id, cards=[cards[2], cards[1]])
            self.check_known()
            return
        (colour,) = colours
        had = {one: len(self.state.side(seat).revealed(one)) for one in COLOURS}
        self.tell("revealed", stack=stack.id, cards=list(cards), colour=colour)
        self.check_known()
        if not self.state.chaos:
            self._call_totem(seat, colour, had)
        side = self.state.side(seat)
        if side.locked:
            return  # no new stacks any more (Ending the Game)
        if len(side.stacks) < STACKS:
            self.draw(seat, 1)
            if self.state.side(seat).hand:
                self.tell("placed", player=seat, card=UNKNOWN, stack=None)
        elif self.state.rules.reveal_at_five == "draw":
            self.draw(seat, 1)
        side = self.state.side(seat)
        if not side.hidden:
            self.tell("flags", player=seat, locked=True)

    def _call_totem(self, seat: str, colour: str, had: Mapping[str, int]) -> None:
        """`had`: revealed stacks by colour, before this one."""
        side = self.state.side(seat)
        if side.locked:
            return
        second = next(totem for totem, colours in TOTEMS.items() if colours == colour)
        calls = had[colour] == 1 if self.state.rules.totem_call == "second" else had[colour] >= 1
        if calls and self.state.totems[second] == "":
            self.tell("totem", totem=second, owner=seat)
        last = not had[colour] and all(had[other] for other in COLOURS if other != colour)
        if last and self.state.totems["hero"] == "":
            self.tell("totem", totem="hero", owner=seat)

    def hand_limit(self, seat: str) -> tuple[int, int]:
        """How many cards the Draw Phase needs and how many it allows (Playing the Game; Kingdom of Green)."""
        side = self.state.side(seat)
        needed = max(0, HAND - side.hand)
        return needed, needed + len(side.revealed("G"))
