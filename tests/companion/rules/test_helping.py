"""Help for learners says what the rules would accept, no more and no less, and what the tower must hold."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from companion.games import game
from companion.rules.core import Rejection
from companion.rules.rematch.tray import CELLS
from companion.session import Session

TRAYS = ["RYBRY/YBRBY/BRYBR", "RRYBB/RRYBB/YYBRR", "RRRRR/BBBYY/YYYBB", "?YBRY/YBRBY/BRYB."]


def begun(tray: str, *commands: dict[str, Any]) -> Session:
    session = Session(game("rematch"))
    for command in ({"do": "setup", "first": "A", "tray": tray}, {"do": "begin"}, *commands):
        reply = session.submit(command)
        assert reply.accepted, reply.body
    return session


@pytest.mark.parametrize("tray", TRAYS)
@pytest.mark.parametrize("broken", ["", "R"])
def test_the_clears_are_those_that_would_be_accepted(tray: str, broken: str) -> None:
    session = begun(tray, *({"do": "correct", "player": "A", "button": c, "hp": 5, "broken": True} for c in broken))
    found = session.help()
    assert found is not None
    rules, accepted = session.game, set()
    reach = [cell for cell in CELLS if cell[0] in "ab"]
    for n in (1, 2, 3, 4):
        for cells in combinations(reach, n):
            decided = rules.decide(session.state, {"do": "clear", "player": "A", "cells": list(cells)})
            if not isinstance(decided, Rejection):
                accepted.add(cells)
    told = {tuple(cell for cell in CELLS if cell in clear["cells"]) for clear in found["clears"]}
    assert accepted
    assert {cells for cells in told if len(cells) <= 4} == accepted


def attacks(session: Session) -> set[str]:
    found = session.help()
    assert found is not None
    return {clear["attack"] for clear in found["clears"]}


def test_markers_and_a_declared_attack_are_minded() -> None:
    session = begun(TRAYS[0])
    assert {attack[0] for attack in attacks(session)} == {"R", "Y", "B"}
    denied = {"do": "marker", "player": "B", "name": "ice", "place": "R", "blocks": True}
    assert session.submit(denied).accepted
    assert {attack[0] for attack in attacks(session)} == {"Y", "B"}
    assert session.submit({"do": "declare", "player": "A", "attack": "Y1"}).accepted
    assert attacks(session) == {"Y1"}


def test_the_next_marbles_are_what_the_tower_must_hold() -> None:
    session = begun("RRRRR/YYYYY/BBBBB")
    assert session.help()["next"] == {"R": 0.333, "Y": 0.333, "B": 0.333}
    session = begun("RRRRR/RRRRY/YYYBB")
    assert session.help()["next"] == {"R": 0.111, "Y": 0.389, "B": 0.5}
    assert begun("?RRRR/RRRRY/YYYBB").help()["next"] is None


def test_nobody_is_helped_when_nobody_can_clear() -> None:
    session = Session(game("rematch"))
    assert session.help() is None
    session.submit({"do": "setup", "first": "A", "tray": TRAYS[0]})
    assert session.help() is None
    session.submit({"do": "begin"})
    assert session.help() is not None
    session.submit({"do": "clear", "player": "A", "cells": ["a1"]})
    assert session.help() is None
    session.submit({"do": "concede", "player": "A"})
    assert session.help() is None


def test_several_reasons_make_one_sentence() -> None:
    session = begun(TRAYS[0])
    for marker in (
        {"do": "marker", "player": "B", "name": "ice", "place": "R", "blocks": True},
        {"do": "marker", "player": "B", "name": "amp", "place": "b1", "forces": True},
    ):
        assert session.submit(marker).accepted
    error = session.submit({"do": "clear", "player": "A", "cells": ["a1", "a4"]}).body["error"]
    # the name of a colour keeps its capital in mid-sentence, other words do not
    assert "; Red attacks are denied by a marker" in error["text"]
    assert "; a marker forces a marble" in error["text"]
    assert error["text"].count(".") == 1
