"""The server the app runs in: waitress in our own process, sized for event streams (platform.md §6)."""

from __future__ import annotations

import threading
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


def stop_server(server: Any, serving: threading.Thread) -> None:
    """End `server.run()`, which the thread `serving` is in, and close every connection; waits for that thread alone.

    Waitress's own `close()` pulls descriptors from under its loop, which may be waiting for them; this lets the loop
    itself put them down. What a request still at work writes to is closed after it: its number would be given anew.
    """

    def put_down() -> None:
        for channel in list(server._map.values()):
            if channel is not server.trigger:
                channel.close()
        server._map.clear()  # an empty map is what ends the loop

    def finish() -> None:
        server.task_dispatcher.shutdown(timeout=60.0)  # an idle stream ends with its next sign of life
        if not server.task_dispatcher.threads:
            server.trigger.close()

    server.trigger.pull_trigger(put_down)
    serving.join()
    threading.Thread(target=finish, daemon=True).start()
