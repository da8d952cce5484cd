"""What a camera sees of a board against what the match says. Pure: nothing is guessed, and nothing applied.

Unseen is not gone: what is not among the lays is as the match says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from companion.rules.react.field import DIRECTIONS, PLAYERS
from companion.rules.react.markers import MARKED, Marked
from companion.rules.react.state import CARDS, State

TURNS: Final = dict(zip((0, 90, 180, 270), DIRECTIONS, strict=True))
"""A chain token's arrow, by how its marker is turned."""


@dataclass(frozen=True, slots=True)
class Lay:
    """Where a marker lies at rest. `places`: zones such as `2,3`, spaces such as `mp3`. One: there; several: in one of
    these, likeliest first; none: beside the board.

    `turn`: in degrees clockwise, 0 is away from player A; None: not known. `why`: "" or what is not sure: between,
    twice, askew, gone (it lay there, and is not seen any more).
    """

    places: tuple[str, ...]
    turn: int | None = 0
    why: str = ""

    @property
    def place(self) -> str | None:
        """None: beside the board."""
        return self.places[0] if self.places else None

    @property
    def vague(self) -> bool:
        return len(self.places) > 1 or self.why in ("between", "twice", "askew")


Lays = Mapping[int, Lay]
"""By the marker's number: all that is seen at rest."""
Bound = Mapping[int, str]
"""The summons' markers: number → unit."""


@dataclass(frozen=True, slots=True)
class Difference:
    """`kind`: unit, turn, new, token, card, damage, together or unknown."""

    kind: str
    number: int
    text: str
    cells: tuple[str, ...] = ()


def marked(number: int) -> Marked | None:
    return MARKED[number] if 0 <= number < len(MARKED) else None


def unit_of(number: int, bound: Bound) -> str | None:
    """The unit that wears the marker; None: none, or it is not known which."""
    mark = marked(number)
    if mark is None or mark.kind not in ("artist", "summon"):
        return None
    return mark.owner if mark.kind == "artist" else bound.get(number)


def name_of(number: int, bound: Bound) -> str:
    """What players call the piece."""
    mark = marked(number)
    if mark is None:
        return f"marker {number}"
    if mark.kind == "card":
        return f"{mark.owner}{mark.index}"
    return unit_of(number, bound) or mark.name


def expected(state: State, number: int, bound: Bound) -> bool:
    """Whether the match has the piece on the board."""
    mark = marked(number)
    if mark is None:
        return False
    if mark.kind == "token":
        card = state.card(mark.index)
        return card is not None and card.zone is not None
    if mark.kind == "card":
        return f"{mark.owner}{mark.index}" in state.spaces
    unit = unit_of(number, bound)
    return unit is not None and state.unit(unit) is not None


def bind(state: State, lays: Lays, before: Bound) -> dict[int, str]:
    """Which summon wears which marker, learnt from where they lie: one that lies where an unmarked summon of its owner
    stands is that one. What was learnt stays, as long as the summon is on the field.
    """
    bound = {number: unit for number, unit in before.items() if state.unit(unit) is not None}
    for number, lay in lays.items():
        mark = marked(number)
        if mark is None or mark.kind != "summon" or number in bound or lay.vague or lay.place is None:
            continue
        unit = state.unit_at(lay.place)
        if unit is not None and unit.kind and unit.owner == mark.owner and unit.id not in bound.values():
            bound[number] = unit.id
    return bound


def differences(state: State, lays: Lays, bound: Bound) -> tuple[Difference, ...]:
    """Empty: what is seen agrees with the match. Vague lays differ in any case, and say why."""
    return tuple(_differences(state, lays, bound))


def unmistaken(lays: Lays) -> dict[int, Lay]:
    """Those about which nothing is open."""
    return {number: lay for number, lay in lays.items() if not lay.vague}


def options(lay: Lay, number: int) -> tuple[Lay, ...]:
    """What a vague lay could be."""
    if lay.why == "askew":
        mark = marked(number)
        turns = tuple(TURNS) if mark is not None and mark.kind == "token" else (0, 90)
        return tuple(replace(lay, turn=turn, why="") for turn in turns)
    return tuple(replace(lay, places=(place,), why="") for place in lay.places)


def exhausted(lay: Lay) -> bool | None:
    """A unit's tile is turned by 90 degrees; its owner may sit on either side. None: not known."""
    return None if lay.turn is None else lay.turn in (90, 270)


def _differences(state: State, lays: Lays, bound: Bound) -> Iterator[Difference]:
    taken: dict[str, int] = {}
    for number, lay in sorted(lays.items()):
        if lay.vague:
            yield _vague(number, lay, bound)
            continue
        mark, place = marked(number), lay.place
        if mark is None:
            if place is not None:
                yield Difference("unknown", number, f"A marker of no piece ({number}) is seen in {place}", (place,))
            continue
        yield from {"token": _token, "card": _card}.get(mark.kind, _unit)(state, number, mark, lay, bound)
        if place is None or mark.kind == "token":
            continue
        if place in taken:
            both = f"{name_of(taken[place], bound)} and {name_of(number, bound)}"
            yield Difference("together", number, f"{both} are both seen in {place}", (place,))
        taken[place] = number
    yield from _damage(state, lays)


def _vague(number: int, lay: Lay, bound: Bound) -> Difference:
    name, places = name_of(number, bound), " and ".join(lay.places)
    text = {
        "between": f"{name} lies between {places}" if len(lay.places) > 1 else f"{name} lies over the edge of {places}",
        "twice": f"The marker of {name} is seen more than once: {places or 'beside the board'}",
        "askew": f"{name} in {places} is half turned",
    }.get(lay.why, f"{name} may lie in {places}")
    return Difference("vague", number, text, lay.places)


def _unit(state: State, number: int, mark: Marked, lay: Lay, bound: Bound) -> Iterator[Difference]:
    name, place = unit_of(number, bound), lay.place
    unit = None if name is None else state.unit(name)
    if unit is None:
        if place is not None:
            text = f"{mark.name} is seen in {place}, where the match has no such unit"
            yield Difference("new", number, text, (place,))
        return
    if place is None:
        how = "is not seen any more" if lay.why == "gone" else "is seen beside the field"
        yield Difference("unit", number, f"{unit.id} {how}; the match has it in {unit.zone}", (unit.zone,))
        return
    if place != unit.zone:
        text = f"{unit.id} is seen in {place}; the match has it in {unit.zone}"
        yield Difference("unit", number, text, (place, unit.zone))
    tired = exhausted(lay)
    if tired is not None and tired != unit.exhausted:
        how, other = ("exhausted", "refreshed") if tired else ("refreshed", "exhausted")
        yield Difference("turn", number, f"{unit.id} lies {how}; the match has it {other}", (place,))


def _token(state: State, number: int, mark: Marked, lay: Lay, bound: Bound) -> Iterator[Difference]:
    card, place = state.card(mark.index), lay.place
    if place is None:
        if card is not None and card.zone is not None:
            text = f"Token {mark.index} is seen beside the field; the match has it in {card.zone}"
            yield Difference("token", number, text, (card.zone,))
        return
    if card is None:
        text = f"Token {mark.index} is seen in {place}, and no card {mark.index} is on the React Chain"
        yield Difference("token", number, text, (place,))
    elif card.zone != place:
        where = "on no zone" if card.zone is None else f"in {card.zone}"
        yield Difference("token", number, f"Token {mark.index} is seen in {place}; the match has it {where}", (place,))
    elif card.direction is not None and lay.turn is not None and TURNS[lay.turn] != card.direction:
        text = f"Token {mark.index} points {TURNS[lay.turn]}; the match has it pointing {card.direction}"
        yield Difference("token", number, text, (place,))


def _card(state: State, number: int, mark: Marked, lay: Lay, bound: Bound) -> Iterator[Difference]:
    name, place = f"{mark.owner}{mark.index}", lay.place
    space = f"mp{state.spaces.index(name) + 1}" if name in state.spaces else None
    if place != space:
        cells = tuple(cell for cell in (place, space) if cell is not None)
        seen, has = (_space(cell) for cell in (place, space))
        yield Difference("card", number, f"{name} is seen {seen}; the match has it {has}", cells)


def _space(cell: str | None) -> str:
    if cell is None:
        return "beside the board"
    return f"in space {cell[2:]}" if cell.startswith("mp") else f"in {cell}"


def faces(lays: Lays, player: str) -> tuple[int, int]:
    """How many of the player's Masterpiece cards are seen face down, and face up."""
    seen: dict[int, bool] = {}
    for number in lays:
        mark = marked(number)
        if mark is not None and mark.kind == "card" and mark.owner == player:
            seen[mark.index] = mark.back
    return sum(seen.values()), len(seen) - sum(seen.values())


def damage_seen(state: State, lays: Lays, player: str) -> int | None:
    """The damage that the cards in view show, where it is not the match's; which card is turned over means nothing."""
    down, up = faces(lays, player)
    damage = state.side(player).damage
    return down if down > damage else len(CARDS) - up if len(CARDS) - up < damage else None


def _damage(state: State, lays: Lays) -> Iterator[Difference]:
    for player in PLAYERS:
        seen = damage_seen(state, lays, player)
        if seen is not None:
            text = f"The cards of {player} show {seen} damage; the match has {state.side(player).damage}"
            yield Difference("damage", -1, text)
