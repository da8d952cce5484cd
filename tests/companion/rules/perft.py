"""`moves` and `judge` beside the brute force, one tray after the other, counted like python-chess counts nodes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import pairwise, product
from typing import Final

from companion.rules.rematch.chains import Clear, judge, moves
from companion.rules.rematch.tray import CELLS, Tray
from tests.companion.rules.brute import legal_clears

BROKEN: Final = ("", "R", "Y", "B", "RY", "RB", "YB", "RYB")
CASES_A_TRAY: Final = 4
"""How many sets of cells `judge` is asked about on each tray of a sample."""


def colourings(player: str) -> Iterator[str]:
    """All 3^10 trays that differ in the player's ten cells."""
    for colours in product("RYB", repeat=10):
        near, far = "".join(colours[:5]), "".join(colours[5:])
        yield f"{near}/{far}/YYYYY" if player == "A" else f"YYYYY/{near}/{far}"


def clears_of(tray: str, player: str, broken: str, detours: bool = True) -> int:
    """How many legal clears both find. Asserts that they are the same ones."""
    expected = legal_clears(tray, player, broken)
    if not detours:
        expected = shortest(expected, tray)
    found = moves(Tray.parse(tray), player, broken, detours)
    assert {frozenset(clear.cells): clear.attack for clear in found} == expected, (tray, player, broken, detours)
    assert len(found) == len(expected)
    return len(expected)


def shortest(clears: Mapping[frozenset[str], str], tray: str) -> dict[frozenset[str], str]:
    """Without detours: of the clears with the same marbles of their colour those with the fewest cells."""
    own = {cells: frozenset(cell for cell in cells if letter(tray, cell) == clears[cells][0]) for cells in clears}
    return {
        cells: attack
        for cells, attack in clears.items()
        if not any(own[other] == own[cells] and len(other) < len(cells) for other in clears)
    }


def letter(tray: str, cell: str) -> str:
    return tray.split("/")["abc".index(cell[0])][int(cell[1]) - 1]


def mixed(rng: random.Random) -> str:
    """A tray with few or many colours, gaps and unknown cells."""
    letters = rng.choice(["RYB", "RYB", "RY", "RB", "RYB.", "RYB?", "RYB.?"])
    weights = [1 if letter in ".?" else rng.choice((1, 2, 5)) for letter in letters]
    return "/".join("".join(rng.choices(letters, weights, k=5)) for _ in range(3))


def sample(seed: int, trays: int) -> tuple[int, int, int]:
    """Trays drawn by chance, both players and every set of broken buttons in turn, with and without detours.

    The numbers of clears that were compared, of sets of cells that were judged, and of these that were legal.
    """
    rng = random.Random(seed)
    clears = judged = legal = 0
    for number in range(trays):
        tray, player, broken = mixed(rng), "AB"[number % 2], BROKEN[number // 2 % len(BROKEN)]
        detours = bool(number // (2 * len(BROKEN)) % 2)
        clears += clears_of(tray, player, broken, detours)
        expected = legal_clears(tray, player, broken)
        if not detours:
            expected = shortest(expected, tray)
        for cells in cell_sets(rng, sorted(map(sorted, expected))):
            judged += 1
            attack = expected.get(frozenset(cells))
            verdict = judge(Tray.parse(tray), player, cells, broken, None, detours)
            case = (tray, player, cells, broken, detours)
            assert verdict.legal == (attack is not None) == (not verdict.reasons), case
            if attack is not None:
                legal += 1
                assert verdict.attack == attack, case
                check_chain(Clear(attack, tuple(cells), verdict.chain, verdict.heals), tray, broken)
                named = judge(Tray.parse(tray), player, cells, broken, "R1" if attack != "R1" else "B4", detours)
                assert [reason.code for reason in named.reasons] == ["wrong_attack"], case
    return clears, judged, legal


def cell_sets(rng: random.Random, legal: list[list[str]]) -> Iterator[list[str]]:
    """Any cells, a walk over neighbours, a legal clear, and one with a cell more or fewer."""
    yield rng.sample(CELLS, rng.randint(1, 6))
    walk = [rng.choice(CELLS)]
    for _ in range(rng.randint(0, 5)):
        lane, row = "abc".index(walk[-1][0]), int(walk[-1][1])
        near = [(lane - 1, row), (lane + 1, row), (lane, row - 1), (lane, row + 1)]
        steps = [f"{'abc'[x]}{y}" for x, y in near if 0 <= x <= 2 and 1 <= y <= 5]
        walk.append(rng.choice(steps))
    yield list(dict.fromkeys(walk))
    if legal:
        cells = list(rng.choice(legal))
        rng.shuffle(cells)
        yield cells
        changed = sorted({*cells} ^ {rng.choice(CELLS)})
        if changed:
            yield changed


def check_chain(clear: Clear, tray: str, broken: str) -> None:
    """A line through all its cells once, from the attack's colour to the attack's colour; 2 HP for each bridge."""
    chain = clear.chain
    assert sorted(chain) == sorted(clear.cells)
    for here, there in pairwise(chain):
        assert abs(ord(here[0]) - ord(there[0])) + abs(int(here[1]) - int(there[1])) == 1, chain
    letters = [letter(tray, cell) for cell in chain]
    assert letters[0] == letters[-1] == clear.attack[0]
    assert f"{clear.attack[0]}{letters.count(clear.attack[0])}" == clear.attack
    bridges = {colour: 2 * letters.count(colour) for colour in broken if colour in letters}
    assert dict(clear.heals) == bridges
