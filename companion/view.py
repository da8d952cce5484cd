"""The view beside the score: all its keys, as they are when there is nothing to see (docs/decisions/page-view.md)."""

from __future__ import annotations

from typing import Any

from hardware.counting import DropCounter

EMPTY: dict[str, Any] = {
    "server": "",
    "version": 0,
    "serial": 0,
    "game": "",
    "simulated": False,
    "autoplay": False,
    "camera": {"state": "none", "age_s": None, "name": None, "reopened": 0},
    "sensors": {"state": "none", "lanes": {}},
    "inlet": None,
    "hand": False,
    "moving": False,
    "seen": None,
    "aim": {"ok": True, "shift_px": None},
    "fans_seen": {},
    "differs": [],
    "board": None,
    "verdict": None,
    "question": None,
    "notices": [],
    "misfits": [],
    "last": None,
    "fighters": [],
    "games": [],
    "artists": [],
    "help": None,
    "table": None,
    "keeping": None,
}


def sensors(counter: DropCounter, since_ns: int) -> dict[str, Any]:
    """The key `sensors`: what each lane's beam has counted since then, how sure that is, and its fault."""
    lanes = {
        lane: {
            "drops": count.drops,
            "certain": count.certain,
            "blocked": counter.blocked(lane),
            "fault": count.fault,
            "doubt": count.doubts[-1] if count.doubts else None,
        }
        for lane, count in counter.counts(since_ns).items()
    }
    faults = any(lane["fault"] is not None for lane in lanes.values())
    return {"state": "fault" if faults else "ok" if lanes else "none", "lanes": lanes}
