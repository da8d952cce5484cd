"""Listens to the broker for the venue's page, in a thread of its own; what pages wait for is the newest whole."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from companion.venue.broker import Broker, BrokerError, Connection
from companion.venue.hall import Hall
from companion.venue.settings import BrokerAddress
from companion.venue.topics import every, level
from web.port import Snapshot

log = logging.getLogger(__name__)

RETRY_S = 1.0
ROUND_S = 0.2
NOTHING: dict[str, Any] = {}


class Listener:
    """Implements web.stream.Watched. `start` and `stop` it."""

    def __init__(self, broker: BrokerAddress, event: str, connect: Callable[..., Connection] = Broker) -> None:
        self._address, self._event, self._connect = broker, level(event), connect
        self._hall = Hall(self._event)
        self._name = event
        self._ending = threading.Event()
        self._changed = threading.Condition()
        self._snapshot = Snapshot(0, 0, self._told(), NOTHING)
        self._thread = threading.Thread(target=self._run, name="venue", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join(1.0)

    def snapshot(self) -> Snapshot:
        return self._snapshot

    def wait(self, serial: int, timeout_s: float) -> Snapshot:
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot.serial != serial, timeout_s)
            return self._snapshot

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                connection = self._connect(self._address, subscribe=every(self._event), heard=self._hall.heard)
                try:
                    self._hall.broker(None)
                    while not self._ending.is_set():
                        connection.work(ROUND_S)
                        self._publish()
                finally:
                    connection.close()
            except BrokerError as error:
                self._hall.broker(str(error))
            except Exception:
                log.exception("listening to the venue failed")
                self._hall.broker("the companion made a mistake; its log has the details")
            self._publish()
            self._ending.wait(RETRY_S)

    def _publish(self) -> None:
        told = self._told()
        with self._changed:
            if told != self._snapshot.state:
                serial = self._snapshot.serial + 1
                self._snapshot = Snapshot(serial, serial, told, NOTHING)
                self._changed.notify_all()

    def _told(self) -> dict[str, Any]:
        return {**self._hall.to_json(), "event": self._name}
