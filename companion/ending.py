"""How a serving command ends: at a signal, or because one of its threads did."""

from __future__ import annotations

import contextlib
import signal
import socket


class Stop:
    """What ends the main thread's wait: a thread, or a signal.

    No Event: Python's own handler runs in the main thread alone, and a signal that the kernel gave to another thread
    (after SIGSTOP, so at systemd's shutdown) does not wake a main thread that waits for a lock.
    """

    def __init__(self) -> None:
        self._here, self._there = socket.socketpair()
        self._there.setblocking(False)  # set_wakeup_fd wants it

    def set(self) -> None:
        with contextlib.suppress(BlockingIOError):  # it was set often enough
            self._there.send(b"\0")

    def wait(self) -> None:
        self._here.recv(1)

    def on_signals(self, stack: contextlib.ExitStack) -> None:
        before = signal.set_wakeup_fd(self._there.fileno(), warn_on_full_buffer=False)
        stack.callback(signal.set_wakeup_fd, before)
        for number in (signal.SIGTERM, signal.SIGINT):
            # the byte that was sent is all there is to do
            stack.callback(signal.signal, number, signal.signal(number, lambda *_: None))
