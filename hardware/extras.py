"""Pins beyond the beams, all optional: a button and a light a player, a buzzer. Through gpiozero's own devices.

What cannot be opened is named in `failed` and left out; the others work.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

from gpiozero import LED, Button, Buzzer
from gpiozero.exc import PinFactoryFallback

from hardware.beams import BeamError, named

Light = Literal["off", "on", "blink"]
HOLD_S = 1.0
AGAIN_S = 0.3
"""A contact that chatters is one press."""


class Extras:
    """`pins`: button_a, button_b, light_a, light_b, buzzer → BCM number. `pressed(player, long)`: in gpiozero's thread.

    A button closes its pin to ground; it is told when it is let go, or as `long` once it was held for a second.
    """

    def __init__(
        self,
        pins: Mapping[str, int],
        pressed: Callable[[str, bool], None],
        factory: Any = None,
        clock_s: Callable[[], float] = time.monotonic,
        hold_s: float = HOLD_S,
    ) -> None:
        self.failed: list[str] = []
        self._pressed, self._clock_s = pressed, clock_s
        self._devices: dict[str, Any] = {}
        self._lights: dict[str, Light] = {}
        self._last: dict[str, float] = {}
        self._held: set[str] = set()
        for name, pin in pins.items():
            kind, _, player = name.partition("_")
            if kind == "button":
                self._open(name, pin, partial(Button, pin, hold_time=hold_s, pin_factory=factory))
                self._listen(name, player.upper())
            elif kind == "light":
                self._open(name, pin, partial(LED, pin, pin_factory=factory))
            elif kind == "buzzer":
                self._open(name, pin, partial(Buzzer, pin, pin_factory=factory))

    def _open(self, name: str, pin: int, make: Callable[[], Any]) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", PinFactoryFallback)
                self._devices[name] = named(name.replace("_", " "), pin, make)
        except BeamError as error:
            self.failed.append(str(error))

    def _listen(self, name: str, player: str) -> None:
        button = self._devices.get(name)
        if button is None:
            return
        button.when_held = lambda: self._hold(player)
        button.when_released = lambda: self._release(player)

    def _hold(self, player: str) -> None:
        self._held.add(player)
        self._pressed(player, True)

    def _release(self, player: str) -> None:
        now = self._clock_s()
        long, again = player in self._held, now - self._last.get(player, -AGAIN_S) < AGAIN_S
        self._held.discard(player)
        self._last[player] = now
        if not (long or again):
            self._pressed(player, False)

    def pressed_now(self) -> list[str]:
        """The players whose button is down."""
        return [p for p in "AB" if (b := self._devices.get(f"button_{p.lower()}")) is not None and b.is_pressed]

    def light(self, player: str, how: Light) -> None:
        device = self._devices.get(f"light_{player.lower()}")
        if device is None or self._lights.get(player) == how:
            return
        self._lights[player] = how
        if how == "blink":
            device.blink(0.25, 0.25)
        elif how == "on":
            device.on()
        else:
            device.off()

    def beep(self, times: int) -> None:
        device = self._devices.get("buzzer")
        if device is not None:
            device.beep(0.08, 0.12, n=times)

    def close(self) -> None:
        for device in self._devices.values():
            device.close()
        self._devices.clear()
