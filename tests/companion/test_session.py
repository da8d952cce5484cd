"""The session with a game that knows no marble: replies, log and undo are the same for every game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import InputError
from companion.log import LogWriteError, MemoryLog, SqliteLog
from companion.session import Session
from tests.toy.noughts import NOUGHTS

SETUP = {"do": "setup", "first": "O"}


def _mark(player: str, square: int) -> dict[str, object]:
    return {"do": "mark", "player": player, "square": square}


def _session() -> Session:
    session = Session(NOUGHTS, MemoryLog())
    assert session.submit(SETUP).accepted
    return session


def _won() -> Session:
    session = _session()
    for player, square in (("O", 0), ("X", 3), ("O", 1), ("X", 4), ("O", 2)):
        assert session.submit(_mark(player, square)).accepted
    assert session.state.winner == "O"
    return session


def test_an_accepted_command_is_answered_with_its_events_and_the_state() -> None:
    reply = _session().submit(_mark("O", 4))
    assert reply.body == {
        "ok": True,
        "events": [{"type": "marked", "player": "O", "square": 4}],
        "state": {"turn": "X", "squares": "....O....", "winner": None},
    }


def test_a_refused_command_leaves_the_state_bytes_alone_and_is_kept_with_its_reason() -> None:
    log = MemoryLog()
    session = Session(NOUGHTS, log)
    session.submit(SETUP)
    session.submit(_mark("O", 4))
    before, version = json.dumps(session.state_json), session.version
    reply = session.submit(_mark("X", 4))
    assert json.dumps(reply.body["state"]) == json.dumps(session.state_json) == before
    assert session.version == version
    assert reply.body["error"] == {"code": "taken", "text": "That square is taken.", "cells": ["4"]}
    last = log.records()[-1]
    assert (last.kind, last.command, last.error) == ("refused", _mark("X", 4), reply.body["error"])


def test_before_the_setup_the_state_is_null_and_nothing_else_is_possible() -> None:
    session = Session(NOUGHTS, MemoryLog())
    for command in (_mark("O", 1), {"do": "undo"}, {"do": "redo"}):
        body = session.submit(command).body
        assert (body["ok"], body["error"]["code"], body["state"]) == (False, "not_now", None)


def test_undo_reaches_across_the_end_of_a_match() -> None:
    session = _won()
    assert session.submit(_mark("X", 8)).code == "match_over"
    reply = session.submit({"do": "undo"})
    assert reply.body["state"]["winner"] is None
    assert reply.body["events"] == [{"type": "undone", "seq": 6, "command": _mark("O", 2)}]
    assert session.submit({"do": "redo"}).body["state"]["winner"] == "O"


def test_undo_stops_at_the_setup_and_redo_at_the_last_command() -> None:
    session = _won()
    assert session.submit({"do": "redo"}).code == "nothing_to_redo"
    for _ in range(5):
        assert session.submit({"do": "undo"}).accepted
    assert session.state_json == {"turn": "O", "squares": ".........", "winner": None}
    assert session.submit({"do": "undo"}).code == "nothing_to_undo"


def test_a_new_command_drops_what_could_be_redone() -> None:
    session = _won()
    session.submit({"do": "undo"})
    session.submit(_mark("O", 8))
    assert session.submit({"do": "redo"}).code == "nothing_to_redo"


def test_a_refused_command_keeps_what_could_be_redone() -> None:
    session = _won()
    session.submit({"do": "undo"})
    assert session.submit(_mark("X", 8)).code == "not_your_turn"
    assert session.submit({"do": "redo"}).accepted


@pytest.mark.parametrize("command", [{"do": "undo", "n": 2}, {"do": "redo", "player": "O"}])
def test_undo_and_redo_have_no_fields(command: dict[str, object]) -> None:
    assert _won().submit(command).code == "bad_command"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   ",
        b"[]",
        b'["do"]',
        b"null",
        b"3",
        b'"undo"',
        b"{",
        b'{"do": "undo"} {"do": "undo"}',
        b'{"do": "undo", "do": "redo"}',
        b'{"do": "mark", "player": "O", "square": NaN}',
        b'{"do": "mark", "player": "O", "square": -Infinity}',
        b'{"do": "mark", "player": "O", "square": 1e999}',
        b'{"do": "mark", "player": "\\ud800", "square": 1}',
        b'{"do": "mark", "player": "O", "square": ' + b"9" * 5000 + b"}",
        b'\xef\xbb\xbf{"do": "undo"}',
        b'{"do": "\xff"}',
        b"[" * 60_000,
        b'{"do": ' * 9_000,
        b'{"do": "mark", "player": "' + b"O" * 65_536 + b'"}',
        b"{}",
        b'{"do": null}',
        b'{"do": ["mark"]}',
        b'{"do": 1}',
    ],
)
def test_a_line_that_is_no_command_is_refused_and_changes_nothing(line: bytes) -> None:
    session = _session()
    before = json.dumps(session.state_json)
    body = session.submit_line(line).body
    assert body["error"]["code"] == "bad_command"
    assert body["error"]["text"].endswith(".")
    assert json.dumps(body["state"], allow_nan=False) == before


def test_a_programs_odd_values_are_no_commands_either() -> None:
    session = _session()
    assert session.submit({1: "mark"}).code == "bad_command"
    assert session.submit(None).code == "bad_command"


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_get_an_answer(line: bytes) -> None:
    assert _session().submit_line(line).code in ("bad_command", "unknown_command")


moves = st.tuples(st.sampled_from("OX"), st.integers(-1, 9)).map(lambda m: _mark(*m))
commands = st.lists(
    st.one_of(moves, moves, st.sampled_from([{"do": "undo"}, {"do": "redo"}, {"do": "dance"}])), max_size=40
)


@given(commands)
def test_a_replay_of_the_log_gives_the_state(order: list[dict[str, object]]) -> None:
    log = MemoryLog()
    session = Session(NOUGHTS, log)
    session.submit(SETUP)
    for command in order:
        session.submit(command)
    again = Session(NOUGHTS, log)
    assert (again.state, again.version, again.history) == (session.state, session.version, session.history)


@given(commands)
def test_after_any_play_undo_then_redo_is_nothing(order: list[dict[str, object]]) -> None:
    session = _session()
    for command in order:
        session.submit(command)
    before = json.dumps(session.state_json)
    if session.submit({"do": "undo"}).accepted:
        assert session.submit({"do": "redo"}).accepted
    assert json.dumps(session.state_json) == before


@settings(max_examples=15, deadline=None)
@given(commands)
def test_a_match_on_disk_is_the_same_match(
    tmp_path_factory: pytest.TempPathFactory, order: list[dict[str, object]]
) -> None:
    path = tmp_path_factory.mktemp("log") / "m.sqlite"
    session = Session(NOUGHTS, SqliteLog(path, "noughts"))
    session.submit(SETUP)
    for command in order:
        session.submit(command)
    session.close()
    again = Session(NOUGHTS, SqliteLog(path, "noughts"))
    assert (again.state, again.version) == (session.state, session.version)
    again.close()


def test_a_set_up_begins_a_new_match_in_a_log_of_its_own() -> None:
    logs = [MemoryLog(), MemoryLog()]
    coming = iter(logs)
    session = Session(NOUGHTS, next_log=lambda: next(coming))
    session.submit(SETUP)
    session.submit(_mark("O", 4))
    assert session.submit(SETUP).code == "not_now"
    assert session.restart({"first": "O"}).accepted
    assert session.state_json == {"turn": "O", "squares": ".........", "winner": None}
    assert session.submit({"do": "undo"}).code == "nothing_to_undo"
    kinds = [[record.kind for record in log.records()] for log in logs]
    assert kinds == [["accepted", "accepted", "refused"], ["accepted", "refused"]]


def test_a_restart_that_the_game_refuses_leaves_the_match_as_it_was() -> None:
    session = _session()
    before = json.dumps(session.state_json)
    assert session.restart({"first": "Z"}).code == "bad_value"
    assert json.dumps(session.state_json) == before
    assert session.submit(_mark("O", 4)).accepted


class _FullDisk(MemoryLog):
    def append(self, *args: object, **kwargs: object) -> object:
        if len(self.records()) == 2:
            raise LogWriteError("the disk is full")
        return super().append(*args, **kwargs)


@pytest.mark.parametrize("command", [_mark("X", 1), {"do": "undo"}, _mark("O", 4)])
def test_what_cannot_be_written_has_not_happened(command: dict[str, object]) -> None:
    session = Session(NOUGHTS, _FullDisk())
    session.submit(SETUP)
    session.submit(_mark("O", 4))
    before = (json.dumps(session.state_json), session.version, session.history)
    with pytest.raises(LogWriteError):
        session.submit(command)
    assert (json.dumps(session.state_json), session.version, session.history) == before


def test_a_log_that_these_rules_cannot_replay_is_bad_input() -> None:
    log = MemoryLog()
    log.append("accepted", SETUP, [{"type": "began", "first": "O"}])
    log.append("accepted", {"do": "mark"}, [{"type": "danced"}])
    with pytest.raises(InputError, match="record 2"):
        Session(NOUGHTS, log)


def test_records_that_cannot_follow_each_other_are_bad_input() -> None:
    log = MemoryLog()
    log.append("accepted", SETUP, [{"type": "began", "first": "O"}])
    log.append("undo", {"do": "undo"})
    with pytest.raises(InputError, match="record 2"):
        Session(NOUGHTS, log)


def test_two_logs_agree(tmp_path: Path) -> None:
    disk = SqliteLog(tmp_path / "m.sqlite", "noughts")
    memory = MemoryLog()
    for log in (memory, disk):
        session = Session(NOUGHTS, log)
        for command in (SETUP, _mark("O", 1), _mark("O", 2), {"do": "undo"}, {"do": "redo"}):
            session.submit(command)
    assert [(r.seq, r.kind, r.command, r.events, r.error) for r in disk.records()] == [
        (r.seq, r.kind, r.command, r.events, r.error) for r in memory.records()
    ]
    disk.close()
