from __future__ import annotations

import pytest

from companion.rules.rematch.tray import CELLS, Tray
from tests.companion.rules.cases import TRAY


def test_rows_count_from_the_open_end() -> None:
    tray = Tray.parse("RYB.?/YBRBY/BRYBR")
    assert [tray.at(cell) for cell in ("a1", "a3", "a4", "a5", "b1", "c5")] == ["R", "B", ".", "?", "Y", "R"]
    assert tray.text == "RYB.?/YBRBY/BRYBR"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "1 lane"),
        ("RYBRY/YBRBY", "2 lane"),
        ("RYBRY/YBRBY/BRYBR/RRRRR", "4 lane"),
        ("RYBR/YBRBY/BRYBR", "lane a has 4"),
        ("RYBRY/YBRBY/BRYBRR", "lane c has 6"),
        ("RYBRY/YBGBY/BRYBR", "cell b3 is 'G'"),
        ("rybry/YBRBY/BRYBR", "cell a1 is 'r'"),
        ("RYBRY YBRBY BRYBR", "1 lane"),
    ],
)
def test_a_text_that_is_no_tray_says_where(text: str, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        Tray.parse(text)


@pytest.mark.parametrize("cell", ["a6", "d1", "a0", "A1", "a", "", "a11"])
def test_no_such_cell(cell: str) -> None:
    with pytest.raises(ValueError, match="no cell"):
        Tray.parse(TRAY).at(cell)
    with pytest.raises(ValueError, match="no cell"):
        Tray.parse(TRAY).without([cell])


@pytest.mark.parametrize(
    ("before", "cells", "refill", "after"),
    [
        # C36: only the lane that was touched moves, by one, and one marble comes
        ("RYBRY/YBRBY/BRYBR", ["b3"], {"b": "R"}, "RYBRY/YBBYR/BRYBR"),
        ("RYBRY/YBRBY/BRYBR", ["b3"], {}, "RYBRY/YBBY?/BRYBR"),
        ("RYBRY/YBRBY/BRYBR", ["b3"], {"b": "."}, "RYBRY/YBBY./BRYBR"),
        # both are gone before anything rolls; the first drop lies lower
        ("RYBRY/YBRBY/BRYBR", ["a1", "a3"], {"a": "YB"}, "YRYYB/YBRBY/BRYBR"),
        ("RYBRY/YBRBY/BRYBR", ["a1", "a3"], {"a": "B"}, "YRYB?/YBRBY/BRYBR"),
        ("RYBRY/YBRBY/BRYBR", ["a1", "a3"], {"a": "B."}, "YRYB./YBRBY/BRYBR"),
        ("RYBRY/YBRBY/BRYBR", ["a5", "c1"], {"a": "B", "c": "Y"}, "RYBRB/YBRBY/RYBRY"),
        ("RYBRY/YBRBY/BRYBR", [], {}, "RYBRY/YBRBY/BRYBR"),
        # a lane the tower could not fill: what comes rolls down to the others
        ("RY.../YBRBY/BRYBR", ["a1"], {"a": "B"}, "YB.../YBRBY/BRYBR"),
        ("RY.../YBRBY/BRYBR", ["a1"], {}, "Y?.../YBRBY/BRYBR"),
        ("RY.../YBRBY/BRYBR", ["a1"], {"a": "BRRR"}, "YBRRR/YBRBY/BRYBR"),
        ("R.Y../YBRBY/BRYBR", ["b1"], {"b": "R"}, "R.Y../BRBYR/BRYBR"),
        ("?????/YBRBY/BRYBR", ["a2"], {"a": "R"}, "????R/YBRBY/BRYBR"),
    ],
)
def test_without(before: str, cells: list[str], refill: dict[str, str], after: str) -> None:
    assert Tray.parse(before).without(cells, refill).text == after


@pytest.mark.parametrize(
    ("cells", "refill", "what"),
    [
        (["a1"], {"a": "RR"}, "lane a"),
        (["a1"], {"b": "R"}, "lane b: nothing was taken"),
        (["a1"], {"d": "R"}, "no lane 'd'"),
        (["a1"], {"a": "G"}, "'G'"),
        (["a1", "a1"], {}, "a1 is named twice"),
    ],
)
def test_refills_that_cannot_be(cells: list[str], refill: dict[str, str], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        Tray.parse(TRAY).without(cells, refill)


def test_replace_moves_nothing() -> None:
    assert Tray.parse(TRAY).replace("b5", "?").text == "RYBRY/YBRB?/BRYBR"
    with pytest.raises(ValueError, match="'G'"):
        Tray.parse(TRAY).replace("b5", "G")


def test_there_are_fifteen_cells() -> None:
    assert len(CELLS) == 15
    assert CELLS[:6] == ("a1", "a2", "a3", "a4", "a5", "b1")
