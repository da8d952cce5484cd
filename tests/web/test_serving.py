"""The app in its real server: as many streams as there may be, and everything else still answers."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from tests.web.conftest import Served
from tests.web.ending import stop_server
from tests.web.fakes import FakeTable, a_state
from tests.web.sse import Parser
from web.app import create_app
from web.serving import create_server

PATIENCE_S = 20


def get(served: Served, path: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(urlsplit(served.url).netloc, timeout=PATIENCE_S)
    connection.request("GET", path)
    return connection.getresponse()


def test_48_pages_at_once_the_49th_is_told_so_and_the_rest_of_the_server_answers(serve: Callable[..., Served]) -> None:
    table = FakeTable(a_state())
    served = serve(table)
    streams = [get(served, "/api/events") for _ in range(48)]
    assert {stream.status for stream in streams} == {200}
    over = get(served, "/api/events")
    assert (over.status, json.load(over)["error"]["code"]) == (503, "busy")
    assert get(served, "/api/state").status == 200
    assert get(served, "/static/main.js").status == 200

    table.show(a_state(turn="B"))
    for stream in streams:
        parser = Parser()
        turns: list[str] = []
        while "B" not in turns:
            messages = parser.feed(stream.readline())
            turns += [json.loads(m.data)["turn"] for m in messages if m.event == "message"]

    # pages that leave without a word give their places back
    for stream in streams:
        stream.close()
    patience = time.monotonic() + PATIENCE_S
    while served.app.extensions["event_streams"].open and time.monotonic() < patience:
        assert get(served, "/api/state").status == 200
    assert served.app.extensions["event_streams"].open == 0


def test_a_body_that_is_too_large_for_the_server_is_refused_too(serve: Callable[..., Served]) -> None:
    served = serve(FakeTable(a_state()))
    connection = http.client.HTTPConnection(urlsplit(served.url).netloc, timeout=PATIENCE_S)
    headers = {"Content-Type": "application/json", "Content-Length": str(10**9)}
    connection.request("POST", "/api/commands", body=b"{}", headers=headers)
    assert connection.getresponse().status == 413


def test_a_chunked_body_is_counted_as_well(serve: Callable[..., Served]) -> None:
    table = FakeTable(a_state())
    connection = http.client.HTTPConnection(urlsplit(serve(table).url).netloc, timeout=PATIENCE_S)
    chunks = (b" " * 1024 for _ in range(65))
    headers = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}
    connection.request("POST", "/api/commands", body=chunks, headers=headers, encode_chunked=True)
    answer = connection.getresponse()
    assert (answer.status, json.load(answer)["error"]["code"]) == (413, "too_large")
    assert table.commands == []


def test_a_server_ends_with_requests_and_streams_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    stumbles: list[str] = []
    monkeypatch.setattr(threading, "excepthook", lambda told: stumbles.append(repr(told.exc_value)))
    for _ in range(10):
        server = create_server(create_app(FakeTable(a_state())), "127.0.0.1", 0)
        serving = threading.Thread(target=server.run, daemon=True)
        serving.start()
        connections = [http.client.HTTPConnection("127.0.0.1", server.effective_port, timeout=60) for _ in range(8)]
        for number, connection in enumerate(connections):
            connection.request("GET", "/api/events" if number % 2 else "/api/state")
        stop_server(server, serving)
        assert not serving.is_alive()
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.1", server.effective_port), timeout=60)
        for connection in connections:
            connection.close()
    assert stumbles == []
