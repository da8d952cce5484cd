"""Effects and kickers in plain words, for people who read a board. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.rematch.fighters import Amount, Effect, Kicker
from companion.rules.rematch.tray import COLOUR_NAMES

KICKER_WHEN = {
    "before": "before the attack",
    "after": "after the attack",
    "either": "before or after the attack",
    "unknown": "before or after is not known",
}


def effect_words(effect: Effect) -> str:
    """One effect, from the attacker's view, without a full stop: "deal 2 to one of the opponent's buttons"."""
    words = _what(effect)
    if effect.text is not None and effect.do != "note":
        words += f" ({effect.text})"
    if effect.condition is not None:
        words = f"if {effect.condition}: {words}"
    return f"{words}, if wanted" if effect.optional else words


def effects_words(effects: Iterable[Effect]) -> str:
    return "; ".join(effect_words(effect) for effect in effects)


def kicker_words(kicker: Kicker | None) -> str:
    if kicker is None:
        return "none"
    words = effects_words(kicker.effects)
    return words if kicker == Kicker() else f"{words} [{KICKER_WHEN[kicker.when]}]"


def amount_words(amount: Amount | None) -> str:
    if amount is None:
        return ""
    return str(amount.fixed) if amount.x is None else f"{amount.to_json()} (X: {amount.x})"


def _what(effect: Effect) -> str:
    amount = amount_words(effect.amount)
    one = effect.amount == Amount(1)
    match effect.do:
        case "deal":
            return f"deal {amount} to one of the opponent's buttons"
        case "deal_all":
            return f"deal {amount} to each of the opponent's buttons"
        case "take":
            return f"take {amount} on one of your own buttons"
        case "take_all":
            return f"take {amount} on each of your own buttons"
        case "heal":
            return f"heal {amount} on one of your own buttons"
        case "fan":
            return f"take the {COLOUR_NAMES[effect.fan or 'R']} fan"
        case "any_fan":
            return "take any one fan"
        case "destroy":
            return f"destroy up to {amount} marble{'' if one else 's'}"
        case "pay":
            payer = "pay" if effect.who == "self" else "the opponent pays"
            restores = {None: "", True: ", which restores HP", False: ", which restores no HP"}[effect.restores]
            return f"{payer} {amount} credit{'' if one else 's'}{restores}"
        case "skip":
            return "the opponent skips the next turn"
        case "marker":
            return f"place a marker: {effect.marker}"
        case "no_destroy":
            return "the opponent cannot destroy marbles for 1 turn"
        case "deny":
            return "choose a colour that the opponent cannot attack with next turn"
        case "note":
            return effect.text or ""
        case "either":
            return "either " + " or ".join(effects_words(option) for option in effect.options)
        case _:
            return "not known"
