"""Random sessions, sensible and not: what must always hold. Offers: test_brute."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.games import game
from companion.log import MemoryLog
from companion.rules.reactions.commands import parse
from companion.session import Session
from tests.companion.rules.reactions.table import at

NAMES = ("Z", "Y", "X", "W", "V")
JUNK: list[Any] = [
    None,
    True,
    0,
    -1,
    3,
    1.5,
    10**30,
    "",
    "Q",
    "Z",
    "A>",
    "AA",
    "\ud800\udc00",
    [],
    {},
    [1, 2],
    "x" * 99,
]
FIELDS = ("active", "actions", "part", "by", "target", "path", "leaves", "character", "reaction", "against", "moment")

KEYS = ("recovery", "AA", ">>", "!!", "DD", "AD", "A>", "A!", "D>", "D!", ">!")


def a_command(chance: random.Random) -> dict[str, Any]:
    name = chance.choice(NAMES)
    square = [chance.randint(1, 6), chance.randint(1, 6)]
    return chance.choice(
        (
            {"do": "act", "active": chance.sample(NAMES, chance.randint(1, 2)), "actions": chance.choice(KEYS)},
            {"do": "announce", "part": "attack", "target": name, "by": "Z"},
            {"do": "announce", "part": "stunt"},
            {"do": "announce", "part": "move", "path": [square]},
            {"do": "announce", "part": "recovery"},
            {"do": "react", "character": name, "reaction": chance.choice("A>!D"), "against": "Z"},
            {"do": "react", "character": name, "reaction": chance.choice("A>!D")},
            {"do": "react", "character": name, "reaction": ">", "to": square},
            {"do": "proceed"},
            {"do": "proceed", "stopped": True},
            {"do": "end_turn"},
            {"do": "correct", "character": name, "disabled": chance.random() < 0.3},
            {"do": "relate", "who": name, "to": "Z", "adjacent": True},
            {"do": "leave", "character": name},
            {"do": "join", "character": {"id": name, "at": square}},
            {"do": "undo"},
            {"do": "redo"},
        )
    )


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_sent(seed: int) -> None:
    chance = random.Random(seed)
    session = Session(game("reactions"), MemoryLog())
    characters = [at(name, i + 1, 1 + i % 2) for i, name in enumerate(NAMES)]
    assert session.submit({"do": "setup", "characters": characters, "grid": {"columns": 6, "rows": 6}}).accepted
    accepted = 0
    for _ in range(250):
        command = a_command(chance)
        if chance.random() < 0.2:
            command[chance.choice(FIELDS)] = chance.choice(JUNK)
        before = session.state_json
        reply = session.submit(command)
        accepted += reply.accepted
        state = session.state_json
        assert state is not None
        if not reply.accepted:
            assert state == before
            assert reply.body["error"]["text"].endswith(".")
        squares = [tuple(one["at"]) for one in state["characters"] if one["at"] is not None]
        assert len(set(squares)) == len(squares)
        assert state["offers"] == [] or state["step"] is not None
        used = {one["id"] for one in state["characters"] if one["reacted"]}
        assert not used & {offer["character"] for offer in state["offers"]}
        if state["turn"] is not None:
            names = [one["character"] for one in state["log"] if one["turn"] == state["turn"]["number"]]
            here = [name for name in names if name in {one["id"] for one in state["characters"]}]
            assert len(here) == len(set(here)) or any(c["do"] in ("leave", "join") for c in commands(session))
        again = Session(game("reactions"), MemoryLog(session.timeline)).state_json
        assert again == state
    assert accepted > 25  # most random commands come at the wrong time


def commands(session: Session) -> list[Any]:
    return [record.command for record in session.timeline]


@pytest.mark.parametrize("seed", range(5))
def test_nonsense_is_refused_without_a_fuss(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(400):
        command = {field: chance.choice(JUNK) for field in chance.sample(FIELDS, 3)}
        command["do"] = chance.choice(["setup", "act", "announce", "react", "correct", "rules", "relate", "join"])
        parse(command)  # an answer, never an exception
