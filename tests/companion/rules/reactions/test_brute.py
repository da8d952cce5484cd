"""Offers against the sheet written a third time: several active characters, relations by hand, moments, whom for."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.companion.rules.reactions.table import Table

NAMES = "ZYXWVU"
SHEET: dict[str, dict[str, list[tuple[str, str]]]] = {
    "recovery": {"recovery": [("range", "A")]},
    "AA": {"attack": [("target", "A>!"), ("adjacent, not target", "A>!"), ("range, not target", "A")]},
    ">>": {"move": [("leaves", "A>!")]},
    "!!": {"stunt": [("adjacent", "A>!"), ("range", "A")]},
    "DD": {},
    "AD": {"attack": [("target", "D"), ("adjacent, not target", ">!")]},
    "A>": {"attack": [("target", "D"), ("adjacent, not target", "A>!")], "move": [("leaves", "A>!")]},
    "A!": {
        "attack": [("target", "D"), ("adjacent, not target", "A>!"), ("range", "A")],
        "stunt": [("adjacent", "A>!"), ("range", "A")],
    },
    "D>": {"move": [("leaves", ">!")]},
    "D!": {"stunt": [("adjacent", ">!")]},
    ">!": {"move": [("leaves", "A>!")], "stunt": [("adjacent", "A>!"), ("range", "A")]},
}


class Scene:
    """Six characters by chance, on a grid or without one, with relations set by hand."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(seed)
        self.corners, self.reach, self.grid = chance.random() < 0.5, chance.randint(0, 4), chance.random() < 0.7
        squares = chance.sample([(x, y) for x in range(1, 6) for y in range(1, 6)], len(NAMES))
        self.at = dict(zip(NAMES, squares, strict=True))
        self.own = {name: chance.choice([None, None, 1, 5]) for name in NAMES}
        self.active = chance.sample(NAMES, chance.choice((1, 1, 2)))
        self.disabled = {name: name not in self.active and chance.random() < 0.15 for name in NAMES}
        self.told: dict[tuple[str, str], tuple[bool | None, bool | None]] = {}
        for _ in range(chance.randint(0, 8) if self.grid else 14):
            who, to = chance.sample(NAMES, 2)
            self.told[who, to] = (chance.choice([None, True, False]), chance.choice([None, True, False]))
        characters = [
            {"id": name, "range": self.own[name], "disabled": self.disabled[name]}
            | ({"at": list(self.at[name])} if self.grid else {})
            for name in NAMES
        ]
        rules = {"adjacency": 8 if self.corners else 4, "range": self.reach, "attack_needs_range": False}
        self.table = Table(*characters, grid=(5, 5) if self.grid else None, **rules)
        for (who, to), (near, can) in self.told.items():
            self.table.do("relate", who=who, to=to, adjacent=near, in_range=can)

    def far(self, one: tuple[int, int], other: tuple[int, int]) -> int:
        x, y = abs(one[0] - other[0]), abs(one[1] - other[1])
        return max(x, y) if self.corners else x + y

    def near(self, one: str, other: str) -> bool:
        for pair in ((one, other), (other, one)):
            told = self.told.get(pair, (None, None))[0]
            if told is not None:
                return told
        return self.grid and self.far(self.at[one], self.at[other]) == 1

    def can(self, one: str, other: str) -> bool:
        told = self.told.get((one, other), (None, None))[1]
        if told is not None:
            return told
        own = self.own[one]
        return self.grid and self.far(self.at[one], self.at[other]) <= (self.reach if own is None else own)

    def move(self, by: str) -> tuple[dict[str, Any], dict[str, list[int]]]:
        """Its fields, and at which moments whose adjacent squares are left."""
        others = [name for name in NAMES if name != by]
        if not self.grid:
            told = [self.chance.choice(others) for _ in range(self.chance.randint(0, 4))]
            return {"leaves": told}, {name: [i for i, one in enumerate(told) if one == name] for name in others}
        path = [self.at[by]]
        board = [(x, y) for x in range(1, 6) for y in range(1, 6)]
        for _ in range(self.chance.randint(1, 5)):
            path.append(self.chance.choice([square for square in board if self.far(square, path[-1]) == 1]))
        while len(path) > 1 and path[-1] in [self.at[name] for name in others]:
            path.pop()
        left = {
            name: [i for i, square in enumerate(path[:-1]) if self.far(square, self.at[name]) == 1] for name in others
        }
        return {"path": [list(square) for square in path[1:]]}, left

    def expected(self, name: str, part: str, key: str, by: str, target: str | None, left: Any) -> dict[Any, set[str]]:
        """Reaction and moment → whom an attack may be for."""
        found: dict[Any, set[str]] = {}
        in_range = {one for one in self.active if self.can(name, one)}
        near = any(self.near(name, one) for one in self.active)
        for role, reactions in SHEET[key][part]:
            if role == "leaves":
                for moment in left.get(name, []):
                    for reaction in reactions:
                        found.setdefault((reaction, moment), {by} if reaction == "A" else set())
                continue
            if role.endswith("not target") and name == target:
                continue
            if (role == "target" and name == target) or (role.startswith("adjacent") and near):
                whom = set(self.active)
            elif role.startswith("range") and in_range:
                whom = in_range
            else:
                continue
            for reaction in reactions:
                found.setdefault((reaction, None), whom if reaction == "A" else set())
        return found


@pytest.mark.parametrize("seed", range(100))
def test_offers_are_those_of_the_sheet(seed: int) -> None:
    scene = Scene(seed)
    chance, table = scene.chance, scene.table
    key = chance.choice(list(SHEET))
    table.do("act", active=scene.active, actions=key if key == "recovery" else chance.sample(key, 2))
    for part in SHEET[key]:
        by = chance.choice(scene.active)
        target = chance.choice([name for name in NAMES if name != by]) if part == "attack" else None
        fields, left = scene.move(by) if part == "move" else ({} if target is None else {"target": target}, {})
        if fields.get("path") == []:
            continue
        table.do("announce", part=part, by=by, **fields)
        told: dict[str, dict[Any, set[str]]] = {}
        for offer in table.state["offers"]:
            for reaction, about in offer["reactions"].items():
                told.setdefault(offer["character"], {})[reaction, offer["moment"]] = set(about["against"])
        may = [name for name in NAMES if name not in scene.active and not scene.disabled[name]]
        expected = {name: scene.expected(name, part, key, by, target, left) for name in may}
        assert told == {name: found for name, found in expected.items() if found}, (key, part)
        table.do("proceed")
        if "path" in fields:
            scene.at[by] = tuple(fields["path"][-1])
