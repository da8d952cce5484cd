"""Every row of the Re;ACT case file as a test through the referee, and others of the same kind."""

from __future__ import annotations

from typing import Any

import pytest

from tests.companion.rules.react.cases import CASES, at, replies, setup

ROWS = {
    f"A{number:02}"
    for number in (
        1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31, 32, 34, 35, 37, 38, 40, 41, 43,
        44, 46, 47, 49, 50, 52, 53, 55, 56, 57, 58, 59, 61, 62, 64,
    )
}  # fmt: skip
"""The file leaves some numbers out."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    first = setup(**case.get("setup", {}))
    answers = replies([first, *(command for command, _ in case["steps"])])
    assert answers[0]["ok"], answers[0].get("error")
    before = answers[0]["state"]
    for (command, expected), answer in zip(case["steps"], answers[1:], strict=True):
        check(answer, expected, before, f"{case['row']}: {command}")
        before = answer["state"]


def check(answer: dict[str, Any], expected: dict[str, Any], before: dict[str, Any], what: str) -> None:
    events = answer.get("events", [])
    if "refused" in expected:
        assert not answer["ok"], f"{what}: was accepted with {events}"
        assert answer["error"]["code"] == expected["refused"], f"{what}: {answer['error']}"
        assert answer["state"] == before, what
    else:
        assert answer["ok"], f"{what}: {answer.get('error')}"
        failed = [event["code"] for event in events if event["type"] == "failed"]
        assert failed == ([expected["failed"]] if "failed" in expected else []), f"{what}: {events}"
    for path, value in expected.items():
        if path == "no_event":
            assert value not in [event["type"] for event in events], what
        elif path == "order":
            found = [event["type"] for event in events if event["type"] in value]
            assert found == value, f"{what}: {found}"
        elif path.startswith("event."):
            _, kind, key = path.split(".")
            assert [event[key] for event in events if event["type"] == kind] == [value], what
        elif path not in ("refused", "failed"):
            found = at(answer if path.startswith("error.") else answer["state"], path)
            assert found == value, f"{what}: {path} is {found!r}"


def test_no_row_is_missing() -> None:
    assert {case["id"].split("-")[0] for case in CASES} >= ROWS
    assert len(CASES) > 90
