"""The set-up of a table in the page: what there is, the aim, the beams, the colours (docs/decisions/set-up.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from flask import Flask, Response, request

from web.guard import Malformed, json_body
from web.replies import refusal, status_of, to_response

TRAY_PICTURE = "/api/table/tray.jpg"
"""For devices that may act, like every picture of the camera."""


class Wizard(Protocol):
    def told(self) -> dict[str, Any]:
        """How far the table is set up; while beams are tried, what they count."""
        ...

    def do(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """One step: `{"ok": true, …}` or a refusal. It may take seconds."""
        ...

    def tray_picture(self) -> bytes | None:
        """The picture that was taken to learn the colours, the tray set upright; None: none was taken."""
        ...


def install(app: Flask, wizard: Wizard | None) -> None:
    """`wizard` None: this table cannot be set up from the page."""
    nothing = refusal("not_found", "This table cannot be set up from the page.")

    @app.get("/api/table")
    def table() -> Response:
        return to_response(nothing, 404) if wizard is None else to_response(wizard.told())

    @app.post("/api/table")
    def set_up() -> Response:
        _, value = json_body(request)
        if not isinstance(value, dict) or not isinstance(value.get("do"), str):
            raise Malformed('A request is an object with "do".')
        if wizard is None:
            return to_response(nothing, 404)
        reply = wizard.do(value)
        return to_response(reply, status_of(reply))

    @app.get(TRAY_PICTURE)
    def tray() -> Response:
        picture = None if wizard is None else wizard.tray_picture()
        if picture is None:
            return Response("No picture was taken yet.\n", status=404, mimetype="text/plain")
        response = Response(picture, mimetype="image/jpeg")
        response.headers["Cache-Control"] = "no-store"
        return response
