"""Which sets of marbles are one legal clear, and why the others are not (DESIGN §2, §6, §8).

A chain is a line through all marbles of a clear, each next to the one before, none passed twice, beginning and ending
on the attack's colour (rulebook: Making an Attack; Rules for using Short Circuit Marbles). It is judged on the tray as
it lay when the first marble was touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import Any, Final

from companion.rules.core import Reason
from companion.rules.rematch.tray import (
    CELLS,
    COLOUR_NAMES,
    COLOURS,
    EMPTY,
    INDEX,
    LANES,
    PLAYERS,
    REACH,
    ROWS,
    UNKNOWN,
    Tray,
    check_cell,
)

SIZES: Final = (1, 2, 4)
"""How many marbles of its colour an attack takes."""
ATTACKS: Final = tuple(f"{colour}{size}" for colour in COLOURS for size in SIZES)
HP_PER_SHORT_CIRCUIT: Final = 2


@dataclass(frozen=True, slots=True)
class Clear:
    """One legal clear. `cells` in the order of the tray, `chain` as drawn, `heals` = HP by colour before the cap."""

    attack: str
    cells: tuple[str, ...]
    chain: tuple[str, ...]
    heals: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        return {
            "attack": self.attack,
            "cells": list(self.cells),
            "chain": list(self.chain),
            "heals": dict(self.heals),
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether some cells are one legal clear. `chain` and `heals` are empty when they are not; `reasons` when they are.

    `attack`: of an illegal clear the one that was named, else the one it would have been, else None.
    """

    legal: bool
    attack: str | None
    chain: tuple[str, ...] = ()
    heals: Mapping[str, int] = field(default_factory=dict)
    reasons: tuple[Reason, ...] = ()


def attack_name(attack: str) -> str:
    """`R2` as people say it: Red-2."""
    return f"{COLOUR_NAMES[attack[0]]}-{attack[1]}"


def check_attack(attack: str) -> str:
    """The attack itself; ValueError when there is none of that name."""
    if attack not in ATTACKS:
        raise ValueError(f"there is no attack {attack!r}: attacks are R1 R2 R4 Y1 Y2 Y4 B1 B2 B4")
    return attack


def check_player(player: str) -> str:
    """The player itself; ValueError when it is neither A nor B."""
    if len(player) != 1 or player not in PLAYERS:
        raise ValueError(f"there is no player {player!r}: players are A and B")
    return player


def check_broken(broken: Collection[str]) -> frozenset[str]:
    """The broken colours as a set; ValueError when one of them is no colour."""
    for colour in broken:
        if len(colour) != 1 or colour not in COLOURS:
            raise ValueError(f"there is no button {colour!r}: buttons are R, Y, B")
    return frozenset(broken)


# --- paths -----------------------------------------------------------------------------------------------------------
# A set of cells is a mask of 15 bits in the order of CELLS. An end pair is a mask too: one or two bits.


def _neighbours(number: int) -> int:
    lane, row = divmod(number, ROWS)
    mask = 0
    if lane > 0:
        mask |= 1 << (number - ROWS)
    if lane < len(LANES) - 1:
        mask |= 1 << (number + ROWS)
    if row > 0:
        mask |= 1 << (number - 1)
    if row < ROWS - 1:
        mask |= 1 << (number + 1)
    return mask


NEIGHBOURS: Final = tuple(_neighbours(number) for number in range(len(CELLS)))


def mask_of(cells: Iterable[str]) -> int:
    mask = 0
    for cell in cells:
        mask |= 1 << INDEX[cell]
    return mask


def cells_of(mask: int) -> tuple[str, ...]:
    return tuple(CELLS[number] for number in _bits(mask))


def _bits(mask: int) -> list[int]:
    numbers = []
    while mask:
        low = mask & -mask
        numbers.append(low.bit_length() - 1)
        mask ^= low
    return numbers


_Path = tuple[str, ...]
_Lines = tuple[tuple[int, _Path], ...]
_Table = tuple[tuple[int, _Path, _Lines], ...]
"""Sets of cells that have a path: the mask, the cells, the lines; in the order of their cells."""


@lru_cache(maxsize=1 << 12)
def _lines(mask: int) -> _Lines:
    """One path through all cells of the set for each pair of ends that has one; empty when there is no path."""
    found: dict[int, _Path] = {}
    path: list[int] = []

    def walk(number: int, left: int) -> None:
        path.append(number)
        if not left:
            found.setdefault((1 << path[0]) | (1 << number), tuple(CELLS[step] for step in path))
        for step in _bits(NEIGHBOURS[number] & left):
            walk(step, left & ~(1 << step))
        path.pop()

    for start in _bits(mask):
        walk(start, mask & ~(1 << start))
    return tuple(found.items())


@lru_cache(maxsize=2)
def _reachable_lines(player: str) -> _Table:
    """Every set of cells in the player's two lanes that has a path, with its lines. Known once, for all trays."""
    reach = reach_mask(player)
    masks: set[int] = set()

    def walk(number: int, mask: int) -> None:
        masks.add(mask)
        for step in _bits(NEIGHBOURS[number] & reach & ~mask):
            walk(step, mask | (1 << step))

    for start in _bits(reach):
        walk(start, 1 << start)
    return tuple((mask, cells_of(mask), _lines(mask)) for mask in sorted(masks, key=_bits))


@lru_cache(maxsize=2)
def _lines_without_bridges(player: str) -> _Table:
    return tuple(entry for entry in _reachable_lines(player) if len(entry[1]) in SIZES)


def prepare() -> None:
    """Work out now what is the same for all trays: the first question about a clear shall not wait for it."""
    for player in REACH:
        _lines_without_bridges(player)


@lru_cache(maxsize=2)
def reach_mask(player: str) -> int:
    """The ten cells a player may clear from."""
    return mask_of(cell for cell in CELLS if cell[0] in REACH[player])


def _colour_masks(tray: Tray) -> dict[str, int]:
    masks = dict.fromkeys(COLOURS, 0)
    bit = 1
    for lane in tray.lanes:
        for letter in lane:
            if letter in masks:
                masks[letter] |= bit
            bit <<= 1
    return masks


def _heals(mask: int, colour: str, broken: Collection[str], colours: Mapping[str, int]) -> dict[str, int]:
    heals = {}
    for other in COLOURS:
        if other != colour and other in broken and mask & colours[other]:
            heals[other] = HP_PER_SHORT_CIRCUIT * (mask & colours[other]).bit_count()
    return heals


# --- all legal clears ------------------------------------------------------------------------------------------------


def moves(tray: Tray, player: str, broken: Collection[str], detours: bool = True) -> tuple[Clear, ...]:
    """Every legal clear, one for each distinct set of cells, by attack and then by cells.

    `detours` False: of the sets with the same marbles of the attack's colour only those with the fewest short circuits.
    ValueError when there is no such player or button.
    """
    broken = check_broken(broken)
    reach = reach_mask(check_player(player))
    colours = _colour_masks(tray)
    bridges = 0
    for colour in broken:
        bridges |= colours[colour]
    bridges &= reach
    clears: list[Clear] = []
    table = _reachable_lines(player) if bridges else _lines_without_bridges(player)
    for colour in COLOURS:
        own = colours[colour] & reach
        if colour in broken or not own:
            continue
        outside = ~(own | bridges)
        hits: list[_Hit] = []
        for mask, cells, lines in table:
            if mask & outside:
                continue
            size = (mask & own).bit_count()
            if size not in SIZES:
                continue
            for ends, path in lines:
                if ends & own == ends:
                    hits.append((size, mask, cells, path))
                    break
        if not detours:
            hits = _without_detours(hits, own)
        hits.sort(key=itemgetter(0))  # stable: within an attack they stay in the table's order
        for size, mask, cells, path in hits:
            heals = _heals(mask, colour, broken, colours) if mask & bridges else {}
            clears.append(Clear(f"{colour}{size}", cells, path, heals))
    return tuple(clears)


_Hit = tuple[int, int, _Path, _Path]
"""A set of cells that is a clear: marbles of its colour, mask, cells, chain."""


def _without_detours(hits: list[_Hit], own: int) -> list[_Hit]:
    fewest: dict[int, int] = {}
    for _, mask, cells, _ in hits:
        fewest[mask & own] = min(fewest.get(mask & own, len(cells)), len(cells))
    return [hit for hit in hits if len(hit[2]) == fewest[hit[1] & own]]


# --- one set of cells ------------------------------------------------------------------------------------------------


def judge(
    tray: Tray,
    player: str,
    cells: Sequence[str],
    broken: Collection[str],
    attack: str | None = None,
    detours: bool = True,
) -> Verdict:
    """Whether `cells` are one legal clear of `player`, whose broken colours are `broken`.

    `attack`: the attack that was named or declared. A legal chain keeps the order in which the cells were given when
    that is itself a chain. All reasons of DESIGN §8 that apply are reported. ValueError (one sentence) when there is no
    such player, cell, button or attack, or when `cells` is empty.
    """
    broken = check_broken(broken)
    check_player(player)
    if attack is not None:
        check_attack(attack)
    if not cells:
        raise ValueError("no cells are named")
    for cell in cells:
        check_cell(cell)
    distinct = tuple(dict.fromkeys(cells))
    repeated = tuple(cell for cell, times in Counter(cells).items() if times > 1)

    clear = None if repeated else _legal(tray, player, distinct, broken)
    if clear is not None:
        wrong = _wrong_attack(clear, attack) + (() if detours else _detour(tray, player, clear, broken))
        if not wrong:
            return Verdict(True, clear.attack, clear.chain, clear.heals)
        return Verdict(False, attack or clear.attack, reasons=wrong)

    reasons: list[Reason] = []
    if repeated:
        reasons.append(Reason("repeated_cell", f"{_list(repeated)} {_is(repeated)} named more than once.", repeated))
    reasons += _where(tray, player, distinct)
    known_as, colour_reasons = _colour_reasons(tray, distinct, broken, attack)
    return Verdict(False, attack or known_as, reasons=tuple(reasons + colour_reasons))


def _legal(tray: Tray, player: str, cells: tuple[str, ...], broken: frozenset[str]) -> Clear | None:
    """The clear that distinct cells make, whatever was named; None when they make none."""
    letters = [tray.at(cell) for cell in cells]
    active = {letter for letter in letters if letter not in broken}
    if len(active) != 1:
        return None
    (colour,) = active
    size = letters.count(colour)
    mask = mask_of(cells)
    if colour not in COLOURS or size not in SIZES or mask & ~reach_mask(player):
        return None
    colours = _colour_masks(tray)
    chain = _chain(cells, mask, colours[colour])
    if chain is None:
        return None
    return Clear(f"{colour}{size}", cells_of(mask), chain, _heals(mask, colour, broken, colours))


def _chain(cells: tuple[str, ...], mask: int, own: int) -> tuple[str, ...] | None:
    numbers = [INDEX[cell] for cell in cells]
    joined = all(NEIGHBOURS[here] >> there & 1 for here, there in pairwise(numbers))
    if joined and own >> numbers[0] & 1 and own >> numbers[-1] & 1:
        return cells
    for ends, path in _lines(mask):
        if ends & own == ends:
            return path
    return None


def _wrong_attack(clear: Clear, attack: str | None) -> tuple[Reason, ...]:
    if attack in (None, clear.attack):
        return ()
    text = f"These marbles are {attack_name(clear.attack)}, not {attack_name(str(attack))}."
    return (Reason("wrong_attack", text, clear.cells),)


def _detour(tray: Tray, player: str, clear: Clear, broken: frozenset[str]) -> tuple[Reason, ...]:
    own = {cell for cell in clear.cells if tray.at(cell) == clear.attack[0]}
    for other in moves(tray, player, broken, detours=False):
        if len(other.cells) < len(clear.cells) and own == {c for c in other.cells if tray.at(c) == clear.attack[0]}:
            spare = tuple(cell for cell in clear.cells if cell not in other.cells)
            text = f"The same marbles are joined by fewer short circuits: {'-'.join(other.chain)}."
            return (Reason("detour", text, spare),)
    return ()


def _where(tray: Tray, player: str, cells: tuple[str, ...]) -> list[Reason]:
    """Reasons that need no colour."""
    reasons = []
    empty = tuple(cell for cell in cells if tray.at(cell) == EMPTY)
    if empty:
        reasons.append(Reason("empty_cell", f"There is no marble in {_list(empty)}.", empty))
    unknown = tuple(cell for cell in cells if tray.at(cell) == UNKNOWN)
    if unknown:
        reasons.append(Reason("unknown_cell", f"The colour of {_list(unknown)} is not known.", unknown))
    far = tuple(cell for cell in cells if cell[0] not in REACH[player])
    if far:
        lanes = " and ".join(REACH[player])
        reasons.append(
            Reason(
                "out_of_reach", f"{_list(far)} {_is(far)} out of reach: player {player} clears from lanes {lanes}.", far
            )
        )
    return reasons


def _colour_reasons(
    tray: Tray, cells: tuple[str, ...], broken: frozenset[str], attack: str | None
) -> tuple[str | None, list[Reason]]:
    """Reasons that hang on the attack's colour, and the attack the cells would be.

    Where the attack's colour is open, a code is reported when it applies whichever colour is meant; the same goes for
    the marbles that nobody knows.
    """
    letters = {cell: tray.at(cell) for cell in cells}
    colours = _attack_colours(letters.values(), broken, attack)
    shape = [_shape(cells, letters, broken - {colour}) for colour in colours] or [_shape(cells, letters, broken)]
    reasons = []
    for test in (_mixed_colours, _broken_button, _wrong_count):
        found = [test(letters, broken, colour, attack) for colour in colours]
        if found and all(found):
            reasons.append(_merge([reason for reason in found if reason is not None]))
    codes = {reason.code if reason else None for reason in shape}
    if len(codes) == 1 and shape[0] is not None:
        reasons.append(shape[0])
    known_as = None
    if len(colours) == 1:
        size = list(letters.values()).count(colours[0])
        known_as = f"{colours[0]}{size}" if size in SIZES else None
    return known_as, reasons


def _attack_colours(letters: Collection[str], broken: frozenset[str], attack: str | None) -> list[str]:
    """The colours the attack may have been meant in."""
    if attack is not None:
        return [attack[0]]
    present = [colour for colour in COLOURS if colour in letters]
    active = [colour for colour in present if colour not in broken]
    if active:
        return active
    if UNKNOWN in letters:
        hidden = [colour for colour in COLOURS if colour not in broken]
        return hidden or list(COLOURS)
    return present


def _merge(found: Sequence[Reason]) -> Reason:
    """One reason for an attack whose colour is open."""
    if len(found) == 1 or len({reason.text for reason in found}) == 1:
        return found[0]
    cells = {cell for reason in found for cell in reason.cells}
    ordered = tuple(cell for cell in CELLS if cell in cells)
    code = found[0].code
    if code == "mixed_colours":
        return Reason(code, f"{_list(ordered)} are of more than one colour.", ordered)
    if code == "wrong_count":
        return Reason(code, "An attack takes 1, 2 or 4 marbles of its colour.", ordered)
    return Reason(code, f"{_list(ordered)} are of buttons that are broken, which have no attack.", ordered)


_Letters = Mapping[str, str]
_Test = Callable[[_Letters, frozenset[str], str, "str | None"], "Reason | None"]


def _mixed_colours(letters: _Letters, broken: frozenset[str], colour: str, attack: str | None) -> Reason | None:
    # an empty cell is of no colour at all; an unknown one may be of the right one
    cells = tuple(c for c, letter in letters.items() if letter not in (colour, UNKNOWN) and letter not in broken)
    if not cells:
        return None
    return Reason(
        "mixed_colours", f"{_list(cells)} {_is(cells)} neither {COLOUR_NAMES[colour]} nor short circuit.", cells
    )


def _broken_button(letters: _Letters, broken: frozenset[str], colour: str, attack: str | None) -> Reason | None:
    if colour not in broken:
        return None
    cells = tuple(cell for cell, letter in letters.items() if letter == colour)
    name = COLOUR_NAMES[colour]
    return Reason("broken_button", f"The {name} button is broken, so there is no {name} attack.", cells)


def _wrong_count(letters: _Letters, broken: frozenset[str], colour: str, attack: str | None) -> Reason | None:
    cells = tuple(cell for cell, letter in letters.items() if letter == colour)
    unknown = sum(letter == UNKNOWN for letter in letters.values())
    wanted = SIZES if attack is None else (int(attack[1]),)
    if any(len(cells) <= size <= len(cells) + unknown for size in wanted):
        return None
    what = "an attack takes 1, 2 or 4" if attack is None else f"{attack_name(attack)} takes {attack[1]}"
    plural = "" if len(cells) == 1 else "s"
    return Reason("wrong_count", f"{len(cells)} {COLOUR_NAMES[colour]} marble{plural} where {what}.", cells)


def _shape(cells: tuple[str, ...], letters: _Letters, bridges: frozenset[str]) -> Reason | None:
    """What is wrong with the shape, whatever the colours: at most one reason."""
    mask = mask_of(cells)
    islands = _islands(mask)
    if len(islands) > 1:
        largest = max(islands, key=lambda island: (island.bit_count(), island >> INDEX[cells[0]] & 1))
        apart = tuple(cell for cell in cells if not largest >> INDEX[cell] & 1)
        verb = "does" if len(apart) == 1 else "do"
        return Reason("not_connected", f"{_list(apart)} {verb} not touch {_list(cells_of(largest))}.", apart)
    lines = _lines(mask)
    if not lines:
        forks = _forks(mask)
        text = f"The marbles branch at {_list(forks)}: no line runs through each of them once."
        return Reason("branching", text, forks)
    bad = min(
        (tuple(CELLS[n] for n in _bits(ends) if letters[CELLS[n]] in bridges) for ends, _ in lines),
        key=len,
    )
    if not bad:
        return None
    text = f"A chain cannot begin or end on a short circuit, as it does at {_list(bad)}."
    return Reason("ends_on_short_circuit", text, bad)


def _islands(mask: int) -> list[int]:
    islands = []
    while mask:
        island = mask & -mask
        while True:
            wider = island
            for number in _bits(island):
                wider |= NEIGHBOURS[number] & mask
            if wider == island:
                break
            island = wider
        islands.append(island)
        mask &= ~island
    return islands


def _forks(mask: int) -> tuple[str, ...]:
    """Where a connected set without a line branches: cells that hold 3 parts together, else those with 3 neighbours."""
    joints = [n for n in _bits(mask) if len(_islands(mask & ~(1 << n))) > 2]
    forks = joints or [n for n in _bits(mask) if (NEIGHBOURS[n] & mask).bit_count() > 2]
    return tuple(CELLS[number] for number in forks)


def _list(cells: Sequence[str]) -> str:
    if len(cells) < 2:
        return "".join(cells)
    return f"{', '.join(cells[:-1])} and {cells[-1]}"


def _is(cells: Sequence[str]) -> str:
    return "is" if len(cells) == 1 else "are"
