"""What a venue is told of a match, for each game that has one."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import PLAYED, game, notation
from companion.log import MemoryLog
from companion.session import Session
from companion.venue.summary import match_id, summary

STARS = {"A": "3,1", "B": "3,5"}
SETUPS: dict[str, dict[str, Any]] = {
    "rematch": {
        "first": "A",
        "tray": "RYBRY/YBRBY/BRYBR",
        "players": {"A": {"fighter": "Ann"}, "B": {"fighter": "Bo"}},
    },
    "react": {
        "first": "A",
        "field": {"columns": 5, "rows": 5, "stars": STARS},
        "players": {"A": {"artist": "Dancer"}, "B": {"artist": "Tagger"}},
    },
    "reactions": {"characters": [{"id": "Ann"}, {"id": "Bo"}]},
    "reinforcements": {"first": "A", "players": [{"name": "Ann"}, {"name": "Bo"}]},
}


@pytest.mark.parametrize("name", PLAYED)
def test_who_plays_and_who_won(name: str) -> None:
    session = Session(game(name), MemoryLog())
    assert session.submit({"do": "setup", **SETUPS[name]}).accepted
    told = summary(notation(name), name, session.state_json)
    assert told["players"]
    assert (told["result"], told["winner"]) == (None, None)
    if session.submit({"do": "concede", "player": "A"}).accepted:
        told = summary(notation(name), name, session.state_json)
        assert told["winner"] == "B"
        assert told["result"]
        assert len(told["seats"]) == 2
        assert told["turn"] == ""
    else:
        assert name == "reactions"  # nobody wins there


def test_a_table_without_a_match() -> None:
    assert summary(notation("rematch"), "rematch", None)["players"] == ""


def test_a_match_is_known_by_its_beginning() -> None:
    one, other = (Session(game("rematch"), MemoryLog()) for _ in range(2))
    for session, first in ((one, "A"), (other, "B")):
        assert session.submit({"do": "setup", **SETUPS["rematch"], "first": first}).accepted
    before = match_id(one.timeline[0])
    one.submit({"do": "begin"})
    assert match_id(one.timeline[0]) == before
    assert match_id(other.timeline[0]) != before
