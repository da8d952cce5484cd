"""Cases of the same kind as the case file's: what lies between its rows, and what went wrong once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.companion.rules.reinforcements.table import Match, player, up

RED, BLUE, GREEN = up("R1"), up("B1"), up("G1")


def test_two_green_stacks_draw_two_more() -> None:
    match = Match(player(up("G1"), up("G2"), 1, hand=2), phase="draw")
    assert match.refused("draw", player="A", count=6) == "bad_value"
    match.do("draw", player="A", count=5)
    assert match.hand("A") == 7


def test_a_higher_attack_takes_both_cards() -> None:
    match = Match(player(), player(up("G2", "G3"), 1))
    match.do("attack", player="A", card="B4", target="B1")
    assert match.stacks("B") == ["G2*", "?"]
    assert match.discarded == {"B4": 1, "G3": 1}


def test_a_tie_without_a_revealed_red_stack_is_drawn_for() -> None:
    match = Match(player(up("B1"), 1, 1), player(up("G3"), 1))
    match.do("attack", player="A", card="R3", target="B1")
    assert match.asks == [("reinforcements", "A")]
    assert match.state["asks"][0]["against"] == "B"


def test_a_tie_of_bleeding_saves_the_card_that_tied_alone() -> None:
    match = Match(player(), player(up("G1", "G2", "G3"), 1))
    match.do("attack", player="A", card="B5", target="B1")
    match.do("reinforcements", defender="B7", attacker="B6")
    assert match.stacks("B")[0] == "G1G2*"
    assert match.discarded == {"B5": 1, "G3": 1, "B7": 1, "B6": 1}


def test_the_second_card_of_a_stack_stays_hidden() -> None:
    match = Match()
    match.do("defend", player="A", stack="A1")
    assert match.stacks("A")[0] == "??"
    assert match.asks == []


@pytest.mark.parametrize("colour", "RG")
def test_the_fourth_card_is_for_blue_alone(colour: str) -> None:
    match = Match(player(up(f"{colour}1", f"{colour}2", f"{colour}3"), 1))
    assert match.refused("defend", player="A", stack="A1", card=f"{colour}4") == "stack_full"


def test_five_peasants_are_from_the_hand() -> None:
    match = Match(player(up("R1", "R1"), 1, hand=4))
    cards = ["R1", "R1", "B1", "B1", "G1"]
    assert match.refused("deploy", player="A", cards=cards, target="B1") == "no_cards"
    assert match.refused("deploy", player="A", cards=cards, target="B1", **{"from": "A1.1"}) == "bad_value"
    assert match.refused("deploy", player="A", cards=cards[:4], target="B1") == "bad_value"


def test_a_totem_that_somebody_holds_stays_there() -> None:
    match = Match(player(up("R1"), 2, 1), player(up("R2"), up("R3"), 1, totems=["wurm"]))
    match.do("defend", player="A", stack="A2", reveal=["R4", "R4", "R5"])
    assert match.state["totems"]["wurm"] == "B"


@pytest.mark.parametrize(("reading", "owner"), [("second", ""), ("later", "A")])
def test_a_third_stack_of_a_colour_is_no_second_one(reading: str, owner: str) -> None:
    match = Match(player(up("R1"), up("R2"), 2, 1), rules={"totem_call": reading})
    match.do("defend", player="A", stack="A3", reveal=["R4", "R4", "R5"])
    assert match.state["totems"]["wurm"] == owner


def test_two_red_stacks_of_one_card_barrage_twice() -> None:
    """Each takes its own card, and with it its own action."""
    match = Match(player(up("R6"), up("R7"), 1), player(1, 1, 1))
    match.do("barrage", player="A", card="R6", target="B1", seen=["G1"], **{"from": "A1.1"})
    match.do("barrage", player="A", card="R7", target="B2", seen=["G1"], **{"from": "A2.1"})
    assert (match.stacks("A"), match.stacks("B")) == (["?"], ["?"])


def test_locked_reveals_no_new_stack_and_is_given_none() -> None:
    match = Match(player(up("R1"), 2, locked=True))
    match.do("defend", player="A", stack="A2", reveal=["B4", "B4", "B5"])
    assert (match.stacks("A"), match.hand("A")) == (["R1*", "B4B4B5*"], 4)
    match = Match(player(up("R1"), locked=True), player(), mode="chaos")
    match.do("totem_drawn", player="B", totem="hero")
    match.do("gift", player="B")
    assert match.refused("gift", player="A") == "bad_value"
    match.do("gift", player="A", keep=True)
    assert (match.stacks("A"), match.hand("A")) == (["R1*"], 6)


def test_what_was_told_of_a_hidden_card_holds_when_it_is_revealed() -> None:
    match = Match(player({"cards": ["R1", "R2"]}, 1))
    assert match.refused("defend", player="A", stack="A1", reveal=["B1", "B2", "B3"]) == "bad_value"
    match.do("defend", player="A", stack="A1", reveal=["R1", "R2", "R3"])


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("attack", {"card": "B2", "target": "B1", "seen": ["G4", "G2"]}),
        ("attack", {"card": "B2", "target": "B3", "seen": ["G4"]}),
        ("deploy", {"cards": ["RA"], "target": "B1.1", "seen": ["G4", "G2"]}),
        ("deploy", {"cards": ["RM"], "target": "B2", "seen": ["G4", "G2"]}),
        ("deploy", {"cards": ["RC"], "target": "B1", "pay": ["G7"], "drawn": "G1", "seen": ["G4", "G2"]}),
        ("deploy", {"cards": ["GC"], "pay": ["G7"], "seen": ["G4"]}),
        ("deploy", {"cards": ["GC"], "pay": ["G7"], "drawn": "G4"}),
        ("totem", {"totem": "wurm", "targets": ["B1.1", "B1.2", "B2.1"], "seen": ["G1", "G1", "G1", "G1"]}),
        ("broken", {"stack": "A2", "seen": ["G4", "G2"]}),
    ],
)
def test_no_more_is_said_than_was_flipped(name: str, fields: dict[str, Any]) -> None:
    match = Match(player(up("R1"), 2, up("R2"), totems=["wurm"]), player(2, 1, up("G6")))
    assert match.refused(name, player="A", **fields) == "bad_value"


@pytest.mark.parametrize(("winner", "left"), [("attacker", ["?"]), ("defender", ["G3*", "?"])])
def test_a_tie_with_nothing_left_to_draw_is_for_the_players_to_settle(winner: str, left: list[str]) -> None:
    match = Match(player(hand=44), player(up("G3"), 1, hand=46))
    assert match.state["deck"] == 1
    match.do("attack", player="A", card="B3", target="B1")
    assert match.refused("reinforcements", attacker="R1", defender="R2") == "no_cards"
    assert match.refused("reinforcements", attacker="R1") == "bad_command"
    match.do("reinforcements", winner=winner)
    assert (match.stacks("B"), match.asks) == (left, [])


def test_with_cards_to_draw_nobody_just_wins() -> None:
    match = Match(player(), player(up("G3"), 1))
    match.do("attack", player="A", card="B3", target="B1")
    assert match.refused("reinforcements", winner="attacker") == "bad_value"
    assert match.refused("reinforcements", attacker="R1", defender="R2", winner="attacker") == "bad_value"


# -- who gives up, and Chaos Mode with somebody gone -------------------------------------------------------


def test_a_third_player_gives_up_while_two_fight() -> None:
    match = Match(player(), player(up("G3"), 1), player())
    match.do("attack", player="A", card="B3", target="B1")
    match.do("concede", player="C")
    assert match.state["players"]["C"]["out"]
    assert match.asks == [("reinforcements", "A")]
    match.do("reinforcements", defender="B1", attacker="B2")
    assert match.stacks("B") == ["?"]


def test_the_attacked_gives_up_and_the_fight_with_it() -> None:
    match = Match(player(), player(up("G3"), 1), player())
    match.do("attack", player="A", card="B3", target="B1")
    match.do("concede", player="B")
    assert (match.asks, match.state["fight"], match.state["turn"]) == ([], None, "A")


def test_in_chaos_mode_the_others_still_send() -> None:
    match = Match(player(), player(), player(), mode="chaos", phase="draw")
    match.do("totem_drawn", player="A", totem="elk")
    match.do("concede", player="B")
    assert match.asks == [("send", "A"), ("send", "C")]


@pytest.mark.parametrize("how", ["sends", "concedes"])
def test_who_holds_the_token_is_out_before_drawing(how: str) -> None:
    """The companion hung here: it looked for the one who is out among those who draw."""
    match = Match(player(1, hand=5), player(), player(), mode="chaos", phase="draw")
    if how == "sends":
        match.do("totem_drawn", player="A", totem="elk")
        for seat in "ABC":
            match.do("send", player=seat, place=f"{seat}1.1")
    else:
        match.do("concede", player="A")
    assert match.state["turn"] == "B"
    match.do("draw", player="B")
    match.do("draw", player="C")
    match.do("end_round")
    assert match.state["turn"] == "C"


def test_who_held_the_token_and_goes_after_drawing_passes_it_on_at_the_end() -> None:
    match = Match(player(), player(), player(), mode="chaos")
    match.do("concede", player="A")
    match.do("end_round")
    assert (match.state["turn"], match.state["turn_number"]) == ("B", 2)


def test_sending_the_last_hidden_stack_locks_whoever_sends_after() -> None:
    match = Match(player(1, up("R1")), player(), mode="chaos")
    match.do("totem_drawn", player="A", totem="elk")
    match.do("send", player="A", place="A1.1")
    match.do("send", player="B", place="B1.1")
    assert match.state["players"]["A"]["locked"]
    assert not match.state["players"]["B"]["locked"]


# -- corrections ----------------------------------------------------------------------------------------------


def test_a_stack_is_put_in_and_taken_away() -> None:
    match = Match(player(1, 1))
    match.do("correct", player="A", new=["B1", "B2"], revealed=True)
    assert match.stacks("A") == ["?", "?", "B1B2*"]
    match.do("correct", stack="A1", cards=[])
    assert match.stacks("A") == ["?", "B1B2*"]
    assert not match.state["players"]["A"]["locked"]
    match.do("correct", player="A", locked=True)
    assert match.state["players"]["A"]["locked"]


def test_who_has_no_stack_left_is_out_and_may_come_back() -> None:
    match = Match(player(1), player(1), player(1))
    match.do("correct", stack="A1", cards=[])
    assert (match.state["players"]["A"]["out"], match.state["turn"]) == (True, "B")
    match.do("correct", player="A", new=["?"])
    assert not match.state["players"]["A"]["out"]
    match.do("correct", stack="A2", cards=[])
    match.do("correct", stack="B1", cards=[])
    assert match.state["over"] == {"winner": "C", "reason": "last_standing"}
    assert match.refused("correct", player="A", hand=3) == "match_over"


def test_shields_piles_turn_and_token() -> None:
    match = Match(player(1, 1), discard=["R1"])
    match.do("correct", shield_on="A1.1", shield="BC")
    assert match.state["players"]["A"]["stacks"][0]["shields"] == ["BC"]
    match.do("correct", shield_on="A1.1", shield="")
    assert match.refused("correct", shield_on="A1.1", shield="B4") == "bad_value"
    deck = match.state["deck"]
    match.do("correct", discard=11)
    assert match.state["deck"] == deck - 10
    assert match.refused("correct", discard=0) == "bad_value"
    match.do("discard", player="A", count=1)
    match.do("correct", turn="A")
    assert match.state["players"]["A"]["main"], "whose turn it is stays as far as it is"
    match.do("correct", turn="B")
    assert match.state["turn"] == "B"
    match = Match(mode="chaos")
    match.do("correct", turn="B")
    assert all(side["drawn"] for side in match.state["players"].values())


@pytest.mark.parametrize(
    "fields",
    [
        {"new": ["?"]},
        {"player": "A", "new": ["?", "?", "?"]},
        {"player": "A", "new": ["R1", "B1"], "revealed": True},
        {"player": "B", "new": ["?"]},
        {"player": "A", "stack": "A1", "cards": ["?"], "new": ["?"]},
        {"shield_on": "A1.1"},
        {"shield_on": "A1.2", "shield": "BC"},
        {"totem": "wurm", "owner": "gone"},
        {"player": "C", "hand": 3},
    ],
)
def test_what_cannot_be_is_refused(fields: dict[str, Any]) -> None:
    match = Match(player(1), player(1, 1, 1, 1, 1))
    assert match.refused("correct", **fields) in ("bad_value", "bad_command")


def test_what_is_being_asked_about_stays() -> None:
    match = Match()
    match.do("attack", player="A", card="B4", target="B1")
    assert match.refused("correct", stack="B1", cards=["?", "?"]) == "not_now"
    assert match.refused("correct", turn="B") == "not_now"
    match.do("correct", stack="B2", cards=["?", "?"])
    match.do("flip", card="G2")
    assert match.stacks("B") == ["??", "?"]


def test_a_totem_goes_back_with_the_stack_that_is_corrected() -> None:
    match = Match(player(up("R1"), 1, totems=["wurm"]))
    match.do("correct", stack="A1", cards=["?"], revealed=False)
    assert match.state["totems"]["wurm"] == ""
