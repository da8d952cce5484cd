"""The server the app runs in: waitress in our own process, sized for event streams (platform.md §6).

What waitress does not do: bound the connections of one address, notice a device that was switched off, and answer a
body that is too large so that its sender hears it.
"""

from __future__ import annotations

import logging
import socket
from typing import Any

import waitress
from flask import Flask
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.utilities import RequestEntityTooLarge

log = logging.getLogger(__name__)

OPTIONS: dict[str, Any] = {
    "threads": 64,  # 48 streams hold one each, the rest is for pages
    "channel_request_lookahead": 5,  # lets a stream notice a tablet that went away
    "connection_limit": 500,
    "asyncore_use_poll": True,  # select() ends at file number 1023
    "channel_timeout": 60,  # an idle connection; a browser opens another
    "outbuf_high_watermark": 64 * 1024,  # a slow reader must not fall far behind
    "max_request_body_size": 1024 * 1024,  # the app says no at 64 kB, in its own words
    "ident": "table-companion",
}
PER_ADDRESS = 100
"""Connections: 48 streams and whatever else a page opens, were all of them on one device."""
SWALLOWED = 32 * 2**20
"""Bytes of a body that is too large: read and thrown away, since whoever is still sending does not hear an answer."""
GONE_S = 20
"""A device that was switched off says nothing. After so long without a sign of life its connection is given up."""
SEND_BUFFER = 64 * 1024
"""Bytes that the kernel holds for a slow reader; by itself it takes megabytes."""


def create_server(app: Flask, host: str, port: int, per_address: int = PER_ADDRESS, gone_s: float = GONE_S) -> Any:
    """A bound server; `.run()` serves, `.close()` stops, `.effective_port`: the port in use. OSError: port in use."""
    server = waitress.create_server(app, host=host, port=port, clear_untrusted_proxy_headers=True, **OPTIONS)
    # one that listens at several addresses has a server for each
    each = [one for one in getattr(server, "map", {}).values() if isinstance(one, TcpWSGIServer)]
    for one in each or [server]:
        one.channel_class = _Entrance(per_address)
        one.adj.socket_options = [*one.adj.socket_options, *_signs_of_life(gone_s)]
    return server


def _signs_of_life(gone_s: float) -> list[tuple[int, int, int]]:
    options = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1), (socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)]
    every_s = max(1, round(gone_s / 4))
    for name, value in (
        ("TCP_KEEPIDLE", every_s),
        ("TCP_KEEPINTVL", every_s),
        ("TCP_KEEPCNT", 3),
        ("TCP_USER_TIMEOUT", round(gone_s * 1000)),  # what was sent and never acknowledged
    ):
        if hasattr(socket, name):  # Linux
            options.append((socket.IPPROTO_TCP, getattr(socket, name), value))
    return options


class _Entrance:
    """Lets connections in, as waitress' `channel_class`: of one address only so many.

    Beyond that the one that was silent the longest goes, so that a device whose connections hang can still get in; if
    all of them are at work the new one is refused. Runs in the server's own thread alone.
    """

    def __init__(self, per_address: int) -> None:
        self._per_address = per_address

    def __call__(self, server: Any, connection: socket.socket, address: Any, adj: Any, map: Any) -> None:
        same = [one for one in server.active_channels.values() if one.addr[0] == address[0]]
        if len(same) >= self._per_address:
            idle = [one for one in same if not one.requests and not one.total_outbufs_len]
            if not idle:
                connection.close()
                return
            min(idle, key=lambda one: one.last_activity).handle_close()
        _Channel(server, connection, address, adj, map=map)


class _Parser(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """Hands a request whose body is too large to the app without it: the app knows how to say so."""

    _to_swallow = 0
    error: Any
    body_rcv: Any
    expect_continue: bool
    completed: bool

    def received(self, data: bytes) -> int:
        if self._to_swallow:
            taken = min(len(data), self._to_swallow)
            self._to_swallow -= taken
            self.completed = not self._to_swallow
            return taken
        taken = int(super().received(data))
        if isinstance(self.error, RequestEntityTooLarge) and self.body_bytes_received == 0 and not self.chunked:
            self.error = self.body_rcv = None
            if self.content_length <= SWALLOWED and not self.expect_continue:
                self._to_swallow, self.completed = self.content_length, False
            else:
                self.headers["CONNECTION"] = "close"
            self.expect_continue = False
        return taken


class _Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    parser_class = _Parser
