"""The page of all tables, in a real browser."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web.conftest import slowed
from tests.web.ending import stop_server
from tests.web.keeping import keep
from tests.web.test_axe import findings
from web.port import Snapshot
from web.serving import create_server
from web.venue import create_venue_app

PHONE, TABLET, SCREEN = (390, 844), (800, 1280), (1920, 1080)


def a_table(number: int, **changes: Any) -> dict[str, Any]:
    table = {
        "key": f"table-{number}",
        "name": f"Table {number}",
        "online": True,
        "page": f"http://10.0.0.{number}:8000/",
        "game": "rematch",
        "match": "m",
        "simulated": False,
        "players": "Ann – Bo",
        "seats": {"A": "Ann", "B": "Bo"},
        "turn": "turn 3 A",
        "figures": {"A": {"R": 7, "Y": 0, "B": 10, "credits": 3}, "B": {"R": 10, "Y": 4, "B": 9, "credits": 4}},
        "result": None,
        "winner": None,
        "last": "Red 2",
    }
    return {**table, **changes}


def a_hall(**changes: Any) -> dict[str, Any]:
    hall = {
        "event": "Club night",
        "broker": None,
        "tables": [
            a_table(1),
            a_table(2, result="A wins: B could not pay", winner="A", turn=""),
            a_table(3, online=False, seats={}),
            a_table(4, turn="", figures={}, last="", simulated=True),
        ],
        "standings": [
            {"name": "Ann", "played": 3, "won": 2, "lost": 1},
            {"name": "Bo", "played": 3, "won": 1, "lost": 2},
        ],
        "notices": [{"code": "twins", "table": "Table 1"}],
    }
    return {**hall, **changes}


class FakeVenue:
    def __init__(self, hall: dict[str, Any]) -> None:
        self._changed = threading.Condition()
        self._now = Snapshot(1, 1, hall, {})

    def show(self, hall: dict[str, Any]) -> None:
        with self._changed:
            serial = self._now.serial + 1
            self._now = Snapshot(serial, serial, hall, {})
            self._changed.notify_all()

    def snapshot(self) -> Snapshot:
        return self._now

    def wait(self, serial: int, timeout_s: float) -> Snapshot:
        with self._changed:
            self._changed.wait_for(lambda: self._now.serial != serial, timeout_s)
            return self._now


@pytest.fixture
def serve_venue() -> Iterator[Callable[..., str]]:
    servers = []

    def start(venue: FakeVenue, **options: Any) -> str:
        server = create_server(slowed(create_venue_app(venue, beat_s=0.2, **options)), "127.0.0.1", 0)
        serving = threading.Thread(target=server.run, daemon=True)
        serving.start()
        servers.append((server, serving))
        return f"http://127.0.0.1:{server.effective_port}/"

    yield start
    for server, serving in servers:
        stop_server(server, serving)


@pytest.mark.browser
@pytest.mark.parametrize(("name", "size"), [("phone", PHONE), ("tablet", TABLET), ("screen", SCREEN)])
def test_all_tables_and_the_standings(new_page: Any, serve_venue: Any, name: str, size: tuple[int, int]) -> None:
    page = new_page(size)
    page.goto(serve_venue(FakeVenue(a_hall())))
    page.wait_for_selector(".venue-table >> nth=3")
    assert page.locator("#title").inner_text() == "Club night"
    assert page.locator(".venue-table h2").all_inner_texts() == ["Table 1", "Table 2", "Table 3", "Table 4"]
    assert page.locator(".venue-here").all_inner_texts() == ["here", "here", "offline", "here"]
    assert page.locator(".venue-standings tbody th").all_inner_texts() == ["Ann", "Bo"]
    assert page.locator(".venue-standings tbody td").all_inner_texts() == ["3", "2", "1", "3", "1", "2"]
    assert page.locator(".venue-open").first.get_attribute("href") == "http://10.0.0.1:8000/watch"
    assert page.locator(".venue-notice").inner_text().startswith("Two tables call themselves “Table 1”.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for link in page.locator(".venue-open").all():
        assert link.bounding_box()["height"] >= 48
    keep(page, f"venue-{name}")
    assert findings(page) == []


@pytest.mark.browser
def test_what_changes_shows_without_a_reload(new_page: Any, serve_venue: Any) -> None:
    venue = FakeVenue(a_hall(tables=[], standings=[], notices=[]))
    page = new_page(TABLET)
    page.goto(serve_venue(venue))
    page.wait_for_selector(".venue-none")
    venue.show(a_hall(tables=[a_table(1)]))
    page.wait_for_selector(".venue-table[data-online]")
    assert page.locator(".venue-none").count() == 0
    venue.show(a_hall(tables=[a_table(1, online=False)], broker="broker pi: connection refused"))
    page.wait_for_selector(".venue-table:not([data-online])")
    assert "connection refused" in page.locator("#broker").inner_text()
    venue.show(a_hall(tables=[a_table(2)]))
    page.wait_for_selector(".venue-table >> text=Table 2")
    assert page.locator(".venue-table").count() == 1
    assert page.locator("#broker").is_hidden()


@pytest.mark.browser
def test_the_page_speaks_german_too(new_page: Any, serve_venue: Any) -> None:
    page = new_page(TABLET, locale="de-DE")
    page.goto(serve_venue(FakeVenue(a_hall())))
    page.wait_for_selector(".venue-table >> nth=3")
    assert page.locator("html").get_attribute("lang") == "de"
    assert page.locator(".venue-here").all_inner_texts() == ["da", "da", "nicht da", "da"]


def test_more_streams_than_there_is_room_for_are_told_to_come_again() -> None:
    app = create_venue_app(FakeVenue(a_hall()), max_streams=1, beat_s=0.01)
    client = app.test_client()
    first = client.get("/api/events")
    second = client.get("/api/events")
    assert (second.status_code, second.headers["Retry-After"]) == (503, "5")
    first.close()
    assert client.get("/api/events", buffered=False).status_code == 200


def test_its_headers_let_nothing_in_from_elsewhere() -> None:
    answer = create_venue_app(FakeVenue(a_hall())).test_client().get("/")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "inline" not in answer.headers["Content-Security-Policy"]
