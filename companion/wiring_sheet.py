"""The printed sheet of the beams' wiring: the Pi's header with the pins of this table, and what goes to each."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from math import cos, pi, sin
from types import MappingProxyType

from companion.config import Sensors
from companion.pdf import Page

USUAL = Sensors({"a": 17, "b": 27, "c": 22})
"""As in docs/wiring.md: pins that belong to no bus."""

# the 40 pins in the order of their numbers: a BCM number, or what the pin gives
HEADER: tuple[int | str, ...] = (
    "3.3 V", "5 V", 2, "5 V", 3, "ground", 4, 14, "ground", 15, 17, 18, 27, "ground", 22, 23, "3.3 V", 24, 10, "ground",
    9, 25, 11, 8, "ground", 7, 0, 1, 5, "ground", 6, 12, 13, "ground", 19, 16, 26, 20, "ground", 21,
)  # fmt: skip
BUSES = (
    ((0, 1), "reserved for add-on boards"), ((2, 3), "I2C"), ((4,), "1-Wire"), ((7, 8, 9, 10, 11), "SPI"),
    ((14, 15), "serial port"), ((18, 19, 20, 21), "sound"),
)  # fmt: skip
GROUNDS = ((9, 6), (14, 20), (25, 30), (34, 39))
"""Pins for receiver and emitter, lane by lane; further lanes share them from the start."""
MOST = 6
"""Lanes of which the page has room for lines."""
LEFT, TOP = 20.0, 52.0
MIDDLE, STEP, NAME = 105.0, 5.6, 13.0  # of the drawn header: its middle, from pin to pin, room for a pin's name


EXTRAS = {
    "inlet": "inlet beam: signal", "button_a": "button A", "button_b": "button B", "light_a": "light A",
    "light_b": "light B", "buzzer": "buzzer",
}  # fmt: skip


def wiring_sheet(
    paper: str, sensors: Sensors, source: str | None, extras: Mapping[str, int] = MappingProxyType({})
) -> bytes:
    """`source`: the table file that tells the pins; None: nobody, they are the usual ones.

    `extras`: pins beyond the beams, by the names of companion.config.EXTRA_PINS.
    """
    page = Page(paper)
    page.words(LEFT, 18, "Wiring of the light beams", 6, bold=True)
    where = f"Pins as in {source}." if source else "The usual pins; others are named in the table file."
    page.words(LEFT, 25, f"{where} The Pi is seen from above, its header's pin 1 at the top left.", 3.3)
    page.words(LEFT, 31, "Switch the Pi off first. Never 5 V on a signal pin.", 3.8, bold=True)
    for i, text in enumerate(_levels(sensors)):
        page.words(LEFT, 37 + 5 * i, text, 3.3)
    _header(page, sensors, extras)
    low = _lanes(page, sensors, TOP + 20 * STEP + 9)
    _table_text(page, sensors, extras, low + 7)
    _beam(page, low + 7)
    if extras:
        _extras(page, low + 54)
    return page.to_bytes("Wiring of the light beams")


def pin_of(bcm: int) -> int:
    """The number of the header's pin."""
    return HEADER.index(bcm) + 1


def plugs(sensors: Sensors) -> dict[str, tuple[int, int, int, int]]:
    """Lane → pins of signal, 3.3 V, the receiver's ground and the emitter's."""
    found = {}
    for i, (lane, bcm) in enumerate(sensors.pins.items()):
        receiver, emitter = GROUNDS[i % len(GROUNDS)]
        found[lane] = (pin_of(bcm), 1 if i == 0 else 17, receiver, emitter)
    return found


def _levels(sensors: Sensors) -> tuple[str, str]:
    level = "Low" if sensors.active_low else "High"
    if sensors.pull_up:
        pull = "The Pi's own pull-up resistors are on: receivers with an open-collector output need nothing else."
    else:
        pull = "The Pi's own pull-up resistors are off: each receiver must drive its signal both ways, 3.3 V at most."
    return f"{level} on a signal pin means: the beam is broken (active_low = {str(sensors.active_low).lower()}).", pull


def _header(page: Page, sensors: Sensors, extras: Mapping[str, int]) -> None:
    uses: dict[int, list[str]] = {}
    for lane, (signal, supply, receiver, emitter) in plugs(sensors).items():
        uses.setdefault(signal, []).append(f"lane {lane}: signal")
        uses.setdefault(supply, []).append(f"supply {lane}")
        uses.setdefault(receiver, []).append(f"receiver {lane}")
        uses.setdefault(emitter, []).append(f"emitter {lane}")
    for name, bcm in extras.items():
        uses.setdefault(pin_of(bcm), []).append(EXTRAS[name])
    signals = {signal for signal, *_ in plugs(sensors).values()} | {pin_of(bcm) for bcm in extras.values()}
    for number, gives in enumerate(HEADER, 1):
        row, right = divmod(number - 1, 2)
        x, y = MIDDLE + (0.3 if right else -STEP + 0.3), TOP + row * STEP
        used = number in uses
        grey = 0.0 if number in signals else 0.55 if used else 0.9
        page.box(x, y, STEP - 0.6, STEP - 0.6, grey)
        # its number stands on white, so that it can be read on any printer
        page.box(x + 0.9, y + 0.9, STEP - 2.4, STEP - 2.4, 1.0)
        page.words(x + (1.2 if number > 9 else 1.9), y + 3.4, str(number), 2.4, bold=used)
        name = f"BCM {gives}" if isinstance(gives, int) else gives
        text = ", ".join(uses.get(number, ())) if used else ""
        size, bold = (3.0 if used else 2.3), number in signals
        page.words(MIDDLE + STEP + 2 if right else MIDDLE - STEP - NAME, y + 3.6, name, size, bold)
        if text:
            far = STEP + NAME + 2
            page.words(MIDDLE + far if right else MIDDLE - far - _width(text, size), y + 3.6, text, size, bold)


def _width(text: str, size: float) -> float:
    """Millimetres that a text takes, nearly enough to end it beside the next."""
    narrow = sum(letter in " .,:;il" for letter in text)
    return size * (0.28 * narrow + 0.56 * (len(text) - narrow))


def _lanes(page: Page, sensors: Sensors, y: float) -> float:
    """The same as a list to tick off. Returns where it ends."""
    columns = (LEFT, 38.0, 74.0, 106.0, 140.0, 172.0)
    heads = ("lane", "signal", "supply (both)", "receiver's ground", "emitter's ground", "note")
    for x, text in zip(columns, heads, strict=True):
        page.words(x, y, text, 3.0, bold=True)
    for lane, (signal, supply, receiver, emitter) in plugs(sensors).items():
        y += 5
        bcm = sensors.pins[lane]
        note = next((name for pins, name in BUSES if bcm in pins), "")
        told = (lane, f"BCM {bcm}, pin {signal}", f"3.3 V, pin {supply}", f"pin {receiver}", f"pin {emitter}", note)
        for x, text in zip(columns, told, strict=True):
            page.words(x, y, text, 3.0)
    page.line(LEFT, y + 2, page.width - 15, y + 2)
    return y + 2


def _table_text(page: Page, sensors: Sensors, extras: Mapping[str, int], y: float) -> None:
    page.words(LEFT, y, "In the table file:", 3.0, bold=True)
    lines = [
        "[sensors]",
        f"active_low = {str(sensors.active_low).lower()}",
        f"pull_up = {str(sensors.pull_up).lower()}",
        "[sensors.pins]",
        *(f"{lane} = {bcm}" for lane, bcm in sensors.pins.items()),
    ]
    more = ["[extras]", *(f"{name} = {bcm}" for name, bcm in extras.items())] if extras else []
    for x, column in ((LEFT + 3, lines), (LEFT + 34, more)):
        for i, text in enumerate(column):
            page.words(x, y + 4.5 * (i + 1), text, 3.0)


def _extras(page: Page, y: float) -> None:
    lines = (
        "Beyond the lanes' beams, each with a ground of its own choice: a button closes its pin to ground; a light",
        "is an LED with 330 ohms from the pin; the buzzer an active one for 3.3 V, 15 mA at most; the inlet a beam",
        "like the others, where marbles go back into the tower.",
    )
    for i, text in enumerate(lines):
        page.words(84.0, y + 4.2 * i, text, 2.4)


def _beam(page: Page, y: float) -> None:
    """Where the beam crosses a marble, seen along the lane."""
    x = 84.0
    page.words(x, y, "Where the beam passes, seen along the lane:", 3.0, bold=True)
    middle, side = y + 17, 16.0
    page.box(x, middle + side / 2, 44, 1.0, 0.5)
    page.words(x + 46, middle + side / 2 + 1, "the lane's floor", 2.6)
    _circle(page, x + 22, middle, side / 2)
    page.line(x, middle, x + 44, middle, 0.1, grey=0.6, dash=1)
    page.words(x + 46, middle + 1, "the marbles' middle", 2.6)
    beam = middle - 0.5 * side / 2
    page.line(x - 1, beam, x + 45, beam, 0.5)
    page.words(x + 46, beam - 3.4, "beam: 0.4 to 0.6 radii above or below the middle,", 2.6)
    page.words(x + 46, beam, "so that touching marbles let light through between them", 2.6)
    lines = (
        "Emitter and receiver face each other in a black tunnel; in each second lane the other way",
        "round, so that no receiver sees two emitters. Twist signal and ground on long cables.",
    )
    for i, text in enumerate(lines):
        page.words(x, middle + 16 + 4.5 * i, text, 2.6)


def _circle(page: Page, x: float, y: float, radius: float) -> None:
    ends = [(x + radius * cos(pi * i / 24), y + radius * sin(pi * i / 24)) for i in range(49)]
    for (x1, y1), (x2, y2) in pairwise(ends):
        page.line(x1, y1, x2, y2, 0.3)
