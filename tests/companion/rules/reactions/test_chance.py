"""Random sessions, sensible and not: what must always hold, and offers against the sheet written a second time."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.games import game
from companion.log import MemoryLog
from companion.rules.reactions.commands import parse
from companion.session import Session
from tests.companion.rules.reactions.table import Table, at

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

# entry → part → (target, adjacent and not target, in range and not adjacent, leaves): the table of the case file
RIGHTS = {
    "recovery": {"recovery": ("", "range", "A", "")},
    "AA": {"attack": ("A>!", "A>!", "A", "")},
    ">>": {"move": ("", "", "", "A>!")},
    "!!": {"stunt": ("", "A>!", "A", "")},
    "DD": {},
    "AD": {"attack": ("D", ">!", "", "")},
    "A>": {"attack": ("D", "A>!", "", ""), "move": ("", "", "", "A>!")},
    "A!": {"attack": ("D", "A>!", "A", ""), "stunt": ("", "A>!", "A", "")},
    "D>": {"move": ("", "", "", ">!")},
    "D!": {"stunt": ("", ">!", "", "")},
    ">!": {"move": ("", "", "", "A>!"), "stunt": ("", "A>!", "A", "")},
}


@pytest.mark.parametrize("seed", range(60))
def test_offers_are_those_of_the_sheet(seed: int) -> None:
    chance = random.Random(seed)
    adjacency, reach = chance.choice((4, 8)), chance.randint(0, 4)
    squares = chance.sample([(x, y) for x in range(1, 7) for y in range(1, 7)], 5)
    places = dict(zip(NAMES, squares, strict=True))
    key = chance.choice(list(RIGHTS))
    rules = {"adjacency": adjacency, "range": reach, "any_includes_target": False, "attack_needs_range": False}
    table = Table(*(at(name, *places[name]) for name in NAMES), grid=(6, 6), **rules)
    actions = key if key == "recovery" else "".join(chance.sample(key, 2))
    table.do("act", active=["Z"], actions=actions)

    def far(one: tuple[int, int], other: tuple[int, int]) -> int:
        dx, dy = abs(one[0] - other[0]), abs(one[1] - other[1])
        return max(dx, dy) if adjacency == 8 else dx + dy

    for part, (target_may, adjacent_may, range_may, leaves_may) in RIGHTS[key].items():
        target = chance.choice(NAMES[1:]) if part == "attack" else None
        path: list[tuple[int, int]] = [places["Z"]]
        fields: dict[str, Any] = {"part": part}
        if part == "attack":
            fields["target"] = target
        if part == "move":
            for _ in range(chance.randint(1, 6)):
                near = [(x, y) for x in range(1, 7) for y in range(1, 7) if far((x, y), path[-1]) == 1]
                path.append(chance.choice(near))
            while path[-1] in [places[name] for name in NAMES[1:]]:
                path.pop()
            if len(path) == 1:
                continue
            fields["path"] = [list(square) for square in path[1:]]
        table.do("announce", **fields)
        expected = {}
        for name in NAMES[1:]:
            away = far(places[name], places["Z"])
            if part == "move":
                may = leaves_may if any(far(square, places[name]) == 1 for square in path[:-1]) else ""
            elif name == target:
                may = target_may
            elif adjacent_may == "range":
                may = range_may if away <= reach else ""
            elif away == 1 and adjacent_may:
                may = adjacent_may
            else:
                may = range_may if away <= reach else ""
            if may:
                expected[name] = set(may)
        assert {name: set(told) for name, told in table.offers().items()} == expected, (seed, key, part)
        table.do("proceed")
        if part == "move":
            places["Z"] = path[-1]


def a_command(chance: random.Random) -> dict[str, Any]:
    name = chance.choice(NAMES)
    square = [chance.randint(1, 6), chance.randint(1, 6)]
    return chance.choice(
        (
            {"do": "act", "active": chance.sample(NAMES, chance.randint(1, 2)), "actions": chance.choice(list(RIGHTS))},
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
