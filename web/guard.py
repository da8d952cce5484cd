"""What a request must be before the table hears of it, and what a browser may do with our answers."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Collection
from typing import Any
from urllib.parse import urlsplit

from flask import Request, Response

MAX_BODY = 64 * 1024
"""Bytes. The longest honest command is below 2 kB."""

MOST_DIGITS = 15

_HEADERS = {
    # Nothing inline, nothing from elsewhere: a player's name or a game's text can never become script.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}

# Names that only a home network gives out. Any other name with a dot could be a stranger's, pointed at our address.
_HOME_SUFFIXES = (".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain", ".fritz.box")


class Malformed(Exception):
    """The body is no JSON that can be handed on; the text is one sentence for the player."""


def secure(response: Response) -> Response:
    """The same headers on every answer, errors and streams included."""
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def why_not_allowed(request: Request, hosts: Collection[str] = ()) -> str | None:
    """None, or one sentence: why a request that changes something is not taken from this sender.

    A page of another site can make a browser in our network post here. It shows in `Origin` (or `Sec-Fetch-Site`),
    and, when a stranger's name was pointed at our address, in `Host`. `hosts`: further names that are ours.
    """
    if (reason := why_not_ours(request, hosts)) is not None:
        return reason
    origin = request.headers.get("Origin")
    if origin is not None:
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or parts.netloc.lower() != request.host.lower():
            return "Another site's page may not act on this table."
    elif request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
        return "Another site's page may not act on this table."
    return None


def why_not_ours(request: Request, hosts: Collection[str] = ()) -> str | None:
    """None, or one sentence: the page was asked for under a stranger's name, which was pointed at our address.

    Whoever names no host at all (HTTP/1.0) is no browser, and cannot be led here by a page.
    """
    if "Host" not in request.headers or _is_home(request.host, hosts):
        return None
    return f"This page was opened under a name that is not the table's ({request.host}); open it by its address."


def _is_home(host: str, hosts: Collection[str]) -> bool:
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".").lower()
    except ValueError:
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name != "" and ("." not in name or name.endswith((".localhost", *_HOME_SUFFIXES)) or name in hosts)
    return True


def json_body(request: Request) -> tuple[bytes, Any]:
    """The body as sent and as a value. Malformed: not called JSON, not JSON, or a value no log can hold.

    A browser must call it JSON, which another site's form cannot; a script without a browser need not.
    """
    browser = "Origin" in request.headers or "Sec-Fetch-Site" in request.headers
    if browser and request.mimetype != "application/json":
        raise Malformed("Send the command as JSON, with the content type application/json.")
    body = request.get_data(cache=False)
    try:
        value = json.loads(body, parse_constant=_no_constant)
        json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair parses, but cannot be written down
    except RecursionError:
        raise Malformed("The JSON is nested too deeply.") from None
    except ValueError:
        raise Malformed("That is not JSON.") from None
    return body, value


def seen_version(request: Request) -> int | None:
    """The version of the score that the sender was looking at, if it says so in `Score-Version`."""
    text = request.headers.get("Score-Version")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise Malformed("Score-Version is a version of the score: a whole number.")
    return int(text)


def _no_constant(name: str) -> Any:
    raise ValueError(name)
