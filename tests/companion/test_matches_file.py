"""All cases of the rules' match file through the referee's session, and a few through the real program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.games import game
from companion.log import MemoryLog, SqliteLog
from companion.session import Session

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "data" / "rules" / "matches.json").read_text(encoding="utf-8")
)


def _at(body: dict[str, Any], path: str) -> Any:
    value: Any = body
    for key in path.split("."):
        value = value[key]
    return value


def _wrong(body: dict[str, Any], then: dict[str, Any]) -> dict[str, Any]:
    found = {path: _at(body, path) if path != "state" else body["state"] for path in then}
    return {path: (found[path], then[path]) for path in then if found[path] != then[path]}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    session = Session(game("rematch"), MemoryLog())
    body = session.submit(case["given"]).body
    for command in case["when"]:
        body = session.submit(command).body
    assert not _wrong(body, case["then"]), case["why"]


def test_all_cases_through_the_program(tmp_path: Path) -> None:
    """One process for all: each match is conceded before the next (refused where it is over already)."""
    cases = sorted(CASES, key=lambda case: case["given"]["do"] == "setup")
    leave = {"do": "concede", "player": "A"}
    lines = [json.dumps(command) for case in cases for command in (case["given"], *case["when"], leave)]
    done = subprocess.run(
        [sys.executable, "-m", "companion", "referee"],
        input="\n".join(lines), capture_output=True, text=True, check=True, timeout=60, cwd=tmp_path,
    )  # fmt: skip
    replies = iter([json.loads(line) for line in done.stdout.splitlines()])
    for case in cases:
        body = [next(replies) for _ in (case["given"], *case["when"])][-1]
        assert not _wrong(body, case["then"]), (case["id"], case["why"])
        next(replies)
    assert next(replies, None) is None
    assert done.stderr == ""


def test_every_case_is_the_same_after_a_restart(tmp_path: Path) -> None:
    for case in CASES:
        path = tmp_path / f"{case['id']}.sqlite"
        session = Session(game("rematch"), SqliteLog(path, "rematch"))
        for command in (case["given"], *case["when"]):
            session.submit(command)
        before = json.dumps(session.state_json)
        session.close()
        again = Session(game("rematch"), SqliteLog(path, "rematch"))
        assert json.dumps(again.state_json) == before
        assert again.version == session.version
        again.close()
