"""Single effects that are entered as they happen (rulebook: Common Attack Effects)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from companion.rules.core import Rejection
from companion.rules.rematch import commands as c
from companion.rules.rematch.ledger import healed, hurt, prices, raised
from companion.rules.rematch.markers import limits
from companion.rules.rematch.marking import shielded
from companion.rules.rematch.paying import judge_loss, pay_breaks
from companion.rules.rematch.reminding import at_destroyed
from companion.rules.rematch.state import State, opponent
from companion.rules.rematch.story import Story, dials_json, no_marble, without
from companion.rules.rematch.tray import COLOUR_NAMES, COLOURS, PLAYERS

MOST_IN_OPENING: Final = 2
"""Marbles that the second player may destroy before the first turn (rulebook: Set Up)."""


def destroy(story: Story, command: c.Destroy) -> Rejection | None:
    state = story.state
    opening = state.phase == "opening"
    if opening and command.player == state.first:
        return Rejection(
            "not_now", f"In the opening only the second player, {opponent(state.first)}, destroys marbles."
        )
    if opening and state.opening_destroyed + len(command.cells) > MOST_IN_OPENING:
        text = f"In the opening at most {MOST_IN_OPENING} marbles are destroyed, {state.opening_destroyed} already are."
        return Rejection("too_many", text, command.cells)
    refused = shielded(limits(state.markers, command.player).shields, command.player) if command.cells else None
    if refused:
        return refused
    empty = no_marble(state, command.cells)
    if empty:
        return Rejection("empty_cell", f"There is no marble in {', '.join(empty)}.", empty)
    tray = without(state, command.cells, command.refill)
    if isinstance(tray, Rejection):
        return tray
    if command.cells:
        cells = list(command.cells)
        story.tell("destroyed", player=command.player, cells=cells, tray=tray.text, opening=opening)
        at_destroyed(story, command.player, cells, state.tray)
    return None


def hit(story: Story, command: c.Hit) -> Rejection | None:
    state = story.state
    hits = [hit for hit in command.hits if hit.amount]
    live = [hit for hit in hits if not state.side(hit.player).dial(hit.button).broken]
    if hits and not live:
        names = " and ".join(f"{COLOUR_NAMES[hit.button]} of player {hit.player}" for hit in hits)
        return Rejection("broken_button", f"{names} cannot be damaged: broken buttons take no damage.")
    if not live:
        return None
    after = {(hit.player, hit.button): hurt(state.side(hit.player).dial(hit.button), hit.amount) for hit in live}
    story.tell(
        "hit",
        source=command.source,
        hits=[
            {
                "player": hit.player,
                "button": hit.button,
                "amount": hit.amount,
                **after[hit.player, hit.button].to_json(),
            }
            for hit in live
        ],
    )
    due: dict[str, list[tuple[str, int]]] = {}
    for player in PLAYERS:
        broke = [colour for colour in COLOURS if (player, colour) in after and after[player, colour].broken]
        costs = prices(len(state.side(player).broken), len(broke), state.rules)
        if broke:
            due[player] = list(zip(broke, costs, strict=True))
    if state.phase == "resolve" and state.rules.breaks_settle == "attack_end":
        for player, breaks in due.items():
            owed = [{"button": button, "credits": price} for button, price in breaks]
            story.tell("owes", player=player, breaks=owed)
    else:
        judge_loss(story, pay_breaks(story, due), command.source)
    return None


def heal(story: Story, command: c.Heal) -> None:
    if command.amount:
        dial = raised(story.state.side(command.player).dial(command.button), command.amount)
        story.tell("healed", player=command.player, by="effect", buttons=dials_json({command.button: dial}))


def take_fan(story: Story, command: c.TakeFan) -> None:
    state = story.state
    place = state.place(command.fan)
    if place == command.player:
        return
    moved = {command.fan: command.player}
    before_clear = state.phase == "start" and state.declared is None
    late = state.rules.fan_snapshot == "after_start_effects"
    story.tell(
        "fan_taken",
        player=command.player,
        fan=command.fan,
        to=command.player,
        fans_at_start=start_fans(state, moved if before_clear and late else {}),
        fans_otherwise=start_fans(state, moved if before_clear and not late else {}, state.fans_otherwise),
        **{"from": place},
    )


def start_fans(state: State, places: Mapping[str, str], before: Collection[str] | None = None) -> list[str]:
    """The fans that make a kicker due, after some were moved and that counts. `before`: None = the match's reading."""
    held = state.fans_at_start if before is None else before
    return [fan for fan in COLOURS if (places[fan] == state.turn if fan in places else fan in held)]


def pay(story: Story, command: c.Pay) -> None:
    """A forced credit (rulebook: F.A.Q. on effects that make a player pay)."""
    state = story.state
    side = state.side(command.player)
    if not command.credits:
        return
    if command.credits > side.credits:
        if state.rules.forced_credit_unpaid == "ignored":
            return
        story.tell("could_not_pay", player=command.player, credits=command.credits, **{"for": "effect"})
        judge_loss(story, [command.player], opponent(command.player))
        return
    restores = state.rules.forced_credit_heals if command.restores is None else command.restores
    dials = healed(side, dict.fromkeys(COLOURS, command.credits)) if restores else {}
    left = side.credits - command.credits
    story.tell(
        "paid",
        player=command.player,
        credits=command.credits,
        left=left,
        buttons=dials_json(dials),
        **{"for": "effect"},
    )
