"""A tablet that reads slowly sees the newest and not an evening's backlog; one that was switched off is noticed."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.web.ending import stop_server
from tests.web.fakes import FakeTable, a_state
from web.app import create_app
from web.serving import GONE_S, OPTIONS, SEND_BUFFER, create_server

PATIENCE_S = 30


@contextmanager
def serving(table: FakeTable, gone_s: float = GONE_S) -> Iterator[tuple[Any, Any]]:
    app = create_app(table, beat_s=0.05)
    server = create_server(app, "127.0.0.1", 0, gone_s=gone_s)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield app.extensions["event_streams"], server
    finally:
        stop_server(server, thread)


def opened(server: Any) -> socket.socket:
    """A page whose own memory for what arrives is as small as can be, and that has read the beginning."""
    page = socket.socket()
    page.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    page.settimeout(PATIENCE_S)
    page.connect(("127.0.0.1", int(server.effective_port)))
    page.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert page.recv(1024).startswith(b"HTTP/1.1 200 ")
    return page


def until(done: Any) -> None:
    patience = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < patience
        time.sleep(0.01)


def test_a_page_that_reads_slowly_is_not_sent_a_backlog() -> None:
    table = FakeTable(a_state())
    with serving(table) as (streams, server), opened(server) as page:
        (channel,) = server.active_channels.values()
        for number in range(1, 3001):
            table.show(notices=[{"level": "info", "text": f"[{number}]" + "x" * 3000}])
            if channel.total_outbufs_len > OPTIONS["outbuf_high_watermark"]:
                # nobody reads: the stream waits here, and 3,000 views of 4 kB are not kept for it
                break
            time.sleep(0.001)
        until(lambda: channel.total_outbufs_len > OPTIONS["outbuf_high_watermark"])
        for number in range(3001, 6001):
            table.show(notices=[{"level": "info", "text": f"[{number}]" + "x" * 3000}])
        backlog = b""
        while b"[6000]" not in backlog:
            backlog += page.recv(65536)
        assert backlog.count(b"event: table") < 100
        most = OPTIONS["outbuf_high_watermark"] + 2 * SEND_BUFFER + 2 * 2**16
        assert len(backlog) < 2 * most
        assert streams.open == 1


def test_a_tablet_that_was_switched_off_gives_its_place_back() -> None:
    """It says nothing any more, not even goodbye; what is sent to it is never taken."""
    table = FakeTable(a_state(), {"text": "x" * 20_000})
    with serving(table, gone_s=1) as (streams, server):
        page = opened(server)
        assert streams.open == 1
        for number in range(200):
            table.show(notices=[{"level": "info", "text": f"{number}" * 500}])
            time.sleep(0.001)
        until(lambda: streams.open == 0)
        until(lambda: not server.active_channels)
        page.close()


def test_connections_are_asked_for_signs_of_life() -> None:
    with serving(FakeTable(a_state())) as (_, server), opened(server):
        (channel,) = server.active_channels.values()
        of = channel.socket.getsockopt
        assert of(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert of(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == GONE_S * 1000
        assert of(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) <= GONE_S
        assert of(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1
