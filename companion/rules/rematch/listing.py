"""What becomes due: by an attack, a turn's start, markers (rulebook: Structure of a Turn; Resolving an Attack).

The order is the rulebook's: healing by short circuits is told with the clear itself and comes first; then what is due
at once, the kicker if it comes before, the attack from top to bottom, the kicker, cards that wait for the whole attack,
the end of the turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.rules.rematch.choosing import words
from companion.rules.rematch.due import Due, after_predictions, before_end
from companion.rules.rematch.fighters import UNKNOWN_ATTACK, Attack, Board, Effect, Kicker, effect_to_json
from companion.rules.rematch.markers import Reminder
from companion.rules.rematch.state import State
from companion.rules.rematch.story import Story
from companion.rules.rematch.switches import Rules

Draft = tuple[str, str, Mapping[str, Any]]
"""(part, player, effect): an item without its number."""

BY_HAND: Final = ("unknown",)
"""Effects that nobody reports as left undone: the players enter them as they happen, and need not say that they did."""


def start_turn(story: Story) -> None:
    """The start effects of the player whose turn has begun; nothing without a board that has any."""
    board = story.state.side(story.state.turn).board
    if board is not None and board.start and story.state.over is None:
        put(story, 0, _drafts("start", story.state.turn, board.start))


def after_clear(story: Story) -> None:
    """What the clear that was just told makes due. Start effects that were not entered are no longer due."""
    state = story.state
    clear = state.last_clear
    if clear is None:
        return
    board = state.side(clear.player).board
    attack = UNKNOWN_ATTACK if board is None else board.attacks[clear.attack]
    kept = tuple(item for item in state.due if item.part == "prediction")
    late = [item for item in state.due if item.part != "prediction"]
    drafts = _attack(clear.player, attack, clear.kicker, state.rules, board)
    _tell(story, (*kept, *_numbered(state, drafts)), left=left_of(state, late))


def remind(story: Story, reminders: Sequence[Reminder]) -> None:
    """Items for the markers that something touched: at once, or after the whole attack."""
    for part in ("prediction", "card"):
        drafts: list[Draft] = [
            (
                part,
                reminder.marker.owner,
                {
                    "do": "reminder",
                    "marker": reminder.marker.id,
                    "removes": reminder.removes,
                    "text": reminder.text,
                },
            )
            for reminder in reminders
            if reminder.part == part
        ]
        if drafts:
            due = story.state.due
            put(story, after_predictions(due) if part == "prediction" else before_end(due), drafts)


def put(story: Story, at: int, drafts: Sequence[Draft], instead: int = 0) -> None:
    """New items at an index of the list, `instead` of so many that stood there."""
    due = story.state.due
    _tell(story, (*due[:at], *_numbered(story.state, drafts), *due[at + instead :]))


def replace_first(story: Story, item: Due) -> None:
    """The first item, as it is after some of its questions are answered."""
    _tell(story, (item, *story.state.due[1:]))


def left_of(state: State, items: Sequence[Due]) -> list[dict[str, Any]]:
    """Items that did not happen, as they are told of; what was to be entered by hand is not among them."""
    return [{**item.to_json(), "text": words(state, item)} for item in items if item.effect["do"] not in BY_HAND]


def left_at_end(state: State) -> list[dict[str, Any]]:
    """What is undone when the turn ends, the end effects of a turn without an attack among it."""
    board = state.side(state.turn).board
    end: Sequence[Due] = ()
    if state.phase != "resolve" and board is not None:
        end = _numbered(state, _drafts("end", state.turn, board.end))
    return left_of(state, (*state.due, *end))


def _attack(player: str, attack: Attack, kicks: bool, rules: Rules, board: Board | None) -> list[Draft]:
    main = _drafts("attack", player, attack.effects)
    before, after = _kicker(player, attack.kicker if kicks else None, rules)
    end = _drafts("end", player, () if board is None else board.end)
    return [*before, *main, *after, *end]


def _kicker(player: str, kicker: Kicker | None, rules: Rules) -> tuple[list[Draft], list[Draft]]:
    """The items before and after the attack."""
    if kicker is None:
        return [], []
    plain = _drafts("kicker", player, kicker.effects)
    if kicker == Kicker():
        # nothing at all is known of it, so when it comes is no question of its own
        return [], plain
    if kicker.when in ("before", "after") and rules.kicker == "mandatory":
        return (plain, []) if kicker.when == "before" else ([], plain)
    group = {
        "do": "kicker",
        "when": kicker.when,
        "optional": rules.kicker == "optional",
        "effects": [effect_to_json(effect) for effect in kicker.effects],
    }
    asked: list[Draft] = [("kicker", player, group)]
    return ([], asked) if kicker.when == "after" else (asked, [])


def _drafts(part: str, player: str, effects: Sequence[Effect]) -> list[Draft]:
    return [(part, player, effect_to_json(effect)) for effect in effects]


def _numbered(state: State, drafts: Sequence[Draft]) -> tuple[Due, ...]:
    first = state.due_ids + 1
    return tuple(Due(first + i, part, player, effect) for i, (part, player, effect) in enumerate(drafts))


def _tell(story: Story, items: Sequence[Due], left: Sequence[Mapping[str, Any]] = ()) -> None:
    facts: dict[str, Any] = {"items": [item.to_json() for item in items]}
    if left:
        facts["left"] = list(left)
    story.tell("due_listed", **facts)
