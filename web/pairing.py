"""Who may change the match: this machine itself, and devices that have shown the table's PIN once.

Reading is open to the whole home network; what changes the match, and the camera's picture, is not.
"""

from __future__ import annotations

import ipaddress
import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Protocol

from flask import Flask, Request, Response, request

from web import backup
from web.guard import Malformed, json_body, why_not_allowed
from web.replies import NOT_SAVED, to_response

COOKIE = "companion-device"
KEPT_S = 400 * 24 * 3600
"""As long as browsers keep a cookie at most; each visit begins it anew."""
PICTURES = frozenset({"/frame.jpg", "/api/seen.jpg", "/api/pairing.svg", "/api/table/tray.jpg", backup.PATH})


@dataclass(frozen=True)
class Paired:
    """`token` None: not let in, `text` and `code` say why; `wait_s`: so long no PIN is looked at."""

    token: str | None
    text: str = ""
    wait_s: float = 0.0
    code: str = "wrong_pin"


@dataclass(frozen=True)
class Invitation:
    """`url`: where other devices find the page; `svg` draws its QR code, with the PIN where one is needed."""

    url: str
    svg: Callable[[], bytes]


class Pairing(Protocol):
    @property
    def pin(self) -> str: ...

    def allows(self, token: str) -> bool: ...

    def pair(self, pin: str, address: str) -> Paired: ...

    def renew(self, token: str) -> str | None:
        """A new PIN; of the devices only the one that asks stays. None: it could not be saved."""
        ...


def install(
    app: Flask,
    pairing: Pairing | None,
    failed: Callable[[int, str, str], Response],
    hosts: Collection[str] = (),
    invite: Callable[[], Invitation | None] = lambda: None,
) -> None:
    """The checks and the addresses of pairing. `pairing` None: everybody may do everything (`--open`).

    `invite`: what a further device needs; None where no other device can reach this machine.
    """

    def allowed() -> bool:
        return pairing is None or _is_here(request) or pairing.allows(_token(request))

    def ours() -> bool:
        # a stranger's name pointed at our address must not read the PIN in a browser on this machine
        return why_not_allowed(request, hosts) is None

    @app.before_request
    def check_device() -> Response | None:
        guarded = request.method not in ("GET", "HEAD", "OPTIONS") or request.path in PICTURES
        if not guarded or request.path == "/api/pair" or allowed():
            return None
        text = "This device may only watch. Enter the PIN that is shown at the table to let it in."
        return failed(403, "not_paired", text)

    @app.get("/api/pairing")
    def told() -> Response:
        """Whether this device may act; the PIN only to one that may, so that it can let in the next."""
        inside = allowed()
        shown = inside and ours()
        invitation = invite() if shown else None
        return to_response(
            {
                "needed": pairing is not None,
                "allowed": inside,
                "pin": pairing.pin if shown and pairing is not None else None,
                "url": None if invitation is None else invitation.url,
            }
        )

    @app.get("/api/pairing.svg")
    def code() -> Response:
        invitation = invite() if ours() else None
        if invitation is None:
            return Response("There is no code.\n", status=404, mimetype="text/plain")
        response = Response(invitation.svg(), mimetype="image/svg+xml")
        response.headers["Cache-Control"] = "no-store"
        return response

    @app.post("/api/pair")
    def pair() -> Response:
        pin = _field(json_body(request)[1], "pin")
        if pairing is None:
            return to_response({"ok": True})
        found = pairing.pair(pin.strip(), request.remote_addr or "")
        if found.token is None:
            status = 503 if found.code == NOT_SAVED else 429 if found.wait_s > 0 else 403
            response = failed(status, found.code, found.text)
            if found.wait_s > 0:
                response.headers["Retry-After"] = str(math.ceil(found.wait_s))
            return response
        response = to_response({"ok": True})
        _keep(response, found.token)
        return response

    @app.post("/api/pair/renew")
    def renew() -> Response:
        json_body(request)
        pin = None if pairing is None else pairing.renew(_token(request))
        if pin is None and pairing is not None:
            return failed(503, NOT_SAVED, "The new PIN could not be saved; the old one still holds.")
        return to_response({"ok": True, "pin": pin})

    @app.after_request
    def keep_longer(response: Response) -> Response:
        token = _token(request)
        if request.path == "/" and pairing is not None and token and pairing.allows(token):
            _keep(response, token)
        return response


def _is_here(asked: Request) -> bool:
    """From this machine itself: who sits at it needs no PIN."""
    return is_loopback(asked.remote_addr or "")


def is_loopback(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def _token(asked: Request) -> str:
    return asked.cookies.get(COOKIE, "")


def _keep(response: Response, token: str) -> None:
    response.set_cookie(COOKIE, token, max_age=KEPT_S, httponly=True, samesite="Strict", path="/")


def _field(value: Any, name: str) -> str:
    found = value.get(name) if isinstance(value, dict) else None
    if not isinstance(found, str):
        raise Malformed(f'A request to pair is an object with "{name}", a text.')
    return found
