"""Matches of the games whose lines are plain words: out as text, in again, and the same."""

from __future__ import annotations

from typing import Any

import pytest

from companion import match_text
from companion.games import game, notation
from companion.log import MemoryLog
from companion.rules.notation import NotationError
from companion.session import Session

MATCHES: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "reinforcements": (
        [
            {"do": "setup", "players": [{"name": "Ann", "stacks": [2, 1]}, {"name": "Bo"}], "first": "A"},
            {"do": "draw", "player": "A"},
            {"do": "attack", "player": "A", "card": "R4", "target": "B1", "seen": ["G4"]},
            {"do": "reinforcements", "defender": "G1", "attacker": "R2"},
            {"do": "correct", "player": "B", "new": ["B1", "B2"], "revealed": True},
            {"do": "correct", "stack": "A1", "cards": ["?", "?"]},
            {"do": "end_turn", "player": "A"},
        ],
        [
            "A draw  ; A: draw",
            "A attack R4 B1 seen=[G4]  ; A: attack with red Knight against B1",
            "reinforcements G1 R2  ; REINFORCEMENTS! green Peasant against red Soldier",
            "B correct new=[B1 B2] revealed=true  ; Set by hand: B has a new stack: B1 B2, revealed",
            'correct stack=A1 cards=["?" "?"]  ; Set by hand: A1 is ? ?',
            "A end_turn  ; A: the turn ends",
        ],
    ),
    "reactions": (
        [
            {"do": "setup", "characters": [{"id": "Ann; a", "at": [1, 1]}, {"id": "D", "at": [2, 1]}],
             "grid": {"columns": 4, "rows": 4}},
            {"do": "act", "active": ["Ann; a"], "actions": ["A", ">"]},
            {"do": "announce", "part": "attack", "target": "D"},
            {"do": "react", "character": "D", "reaction": "D"},
            {"do": "proceed", "stopped": False},
            {"do": "announce", "part": "move", "path": [[1, 2], [1, 3]]},
            {"do": "join", "character": {"id": "null", "at": [4, 4]}},
        ],
        [
            'act ["Ann; a"] [A ">"]  ; Ann; a acts: attack, move',
            "announce attack D  ; Ann; a: attack on D",
            "react D D  ; D reacts: defend",
            "proceed stopped=false  ; It proceeds",
            "announce move path=[[1 2] [1 3]]  ; Ann; a: move",
            'join character=(id="null" at=[4 4])  ; null joins',
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MATCHES)
def test_a_match_goes_out_in_words_and_comes_in_again(name: str) -> None:
    commands, lines = MATCHES[name]
    rules, words = game(name), notation(name)
    session = Session(rules, MemoryLog())
    for command in commands:
        assert session.submit(command).accepted, command
    text = match_text.write(session.timeline, rules, words)
    written = text[text.index("]\n\n") + 3 :].splitlines()
    assert [line for line in written if line and not line.startswith(";=")] == lines
    again = match_text.play(match_text.read(text.encode(), "text"), rules, words)
    assert again.state_json == session.state_json
    assert [record.command for record in again.timeline] == commands


@pytest.mark.parametrize("name", MATCHES)
@pytest.mark.parametrize(
    "line", ["", "sing", "A", "draw 3 4", "draw count=", "draw count=1 count=1", "act [Ann", 'act "Ann', "draw =", "("]
)
def test_what_means_nothing_is_refused(name: str, line: str) -> None:
    with pytest.raises(NotationError):
        notation(name).command(line)
