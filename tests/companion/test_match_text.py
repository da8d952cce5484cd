"""Whole matches as text: nothing is lost, mistakes are named with their line, hand-written text is read."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.boards import load_boards
from companion.errors import InputError
from companion.log import MemoryLog
from companion.match_text import MOST_BYTES, MOST_COMMANDS, WIDTH, play, read, write
from companion.rules.notation import JsonNotation
from companion.rules.rematch.game import REMATCH, Rematch
from companion.rules.rematch.notation import REMATCH_NOTATION
from companion.session import Session
from tests.companion.rules.cases import load
from tests.companion.rules.commanding import COMMANDS, SETUP, made_real
from tests.toy.noughts import NOUGHTS

WHOLE = Path(__file__).parents[1] / "data" / "matches" / "whole.txt"
HEADER = '[Game "rematch"]\n[First "A"]\n[Tray "RYBRY/YBRBY/BRYBR"]\n'
SET_UP = {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"}


def played(text: str | bytes, **how: Any) -> Session:
    data = text.encode() if isinstance(text, str) else text
    return play(read(data, "m.txt"), REMATCH, REMATCH_NOTATION, **how)


def refused(text: str | bytes, **how: Any) -> str:
    with pytest.raises(InputError) as caught:
        played(text, **how)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def submitted(*commands: Mapping[str, Any]) -> tuple[Session, MemoryLog]:
    log = MemoryLog()
    session = Session(REMATCH, log)
    for command in commands:
        session.submit(dict(command))
    return session, log


def text_of(log: MemoryLog, everything: bool = False) -> str:
    return write(log.records(), REMATCH, REMATCH_NOTATION, everything)


def same(session: Session, log: MemoryLog) -> None:
    """The text of the log plays as the same state bytes, and is written again as the same text."""
    for everything in (False, True):
        text = text_of(log, everything)
        again = played(text)
        assert json.dumps(again.state_json) == json.dumps(session.state_json)
        assert again.state == session.state
        assert write(again.timeline, REMATCH, REMATCH_NOTATION) == text_of(log)
        # an effect of a board is one line, however long
        moves = re.sub(r"^\[[AB]\.Board$.*?^\]$", "", text, flags=re.MULTILINE | re.DOTALL)
        assert all(
            len(line) <= WIDTH for line in moves.splitlines() if not line.lstrip().startswith(("{", "[", ";", "rules "))
        )


# --- nothing is lost -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", load("matches.json"), ids=lambda case: case["id"])
def test_every_case_comes_back_from_its_text(case: dict[str, Any]) -> None:
    session, log = submitted(case["given"], *case["when"])
    if session.state is None:
        with pytest.raises(InputError, match="no match was set up"):
            text_of(log)
    else:
        same(session, log)


@given(SETUP, st.lists(COMMANDS | st.sampled_from([{"do": "undo"}, {"do": "redo"}]), max_size=25))
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
def test_any_match_comes_back_from_its_text(setup: dict[str, Any], commands: list[dict[str, Any]]) -> None:
    session, log = submitted(setup, {"do": "begin"})
    if session.state_json is None:
        return
    for command in commands:
        session.submit(made_real(session.state_json, command))
    same(session, log)


def test_what_was_read_is_written_as_the_same_bytes() -> None:
    data = WHOLE.read_bytes()
    session = played(data)
    text = write(session.timeline, REMATCH, REMATCH_NOTATION)
    day = '[Date "2026-02-28"]\n'  # a label of the log; a session in memory has none
    assert text.encode() == data.replace(day.encode(), b"")
    assert session.state_json is not None
    assert session.state_json["over"] is not None
    assert max(map(len, text.splitlines())) <= WIDTH


def test_the_documentation_shows_that_match() -> None:
    page = (Path(__file__).parents[2] / "docs" / "match-text.md").read_text()
    assert WHOLE.read_text() in page


def test_an_amended_match_is_written_as_it_is_in_force() -> None:
    session, log = submitted(
        SET_UP,
        {"do": "begin"},
        {"do": "hit", "source": "A", "hits": [{"player": "B", "button": "R", "amount": 10}]},
        {"do": "flip", "player": "B", "button": "R"},
        {"do": "heal", "player": "B", "button": "R", "amount": 1},
        {"do": "pay", "player": "B", "credits": 1},
        {"do": "undo"},
    )
    hits = [{"player": "B", "button": "R", "amount": 9}]
    assert session.submit({"do": "amend", "seq": 3, "command": {"do": "hit", "source": "A", "hits": hits}}).accepted
    assert session.submit({"do": "amend", "after": 3, "command": {"do": "fan", "player": "A", "fan": "R"}}).accepted
    same(session, log)
    assert text_of(log).splitlines()[-6:-1] == [
        ";= turn 1 A", "begin", "A hit B.R 9", "A fan R", "B heal R 1",
    ]  # fmt: skip
    aside = [line for line in text_of(log, everything=True).splitlines() if line.startswith("; ")]
    assert [line[:24] for line in aside] == [
        "; not in force: A hit B.", "; refused: B flip R – It", "; not in force: B pay 1",
    ]  # fmt: skip


def test_a_text_needs_no_boards_beside_itself() -> None:
    known = Rematch(load_boards(None))
    session = Session(known, log := MemoryLog())
    assert session.submit({**SET_UP, "players": {"A": {"fighter": "psychic"}, "B": {"fighter": "Bo"}}}).accepted
    text = text_of(log)
    assert "[A.Board\n  name" in text
    assert '[B.Board "none"]' in text
    for game in (known, REMATCH):
        again = play(read(text.encode(), "m.txt"), game, REMATCH_NOTATION)
        assert again.state_json == session.state_json


def test_only_a_text_that_is_silent_about_a_board_gets_the_known_one() -> None:
    known = Rematch(load_boards(None))
    silent = HEADER + '[A "psychic"]\n'
    for text, has in ((silent, True), (silent + '[A.Board "none"]\n', False)):
        session = play(read(text.encode(), "m.txt"), known, REMATCH_NOTATION)
        assert session.state_json is not None
        assert (session.state_json["players"]["A"]["board"] is not None) == has
        assert played(write(session.timeline, known, REMATCH_NOTATION)).state_json == session.state_json


@pytest.mark.parametrize("names", [{}, {"fighter": "Ann"}, {"fighter": None}])
def test_a_board_and_the_fighters_name(names: dict[str, Any]) -> None:
    board = {"name": "Night Watch", "attacks": {"R1": {"effects": [{"do": "deal", "amount": 2}]}}}
    session, log = submitted({**SET_UP, "players": {"A": {"board": board, **names}}})
    assert session.state_json is not None
    same(session, log)
    assert ("[Setup" in text_of(log)) == (names == {"fighter": None})  # an odd one, which no tags can say


def test_a_command_that_no_longer_fits_is_told_only_with_everything() -> None:
    session, log = submitted(
        SET_UP,
        {"do": "begin"},
        {"do": "clear", "player": "A", "cells": ["a1"], "refill": {"a": "R"}},
        {"do": "end_turn", "player": "A"},
        {"do": "clear", "player": "B", "cells": ["c1"]},
    )
    assert session.submit({"do": "amend", "seq": 4, "remove": True}).accepted
    assert session.misfits
    same(session, log)
    assert "B clear c1" not in text_of(log)
    text = text_of(log, everything=True)
    assert "; no longer fits: B clear c1 – It is player A's turn" in text
    assert "; not in force: A end" in text


def test_a_game_without_words_of_its_own_is_written_as_json() -> None:
    log = MemoryLog()
    session = Session(NOUGHTS, log)
    for command in ({"do": "setup", "first": "O"}, {"do": "mark", "player": "O", "square": 4}):
        assert session.submit(command).accepted
    session.submit({"do": "mark", "player": "O", "square": 4})
    text = write(log.records(), NOUGHTS, JsonNotation())
    assert text == (
        '[Game "noughts"]\n[Format "1"]\n[Result "unfinished"]\n[Setup\n  {"do": "setup", "first": "O"}\n]\n\n'
        '{"do": "mark", "player": "O", "square": 4}\n'
    )
    again = play(read(text.encode(), "toy"), NOUGHTS, JsonNotation())
    assert again.state == session.state
    assert write(again.timeline, NOUGHTS, JsonNotation()) == text
    assert "; refused: {" in write(log.records(), NOUGHTS, JsonNotation(), everything=True)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("mark O 4", 'line 3: "mark O 4" is no command: in this game each is a JSON object'),
        ('{"do": "mark", "player": "O", "square": 9}', "line 3: A square is 0 to 8"),
        (";= turn 1", "line 3: the note is wrong: this game has no notes"),
        ('{"do": "mark"', "line 3: The line is not JSON: Expecting ',' delimiter at column 14"),
    ],
)
def test_mistakes_in_a_game_without_words(text: str, sentence: str) -> None:
    header = '[Game "noughts"]\n[Setup "{\\"do\\": \\"setup\\", \\"first\\": \\"O\\"}"]\n'
    with pytest.raises(InputError, match=r"^match toy: ") as caught:
        play(read((header + text).encode(), "toy"), NOUGHTS, JsonNotation())
    assert str(caught.value) == f"match toy: {sentence}" or sentence in str(caught.value)


# --- written by hand -------------------------------------------------------------------------------------------------

BY_HAND = """; our evening
[game "Rematch"]   # any case
[First "a"]

[Tray "rybry/ybrby/brybr"]
[A "Ann; not # a comment"]

  b DESTROY C1 Drops c=r  ; why not
# another comment
A CLEAR a1
a hit b.r 10
;= B r1! Y10 b10 c3 | tray ybry?/ybrby/rybrr
A End
"""


def test_what_people_write_by_hand_is_read() -> None:
    session = played(BY_HAND)
    assert session.state_json is not None
    assert session.state_json["players"]["A"]["fighter"] == "Ann; not # a comment"
    assert [record.command["do"] for record in session.timeline] == ["setup", "destroy", "clear", "hit", "end_turn"]


@pytest.mark.parametrize("form", ["\r\n", "\r", "bom", "no last line end", "blank lines"])
def test_line_ends_marks_and_blanks_do_not_matter(form: str) -> None:
    data = {
        "\r\n": BY_HAND.replace("\n", "\r\n").encode(),
        "\r": BY_HAND.replace("\n", "\r").encode(),
        "bom": BY_HAND.encode("utf-8-sig"),
        "no last line end": BY_HAND.rstrip().encode(),
        "blank lines": BY_HAND.replace("\n", "\n \t\n").encode(),
    }[form]
    assert played(data).state_json == played(BY_HAND).state_json


def test_json_stands_for_a_command_that_has_no_words() -> None:
    text = HEADER + '{"do": "destroy", "player": "B", "cells": ["b3"], "refill": {}} ; a comment\n'
    assert played(text).timeline[-1].command["cells"] == ["b3"]


# --- mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "match m.txt: is empty: a match begins with tags"),
        ("\n \n; only a comment\n", "match m.txt: is empty: a match begins with tags"),
        ("A end\n", "match m.txt: line 1: is no match: the tag Game is missing"),
        ('\n[First "A"]\n', "match m.txt: line 2: is no match: the tag Game is missing"),
        ('[Game "chess"]\n', 'match m.txt: Game: "chess" is not the game "rematch"'),
        ('[Game "rematch"]\n[Format "2"]\n', "match m.txt: line 2: Format: 2 is of a newer companion (this one reads"),
        ('[Game "rematch"]\n[Format "two"]\n', 'match m.txt: line 2: Format: "two" stands where 1 is needed'),
        ('[Game "rematch"]\n[Date "yesterday"]\n', 'match m.txt: line 2: Date: "yesterday" stands where a day'),
        ('[Game "rematch"]\n[Date "2026-02-30"]\n', 'match m.txt: line 2: Date: "2026-02-30" stands where a day'),
        ('[Game "rematch"]\n[Tray "RYBRY/YBRBY/BRYBR"]\n', "match m.txt: line 2: the tag First is missing"),
        (
            '[Game "rematch"]\n[First A]\n',
            'match m.txt: line 2: "[First A]" is no tag: one is written as [Name "value"]',
        ),
        ('[Game "rematch"]\n[First "A]\n', "match m.txt: line 2: a double quote is never closed"),
        ('[Game "rematch"]\n[First "\\q"]\n', "match m.txt: line 2: First: its value is no text as JSON has it"),
        ('[Game "rematch"]\n[First "C"]\n', 'match m.txt: line 2: First: "C" stands where player A or B is needed'),
        (
            '[Game "rematch"]\n[First "A"]\n[first "B"]\n',
            "match m.txt: line 3: the tag first is already there in line 2",
        ),
        ('[Game "rematch"]\n[Weather "rain"]\n', 'match m.txt: line 2: there is no tag "Weather"'),
        (
            '[Game "rematch"]\n[A.Board\n name "x"\n',
            "match m.txt: line 2: the block A.Board is never closed by a line ]",
        ),
        (
            '[Game "rematch"]\n[A.Board\n  name "x"\n\n  R1: slap 2\n]\n[First "A"]\n',
            'match m.txt: line 5: A.Board: R1: "slap" stands where an effect',
        ),
        (
            '[Game "rematch"]\n[A.Board\n  R1: deal 2\n]\n[First "A"]\n',
            "match m.txt: line 2: A.Board: name is missing",
        ),
        (
            '[Game "rematch"]\n[First "A"]\n[Rules "kicker=never"]\n[Tray "RYBRY/YBRBY/BRYBR"]\n',
            "match m.txt: line 3: setup: rules.kicker is 'never', which is none of",
        ),
        (
            '[Game "rematch"]\n[First "A"]\n[Tray "RRRRR/RRRRR/RRRRR"]\n',
            "match m.txt: lines 2 to 3: the set-up:",
        ),
        (HEADER + "A flip\n", "match m.txt: line 4: flip: the line ends where R, Y or B is needed"),
        (HEADER + "\n\nA hop\n", 'match m.txt: line 6: command: "hop" stands where a command'),
        (
            HEADER + 'A clear a1\n[A "Ann"]\n',
            "match m.txt: line 5: a tag stands in the header, before the first command",
        ),
        (HEADER + "B clear c1\n", "match m.txt: line 4: It is player A's turn, not player B's"),
        (HEADER + "A clear R1 a2\n", "match m.txt: line 4: "),
        (HEADER + '{"do": "heal"}\n', "match m.txt: line 4: heal needs the field player"),
        (HEADER + '{"do": "heal", "do": "hit"}\n', "match m.txt: line 4: The field 'do' is there twice"),
        (HEADER + '{"do": "heal"\n', "match m.txt: line 4: The line is not JSON"),
        (HEADER + "{}\n", "match m.txt: line 4: The field 'do' names the command"),
        (HEADER + "{" + " " * 70_000 + "1}\n", "match m.txt: line 4: The line is longer than 65536 bytes"),
        (HEADER + '{"do": "undo"}\n', "match m.txt: line 4: undo is no command of a match's text: write the commands"),
        (
            HEADER + '{"do": "setup"}\n',
            "match m.txt: line 4: setup is no command of a match's text: the header says it",
        ),
        (HEADER + "A hit B.R 1000000000\n", "match m.txt: line 4: hit: hits[0].amount is 1000000000 where a whole"),
        (HEADER + "A concede\nA end\n", "match m.txt: line 5: The match is over"),
        (
            HEADER + "A hit B.R 3\n;= B R6 Y10 B10 ¢4\n",
            'match m.txt: line 5: the note is wrong: it says "B R6 Y10 B10 ¢4", but it is "B R7 Y10 B10 ¢4"',
        ),
        (HEADER + ";= turn 2 A\n", 'match m.txt: line 4: the note is wrong: it says "turn 2 A", but it is "turn 1 A"'),
        (
            HEADER + ";= C R10\n",
            'match m.txt: line 4: the note is wrong: "C" cannot be checked: a note names A, B, tray',
        ),
        (HEADER + "begin ;= turn 2 B\n", "match m.txt: line 4: the note is wrong:"),
        (
            '[Result "A wins: B concedes"]\n' + HEADER,
            'match m.txt: line 1: Result: it says "A wins: B concedes", but it is "unfinished"',
        ),
    ],
)
def test_a_mistake_is_one_sentence_with_its_line(text: str, sentence: str) -> None:
    assert refused(text)[: len(sentence)] == sentence


@pytest.mark.parametrize("bad", [b"\xff\xfe", b"A \xe9nd", b"\xed\xa0\x80"])
def test_what_is_not_utf_8_is_told_with_its_line(bad: bytes) -> None:
    assert refused(HEADER.encode() + bad) == "match m.txt: line 4: is not UTF-8 text"


def test_utf_16_is_not_utf_8() -> None:
    assert refused(HEADER.encode("utf-16")) == "match m.txt: line 1: is not UTF-8 text"


def test_ten_megabytes_are_no_match() -> None:
    assert refused(b"; x\n" * 2_500_000) == f"match m.txt: is larger than {MOST_BYTES // 1000} kB, which no match is"


def test_nor_are_ten_thousand_commands() -> None:
    text = HEADER + "begin\n" * (MOST_COMMANDS + 1)
    assert refused(text) == f"match m.txt: line {MOST_COMMANDS + 4}: more than {MOST_COMMANDS} lines are no match"


def test_notes_and_result_need_not_be_checked() -> None:
    wrong = '[Result "B wins: A concedes"]\n' + HEADER + "A hit B.R 3\n;= B R6 Y10 B10 ¢4\n;= turn 9 B\n"
    assert played(wrong, recount=True).state_json == played(HEADER + "A hit B.R 3\n").state_json


@given(st.text("[]\"'{}=;#\n ABabGame1R.drops", max_size=60) | st.text(max_size=40))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_no_text_is_too_odd_to_be_refused(text: str) -> None:
    for whole in (text, HEADER + text):
        with contextlib.suppress(InputError):
            played(whole)
