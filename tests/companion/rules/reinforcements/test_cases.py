"""Every row of the case file through the referee, and others of the same kind."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.reinforcements.cards import CARDS, DECK, RANKS, how_many, power
from tests.companion.rules.reinforcements.table import Match, player, up


def test_the_deck_is_that_of_the_rulebook() -> None:
    assert DECK == 96
    assert sum(count for _, _, count in RANKS.values()) == 32
    assert sum(power(card) * how_many(card) for card in CARDS if card[0] == "R") == 94


def test_x01_set_up() -> None:
    match = Match(player(hand=1), player(hand=1), phase="draw", initiative={"A": "R3", "B": "G2"})
    assert match.stacks("A") == ["?", "?", "?"]
    assert (match.hand("A"), match.state["deck"]) == (1, 96 - 10)


def test_x02_highest_power_goes_first_and_the_cards_are_discarded() -> None:
    match = Match(player(hand=1), player(hand=1), player(hand=1), initiative={"A": "R3", "B": "G5", "C": "B2"})
    assert match.state["turn"] == "B"
    assert match.discarded == {"R3": 1, "G5": 1, "B2": 1}


def test_x02_a_tie_is_for_the_players_to_say() -> None:
    match = Match()
    fields = {"players": [player(), player()], "initiative": {"A": "R3", "B": "GC"}}
    match.do("concede", player="B")
    assert match.refused("setup", **fields) == "bad_value"
    assert match.do("setup", **fields, first="B")["state"]["turn"] == "B"
    match.do("concede", player="A")
    assert (
        match.refused("setup", players=fields["players"], initiative={"A": "R4", "B": "GC"}, first="B") == "bad_value"
    )


def test_x04_draw_to_five() -> None:
    match = Match(player(hand=1), phase="draw")
    assert match.refused("attack", player="A", card="R2", target="B1") == "must_draw"
    assert match.refused("draw", player="A", count=3) == "bad_value"
    assert match.refused("draw", player="A", count=5) == "bad_value"
    match.do("draw", player="A")
    assert match.hand("A") == 5
    assert match.refused("draw", player="A") == "already_done"


@pytest.mark.parametrize("count", [4, 5])
def test_x05_one_more_for_a_green_stack_if_one_likes(count: int) -> None:
    match = Match(player(up("G1", "G2", "G3"), 1, hand=1), phase="draw")
    assert match.refused("draw", player="A", count=6) == "bad_value"
    match.do("draw", player="A", count=count)
    assert match.hand("A") == 1 + count


def test_x07_one_main_action() -> None:
    match = Match()
    match.do("discard", player="A", count=0)
    for name, fields in (
        ("attack", {"card": "R2", "target": "B1"}),
        ("defend", {"stack": "A1"}),
        ("discard", {"count": 1}),
        ("deploy", {"cards": ["RA"], "target": "B1.1"}),
    ):
        assert match.refused(name, player="A", **fields) == "already_done"


def test_x08_kingdom_actions_before_and_after_the_main_action() -> None:
    match = Match(player(up("R1", "R2"), up("R3", "R3"), 1))
    match.do("barrage", player="A", card="R6", target="B1", seen=["G5"])
    match.do("discard", player="A", count=1)
    match.do("barrage", player="A", card="R7", target="B2", seen=["G5"])
    assert match.refused("barrage", player="A", card="R4", target="B3") == "already_done"


def test_x10_a_lower_attack_is_discarded() -> None:
    match = Match(player(), player(up("G1", "G4"), 1))
    reply = match.do("attack", player="A", card="R2", target="B1")
    assert match.stacks("B")[0] == "G1G4*"
    assert match.discarded == {"R2": 1}
    assert match.hand("A") == 4
    assert reply["events"][-2]["outcome"] == "held"


def test_x11_a_hidden_defender_is_turned_back() -> None:
    match = Match()
    match.do("attack", player="A", card="R2", target="B1")
    assert match.asks == [("flip", "B")]
    assert match.refused("end_turn", player="A") == "not_now"
    match.do("flip", card="G4")
    assert match.stacks("B") == ["?", "?", "?"]
    assert match.discarded == {"R2": 1}


def test_x13_x14_ties_are_drawn_for_until_one_wins() -> None:
    match = Match(player(), player(up("G4"), 1))
    match.do("attack", player="A", card="R4", target="B1")
    assert match.asks == [("reinforcements", "A")]
    deck = match.state["deck"]
    match.do("reinforcements", defender="B3", attacker="R3")
    assert match.asks == [("reinforcements", "A")]
    assert match.state["fight"]["round"] == 2
    match.do("reinforcements", defender="B2", attacker="R3")
    assert match.stacks("B") == ["?"]
    assert match.discarded == {"R4": 1, "G4": 1, "B3": 1, "R3": 2, "B2": 1}
    assert match.state["deck"] == deck - 4


def test_x14_the_defender_may_win_the_draw() -> None:
    match = Match()
    match.do("attack", player="A", card="R4", target="B1", seen=["G4"])
    match.do("reinforcements", defender="B7", attacker="R3")
    assert match.stacks("B") == ["?", "?", "?"]
    assert match.discarded == {"R4": 1, "B7": 1, "R3": 1}


@pytest.mark.parametrize(
    ("card", "stack", "left", "outcome"),
    [
        ("R7", ["G5", "G2", "G3"], "G5*", "held"),  # X16
        ("R5", ["G1"], None, "destroyed"),
        ("R6", ["G4", "G3"], "G4*", "held"),
        ("R3", ["G1", "G2"], None, None),  # bleeding ends in a tie
    ],
)
def test_x16_x17_bleeding(card: str, stack: list[str], left: str | None, outcome: str | None) -> None:
    match = Match(player(), player(up(*stack), 1))
    reply = match.do("attack", player="A", card=card, target="B1")
    if outcome is None:
        assert match.asks == [("reinforcements", "A")]
        assert match.stacks("B")[0] == "G1*"  # what came before the tie is gone
        match.do("reinforcements", defender="R6", attacker="B1")
        assert match.stacks("B") == ["G1*", "?"]
        return
    assert match.stacks("B") == ([left] if left else []) + ["?"]
    assert next(event for event in reply["events"] if event["type"] == "blow")["outcome"] == outcome


def test_x17_the_whole_stack() -> None:
    """7 against 3, 2, 2: what is left for the last card is 2, a tie, which the red passive wins (X23)."""
    match = Match(player(up("R1"), 1), player(up("G2", "G2", "G3"), 1))
    match.do("attack", player="A", card="R7", target="B1")
    assert match.stacks("B") == ["?"]
    other = Match(player(), player(up("G2", "G2", "G3"), 1))
    other.do("attack", player="A", card="B7", target="B1")
    assert other.asks == [("reinforcements", "A")]
    other.do("reinforcements", defender="R1", attacker="R2")
    assert other.stacks("B") == ["?"]


@pytest.mark.parametrize(("hides", "left"), [(True, "?"), (False, "G6")])
def test_x18_x19_bleeding_flips_and_what_stays_is_turned_back(hides: bool, left: str) -> None:
    match = Match(player(), player(2, 1), rules={"bleed_hides_again": hides})
    match.do("attack", player="A", card="R7", target="B1", seen=["G3"])
    assert match.asks == [("flip", "B")]
    match.do("flip", card="G6")
    assert match.stacks("B") == [left, "?"]
    assert match.discarded == {"R7": 1, "G3": 1}


def test_x20_red_wins_ties_with_a_red_stack() -> None:
    match = Match(player(up("R1"), 1), player(up("G4"), 1))
    match.do("attack", player="A", card="R4", target="B1")
    assert (match.asks, match.stacks("B")) == ([], ["?"])


@pytest.mark.parametrize(
    ("card", "stack"),
    [("B4", up("R1")), ("R4", up("B1")), ("R4", 1)],
    ids=["not a red card", "no red stack", "a hidden stack"],
)
def test_x20_only_then(card: str, stack: Any) -> None:
    match = Match(player(stack, 1), player(up("G4"), 1))
    match.do("attack", player="A", card=card, target="B1")
    assert match.asks == [("reinforcements", "A")]


def test_x22_a_red_card_that_is_drawn_wins_no_tie() -> None:
    match = Match(player(up("R1"), 1), player(up("G4"), 1))
    match.do("attack", player="A", card="B4", target="B1")
    match.do("reinforcements", defender="B3", attacker="R3")
    assert match.asks == [("reinforcements", "A")]


@pytest.mark.parametrize(("wins", "asks"), [(True, []), (False, [("reinforcements", "A")])])
def test_x23_a_tie_of_bleeding_and_the_red_passive(wins: bool, asks: list[Any]) -> None:
    match = Match(player(up("R1"), 1), player(up("G1", "G3"), 1), rules={"bleed_tie_red": wins})
    match.do("attack", player="A", card="R4", target="B1")
    assert match.asks == asks


def test_x25_the_third_card_reveals_and_gives_a_new_stack() -> None:
    match = Match(player(2, 1, 1, hand=5))
    deck = match.state["deck"]
    match.do("defend", player="A", stack="A1")
    assert match.asks == [("reveal", "A")]
    match.do("reveal", cards=["R1", "R5", "R2"])
    assert match.stacks("A") == ["R1R5R2*", "?", "?", "?"]
    assert (match.hand("A"), match.state["deck"]) == (4, deck - 1)  # one laid, one drawn, one laid


def test_x26_a_revealed_stack_of_two_is_no_reveal_again() -> None:
    match = Match(player(up("R1", "R5"), 1))
    assert match.refused("defend", player="A", stack="A1") == "bad_value"
    assert match.refused("defend", player="A", stack="A1", card="G2") == "wrong_colour"
    match.do("defend", player="A", stack="A1", card="R2")
    assert match.stacks("A") == ["R1R5R2*", "?"]
    assert (match.asks, match.hand("A")) == ([], 4)


@pytest.mark.parametrize("name", ["fortify", "defend"])
def test_x28_x29_four_cards_in_a_revealed_blue_stack(name: str) -> None:
    match = Match(player(up("B1", "B5", "B3"), up("G1", "G2", "G3"), 1))
    match.do(name, player="A", stack="A1", card="B2")
    assert match.stacks("A")[0] == "B1B5B3B2*"
    match.do("end_turn", player="A")
    match.do("draw", player="B")
    match.do("end_turn", player="B")
    match.do("draw", player="A")
    assert match.refused(name, player="A", stack="A1", card="B4") == "stack_full"
    assert match.refused("defend", player="A", stack="A2", card="G4") == "stack_full"


def test_fortify_is_for_revealed_blue_stacks_alone() -> None:
    match = Match(player(up("R1"), up("B1"), 1))
    assert match.refused("fortify", player="A", stack="A1", card="R2") == "not_revealed"
    assert match.refused("fortify", player="A", stack="A3", card="B2") == "not_revealed"
    assert match.refused("fortify", player="A", stack="A2", card="R2") == "wrong_colour"
    match.do("fortify", player="A", stack="A2", card="B2")
    assert match.refused("fortify", player="A", stack="A2", card="B3") == "already_done"


def test_x31_a_broken_stack() -> None:
    match = Match(player(2, 1, 1))
    deck = match.state["deck"]
    match.do("defend", player="A", stack="A1", reveal=["R1", "R5", "G2"])
    assert match.stacks("A") == ["?", "?", "?"]
    assert match.discarded == {"R5": 1, "G2": 1}
    assert (match.hand("A"), match.state["deck"]) == (4, deck)


def test_x31_found_before_it_is_revealed() -> None:
    match = Match(player(2, 1))
    match.do("broken", player="A", stack="A1", seen=["G2"])
    assert match.stacks("A") == ["?", "?"]
    assert match.refused("broken", player="A", stack="A1") == "bad_value"


@pytest.mark.parametrize(("reading", "drawn"), [("nothing", 0), ("draw", 1)])
def test_x32_a_reveal_at_five_stacks(reading: str, drawn: int) -> None:
    match = Match(player(2, 1, 1, 1, 1), rules={"reveal_at_five": reading})
    deck = match.state["deck"]
    match.do("defend", player="A", stack="A1", reveal=["R1", "R5", "R2"])
    assert len(match.stacks("A")) == 5
    assert match.state["deck"] == deck - drawn
    assert match.state["players"]["A"]["locked"] is False


def test_x32_the_fifth_revealed_stack_locks() -> None:
    """FAQ."""
    four = [up("R1"), up("R2"), up("B1"), up("G1")]
    match = Match(player(*four, 2))
    match.do("defend", player="A", stack="A5", reveal=["B2", "B3", "B4"])
    assert match.state["players"]["A"]["locked"] is True
    assert len(match.stacks("A")) == 5


def test_x34_a_barrage_from_inside_a_stack() -> None:
    match = Match(player(up("R1", "R6", "R2"), 1), player(up("G3"), 1))
    assert match.refused("barrage", player="A", card="R5", **{"from": "A1.2"}, target="B1") == "bad_value"
    match.do("barrage", player="A", card="R6", **{"from": "A1.2"}, target="B1")
    assert match.stacks("A") == ["R1R2*", "?"]
    assert match.stacks("B") == ["?"]
    assert match.hand("A") == 5


def test_x35_two_red_stacks_two_barrages() -> None:
    match = Match(player(up("R1"), up("R2"), 1), player(up("G7"), 1))
    assert match.state["players"]["A"]["kingdom"] == {"barrage": 2, "fortify": 0, "adapt": 0}
    for card in ("R2", "R3"):
        match.do("barrage", player="A", card=card, target="B1")
    assert match.refused("barrage", player="A", card="R3", target="B1") == "already_done"
    assert match.refused("fortify", player="A", stack="A3", card="B1") == "not_revealed"


def test_x37_a_revealed_stack_of_one_keeps_action_and_passive() -> None:
    match = Match(player(up("R1"), 1), player(up("G4"), 1))
    match.do("barrage", player="A", card="R4", target="B1")
    assert match.stacks("B") == ["?"]


def test_a_new_turn_brings_the_kingdom_actions_back() -> None:
    match = Match(player(up("R1"), 1), player(up("G7"), 1))
    match.do("barrage", player="A", card="R2", target="B1")
    match.do("end_turn", player="A")
    match.do("draw", player="B", count=1)
    match.do("end_turn", player="B")
    match.do("draw", player="A")
    match.do("barrage", player="A", card="R2", target="B1")


def test_x38_adapt_between_hand_and_stack() -> None:
    match = Match(player(up("G1", "G2"), 1))
    assert match.refused("adapt", player="A", card="R5", **{"with": "A1.1"}) == "wrong_colour"
    match.do("adapt", player="A", card="G5", **{"with": "A1.1"})
    assert match.stacks("A")[0] == "G5G2*"
    assert match.hand("A") == 5


def test_x39_adapt_between_two_stacks() -> None:
    stacks = [up("G1", "G2"), up("G3"), 1]
    match = Match(player(*stacks), player(up("G5"), 1))
    match.do("adapt", player="A", swap=["A1.1", "A2.1"])
    assert match.stacks("A")[:2] == ["G3G2*", "G1*"]
    assert match.refused("adapt", player="A", swap=["A1.1", "B1.1"]) == "not_revealed"
    other = Match(player(*stacks), player(up("G5"), 1), rules={"adapt": "any"})
    other.do("adapt", player="A", swap=["A1.1", "B1.1"])
    assert (other.stacks("A")[0], other.stacks("B")[0]) == ("G5G2*", "G1*")


@pytest.mark.parametrize("cards", [[], ["R1"], ["R1", "?", "G2", "B3", "B3"]])
def test_x40_discard_any_number_and_draw_none(cards: list[str]) -> None:
    match = Match()
    deck = match.state["deck"]
    match.do("discard", player="A", cards=cards)
    assert (match.hand("A"), match.state["deck"]) == (5 - len(cards), deck)
    assert match.state["discard"]["count"] == len(cards)
    assert match.refused("discard", player="A", count=9) in ("already_done", "no_cards")


def test_x41_an_assassin_takes_any_card() -> None:
    match = Match(player(), player(up("G1", "G6", "G2"), 1))
    match.do("deploy", player="A", cards=["RA"], target="B1.2")
    assert match.stacks("B")[0] == "G1G2*"
    assert match.discarded == {"RA": 1, "G6": 1}


def test_x41_a_hidden_one_too_and_nobody_must_say_what_it_was() -> None:
    match = Match(player(), player(2, 1))
    match.do("deploy", player="A", cards=["RA"], target="B1.1")
    assert match.stacks("B") == ["?", "?"]
    assert match.state["discard"] == {"count": 2, "known": {"RA": 1}}


def test_a_mage_takes_the_top_two() -> None:
    match = Match(player(), player(up("G1", "G6", "G2"), 1))
    match.do("deploy", player="A", cards=["GM"], target="B1")
    assert match.stacks("B")[0] == "G1*"


@pytest.mark.parametrize("allowed", [True, False])
def test_x43_a_mage_against_one_card(allowed: bool) -> None:
    match = Match(player(), player(up("G1"), 1), rules={"mage_on_one": allowed})
    if allowed:
        match.do("deploy", player="A", cards=["GM"], target="B1")
        assert match.stacks("B") == ["?"]
    else:
        assert match.refused("deploy", player="A", cards=["GM"], target="B1") == "bad_value"


def test_x44_five_peasants_destroy_a_stack() -> None:
    match = Match(player(), player(up("G1", "G6", "G2"), 1))
    assert match.refused("deploy", player="A", cards=["R1", "R1", "B1", "G1"], target="B1") == "bad_value"
    match.do("deploy", player="A", cards=["R1", "R1", "B1", "G1", "G1"], target="B1")
    assert match.stacks("B") == ["?"]
    assert match.hand("A") == 0
    again = Match(player(up("R1", "R1"), 1))
    fields: dict[str, Any] = {"cards": ["R1"] * 5, "from": "A1.1", "target": "B1"}
    assert again.refused("deploy", player="A", **fields) == "bad_value"


def test_x46_from_a_revealed_stack_but_not_from_a_hidden_one() -> None:
    match = Match(player(up("R1", "RA", "R2"), {"cards": ["?", "?"]}), player(up("G1"), 1))
    assert match.refused("deploy", player="A", cards=["RA"], **{"from": "A2.1"}, target="B1.1") == "not_revealed"
    match.do("deploy", player="A", cards=["RA"], **{"from": "A1.2"}, target="B1.1")
    assert (match.stacks("A")[0], match.stacks("B")) == ("R1R2*", ["?"])
    assert match.hand("A") == 5


def test_x47_a_mercenary_is_free_with_a_stack_of_its_colour() -> None:
    match = Match(player(up("B1"), up("R1"), 1))
    match.do("deploy", player="A", cards=["BC"], target="A2.1")
    assert match.state["players"]["A"]["stacks"][1]["shields"] == ["BC"]
    assert match.hand("A") == 4


@pytest.mark.parametrize(
    ("pay", "code"), [(["G3"], None), (["GC"], None), (["G2"], "cannot_pay"), (["G3", "G4"], "cannot_pay")]
)
def test_x48_x49_or_is_paid_for(pay: list[str], code: str | None) -> None:
    match = Match(player(up("R1"), 1))
    assert match.refused("deploy", player="A", cards=["BC"], target="A1.1") == "cannot_pay"
    if code is not None:
        assert match.refused("deploy", player="A", cards=["BC"], target="A1.1", pay=pay) == code
        return
    match.do("deploy", player="A", cards=["BC"], target="A1.1", pay=pay)
    assert match.hand("A") == 3
    assert match.refused("discard", player="A", count=1) == "already_done"  # one Deploy action


def test_x50_rally() -> None:
    match = Match(player(up("R1"), 1), player(up("G6"), 1))
    deck = match.state["deck"]
    match.do("deploy", player="A", cards=["RC"], target="B1")
    assert match.asks == [("rallied", "A")]
    match.do("rallied", card="B4")
    assert match.stacks("B") == ["?"]  # 7 against 6
    assert match.discarded == {"RC": 1, "B4": 1, "G6": 1}
    assert match.state["deck"] == deck - 1


def test_a_shield_is_destroyed_before_the_card_below() -> None:
    match = Match(player(up("B2"), 1), player())
    match.do("deploy", player="A", cards=["BC"], target="A1.1")
    match.do("end_turn", player="A")
    match.do("draw", player="B", count=0)
    assert match.refused("deploy", player="B", cards=["RA"], target="A1.1") == "shielded"
    match.do("attack", player="B", card="R4", target="A1")  # 4 - 3 = 1 bleeds against the 2
    assert match.stacks("A")[0] == "B2*"
    assert match.state["players"]["A"]["stacks"][0]["shields"] == [None]


def test_x52_foresight() -> None:
    match = Match(player(up("G1"), 1))
    deck = match.state["deck"]
    match.do("deploy", player="A", cards=["GC"])
    assert (match.hand("A"), match.state["deck"]) == (5, deck - 1)
    assert match.discarded == {"GC": 1}


def test_the_abilities_may_belong_to_other_colours() -> None:
    match = Match(player(up("G1"), 1), rules={"rally": "G", "foresight": "R"})
    match.do("deploy", player="A", cards=["GC"], target="B1")
    assert match.asks == [("rallied", "A")]


@pytest.mark.parametrize(
    ("stack", "cards", "totem"),
    [
        (up("R1"), ["R2", "R3", "R4"], "wurm"),
        (up("B1"), ["B2", "B3", "B4"], "elk"),
        (up("G1"), ["G2", "G3", "G4"], "chameleon"),
    ],
)
def test_x53_the_second_stack_of_a_colour_calls_its_totem(stack: Any, cards: list[str], totem: str) -> None:
    match = Match(player(stack, 2, 1))
    match.do("defend", player="A", stack="A2", reveal=cards)
    assert match.state["players"]["A"]["totems"] == [totem]
    taken = Match(player(stack, 2, 1), player(stack, up(cards[0]), 1, totems=[totem]))
    taken.do("defend", player="A", stack="A2", reveal=cards)
    assert taken.state["players"]["A"]["totems"] == []


def test_the_third_colour_calls_the_hero() -> None:
    match = Match(player(up("R1"), up("B1"), 2))
    match.do("defend", player="A", stack="A3", reveal=["G2", "G3", "G4"])
    assert match.state["players"]["A"]["totems"] == ["hero"]


def test_x55_a_totem_returns_with_its_last_stack() -> None:
    match = Match(player(), player(up("R1"), 1, totems=["wurm"]))
    match.do("attack", player="A", card="G4", target="B1")
    assert match.state["totems"]["wurm"] == ""


@pytest.mark.parametrize(("reading", "owner"), [("any", ""), ("all", "B")])
def test_the_hero_returns_with_any_colour_or_with_all(reading: str, owner: str) -> None:
    match = Match(player(), player(up("R1"), up("B1"), up("G1"), 1, totems=["hero"]), rules={"hero_lost": reading})
    match.do("attack", player="A", card="G4", target="B1")
    match.do("hero", use=False)
    assert match.state["totems"]["hero"] == owner


def test_x56_the_wurm_takes_any_three_cards_for_free() -> None:
    match = Match(player(up("R1"), up("R2", "R3"), 1, totems=["wurm"]), player(up("G5", "G6"), 2))
    assert match.refused("totem", player="A", totem="wurm", targets=["B1.1", "B1.2"]) == "bad_value"
    match.do("totem", player="A", totem="wurm", targets=["B1.1", "B1.2", "B2.1"])
    assert match.stacks("B") == ["?"]
    assert match.state["totems"]["wurm"] == ""
    match.do("attack", player="A", card="G4", target="B2", seen=["R5"])
    assert match.refused("totem", player="A", totem="wurm", targets=["B2.1"]) == "no_totem"


def test_x58_the_elk_draws_three_and_defends_three_times() -> None:
    match = Match(player(up("B1"), up("B2", "B3"), 2, totems=["elk"]))
    match.do("totem", player="A", totem="elk")
    assert (match.hand("A"), match.state["defends"]) == (8, 3)
    match.do("defend", player="A", stack="A3", reveal=["R1", "R2", "R3"])  # a new stack before the next defend
    assert match.stacks("A")[-1] == "?"
    match.do("defend", player="A", stack="A4")
    match.do("elk_done", player="A")
    assert match.hand("A") == 6
    match.do("defend", player="A", stack="A1", card="B4")  # the main action is still there
    assert match.refused("defend", player="A", stack="A2", card="B4") == "already_done"


def test_x59_the_chameleon_swaps_stacks_and_calls_nobody() -> None:
    match = Match(player(up("G1"), up("G2"), 1, totems=["chameleon"]), player(up("R2", "R3"), 1))
    match.do("totem", player="A", totem="chameleon", mine="A3", theirs="B1")
    assert match.stacks("A") == ["G1*", "G2*", "R2R3*"]
    assert match.stacks("B") == ["?", "?"]
    assert match.state["players"]["A"]["totems"] == []


def test_x61_the_last_hidden_stack_locks() -> None:
    match = Match(player(), player(up("R1"), up("R2"), 1))
    match.do("attack", player="A", card="G4", target="B3", seen=["B2"])
    assert match.state["players"]["B"]["locked"] is True
    assert match.stacks("B") == ["R1*", "R2*"]


@pytest.mark.parametrize("locks", [True, False])
def test_x61_by_a_deploy_as_well(locks: bool) -> None:
    match = Match(player(), player(up("R1"), 1), rules={"lock_by_any": locks})
    match.do("deploy", player="A", cards=["RA"], target="B2.1")
    assert match.state["players"]["B"]["locked"] is locks


def test_x61_locked_no_totems() -> None:
    match = Match(player(up("R1"), 2, 1, locked=True))
    match.do("defend", player="A", stack="A2", reveal=["R2", "R3", "R4"])
    assert match.state["players"]["A"]["totems"] == []


def test_x62_out_and_the_last_one_wins() -> None:
    match = Match(player(), player(1), player(1))
    match.do("attack", player="A", card="G4", target="B1", seen=["B2"])
    assert match.state["players"]["B"]["out"] is True
    assert match.state["over"] is None
    match.do("end_turn", player="A")
    assert match.state["turn"] == "C"  # B is passed over
    match.do("draw", player="C", count=0)
    match.do("end_turn", player="C")
    match.do("draw", player="A")
    match.do("attack", player="A", card="G4", target="C1", seen=["B2"])
    assert match.state["over"] == {"winner": "A", "reason": "last_standing"}
    assert match.refused("end_turn", player="A") == "match_over"
    match.do("undo")
    assert match.state["over"] is None


def test_the_hero_of_the_people_nullifies_an_attack() -> None:
    hero = player(up("R1"), up("B1"), up("G1"), 1, totems=["hero"])
    match = Match(player(), hero)
    match.do("attack", player="A", card="G7", target="B1")
    assert match.asks == [("hero", "B")]
    assert match.hand("A") == 5  # nothing is done yet
    match.do("hero", use=True)
    assert match.stacks("B")[0] == "R1*"
    assert (match.hand("A"), match.discarded) == (4, {"G7": 1})
    assert match.state["totems"]["hero"] == ""
    assert match.refused("attack", player="A", card="G6", target="B1") == "already_done"


def test_the_hero_may_wait_and_answers_deploys_and_barrages_too() -> None:
    hero = player(up("R1", "R1"), up("B1"), up("G1"), 1, totems=["hero"])
    for name, fields in (
        ("deploy", {"cards": ["RA"], "target": "B1.1"}),
        ("deploy", {"cards": ["GM"], "target": "B1"}),
        ("deploy", {"cards": ["R1", "R1", "G1", "G1", "G1"], "target": "B1"}),
        ("deploy", {"cards": ["RC"], "target": "B1", "drawn": "B4"}),
        ("barrage", {"card": "R4", "target": "B1"}),
    ):
        match = Match(player(up("R2"), 1), hero)
        match.do(name, player="A", **fields)
        assert match.asks == [("hero", "B")], name
        match.do("hero", use=True)
        assert match.stacks("B")[0] == "R1R1*"
        match.do("undo")
        match.do("hero", use=False)
        assert match.stacks("B")[0] != "R1R1*"


def test_an_attack_on_somebody_else_asks_no_hero() -> None:
    match = Match(player(), player(up("R1"), up("B1"), up("G1"), 1, totems=["hero"]), player(up("G2"), 1))
    match.do("attack", player="A", card="G7", target="C1")
    assert match.asks == []


def test_an_empty_deck_is_renewed_from_the_discard_pile() -> None:
    """FAQ."""
    discard = [card for card in CARDS for _ in range(how_many(card))][:80]
    match = Match(player(hand=0), player(hand=5), phase="draw", discard=discard)
    assert match.state["deck"] == 5
    match.do("draw", player="A")
    match.do("discard", player="A", count=5)
    match.do("end_turn", player="A")
    match.do("draw", player="B", count=0)
    match.do("discard", player="B", count=2)
    match.do("end_turn", player="B")
    assert match.state["deck"] == 0
    match.do("draw", player="A")
    assert match.state["discard"]["count"] == 0
    assert match.state["deck"] == 82


# -- Chaos Mode --------------------------------------------------------------------------------------------


def chaos(*players: dict[str, Any], **more: Any) -> Match:
    return Match(*players, mode="chaos", **{"phase": "draw", **more})


def test_x67_the_token_draws_first_and_passes_left() -> None:
    match = chaos(player(hand=1), player(hand=2), player(hand=3))
    assert match.refused("draw", player="B") == "not_your_turn"
    match.do("draw", player="A")
    assert match.refused("attack", player="A", card="R4", target="B1") == "must_draw"
    match.do("draw", player="B")
    assert match.refused("end_round") == "must_draw"
    match.do("draw", player="C")
    match.do("attack", player="C", card="R4", target="B1", seen=["G6"])  # in whatever order
    match.do("attack", player="A", card="R5", target="B1", seen=["G6"])
    assert match.refused("attack", player="C", card="R4", target="B1") == "already_done"
    assert match.refused("end_turn", player="A") == "not_now"
    match.do("end_round")
    assert match.state["turn"] == "B"
    assert match.refused("draw", player="C") == "not_your_turn"


def test_in_chaos_mode_revealing_calls_no_totem() -> None:
    match = chaos(player(up("R1"), 2, 1), phase="action")
    match.do("defend", player="A", stack="A2", reveal=["R2", "R3", "R4"])
    assert match.state["totems"]["wurm"] == "deck"


def test_x64_a_totem_is_drawn() -> None:
    match = chaos(player(up("R1"), 1, hand=1), player(hand=1), player(2, hand=1))
    match.do("totem_drawn", player="A", totem="wurm")
    assert match.asks == [("send", "B"), ("send", "C")]
    assert match.refused("draw", player="A") == "not_now"
    assert match.refused("send", player="A", place="A1.1") == "not_now"
    assert match.refused("send", player="C", place="B1.1") == "bad_value"
    match.do("send", player="C", place="C1.2")  # at the same time, in whatever order
    match.do("send", player="B", place="B1.1", seen="G4")
    assert match.stacks("B") == ["?", "?"]
    assert match.stacks("C") == ["?"]
    assert match.discarded == {"G4": 1}
    assert match.refused("totem_drawn", player="A", totem="wurm") == "no_totem"


def test_x65_the_hero_is_drawn() -> None:
    match = chaos(player(1, 1, hand=1), player(1, 1, 1, 1, 1, hand=1), player(1, hand=1))
    deck = match.state["deck"]
    match.do("totem_drawn", player="B", totem="hero")
    assert match.asks == [("gift", "B"), ("gift", "C"), ("gift", "A")]
    assert match.refused("gift", player="A") == "not_your_turn"
    assert match.refused("gift", player="B") == "bad_value"
    match.do("gift", player="B", keep=True)
    match.do("gift", player="C")
    assert match.refused("gift", player="A", keep=True) == "bad_value"
    match.do("gift", player="A")
    assert [len(match.stacks(seat)) for seat in "ABC"] == [3, 5, 2]
    assert match.hand("B") == 2
    assert match.state["deck"] == deck - 3


def test_x68_a_clash_is_what_the_players_say() -> None:
    match = chaos(phase="action")
    reply = match.do("clash", players=["A", "B"], first="B")
    assert reply["events"] == [{"type": "clash", "players": ["A", "B"], "first": "B"}]
    assert match.refused("clash", players=["A"], first="A") == "bad_value"
    assert Match().refused("clash", players=["A", "B"], first="B") == "not_now"
