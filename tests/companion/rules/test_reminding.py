"""Reminders in a match: due when an attack, a clear or destroyed marbles touch a marker (decisions/rules-core.md)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.rematch.game import REMATCH
from tests.companion.rules.cases import Match, match, side

BRIDGE = "RBRYY/YYBYY/BRYRB"


def marked(game: Match, name: str, place: str, player: str = "B", **rest: Any) -> Match:
    return game.ok("marker", player=player, name=name, place=place, **rest)


def reminders(game: Match) -> list[dict[str, Any]]:
    return [item for item in game.json["due"] if item["effect"]["do"] == "reminder"]


def parts(game: Match) -> list[tuple[int, str]]:
    return [(item["effect"]["marker"], item["part"]) for item in reminders(game)]


def do(game: Match, marker: int, **answer: Any) -> Match:
    """Resolve the first reminder of a marker, after dropping what comes before it."""
    while True:
        item = game.json["due"][0]
        if item["effect"].get("marker") == marker:
            return game.ok("resolve", item=item["id"], **(answer or {"done": True}))
        game.ok("resolve", item=item["id"], drop=True)


def ids(game: Match) -> list[int]:
    return [marker["id"] for marker in game.json["markers"]]


def test_s27_a_spirit_is_reminded_of_by_an_attack_marble_and_not_by_a_bridge() -> None:
    game = marked(marked(match(BRIDGE, a=side("10 10 4!")), "spirit", "row2"), "stick", "row3", player="A")
    game.ok("clear", player="A", cells=["a1", "a2", "a3"])
    (item,) = reminders(game)
    assert (item["part"], item["player"], item["choice"]) == ("prediction", "A", {"kind": "done"})
    text = "Stick of player A on row 3: player A cleared a3 there."
    assert item["effect"] == {"do": "reminder", "marker": 2, "removes": False, "text": text}
    assert item["text"] == text
    kinds = [event["type"] for event in game.reply["events"]]
    assert kinds.index("healed") == kinds.index("cleared") + 1
    do(game, 2)
    assert (reminders(game), ids(game)) == ([], [1, 2])


def test_what_an_overruled_clear_took_counts_as_it_lay() -> None:
    game = marked(marked(match(BRIDGE, a=side("10 10 4!")), "spirit", "row2"), "spirit", "row3")
    game.ok("clear", player="A", cells=["a3", "a2"], attack="R1", overrule=True)
    assert parts(game) == [(2, "prediction")]


def test_of_a_clear_by_taps_it_is_asked_to_check() -> None:
    game = marked(marked(match(), "spirit", "row2"), "frozen", "c3").ok("clear", player="A", attack="R2")
    (item,) = reminders(game)
    assert (item["effect"]["marker"], "not known; check" in item["text"]) == (1, True)


def test_a_refused_clear_reminds_of_nothing() -> None:
    game = marked(match(), "spirit", "row1")
    assert game.code("clear", player="A", cells=["a1", "a2"]) == "illegal_clear"
    assert game.json["due"] == []


def test_t33_a_tarot_acts_when_the_attack_is_declared_and_only_once() -> None:
    game = marked(match(), "tarot", "Y").ok("declare", player="A", attack="Y1")
    assert (parts(game), game.json["phase"]) == ([(1, "prediction")], "start")
    do(game, 1)
    assert ids(game) == []
    game.ok("clear", player="A", cells=["a2"])
    assert reminders(game) == []


def test_t33_or_when_it_is_made_undeclared() -> None:
    game = marked(marked(match(), "tarot", "Y"), "tarot", "R").ok("clear", player="A", cells=["a2"])
    assert parts(game) == [(1, "prediction")]
    assert ids(do(game, 1)) == [2]


def test_what_was_said_not_to_happen_is_not_asked_again_in_the_turn_and_stays() -> None:
    game = marked(match(), "tarot", "player B").ok("declare", player="A", attack="Y1")
    do(game, 1, drop=True).ok("clear", player="A", cells=["a2"])
    assert (reminders(game), ids(game)) == ([], [1])
    game.ok("end_turn", player="A").ok("clear", player="B", cells=["c1"]).ok("end_turn", player="B")
    assert reminders(game) == []
    game.ok("correct", tray="RYBRY/YBRBY/BRYBR").ok("declare", player="A", attack="R1")
    assert parts(game) == [(1, "prediction")]


def test_declaring_otherwise_asks_for_the_other_colour_as_well() -> None:
    game = marked(marked(match(), "tarot", "Y"), "tarot", "R").ok("declare", player="A", attack="Y1")
    do(game, 1, drop=True).ok("declare", player="A", attack="R1")
    assert parts(game) == [(2, "prediction")]


@pytest.mark.parametrize("declared", [False, True])
def test_t34_a_trick_card_is_turned_at_once_and_acts_after_the_attack(declared: bool) -> None:
    game = marked(match(), "trick card", "R")
    if declared:
        do(game.ok("declare", player="A", attack="R1"), 1)
        assert (parts(game), ids(game)) == ([], [1])
    game.ok("clear", player="A", cells=["a1"])
    if not declared:
        assert parts(game)[0] == (1, "prediction")
        do(game, 1)
    assert parts(game) == [(1, "card")]
    # after whatever is due of the attack itself
    order = ["start", "prediction", "kicker", "attack", "card", "end"]
    due = [order.index(item["part"]) for item in game.json["due"]]
    assert due == sorted(due)
    assert ids(do(game, 1)) == []


def test_t48_destroying_in_the_row_of_an_amp_takes_it_off() -> None:
    game = marked(match(first="B"), "amp", "row3", player="A").ok("begin")
    game.ok("destroy", player="B", cells=["a3", "c1"])
    (item,) = reminders(game)
    assert item["text"] == "Amp of player A on row 3: player B destroyed a3 there, so it is taken off."
    assert (item["player"], item["effect"]["removes"]) == ("A", True)
    do(game, 1)
    assert game.reply["events"][-1]["type"] in ("marker_lifted", "resolved")
    assert ids(game) == []
    assert reminders(marked(game, "amp", "row3", player="A").ok("destroy", player="A", cells=["a3"])) == []


def test_marbles_destroyed_in_the_opening_touch_nothing() -> None:
    game = marked(match(), "amp", "row3", player="A").ok("destroy", player="B", cells=["a3"])
    assert (game.json["due"], game.json["phase"]) == ([], "opening")


def test_undo_of_a_clear_takes_its_reminders_along_and_replay_gives_them_again() -> None:
    game = marked(match(), "spirit", "row1").ok("clear", player="A", cells=["a1"])
    assert len(reminders(game)) == 1
    again: Any = None
    for event in game.log:
        again = REMATCH.evolve(again, event)
    assert again == game.state


def test_a_reminder_left_undone_does_not_hold_the_turn() -> None:
    game = marked(match(), "spirit", "row1").ok("clear", player="A", cells=["a1"]).ok("end_turn", player="A")
    (ended,) = [event for event in game.reply["events"] if event["type"] == "turn_ended"]
    assert len(ended["left"]) == 1


def test_taking_a_marker_off_by_hand_leaves_its_reminder_to_be_done() -> None:
    game = marked(match(), "amp", "row1", player="A").ok("begin").ok("destroy", player="B", cells=["a1"])
    game.ok("marker", remove=1)
    do(game, 1)
    assert (reminders(game), ids(game)) == ([], [])
