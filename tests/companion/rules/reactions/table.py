"""The reaction sheet through the referee: one session, a command at a time."""

from __future__ import annotations

import io
import json
from typing import Any

from companion.commands.referee import serve
from companion.games import game
from companion.log import MemoryLog
from companion.session import Session


def replies(*commands: dict[str, Any]) -> list[dict[str, Any]]:
    """What `companion referee --game reactions` answers to these lines."""
    out = io.BytesIO()
    text = b"".join(json.dumps(command).encode() + b"\n" for command in commands)
    serve(Session(game("reactions"), MemoryLog()), io.BytesIO(text), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


class Table:
    def __init__(self, *characters: dict[str, Any], grid: tuple[int, int] | None = (9, 9), **rules: Any) -> None:
        self.session = Session(game("reactions"), MemoryLog())
        size = None if grid is None else {"columns": grid[0], "rows": grid[1]}
        self.reply = self.do("setup", characters=list(characters), grid=size, rules=rules)

    def do(self, name: str, **fields: Any) -> dict[str, Any]:
        """An accepted command; its reply."""
        self.reply = self.session.submit({"do": name, **fields}).body
        assert self.reply["ok"], self.reply["error"]
        return self.reply

    def refused(self, name: str, **fields: Any) -> str:
        """The code of a refused command, which changes nothing."""
        before = self.session.state_json
        body = self.session.submit({"do": name, **fields}).body
        assert not body["ok"], body["events"]
        assert body["state"] == before
        code: str = body["error"]["code"]
        return code

    @property
    def state(self) -> dict[str, Any]:
        found = self.session.state_json
        assert found is not None
        return found

    def offers(self) -> dict[str, str]:
        """Character → its reactions, of whatever moment."""
        found: dict[str, str] = {}
        for offer in self.state["offers"]:
            new = "".join(one for one in offer["reactions"] if one not in found.get(offer["character"], ""))
            found[offer["character"]] = found.get(offer["character"], "") + new
        return found

    def offer(self, character: str) -> list[dict[str, Any]]:
        return [offer for offer in self.state["offers"] if offer["character"] == character]


def at(name: str, x: int, y: int, **more: Any) -> dict[str, Any]:
    return {"id": name, "at": [x, y], **more}
