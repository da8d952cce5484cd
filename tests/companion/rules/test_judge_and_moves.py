"""`companion judge` and `companion moves` as people and scripts call them (DESIGN §6)."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from typing import Any

import pytest

from companion.commands import judge, moves
from companion.errors import InputError
from tests.companion.rules.cases import TRAY, load


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise InputError(message)


def call(*words: str) -> int:
    parser = Parser()
    subparsers = parser.add_subparsers(required=True)
    judge.add(subparsers)
    moves.add(subparsers)
    args = parser.parse_args(words)
    return int(args.run(args))


@pytest.fixture
def answer(capsys: pytest.CaptureFixture[str]) -> Any:
    def ask(*words: str) -> Any:
        assert call(*words, "--json") == 0
        return json.loads(capsys.readouterr().out)

    return ask


@pytest.mark.parametrize("case", load("clears.json"), ids=lambda case: case["id"])
def test_case_file_through_the_command(answer: Any, case: dict[str, Any]) -> None:
    words = ["judge", case["tray"], "--player", case["player"], "--cells", ",".join(case["cells"])]
    told = answer(*words, "--broken", case["broken"], "--attack", case["attack"])
    assert set(told) == {"legal", "attack", "chain", "heals", "reasons", "nearest"}
    assert (told["legal"], told["heals"]) == (case["legal"], case["heals"])
    assert set(case["codes"]) <= {reason["code"] for reason in told["reasons"]}
    for reason in told["reasons"]:
        assert set(reason) == {"code", "cells", "text"}
    # without the attack being named, what is legal is the same attack
    if case["legal"]:
        assert answer(*words, "--broken", case["broken"])["attack"] == case["attack"]
        assert sorted(told["chain"]) == sorted(case["cells"])
        assert told["nearest"] == []


def test_judge_tells_the_nearest_legal_clears(answer: Any) -> None:
    told = answer("judge", "RBRYY/YYBYY/BRYRB", "--player", "A", "--cells", "a1,a2,a3,b1", "--broken", "B")
    assert told["nearest"] == [
        {"attack": "R2", "cells": ["a1", "a2", "a3"], "chain": ["a1", "a2", "a3"], "heals": {"B": 2}}
    ]
    # the named attack comes first among those that are equally near
    words = ["judge", "RRRYY/YYYYY/YYYYY", "--player", "A", "--cells", "a1,a2,a3"]
    assert [clear["cells"] for clear in answer(*words)["nearest"]] == [["a1", "a2"], ["a2", "a3"]]
    words[1] = "RYYYY/YYYYY/YYYYY"
    words[5] = "a1,b2"
    assert [clear["attack"] for clear in answer(*words)["nearest"]] == ["R1", "Y1"]
    assert [clear["attack"] for clear in answer(*words, "--attack", "Y1")["nearest"]] == ["Y1", "R1"]


def test_judge_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    call("judge", "RBRYY/YYBYY/BRYRB", "--player", "A", "--cells", "a1, a2, a3", "--broken", "B")
    assert capsys.readouterr().out == "Legal: Red-2 a1-a2-a3, heals Blue 2\n"
    call("judge", "RBRYY/YYBYY/BRYRB", "--player", "A", "--cells", "a1,a2,a3")
    out = capsys.readouterr().out
    assert out.startswith("Not legal.\n")
    assert "mixed_colours" in out
    assert out.endswith("Legal and nearest to it:\n  Red-1 a1\n  Red-1 a3\n  Blue-1 a2\n")
    call("judge", "R..../...../RRRRR", "--player", "A", "--cells", "a1", "--broken", "R")
    assert capsys.readouterr().out.endswith("(broken_button)\nNo clear at all is legal here.\n")


@pytest.mark.parametrize("player", ["A", "B"])
def test_perft(answer: Any, player: str) -> None:
    told = answer("moves", "RRRRR/RRRRR/RRRRR", "--player", player)
    assert Counter(clear["attack"] for clear in told) == {"R1": 10, "R2": 13, "R4": 26}
    assert len({tuple(sorted(clear["cells"])) for clear in told}) == 49
    assert all(set(clear) == {"attack", "cells", "chain", "heals"} for clear in told)


def test_moves_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    call("moves", "RBR../...../RYBRY", "--player", "A", "--broken", "BY")
    assert capsys.readouterr().out == "Red-1\n  a1\n  a3\nRed-2\n  a1-a2-a3, heals Blue 2\n"
    call("moves", TRAY, "--player", "A", "--broken", "YBR")
    assert capsys.readouterr().out == "Player A has no legal clear.\n"


def test_moves_of_one_attack(answer: Any, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["moves", "RRRRR/RRRRR/RRRRR", "--player", "A"]
    assert answer(*words, "--attack", "R4") == [clear for clear in answer(*words) if clear["attack"] == "R4"]
    assert len(answer(*words, "--attack", "R4")) == 26
    assert answer(*words, "--attack", "Y4") == []
    call("moves", "RBR../...../RYBRY", "--player", "A", "--broken", "BY", "--attack", "R2")
    assert capsys.readouterr().out == "Red-2\n  a1-a2-a3, heals Blue 2\n"
    call("moves", "RBR../...../RYBRY", "--player", "A", "--attack", "R2")
    assert capsys.readouterr().out == "Player A has no legal Red-2.\n"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["judge", TRAY, "--player", "C", "--cells", "a1"], "'C'"),
        (["judge", TRAY, "--player", "A", "--cells", "a6"], "'a6'"),
        (["judge", TRAY, "--player", "A", "--cells", "a1,d1"], "'d1'"),
        (["judge", TRAY, "--player", "A", "--cells", ""], "no cells"),
        (["judge", TRAY, "--player", "A", "--cells", ","], "no cells"),
        (["judge", TRAY, "--player", "A"], "--cells"),
        (["judge", TRAY, "--player", "A", "--cells", "a1", "--attack", "R3"], "'R3'"),
        (["judge", TRAY, "--player", "A", "--cells", "a1", "--attack", ""], "--attack"),
        (["judge", TRAY, "--player", "A", "--cells", "a1", "--broken", "G"], "'G'"),
        (["judge", TRAY, "--player", "A", "--cells", "a1", "--broken", "BB"], "'BB'"),
        (["judge", TRAY[:-1], "--player", "A", "--cells", "a1"], "lane c"),
        (["moves", TRAY.replace("R", "G", 1), "--player", "A"], "a1"),
        (["moves", TRAY, "--player", "a"], "'a'"),
        (["moves", TRAY, "--player", "A", "--attack", "R3"], "'R3'"),
        (["moves", TRAY, "--player", "A", "--broken", "R,B"], "','"),
    ],
)
def test_bad_input(words: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=named):
        call(*words)
    assert capsys.readouterr().out == ""
