"""Commands as lines and back, set-ups as tags and back: nothing is lost, whatever it is (docs/match-text.md)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.notation import NotationError, Tag
from companion.rules.rematch import lines
from companion.rules.rematch.notation import REMATCH_NOTATION, TAGS
from tests.companion.rules.commanding import COMMANDS, SETUP

WRITTEN = [
    ({"do": "begin"}, "begin"),
    ({"do": "destroy", "player": "A", "cells": ["b3", "c2"]}, "A destroy b3,c2"),
    ({"do": "destroy", "player": "A", "cells": []}, "A destroy none"),
    ({"do": "destroy", "player": "B", "cells": ["b3"], "refill": {"b": "R"}}, "B destroy b3 drops b=R"),
    ({"do": "flip", "player": "A", "button": "B"}, "A flip B"),
    ({"do": "declare", "player": "B", "attack": "Y4"}, "B declare Y4"),
    (
        {"do": "clear", "player": "A", "cells": ["a1", "a2"], "attack": "R2", "refill": {"a": "RY"}},
        "A clear R2 a1-a2 drops a=RY",
    ),
    ({"do": "clear", "player": "A", "cells": ["a1"], "refill": {"a": ""}}, "A clear a1 drops a="),
    ({"do": "clear", "player": "A", "cells": ["a1"], "refill": {"a": ".", "b": "?"}}, "A clear a1 drops a=. b=?"),
    (
        {"do": "clear", "player": "A", "cells": ["a1"], "attack": "R2", "overrule": True},
        "A clear R2 a1 overrule",
    ),
    ({"do": "clear", "player": "A", "attack": "R2", "shorts": {"B": 1, "Y": 2}}, "A clear R2 shorts B=1 Y=2"),
    ({"do": "clear", "player": "A", "attack": "R2"}, "A clear R2"),
    (
        {
            "do": "hit",
            "source": "A",
            "hits": [{"player": "B", "button": "R", "amount": 2}, {"player": "A", "button": "Y", "amount": 0}],
        },
        "A hit B.R 2, A.Y 0",
    ),
    ({"do": "heal", "player": "A", "button": "R", "amount": 2}, "A heal R 2"),
    ({"do": "fan", "player": "B", "fan": "Y"}, "B fan Y"),
    ({"do": "pay", "player": "B", "credits": 1}, "B pay 1"),
    ({"do": "pay", "player": "B", "credits": 2, "restores": True}, "B pay 2 restores yes"),
    ({"do": "pay", "player": "B", "credits": 2, "restores": False}, "B pay 2 restores no"),
    ({"do": "skip_next", "player": "B"}, "B skip"),
    ({"do": "end_turn", "player": "A"}, "A end"),
    ({"do": "concede", "player": "A"}, "A concede"),
    ({"do": "correct", "player": "A", "button": "R", "hp": 5, "broken": True}, "correct A.R 5 broken"),
    ({"do": "correct", "player": "A", "button": "R", "broken": False}, "correct A.R unbroken"),
    ({"do": "correct", "player": "A", "credits": 3}, "correct A credits 3"),
    (
        {
            "do": "correct", "player": "A", "button": "R", "hp": 5, "credits": 3, "fan": "R", "place": "stage",
            "cell": "a3", "colour": ".", "tray": "RYBRY/YBRB?/BRYBR", "turn": "B",
        },
        "correct A.R 5, A credits 3, fan R stage, a3 ., tray RYBRY/YBRB?/BRYBR, turn B",
    ),
    ({"do": "resolve", "item": 3, "button": "R"}, "resolve 3 button R"),
    ({"do": "resolve", "item": 3, "amount": 2, "button": "R"}, "resolve 3 amount 2 button R"),
    ({"do": "resolve", "item": 3, "cells": ["b3"], "refill": {"b": "R"}}, "resolve 3 cells b3 drops b=R"),
    ({"do": "resolve", "item": 3, "cells": []}, "resolve 3 cells none"),
    ({"do": "resolve", "item": 3, "yes": False}, "resolve 3 no"),
    ({"do": "resolve", "item": 3, "yes": True, "when": "before"}, "resolve 3 yes when before"),
    ({"do": "resolve", "item": 3, "option": 1}, "resolve 3 option 1"),
    ({"do": "resolve", "item": 3, "place": "player B"}, 'resolve 3 place "player B"'),
    ({"do": "resolve", "item": 3, "done": True}, "resolve 3 done"),
    ({"do": "resolve", "item": 3, "drop": True}, "resolve 3 drop"),
    ({"do": "marker", "player": "A", "name": "spirit", "place": "row3"}, "A marker spirit on row3"),
    (
        {
            "do": "marker", "player": "B", "name": "trick card", "place": "player A", "reacts": ["clear", "destroy"],
            "blocks": False, "turns": None, "once": True,
        },
        'B marker "trick card" on player A reacts clear+destroy blocks no turns any once',
    ),
    (
        {"do": "marker", "player": "B", "name": "remove", "place": "R", "reacts": []},
        'B marker "remove" on R reacts none',
    ),
    ({"do": "marker", "remove": 4}, "marker remove 4"),
    ({"do": "rules", "kicker": "optional", "flips_per_turn": None, "detours": False, "edition": "2.0"},
     "rules kicker=optional flips_per_turn=null detours=false edition=2.0"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "line"), WRITTEN, ids=[line for _, line in WRITTEN])
def test_a_command_is_one_line_and_the_line_that_command(command: dict[str, Any], line: str) -> None:
    assert lines.write(command) == line
    assert lines.read(line) == command


@pytest.mark.parametrize("line", [line for _, line in WRITTEN if '"' not in line])
def test_upper_and_lower_case_and_spaces_are_the_same(line: str) -> None:
    assert lines.read(line.lower()) == lines.read(line.upper()) or "marker spirit" in line
    assert lines.read(line.replace(",", " , ").replace(" ", "  ")) == lines.read(line)


def test_what_says_nothing_is_left_out() -> None:
    clear = {"do": "clear", "player": "A", "cells": ["a1"], "refill": {}, "overrule": False}
    assert lines.write(clear) == "A clear a1"
    assert lines.write({"do": "clear", "player": "A", "attack": "R1", "shorts": {}}) == "A clear R1"


@pytest.mark.parametrize(
    "command",
    [
        {"do": "dance", "player": "A"},
        {"do": "flip", "player": "A", "button": "B", "twice": True},
        {"do": "flip", "player": "C", "button": "B"},
        {"do": "flip", "button": "B"},
        {"do": "hit", "source": "A", "hits": [{"player": "B", "button": "R", "amount": True}]},
        {"do": "hit", "source": "A", "hits": []},
        {"do": "hit", "source": "A", "hits": 7},
        {"do": "heal", "player": "A", "button": "R", "amount": 1.0},
        {"do": "clear", "player": "A", "cells": "a1"},
        {"do": "correct"},
        {"do": "correct", "player": "A", "button": "R"},
        {"do": "rules", "kicker": ["optional"]},
        {"do": "resolve", "item": 1, "weather": "rain"},
        {"do": 5},
    ],
)
def test_what_the_words_cannot_say_has_no_line(command: dict[str, Any]) -> None:
    assert lines.write(command) is None


@given(COMMANDS)
@settings(max_examples=400, deadline=None, derandomize=True)
def test_whatever_is_written_is_read_as_the_same(command: dict[str, Any]) -> None:
    line = lines.write(command)
    if line is not None:
        assert json.dumps(lines.read(line), sort_keys=True) == json.dumps(lines.tidied(command), sort_keys=True)


@given(st.text("AB abcRY.=,123\"'(|)-clearhitdrops", max_size=30) | st.text(max_size=20))
@settings(max_examples=400, deadline=None, derandomize=True)
def test_no_line_is_too_odd_to_be_refused(line: str) -> None:
    try:
        command = lines.read(line)
    except NotationError:
        return
    assert lines.read(lines.write(command) or "") == lines.tidied(command)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("C flip B", 'command: "C" stands where a player (A, B) or a command (begin, destroy,'),
        ("A jump", 'command: "jump" stands where a command (begin,'),
        ("A", "command: the line ends where a command (begin,"),
        ("flip B", "flip: the player comes first, as in A flip B"),
        ("A begin", "begin: no player stands before it, as in begin"),
        ("A flip", "flip: the line ends where R, Y or B is needed"),
        ("A flip RY", 'flip: "RY" stands where R, Y or B is needed'),
        ("A declare R3", 'declare: "R3" stands where an attack (R1 R2 R4 Y1 Y2 Y4 B1 B2 B4) is needed'),
        ("A clear", "clear: the line ends where an attack (R1 R2 R4 Y1 Y2 Y4 B1 B2 B4) or a cell (a1 to c5) is needed"),
        ("A clear R3 a1", 'clear: "R3" stands where an attack'),
        ("A clear R1 a6", 'clear: "a6" stands where a cell (a1 to c5) is needed'),
        ("A clear a1-d1", 'clear: "a1-d1" stands where a cell (a1 to c5) is needed'),
        ("A clear a1 drops", "clear: the line ends where a lane and its letters, as in drops a=RY, is needed"),
        ("A clear a1 drops d=R", 'clear: "d" stands where a lane and its letters'),
        ("A clear a1 drops a=X", "clear: drops a=X where letters of R Y B . ? are needed"),
        ("A clear a1 drops a=R a=R", "clear: drops names lane a twice"),
        ("A clear R1 shorts B", 'clear: the line ends where "=" is needed'),
        ("A clear a1 twice", 'clear: "twice" stands where the end of the line is needed'),
        ("A hit B.R", "hit: the line ends where a whole number is needed"),
        ("A hit B 2", 'hit: "B" stands where a player and a button, such as B.R, is needed'),
        ("A hit B.R 1.5", 'hit: "1.5" stands where a whole number is needed'),
        ("A hit B.R 2,", "hit: the line ends where a player and a button"),
        ("A pay 1 restores maybe", 'pay: "maybe" stands where the end of the line is needed'),
        ("correct", "correct: the line ends where what is corrected (B.R, B credits, fan, a1, tray, turn) is needed"),
        ("correct A.R", "correct: the line ends where HP, broken or unbroken is needed"),
        ("correct A.R 5, B credits 1", "correct: one correction is about one player; the other one takes a line"),
        ("correct a1 R, a2 R", "correct: one correction names cell once; a second one takes a line of its own"),
        ("correct fan R table", 'correct: "table" stands where A, stage or B is needed'),
        ("resolve", "resolve: the line ends where the number of what is due is needed"),
        ("resolve 3 perhaps", 'resolve: "perhaps" stands where a choice (yes, no, done, drop, when,'),
        ("resolve 3 yes no", "resolve: no is said twice"),
        ("A marker spirit row3", 'marker: "row3" stands where the word on and a place is needed'),
        ("marker spirit on row3", "marker: the player comes first, as in A marker spirit on row3"),
        ('A marker "spirit on row3', "a double quote is never closed"),
        ("rules kicker", 'rules: the line ends where "=" is needed'),
    ],
)
def test_a_mistake_is_one_sentence(line: str, sentence: str) -> None:
    with pytest.raises(NotationError) as caught:
        lines.read(line)
    assert str(caught.value).startswith(sentence)


BARE: dict[str, Any] = {"players": {"A": {"fighter": None}, "B": {"fighter": None}}}


def _tags(setup: dict[str, Any], state: dict[str, Any] | None = None) -> dict[str, Any]:
    return {tag.name: tag.block or tag.value for tag in REMATCH_NOTATION.setup_tags(setup, state or BARE)}


def test_a_set_up_tells_only_what_is_not_as_printed() -> None:
    plain = {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR", "rules": {"kicker": "mandatory"}}
    assert _tags(plain) == {"Edition": "2.5", "First": "A", "Tray": "RYBRY/YBRBY/BRYBR"}
    much = {
        **plain,
        "players": {
            "A": {"fighter": "Ann", "credits": 3, "fans": ["B", "R"]},
            "B": {"buttons": {"Y": {"hp": 8, "broken": True}}},
        },
        "rules": {"edition": "1.5", "flips_per_turn": 1, "spare_marbles": True},
    }
    assert _tags(much) == {
        "Edition": "1.5", "Rules": "flips_per_turn=1 spare_marbles=true", "A": "Ann", "A.Credits": "3",
        "A.Fans": "RB", "B.Dials": "R10 Y8! B10", "First": "A", "Tray": "RYBRY/YBRBY/BRYBR",
    }  # fmt: skip


def test_a_set_up_with_a_field_that_no_tag_has_stays_json() -> None:
    setup = {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR", "weather": "rain"}
    tags = REMATCH_NOTATION.setup_tags(setup, BARE)
    assert [tag.name for tag in tags] == ["Setup"]
    assert REMATCH_NOTATION.setup(tags)["weather"] == "rain"


@given(SETUP)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_every_set_up_comes_back(setup: dict[str, Any]) -> None:
    tags = REMATCH_NOTATION.setup_tags(setup, BARE)
    assert {tag.name for tag in tags} <= set(TAGS)
    again = REMATCH_NOTATION.setup(tags)
    assert REMATCH_NOTATION.setup_tags(again, BARE) == tags
    assert (again["first"], again["tray"]) == (setup["first"], setup["tray"])
    assert setup["rules"].items() >= {k: v for k, v in again["rules"].items() if k != "edition"}.items()
    for player, side in setup["players"].items():
        told = again["players"].get(player, {})
        assert told.get("credits", 4) == side["credits"]
        assert sorted(told.get("fans", [])) == sorted(side["fans"])
        full = {colour: {"hp": 10, "broken": False} for colour in "RYB"}
        assert told.get("buttons", full) == side["buttons"]


@pytest.mark.parametrize(
    ("tags", "blamed", "sentence"),
    [
        ({"First": "A"}, None, "the tag Tray is missing, as in"),
        ({"Tray": "RYBRY/YBRBY/BRYBR"}, None, 'the tag First is missing, as in [First "A"]'),
        ({"First": "C", "Tray": "."}, "First", 'First: "C" stands where player A or B is needed'),
        ({"First": "A", "Tray": "RYBRY/YBRBY"}, "Tray", "Tray: tray 'RYBRY/YBRBY' has 2 lane(s)"),
        ({"Weather": "rain"}, "Weather", 'there is no tag "Weather": there are Edition, Rules,'),
        ({"A.Dials": "R10 Y11x"}, "A.Dials", 'A.Dials: "Y11x" stands where a dial such as R10, or Y8! for a broken'),
        ({"A.Dials": "R10 R9"}, "A.Dials", "A.Dials: dial R is said twice"),
        ({"A.Credits": "many"}, "A.Credits", 'A.Credits: "many" stands where a whole number is needed'),
        ({"A.Fans": "RG"}, "A.Fans", 'A.Fans: "G" stands where the fans\' colours are needed'),
        ({"Rules": "kicker"}, "Rules", 'Rules: the line ends where "=" is needed'),
        ({"Rules": "edition=2.0"}, "Rules", "Rules: the edition has a tag of its own"),
        ({"A.Board": "Psychic"}, "A.Board", "A.Board: a block of lines is needed"),
    ],
)
def test_a_wrong_tag_is_named(tags: dict[str, str], blamed: str | None, sentence: str) -> None:
    with pytest.raises(NotationError) as caught:
        REMATCH_NOTATION.setup([Tag(name, value) for name, value in tags.items()])
    assert (caught.value.tag, str(caught.value)[: len(sentence)]) == (blamed, sentence)


@pytest.mark.parametrize(
    ("tag", "value", "sentence"),
    [
        ("Edition", "3.0", "setup: rules.edition is '3.0', which is none of"),
        ("Rules", "kicker=never", "setup: rules.kicker is 'never', which is none of"),
        ("A.Dials", "R11", "setup: players.A.buttons.R.hp is 11"),
        ("B.Dials", "Y9!", "setup: players.B.buttons.Y: a broken dial holds 1 to 8 HP"),
        ("B.Credits", "100", "setup: players.B.credits is 100"),
        ("A", "x" * 61, "setup: players.A.fighter is"),
    ],
)
def test_what_the_rules_refuse_in_a_tag_is_blamed_on_it(tag: str, value: str, sentence: str) -> None:
    tags = [Tag(tag, value), Tag("First", "A"), Tag("Tray", "RYBRY/YBRBY/BRYBR")]
    with pytest.raises(NotationError) as caught:
        REMATCH_NOTATION.setup(tags)
    assert (caught.value.tag, str(caught.value)[: len(sentence)]) == (tag, sentence)
