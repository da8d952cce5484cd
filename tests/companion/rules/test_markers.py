"""Markers by themselves: their defaults, what touches them, what they ask of a turn (docs/decisions/rules-core.md)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.rematch import markers
from companion.rules.rematch.markers import Limits, Marker, make
from companion.rules.rematch.tray import Tray

TRAY = Tray.parse("RBRYY/YYBYY/BRYRB")


@pytest.mark.parametrize(
    ("name", "place", "expected"),
    [
        ("spirit", "row3", {"reacts": ("clear",)}),
        ("Stick", "row1", {"reacts": ("clear",)}),
        ("AMP token", "row2", {"reacts": ("destroy",), "once": True}),
        ("frozen", "b3", {"reacts": ("clear",)}),
        ("trip", "row3", {"reacts": ("clear",)}),
        ("Tarot card", "Y", {"reacts": ("attack",), "once": True}),
        ("tarot", "player A", {"reacts": ("attack",), "once": True}),
        ("trick-card", "R", {"reacts": ("attack",), "once": True}),
        ("shield", "player A", {"blocks": True}),
        ("denied", "B", {"blocks": True}),
        ("Blocked", "b3", {"blocks": True}),
        ("forced", "row4", {"forces": True}),
        ("candle", "row3", {"reacts": ("clear",)}),
        ("candle", "R", {"reacts": ("attack",)}),
        ("candle", "player B", {}),
        # a name whose use does not fit the place is a free one there
        ("tarot", "row3", {"reacts": ("clear",)}),
        ("forced", "R", {"reacts": ("attack",)}),
        ("damp", "row3", {"reacts": ("clear",)}),
    ],
)
def test_what_a_marker_is_for_by_its_name(name: str, place: str, expected: dict[str, Any]) -> None:
    assert make(1, name, "A", place) == Marker(1, name, "A", place, **expected)


def test_what_is_said_goes_before_the_name() -> None:
    marker = make(7, "spirit", "B", "row3", reacts=["destroy", "clear"], blocks=True, turns=2, forces=True, once=True)
    assert marker == Marker(7, "spirit", "B", "row3", ("clear", "destroy"), True, 2, True, True)
    assert make(7, "amp", "B", "row3", reacts=[], once=False) == Marker(7, "amp", "B", "row3")
    assert markers.marker_of(marker.to_json()) == marker


@pytest.mark.parametrize(
    ("place", "fields", "text"),
    [
        ("row6", {}, "no place 'row6'"),
        ("d1", {}, "no place 'd1'"),
        ("A", {}, "no place 'A'"),
        ("row3", {"reacts": ["attack"]}, "on a colour or on a player"),
        ("R", {"forces": True}, "on a row or on a cell"),
        ("player A", {"forces": True}, "on a row or on a cell"),
    ],
)
def test_what_does_not_go_together(place: str, fields: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        make(1, "thing", "A", place, **fields)


def test_places() -> None:
    assert make(1, "spirit", "A", "row3").cells == {"a3", "b3", "c3"}
    assert make(1, "frozen", "A", "b3").cells == {"b3"}
    assert make(1, "shield", "A", "player A").cells == frozenset()
    assert make(1, "denied", "A", "R").cells == frozenset()
    labels = [make(1, "big spirit", "A", place).label for place in ("row3", "b3", "R", "player B")]
    where = ("row 3", "b3", "Red", "player B")
    assert labels == [f"Big spirit of player A on {place}" for place in where]


# --- clears ----------------------------------------------------------------------------------------------------------


def texts(reminders: tuple[markers.Reminder, ...]) -> list[str]:
    return [reminder.text for reminder in reminders]


def test_s27_only_the_attacks_own_marbles_touch() -> None:
    clear = markers.counted(TRAY, ["a1", "a2", "a3"], "R2")
    assert clear == ("a1", "a3")
    laid = [make(number, "spirit", "B", f"row{number}") for number in (1, 2, 3, 4)]
    found = markers.on_clear(laid, "A", "R2", clear)
    assert [reminder.marker.id for reminder in found] == [1, 3]
    assert found[0].text == "Spirit of player B on row 1: player A cleared a1 there."
    assert {(reminder.part, reminder.removes) for reminder in found} == {("prediction", False)}


def test_s28_short_circuits_do_not_count_as_cleared() -> None:
    tray = Tray.parse("RBBBR/YYYYY/YYYYY")
    assert len(markers.counted(tray, ["a1", "a2", "a3", "a4", "a5"], "R2")) == 2
    # what the players vouch for
    assert markers.counted(Tray.parse("R?Y../...../....."), ["a1", "a2", "a3"], "R2") == ("a1", "a2")


def test_a_clear_of_unknown_cells_asks_to_check_what_was_in_reach() -> None:
    laid = [make(1, "spirit", "B", "row2"), make(2, "frozen", "B", "c3"), make(3, "frozen", "B", "a3")]
    found = markers.on_clear(laid, "A", "R2", None)
    assert [reminder.marker.id for reminder in found] == [1, 3]
    assert all("not known; check" in text for text in texts(found))
    assert [reminder.marker.id for reminder in markers.on_clear(laid, "B", "R2", None)] == [1, 2]


def test_a_clear_touches_colours_and_players_whoever_made_it() -> None:
    laid = [make(1, "x", "A", "R", reacts=["clear"]), make(2, "x", "B", "player A", reacts=["clear"])]
    assert [r.marker.id for r in markers.on_clear(laid, "A", "R2", ("a1",))] == [1, 2]
    assert [r.marker.id for r in markers.on_clear(laid, "B", "Y2", None)] == [2]
    assert texts(markers.on_clear(laid, "A", "R2", None))[0] == "X of player A on Red: player A cleared Red-2."
    assert markers.on_clear([make(1, "amp", "A", "row1")], "A", "R2", ("a1",)) == ()


# --- destroying and attacks ------------------------------------------------------------------------------------------


def test_t48_the_opponent_destroys_in_an_amps_row() -> None:
    laid = [make(1, "amp", "A", "row3"), make(2, "amp", "A", "row4"), make(3, "spirit", "A", "row3")]
    (found,) = markers.on_destroy(laid, "B", ["c3", "a1"], TRAY)
    assert (found.marker.id, found.part, found.removes) == (1, "prediction", True)
    assert found.text == "Amp of player A on row 3: player B destroyed c3 there, so it is taken off."
    assert markers.on_destroy(laid, "A", ["c3"], TRAY) == ()
    assert markers.on_destroy(laid, "B", [], TRAY) == ()


def test_destroyed_marbles_of_a_colour_or_anywhere() -> None:
    laid = [make(1, "x", "A", "R", reacts=["destroy"]), make(2, "x", "A", "player A", reacts=["destroy"])]
    assert [r.marker.id for r in markers.on_destroy(laid, "B", ["a1"], TRAY)] == [1, 2]
    assert [r.marker.id for r in markers.on_destroy(laid, "B", ["a2"], TRAY)] == [2]
    assert [r.marker.id for r in markers.on_destroy(laid, "B", ["a1"], Tray.parse("?..../...../....."))] == [1, 2]
    assert texts(markers.on_destroy(laid, "B", ["a1", "a2"], TRAY)) == [
        "X of player A on Red: player B destroyed a1 there.",
        "X of player A on player A: player B destroyed a1, a2 there.",
    ]


def test_t33_a_right_prediction_acts_before_the_attack() -> None:
    laid = [make(1, "tarot", "B", "Y"), make(2, "tarot", "B", "R"), make(3, "tarot", "A", "Y")]
    (found,) = markers.on_attack(laid, "A", "Y2")
    assert (found.marker.id, found.part, found.removes) == (1, "prediction", True)
    assert found.text == "Tarot of player B on Yellow: player A uses Yellow-2; it acts now, before the attack."


def test_a_tarot_whose_colour_stays_secret_asks_at_each_attack() -> None:
    (found,) = markers.on_attack([make(1, "tarot", "B", "player B")], "A", "R1")
    assert "it acts now if it is right" in found.text


def test_t34_a_trick_card_is_turned_now_and_acts_after_the_attack() -> None:
    flip, effect = markers.on_attack([make(1, "Trick card", "B", "R")], "A", "R4")
    assert (flip.part, flip.removes, effect.part, effect.removes) == ("prediction", False, "card", True)
    assert flip.text == (
        "Trick card of player B on Red: player A uses Red-4; turn it over now, it acts after the attack."
    )
    assert effect.text == "Trick card of player B on Red: after the attack its effect comes now."


# --- limits ----------------------------------------------------------------------------------------------------------


def test_limits_are_the_opponents() -> None:
    laid = [
        make(1, "blocked", "B", "row5"),
        make(2, "blocked", "B", "a1"),
        make(3, "denied", "B", "R"),
        make(4, "forced", "B", "row2"),
        make(5, "forced", "B", "b3"),
        make(6, "shield", "B", "player B"),
        make(7, "spirit", "B", "row4"),
        make(8, "denied", "A", "Y"),
    ]
    assert markers.limits(laid, "A") == Limits(
        blocked=frozenset({"a1", "a5", "b5", "c5"}),
        denied=frozenset("R"),
        forced=frozenset({"a2", "b2", "c2", "b3"}),
        shields=(laid[5],),
    )
    assert markers.limits(laid, "B") == Limits(denied=frozenset("Y"))
    assert markers.limits([laid[6]], "A") == markers.limits([], "A") == Limits()


def test_markers_count_the_turns_of_the_player_they_are_about() -> None:
    laid = (markers.shield(1, "A"), markers.denial(2, "A", "B", turns=2), make(3, "spirit", "A", "row1"))
    assert [marker.turns for marker in laid] == [1, 2, None]
    assert markers.after_turn(laid, "A") == (laid, ())
    stay, gone = markers.after_turn(laid, "B")
    assert gone == (laid[0],)
    assert [(marker.id, marker.turns) for marker in stay] == [(2, 1), (3, None)]
    assert markers.after_turn(stay, "B")[1] == (markers.denial(2, "A", "B"),)
