"""One connection to the broker, used from one thread. Whoever holds it makes a new one after it broke.

paho's own reconnecting is not used: it would send again what lay unanswered before the break, after what is true now.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Protocol

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode

from companion.venue.settings import BrokerAddress
from companion.venue.topics import QOS

KEEPALIVE_S = 3
"""The broker tells the last will of a table that fell silent for one and a half times as long."""
CONNECT_S = 3.0
"""So long the broker may take to answer."""


class BrokerError(Exception):
    """The broker cannot be reached or went away: one sentence without a full stop."""


class Connection(Protocol):
    """What the venue needs of a broker; `Broker` is the real one."""

    def publish(self, topic: str, body: bytes) -> None: ...

    def work(self, timeout_s: float) -> None: ...

    def close(self) -> None: ...


class Broker:
    """Connected when it was made. Raises BrokerError, from `publish` and `work` too."""

    def __init__(
        self,
        address: BrokerAddress,
        *,
        will: tuple[str, bytes] | None = None,
        subscribe: str | None = None,
        heard: Callable[[str, bytes], None] = lambda topic, body: None,
    ) -> None:
        """`will`: what the broker says for us when we fall silent; `heard`: called by `work`."""
        self._address = address
        self._answer: object = None
        # a name of its own each time: two of one name would throw each other out for ever
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2, client_id=f"companion-{secrets.token_hex(6)}", reconnect_on_failure=False
        )
        self._client = client
        client.connect_timeout = CONNECT_S
        if address.user is not None:
            client.username_pw_set(address.user, address.password)
        if will is not None:
            client.will_set(will[0], will[1], qos=QOS, retain=True)
        client.on_connect = lambda _client, _data, _flags, reason, _properties: self._answered(reason)
        client.on_message = lambda _client, _data, message: heard(message.topic, message.payload)
        try:
            client.connect(address.host, address.port, keepalive=KEEPALIVE_S)
        except (OSError, ValueError) as error:
            raise BrokerError(f"broker {address}: {getattr(error, 'strerror', None) or error}") from None
        for _ in range(30):
            if self._answer is not None:
                break
            self.work(CONNECT_S / 30)
        if self._answer is None or getattr(self._answer, "is_failure", True):
            reason = self._answer or "it does not answer"
            client.disconnect()
            raise BrokerError(f"broker {address}: {reason}")
        if subscribe is not None:
            client.subscribe(subscribe, QOS)

    def publish(self, topic: str, body: bytes) -> None:
        """Retained; an empty body takes the last one away."""
        self._checked(self._client.publish(topic, body, qos=QOS, retain=True).rc)

    def work(self, timeout_s: float) -> None:
        """Receive and send for at most so long; a round without traffic also says that we are there."""
        self._checked(self._client.loop(timeout_s))

    def close(self) -> None:
        """An orderly end: the broker says no will."""
        self._client.disconnect()
        self._client.loop(0.1)

    def _answered(self, reason: object) -> None:
        self._answer = reason

    def _checked(self, code: MQTTErrorCode) -> None:
        if code != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise BrokerError(f"broker {self._address}: {mqtt.error_string(code).rstrip('.').lower()}")
