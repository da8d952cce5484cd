"""The React Chain (rulebook: Main Phase 3.1 – 3.5): played card by card, resolved from the last to the first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from companion.rules.core import Rejection
from companion.rules.react import commands as c
from companion.rules.react.artists import Effect
from companion.rules.react.context import of_card
from companion.rules.react.field import opponent
from companion.rules.react.performing import go_on, perform, unknown_things
from companion.rules.react.state import SLOTS, Due, State
from companion.rules.react.story import Story, not_your_turn
from companion.rules.react.triggers import due_json

MOST_DUE: Final = 20


def play(story: Story, command: c.Play) -> Rejection | None:
    state, player = story.state, command.player
    slot = len(state.chain) + 1
    refused = _not_yet(state) or _cannot_be_played(state, command, slot) or _not_at_hand(state, command)
    if refused is None:
        refused = unknown_among(state, (*command.costs, *(command.lines or ())))
    if refused is not None:
        return refused
    side = state.side(player)
    story.tell(
        "played",
        slot=slot,
        player=player,
        kind=command.kind,
        card=command.card,
        effect=command.effect,
        costs=[dict(cost) for cost in command.costs],
        effects=None if command.lines is None else [dict(line) for line in command.lines],
        hand=side.hand - (command.source == "hand"),
        priority=opponent(player),
        **{"from": command.source},
    )
    for cost in command.costs:
        failure = perform(story, cost, of_card(story.state, slot, whole=True))
        if failure is not None:
            return failure.rejection("cannot_pay", "The cost cannot be paid: ")
        if story.state.over is not None:
            return None
    if slot == SLOTS:
        story.tell("resolving")
    return go_on(story, finish)


def pass_(story: Story, command: c.Pass) -> Rejection | None:
    state, player = story.state, command.player
    refused = _not_yet(state)
    if refused is not None:
        return refused
    if state.resolving:
        return _resolves(state)
    if not state.chain:
        return Rejection("not_now", "There is no React Chain to pass on; the turn ends with end_turn.")
    if player != state.priority:
        return _no_priority(state, player)
    passes = state.passes + 1
    story.tell("passed", player=player, passes=passes, priority=opponent(player))
    if passes == 2:
        story.tell("resolving")
    return None


def resolve(story: Story, command: c.Resolve) -> Rejection | None:
    """What is next happens: a passive, a start or end effect, or the card with the highest number."""
    state = story.state
    if not state.due:
        top = state.top
        if not state.resolving or top is None:
            return Rejection("not_now", "Nothing is to be resolved now.")
        label = top.name or f"card {top.slot}"
        item = due_json(state.due_ids + 1, part="card", player=top.player, name=label, slot=top.slot)
        story.tell("due_added", items=[item])
    now = story.state.due[0]
    if command.slot is not None and command.slot != now.slot:
        what = f"slot {now.slot}" if now.slot is not None else now.name
        return Rejection("not_now", f"Next is {what}, not slot {command.slot}.", (f"slot{command.slot}",))
    lines = _lines(story.state, now, command)
    if isinstance(lines, Rejection):
        return lines
    refused = unknown_among(state, lines)
    if refused is not None:
        return refused
    story.tell("due_begun", item=now.id, effects=[dict(line) for line in lines], dropped=command.drop)
    return go_on(story, finish, now.id)


def interrupt(story: Story, command: c.Interrupt) -> Rejection | None:
    """A passive that is not on record; those that are, are set off by what happens."""
    state, zone, unit = story.state, command.zone, command.unit
    there = None if unit is None else state.unit(unit)
    refused = unknown_among(state, command.lines or ())
    if refused is not None:
        return refused
    if unit is not None and there is None:
        return Rejection("bad_value", f"passive: unit {unit} is not on the field.")
    if zone is not None and not state.field.holds(zone):
        return Rejection("bad_value", f"passive: zone {zone} lies off the board.", (zone,))
    if len(state.due) >= MOST_DUE:
        return Rejection("too_many", f"{MOST_DUE} effects wait already; resolve {state.due[0].name} first.")
    item = due_json(
        state.due_ids + 1,
        part="passive",
        player=command.player,
        name=command.name,
        zone=there.zone if zone is None and there is not None else zone,
        unit=unit,
        effects=None if command.lines is None else [dict(line) for line in command.lines],
    )
    story.tell("due_added", items=[item])
    return None


def _lines(state: State, item: Due, command: c.Resolve) -> tuple[Effect, ...] | Rejection:
    """The lines that happen now."""
    if command.drop:
        return ()
    if item.lines is not None:
        if command.lines is None and command.choose is None:
            return item.lines
        return Rejection("not_now", f"What is left of {item.name} is known, and goes on by itself: resolve alone.")
    card = state.card(item.slot)
    known = (None if card is None else card.lines) or ()
    lines = known if command.lines is None else command.lines
    if command.choose is None:
        return lines
    if command.choose[-1] > len(lines):
        return Rejection("bad_value", f"resolve: choose names line {command.choose[-1]} of {len(lines)}.")
    return tuple(lines[number - 1] for number in command.choose)


def finish(story: Story, item: Due) -> None:
    """Nothing of it is left to happen."""
    story.tell("due_done", item=item.id, part=item.part, player=item.player, name=item.name)
    card = story.state.card(item.slot)
    if card is None:
        return
    side = story.state.side(card.player)
    thrown = card.source == "hand"
    story.tell(
        "card_resolved",
        slot=card.slot,
        player=card.player,
        card=card.name,
        to="discard" if thrown else "player",
        discard=side.discard + thrown,
    )
    if not story.state.chain:
        story.tell("chain_ended")


def unknown_among(state: State, lines: Iterable[Effect]) -> Rejection | None:
    return next((refused for line in lines if (refused := unknown_things(state, line)) is not None), None)


# --- why a card cannot be played --------------------------------------------------------------------------------------


def due_first(state: State) -> Rejection | None:
    if not state.due:
        return None
    item = state.due[0]
    cells = () if item.zone is None else (item.zone,)
    return Rejection("not_now", f"First comes {item.name} of player {item.player}: resolve it.", cells)


def _not_yet(state: State) -> Rejection | None:
    if state.phase != "main":
        return due_first(state) or Rejection(
            "not_now", f"Cards are played in the Main Phase; it is the {state.phase} phase."
        )
    if state.resolving:
        return _resolves(state)
    return due_first(state)


def _resolves(state: State) -> Rejection:
    return Rejection("not_now", "The React Chain resolves; no card can be played until it has.", _slots(state))


def _no_priority(state: State, player: str) -> Rejection:
    return Rejection("not_your_turn", f"Player {state.priority} has priority, not player {player}.", _slots(state))


def _cannot_be_played(state: State, command: c.Play, slot: int) -> Rejection | None:
    player = command.player
    if command.kind == "intention":
        refused = not_your_turn(state, player)
        if refused is not None:
            return Rejection("not_your_turn", f"Only the turn player, {state.turn}, plays Intentions.", _slots(state))
        if state.chain:
            text = "An Intention is played to an empty React Chain only; now come Reactions."
            return Rejection("not_now", text, _slots(state))
    elif not state.chain:
        return Rejection("not_now", "A React Chain begins with an Intention, not with a Reaction.", ("slot1",))
    elif player != state.priority:
        return _no_priority(state, player)
    if command.slot is not None and command.slot != slot:
        text = f"The next card of the React Chain is number {slot}, not {command.slot}."
        return Rejection("bad_value", text, (f"slot{command.slot}",))
    return None


def _not_at_hand(state: State, command: c.Play) -> Rejection | None:
    player = command.player
    if command.source == "hand" and not state.side(player).hand:
        return Rejection("no_cards", f"Player {player} has no card in hand.")
    if command.source == "ability" and command.card is not None:
        for card in state.chain:
            same = (card.name or "").casefold() == command.card.casefold()
            if card.source == "ability" and card.player == player and same:
                text = f"{card.name} lies on the React Chain already; it comes back when it has resolved."
                return Rejection("not_now", text, (f"slot{card.slot}",))
    return None


def _slots(state: State) -> tuple[str, ...]:
    return tuple(f"slot{card.slot}" for card in state.chain)
