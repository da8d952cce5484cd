"""From the bytes of one line to a command: whatever is no plain JSON object is refused here, never raised further."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any

MOST_BYTES = 64 * 1024
"""A longer line is no command (DESIGN §7 over HTTP: 413)."""


class BadCommand(ValueError):
    """One sentence: why the line is no command."""


def parse(line: bytes) -> dict[str, Any]:
    """The object that the line holds. Raises BadCommand.

    Stricter than `json.loads`: no NaN or infinity, no key twice in one object, no half of a surrogate pair. Each of
    these would be read differently by the page, the log or the next program.
    """
    if len(line) > MOST_BYTES:
        raise BadCommand(f"The line is longer than {MOST_BYTES} bytes.")
    try:
        text = line.decode()
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_float)
        json.dumps(value, ensure_ascii=False).encode()
    except BadCommand:
        raise
    except UnicodeDecodeError:
        raise BadCommand("The line is not UTF-8 text.") from None
    except UnicodeEncodeError:
        raise BadCommand("A string in the line is not valid Unicode.") from None
    except RecursionError:
        raise BadCommand("The line is nested too deeply.") from None
    except json.JSONDecodeError as error:
        raise BadCommand(f"The line is not JSON: {error.msg} at column {error.colno}.") from None
    except ValueError:  # an integer with thousands of digits
        raise BadCommand("The line holds a number that is too long.") from None
    if not isinstance(value, dict):
        raise BadCommand("The line is no JSON object.")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise BadCommand(f"The field {key!r} is there twice.")
        result[key] = value
    return result


def _no_number(name: str) -> float:
    raise BadCommand(f"{name} is no number of JSON.")


def _float(digits: str) -> float:
    value = float(digits)
    if not isfinite(value):
        raise BadCommand(f"{digits[:20]} is too large a number.")
    return value
