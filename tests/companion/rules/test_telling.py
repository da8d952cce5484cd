"""The match in words: every command and every event that has something to say, nothing of the wire's own language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.desk import Desk
from companion.log import MemoryLog
from companion.match_text import play, read
from companion.rules.rematch import commands, events, telling
from companion.rules.rematch.game import REMATCH
from companion.rules.rematch.notation import REMATCH_NOTATION
from companion.session import Session
from tests.companion.rules.commanding import COMMANDS, SETUP, made_real

WHOLE = Path(__file__).parents[2] / "data" / "matches" / "whole.txt"
SILENT = {"set_up", "begun", "flipped", "declared", "due_listed", "resolved", "reminded", "rules_set", "corrected"}
"""Events that say no more than their command, or that only list what is asked anyway."""
WIRE = re.compile(r"[{}\[\]_]|None|True|False")


def match(*submitted: Mapping[str, Any]) -> list[dict[str, Any]]:
    session = Session(REMATCH, MemoryLog())
    for command in submitted:
        session.submit(dict(command))
    return list(Desk(session).history()["commands"])


WORN = {"players": {"A": {"buttons": {"Y": {"hp": 5, "broken": True}}}}}
SET_UP = {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR", **WORN}


def test_every_command_has_words() -> None:
    assert set(telling._COMMANDS) == set(commands._READERS)


def test_every_event_has_words_or_says_no_more_than_its_command() -> None:
    assert set(telling._EVENTS) | SILENT == set(events._EVENTS) | {"set_up"}


def test_a_whole_match_reads_as_a_story() -> None:
    session = play(read(WHOLE.read_bytes(), "whole.txt"), REMATCH, REMATCH_NOTATION)
    told = [(item["text"], *item["told"]) for item in Desk(session).history()["commands"]]
    assert told[0] == ("Set-up: A begins; A is Night Watch; B is Bo",)
    for line in (
        ("B destroys b3 b4",),
        ("A clears b3 b4", "Yellow-2."),
        ("What was due: X is 2 and the Red dial", "3 to Red of B, now 7.", "A takes the Yellow fan."),
        ("B deals 7 to Red of A", "7 to Red of A, now 3."),
        ("Corrected: a5 is yellow",),
        ("What was due: row 3", "Lantern of player A on row 3 is laid."),
    ):
        assert line in told, line
    assert told[-1][-1] == "A wins: the other cannot pay."
    assert [text for line in told for text in line if WIRE.search(text)] == []


@pytest.mark.parametrize(
    ("command", "text", "told"),
    [
        ({"do": "clear", "player": "A", "cells": ["a1"]}, "A clears a1", ["Red-1."]),
        ({"do": "clear", "player": "A", "attack": "R2", "shorts": {}}, "A calls an attack: Red-2", []),
        (
            {"do": "clear", "player": "A", "cells": ["a1", "a4"], "attack": "R2", "overrule": True},
            "A clears a1 a4: Red-2, let stand",
            [],
        ),
        (
            {"do": "hit", "source": "A", "hits": [{"player": "B", "button": "R", "amount": 3}]},
            "A deals 3 to Red of B",
            ["3 to Red of B, now 7."],
        ),
        ({"do": "fan", "player": "B", "fan": "Y"}, "B takes the Yellow fan", []),
        ({"do": "flip", "player": "A", "button": "Y"}, "A flips Yellow", []),
        ({"do": "declare", "player": "A", "attack": "B1"}, "A declares Blue-1", []),
        ({"do": "skip_next", "player": "B"}, "B skips the next turn", []),
        ({"do": "concede", "player": "B"}, "B concedes", ["A wins: conceded."]),
        (
            {"do": "correct", "player": "A", "button": "R", "hp": 4, "broken": True},
            "Corrected: Red of A at 4 HP, broken",
            [],
        ),
        ({"do": "correct", "cell": "a1", "colour": "?"}, "Corrected: a1 is not known", []),
        ({"do": "correct", "turn": "B"}, "Corrected: B’s turn", []),
        ({"do": "rules", "kicker": "optional"}, "Rules: kicker optional", []),
        (
            {"do": "marker", "player": "A", "name": "spirit", "place": "b3"},
            "A lays a marker on b3: spirit",
            ["Spirit of player A on b3 is laid."],
        ),
    ],
)
def test_a_command_and_what_came_of_it(command: dict[str, Any], text: str, told: list[str]) -> None:
    last = match(SET_UP, {"do": "begin"}, command)[-1]
    assert (last["command"]["do"], last["text"], last["told"]) == (command["do"], text, told)


def test_what_was_undone_is_named_but_nothing_came_of_it() -> None:
    last = match(SET_UP, {"do": "clear", "player": "A", "cells": ["a1"]}, {"do": "undo"})[-1]
    assert (last["undone"], last["text"], last["told"]) == (True, "A clears a1", [])


def test_a_command_of_a_newer_companion_is_named_as_it_is() -> None:
    assert telling.named({"do": "throw_dice"}) == "throw dice"


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(SETUP, st.lists(COMMANDS, max_size=12))
def test_whatever_is_accepted_has_words(setup: dict[str, Any], wanted: list[dict[str, Any]]) -> None:
    session = Session(REMATCH, MemoryLog())
    session.submit(setup)
    for command in wanted:
        session.submit(made_real(session.state_json, command))
    for item in Desk(session).history()["commands"]:
        assert item["text"].strip() == item["text"] != "", item
        assert all(line.endswith(".") for line in item["told"]), item


@pytest.mark.parametrize(
    ("paid", "text"),
    [
        ({"credits": 1, "for": "breaks", "buttons": {}}, "A pays 1 credit for the break"),
        ({"credits": 2, "for": "effect", "buttons": {}}, "A pays 2 credits"),
        (
            {
                "credits": 1,
                "for": "breaks",
                "buttons": {"R": {"hp": 8, "broken": True}, "B": {"hp": 9, "broken": False}},
            },
            "A pays 1 credit for the break, which restores Red to 8 and Blue to 9",
        ),
    ],
)
def test_what_was_paid_and_why(paid: dict[str, Any], text: str) -> None:
    assert telling._paid_told({"type": "paid", "player": "A", "left": 1, **paid}) == text
