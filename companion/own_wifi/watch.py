"""When the table's own Wi-Fi comes up, and when it makes room for a known one.

It comes up after a minute without any network. While it is up its radio cannot look for others, so that a home's
Wi-Fi that returns (a power cut ends both, and the Pi is the faster one) would never be joined: as long as nobody is in
ours, it steps back for a minute now and then, if it knows another at all.
"""

from __future__ import annotations

from typing import Protocol

from companion.own_wifi.network import Link
from companion.own_wifi.settings import PROFILE

PATIENCE_S = 60.0
STEP_BACK_S = 600.0
EVERY_S = 5.0


class Net(Protocol):
    def links(self) -> list[Link] | None: ...
    def knows_wifi(self) -> bool: ...
    def guests(self, device: str) -> bool: ...
    def up(self, device: str) -> bool: ...
    def down(self) -> None: ...


class Watch:
    """Call `look` every few seconds with the time; it answers with a sentence when something has changed."""

    def __init__(self, net: Net) -> None:
        self._net = net
        self._alone_since: float | None = None
        self._idle_since: float | None = None
        self._trouble = ""

    def look(self, now_s: float) -> str | None:
        links = self._net.links()
        if links is None:
            return self._tell_trouble("NetworkManager does not answer.")
        ours = next((link for link in links if link.connection == PROFILE), None)
        if ours is not None:
            return self._while_up(ours, now_s)
        self._idle_since = None
        if any(link.connected and link.kind in ("wifi", "ethernet") for link in links):
            self._alone_since, self._trouble = None, ""
            return None
        if self._alone_since is None:
            self._alone_since = now_s
        if now_s - self._alone_since < PATIENCE_S:
            return None
        self._alone_since = now_s
        radio = next((link for link in links if link.kind == "wifi"), None)
        if radio is None:
            return self._tell_trouble("No network, and this machine has no Wi-Fi to make one.")
        if not self._net.up(radio.device):
            return self._tell_trouble("No network, and the table's own Wi-Fi does not come up; it is tried again.")
        self._trouble = ""
        return "No network is known here: the table's own Wi-Fi is up."

    def _while_up(self, ours: Link, now_s: float) -> str | None:
        self._alone_since = None
        if not ours.connected or not self._net.knows_wifi() or self._net.guests(ours.device):
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = now_s
        elif now_s - self._idle_since >= STEP_BACK_S:
            self._net.down()
            self._alone_since, self._idle_since = now_s, None
            return "Nobody is in the table's own Wi-Fi: looking for a known one."
        return None

    def _tell_trouble(self, text: str) -> str | None:
        """Once, not every few seconds."""
        news, self._trouble = text != self._trouble, text
        return text if news else None
