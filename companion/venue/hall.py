"""All tables of a venue, as the broker told of them. Pure: messages in, one value out; strangers' are counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.venue.topics import parse, unpack

MOST_TABLES = 200
MOST_RESULTS = 5000
LONGEST = 200
"""Characters of a text that is shown."""


@dataclass
class _Told:
    """What one table told last."""

    online: bool = False
    identity: str = ""
    name: str = ""
    page: str = ""
    twins: bool = False
    state: Mapping[str, Any] = field(default_factory=dict)
    event: Mapping[str, Any] = field(default_factory=dict)
    results: dict[str, Mapping[str, Any]] = field(default_factory=dict)


class Hall:
    """`event`: the level of the topics that is listened to."""

    def __init__(self, event: str) -> None:
        self._event = event
        self._tables: dict[str, _Told] = {}
        self._strange = 0
        self._broker: str | None = "not yet connected"

    def broker(self, problem: str | None) -> None:
        """The broker answers (None), or why not. What was heard stays: it is shown as old."""
        self._broker = problem

    def heard(self, topic: str, payload: bytes) -> None:
        found = parse(topic)
        if found is None or found.event != self._event:
            self._strange += 1
            return
        if found.table not in self._tables and len(self._tables) >= MOST_TABLES:
            self._strange += 1
            return
        body = unpack(payload) if payload else {}
        if body is None:
            self._strange += 1
            return
        told = self._tables.setdefault(found.table, _Told())
        if found.kind == "status":
            self._status(told, body)
        elif found.kind == "state":
            told.state = body
        elif found.kind == "event":
            told.event = body
        elif not payload:
            told.results.pop(found.match, None)
        elif len(told.results) < MOST_RESULTS:
            told.results[found.match] = body
        if told == _Told():  # all of it was taken away
            del self._tables[found.table]

    @staticmethod
    def _status(told: _Told, body: Mapping[str, Any]) -> None:
        online, identity = body.get("online") is True, _text(body, "id")
        # a table that goes says so under its own id before another can take its name
        told.twins = online and told.online and identity != told.identity
        if online or identity == told.identity:
            told.online, told.identity = online, identity
        told.name = _text(body, "name") or told.name
        told.page = _address(body) or told.page

    def to_json(self) -> dict[str, Any]:
        """`{"event", "broker", "tables", "standings", "notices"}`, tables by name, standings best first."""
        tables = sorted(self._tables.items(), key=lambda item: (_natural(item[1].name), item[0]))
        return {
            "event": self._event,
            "broker": self._broker,
            "tables": [_table(key, told) for key, told in tables],
            "standings": _standings(self._tables.items()),
            "notices": self._notices(),
        }

    def _notices(self) -> list[dict[str, Any]]:
        twins = [{"code": "twins", "table": told.name} for told in self._tables.values() if told.twins]
        return twins + ([{"code": "strange", "count": self._strange}] if self._strange else [])


def _table(key: str, told: _Told) -> dict[str, Any]:
    return {
        "key": key,
        "name": told.name or key,
        "online": told.online,
        "page": told.page,
        "game": _text(told.state, "game"),
        "match": _text(told.state, "match"),
        "simulated": told.state.get("simulated") is True,
        "players": _text(told.state, "players"),
        "seats": _texts(told.state.get("seats")),
        "turn": _text(told.state, "turn"),
        "figures": _figures(told.state.get("figures")),
        "result": _text(told.state, "result") or None,
        "winner": _text(told.state, "winner") or None,
        "last": _text(told.event, "text"),
    }


def _standings(tables: Iterable[tuple[str, _Told]]) -> list[dict[str, Any]]:
    """Who won how often, over every ended match; a name counts as one person at whatever table it plays."""
    rows: dict[str, dict[str, Any]] = {}
    for _, told in tables:
        for result in told.results.values():
            winner = _text(result, "winner")
            for seat, name in _texts(result.get("seats")).items():
                row = rows.setdefault(name.casefold(), {"name": name, "played": 0, "won": 0, "lost": 0})
                row["played"] += 1
                if winner:
                    row["won" if seat == winner else "lost"] += 1
    return sorted(rows.values(), key=lambda row: (-row["won"], row["lost"], row["name"].casefold()))


def _text(body: Mapping[str, Any], key: str) -> str:
    value = body.get(key)
    return value[:LONGEST] if isinstance(value, str) else ""


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping):
        return {}
    return {str(key)[:LONGEST]: name[:LONGEST] for key, name in value.items() if isinstance(name, str) and name.strip()}


def _figures(value: object) -> dict[str, dict[str, int]]:
    if not isinstance(value, Mapping):
        return {}
    return {
        str(player)[:LONGEST]: {str(name)[:LONGEST]: number for name, number in row.items() if type(number) is int}
        for player, row in value.items()
        if isinstance(row, Mapping)
    }


def _address(body: Mapping[str, Any]) -> str:
    """The table's own page; anything but a plain web address would become a link to who knows where."""
    page = _text(body, "page")
    return page if page.startswith(("http://", "https://")) else ""


def _natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Table 9 before Table 10."""
    out: list[tuple[int, int, str]] = []
    for word in name.casefold().split():
        number = word.isascii() and word.isdecimal() and len(word) < 10
        out.append((0, int(word), "") if number else (1, 0, word))
    return tuple(out)
