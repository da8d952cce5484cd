"""What the words in a line of a card or passive stand for: target, here, chosen, it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.rules.react.artists import Effect
from companion.rules.react.effect_form import CHOSEN, IT, ZONE_WORDS
from companion.rules.react.state import Due, State
from companion.rules.react.story import Failure


@dataclass(frozen=True, slots=True)
class Context:
    """`slot`: of the card whose line or cost it is; `by`: whose effect it is; `whole`: a cost, which is paid or not."""

    slot: int | None = None
    zone: str | None = None
    direction: str | None = None
    unit: str | None = None
    by: str | None = None
    whole: bool = False


NOWHERE = Context()


def context_of(state: State, item: Due) -> Context:
    card = state.card(item.slot)
    if card is None:
        return Context(None, item.zone, None, item.unit, item.player)
    return Context(card.slot, card.zone, card.direction, None, card.player)


def of_card(state: State, slot: int, whole: bool = False) -> Context:
    card = state.card(slot)
    return NOWHERE if card is None else Context(slot, card.zone, card.direction, None, card.player, whole)


def meant(effect: Effect, context: Context) -> dict[str, Any] | Failure:
    """The effect with the words put in; a failure for one that stands for nothing."""
    told: dict[str, Any] = {}
    for name, value in effect.items():
        found = _put(value, context) if name in ("zone", "to", "zones", "unit", "units", "direction") else value
        if found is None:
            word = next(v for v in (value if isinstance(value, list) else [value]) if _put(v, context) is None)
            return Failure("bad_value", f"Nothing is {word} here: {_WHY[word]}.", slip=True)
        told[name] = found
    for name in ("zones", "units"):
        # a word may stand for what is named beside it
        if name in told:
            told[name] = list(dict.fromkeys(told[name]))
    return told


_WHY = {
    "target": "the card's chain token lies on no zone",
    "here": "it was set off in no zone",
    "chosen": "the card's chain token has no direction",
    "it": "no unit set it off",
}


def _put(value: Any, context: Context) -> Any:
    if isinstance(value, list):
        found = [_put(one, context) for one in value]
        return None if None in found else found
    if value in ZONE_WORDS:
        return context.zone
    if value == CHOSEN:
        return context.direction
    return context.unit if value == IT else value
