"""Working off what is due: the command `resolve`, and everything that needs no choice (rulebook: Resolving an Attack).

One item happens as the single effect it is (`effects`), so breaks are paid and restored before the next one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.rules.core import Rejection
from companion.rules.rematch import commands as c
from companion.rules.rematch import effects, markers, marking
from companion.rules.rematch.choosing import (
    ANSWERS,
    Choice,
    amount_of,
    choice,
    effect_of,
    fans_to_take,
    heal_target,
    live_dials,
    victim,
    words,
)
from companion.rules.rematch.due import Due, after_attack
from companion.rules.rematch.fighters import effect_to_json
from companion.rules.rematch.listing import Draft, put, replace_first
from companion.rules.rematch.state import opponent
from companion.rules.rematch.story import Story


def cascade(story: Story) -> None:
    """Let everything happen that is first in the list and needs no choice."""
    while story.state.due and story.state.over is None and choice(story.state, story.state.due[0]) is None:
        _happen(story, story.state.due[0], {}, by_itself=True)


def resolve(story: Story, command: c.Resolve) -> Rejection | None:
    """The answers to an item's questions, in the order in which it asks them."""
    due = story.state.due
    if not due:
        return Rejection("not_now", "Nothing is due.")
    if command.item != due[0].id:
        if all(item.id != command.item for item in due):
            return Rejection("bad_value", f"resolve: there is no item {command.item}; item {due[0].id} is first.")
        return Rejection("not_now", f"Item {due[0].id} comes first: {words(story.state, due[0])}")
    if command.drop:
        _tell(story, due[0], {"drop": True}, by_itself=False)
        return None
    answers = dict(command.answers)
    given: dict[str, Any] = {}
    while True:
        item = story.state.due[0]
        asked = choice(story.state, item)
        if asked is None:
            answers.pop("done", None)
            for name, only in _forced(story, item).items():
                if answers.get(name) == only:
                    del answers[name]
            refused = _happen(story, item, given, by_itself=False)
            break
        key = next((name for name in ANSWERS[asked["kind"]] if name in answers), None)
        if key is None:
            if given:
                break
            return _needs(item, asked, answers, words(story.state, item))
        value = answers.pop(key)
        refused = _in_options(item, asked, key, value)
        if refused:
            return refused
        given[key] = value
        more, refused = _answer(story, item, asked, given, answers)
        if refused:
            return refused
        if not more:
            break
    if refused:
        return refused
    if answers:
        return Rejection("bad_value", f"resolve: item {command.item} has no use for {', '.join(answers)}.")
    return None


def _forced(story: Story, item: Due) -> dict[str, str]:
    """What an item that asks nothing would be answered with: after a correction its choice may be gone."""
    state, do = story.state, item.effect["do"]
    if do in ("deal", "take") and (live := live_dials(state, victim(item))):
        return {"button": live[0]}
    if do == "heal" and (target := heal_target(state, item.player)):
        return {"button": target}
    if do == "any_fan" and (fans := fans_to_take(state, item.player)):
        return {"fan": fans[0]}
    return {"fan": item.effect["fan"]} if do == "fan" else {}


def _needs(item: Due, asked: Choice, answers: Mapping[str, Any], text: str) -> Rejection:
    options = (
        f" ({', '.join(map(str, asked['options']))})" if asked["kind"] in ("dial", "fan", "colour", "when") else ""
    )
    needed = " or ".join(ANSWERS[asked["kind"]])
    told = ", ".join(answers)
    return Rejection("bad_value", f"resolve: item {item.id} needs {needed}{options}, not {told}: {text}")


def _in_options(item: Due, asked: Choice, key: str, value: Any) -> Rejection | None:
    if key == "option" and not 0 <= value < len(asked["options"]):
        most = len(asked["options"]) - 1
        return Rejection("bad_value", f"resolve: item {item.id} has the options 0 to {most}, not {value}.")
    if key in ("button", "fan", "colour", "when", "place") and value not in asked["options"]:
        options = ", ".join(asked["options"]) if key != "place" else "a row, a cell, a colour or a player"
        return Rejection("bad_value", f"resolve: {key} {value} is none of {options}.")
    if key == "cells" and len(value) > asked["most"]:
        return Rejection("too_many", f"Up to {asked['most']} marbles are destroyed, not {len(value)}.", tuple(value))
    return None


def _answer(
    story: Story, item: Due, asked: Choice, given: Mapping[str, Any], rest: dict[str, Any]
) -> tuple[bool, Rejection | None]:
    """One question answered. Whether the item, as it now stands first, may have another one."""
    match asked["kind"]:
        case "yes_no":
            if not given["yes"]:
                _tell(story, item, given, by_itself=False)
                return False, None
            agreed = replace(item, agreed=True)
            if item.effect["do"] == "kicker" and item.effect["when"] in ("before", "after"):
                _open(story, 0, _kicker_drafts(item))
                return False, None
            replace_first(story, agreed)
            return True, None
        case "amount":
            replace_first(story, replace(item, counted=given["amount"]))
            return True, None
        case "option":
            chosen = effect_of(item).options[given["option"]]
            _open(story, 0, [(item.part, item.player, effect_to_json(effect)) for effect in chosen])
            return False, None
        case "when":
            later = given["when"] == "after"
            _open(story, after_attack(story.state.due) if later else 0, _kicker_drafts(item))
            return False, None
        case "cells":
            return False, _destroy(story, item, asked["most"], given, rest)
    return False, _happen(story, item, given, by_itself=False)


def _kicker_drafts(item: Due) -> list[Draft]:
    return [("kicker", item.player, effect) for effect in item.effect["effects"]]


def _open(story: Story, at: int, drafts: list[Draft]) -> None:
    """The first item gives way to what it stood for: there, or at a later place of the list."""
    if at == 0:
        put(story, 0, drafts, instead=1)
        return
    put(story, at, drafts)
    put(story, 0, [], instead=1)


def _destroy(story: Story, item: Due, most: int, given: Mapping[str, Any], rest: dict[str, Any]) -> Rejection | None:
    """Some marbles, or no more: up to X in all, at once or one after the other, newly revealed ones too."""
    cells = tuple(given.get("cells", ()))
    refill = rest.pop("refill", {})
    finished = rest.pop("done", False) or len(cells) in (0, most)
    if finished:
        _tell(story, item, {**given, "cells": list(cells)}, by_itself=False)
    else:
        replace_first(story, replace(item, destroyed=item.destroyed + len(cells)))
    return effects.destroy(story, c.Destroy(item.player, cells, refill))


def _tell(story: Story, item: Due, answer: Mapping[str, Any], by_itself: bool) -> None:
    story.tell(
        "resolved",
        item=item.id,
        part=item.part,
        player=item.player,
        effect=dict(item.effect),
        answer={key: list(value) if isinstance(value, tuple) else value for key, value in answer.items()},
        by_itself=by_itself,
        text=words(story.state, item),
    )


def _happen(story: Story, item: Due, answer: Mapping[str, Any], by_itself: bool) -> Rejection | None:
    """The item is done; `answer` holds the choice of its last question, if it had one."""
    state, player, effect = story.state, item.player, item.effect
    do = effect["do"]
    amount = amount_of(state, item) if do not in ("reminder", "kicker") else None
    _tell(story, item, answer, by_itself)
    match do:
        case "deal" | "take" | "deal_all" | "take_all":
            live = live_dials(state, victim(item))
            chosen = [answer["button"]] if "button" in answer else live
            if amount and chosen:
                hits = tuple(c.OneHit(victim(item), button, amount) for button in chosen)
                return effects.hit(story, c.Hit(player, hits))
        case "heal":
            button = answer.get("button") or heal_target(state, player)
            if amount and button:
                effects.heal(story, c.Heal(player, button, amount))
        case "fan":
            effects.take_fan(story, c.TakeFan(player, effect["fan"]))
        case "any_fan":
            fans = [answer["fan"]] if "fan" in answer else fans_to_take(state, player)
            if fans:
                effects.take_fan(story, c.TakeFan(player, fans[0]))
        case "pay":
            payer = player if effect.get("who") == "self" else opponent(player)
            effects.pay(story, c.Pay(payer, amount or 0, effect.get("restores")))
        case "skip":
            if not state.side(opponent(player)).skips_next:
                story.tell("skip_set", player=opponent(player))
        case "marker":
            # its name and place say what it is for, so that any place fits
            marking.lay(story, markers.make(0, effect["marker"], player, answer["place"]))
        case "no_destroy":
            marking.lay(story, markers.shield(0, player))
        case "deny":
            marking.lay(story, markers.denial(0, player, answer["colour"]))
        case "reminder":
            if effect["removes"]:
                marking.lift(story, effect["marker"], "touched")
    return None
