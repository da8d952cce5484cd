"""Which pins of a Raspberry Pi its config.txt gives to something else (field reports H9, H10). Pure."""

from __future__ import annotations

import re

_FIXED: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    (r"dtparam=(?:.*,)?spi=on", "SPI", (7, 8, 9, 10, 11)),
    (r"dtparam=(?:.*,)?i2c(?:_arm)?=on", "I²C", (2, 3)),
    (r"dtparam=(?:.*,)?i2s=on", "I²S", (18, 19, 20, 21)),
    (r"enable_uart=1", "the serial port", (14, 15)),
)
_PINNED: tuple[tuple[str, str, str, int], ...] = (
    # overlay, name, its parameter for the pin, its default
    ("w1-gpio", "1-Wire", "gpiopin", 4),
    ("gpio-ir", "the infrared receiver", "gpio_pin", 18),
    ("gpio-fan", "the fan", "gpiopin", 12),
    ("gpio-shutdown", "the power button", "gpio_pin", 3),
    ("dht11", "a thermometer", "gpiopin", 4),
)


def overlays_on(config: str) -> dict[int, tuple[str, str]]:
    """Pin → (what owns it, the line that says so)."""
    owners: dict[int, tuple[str, str]] = {}
    for raw in config.splitlines():
        line = raw.split("#")[0].strip().replace(" ", "")
        for pattern, name, pins in _FIXED:
            if re.fullmatch(pattern + r"(?:,.*)?", line):
                owners.update((pin, (name, line)) for pin in pins)
        for overlay, name, parameter, default in _PINNED:
            if re.fullmatch(rf"dtoverlay={overlay}(?:-\w+)?(?:,.*)?", line):
                found = re.search(rf"\b{parameter}=(\d+)", line)
                owners[int(found[1]) if found else default] = (name, line)
    return owners
