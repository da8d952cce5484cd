"""The nearest legal clears, against a brute force and in the refusal of a clear."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.rematch.chains import judge
from companion.rules.rematch.nearest import AT_MOST, nearest
from companion.rules.rematch.tray import CELLS, Tray
from tests.companion.rules.brute import legal_clears
from tests.companion.rules.cases import match, side

SAMPLES = 400
TRAYS = st.tuples(*[st.text("RYB", min_size=5, max_size=5) | st.text("RYB.?", min_size=5, max_size=5)] * 3).map(
    "/".join
)


def found(
    tray: str, cells: str, broken: str = "", attack: str | None = None, player: str = "A", detours: bool = True
) -> list[tuple[str, str]]:
    clears = nearest(Tray.parse(tray), player, cells.split(), broken, attack, detours)
    return [(clear.attack, " ".join(clear.cells)) for clear in clears]


def test_nothing_else_is_nearer() -> None:
    rng = random.Random(3)
    for _ in range(SAMPLES):
        tray = "/".join("".join(rng.choices("RYB.?", (5, 5, 3, 1, 1), k=5)) for _ in range(3))
        player, broken = rng.choice("AB"), rng.choice(["", "B", "Y", "RY"])
        attack = rng.choice([None, "R2", "B4", "Y1"])
        cells = rng.sample(CELLS, rng.randint(1, 6))
        legal = {chain: len(chain ^ set(cells)) for chain in legal_clears(tray, player, broken)}
        attacks = legal_clears(tray, player, broken)
        best = [chain for chain, count in legal.items() if count == min(legal.values())]

        clears = nearest(Tray.parse(tray), player, cells, broken, attack)
        told = [frozenset(clear.cells) for clear in clears]
        assert len(set(told)) == len(told) == min(AT_MOST, len(best))
        assert set(told) <= set(best)
        assert [clear.attack for clear in clears] == [attacks[chain] for chain in told]
        meant = judge(Tray.parse(tray), player, cells, broken, attack).attack
        same = [clear.attack == meant for clear in clears]
        assert same == sorted(same, reverse=True)
        assert sum(same) == min(AT_MOST, sum(attacks[chain] == meant for chain in best))


@settings(max_examples=60, deadline=None)
@given(TRAYS, st.sampled_from("AB"), st.sampled_from(["", "R", "YB", "RYB"]), st.data())
def test_what_is_legal_is_nearest_to_itself(tray: str, player: str, broken: str, data: st.DataObject) -> None:
    legal = legal_clears(tray, player, broken)
    if not legal:
        assert nearest(Tray.parse(tray), player, ["b1"], broken) == ()
        return
    cells = data.draw(st.sampled_from(sorted(map(sorted, legal))))
    clears = nearest(Tray.parse(tray), player, data.draw(st.permutations(cells)), broken)
    assert [(sorted(clear.cells), clear.attack) for clear in clears] == [(cells, legal[frozenset(cells)])]


def test_what_the_player_may_have_meant() -> None:
    # one marble too few, a neighbour of another colour, the T, a marble named twice, one out of reach
    assert found("RRRRY/YYYYY/YYYYY", "a1 a2 a3") == [("R2", "a1 a2"), ("R2", "a2 a3"), ("R4", "a1 a2 a3 a4")]
    assert found("RRYYY/YBYYY/YYYYY", "a1 a2 b2") == [("R2", "a1 a2")]
    assert found("YRRRY/YYRYY/YYYYY", "a2 a3 a4 b3", attack="R4") == [("R2", "a2 a3"), ("R2", "a3 a4"), ("R2", "a3 b3")]
    assert found("RRYYY/BBYYY/YYYYY", "a1 a2 a1") == [("R2", "a1 a2")]
    assert found("YYYYY/YRYYY/YRYYY", "b2 c2") == [("R1", "b2")]
    # a chain that ends on its bridge, or that is a detour where the match forbids them
    assert found("RBRBY/YYYYY/YYYYY", "a1 a2 a3 a4", "B") == [("R2", "a1 a2 a3")]
    assert found("RBRYY/BBBYY/YYYYY", "a1 b1 b2 b3 a3", "B", detours=False)[0] == ("R2", "a1 a2 a3")
    assert found("RBRYY/BBBYY/YYYYY", "a1 b1 b2 b3 a3", "B") == [("R2", "a1 a3 b1 b2 b3")]


def test_a_colour_nobody_knows_is_never_proposed() -> None:
    assert found("R?YYY/YYYYY/YYYYY", "a1 a2") == [("R1", "a1")]
    assert found("R????/?????/?????", "b3", broken="R") == []


@pytest.mark.parametrize("overrule", [False, True])
def test_the_refusal_of_a_clear_tells_them(overrule: bool) -> None:
    game = match("RBR.Y/YYYYY/YYYYY", a=side("10 10 4!"))
    error = game.refused("clear", player="A", cells=["a1", "a2", "a3", "a4"], attack="R2", overrule=overrule)
    assert error["nearest"] == [
        {"attack": "R2", "cells": ["a1", "a2", "a3"], "chain": ["a1", "a2", "a3"], "heals": {"B": 2}}
    ]
    assert list(error) == ["code", "text", "cells", "reasons", "nearest"]


def test_the_declared_attack_is_the_one_that_was_meant() -> None:
    game = match("RYYYY/YYYYY/BBBBB").ok("declare", player="A", attack="Y1")
    nearest_to_it = game.refused("clear", player="A", cells=["a1", "b2"])["nearest"]
    assert [clear["attack"] for clear in nearest_to_it] == ["Y1", "R1"]


def test_the_refusal_keeps_to_the_match_about_detours() -> None:
    game = match("RBRYY/BBBYY/YYYYY", a=side("10 10 4!"), detours=False)
    error = game.refused("clear", player="A", cells=["a1", "b1", "b2", "b3", "a3"])
    assert error["nearest"][0]["cells"] == ["a1", "a2", "a3"]


def test_other_refusals_do_not() -> None:
    for fields in ({"attack": "R1", "shorts": {"B": 1}}, {"attack": "R9"}):
        assert "nearest" not in match().refused("clear", player="A", **fields)
    assert "nearest" not in match().refused("clear", player="B", cells=["a1", "a2"])
