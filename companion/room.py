"""How much room is left where the matches are kept: said while there is still time (DESIGN §4, issue 7)."""

from __future__ import annotations

import os
from pathlib import Path

LOW = 200 * 2**20
"""Bytes: a year of matches fits in, but something else is filling the card."""
FULL = 10 * 2**20
"""From here on the next command may be refused."""


def free_bytes(folder: Path) -> int | None:
    """What this user may still write there; None: it cannot be told."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return None
    return found.f_bavail * found.f_frsize


def words(free: int | None) -> tuple[str, str]:
    """What there is to say, and its level: "" while there is room."""
    if free is None or free >= LOW:
        return "", "info"
    left = f"only {free // 2**20} MB are free" if free >= 2**20 else "nothing is free"
    if free >= FULL:
        return f"The card is getting full: {left}. Make room before the next match.", "warn"
    return f"The card is full: {left}. A command that cannot be saved will be refused; make room now.", "error"
