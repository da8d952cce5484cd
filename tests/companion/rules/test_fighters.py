"""Boards as values and as JSON."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.rematch.effect_words import effect_words, effects_words, kicker_words
from companion.rules.rematch.fighters import (
    ATTACKS,
    FIELDS,
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST,
    MOST_EFFECTS,
    MOST_OPTIONS,
    MOST_REMARKS,
    UNKNOWN,
    UNKNOWN_ATTACK,
    Amount,
    Attack,
    Board,
    BoardError,
    Effect,
    Kicker,
    board_from_json,
    board_to_json,
    effect_from_json,
    effect_to_json,
    flat,
    same_name,
)
from tests.companion.rules.boarding import BOARD

DEAL = {"do": "deal", "amount": 2}


def board(**fields: Any) -> dict[str, Any]:
    return {"name": "Zed", **fields}


def attack(**fields: Any) -> dict[str, Any]:
    return board(attacks={"R2": fields})


def effect(**fields: Any) -> dict[str, Any]:
    return attack(effects=[{"do": "note", "text": "x"}, fields])


@settings(max_examples=60, deadline=None)
@given(BOARD)
def test_what_is_written_is_read(any_board: Board) -> None:
    written = board_to_json(any_board)
    assert board_from_json("", json.loads(json.dumps(written))) == any_board
    assert set(any_board.attacks) == set(ATTACKS)
    # what says nothing takes no room
    assert set(written["attacks"]) == {a for a in ATTACKS if any_board.attacks[a] != UNKNOWN_ATTACK}


def test_the_least_board_knows_nothing() -> None:
    read = board_from_json("", {"name": "Zed"})
    assert read == Board("Zed")
    assert {name: each.known for name, each in read.attacks.items()} == dict.fromkeys(ATTACKS, "unknown")
    assert board_to_json(read) == {"name": "Zed", "attacks": {}}


def test_what_an_attack_leaves_out_is_unknown_and_not_nothing() -> None:
    read = board_from_json("", board(attacks={"R1": {"kicker": {"effects": [DEAL]}}, "Y4": {"effects": [DEAL]}}))
    assert read.attacks["R1"] == Attack((UNKNOWN,), Kicker("unknown", (Effect("deal", Amount(2)),)))
    assert read.attacks["Y4"] == Attack((Effect("deal", Amount(2)),), Kicker("unknown", (UNKNOWN,)))
    assert board_from_json("", attack(effects=[DEAL], kicker="none")).attacks["R2"].kicker is None
    assert board_from_json("", attack(effects=[DEAL], kicker={"when": "before"})).attacks["R2"].kicker == Kicker(
        "before"
    )


@pytest.mark.parametrize(
    ("fields", "known"),
    [
        ({}, "unknown"),
        ({"source": "V1.1"}, "unknown"),
        ({"effects": [{"do": "unknown", "text": "much damage"}]}, "unknown"),
        ({"effects": [DEAL]}, "partly"),
        ({"effects": [DEAL], "kicker": {"effects": [DEAL]}}, "partly"),
        ({"effects": [DEAL], "kicker": {"when": "either"}}, "partly"),
        ({"effects": [DEAL, {"do": "unknown"}], "kicker": "none"}, "partly"),
        ({"effects": [{"do": "either", "options": [[DEAL], [{"do": "unknown"}]]}], "kicker": "none"}, "partly"),
        ({"effects": [DEAL], "kicker": "none"}, "known"),
        ({"effects": [{"do": "either", "options": [[DEAL], [{"do": "skip"}]]}], "kicker": "none"}, "known"),
        ({"effects": [DEAL], "kicker": {"when": "either", "effects": [DEAL]}}, "known"),
        ({"effects": [DEAL], "kicker": {"when": "either", "effects": [{"do": "unknown"}]}}, "partly"),
    ],
)
def test_how_much_of_an_attack_is_known(fields: dict[str, Any], known: str) -> None:
    assert board_from_json("", attack(**fields)).attacks["R2"].known == known


def test_a_pay_says_who_and_how_much() -> None:
    assert effect_from_json("", {"do": "pay"}) == Effect("pay", Amount(1), who="opponent")
    given = {"do": "pay", "amount": 2, "who": "self", "restores": False}
    assert effect_from_json("", given) == Effect("pay", Amount(2), who="self", restores=False)
    assert effect_to_json(effect_from_json("", given)) == given


@pytest.mark.parametrize(
    ("said", "counted", "amount"),
    [(3, 0, 3), (3, 7, 3), ("X", 0, 0), ("X", 4, 4), ("X-3", 4, 1), ("X-3", 2, 0), ("X+2", 0, 2), ("X-99", 99, 0)],
)
def test_amounts(said: int | str, counted: int, amount: int) -> None:
    read = effect_from_json("", {"do": "deal", "amount": said} | ({"x": "cards"} if isinstance(said, str) else {}))
    assert read.amount is not None
    assert read.amount.of(counted) == amount
    assert read.amount.to_json() == said


def test_how_much_a_board_may_hold() -> None:
    limits = (LONGEST_NAME, LONGEST_TEXT, MOST, MOST_EFFECTS, MOST_OPTIONS, MOST_REMARKS)
    assert limits == (60, 400, 99, 20, 6, 40)  # a change makes boards of older files or matches unreadable
    option = [{"do": "deal", "amount": MOST}] * MOST_EFFECTS
    lines = [{"do": "either", "options": [option] * MOST_OPTIONS, "text": "x" * LONGEST_TEXT}] * MOST_EFFECTS
    whole = {"name": "x" * LONGEST_NAME, "attacks": {"B4": {"effects": lines}}, "remarks": ["x"] * MOST_REMARKS}
    assert len(flat(board_from_json("", whole).attacks["B4"].effects)) == MOST_EFFECTS**2 * MOST_OPTIONS


def test_an_amount_by_itself_counts_nothing_and_adds_nothing() -> None:
    assert Amount(None, "cards").of() == 0
    assert Amount(None, "cards").of(3) == 3


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"name": ["x" * 25, "y" * 27]}, f"name is ['{'x' * 25}', '{'y' * 27}'], where"),
        ({"name": ["x" * 25, "y" * 28]}, f"name is ['{'x' * 25}', '{'y' * 26}…, where"),
        ({"name": "Zed", "k" * 40: 1}, f"{'k' * 40} is not a known key"),
        ({"name": "Zed", "k" * 41: 1}, "'kkkkkkkkkkkk...kkkkkkkkkkkkk' is not a known key"),
    ],
)
def test_what_is_long_is_shown_in_part(value: dict[str, Any], words: str) -> None:
    with pytest.raises(BoardError) as error:
        board_from_json("", value)
    assert str(error.value).startswith(words)


WHOLE = "a whole number from 1 to 99"
SOME_TEXT = f"a text (1 to {LONGEST_TEXT} printable letters in one line)"
E = "attacks.R2.effects[1]"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        *((each, "the board is") for each in (None, 3, "Zed", [], True)),
        ({}, "name is missing"),
        (board(name=""), "name is '', where a name (1 to 60"),
        (board(name=7), "name is 7"),
        (board(name="x" * (LONGEST_NAME + 1)), "name is 'xxx"),
        (board(name="two\nlines"), "name is 'two\\nlines'"),
        (board(name=" Zed"), "name is ' Zed', where a name without a space"),
        (board(name="\ud800"), "name is '\\ud800'"),
        (board(age=3), "age is not a known key: known are name, edition"),
        (board(**{"": 3}), "'' is not a known key"),
        ({**board(), 3: 3}, "3 is not a known key"),
        (board(edition=2.5), "edition is 2.5, where a name"),
        (board(remarks="x"), "remarks is 'x', where a list of texts is needed"),
        (board(remarks=[3]), f"remarks[0] is 3, where {SOME_TEXT} is needed"),
        (board(remarks=["x"] * (MOST_REMARKS + 1)), f"remarks holds {MOST_REMARKS + 1}, where 0 to {MOST_REMARKS}"),
        (board(start=DEAL), "start is {'amount': 2, 'do': 'deal'}, where a list of effects"),
        (board(end=[]), "end holds 0, where 1 to 20 effects are needed"),
        (board(start=["deal 2"]), "start[0] is 'deal 2', where an effect"),
        (board(attacks=[]), "attacks is [], where a table is needed"),
        (board(attacks={"R3": {}}), "attacks.R3 is not a known key: known are R1, R2, R4, Y1, Y2, Y4, B1, B2, B4"),
        (board(attacks={"r1": {}}), "attacks.r1 is not a known key"),
        (board(attacks={"R1": []}), "attacks.R1 is [], where a table is needed"),
        (attack(effect=[DEAL]), "attacks.R2.effect is not a known key: known are effects, kicker, source"),
        (attack(effects=[]), "attacks.R2.effects holds 0"),
        (attack(effects=[DEAL] * (MOST_EFFECTS + 1)), f"attacks.R2.effects holds {MOST_EFFECTS + 1}"),
        (attack(source=2), "attacks.R2.source is 2"),
        (attack(kicker="never"), "attacks.R2.kicker is 'never', where a table, or 'none', is needed"),
        (attack(kicker=None), "attacks.R2.kicker is None"),
        (attack(kicker={"when": "later"}), "attacks.R2.kicker.when is 'later', where before, after, either, unknown"),
        (attack(kicker={"when": "before", "then": 1}), "attacks.R2.kicker.then is not a known key"),
        (attack(kicker={"effects": [{"do": "deal"}]}), "attacks.R2.kicker.effects[0].amount is missing: 'deal'"),
        (effect(amount=2), f"{E}.do is missing: one of deal, deal_all"),
        (effect(do="smash"), f"{E}.do is 'smash', where one of deal, deal_all"),
        (effect(do=["deal"]), f"{E}.do is ['deal']"),
        *(
            (effect(do="deal", amount=bad, x="cards"), f"{E}.amount is {shown}, where {WHOLE}")
            for bad, shown in (
                (-1, "-1"), (0, "0"), (100, "100"), (10**9, "1000000000"), (1.5, "1.5"), (2.0, "2.0"), (True, "True"),
                (None, "None"), ([2], "[2]"), ("2", "'2'"), ("x", "'x'"), ("X-", "'X-'"), ("X-0", "'X-0'"),
                ("X--1", "'X--1'"), ("X*2", "'X*2'"), ("X1", "'X1'"), ("X-100", "'X-100'"), ("XX", "'XX'"),
                ("X+²", "'X+²'"), (float("nan"), "nan"), (10**5000, "a very long number"),
            )
        ),
        (effect(do="deal", amount="X"), f"{E}.x is missing: {E}.amount is X, so it must say in words what X counts"),
        (effect(do="deal", amount="X", x=3), f"{E}.x is 3"),
        (effect(do="deal", amount="X", x=""), f"{E}.x is ''"),
        (effect(do="deal", amount=2, x="cards"), f"{E}.x says what X counts, but {E}.amount is 2"),
        (effect(do="pay", x="cards"), f"{E}.x says what X counts, but there is no amount"),
        *((effect(do="fan", fan=bad), f"{E}.fan is {bad!r}, where R, Y or B") for bad in ("G", "RY", "", "r", 1, None)),
        (effect(do="fan"), f"{E}.fan is missing: 'fan' needs it"),
        (effect(do="any_fan", fan="R"), f"{E}.fan is not a known key: known are do, text, if, optional"),
        (effect(do="deal", amount=2, who="self"), f"{E}.who is not a known key"),
        (effect(do="skip", amount=1), f"{E}.amount is not a known key"),
        (effect(do="pay", who="A"), f"{E}.who is 'A', where opponent or self is needed"),
        (effect(do="pay", restores=1), f"{E}.restores is 1, where true or false is needed"),
        (effect(do="marker"), f"{E}.marker is missing"),
        (effect(do="marker", marker=""), f"{E}.marker is ''"),
        (effect(do="note"), f"{E}.text is missing"),
        (effect(do="note", text="x" * (LONGEST_TEXT + 1)), f"{E}.text is 'xxx"),
        (effect(do="skip", optional="yes"), f"{E}.optional is 'yes', where true or false is needed"),
        (effect(do="skip", **{"if": True}), f"{E}.if is True, where {SOME_TEXT} is needed"),
        (effect(do="skip", condition="x"), f"{E}.condition is not a known key"),
        (effect(do="either"), f"{E}.options is missing"),
        (effect(do="either", options=[[DEAL]]), f"{E}.options holds 1, where 2 to {MOST_OPTIONS} lists of effects"),
        (effect(do="either", options=[[DEAL]] * (MOST_OPTIONS + 1)), f"{E}.options holds {MOST_OPTIONS + 1}"),
        (effect(do="either", options=[[DEAL], []]), f"{E}.options[1] holds 0"),
        (effect(do="either", options=[DEAL, DEAL]), f"{E}.options[0] is {{'amount': 2, 'do': 'deal'}}"),
        (effect(do="either", options=[[DEAL], [{"do": "heal"}]]), f"{E}.options[1][0].amount is missing"),
    ],
)  # fmt: skip
def test_what_is_no_board_is_named_in_one_sentence(value: Any, words: str) -> None:
    with pytest.raises(BoardError) as error:
        board_from_json("", value)
    assert str(error.value).startswith(words)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 500


def test_an_either_inside_of_another_is_refused_however_deep() -> None:
    nested: dict[str, Any] = DEAL
    for _ in range(5000):
        nested = {"do": "either", "options": [[DEAL], [nested]]}
    with pytest.raises(BoardError, match=r"options\[1\]\[0\]\.do is 'either', which cannot stand inside"):
        board_from_json("", effect(**nested))


def test_the_path_of_a_part_begins_where_the_board_stands() -> None:
    with pytest.raises(BoardError, match=r"^players\.A\.board\.attacks\.R2\.effects\[1\]\.do is 'x'"):
        board_from_json("players.A.board", effect(do="x"))
    with pytest.raises(BoardError, match=r"^players\.A\.board is 3, where a table"):
        board_from_json("players.A.board", 3)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.sampled_from(
        ["name", "attacks", "R1", "effects", "do", "amount", "x", "kicker", "when", "options", "start", "if"]
    ) | st.text(max_size=3), part, max_size=4),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(JSON, st.sampled_from(["", "attacks", "R1", "effects", "either"]))
def test_anything_else_is_a_board_error_or_a_board(value: Any, where: str) -> None:
    inside = {
        "": value,
        "attacks": board(attacks=value),
        "R1": board(attacks={"R1": value}),
        "effects": attack(effects=value),
        "either": effect(do="either", options=value),
    }[where]
    with suppress(BoardError):
        read = board_from_json("", inside)
        assert board_from_json("", board_to_json(read)) == read


def test_names_are_the_same_in_any_case() -> None:
    assert same_name("  VTuber ") == same_name("vtuber")
    assert same_name("STRASSE") == same_name("straße")
    assert same_name("Fire  fighter") != same_name("Firefighter")


def test_flat_looks_into_an_either() -> None:
    deal, heal = Effect("deal", Amount(1)), Effect("heal", Amount(2))
    assert flat((heal, Effect("either", options=((deal, UNKNOWN), (heal,))))) == (heal, deal, UNKNOWN, heal)


EXAMPLES: dict[str, tuple[dict[str, Any], str]] = {
    "deal": ({"amount": 2}, "deal 2 to one of the opponent's buttons"),
    "deal_all": ({"amount": "X-1", "x": "cards"}, "deal X-1 (X: cards) to each of the opponent's buttons"),
    "take": ({"amount": 1}, "take 1 on one of your own buttons"),
    "take_all": ({"amount": 1}, "take 1 on each of your own buttons"),
    "heal": ({"amount": 3, "optional": True}, "heal 3 on one of your own buttons, if wanted"),
    "fan": ({"fan": "B"}, "take the Blue fan"),
    "any_fan": ({"if": "you hold none"}, "if you hold none: take any one fan"),
    "destroy": ({"amount": 1}, "destroy up to 1 marble"),
    "pay": ({"who": "self", "amount": 2, "restores": True}, "pay 2 credits, which restores HP"),
    "skip": ({"text": "the whole of it"}, "the opponent skips the next turn (the whole of it)"),
    "marker": ({"marker": "spirit"}, "place a marker: spirit"),
    "no_destroy": ({}, "the opponent cannot destroy marbles for 1 turn"),
    "deny": ({}, "choose a colour that the opponent cannot attack with next turn"),
    "note": ({"text": "gain 3 focus"}, "gain 3 focus"),
    "either": (
        {"options": [[{"do": "pay"}], [{"do": "destroy", "amount": 2}, {"do": "skip"}]]},
        "either the opponent pays 1 credit or destroy up to 2 marbles; the opponent skips the next turn",
    ),
    "unknown": ({"text": "the rest"}, "not known (the rest)"),
}  # fmt: skip


@pytest.mark.parametrize("do", FIELDS)
def test_effects_in_words(do: str) -> None:
    fields, words = EXAMPLES[do]
    assert effect_words(effect_from_json("", {"do": do, **fields})) == words


def test_kickers_in_words() -> None:
    deal = Effect("deal", Amount(1))
    assert kicker_words(None) == "none"
    assert kicker_words(Kicker()) == "not known"
    said = {when: kicker_words(Kicker(when, (deal, UNKNOWN))) for when in ("before", "after", "either", "unknown")}
    assert said["either"] == f"{effects_words([deal, UNKNOWN])} [before or after the attack]"
    assert len(set(said.values())) == 4
