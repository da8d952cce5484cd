"""The command `rules`: the rule set of a match changed before its first clear."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.rematch.switches import CHOICES
from tests.companion.rules.cases import Match, match, side

EVERY_CHANGE = [(name, value) for name, values in CHOICES.items() for value in values]


@pytest.mark.parametrize(("name", "value"), EVERY_CHANGE)
def test_every_switch_can_be_set(name: str, value: Any) -> None:
    game = match().ok("rules", **{name: value})
    assert game.json["rules"] == {**match().json["rules"], name: value}
    assert game.json["phase"] == "opening"


def test_several_at_once_and_what_is_not_named_stays() -> None:
    game = match(detours=False).ok("rules", edition="1.5", flips_per_turn=1)
    rules = game.json["rules"]
    assert (rules["edition"], rules["flips_per_turn"], rules["detours"]) == ("1.5", 1, False)
    assert [event["type"] for event in game.reply["events"]] == ["rules_set"]
    assert game.ok("rules", edition="1.5").reply["events"] == []


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, "bad_command"),
        ({"house": True}, "bad_command"),
        ({"edition": "1.5", "house": True}, "bad_command"),
        ({"edition": 2.5}, "bad_value"),
        ({"flips_per_turn": True}, "bad_value"),
        ({"flips_per_turn": 2}, "bad_value"),
        ({"spare_marbles": 1}, "bad_value"),
    ],
)
def test_malformed(fields: dict[str, Any], code: str) -> None:
    assert match().code("rules", **fields) == code


def test_until_the_first_clear() -> None:
    assert Match().code("rules", edition="1.5") == "not_now"
    game = match("RRYBB/RYYBY/BRYRB").ok("begin").ok("rules", edition="1.5").ok("declare", player="A", attack="R2")
    game.ok("rules", edition="2.5").ok("clear", player="A", cells=["a1", "a2"])
    assert game.code("rules", edition="1.5") == "too_late"
    assert game.ok("end_turn", player="A").code("rules", edition="1.5") == "too_late"
    assert match().ok("concede", player="A").code("rules", edition="1.5") == "match_over"


def test_spare_marbles_in_view_cannot_be_ruled_away() -> None:
    game = match("RRRRR/RRRRR/RRYBY", spare_marbles=True)
    error = game.refused("rules", spare_marbles=False)
    assert (error["code"], len(error["cells"])) == ("too_many_of_colour", 12)
    match("RRRRR/RRRRR/RYBYB").ok("rules", spare_marbles=True).ok("correct", cell="c2", colour="R")


def test_from_then_on_breaks_are_priced_and_restored_by_the_new_rules() -> None:
    hit = {"source": "A", "hits": [{"player": "B", "button": "R", "amount": 9}]}
    game = match(b=side("1 5 5")).ok("rules", edition="1.5").ok("hit", **hit)
    assert (game.dials("B"), game.credits("B")) == ("1! 5 5", 3)
    # what was paid before stays paid
    game = match(b=side("1 5 5")).ok("hit", **hit).ok("rules", edition="1.5")
    assert (game.dials("B"), game.credits("B")) == ("1! 6 6", 3)


@pytest.mark.parametrize("fan_snapshot", ["turn_begins", "after_start_effects"])
def test_fans_count_as_if_it_had_been_so_from_the_start(fan_snapshot: str) -> None:
    """Whatever has happened to the fans, and however often the reading was changed meanwhile."""
    steps: list[dict[str, Any]] = [
        {"do": "correct", "fan": "Y", "place": "A"},
        {"do": "fan", "player": "A", "fan": "R"},
        {"do": "fan", "player": "B", "fan": "Y"},
        {"do": "declare", "player": "A", "attack": "Y1"},
        {"do": "fan", "player": "A", "fan": "B"},
        {"do": "correct", "fan": "R", "place": "stage"},
    ]
    other = "turn_begins" if fan_snapshot != "turn_begins" else "after_start_effects"
    for changed in range(len(steps) + 1):
        plain, turned = match(fan_snapshot=fan_snapshot), match(fan_snapshot=other)
        for number, step in enumerate(steps):
            if number == changed:
                turned.ok("rules", fan_snapshot=fan_snapshot)
            for game in (plain, turned):
                game.do(step)
        turned.ok("rules", fan_snapshot=fan_snapshot)
        assert turned.state == plain.state
    assert match(fan_snapshot="after_start_effects").ok("fan", player="A", fan="R").json["fans_at_start"] == ["R"]
    game = (
        match(fan_snapshot="after_start_effects").ok("fan", player="A", fan="R").ok("rules", fan_snapshot="turn_begins")
    )
    assert game.json["fans_at_start"] == []
