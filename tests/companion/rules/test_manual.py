"""What `companion referee --help` lists: every command of a game with examples that mean something."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from companion.cli import main
from companion.games import GAMES, manual
from companion.rules.core import Rejection
from companion.rules.manual import SESSION
from companion.rules.react import commands as react
from companion.rules.reactions import commands as reactions
from companion.rules.reinforcements import commands as reinforcements
from companion.rules.rematch import commands as rematch

PARSERS: Mapping[str, Callable[[dict[str, Any]], Any]] = {
    "rematch": rematch.parse,
    "react": react.parse,
    "reactions": reactions.parse,
    "reinforcements": reinforcements.parse,
}


def known(game: str) -> set[str]:
    """The game's own list, as it tells it whoever names a command that is none."""
    refused = PARSERS[game]({"do": "nothing"})
    assert isinstance(refused, Rejection)
    return set(refused.text.partition("there are ")[2].removesuffix(".").split(", "))


@pytest.mark.parametrize("game", GAMES)
def test_every_command_has_examples(game: str) -> None:
    entries = manual(game).entries
    assert {entry.name for entry in entries} == known(game)
    for entry in entries:
        assert entry.examples, entry.name
        for example in entry.examples:
            command = json.loads(example)
            assert command["do"] == entry.name
            assert not isinstance(PARSERS[game](command), Rejection), example


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("help", ["-h", "--help"])
def test_the_help_lists_them(game: str, help: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["referee", "--game", game, help]) == 0
    text = capsys.readouterr().out
    for entry in (*manual(game).entries, *SESSION):
        assert f"\n  {entry.name}: " in text
        assert all(f"\n      {example}\n" in text for example in entry.examples)


def test_a_game_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["referee", "--game", "chess", "--help"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
