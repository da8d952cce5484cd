"""A whole match of Re;ACT, made up for the tests: chains, passives, masterpieces, an ascension, and an end."""

from __future__ import annotations

from typing import Any, Final

Command = dict[str, Any]

SETUP: Final[Command] = {
    "do": "setup",
    "first": "A",
    "field": {"columns": 5, "rows": 5, "stars": {"A": "3,1", "B": "3,5"}},
    "players": {
        "A": {"artist": "Dancer", "summons": {"fish": 2}},
        "B": {"artist": "Ink Cook", "custom": True, "tokens": {"ink": 3}, "passives": [
            {"name": "Simmer", "when": "start", "turns": "own", "effects": [
                {"do": "token", "player": "B", "kind": "ink", "zone": "3,3"},
            ]},
        ]},
    },
    "rules": {"placing": "may"},
}  # fmt: skip


def play(player: str, kind: str, card: str, *costs: Command, **more: Any) -> Command:
    told = {"do": "play", "player": player, "kind": kind, "card": card, **more}
    return {**told, "costs": list(costs)} if costs else told


def exhaust(unit: str) -> Command:
    return {"do": "exhaust", "unit": unit}


def target(zone: str) -> Command:
    return {"do": "target", "zone": zone}


def passed(player: str) -> Command:
    return {"do": "pass", "player": player}


def resolve(*effects: Command, **more: Any) -> Command:
    return {"do": "resolve", **({"effects": list(effects)} if effects else {}), **more}


def damage(*zones: str) -> Command:
    return {"do": "damage", "zones": list(zones)}


def move(unit: str, direction: str) -> Command:
    return {"do": "move", "unit": unit, "direction": direction}


def scale(zone: str, count: int = 1) -> Command:
    return {"do": "token", "player": "A", "kind": "scale", "zone": zone, "count": count}


def progress(player: str, card: int, space: int) -> Command:
    return {"do": "progress", "player": player, "place": card, "space": space}


def end(player: str) -> Command:
    return {"do": "end_turn", "player": player}


DRAW: Final[Command] = {"do": "draw"}

MATCH: Final[tuple[Command, ...]] = (
    SETUP,
    DRAW,
    play("A", "intention", "Dancer", exhaust("A"), effect="Leap", **{"from": "ability"}),
    passed("B"),
    passed("A"),
    resolve(move("A", "up"), scale("3,4"), slot=1),
    play("A", "intention", "Riptide", target("3,5")),
    play("B", "reaction", "Steam", effects=[{"do": "block", "player": "B", "zone": "3,5"}, move("B", "left")]),
    passed("A"),
    passed("B"),
    resolve(),
    resolve(damage("target")),
    end("A"),
    progress("B", 2, 3),
    DRAW,
    play("B", "intention", "Pepper", {"do": "direction", "direction": "down"}),
    play("A", "reaction", "Sidestep"),
    play("B", "reaction", "Salt"),
    play("A", "reaction", "Turn"),
    play("B", "reaction", "Serve"),
    resolve(damage("3,2"), slot=5),
    resolve(move("A", "left"), slot=4),
    resolve({"do": "token", "player": "B", "kind": "ink", "unit": "A"}, slot=3),
    resolve(scale("2,4", 3), {"do": "summon", "player": "A", "kind": "fish", "zone": "2,4"}, slot=2),
    damage("2,5"),
    resolve(),
    resolve({"do": "move", "unit": "B", "direction": "chosen"}, {"do": "draw", "player": "B"}, slot=1),
    end("B"),
    progress("A", 1, 1),
    DRAW,
    {"do": "correct", "player": "A", "hand": 4},
    end("A"),
    {"do": "progress", "player": "B", "skip": True},
    DRAW,
    end("B"),
    progress("A", 2, 2),
    DRAW,
    end("A"),
    {"do": "progress", "player": "B", "place": 1, "space": 4},
    DRAW,
    end("B"),
    {"do": "progress", "player": "A", "place": 3, "space": 5},
    DRAW,
    play("A", "intention", "Mirror"),
    passed("B"),
    passed("A"),
    resolve({"do": "rearrange", "player": "A", "swap": [3, 5]}),
    play("A", "intention", "Dancer", exhaust("A"), effect="Super", **{"from": "ability"}),
    passed("B"),
    passed("A"),
    resolve({"do": "damage", "zones": ["2,5"], "amount": 2}, {"do": "descend", "player": "A"}),
)
"""The end of turn 7: B is beaten."""
