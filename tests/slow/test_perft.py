"""All 3^10 colourings of one player's ten cells, and a large sample of everything else, against the brute force.

Some minutes as a test; `python -m tests.slow.test_perft` prints the figures.
"""

from __future__ import annotations

import time

import pytest

from tests.companion.rules.perft import clears_of, colourings, sample

WHOLE = [("A", ""), ("B", "")]
"""Player and broken buttons for which every colouring is tried."""
STEP = 5
"""With bridges the brute force is slow: every fifth colouring, 5 and 3 having no common factor."""
BRIDGED = [("A", "B"), ("B", "R"), ("A", "RY"), ("B", "YB")]
TRAYS = 60_000


def every(player: str, broken: str, step: int) -> tuple[int, int]:
    """How many trays were compared, how many clears they have."""
    counts = [clears_of(tray, player, broken) for number, tray in enumerate(colourings(player)) if number % step == 0]
    return len(counts), sum(counts)


@pytest.mark.parametrize(("player", "broken"), WHOLE)
def test_every_colouring(player: str, broken: str) -> None:
    assert every(player, broken, 1)[0] == 3**10


@pytest.mark.parametrize(("player", "broken"), BRIDGED)
def test_every_fifth_colouring_with_bridges(player: str, broken: str) -> None:
    assert every(player, broken, STEP)[0] == -(-(3**10) // STEP)


def test_a_large_sample() -> None:
    assert sample(2026, TRAYS)[0] > 100_000


def main() -> None:
    for player, broken in WHOLE + BRIDGED:
        began = time.perf_counter()
        trays, clears = every(player, broken, STEP if broken else 1)
        print(f"{player} broken {broken or '-':3} {trays:>7} trays {clears:>9} clears", end=" ")
        print(f"{time.perf_counter() - began:7.1f} s", flush=True)
    began = time.perf_counter()
    clears, judged, legal = sample(2026, TRAYS)
    print(f"sample of {TRAYS} trays: {clears} clears, {judged} sets judged, {legal} of them legal", end=" ")
    print(f"{time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    main()
