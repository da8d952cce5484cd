"""Buttons, lights and buzzer on gpiozero's mock pins."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from hardware.extras import Extras


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = MockFactory()
    yield factory
    factory.reset()


class Presses(SimpleQueue[tuple[str, bool]]):
    def __call__(self, player: str, long: bool) -> None:
        self.put((player, long))


def until(true: Callable[[], bool]) -> None:
    """Blinking is done by gpiozero's own thread."""
    pause = threading.Event()
    for _ in range(1000):
        if true():
            return
        pause.wait(0.005)
    raise AssertionError


def test_a_press_is_told_when_it_is_let_go_and_a_chattering_contact_is_one(factory: MockFactory) -> None:
    presses, now = Presses(), [10.0]
    extras = Extras({"button_a": 5, "button_b": 6}, presses, factory, lambda: now[0])
    factory.pin(6).drive_low()
    assert presses.empty()
    for _ in range(4):
        factory.pin(6).drive_high()
        factory.pin(6).drive_low()
        now[0] += 0.001
    factory.pin(6).drive_high()
    assert (presses.get_nowait(), presses.empty()) == (("B", False), True)
    now[0] += 1
    factory.pin(5).drive_low()
    factory.pin(5).drive_high()
    assert presses.get_nowait() == ("A", False)
    extras.close()


def test_a_button_that_is_held_is_told_once(factory: MockFactory) -> None:
    presses = Presses()
    extras = Extras({"button_a": 5}, presses, factory, hold_s=0.01)
    factory.pin(5).drive_low()
    assert presses.get(timeout=60) == ("A", True)
    factory.pin(5).drive_high()
    assert presses.empty()
    extras.close()


def test_lights_and_buzzer(factory: MockFactory) -> None:
    extras = Extras({"light_a": 19, "light_b": 26, "buzzer": 12}, Presses(), factory)
    extras.light("A", "on")
    assert (factory.pin(19).state, factory.pin(26).state) == (True, False)
    extras.light("A", "off")
    extras.light("B", "blink")
    assert not factory.pin(19).state
    until(lambda: len(factory.pin(26).states) >= 3)
    extras.beep(1)
    until(lambda: [bool(one.state) for one in factory.pin(12).states][-2:] == [True, False])
    extras.close()


def test_what_is_not_there_is_passed_over(factory: MockFactory) -> None:
    extras = Extras({}, Presses(), factory)
    extras.light("A", "on")
    extras.beep(3)
    extras.close()
    assert extras.failed == []


def test_what_cannot_be_opened_is_named_and_the_rest_works(factory: MockFactory) -> None:
    presses = Presses()
    extras = Extras({"button_a": 5, "light_a": 5, "buzzer": 99}, presses, factory)
    assert extras.failed == [
        "light a: pin 5 is used twice, give each a pin of its own",
        "buzzer: 99 is no GPIO pin of this board, use a BCM number such as 17",
    ]
    factory.pin(5).drive_low()
    factory.pin(5).drive_high()
    assert presses.get_nowait() == ("A", False)
    extras.light("A", "on")
    extras.close()


def test_a_board_that_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    extras = Extras({"light_a": 19}, Presses())
    (failed,) = extras.failed
    assert "No pin library works here" in failed
