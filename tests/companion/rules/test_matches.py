"""Whole cases from tests/data/rules/matches.json. Those with undo and redo are the referee's (tests/companion)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.companion.rules.cases import Match, at, load

CASES = [
    case for case in load("matches.json") if not {"undo", "redo"} & {c["do"] for c in [case["given"], *case["when"]]}
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    match = Match(case["given"], *case["when"])
    assert {path: at(match.reply, path) for path in case["then"] if path != "ok"} == {
        path: value for path, value in case["then"].items() if path != "ok"
    }, case["why"]
    if "ok" in case["then"]:
        assert match.reply["ok"] is case["then"]["ok"]


def test_there_are_cases() -> None:
    assert len(CASES) > 50
