"""Chaos Mode: rounds in place of turns, totems in the deck (the rulebook's companion sheet)."""

from __future__ import annotations

from companion.rules.reinforcements.cards import TOTEM_NAMES, TOTEMS
from companion.rules.reinforcements.commands import Command
from companion.rules.reinforcements.state import STACKS, State
from companion.rules.reinforcements.story import Refused, Story


def only(state: State, what: str) -> None:
    if not state.chaos:
        raise Refused("not_now", f"There is {what} in Chaos Mode alone.")


def may_draw(state: State, seat: str) -> None:
    """In order, from who holds the token."""
    due = next((one for one in state.playing_from(state.turn) if not state.side(one).drawn), None)
    if due not in (None, seat):
        raise Refused("not_your_turn", f"{due} draws before {seat}.", str(due))


def end_round(story: Story, command: Command) -> None:
    """The token passes to the left."""
    state = story.state
    only(state, "a round")
    waiting = [seat for seat in state.playing if not state.side(seat).drawn]
    if waiting:
        raise Refused("must_draw", f"The round has not begun: {', '.join(waiting)} must draw.", *waiting)
    story.tell("turn", player=state.left_of(state.turn), number=state.turn_number + 1)


def totem_drawn(story: Story, command: Command) -> None:
    """All actions stop: who has no revealed stack of its colour sends a card; the Hero gives everybody a stack."""
    state, which, seat = story.state, command.totem, command.player
    only(state, "a totem in the deck")
    if state.totems[which] != "deck":
        raise Refused("no_totem", f"{TOTEM_NAMES[which]} is not in the deck any more.", which)
    if seat not in state.playing:
        raise Refused("bad_value", f"There is no player {seat} in the match.", seat)
    story.tell("totem", totem=which, owner="gone")
    for one in state.playing_from(seat):
        if which == "hero":
            story.ask("gift", one)
        elif not state.side(one).revealed(TOTEMS[which]):
            story.ask("send", one, totem=which)


def send(story: Story, command: Command) -> None:
    """One own card in play, of one's own choice."""
    state, seat, place = story.state, command.player, command.place
    at = next((i for i, ask in enumerate(state.asks) if (ask["kind"], ask["player"]) == ("send", seat)), None)
    if at is None:
        raise Refused("not_now", f"Nothing asks {seat} to send a card.", seat)
    if place.stack[:1] != seat:
        raise Refused("bad_value", f"{place} is not {seat}'s.", str(place))
    story.tell("answered", at=at)
    story.destroy(place, command.seen)
    story.lock(state, by_attack=False)  # the others may still have to send: who is out is said when all have
    story.check_known()


def gift(story: Story, command: Command) -> None:
    """In order, who drew the Hero first; with five stacks the card is kept or discarded."""
    state, seat = story.state, command.player
    ask = state.asks[0]
    if ask["kind"] != "gift" or ask["player"] != seat:
        raise Refused("not_your_turn", f"{ask['player']} comes before {seat}.", ask["player"])
    side = state.side(seat)
    full = side.locked or len(side.stacks) >= STACKS
    if full and bool(command.keep) == bool(command.told["discard"]):
        why = "is locked" if side.locked else f"has {STACKS} stacks"
        raise Refused("bad_value", f"{seat} {why}: keep the card, or discard it.", seat)
    if not full and (command.keep or command.told["discard"]):
        raise Refused("bad_value", f"{seat} has room: the card is a new stack.", seat)
    story.tell("answered", at=0)
    if story.available(1):
        where = "stack" if not full else "hand" if command.keep else "discard"
        story.tell("gifted", player=seat, where=where)


def clash(story: Story, command: Command) -> None:
    """Cards that touched the table at the same moment: whatever the players agreed on is kept in the match."""
    only(story.state, "a clash")
    if len(set(command.players)) < 2 or command.first not in command.players:
        raise Refused("bad_value", "A clash is between two players or more, and first is one of them.")
    for seat in command.players:
        if seat not in story.state.playing:
            raise Refused("bad_value", f"There is no player {seat} in the match.", seat)
    story.tell("clash", players=list(command.players), first=command.first)


def elk_done(story: Story, seat: str) -> None:
    """No more of the Elk's Defend actions can or shall be done; the drawn cards stay."""
    if not story.state.defends or seat != story.state.turn:
        raise Refused("not_now", "There are no Defend actions of the Guardian Elk left.", seat)
    story.tell("defends", left=0)
