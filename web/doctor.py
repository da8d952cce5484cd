"""The page of the checks. What they say of this machine is for devices that may act; running them is a request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from flask import Flask, Response, request

from web.guard import json_body
from web.replies import refusal, to_response


class Doctor(Protocol):
    def check(self) -> list[dict[str, Any]] | None:
        """Every finding: check, state (ok, absent, warn, bad), text, fix, detail; None: it is at it already."""
        ...


def install(app: Flask, doctor: Doctor | None, page: Callable[[str], Response]) -> None:
    """`doctor` None: nothing can be checked from here; the page says so."""

    @app.get("/doctor")
    def doctor_page() -> Response:
        return page("doctor.html")

    @app.post("/api/doctor")
    def check() -> Response:
        json_body(request)
        if doctor is None:
            return to_response(refusal("not_found", "Nothing can be checked from this page."), 404)
        findings = doctor.check()
        if findings is None:
            return to_response(refusal("not_now", "The checks are under way already."), 409)
        return to_response({"ok": True, "findings": findings})
