"""A match of Reinforcements through the referee, a command at a time; every answer is checked for its 96 cards."""

from __future__ import annotations

from typing import Any

from companion.games import game
from companion.log import MemoryLog
from companion.session import Session


def up(*cards: str) -> dict[str, Any]:
    """A revealed stack, the bottom card first."""
    return {"cards": list(cards), "revealed": True}


def player(*stacks: Any, hand: int = 5, **more: Any) -> dict[str, Any]:
    return {"stacks": list(stacks) or [1, 1, 1], "hand": hand, **more}


class Match:
    """Two players unless told otherwise; A on turn in the Action Phase."""

    def __init__(self, *players: dict[str, Any], **more: Any) -> None:
        self.session = Session(game("reinforcements"), MemoryLog())
        seats = list(players) or [player(), player()]
        if len(seats) == 1:
            seats.append(player())
        fields = {"first": "A", "phase": "action", "discard": [], **more}
        if "initiative" in fields and "first" not in more:
            del fields["first"]
        self.do("setup", players=seats, **fields)

    def do(self, name: str, **fields: Any) -> dict[str, Any]:
        """An accepted command; its reply."""
        reply = self.session.submit({"do": name, **fields}).body
        assert reply["ok"], reply["error"]
        assert reply["state"]["total"] == 96
        return reply

    def refused(self, name: str, **fields: Any) -> str:
        """The code of a refused command, which changes nothing."""
        before = self.session.state_json
        body = self.session.submit({"do": name, **fields}).body
        assert not body["ok"], body["events"]
        assert body["state"] == before
        assert body["error"]["text"].endswith(".")
        code: str = body["error"]["code"]
        return code

    @property
    def state(self) -> dict[str, Any]:
        found = self.session.state_json
        assert found is not None
        return found

    def stacks(self, seat: str) -> list[str]:
        """Each as its cards, the bottom one first; a revealed one with a star."""
        return ["".join(stack["cards"]) + "*" * stack["revealed"] for stack in self.state["players"][seat]["stacks"]]

    def hand(self, seat: str) -> int:
        count: int = self.state["players"][seat]["hand"]
        return count

    @property
    def discarded(self) -> dict[str, int]:
        found: dict[str, int] = self.state["discard"]["known"]
        return found

    @property
    def asks(self) -> list[tuple[str, str]]:
        return [(ask["kind"], ask["player"]) for ask in self.state["asks"]]
