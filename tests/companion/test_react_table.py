"""The table of Re;ACT: from pieces at rest to questions and answers, what is only said; drawn pictures end to end."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from companion.desk import Desk
from companion.games import game
from companion.log import MemoryLog
from companion.react_asks import AS_IT_LIES, PUT_BACK
from companion.react_table import LAG_NS, MOST_NS, PICKED_NS, BoardSize, ReactTable
from companion.rules.core import Reason
from companion.rules.react.markers import MARKED
from companion.session import Session
from hardware.camera import Frame
from tests.companion.rules.react.matches import DRAW, SETUP
from tests.vision.drawn_board import Board, Place, calibration
from vision.board_gaze import BoardGaze, BoardSight
from vision.calibration import VisionError
from vision.pieces import Piece, Zone
from vision.resting import Lying

NUMBER = {mark.name: number for number, mark in enumerate(MARKED)}
A, B, FISH = NUMBER["A artist"], NUMBER["B artist"], NUMBER["A summon 3"]
CARD, CARD_BACK = NUMBER["A art 1"], NUMBER["A art 1 back"]
FRAME_NS = 100_000_000
IMAGE = np.zeros((2, 2, 3), np.uint8)
SIZE = BoardSize(5, 5, ("3,1", "3,5"))


def piece(number: int, column: int, row: int, turn: int | None = 0, **more: Any) -> Piece:
    """`row` 0: a space of the Masterpiece Zone."""
    zone = Zone("field", column, row) if row else Zone("spaces", column, 1)
    return Piece(number, (0.0, 0.0), zone, turn, **more)


class FakeGaze:
    """Says of every picture what the scene says."""

    def __init__(self) -> None:
        self.at_rest: dict[int, Piece] = {}
        self.covered: set[int] = set()
        self.unrest: set[int] = set()
        self.moving = self.lost = self.unknown = False
        self.fault = ""
        self.readable = ("field", "spaces")

    def look(self, image: Any, t_ns: int) -> BoardSight:
        if self.fault:
            raise VisionError(self.fault)
        lying = Lying(dict(self.at_rest), frozenset(self.covered), frozenset(self.unrest))
        return BoardSight(t_ns, not (self.lost or self.unknown), self.moving, lying, self.readable, 12.4)


class Scene:
    """A match in front of a camera, on the camera's own clock: A in 3,1 and B in 3,5, A's Main Phase."""

    def __init__(
        self,
        gaze: Any = None,
        picture: Callable[[], Any] = lambda: IMAGE,
        size: BoardSize = SIZE,
        **setup: Any,
    ) -> None:
        self.gaze = gaze or FakeGaze()
        self.picture = picture
        self.log = MemoryLog()
        self.table = ReactTable(self.gaze, size)
        self.desk = Desk(Session(game("react"), self.log), self.table)
        self.t_ns = 0
        self.do(**{**SETUP, **setup})
        self.do(**DRAW)

    def do(self, **command: Any) -> None:
        reply = self.desk.submit_line(json.dumps(command).encode())
        assert reply["ok"], reply

    def still(self, seconds: float) -> None:
        for _ in range(round(seconds * 1e9 / FRAME_NS)):
            self.t_ns += FRAME_NS
            self.desk.see(Frame(self.picture(), self.t_ns))

    def lie(self, *pieces: Piece, seconds: float = 1.0) -> None:
        """A hand moves, then these lie."""
        self.gaze.moving = True
        self.still(0.3)
        self.gaze.moving, self.gaze.at_rest = False, {one.number: one for one in pieces}
        self.still(seconds)

    @property
    def units(self) -> dict[str, str]:
        state = self.desk.session.state_json
        assert state is not None
        return {name: unit["zone"] for name, unit in state["units"].items()}

    @property
    def board(self) -> dict[str, Any]:
        board: dict[str, Any] = self.desk.view()["board"]
        return board

    @property
    def question(self) -> Any:
        return self.desk.view()["question"]

    @property
    def labels(self) -> list[str]:
        return [answer["label"] for answer in self.question["answers"]]

    def answer(self, label: str) -> dict[str, Any]:
        (choice,) = [n for n, text in enumerate(self.labels) if label in text]
        reply = self.desk.control({"do": "answer", "id": self.question["id"], "choice": choice})
        assert reply is not None
        return reply


HOME = (piece(A, 3, 1), piece(B, 3, 5, 180))


def test_a_board_that_agrees_is_only_said_to() -> None:
    scene = Scene()
    scene.still(1)
    assert scene.board["state"] == "blind"
    scene.lie(*HOME)
    assert (scene.board["state"], scene.question, scene.desk.view()["differs"]) == ("agrees", None, [])
    assert scene.board["field"] == {"columns": 5, "rows": 5, "stars": {"A": "3,1", "B": "3,5"}}


def test_an_artist_whose_marker_is_not_seen_is_named_though_the_rest_agrees() -> None:
    scene = Scene()
    scene.lie(HOME[0])
    assert (scene.board["state"], scene.board["unseen"]) == ("agrees", ["B"])


def test_a_picture_of_which_the_aim_is_not_known_yet_changes_nothing() -> None:
    scene = Scene()
    scene.lie(*HOME)
    scene.lie(piece(A, 3, 2), HOME[1])
    asked = scene.question
    scene.gaze.unknown = True
    scene.still(0.3)
    scene.gaze.unknown = False
    scene.still(1)
    assert scene.question == asked


def test_a_move_by_hand_is_asked_and_applied_only_by_a_tap() -> None:
    scene = Scene()
    scene.lie(*HOME)
    scene.lie(piece(A, 3, 2), HOME[1])
    assert (scene.board["state"], scene.units["A"]) == ("differs", "3,1")
    assert scene.question["text"] == "A is seen in 3,2; the match has it in 3,1. What happened?"
    assert scene.labels == ["A moves to 3,2", AS_IT_LIES, PUT_BACK]
    assert scene.answer("A moves")["ok"]
    scene.still(1)
    assert (scene.units["A"], scene.board["state"], scene.question) == ("3,2", "agrees", None)
    scene.do(do="undo")
    scene.still(2)
    assert scene.units["A"] == "3,1"
    assert (scene.board["state"], scene.question) == ("differs", None)  # the hand is on its way back
    scene.lie(*HOME)
    assert (scene.board["state"], scene.question) == ("agrees", None)


def test_the_match_told_first_waits_for_the_hand_and_then_asks() -> None:
    scene = Scene()
    scene.lie(*HOME)
    scene.do(do="move", unit="A", direction="up")
    scene.still(LAG_NS / 1e9 - 1)
    assert (scene.board["state"], scene.question) == ("differs", None)
    assert scene.board["text"] == ["A is seen in 3,1; the match has it in 3,2."]
    scene.still(2)
    assert "A moves to 3,1" in scene.labels


def test_what_no_single_entry_explains_is_taken_as_it_lies_or_put_back() -> None:
    scene = Scene()
    scene.lie(*HOME)
    scene.lie(piece(A, 5, 4, 90), piece(B, 1, 1, 180))
    assert scene.labels == [AS_IT_LIES, PUT_BACK]
    assert scene.table.take_tray()["units"][1] == {"unit": "B", "zone": "1,1"}
    assert scene.answer(PUT_BACK)["ok"]
    scene.still(20)
    assert (scene.units["A"], scene.question, scene.board["state"]) == ("3,1", None, "differs")
    scene.lie(piece(A, 5, 4, 90), HOME[1])
    assert scene.table.take_tray() == {"do": "correct", "unit": "A", "zone": "5,4", "exhausted": True}
    assert scene.answer(AS_IT_LIES)["ok"]
    scene.still(1)
    assert (scene.units["A"], scene.board["state"]) == ("5,4", "agrees")


def test_a_question_goes_when_the_board_is_put_right() -> None:
    scene = Scene()
    scene.lie(*HOME)
    scene.lie(piece(A, 4, 1), HOME[1])
    assert scene.question is not None
    scene.lie(*HOME)
    assert (scene.question, scene.board["state"]) == (None, "agrees")


def test_an_answer_that_the_match_refuses_is_asked_anew() -> None:
    scene = Scene()
    scene.lie(*HOME)
    scene.lie(piece(A, 3, 2), HOME[1])
    asked, table = scene.question["id"], scene.table
    scene.desk.session._states[-1] = None  # whatever makes a command impossible between question and answer
    assert not scene.answer("A moves")["ok"]
    scene.desk.session._states[-1] = table._state
    scene.still(1)
    assert scene.question is not None
    assert scene.question["id"] != asked


@pytest.mark.parametrize(
    ("lays", "text", "labels"),
    [
        (
            (Piece(A, (0, 0), None, 0, "between", (Zone("field", 3, 2), Zone("field", 3, 1))), HOME[1]),
            "A lies between 3,2 and 3,1. Where does it belong?",
            ["In 3,1: as the match has it", "In 3,2: A moves to 3,2"],
        ),
        (
            (Piece(A, (0, 0), reason="twice", between=(Zone("field", 3, 1), Zone("field", 5, 5))), HOME[1]),
            "The marker of A is seen more than once: 3,1 and 5,5. Where does it belong?",
            ["In 3,1: as the match has it", "In 5,5: take it as it lies"],
        ),
        (
            (piece(A, 3, 1, None, reason="askew"), HOME[1]),
            "A in 3,1 is half turned. How is it meant?",
            ["Refreshed: as the match has it", "Exhausted: A plays a card as an Intention, paying: A is exhausted"],
        ),
        (
            (Piece(A, (0, 0), reason="off"), HOME[1]),
            "A is seen beside the field; the match has it in 3,1. What happened?",
            [],
        ),
        ((*HOME, piece(34, 2, 2)), "A marker of no piece (34) is seen in 2,2. What happened?", []),
    ],
)
def test_what_is_not_sure_is_asked_and_never_guessed(lays: tuple[Piece, ...], text: str, labels: list[str]) -> None:
    scene = Scene()
    scene.lie(*HOME)
    scene.lie(*lays)
    assert scene.question["text"] == text
    found = [label.removesuffix(" (an ability card)") for label in scene.labels]
    assert found == [*labels, PUT_BACK]
    assert scene.units == {"A": "3,1", "B": "3,5"}


def test_a_hand_holds_questions_back_and_a_covered_piece_stays_where_it_was() -> None:
    scene = Scene()
    scene.lie(*HOME)
    scene.gaze.moving, scene.gaze.at_rest = True, {A: piece(A, 3, 2), B: HOME[1]}
    scene.still(5)
    assert (scene.board["state"], scene.question) == ("moving", None)
    scene.still(5)  # something else moves, and goes on
    assert scene.labels[0] == "A moves to 3,2"
    scene.gaze.moving, scene.gaze.covered = False, {A}
    scene.still(PICKED_NS / 1e9 + 2)
    assert (scene.board["state"], scene.board["unseen"], scene.question) == ("agrees", ["A"], None)


def test_while_a_piece_is_in_somebodys_hand_nothing_is_asked() -> None:
    """A swap by hand: one of the two is put down before the other."""
    scene = Scene()
    scene.lie(*HOME)
    scene.gaze.covered = {B}
    scene.lie(piece(A, 3, 5), HOME[1], seconds=2.5)
    assert (scene.board["state"], scene.question) == ("differs", None)
    scene.gaze.covered = set()
    scene.lie(piece(A, 3, 5), piece(B, 3, 1, 180))
    assert scene.labels[0] == "A and B swap"


def test_a_summon_that_is_not_seen_any_more_is_asked_about() -> None:
    scene = Scene()
    scene.do(do="summon", player="A", kind="fish", zone="2,2")
    scene.lie(*HOME, piece(FISH, 2, 2))
    scene.gaze.covered = {FISH}
    scene.still(PICKED_NS / 1e9 + 2)
    assert scene.question["text"] == "A.fish1 is not seen any more; the match has it in 2,2. What happened?"
    assert scene.labels == ["1 damage to 2,2", AS_IT_LIES, PUT_BACK]
    assert scene.board["unseen"] == ["A.fish1"]
    assert scene.answer(PUT_BACK)["ok"]
    scene.still(20)
    assert (scene.question, "A.fish1" in scene.units) == (None, True)
    scene.do(do="remove", unit="A.fish1")
    scene.still(1)
    assert (scene.board["state"], scene.board["unseen"]) == ("agrees", [])


def test_a_marker_that_never_comes_to_rest_does_not_hide_what_does() -> None:
    scene = Scene()
    scene.lie(*HOME)
    scene.gaze.unrest = {FISH}
    scene.lie(piece(A, 3, 2), HOME[1], seconds=1)
    assert scene.question is None
    scene.still(MOST_NS / 1e9)
    assert scene.labels[0] == "A moves to 3,2"
    assert scene.board["unseen"] == ["A summon 3"]


def test_a_card_that_is_turned_over_is_damage_and_not_out_of_sight() -> None:
    scene = Scene(masterpiece=["A1", None, None, None, None])
    scene.lie(*HOME, piece(CARD, 1, 0))
    assert scene.board["state"] == "agrees"
    scene.gaze.covered = {CARD}
    scene.lie(*HOME, piece(CARD, 1, 0), piece(CARD_BACK, 1, 0), seconds=4)
    assert scene.board["unseen"] == []
    assert scene.labels[0] == "1 damage to 3,1"
    scene.gaze.readable = ("field",)  # after a knock the spaces may lie elsewhere
    scene.still(2)
    assert (scene.board["state"], scene.question) == ("agrees", None)


def test_a_lost_board_and_a_board_of_another_size_are_said_in_a_sentence() -> None:
    scene = Scene()
    scene.lie(*HOME)
    scene.lie(piece(A, 3, 2), HOME[1])
    scene.gaze.lost = True
    scene.still(1)
    notices = [notice["text"] for notice in scene.desk.view()["notices"]]
    assert notices == ["The camera or the board was moved: no piece is read until the board is found again."]
    assert (scene.board["state"], scene.question, scene.desk.view()["aim"]) == (
        "lost",
        None,
        {"ok": False, "shift_px": 12},
    )
    scene.gaze.lost = False
    scene.still(1)
    assert (scene.board["state"], scene.desk.view()["notices"]) == ("differs", [])
    other = Scene(field={"columns": 4, "rows": 5, "stars": {"A": "1,1", "B": "4,5"}})
    other.lie(*HOME)
    assert (other.board["state"], other.question) == ("other", None)
    (notice,) = other.desk.view()["notices"]
    assert "4 × 5 zones, the camera knows a board of 5 × 5" in notice["text"]
    other.gaze.fault = "the picture is 2x2"
    other.still(0.1)
    assert other.desk.view()["notices"][-1]["text"] == "The camera cannot be used: the picture is 2x2."


def test_nothing_is_asked_before_a_match_or_after_its_end() -> None:
    scene = Scene()
    scene.lie(*HOME)
    scene.do(do="concede", player="A")
    scene.lie(piece(A, 4, 4), HOME[1], seconds=3)
    assert (scene.question, scene.board["state"]) == (None, "idle")
    empty = ReactTable(FakeGaze(), BoardSize(5, 5))
    desk = Desk(Session(game("react"), MemoryLog()), empty)
    desk.see(Frame(IMAGE, FRAME_NS))
    assert (desk.view()["question"], desk.view()["board"]["field"]["stars"]) == (None, None)
    assert isinstance(empty.take_tray(), Reason)


def test_drawn_pictures_end_to_end() -> None:
    """A hand reaches in, moves A by one zone while it covers it, and leaves; asked, confirmed, undone; then a knock."""
    board = Board()
    shown: dict[str, Any] = {"pieces": {A: (3, 1, 0), B: (3, 4, 180), CARD: (2, 0, 0)}, "hand": None, "shift": (0, 0)}
    gaze = BoardGaze(calibration(board, {B: (1, 1, 0)}))
    scene = Scene(
        gaze,
        lambda: board.picture(**shown),
        BoardSize(5, 4),
        field={"columns": 5, "rows": 4, "stars": {"A": "3,1", "B": "3,4"}},
        masterpiece=[None, "A1", None, None, None],
    )
    start: Mapping[int, Place] = shown["pieces"]

    def show(seconds: float, **change: Any) -> None:
        shown.update(change)
        scene.still(seconds)

    show(1)
    assert (scene.board["state"], scene.board["unseen"]) == ("agrees", [])
    assert sorted(scene.table._lays) == [A, B, CARD]
    for tip in ((5.0, 0.2), (4.0, 0.6), (3.0, 1.0)):
        show(0.1, hand=tip)
        assert scene.board["state"] == "moving"
    show(0.6)
    for n, tip in enumerate(((3.0, 1.3), (3.0, 1.7), (3.0, 2.0))):
        show(0.1, hand=tip, pieces={**start, A: (3, 1 + n / 2, 0)})
    assert (scene.question, scene.units["A"]) == (None, "3,1")
    show(0.1, hand=(4.0, 0.6))
    show(1.6, hand=None)
    assert scene.labels[0] == "A moves to 3,2"
    assert scene.units["A"] == "3,1"
    assert scene.answer("A moves")["ok"]
    show(0.3)
    assert (scene.units["A"], scene.board["state"]) == ("3,2", "agrees")
    assert scene.desk.session.timeline[-1].command == {"do": "move", "unit": "A", "to": "3,2"}
    scene.do(do="undo")
    show(0.3)
    assert (scene.units["A"], scene.board["state"], scene.question) == ("3,1", "differs", None)
    show(1.5, pieces=start)
    assert scene.board["state"] == "agrees"
    # the camera is knocked, and finds the board again by itself
    show(0.5, shift=(24, -15))
    assert scene.board["state"] == "lost"
    show(1.5)
    assert (scene.board["state"], scene.desk.view()["notices"]) == ("agrees", [])
    show(1.4, pieces={**start, CARD: (4, 0, 0), A: (3.45, 1, 0)})
    assert scene.question["text"] == "A lies between 3,1 and 4,1. Where does it belong?"
