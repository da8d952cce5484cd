"""`companion explain` as people and scripts call it (DESIGN §6), and bad words to it and to `judge` and `moves`."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from companion.cli import main

BEFORE = "RYBRY/YBRBY/BRYYR"
B3 = "RYBRY/YBBYR/BRYYR"
"""BEFORE after b3 (red) was pulled and a red came down."""


@pytest.fixture
def answer(capsys: pytest.CaptureFixture[str]) -> Any:
    def ask(*words: str) -> Any:
        assert main(["explain", *words, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return ask


def test_the_keys_of_the_contract(answer: Any) -> None:
    told = answer(BEFORE, B3, "--player", "A", "--drops", "a=0,b=1,c=0")
    assert list(told) == ["verdict", "attack", "cells", "readings", "reasons", "nearest"]
    assert (told["verdict"], told["attack"], told["cells"]) == ("legal", "R1", ["b3"])
    assert told["readings"] == [{"cells": ["b3"], "attack": "R1", "legal": True}]
    assert told["reasons"] == told["nearest"] == []
    assert answer(BEFORE, BEFORE, "--player", "B") == {
        "verdict": "nothing", "attack": None, "cells": [], "readings": [], "reasons": [], "nearest": [],
    }  # fmt: skip


def test_an_illegal_clear_comes_with_the_nearest_legal_ones(answer: Any) -> None:
    # c1 went: out of reach of A, whose nearest blue marbles are shown
    words = [BEFORE, "RYBRY/YBRBY/RYYRB", "--player", "A", "--drops", "a=0,b=0,c=1"]
    told = answer(*words)
    assert (told["verdict"], told["cells"]) == ("illegal", ["c1"])
    assert [reason["code"] for reason in told["reasons"]] == ["out_of_reach"]
    assert [clear["cells"] for clear in told["nearest"]] == [["a3"], ["b2"], ["b4"]]
    assert told["nearest"][0] == {"attack": "B1", "cells": ["a3"], "chain": ["a3"], "heals": {}}
    # the declared attack comes first; broken buttons heal
    assert {clear["attack"] for clear in answer(*words, "--attack", "Y1")["nearest"]} == {"Y1"}
    words = ["RBRYY/YYBYY/BRYRB", "YYBYB/YYBYY/RYRBY", "--player", "A", "--broken", "B", "--drops", "a=3,b=0,c=1"]
    told = answer(*words)
    assert (told["verdict"], told["cells"]) == ("illegal", ["a1", "a2", "a3", "c1"])
    assert told["nearest"] == [
        {"attack": "R2", "cells": ["a1", "a2", "a3"], "chain": ["a1", "a2", "a3"], "heals": {"B": 2}}
    ]


def test_all_buttons_broken(answer: Any) -> None:
    told = answer(BEFORE, B3, "--player", "A", "--broken", "BRY", "--drops", "a=0,b=1,c=0")
    assert (told["verdict"], told["nearest"]) == ("illegal", [])
    assert "broken_button" in {reason["code"] for reason in told["reasons"]}


@pytest.mark.parametrize(
    ("after", "drops", "change", "allowed"),
    [
        (B3, "a=0,b=0,c=0", "lane b from YBRBY to YBBYR", "1 to 5 drops, but 0 were"),
        ("RYBRY/YBRBY/BRYY.", "a=0,b=0,c=5", "lane c from BRYYR to BRYY.", "0 to 4 drops, but 5 were"),
        ("...../YBRBY/BRYYR", "a=1,b=0,c=0", "lane a from RYBRY to .....", "0 drops, but 1 was"),
        ("RRRRR/YBRBY/BRYYR", "a=2,b=0,c=0", "lane a from RYBRY to RRRRR", "3 to 5 drops, but 2 were"),
        ("BBBBB/YBRBY/BRYYR", "a=3", "lane a from RYBRY to BBBBB", "4 to 5 drops, but 3 were"),
    ],
)
def test_drops_that_the_change_does_not_allow(answer: Any, after: str, drops: str, change: str, allowed: str) -> None:
    told = answer(BEFORE, after, "--player", "A", "--drops", drops)
    assert (told["verdict"], told["readings"], told["cells"], told["attack"]) == ("impossible", [], [], None)
    cells = [f"{change[5]}{row}" for row in range(1, 6)]
    text = f"The change of {change} allows {allowed} counted."
    assert told["reasons"] == [{"code": "impossible", "cells": cells, "text": text}]


def test_one_number_alone_may_be_allowed(answer: Any) -> None:
    (reason,) = answer("R..../YBRBY/BRYYR", "B..../YBRBY/BRYYR", "--player", "A", "--drops", "a=0")["reasons"]
    assert reason["text"] == "The change of lane a from R.... to B.... allows 1 drop, but 0 were counted."
    assert answer(BEFORE, BEFORE, "--player", "A", "--drops", "c=0,b=5,a=0")["verdict"] == "illegal"


def test_each_lane_that_does_not_fit_is_named(answer: Any) -> None:
    told = answer(BEFORE, "RYBRY/YBBYR/RYYRB", "--player", "A", "--drops", "a=1,b=0,c=0")
    assert [reason["cells"][0] for reason in told["reasons"]] == ["b1", "c1"]
    assert all("1 to 5 drops, but 0 were" in reason["text"] for reason in told["reasons"])


def test_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    def told(*words: str) -> str:
        assert main(["explain", *words]) == 0
        return capsys.readouterr().out

    assert told(BEFORE, B3, "--player", "A", "--drops", " a=0, b=01 ,c = 0") == "legal: b3 R1\n"
    assert told(BEFORE, BEFORE, "--player", "A") == "nothing\n"
    assert told(BEFORE, B3, "--player", "A", "--drops", "b=0").startswith("impossible\n  The change of lane b ")
    assert told(BEFORE, "RYBRY/YBRBY/RYYRB", "--player", "A", "--drops", "a=0,b=0,c=1") == (
        "illegal: c1\n"
        "  c1 is out of reach: player A clears from lanes a and b.\n"
        "Legal and nearest to it:\n  Blue-1 a3\n  Blue-1 b2\n  Blue-1 b4\n"
    )
    many = told("RBYBR/BRYRY/YBRYB", "RBYBR/BRYRY/YBYBY", "--player", "B", "--broken", "Y").splitlines()
    assert many[0] == "ambiguous: c3"
    assert many[1].endswith(" sets of cells explain it:")
    assert many[2] == "    c3  R1"
    assert len(many) == 12  # the ten first of them
    assert told(BEFORE, B3, "--player", "A", "--broken", "RYB", "--drops", "a=0,b=1,c=0").endswith(
        "No clear at all is legal here.\n"
    )


BAD_DROPS = [
    ("a=-1", "lane a", "0 to 5"),
    ("a=6", "lane a", "0 to 5"),
    ("b=1000000000", "lane b", "0 to 5"),
    ("b=" + "9" * 5000, "lane b", "0 to 5"),
    ("a=1,c=1.5", "lane c", "0 to 5"),
    ("a=two", "lane a", "0 to 5"),
    ("a=true", "lane a", "0 to 5"),
    ("a=٣", "lane a", "0 to 5"),
    ("a=+1", "lane a", "0 to 5"),
    ("a=", "lane a", "0 to 5"),
    ("d=1", "'d'", "a, b, c"),
    ("ab=1", "'ab'", "a, b, c"),
    ("A=1", "'A'", "a, b, c"),
    ("a=1,b=0,a=1", "lane a", "twice"),
    ("a", "'a'", "LANE=NUMBER"),
    ("=1", "'=1'", "LANE=NUMBER"),
    ("", "''", "LANE=NUMBER"),
    ("a=1,", "''", "LANE=NUMBER"),
    ("a:1", "'a:1'", "LANE=NUMBER"),
]  # fmt: skip
BAD_CELLS = [
    ("a6", "'a6'", "a1 to c5"), ("a1,d1", "'d1'"), ("a0", "'a0'"), ("A1", "'A1'"), ("", "no cells"), (",", "no cells"),
]  # fmt: skip
EXPLAIN = ["explain", BEFORE, B3]
JUDGE = ["judge", BEFORE, "--cells", "a1"]
MOVES = ["moves", BEFORE]
BAD = [
    *[([*EXPLAIN, "--player", "A", "--drops", drops], ("--drops", *named)) for drops, *named in BAD_DROPS],
    *[
        ([*command, *words], named)
        for command in (EXPLAIN, JUDGE, MOVES)
        for words, named in (
            (["--player", "C"], ("--player", "'C'", "A, B")),
            (["--player", "AB"], ("--player", "'AB'")),
            (["--player", ""], ("--player", "''")),
            ([], ("--player",)),
            (["--player", "A", "--broken", "G"], ("--broken", "'G'", "R, Y, B")),
            (["--player", "A", "--broken", "r"], ("--broken", "'r'")),
            (["--player", "A", "--broken", "RBR"], ("--broken", "'RBR'", "twice")),
            (["--player", "A", "--attack", "R3"], ("--attack", "'R3'", "R2")),
            (["--player", "A", "--attack", "G1"], ("--attack", "'G1'")),
            (["--player", "A", "--attack", ""], ("--attack", "''")),
            (["--player", "A", "--cels", "a1"], ("--cels",)),
        )
    ],
    *[
        (["judge", BEFORE, "--player", "A", "--cells", cells], ("--cells", *named))
        for cells, *named in BAD_CELLS
    ],
    (["judge", BEFORE, "--player", "A"], ("--cells",)),
    (["explain", BEFORE, "--player", "A"], ("AFTER",)),
    (["explain", BEFORE[:-1], B3, "--player", "A"], ("BEFORE", "lane c", "5")),
    (["explain", BEFORE, B3 + "/RRRRR", "--player", "A"], ("AFTER", "4 lane", "3")),
    (["explain", BEFORE, B3.replace("R", "G", 1), "--player", "A"], ("AFTER", "a1", "'G'")),
    (["judge", "", "--player", "A", "--cells", "a1"], ("TRAY", "1 lane")),
    (["moves", BEFORE.lower(), "--player", "A"], ("TRAY", "a1", "'r'")),
]  # fmt: skip


@pytest.mark.parametrize(("words", "named"), BAD, ids=lambda value: " ".join(value)[:60])
@pytest.mark.parametrize("json_too", [False, True])
def test_bad_input_is_one_line_that_names_it(
    words: list[str], named: tuple[str, ...], json_too: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words + ["--json"] * json_too) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    for word in named:
        assert word in err


def test_all_three_broken_is_no_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (EXPLAIN, JUDGE, MOVES):
        assert main([*command, "--player", "A", "--broken", "YRB"]) == 0
    assert capsys.readouterr().err == ""


def test_as_a_process() -> None:
    words = [*EXPLAIN, "--player", "A", "--drops", "a=0,b=7,c=0"]
    run = subprocess.run([sys.executable, "-m", "companion", *words], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "--drops: '7' in lane b where a whole number from 0 to 5 is needed\n"
