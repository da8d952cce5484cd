"""Everything that is known about a match, as one frozen value (its JSON: `state_json`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from companion.rules.react.artists import Effect, Things
from companion.rules.react.field import Field
from companion.rules.react.switches import Rules

Phase = Literal["start", "masterpiece", "draw", "main", "end", "over"]

SLOTS: Final = 5
"""Of the React Chain; there are as many chain tokens."""
SPACES: Final = 5
"""Of the Masterpiece Zone, numbered from player A's left."""
CARDS: Final = (1, 2, 3)
"""A player's Masterpiece cards, in the order in which they connect."""


@dataclass(frozen=True, slots=True)
class Side:
    """One player's things. `hand`, `deck`, `discard`: numbers of cards; `deck` None: the artist has none.

    `flipped`: Masterpiece cards turned over, which is the damage taken; `out`: those that left the match.
    """

    artist: str | None
    things: Things
    hand: int = 0
    deck: int | None = None
    discard: int = 0
    flipped: tuple[int, ...] = ()
    ascended: bool = False
    out: tuple[int, ...] = ()

    @property
    def damage(self) -> int:
        return len(self.flipped)


@dataclass(frozen=True, slots=True)
class Unit:
    """`id`: the player for an artist, `A.fish1` for a summon of kind `fish`."""

    id: str
    owner: str
    zone: str
    kind: str | None = None
    exhausted: bool = False
    follows: bool = False


@dataclass(frozen=True, slots=True)
class Pile:
    """Tokens of one kind and owner that lie in a zone, or on a unit, with which they move."""

    owner: str
    kind: str
    count: int
    zone: str | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Tile:
    owner: str
    kind: str
    zone: str


@dataclass(frozen=True, slots=True)
class Block:
    """`stays`: it does not go when the turn ends."""

    owner: str
    zone: str
    stays: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A card on the chain. `source`: hand, ability or other; `zone` and `direction`: of its chain token.

    `lines`: what it does, if it was told; `costs`: what was paid, as told.
    """

    slot: int
    player: str
    kind: str
    source: str
    name: str | None = None
    effect: str | None = None
    costs: tuple[Effect, ...] = ()
    zone: str | None = None
    direction: str | None = None
    lines: tuple[Effect, ...] | None = None


@dataclass(frozen=True, slots=True)
class Due:
    """Something that happens before anything else goes on. `part`: card, passive, start or end.

    `zone`, `unit`: where, and by whom it was set off. `lines`: what has still to happen; None: the players enter it.
    """

    id: int
    part: str
    player: str
    name: str
    slot: int | None = None
    zone: str | None = None
    unit: str | None = None
    lines: tuple[Effect, ...] | None = None


@dataclass(frozen=True, slots=True)
class Over:
    """`winner` None: a tie. `reason`: damage, tie, empty_deck, conceded or effect."""

    winner: str | None
    reason: str

    def to_json(self) -> dict[str, Any]:
        return {"winner": self.winner, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class State:
    """A match. `spaces`: of the Masterpiece Zone, each None or a card such as `A1`. `chain`: lowest slot first.

    `priority`: who may react or pass; `passes`: in a row; `resolving`: no card can be played any more. `due`: first is
    next. `played`: cards so far; `due_ids`: the highest number an item of `due` has had.
    """

    rules: Rules
    field: Field
    first: str
    turn: str
    side_a: Side
    side_b: Side
    units: tuple[Unit, ...]
    spaces: tuple[str | None, ...] = (None,) * SPACES
    phase: Phase = "start"
    turn_number: int = 1
    chain: tuple[Card, ...] = ()
    priority: str | None = None
    passes: int = 0
    resolving: bool = False
    piles: tuple[Pile, ...] = ()
    tiles: tuple[Tile, ...] = ()
    blocks: tuple[Block, ...] = ()
    due: tuple[Due, ...] = ()
    due_ids: int = 0
    played: int = 0
    over: Over | None = None

    def side(self, player: str) -> Side:
        return self.side_a if player == "A" else self.side_b

    def with_side(self, player: str, **changed: Any) -> State:
        side = replace(self.side(player), **changed)
        return replace(self, side_a=side) if player == "A" else replace(self, side_b=side)

    def unit(self, name: str) -> Unit | None:
        return next((unit for unit in self.units if unit.id == name), None)

    def unit_at(self, zone: str) -> Unit | None:
        return next((unit for unit in self.units if unit.zone == zone), None)

    def tile_at(self, zone: str) -> Tile | None:
        return next((tile for tile in self.tiles if tile.zone == zone), None)

    def card(self, slot: int | None) -> Card | None:
        return next((card for card in self.chain if card.slot == slot), None)

    @property
    def top(self) -> Card | None:
        """The card that resolves next, once the chain resolves."""
        return self.chain[-1] if self.chain else None

    def beside(self, player: str) -> tuple[int, ...]:
        """The player's Masterpiece cards that could be placed."""
        side = self.side(player)
        return tuple(n for n in CARDS if f"{player}{n}" not in self.spaces and n not in side.out)

    def pile(self, owner: str, kind: str, zone: str | None, unit: str | None) -> int:
        return sum(
            pile.count
            for pile in self.piles
            if (pile.owner, pile.kind, pile.zone, pile.unit) == (owner, kind, zone, unit)
        )


def with_units(state: State, units: Iterable[Unit]) -> State:
    return replace(state, units=tuple(units))
