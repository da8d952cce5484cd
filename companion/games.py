"""The games that the companion knows, by name."""

from __future__ import annotations

from companion.rules.core import Game

GAMES = ("rematch",)


def game(name: str) -> Game:
    """The rules of one of GAMES."""
    if name == "rematch":
        # imported late: the other commands of the command line need no rules of this game
        from companion.rules.rematch.game import REMATCH

        return REMATCH
    raise KeyError(name)
