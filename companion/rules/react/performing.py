"""Effects happen, one after the other, and the passives that they set off before anything else goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.rules.core import Rejection
from companion.rules.react import harming, masterpiece, moving, tokens
from companion.rules.react.artists import BLOCK, Effect
from companion.rules.react.context import Context, context_of, meant
from companion.rules.react.state import Due, State
from companion.rules.react.story import MOST_BY_ITSELF, Failure, Story

Tool = Callable[[Story, Effect, Context], Failure | None]


def unknown_things(state: State, effect: Effect) -> Rejection | None:
    """A kind or unit that this match has not: a slip, whenever the effect would happen."""
    if effect["do"] in _KINDS:
        of = _KINDS[effect["do"]]
        known: Any = getattr(state.side(effect["player"]).things, of)
        kind = effect["kind"]
        if of == "tokens" and kind == BLOCK:
            return Rejection("bad_value", "Block tokens are placed with the command block.")
        if kind not in known:
            what = of.removesuffix("s")
            has = ", ".join(known) or "none"
            return Rejection("bad_value", f"Player {effect['player']} has no {what} called {kind}; there are: {has}.")
    for name in [effect[key] for key in ("unit",) if key in effect] + list(effect.get("units", ())):
        owner, _, rest = name.partition(".")
        if rest and rest.rstrip("0123456789") not in state.side(owner).things.summons:
            return Rejection("bad_value", f"Player {owner} has no summon called {rest.rstrip('0123456789')}.")
    return None


_KINDS: Final = {"summon": "summons", "token": "tokens", "tile": "tiles"}


def perform(story: Story, effect: Effect, context: Context) -> Failure | None:
    """The effect, if it can happen now; else nothing has changed, and why."""
    told = meant(effect, context)
    if isinstance(told, Failure):
        return told
    return _TOOLS[effect["do"]](story, told, context)


def fail(story: Story, effect: Effect, failure: Failure) -> None:
    """It is skipped, and that is a result like any other."""
    story.tell("failed", effect=dict(effect), code=failure.code, text=failure.text, cells=list(failure.cells))


def go_on(story: Story, finish: Callable[[Story, Due], None], own: int | None = None) -> Rejection | None:
    """What is due happens, as far as it needs nobody. `own`: the item whose lines this very command told."""
    while story.state.over is None and story.state.due:
        item = story.state.due[0]
        if item.lines is None:
            return None
        if not item.lines:
            finish(story, item)
            continue
        if item.id != own:
            if story.by_themselves >= MOST_BY_ITSELF:
                return None
            story.by_themselves += 1
        line, *rest = item.lines
        context = context_of(story.state, item)
        story.tell("due_begun", item=item.id, effects=rest)
        failure = perform(story, line, context)
        if failure is not None:
            if failure.never and item.id == own:
                return failure.rejection()
            fail(story, line, failure)
    return None


def _progress(story: Story, effect: Effect, context: Context) -> Failure | None:
    if "skip" in effect:
        return Failure("not_now", "Nothing is progressed.", slip=True)
    return masterpiece.progress(story, effect)


def _target(story: Story, effect: Effect, context: Context) -> Failure | None:
    zone = effect["zone"]
    if not story.state.field.holds(zone):
        return Failure("off_board", f"{zone} lies off the board, where nothing is targeted.", (zone,))
    return _aim(story, effect, context, zone=zone)


def _direction(story: Story, effect: Effect, context: Context) -> Failure | None:
    return _aim(story, effect, context, direction=effect["direction"])


def _aim(story: Story, effect: Effect, context: Context, **told: str) -> Failure | None:
    slot = effect.get("slot", context.slot)
    if story.state.card(slot) is None:
        where = "that slot" if slot is None else f"slot {slot}"
        return Failure(
            "empty_cell", f"There is no card in {where}.", () if slot is None else (f"slot{slot}",), slip=True
        )
    story.tell("aimed", slot=slot, **told)
    return None


def _other(story: Story, effect: Effect, context: Context) -> Failure | None:
    story.tell("other", text=effect["text"])
    return None


_TOOLS: Final[Mapping[str, Tool]] = {
    "move": moving.move,
    "jump": moving.jump,
    "swap": moving.swap,
    "summon": moving.summon,
    "remove": moving.remove,
    "damage": harming.damage,
    "block": tokens.block,
    "token": tokens.token,
    "tile": tokens.tile,
    "exhaust": moving.exhaust,
    "refresh": moving.refresh,
    "draw": harming.draw,
    "discard": harming.discard,
    "progress": _progress,
    "rearrange": lambda story, effect, context: masterpiece.rearrange(story, effect),
    "ascend": lambda story, effect, context: masterpiece.ascend(story, effect),
    "descend": lambda story, effect, context: masterpiece.descend(story, effect),
    "target": _target,
    "direction": _direction,
    "lose": harming.lose,
    "other": _other,
}
