"""TOML beside what `tomllib` does: errors in one sentence, and the few values that we write."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from companion.errors import DamagedFile


def parse_toml(data: bytes, path: Path, what: str) -> dict[str, Any]:
    """What a TOML file holds. Raises DamagedFile with the line."""
    try:
        return tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise DamagedFile(f"{path}: not a text file in UTF-8 (line {line})") from error
    except tomllib.TOMLDecodeError as error:
        raise DamagedFile(f"{path}: not valid TOML: {error}") from error
    except RecursionError as error:
        raise DamagedFile(f"{path}: nested too deeply for a {what}") from error
    except ValueError as error:  # a number of thousands of digits, or a day that no month has
        raise DamagedFile(f"{path}: not valid TOML: {error}") from error


def quoted(value: str) -> str:
    """A string of TOML in one line."""
    out = []
    for char in value:
        if char in '"\\':
            out.append("\\" + char)
        elif ord(char) < 0x20 or ord(char) == 0x7F:
            out.append(f"\\u{ord(char):04x}")
        else:
            out.append(char)
    return '"' + "".join(out) + '"'


def flag(value: bool) -> str:
    return "true" if value else "false"
