"""The referee as a program: one line in, one line out, at once."""

from __future__ import annotations

import io
import json

from companion.commands.referee import serve
from companion.log import MemoryLog
from companion.session import Session
from tests.toy.noughts import NOUGHTS


def _serve(text: bytes) -> list[dict[str, object]]:
    replies = io.BytesIO()
    serve(Session(NOUGHTS, MemoryLog()), io.BytesIO(text), replies)
    return [json.loads(line) for line in replies.getvalue().splitlines()]


def test_one_reply_for_each_line_whatever_its_end() -> None:
    setup = b'{"do": "setup", "first": "O"}'
    replies = _serve(b"\n" + setup + b"\r\n" + b"x" * 200_000 + b"\n" + b'{"do": "undo"}')
    assert [reply["ok"] for reply in replies] == [False, True, False, False]
    assert replies[2]["error"]["code"] == "bad_command"
    assert replies[3]["error"]["code"] == "nothing_to_undo"


def test_a_line_of_exactly_the_limit_is_read() -> None:
    line = b'{"do": "setup", "first": "O"' + b" " * (64 * 1024 - 29) + b"}"
    assert len(line) == 64 * 1024
    replies = _serve(line + b"\n" + line + b" \n" + line)
    assert [reply["ok"] or reply["error"]["code"] for reply in replies] == [True, "bad_command", "not_now"]


def test_nothing_in_nothing_out() -> None:
    assert _serve(b"") == []
