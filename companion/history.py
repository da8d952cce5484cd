"""Which commands of a log are in force after its undos, redos and amendments. Pure (DESIGN §4).

A record is an accepted command with its events, a refused one with its reason, an undo, a redo, or an amendment of an
older command. Nothing is ever taken out of a log. What is in force is the timeline: commands in the order of the
match, each with what it did. An amendment holds the timeline's new tail, so nothing is decided here, or in a replay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["accepted", "refused", "undo", "redo", "amend"]

SETUP = "setup"
"""The command that begins a match. It cannot be undone, and nothing before it can be reached any more."""


@dataclass(frozen=True)
class Record:
    """One line of a log, or one place of the timeline.

    `seq` counts the log's lines from 1 and alone gives their order; `wall` is a label (the clock may be wrong).
    `events`: what an accepted command did, or an amendment's new tail (`tail_to_json`); `error`: why a refused one was
    refused (the reply's `error`).

    In the timeline a command keeps its `seq` whatever is amended; an inserted one has its amendment's. Kind "refused"
    is a misfit there: accepted once, but it no longer fits what comes before it; `meant` is then what it pointed at
    while it did (companion.rules.core.Pointing).
    """

    seq: int
    kind: Kind
    command: Mapping[str, Any]
    events: tuple[Mapping[str, Any], ...] = ()
    error: Mapping[str, Any] | None = None
    wall: str = ""
    meant: Mapping[str, Any] | None = None


class HistoryError(ValueError):
    """Records that no session can have written, e.g. an undo with nothing to undo."""


@dataclass(frozen=True)
class Step:
    """One step of undo: `record` put `after` in place of `before`, from place `at` of the timeline to its end."""

    record: Record
    at: int
    before: tuple[Record, ...]
    after: tuple[Record, ...]


@dataclass(frozen=True)
class History:
    """`timeline`: set-up first, misfits where they stand; `done`: what can be undone, oldest first; `undone`: next to
    redo last.

    `version`: how many accepted commands there were, undos, redos and amendments among them: it changes whenever the
    state may.
    """

    timeline: tuple[Record, ...] = ()
    done: tuple[Step, ...] = ()
    undone: tuple[Step, ...] = ()
    version: int = 0

    @property
    def setup(self) -> Record | None:
        return self.timeline[0] if self.timeline else None

    @property
    def in_force(self) -> tuple[Record, ...]:
        return tuple(record for record in self.timeline if record.kind == "accepted")

    @property
    def misfits(self) -> tuple[Record, ...]:
        return tuple(record for record in self.timeline if record.kind == "refused")

    @property
    def next_undo(self) -> Record | None:
        return self.done[-1].record if self.done else None

    @property
    def next_redo(self) -> Record | None:
        return self.undone[-1].record if self.undone else None

    def place(self, seq: object) -> int | None:
        """Where in the timeline that command stands; None: nowhere."""
        if type(seq) is not int:
            return None
        return next((at for at, record in enumerate(self.timeline) if record.seq == seq), None)

    def change(self, record: Record) -> tuple[int, tuple[Record, ...]]:
        """What the record does to the timeline: from this place on these stand there. Raises HistoryError."""
        if record.kind == "undo":
            if not self.done:
                raise HistoryError(f"record {record.seq} undoes, but nothing is in force")
            return self.done[-1].at, self.done[-1].before
        if record.kind == "redo":
            if not self.undone:
                raise HistoryError(f"record {record.seq} redoes, but nothing was undone")
            return self.undone[-1].at, self.undone[-1].after
        if record.kind == "amend":
            return self._amended(record)
        if record.kind == "refused":
            return len(self.timeline), ()
        if record.command.get("do") == SETUP:
            return 0, (record,)
        if not self.timeline:
            raise HistoryError(f"record {record.seq} was accepted before any {SETUP}")
        return len(self.timeline), (record,)

    def add(self, record: Record) -> History:
        """The history with one more record. Raises HistoryError for one that cannot be."""
        at, tail = self.change(record)
        if record.kind == "refused":
            return self
        timeline, version = self.timeline[:at] + tail, self.version + 1
        if record.kind == "undo":
            return History(timeline, self.done[:-1], (*self.undone, self.done[-1]), version)
        if record.kind == "redo":
            return History(timeline, (*self.done, self.undone[-1]), self.undone[:-1], version)
        if record.kind == "accepted" and record.command.get("do") == SETUP:
            return History(timeline, version=version)
        return History(timeline, (*self.done, Step(record, at, self.timeline[at:], tail)), (), version)

    def _amended(self, record: Record) -> tuple[int, tuple[Record, ...]]:
        """The tail that an amendment holds, if it is one of this timeline's."""
        target = record.command.get("seq", record.command.get("after"))
        at = self.place(target)
        if at is None:
            raise HistoryError(f"record {record.seq} amends {target!r}, which is not there")
        replaces = "seq" in record.command
        first = at if replaces else at + 1
        rest = self.timeline[at + 1 :]
        walls = {old.seq: old.wall for old in self.timeline[first:]}
        tail = tuple(_from_json(item, walls.get(item["seq"], record.wall)) for item in record.events)
        new = [] if "remove" in record.command else [target if replaces else record.seq]
        if [item.seq for item in tail] != [*new, *(old.seq for old in rest)]:
            raise HistoryError(f"record {record.seq} holds another tail than that of its place")
        if new and tail[0].kind != "accepted":
            raise HistoryError(f"record {record.seq} amends to a command that was refused")
        if first == 0 and (not tail or tail[0].command.get("do") != SETUP):
            raise HistoryError(f"record {record.seq} leaves a match without a {SETUP}")
        return first, tail


def history(records: Iterable[Record]) -> History:
    """The history of a whole log."""
    result = History()
    for record in records:
        result = result.add(record)
    return result


def tail_to_json(tail: Iterable[Record]) -> list[dict[str, Any]]:
    """An amendment's `events`: `{"seq", "command", "events"}`, a misfit's with `error` in place of `events`, and with
    `meant` if there is something that it pointed at.
    """
    result = []
    for record in tail:
        item = misfit_to_json(record) if record.kind == "refused" else _to_json(record, events=list(record.events))
        result.append(item if record.meant is None else {**item, "meant": record.meant})
    return result


def misfit_to_json(record: Record) -> dict[str, Any]:
    """`{"seq", "command", "error"}`"""
    return _to_json(record, error=record.error)


def history_to_json(history: History) -> dict[str, Any]:
    """The match for a page or a tool: `{"version", "commands": [..], "amendments": [..]}`, each oldest first.

    A command: `{"seq", "wall", "command", "events": [types]}`, a misfit's with `error`; with `undone: true` one that
    can be redone. An amendment: `{"seq", "wall", "command": the amend, "was": the older command or null, "undone"}`.
    """
    commands = [_in_list(record) for record in history.timeline]
    amendments = []
    for undone, steps in ((False, history.done), (True, history.undone[::-1])):
        for step in steps:
            if step.record.kind == "amend":
                was = step.before[0].command if "seq" in step.record.command else None
                amendments.append(
                    {**_to_json(step.record, was=was, undone=undone), "wall": step.record.wall}
                )  # fmt: skip
            elif undone:
                commands.append({**_in_list(step.record), "undone": True})
    return {"version": history.version, "commands": commands, "amendments": amendments}


def _in_list(record: Record) -> dict[str, Any]:
    item = _to_json(record, wall=record.wall, events=[event.get("type") for event in record.events])
    return item if record.error is None else {**item, "error": record.error}


def _to_json(record: Record, **more: Any) -> dict[str, Any]:
    return {"seq": record.seq, "command": record.command, **more}


def _from_json(item: Mapping[str, Any], wall: str) -> Record:
    if "error" in item:
        return Record(item["seq"], "refused", item["command"], (), item["error"], wall, item.get("meant"))
    return Record(item["seq"], "accepted", item["command"], tuple(item["events"]), None, wall)
