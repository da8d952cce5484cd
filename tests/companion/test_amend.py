"""Corrections of older commands, with a game that knows no marble (companion/amending.py)."""

from __future__ import annotations

import copy
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from companion.history import HistoryError, Record, history, history_to_json
from companion.log import LogWriteError, MemoryLog, SqliteLog
from companion.rules.core import Event, Rejection
from companion.session import Reply, Session
from tests.toy.noughts import NOUGHTS, Noughts

SETUP = {"do": "setup", "first": "O"}
UNDO, REDO = {"do": "undo"}, {"do": "redo"}


def _mark(player: str, square: int) -> dict[str, Any]:
    return {"do": "mark", "player": player, "square": square}


def _replace(seq: int, command: dict[str, Any]) -> dict[str, Any]:
    return {"do": "amend", "seq": seq, "command": command}


def _remove(seq: int) -> dict[str, Any]:
    return {"do": "amend", "seq": seq, "remove": True}


def _insert(after: int, command: dict[str, Any]) -> dict[str, Any]:
    return {"do": "amend", "after": after, "command": command}


def _session(*commands: dict[str, Any]) -> Session:
    session = Session(NOUGHTS, MemoryLog())
    for command in (SETUP, *commands):
        assert session.submit(command).accepted
    return session


def _four() -> Session:
    """Records 2 to 5: O0 X3 O1 X4."""
    return _session(_mark("O", 0), _mark("X", 3), _mark("O", 1), _mark("X", 4))


def _won() -> Session:
    """Record 6 wins: O0 X3 O1 X4 O2."""
    session = _four()
    assert session.submit(_mark("O", 2)).accepted
    assert session.state.winner == "O"
    return session


def _everything(session: Session) -> str:
    """All that an undo must bring back, as bytes."""
    timeline = [(r.seq, r.kind, r.command, r.events, r.error, r.wall) for r in session.history.timeline]
    return json.dumps([session.state_json, timeline, session.misfits_to_json()])


def _seqs(session: Session) -> list[int]:
    return [record.seq for record in session.timeline]


def _misfits(reply: Reply) -> list[tuple[int, str]]:
    return [(misfit["seq"], misfit["error"]["code"]) for misfit in reply.body["misfits"]]


# -- replace, remove, insert --


def test_a_replaced_command_keeps_its_number_and_what_follows_is_decided_again() -> None:
    session = _won()
    reply = session.submit(_replace(4, _mark("O", 8)))
    assert reply.body == {
        "ok": True,
        "events": [{"type": "amended", "seq": 4, "command": _mark("O", 8), "was": _mark("O", 1)}],
        "state": {"turn": "X", "squares": "O.OXX...O", "winner": None},
        "misfits": [],
    }
    assert _seqs(session) == [1, 2, 3, 4, 5, 6]
    assert session.timeline[3].command == _mark("O", 8)
    assert [event["type"] for event in session.timeline[5].events] == ["marked"], "it no longer wins"
    assert session.version == 7


def test_a_command_that_is_taken_out_leaves_those_that_fit() -> None:
    session = _four()
    reply = session.submit(_remove(3))
    assert reply.body["events"] == [{"type": "amended", "seq": 3, "command": None, "was": _mark("X", 3)}]
    assert _misfits(reply) == [(4, "not_your_turn")]
    assert _seqs(session) == [1, 2, 5]
    assert reply.body["state"] == {"turn": "O", "squares": "O...X....", "winner": None}


def test_the_last_command_can_be_taken_out_too() -> None:
    session = _four()
    assert _misfits(session.submit(_remove(5))) == []
    assert (_seqs(session), session.state_json) == ([1, 2, 3, 4], _session(*_commands(session)).state_json)


def _commands(session: Session) -> list[dict[str, Any]]:
    return [dict(record.command) for record in session.timeline[1:]]


def test_an_inserted_command_has_the_number_of_its_amendment() -> None:
    session = _four()
    reply = session.submit(_insert(5, _mark("O", 2)))
    assert reply.body["events"] == [{"type": "amended", "seq": 6, "command": _mark("O", 2), "was": None}]
    assert (_seqs(session), session.state.winner) == ([1, 2, 3, 4, 5, 6], "O")


def test_a_command_can_be_put_in_right_behind_the_set_up() -> None:
    session = _four()
    reply = session.submit(_insert(1, _mark("O", 8)))
    # the same player twice: O0 does not fit, X3 answers O8
    assert _misfits(reply) == [(2, "not_your_turn")]
    assert _seqs(session) == [1, 6, 3, 4, 5]
    assert session.state.squares == ".O.XX...O"


def test_a_misfit_keeps_its_place_and_its_reason() -> None:
    session = _four()
    reply = session.submit(_replace(2, _mark("O", 3)))
    taken = {"code": "taken", "text": "That square is taken.", "cells": ["3"]}
    assert reply.body["misfits"][0] == {"seq": 3, "command": _mark("X", 3), "error": taken}
    assert reply.body["misfits"] == session.misfits_to_json()
    assert next((r.seq, r.error) for r in session.misfits) == (3, taken)
    assert [r.seq for r in session.history.timeline] == [1, 2, 3, 4, 5]


def test_play_goes_on_behind_misfits() -> None:
    session = _four()
    session.submit(_remove(3))
    assert session.submit(_mark("O", 8)).accepted
    assert (_seqs(session), [r.seq for r in session.misfits]) == ([1, 2, 5, 7], [4])
    assert session.submit(UNDO).accepted
    assert "misfits" not in session.submit(REDO).body, "only what changes them tells them"


def test_what_stands_before_the_place_is_not_decided_again() -> None:
    asked: list[Any] = []

    class Counting(Noughts):
        def decide(self, state: Any, command: Any) -> Any:
            asked.append(command)
            return super().decide(state, command)

    session = Session(Counting(), MemoryLog())
    for command in (SETUP, _mark("O", 0), _mark("X", 3), _mark("O", 1), _mark("X", 4)):
        session.submit(command)
    asked.clear()
    session.submit(_replace(4, _mark("O", 8)))
    assert asked == [_mark("O", 8), _mark("X", 4)]
    asked.clear()
    session.submit(UNDO)
    session.submit(REDO)
    assert Session(Counting(), session._log).state_json == session.state_json
    assert asked == [], "undo, redo and replay fold what the log holds"


# -- amending again --


def test_the_same_command_can_be_amended_twice() -> None:
    session = _four()
    session.submit(_replace(4, _mark("O", 8)))
    reply = session.submit(_replace(4, _mark("O", 7)))
    assert reply.body["events"][0]["was"] == _mark("O", 8)
    assert session.state.squares == "O..XX..O."


def test_an_inserted_command_can_be_amended_and_taken_out() -> None:
    session = _four()
    before = session.state_json
    session.submit(_insert(5, _mark("O", 2)))
    assert session.submit(_replace(6, _mark("O", 7))).accepted
    assert (session.state.squares, _seqs(session)[-1]) == ("OO.XX..O.", 6)
    assert session.submit(_remove(6)).accepted
    assert session.state_json == before
    assert session.submit(_remove(6)).code == "bad_value"


def test_a_misfit_can_be_made_to_fit() -> None:
    session = _won()
    assert _misfits(session.submit(_replace(4, _mark("O", 4)))) == [(5, "taken"), (6, "not_your_turn")]
    assert session.submit(_replace(5, _mark("X", 5))).body["misfits"] == []
    assert session.state.squares == "O.OXOX..."


def test_a_misfit_can_be_taken_out() -> None:
    session = _four()
    session.submit(_remove(3))
    reply = session.submit(_remove(4))
    assert (reply.body["misfits"], reply.body["events"][0]["was"]) == ([], _mark("O", 1))
    assert [r.seq for r in session.history.timeline] == [1, 2, 5]


def test_a_command_can_be_put_in_behind_a_misfit() -> None:
    session = _four()
    session.submit(_remove(3))
    assert _misfits(session.submit(_insert(4, _mark("X", 8)))) == [(4, "not_your_turn"), (5, "not_your_turn")]
    assert [r.seq for r in session.history.timeline] == [1, 2, 4, 7, 5]


def test_what_stands_before_the_place_stays_a_misfit() -> None:
    session = _four()
    session.submit(_remove(3))
    assert _misfits(session.submit(_remove(5))) == [(4, "not_your_turn")]


def test_an_amendment_that_changes_nothing_is_a_step_of_undo_like_any_other() -> None:
    session = _four()
    before = _everything(session)
    reply = session.submit(_replace(4, _mark("O", 1)))
    assert (reply.accepted, reply.body["misfits"], session.version) == (True, [], 6)
    assert _everything(session) == before
    assert session.submit(UNDO).body["events"][0]["seq"] == 6
    assert _everything(session) == before


# -- the set-up, and the end --


def test_the_set_up_can_be_replaced() -> None:
    session = _four()
    reply = session.submit(_replace(1, {"do": "setup", "first": "X"}))
    assert _misfits(reply) == [(2, "not_your_turn")]
    assert session.state.squares == ".O.XX...."
    assert session.history.setup == session.timeline[0]
    assert session.submit(UNDO).body["state"] == _four().state_json
    assert session.submit(REDO).body["state"]["squares"] == ".O.XX...."


def test_the_set_up_stays_where_it_is() -> None:
    session = _four()
    for command, code in (
        (_remove(1), "bad_value"),
        (_replace(1, _mark("O", 0)), "bad_command"),
        (_replace(2, SETUP), "bad_command"),
        (_insert(1, SETUP), "bad_command"),
        (_replace(1, {"do": "setup", "first": "Z"}), "bad_value"),
    ):
        before = _everything(session)
        assert session.submit(command).code == code
        assert _everything(session) == before


def test_an_older_error_can_end_or_reopen_a_match() -> None:
    session = _won()
    assert session.submit(_mark("X", 8)).code == "match_over"
    assert session.submit(_replace(4, _mark("O", 8))).accepted
    assert session.state.winner is None
    assert session.submit(_mark("X", 5)).accepted, "the match goes on, and X wins"
    assert session.state.winner == "X"
    # O wins earlier after all: what X did then is of no match any more
    reply = session.submit(_replace(4, _mark("O", 1)))
    assert (_misfits(reply), session.state.winner) == ([(9, "match_over")], "O")
    assert session.submit(UNDO).body["state"]["winner"] == "X"
    assert session.submit(UNDO).body["state"]["winner"] is None


def test_after_a_new_match_the_old_one_cannot_be_reached() -> None:
    session = _won()
    assert session.submit(SETUP).accepted
    reply = session.submit(_replace(2, _mark("O", 8)))
    assert (reply.code, reply.body["error"]["text"].split(": ")[1]) == ("bad_value", "'seq' is one of 7.")


# -- undo and redo --


def test_undo_of_an_amendment_brings_back_exactly_what_was_and_redo_what_is() -> None:
    session = _won()
    before = _everything(session)
    reply = session.submit(_replace(2, _mark("O", 4)))
    assert reply.body["misfits"]
    after = _everything(session)
    undone = session.submit(UNDO)
    assert undone.body["events"] == [{"type": "undone", "seq": 7, "command": _replace(2, _mark("O", 4))}]
    assert (undone.body["misfits"], _everything(session)) == ([], before)
    redone = session.submit(REDO)
    assert (redone.body["misfits"], _everything(session)) == (reply.body["misfits"], after)


def test_undo_goes_back_through_amendments_and_commands_alike() -> None:
    session = _four()
    steps = [_mark("O", 2), _replace(4, _mark("O", 8)), _mark("X", 5), _remove(3), _insert(1, _mark("O", 6)), UNDO]
    past = []
    for command in steps[:-1]:
        past.append(_everything(session))
        assert session.submit(command).accepted, command
    now = _everything(session)
    for before in reversed(past):
        session.submit(UNDO)
        assert _everything(session) == before
    for before in (*past[1:], now):
        session.submit(REDO)
        assert _everything(session) == before
    assert session.submit(REDO).code == "nothing_to_redo"


def test_an_amendment_drops_what_could_be_redone() -> None:
    session = _four()
    session.submit(UNDO)
    assert session.submit(_replace(2, _mark("O", 8))).accepted
    assert session.submit(REDO).code == "nothing_to_redo"


def test_a_refused_amendment_keeps_what_could_be_redone() -> None:
    session = _four()
    session.submit(UNDO)
    assert session.submit(_replace(2, _mark("X", 8))).code == "not_your_turn"
    assert session.submit(REDO).accepted


# -- refusals --


def test_the_games_own_reason_refuses_the_new_command_and_nothing_changes() -> None:
    session = _four()
    before, version = _everything(session), session.version
    reply = session.submit(_replace(4, _mark("O", 3)))
    assert reply.body["error"] == {"code": "taken", "text": "That square is taken.", "cells": ["3"]}
    assert session.submit(_insert(4, {"do": "dance"})).code == "unknown_command"
    assert (_everything(session), session.version) == (before, version)
    last = session._log.records()[-2]
    assert (last.kind, last.command, last.error) == ("refused", _replace(4, _mark("O", 3)), reply.body["error"])


@pytest.mark.parametrize("seq", [0, 4, 6, 7, 99, -1, True, 2.0, "2", None, [2], 10**40])
@pytest.mark.parametrize("field", ["seq", "after"])
def test_what_is_no_command_of_the_timeline_cannot_be_amended(field: str, seq: object) -> None:
    """Record 4 was refused, 6 undone, 7 is the undo."""
    session = _session(_mark("O", 0), _mark("X", 3))
    assert session.submit(_mark("O", 3)).code == "taken"
    assert session.submit(_mark("O", 8)).accepted
    assert session.submit(_mark("X", 7)).accepted
    assert session.submit(UNDO).accepted
    before = _everything(session)
    reply = session.submit({"do": "amend", field: seq, "command": _mark("O", 5)})
    text = f"There is no such command to amend: '{field}' is one of 1 to 3, 5."
    assert reply.body["error"] == {"code": "bad_value", "text": text, "cells": []}
    assert _everything(session) == before


MALFORMED: list[dict[str, Any]] = [
    {},
    {"seq": 2},
    {"after": 2},
    {"command": _mark("O", 8)},
    {"remove": True},
    {"seq": 2, "after": 2, "command": _mark("O", 8)},
    {"seq": 2, "command": _mark("O", 8), "remove": True},
    {"after": 2, "remove": True},
    {"after": 2, "command": _mark("O", 8), "remove": True},
    {"seq": 2, "command": _mark("O", 8), "why": "a slip"},
    {"seq": 2, "command": None},
    {"seq": 2, "command": "mark"},
    {"seq": 2, "command": [_mark("O", 8)]},
    {"seq": 2, "command": {}},
    {"seq": 2, "command": {"do": None}},
    {"seq": 2, "command": {"do": "mark", 8: "square"}},
    {"seq": 2, "command": UNDO},
    {"seq": 2, "command": REDO},
    {"after": 2, "command": UNDO},
    {"seq": 2, "command": _remove(3)},
    {"seq": 2, "command": SETUP},
]


@pytest.mark.parametrize("fields", MALFORMED, ids=repr)
def test_a_malformed_amendment_is_refused_in_one_sentence(fields: dict[str, Any]) -> None:
    session = _four()
    before = _everything(session)
    reply = session.submit({"do": "amend", **fields})
    assert reply.code == "bad_command"
    assert reply.body["error"]["text"].endswith(".")
    assert _everything(session) == before


@pytest.mark.parametrize("value", [False, None, 1, "true", []])
def test_remove_is_true_or_not_there(value: object) -> None:
    reply = _four().submit({"do": "amend", "seq": 2, "remove": value})
    assert reply.body["error"] == {"code": "bad_value", "text": "'remove' is true.", "cells": []}


def test_before_the_set_up_there_is_nothing_to_amend() -> None:
    session = Session(NOUGHTS, MemoryLog())
    assert session.submit(_replace(1, SETUP)).code == "not_now"
    assert session.submit({"do": "amend"}).code == "bad_command"
    assert session.state_json is None


class _FullDisk(MemoryLog):
    full = False

    def append(self, *args: Any, **kwargs: Any) -> Record:
        if self.full:
            raise LogWriteError("the disk is full")
        return super().append(*args, **kwargs)


def test_an_amendment_that_cannot_be_written_has_not_happened() -> None:
    log = _FullDisk()
    session = Session(NOUGHTS, log)
    for command in (SETUP, _mark("O", 0), _mark("X", 3)):
        session.submit(command)
    before = (_everything(session), session.history)
    log.full = True
    for command in (_replace(2, _mark("O", 8)), _remove(2), _insert(2, _mark("X", 8))):
        with pytest.raises(LogWriteError):
            session.submit(command)
        assert (_everything(session), session.history) == before


def test_a_game_that_fails_half_way_changes_nothing() -> None:
    class Fails(Noughts):
        def decide(self, state: Any, command: Any) -> list[Event] | Rejection:
            if state is not None and state.squares == "........O":
                raise RuntimeError("our own fault")
            return super().decide(state, command)

    session = Session(Fails(), MemoryLog())
    for command in (SETUP, _mark("O", 0), _mark("X", 3)):
        session.submit(command)
    before = (_everything(session), session.history)
    with pytest.raises(RuntimeError):
        session.submit(_replace(2, _mark("O", 8)))
    assert (_everything(session), session.history) == before


# -- what is kept --


def test_both_versions_are_in_the_log() -> None:
    session = _four()
    session.submit(_remove(3))
    records = session._log.records()
    assert [r.command for r in records[:5]] == [SETUP, *_commands(_four())]
    amend = records[5]
    assert (amend.kind, amend.command) == ("amend", _remove(3))
    assert amend.events == (
        {"seq": 4, "command": _mark("O", 1), "error": session.misfits[0].error},
        {"seq": 5, "command": _mark("X", 4), "events": [{"type": "marked", "player": "X", "square": 4}]},
    )


def test_a_command_that_its_sender_changes_later_stays_what_it_was() -> None:
    session = Session(NOUGHTS, MemoryLog())
    session.submit(dict(SETUP))
    sent = [_mark("O", 0), _replace(2, _mark("O", 8))]
    for command in sent:
        session.submit(command)
    before = copy.deepcopy(session._log.records())
    sent[0]["square"] = sent[1]["command"]["square"] = 5
    assert session._log.records() == before


def test_without_a_log_it_is_the_same() -> None:
    logged, bare = Session(NOUGHTS, MemoryLog()), Session(NOUGHTS)
    for command in (SETUP, _mark("O", 0), _mark("X", 3), _insert(2, _mark("X", 8)), _remove(4), UNDO, UNDO, REDO):
        assert bare.submit(command).body == logged.submit(command).body


def test_records_take_no_more_room_the_longer_the_match() -> None:
    """Ordinary play keeps one record and one step a command; only an amendment holds a tail."""
    session = Session(NOUGHTS, MemoryLog())
    session.submit(SETUP)
    for _ in range(300):
        session.submit(_mark("O", 4))
        session.submit(UNDO)
    session.submit(_mark("O", 4))
    assert max(len(step.before) + len(step.after) for step in session.history.done) == 1
    assert len(session.history.done) + len(session.history.undone) == 1


TAMPERED: list[dict[str, Any]] = [
    {"command": _remove(9)},
    {"command": _remove(3), "events": ({"seq": 3, "command": {}, "events": []},)},
    {"command": _remove(2), "events": ({"seq": 4, "command": {}, "events": []},)},
    {"command": _insert(3, _mark("O", 8)), "events": ({"seq": 3, "command": {}, "events": []},)},
    {"command": _replace(3, _mark("X", 8)), "events": ({"seq": 3, "command": {}, "error": {"code": "taken"}},)},
    {
        "command": _remove(1),
        "events": ({"seq": 2, "command": {}, "events": []}, {"seq": 3, "command": {}, "events": []}),
    },
]


@pytest.mark.parametrize("fields", TAMPERED, ids=repr)
def test_a_tail_that_is_not_of_its_place_is_no_history(fields: dict[str, Any]) -> None:
    before = history(
        [Record(1, "accepted", SETUP), Record(2, "accepted", _mark("O", 0)), Record(3, "accepted", _mark("X", 3))]
    )
    with pytest.raises(HistoryError, match="record 4"):
        before.add(Record(4, "amend", **fields))


# -- the list for page and tools --


def test_the_list_shows_the_match_as_it_stands_and_what_was_corrected() -> None:
    session = _four()
    session.submit(_remove(3))
    session.submit(_mark("O", 8))
    session.submit(UNDO)
    listed = history_to_json(session.history)
    assert listed["version"] == session.version == 8
    assert [(c["seq"], c.get("undone", False), c["events"], "error" in c) for c in listed["commands"]] == [
        (1, False, ["began"], False),
        (2, False, ["marked"], False),
        (4, False, [], True),
        (5, False, ["marked"], False),
        (7, True, ["marked"], False),
    ]
    assert listed["commands"][2] == {
        "seq": 4, "command": _mark("O", 1), "wall": "", "events": [], "error": session.misfits[0].error,
    }  # fmt: skip
    assert listed["amendments"] == [
        {"seq": 6, "command": _remove(3), "was": _mark("X", 3), "undone": False, "wall": ""}
    ]
    session.submit(UNDO)
    listed = history_to_json(session.history)
    assert [c["seq"] for c in listed["commands"]] == [1, 2, 3, 4, 5, 7]
    assert [a["undone"] for a in listed["amendments"]] == [True]
    json.dumps(listed, allow_nan=False)


def test_the_list_is_in_the_order_of_the_log_also_of_what_can_be_redone() -> None:
    session = _four()
    session.submit(_insert(2, _mark("X", 8)))
    session.submit(_remove(6))
    for _ in range(3):
        session.submit(UNDO)
    listed = history_to_json(session.history)
    assert [c["seq"] for c in listed["commands"]] == [1, 2, 3, 4, 5]
    assert [(a["seq"], a["was"], a["undone"]) for a in listed["amendments"]] == [
        (6, None, True),
        (7, _mark("X", 8), True),
    ]
    session.submit(REDO)
    session.submit(REDO)
    assert [a["undone"] for a in history_to_json(session.history)["amendments"]] == [False, True]


def test_a_command_keeps_the_time_it_was_given_at(tmp_path: Path) -> None:
    hours = itertools.count(1)
    log = SqliteLog(tmp_path / "m.sqlite", "noughts", wall=lambda: f"{next(hours)} o'clock")
    session = Session(NOUGHTS, log)
    for command in (SETUP, _mark("O", 0), _mark("X", 3), _insert(1, _mark("O", 8)), _replace(2, _mark("X", 0))):
        assert session.submit(command).accepted
    expected = [(1, "1 o'clock"), (4, "4 o'clock"), (2, "2 o'clock"), (3, "3 o'clock")]
    assert [(r.seq, r.wall) for r in session.history.timeline] == expected
    session.close()
    again = Session(NOUGHTS, SqliteLog(tmp_path / "m.sqlite", "noughts"))
    assert [(r.seq, r.wall) for r in again.history.timeline] == expected
    again.close()


def test_a_list_of_no_match_is_empty() -> None:
    assert history_to_json(Session(NOUGHTS).history) == {"version": 0, "commands": [], "amendments": []}
