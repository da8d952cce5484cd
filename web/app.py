"""The Flask app: the page, the commands, the one event stream (DESIGN §7). It knows a table only by web.port."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from flask import Flask, Request, Response, render_template, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from web.backup import Backup
from web.backup import install as install_backup
from web.doctor import Doctor
from web.doctor import install as install_doctor
from web.guard import MAX_BODY, Malformed, json_body, secure, seen_version, why_not_allowed, why_not_ours
from web.language import by_language
from web.language import install as install_language
from web.packing import pack
from web.pairing import COOKIE, Invitation, Pairing, install, is_loopback
from web.port import Table
from web.rates import Rates, neighbour
from web.rates import install as install_rates
from web.records import Records
from web.records import install as install_records
from web.replies import Reply, refusal, status_of, to_response
from web.stream import STREAMS_EACH, EventStream, Slots
from web.wizard import Wizard
from web.wizard import install as install_wizard

log = logging.getLogger(__name__)

OWN_PAGE = frozenset({"react", "reactions", "reinforcements"})
"""Games whose page is not that of the first; onlookers see it too, with nothing to tap."""


def create_app(
    table: Table,
    *,
    max_streams: int = 48,
    beat_s: float = 1.0,
    hosts: Collection[str] = (),
    max_body: int = MAX_BODY,
    pairing: Pairing | None = None,
    invite: Callable[[], Invitation | None] = lambda: None,
    records: Records | None = None,
    wizard: Wizard | None = None,
    doctor: Doctor | None = None,
    boards: Callable[[], Any] = list,
    backup: Backup | None = None,
    rates: Rates | None = None,
) -> Flask:
    """The app for one table.

    max_streams: event streams at once, the next gets 503; keep it well below the server's threads (web/serving.py).
    beat_s: seconds of silence before a stream says that it is still there. hosts: further host names of this machine
    besides addresses and home-network names. max_body: bytes of a POST. pairing: None lets every device act.
    invite: what a further device needs (web.pairing). records: the kept matches (web.records).
    wizard: sets the table up from the page (web.wizard). doctor: checks this machine (web.doctor).
    boards: the fighters' boards in plain words, for the page that picks them.
    backup: everything as one file (web.backup). rates: how often a device may ask.
    """
    app = Flask(__name__)
    app.config.update(MAX_CONTENT_LENGTH=max_body, MAX_FORM_MEMORY_SIZE=max_body)
    slots = Slots(max_streams, STREAMS_EACH)
    app.extensions["event_streams"] = slots

    def with_state(reply: Reply) -> Reply:
        return reply if "state" in reply else {**reply, "state": table.snapshot().state}

    def failed(status: int, code: str, text: str) -> Response:
        return to_response(with_state(refusal(code, text)), status)

    def device(asked: Request) -> str | None:
        token = asked.cookies.get(COOKIE, "")
        return token if pairing is None or pairing.allows(token) else None

    @app.before_request
    def check_sender() -> Response | None:
        # who comes under a stranger's name does not even read: a page of that name would read with it
        reads = request.method in ("GET", "HEAD", "OPTIONS")
        reason = why_not_ours(request, hosts) if reads else why_not_allowed(request, hosts)
        if reason is None:
            return None
        if request.path.startswith("/api/"):
            return failed(403, "not_allowed", reason)
        return Response(f"{reason}\n", status=403, mimetype="text/plain")

    install_rates(app, device, failed, rates)
    install_backup(app, backup, failed)
    install(app, pairing, failed, hosts, invite)
    app.after_request(secure)
    app.after_request(pack)

    install_language(app)

    def html(template: str) -> Response:
        response = Response(render_template(template), mimetype="text/html")
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        response.make_conditional(request)
        return by_language(response)

    def of_this_game(template: str) -> str:
        """Each game's page is its own; what they share are its parts."""
        game = table.snapshot().view.get("game")
        return f"{game}.html" if game in OWN_PAGE else template

    def jpeg(picture: bytes | None) -> Response:
        if picture is None:
            return Response("There is no camera picture.\n", status=404, mimetype="text/plain")
        response = Response(picture, mimetype="image/jpeg")
        response.headers["Cache-Control"] = "no-store"
        return response

    @app.get("/")
    def page() -> Response:
        return html(of_this_game("index.html"))

    @app.get("/seen")
    def seen_page() -> Response:
        return html("seen.html")

    install_records(app, records, html)
    install_doctor(app, doctor, html)
    install_wizard(app, wizard)

    @app.get("/watch")
    def watch() -> Response:
        return html(of_this_game("watch.html"))

    @app.get("/api/state")
    def state() -> Response:
        return to_response(table.snapshot().state)

    @app.get("/api/history")
    def history() -> Response:
        return to_response(table.history())

    @app.get("/api/fighters")
    def fighters() -> Response:
        return to_response({"fighters": boards()})

    @app.post("/api/commands")
    def commands() -> Response:
        body, _ = json_body(request)
        version = seen_version(request)
        reply = table.command(body) if version is None else table.command(body, version)
        return to_response(reply, status_of(reply))

    @app.post("/api/control")
    def control() -> Response:
        _, value = json_body(request)
        if not isinstance(value, dict) or not isinstance(value.get("do"), str):
            raise Malformed('A request is an object with "do".')
        version = seen_version(request)
        reply = table.control(value) if version is None else table.control(value, version)
        return to_response(reply, status_of(reply))

    @app.get("/api/events")
    def events() -> Response:
        address = request.remote_addr or ""
        # a stranger must not take every place; who sits at the machine may
        who = "" if is_loopback(address) else neighbour(address)
        if not slots.take(who):
            here = f"{STREAMS_EACH} pages of this device" if slots.open < max_streams else f"{max_streams} pages"
            response = failed(503, "busy", f"{here} are open already; close one of them.")
            response.headers["Retry-After"] = "5"
            return response
        # waitress only (channel_request_lookahead > 0); other servers find out when they write
        gone = request.environ.get("waitress.client_disconnected", lambda: False)
        response = Response(
            EventStream(table, beat_s, gone, partial(slots.give_back, who)), mimetype="text/event-stream"
        )
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"
        return response

    @app.get("/frame.jpg")
    def frame() -> Response:
        return jpeg(table.picture())

    @app.get("/api/seen")
    def seen() -> Response:
        return to_response(table.seen())

    @app.get("/api/seen.jpg")
    def seen_picture() -> Response:
        found = table.seen_picture(request.args.get("frame", type=int))
        response = jpeg(None if found is None else found[1])
        if found is not None:
            response.headers["Frame"] = str(found[0])
        return response

    @app.errorhandler(Malformed)
    def malformed(error: Malformed) -> Response:
        return failed(400, "bad_command", str(error))

    @app.errorhandler(RequestEntityTooLarge)
    def too_large(error: RequestEntityTooLarge) -> Response:
        return failed(413, "too_large", f"A command may have at most {max_body // 1024} kB.")

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> Response | HTTPException:
        if not request.path.startswith("/api/"):
            return error
        codes = {404: "not_found", 405: "bad_method"}
        texts = {404: "There is no such address.", 405: f"{request.method} is not possible here."}
        status = error.code or 500
        response = failed(
            status, codes.get(status, "bad_command"), texts.get(status, "That request was not understood.")
        )
        if status == 405:
            response.headers["Allow"] = ", ".join(sorted(getattr(error, "valid_methods", None) or ()))
        return response

    @app.errorhandler(Exception)
    def our_fault(error: Exception) -> Response:
        # The cause is for our log; a page is told that nothing is known to have happened, never a traceback.
        log.error("%s %s failed", request.method, request.path, exc_info=error)
        text = "The companion made a mistake; its log has the details. Check the score before going on."
        if not request.path.startswith("/api/"):
            return Response(text + "\n", status=500, mimetype="text/plain")
        try:
            return failed(500, "internal", text)
        except Exception:  # the table itself is what failed
            return to_response({**refusal("internal", text), "state": None}, 500)

    return app
