"""`companion count-drops` as a user types it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from companion.commands import count_drops
from companion.errors import InputError

CLIP = "t_ns,lane,blocked\n0,a,0\n0,b,0\n0,c,0\n1852000000,c,1\n1868000000,c,0\n2782000000,b,1\n2798000000,b,0\n"


def run(*argv: str) -> int:
    parser = argparse.ArgumentParser()
    count_drops.add(parser.add_subparsers())
    args = parser.parse_args(["count-drops", *argv])
    result: int = args.run(args)
    return result


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    file = tmp_path / "drops.csv"
    file.write_text(CLIP)
    return file


def test_json(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(clip), "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert {lane: (one["drops"], one["certain"], one["times_ns"], one["fault"]) for lane, one in found.items()} == {
        "a": (0, True, [], None),
        "b": (1, True, [2782000000], None),
        "c": (1, True, [1852000000], None),
    }


def test_text(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip.write_text(CLIP + "9000000000,c,0\n")
    assert run(str(clip)) == 0
    assert capsys.readouterr().out.splitlines() == [
        "lane a: 0 drops",
        "lane b: 1 drop (at 2.782 s)",
        "lane c: 2 drops, not certain (at 1.852, 9.000 s)",
    ]


def test_a_bad_file_is_bad_input(clip: Path) -> None:
    clip.write_text(CLIP + "soon,c,0\n")
    with pytest.raises(InputError, match="line 9: t_ns"):
        run(str(clip))
