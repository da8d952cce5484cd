"""Counts of legal clears: the all-red tray and a small sample; all colourings are in tests/slow/test_perft.py."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.rules.rematch.chains import moves
from companion.rules.rematch.tray import Tray
from tests.companion.rules.perft import clears_of, sample


@pytest.mark.parametrize("player", ["A", "B"])
@pytest.mark.parametrize("detours", [True, False])
def test_all_red(player: str, detours: bool) -> None:
    found = moves(Tray.parse("RRRRR/RRRRR/RRRRR"), player, "", detours)
    assert Counter(clear.attack for clear in found) == {"R1": 10, "R2": 13, "R4": 26}


@pytest.mark.parametrize(
    ("broken", "detours", "counts"),
    [
        ("", True, (11, 10)), ("R", True, (10, 12)), ("Y", True, (10, 11)), ("B", True, (10, 9)),
        ("RY", True, (15, 19)), ("RB", True, (15, 26)), ("YB", True, (26, 10)), ("RYB", True, (0, 0)),
        ("RY", False, (9, 9)), ("RB", False, (9, 20)), ("YB", False, (15, 8)),
    ],
)  # fmt: skip
def test_a_checkered_tray(broken: str, detours: bool, counts: tuple[int, int]) -> None:
    """Each marble beside one of another colour: what bridges can do."""
    assert tuple(clears_of("RYRBR/YBRYB/BRYRY", player, broken, detours) for player in "AB") == counts


def test_a_sample() -> None:
    clears, judged, legal = sample(1, 640)
    assert clears > 8000
    assert judged > 2000
    assert 400 < legal < judged
