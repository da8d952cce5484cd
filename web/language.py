"""The languages of the page: which one a device gets, and its texts (web/words/<language>/).

A page loads the words of one language alone: every module asks for `/words/<name>.js`, and the same choice that wrote
the page's `lang` picks the file. So no module has to wait for another to know the language, and nothing is inline.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask, Request, Response, redirect, request, send_from_directory

COOKIE = "companion-language"
KEPT_S = 400 * 24 * 3600
"""As long as browsers keep a cookie at most. The server sets it: Safari keeps a script's for a week only."""
WORDS = Path(__file__).parent / "words"
LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Each in its own name; the first is spoken where a browser asks for none of them."""


def language_of(asked: Request) -> str:
    """What was picked on this device, else the browser's first wish that there is, else English."""
    kept = asked.cookies.get(COOKIE)
    if kept in LANGUAGES:
        return str(kept)
    return asked.accept_languages.best_match(list(LANGUAGES), default=next(iter(LANGUAGES)))


@cache
def server_words(language: str) -> dict[str, str]:
    """The texts of the templates."""
    words: dict[str, str] = json.loads((WORDS / language / "server.json").read_text(encoding="utf-8"))
    return words


def install(app: Flask) -> None:
    """The address of the words, what the templates need, and `?language=…` on every page: kept on this device."""

    @app.context_processor
    def texts() -> dict[str, Any]:
        language = language_of(request)
        return {"language": language, "languages": LANGUAGES, "words": server_words(language)}

    @app.before_request
    def pick() -> Any:
        picked = request.args.get("language")
        if picked not in LANGUAGES or request.method != "GET" or request.url_rule is None:
            return None  # an address that is not ours leads nowhere else
        rest = "&".join(part for part in request.query_string.decode().split("&") if not part.startswith("language="))
        response = redirect(f"{request.path}?{rest}" if rest else request.path, 303)
        response.set_cookie(COOKIE, picked, max_age=KEPT_S, httponly=True, samesite="Lax", path="/")
        response.headers["Cache-Control"] = "no-store"
        return response

    @app.get("/words/<name>.js")
    def words(name: str) -> Response:
        response = send_from_directory(WORDS / language_of(request), f"{name}.js", mimetype="text/javascript")
        response.headers["Cache-Control"] = "no-cache"
        return by_language(response)


def by_language(response: Response) -> Response:
    """Marks an answer whose text depends on the language, for whatever keeps copies of it."""
    response.vary.update(("Accept-Language", "Cookie"))
    return response
