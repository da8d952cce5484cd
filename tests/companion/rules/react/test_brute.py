"""The rules against a second reading of the rulebook, command by command."""

from __future__ import annotations

import copy
import json
from collections import Counter

from companion.games import game
from companion.log import MemoryLog
from companion.session import Session
from tests.companion.rules.react.brute import Book, NoError, Trier, as_book


def against_the_book(seed: int, commands: int = 120) -> Counter[str]:
    """What was seen of each command: done, refused."""
    trier = Trier(seed)
    setup = trier.setup()
    session = Session(game("react"), MemoryLog())
    assert session.submit(setup).accepted, setup
    book = Book(setup)
    assert as_book(session.state_json) == book.table(), setup
    seen: Counter[str] = Counter()
    for number in range(commands):
        command = trier.command(book)
        before = json.dumps(session.state_json)
        reply = session.submit(command)
        after = copy.deepcopy(book)
        where = f"seed {seed}, {number}: {command}: {reply.body.get('error') or reply.body.get('events')}"
        try:
            failed = after.do(command)
        except NoError:
            assert not reply.accepted, where
            assert json.dumps(session.state_json) == before, where
            seen[f"{command['do']} refused"] += 1
            continue
        assert reply.accepted, where
        assert failed == sum(event["type"] == "failed" for event in reply.body["events"]), where
        book = after
        assert as_book(session.state_json) == book.table(), where
        seen[command["do"]] += 1
        if book.winner:
            return seen + Counter({f"over {book.winner}": 1})
    return seen


def test_both_readings_agree() -> None:
    seen: Counter[str] = Counter()
    for seed in range(25):
        seen += against_the_book(seed)
    assert {"play", "play refused", "pass", "resolve", "draw", "end_turn", "progress", "over A", "over B"} <= set(seen)
