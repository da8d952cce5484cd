"""The games that the companion knows, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.rules.core import Game
from companion.rules.notation import JsonNotation, Notation

if TYPE_CHECKING:
    from companion.rules.manual import Manual
    from companion.rules.rematch.fighters import Board

GAMES = ("rematch", "react", "reactions", "reinforcements")
PLAYED = ("rematch", "react", "reactions", "reinforcements")
"""Those that have a page."""


def game(name: str, boards: Mapping[str, Board] | None = None) -> Game:
    """The rules of one of GAMES; `boards`: the fighters that a set-up may name (companion.boards.load_boards)."""
    if name == "rematch":
        # imported late: the other commands of the command line need no rules of this game
        from companion.rules.rematch.game import Rematch

        return Rematch(boards)
    if name == "react":
        from companion.rules.react.game import REACT

        return REACT
    if name == "reactions":
        from companion.rules.reactions.game import REACTIONS

        return REACTIONS
    if name == "reinforcements":
        from companion.rules.reinforcements.game import REINFORCEMENTS

        return REINFORCEMENTS
    raise KeyError(name)


def notation(name: str) -> Notation:
    """How matches of a game are written as text; JSON for one that has no words of its own."""
    if name == "rematch":
        from companion.rules.rematch.notation import REMATCH_NOTATION

        return REMATCH_NOTATION
    if name == "react":
        from companion.rules.react.notation import REACT_NOTATION

        return REACT_NOTATION
    if name == "reactions":
        from companion.rules.reactions.notation import REACTIONS_NOTATION

        return REACTIONS_NOTATION
    if name == "reinforcements":
        from companion.rules.reinforcements.notation import REINFORCEMENTS_NOTATION

        return REINFORCEMENTS_NOTATION
    return JsonNotation()


def manual(name: str) -> Manual:
    """The commands of one of GAMES, for people."""
    if name == "react":
        from companion.rules.react.examples import MANUAL
    elif name == "reactions":
        from companion.rules.reactions.examples import MANUAL
    elif name == "reinforcements":
        from companion.rules.reinforcements.examples import MANUAL
    else:
        from companion.rules.rematch.examples import MANUAL
    return MANUAL


def piece_names(name: str) -> tuple[str, ...]:
    """What is printed beside the markers of a game's pieces, by marker number; (): a camera reads none of them."""
    if name == "react":
        from companion.rules.react.markers import MARKED

        return tuple(marked.name for marked in MARKED)
    return ()


def artists(name: str) -> list[str]:
    """The names that a set-up of the game may offer without any file."""
    if name != "react":
        return []
    from companion.rules.react.artists import ARTISTS

    return list(ARTISTS)
