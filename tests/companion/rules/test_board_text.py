"""Fighters' boards as lines for people, and back (docs/match-text.md)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.boards import load_boards
from companion.rules.notation import NotationError
from companion.rules.rematch.board_text import LONGEST, board_lines, board_of
from companion.rules.rematch.fighters import ATTACKS, board_from_json, board_to_json

BOARD: dict[str, Any] = {
    "name": 'Ann "the Ace"',
    "edition": "2.5",
    "attacks": {
        "R1": {"effects": [{"do": "deal", "amount": 2}], "kicker": "none"},
        "R4": {
            "effects": [
                {"do": "deal_all", "amount": "X-1", "x": "cards; discarded"},
                {"do": "pay", "amount": 1, "who": "opponent", "restores": False, "if": "a button is broken"},
                {"do": "note", "text": "3 focus"},
            ],
            "kicker": {"when": "before", "effects": [{"do": "any_fan", "optional": True}]},
            "source": "FAQ",
        },
        "Y2": {
            "effects": [
                {
                    "do": "either",
                    "options": [[{"do": "heal", "amount": 1}, {"do": "skip"}], [{"do": "fan", "fan": "R"}]],
                }
            ],
            "kicker": {"when": "unknown", "effects": [{"do": "unknown"}]},
        },
        "B1": {"effects": [{"do": "marker", "marker": "spirit", "text": "in any row"}, {"do": "unknown"}]},
    },
    "start": [{"do": "destroy", "amount": 1}],
    "end": [{"do": "heal", "amount": "X", "x": "rows"}],
    "remarks": ["First.", "Second # of two."],
}
LINES = (
    r'name "Ann \"the Ace\""',
    'edition "2.5"',
    "R1: deal 2",
    "R1 kicker none",
    'R4: deal_all X-1 x="cards; discarded"',
    'R4: pay 1 who=opponent restores=false if="a button is broken"',
    'R4: note "3 focus"',
    "R4 kicker before: any_fan optional",
    'R4 source "FAQ"',
    "Y2: either (heal 1, skip | fan fan=R)",
    "Y2 kicker unknown: unknown",
    'B1: marker "spirit" text="in any row", unknown',
    "start: destroy 1",
    "end: heal X x=rows",
    'remark "First."',
    'remark "Second # of two."',
)


def test_a_board_is_readable_lines_and_comes_back() -> None:
    assert board_lines(BOARD) == LINES
    assert board_of(LINES) == BOARD


@pytest.mark.parametrize("name", sorted(load_boards(None)))
def test_every_shipped_board_comes_back(name: str) -> None:
    board = board_to_json(load_boards(None)[name])
    lines = board_lines(board)
    assert not lines[0].startswith("json")
    assert board_of(lines) == board


TEXT = st.text(st.characters(blacklist_categories=["C"]), min_size=1, max_size=20)
COUNT = st.integers(1, 9) | st.sampled_from(["X", "X-1", "X+2"])
ALWAYS = {"text": TEXT, "if": TEXT, "optional": st.booleans()}
EFFECT = st.one_of(
    *(
        st.fixed_dictionaries({"do": st.just(do), **needed}, optional={**ALWAYS, **more})
        for do, needed, more in [
            ("deal", {"amount": COUNT}, {"x": TEXT}),
            ("fan", {"fan": st.sampled_from("RYB")}, {}),
            ("pay", {}, {"amount": COUNT, "who": st.sampled_from(["self", "opponent"]), "restores": st.booleans()}),
            ("marker", {"marker": TEXT}, {}),
            ("note", {}, {}),
            ("unknown", {}, {}),
        ]
    )
)
EFFECTS = st.lists(EFFECT, min_size=1, max_size=3)
EITHER = st.fixed_dictionaries({"do": st.just("either"), "options": st.lists(EFFECTS, min_size=2, max_size=3)})
KICKER = st.just("none") | st.fixed_dictionaries(
    {}, optional={"when": st.sampled_from(["before", "after", "either", "unknown"]), "effects": EFFECTS}
)
ATTACK = st.fixed_dictionaries(
    {}, optional={"effects": st.lists(EFFECT | EITHER, min_size=1, max_size=3), "kicker": KICKER, "source": TEXT}
)
BOARDS = st.fixed_dictionaries(
    {"name": TEXT, "attacks": st.dictionaries(st.sampled_from(ATTACKS), ATTACK, max_size=4)},
    optional={
        "edition": TEXT,
        "start": EFFECTS,
        "end": EFFECTS,
        "remarks": st.lists(TEXT, min_size=1, max_size=3),
        "weather": TEXT,
    },
)


@given(BOARDS)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_any_board_comes_back(board: dict[str, Any]) -> None:
    lines = board_lines(board)
    assert board_of(lines) == board
    if "weather" in board:  # a field that nobody knows
        assert len(lines) == 1
        assert lines[0].startswith("json ")


def test_lines_are_short_where_they_can_be() -> None:
    effects = [{"do": "note", "text": f"remember number {n}"} for n in range(9)]
    board = {"name": "Long", "attacks": {"R1": {"effects": effects}}}
    assert all(len(line) <= LONGEST for line in board_lines(board))
    assert len(board_lines(board)) == 10
    assert board_from_json("", board).name == "Long"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("R3: deal 2", 'board: "R3" stands where name, edition, start, end, remark or an attack (R1'),
        ("R1: slap 2", 'R1: "slap" stands where an effect (deal, deal_all,'),
        ("R1: deal two", 'R1: "two" stands where an amount (a whole number, X, X-1)'),
        ("R1: deal 2 3", "R1: deal says amount twice"),
        ("R1: either (heal 1 | skip", 'R1: the line ends where ")" is needed'),
        ("R1 deal 2", 'R1: "deal" stands where the end of the line is needed'),
        ("R1 kicker sometimes: skip", 'R1 kicker: "sometimes" stands where'),
        ("edition", "edition: the line ends where a text in double quotes is needed"),
        ('name "B"', "name: it is said twice"),
        ("start skip", 'start: "skip" stands where ":" is needed'),
        ("json [", "json: no JSON stands after it"),
    ],
)
def test_a_mistake_is_one_sentence_with_its_line(line: str, sentence: str) -> None:
    with pytest.raises(NotationError) as caught:
        board_of(['name "A"', line])
    assert (caught.value.line, str(caught.value)[: len(sentence)]) == (1, sentence)


def test_the_lines_of_a_kicker_agree() -> None:
    assert board_of(['name "A"', "R1 kicker before: skip", "R1 kicker before: heal 1"])["attacks"]["R1"]["kicker"] == {
        "when": "before",
        "effects": [{"do": "skip"}, {"do": "heal", "amount": 1}],
    }
    with pytest.raises(NotationError, match="different things about when it comes"):
        board_of(['name "A"', "R1 kicker before: skip", "R1 kicker after: heal 1"])
