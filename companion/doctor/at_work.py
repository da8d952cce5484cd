"""The checks while the companion runs, for its page: camera and pins are its own, so what it says of them is told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.doctor.checkup import checkup
from companion.doctor.finding import Finding

CABLE = "Seat its cable, and look at the power supply."


class DoctorAtWork:
    """Implements web.doctor.Doctor. `view`: the table's view now (docs/decisions/page-view.md)."""

    def __init__(self, data: Path, table: Path | None, port: Callable[[], int], view: Callable[[], Any]) -> None:
        self._data = data
        self._table = table
        self._port = port
        self._view = view
        self._busy = threading.Lock()

    def check(self) -> list[dict[str, Any]] | None:
        if not self._busy.acquire(blocking=False):
            return None
        try:
            return [finding.to_json() for finding in self._findings()]
        finally:
            self._busy.release()

    def _findings(self) -> Iterator[Finding]:
        for finding in checkup(self._data, self._table, 0.0, self._port()):
            if finding.check == "running":
                yield from at_work(self._view())
            else:
                yield replace(finding, text=finding.text.replace(", once the companion runs", ""))


def at_work(view: Mapping[str, Any]) -> Iterator[Finding]:
    """Camera, beams and aim as the running companion has them."""
    if view["simulated"]:
        yield Finding("table", "ok", "This is a simulated table: its camera and beams are made up.")
    yield camera(view["camera"])
    yield from beams(view["sensors"])
    if view["camera"]["state"] != "none":
        if view["aim"]["ok"]:
            yield Finding("aim", "ok", "The tray is where it was calibrated, or was found again.")
        else:
            yield Finding("aim", "bad", "The tray is not where it was.", "Push it back, or aim the camera again.")
    for notice in view["notices"]:
        if notice["level"] == "error":
            yield Finding("notice", "bad", notice["text"])


def camera(told: Mapping[str, Any]) -> Finding:
    name = f" ({told['name']})" if told["name"] else ""
    if told["state"] == "none":
        return Finding("camera", "absent", "No camera is in use: the score is kept by taps.")
    if told["state"] == "lost":
        return Finding("camera", "bad", f"The camera gives no pictures{name}; it is opened again by itself.", CABLE)
    if told["reopened"]:
        text = f"The camera gives pictures{name}; it had to be opened again {told['reopened']}×."
        return Finding("camera", "warn", text, CABLE)
    return Finding("camera", "ok", f"The camera gives pictures{name}.")


def beams(told: Mapping[str, Any]) -> Iterator[Finding]:
    lanes = told["lanes"]
    if not lanes:
        yield Finding("beams", "absent", "No light beams are in use: the camera stands alone.")
    for lane, one in lanes.items():
        if one["fault"]:
            yield Finding("beams", "bad", f"Lane {lane}: {one['fault']}.", "Seat the cable and the receiver's supply.")
        elif one["blocked"]:
            fix = "Nudge the marble down, shade the receiver, or align the two."
            yield Finding("beams", "warn", f"Lane {lane}'s beam is blocked now.", fix)
        else:
            yield Finding("beams", "ok", f"Lane {lane}'s beam is free; drops in this turn: {one['drops']}.")
