"""Where other devices find this machine."""

from __future__ import annotations

import fcntl
import socket
import struct
from collections.abc import Callable

_GET_ADDRESS = 0x8915  # SIOCGIFADDR of Linux


def own_address() -> str | None:
    """This machine's IPv4 address on the network that it would send through; no packet is sent.

    A network that leads nowhere, as the table's own Wi-Fi does, is one too.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that nobody has (RFC 5737)
        except OSError:
            return without_route([name for _, name in socket.if_nameindex()], address_of)
        own: str = probe.getsockname()[0]
        return None if own.startswith("127.") else own


def without_route(names: list[str], address: Callable[[str], str | None]) -> str | None:
    """The address of one of these networks: a Wi-Fi's before a cable's; bridges of containers and the like are none."""
    for prefix in ("wl", "en", "eth"):
        for name in sorted(names):
            if name.startswith(prefix) and (found := address(name)) is not None:
                return found
    return None


def address_of(name: str) -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            told = fcntl.ioctl(probe, _GET_ADDRESS, struct.pack("256s", name.encode()[:15]))
        except OSError:
            return None
        return socket.inet_ntoa(told[20:24])
