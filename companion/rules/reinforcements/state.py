"""Everything that is known of a match, as one frozen value (its JSON: `state_json`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from companion.rules.reinforcements.cards import TOTEMS, UNKNOWN
from companion.rules.reinforcements.switches import Rules

SEATS: Final = "ABCD"
"""In the order of play: to the left."""
HAND: Final = 5
STACKS: Final = 5
REVEALS: Final = 3
"""Cards of a stack when it is revealed, and the most but in a revealed blue one."""
MOST_BLUE: Final = 4


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a stack. `card`: "?" while it lies face down; `shield`: a Mercenary on top of it."""

    card: str = UNKNOWN
    shield: str | None = None


@dataclass(frozen=True, slots=True)
class Stack:
    """`id`: such as A2, never given twice; `slots`: the bottom card first; `used`: its kingdom action of this turn."""

    id: str
    slots: tuple[Slot, ...]
    revealed: bool = False
    colour: str | None = None
    used: bool = False

    @property
    def most(self) -> int:
        return MOST_BLUE if self.revealed and self.colour == "B" else REVEALS


@dataclass(frozen=True, slots=True)
class Side:
    """`hand`: a number of cards; `given`: stacks so far; `main`: the main action of this turn is done."""

    name: str = ""
    hand: int = 0
    stacks: tuple[Stack, ...] = ()
    given: int = 0
    locked: bool = False
    out: bool = False
    main: bool = False
    drawn: bool = False

    def revealed(self, colour: str) -> tuple[Stack, ...]:
        return tuple(stack for stack in self.stacks if stack.revealed and stack.colour == colour)

    @property
    def hidden(self) -> tuple[Stack, ...]:
        return tuple(stack for stack in self.stacks if not stack.revealed)


@dataclass(frozen=True, slots=True)
class Fight:
    """A blow that is not decided: `power` left of the attacker's `cards` against the top of `target`.

    `round`: of drawing for REINFORCEMENTS, from 1.
    """

    player: str
    target: str
    cards: tuple[str, ...]
    power: int
    red: bool
    round: int = 1


@dataclass(frozen=True, slots=True)
class State:
    """`asks`: what must be answered before anything else, as plain JSON with `kind`; `fight`: a blow not yet over.

    `discard`: its cards by the known ones, `buried` the number of the others; `totems`: owner, "" in the pile, "deck"
    or "gone" in Chaos Mode.
    """

    rules: Rules
    mode: str
    sides: Mapping[str, Side]
    turn: str
    turn_number: int = 1
    deck: int = 0
    discard: tuple[str, ...] = ()
    buried: int = 0
    totems: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(TOTEMS, ""))
    asks: tuple[Mapping[str, Any], ...] = ()
    fight: Fight | None = None
    defends: int = 0
    over: Mapping[str, Any] | None = None

    @property
    def chaos(self) -> bool:
        return self.mode == "chaos"

    @property
    def playing(self) -> tuple[str, ...]:
        return tuple(seat for seat, side in self.sides.items() if not side.out)

    def side(self, seat: str) -> Side:
        return self.sides[seat]

    def stack(self, name: str) -> Stack | None:
        side = self.sides.get(name[:1])
        return None if side is None else next((stack for stack in side.stacks if stack.id == name), None)

    def with_side(self, seat: str, **changes: Any) -> State:
        return replace(self, sides={**self.sides, seat: replace(self.sides[seat], **changes)})

    def with_stack(self, changed: Stack) -> State:
        """The stack as it is now; away when it has no card left."""
        seat = changed.id[0]
        stacks = tuple(changed if stack.id == changed.id else stack for stack in self.sides[seat].stacks)
        return self.with_side(seat, stacks=tuple(stack for stack in stacks if stack.slots))

    def left_of(self, seat: str) -> str:
        """Who plays after this one."""
        order = self.playing_from(seat)
        return order[1] if order[0] == seat and len(order) > 1 else order[0]

    def playing_from(self, seat: str) -> tuple[str, ...]:
        """Those who play, this seat (or the next one to its left) first."""
        seats = list(self.sides)
        at = seats.index(seat)
        return tuple(one for one in seats[at:] + seats[:at] if not self.sides[one].out)

    def known(self) -> Iterator[str]:
        """Every card that lies open, and those of the discard pile."""
        yield from self.discard
        for side in self.sides.values():
            for stack in side.stacks:
                for slot in stack.slots:
                    yield slot.card
                    if slot.shield is not None:
                        yield slot.shield
        if self.fight is not None:
            yield from self.fight.cards
