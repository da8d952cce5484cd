"""Ending a server that goes on in the same process: only tests do that, `run` ends with its process."""

from __future__ import annotations

import threading
from typing import Any

from waitress.wasyncore import dispatcher


def stop_server(server: Any, serving: threading.Thread) -> None:
    """End `server.run()`, which the thread `serving` is in, and close every connection; waits for that thread alone.

    Waitress's own `close()` pulls descriptors from under its loop, which may be waiting for them; this lets the loop
    itself put them down. What a request still at work writes to is closed after it: its number would be given anew.
    """

    def put_down() -> None:
        for channel in list(server._map.values()):
            # not the trigger, which a request still at work may pull: a server's own `close` would
            if channel is server:
                dispatcher.close(server)
            elif channel is not server.trigger:
                channel.close()
        server._map.clear()  # an empty map is what ends the loop

    def finish() -> None:
        server.task_dispatcher.shutdown(timeout=60.0)  # an idle stream ends with its next sign of life
        if not server.task_dispatcher.threads:
            server.trigger.close()

    server.trigger.pull_trigger(put_down)
    serving.join()
    threading.Thread(target=finish, daemon=True).start()
