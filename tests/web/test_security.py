"""Issue 7, point 4, line by line: what a device, a stranger, another site and a flood may do on a home network.

Pairing in detail: test_pairing.py; what is no command: test_commands.py and test_nonsense.py.
"""

from __future__ import annotations

import http.client
import json
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from werkzeug.test import Client

from companion.pairing import Pairing
from tests.web.conftest import Served
from tests.web.fakes import FakeTable, a_state
from web.app import create_app
from web.rates import HERE, MOST, PLAYERS, READERS, STRANGERS, Rate, Rates, neighbour
from web.serving import PER_ADDRESS, SWALLOWED
from web.stream import STREAMS_EACH

TABLET = "192.168.1.20"
UNDO = {"do": "undo"}
PAGES = ("/", "/seen", "/watch", "/records", "/no-such-page")
CHANGES = ("/api/commands", "/api/control", "/api/matches", "/api/pair/renew")


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Home:
    """A table with pairing, and devices that ask it from their addresses."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = Clock()
        self.table = FakeTable(a_state())
        self.table.jpeg = b"\xff\xd8picture"
        self.start()

    def start(self) -> None:
        self.pairing = Pairing(self.folder, clock_s=self.clock)
        self.app = create_app(self.table, pairing=self.pairing, rates=Rates(self.clock))
        self.devices: dict[str, Client] = {}

    def device(self, name: str = "tablet", paired: bool = True) -> Client:
        if name not in self.devices:
            self.devices[name] = Client(self.app)
            if paired:
                assert self.ask(name, "/api/pair", {"pin": self.pairing.pin}).status_code == 200
        return self.devices[name]

    def ask(self, name: str, path: str, body: object = None, address: str = TABLET, **headers: str) -> Any:
        device = self.device(name, paired=False)
        environ = {"REMOTE_ADDR": address}
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        if body is None:
            return device.get(path, environ_overrides=environ, headers=named)
        return device.post(path, json=body, environ_overrides=environ, headers=named)

    @property
    def unchanged(self) -> bool:
        return self.table.commands == [] and self.table.controls == []


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


# -- reading is open, changing needs to be allowed once for each device ------------------------------------------------


def test_reading_is_open_to_everybody_at_home(home: Home) -> None:
    for path in (*PAGES[:4], "/api/state", "/api/history", "/api/seen", "/api/matches"):
        assert home.ask("guest", path).status_code in (200, 404), path


@pytest.mark.parametrize("path", CHANGES)
def test_changing_needs_a_device_that_was_let_in(home: Home, path: str) -> None:
    answer = home.ask("guest", path, UNDO)
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "not_paired")
    assert home.unchanged


def test_once_for_each_device(home: Home) -> None:
    home.device("tablet")
    assert home.ask("tablet", "/api/commands", UNDO).status_code == 200
    assert home.ask("phone", "/api/commands", UNDO).status_code == 403


def test_wrong_pins_are_slowed_down_and_the_right_one_is_not_looked_at_meanwhile(home: Home) -> None:
    wrong = {"pin": "000000" if home.pairing.pin != "000000" else "111111"}
    waits = [int(home.ask("guest", "/api/pair", wrong).headers.get("Retry-After", 0)) for _ in range(4)]
    assert waits[:2] == [0, 0]
    assert waits[2] >= 5
    right = home.ask("guest", "/api/pair", {"pin": home.pairing.pin})
    assert right.status_code == 429
    assert "try again in" in right.json["error"]["text"]
    home.clock.now += 60
    assert home.ask("guest", "/api/pair", {"pin": home.pairing.pin}).status_code == 200


def test_a_device_stays_let_in_after_a_restart_whatever_the_clock_says(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.device("tablet")
    cookie = home.devices["tablet"].get_cookie("companion-device")
    assert cookie is not None
    for year_s in (0.0, 4e9):  # 1970, where a Pi without a clock begins, and 2096
        monkeypatch.setattr("time.time", lambda at=year_s: at)
        home.start()
        fresh = home.device("tablet", paired=False)
        fresh.set_cookie("companion-device", cookie.value)
        assert home.ask("tablet", "/api/commands", UNDO).status_code == 200
    assert "pin" not in cookie.value
    assert cookie.value not in (home.folder / "pairing.json").read_text(), "a stolen file opens nothing"


def test_open_tables_ask_nobody_for_a_pin_but_still_know_other_sites() -> None:
    table = FakeTable(a_state())
    client = Client(create_app(table))
    guest = {"REMOTE_ADDR": TABLET}
    assert client.post("/api/commands", json=UNDO, environ_overrides=guest).status_code == 200
    answer = client.post("/api/commands", json=UNDO, environ_overrides=guest, headers={"Origin": "http://evil.example"})
    assert answer.status_code == 403
    assert table.commands == [UNDO]


# -- Origin, Host, CSRF ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/api/state", "/api/history", "/frame.jpg", "/api/pairing", "/static/main.js"])
@pytest.mark.parametrize("address", [TABLET, "127.0.0.1"])
@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:8000", "a..b.c", "[::1"])
def test_a_forged_host_is_refused_in_a_sentence(home: Home, path: str, address: str, host: str) -> None:
    """A stranger's name that was pointed at our address: its page would read with the eyes of whoever opened it."""
    home.device("tablet")
    answer = home.ask("tablet", path, address=address, Host=host)
    assert answer.status_code == 403
    assert "open it by its address" in answer.text
    assert home.ask("tablet", "/api/commands", UNDO, address, Host=host).status_code == 403
    assert home.unchanged


@pytest.mark.parametrize(
    "host", ["192.168.1.7:8000", "table.local", "pi", "[fe80::1]:8000", "pi.fritz.box", "localhost"]
)
def test_the_tables_own_names_are_served(home: Home, host: str) -> None:
    assert home.ask("guest", "/", Host=host).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9999"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
@pytest.mark.parametrize("path", [*CHANGES, "/api/pair"])
def test_another_sites_page_changes_nothing_with_a_players_cookie(
    home: Home, path: str, headers: dict[str, str]
) -> None:
    home.device("tablet")
    answer = home.ask("tablet", path, UNDO, **headers)
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "not_allowed")
    assert home.unchanged


def test_another_sites_form_changes_nothing(home: Home) -> None:
    """A form needs no permission of ours to be sent; it cannot call its body JSON, and brings no cookie."""
    tablet = home.device("tablet")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = tablet.post(
            "/api/commands",
            data=json.dumps(UNDO),
            content_type=kind,
            headers={"Sec-Fetch-Site": "same-origin"},
            environ_overrides={"REMOTE_ADDR": TABLET},
        )
        assert answer.status_code == 400
    cookie = home.ask("phone", "/api/pair", {"pin": home.pairing.pin}).headers["Set-Cookie"]
    assert "SameSite=Strict" in cookie
    assert "HttpOnly" in cookie
    assert home.unchanged


# -- the pages ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_a_policy_without_inline_and_keeps_to_it(home: Home, path: str) -> None:
    answer = home.ask("guest", path)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|javascript:", answer.text) is None
    assert re.search(r"""(src|href)=["'](https?:)?//""", answer.text) is None
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"


def test_the_cameras_picture_is_for_devices_that_are_let_in(home: Home) -> None:
    assert home.ask("guest", "/frame.jpg").status_code == 403
    home.device("tablet")
    assert home.ask("tablet", "/frame.jpg").data == b"\xff\xd8picture"
    assert home.ask("tablet", "/frame.jpg").headers["Cache-Control"] == "no-store"


def test_the_file_with_everything_is_for_devices_that_are_let_in(home: Home) -> None:
    """The PIN is in it."""
    assert home.ask("guest", "/api/backup.zip").json["error"]["code"] == "not_paired"
    home.device("tablet")
    assert home.ask("tablet", "/api/backup.zip").json["error"]["code"] == "not_found"


def test_no_debugger_and_no_traceback(home: Home) -> None:
    assert not home.app.debug
    assert not home.app.testing
    home.device("tablet")
    home.table.replies = [RuntimeError("secret /home/pi/path")]
    answer = home.ask("tablet", "/api/commands", UNDO)
    assert answer.status_code == 500
    assert answer.json["error"]["code"] == "internal"
    for word in ("Traceback", "secret", "/home", "File ", "RuntimeError"):
        assert word not in answer.text
    for path in ("/console", "/?__debugger__=yes&cmd=resource&f=debugger.js"):
        assert "__debugger__" not in home.ask("guest", path).text


# -- sizes and rates ---------------------------------------------------------------------------------------------------


def test_two_excited_players_are_never_told_to_wait(home: Home) -> None:
    home.device("tablet")
    for _ in range(200):
        home.clock.now += 1 / 10  # ten taps a second, for twenty seconds
        assert home.ask("tablet", "/api/commands", UNDO).status_code == 200
    for _ in range(40):  # and all at once
        assert home.ask("tablet", "/api/commands", UNDO).status_code == 200


def test_a_flood_of_one_device_is_slowed_down_and_the_others_go_on(home: Home) -> None:
    home.device("tablet")
    home.device("phone")
    answers = [home.ask("tablet", "/api/commands", UNDO) for _ in range(round(PLAYERS.burst) + 20)]
    refused = [one for one in answers if one.status_code == 429]
    assert len(refused) == 20
    assert (refused[0].json["error"]["code"], refused[0].headers["Retry-After"]) == ("too_fast", "1")
    assert refused[0].json["state"] is not None
    assert len(home.table.commands) == PLAYERS.burst
    assert home.ask("phone", "/api/commands", UNDO).status_code == 200
    home.clock.now += 1
    assert home.ask("tablet", "/api/commands", UNDO).status_code == 200


def test_strangers_have_less_and_do_not_use_up_what_is_the_players(home: Home) -> None:
    home.device("tablet")
    codes = [home.ask("guest", "/api/commands", UNDO).status_code for _ in range(round(STRANGERS.burst) + 5)]
    assert codes.count(429) >= 5
    assert set(codes) == {403, 429}
    assert home.ask("tablet", "/api/commands", UNDO).status_code == 200


def test_readers_are_bounded_as_well_and_a_page_is_far_below(home: Home) -> None:
    codes = [home.ask("guest", "/api/state").status_code for _ in range(round(READERS.burst) + 5)]
    assert (codes.count(200), codes.count(429)) == (READERS.burst, 5)
    home.clock.now += 10
    assert [home.ask("guest", "/api/state").status_code for _ in range(100)] == [200] * 100


def test_a_script_on_this_machine_may_enter_a_whole_match_at_once_but_is_bounded_too() -> None:
    clock = Clock()
    rates = Rates(clock)
    waits = [rates.wait_s("here", HERE) for _ in range(round(HERE.burst) + 1)]
    assert waits[:-1] == [0.0] * round(HERE.burst)
    assert waits[-1] > 0


def test_a_wait_is_as_long_as_it_says_and_senders_are_forgotten() -> None:
    clock = Clock()
    rates = Rates(clock)
    rate = Rate(2, 0.5)
    assert [rates.wait_s("one", rate) for _ in range(3)] == [0, 0, 2]
    clock.now += 1.99
    assert rates.wait_s("one", rate) > 0
    clock.now += 0.02
    assert rates.wait_s("one", rate) == 0
    for number in range(2 * MOST):
        rates.wait_s(number, rate)
    assert len(rates._buckets) == MOST


def test_the_addresses_of_one_network_are_one_sender() -> None:
    assert neighbour("2001:db8:1:2:3:4:5:6") == neighbour("2001:db8:1:2::9") != neighbour("2001:db8:1:3::9")
    assert neighbour("::ffff:192.168.1.20") == neighbour("192.168.1.20") != neighbour("192.168.1.21")
    assert neighbour("fe80::1%wlan0") == neighbour("fe80::1") != neighbour("fe80::2")
    assert neighbour("") == ""


def test_one_device_cannot_take_every_stream(home: Home) -> None:
    def stream(address: str) -> Any:
        return Client(home.app).get("/api/events", environ_overrides={"REMOTE_ADDR": address}, buffered=False)

    mine = [stream(TABLET) for _ in range(STREAMS_EACH)]
    over = stream(TABLET)
    assert (over.status_code, over.headers["Retry-After"]) == (503, "5")
    other = stream("192.168.1.21")
    assert other.status_code == 200
    mine.pop().close()
    again = stream(TABLET)
    assert again.status_code == 200
    for one in (*mine, other, again):
        one.close()
    assert home.app.extensions["event_streams"].open == 0


# -- in the real server ------------------------------------------------------------------------------------------------


@pytest.fixture
def served(serve: Callable[..., Served]) -> tuple[Served, FakeTable]:
    table = FakeTable(a_state())
    return serve(table), table


def _port(served: Served) -> int:
    port = urlsplit(served.url).port
    assert port is not None
    return port


def _get(served: Served, path: str, source: str = "127.0.0.1") -> int:
    connection = http.client.HTTPConnection("127.0.0.1", _port(served), timeout=20, source_address=(source, 0))
    connection.request("GET", path)
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.parametrize("path", ["/api/commands", "/api/matches"])
def test_10_mb_are_refused_in_the_apps_own_words(served: tuple[Served, FakeTable], path: str) -> None:
    server, table = served
    connection = http.client.HTTPConnection("127.0.0.1", _port(server), timeout=20)
    body = b'{"do": "' + b"x" * 10_000_000 + b'"}'
    connection.request("POST", path, body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    told = json.load(answer)
    assert (answer.status, told["error"]["code"]) == (413, "too_large")
    assert told["state"] == table.snapshot().state
    # and the connection goes on
    connection.request("POST", "/api/commands", json.dumps(UNDO), {"Content-Type": "application/json"})
    assert connection.getresponse().status == 200
    assert table.commands == [UNDO]


def test_what_is_larger_still_is_refused_before_it_is_sent(served: tuple[Served, FakeTable]) -> None:
    server, table = served
    for expect in ("", "Expect: 100-continue\r\n"):
        with socket.create_connection(("127.0.0.1", _port(server)), timeout=20) as raw:
            length = SWALLOWED + 1 if not expect else 10_000_000
            raw.sendall(
                b"POST /api/commands HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + f"{expect}Content-Length: {length}\r\n\r\n".encode()
            )
            answer = b"".join(iter(lambda: raw.recv(65536), b""))  # it ends: the server closes
        assert answer.startswith(b"HTTP/1.1 413 ")
        assert b'"too_large"' in answer
    assert table.commands == []


def test_a_thousand_connections_from_one_address_leave_the_others_served(served: tuple[Served, FakeTable]) -> None:
    server, _ = served
    flood = []
    for _ in range(1000):
        raw = socket.socket()
        raw.bind(("127.0.0.3", 0))
        raw.settimeout(20)
        raw.connect(("127.0.0.1", _port(server)))
        flood.append(raw)
    assert _get(server, "/api/state", "127.0.0.2") == 200
    assert _get(server, "/static/main.js", "127.0.0.2") == 200
    # and whoever floods is served as well: what it does not use makes room
    assert _get(server, "/api/state", "127.0.0.3") == 200
    for raw in flood:
        raw.close()


def test_of_one_address_only_so_many_connections_are_kept(serve: Callable[..., Served]) -> None:
    server = serve(FakeTable(a_state()))
    busy = []
    for number in range(PER_ADDRESS + 5):
        raw = socket.create_connection(("127.0.0.1", _port(server)), timeout=20)
        path = b"/api/events" if number < 3 else b"/api/state"
        raw.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert raw.recv(65536).startswith(b"HTTP/1.1 200 ")
        busy.append(raw)
    # streams are at work and stay; the connections that were silent the longest went
    assert server.app.extensions["event_streams"].open == 3
    ended = [raw for raw in busy if _has_ended(raw)]
    # of several that were silent equally long any may go
    assert len(ended) == 5
    assert not set(ended) & {*busy[:3], *busy[-5:]}
    for raw in busy:
        raw.close()


def _has_ended(raw: socket.socket) -> bool:
    raw.setblocking(False)
    try:
        while raw.recv(65536):
            pass
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_the_app_knows_its_own_name_and_no_other(tmp_path: Path) -> None:
    app: Flask = create_app(FakeTable(a_state()), hosts={"table.club.example"})
    assert Client(app).get("/", headers={"Host": "table.club.example:8000"}).status_code == 200
    assert Client(app).get("/", headers={"Host": "other.club.example"}).status_code == 403
