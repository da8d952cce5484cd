"""Any order of commands, undo, redo and amendments against a small model, with the toy game and with a real one.

The model keeps whole timelines: lists of (seq, command), the one in force and those that undo and redo go to. What
they mean it works out from the beginning each time, so it shares nothing with the session but the game itself.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.games import game
from companion.log import MemoryLog, SqliteLog
from companion.rules.core import Game, Rejection
from companion.session import Reply, Session
from tests.companion.rules.brute import legal_clears
from tests.toy.noughts import NOUGHTS

Command = dict[str, Any]
Timeline = list[tuple[int, Command]]
Derived = tuple[Any, list[tuple[int, Command, list[Any]]], list[dict[str, Any]]]


def derive(rules: Game, timeline: Timeline) -> Derived:
    """The state, what is in force, and the misfits, decided from the beginning."""
    state, in_force, misfits = None, [], []
    for seq, command in timeline:
        decided = rules.decide(state, command)
        if isinstance(decided, Rejection):
            misfits.append({"seq": seq, "command": command, "error": decided.to_json()})
            continue
        events = json.loads(json.dumps(list(decided)))
        for event in events:
            state = rules.evolve(state, event)
        in_force.append((seq, command, events))
    return state, in_force, misfits


class Corrections(RuleBasedStateMachine):
    """`now`, `past`, `future`: timelines; `lines`: of the log."""

    played: ClassVar[Game]
    commands: ClassVar[st.SearchStrategy[Command]]
    setups: ClassVar[st.SearchStrategy[Command]]

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "m.sqlite"
        self.session = Session(self.played, SqliteLog(self.path, self.played.name))
        self.now: Timeline = []
        self.past: list[Timeline] = []
        self.future: list[Timeline] = []
        self.lines = 0

    def teardown(self) -> None:
        self.session.close()
        self.folder.cleanup()

    def made_real(self, command: Command) -> Command:
        """A command that hangs on the state."""
        return command

    def like(self, old: Command, command: Command) -> Command:
        """One that has some chance in the place of `old`."""
        return command

    @property
    def everything(self) -> str:
        timeline = [(r.seq, r.kind, r.command, r.events, r.error, r.wall) for r in self.session.history.timeline]
        return json.dumps([self.session.state_json, timeline])

    def submit(self, command: Command) -> Reply:
        before, version = self.everything, self.session.version
        reply = self.session.submit(command)
        self.lines += 1
        if reply.accepted:
            assert self.session.version == version + 1
        else:
            assert (self.everything, self.session.version) == (before, version)
        return reply

    def put(self, command: Command, wanted: Timeline, decided: int | None) -> None:
        """A command that makes `wanted` the timeline, if the game takes the command numbered `decided`."""
        _, _, misfits = derive(self.played, wanted)
        refusal = next((misfit["error"] for misfit in misfits if misfit["seq"] == decided), None)
        before = self.everything
        reply = self.submit(command)
        if refusal is not None:
            assert reply.body["error"] == refusal
            return
        assert reply.accepted, reply.body
        if command["do"] == "amend":
            assert reply.body["misfits"] == misfits
        self.past.append(self.now)
        self.now = wanted
        self.future.clear()
        # undo∘do is nothing, and redo∘undo
        after = self.everything
        self.undo()
        assert self.everything == before
        self.redo()
        assert self.everything == after

    @initialize(data=st.data())
    def set_up(self, data: st.DataObject) -> None:
        command = data.draw(self.setups, label="setup")
        assert self.submit(command).accepted
        self.now = [(1, command)]
        for command in data.draw(st.lists(self.commands, min_size=4, max_size=12), label="play"):
            self.append(self.made_real(command))

    def append(self, command: Command) -> None:
        seq = self.lines + 1
        self.put(command, [*self.now, (seq, command)], seq)

    @rule(data=st.data())
    def do(self, data: st.DataObject) -> None:
        self.append(self.made_real(data.draw(self.commands, label="command")))

    @precondition(lambda self: self.past or self.lines % 5 == 0)
    @rule()
    def undo(self) -> None:
        reply = self.submit({"do": "undo"})
        if not self.past:
            assert reply.code == "nothing_to_undo"
            return
        self.future.append(self.now)
        self.now = self.past.pop()

    @precondition(lambda self: self.future or self.lines % 5 == 0)
    @rule()
    def redo(self) -> None:
        reply = self.submit({"do": "redo"})
        if not self.future:
            assert reply.code == "nothing_to_redo"
            return
        self.past.append(self.now)
        self.now = self.future.pop()

    @rule(data=st.data(), at=st.integers(0, 30))
    def replace(self, data: st.DataObject, at: int) -> None:
        at %= len(self.now)
        command = data.draw(self.commands if at else self.setups, label="command")
        seq, old = self.now[at]
        command = self.like(old, command)
        wanted = [*self.now[:at], (seq, command), *self.now[at + 1 :]]
        self.put({"do": "amend", "seq": seq, "command": command}, wanted, seq)

    @rule(at=st.integers(0, 30))
    def remove(self, at: int) -> None:
        at %= len(self.now)
        seq = self.now[at][0]
        command = {"do": "amend", "seq": seq, "remove": True}
        if at == 0:
            assert self.submit(command).code == "bad_value"
        else:
            self.put(command, self.now[:at] + self.now[at + 1 :], None)

    @rule(data=st.data(), at=st.integers(0, 30))
    def insert(self, data: st.DataObject, at: int) -> None:
        at %= len(self.now)
        command = data.draw(self.commands, label="command")
        seq = self.lines + 1
        wanted = [*self.now[: at + 1], (seq, command), *self.now[at + 1 :]]
        self.put({"do": "amend", "after": self.now[at][0], "command": command}, wanted, seq)

    @precondition(lambda self: self.lines % 5 == 0)
    @rule(seq=st.integers(-1, 60))
    def amend_what_is_not_there(self, seq: int) -> None:
        if seq not in [known for known, _ in self.now]:
            assert self.submit({"do": "amend", "seq": seq, "remove": True}).code == "bad_value"

    @rule()
    def reopen(self) -> None:
        before, version, history = self.everything, self.session.version, self.session.history
        log = self.session._log
        assert log is not None
        replayed = Session(self.played, MemoryLog(log.records()))
        assert (replayed.state, replayed.history) == (self.session.state, history)
        self.session.close()
        self.session = Session(self.played, SqliteLog(self.path, self.played.name))
        assert (self.everything, self.session.version, self.session.history) == (before, version, history)

    @invariant()
    def is_what_the_model_says(self) -> None:
        state, in_force, misfits = derive(self.played, self.now)
        assert self.session.state == state
        assert [(r.seq, dict(r.command), list(r.events)) for r in self.session.timeline] == in_force
        assert self.session.misfits_to_json() == misfits


class NoughtsCorrections(Corrections):
    played = NOUGHTS
    setups = st.sampled_from([{"do": "setup", "first": first} for first in "OX"])
    commands = st.fixed_dictionaries(
        {"do": st.just("mark"), "player": st.sampled_from("OX"), "square": st.integers(0, 9)}
    )

    def made_real(self, command: Command) -> Command:
        """Mostly of the player on turn, so that matches come to their end."""
        state = self.session.state_json
        return command if state is None or command["square"] == 9 else {**command, "player": state["turn"]}

    def like(self, old: Command, command: Command) -> Command:
        return command if "player" not in old or command["square"] == 9 else {**command, "player": old["player"]}


PLAYER, BUTTON = st.sampled_from("AB"), st.sampled_from("RYB")


def _command(do: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Command]:
    return st.fixed_dictionaries({"do": st.just(do), **fields})


_CELLS = st.lists(st.sampled_from([lane + row for lane in "abc" for row in "12345"]), min_size=1, max_size=2)
_HIT = st.fixed_dictionaries({"player": PLAYER, "button": BUTTON, "amount": st.integers(0, 12)})
_REFILL = st.fixed_dictionaries({}, optional=dict.fromkeys("abc", st.text("RYB", max_size=1)))


class RematchCorrections(Corrections):
    """Matches of the real game: clears that later clears stand on, breaks, and ends that come and go.

    The commands that hang on the state mean nothing in an older place: there they are refused as unknown.
    """

    played = game("rematch")
    setups = _command(
        "setup",
        first=PLAYER,
        tray=st.sampled_from(["RYBRY/YBRBY/BRYBR", "RRYYB/RYBRB/YYRBB", "RRRRR/YYYYY/BBBBB"]),
        players=st.just({"A": {"credits": 0}, "B": {"credits": 1}}),
    )
    commands = st.one_of(
        _command("clear", player=PLAYER, cells=_CELLS, refill=_REFILL),
        st.just({"do": "a legal clear"}),
        st.just({"do": "end_turn of the player on turn"}),
        _command("hit", source=PLAYER, hits=st.lists(_HIT, min_size=1, max_size=2)),
        _command("heal", player=PLAYER, button=BUTTON, amount=st.integers(0, 3)),
        _command("fan", player=PLAYER, fan=BUTTON),
        _command("flip", player=PLAYER, button=BUTTON),
        _command("correct", player=PLAYER, button=BUTTON, hp=st.integers(0, 11)),
        _command("correct", tray=st.sampled_from(["RYBRY/YBRBY/BRYBR", "?????/?????/?????"])),
        _command("begin"),
        _command("destroy", player=PLAYER, cells=_CELLS),
    )

    def made_real(self, command: Command) -> Command:
        state = self.session.state_json
        assert state is not None
        if command["do"] == "end_turn of the player on turn":
            return {"do": "end_turn", "player": state["turn"]}
        if command["do"] != "a legal clear":
            return command
        player = state["turn"]
        broken = "".join(c for c, dial in state["players"][player]["buttons"].items() if dial["broken"])
        clears = sorted(map(sorted, legal_clears(state["tray"], player, broken)))
        return {"do": "clear", "player": player, "cells": clears[0] if clears else ["a1"]}


TestNoughts = NoughtsCorrections.TestCase
TestNoughts.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)
TestRematch = RematchCorrections.TestCase
TestRematch.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)
