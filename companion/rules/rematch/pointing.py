"""Commands that point at something by its number: what they mean where an older command was amended.

Works on the state's JSON: `marker` takes off one of `markers`, `resolve` does one of `due`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple


class _Pointer(NamedTuple):
    """`field` of the command holds the number; `among`: the state's list; `keys`: what makes a thing that thing."""

    field: str
    among: str
    keys: tuple[str, ...]


_POINTERS: Final = {
    "marker": _Pointer("remove", "markers", ("name", "owner", "place")),
    "resolve": _Pointer("item", "due", ("part", "player", "effect")),
}

Json = Mapping[str, Any]


def points(command: Json) -> bool:
    pointer = _POINTERS.get(command["do"])
    return pointer is not None and pointer.field in command


def meant(state: Json, command: Json) -> dict[str, Any] | None:
    """The thing, and which of those that look alike; None: it is not there. `command` is one that points."""
    pointer = _POINTERS[command["do"]]
    things = state.get(pointer.among, ())
    for at, thing in enumerate(things):
        if thing["id"] == command[pointer.field]:
            look = _look(thing, pointer)
            return {"thing": look, "nth": sum(_look(other, pointer) == look for other in things[:at])}
    return None


def pointed(state: Json, command: Json, meaning: Json) -> dict[str, Any] | None:
    """The command at the thing that it meant; None: that is not there."""
    pointer = _POINTERS[command["do"]]
    alike = [thing["id"] for thing in state.get(pointer.among, ()) if _look(thing, pointer) == meaning["thing"]]
    nth = meaning["nth"]
    return {**command, pointer.field: alike[nth]} if nth < len(alike) else None


def _look(thing: Json, pointer: _Pointer) -> dict[str, Any]:
    return {key: thing.get(key) for key in pointer.keys}
