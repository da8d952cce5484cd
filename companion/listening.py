"""Can this machine listen there? Asked before anything is written, and said in one sentence."""

from __future__ import annotations

import errno
import socket

from companion.errors import InputError


def check_address(host: str, port: int) -> None:
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
        raise cannot_listen(host, port, error) from None


def cannot_listen(host: str, port: int, error: OSError) -> InputError:
    hint = "; another companion may be running, --port names another port" if error.errno == errno.EADDRINUSE else ""
    return InputError(f"cannot listen on {host} port {port}: {error.strerror or error}{hint}")
