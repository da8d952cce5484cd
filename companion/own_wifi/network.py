"""NetworkManager and the radio, asked by their own commands; the only part that starts any."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.own_wifi.settings import PROFILE

Ask = Callable[[Sequence[str]], "str | None"]
"""A command's words; None: it failed, or is not there."""


@dataclass(frozen=True, slots=True)
class Link:
    """A device of NetworkManager's: `kind` wifi, ethernet, …; `state` connected, disconnected, unavailable, …"""

    device: str
    kind: str
    state: str
    connection: str

    @property
    def connected(self) -> bool:
        return self.state.startswith("connected")


def ask_system(command: Sequence[str]) -> str | None:
    # its words for states are translated otherwise
    environ = {**os.environ, "LC_ALL": "C"}
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            timeout=60, check=False, env=environ,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


class Network:
    def __init__(self, ask: Ask = ask_system) -> None:
        self._ask = ask

    def links(self) -> list[Link] | None:
        """None: NetworkManager does not answer."""
        said = self._ask(["nmcli", "-t", "-f", "DEVICE,TYPE,STATE,CONNECTION", "device"])
        if said is None:
            return None
        rows = (_fields(line) for line in said.splitlines())
        return [Link(*row) for row in rows if len(row) == 4]

    def knows_wifi(self) -> bool:
        """Whether there is a Wi-Fi besides our own that it would join by itself."""
        said = self._ask(["nmcli", "-t", "-f", "NAME,TYPE,AUTOCONNECT", "connection"]) or ""
        rows = (_fields(line) for line in said.splitlines())
        return any(row[0] != PROFILE and row[1:] in (["802-11-wireless", "yes"], ["wifi", "yes"]) for row in rows)

    def guests(self, device: str) -> bool:
        """Whether anybody is in our own Wi-Fi; if that cannot be told, somebody may be."""
        said = self._ask(["iw", "dev", device, "station", "dump"])
        return said is None or "Station" in said

    def up(self, device: str) -> bool:
        return self._ask(["nmcli", "connection", "up", PROFILE, "ifname", device]) is not None

    def down(self) -> None:
        # of the connection, not of the device: that would keep it from joining others
        self._ask(["nmcli", "connection", "down", PROFILE])


def _fields(line: str) -> list[str]:
    return [re.sub(r"\\(.)", r"\1", field) for field in re.findall(r"(?:^|:)((?:[^\\:]|\\.)*)", line)]
