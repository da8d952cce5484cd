"""Undo and redo as records: properties over any order of commands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.history import History, HistoryError, Record, history


def _record(seq: int, kind: str, do: str = "mark") -> Record:
    return Record(seq, kind, {"do": do, "n": seq})


def _play(kinds: list[str]) -> list[Record]:
    """Records that a session could have written: undos and redos that have no target are left out."""
    records = [_record(1, "accepted", "setup")]
    done = undone = 0
    for kind in kinds:
        if (kind == "undo" and not done) or (kind == "redo" and not undone):
            continue
        if kind == "accepted":
            done, undone = done + 1, 0
        elif kind != "refused":
            step = 1 if kind == "redo" else -1
            done, undone = done + step, undone - step
        records.append(_record(len(records) + 1, kind))
    return records


kinds = st.lists(st.sampled_from(["accepted", "accepted", "refused", "undo", "redo"]), max_size=40)


@given(kinds)
def test_undo_takes_back_exactly_the_last_command_and_redo_brings_it_back(order: list[str]) -> None:
    before = history([*_play(order), _record(98, "accepted")])
    undone = before.add(_record(99, "undo"))
    assert undone.in_force == before.in_force[:-1]
    redone = undone.add(_record(100, "redo"))
    assert (redone.done, redone.undone) == (before.done, before.undone)


@given(kinds)
def test_a_refused_command_changes_nothing(order: list[str]) -> None:
    records = _play(order)
    assert history(r for r in records if r.kind != "refused") == history(records)


@given(kinds)
def test_a_new_command_drops_what_could_be_redone(order: list[str]) -> None:
    after = history([*_play([*order, "accepted", "undo"]), _record(99, "accepted")])
    assert after.next_redo is None
    with pytest.raises(HistoryError, match="record 100 redoes"):
        after.add(_record(100, "redo"))


@given(kinds)
def test_version_counts_every_accepted_record(order: list[str]) -> None:
    records = _play(order)
    assert history(records).version == sum(r.kind != "refused" for r in records)


def test_the_setup_cannot_be_undone_and_nothing_before_it_comes_back() -> None:
    first = history(_play(["accepted", "accepted", "undo"]))
    second = first.add(_record(9, "accepted", "setup"))
    assert (second.done, second.undone) == ((), ())
    with pytest.raises(HistoryError, match="record 10 undoes"):
        second.add(_record(10, "undo"))


def test_nothing_is_accepted_before_a_setup() -> None:
    with pytest.raises(HistoryError, match="before any setup"):
        History().add(_record(1, "accepted"))
