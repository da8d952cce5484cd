"""What takes more than one part, or a grid."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.reactions.entries import ACTIONS, ENTRIES, key_of
from tests.companion.rules.reactions.table import Table, at, replies


def test_eleven_entries_one_for_each_pair_in_either_order() -> None:
    assert len(ENTRIES) == 11
    for one in ACTIONS:
        for other in ACTIONS:
            assert key_of((one, other)) == key_of((other, one))
            assert key_of((one, other)) in ENTRIES
    assert key_of(("recovery",)) in ENTRIES


def test_one_reaction_however_often_it_is_triggered_and_when_is_its_own_choice() -> None:
    """R13: three squares beside X are left; X waits for the third."""
    table = Table(at("Z", 1, 2), at("X", 3, 3))
    table.do("act", active=["Z"], actions=">>")
    table.do("announce", part="move", path=[[2, 2], [3, 2], [4, 2], [5, 2]])
    offers = table.offer("X")
    assert [offer["moment"] for offer in offers] == [1, 2, 3]
    assert offers[2]["when"] == "just before Z leaves 4,2"
    table.do("react", character="X", reaction="!", moment=3)
    assert table.offer("X") == []
    assert table.refused("react", character="X", reaction="A") == "already_reacted"
    table.do("proceed")
    assert table.state["characters"][0]["at"] == [5, 2]


def test_who_reacted_to_the_attack_has_none_left_for_the_move() -> None:
    """R23."""
    table = Table(at("Z", 2, 2), at("T", 2, 3), at("X", 3, 2))
    table.do("act", active=["Z"], actions="A>")
    table.do("announce", part="attack", target="T")
    table.do("react", character="X", reaction="!")
    table.do("proceed")
    table.do("announce", part="move", path=[[1, 1]])
    assert table.offers() == {"T": "A>!"}
    table.do("proceed")
    table.do("act", active=["T"], actions="!!")
    table.do("announce", part="stunt")
    assert set(table.offers()["X"]) == {"A", ">", "!"}  # a new turn, a new reaction


def test_the_actions_come_in_the_order_in_which_they_are_done() -> None:
    table = Table(at("Z", 2, 2), at("T", 5, 2), range=1)
    table.do("act", active=["Z"], actions=["move", "attack"])
    assert table.refused("announce", part="attack", target="T") == "out_of_reach"
    table.do("announce", part="move", path=[[3, 2], [4, 2]])
    table.do("proceed")
    table.do("announce", part="attack", target="T")
    assert table.offers() == {"T": "D"}
    table.do("proceed")
    assert table.refused("announce", part="attack", target="T") == "already_done"
    assert table.refused("announce", part="stunt") == "bad_value"


def test_a_reaction_that_makes_the_attack_impossible_leaves_nothing_to_proceed() -> None:
    """R34: an adjacent target's move away counts, and so does Disabling the attacker."""
    table = Table(at("Z", 2, 2), at("T", 3, 2), range=1)
    table.do("act", active=["Z"], actions="AA")
    table.do("announce", part="attack", target="T")
    table.do("react", character="T", reaction=">", to=[5, 2])
    reply = table.do("proceed")
    assert [event["outcome"] for event in reply["events"]] == ["impossible"]
    assert reply["events"][0]["why"] == "T is out of range"
    table.do("undo")
    table.do("undo")
    table.do("react", character="T", reaction="A")
    table.do("correct", character="Z", disabled=True)
    assert table.do("proceed")["events"][0]["why"] == "Z is Disabled"


def test_a_reaction_move_that_stays_in_range_stops_nothing() -> None:
    """R34."""
    table = Table(at("Z", 2, 2), at("T", 3, 2), range=3)
    table.do("act", active=["Z"], actions="AA")
    table.do("announce", part="attack", target="T")
    table.do("react", character="T", reaction=">", to=[5, 2])
    assert table.do("proceed")["events"][0]["outcome"] == "done"


def test_nobody_reacts_to_a_reaction() -> None:
    """R35: T's move leaves squares beside W; the sheet speaks of the active character's moves alone."""
    table = Table(at("Z", 2, 2), at("T", 3, 2), at("W", 4, 3), range=1)
    table.do("act", active=["Z"], actions="AA")
    table.do("announce", part="attack", target="T")
    before = table.offers()
    table.do("react", character="T", reaction=">", to=[3, 3])
    assert {name: told for name, told in before.items() if name != "T"} == table.offers()


def test_with_several_active_characters_an_attack_names_its_own() -> None:
    """R37."""
    table = Table(at("Y", 2, 2), at("Z", 4, 2), at("X", 3, 2), at("W", 9, 9), range=3)
    table.do("act", active=["Y", "Z"], actions="!!")
    assert table.refused("announce", part="stunt") == "bad_value"
    table.do("announce", part="stunt", by="Y")
    (offer,) = table.offer("X")
    assert offer["reactions"]["A"]["against"] == ["Y", "Z"]
    assert "Z" not in table.offers()
    assert table.refused("react", character="X", reaction="A") == "bad_value"
    assert table.refused("react", character="X", reaction="A", against="W") == "bad_value"
    table.do("react", character="X", reaction="A", against="Z")
    assert table.state["log"][-1]["against"] == "Z"


def test_active_characters_react_to_one_another_only_by_a_switch() -> None:
    table = Table(at("Y", 2, 2), at("Z", 3, 2))
    table.do("act", active=["Y", "Z"], actions="!!")
    table.do("announce", part="stunt", by="Y")
    assert table.offers() == {}
    assert table.refused("react", character="Z", reaction="A") == "no_reaction"
    table.do("rules", actives_react=True)
    assert set(table.offers()) == {"Z"}


def test_two_reactors_react_in_whatever_order_they_like() -> None:
    """R38."""
    for order in ("XW", "WX"):
        table = Table(at("Z", 3, 3), at("X", 2, 3), at("W", 4, 3))
        table.do("act", active=["Z"], actions="!!")
        table.do("announce", part="stunt")
        for name in order:
            table.do("react", character=name, reaction="A")
        assert [one["character"] for one in table.state["log"]] == list(order)


@pytest.mark.parametrize(("adjacency", "expected"), [(8, {"X"}), (4, set())])
def test_corners_are_adjacent_or_not(adjacency: int, expected: set[str]) -> None:
    table = Table(at("Z", 3, 3), at("X", 4, 4), adjacency=adjacency, range=0)
    table.do("act", active=["Z"], actions="!!")
    table.do("announce", part="stunt")
    assert set(table.offers()) == expected


@pytest.mark.parametrize(
    ("adjacency", "reach", "expected"), [(8, 2, {"X"}), (4, 2, set()), (4, 4, {"X"}), (8, 1, set())]
)
def test_range_is_counted_in_steps(adjacency: int, reach: int, expected: set[str]) -> None:
    table = Table(at("Z", 3, 3), at("X", 5, 5), adjacency=adjacency, range=reach)
    table.do("act", active=["Z"], actions="recovery")
    table.do("announce", part="recovery")
    assert set(table.offers()) == expected


def test_a_characters_own_range_goes_before_the_tables() -> None:
    table = Table(at("Z", 1, 1), at("X", 6, 1, range=5), at("W", 6, 2))
    table.do("act", active=["Z"], actions="recovery")
    table.do("announce", part="recovery")
    assert set(table.offers()) == {"X"}


def test_what_is_set_by_hand_goes_before_the_grid_until_it_is_taken_back() -> None:
    table = Table(at("Z", 1, 1), at("X", 2, 1))
    table.do("act", active=["Z"], actions="!!")
    table.do("announce", part="stunt")
    table.do("relate", who="X", to="Z", adjacent=False, in_range=False)  # a wall between
    assert table.offers() == {}
    table.do("relate", who="X", to="Z", adjacent=None, in_range=True)
    assert table.offers() == {"X": "A>!"}  # adjacent by the grid again
    table.do("relate", who="X", to="Z")
    assert table.state["relations"] == []


def test_adjacency_holds_both_ways_and_range_one_way() -> None:
    table = Table({"id": "Z"}, {"id": "X"}, {"id": "W"}, grid=None)
    table.do("relate", who="Z", to="X", adjacent=True, in_range=True)
    table.do("relate", who="Z", to="W", in_range=True)
    table.do("act", active=["Z"], actions="!!")
    table.do("announce", part="stunt")
    assert table.offers() == {"X": "A>!"}


@pytest.mark.parametrize(
    ("stops", "acts", "reacts"),
    [("everything", False, False), ("actions", False, True), ("reactions", True, False), ("nothing", True, True)],
)
def test_what_disabled_stops_is_a_switch(stops: str, acts: bool, reacts: bool) -> None:
    table = Table(at("Z", 1, 1), at("X", 2, 1, disabled=True), disabled_stops=stops)
    if not acts:
        assert table.refused("act", active=["X"], actions="!!") == "disabled"
    table.do("act", active=["Z"], actions="!!")
    table.do("announce", part="stunt")
    assert ("X" in table.offers()) is reacts
    if not reacts:
        assert table.refused("react", character="X", reaction="!") == "no_reaction"


def test_only_a_defend_lets_an_attack_be_stopped() -> None:
    table = Table(at("Z", 2, 2), at("T", 3, 2))
    table.do("act", active=["Z"], actions="AA")
    table.do("announce", part="attack", target="T")
    table.do("react", character="T", reaction="A")
    assert table.refused("proceed", stopped=True) == "not_stopped"
    assert table.do("proceed")["state"]["turn"]["done"] == [{"part": "attack", "outcome": "done", "by": "Z"}]
    table.do("announce", part="attack", target="T")  # the second attack, another part of the same entry
    assert table.offers() == {}


def test_the_reaction_comes_back_by_hand_where_a_switch_says_so() -> None:
    table = Table(at("Z", 2, 2), at("X", 3, 2), refresh="by_hand")
    for _ in range(2):
        table.do("act", active=["Z"], actions="!!")
        table.do("announce", part="stunt")
        if table.state["turn_number"] == 1:
            table.do("react", character="X", reaction="!")
        table.do("proceed")
    assert table.state["characters"][1]["reacted"] is True
    table.do("correct", character="X", reacted=False)
    table.do("announce", part="stunt")
    assert set(table.offers()) == {"X"}


def test_the_log_names_entry_part_and_reaction() -> None:
    table = Table(at("Z", 2, 2), at("X", 3, 2))
    table.do("act", active=["Z"], actions="!D")
    table.do("announce", part="stunt")
    table.do("react", character="X", reaction="move", to=[4, 2])
    expected = {"turn": 1, "entry": "Defend-Stunt", "part": "stunt", "character": "X", "reaction": ">"}
    assert table.state["log"] == [{**expected, "against": None, "moment": None}]


@pytest.mark.parametrize(
    ("commands", "code"),
    [
        ([{"do": "act", "active": ["Q"], "actions": "AA"}], "bad_value"),
        ([{"do": "act", "active": [], "actions": "AA"}], "bad_value"),
        ([{"do": "act", "active": ["Z", "Z"], "actions": "AA"}], "bad_value"),
        ([{"do": "act", "active": ["Z"], "actions": "AX"}], "bad_value"),
        ([{"do": "act", "active": ["Z"], "actions": "AAA"}], "bad_value"),
        ([{"do": "announce", "part": "attack", "target": "X"}], "not_now"),
        ([{"do": "react", "character": "X", "reaction": "A"}], "not_now"),
        ([{"do": "proceed"}], "not_now"),
        ([{"do": "end_turn"}], "not_now"),
        ([{"do": "leave", "character": "Q"}], "bad_value"),
        ([{"do": "join", "character": {"id": "X"}}], "bad_value"),
        ([{"do": "join", "character": {"id": "N", "at": [2, 2]}}], "bad_value"),
        ([{"do": "join", "character": {"id": "N", "at": [10, 2]}}], "bad_value"),
        ([{"do": "relate", "who": "X", "to": "X", "adjacent": True}], "bad_value"),
        ([{"do": "correct", "character": "X"}], "bad_command"),
        ([{"do": "correct", "character": "X", "at": [2, 2]}], "bad_value"),
        ([{"do": "rules", "range": True}], "bad_value"),
        ([{"do": "rules", "colour": 1}], "bad_command"),
        ([{"do": "dance"}], "unknown_command"),
        ([{"act": ">>"}, {"do": "announce", "part": "move", "path": [[4, 4]]}], "bad_value"),
        ([{"act": ">>"}, {"do": "announce", "part": "move", "path": [[3, 2]]}], "bad_value"),
        ([{"act": ">>"}, {"do": "announce", "part": "move", "path": []}], "bad_value"),
        ([{"act": ">>"}, {"do": "announce", "part": "move"}], "bad_value"),
        ([{"act": ">>"}, {"do": "announce", "part": "move", "path": [[1, 1]], "leaves": ["X"]}], "bad_value"),
        ([{"act": ">>"}, {"do": "announce", "part": "attack", "target": "X"}], "bad_value"),
        ([{"act": "A>"}, {"do": "announce", "part": "attack"}], "bad_value"),
        ([{"act": "A>"}, {"do": "announce", "part": "attack", "target": "Z"}], "bad_value"),
        ([{"act": "A>"}, {"do": "announce", "part": "attack", "target": "X", "by": "X"}], "bad_value"),
        ([{"act": "A>"}, {"do": "leave", "character": "Z"}], "not_now"),
    ],
)
def test_what_does_not_make_sense_is_refused_and_changes_nothing(commands: list[dict[str, Any]], code: str) -> None:
    setup = {"do": "setup", "characters": [at("Z", 2, 2), at("X", 3, 2)], "grid": {"columns": 9, "rows": 9}}
    lines = [
        {"do": "act", "active": ["Z"], "actions": command["act"]} if "act" in command else command
        for command in commands
    ]
    *before, last = replies(setup, *lines)
    assert all(reply["ok"] for reply in before), before
    assert not last["ok"], last
    assert last["error"]["code"] == code, last["error"]
    assert last["error"]["text"].endswith(".")
    assert last["state"] == before[-1]["state"]


def test_undo_takes_a_reaction_back() -> None:
    table = Table(at("Z", 2, 2), at("X", 3, 2))
    table.do("act", active=["Z"], actions="!!")
    table.do("announce", part="stunt")
    before = table.state
    table.do("react", character="X", reaction="A")
    assert table.do("undo")["state"] == before
    assert table.do("redo")["state"]["characters"][1]["reacted"] is True


def test_each_of_several_active_characters_does_the_pair() -> None:
    table = Table(at("Y", 2, 2), at("Z", 4, 2), at("X", 3, 3))
    table.do("act", active=["Y", "Z"], actions="A>")
    for by in ("Y", "Z"):
        table.do("announce", part="attack", by=by, target="X")
        table.do("proceed")
        assert table.refused("announce", part="attack", by=by, target="X") == "already_done"
    assert table.state["turn"]["left"] == {"Y": ["move"], "Z": ["move"]}


def test_relations_may_be_part_of_the_set_up() -> None:
    table = Table(at("Z", 1, 1), at("X", 9, 9))
    names = [{"id": "Z"}, {"id": "X"}]
    relation = {"who": "X", "to": "Z", "adjacent": True, "in_range": False}
    for wrong in ({"who": "X", "to": "Q"}, {"who": "X", "to": "X"}, {"who": "X"}, {"who": "X", "to": "Z", "near": 1}):
        assert table.refused("setup", characters=names, relations=[wrong]) in ("bad_value", "bad_command")
    table.do("setup", characters=names, relations=[relation])
    assert table.state["relations"] == [relation]
    table.do("act", active=["Z"], actions="D!")
    table.do("announce", part="stunt")
    assert table.offers() == {"X": ">!"}
