"""The rows of tests/data/rules/react.json, played through the referee itself."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.commands.referee import serve
from companion.games import game
from companion.log import MemoryLog
from companion.session import Session

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[3] / "data" / "rules" / "react.json").read_text(encoding="utf-8")
)
FIELD = {"columns": 5, "rows": 5, "stars": {"A": "3,1", "B": "3,5"}}


def setup(**more: Any) -> dict[str, Any]:
    return {"do": "setup", "first": "A", "field": FIELD, **more}


def replies(commands: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """What `companion referee --game react` answers to these lines."""
    out = io.BytesIO()
    text = b"".join(json.dumps(command).encode() + b"\n" for command in commands)
    serve(Session(game("react"), MemoryLog()), io.BytesIO(text), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


class Match:
    """One match, a command at a time."""

    def __init__(self, *commands: dict[str, Any], **more: Any) -> None:
        self.session = Session(game("react"), MemoryLog())
        self.reply: dict[str, Any] = {}
        for command in (setup(**more), *commands):
            self.do(command)
            assert self.reply["ok"], self.reply["error"]

    def do(self, command: dict[str, Any]) -> dict[str, Any]:
        self.reply = self.session.submit(command).body
        return self.reply

    def code(self, command: dict[str, Any]) -> str:
        """Of a refusal."""
        self.do(command)
        return "accepted" if self.reply["ok"] else self.reply["error"]["code"]

    def failed(self, command: dict[str, Any]) -> list[str]:
        """The codes of what was skipped."""
        assert self.do(command)["ok"], self.reply["error"]
        return [event["code"] for event in self.reply["events"] if event["type"] == "failed"]

    @property
    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.reply["state"]
        return found


def at(value: Any, path: str) -> Any:
    """`units.A.imp1.zone`: a key may hold dots itself, so the longest that is there counts."""
    parts = path.split(".")
    while parts:
        if isinstance(value, list):
            value = value[int(parts.pop(0))]
            continue
        for size in range(len(parts), 0, -1):
            if ".".join(parts[:size]) in value:
                value = value[".".join(parts[:size])]
                parts = parts[size:]
                break
        else:
            raise KeyError(path)
    return value
