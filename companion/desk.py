"""The match on the desk: session, table, and what is being said about them. No threads; one caller at a time.

Acts of the table (companion.table_port) are performed here, for every game in the same way.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.foreseeing import named, told
from companion.history import history_to_json
from companion.lately import Lately
from companion.onlookers import Look
from companion.rules.core import Reason, Telling
from companion.session import Reply, Session
from companion.table_port import Act, Ask, GameTable, Say, Submit, Verdict, Withdraw
from hardware.camera import Frame
from hardware.edges import Edge


class Desk:
    """Raises what a log raises when it cannot be written, and what a faulty table raises; the score is as before."""

    def __init__(self, session: Session, table: GameTable | None = None) -> None:
        self.session = session
        self._table = table
        self._verdict: Verdict | None = None
        self._question: tuple[str, Ask] | None = None
        self._question_ids = itertools.count(1)
        self._notices: dict[str, Say] = {}
        self._held = False
        self._lately = Lately()
        self._begin()

    def use(self, session: Session, table: GameTable | None) -> None:
        """Another match, another table."""
        self.session.close()
        self.session, self._table = session, table
        self._verdict = self._question = None
        self._notices.clear()
        self._lately.clear()
        self._begin()

    def refit(self, change: Callable[[GameTable | None], GameTable | None]) -> None:
        """The match goes on at another table, or at the same one with other eyes: what `change` makes of it."""
        before, self._table = self._table, change(self._table)
        if self._table is not before:
            self._begin()

    def hold(self, on: bool) -> None:
        """While it holds, nothing that happens at the table is of this match."""
        self._held = on

    def _begin(self) -> None:
        """Tell the table of the match that is there."""
        body = {"ok": True, "events": [], "state": self.session.state_json}
        self._followed(Reply(body, state=self.session.state))

    # -- what comes in -----------------------------------------------------------------------------

    def submit_line(self, line: bytes, version: int | None = None) -> dict[str, Any]:
        """A command of the page; the referee's reply. `version`: of the score that whoever sent it was looking at."""
        if version is None:
            reply = self.session.submit_line(line)
            self._followed(reply)
            return reply.body
        late = self._too_late(version)
        if late is not None:
            return {**late, "state": self.session.state_json}
        return {**self.submit_line(line), "version": self.session.version}

    def _too_late(self, version: int) -> dict[str, Any] | None:
        """Two have acted at once: the later one is told what changed, and nothing is applied."""
        if version == self.session.version:
            return None
        return failure("changed", self._lately.since(version)) | {"version": self.session.version}

    def see(self, frame: Frame) -> None:
        if self._table is not None and not self._held:
            self.perform(self._table.see(frame))

    def edge(self, edge: Edge) -> None:
        if self._table is not None and not self._held:
            self.perform(self._table.edge(edge))

    def tick(self, t_ns: int) -> None:
        if self._table is not None and not self._held:
            self.perform(self._table.tick(t_ns))

    def history(self) -> dict[str, Any]:
        """The match command by command, in words as well; any thread may ask, since a history is a value."""
        game, history = self.session.game, self.session.history
        listed = history_to_json(history)
        if isinstance(game, Telling):
            events = {record.seq: record.events for record in history.timeline}
            for item in listed["commands"]:
                item["text"] = game.named(item["command"])
                lines = [] if item.get("undone") else told(game, events.get(item["seq"], ()))
                item["told"] = [line for line in lines if line != f"{item['text']}."]
            for item in listed["amendments"]:
                new = item["command"].get("command")
                item["text"] = None if new is None else named(game, new)
                item["was_text"] = None if item["was"] is None else named(game, item["was"])
        return listed

    def look(self) -> Look | None:
        """What the table sees, for those who look on; any thread may ask."""
        table = self._table
        return None if table is None else table.look()

    def control(self, request: Mapping[str, Any], version: int | None = None) -> dict[str, Any] | None:
        """A control request of the page; None: not one of ours. `version`: as for `submit_line`."""
        own: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
            "answer": self._answer,
            "take_tray": self._take_tray,
            "dismiss": self._dismiss,
            "new_match": self._new_match,
            "let_stand": self._let_stand,
            "preview": self._preview,
        }
        do = own.get(request.get("do", ""))
        if do is None:
            return None
        late = self._too_late(version) if version is not None and request["do"] in _ON_THIS_SCORE else None
        return do(request) if late is None else late

    # -- what goes out -----------------------------------------------------------------------------

    def view(self) -> dict[str, Any]:
        """Its part of the page's view (companion.view.EMPTY)."""
        view = {} if self._table is None else self._table.view()
        view["game"] = self.session.game.name
        view["verdict"] = None if self._verdict is None else self._verdict.to_json()
        view["question"] = None if self._question is None else self._question[1].to_json() | {"id": self._question[0]}
        view["notices"] = [{"level": say.level, "text": say.text} for say in self._notices.values()]
        view["misfits"] = self.session.misfits_to_json()
        view["last"] = self._lately.last
        return view

    # -- acts ----------------------------------------------------------------------------------------

    def perform(self, acts: Sequence[Act]) -> None:
        for act in acts:
            if isinstance(act, Submit):
                reply = self.session.submit(dict(act.command))
                self._followed(reply)
                self.perform(act.then(reply))
            elif isinstance(act, Verdict):
                self._verdict = act
            elif isinstance(act, Ask):
                self._question = (f"q{next(self._question_ids)}", act)
            elif isinstance(act, Withdraw):
                self._verdict = None if act.verdict else self._verdict
                self._question = None if act.question else self._question
            elif act.text:
                self._notices[act.about] = act
            else:
                self._notices.pop(act.about, None)

    def _followed(self, reply: Reply) -> None:
        if not reply.accepted:
            return
        self._lately.note(self.session.game, self.session.version, reply)
        if self._table is not None:
            self.perform(self._table.follow(reply))

    # -- control requests ----------------------------------------------------------------------------

    def _answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        choice = request.get("choice")
        if self._question is None or request.get("id") != self._question[0]:
            return failure("not_now", "That question is no longer open.")
        answers = self._question[1].answers
        if type(choice) is not int or not 0 <= choice < len(answers):
            return failure("bad_value", "There is no such answer.")
        answer = answers[choice]
        self._close_question()
        refused = self._submit_all(answer.commands)
        if refused is None:
            return {"ok": True}
        self.perform(answer.refused(refused))
        return {"ok": False, "error": refused.body["error"]}

    def _submit_all(self, commands: Sequence[Mapping[str, Any]]) -> Reply | None:
        """Up to the first refusal, which is the result."""
        for command in commands:
            reply = self.session.submit(dict(command))
            self._followed(reply)
            if not reply.accepted:
                return reply
        return None

    def _let_stand(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The players accept the illegal pull that is told of."""
        if self._verdict is None or self._verdict.stand is None:
            return failure("not_now", "There is no illegal pull that could stand.")
        refused = self._submit_all(self._verdict.stand(request))
        return {"ok": True} if refused is None else {"ok": False, "error": refused.body["error"]}

    def _preview(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """What a command would do; it is not done."""
        command = request.get("command")
        if not isinstance(command, dict) or not isinstance(command.get("do"), str):
            return failure("bad_value", "'command' is a command: an object with a field 'do'.")
        return self.session.foresee(command)

    def _close_question(self) -> None:
        self._question = None
        if self._table is not None:
            self._table.answered()

    def _take_tray(self, request: Mapping[str, Any]) -> dict[str, Any]:
        command = Reason("not_now", "No camera sees the table.") if self._table is None else self._table.take_tray()
        if isinstance(command, Reason):
            return {"ok": False, "error": command.to_json()}
        reply = self.session.submit(dict(command))
        self._followed(reply)
        return {"ok": True} if reply.accepted else {"ok": False, "error": reply.body["error"]}

    def _new_match(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Another match, though one may be under way; that one stays in its log."""
        setup = request.get("setup")
        if not isinstance(setup, dict):
            return failure("bad_value", "'setup' holds the fields of a setup.")
        reply = self.session.restart(setup)
        self._followed(reply)
        return {"ok": True} if reply.accepted else {"ok": False, "error": reply.body["error"]}

    def _dismiss(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """What is said is read: verdict, question and notices go; the score stays as it is."""
        self._close_question()
        self._verdict = None
        self._notices.clear()
        return {"ok": True}


_ON_THIS_SCORE = frozenset({"new_match", "let_stand", "take_tray"})
"""Requests that mean the score as it was seen; an answer names its question itself."""


def failure(code: str, text: str, cells: Sequence[str] = ()) -> dict[str, Any]:
    """The answer to a control request that was not done."""
    return {"ok": False, "error": {"code": code, "text": text, "cells": list(cells)}}
