"""The page of all tables of a venue. It reads and cannot change anything: there is no address that takes a request."""

from __future__ import annotations

from flask import Flask, Response, render_template, request

from web import language
from web.guard import secure
from web.packing import pack
from web.port import Watched
from web.replies import refusal, to_response
from web.stream import EventStream, Slots


def create_venue_app(venue: Watched, *, max_streams: int = 48, beat_s: float = 1.0) -> Flask:
    """The app of `companion venue`. The snapshot's `state`: docs/venue.md; streams as in web.app.create_app."""
    app = Flask(__name__)
    slots = Slots(max_streams)
    app.extensions["event_streams"] = slots
    language.install(app)
    app.after_request(secure)
    app.after_request(pack)

    @app.get("/")
    def page() -> Response:
        response = language.by_language(Response(render_template("venue.html"), mimetype="text/html"))
        response.headers["Cache-Control"] = "no-cache"
        return response

    @app.get("/api/state")
    def state() -> Response:
        return to_response(venue.snapshot().state)

    @app.get("/api/events")
    def events() -> Response:
        if not slots.take():
            text = f"{max_streams} pages are open already; close one of them."
            response = to_response(refusal("busy", text), 503)
            response.headers["Retry-After"] = "5"
            return response
        gone = request.environ.get("waitress.client_disconnected", lambda: False)
        response = Response(EventStream(venue, beat_s, gone, slots.give_back), mimetype="text/event-stream")
        response.headers["Cache-Control"] = "no-store"
        return response

    return app
