"""What was done last, in words: for pages that say what changed, and for whoever acted on a score that was older."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from companion.foreseeing import named
from companion.rules.core import Game
from companion.session import Reply

KEPT = 30
MOST_TOLD = 3


class Lately:
    """The newest accepted commands. `version`: as Session.version after each."""

    def __init__(self) -> None:
        self._done: deque[dict[str, Any]] = deque(maxlen=KEPT)

    def clear(self) -> None:
        self._done.clear()

    def note(self, game: Game, version: int, reply: Reply) -> None:
        command = reply.command
        if command:
            self._done.append({"version": version, "do": command["do"], "text": _words(game, reply)})

    @property
    def last(self) -> dict[str, Any] | None:
        """`{"version", "do", "text"}`; None: nothing since the companion started."""
        return dict(self._done[-1]) if self._done else None

    def since(self, version: int) -> str:
        """What was done after that version, as one sentence: what somebody who acted on it has not seen."""
        missed = [one["text"] for one in self._done if one["version"] > version]
        if not missed:
            return "The score is another one meanwhile. Look at it, then tap again."
        more = f"{len(missed) - MOST_TOLD} more; " if len(missed) > MOST_TOLD else ""
        return f"Meanwhile: {more}{'; '.join(missed[-MOST_TOLD:])}. Look at the score, then tap again."


def _words(game: Game, reply: Reply) -> str:
    command = reply.command
    if command["do"] in ("undo", "redo"):
        what = _meant(game, reply.body["events"][0]["command"])
        return f"{'undone' if command['do'] == 'undo' else 'redone'}: {what}"
    return _meant(game, command, reply.body["events"])


def _meant(game: Game, command: Mapping[str, Any], events: Any = ()) -> str:
    if command["do"] != "amend":
        return named(game, command)
    was = events[0].get("was") if events else None
    if "command" not in command:
        return f"taken out: {named(game, was)}" if was else "an entry is taken out"
    now = named(game, command["command"])
    return f"corrected: {named(game, was)} → {now}" if was else f"corrected: {now}"
