"""What an item that is due asks before it can happen, and its words. Only a real choice is a question.

Who chooses: the damage of "deal" whoever made the attack, that of "take" whoever takes it (rulebook: Common Attack
Effects); both are the item's player, since boards are written from the attacker's view.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from companion.rules.rematch.due import Due
from companion.rules.rematch.effect_words import effect_words, effects_words
from companion.rules.rematch.fighters import UNKNOWN, Amount, Effect, effect_from_json
from companion.rules.rematch.markers import PLACES, limits
from companion.rules.rematch.state import FULL_HP, State, opponent
from companion.rules.rematch.tray import CELLS, COLOURS, EMPTY

Choice = dict[str, Any]

CLEARED: Final = "marbles cleared"
"""An X in these words is known: the attack's own marbles; short circuits are not cleared (rulebook: F.A.Q.)."""
ANSWERS: Final[Mapping[str, tuple[str, ...]]] = {
    "dial": ("button",),
    "fan": ("fan",),
    "cells": ("cells", "done"),
    "amount": ("amount",),
    "yes_no": ("yes",),
    "option": ("option",),
    "when": ("when",),
    "colour": ("colour",),
    "place": ("place",),
    "done": ("done",),
}
"""Kind of choice → the fields of `resolve` that answer it."""


def effect_of(item: Due) -> Effect:
    """The effect of an item that is neither a whole kicker nor a reminder."""
    return effect_from_json("effect", item.effect)


def amount_of(state: State, item: Due) -> int | None:
    """How much it is; None: X has not been told yet."""
    amount = effect_of(item).amount or Amount(1)
    if amount.fixed is not None:
        return amount.fixed
    counted = item.counted
    # before the clear of this turn the latest one is the other player's
    if counted is None and amount.x == CLEARED and state.phase == "resolve" and state.last_clear is not None:
        counted = int(state.last_clear.attack[1])
    return None if counted is None else amount.of(counted)


def live_dials(state: State, player: str) -> list[str]:
    """The buttons that can take damage: broken ones cannot (rulebook: Breaking Button Health Dials)."""
    return [colour for colour in COLOURS if not state.side(player).dial(colour).broken]


def victim(item: Due) -> str:
    """Whose dials a damaging effect is about."""
    return item.player if item.effect["do"] in ("take", "take_all") else opponent(item.player)


def heal_target(state: State, player: str) -> str | None:
    """The only dial that one would heal: all others are full, and more HP can do it no harm. None: it is a choice."""
    hurt = [colour for colour in COLOURS if state.side(player).dial(colour).hp < FULL_HP]
    # a broken dial may be kept below its repair on purpose, so that it stays out of reach
    return hurt[0] if len(hurt) == 1 and not state.side(player).dial(hurt[0]).broken else None


def fans_to_take(state: State, player: str) -> list[str]:
    """A fan that one has already is no choice (shared/rules/turns.md AMB-21)."""
    return [fan for fan in COLOURS if state.place(fan) != player]


def choice(state: State, item: Due) -> Choice | None:
    """The first question that is open; None: it happens by itself."""
    effect = item.effect
    do = effect["do"]
    if do == "kicker":
        if effect["optional"] and not item.agreed:
            return {"kind": "yes_no", "text": f"Use the kicker: {_kicker_words(effect)}?"}
        return {"kind": "when", "options": ["before", "after"]}
    if do == "reminder":
        return {"kind": "done"}
    if (effect.get("if") or effect.get("optional")) and not item.agreed:
        return {"kind": "yes_no", "text": _question(state, item)}
    if do == "either":
        return {"kind": "option", "options": [effects_words(option) for option in effect_of(item).options]}
    if do in ("note", "unknown"):
        return {"kind": "done"}
    if do == "marker":
        return {"kind": "place", "options": list(PLACES)}
    if do == "deny":
        return {"kind": "colour", "options": list(COLOURS)}
    if do == "any_fan":
        fans = fans_to_take(state, item.player)
        return {"kind": "fan", "options": fans} if len(fans) > 1 else None
    if do in ("fan", "skip", "no_destroy"):
        return None
    return _amount_choice(state, item)


def _amount_choice(state: State, item: Due) -> Choice | None:
    do, amount = item.effect["do"], amount_of(state, item)
    if amount is None:
        return {"kind": "amount", "x": item.effect["x"]}
    if amount == 0:
        return None
    if do in ("deal", "take"):
        live = live_dials(state, victim(item))
        return {"kind": "dial", "player": victim(item), "options": live} if len(live) > 1 else None
    if do == "heal":
        side = state.side(item.player)
        if heal_target(state, item.player) or all(side.dial(colour).hp == FULL_HP for colour in COLOURS):
            return None
        return {"kind": "dial", "player": item.player, "options": list(COLOURS)}
    if do == "destroy":
        bare = all(state.tray.at(cell) == EMPTY for cell in CELLS)
        if bare or limits(state.markers, item.player).shields or item.destroyed >= amount:
            return None
        return {"kind": "cells", "most": amount - item.destroyed}
    return None


def words(state: State, item: Due) -> str:
    """One plain sentence: who, when if it is not the attack itself, and what."""
    effect = item.effect
    if effect["do"] == "reminder":
        return str(effect["text"])
    if effect["do"] == "kicker":
        when = ", before or after the attack" if effect["when"] in ("either", "unknown") else ""
        return f"Player {item.player}, kicker{when}: {_kicker_words(effect)}."
    if effect["do"] == "unknown":
        hint = f" ({effect['text']})" if "text" in effect else ""
        asked = f"if {effect['if']}: " if "if" in effect and not item.agreed else ""
        return (
            f"Player {item.player}: {asked}{_missing(state, item)} is not on record{hint}; enter what it does by taps."
        )
    told = effect_of(item)
    if item.agreed:
        told = replace(told, condition=None, optional=False)
    what = effect_words(_counted(state, item, told)).removesuffix(".")
    done = f"; {item.destroyed} destroyed already" if item.destroyed else ""
    return f"Player {item.player}{_WHEN.get(item.part, '')}: {what}{done}."


_WHEN: Final = {"kicker": ", kicker", "start": ", start of the turn", "end": ", end of the turn"}


def _counted(state: State, item: Due, effect: Effect) -> Effect:
    """The effect with its amount as a number, once it is known what X is."""
    amount = amount_of(state, item)
    if effect.amount is None or effect.amount.x is None or amount is None:
        return effect
    return replace(effect, amount=Amount(amount))


def _missing(state: State, item: Due) -> str:
    """What a board leaves unknown, whole or in part."""
    if item.part not in ("attack", "kicker"):
        return "an effect"
    side, clear = state.side(item.player), state.last_clear
    alone: tuple[Effect, ...] = (UNKNOWN,)
    if side.board is not None and clear is not None:
        attack = side.board.attacks[clear.attack]
        kicker = alone if attack.kicker is None else attack.kicker.effects
        alone = attack.effects if item.part == "attack" else kicker
    return f"the {item.part}" if len(alone) == 1 else f"the rest of the {item.part}"


def _question(state: State, item: Due) -> str:
    """A condition is asked in its own words, and what would happen only named beside it."""
    effect = effect_of(item)
    plain = effect_words(_counted(state, item, replace(effect, condition=None, optional=False))).removesuffix(".")
    if effect.condition is None:
        return f"Do it: {plain}?"
    wish = ", and is it wanted" if effect.optional else ""
    return f"Is it so{wish}: {effect.condition.removesuffix('.')}? If yes: {plain}."


def _kicker_words(effect: Mapping[str, Any]) -> str:
    return effects_words(effect_from_json("effect", each) for each in effect["effects"]).removesuffix(".")


def due_json(state: State, item: Due, first: bool) -> dict[str, Any]:
    """An item as the state's JSON has it. The `first` one that waits without a choice of its own is said to be done."""
    asked = choice(state, item)
    return {
        "id": item.id,
        "part": item.part,
        "player": item.player,
        "effect": dict(item.effect),
        "text": words(state, item),
        "choice": {"kind": "done"} if asked is None and first else asked,
    }
