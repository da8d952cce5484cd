"""Nonsense to a real `companion referee --game react`: one reply a line, never a traceback."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion.rules.react.commands import READERS
from companion.rules.react.effect_form import TOOLS
from tests.companion.referee_fuzzing import NAMELESS, NO_COMMANDS
from tests.companion.rules.react.cases import Match, replies, setup
from tests.companion.rules.react.choosing import CODES, JUNK, Chooser, check


def run(lines: list[bytes], folder: Path) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "companion", "referee", "--game", "react"],
        input=b"\n".join(lines), capture_output=True, check=True, timeout=120,
        cwd=Path(__file__).parents[4],
    )  # fmt: skip
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_lines_without_sense_through_the_program(tmp_path: Path) -> None:
    rng = random.Random(7)
    chooser = Chooser(rng)
    # what the state would be is not known here: drawn for a match that stands still, spoiled more often than not
    still = Match({"do": "draw"}).state
    lines = [json.dumps(setup()).encode(), b'{"do":"draw"}']
    for _ in range(1200):
        kind = rng.random()
        if kind < 0.1:
            lines.append(rng.choice(NO_COMMANDS))
            continue
        command = chooser.sensible(still)
        for _ in range(rng.choice([0, 1, 1, 2])):
            command = chooser.spoiled(command)
        lines.append(json.dumps(command).encode())
    answers = run(lines, tmp_path)
    assert len(answers) == len(lines)
    counts: Counter[str] = Counter()
    before: Any = None
    for line, answer in zip(lines, answers, strict=True):
        if not answer["ok"]:
            counts[answer["error"]["code"]] += 1
            assert answer["error"]["code"] in CODES, (line, answer["error"])
            assert answer["state"] == before, line
        if answer["state"] is not None:
            check(answer["state"])
        assert not answer["ok"] or (line not in NO_COMMANDS or line in NAMELESS)
        before = answer["state"]
    assert counts["bad_command"] > 50
    assert counts["bad_value"] > 50


@pytest.mark.parametrize("name", READERS)
def test_every_field_of_every_command_takes_junk(name: str) -> None:
    """A refusal or a result, whatever stands in a field."""
    fields = [
        "player", "kind", "from", "card", "effect", "slot", "costs", "effects", "choose", "drop", "place", "replace",
        "space", "swap", "skip", "unit", "units", "direction", "to", "zone", "zones", "amount", "count", "remove",
        "stays", "cards", "text", "hand", "deck", "damage", "flipped", "ascended", "exhausted", "token", "tile",
        "masterpiece", "turn", "phase", "first", "field", "players", "rules", "turn_number", "foe_completes",
    ]  # fmt: skip
    match = Match({"do": "draw"}, {"do": "play", "player": "A", "kind": "intention"})
    for field in fields:
        for junk in JUNK:
            reply = match.do({"do": name, field: junk})
            assert reply["ok"] or reply["error"]["code"] in CODES
            for tool in (name,) if name in TOOLS else ():
                reply = match.do({"do": "resolve", "effects": [{"do": tool, field: junk}]})
                assert reply["ok"] or reply["error"]["code"] in CODES
            if match.state["over"] is not None:
                match = Match({"do": "draw"})


SETUPS: list[tuple[dict[str, Any], str]] = [
    ({"field": {"columns": 5, "rows": 5}}, "has no stars"),
    ({"field": {"columns": 5, "rows": 5, "stars": {"A": "3,1"}}}, "no star of player B"),
    ({"field": {"columns": 5, "rows": 5, "stars": {"A": "3,1", "B": "3,6"}}}, "lies off a board"),
    ({"field": {"columns": 5, "rows": 5, "stars": {"A": "3,1", "B": "3,1"}}}, "both stars"),
    ({"field": {"columns": 0, "rows": 5, "stars": {}}}, "from 1 to 12"),
    ({"players": {"A": {"artist": "Juggler"}}}, "none of Tagger"),
    ({"players": {"A": {"zone": "6,1"}}}, "off the board"),
    ({"players": {"A": {"zone": "3,5"}}}, "both artists"),
    ({"players": {"A": {"hand": 7}}}, "from 0 to 6"),
    ({"players": {"A": {"hand": 6, "deck": 30}}}, "more than 30"),
    ({"players": {"A": {"damage": 3}}}, "from 0 to 2"),
    ({"players": {"A": {"artist": "Painter", "deck": 5}}}, "has no deck"),
    ({"players": {"A": {"deck_size": None, "deck": 5}}}, "without a deck"),
    ({"players": {"A": {"summons": {"imp1": 1}}}}, "letters and hyphens"),
    ({"players": {"A": {"summons": {"imp": -1}}}}, "from 0 to 99"),
    ({"players": {"A": {"passives": [{"name": "x", "when": "enter", "of": "wall"}]}}}, "no tile here"),
    ({"players": {"A": {"passives": [{"name": "x", "when": "start", "count": 2}]}}}, "no field 'count'"),
    ({"masterpiece": ["A1", "A1", None, None, None]}, "more than once"),
    ({"masterpiece": ["A4", None, None, None, None]}, "needs 5 spaces"),
    ({"rules": {"reascend": "never"}}, "none of"),
    ({"rules": {"foe_completes": 1}}, "none of true, false"),
]


@pytest.mark.parametrize(("more", "said"), SETUPS, ids=[said for _, said in SETUPS])
def test_a_set_up_that_cannot_be(more: dict[str, Any], said: str) -> None:
    (answer,) = replies([setup(**more)])
    assert not answer["ok"]
    assert answer["error"]["code"] in ("bad_value", "bad_command")
    assert said in answer["error"]["text"]
    assert answer["state"] is None


def test_before_and_after_a_match() -> None:
    answers = replies([{"do": "draw"}, {"do": "undo"}, setup(), setup(), {"do": "concede", "player": "A"}, setup()])
    assert [answer["ok"] or answer["error"]["code"] for answer in answers] == [
        "not_now", "not_now", True, "not_now", True, True,
    ]  # fmt: skip


CORRECTIONS: list[tuple[dict[str, Any], str]] = [
    ({"unit": "A", "zone": "3,5"}, "holds one unit"),
    ({"unit": "A", "zone": "0,1"}, "off the board"),
    ({"unit": "A", "zone": None}, "always stands"),
    ({"unit": "A.imp1", "exhausted": True}, "name its zone"),
    ({"unit": "A.imp2", "zone": "2,2"}, "only 1 imp"),
    ({"unit": "A.cat1", "zone": "2,2"}, "no summon called cat"),
    ({"player": "A", "damage": 3}, "from 0 to 2"),
    ({"player": "A", "flipped": [1, 2, 3]}, "end the match"),
    ({"player": "A", "hand": 6, "deck": 30}, "more than 30"),
    ({"player": "B", "deck": 3}, "has no deck"),
    ({"player": "A", "token": "ink", "zone": "2,2", "count": 3}, "only 2 ink left"),
    ({"player": "A", "token": "glue", "zone": "2,2", "count": 1}, "no token called glue"),
    ({"player": "A", "tile": "wall", "zone": "2,2"}, "no tile called wall"),
    ({"player": "A"}, "goes with"),
    ({}, "nothing to correct"),
    ({"turn": "B"}, "nothing is on the React Chain"),
]


@pytest.mark.parametrize(("told", "said"), CORRECTIONS, ids=[said for _, said in CORRECTIONS])
def test_a_correction_that_cannot_be(told: dict[str, Any], said: str) -> None:
    match = Match(
        {"do": "draw"},
        {"do": "summon", "player": "A", "kind": "imp", "zone": "4,4"},
        {"do": "play", "player": "A", "kind": "intention"},
        players={"A": {"summons": {"imp": 1}, "tokens": {"ink": 2}}, "B": {"artist": "Painter"}},
    )
    if told == {"unit": "A.imp1", "exhausted": True}:
        match.do({"do": "remove", "unit": "A.imp1"})
    before = json.dumps(match.state)
    reply = match.do({"do": "correct", **told})
    assert not reply["ok"]
    assert said in reply["error"]["text"]
    assert json.dumps(match.state) == before


def test_a_correction_lets_nothing_happen() -> None:
    match = Match({"do": "draw"}, players={"A": {"artist": "Dancer", "tokens": {"scale": 5, "block": 2}}})
    for told in (
        {"player": "A", "token": "scale", "zone": "2,2", "count": 3},
        {"player": "A", "token": "block", "zone": "2,2", "count": 2},
        {"player": "A", "token": "block", "zone": "2,2", "count": 1},
        {"masterpiece": ["A1", "A2", "A3", None, None]},
        {"player": "A", "flipped": [3], "hand": 2},
        {"unit": "B", "zone": "2,2", "exhausted": True},
        {"turn": "B"},
    ):
        assert match.do({"do": "correct", **told})["ok"], match.reply
    state = match.state
    assert state["due"] == []
    assert state["players"]["A"]["ascended"] is False
    assert (state["players"]["A"]["damage"], state["players"]["A"]["hand"]) == (1, 2)
    assert state["units"]["B"] == {"player": "B", "kind": "artist", "zone": "2,2", "exhausted": True, "follows": False}
    assert state["tokens"] == [{"player": "A", "kind": "scale", "count": 3, "zone": "2,2", "unit": None}]
    assert len(state["blocks"]) == 1
    assert (state["turn"], state["phase"]) == ("B", "draw")
