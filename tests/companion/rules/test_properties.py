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

PLAYER = st.sampled_from("AB")
BUTTON = st.sampled_from("RYB")
CELL = st.sampled_from([lane + str(row) for lane in "abc" for row in range(1, 6)])
ATTACK = st.sampled_from(["R1", "R2", "R4", "Y1", "Y2", "Y4", "B1", "B2", "B4"])
AMOUNT = st.integers(0, 6) | st.sampled_from([-1, True, 1.5, "1", 10**9])
REFILL = st.dictionaries(st.sampled_from("abc"), st.text("RYB.?", max_size=3), max_size=2)
TRAY = st.tuples(*[st.text("RYB.?", min_size=5, max_size=5) | st.text("RYB", min_size=5, max_size=5)] * 3).map("/".join)
RULES = st.fixed_dictionaries(
    {},
    optional={
        "edition": st.sampled_from(["1.5", "2.0", "2.5"]),
        "forced_credit_heals": st.booleans(),
        "flips_per_turn": st.sampled_from([None, 1]),
        "fan_snapshot": st.sampled_from(["turn_begins", "after_start_effects"]),
        "detours": st.booleans(),
        "breaks_settle": st.sampled_from(["effect", "attack_end"]),
        "both_lose": st.sampled_from(["attacker_wins", "first_loses"]),
        "marbles_return": st.sampled_from(["end_of_turn", "at_once"]),
        "spare_marbles": st.booleans(),
        "third_break_price": st.sampled_from([2, 3]),
    },
)
DIAL = st.fixed_dictionaries({"hp": st.integers(1, 10), "broken": st.just(False)}) | st.fixed_dictionaries(
    {"hp": st.integers(1, 8), "broken": st.just(True)}
)


def side(fans: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "buttons": st.fixed_dictionaries(dict.fromkeys("RYB", DIAL)),
            "credits": st.integers(0, 4),
            "fans": st.lists(st.sampled_from(fans), unique=True),
        }
    )


SETUP = st.fixed_dictionaries(
    {
        "do": st.just("setup"),
        "first": PLAYER,
        "tray": TRAY,
        "players": st.fixed_dictionaries({"A": side("RY"), "B": side("B")}),
        "rules": RULES,
    }
)


def command(
    do: str, needed: dict[str, Any], optional: dict[str, Any] | None = None
) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"do": st.just(do), **needed}, optional=optional or {})


HIT = st.fixed_dictionaries({"player": PLAYER, "button": BUTTON, "amount": AMOUNT})
COMMANDS = st.one_of(
    command("begin", {}),
    command("destroy", {"player": PLAYER, "cells": st.lists(CELL, max_size=3)}, {"refill": REFILL}),
    command("flip", {"player": PLAYER, "button": BUTTON}),
    command("declare", {"player": PLAYER, "attack": ATTACK}),
    command("clear", {"player": PLAYER, "cells": st.lists(CELL, max_size=4)}, {"refill": REFILL, "attack": ATTACK}),
    command(
        "clear", {"player": PLAYER, "cells": st.lists(CELL, max_size=4), "attack": ATTACK, "overrule": st.just(True)}
    ),
    command(
        "clear",
        {"player": PLAYER, "attack": ATTACK},
        {"shorts": st.dictionaries(BUTTON, st.integers(0, 3)), "overrule": st.booleans()},
    ),
    command("hit", {"source": PLAYER, "hits": st.lists(HIT, max_size=4)}),
    command("heal", {"player": PLAYER, "button": BUTTON, "amount": AMOUNT}),
    command("fan", {"player": PLAYER, "fan": BUTTON}),
    command("pay", {"player": PLAYER, "credits": AMOUNT}, {"restores": st.booleans()}),
    command("skip_next", {"player": PLAYER}),
    command("end_turn", {"player": PLAYER}),
    st.fixed_dictionaries(
        {"do": st.just("correct")},
        optional={
            "player": PLAYER,
            "button": BUTTON,
            "hp": AMOUNT,
            "broken": st.booleans(),
            "credits": AMOUNT,
            "fan": BUTTON,
            "place": st.sampled_from(["A", "stage", "B"]),
            "cell": CELL,
            "colour": st.sampled_from("RYB.?"),
            "tray": TRAY,
            "turn": PLAYER,
        },
    ),
    st.just({"do": "a legal clear"}),  # random cells are hardly ever one
    st.just({"do": "end_turn of the player on turn"}),
)


def made_real(game: Match, do: dict[str, Any]) -> dict[str, Any]:
    state = game.json
    if do["do"] == "end_turn of the player on turn":
        return {"do": "end_turn", "player": state["turn"]}
    if do["do"] != "a legal clear":
        return do
    player = state["turn"]
    broken = "".join(c for c, dial in state["players"][player]["buttons"].items() if dial["broken"])
    clears = sorted(map(sorted, legal_clears(state["tray"], player, broken)))
    if not clears:
        return {"do": "clear", "player": player, "attack": "R1"}
    return {"do": "clear", "player": player, "cells": max(clears, key=len)}


def check(game: Match) -> None:
    state = game.json
    deferred = state["rules"]["breaks_settle"] == "attack_end"
    for side in state["players"].values():
        assert side["credits"] >= 0
        for dial in side["buttons"].values():
            assert 0 <= dial["hp"] <= 10
            if dial["broken"]:
                assert dial["hp"] <= 8
            if dial["hp"] == 0:
                assert dial["broken"]
                assert deferred or side["cannot_pay"]
    fans = [fan for side in state["players"].values() for fan in side["fans"]] + state["stage_fans"]
    assert sorted(fans) == ["B", "R", "Y"]
    most = 12 if state["rules"]["spare_marbles"] else 11
    assert all(state["tray"].count(colour) <= most for colour in "RYB")
    assert (state["phase"] == "over") == (state["over"] is not None)
    assert state["phase"] != "resolve" or state["declared"] is None
    if state["phase"] != "opening":
        assert state["opening_destroyed"] <= 2


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(SETUP, st.lists(COMMANDS, max_size=25))
def test_any_sequence_of_commands(setup: dict[str, Any], commands: list[dict[str, Any]]) -> None:
    game = Match().do(setup)
    if not game.reply["ok"]:
        assert game.reply["error"]["code"] == "too_many_of_colour"
        return
    keys = list(game.json)
    for do in commands:
        game.do(made_real(game, do))  # a refused command leaves identical bytes: Match checks it
        assert list(game.json) == keys
        assert json.loads(game.bytes) == game.json
        check(game)
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
            check(game)
            if not game.json["over"]:
                game.ok("end_turn", player=player)
        assert game.json["over"] is not None
