"""What a command would do: events, or why it is refused. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from companion.rules.core import Event, Rejection
from companion.rules.reinforcements import acting, chaos, correcting, deploying, fights
from companion.rules.reinforcements.cards import CARDS, DECK, TOTEMS, counted, how_many, power
from companion.rules.reinforcements.commands import Command, parse
from companion.rules.reinforcements.events import evolve
from companion.rules.reinforcements.state import State
from companion.rules.reinforcements.story import Refused, Story
from companion.rules.reinforcements.switches import Rules

ANSWERS: Final = frozenset({"flip", "reinforcements", "rallied", "reveal", "hero", "send", "gift"})
"""Commands that answer an ask of the same kind."""
ALWAYS: Final = frozenset({"correct", "rules", "concede"})
"""These need not wait for an answer."""


def decide(state: State | None, raw: Mapping[str, Any]) -> Sequence[Event] | Rejection:
    """The events of a command, or its refusal. Form first, then whether it is the time for it, then the rules."""
    command = parse(raw)
    if isinstance(command, Rejection):
        return command
    try:
        if command.name == "setup":
            if state is not None and state.over is None:
                raise Refused("not_now", "A match is under way; concede it or play it to the end before a new one.")
            return _set_up(command)
        if state is None:
            raise Refused("not_now", "There is no match yet; set one up first.")
        if state.over is not None:
            raise Refused("match_over", f"The match is over; {state.over['winner'] or 'nobody'} has won.")
        _awaited(state, command)
        story = Story(state)
        _HANDLERS[command.name](story, command)
        return story.events
    except Refused as refused:
        return refused.rejection


def _awaited(state: State, command: Command) -> None:
    if command.name in ALWAYS:
        return
    if command.name in ANSWERS:
        # in Chaos Mode several are asked at the same time
        if not any(ask["kind"] == command.name for ask in state.asks[: None if state.chaos else 1]):
            raise Refused("not_now", f"Nothing asks for {command.name} now.")
    elif state.asks:
        ask = state.asks[0]
        raise Refused("not_now", f"First {WANTED[ask['kind']].format(**_words(ask))}.", ask["player"])


WANTED: Final[Mapping[str, str]] = {
    "flip": "the top card of {stack} is flipped; say what it is (flip)",
    "reinforcements": 'both yell "REINFORCEMENTS!" and draw, {against} first (reinforcements)',
    "rallied": "{player} draws a card for the Rally and says what it is (rallied)",
    "reveal": "the three cards of {stack} are flipped; say what they are (reveal)",
    "hero": "{player} says whether the Hero of the People nullifies it (hero)",
    "send": "{player} sends one card in play to the discard pile (send)",
    "gift": "{player} draws a card as a new stack (gift)",
}


def _words(ask: Mapping[str, Any]) -> dict[str, Any]:
    return {"stack": "", "against": "", **{key: value for key, value in ask.items() if isinstance(value, str)}}


# -- set-up (rulebook: Set Up, Starting the Game) ------------------------------------------------------------


def _set_up(command: Command) -> Sequence[Event]:
    players, discarded = command.players, list(command.told["discard"] or ())
    initiative = command.initiative or {}
    if command.mode == "chaos" and any(told["totems"] for told in players.values()):
        raise Refused("bad_value", "In Chaos Mode nobody holds a totem: they are in the deck.")
    first = _first(command, players, initiative)
    buried = 0
    if initiative:
        discarded += initiative.values()
    elif command.told["discard"] is None:
        buried = len(players)  # one card each, played for who goes first
    held = [totem for told in players.values() for totem in told["totems"]]
    if len(set(held)) < len(held):
        raise Refused("bad_value", "A totem has two owners.")
    pile = "deck" if command.mode == "chaos" else ""
    owners = {
        totem: next((seat for seat, told in players.items() if totem in told["totems"]), pile) for totem in TOTEMS
    }
    laid = [slot for told in players.values() for stack in told["stacks"] for slot in stack["slots"]]
    shields = [slot["shield"] for slot in laid if slot["shield"] is not None]
    spent = len(laid) + len(shields) + len(discarded) + buried + sum(told["hand"] for told in players.values())
    if spent > DECK:
        raise Refused("bad_value", f"That would be {spent} cards; there are {DECK}.")
    for card, count in counted([*(slot["card"] for slot in laid), *shields, *discarded]).items():
        if count > how_many(card):
            raise Refused("too_many_of_card", f"There are only {how_many(card)} of {card}.", card)
    known = [card for card in discarded if card in CARDS]
    event = {
        "type": "set_up",
        "players": {
            seat: {key: told[key] for key in ("name", "hand", "stacks", "locked")} for seat, told in players.items()
        },
        "first": first,
        "mode": command.mode or "normal",
        "phase": command.phase or "draw",
        "deck": DECK - spent,
        "discard": known,
        "buried": buried + len(discarded) - len(known),
        "totems": owners,
        "rules": Rules(**(command.rules or {})).to_json(),
    }
    story = Story(evolve(None, event))
    for seat, side in story.state.sides.items():
        if not side.stacks:
            story.tell("eliminated", player=seat)
    if len(story.state.playing) < 2:
        raise Refused("bad_value", "At least two players need a stack.")
    if story.state.side(first).out:
        raise Refused("bad_value", f"{first} has no stack and cannot go first.", first)
    return [event, *story.events]


def _first(command: Command, players: Mapping[str, Any], initiative: Mapping[str, str]) -> str:
    """Who played the highest Power; who yelled first, the players say."""
    if command.first is not None and command.first not in players:
        raise Refused("bad_value", f"setup: first is {command.first}, who does not play.", command.first)
    if not initiative:
        if command.first is None:
            raise Refused("bad_command", "setup needs first, or initiative with everybody's card.")
        return str(command.first)
    if set(initiative) != set(players):
        raise Refused("bad_value", "setup: initiative needs one card of each player.")
    most = max(power(card) for card in initiative.values())
    best = [seat for seat, card in initiative.items() if power(card) == most]
    if len(best) == 1:
        if command.first not in (None, best[0]):
            raise Refused("bad_value", f"setup: {best[0]} played the highest Power and goes first.", best[0])
        return best[0]
    if command.first not in best:
        text = f"setup: {', '.join(best)} tie; first says who yelled REINFORCEMENTS! first."
        raise Refused("bad_value", text, *best)
    return str(command.first)


# -- turns -----------------------------------------------------------------------------------------------------


def _draw(story: Story, command: Command) -> None:
    """The Draw Phase: to five, and one more if one likes for each revealed green stack."""
    seat, state = command.player, story.state
    if seat not in state.sides or state.side(seat).out:
        raise Refused("bad_value", f"There is no player {seat} in the match.", seat)
    if state.chaos:
        chaos.may_draw(state, seat)
    elif seat != state.turn:
        raise Refused("not_your_turn", f"It is {state.turn}'s turn, not {seat}'s.", seat)
    if state.side(seat).drawn:
        raise Refused("already_done", f"{seat} has drawn.", seat)
    needed, most = story.hand_limit(seat)
    count = most if command.count is None else command.count
    if not needed <= count <= most:
        range_ = f"{needed}" if needed == most else f"{needed} to {most}"
        raise Refused("bad_value", f"{seat} draws {range_} cards, not {count}.", seat)
    story.draw(seat, count)
    story.tell("flags", player=seat, drawn=True)


def _end_turn(story: Story, command: Command) -> None:
    """Whoever has done no Main Action discards no card: any number may be discarded."""
    if story.state.chaos:
        raise Refused("not_now", "In Chaos Mode there are rounds, not turns (end_round).")
    acting.active(story, command.player)
    _next(story)


def _next(story: Story) -> None:
    state = story.state
    if state.over is None:
        story.tell("turn", player=state.left_of(state.turn), number=state.turn_number + 1)


def _after(story: Story, before: State, by_attack: bool) -> None:
    """When nothing is open any more: what follows, and the next turn if who was on turn is out."""
    if story.state.fight is None and not story.state.asks:
        story.settle(before, by_attack)
        _pass_on(story)


def _pass_on(story: Story) -> None:
    """The turn, or the token of a round that the one who held it has not begun, when that one is out."""
    state = story.state
    if state.over is not None or not state.side(state.turn).out:
        return
    if not state.chaos:
        _next(story)
    elif not state.side(state.turn).drawn:
        story.tell("token", player=state.left_of(state.turn))


def _acting(handler: Callable[[Story, Command], None]) -> Callable[[Story, Command], None]:
    def run(story: Story, command: Command) -> None:
        before = story.state
        handler(story, command)
        blow = command.name in ("attack", "barrage") or (
            command.name == "deploy" and command.cards[0] == story.state.rules.rally + "C"
        )
        _after(story, before, blow)

    return run


# -- answers ---------------------------------------------------------------------------------------------------


def _flip(story: Story, command: Command) -> None:
    before, ask = story.state, story.state.asks[0]
    story.tell("answered", at=0)
    fights.go_on(story, [command.card], first=ask["first"])
    _after(story, before, True)


def _reinforcements(story: Story, command: Command) -> None:
    before = story.state
    fights.settled(story, command)
    _after(story, before, True)


def _rallied(story: Story, command: Command) -> None:
    before = story.state
    deploying.rallied(story, command.card)
    _after(story, before, True)


def _reveal(story: Story, command: Command) -> None:
    stack = story.stack(story.state.asks[0]["stack"])
    before = story.state
    story.tell("answered", at=0)
    story.reveal(stack, command.cards)
    _after(story, before, False)


def _hero(story: Story, command: Command) -> None:
    ask = story.state.asks[0]
    meant = parse(ask["command"])
    assert isinstance(meant, Command)
    story.tell("answered", at=0)
    if command.use:
        before = story.state
        deploying.waste(story, meant)
        _after(story, before, False)
        return
    story.unguarded = True
    _HANDLERS[meant.name](story, meant)


def _broken(story: Story, command: Command) -> None:
    """A hidden stack of several colours that somebody found (Defend)."""
    stack = story.stack(command.stack)
    if stack.id[0] != command.player or stack.revealed:
        raise Refused("bad_value", f"{stack.id} is no hidden stack of {command.player}.", stack.id)
    count = min(2, len(stack.slots) - 1)
    if count < 1:
        raise Refused("bad_value", f"{stack.id} has one card and cannot be broken.", stack.id)
    seen = list(command.seen or ())
    fights.none_left(seen[count:])
    story.tell("broke", stack=stack.id, cards=seen + ["?"] * (count - len(seen)))
    story.check_known()


def _concede(story: Story, command: Command) -> None:
    """Who gives up is out; their cards go to the discard pile."""
    seat = command.player
    if seat not in story.state.sides or story.state.side(seat).out:
        raise Refused("bad_value", f"There is no player {seat} in the match.", seat)
    before = story.state
    fight = before.fight
    fights_on = fight is not None and seat not in (fight.player, fight.target[0])
    for at in range(len(before.asks) - 1, -1, -1):
        ask = before.asks[at]
        about = (ask["player"], ask.get("against"), ask.get("command", {}).get("player"))
        if seat in about or (fight is not None and not fights_on):
            story.tell("answered", at=at)
    if fight is not None and not fights_on:
        story.tell("fight", fight=None)
    for stack in before.side(seat).stacks:
        for at in range(len(stack.slots), 0, -1):
            slot = stack.slots[at - 1]
            if slot.shield is not None:
                story.tell("destroyed", stack=stack.id, slot=at, shield=True, card=slot.shield)
            story.tell("destroyed", stack=stack.id, slot=at, shield=False, card=slot.card)
    story.settle(before, by_attack=False)
    _pass_on(story)


def _correct(story: Story, command: Command) -> None:
    before = story.state
    correcting.correct(story, command)
    if before.sides != story.state.sides and story.state.fight is None and not story.state.asks:
        story.settle(story.state, by_attack=False)  # who has lost a hidden stack by hand is locked by hand
        _pass_on(story)


_HANDLERS: Final[Mapping[str, Callable[[Story, Command], None]]] = {
    "draw": _draw,
    "attack": _acting(acting.attack),
    "defend": _acting(acting.defend),
    "discard": _acting(acting.discard),
    "deploy": _acting(deploying.deploy),
    "barrage": _acting(acting.barrage),
    "fortify": _acting(acting.fortify),
    "adapt": _acting(acting.adapt),
    "totem": _acting(acting.totem),
    "elk_done": lambda story, command: chaos.elk_done(story, command.player),
    "flip": _flip,
    "reinforcements": _reinforcements,
    "rallied": _rallied,
    "reveal": _reveal,
    "hero": _hero,
    "broken": _broken,
    "end_turn": _end_turn,
    "end_round": chaos.end_round,
    "totem_drawn": chaos.totem_drawn,
    "send": _acting(chaos.send),
    "gift": chaos.gift,
    "clash": chaos.clash,
    "concede": _concede,
    "rules": correcting.rules,
    "correct": _correct,
}
