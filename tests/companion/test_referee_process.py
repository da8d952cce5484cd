"""A few thousand random commands through the real `companion referee`; 10^5 are in tests/slow/fuzz_referee.py."""

from __future__ import annotations

import pytest

from tests.companion.referee_fuzzing import fuzz


@pytest.mark.parametrize("seed", [1, 2])
def test_random_commands(seed: int) -> None:
    told = fuzz(seed, 2500)
    assert len(told.lines) == len(told.replies) >= 2500
    for name in ("clear", "hit", "end_turn", "flip", "undo", "redo", "amend", "marker", "rules", "setup"):
        assert told.counts[f"accepted {name}"], name
    for code in ("bad_command", "bad_value", "illegal_clear", "not_now", "must_clear", "unknown_command"):
        assert told.counts[f"refused {code}"], code
