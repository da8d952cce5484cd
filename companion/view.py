"""The view beside the score: all its keys, as they are when there is nothing to see (docs/decisions/page-view.md)."""

from __future__ import annotations

from typing import Any

EMPTY: dict[str, Any] = {
    "server": "",
    "version": 0,
    "serial": 0,
    "game": "",
    "simulated": False,
    "autoplay": False,
    "camera": {"state": "none", "age_s": None, "name": None},
    "sensors": {"state": "none", "lanes": {}},
    "hand": False,
    "moving": False,
    "seen": None,
    "aim": {"ok": True, "shift_px": None},
    "fans_seen": {},
    "differs": [],
    "verdict": None,
    "question": None,
    "notices": [],
}
