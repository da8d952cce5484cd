"""The composition root of `companion run`: data folder, matches, table, camera, beams, page (DESIGN §4)."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.errors import InputError
from companion.filelock import FileLock
from companion.games import game
from companion.matches import Matches
from companion.service import Service
from web.app import create_app
from web.serving import create_server

log = logging.getLogger(__name__)

SIMULATED_KEPT = 20
"""Nobody looks up simulated matches, and they go on for ever: only the newest logs stay."""


@dataclass(frozen=True)
class Settings:
    """What the command line said. `table` None: the data folder's table.toml, if there is one."""

    data: Path
    host: str
    port: int
    table: Path | None = None
    simulate: bool = False
    open: bool = False

    @property
    def table_file(self) -> Path | None:
        if self.table is not None:
            return self.table
        path = self.data / "table.toml"
        return path if path.exists() else None


def default_data() -> Path:
    """Systemd's state folder when it gives one, else where the desktop's programs keep theirs."""
    state = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    if state:
        return Path(state)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "table-companion"


def serve(settings: Settings, say: Callable[[str], None] = print) -> int:
    """Run until SIGTERM or SIGINT. Raises InputError when it cannot begin."""
    _check_address(settings.host, settings.port)
    with contextlib.ExitStack() as stack:
        stop = _stop_on_signals(stack)
        try:
            settings.data.mkdir(parents=True, exist_ok=True)
            lock = FileLock(settings.data / "lock", f"data folder {settings.data}")
        except OSError as error:
            raise InputError(f"data folder {settings.data}: cannot be written: {error.strerror or error}") from None
        stack.callback(lock.release)
        service = _service(settings, stack, say)
        try:
            server = create_server(create_app(service), settings.host, settings.port)
        except OSError as error:
            raise _cannot_listen(settings.host, settings.port, error) from None
        # in a thread of its own: its orderly end would wait for every open event stream
        threading.Thread(target=server.run, name="server", daemon=True).start()
        for line in _addresses(settings.host, server.effective_port):
            say(line)
        stop.wait()
        server.close()
    return 0


def _service(settings: Settings, stack: contextlib.ExitStack, say: Callable[[str], None]) -> Service:
    """The service for what is attached, started; the stack stops it."""
    rules = game("rematch")
    notices: list[str] = []
    matches = Matches(settings.data / "matches", rules)
    service = Service(matches.resume(notices.append))
    for number, text in enumerate(notices):
        service.say(f"matches-{number}", text, "error")
        say(text)
    service.start()
    stack.callback(service.stop)
    say("No camera and no sensors were found: the score is kept by taps.")
    return service


def _stop_on_signals(stack: contextlib.ExitStack) -> threading.Event:
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.signal(number, lambda *_: stop.set())
        stack.callback(signal.signal, number, before)
    return stop


def _check_address(host: str, port: int) -> None:
    """Before anything is written: can we listen there at all?"""
    if not 0 <= port <= 65535:
        raise InputError(f"port {port}: a port is a number from 0 to 65535")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen(1)
    except OSError as error:
        raise _cannot_listen(host, port, error) from None


def _cannot_listen(host: str, port: int, error: OSError) -> InputError:
    return InputError(f"cannot listen on {host} port {port}: {error.strerror or error}")


def _addresses(host: str, port: int) -> Iterator[str]:
    if host in ("0.0.0.0", "::", ""):
        for address in _own_addresses():
            yield f"The page: http://{address}:{port}/"
        host = "127.0.0.1"
    yield f"On this machine: http://{f'[{host}]' if ':' in host else host}:{port}/"


def _own_addresses() -> list[str]:
    """This machine's IPv4 address on the network that it would send through; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that nobody has (RFC 5737)
        except OSError:
            return []
        own: str = probe.getsockname()[0]
        return [] if own.startswith("127.") else [own]
