"""A fighter's board becomes part of the match when it is set up (rulebook: Set Up; DESIGN §7)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.boards import load_boards
from companion.rules.core import Rejection
from companion.rules.rematch.fighters import Board, board_to_json
from companion.rules.rematch.game import REMATCH, Rematch

ACE = Board("Ace", edition="our table")
OWN = {"name": "Own", "attacks": {"R1": {"effects": [{"do": "deal", "amount": 2}], "kicker": "none"}}}
GAME = Rematch({"Ace": ACE, **load_boards(None)})


def setup(**side: Any) -> dict[str, Any]:
    return {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR", "players": {"A": side}}


def side_after(command: dict[str, Any], game: Any = GAME) -> dict[str, Any]:
    events = game.decide(None, command)
    assert not isinstance(events, Rejection), events
    state = None
    for event in events:
        state = REMATCH.evolve(state, event)  # the log alone gives the board back, whoever reads it
    side: dict[str, Any] = game.state_to_json(state)["players"]["A"]
    return side


@pytest.mark.parametrize("name", ["Ace", "ACE", " ace"])
def test_a_known_fighter_gets_its_board_in_whatever_case(name: str) -> None:
    assert side_after(setup(fighter=name))["board"] == board_to_json(ACE)


def test_any_other_fighter_is_a_name_without_a_board() -> None:
    assert side_after(setup(fighter="Nobody"))["board"] is None
    assert side_after(setup())["board"] is None
    assert side_after(setup(fighter="Ace"), REMATCH)["board"] is None


def test_a_board_of_the_set_up_goes_first() -> None:
    assert side_after(setup(fighter="Ace", board=OWN))["board"] == OWN
    assert side_after(setup(board=OWN), REMATCH)["board"] == OWN


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ([], "board is [], where a table is needed"),
        ({}, "board.name is missing"),
        ({"name": "Own", "attacks": {"R3": {}}}, "board.attacks.R3 is not a known key"),
        ({"name": "Own", "start": [{"do": "deal", "amount": 10**9}]}, "board.start[0].amount is 1000000000, where"),
    ],
)
def test_a_malformed_board_is_refused_with_its_path(board: Any, words: str) -> None:
    rejection = GAME.decide(None, setup(board=board))
    assert isinstance(rejection, Rejection)
    assert rejection.code == "bad_value"
    assert words in rejection.text
    assert "A" in rejection.text


def test_a_condition_of_a_shipped_board_is_asked() -> None:
    command = setup(fighter="Psychic")
    state: Any = None
    clear = {"do": "clear", "player": "A", "attack": "B4"}
    for each in (command, clear):
        events = GAME.decide(state, each)
        assert not isinstance(events, Rejection), events
        for event in events:
            state = GAME.evolve(state, event)
    first = GAME.state_to_json(state)["due"][0]
    assert (first["effect"]["do"], first["choice"]["kind"]) == ("pay", "yes_no")
    assert "the opponent has a broken button" in first["text"]
