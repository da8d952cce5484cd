"""Everything that is known, as one frozen value (its JSON: `state_json`)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from companion.rules.reactions.entries import ACTIONS, ENTRIES, Entry
from companion.rules.reactions.switches import Rules

Square = tuple[int, int]
"""Column and row, from 1."""

MOST_CHARACTERS: Final = 40
LOGGED: Final = 200
"""Reactions that the log of reactions keeps."""


@dataclass(frozen=True, slots=True)
class Grid:
    columns: int
    rows: int

    def holds(self, square: Square) -> bool:
        return 1 <= square[0] <= self.columns and 1 <= square[1] <= self.rows


@dataclass(frozen=True, slots=True)
class Character:
    """`at`: None without a grid, or beside it; `range`: None as in the rules; `reacted`: its reaction is used."""

    id: str
    at: Square | None = None
    range: int | None = None
    disabled: bool = False
    reacted: bool = False


@dataclass(frozen=True, slots=True)
class Relation:
    """Set by hand: whether `who` is adjacent to `to`, and whether `who` can attack `to` from where it stands."""

    who: str
    to: str
    adjacent: bool | None = None
    in_range: bool | None = None


@dataclass(frozen=True, slots=True)
class Reaction:
    """One that was made. `against`: the active character whom an attack is for."""

    turn: int
    entry: str
    part: str
    character: str
    action: str
    against: str | None = None
    moment: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One part that is about to happen. `path`: the squares that are left, in order, then the last one that is entered.

    `leaves`: without a grid, whose adjacent squares are left, in order; `moment`: what of that has begun already.
    """

    part: str
    by: str
    target: str | None = None
    path: tuple[Square, ...] = ()
    leaves: tuple[str, ...] = ()
    moment: int = 0
    reactions: tuple[Reaction, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """`active`: one or several; `actions`: the pair in the order as named, which each of them does.

    `done`: parts with their outcome and who did them.
    """

    number: int
    active: tuple[str, ...]
    actions: tuple[str, ...]
    key: str
    done: tuple[tuple[str, str, str], ...] = ()

    @property
    def entry(self) -> Entry:
        return ENTRIES[self.key]

    def times(self, part: str) -> int:
        """How often each active character does it: a double action is one part of the sheet, done one by one."""
        return sum(ACTIONS.get(action, action) == part for action in self.actions)

    def left(self, name: str) -> tuple[str, ...]:
        """The parts that this active character may still announce."""
        did = [part for part, _, by in self.done if by == name]
        return tuple(part.name for part in self.entry.parts if did.count(part.name) < self.times(part.name))


@dataclass(frozen=True, slots=True)
class State:
    characters: tuple[Character, ...]
    grid: Grid | None
    rules: Rules
    relations: tuple[Relation, ...] = ()
    turns: int = 0
    turn: Turn | None = None
    step: Step | None = None
    log: tuple[Reaction, ...] = field(default=())

    def character(self, name: str) -> Character | None:
        return next((one for one in self.characters if one.id == name), None)

    def standing_at(self, square: Square) -> Character | None:
        return next((one for one in self.characters if one.at == square), None)

    def with_character(self, changed: Character) -> State:
        return replace(self, characters=tuple(changed if one.id == changed.id else one for one in self.characters))
