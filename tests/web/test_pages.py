"""What is fetched: page, static files, state, picture; and that errors are as plain as answers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import web
from tests.web.fakes import FakeTable, a_state
from web.app import create_app

STATIC = Path(web.__file__).parent / "static"


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(a_state())


@pytest.fixture
def client(table: FakeTable) -> FlaskClient:
    return create_app(table).test_client()


def test_state_is_the_referees_and_null_before_setup(client: FlaskClient) -> None:
    assert client.get("/api/state").json == a_state()
    before = create_app(FakeTable(None)).test_client().get("/api/state")
    assert (before.status_code, before.data) == (200, b"null")


@pytest.mark.parametrize("path", ["/", "/watch", "/seen", "/records"])
def test_every_page_comes_with_an_etag_and_without_anything_inline(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.mimetype == "text/html"
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)", answer.text)
    assert client.get(path, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_every_static_file_is_revalidated_by_etag(client: FlaskClient) -> None:
    files = [path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()]
    assert "main.js" in files
    for name in files:
        answer = client.get(f"/static/{name}")
        assert answer.headers["Cache-Control"] == "no-cache", name
        again = client.get(f"/static/{name}", headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b""), name


def test_no_file_names_an_address_outside() -> None:
    outside = re.compile(r"(?:https?:)?//[a-z0-9-]+\.[a-z]", re.IGNORECASE)
    root = Path(web.__file__).parent
    files = [p for folder in ("static", "templates") for p in (root / folder).rglob("*") if p.is_file()]
    texts = [p for p in files if p.suffix != ".png"]
    found = [(p.name, m.group()) for p in texts for m in outside.finditer(p.read_text("utf-8"))]
    # the SVG namespace is a name and is never fetched
    assert [hit for hit in found if hit[1] != "http://www.w"] == []


@pytest.mark.parametrize(
    "path", ["/", "/static/main.js", "/api/state", "/api/history", "/api/nothing", "/nothing", "/frame.jpg"]
)
def test_every_answer_has_the_security_headers(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_the_picture_is_the_newest_or_404(client: FlaskClient, table: FakeTable) -> None:
    assert client.get("/frame.jpg").status_code == 404
    table.jpeg = b"\xff\xd8one"
    assert client.get("/frame.jpg").data == b"\xff\xd8one"
    table.jpeg = b"\xff\xd8two"
    answer = client.get("/frame.jpg")
    assert (answer.data, answer.mimetype, answer.headers["Cache-Control"]) == (b"\xff\xd8two", "image/jpeg", "no-store")


def test_unknown_addresses_and_methods_of_the_api_are_json(client: FlaskClient) -> None:
    missing, wrong = client.get("/api/nothing"), client.get("/api/commands")
    assert (missing.status_code, missing.json["error"]["code"]) == (404, "not_found")
    assert (wrong.status_code, wrong.json["error"]["code"], wrong.headers["Allow"]) == (
        405,
        "bad_method",
        "OPTIONS, POST",
    )
    assert wrong.json["state"] == a_state()


def test_other_unknown_addresses_are_404_and_leak_nothing(client: FlaskClient) -> None:
    for path in ("/nothing", "/static/../app.py", "/static/nothing.js"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "Traceback" not in answer.text
