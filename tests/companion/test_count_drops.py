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


@pytest.mark.parametrize(
    ("width", "other", "assumed"), [(13.0, "", False), (14.0, "", True), (26.0, "", True), (16.0, "b", False)]
)
def test_a_single_pulse_says_what_its_count_rests_on(
    width: float, other: str, assumed: bool, clip: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two touching marbles take 14 ms at 2 m/s, a little less while they gain speed.

    A second pulse in any lane tells how fast marbles are here.
    """
    pulse = f"1000000000,{{0}},1\n{1_000_000_000 + round(width * 1e6)},{{0}},0\n"
    clip.write_text(
        "t_ns,lane,blocked\n0,a,0\n0,b,0\n" + pulse.format("a") + "".join(pulse.format(lane) for lane in other)
    )
    assert run(str(clip), "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["a"]["drops"], found["a"]["certain"], found["b"]["assumes"]) == (1, True, None)
    assert (found["a"]["assumes"] is not None) == assumed
    assert run(str(clip)) == 0
    text = f"; assumed: a single pulse of {width:.1f} ms is one marble; two touching ones"
    assert (text in capsys.readouterr().out) == assumed


def test_a_bad_file_is_bad_input(clip: Path) -> None:
    clip.write_text(CLIP + "soon,c,0\n")
    with pytest.raises(InputError, match="line 9: t_ns"):
        run(str(clip))
