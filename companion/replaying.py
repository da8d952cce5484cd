"""A recorded clip and its beam edges through the pipeline, on the clip's own clock; events as JSON (DESIGN §6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion.errors import InputError
from companion.pipeline import Happening, Pipeline
from companion.rules.rematch.watch import OTHER, Answer, ClearSeen, PutBack, Question, Turn, Watcher
from hardware.camera import Camera
from hardware.counting import DropCounter
from hardware.edges import Edge
from vision.calibration import VisionError
from vision.gaze import Change, Gaze

SECOND = 1_000_000_000


def replay(
    camera: Camera,
    gaze: Gaze,
    counter: DropCounter | None,
    edges: Iterable[Edge],
    player: str = "A",
    broken: str = "",
) -> Iterator[dict[str, Any]]:
    """One JSON object an event, in order. After an accepted clear the other player is on turn, with nothing broken.

    InputError: the clip's pictures cannot be used with this table.
    """
    watcher = Watcher(Turn(player, {player: broken}))
    pipeline = Pipeline(gaze, watcher, counter)
    waiting = sorted(edges, key=lambda edge: edge.t_ns)
    waiting.reverse()
    t_ns = 0
    while (frame := camera.read()) is not None:
        t_ns = frame.t_ns
        happened: list[Happening] = []
        while waiting and waiting[-1].t_ns <= t_ns:
            happened += pipeline.edge(waiting.pop())
        try:
            happened += pipeline.frame(frame)
        except VisionError as error:
            raise InputError(f"clip {camera.name}: {error}") from error
        yield from _told(happened, watcher)
    while waiting:
        pipeline.edge(waiting.pop())
    yield from _told(pipeline.finish(t_ns), watcher)


def _told(happened: list[Happening], watcher: Watcher) -> Iterator[dict[str, Any]]:
    for one in happened:
        event = as_json(one)
        if event is not None:
            yield event
        if isinstance(one, ClearSeen) and one.legal:
            watcher.turn = Turn(OTHER[one.player], watcher.turn.broken)


def as_json(one: Happening) -> dict[str, Any] | None:
    """The event as DESIGN §6 has it; None: not among the events of `replay`."""
    t = round(one.t_ns / SECOND, 3)
    if isinstance(one, Change):
        return {"t": t, "event": one.what, **one.detail}
    if isinstance(one, ClearSeen):
        found = one.explanation
        return {
            "t": t,
            "event": "clear",
            "player": one.player,
            "cells": list(found.cells),
            "attack": found.attack,
            "legal": one.legal,
            "reasons": [reason.to_json() for reason in found.reasons],
            "readings": [reading.to_json() for reading in found.readings],
            "tray": one.after,
            "drops": None if one.drops is None else dict(one.drops),
            "sure": one.sure,
        }
    if isinstance(one, Question):
        return {
            "t": t,
            "event": "question",
            "player": one.player,
            "readings": [_answer(one.player, answer) for answer in one.answers],
            "text": one.text,
            "tray": one.after,
            "drops": None if one.drops is None else dict(one.drops),
        }
    if isinstance(one, PutBack):
        return {"t": t, "event": "put_back", "player": one.player, "cells": list(one.cells)}
    return None


def _answer(asked: str, answer: Answer) -> dict[str, Any]:
    """No cells: nothing was pulled."""
    if not answer.clears:
        return {"player": asked, "cells": [], "attack": None, "legal": False}
    clears = [
        {"player": player, "cells": list(cells), "attack": attack, "legal": attack is not None}
        for player, cells, attack in answer.clears
    ]
    return clears[0] if len(clears) == 1 else {"clears": clears}
