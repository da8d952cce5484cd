"""Match cases in the notation of tests/data/rules/matches.json, played through decide and evolve alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from companion.rules.core import Rejection
from companion.rules.rematch.game import REMATCH

DATA = Path(__file__).parents[2] / "data" / "rules"
TRAY = "RYBRY/YBRBY/BRYBR"


class Match:
    """A match played by commands. Checks on every step what must hold whatever the command was."""

    def __init__(self, *commands: Mapping[str, Any]) -> None:
        self.state: Any = None
        self.reply: dict[str, Any] = {}
        self.log: list[dict[str, Any]] = []
        for command in commands:
            self.do(command)

    def do(self, command: Mapping[str, Any]) -> Match:
        before = self.bytes
        decided = REMATCH.decide(self.state, command)
        assert self.bytes == before
        if isinstance(decided, Rejection):
            self.reply = {"ok": False, "error": decided.to_json(), "state": self.json}
            return self
        events = json.loads(json.dumps(list(decided)))  # as the log gives them back
        for event in events:
            self.state = REMATCH.evolve(self.state, event)
        self.log += events
        self.reply = {"ok": True, "events": events, "state": self.json}
        return self

    def ok(self, do: str, **fields: Any) -> Match:
        self.do({"do": do, **fields})
        assert self.reply["ok"], self.reply["error"]
        return self

    def refused(self, do: str, **fields: Any) -> dict[str, Any]:
        self.do({"do": do, **fields})
        assert not self.reply["ok"], self.reply["events"]
        return self.reply["error"]

    def code(self, do: str, **fields: Any) -> str:
        return self.refused(do, **fields)["code"]

    @property
    def json(self) -> Any:
        return REMATCH.state_to_json(self.state)

    @property
    def bytes(self) -> bytes:
        return json.dumps(self.json).encode()

    def dials(self, player: str) -> str:
        """`10 7! 3`: HP of R, Y, B; `!` = broken."""
        buttons = self.json["players"][player]["buttons"]
        return " ".join(f"{b['hp']}{'!' if b['broken'] else ''}" for b in buttons.values())

    def credits(self, player: str) -> int:
        return int(self.json["players"][player]["credits"])


def side(dials: str = "10 10 10", credits: int = 4, fans: str = "") -> dict[str, Any]:
    """A player for `setup`, in the notation of `Match.dials`."""
    buttons = {
        colour: {"hp": int(text.rstrip("!")), "broken": text.endswith("!")}
        for colour, text in zip("RYB", dials.split(), strict=True)
    }
    return {"buttons": buttons, "credits": credits, "fans": list(fans)}


def match(
    tray: str = TRAY,
    a: Mapping[str, Any] | None = None,
    b: Mapping[str, Any] | None = None,
    first: str = "A",
    **rules: Any,
) -> Match:
    """A match that has just been set up."""
    players = {"A": a or side(), "B": b or side()}
    command = {"do": "setup", "first": first, "tray": tray, "players": players, "rules": rules}
    return Match().ok(**command)


def at(value: Any, path: str) -> Any:
    """`state.players.A.credits` of a reply."""
    for key in path.split("."):
        value = value[key]
    return value


def load(name: str) -> Iterable[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((DATA / name).read_text())
    return cases
