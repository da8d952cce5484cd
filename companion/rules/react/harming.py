"""Damage, its ends of a match, and cards (rulebook: Damage, Ties, Tracking Damage, Draw, Discard, Ending the Game)."""

from __future__ import annotations

from typing import Any

from companion.rules.react.artists import DAMAGE_TO_LOSE, MOST_IN_HAND, Effect
from companion.rules.react.context import Context
from companion.rules.react.field import PLAYERS, opponent
from companion.rules.react.moving import on_field
from companion.rules.react.state import CARDS, Unit
from companion.rules.react.story import Failure, Story


def damage(story: Story, effect: Effect, context: Context) -> Failure | None:
    """One effect, all at once: whatever stands in these zones now takes it, one's own units too."""
    state, amount = story.state, effect["amount"]
    zones = list(effect.get("zones", ()))
    for name in effect.get("units", ()):
        unit = on_field(state, name)
        zones += [] if isinstance(unit, Failure) else [unit.zone]
    on_board = [zone for zone in dict.fromkeys(zones) if state.field.holds(zone)]
    if not on_board:
        return Failure("off_board", "None of what takes damage is on the board.", tuple(zones))
    hits: list[dict[str, Any]] = []
    blocked: list[dict[str, Any]] = []
    missed: list[str] = []
    for zone in on_board:
        guard = next((block for block in state.blocks if block.zone == zone), None)
        unit_there = state.unit_at(zone)
        if guard is not None:
            blocked.append({"zone": zone, "player": guard.owner})
        elif unit_there is None:
            missed.append(zone)
        else:
            hits.append(_hit(story, unit_there, amount))
    by = effect.get("player", context.by)
    story.tell("damaged", player=by, amount=amount, hits=hits, blocked=blocked, missed=missed)
    beaten = [player for player in PLAYERS if story.state.side(player).damage >= DAMAGE_TO_LOSE]
    if len(beaten) == 2:
        story.tell("match_over", winner=None, reason="tie")
    elif beaten:
        story.tell("match_over", winner=opponent(beaten[0]), reason="damage")
    return None


def _hit(story: Story, unit: Unit, amount: int) -> dict[str, Any]:
    told: dict[str, Any] = {"unit": unit.id, "zone": unit.zone}
    if unit.kind is not None:
        return {**told, "removed": True}
    side = story.state.side(unit.owner)
    if side.things.invincible:
        return {**told, "removed": False}
    up = [card for card in CARDS if card not in side.flipped]
    return {**told, "flipped": sorted((*side.flipped, *up[:amount]))}


def draw(story: Story, effect: Effect, context: Context) -> Failure | None:
    """Card by card; each that cannot be drawn fails, but for an empty deck, which loses."""
    player = effect["player"]
    for _ in range(effect.get("cards", 1)):
        failure = draw_one(story, player)
        if failure is not None or story.state.over is not None:
            return failure
    return None


def draw_one(story: Story, player: str) -> Failure | None:
    side = story.state.side(player)
    if side.deck is None:
        sheet = f" ({side.things.sheet})" if side.things.sheet else ""
        return Failure("no_deck", f"Player {player} has no deck: the reference sheet says what happens{sheet}.")
    full = side.hand >= MOST_IN_HAND
    if full and (side.deck or story.state.rules.full_hand_empty_deck == "no_loss"):
        return Failure("hand_full", f"Player {player} has {MOST_IN_HAND} cards in hand, and draws none.")
    if not side.deck:
        story.tell("match_over", winner=opponent(player), reason="empty_deck")
        return None
    story.tell("drew", player=player, hand=side.hand + 1, deck=side.deck - 1)
    return None


def discard(story: Story, effect: Effect, context: Context) -> Failure | None:
    player = effect["player"]
    side = story.state.side(player)
    wanted = effect.get("cards", 1)
    count = min(wanted, side.hand)
    if not count or (context.whole and count < wanted):
        has = f"only {count} cards" if count else "no card"
        return Failure("no_cards", f"Player {player} has {has} in hand to discard.")
    story.tell("discarded", player=player, cards=count, hand=side.hand - count, discard=side.discard + count)
    return None


def lose(story: Story, effect: Effect, context: Context) -> Failure | None:
    """A card, sheet or passive says so."""
    story.tell("match_over", winner=opponent(effect["player"]), reason="effect")
    return None
