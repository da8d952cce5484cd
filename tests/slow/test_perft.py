"""All 3^10 colourings of a player's ten cells with any broken buttons, and a large sample of everything else.

`moves` and `judge` against the brute force. Five minutes as a test; `python -m tests.slow.test_perft` prints figures.
"""

from __future__ import annotations

import time

import pytest

from tests.companion.rules.perft import BROKEN, clears_of, colourings, sample

CASES = [(player, broken) for broken in BROKEN for player in "AB"]
TRAYS = 60_000


def every(player: str, broken: str) -> tuple[int, int]:
    """How many trays were compared, how many clears they have."""
    counts = [clears_of(tray, player, broken) for tray in colourings(player)]
    return len(counts), sum(counts)


@pytest.mark.parametrize(("player", "broken"), CASES)
def test_every_colouring(player: str, broken: str) -> None:
    assert every(player, broken)[0] == 3**10


def test_a_large_sample() -> None:
    assert sample(2026, TRAYS)[0] > 100_000


def main() -> None:
    for player, broken in CASES:
        began = time.perf_counter()
        trays, clears = every(player, broken)
        print(f"{player} broken {broken or '-':3} {trays:>7} trays {clears:>9} clears", end=" ")
        print(f"{time.perf_counter() - began:7.1f} s", flush=True)
    began = time.perf_counter()
    clears, judged, legal = sample(2026, TRAYS)
    print(f"sample of {TRAYS} trays: {clears} clears, {judged} sets judged, {legal} of them legal", end=" ")
    print(f"{time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    main()
