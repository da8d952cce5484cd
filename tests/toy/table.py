"""A table for the toy game: the grey of a picture's first pixel says what it sees. Implements companion's GameTable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from companion.onlookers import Look
from companion.rules.core import Reason
from companion.session import Reply
from companion.table_port import Act, Answer, Ask, Command, Say, Submit, Verdict, Withdraw
from hardware.camera import Frame
from hardware.edges import Edge


def picture(square: int, t_ns: int = 0) -> Frame:
    return Frame(np.full((4, 4, 3), square, np.uint8), t_ns)


class NoughtsTable:
    """Pixel 0–8: whoever is on turn marked that square. 9: it cannot tell which of two. 10: it fails."""

    def __init__(self) -> None:
        self.state: dict[str, Any] | None = None
        self.followed: list[Command] = []
        self.ticks: list[int] = []
        self.seen: str | None = None
        self.answers = 0
        self.looked: Look | None = None

    def see(self, frame: Frame) -> Sequence[Act]:
        square = int(frame.image[0, 0, 0])
        if square == 10:
            raise RuntimeError("the eye fell out")
        assert self.state is not None
        player = self.state["turn"]
        self.seen = str(square)
        if square == 9:
            answers = tuple(Answer(f"square {n}", (str(n),), (self._mark(player, n),)) for n in (7, 8))
            return [Ask(player, "Which of these?", (*answers, Answer("did not happen")))]
        return [Submit(self._mark(player, square), lambda reply: self._verdict(player, square, reply))]

    def edge(self, edge: Edge) -> Sequence[Act]:
        return [Say("beam", f"{edge.lane} is blocked" if edge.blocked else "")]

    def tick(self, t_ns: int) -> Sequence[Act]:
        self.ticks.append(t_ns)
        return ()

    def follow(self, reply: Reply) -> Sequence[Act]:
        self.state = reply.body["state"]
        self.followed.append(reply.command)
        return [Withdraw()]

    def answered(self) -> None:
        self.answers += 1

    def take_tray(self) -> Command | Reason:
        if self.seen is None or self.state is None:
            return Reason("not_now", "Nothing was seen yet.")
        return self._mark(self.state["turn"], int(self.seen))

    def look(self) -> Look | None:
        return self.looked

    def view(self) -> dict[str, Any]:
        return {"seen": self.seen}

    @staticmethod
    def _mark(player: str, square: int) -> Command:
        return {"do": "mark", "player": player, "square": square}

    @staticmethod
    def _verdict(player: str, square: int, reply: Reply) -> Sequence[Act]:
        error = reply.body.get("error")
        if error is None:
            return [Verdict("legal", player, (str(square),), None, f"{player} marked {square}.")]
        return [Verdict("illegal", player, (str(square),), None, error["text"], (error,))]
