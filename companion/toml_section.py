"""One table of a TOML file, read key by key: whatever nobody asked for is unknown, and errors name the key's path."""

from __future__ import annotations

import base64
import binascii
import math
from pathlib import Path

from companion.errors import InputError
from vision.calibration import Point, Quad


class Section:
    """One table of the TOML: every key must be asked for, whatever is left over is unknown."""

    def __init__(self, path: Path, name: str, content: object) -> None:
        self.path, self.name = path, name
        if not isinstance(content, dict):
            raise self.error("", f"must be a table, not {_kind(content)}")
        self._content = dict(content)

    def error(self, key: str, text: str) -> InputError:
        dotted = ".".join(part for part in (self.name, key) if part)
        return InputError(f"{self.path}: {dotted} {text}" if dotted else f"{self.path}: {text}")

    def has(self, key: str) -> bool:
        return key in self._content

    def take(self, key: str) -> object:
        if key not in self._content:
            raise self.error(key, "is missing")
        return self._content.pop(key)

    def section(self, key: str) -> Section:
        return Section(self.path, f"{self.name}.{key}" if self.name else key, self.take(key))

    def keys(self) -> tuple[str, ...]:
        return tuple(self._content)

    def whole(self, key: str, low: int, high: int) -> int:
        value = self.take(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.error(key, f"must be a whole number, not {_kind(value)}")
        if not low <= value <= high:
            raise self.error(key, f"is {value}, not between {low} and {high}")
        return value

    def number(self, key: str, low: float, high: float) -> float:
        return number_in(self, key, self.take(key), low, high)

    def text(self, key: str) -> str:
        value = self.take(key)
        if not isinstance(value, str):
            raise self.error(key, f"must be a text, not {_kind(value)}")
        return value

    def flag(self, key: str) -> bool:
        value = self.take(key)
        if not isinstance(value, bool):
            raise self.error(key, f"must be true or false, not {_kind(value)}")
        return value

    def items(self, key: str, count: int) -> list[object]:
        value = self.take(key)
        if not isinstance(value, list) or len(value) != count:
            raise self.error(key, f"must be a list of {count}")
        return value

    def done(self) -> None:
        if self._content:
            raise self.error(next(iter(self._content)), "is not a known key")


def _kind(value: object) -> str:
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list", dict: "a table"}
    return names.get(type(value), type(value).__name__)


def number_in(section: Section, key: str, value: object, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise section.error(key, f"must be a number, not {_kind(value)}")
    if not (math.isfinite(value) and low <= value <= high):
        raise section.error(key, f"is {value:g}, not between {low:g} and {high:g}")
    return float(value)


def quad(section: Section, key: str, size: tuple[int, int]) -> Quad:
    points: list[Point] = []
    for i, value in enumerate(section.items(key, 4)):
        if not isinstance(value, list) or len(value) != 2:
            raise section.error(f"{key}[{i}]", "must be two numbers x, y")
        x, y = (
            number_in(section, f"{key}[{i}]", part, -limit, 2 * limit) for part, limit in zip(value, size, strict=True)
        )
        points.append((x, y))
    return (points[0], points[1], points[2], points[3])


def size(section: Section, key: str) -> tuple[int, int]:
    values = section.items(key, 2)
    if not all(isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 20000 for value in values):
        raise section.error(key, "must be two whole numbers, width and height in pixels")
    width, height = values
    assert isinstance(width, int)
    assert isinstance(height, int)
    return (width, height)


def picture(section: Section, key: str) -> bytes:
    """A picture file's bytes, in base64."""
    try:
        data = base64.b64decode("".join(section.text(key).split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise section.error(key, "is not base64") from error
    if not data:
        raise section.error(key, "is empty")
    return data


def packed(picture: bytes) -> list[str]:
    """The lines of a key `picture`."""
    text = base64.b64encode(picture).decode("ascii")
    return ['picture = """', *(text[i : i + 100] for i in range(0, len(text), 100)), '"""']


def points(quad: Quad) -> str:
    return "[" + ", ".join(f"[{float(x)!r}, {float(y)!r}]" for x, y in quad) + "]"
