"""Tells the venue's broker how this table stands. In a thread of its own: the table never waits for the venue.

What is told is always the whole truth of now: after a break everything is told again, and nothing is owed.
"""

from __future__ import annotations

import json
import logging
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from companion.errors import InputError
from companion.files import read_file, write_whole
from companion.history import Record
from companion.log import MemoryLog
from companion.rules.core import Game
from companion.rules.notation import Notation
from companion.session import Session
from companion.shelf import Shelf
from companion.venue.broker import Broker, BrokerError, Connection
from companion.venue.settings import VenueSettings
from companion.venue.summary import match_id, summary
from companion.venue.topics import Topic, level, pack
from web.port import Snapshot

log = logging.getLogger(__name__)

RETRY_S = 2.0
ROUND_S = 0.2
"""A change is told at most so long after it."""
PAGE_S = 5.0
"""So often it is asked where this table's page is now."""
MEMORY = "venue.json"
MOST_MATCHES = 200


class Teller:
    """`start` and `stop` it. `shelf`: where this table's ended matches are; None: they are not told (simulated)."""

    def __init__(
        self,
        settings: VenueSettings,
        table: LiveTable,
        game: Game,
        words: Notation,
        shelf: Callable[[], Shelf | None],
        *,
        memory: Memory,
        page: Callable[[], str] = lambda: "",
        say: Callable[[str], None] = lambda text: None,
        connect: Callable[..., Connection] = Broker,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """`page`: this table's own address; `say`: told what is wrong with the venue, "" when it is well again."""
        self._settings, self._table, self._game, self._words, self._shelf = settings, table, game, words, shelf
        self._memory, self._page, self._say, self._connect = memory, page, say, connect
        self._clock_s = clock_s
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="venue", daemon=True)
        self._said = ""

    def start(self) -> None:
        self._begin(self._shelf())
        self._thread.start()

    def stop(self) -> None:
        """An orderly end, if the broker is there: the venue sees at once that this table closed."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join(1.0)

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                connection = self._connect(
                    self._settings.broker, will=(self._topic("status"), pack(self._status(False)))
                )
                try:
                    self._trouble("")
                    self._tell(connection)
                finally:
                    connection.close()
            except BrokerError as error:
                self._trouble(f"The venue is not told of this table: {error}. The match goes on here.")
            except Exception:
                # whatever it is, the match at this table must not suffer; and a thread that dies says nothing
                log.exception("telling the venue failed")
                self._trouble("The venue is not told of this table, and the companion's log says why.")
            self._ending.wait(RETRY_S)

    def _tell(self, connection: Connection) -> None:
        told: tuple[int, int, Record | None] | None = None
        outcome: tuple[str, str | None] | None = None
        page, asked_s = "", -PAGE_S
        while not self._ending.is_set():
            if (now_s := self._clock_s()) - asked_s >= PAGE_S:
                # the network may come after the companion
                asked_s, before, page = now_s, page, self._page()
                if told is None or page != before:
                    connection.publish(self._topic("status"), pack(self._status(True, page)))
            snapshot, records = self._table.snapshot(), self._table.timeline()
            now = (snapshot.version, len(records), records[0] if records else None)
            if now != told:
                told, state = now, self._state(snapshot, records)
                connection.publish(self._topic("state"), pack(state))
                connection.publish(self._topic("event"), pack(self._event(records)))
                if outcome != (state["match"], state["result"]):
                    outcome = (state["match"], state["result"])
                    self._tell_results(connection)
            connection.work(ROUND_S)
        connection.publish(self._topic("status"), pack(self._status(False, page)))

    def _tell_results(self, connection: Connection) -> None:
        """Every ended match of this event; one whose end was undone is taken back. Other games' results stay."""
        shelf = self._shelf()
        if shelf is None:
            return
        self._begin(shelf)
        results = self._memory.results
        for match, result in self._played(shelf).items():
            if result is not None:
                connection.publish(self._topic("result", match), pack(result))
                results |= {match}
            elif match in results:
                connection.publish(self._topic("result", match), b"")
                results -= {match}
        self._memory.keep(results)

    def _played(self, shelf: Shelf) -> dict[str, dict[str, Any] | None]:
        """This game's matches of the event, with how they ended; None: they have not."""
        found: dict[str, dict[str, Any] | None] = {}
        for kept in shelf.kept()[-MOST_MATCHES:]:
            if kept.imported or kept.number <= self._memory.after:
                continue
            try:
                records = shelf.records(kept)
                state = Session(self._game, MemoryLog(records)).state_json if records else None
            except InputError:
                continue  # of another game, or named at this table's own page
            if state is not None:
                match = match_id(records[0])
                over = self._words.result(state) is not None
                found[match] = {**summary(self._words, self._game.name, state), "match": match} if over else None
        return found

    def _begin(self, shelf: Shelf | None) -> None:
        """What was over before this table came to the event does not count there."""
        if shelf is not None and not self._memory.begun:
            under_way = shelf.under_way()
            newest = max((kept.number for kept in shelf.kept()), default=0)
            self._memory.begin(newest if under_way is None else under_way.number - 1)

    def _state(self, snapshot: Snapshot, records: Sequence[Record]) -> dict[str, Any]:
        return {
            **summary(self._words, self._game.name, snapshot.state),
            "match": match_id(records[0]) if records else "",
            "version": snapshot.version,
            "simulated": snapshot.view.get("simulated") is True,
            "state": snapshot.state,
        }

    def _event(self, records: Sequence[Record]) -> dict[str, Any]:
        items = [item for item in self._table.history()["commands"] if not item.get("undone")]
        last = items[-1] if records and items else {}
        return {"seq": last.get("seq"), "text": last.get("text", ""), "told": last.get("told", [])}

    def _status(self, online: bool, page: str = "") -> dict[str, Any]:
        return {"online": online, "id": self._memory.identity, "name": self._settings.table, "page": page}

    def _topic(self, kind: str, match: str = "") -> str:
        return str(Topic(level(self._settings.event), level(self._settings.table), kind, match))

    def _trouble(self, text: str) -> None:
        if text != self._said:
            self._said = text
            self._say(text)


class LiveTable(Protocol):
    """What a Service gives."""

    def snapshot(self) -> Snapshot: ...

    def timeline(self) -> Sequence[Record]: ...

    def history(self) -> dict[str, Any]: ...


class Memory:
    """What must outlive a restart: who this table is, from which match on it counts, and which results were told."""

    def __init__(self, data: Path, event: str) -> None:
        self._path = data / MEMORY
        content = self._read()
        identity, after, results = content.get("id"), content.get("after"), content.get("results")
        self.identity = identity if isinstance(identity, str) and identity else secrets.token_hex(8)
        same = content.get("event") == event and isinstance(after, int)
        self._event = event
        self.begun = same
        self.after = after if same and isinstance(after, int) else 0
        self.results = frozenset(results) if same and isinstance(results, list) else frozenset()

    def begin(self, after: int) -> None:
        """Matches up to number `after` were over before the event."""
        self.begun, self.after = True, after
        self._write()

    def keep(self, results: frozenset[str]) -> None:
        if self.results != results:
            self.results = results
            self._write()

    def _read(self) -> dict[str, Any]:
        if not self._path.exists():
            return {}
        try:
            content = json.loads(read_file(self._path, "venue memory", 2**20))
        except (InputError, ValueError, RecursionError):
            return {}  # all it costs: matches that were over before are counted from now on
        return content if isinstance(content, dict) else {}

    def _write(self) -> None:
        content = {"id": self.identity, "event": self._event, "after": self.after, "results": sorted(self.results)}
        try:
            write_whole(self._path, json.dumps(content).encode())
        except InputError as error:
            log.warning("%s", error)  # a full disk; the page says so by itself
