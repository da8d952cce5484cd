"""Whole matches through a session, against a small model of undo and redo (DESIGN §4, §7).

Whatever is sent: what must hold holds, a refusal changes no byte, undo takes back exactly what was done, and the log
alone gives the same match again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.history import Record
from companion.log import MemoryLog
from companion.rules.rematch.game import REMATCH
from companion.session import Session
from tests.companion.rules.brute import legal_clears
from tests.companion.rules.commanding import BUTTON, CELL, COMMANDS, DIAL, PLAYER, SETUP, answers, check, made_real


def _possible(setup: dict[str, Any]) -> bool:
    return all(setup["tray"].count(colour) <= 11 for colour in "RYB")


NEW_MATCH = SETUP.filter(_possible)
LETTERS = st.text("RYB", min_size=2, max_size=2)


def replayed(log: MemoryLog) -> Session:
    """A session that has only the log, read from JSON as a file would give it."""
    again = MemoryLog()
    for record in log.records():
        kept = json.loads(json.dumps([record.command, record.events, record.error]))
        copy: Record = again.append(record.kind, *kept)
        assert copy.seq == record.seq
    return Session(REMATCH, again)


class Match(RuleBasedStateMachine):
    """`past` and `future`: the state's bytes before each command in force, and after each that can be redone."""

    def __init__(self) -> None:
        super().__init__()
        self.log = MemoryLog()
        self.session = Session(REMATCH, self.log)
        self.past: list[bytes] = []
        self.future: list[bytes] = []

    @property
    def state(self) -> dict[str, Any]:
        assert self.session.state_json is not None
        return self.session.state_json

    @property
    def bytes(self) -> bytes:
        return json.dumps(self.session.state_json).encode()

    def submit(self, command: Mapping[str, Any]) -> bool:
        """Whether it was accepted."""
        before, version = self.bytes, self.session.version
        reply = self.session.submit(dict(command))
        json.dumps(reply.body, allow_nan=False)
        assert reply.body["state"] == self.session.state_json
        assert self.log.records()[-1].kind == {"undo": "undo", "redo": "redo"}.get(command["do"], "accepted") or (
            not reply.accepted and self.log.records()[-1].kind == "refused"
        )
        if reply.accepted:
            assert self.session.version == version + 1
        else:
            assert (self.bytes, self.session.version) == (before, version)
            assert reply.body["error"]["text"].endswith((".", "…"))
        return reply.accepted

    def do(self, command: Mapping[str, Any]) -> bool:
        """A command that is neither setup nor undo nor redo; an accepted one is taken back and done again."""
        before = self.bytes
        if not self.submit(command):
            return False
        after = self.bytes
        assert self.submit({"do": "undo"})
        assert self.bytes == before
        assert self.submit({"do": "redo"})
        assert self.bytes == after
        self.past.append(before)
        self.future.clear()
        return True

    @initialize(setup=NEW_MATCH, opening=st.booleans())
    def set_up(self, setup: dict[str, Any], opening: bool) -> None:
        assert self.submit(setup)
        if not opening:
            assert self.do({"do": "begin"})

    @rule(command=COMMANDS)
    def anything(self, command: dict[str, Any]) -> None:
        self.do(made_real(self.state, command))

    @precondition(lambda self: self.state["phase"] in ("opening", "start"))
    @rule(data=st.data(), refill=st.fixed_dictionaries(dict.fromkeys("abc", LETTERS)))
    def clear(self, data: st.DataObject, refill: dict[str, str]) -> None:
        player, declared = self.state["turn"], self.state["declared"]
        broken = "".join(c for c, dial in self.state["players"][player]["buttons"].items() if dial["broken"])
        legal = legal_clears(self.state["tray"], player, broken)
        if not legal:
            return
        cells = data.draw(st.sampled_from(sorted(map(sorted, legal))), label="cells")
        pulled = {lane: sum(cell[0] == lane for cell in cells) for lane in "abc"}
        dropped = {lane: letters[: pulled[lane]] for lane, letters in refill.items() if pulled[lane]}
        accepted = self.do({"do": "clear", "player": player, "cells": cells, "refill": dropped})
        attack = legal[frozenset(cells)]
        if accepted:
            assert self.state["phase"] == "resolve" or self.state["over"] is not None  # what needs no choice happens
            assert self.state["last_clear"]["attack"] == attack
        else:
            # other things than the chain may be wrong: what was declared, a detour, too many of a colour, a marker
            error = self.log.records()[-1].error or {}
            codes = {error["code"], *(reason["code"] for reason in error.get("reasons", ()))}
            by_marker = {"out_of_reach", "denied_colour", "not_forced"}
            assert codes & {"wrong_attack", "detour", "too_many_of_colour", *by_marker} or self.over_at_start(error)
            assert not codes & by_marker or self.state["markers"]
            assert "wrong_attack" not in codes or attack != declared

    def over_at_start(self, error: Mapping[str, Any] | None) -> bool:
        """Whether the command would have begun the first turn, whose start effects end the match before it."""
        return self.state["phase"] == "opening" and error is not None and error["code"] == "not_now"

    @precondition(lambda self: self.state["over"] is None)
    @rule(source=PLAYER, player=PLAYER, buttons=st.sets(BUTTON, min_size=1), amount=st.integers(1, 10))
    def hit(self, source: str, player: str, buttons: set[str], amount: int) -> None:
        if self.state["phase"] == "opening":
            # start effects may break a dial, or end the match
            assert self.do({"do": "begin"})
            if self.state["over"] is not None:
                return
        hits = [{"player": player, "button": button, "amount": amount} for button in sorted(buttons)]
        side = self.state["players"][player]
        live = [button for button in buttons if not side["buttons"][button]["broken"]]
        assert self.do({"do": "hit", "source": source, "hits": hits}) == bool(live)

    @precondition(lambda self: self.state["due"])
    @rule(data=st.data(), several=st.integers(1, 6))
    def answer(self, data: st.DataObject, several: int) -> None:
        for _ in range(several):
            if not self.state["due"]:
                return
            first = self.state["due"][0]
            # any answer that is offered is taken
            assert self.do(answers(data, self.state)), self.log.records()[-1].error
            if first["choice"]["kind"] in ("dial", "fan", "colour", "place", "done", "option", "when"):
                assert all(item["id"] != first["id"] for item in self.state["due"])

    @precondition(lambda self: self.state["phase"] == "start")
    @rule(button=BUTTON)
    def flip(self, button: str) -> None:
        player = self.state["turn"]
        broken = self.state["players"][player]["buttons"][button]["broken"]
        accepted = self.do({"do": "flip", "player": player, "button": button})
        assert broken or not accepted

    @precondition(lambda self: self.state["phase"] in ("start", "resolve"))
    @rule(player=PLAYER, button=BUTTON, dial=DIAL, credits=st.integers(0, 4))
    def correct_a_player(self, player: str, button: str, dial: dict[str, Any], credits: int) -> None:
        assert self.do({"do": "correct", "player": player, "button": button, "credits": credits, **dial})
        side = self.state["players"][player]
        assert (side["buttons"][button], side["credits"]) == (dial, credits)

    @precondition(lambda self: self.state["phase"] in ("start", "resolve"))
    @rule(fan=BUTTON, place=st.sampled_from(["A", "stage", "B"]), cell=CELL, colour=st.sampled_from("RYB.?"))
    def correct_the_table(self, fan: str, place: str, cell: str, colour: str) -> None:
        if self.do({"do": "correct", "fan": fan, "place": place, "cell": cell, "colour": colour}):
            fans = self.state["stage_fans"] if place == "stage" else self.state["players"][place]["fans"]
            assert fan in fans

    @precondition(lambda self: self.state["phase"] == "resolve")
    @rule()
    def end_turn(self) -> None:
        player = self.state["turn"]
        assert self.do({"do": "end_turn", "player": player})
        assert (self.state["phase"], self.state["over"] is None) in (("start", True), ("over", False))

    @rule()
    def undo(self) -> None:
        now = self.bytes
        assert self.submit({"do": "undo"}) == bool(self.past)
        if self.past:
            self.future.append(now)
            assert self.bytes == self.past.pop()

    @rule()
    def redo(self) -> None:
        now = self.bytes
        assert self.submit({"do": "redo"}) == bool(self.future)
        if self.future:
            self.past.append(now)
            assert self.bytes == self.future.pop()

    @rule(setup=NEW_MATCH)
    def new_match(self, setup: dict[str, Any]) -> None:
        over = self.state["over"] is not None
        assert self.submit(setup) == over
        if over:
            self.past.clear()
            self.future.clear()

    @invariant()
    def what_must_hold(self) -> None:
        if self.session.state_json is not None:
            check(self.state)
            assert json.loads(self.bytes) == self.state

    def teardown(self) -> None:
        again = replayed(self.log)
        assert json.dumps(again.state_json).encode() == self.bytes
        assert again.state == self.session.state
        assert (again.history.next_undo is None, again.history.next_redo is None) == (not self.past, not self.future)


TestMatch = Match.TestCase
TestMatch.settings = settings(
    max_examples=40,
    stateful_step_count=50,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
