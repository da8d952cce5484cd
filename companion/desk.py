"""The match on the desk: session, table, and what is being said about them. No threads; one caller at a time.

Acts of the table (companion.table_port) are performed here, for every game in the same way.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.history import history_to_json
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
        self._begin()

    def use(self, session: Session, table: GameTable | None) -> None:
        """Another match, another table."""
        self.session.close()
        self.session, self._table = session, table
        self._verdict = self._question = None
        self._notices.clear()
        self._begin()

    def _begin(self) -> None:
        """Tell the table of the match that is there."""
        self._followed(Reply({"ok": True, "events": [], "state": self.session.state_json}))

    # -- what comes in -----------------------------------------------------------------------------

    def submit_line(self, line: bytes) -> dict[str, Any]:
        """A command of the page; the referee's reply."""
        reply = self.session.submit_line(line)
        self._followed(reply)
        return reply.body

    def see(self, frame: Frame) -> None:
        if self._table is not None:
            self.perform(self._table.see(frame))

    def edge(self, edge: Edge) -> None:
        if self._table is not None:
            self.perform(self._table.edge(edge))

    def tick(self, t_ns: int) -> None:
        if self._table is not None:
            self.perform(self._table.tick(t_ns))

    def history(self) -> dict[str, Any]:
        """The match command by command, in words as well; any thread may ask, since a history is a value."""
        game, history = self.session.game, self.session.history
        listed = history_to_json(history)
        if isinstance(game, Telling):
            events = {record.seq: record.events for record in history.timeline}
            for item in listed["commands"]:
                item["text"] = game.named(item["command"])
                told = [] if item.get("undone") else game.told(events.get(item["seq"], ()))
                item["told"] = [line for line in told if line != f"{item['text']}."]
        return listed

    def look(self) -> Look | None:
        """What the table sees, for those who look on; any thread may ask."""
        table = self._table
        return None if table is None else table.look()

    def control(self, request: Mapping[str, Any]) -> dict[str, Any] | None:
        """A control request of the page; None: not one of ours."""
        own: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
            "answer": self._answer,
            "take_tray": self._take_tray,
            "dismiss": self._dismiss,
            "new_match": self._new_match,
        }
        do = own.get(request.get("do", ""))
        return None if do is None else do(request)

    # -- what goes out -----------------------------------------------------------------------------

    def view(self) -> dict[str, Any]:
        """Its part of the page's view (companion.view.EMPTY)."""
        view = {} if self._table is None else self._table.view()
        view["game"] = self.session.game.name
        view["verdict"] = None if self._verdict is None else self._verdict.to_json()
        view["question"] = None if self._question is None else self._question[1].to_json() | {"id": self._question[0]}
        view["notices"] = [{"level": say.level, "text": say.text} for say in self._notices.values()]
        view["misfits"] = self.session.misfits_to_json()
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
        if self._table is not None and reply.accepted:
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
        for command in answer.commands:
            reply = self.session.submit(dict(command))
            self._followed(reply)
            if not reply.accepted:
                self.perform(answer.refused(reply))
                return {"ok": False, "error": reply.body["error"]}
        return {"ok": True}

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


def failure(code: str, text: str, cells: Sequence[str] = ()) -> dict[str, Any]:
    """The answer to a control request that was not done."""
    return {"ok": False, "error": {"code": code, "text": text, "cells": list(cells)}}
