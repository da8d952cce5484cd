"""POST /api/commands and /api/control: statuses and bodies of DESIGN §7."""

from __future__ import annotations

import json

import pytest
from flask.testing import FlaskClient

from tests.web.fakes import FakeTable, a_state, refused
from web.app import create_app


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(a_state())


@pytest.fixture
def client(table: FakeTable) -> FlaskClient:
    return create_app(table).test_client()


def test_an_accepted_command_is_200_with_the_referees_reply(client: FlaskClient, table: FakeTable) -> None:
    table.replies = [{"ok": True, "events": [{"type": "turn_ended"}]}]
    answer = client.post("/api/commands", json={"do": "end_turn", "player": "A"})
    assert answer.status_code == 200
    assert answer.json == {"ok": True, "events": [{"type": "turn_ended"}], "state": a_state()}
    assert table.commands == [{"do": "end_turn", "player": "A"}]


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("illegal_clear", 409),
        ("not_now", 409),
        ("nothing_to_undo", 409),
        ("not_your_turn", 409),
        ("not_saved", 503),
        ("bad_command", 400),
        ("unknown_command", 400),
        ("bad_value", 400),
    ],
)
def test_a_refusal_is_409_or_400_with_the_referees_reply(
    client: FlaskClient, table: FakeTable, code: str, status: int
) -> None:
    table.replies = [refused(code, "One sentence.", "b3")]
    answer = client.post("/api/commands", json={"do": "clear"})
    assert answer.status_code == status
    assert answer.json["error"] == {"code": code, "text": "One sentence.", "cells": ["b3"]}
    assert answer.json["state"] == a_state()


NOT_JSON = {
    "empty": b"",
    "half": b'{"do": "undo"',
    "not utf-8": b'{"do": "\xff"}',
    "NaN": b'{"do": "hit", "amount": NaN}',
    "half a surrogate pair": b'{"do": "\\ud800"}',
    "too deep": b"[" * 20_000,
    "a number of ten thousand digits": b"1" * 10_000,
    "two values": b"{} {}",
}


@pytest.mark.parametrize("path", ["/api/commands", "/api/control"])
@pytest.mark.parametrize("body", NOT_JSON.values(), ids=NOT_JSON.keys())
def test_what_is_not_json_is_400_and_never_reaches_the_table(
    client: FlaskClient, table: FakeTable, path: str, body: bytes
) -> None:
    answer = client.post(path, data=body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json["ok"] is False
    assert answer.json["error"]["code"] == "bad_command"
    assert answer.json["error"]["text"].endswith(".")
    assert answer.json["error"]["cells"] == []
    assert answer.json["state"] == a_state()
    assert table.commands == table.controls == []


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None])
def test_a_form_of_another_site_cannot_carry_a_command(client: FlaskClient, table: FakeTable, kind: str | None) -> None:
    own = {"Origin": "http://localhost"}
    answer = client.post("/api/commands", data=b'{"do":"undo"}', content_type=kind, headers=own)
    assert answer.status_code == 400
    assert "application/json" in answer.json["error"]["text"]
    assert table.commands == []


def test_a_script_without_a_browser_need_not_name_the_content_type(client: FlaskClient, table: FakeTable) -> None:
    answer = client.post("/api/commands", data=b'{"do":"undo"}', content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 200
    assert table.commands == [{"do": "undo"}]


def test_a_list_is_json_and_its_refusal_is_the_referees(client: FlaskClient, table: FakeTable) -> None:
    table.replies = [refused("bad_command", "A command is an object.")]
    answer = client.post("/api/commands", json=[1])
    assert (answer.status_code, answer.json["error"]["text"]) == (400, "A command is an object.")


def test_the_largest_body_is_64_kb(client: FlaskClient, table: FakeTable) -> None:
    command = json.dumps({"do": "undo"}).encode()
    fits = client.post("/api/commands", data=command.ljust(64 * 1024), content_type="application/json")
    over = client.post("/api/commands", data=command.ljust(64 * 1024 + 1), content_type="application/json")
    assert (fits.status_code, over.status_code) == (200, 413)
    assert over.json["error"] == {"code": "too_large", "text": "A command may have at most 64 kB.", "cells": []}
    assert over.json["state"] == a_state()
    assert len(table.commands) == 1


def test_a_refused_body_has_the_state_null_before_setup(table: FakeTable) -> None:
    answer = create_app(FakeTable(None)).test_client().post("/api/commands", data=b"?", content_type="application/json")
    assert answer.json["state"] is None


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:81"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example:8000"},
        {"Host": "["},
    ],
)
@pytest.mark.parametrize("path", ["/api/commands", "/api/control"])
def test_another_sites_page_may_not_act(client: FlaskClient, table: FakeTable, headers: dict, path: str) -> None:
    answer = client.post(path, json={"do": "undo"}, headers=headers)
    assert answer.status_code == 403
    assert answer.json["error"]["code"] == "not_allowed"
    assert table.commands == table.controls == []


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8000", "192.168.1.20:8000", "[fd00::1]:8000", "raspberrypi.local", "games-pi"]
)
def test_our_own_page_may_act_under_every_name_of_a_home_network(client: FlaskClient, host: str) -> None:
    own = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/commands", json={"do": "undo"}, headers=own).status_code == 200


def test_further_host_names_can_be_named(table: FakeTable) -> None:
    client = create_app(table, hosts=["table.example"]).test_client()
    assert client.post("/api/commands", json={"do": "undo"}, headers={"Host": "table.example"}).status_code == 200


def test_our_own_fault_is_500_without_a_traceback(client: FlaskClient, table: FakeTable) -> None:
    table.replies = [RuntimeError("disk on fire")]
    answer = client.post("/api/commands", json={"do": "undo"})
    assert answer.status_code == 500
    assert answer.json["error"]["code"] == "internal"
    assert "fire" not in answer.text
    assert "Traceback" not in answer.text


def test_control_hands_the_request_on(client: FlaskClient, table: FakeTable) -> None:
    table.control_replies = [{"ok": True}, refused("not_now", "A hand is in the tray."), refused("bad_value", "No.")]
    statuses = [client.post("/api/control", json={"do": "pull", "cells": ["a1"]}).status_code for _ in range(3)]
    assert statuses == [200, 409, 400]
    assert table.controls[0] == {"do": "pull", "cells": ["a1"]}


@pytest.mark.parametrize("body", [[], "pull", {}, {"do": 3}, None])
def test_a_control_without_a_name_is_400(client: FlaskClient, table: FakeTable, body: object) -> None:
    assert client.post("/api/control", json=body).status_code == 400
    assert table.controls == []


def test_the_history_is_what_the_table_says(client: FlaskClient, table: FakeTable) -> None:
    table.past = {"version": 1, "commands": [{"seq": 1, "command": {"do": "setup"}}], "amendments": []}
    answer = client.get("/api/history")
    assert (answer.status_code, answer.json) == (200, table.past)
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("application/json", "no-store")
    assert client.post("/api/history", json={}).status_code == 405
