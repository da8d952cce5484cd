"""Every row of the case file that is about one part, through the referee; the others are in test_turns.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.companion.rules.reactions.table import Table

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[3] / "data" / "rules" / "reactions.json").read_text(encoding="utf-8")
)


def table_of(case: dict[str, Any]) -> Table:
    """The active character is Z; relations are set by hand, so that each role comes alone."""
    names = ["Z", *case["given"]]
    table = Table(*({"id": name} for name in names), grid=None, **case.get("rules", {}))
    actions, _, part = case["setting"].partition(" ")
    target, leaves = None, []
    for name, told in case["given"].items():
        roles = told.split()
        if "target" in roles:
            target = name
            table.do("relate", who="Z", to=name, in_range=True)
        if "adjacent" in roles:
            table.do("relate", who=name, to="Z", adjacent=True)
        if "in_range" in roles:
            table.do("relate", who=name, to="Z", in_range=True)
        if "leaves" in roles:
            leaves.append(name)
    table.do("act", active=["Z"], actions=actions)
    fields: dict[str, Any] = {"part": part or "recovery"}
    if part == "attack":
        fields["target"] = target
    if part == "move":
        fields["leaves"] = leaves
    table.do("announce", **fields)
    return table


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    table = table_of(case)
    assert {name: set(told) for name, told in table.offers().items()} == {
        name: set(told) for name, told in case["expect"].items()
    }
    for offer in table.state["offers"]:
        expected = case.get("when_of", {}).get(offer["character"], case.get("when"))
        if expected is not None:
            assert offer["when"].startswith(expected)
    for name, reaction in case.get("refused", []):
        assert table.refused("react", character=name, reaction=reaction) == "no_reaction"
    for name, reaction in case.get("react", []):
        table.do("react", character=name, reaction=reaction)
    if "outcome" in case:
        if table.state["step"] is not None:
            table.do("proceed", **({"stopped": case["stopped"]} if "stopped" in case else {}))
        assert table.state["turn"]["done"][-1]["outcome"] == case["outcome"]


def test_double_defend_has_no_part_that_one_could_react_to() -> None:
    """R16."""
    table = Table({"id": "Z"}, {"id": "X"}, grid=None)
    table.do("act", active=["Z"], actions="DD")
    assert table.state["turn"]["parts"] == []
    for part in ("attack", "move", "stunt", "recovery"):
        assert table.refused("announce", part=part) == "bad_value"
