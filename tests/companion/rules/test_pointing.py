"""What a command meant by a number, where an amendment has changed the numbers (rules/rematch/pointing.py)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.log import MemoryLog
from companion.rules.core import Pointing
from companion.rules.rematch.game import REMATCH
from companion.rules.rematch.pointing import meant, pointed, points
from companion.session import Session

TRAY = "RYBRY/YBRBY/BRYBR"


def _lay(name: str, place: str) -> dict[str, Any]:
    return {"do": "marker", "player": "A", "name": name, "place": place}


def _session(*commands: dict[str, Any]) -> Session:
    session = Session(REMATCH, MemoryLog())
    for command in ({"do": "setup", "first": "A", "tray": TRAY}, {"do": "begin"}, *commands):
        reply = session.submit(command)
        assert reply.accepted, reply.body
    return session


def _names(session: Session) -> list[str]:
    assert session.state_json is not None
    return [f"{marker['name']} {marker['place']}" for marker in session.state_json["markers"]]


def _spirit_stick_and_the_stick_taken_off() -> Session:
    """Records 3 and 4 lay markers 1 and 2, record 5 takes 2 off."""
    return _session(_lay("spirit", "b3"), _lay("stick", "row2"), {"do": "marker", "remove": 2})


def test_rematch_points() -> None:
    assert isinstance(REMATCH, Pointing)
    assert points({"do": "marker", "remove": 1})
    assert points({"do": "resolve", "item": 1})
    assert not points(_lay("spirit", "b3"))
    assert not points({"do": "begin"})
    assert REMATCH.meant(None, {"do": "marker", "remove": 1}) is None
    assert REMATCH.pointed(None, {"do": "marker", "remove": 1}, {}) is None


def test_a_marker_laid_earlier_does_not_change_which_one_is_taken_off() -> None:
    session = _spirit_stick_and_the_stick_taken_off()
    reply = session.submit({"do": "amend", "after": 2, "command": _lay("amp", "a1")})
    assert reply.body["misfits"] == []
    assert _names(session) == ["amp a1", "spirit b3"]
    assert session.timeline[-1].command == {"do": "marker", "remove": 3}
    assert Session(REMATCH, session._log).state_json == session.state_json
    session.submit({"do": "undo"})
    assert _names(session) == ["spirit b3"]
    assert session.timeline[-1].command == {"do": "marker", "remove": 2}


def test_a_marker_that_was_never_laid_cannot_be_taken_off_nor_another_in_its_place() -> None:
    session = _session(_lay("spirit", "b3"), _lay("stick", "row2"), {"do": "marker", "remove": 1})
    reply = session.submit({"do": "amend", "seq": 3, "remove": True})
    (misfit,) = reply.body["misfits"]
    assert (misfit["seq"], misfit["error"]["code"]) == (5, "bad_value")
    assert misfit["error"]["text"] == "What it was about is not there."
    assert set(misfit) == {"seq", "command", "error"}
    assert _names(session) == ["stick row2"], "marker 1 by now, and not meant"


def test_a_misfit_keeps_what_it_meant_until_that_is_there_again() -> None:
    session = _session(_lay("spirit", "b3"), _lay("stick", "row2"), {"do": "marker", "remove": 1})
    session.submit({"do": "amend", "seq": 3, "remove": True})
    again = Session(REMATCH, MemoryLog(session._log.records()))
    for one in (session, again):
        assert one.submit({"do": "amend", "after": 4, "command": _lay("spirit", "b3")}).body["misfits"] == []
        assert _names(one) == ["stick row2"]
        assert one.timeline[-1].command == {"do": "marker", "remove": 2}


def test_a_misfit_is_shown_with_the_number_of_today() -> None:
    session = _spirit_stick_and_the_stick_taken_off()
    session.submit({"do": "amend", "after": 4, "command": {"do": "concede", "player": "A"}})
    reply = session.submit({"do": "amend", "after": 2, "command": _lay("amp", "a1")})
    (misfit,) = reply.body["misfits"]
    assert (misfit["command"], misfit["error"]["code"]) == ({"do": "marker", "remove": 3}, "match_over")


def test_a_new_command_in_the_place_of_a_misfit_means_what_it_says() -> None:
    session = _session(_lay("spirit", "b3"), _lay("stick", "row2"), {"do": "marker", "remove": 1})
    session.submit({"do": "amend", "seq": 3, "remove": True})
    reply = session.submit({"do": "amend", "seq": 5, "command": {"do": "marker", "remove": 1}})
    assert (reply.body["misfits"], _names(session)) == ([], [])


def _due(number: int, do: str, player: str = "A", part: str = "attack") -> dict[str, Any]:
    return {"id": number, "part": part, "player": player, "effect": {"do": do, "amount": 2}, "choice": None}


RESOLVE = {"do": "resolve", "item": 7, "button": "R"}


@pytest.mark.parametrize(
    ("due", "item"),
    [
        ([_due(7, "heal"), _due(9, "deal")], 7),
        ([_due(8, "heal")], 8),
        ([_due(4, "deal"), _due(7, "deal"), _due(9, "heal")], 9),
        ([_due(7, "heal", "B"), _due(8, "heal", "A", "kicker"), _due(9, "heal")], 9),
        ([_due(7, "deal")], None),
        ([], None),
    ],
)
def test_what_is_due_is_found_by_what_it_is(due: list[dict[str, Any]], item: int | None) -> None:
    meaning = meant({"due": [_due(7, "heal"), _due(8, "deal")]}, RESOLVE)
    assert meaning is not None
    json.dumps(meaning)
    assert pointed({"due": due}, RESOLVE, meaning) == (None if item is None else {**RESOLVE, "item": item})


def test_of_two_alike_the_second_stays_the_second() -> None:
    meaning = meant({"due": [_due(6, "deal"), _due(7, "deal")]}, RESOLVE)
    assert meaning is not None
    assert pointed({"due": [_due(1, "deal"), _due(2, "heal"), _due(3, "deal")]}, RESOLVE, meaning) == {
        **RESOLVE, "item": 3,
    }  # fmt: skip
    assert pointed({"due": [_due(1, "deal")]}, RESOLVE, meaning) is None


def test_what_was_not_there_means_nothing() -> None:
    assert meant({"due": []}, RESOLVE) is None
    assert meant({}, RESOLVE) is None
