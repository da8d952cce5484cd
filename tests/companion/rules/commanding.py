"""Commands for property tests, sensible and not, and what must hold after any of them (DESIGN §4, §7)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from companion.rules.rematch.fighters import board_to_json
from tests.companion.rules.boarding import BOARD
from tests.companion.rules.brute import legal_clears

PLAYER = st.sampled_from("AB")
BUTTON = st.sampled_from("RYB")
ALL_CELLS = [lane + str(row) for lane in "abc" for row in range(1, 6)]
CELL = st.sampled_from(ALL_CELLS)
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
        "forced_credit_unpaid": st.sampled_from(["loses", "ignored"]),
        "kicker": st.sampled_from(["mandatory", "optional"]),
    },
)
DIAL = st.fixed_dictionaries({"hp": st.integers(1, 10), "broken": st.just(False)}) | st.fixed_dictionaries(
    {"hp": st.integers(1, 8), "broken": st.just(True)}
)
ASKING: list[dict[str, Any]] = [
    {"do": "deal", "amount": 2},
    {"do": "take", "amount": 2},
    {"do": "heal", "amount": 1},
    {"do": "any_fan"},
    {"do": "destroy", "amount": 2},
    {"do": "deny"},
    {"do": "marker", "marker": "amp"},
    {"do": "deal_all", "amount": "X-1", "x": "lanterns", "if": "a lantern is lit"},
    {"do": "either", "options": [[{"do": "pay", "optional": True}], [{"do": "note", "text": "Nod."}, {"do": "skip"}]]},
    {"do": "no_destroy"},
]
"""Each kind of choice; together, in any order, more than a few turns of hypothesis find on random boards."""


def _asking(order: list[dict[str, Any]]) -> dict[str, Any]:
    kicker = {"when": "either", "effects": order[4:6]}
    attacks = {f"{colour}{size}": {"effects": order[:4], "kicker": kicker} for colour in "RYB" for size in "124"}
    return {"name": "Asking", "attacks": attacks, "start": order[6:7], "end": order[7:8]}


BOARDS = st.none() | BOARD.map(board_to_json) | st.permutations(ASKING).map(_asking)


def side(fans: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "buttons": st.fixed_dictionaries(dict.fromkeys("RYB", DIAL)),
            "credits": st.integers(0, 4),
            "fans": st.lists(st.sampled_from(fans), unique=True),
            "board": BOARDS,
        }
    )


SETUP: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
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


MARKER = command(
    "marker",
    {
        "player": PLAYER,
        "name": st.sampled_from(
            ["spirit", "amp", "tarot", "trick card", "shield", "blocked", "forced", "denied", "own"]
        ),
        "place": st.sampled_from(["row1", "row3", "b3", "a1", "R", "B", "player A", "player B"]),
    },
    {
        "reacts": st.lists(st.sampled_from(["clear", "destroy", "attack"]), unique=True),
        "blocks": st.booleans(),
        "turns": st.sampled_from([None, 1, 2]),
        "forces": st.booleans(),
        "once": st.booleans(),
    },
)
ANSWERS: dict[str, st.SearchStrategy[Any]] = {
    "button": BUTTON,
    "fan": BUTTON,
    "cells": st.lists(CELL, max_size=2, unique=True),
    "refill": REFILL,
    "amount": AMOUNT,
    "yes": st.booleans(),
    "option": st.integers(-1, 3),
    "when": st.sampled_from(["before", "after", "either"]),
    "colour": BUTTON,
    "place": st.sampled_from(["row3", "b3", "R", "player A", "row6"]),
    "done": st.sampled_from([True, True, False]),
    "drop": st.sampled_from([True, False]),
}
RESOLVE = st.one_of(
    # an answer of each kind, to whatever comes first
    *(command("resolve", {"item": st.just("first"), name: answer}) for name, answer in ANSWERS.items()),
    command("resolve", {"item": st.integers(-1, 9) | st.sampled_from(["first", "1", True, 1.0, 10**9])}, ANSWERS),
)
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
    MARKER,
    command("marker", {"remove": st.integers(1, 4)}),
    RESOLVE,
    RULES.map(lambda switches: {"do": "rules", **switches}),
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


def made_real(state: dict[str, Any], do: dict[str, Any]) -> dict[str, Any]:
    """The commands that hang on the state, and any other as it is."""
    if do["do"] == "resolve" and do["item"] == "first":
        return {**do, "item": state["due"][0]["id"] if state["due"] else 1}
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


def answers(data: st.DataObject, state: dict[str, Any]) -> dict[str, Any]:
    """A command that answers what comes first in the list, as its choice asks."""
    item = state["due"][0]
    choice = item["choice"]
    full = [cell for cell in ALL_CELLS if state["tray"].split("/")["abc".index(cell[0])][int(cell[1]) - 1] != "."]
    field, values = {
        "dial": ("button", choice.get("options")),
        "fan": ("fan", choice.get("options")),
        "colour": ("colour", choice.get("options")),
        "when": ("when", choice.get("options")),
        "place": ("place", choice.get("options")),
        "option": ("option", range(len(choice.get("options", ())))),
        "cells": ("cells", [full[:count] for count in range(min(choice.get("most", 0), len(full)) + 1)]),
        "amount": ("amount", range(6)),
        "yes_no": ("yes", (True, False)),
        "done": ("done", (True,)),
    }[choice["kind"]]
    return {"do": "resolve", "item": item["id"], field: data.draw(st.sampled_from(values), label=field)}


def check(state: dict[str, Any]) -> None:
    """What holds between any two commands."""
    deferred = state["rules"]["breaks_settle"] == "attack_end"
    for side in state["players"].values():
        assert side["credits"] >= 0
        for dial in side["buttons"].values():
            assert 0 <= dial["hp"] <= 10
            if dial["broken"]:
                assert dial["hp"] <= 8
            if dial["hp"] == 0:
                assert dial["broken"]
                assert side["cannot_pay"] or (deferred and side["owed"])
    fans = [fan for side in state["players"].values() for fan in side["fans"]] + state["stage_fans"]
    assert sorted(fans) == ["B", "R", "Y"]
    most = 12 if state["rules"]["spare_marbles"] else 11
    assert all(state["tray"].count(colour) <= most for colour in "RYB")
    due = [item["id"] for item in state["due"]]
    assert len(due) == len(set(due))
    assert not due or state["phase"] in ("start", "resolve")
    assert not due or state["due"][0]["choice"] is not None
    markers = [marker["id"] for marker in state["markers"]]
    assert markers == sorted(set(markers))
    assert (state["phase"] == "over") == (state["over"] is not None)
    assert state["phase"] != "resolve" or state["declared"] is None
    if state["phase"] != "opening":
        assert state["opening_destroyed"] <= 2
