"""Texts go out compressed to whoever takes that, whole and the same as without."""

from __future__ import annotations

import gzip
from collections import OrderedDict

import pytest
from flask.testing import FlaskClient

from tests.web.fakes import FakeTable, a_state
from web import packing
from web.app import create_app

GZIP = {"Accept-Encoding": "gzip, deflate"}


@pytest.fixture
def client() -> FlaskClient:
    table = FakeTable(a_state())
    table.jpeg = b"\xff\xd8" * 2000
    return create_app(table).test_client()


@pytest.mark.parametrize("path", ["/", "/watch", "/static/main.js", "/static/app.css", "/words/page.js"])
def test_a_text_comes_packed_and_is_the_same(client: FlaskClient, path: str) -> None:
    plain, packed = client.get(path), client.get(path, headers=GZIP)
    again = client.get(path, headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    for answer in (packed, again):
        assert answer.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(answer.data) == plain.data
        assert len(answer.data) < len(plain.data) / 1.5
        assert int(answer.headers["Content-Length"]) == len(answer.data)
        assert answer.headers["ETag"] == plain.headers["ETag"]
        assert "Accept-Encoding" in answer.vary
        assert answer.headers["Content-Security-Policy"]
    assert client.get(path, headers={**GZIP, "If-None-Match": plain.headers["ETag"]}).status_code == 304


@pytest.mark.parametrize("path", ["/api/state", "/api/history", "/frame.jpg", "/nothing", "/static/icon-192.png"])
def test_what_changes_or_is_packed_already_is_left_alone(client: FlaskClient, path: str) -> None:
    assert "Content-Encoding" not in client.get(path, headers=GZIP).headers


def test_a_stream_is_never_packed(client: FlaskClient) -> None:
    answer = client.get("/api/events", headers=GZIP, buffered=False)
    assert "Content-Encoding" not in answer.headers
    answer.close()


def test_each_language_is_kept_for_itself(client: FlaskClient) -> None:
    german = {**GZIP, "Accept-Language": "de"}
    texts = [gzip.decompress(client.get("/words/page.js", headers=one).data) for one in (GZIP, german, GZIP)]
    assert texts[0] == texts[2] != texts[1]


def test_no_more_is_kept_than_there_are_files(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "KEPT", 3)
    monkeypatch.setattr(packing, "_packed", OrderedDict())
    for path in ("/", "/watch", "/seen", "/records", "/static/main.js"):
        client.get(path, headers=GZIP)
    assert len(packing._packed) == 3
