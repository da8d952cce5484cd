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
    assert set(told) == {"legal", "attack", "chain", "heals", "reasons"}
    assert (told["legal"], told["heals"]) == (case["legal"], case["heals"])
    assert set(case["codes"]) <= {reason["code"] for reason in told["reasons"]}
    for reason in told["reasons"]:
        assert set(reason) == {"code", "cells", "text"}
    # without the attack being named, what is legal is the same attack
    if case["legal"]:
        assert answer(*words, "--broken", case["broken"])["attack"] == case["attack"]
        assert sorted(told["chain"]) == sorted(case["cells"])


def test_judge_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    call("judge", "RBRYY/YYBYY/BRYRB", "--player", "A", "--cells", "a1, a2, a3", "--broken", "B")
    assert capsys.readouterr().out == "Legal: Red-2 a1-a2-a3, heals Blue 2\n"
    call("judge", "RBRYY/YYBYY/BRYRB", "--player", "A", "--cells", "a1,a2,a3")
    out = capsys.readouterr().out
    assert out.startswith("Not legal.")
    assert "mixed_colours" in out


@pytest.mark.parametrize("player", ["A", "B"])
def test_perft(answer: Any, player: str) -> None:
    told = answer("moves", "RRRRR/RRRRR/RRRRR", "--player", player)
    assert Counter(clear["attack"] for clear in told) == {"R1": 10, "R2": 13, "R4": 26}
    assert len({tuple(sorted(clear["cells"])) for clear in told}) == 49
    assert all(set(clear) == {"attack", "cells", "chain", "heals"} for clear in told)


def test_moves_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    call("moves", "RBR../...../RYBRY", "--player", "A", "--broken", "BY")
    assert capsys.readouterr().out == "Red-1 a1\nRed-1 a3\nRed-2 a1-a2-a3, heals Blue 2\n"
    call("moves", TRAY, "--player", "A", "--broken", "YBR")
    assert capsys.readouterr().out == "Player A has no legal clear.\n"


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
        (["moves", TRAY, "--player", "A", "--broken", "R,B"], "','"),
    ],
)
def test_bad_input(words: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=named):
        call(*words)
    assert capsys.readouterr().out == ""
