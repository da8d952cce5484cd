"""Tells systemd that the companion is ready, and again and again that it lives (sd_notify(3); no package needed).

Without systemd, or for a service without a watchdog, nothing is sent.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, MutableMapping

log = logging.getLogger(__name__)


class Heartbeat:
    """Takes its variables out of `environ`: a process that we start must not speak for us."""

    def __init__(
        self, environ: MutableMapping[str, str] = os.environ, clock: Callable[[], float] = time.monotonic
    ) -> None:
        address = environ.pop("NOTIFY_SOCKET", "")
        # "@" stands for the NUL of a name that is not in the file system
        self._address = "\0" + address[1:] if address.startswith("@") else address
        patience_us = environ.pop("WATCHDOG_USEC", "")
        meant = environ.pop("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        # three beats may be lost on a busy machine
        self._every_s = int(patience_us) / 4e6 if patience_us.isdigit() and meant else 0.0
        self._clock = clock
        self._next = clock()

    def ready(self, text: str) -> None:
        """The page answers; `text` is what `systemctl status` shows."""
        self._send(f"READY=1\nSTATUS={' '.join(text.split())}")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def beat(self) -> None:
        """For the loop that must not stop, as often as it likes; only a few of its calls are sent on."""
        now = self._clock()
        if self._every_s and now >= self._next:
            self._next = now + self._every_s
            self._send("WATCHDOG=1")

    def _send(self, text: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
                # the loop that beats must not hang on systemd
                out.setblocking(False)
                out.sendto(text.encode(), self._address)
        except OSError as error:
            log.warning("systemd was not told %s: %s", text.split("\n")[0], error)
