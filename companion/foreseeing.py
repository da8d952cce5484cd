"""What a command would do, without doing it: shown on the page before somebody confirms it. Pure, game-free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.amending import Amendment, amendment, derive, plain_events
from companion.history import History, Record
from companion.rules.core import Event, Game, Rejection, Telling


def foresee(
    game: Game, history: History, states: Sequence[Any], command: Mapping[str, Any], seq: int
) -> dict[str, Any]:
    """`{"ok": true, "told": [..], "state"}`, or `{"ok": false, "error"}` as the command itself would be refused.

    For an `amend` also `before`, the state that the amended command met, and `changed`: the later entries of which
    something else is told then, `{"seq", "text", "was", "now", "misfit"}`. `states`, `seq`: as for `derive`,
    `amendment`.
    """
    if command["do"] == "amend":
        wanted = amendment(command, history, seq)
        return _no(wanted) if isinstance(wanted, Rejection) else _amended(game, states, wanted)
    if command["do"] in ("undo", "redo"):
        return _no(Rejection("not_now", "What undo and redo do is seen when they are done."))
    decided = game.decide(states[-1], command)
    if isinstance(decided, Rejection):
        return _no(decided)
    events = plain_events(decided)
    return {"ok": True, "told": told(game, events), "state": _after(game, states[-1], events)}


def told(game: Game, events: Sequence[Event]) -> list[str]:
    return list(game.told(events)) if isinstance(game, Telling) else []


def named(game: Game, command: Mapping[str, Any]) -> str:
    return game.named(command) if isinstance(game, Telling) else str(command["do"])


def _amended(game: Game, states: Sequence[Any], wanted: Amendment) -> dict[str, Any]:
    before = game.state_to_json(states[wanted.at])
    tail = derive(game, states, wanted)
    if isinstance(tail, Rejection):
        return {**_no(tail), "before": before}
    changed = []
    old = {record.seq: _story(game, record) for record in wanted.rest}
    for record in tail[len(tail) - len(wanted.rest) :]:
        was, now = old[record.seq], _story(game, record)
        if was != now:
            misfit = record.kind == "refused"
            changed.append(
                {"seq": record.seq, "text": named(game, record.command), "was": was, "now": now, "misfit": misfit}
            )
    events = [event for record in tail for event in record.events]
    return {
        "ok": True,
        "told": [] if wanted.new is None else told(game, tail[0].events),
        "changed": changed,
        "before": before,
        "state": _after(game, states[wanted.at], events),
    }


def _story(game: Game, record: Record) -> list[str]:
    """What is told of a place of the timeline."""
    if record.kind == "refused":
        return [str((record.error or {}).get("text", ""))]
    return told(game, record.events)


def _after(game: Game, state: Any, events: Sequence[Event]) -> dict[str, Any] | None:
    for event in events:
        state = game.evolve(state, event)
    return game.state_to_json(state)


def _no(rejection: Rejection) -> dict[str, Any]:
    return {"ok": False, "error": rejection.to_json()}
