"""What the camera saw, as answers and verdicts: destroying that is due, and what may have been meant."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rematch_acts import on_question
from companion.rules.rematch.outcomes import Answer, Question
from companion.rules.rematch.watch import Dropped
from companion.table_port import Ask
from tests.companion.test_rematch_table import FRAME_NS, Scene, notices


def scene(where: str, effect: dict[str, Any], fans: str = "") -> Scene:
    """A's board has this effect: at the start of the turn, or by Red-1."""
    board: dict[str, Any] = {"name": "Tester", "start": [effect]}
    if where == "R1":
        board = {"name": "Tester", "attacks": {"R1": {"effects": [effect], "kicker": "none"}}}
    return Scene(players={"A": {"board": board, "fans": list(fans)}})


def labels(shown: Scene) -> list[str]:
    return [answer["label"] for answer in shown.view["question"]["answers"]]


def test_marbles_destroyed_as_an_attack_asks_close_what_is_due() -> None:
    shown = scene("R1", {"do": "destroy", "amount": 2})
    shown.pull("a1", a="B")
    assert [item["effect"]["do"] for item in shown.state["due"]] == ["destroy"]
    after = shown.pull("c5", "b5", c="B", b="R")
    assert labels(shown)[0] == "A destroyed b5 c5"
    assert shown.answer("A destroyed") == {"ok": True}
    assert (shown.state["due"], shown.state["tray"], shown.view["differs"]) == ([], after, [])


def test_one_of_two_marbles_leaves_the_rest_due() -> None:
    shown = scene("R1", {"do": "destroy", "amount": 2})
    shown.pull("a1", a="B")
    shown.pull("c5", c="B")
    assert labels(shown)[:2] == ["A destroyed c5", "A's turn is over; B cleared c5 (Red-1)"]
    shown.answer("A destroyed")
    assert [item["choice"]["most"] for item in shown.state["due"]] == [1]


def test_more_marbles_than_are_due_are_an_effect_of_another_kind() -> None:
    shown = scene("R1", {"do": "destroy", "amount": 1})
    shown.pull("a1", a="B")
    shown.pull("c5", "a5", c="B", a="R")
    shown.answer("A destroyed")
    assert [item["effect"]["do"] for item in shown.state["due"]] == ["destroy"]
    shown = scene("R1", {"do": "destroy", "amount": 1, "optional": True})
    shown.pull("a1", a="B")
    shown.pull("c5", "a5", c="B", a="R")
    assert shown.answer("A destroyed") == {"ok": True}
    assert [item["choice"]["kind"] for item in shown.state["due"]] == ["yes_no"]


def test_an_effect_that_is_optional_is_agreed_to_by_doing_it() -> None:
    shown = scene("R1", {"do": "destroy", "amount": 1, "optional": True})
    shown.pull("a1", a="B")
    assert shown.state["due"][0]["choice"]["kind"] == "yes_no"
    after = shown.pull("c5", c="B")
    assert shown.answer("A destroyed") == {"ok": True}
    assert (shown.state["due"], shown.state["tray"]) == ([], after)


@pytest.mark.parametrize("said", ["A destroyed", "A cleared"])
def test_at_the_start_of_a_turn_it_is_asked_whether_it_was_the_clear(said: str) -> None:
    shown = scene("start", {"do": "destroy", "amount": 1})
    after = shown.pull("a1", a="B")
    assert labels(shown) == ["A destroyed a1", "A cleared a1 (Red-1)", "It did not happen"]
    assert shown.answer(said) == {"ok": True}
    assert shown.state["tray"] == after
    assert [item["part"] for item in shown.state["due"]] == ([] if said == "A destroyed" else ["attack"])
    assert shown.state["phase"] == ("start" if said == "A destroyed" else "resolve")


def test_another_effect_that_is_due_destroys_nothing() -> None:
    shown = scene("R1", {"do": "deal", "amount": 1})
    shown.pull("a1", a="B")
    shown.pull("c5", c="B")
    assert labels(shown)[1] == "A destroyed c5"
    shown.answer("A destroyed")
    assert [item["effect"]["do"] for item in shown.state["due"]] == ["deal"]


def test_an_illegal_clear_names_the_nearest_legal_ones() -> None:
    shown = Scene()
    shown.pull("a1", "a2", a="BR")
    verdict = shown.view["verdict"]
    assert verdict["kind"] == "illegal"
    assert [clear["cells"] for clear in verdict["nearest"]] == [["a1"], ["a2"], ["a1", "b2"]][: len(verdict["nearest"])]
    shown.reach("RYBRY/YBRBY/BRYBR")
    shown.pull("a1", a="B")
    assert shown.view["verdict"]["nearest"] == []


def test_an_answer_that_the_rules_refuse_names_them_too() -> None:
    shown = Scene()
    shown.pull("a1", a="B")
    shown.pull("c1", "c4", c="YY")
    shown.do(do="end_turn", player="A")
    assert shown.view["verdict"]["nearest"] != []


def test_a_marble_that_hangs_is_said_and_decided_when_it_lies() -> None:
    shown = Scene()
    shown.gaze.hanging = ("a4", "a5")
    shown.reach("YBR??/YBRBY/BRYBR")
    shown.still(1)
    assert notices(shown) == ["A marble hangs halfway in lane a: nudge it down, then it goes on."]
    assert (shown.state["phase"], shown.view["question"], shown.view["differs"]) == ("start", None, [])
    shown.gaze.hanging = ()
    shown.reach("YBRYB/YBRBY/BRYBR")
    assert (shown.state["last_clear"]["cells"], notices(shown)) == (["a1"], [])


def test_a_marble_put_in_by_hand_is_taken_over_without_a_clear() -> None:
    shown = Scene("RYBR./YBRBY/BRYBR")
    shown.do(do="correct", tray="RYBR./YBRBY/BRYBR")
    shown.still(3)
    for lane in "abc":
        shown.table._pipeline.watcher.counts(lane)
    shown.gaze.tray = "RYBRB/YBRBY/BRYBR"
    shown.still(1.5)
    assert labels(shown)[0] == "Nothing was pulled: the tray is right as it lies"
    assert shown.answer("Nothing was pulled") == {"ok": True}
    assert (shown.state["tray"], shown.state["phase"]) == ("RYBRB/YBRBY/BRYBR", "start")
    assert (shown.view["differs"], shown.view["question"]) == ([], None)


@pytest.mark.parametrize("pause", [0.0, 1.5])
def test_a_clear_that_was_none_may_be_finished(pause: float) -> None:
    """At once it is told anew; after a pause it is asked whether it was one clear."""
    shown = Scene("RRBRY/YRRYY/BRYBR")
    shown.do(do="correct", tray="RRBRY/YRRYY/BRYBR")
    for lane in "abc":
        shown.table._pipeline.watcher.counts(lane)

    def pull(tray: str, lanes: str) -> None:
        for number, lane in enumerate(lanes):
            shown.table._pipeline.watcher.dropped(Dropped(shown.t_ns + 2 * number * FRAME_NS, lane))
        shown.gaze.tray = "?????/?????/BRYBR"  # all that the hand leaves in view
        shown.reach(tray)

    pull("RBRYB/YYYBR/BRYBR", "abb")
    assert (shown.view["verdict"]["kind"], shown.state["phase"]) == ("illegal", "start")
    shown.still(pause)
    pull("BRYBR/YYYBR/BRYBR", "a")
    if pause:
        assert shown.view["question"]["text"].startswith("Was this one clear together with")
        assert labels(shown)[1:] == ["It did not happen"]
        assert shown.answer(labels(shown)[0]) == {"ok": True}
        assert shown.state["last_clear"]["attack"] == "R4"
        assert shown.state["tray"] == "BRYBR/YYYBR/BRYBR"
        return
    assert (shown.view["verdict"]["kind"], shown.state["last_clear"]["attack"]) == ("legal", "R4")
    assert (shown.state["tray"], shown.view["differs"]) == ("BRYBR/YYYBR/BRYBR", [])


def asked_in_the_opening(*guesses: Answer, destroyed: int = 0) -> Ask:
    state = Scene(phase="opening").state | {"opening_destroyed": destroyed}
    before = state["tray"]
    (ask,) = on_question(state, Question(0, "A", "Which?", guesses, before, before, None), {})
    assert isinstance(ask, Ask)
    return ask


def test_a_question_in_the_opening_has_answers_that_end_it_or_destroy() -> None:
    """With none but "It did not happen" the first pull of a match could not be told at all."""
    guesses = (Answer((("A", ("a1", "a2"), "R2"),)), Answer((("A", ("a1", "b1"), None),)))
    ask = asked_in_the_opening(*guesses)
    assert [answer.label for answer in ask.answers] == [
        "A cleared a1 a2 (Red-2): the match has begun",
        "A cleared a1 b1 (not legal): the match has begun",
        "B destroyed a1 a2",
        "It did not happen",
    ]
    assert [command["do"] for answer in ask.answers for command in answer.commands] == ["clear", "clear", "destroy"]


def test_in_the_opening_no_more_are_said_to_be_destroyed_than_may_be() -> None:
    ask = asked_in_the_opening(Answer((("A", ("a1", "a2"), "R2"),)), destroyed=1)
    assert not [answer for answer in ask.answers if "destroyed" in answer.label]
