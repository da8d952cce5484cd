"""The kept matches: a page with their list, each drawn and replayed step by step, as text to take along or bring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from flask import Flask, Response, request

from web.guard import Malformed, json_body
from web.replies import refusal, to_response

MOST_TEXT = 1024 * 1024
"""Bytes of a match text that is brought, wrapped in JSON; waitress takes no more either."""


class Records(Protocol):
    """Every method raises ValueError, a sentence, for what is not there or is no match."""

    def matches(self) -> list[dict[str, Any]]:
        """Newest first: number, date, players, turn, result (None: under way), resumed, imported, error."""
        ...

    def match(self, number: int) -> dict[str, Any]:
        """number, game, players, result, date, steps: [wall, turn, line, remark, figures]; step 0 is the set-up."""
        ...

    def state(self, number: int, step: int) -> Mapping[str, Any]: ...

    def text(self, number: int) -> str: ...

    def take(self, text: str) -> dict[str, Any]:
        """A text becomes a match of its own, whole or not at all: number, told, kept_aside."""
        ...


def install(app: Flask, records: Records | None, page: Callable[[str], Response]) -> None:
    """`records` None: this table keeps no matches; the page says so."""

    def told(value: Callable[[Records], Any]) -> Response:
        if records is None:
            return to_response(refusal("not_found", "This table keeps no matches."), 404)
        try:
            return to_response(value(records))
        except ValueError as error:
            return to_response(refusal("not_found", _sentence(error)), 404)

    @app.get("/records")
    def records_page() -> Response:
        return page("records.html")

    @app.get("/api/matches")
    def matches() -> Response:
        return told(lambda records: {"matches": records.matches()})

    @app.get("/api/matches/<int:number>")
    def match(number: int) -> Response:
        return told(lambda records: records.match(number))

    @app.get("/api/matches/<int:number>/steps/<int:step>")
    def step(number: int, step: int) -> Response:
        return told(lambda records: records.state(number, step))

    @app.get("/api/matches/<int:number>.txt")
    def text(number: int) -> Response:
        if records is None:
            return Response("This table keeps no matches.\n", status=404, mimetype="text/plain")
        try:
            response = Response(records.text(number), mimetype="text/plain")
        except ValueError as error:
            return Response(f"{_sentence(error)}\n", status=404, mimetype="text/plain")
        response.headers["Content-Disposition"] = f'attachment; filename="match-{number}.txt"'
        response.headers["Cache-Control"] = "no-store"
        return response

    @app.post("/api/matches")
    def take() -> Response:
        request.max_content_length = MOST_TEXT
        _, value = json_body(request)
        found = value.get("text") if isinstance(value, dict) else None
        if not isinstance(found, str):
            raise Malformed('A match to keep is an object with "text".')
        if records is None:
            return to_response(refusal("not_found", "This table keeps no matches."), 404)
        try:
            return to_response({"ok": True, **records.take(found)})
        except ValueError as error:
            return to_response(refusal("bad_match", _sentence(error)), 400)


def _sentence(error: ValueError) -> str:
    text = " ".join(str(error).split())
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
