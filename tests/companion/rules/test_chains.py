"""`judge` and `moves` against the case file, a brute force, and one test for each code of DESIGN §8."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from companion.rules.rematch.chains import ATTACKS, Verdict, judge, moves
from companion.rules.rematch.tray import CELLS, Tray
from tests.companion.rules.brute import legal_clears
from tests.companion.rules.cases import load

CLEARS = list(load("clears.json"))
SAMPLES = 1000


def verdict(
    tray: str, cells: str, player: str = "A", broken: str = "", attack: str | None = None, **rest: Any
) -> Verdict:
    return judge(Tray.parse(tray), player, cells.split(), broken, attack, **rest)


def codes(found: Verdict) -> list[str]:
    return [reason.code for reason in found.reasons]


@pytest.mark.parametrize("case", CLEARS, ids=lambda case: case["id"])
def test_case_file(case: dict[str, Any]) -> None:
    found = verdict(case["tray"], " ".join(case["cells"]), case["player"], case["broken"], case["attack"])
    assert (found.legal, dict(found.heals)) == (case["legal"], case["heals"]), case["why"]
    assert set(case["codes"]) <= set(codes(found))
    if case["legal"]:
        assert found.attack == case["attack"]
        assert set(found.chain) == set(case["cells"])


def test_the_case_file_is_whole() -> None:
    assert len(CLEARS) == 35


# --- each code -------------------------------------------------------------------------------------------------------


def test_empty_cell() -> None:
    found = verdict("R.BRY/YBRBY/BRYBR", "a1 a2")
    assert codes(found) == ["empty_cell", "mixed_colours"]  # no marble, so none of the right colour either
    assert found.reasons[0].cells == ("a2",)
    assert codes(verdict("R.BRY/YBRBY/BRYBR", "a2")) == ["empty_cell"]
    # C35: over a gap two marbles do not touch
    assert codes(verdict("R.RBY/YBRBY/BRYBR", "a1 a3", attack="R2")) == ["not_connected"]


def test_unknown_cell_claims_nothing_that_is_not_certain() -> None:
    assert codes(verdict("R?BRY/YBRBY/BRYBR", "a1 a2", attack="R2")) == ["unknown_cell"]
    assert codes(verdict("R?BRY/YBRBY/BRYBR", "a1 a2", attack="R4")) == ["unknown_cell", "wrong_count"]
    assert codes(verdict("?YBRY/YBRBY/BRYBR", "a1")) == ["unknown_cell"]
    assert codes(verdict("?YBRY/YBRBY/BRYBR", "a1", broken="RYB")) == ["unknown_cell", "broken_button"]
    assert codes(verdict("?BRRY/YBRBY/BRYBR", "a1 a2", broken="B")) == ["unknown_cell", "ends_on_short_circuit"]


def test_out_of_reach() -> None:
    for player, cell, legal in (("A", "a1", True), ("A", "b1", True), ("A", "c1", False), ("B", "a1", False)):
        found = verdict("RRRRR/RRRRR/YYYYY".replace("Y", "R"), cell, player)
        assert (found.legal, codes(found)) == (legal, [] if legal else ["out_of_reach"])
    found = verdict("YYYYY/YYRYR/YYBBB", "b5 c5 c4 c3 b3", broken="B", attack="R2")
    assert [(reason.code, reason.cells) for reason in found.reasons] == [("out_of_reach", ("c5", "c4", "c3"))]


def test_mixed_colours() -> None:
    found = verdict("RYRRY/YBRBY/BRYBR", "a1 a2 a3", attack="R2")
    assert [(reason.code, reason.cells) for reason in found.reasons] == [("mixed_colours", ("a2",))]
    # no attack named, and two that it may be: what applies to both
    found = verdict("RRRYY/YBRBY/BRYBR", "a1 a2 a3 a4")
    assert [(reason.code, reason.cells) for reason in found.reasons] == [("mixed_colours", ("a1", "a2", "a3", "a4"))]
    assert found.attack is None
    # neither three Reds nor three Yellows make an attack
    found = verdict("RRRYY/BBBBY/BRYBR", "a1 a2 a3 a4 a5 b5")
    assert codes(found) == ["mixed_colours", "wrong_count"]
    assert [reason.text for reason in found.reasons] == [
        "a1, a2, a3, a4, a5 and b5 are of more than one colour.",
        "An attack takes 1, 2 or 4 marbles of its colour.",
    ]
    assert codes(verdict("RRRYY/BBBBY/BRYBR", "a1 a2 a3 a4 a5")) == ["mixed_colours"]


def test_broken_button() -> None:
    found = verdict("RBBRY/YBRBY/BRYBR", "a2 a3", broken="B")
    assert codes(found) == ["broken_button"]  # an attack's own marbles are no short circuits
    assert found.attack == "B2"
    assert codes(verdict("RBBRY/YBRBY/BRYBR", "a2 a3", broken="B", attack="B2")) == ["broken_button"]
    found = verdict("RBBRY/YBRBY/BRYBR", "a1 a2", broken="B", attack="B1")
    assert codes(found) == ["mixed_colours", "broken_button"]
    # all that are there are broken: whichever is meant, it cannot be pressed
    found = verdict("RBBRY/YBRBY/BRYBR", "a1 a2", broken="RB")
    assert codes(found) == ["broken_button", "ends_on_short_circuit"]
    assert found.reasons[0].text == "a1 and a2 are of buttons that are broken, which have no attack."
    assert codes(verdict("RBBRY/YBRBY/BRYBR", "a1", broken="RYB")) == ["broken_button"]


def test_wrong_count() -> None:
    for size in (3, 5):  # C31
        found = verdict("RRRRR/YBRBY/BRYBR", " ".join(f"a{row}" for row in range(1, size + 1)))
        assert codes(found) == ["wrong_count"]
        assert found.attack is None
    found = verdict("RRRRR/YBRBY/BRYBR", "a1 a2 a3", attack="R2")
    assert [reason.text for reason in found.reasons] == ["3 Red marbles where Red-2 takes 2."]
    found = verdict("RBRRR/YBRBY/BRYBR", "a1 a2", attack="R2")
    assert found.reasons[-1].text == "1 Red marble where Red-2 takes 2."
    # short circuits do not count, and are none for the other player
    assert verdict("RRBRR/YBRBY/BRYBR", "a1 a2 a3 a4 a5", broken="B").attack == "R4"
    assert codes(verdict("RRBRY/YBRBY/BRYBR", "a1 a2 a3 a4", broken="B")) == ["wrong_count"]
    # the named attack's own colour counts, whatever else lies there
    assert codes(verdict("RRBRY/YBRBY/BRYBR", "a2 a3", attack="B2")) == ["mixed_colours", "wrong_count"]


def test_wrong_attack_comes_alone() -> None:
    found = verdict("RRYYY/YBRBY/BRYBR", "a1 a2", attack="R4")
    assert (codes(found), found.attack) == (["wrong_attack"], "R4")
    assert codes(verdict("RRYYY/YBRBY/BRYBR", "a1 a2", attack="B2")) == ["wrong_attack"]
    assert codes(verdict("RRYYY/YBRBY/BRYBR", "a1 a2", broken="B", attack="B2")) == ["wrong_attack"]
    assert codes(verdict("YRBBR/YYYYY/YYYYY", "a5 a4 a3 a2", broken="B", attack="R4")) == ["wrong_attack"]


def test_not_connected() -> None:
    found = verdict("BYRYR/YBYBB/YBBYY", "a5 a3", attack="R2")
    assert [(reason.code, reason.cells) for reason in found.reasons] == [("not_connected", ("a3",))]
    # two groups that do not touch are not called branching as well
    assert codes(verdict("RYRRR/YBRRY/BRYBR", "a1 a3 a4 a5 b4")) == ["wrong_count", "not_connected"]


def test_branching_names_the_fork() -> None:
    for cells in ("a5 a4 b4 a3", "a3 a4 a5 b4", "b4 a3 a5 a4"):
        found = verdict("BYRRR/YBYRB/YBBYY", cells, attack="R4")
        assert [(reason.code, reason.cells) for reason in found.reasons] == [("branching", ("a4",))]
        assert "a4" in found.reasons[0].text
    # a longer arm hangs on a cell of its own, which is no fork
    assert verdict("RRRRY/YRYYY/YYYYY", "a1 a2 a3 a4 b2").reasons[-1].cells == ("a2",)
    # a plus; and a shape in which no one cell holds three parts together
    assert verdict("YRYYY/RRRYY/YRYYY", "a2 b1 b2 b3 c2").reasons[-1].cells == ("b2",)
    assert verdict("YRRRY/RRRYY/YYYYY", "a2 a3 a4 b1 b2 b3").reasons[-1].cells == ("a3", "b2")
    # the shape is looked at whatever the colours
    assert codes(verdict("BYRRR/YBYBB/YBBYY", "a5 a4 b4 a3", attack="R4")) == [
        "mixed_colours",
        "wrong_count",
        "branching",
    ]


def test_ends_on_short_circuit() -> None:
    found = verdict("YBRBR/YYYYY/YYYYY", "a5 a4 a3 a2", broken="B", attack="R2")
    assert [(reason.code, reason.cells) for reason in found.reasons] == [("ends_on_short_circuit", ("a2",))]
    # S31: a one-marble attack has no room for a short circuit
    assert codes(verdict("YYYRB/YYYYY/BRYBR", "a4 a5", broken="B", attack="R1")) == ["ends_on_short_circuit"]
    # another way round may begin and end on the attack's colour
    assert verdict("RBYYY/RBYYY/YYYYY", "a1 a2 b2 b1", broken="B").legal


def test_repeated_cell() -> None:
    found = verdict("RRYYY/YBRBY/BRYBR", "a1 a2 a1", attack="R2")
    assert [(reason.code, reason.cells) for reason in found.reasons] == [("repeated_cell", ("a1",))]
    assert codes(verdict("RRYYY/YBRBY/BRYBR", "a1 a1", attack="R2")) == ["repeated_cell", "wrong_count"]


def test_detour_only_where_the_match_forbids_them() -> None:
    long, short = "a1 a2 b2 b3 a3 a4", "a1 a2 a3 a4"
    tray = "RBBRY/YBBYY/YYYYY"
    assert dict(verdict(tray, long, broken="B").heals) == {"B": 8}
    (reason,) = verdict(tray, long, broken="B", detours=False).reasons
    assert (reason.code, reason.cells) == ("detour", ("b2", "b3"))
    assert reason.text == "The same marbles are joined by fewer short circuits: a1-a2-a3-a4."
    assert verdict(tray, short, broken="B", detours=False).legal
    # S09: the bridge is the only way to take these four
    assert verdict("YYRRR/YYYRB/YYYYY", "a3 a4 a5 b5 b4", broken="B", detours=False).legal


def test_every_reason_is_one_plain_sentence() -> None:
    rng = random.Random(20)
    for _ in range(400):
        tray = "/".join("".join(rng.choice("RRYB.?") for _ in range(5)) for _ in range(3))
        cells = [rng.choice(CELLS) for _ in range(rng.randint(1, 6))]
        attack = rng.choice([None, "R1", "R2", "Y4", "B1"])
        for reason in judge(Tray.parse(tray), "A", cells, rng.choice(["", "B", "RB"]), attack).reasons:
            assert reason.text[0].isupper() or reason.text[0] in "abc0123456789"
            assert reason.text.endswith(".")
            assert reason.text.count(". ") == 0
            assert set(reason.cells) <= set(cells)


@pytest.mark.parametrize(
    ("tray", "cells", "broken", "attack", "told"),
    [
        ("R.BRY/Y?RBY/BRYBR", "a2", "", "R1", "a2: There is no marble in a2."),
        ("R..RY/Y?RBY/BRYBR", "a2 a3", "", "R2", "a2 a3: There is no marble in a2 and a3."),
        ("R.BRY/Y?RBY/BRYBR", "b2", "", "R1", "b2: The colour of b2 is not known."),
        ("RYBRY/YBRBY/BRYBR", "c2", "", "R1", "c2: c2 is out of reach: player A clears from lanes a and b."),
        (
            "RYBRY/YBRBY/RRRRR",
            "c1 c2 c3 c4",
            "",
            "R4",
            "c1 c2 c3 c4: c1, c2, c3 and c4 are out of reach: player A clears from lanes a and b.",
        ),
        ("RYBRY/YBRBY/BRYBR", "a1 a2", "", "R1", "a2: a2 is neither Red nor short circuit."),
        ("RYBRY/YBRBY/BRYBR", "a1 a2 a3", "", "R1", "a2 a3: a2 and a3 are neither Red nor short circuit."),
        ("RBBRY/YBRBY/BRYBR", "a1 a2", "", None, "a1 a2: a1 and a2 are of more than one colour."),
        ("RBBRY/YBRBY/BRYBR", "a2 a3", "B", None, "a2 a3: The Blue button is broken, so there is no Blue attack."),
        ("RBBRY/YBRBY/BRYBR", "a2 a1", "BR", "B1", "a2: The Blue button is broken, so there is no Blue attack."),
        ("RRRYY/YBRBY/BRYBR", "a1 a2 a3", "", None, "a1 a2 a3: 3 Red marbles where an attack takes 1, 2 or 4."),
        ("RBRRY/YBRBY/BRYBR", "a1 a2 a3 a4", "B", "R1", "a1 a3 a4: 3 Red marbles where Red-1 takes 1."),
        ("RRRYY/YBRBY/BRYBR", "a1 a2", "", "R4", "a1 a2: These marbles are Red-2, not Red-4."),
        ("RRRYY/YBRBY/BRYBR", "a1 a2 a1", "", None, "a1: a1 is named more than once."),
        ("RRRYY/YBRBY/BRYBR", "a1 a2 a1 a2 a2", "", None, "a1 a2: a1 and a2 are named more than once."),
        ("RYRRY/YBRBY/BRYBR", "a1 a3", "", "R2", "a3: a3 does not touch a1."),
        ("RYRRY/YBRBY/BRYBR", "a3 a1", "", "R2", "a1: a1 does not touch a3."),
        ("RYRRY/RRRBY/BRYBR", "a4 b1 b2 b3", "", "R4", "a4: a4 does not touch b1, b2 and b3."),
        ("RRYRY/YYYRY/YYYYY", "a1 a2 a4 b4", "", "R4", "a4 b4: a4 and b4 do not touch a1 and a2."),
        ("RRYRY/YYYRY/YYYYY", "a4 b4 a1 a2", "", "R4", "a1 a2: a1 and a2 do not touch a4 and b4."),
        (
            "BYRRR/YBYRB/YBBYY",
            "a5 a4 b4 a3",
            "",
            "R4",
            "a4: The marbles branch at a4: no line runs through each of them once.",
        ),
        (
            "RRBYY/YBRBY/BRYBR",
            "a1 a2 a3",
            "B",
            None,
            "a3: A chain cannot begin or end on a short circuit, as it does at a3.",
        ),
        (
            "BRRBY/YBRBY/BRYBR",
            "a1 a2 a3 a4",
            "B",
            None,
            "a1 a4: A chain cannot begin or end on a short circuit, as it does at a1 and a4.",
        ),
    ],
)
def test_each_reason_names_its_cells(tray: str, cells: str, broken: str, attack: str | None, told: str) -> None:
    found = verdict(tray, cells, "A", broken, attack)
    assert told in [f"{' '.join(reason.cells)}: {reason.text}" for reason in found.reasons]


# --- chains ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "chain"),
    [
        ("a5 a4 b4 b5", "a5 a4 b4 b5"),  # kept: it is a chain as it stands
        ("b5 b4 a4 a5", "b5 b4 a4 a5"),
        ("a4 b5 b4 a5", None),  # no chain in this order, but the cells have one
    ],
)
def test_the_given_order_is_kept_when_it_is_a_chain(cells: str, chain: str | None) -> None:
    found = verdict("BYBRR/YBYRR/YBBYY", cells)
    assert found.legal
    if chain:
        assert " ".join(found.chain) == chain
    assert_chain(found.chain)


def assert_chain(chain: tuple[str, ...]) -> None:
    assert len(set(chain)) == len(chain)
    for one, other in pairwise(chain):
        assert abs(ord(one[0]) - ord(other[0])) + abs(int(one[1]) - int(other[1])) == 1


def test_c30_what_rolls_in_while_pulling_is_not_part_of_the_chain() -> None:
    # a5 is Red and a4 is Red: pulled a5 and whatever lies there afterwards are not two marbles of one clear
    assert codes(verdict("BYBYR/YBYBB/YBBYY", "a5 a5", attack="R2")) == ["repeated_cell", "wrong_count"]


def test_c29_a_sixth_marble_has_no_cell() -> None:
    with pytest.raises(ValueError, match="a6"):
        verdict("BYRRR/YBYBB/YBBYY", "a3 a4 a5 a6", attack="R4")


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"player": "C"}, "'C'"),
        ({"player": ""}, "no player"),
        ({"cells": []}, "no cells"),
        ({"cells": ["d1"]}, "d1"),
        ({"broken": "G"}, "'G'"),
        ({"attack": "R3"}, "R3"),
        ({"attack": "G1"}, "G1"),
    ],
)
def test_calls_that_make_no_sense(change: dict[str, Any], what: str) -> None:
    asked: dict[str, Any] = {"player": "A", "cells": ["a1"], "broken": "", "attack": None} | change
    with pytest.raises(ValueError, match=what):
        judge(Tray.parse("RRRRR/RRRRR/RRRRR"), **asked)


# --- all legal clears ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", ["A", "B"])
def test_perft_of_the_all_red_tray(player: str) -> None:
    tray = Tray.parse("RRRRR/RRRRR/RRRRR")
    assert Counter(clear.attack for clear in moves(tray, player, "")) == {"R1": 10, "R2": 13, "R4": 26}


def random_tray(rng: random.Random) -> str:
    """Some trays of few colours, where long chains are; some with gaps and unknown marbles."""
    letters = rng.choice(["RYB", "RYB", "RB", "RRRB", "RBBBY", "RYB.", "RYB?."])
    return "/".join("".join(rng.choice(letters) for _ in range(5)) for _ in range(3))


def test_moves_equal_the_brute_force() -> None:
    rng = random.Random(2024)
    for _ in range(SAMPLES):
        text, player, broken = (
            random_tray(rng),
            rng.choice("AB"),
            rng.choice(["", "", "R", "Y", "B", "RB", "YB", "RYB"]),
        )
        clears = moves(Tray.parse(text), player, broken)
        found = {frozenset(clear.cells): clear.attack for clear in clears}
        assert len(found) == len(clears)
        assert found == legal_clears(text, player, broken), (text, player, broken)
        letters = dict(zip(CELLS, text.replace("/", ""), strict=True))
        for clear in clears:
            assert set(clear.chain) == set(clear.cells)
            assert_chain(clear.chain)
            assert letters[clear.chain[0]] == letters[clear.chain[-1]] == clear.attack[0]
            shorts = Counter(letters[cell] for cell in clear.cells if letters[cell] != clear.attack[0])
            assert dict(clear.heals) == {colour: 2 * count for colour, count in shorts.items()}


def test_judge_agrees_with_the_brute_force_on_any_set_of_cells() -> None:
    rng = random.Random(77)
    legal = 0
    for _ in range(SAMPLES):
        text, player, broken = random_tray(rng), rng.choice("AB"), rng.choice(["", "R", "B", "RB"])
        clears = legal_clears(text, player, broken)
        if clears and rng.random() < 0.5:
            cells = sorted(rng.choice(sorted(map(sorted, clears))))
            if rng.random() < 0.5:
                cells = sorted({*cells, rng.choice(CELLS)})
        else:
            cells = rng.sample(CELLS, rng.randint(1, 6))
        rng.shuffle(cells)
        found = judge(Tray.parse(text), player, cells, broken)
        attack = clears.get(frozenset(cells))
        legal += found.legal
        assert found.legal == (attack is not None), (text, player, broken, cells)
        assert found.legal != bool(found.reasons)
        if found.legal:
            assert found.attack == attack
            assert_chain(found.chain)
            named = rng.choice(["R1", "R2", "Y4", "B1"])
            assert judge(Tray.parse(text), player, cells, broken, named).legal == (named == attack)
    assert SAMPLES // 8 < legal < SAMPLES * 7 // 8


def test_moves_come_by_attack_and_then_by_cells() -> None:
    for tray in ("RRRRR/RRRRR/RRRRR", "RYBRB/YBRRY/BBYRY"):
        for broken in ("", "Y"):
            clears = moves(Tray.parse(tray), "A", broken)
            assert list(clears) == sorted(clears, key=lambda clear: (ATTACKS.index(clear.attack), clear.cells))


def test_without_detours_only_the_shortest_bridges_stay() -> None:
    rng = random.Random(5)
    dropped = 0
    for _ in range(100):
        text, broken = random_tray(rng), rng.choice(["B", "RB"])
        letters = dict(zip(CELLS, text.replace("/", ""), strict=True))
        fewest: dict[frozenset[str], int] = {}
        for cells, attack in legal_clears(text, "A", broken).items():
            own = frozenset(cell for cell in cells if letters[cell] == attack[0])
            fewest[own] = min(fewest.get(own, 99), len(cells))
        kept = moves(Tray.parse(text), "A", broken, detours=False)
        for clear in moves(Tray.parse(text), "A", broken):
            own = frozenset(cell for cell in clear.cells if letters[cell] == clear.attack[0])
            shortest = len(clear.cells) == fewest[own]
            dropped += not shortest
            assert judge(Tray.parse(text), "A", clear.cells, broken, detours=False).legal == shortest
            assert (clear in kept) == shortest
    assert dropped > 20
