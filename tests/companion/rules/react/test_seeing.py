"""What a camera sees of a board against the match: what differs, what one entry explains it, and as it lies."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.rules.core import Rejection
from companion.rules.react.explaining import corrections, explain
from companion.rules.react.game import REACT
from companion.rules.react.markers import MARKED
from companion.rules.react.seeing import Lay, bind, differences, expected, name_of, options, unmistaken
from companion.rules.react.state import State
from tests.companion.rules.react.matches import DRAW, MATCH, SETUP, end, passed, play, target

NUMBER = {mark.name: number for number, mark in enumerate(MARKED)}
A, B = NUMBER["A artist"], NUMBER["B artist"]
FISH, ROD = NUMBER["A summon 3"], NUMBER["A summon 1"]
TOKENS = {slot: NUMBER[f"Chain {slot}"] for slot in range(1, 6)}


def after(*commands: dict[str, Any]) -> State:
    """Both artists on their stars (A 3,1; B 3,5), A on turn in the Main Phase; then these."""
    state = None
    for command in (SETUP, DRAW, *commands):
        events = REACT.decide(state, command)
        assert not isinstance(events, Rejection), (command, events)
        for event in events:
            state = REACT.evolve(state, event)
    assert isinstance(state, State)
    return state


def at(place: str | None = None, turn: int | None = 0, *others: str, why: str = "") -> Lay:
    return Lay((*((place,) if place else ()), *others), turn, why)


HOME = {A: at("3,1"), B: at("3,5", 180)}
ABILITY = {"do": "play", "player": "A", "kind": "intention", "from": "ability"}
SUMMONED = {"do": "summon", "player": "A", "kind": "fish", "zone": "2,2"}


def texts(state: State, lays: dict[int, Lay], bound: dict[int, str] | None = None) -> list[str]:
    return [one.text for one in differences(state, lays, bind(state, lays, bound or {}))]


def best(state: State, lays: dict[int, Lay], bound: dict[int, str] | None = None) -> list[Any]:
    return [one.command for one in explain(state, lays, bind(state, lays, bound or {}))]


def taken(state: State, lays: dict[int, Lay], bound: dict[int, str] | None = None) -> list[Any]:
    """As it lies; that after it nothing differs is proven by the rules."""
    known = bind(state, lays, bound or {})
    found = corrections(state, lays, known)
    commands = list(found.commands)
    for command in commands:
        events = REACT.decide(state, command)
        assert not isinstance(events, Rejection)
        for event in events:
            state = REACT.evolve(state, event)
    assert found.whole == (commands != [] and not differences(state, lays, bind(state, lays, known)))
    return commands


def test_what_lies_as_the_match_says_and_what_is_not_seen_agree() -> None:
    assert texts(after(), HOME) == []
    assert texts(after(), {}) == []
    assert texts(after(), {**HOME, FISH: at(), TOKENS[1]: at(), NUMBER["A art 1"]: at()}) == []  # all beside the board


def test_what_the_match_has_on_the_board_is_expected_there() -> None:
    state = after(SUMMONED, play("A", "intention", "Wave", target("3,5")))
    there = [number for number in range(35) if expected(state, number, {FISH: "A.fish1", ROD: "A.fish2"})]
    assert there == [A, FISH, B, TOKENS[1]]


@pytest.mark.parametrize(
    ("lays", "text", "command"),
    [
        ({A: at("3,2")}, "A is seen in 3,2; the match has it in 3,1", {"do": "move", "unit": "A", "to": "3,2"}),
        (
            {A: at("3,1", 90)},
            "A lies exhausted; the match has it refreshed",
            {**ABILITY, "costs": [{"do": "exhaust", "unit": "A"}]},
        ),
        ({B: at("3,5", 270)}, "B lies exhausted; the match has it refreshed", {"do": "exhaust", "unit": "B"}),
        (
            {TOKENS[1]: at("4,4", 90)},
            "Token 1 is seen in 4,4, and no card 1 is on the React Chain",
            {"do": "play", "player": "A", "kind": "intention", "from": "hand", "costs": [target("4,4")]},
        ),
        ({FISH: at("2,2")}, "A summon 3 is seen in 2,2, where the match has no such unit", SUMMONED),
        (
            {NUMBER["A art 1 back"]: at()},
            "The cards of A show 1 damage; the match has 0",
            {"do": "damage", "zones": ["3,1"]},
        ),
    ],
)  # fmt: skip
def test_one_entry_explains_what_is_seen(lays: dict[int, Lay], text: str, command: Any) -> None:
    state = after()
    assert texts(state, {**HOME, **lays}) == [text]
    assert best(state, {**HOME, **lays})[0] == command


def test_explanations_that_come_to_the_same_are_told_once_and_others_all() -> None:
    found = best(after(), {**HOME, A: at("3,1", 90)})
    assert [command["do"] for command in found] == ["play", "exhaust"]
    found = best(after(), {**HOME, A: at("3,2")})
    assert [command["do"] for command in found] == ["move"]  # a jump over nothing is that move


def test_a_jump_and_a_swap() -> None:
    state = after({"do": "summon", "player": "A", "kind": "fish", "zone": "3,2"})
    fish = {FISH: at("3,2")}
    bound = bind(state, fish, {})
    assert bound == {FISH: "A.fish1"}
    assert name_of(FISH, bound) == "A.fish1"
    jumped = {A: at("3,3"), B: at("3,5", 180), **fish}
    assert best(state, jumped, bound)[0] == {"do": "jump", "unit": "A", "direction": "up"}
    swapped = {A: at("3,2"), B: at("3,5", 180), FISH: at("3,1")}
    assert [command["do"] for command in best(state, swapped, bound)] == ["swap"]


def test_a_summon_that_is_taken_away_and_one_whose_marker_is_not_known() -> None:
    state = after(SUMMONED)
    bound = bind(state, {FISH: at("2,2")}, {})
    for lay in (at(), at(why="gone")):
        assert best(state, {**HOME, FISH: lay}, bound)[0] == {"do": "damage", "zones": ["2,2"]}
    # never seen at its place: it is not known to be that one
    assert texts(state, {**HOME, FISH: at("4,4")}) == ["A summon 3 is seen in 4,4, where the match has no such unit"]
    # two summons, two markers, each its own
    assert bind(state, {FISH: at("2,2"), ROD: at("2,2")}, bound) == bound


def test_the_token_of_a_card_on_the_chain() -> None:
    state = after(play("A", "intention", "Wave", target("3,5")))
    assert texts(state, {**HOME, TOKENS[1]: at("3,5", 90)}) == []  # an arrow that was not chosen says nothing
    moved = {**HOME, TOKENS[1]: at("2,5", 90)}
    assert texts(state, moved) == ["Token 1 is seen in 2,5; the match has it in 3,5"]
    assert best(state, moved)[0] == {"do": "target", "slot": 1, "zone": "2,5"}
    assert texts(state, {**HOME, TOKENS[1]: at()}) == ["Token 1 is seen beside the field; the match has it in 3,5"]
    state = after(play("A", "intention", "Wave", target("3,5"), {"do": "direction", "direction": "up"}))
    turned = {**HOME, TOKENS[1]: at("3,5", 270)}
    assert texts(state, turned) == ["Token 1 points left; the match has it pointing up"]
    assert best(state, turned) == [{"do": "direction", "slot": 1, "direction": "left"}]


def test_a_reaction_is_the_other_players() -> None:
    state = after(play("A", "intention", "Wave"))
    (first, *_) = best(state, {**HOME, TOKENS[2]: at("3,3", 180)})
    assert (first["player"], first["kind"], first["costs"]) == ("B", "reaction", [target("3,3")])


def test_refreshed_at_the_end_of_the_turn() -> None:
    state = after(
        play("A", "intention", "Wave", {"do": "exhaust", "unit": "A"}), passed("B"), passed("A"), {"do": "resolve"}
    )
    assert state.unit_at("3,1") == state.unit("A")
    assert [command["do"] for command in best(state, HOME)] == ["refresh", "end_turn"]


def test_masterpiece_cards() -> None:
    state = after(end("A"))
    assert (state.phase, state.turn) == ("masterpiece", "B")
    one, two = NUMBER["B art 1"], NUMBER["B art 2"]
    assert texts(state, {**HOME, two: at("mp3")}) == ["B2 is seen in space 3; the match has it beside the board"]
    placed = {"do": "progress", "player": "B", "place": 2, "space": 3}
    assert best(state, {**HOME, two: at("mp3")}) == [placed]
    later = after(end("A"), placed)
    assert texts(later, {**HOME, two: at("mp3")}) == []
    lays = {**HOME, two: at("mp4"), one: at("mp1")}
    assert best(later, lays) == []
    assert taken(later, lays) == [{"do": "correct", "masterpiece": ["B1", None, None, "B2", None]}]
    swapped = best(later, {**HOME, two: at("mp5")})
    assert swapped[0] == {"do": "rearrange", "player": "B", "swap": [3, 5]}
    assert texts(later, {**HOME, two: at("3,3")}) == ["B2 is seen in 3,3; the match has it in space 3"]


def test_which_card_is_turned_over_means_nothing() -> None:
    hit = after({"do": "damage", "zones": ["3,1"]})
    backs = {card: NUMBER[f"A art {card} back"] for card in (1, 2, 3)}
    fronts = {card: NUMBER[f"A art {card}"] for card in (1, 2, 3)}
    assert texts(hit, {fronts[1]: at(), backs[3]: at(), fronts[2]: at()}) == []
    assert texts(hit, {backs[1]: at(), backs[3]: at()}) == ["The cards of A show 2 damage; the match has 1"]
    healed = {number: at() for number in fronts.values()}
    assert texts(hit, healed) == ["The cards of A show 0 damage; the match has 1"]
    assert taken(hit, healed) == [{"do": "correct", "player": "A", "damage": 0}]


def test_units_that_stand_in_each_others_way_are_taken_as_they_lie() -> None:
    state = after(SUMMONED)
    bound = {FISH: "A.fish1"}
    lays = {A: at("3,5"), B: at("2,2", 90), FISH: at("3,1")}
    assert best(state, lays, bound) == []
    (command,) = taken(state, lays, bound)  # so that one undo takes it back
    assert command["units"] == [
        {"unit": "A", "zone": "3,5"},
        {"unit": "B", "zone": "2,2", "exhausted": True},
        {"unit": "A.fish1", "zone": "3,1"},
    ]
    assert REACT.named(command) == "Corrected: A in 3,5; exhausted True, B in 2,2; A.fish1 in 3,1"


@pytest.mark.parametrize(
    ("units", "text"),
    [
        ([], "correct: units names no unit."),
        ([{"unit": "A"}], "needs a unit, each once, with zone or exhausted"),
        ([{"unit": "A", "zone": "1,1"}, {"unit": "A", "zone": "2,1"}], "each once"),
        ([{"unit": "A", "zone": "3,5"}], "unit B stands in 3,5; a zone holds one unit."),
        ([{"unit": "A", "zone": "1,1"}, {"unit": "B", "zone": "1,1"}], "unit A stands in 1,1"),
        ([{"unit": "A", "zone": "1,1"}, {"unit": "B", "zone": None}], "an artist always stands on the field"),
        ([{"unit": "A", "zone": "9,9"}], "9,9 lies off the board"),
        ([{"unit": f"A.fish{n}", "zone": f"{n},2"} for n in (1, 2, 3)], "only 2 fish"),
        ([{"unit": "A", "zone": "1,1", "x": 1}], "x"),
    ],
)  # fmt: skip
def test_units_that_cannot_stand_like_that_are_refused_as_a_whole(units: Any, text: str) -> None:
    refused = REACT.decide(after(), {"do": "correct", "units": units})
    assert isinstance(refused, Rejection)
    assert text in refused.text


def test_what_corrections_cannot_say_is_left_and_the_rest_taken() -> None:
    lays = {A: at("3,3"), B: at("3,5", 180), TOKENS[1]: at("4,4")}
    assert taken(after(), lays) == [{"do": "correct", "unit": "A", "zone": "3,3"}]
    assert not corrections(after(), lays, {}).whole


def test_what_cannot_be_is_asked_and_neither_explained_nor_taken() -> None:
    state = after()
    together = {A: at("3,3"), B: at("3,3", 180)}
    assert "A and B are both seen in 3,3" in texts(state, together)
    assert best(state, together) == []
    away = {A: at(), B: at("3,5", 180)}
    assert texts(state, away) == ["A is seen beside the field; the match has it in 3,1"]
    assert (best(state, away), taken(state, away)) == ([], [])
    assert texts(state, {**HOME, 34: at("2,2")}) == ["A marker of no piece (34) is seen in 2,2"]
    assert texts(state, {**HOME, 34: at()}) == []
    # B has no summons at all
    odd = {**HOME, NUMBER["B summon 1"]: at("2,2")}
    assert (best(state, odd), taken(state, odd)) == ([], [])


@pytest.mark.parametrize(
    ("lay", "text", "meant"),
    [
        (at("3,1", 0, "3,2", why="between"), "A lies between 3,1 and 3,2", ["3,1", "3,2"]),
        (at("3,1", 0, why="between"), "A lies over the edge of 3,1", ["3,1"]),
        (at("3,1", None, "4,4", why="twice"), "The marker of A is seen more than once: 3,1 and 4,4", ["3,1", "4,4"]),
        (at("3,1", None, why="askew"), "A in 3,1 is half turned", ["3,1", "3,1"]),
    ],
)
def test_what_is_vague_differs_in_any_case_and_says_what_it_could_be(lay: Lay, text: str, meant: list[str]) -> None:
    assert texts(after(), {**HOME, A: lay}) == [text]
    assert [one.place for one in options(lay, A)] == meant
    assert not any(one.vague for one in options(lay, A))
    assert bind(after(SUMMONED), {FISH: at("2,2", None, "2,3", why="twice")}, {}) == {}


@pytest.mark.parametrize("seed", range(6))
def test_whatever_lies_there_what_is_offered_holds(seed: int) -> None:
    """Moments of a whole match, and markers strewn anywhere, some of them vague."""
    chance = random.Random(seed)
    states, state = [], None
    for command in MATCH:
        events = REACT.decide(state, command)
        assert not isinstance(events, Rejection)
        for event in events:
            state = REACT.evolve(state, event)
        states.append(state)
    places = [*(f"{x},{y}" for x in range(1, 6) for y in range(1, 6)), *(f"mp{n}" for n in range(1, 6))]
    for _ in range(12):
        state = chance.choice(states)
        bound = {FISH: "A.fish1"} if chance.random() < 0.7 and state.unit("A.fish1") else {}
        lays = {}
        for number in chance.sample(range(35), chance.randint(0, 6)):
            where = chance.sample(places, chance.choice((0, 1, 1, 1, 1, 2)))
            why = chance.choice(("between", "twice")) if len(where) == 2 else chance.choice(("", "", "", "askew"))
            lays[number] = Lay(tuple(where), None if why == "askew" else chance.choice((0, 90, 180, 270, None)), why)
        found = differences(state, lays, bind(state, lays, bound))
        assert len(found) >= sum(lay.vague for lay in lays.values())
        sure = unmistaken(lays)
        known = bind(state, sure, bound)
        for explanation in explain(state, sure, known):
            assert explanation.text
            after = folded(state, explanation.command)
            assert not differences(after, sure, bind(after, sure, known))
        left = state
        done = corrections(state, sure, known)
        for command in done.commands:
            left = folded(left, command)
        if done.commands:
            assert len(differences(left, sure, bind(left, sure, known))) < len(differences(state, sure, known))


def folded(state: State, command: Any) -> State:
    events = REACT.decide(state, command)
    assert not isinstance(events, Rejection), (command, events)
    for event in events:
        state = REACT.evolve(state, event)
    return state
