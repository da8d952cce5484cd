"""How often one device may ask: enough for two excited players, too little to keep the table from the others."""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from flask import Flask, Request, Response, request

from web.pairing import is_loopback


@dataclass(frozen=True)
class Rate:
    """`burst` at once, then `per_s` each second."""

    burst: float
    per_s: float


PLAYERS = Rate(100, 20)
"""POSTs of a device that is let in: four thumbs tap it 8 times a second, and a tap may ask first what it would do."""
STRANGERS = Rate(20, 1)
"""POSTs of an address that is not: each is refused, or a PIN that is tried."""
READERS = Rate(600, 60)
"""What only looks, of one address: a page is forty files, its pictures come five times a second."""
HERE = Rate(3000, 300)
"""This machine itself: scripts that enter a whole match, and more hands than it has."""
MOST = 2000
"""Senders that are remembered; the one that was silent the longest is forgotten."""


class Rates:
    """A bucket of tokens for each sender. Any thread may ask."""

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._clock_s = clock_s
        self._lock = threading.Lock()
        self._buckets: OrderedDict[object, tuple[float, float]] = OrderedDict()

    def wait_s(self, sender: object, rate: Rate) -> float:
        """0: go on, it is counted; else so long until the next one is answered."""
        now = self._clock_s()
        with self._lock:
            left, since = self._buckets.pop(sender, (rate.burst, now))
            left = min(rate.burst, left + (now - since) * rate.per_s)
            allowed = left >= 1
            self._buckets[sender] = (left - 1 if allowed else left, now)
            while len(self._buckets) > MOST:
                self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) / rate.per_s


def install(
    app: Flask,
    device: Callable[[Request], str | None],
    failed: Callable[[int, str, str], Response],
    rates: Rates | None = None,
) -> None:
    """`device`: what a device that is let in is known by; None: it is not."""
    rates = rates or Rates()

    @app.before_request
    def check_rate() -> Response | None:
        reads = request.method in ("GET", "HEAD", "OPTIONS")
        address = request.remote_addr or ""
        who = None if reads else device(request)
        rate = HERE if is_loopback(address) else READERS if reads else STRANGERS if who is None else PLAYERS
        wait_s = rates.wait_s((reads, who or neighbour(address)), rate)
        if wait_s == 0:
            return None
        seconds = math.ceil(wait_s)
        text = (
            f"Too much at once from this device: try again in {'a second' if seconds == 1 else f'{seconds} seconds'}."
        )
        response = failed(429, "too_fast", text)
        response.headers["Retry-After"] = str(seconds)
        return response


def neighbour(address: str) -> str:
    """Whom an address stands for: one device may have many of IPv6, all of one network."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        mapped = found.ipv4_mapped
        # a link's own addresses share their network with everybody at the link
        return str(mapped) if mapped else str(found) if found.is_link_local else found.exploded[:19]
    return str(found)
