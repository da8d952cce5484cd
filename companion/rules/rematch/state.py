"""Everything that is known about a match, as one frozen value (its JSON: `state_json`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from companion.rules.rematch.due import Due
from companion.rules.rematch.fighters import Board
from companion.rules.rematch.markers import Marker
from companion.rules.rematch.switches import Rules
from companion.rules.rematch.tray import COLOURS, Tray

Phase = Literal["opening", "start", "resolve", "over"]

STAGE: Final = "stage"
FULL_HP: Final = 10
REPAIR_HP: Final = 9
"""A broken button is active again from here on (rulebook: Repairing Broken Buttons)."""
CREDITS: Final = 4


def opponent(player: str) -> str:
    return "B" if player == "A" else "A"


@dataclass(frozen=True, slots=True)
class Dial:
    """A button's health dial: 0–10 HP. Broken dials hold 1–8 once the break has been paid for."""

    hp: int = FULL_HP
    broken: bool = False

    def to_json(self) -> dict[str, Any]:
        return {"hp": self.hp, "broken": self.broken}


@dataclass(frozen=True, slots=True)
class Side:
    """One player's things. `dials` in the order R, Y, B.

    `cannot_pay`: a payment failed, and the attack goes on before the loss is judged. `owed`: breaks of this attack that
    are to be paid at its end, as (button, credits); empty unless the match settles breaks there. `board`: the fighter's
    attacks, None: not on record.
    """

    dials: tuple[Dial, Dial, Dial] = (Dial(), Dial(), Dial())
    credits: int = CREDITS
    fighter: str | None = None
    skips_next: bool = False
    cannot_pay: bool = False
    owed: tuple[tuple[str, int], ...] = ()
    board: Board | None = None

    def dial(self, colour: str) -> Dial:
        return self.dials[COLOURS.index(colour)]

    def with_dials(self, dials: Mapping[str, Dial]) -> Side:
        red, yellow, blue = (dials.get(colour, self.dial(colour)) for colour in COLOURS)
        return replace(self, dials=(red, yellow, blue))

    @property
    def broken(self) -> frozenset[str]:
        return frozenset(colour for colour in COLOURS if self.dial(colour).broken)


@dataclass(frozen=True, slots=True)
class LastClear:
    """The latest clear. `cells` and `chain` are None when they are not known (a clear by taps has neither).

    `heals`: (colour, HP before the cap). `overruled`: the reasons (as JSON) that the players set aside.
    """

    player: str
    attack: str
    cells: tuple[str, ...] | None
    chain: tuple[str, ...] | None
    heals: tuple[tuple[str, int], ...]
    kicker: bool
    overruled: tuple[Mapping[str, Any], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "player": self.player,
            "attack": self.attack,
            "cells": None if self.cells is None else list(self.cells),
            "chain": None if self.chain is None else list(self.chain),
            "heals": dict(self.heals),
            "kicker": self.kicker,
            "overruled": [dict(reason) for reason in self.overruled],
        }


@dataclass(frozen=True, slots=True)
class Over:
    """`reason`: cannot_pay, both_cannot_pay or conceded."""

    winner: str
    reason: str

    def to_json(self) -> dict[str, Any]:
        return {"winner": self.winner, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class State:
    """A match. `fans`: where the red, yellow and blue fan stand (`A`, `stage`, `B`).

    `fans_at_start`: the fans of the player on turn that make a kicker due. `aside`: how many red, yellow and blue
    marbles were cleared and wait beside the tray until the turn ends. `flips`: buttons flipped this turn.
    `fans_otherwise`: what `fans_at_start` were if the match read the rulebook the other way (`fan_snapshot`).
    `markers`: in the order in which they were laid; `marker_ids`: how many there have been. `due`: what has still to
    happen, in this order; `due_ids`: the highest number that an item of it has had. `reminded`: markers that an attack
    of this turn has touched already.
    """

    rules: Rules
    first: str
    side_a: Side
    side_b: Side
    fans: tuple[str, str, str]
    turn: str
    tray: Tray
    phase: Phase = "opening"
    turn_number: int = 1
    declared: str | None = None
    fans_at_start: tuple[str, ...] = ()
    flips: int = 0
    opening_destroyed: int = 0
    aside: tuple[int, int, int] = (0, 0, 0)
    last_clear: LastClear | None = None
    over: Over | None = field(default=None)
    fans_otherwise: tuple[str, ...] = ()
    markers: tuple[Marker, ...] = ()
    marker_ids: int = 0
    due: tuple[Due, ...] = ()
    due_ids: int = 0
    left: tuple[str, ...] = ()
    reminded: tuple[int, ...] = ()

    def side(self, player: str) -> Side:
        return self.side_a if player == "A" else self.side_b

    def with_side(self, player: str, side: Side) -> State:
        return replace(self, side_a=side) if player == "A" else replace(self, side_b=side)

    def place(self, fan: str) -> str:
        return self.fans[COLOURS.index(fan)]

    def fans_at(self, place: str) -> tuple[str, ...]:
        """The fans that stand at a place, in the order R, Y, B."""
        return tuple(fan for fan in COLOURS if self.place(fan) == place)
