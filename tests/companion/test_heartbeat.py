"""What systemd is told, over a real socket; and that a writer that hangs no longer beats."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.heartbeat import Heartbeat
from companion.service import Service
from companion.session import Session
from tests.companion.running import running
from tests.toy.noughts import NOUGHTS


class Systemd:
    """The other end of the socket, in a file or under an abstract name."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._in = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._in.bind("\0" + address[1:] if address.startswith("@") else address)
        self._in.settimeout(30)

    def hears(self) -> str:
        return self._in.recv(4096).decode()

    def close(self) -> None:
        self._in.close()


@pytest.fixture(params=["file", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Systemd]:
    name = f"@companion-test-{os.getpid()}" if request.param == "abstract" else str(tmp_path / "notify")
    end = Systemd(name)
    yield end
    end.close()


def test_what_is_sent_and_how_often(systemd: Systemd) -> None:
    now = 100.0
    environ = {
        "NOTIFY_SOCKET": systemd.address,
        "WATCHDOG_USEC": "20000000",
        "WATCHDOG_PID": str(os.getpid()),
        "A": "b",
    }
    heartbeat = Heartbeat(environ, lambda: now)
    assert environ == {"A": "b"}, "a process that we start must not speak for us"
    heartbeat.ready("The page:\nhttp://table/")
    assert systemd.hears() == "READY=1\nSTATUS=The page: http://table/"
    for _ in range(100):
        heartbeat.beat()
        now += 0.1  # ten seconds: a beat at once, then every five
    heartbeat.stopping()
    assert [systemd.hears() for _ in range(3)] == ["WATCHDOG=1", "WATCHDOG=1", "STOPPING=1"]


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"WATCHDOG_USEC": "20000000"},
        {"NOTIFY_SOCKET": "/nowhere/notify", "WATCHDOG_USEC": "20000000"},  # systemd went away
        {"NOTIFY_SOCKET": "/nowhere/notify", "WATCHDOG_USEC": "soon"},
    ],
)
def test_without_systemd_nothing_is_sent_and_nothing_fails(environ: dict[str, str]) -> None:
    heartbeat = Heartbeat(environ)
    heartbeat.ready("here")
    heartbeat.beat()
    heartbeat.stopping()


def test_anothers_watchdog_is_not_ours(tmp_path: Path) -> None:
    end = Systemd(str(tmp_path / "notify"))
    heartbeat = Heartbeat({"NOTIFY_SOCKET": end.address, "WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"})
    heartbeat.beat()
    heartbeat.stopping()
    assert end.hears() == "STOPPING=1"
    end.close()


def test_a_writer_that_hangs_does_not_beat() -> None:
    beats = threading.Semaphore(0)
    service = Service(Session(NOUGHTS))
    service.set_beat(beats.release)
    hung, go_on = threading.Event(), threading.Event()

    def hang() -> None:
        hung.set()
        go_on.wait(30)

    service.start()
    asker = threading.Thread(target=service._in_writer, args=(hang,))
    try:
        assert beats.acquire(timeout=30)
        asker.start()
        assert hung.wait(30)
        while beats.acquire(blocking=False):
            pass
        # two rounds' time and no beat
        assert not beats.acquire(timeout=0.6)
        go_on.set()
        assert beats.acquire(timeout=30)
    finally:
        go_on.set()
        asker.join(30)
        service.stop()


def test_the_companion_tells_that_it_is_ready_lives_and_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    end = Systemd(str(tmp_path / "notify"))
    monkeypatch.setenv("NOTIFY_SOCKET", end.address)
    monkeypatch.setenv("WATCHDOG_USEC", "1000000")
    heard = []
    with running(tmp_path / "data") as run:
        # it beats while it starts, too
        while heard.count("WATCHDOG=1") < 3 or not any(text.startswith("READY=1") for text in heard):
            heard.append(end.hears())
        assert any(text.startswith("READY=1\nSTATUS=") and str(run.port) in text for text in heard)
        run.process.terminate()
        while heard[-1] != "STOPPING=1":
            heard.append(end.hears())
    end.close()
