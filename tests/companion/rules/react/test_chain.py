"""What the rows of the case file leave open: undo while a chain resolves, passives within passives, what words mean."""

from __future__ import annotations

import json
from typing import Any

from tests.companion.rules.react.cases import Match
from tests.companion.rules.react.matches import MATCH, damage, move, passed, play, resolve, scale, target

DRAW = {"do": "draw"}


def chain(*cards: dict[str, Any], **more: Any) -> Match:
    """A match in which these cards are played and resolve."""
    match = Match(DRAW, *cards, **more)
    for player in ("B", "A") if len(cards) % 2 else ("A", "B"):
        if not match.state["chain"]["resolving"]:
            assert match.do(passed(player))["ok"], match.reply
    return match


def test_undo_in_the_middle_of_a_resolving_chain() -> None:
    cards = (play("A", "intention", "One"), play("B", "reaction", "Two"), play("A", "reaction", "Three"))
    match = chain(*cards)
    seen = [json.dumps(match.state)]
    for effect in (move("A", "up"), damage("3,5")):
        match.do(resolve(effect))
        seen.append(json.dumps(match.state))
    assert match.state["chain"]["stack"] == [1]
    assert match.state["players"]["B"]["damage"] == 1
    for before in (seen[1], seen[0]):
        match.do({"do": "undo"})
        assert json.dumps(match.state) == before
    assert match.state["chain"]["next"] == 3
    match.do({"do": "undo"})
    assert match.state["chain"]["resolving"] is False
    match.do({"do": "undo"})
    # the pass was a slip: B reacts after all
    assert match.do(play("B", "reaction", "Four"))["ok"]
    assert match.state["chain"]["stack"] == [4, 3, 2, 1]
    assert match.code({"do": "redo"}) == "nothing_to_redo"


def test_every_command_of_a_whole_match_can_be_undone() -> None:
    match = Match()
    match.do({"do": "concede", "player": "A"})
    states = []
    for command in MATCH:
        states.append(json.dumps(match.state))
        assert match.do(command)["ok"], (command, match.reply)
    for before in reversed(states[1:]):
        assert match.do({"do": "undo"})["ok"]
        assert json.dumps(match.state) == before


def test_a_passive_in_a_passive_comes_first() -> None:
    """Newest first; the card goes on when all are done."""
    passives = [
        {"name": "Third", "when": "tokens", "of": "scale", "count": 3, "effects": [move("B", "left"), damage("here")]},
        {"name": "Wall", "when": "enter", "of": "wall"},
    ]
    match = chain(
        play("A", "intention", "Card"),
        players={"A": {"tokens": {"scale": None}, "tiles": {"wall": 1}, "passives": passives}},
    )
    match.do({"do": "tile", "player": "A", "kind": "wall", "zone": "2,5"})
    match.do(resolve(scale("2,5", 3), move("A", "up")))
    assert [item["text"] for item in match.state["due"]] == ["Wall", "Third", "Card"]
    assert match.state["due"][0]["unit"] == "B"
    assert match.state["due"][1]["effects"] == [{"do": "damage", "amount": 1, "zones": ["here"]}]
    match.do({"do": "resolve", "effects": [{"do": "exhaust", "unit": "it"}]})
    assert match.state["due"] == []
    assert match.state["units"]["B"] == {
        "player": "B", "kind": "artist", "zone": "2,5", "exhausted": True, "follows": False,
    }  # fmt: skip
    assert match.state["players"]["B"]["damage"] == 1
    assert match.state["units"]["A"]["zone"] == "3,2"


def test_passives_that_set_each_other_off_for_ever_wait_for_the_players() -> None:
    passives = [
        {"name": "Back", "when": "enter", "of": "left", "effects": [move("A", "right")]},
        {"name": "Forth", "when": "enter", "of": "right", "effects": [move("A", "left")]},
    ]
    match = Match(DRAW, players={"A": {"tiles": {"left": 1, "right": 1}, "passives": passives}})
    for kind, zone in (("left", "2,1"), ("right", "3,1")):
        match.do({"do": "tile", "player": "A", "kind": kind, "zone": zone})
    match.do(move("A", "left"))
    assert match.state["due"][0]["effects"]
    assert match.code(play("A", "intention", "x")) == "not_now"
    match.do({"do": "resolve", "drop": True})
    assert match.state["due"] == []


def test_words_that_stand_for_nothing_are_skipped_or_refused() -> None:
    match = chain(play("A", "intention", "Card"))
    assert match.code(damage("target")) == "bad_value"
    assert match.code(move("A", "chosen")) == "bad_value"
    assert match.failed(resolve(damage("here"), move("it", "up"), move("A", "up"))) == ["bad_value", "bad_value"]
    assert match.state["units"]["A"]["zone"] == "3,2"


def test_effects_by_hand_know_the_card_that_resolves() -> None:
    match = chain(play("A", "intention", "Card", target("3,5")))
    match.do(damage("target"))
    assert match.state["players"]["B"]["damage"] == 1
    match.do({"do": "resolve"})
    assert match.state["chain"]["stack"] == []


def test_an_ability_is_back_when_it_has_resolved() -> None:
    own = {"from": "ability"}
    match = Match(DRAW, play("A", "intention", "Own", **own), passed("B"))
    assert match.code(play("A", "reaction", "own", **own)) == "not_now"
    match.do(passed("A"))
    match.do({"do": "resolve"})
    assert (match.state["players"]["A"]["hand"], match.state["players"]["A"]["discard"]) == (5, 0)
    assert match.do(play("A", "intention", "Own", **own))["ok"]


def test_discarding_and_drawing_as_much_as_there_is() -> None:
    match = Match(DRAW, players={"A": {"hand": 1, "deck": 29}})
    assert match.failed({"do": "discard", "player": "A", "cards": 5}) == []
    assert match.state["players"]["A"]["discard"] == 2
    assert match.failed({"do": "discard", "player": "A"}) == ["no_cards"]
    assert match.failed({"do": "draw", "player": "A", "cards": 9}) == ["hand_full"]
    assert match.state["players"]["A"]["hand"] == 6


def test_a_cost_is_paid_whole_or_not_at_all() -> None:
    match = Match(DRAW, scale("1,1"), players={"A": {"hand": 1, "deck": 29, "tokens": {"scale": 3}}})
    assert match.state["players"]["A"]["hand"] == 2
    for cost in (
        {"do": "discard", "player": "A", "cards": 2},
        scale("2,2", 3),
        {**scale("1,1", 2), "remove": True},
        {**scale("1,1", 2), "to": "1,2"},
        move("A", "down"),
    ):
        assert match.code(play("A", "intention", "x", cost)) == "cannot_pay", cost
    assert match.do(play("A", "intention", "x", {"do": "discard", "player": "A"}, scale("2,2", 2), move("A", "up")))[
        "ok"
    ]
    assert match.state["players"]["A"]["hand"] == 0
    assert match.state["units"]["A"]["zone"] == "3,2"


def test_an_invincible_artist_takes_no_damage() -> None:
    match = Match(DRAW, damage("3,1"), players={"A": {"invincible": True}})
    assert match.state["players"]["A"]["damage"] == 0
    match.do({"do": "lose", "player": "A"})
    assert match.state["over"] == {"winner": "B", "reason": "effect"}


def test_whose_unit_sets_a_tile_off() -> None:
    for who, names in (("own", ["A"]), ("foe", ["B"]), ("any", ["A", "B"])):
        passive = {"name": "Mural", "when": "enter", "of": "mural", "who": who}
        match = Match(DRAW, players={"A": {"tiles": {"mural": 2}, "passives": [passive]}})
        for zone in ("3,2", "3,4"):
            match.do({"do": "tile", "player": "A", "kind": "mural", "zone": zone})
        found = []
        for unit, direction in (("A", "up"), ("B", "down")):
            match.do(move(unit, direction))
            found += [item["unit"] for item in match.state["due"]]
            match.do({"do": "resolve"})
        assert found == names, who


def test_one_card_is_drawn_where_no_number_is_said() -> None:
    match = Match(DRAW, {"do": "discard", "player": "B", "cards": 5}, {"do": "draw", "player": "B"})
    assert match.state["players"]["B"]["hand"] == 1


def test_an_effect_swaps_two_spaces_of_which_one_may_be_empty() -> None:
    match = Match(DRAW, masterpiece=["A1", None, None, "B1", None])
    swap = {"do": "rearrange", "player": "B", "swap": [2, 3]}
    assert match.code(swap) == "empty_cell"
    assert match.failed({**swap, "swap": [1, 2]}) == []
    assert match.failed({**swap, "swap": [5, 4]}) == []
    assert match.state["masterpiece"] == [None, "A1", None, None, "B1"]


def test_each_player_has_block_tokens_of_their_own() -> None:
    match = Match(DRAW, players={"A": {"tokens": {"block": 1}}, "B": {"tokens": {"block": 1}}})
    for player in ("A", "B"):
        assert match.failed({"do": "block", "player": player, "zone": "2,2"}) == []
        assert match.failed({"do": "block", "player": player, "zone": "2,3"}) == ["none_left"]
    assert match.failed({"do": "block", "player": "A", "zone": "2,2", "remove": True}) == []
    assert match.failed({"do": "block", "player": "A", "zone": "2,2", "remove": True}) == ["not_there"]
    assert match.state["blocks"] == [{"player": "B", "zone": "2,2", "stays": False}]


def test_the_rules_are_fixed_with_the_first_card() -> None:
    match = Match({"do": "rules", "foe_completes": False}, DRAW)
    assert match.state["rules"]["foe_completes"] is False
    match.do(play("A", "intention", "x"))
    assert match.code({"do": "rules", "foe_completes": True}) == "too_late"


def test_what_is_awaited_and_what_not_to_forget() -> None:
    match = Match(players={"A": {"artist": "Painter"}, "B": {"hand": 6, "deck": 0, "discard": 24}})
    assert match.state["next"]["do"] == "draw"
    assert [text.partition(":")[0] for text in match.state["reminders"]] == [
        "Player A has no deck", "Player B has 6 cards, and draws none.",
    ]  # fmt: skip
    for command in (DRAW, {"do": "exhaust", "unit": "A"}, {"do": "block", "player": "B", "zone": "1,1"}):
        match.do(command)
    assert match.state["reminders"] == ["End of turn: refresh A.", "End of turn: block tokens go from 1,1."]
    match.do(play("A", "intention", "x", **{"from": "ability"}))
    match.do(passed("B"))
    assert match.state["next"] == {
        "do": "play", "player": "A", "slot": 2, "text": "player A plays Reaction 2 or passes",
    }  # fmt: skip
    assert match.state["reminders"] == ["One pass: if the next player passes too, the React Chain resolves."]


def test_a_passive_that_is_not_on_record_interrupts_too() -> None:
    """While the chain is built, with its priority as it was, and while it resolves."""
    match = Match(DRAW, play("A", "intention", "Card"))
    splash = {"do": "passive", "player": "B", "name": "Splash", "zone": "3,4", "unit": "A"}
    match.do(splash)
    assert match.state["due"][0] | {"id": 0} == {
        "id": 0, "part": "passive", "player": "B", "text": "Splash", "slot": None, "zone": "3,4", "unit": "A",
        "effects": None,
    }  # fmt: skip
    assert match.code(passed("B")) == "not_now"
    assert match.code(play("B", "reaction", "x")) == "not_now"
    assert match.failed({"do": "resolve", "effects": [{"do": "exhaust", "unit": "it"}, damage("here")]}) == []
    assert match.state["units"]["A"]["exhausted"]
    assert match.state["chain"]["priority"] == "B"
    for player in ("B", "A"):
        match.do(passed(player))
    match.do(move("A", "up"))
    match.do({"do": "passive", "player": "A", "name": "Known", "unit": "A", "effects": [move("it", "up")]})
    assert (match.state["due"], match.state["units"]["A"]["zone"]) == ([], "3,3")
    match.do({"do": "resolve"})
    assert match.state["chain"]["stack"] == []


def test_a_passive_about_nothing_is_refused() -> None:
    match = Match(DRAW)
    passive = {"do": "passive", "player": "A", "name": "Splash"}
    for more, code in (
        ({"zone": "9,9"}, "bad_value"),
        ({"unit": "A.fish1"}, "bad_value"),
        ({"unit": "it"}, "bad_value"),
        ({"zone": "here"}, "bad_value"),
        ({"effects": [scale("1,1")]}, "bad_value"),
        ({"player": "C"}, "bad_value"),
        ({"slot": 1}, "bad_command"),
    ):
        assert match.code({**passive, **more}) == code, more
    assert match.code({"do": "passive", "player": "A"}) == "bad_command"
    for _ in range(20):
        assert match.do(passive)["ok"]
    assert match.code(passive) == "too_many"


def test_who_does_nothing_with_a_complete_masterpiece_ascends_when_that_is_the_rule() -> None:
    match = Match(
        masterpiece=["A1", "A2", "A3", None, None], turn_number=2, rules={"reascend": "next_progress"},
        players={"A": {"ascended": True}},
    )  # fmt: skip
    match.do({"do": "descend", "player": "A"})
    assert not match.state["players"]["A"]["ascended"]
    match.do({"do": "progress", "player": "A", "skip": True})
    assert match.state["players"]["A"]["ascended"]
    assert match.state["masterpiece"] == [None] * 5
