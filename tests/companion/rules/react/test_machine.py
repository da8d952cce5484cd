"""Whole matches through a session: what must hold holds, a refusal changes no byte, undo takes back exactly what was
done, and the log alone gives the same match again.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from companion.games import game, notation
from companion.log import MemoryLog
from companion.session import Session
from tests.companion.rules.react.choosing import CODES, FAILED, Chooser, check


def replayed(log: MemoryLog) -> Session:
    """A session that has only the log, read from JSON as a file would give it."""
    again = MemoryLog()
    for record in log.records():
        again.append(record.kind, *json.loads(json.dumps([record.command, record.events, record.error])))
    return Session(game("react"), again)


class Table:
    """`past`, `future`: the state's bytes that undo and redo reach."""

    def __init__(self) -> None:
        self.log = MemoryLog()
        self.session = Session(game("react"), self.log)
        self.past: list[bytes] = []
        self.future: list[bytes] = []

    @property
    def bytes(self) -> bytes:
        return json.dumps(self.session.state_json).encode()

    def submit(self, command: dict[str, Any]) -> bool:
        before = self.bytes
        reply = self.session.submit(command)
        json.dumps(reply.body, allow_nan=False)
        if not reply.accepted:
            error = reply.body["error"]
            assert self.bytes == before
            assert error["code"] in CODES, error
            assert error["text"].endswith((".", "…", "?")), error
            assert "\n" not in error["text"]
            return False
        events = reply.body["events"]
        assert {event["code"] for event in events if event["type"] == "failed"} <= FAILED
        told = self.session.game.told(events)
        assert all(text.endswith(".") for text in told)
        name = command["do"]
        assert self.session.game.named(command) if name not in ("undo", "redo") else True
        if name == "setup":
            self.past, self.future = [], []
        elif name == "undo":
            assert self.bytes == self.past.pop()
            self.future.append(before)
        elif name == "redo":
            assert self.bytes == self.future.pop()
            self.past.append(before)
        else:
            self.past.append(before)
            self.future = []
            words = notation("react")
            line = words.line(command)
            assert line is None or words.command(line) == json.loads(json.dumps(command))
        return True


class Match(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.table = Table()

    @initialize(rng=st.randoms(use_true_random=False))
    def begin(self, rng: random.Random) -> None:
        self.table.submit(Chooser(rng).setup())

    @rule(rng=st.randoms(use_true_random=False))
    def one(self, rng: random.Random) -> None:
        self.table.submit(Chooser(rng).command(self.table.session.state_json))

    @invariant()
    def all_holds(self) -> None:
        if self.table.session.state_json is not None:
            check(self.table.session.state_json)

    def teardown(self) -> None:
        assert json.dumps(replayed(self.table.log).state_json).encode() == self.table.bytes


Match.TestCase.settings = settings(
    max_examples=20,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    # a whole random stream shrinks for minutes and says no more then
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
TestMatch = Match.TestCase


@pytest.mark.parametrize("seed", range(2))
def test_long_matches(seed: int) -> None:
    """Thousands of commands, all of them counted: each kind is accepted, and refused with each code."""
    rng = random.Random(seed)
    chooser, table = Chooser(rng), Table()
    done: set[str] = set()
    for _ in range(1000):
        command = chooser.command(table.session.state_json)
        if table.submit(command):
            done.add(command["do"])
            if command["do"] not in ("setup", "undo", "redo") and rng.random() < 0.1:
                after = table.bytes
                done |= {"undo", "redo"}
                assert table.submit({"do": "undo"})
                assert table.submit({"do": "redo"})
                assert table.bytes == after
        if table.session.state_json is not None:
            check(table.session.state_json)
    assert json.dumps(replayed(table.log).state_json).encode() == table.bytes
    assert done >= {
        "setup",
        "draw",
        "play",
        "pass",
        "resolve",
        "end_turn",
        "progress",
        "move",
        "correct",
        "undo",
        "redo",
    }
