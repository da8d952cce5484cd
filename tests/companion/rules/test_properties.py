"""Any sequence of commands keeps what must hold (DESIGN §4, §7)."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.rules.rematch.game import REMATCH
from tests.companion.rules.brute import legal_clears
from tests.companion.rules.cases import Match
from tests.companion.rules.commanding import COMMANDS, SETUP, check, made_real


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(SETUP, st.lists(COMMANDS, max_size=25))
def test_any_sequence_of_commands(setup: dict[str, Any], commands: list[dict[str, Any]]) -> None:
    game = Match().do(setup)
    if not game.reply["ok"]:
        assert game.reply["error"]["code"] == "too_many_of_colour"
        return
    keys = list(game.json)
    for do in commands:
        game.do(made_real(game.json, do))  # a refused command leaves identical bytes: Match checks it
        assert list(game.json) == keys
        assert json.loads(game.bytes) == game.json
        check(game.json)
    replayed: Any = None
    for event in json.loads(json.dumps(game.log)):
        replayed = REMATCH.evolve(replayed, event)
    assert replayed == game.state


def test_long_matches_end_and_refuse_nothing_a_player_may_do() -> None:
    """Two players who always make a legal clear and then hit: no such match gets stuck."""
    rng = random.Random(11)
    for _ in range(40):
        tray = "/".join("".join(rng.choice("RYB") for _ in range(5)) for _ in range(3))
        if max(tray.count(colour) for colour in "RYB") > 11:
            continue
        game = Match().ok("setup", first=rng.choice("AB"), tray=tray)
        for _ in range(200):
            state = game.json
            if state["over"]:
                break
            player = state["turn"]
            other = "B" if player == "A" else "A"
            broken = "".join(c for c, dial in state["players"][player]["buttons"].items() if dial["broken"])
            clears = sorted(map(sorted, legal_clears(state["tray"], player, broken)))
            if not clears:
                code = game.do({"do": "end_turn", "player": player}).reply.get("error", {}).get("code")
                assert code == "must_flip"
                game.ok("flip", player=player, button=rng.choice(broken))
                continue
            cells = rng.choice(clears)
            lanes = {lane: sum(cell[0] == lane for cell in cells) for lane in "abc"}
            refill = {lane: "".join(rng.choice("RYB") for _ in range(count)) for lane, count in lanes.items()}
            game.do({"do": "clear", "player": player, "cells": cells, "refill": refill})
            if not game.reply["ok"]:
                assert game.reply["error"]["code"] == "too_many_of_colour"
                game.ok("clear", player=player, cells=cells)
                game.ok("correct", tray=tray)
            live = [c for c, dial in game.json["players"][other]["buttons"].items() if not dial["broken"]]
            if live:
                game.ok("hit", source=player, hits=[{"player": other, "button": rng.choice(live), "amount": 4}])
            check(game.json)
            if not game.json["over"]:
                game.ok("end_turn", player=player)
        assert game.json["over"] is not None
