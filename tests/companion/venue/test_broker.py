"""Eight tables, a real broker, and the venue's page: whatever is killed, what the venue shows is right again."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.games import game, notation
from companion.matches import Matches
from companion.rules.rematch.game import Rematch
from companion.rules.rematch.notation import REMATCH_NOTATION
from companion.service import Service
from companion.shelf import Shelf
from companion.venue.broker import Broker, BrokerError
from companion.venue.listening import Listener
from companion.venue.settings import BrokerAddress, VenueSettings
from companion.venue.teller import Memory, Teller
from companion.venue.topics import ROOT
from tests.companion.running import Running, command_line
from tests.companion.venue.broker import Mosquitto

PATIENCE_S = 20.0
"""The bar is five seconds on a machine of its own; tests run several at once."""
SETUP = {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"}


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path)
    yield broker
    broker.end()


@pytest.fixture
def listener(mosquitto: Mosquitto) -> Iterator[Listener]:
    listener = Listener(mosquitto.address, "main")
    listener.start()
    yield listener
    listener.stop()


def until(listener: Listener, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """What the venue shows, as soon as that is so."""
    found: list[dict[str, Any]] = []
    ready = threading.Event()

    def watch() -> None:
        serial = -1
        while not ready.is_set():
            snapshot = listener.wait(serial, 0.5)
            serial = snapshot.serial
            if snapshot.state is not None and true(snapshot.state):
                found.append(snapshot.state)
                ready.set()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    ready.wait(PATIENCE_S)
    ready.set()
    watcher.join(2)
    assert found, listener.snapshot().state
    return found[0]


class Table:
    """A service with a log on disk that tells the broker; what `run` is without page, camera and pins."""

    def __init__(self, name: str, data: Path, broker: BrokerAddress) -> None:
        self.data, self.said, self.closed = data, [""], False
        data.mkdir(exist_ok=True)
        rules = Rematch()
        self.service = Service(Matches(data / "matches", rules).resume(lambda text: None))
        self.service.start()
        self.teller = Teller(
            VenueSettings(broker, name),
            self.service,
            rules,
            REMATCH_NOTATION,
            lambda: Shelf(data / "matches", rules, REMATCH_NOTATION),
            memory=Memory(data, "main"),
            say=self.said.append,
        )
        self.teller.start()

    def do(self, **command: Any) -> None:
        reply = self.service.command(json.dumps(command).encode())
        assert reply["ok"], reply

    def set_up(self, a: str, b: str) -> None:
        self.do(**SETUP, players={"A": {"fighter": a}, "B": {"fighter": b}})

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.teller.stop()
            self.service.stop()


def table_of(hall: dict[str, Any], name: str) -> dict[str, Any]:
    return next((table for table in hall["tables"] if table["name"] == name), {"online": None, "turn": None})


def wins(hall: dict[str, Any]) -> dict[str, int]:
    return {row["name"]: row["won"] for row in hall["standings"]}


@pytest.fixture
def sit_down(tmp_path: Path, mosquitto: Mosquitto) -> Iterator[Callable[[str], Table]]:
    tables: list[Table] = []

    def make(name: str) -> Table:
        tables.append(Table(name, tmp_path / name, mosquitto.address))
        return tables[-1]

    yield make
    for table in tables:
        table.close()


def test_eight_tables_one_killed_and_revived_and_the_broker_restarted(
    tmp_path: Path, mosquitto: Mosquitto, listener: Listener, sit_down: Callable[[str], Table]
) -> None:
    tables = {name: sit_down(name) for name in (f"T{number}" for number in range(1, 8))}
    for name, table in tables.items():
        table.set_up(f"Ann {name}", f"Bo {name}")
    data = tmp_path / "T8"
    data.mkdir()
    (data / "venue.toml").write_text(f'broker = "127.0.0.1:{mosquitto.port}"\ntable = "T8"\n')
    line = command_line("run", "--data", str(data), "--host", "127.0.0.1", "--port", "0")
    with real(line) as killed:
        killed.do(SETUP)
        killed.do({"do": "begin"})
        until(listener, lambda hall: len(hall["tables"]) == 8 and all(one["turn"] for one in hall["tables"]))
        killed.kill_9()
        hall = until(listener, lambda hall: table_of(hall, "T8")["online"] is False)
        assert table_of(hall, "T8")["turn"] == "turn 1 A"
    with real(line) as revived:
        revived.do({"do": "concede", "player": "A"})
        until(listener, lambda hall: table_of(hall, "T8")["online"] is True and table_of(hall, "T8")["winner"] == "B")

        mosquitto.end()
        until(listener, lambda hall: hall["broker"] is not None)
        tables["T1"].do(do="concede", player="B")  # the match at the table goes on
        tables["T2"].do(do="begin")
        mosquitto.begin()
        hall = until(listener, lambda hall: hall["broker"] is None and wins(hall).get("Ann T1") == 1)
        until(listener, lambda hall: all(table["online"] for table in hall["tables"]))
        late = Listener(mosquitto.address, "main")  # one that only now comes knows all of it
        late.start()
        try:
            until(late, lambda hall: len(hall["tables"]) == 8 and wins(hall).get("Ann T1") == 1)
        finally:
            late.stop()


def real(line: list[str]) -> Any:
    from contextlib import contextmanager

    @contextmanager
    def run() -> Iterator[Running]:
        process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert process.stdout is not None
        port = 0
        for said in process.stdout:
            found = re.search(r"On this machine: http://127\.0\.0\.1:(\d+)/", said)
            if found:
                port = int(found[1])
                break
        assert port, "it did not begin"
        try:
            yield Running(process, port, [])
        finally:
            process.kill()
            process.wait(10)
            process.stdout.close()

    return run()


def ann_won(listener: Listener, sit_down: Callable[[str], Table]) -> Table:
    """A table that told its result and is closed."""
    table = sit_down("T1")
    table.set_up("Ann", "Bo")
    table.do(do="concede", player="B")
    until(listener, lambda hall: wins(hall) == {"Ann": 1, "Bo": 0})
    table.close()
    return table


def test_a_result_counts_after_a_restart_and_no_more_after_its_undo(
    listener: Listener, sit_down: Callable[[str], Table]
) -> None:
    ann_won(listener, sit_down)
    until(listener, lambda hall: table_of(hall, "T1")["online"] is False and wins(hall) == {"Ann": 1, "Bo": 0})
    again = sit_down("T1")
    again.do(do="undo")
    until(listener, lambda hall: table_of(hall, "T1")["online"] is True and hall["standings"] == [])


def test_a_result_stays_while_another_game_is_played(
    listener: Listener, mosquitto: Mosquitto, sit_down: Callable[[str], Table]
) -> None:
    table = ann_won(listener, sit_down)
    rules, words = game("reinforcements"), notation("reinforcements")
    service = Service(Matches(table.data / "matches", rules).resume(lambda text: None))
    service.start()
    teller = Teller(
        VenueSettings(mosquitto.address, "T1"),
        service,
        rules,
        words,
        lambda: Shelf(table.data / "matches", rules, words),
        memory=Memory(table.data, "main"),
    )
    teller.start()
    try:
        for command in (
            {"do": "setup", "first": "A", "players": [{"name": "Cy"}, {"name": "Di"}]},
            {"do": "concede", "player": "A"},
        ):
            assert service.command(json.dumps(command).encode())["ok"]
        until(listener, lambda hall: wins(hall) == {"Ann": 1, "Di": 1, "Bo": 0, "Cy": 0})
    finally:
        teller.stop()
        service.stop()


def test_matches_from_before_the_event_do_not_count(listener: Listener, sit_down: Callable[[str], Table]) -> None:
    before = sit_down("T1")
    before.teller.stop()
    (before.data / "venue.json").unlink(missing_ok=True)
    before.set_up("Old", "Older")
    before.do(do="concede", player="B")
    before.close()
    after = sit_down("T1")
    until(listener, lambda hall: table_of(hall, "T1")["online"] is True)
    after.set_up("Ann", "Bo")
    after.do(do="concede", player="A")
    assert wins(until(listener, lambda hall: hall["standings"] != [])) == {"Bo": 1, "Ann": 0}


def test_a_table_says_that_the_venue_does_not_hear_it_and_when_it_does_again(
    mosquitto: Mosquitto, listener: Listener, sit_down: Callable[[str], Table]
) -> None:
    mosquitto.end()
    table = sit_down("T1")
    table.set_up("Ann", "Bo")  # no broker, no difference
    assert table.service.snapshot().state is not None
    mosquitto.begin()
    until(listener, lambda hall: table_of(hall, "T1")["turn"] == "turn 1 A")
    assert table.said[-1] == ""
    assert all("The match goes on here." in text for text in table.said if text)


def test_a_broker_that_refuses_is_named(tmp_path: Path) -> None:
    closed = Mosquitto(tmp_path, "allow_anonymous false\n")
    try:
        with pytest.raises(BrokerError, match=r"(?i)not authorized|refused"):
            connect(closed)
    finally:
        closed.end()


def connect(mosquitto: Mosquitto) -> Broker:
    """As soon as it listens."""
    for _ in range(200):
        try:
            return Broker(mosquitto.address)
        except BrokerError as error:
            if "Connection refused" not in str(error):
                raise
            threading.Event().wait(0.05)
    raise AssertionError("mosquitto does not listen")


def test_nothing_answers_there() -> None:
    with pytest.raises(BrokerError, match=r"broker 127\.0\.0\.1:9: "):
        Broker(BrokerAddress("127.0.0.1", 9))


def test_every_message_is_retained_and_versioned(mosquitto: Mosquitto, listener: Listener, sit_down: Any) -> None:
    sit_down("T1").set_up("Ann", "Bo")
    until(listener, lambda hall: table_of(hall, "T1")["turn"] == "turn 1 A")
    heard: dict[str, Any] = {}
    late = Broker(
        mosquitto.address, subscribe=f"{ROOT}/#", heard=lambda topic, body: heard.__setitem__(topic, json.loads(body))
    )
    try:
        for _ in range(50):
            late.work(0.1)
            if len(heard) >= 3:
                break
    finally:
        late.close()
    assert set(heard) == {f"{ROOT}/main/t1/{kind}" for kind in ("status", "state", "event")}
    assert heard[f"{ROOT}/main/t1/state"]["state"]["tray"] == SETUP["tray"]


def test_the_page_of_the_venue_is_served_and_takes_nothing(mosquitto: Mosquitto) -> None:
    line = command_line("venue", "--broker", f"127.0.0.1:{mosquitto.port}", "--host", "127.0.0.1", "--port", "0")
    with real(line) as venue:
        status, hall = venue.ask("GET", "/api/state")
        assert (status, hall["tables"], hall["event"]) == (200, [], "main")
        connection = http.client.HTTPConnection("127.0.0.1", venue.port, timeout=30)
        for path in ("/api/state", "/api/commands", "/api/control", "/"):
            connection.request("POST", path, "{}", {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            assert answer.status in (404, 405), path
        connection.request("GET", "/")
        page = connection.getresponse()
        assert page.status == 200
        assert "'self'" in page.headers["Content-Security-Policy"]
        page.read()
        connection.close()
