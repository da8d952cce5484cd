"""Which records of a log are in force after its undos and redos. Pure (DESIGN §4: undo and redo are records too).

A record is one of four: an accepted command with its events, a refused one with its reason, an undo, a redo. Nothing
is ever taken out of a log; undo is a record that moves the last command in force to those that could be redone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

Kind = Literal["accepted", "refused", "undo", "redo"]

SETUP = "setup"
"""The command that begins a match. It cannot be undone, and nothing before it can be reached any more."""


@dataclass(frozen=True)
class Record:
    """One line of a log. `seq` counts from 1 and alone gives the order; `wall` is a label (the clock may be wrong).

    `events`: what an accepted command did; `error`: why a refused one was refused (the reply's `error`).
    """

    seq: int
    kind: Kind
    command: Mapping[str, Any]
    events: tuple[Mapping[str, Any], ...] = ()
    error: Mapping[str, Any] | None = None
    wall: str = ""


class HistoryError(ValueError):
    """Records that no session can have written, e.g. an undo with nothing to undo."""


@dataclass(frozen=True)
class History:
    """`setup`: the match's first record; `done`: in force since then, oldest first; `undone`: next to redo last.

    `version`: how many accepted commands there were, undos and redos among them: it changes whenever the state may.
    """

    setup: Record | None = None
    done: tuple[Record, ...] = ()
    undone: tuple[Record, ...] = ()
    version: int = 0

    @property
    def in_force(self) -> tuple[Record, ...]:
        return self.done if self.setup is None else (self.setup, *self.done)

    @property
    def next_undo(self) -> Record | None:
        return self.done[-1] if self.done else None

    @property
    def next_redo(self) -> Record | None:
        return self.undone[-1] if self.undone else None

    def add(self, record: Record) -> History:
        """The history with one more record. Raises HistoryError for one that cannot be."""
        if record.kind == "refused":
            return self
        version = self.version + 1
        if record.kind == "undo":
            if not self.done:
                raise HistoryError(f"record {record.seq} undoes, but nothing is in force")
            return replace(self, done=self.done[:-1], undone=(*self.undone, self.done[-1]), version=version)
        if record.kind == "redo":
            if not self.undone:
                raise HistoryError(f"record {record.seq} redoes, but nothing was undone")
            return replace(self, done=(*self.done, self.undone[-1]), undone=self.undone[:-1], version=version)
        if record.command.get("do") == SETUP:
            return History(setup=record, version=version)
        if self.setup is None:
            raise HistoryError(f"record {record.seq} was accepted before any {SETUP}")
        return replace(self, done=(*self.done, record), undone=(), version=version)


def history(records: Iterable[Record]) -> History:
    """The history of a whole log."""
    result = History()
    for record in records:
        result = result.add(record)
    return result
