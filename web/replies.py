"""The referee's reply as HTTP: one body shape for every answer of /api, and which status goes with it (DESIGN §7)."""

from __future__ import annotations

import json
from typing import Any

from flask import Response

MALFORMED = frozenset({"bad_command", "unknown_command", "bad_value"})
"""Codes that say the request itself is wrong (400); every other refusal is the rules' (409)."""
NOT_SAVED = "not_saved"
"""The log cannot be written, on a full disk for one: our own trouble (503), and nothing has changed."""

Reply = dict[str, Any]


def refusal(code: str, text: str) -> Reply:
    """A refusal made by the web layer itself, without the state."""
    return {"ok": False, "error": {"code": code, "text": text, "cells": []}}


def status_of(reply: Reply) -> int:
    """200 accepted, 400 malformed, 409 refused by the rules, 503 could not be saved."""
    if reply.get("ok") is True:
        return 200
    code = (reply.get("error") or {}).get("code")
    if code == NOT_SAVED:
        return 503
    return 400 if code in MALFORMED else 409


def to_text(value: Any) -> str:
    """Compact JSON on one line; a NaN in it is our own fault and raises ValueError rather than reach a browser."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def to_response(value: Any, status: int = 200) -> Response:
    response = Response(to_text(value), status=status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response
