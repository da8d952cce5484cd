"""What a command would do: told before it is done, and nothing is done."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import game
from companion.log import MemoryLog
from companion.session import Session
from tests.toy.noughts import NOUGHTS

TRAY = "RYBRY/YBRBY/BRYBR"


@pytest.fixture
def log() -> MemoryLog:
    return MemoryLog()


@pytest.fixture
def session(log: MemoryLog) -> Session:
    session = Session(game("rematch"), log)
    for command in (
        {"do": "setup", "first": "A", "tray": TRAY},
        {"do": "clear", "player": "A", "cells": ["a5", "b5"]},
        hit("R", 4),
        hit("R", 3),
    ):
        assert session.submit(command).accepted
    return session


def hit(button: str, amount: int) -> dict[str, Any]:
    return {"do": "hit", "source": "A", "hits": [{"player": "B", "button": button, "amount": amount}]}


def test_a_break_is_foreseen_with_its_price_and_nothing_happens(session: Session, log: MemoryLog) -> None:
    before, records = session.state_json, len(log.records())
    found = session.foresee(hit("R", 5))
    assert found["told"][0] == "5 to Red of B, which breaks."
    assert found["state"]["players"]["B"]["buttons"]["R"] == {"hp": 1, "broken": True}
    assert found["state"]["players"]["B"]["credits"] == 3
    assert (session.state_json, len(log.records())) == (before, records)
    assert session.submit(hit("R", 5)).body["state"] == found["state"], "and it comes as it was foreseen"


def test_a_refusal_is_foreseen_as_it_would_come(session: Session, log: MemoryLog) -> None:
    records = len(log.records())
    wrong = {"do": "clear", "player": "A", "cells": ["a1"]}
    found = session.foresee(wrong)
    assert found == {"ok": False, "error": session.submit(wrong).body["error"]}
    assert len(log.records()) == records + 1, "the refusal in the log is that of the command itself"
    assert session.foresee({"do": "undo"})["error"]["code"] == "not_now"


def test_an_amendment_is_foreseen_with_all_that_follows_from_it(session: Session) -> None:
    state = session.state_json
    found = session.foresee({"do": "amend", "seq": 3, "command": hit("R", 8)})
    assert found["told"] == ["8 to Red of B, now 2."]
    assert found["before"]["players"]["B"]["buttons"]["R"] == {"hp": 10, "broken": False}
    assert found["changed"] == [
        {
            "seq": 4,
            "text": "A deals 3 to Red of B",
            "was": ["3 to Red of B, now 3."],
            "now": [
                "3 to Red of B, which breaks.",
                "B pays 1 credit for the break, which restores Red to 1, Yellow to 10 and Blue to 10.",
            ],
            "misfit": False,
        }
    ]
    assert session.state_json == state
    assert session.submit({"do": "amend", "seq": 3, "command": hit("R", 8)}).body["state"] == found["state"]


def test_what_would_no_longer_fit_is_foreseen(session: Session) -> None:
    assert session.submit({"do": "end_turn", "player": "A"}).accepted
    found = session.foresee({"do": "amend", "seq": 2, "remove": True})
    (misfit,) = [one for one in found["changed"] if one["misfit"]]
    assert (misfit["seq"], misfit["text"]) == (5, "A ends the turn")
    assert found["told"] == []
    none = session.foresee({"do": "amend", "seq": 99, "remove": True})
    assert none["error"]["code"] == "bad_value"
    refused = session.foresee({"do": "amend", "seq": 2, "command": {"do": "clear", "player": "A", "cells": ["c1"]}})
    assert refused["error"]["code"] == "illegal_clear"
    assert refused["before"]["tray"] == TRAY, "so that it can be corrected further"


def test_any_game_can_be_foreseen() -> None:
    session = Session(NOUGHTS, MemoryLog())
    assert session.submit({"do": "setup", "first": "O"}).accepted
    found = session.foresee({"do": "mark", "player": "O", "square": 4})
    assert found["state"]["squares"] == "....O...."
