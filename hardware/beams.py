"""The light beams on GPIO: raw edges, each stamped at its source. Counting is done elsewhere (hardware.counting).

gpiozero's `bounce_time` loses short pulses, so it is never used. A callback stores the edge and returns, whatever
happens: on a Pi all pins share one thread, and an exception in it would end every later edge in silence.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from gpiozero import DigitalInputDevice
from gpiozero.exc import BadPinFactory, GPIOPinInUse, GPIOZeroError, PinFactoryFallback, PinInvalidPin, PinUnknownPi

from hardware.edges import Edge

SAME_CLOCK_NS = 30 * 1_000_000_000


class BeamError(Exception):
    """The beams cannot be used: one sentence that names the lane or pin and the fix."""


def named(what: str, pin: int | str, make: Callable[[], Any]) -> Any:
    """Makes a device on this pin; whatever goes wrong becomes a BeamError that names it, and the fix."""
    try:
        return make()
    except (BadPinFactory, PinUnknownPi, ImportError):
        raise BeamError(
            "No pin library works here: on a Raspberry Pi run “sudo apt install python3-lgpio” and use an"
            " environment with system packages; on any other machine leave the sensors out of the table file"
        ) from None
    except GPIOPinInUse:
        raise BeamError(f"{what}: pin {pin} is used twice, give each a pin of its own") from None
    except PinInvalidPin:
        raise BeamError(f"{what}: {pin!r} is no GPIO pin of this board, use a BCM number such as 17") from None
    except GPIOZeroError as error:
        raise BeamError(f"{what}: pin {pin} cannot be used ({error}), choose another") from None
    except Exception as error:  # lgpio raises its own errors, for instance “GPIO busy”
        raise BeamError(
            f"{what}: pin {pin} cannot be opened ({error}): is an overlay such as 1-Wire, SPI or I2C on it,"
            " or another program?"
        ) from error


class _Beam(DigitalInputDevice):  # type: ignore[misc]  # gpiozero has no types
    """Hands every change of the pin on, the same level twice as well: that is the sign of an unseen edge.

    gpiozero gives its public callbacks neither the time nor a repeated level, hence the private hooks (the version is
    pinned for that, and tests/hardware/test_beams.py would notice).
    """

    def __init__(self, pin: int | str, pull_up: bool, edge: Callable[[float, bool], None], factory: Any) -> None:
        self._edge = edge
        self._first: bool | None = None
        self._early: list[tuple[float, bool]] | None = []
        super().__init__(pin, pull_up=pull_up, bounce_time=None, pin_factory=factory)

    def _fire_events(self, ticks: float, new_active: bool) -> None:
        if self._first is None:
            self._first = new_active
        elif self._early is not None:
            self._early.append((ticks, new_active))
        else:
            self._edge(ticks, new_active)

    def start(self) -> bool:
        """The level at the start; from now on edges are handed over, those since then first."""
        early, self._early = self._early or [], None
        for ticks, active in early:
            self._edge(ticks, active)
        return bool(self._first)


class Beams:
    """One input a lane. Edges go to `sink`, which is called in the pin library's thread and should only store them.

    `pins`: lane → BCM number or any gpiozero pin name. `active_low`: the receiver pulls the pin to ground while its
    beam is broken (open collector, the usual kind). `pull_up`: the Pi's own pull-up, else its pull-down. `clock_ns`:
    stamps edges as they arrive; without it each edge has the pin library's own stamp on the monotonic clock.
    Raises BeamError, with nothing left open; with `partly` the lanes that can be opened count, the others are `failed`.
    """

    def __init__(
        self,
        pins: Mapping[str, int | str],
        sink: Callable[[Edge], None],
        *,
        active_low: bool = True,
        pull_up: bool = True,
        clock_ns: Callable[[], int] | None = None,
        factory: Any = None,
        partly: bool = False,
    ) -> None:
        self.failed: list[str] = []
        """One sentence for each lane that could not be opened (`partly`)."""
        self.errors = 0
        """So often the sink failed; those edges are lost, later ones are not."""
        self._sink, self._clock_ns = sink, clock_ns
        self._pull_up, self._active_low = pull_up, active_low
        self._offset_ns: int | None = None
        self._beams: dict[str, _Beam] = {}
        for lane, pin in pins.items():
            try:
                self._beams[lane] = self._open(lane, pin, factory)
            except BeamError as error:
                if not partly:
                    self.close()
                    raise
                self.failed.append(str(error))

    def _open(self, lane: str, pin: int | str, factory: Any) -> _Beam:
        with warnings.catch_warnings():
            # four warnings on a machine without pins say less than the one error that follows
            warnings.simplefilter("ignore", PinFactoryFallback)
            beam: _Beam = named(
                f"lane {lane}",
                pin,
                lambda: _Beam(pin, self._pull_up, lambda ticks, active: self._changed(lane, ticks, active), factory),
            )
        # the level first, then what has happened since
        self._store(Edge(self._now(), lane, self._blocked(bool(beam._first))))
        beam.start()
        return beam

    def _changed(self, lane: str, ticks: float, active: bool) -> None:
        try:
            self._store(Edge(self._stamp(ticks), lane, self._blocked(active)))
        except Exception:
            self.errors += 1

    def _store(self, edge: Edge) -> None:
        try:
            self._sink(edge)
        except Exception:
            self.errors += 1

    def _blocked(self, active: bool) -> bool:
        # gpiozero calls a pin active when it is pulled away from its resistor
        low = active == self._pull_up
        return low == self._active_low

    def _now(self) -> int:
        return (self._clock_ns or time.monotonic_ns)()

    def _stamp(self, ticks: float) -> int:
        now = self._now()
        if self._clock_ns is not None:
            return now
        source = round(ticks * 1e9)
        if abs(now - source) < SAME_CLOCK_NS:
            return min(source, now)
        # another origin: the quickest callback so far tells how far the two clocks are apart
        offset = now - source
        self._offset_ns = offset if self._offset_ns is None else min(self._offset_ns, offset)
        return source + self._offset_ns

    @property
    def lanes(self) -> tuple[str, ...]:
        return tuple(self._beams)

    def levels(self) -> dict[str, bool]:
        """Each lane's level now, read from its pin: True = blocked."""
        return {lane: self._blocked(bool(beam.is_active)) for lane, beam in self._beams.items()}

    def close(self) -> None:
        for beam in self._beams.values():
            beam.close()
        self._beams.clear()
