"""Random matches, sensible and not: what must always hold. Blows: test_blows."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.games import game
from companion.log import MemoryLog
from companion.rules.reinforcements.cards import CARDS, how_many
from companion.rules.reinforcements.commands import FIELDS, parse
from companion.session import Session
from tests.companion.rules.reinforcements.table import Match, player, up

JUNK: list[Any] = [
    None,
    True,
    -1,
    0,
    3,
    10**30,
    1.5,
    "",
    "?",
    "A",
    "E",
    "B1",
    "B1.1",
    "B9.9s",
    "R5",
    "r5",
    "RX",
    [],
    {},
    ["R5"],
]


def check(state: dict[str, Any]) -> None:
    assert state["total"] == 96
    for seat, side in state["players"].items():
        assert side["hand"] >= 0
        assert len(side["stacks"]) <= 5
        assert side["out"] is (side["stacks"] == []) or state["asks"]  # who is out is said when all have answered
        for stack in side["stacks"]:
            assert stack["id"][0] == seat
            assert 1 <= len(stack["cards"]) <= (4 if stack["revealed"] and stack["colour"] == "B" else 3)
            if stack["revealed"]:
                assert {card[0] for card in stack["cards"]} == {stack["colour"]}
            elif len(stack["cards"]) == 3:
                assert any(ask["kind"] == "reveal" and ask["stack"] == stack["id"] for ask in state["asks"])
        for totem in side["totems"]:
            held = {stack["colour"] for stack in side["stacks"] if stack["revealed"]}
            assert held >= {"wurm": {"R"}, "elk": {"B"}, "chameleon": {"G"}, "hero": {"R", "B", "G"}}[totem]
    assert state["deck"] >= 0
    for card, count in state["discard"]["known"].items():
        assert count <= how_many(card)
    playing = [seat for seat, side in state["players"].items() if not side["out"]]
    assert (state["over"] is not None) is (len(playing) <= 1)
    if state["over"] is None:
        # in Chaos Mode the token lies with who drew first, out or not, until the round is over
        assert state["turn"] in playing or state["mode"] == "chaos"


def answer(chance: random.Random, ask: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    card, other = chance.sample(CARDS, 2)
    if ask["kind"] == "flip":
        return {"do": "flip", "card": card}
    if ask["kind"] == "reinforcements":
        return {"do": "reinforcements", "defender": card, "attacker": other}
    if ask["kind"] == "rallied":
        return {"do": "rallied", "card": card}
    if ask["kind"] == "reveal":
        colour = chance.choice("RBG")
        cards = [colour + chance.choice("1234") for _ in range(3)]
        if chance.random() < 0.2:
            cards[2] = chance.choice("RBG") + "2"
        return {"do": "reveal", "cards": cards}
    if ask["kind"] == "hero":
        return {"do": "hero", "use": chance.random() < 0.5}
    if ask["kind"] == "send":
        return {"do": "send", "player": ask["player"], "place": f"{own_stack(chance, state, ask['player'])}.1"}
    full = len(state["players"][ask["player"]]["stacks"]) == 5
    return {"do": "gift", "player": ask["player"], **({"keep": True} if full else {})}


def own_stack(chance: random.Random, state: dict[str, Any], seat: str) -> str:
    stacks = state["players"][seat]["stacks"]
    return chance.choice(stacks)["id"] if stacks else f"{seat}1"


def move(chance: random.Random, state: dict[str, Any]) -> dict[str, Any]:
    if state["asks"] and chance.random() < 0.9:
        return answer(chance, state["asks"][0], state)
    playing = [seat for seat, side in state["players"].items() if not side["out"]]
    if state["mode"] == "chaos":
        due = [seat for seat in playing if not state["players"][seat]["drawn"]]
        seat = chance.choice(due or playing)
    else:
        seat = state["turn"]
    foe = chance.choice([one for one in playing if one != seat])
    mine, target = own_stack(chance, state, seat), own_stack(chance, state, foe)
    card = chance.choice(CARDS)
    red = "R" + chance.choice("1234")
    shown = next((stack for stack in state["players"][seat]["stacks"] if stack["id"] == mine), None)
    colour = (shown["colour"] if shown and shown["revealed"] else None) or "R"
    if len(playing) > 2 and chance.random() < 0.01:
        return {"do": "concede", "player": chance.choice(playing)}
    choices: list[dict[str, Any]] = [
        {"do": "draw", "player": seat},
        {"do": "attack", "player": seat, "card": card, "target": target},
        {
            "do": "defend",
            "player": seat,
            "stack": mine,
            **({"card": colour + "1"} if shown and shown["revealed"] else {}),
        },
        {"do": "defend", "player": seat, "stack": mine},
        {"do": "discard", "player": seat, "count": chance.randint(0, 3)},
        {"do": "deploy", "player": seat, "cards": ["RA"], "target": f"{target}.1"},
        {"do": "deploy", "player": seat, "cards": ["GM"], "target": target},
        {"do": "deploy", "player": seat, "cards": ["BC"], "target": f"{mine}.1", "pay": ["G4"]},
        {"do": "deploy", "player": seat, "cards": ["RC"], "target": target, "pay": ["B5"]},
        {"do": "deploy", "player": seat, "cards": ["GC"]},
        {"do": "deploy", "player": seat, "cards": ["R1", "B1", "B1", "G1", "G1"], "target": target},
        {"do": "barrage", "player": seat, "card": red, "target": target},
        {"do": "barrage", "player": seat, "card": red, "from": f"{mine}.1", "target": target},
        {"do": "fortify", "player": seat, "stack": mine, "card": "B2"},
        {"do": "adapt", "player": seat, "card": "G3", "with": f"{mine}.1"},
        {"do": "totem", "player": seat, "totem": "wurm", "targets": [f"{target}.1", f"{mine}.1", f"{target}.2"]},
        {"do": "totem", "player": seat, "totem": "elk"},
        {"do": "totem", "player": seat, "totem": "chameleon", "mine": mine, "theirs": target},
        {"do": "broken", "player": seat, "stack": mine},
        {"do": "end_turn", "player": seat},
        {"do": "end_round"},
        {"do": "totem_drawn", "player": seat, "totem": chance.choice(("wurm", "elk", "chameleon", "hero"))},
        {"do": "correct", "player": seat, "hand": 5},
        {"do": "correct", "player": foe, "new": chance.choice((["?"], ["?", "?"]))},
        {"do": "correct", "player": seat, "new": ["B1", "B2", "B3", "B4"], "revealed": True},
        {"do": "correct", "stack": target, "cards": chance.choice(([], ["?"], ["?", "?"]))},
        {"do": "correct", "shield_on": f"{mine}.1", "shield": chance.choice(("BC", ""))},
        {"do": "correct", "discard": chance.randint(0, 60)},
        {"do": "correct", "turn": foe},
        {"do": "undo"},
        {"do": "redo"},
    ]
    return chance.choice(choices)


@pytest.mark.parametrize("seed", range(16))
def test_matches_by_chance(seed: int) -> None:
    chance = random.Random(seed)
    session = Session(game("reinforcements"), MemoryLog())
    seats = [player(up("R2", "R3"), up("B1", "B2"), 2, 1), *(player(2, up("G1", "G5"), 1) for _ in range(seed % 3 + 1))]
    setup = {"do": "setup", "players": seats, "first": "A", "mode": "chaos" if seed % 2 else "normal"}
    assert session.submit(setup).accepted
    accepted, main_actions = 0, 0
    for _ in range(400):
        before = session.state_json
        assert before is not None
        if before["over"] is not None:
            break
        command = move(chance, before)
        if chance.random() < 0.1:
            command[chance.choice(["player", "card", "target", "stack", "cards"])] = chance.choice(JUNK)
        reply = session.submit(command)
        state = session.state_json
        assert state is not None
        check(state)
        if not reply.accepted:
            assert state == before
            assert reply.body["error"]["text"].endswith(".")
            continue
        accepted += 1
        if command["do"] in ("attack", "discard", "deploy") and not state["asks"]:
            main_actions += 1
            assert before["players"][command["player"]]["main"] is False
    assert accepted > 40
    assert main_actions > 0 or setup["mode"] == "chaos"  # where most of the time somebody must draw first
    assert Session(game("reinforcements"), MemoryLog(session.timeline)).state_json == session.state_json


@pytest.mark.parametrize("seed", range(6))
def test_nonsense_is_refused_without_a_fuss(seed: int) -> None:
    chance = random.Random(seed)
    match = Match()
    for _ in range(300):
        name = chance.choice(list(FIELDS))
        command: dict[str, Any] = {field: chance.choice(JUNK) for field in FIELDS[name] if chance.random() < 0.7}
        command["do"] = name
        parse(command)  # an answer, never an exception
        match.session.submit(command)
        check(match.state)
