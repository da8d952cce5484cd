"""GET /seen, /api/seen and /api/seen.jpg: the newest only, never cached, and what there is to say without a camera."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.web.fakes import FakeTable
from web.app import create_app


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def client(table: FakeTable) -> FlaskClient:
    return create_app(table).test_client()


def test_the_page_is_a_page_of_its_own_with_the_same_guards(client: FlaskClient) -> None:
    answer = client.get("/seen")
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert client.get("/seen", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_what_is_seen_is_told_whole_and_never_kept_by_a_browser(client: FlaskClient, table: FakeTable) -> None:
    table.looked = {"state": "ok", "frame": 3, "age_ms": 40, "tray": "RYBRY/YBRBY/BRYBR"}
    answer = client.get("/api/seen")
    assert (answer.json, answer.headers["Cache-Control"]) == (table.looked, "no-store")


def test_the_picture_is_told_its_number_and_is_never_kept(client: FlaskClient, table: FakeTable) -> None:
    table.looks = {2: b"\xff\xd8two", 3: b"\xff\xd8three"}
    answer = client.get("/api/seen.jpg")
    assert (answer.data, answer.mimetype, answer.headers["Frame"]) == (b"\xff\xd8three", "image/jpeg", "3")
    assert answer.headers["Cache-Control"] == "no-store"
    assert client.get("/api/seen.jpg?frame=2").headers["Frame"] == "2"


@pytest.mark.parametrize("frame", ["1", "99", "-3", "", "two", "9" * 400, "2;3"])
def test_a_picture_that_is_not_kept_is_the_newest(client: FlaskClient, table: FakeTable, frame: str) -> None:
    table.looks = {3: b"\xff\xd8three"}
    answer = client.get("/api/seen.jpg", query_string={"frame": frame})
    assert (answer.status_code, answer.headers["Frame"]) == (200, "3")


def test_without_a_camera_there_is_no_picture(client: FlaskClient, table: FakeTable) -> None:
    answer = client.get("/api/seen.jpg")
    assert (answer.status_code, "Frame" in answer.headers) == (404, False)
    assert client.get("/api/seen").json == {"state": "none", "frame": None, "age_ms": None}


@pytest.mark.parametrize("path", ["/seen", "/api/seen", "/api/seen.jpg"])
def test_nothing_is_changed_here(client: FlaskClient, path: str) -> None:
    assert client.post(path, json={}).status_code == 405
