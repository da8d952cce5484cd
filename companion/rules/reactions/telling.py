"""Commands and events of the reaction sheet in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.core import Event
from companion.rules.reactions.entries import ACTIONS


def named(command: Mapping[str, Any]) -> str:
    """An accepted command as a short sentence without a full stop."""
    do = str(command["do"])
    if do == "act":
        act = "acts" if len(command["active"]) == 1 else "act"
        return f"{' and '.join(command['active'])} {act}: {_actions(command['actions'])}"
    if do == "announce":
        target = f" on {command['target']}" if command.get("target") else ""
        by = f"{command['by']}: " if command.get("by") else ""
        return f"{by}{command['part']}{target}"
    if do == "react":
        word = ACTIONS.get(command["reaction"], command["reaction"])
        against = f" against {command['against']}" if command.get("against") else ""
        return f"{command['character']} reacts: {word}{against}"
    if do == "proceed":
        return "Stopped" if command.get("stopped") else "It proceeds"
    if do == "correct":
        told = ", ".join(f"{key} {value}" for key, value in command.items() if key not in ("do", "character"))
        return f"Set by hand: {command['character']} {told}"
    if do == "relate":
        return f"Set by hand: {command['who']} and {command['to']}"
    if do == "join":
        return f"{command['character']['id']} joins"
    if do == "leave":
        return f"{command['character']} leaves"
    return {"setup": "Set up", "end_turn": "The turn ends", "rules": "Other rules"}.get(do, do)


def told(events: Sequence[Event]) -> list[str]:
    """What followed from it, one sentence each."""
    out = []
    for event in events:
        if event["type"] == "acted":
            out.append(f"{event['entry']}.")
        elif event["type"] == "part_done":
            how = {"done": "happens", "stopped": "is stopped", "impossible": "does not happen"}[event["outcome"]]
            why = f": {event['why']}" if event.get("why") else ""
            out.append(f"The {event['part']} {how}{why}.")
        elif event["type"] == "moved":
            x, y = event["to"]
            out.append(f"{event['character']} moves to {x},{y}.")
    return out


def _actions(actions: Any) -> str:
    parts = list(actions) if not isinstance(actions, str) or actions in ("", *_PAIRS) else [actions]
    return ", ".join(ACTIONS.get(part, part) for part in parts)


_PAIRS = tuple(one + other for one in ACTIONS for other in ACTIONS)
