"""The composition root of `companion venue`: broker in, page out."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from companion.door import Door
from companion.ending import Stop
from companion.listening import cannot_listen, check_address
from companion.venue.listening import Listener
from companion.venue.settings import BrokerAddress
from web.serving import create_server
from web.venue import create_venue_app


def serve(broker: BrokerAddress, event: str, host: str, port: int, say: Callable[[str], None]) -> int:
    """Run until SIGTERM or SIGINT. Raises InputError when the page cannot be served; a broker is waited for."""
    check_address(host, port)
    with contextlib.ExitStack() as stack:
        stop = Stop()
        stop.on_signals(stack)
        listener = Listener(broker, event)
        try:
            server = create_server(create_venue_app(listener), host, port)
        except OSError as error:
            raise cannot_listen(host, port, error) from None
        listener.start()
        stack.callback(listener.stop)

        def run() -> None:
            try:
                server.run()
            finally:
                stop.set()

        threading.Thread(target=run, name="server", daemon=True).start()
        door = Door(host, None)
        door.port = server.effective_port
        for line in door.addresses():
            say(line)
        say(f"Tables that tell the broker at {broker} show there; nothing can be changed from it.")
        stop.wait()
    return 0
