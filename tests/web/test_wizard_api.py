"""The addresses of the set-up: who may use them, and what they answer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.pairing import Pairing
from tests.web.fakes import FakeTable, a_state, refused
from web.app import create_app

ELSEWHERE = {"REMOTE_ADDR": "192.168.1.20"}


class FakeWizard:
    """Implements web.wizard.Wizard."""

    def __init__(self) -> None:
        self.asked: list[Mapping[str, Any]] = []
        self.reply: dict[str, Any] = {"ok": True}
        self.picture: bytes | None = None

    def told(self) -> dict[str, Any]:
        return {"camera": "ok"}

    def do(self, request: Mapping[str, Any]) -> dict[str, Any]:
        self.asked.append(request)
        return self.reply

    def tray_picture(self) -> bytes | None:
        return self.picture


@pytest.fixture
def wizard() -> FakeWizard:
    return FakeWizard()


@pytest.fixture
def client(wizard: FakeWizard, tmp_path: Path) -> FlaskClient:
    return create_app(FakeTable(a_state()), wizard=wizard, pairing=Pairing(tmp_path)).test_client()


def test_a_step_is_asked_for_and_answered(client: FlaskClient, wizard: FakeWizard) -> None:
    assert client.get("/api/table").json == {"camera": "ok"}
    answer = client.post("/api/table", json={"do": "fit", "corners": []})
    assert (answer.status_code, answer.json, wizard.asked) == (200, {"ok": True}, [{"do": "fit", "corners": []}])
    wizard.reply = refused("not_possible", "Two corners coincide.")
    assert client.post("/api/table", json={"do": "fit"}).status_code == 409
    wizard.reply = refused("bad_value", "No corners.")
    assert client.post("/api/table", json={"do": "fit"}).status_code == 400


@pytest.mark.parametrize("body", [[], {}, {"do": 3}, "x"])
def test_what_is_no_request_is_malformed(client: FlaskClient, wizard: FakeWizard, body: Any) -> None:
    answer = client.post("/api/table", json=body)
    assert (answer.status_code, answer.json["error"]["code"], wizard.asked) == (400, "bad_command", [])


def test_a_device_that_was_not_let_in_changes_nothing_and_sees_no_picture(
    client: FlaskClient, wizard: FakeWizard
) -> None:
    wizard.picture = b"\xff\xd8tray"
    assert client.post("/api/table", json={"do": "fit"}, environ_overrides=ELSEWHERE).status_code == 403
    assert client.get("/api/table/tray.jpg", environ_overrides=ELSEWHERE).status_code == 403
    assert wizard.asked == []
    answer = client.get("/api/table/tray.jpg")
    assert (answer.data, answer.mimetype, answer.headers["Cache-Control"]) == (
        b"\xff\xd8tray",
        "image/jpeg",
        "no-store",
    )


def test_a_table_without_a_set_up_says_so() -> None:
    client = create_app(FakeTable(a_state())).test_client()
    assert client.get("/api/table").status_code == 404
    assert client.post("/api/table", json={"do": "fit"}).status_code == 404
    assert client.get("/api/table/tray.jpg").status_code == 404
