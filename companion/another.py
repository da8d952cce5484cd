"""Another game is chosen on the page: the process begins anew with it, so that nothing of one game stays in the next.

The match that is under way lies in its log and goes on when its game is chosen again.
"""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

from companion.desk import failure
from companion.ending import Stop
from companion.errors import InputError
from companion.games import PLAYED
from companion.switches import Switches

ANSWER_S = 0.3
"""The answer to the page that chose needs so long at most."""


class PlayAnother(Exception):
    """Everything is closed; begin anew with this game, on the same port (None: none was open yet)."""

    def __init__(self, game: str, port: int | None) -> None:
        super().__init__(game)
        self.game, self.port = game, port


class Another:
    """`now`: the game that is played. `chosen` is set once somebody has chosen another, and `stop` with it."""

    def __init__(self, now: str, switches: Switches, stop: Stop, simulated: bool) -> None:
        self._now, self._switches, self._stop, self._simulated = now, switches, stop, simulated
        self.chosen: str | None = None

    def play(self, name: object) -> dict[str, Any]:
        if name not in PLAYED or not isinstance(name, str):
            return failure("bad_value", f"'game' is one of {', '.join(PLAYED)}.")
        if name == self._now:
            return {"ok": True}
        if self._simulated:
            return failure(
                "not_now", "The simulated table plays Re;MATCH alone; start the companion without --simulate."
            )
        try:
            self._switches.set_game(name)
        except InputError as error:
            return failure("not_saved", f"The game stays as it is: {error}.")
        self.chosen = name
        self._stop.set()
        return {"ok": True}


def begin_anew(game: str, port: int | None) -> NoReturn:
    """This very process once more: its supervisor sees no end, and what it listened on is free."""
    more = ["--game", game, *(["--port", str(port)] if port else [])]
    arguments = [argument for argument in sys.argv[1:] if argument != "--simulate-if-bare"]
    os.execv(sys.executable, [sys.executable, "-P", "-m", "companion", *arguments, *more])
