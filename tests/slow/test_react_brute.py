"""Re;ACT against a second reading of its rulebook, in full (short: tests/companion/rules/react/test_brute.py)."""

from __future__ import annotations

import pytest

from tests.companion.rules.react.test_brute import against_the_book


@pytest.mark.parametrize("first", range(10_000, 12_000, 500))
def test_both_readings_agree(first: int) -> None:
    for seed in range(first, first + 500):
        against_the_book(seed)
