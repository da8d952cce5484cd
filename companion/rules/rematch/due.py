"""One thing that an attack, a turn or a marker asks for and that has not happened yet.

The rulebook lets an attack resolve from top to bottom (Resolving an Attack): what is due is a list, and only its first
item can be done. This module knows no `State`; `listing` fills the list and `resolving` works it off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

PARTS: Final = ("start", "prediction", "kicker", "attack", "card", "end")
"""Where an item belongs: the start of the turn, at once when touched, the attack and its kicker, after it, the end."""


@dataclass(frozen=True, slots=True)
class Due:
    """`effect`: JSON of `fighters.Effect`, or `kicker` (a whole kicker whose time or use is to be said), or `reminder`.

    `player`: whose effect it is, and who decides. `agreed`: its condition holds, or it is wanted. `counted`: the X that
    was told. `destroyed`: marbles of it so far.
    """

    id: int
    part: str
    player: str
    effect: Mapping[str, Any]
    agreed: bool = False
    counted: int | None = None
    destroyed: int = 0

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "part": self.part,
            "player": self.player,
            "effect": dict(self.effect),
            "agreed": self.agreed,
            "counted": self.counted,
            "destroyed": self.destroyed,
        }


def due_of(data: Mapping[str, Any]) -> Due:
    """The item of `Due.to_json`."""
    return Due(**data)


def after_attack(items: Sequence[Due]) -> int:
    """The index behind the last item of the attack itself; behind what comes at once when there is none."""
    places = [at for at, item in enumerate(items) if item.part in ("start", "prediction", "attack")]
    return places[-1] + 1 if places else 0


def before_end(items: Sequence[Due]) -> int:
    """The index of the first item of the turn's end."""
    return next((at for at, item in enumerate(items) if item.part == "end"), len(items))


def after_predictions(items: Sequence[Due]) -> int:
    """The index of the first item that is not due at once."""
    return next((at for at, item in enumerate(items) if item.part != "prediction"), len(items))
