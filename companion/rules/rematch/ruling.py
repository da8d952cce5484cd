"""The rule set changed in a match that has begun (DESIGN §9: until the first clear)."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.core import Rejection
from companion.rules.rematch.marker_form import ChangeRules
from companion.rules.rematch.story import Story, too_many


def change_rules(story: Story, command: ChangeRules) -> Rejection | None:
    """From now on these rules are played. What has been paid, healed or flipped by then stays as it is."""
    state = story.state
    if state.last_clear is not None:
        return Rejection("too_late", "The rules of a match are changed before its first clear only.")
    rules = replace(state.rules, **command.switches)
    refused = too_many(state.tray, rules)
    if refused:
        return refused
    if rules != state.rules:
        start, otherwise = state.fans_at_start, state.fans_otherwise
        if rules.fan_snapshot != state.rules.fan_snapshot:
            start, otherwise = otherwise, start
        story.tell("rules_set", rules=rules.to_json(), fans_at_start=list(start), fans_otherwise=list(otherwise))
    return None
