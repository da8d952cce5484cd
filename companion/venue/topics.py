"""The addresses and bodies that tables and venue agree on. Pure; the 1 in them is the version of both.

    table-companion/v1/EVENT/TABLE/status        {"online", "id", "name", "page"}   last will: offline
    table-companion/v1/EVENT/TABLE/state         the match as it stands (companion.venue.summary)
    table-companion/v1/EVENT/TABLE/event         what happened last, in words
    table-companion/v1/EVENT/TABLE/result/MATCH  how a match ended; an empty body: it has not

All retained, so that a venue that comes late knows everything at once; all at QoS 1.
"""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from typing import Any

ROOT = "table-companion/v1"
LARGEST = 256 * 1024
"""Bytes of a body; more is no table's."""
QOS = 1


@dataclass(frozen=True, slots=True)
class Topic:
    """`kind`: status, state, event or result; `match`: of a result alone."""

    event: str
    table: str
    kind: str
    match: str = ""

    def __str__(self) -> str:
        ending = f"/{self.match}" if self.match else ""
        return f"{ROOT}/{self.event}/{self.table}/{self.kind}{ending}"


def level(name: str) -> str:
    """A name as one level of a topic: "Table 3" → "table-3". Empty: nothing of it can stand in a topic."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    words = "".join(char if char.isalnum() else " " for char in plain).split()
    return "-".join(words)


def parse(topic: str) -> Topic | None:
    """None: not one of ours."""
    parts = topic.split("/")
    if "/".join(parts[:2]) != ROOT or not all(parts):
        return None
    if len(parts) == 5 and parts[4] in ("status", "state", "event"):
        return Topic(parts[2], parts[3], parts[4])
    if len(parts) == 6 and parts[4] == "result":
        return Topic(parts[2], parts[3], "result", parts[5])
    return None


def every(event: str) -> str:
    """What a venue subscribes to."""
    return f"{ROOT}/{event}/#"


def pack(body: dict[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def unpack(payload: bytes) -> dict[str, Any] | None:
    """None: no object, or too large. An empty body is not asked here: it takes a retained one away."""
    if len(payload) > LARGEST:
        return None
    try:
        value = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
