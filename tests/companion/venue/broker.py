"""A real Mosquitto on loopback, ended and begun again as a test wants."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from companion.venue.settings import BrokerAddress

NEEDED = "COMPANION_NEEDS_BROKER"
"""Where it is set, a missing broker is a failure: in CI."""


def mosquitto() -> str:
    path = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
    if path is None:
        if os.environ.get(NEEDED):
            pytest.fail("there is no mosquitto on this machine: sudo apt install mosquitto")
        pytest.skip("no mosquitto on this machine: sudo apt install mosquitto")
    return path


class Mosquitto:
    """Keeps nothing over a restart, as one that was set up without a second thought."""

    def __init__(self, folder: Path, extra: str = "") -> None:
        self._path = mosquitto()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self._config = folder / "mosquitto.conf"
        anonymous = "" if "allow_anonymous" in extra else "allow_anonymous true\n"
        self._config.write_text(f"listener {self.port} 127.0.0.1\npersistence false\n{anonymous}{extra}")
        self._process: subprocess.Popen[bytes] | None = None
        self.begin()

    @property
    def address(self) -> BrokerAddress:
        return BrokerAddress("127.0.0.1", self.port)

    def begin(self) -> None:
        self._process = subprocess.Popen(
            [self._path, "-c", str(self._config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
            self._process = None
