"""A table without rules: shows what a test puts on it, answers what a test tells it to, remembers what it was asked."""

from __future__ import annotations

import copy
import json
import threading
from typing import Any

from web.port import Snapshot


def a_player() -> dict[str, Any]:
    dial = {"hp": 10, "broken": False}
    return {"buttons": {colour: dict(dial) for colour in "RYB"}, "credits": 4, "fans": []}


def a_state(**changes: Any) -> dict[str, Any]:
    """A match after its opening, as the referee prints it (DESIGN §7)."""
    state = {
        "players": {"A": a_player(), "B": a_player()},
        "stage_fans": ["R", "Y", "B"],
        "turn": "A",
        "turn_number": 1,
        "phase": "start",
        "tray": "RYBRY/YBRBY/BRYBR",
        "last_clear": None,
        "over": None,
        "markers": [],
        "due": [],
        "left": [],
    }
    return {**state, **changes}


def a_view(**changes: Any) -> dict[str, Any]:
    """Every key of docs/decisions/page-view.md, for a table with neither camera nor sensors."""
    view = {
        "server": "s1",
        "version": 1,
        "serial": 1,
        "game": "rematch",
        "simulated": False,
        "autoplay": False,
        "camera": {"state": "none", "age_s": None, "name": None, "reopened": 0},
        "sensors": {"state": "none", "lanes": {}},
        "inlet": None,
        "hand": False,
        "moving": False,
        "seen": None,
        "aim": {"ok": True, "shift_px": 0},
        "fans_seen": {},
        "differs": [],
        "verdict": None,
        "question": None,
        "notices": [],
        "misfits": [],
        "last": None,
    }
    return {**view, **changes}


class FakeTable:
    """Implements web.port.Table. `replies` and `control_replies` are used up in order; then everything is accepted."""

    def __init__(self, state: dict[str, Any] | None = None, view: dict[str, Any] | None = None) -> None:
        self._changed = threading.Condition()
        self._waiting = 0
        self._serial = 1
        self._version = 1
        self._state = state
        self._view = view or a_view()
        self.commands: list[Any] = []
        self.versions: list[int | None] = []
        self.previews: list[Any] = []
        self.preview_replies: list[dict[str, Any]] = []
        self.controls: list[dict[str, Any]] = []
        self.replies: list[Any] = []
        self.control_replies: list[dict[str, Any]] = []
        self.past: dict[str, Any] = {"version": 0, "commands": [], "amendments": []}
        self.jpeg: bytes | None = None
        self.looked: dict[str, Any] = {"state": "none", "frame": None, "age_ms": None}
        self.looks: dict[int, bytes] = {}

    def show(self, state: dict[str, Any] | None = None, **view: Any) -> None:
        """A new state and/or other view keys, for all pages at once."""
        with self._changed:
            self._serial += 1
            self._waiting = 0
            if state is not None:
                self._state = copy.deepcopy(state)
                self._version += 1
            self._view = {**self._view, **copy.deepcopy(view)}
            self._changed.notify_all()

    def snapshot(self) -> Snapshot:
        with self._changed:
            view = {**self._view, "serial": self._serial, "version": self._version}
            return Snapshot(self._serial, self._version, self._state, view)

    def wait(self, serial: int, timeout_s: float) -> Snapshot:
        with self._changed:
            current = serial == self._serial
            self._waiting += current
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._serial != serial, timeout_s)
            # `show` counts anew; who was shown nothing within the time waits no more
            self._waiting -= current and self._serial == serial
        return self.snapshot()

    def taken(self, by: int, timeout_s: float = 60) -> bool:
        """Waits until so many streams have sent what is shown now and wait for the next."""
        with self._changed:
            return self._changed.wait_for(lambda: self._waiting >= by, timeout_s)

    def command(self, line: bytes, version: int | None = None) -> dict[str, Any]:
        self.commands.append(json.loads(line))
        self.versions.append(version)
        reply = self.replies.pop(0) if self.replies else {"ok": True, "events": []}
        if isinstance(reply, Exception):
            raise reply
        return {**reply, "state": self._state}

    def control(self, request: dict[str, Any], version: int | None = None) -> dict[str, Any]:
        if request.get("do") == "preview":
            self.previews.append(request["command"])
            nothing = {"ok": True, "told": [], "state": self._state}
            return self.preview_replies.pop(0) if self.preview_replies else nothing
        self.controls.append(request)
        return self.control_replies.pop(0) if self.control_replies else {"ok": True}

    def history(self) -> dict[str, Any]:
        return self.past

    def picture(self) -> bytes | None:
        return self.jpeg

    def seen(self) -> dict[str, Any]:
        return self.looked

    def seen_picture(self, number: int | None = None) -> tuple[int, bytes] | None:
        if not self.looks:
            return None
        found = number if number in self.looks else max(self.looks)
        return found, self.looks[found]


def refused(code: str, text: str, *cells: str, **more: Any) -> dict[str, Any]:
    return {"ok": False, "error": {"code": code, "text": text, "cells": list(cells), **more}}
