"""The server the app runs in: waitress in our own process, sized for event streams (platform.md §6)."""

from __future__ import annotations

from typing import Any

import waitress  # type: ignore[import-untyped]
from flask import Flask

OPTIONS: dict[str, Any] = {
    "threads": 64,  # 48 streams hold one each, the rest is for pages
    "channel_request_lookahead": 5,  # lets a stream notice a tablet that went away
    "connection_limit": 300,
    "outbuf_high_watermark": 256 * 1024,  # a slow reader must not fall far behind
    "max_request_body_size": 1024 * 1024,  # the app says no at 64 kB, in its own words
    "ident": "table-companion",
}


def create_server(app: Flask, host: str, port: int) -> Any:
    """A bound server; `.run()` serves, `.close()` stops, `.effective_port`: the port in use. OSError: port in use."""
    return waitress.create_server(app, host=host, port=port, clear_untrusted_proxy_headers=True, **OPTIONS)
