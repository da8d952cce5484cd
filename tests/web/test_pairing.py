"""What a device may do before and after it has shown the PIN, asked as a browser and as a stranger would."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import Client

from companion.door import Door
from companion.pairing import Pairing
from companion.qr import as_svg
from tests.web.fakes import FakeTable, a_state
from web.app import create_app
from web.pairing import COOKIE

TABLET = {"REMOTE_ADDR": "192.168.1.20"}
UNDO = {"do": "undo"}


@pytest.fixture
def pairing(tmp_path: Path) -> Pairing:
    return Pairing(tmp_path)


@pytest.fixture
def table() -> FakeTable:
    table = FakeTable(a_state())
    table.jpeg = b"\xff\xd8picture"
    return table


@pytest.fixture
def app(table: FakeTable, pairing: Pairing) -> Any:
    return create_app(table, pairing=pairing)


def tablet(app: Any) -> Client:
    """A browser of its own, with its own cookies."""
    return Client(app)


def ask(client: Client, path: str, body: object = None, **environ: Any) -> Any:
    environ = {**TABLET, **environ}
    if body is None:
        return client.get(path, environ_overrides=environ)
    return client.post(path, json=body, environ_overrides=environ)


@pytest.mark.parametrize("path", ["/api/commands", "/api/control", "/api/pair/renew", "/api/nonsense"])
def test_a_stranger_changes_nothing(app: Any, table: FakeTable, pairing: Pairing, path: str) -> None:
    pin = pairing.pin
    answer = ask(tablet(app), path, UNDO)
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "not_paired")
    assert "Enter the PIN" in answer.json["error"]["text"]
    assert (table.commands, table.controls, pairing.pin) == ([], [], pin)


@pytest.mark.parametrize("path", ["/", "/api/state", "/api/history", "/api/pairing", "/static/main.js", "/seen"])
def test_reading_is_open(app: Any, path: str) -> None:
    assert ask(tablet(app), path).status_code == 200


@pytest.mark.parametrize("path", ["/frame.jpg", "/api/seen.jpg"])
def test_the_cameras_picture_is_not(app: Any, pairing: Pairing, path: str) -> None:
    client = tablet(app)
    assert ask(client, path).status_code == 403
    assert ask(client, "/api/pair", {"pin": pairing.pin}).status_code == 200
    assert ask(client, path).status_code in (200, 404)


def test_the_pin_lets_one_browser_in_and_no_other(app: Any, table: FakeTable, pairing: Pairing) -> None:
    mine, other = tablet(app), tablet(app)
    assert ask(mine, "/api/pairing").json == {"needed": True, "allowed": False, "pin": None, "url": None}
    assert ask(mine, "/api/pair", {"pin": f" {pairing.pin} "}).json["ok"] is True
    assert ask(mine, "/api/pairing").json == {"needed": True, "allowed": True, "pin": pairing.pin, "url": None}
    assert ask(mine, "/api/commands", UNDO).status_code == 200
    assert ask(other, "/api/commands", UNDO).status_code == 403
    assert table.commands == [UNDO]


def test_the_cookie_is_no_business_of_scripts_or_other_sites(app: Any, pairing: Pairing) -> None:
    client = tablet(app)
    kept = ask(client, "/api/pair", {"pin": pairing.pin}).headers["Set-Cookie"]
    assert kept.startswith(f"{COOKIE}=")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(kept.split("; "))
    assert "Max-Age=34560000" in kept  # counted by the browser: the table's own clock may be wrong
    # each visit begins it anew
    assert COOKIE in ask(client, "/").headers["Set-Cookie"]
    assert "Set-Cookie" not in ask(tablet(app), "/").headers


def test_wrong_pins_are_refused_and_then_slowed_down(app: Any, pairing: Pairing) -> None:
    client = tablet(app)
    wrong = "000000" if pairing.pin != "000000" else "111111"
    answers = [ask(client, "/api/pair", {"pin": wrong}) for _ in range(4)]
    assert [one.status_code for one in answers] == [403, 403, 429, 429]
    assert {one.json["error"]["code"] for one in answers} == {"wrong_pin"}
    assert int(answers[-1].headers["Retry-After"]) >= 1
    assert COOKIE not in str(answers[-1].headers)


@pytest.mark.parametrize("body", [{}, {"pin": 123456}, [], "123456", {"pin": None}])
def test_nonsense_is_no_guess(app: Any, body: object) -> None:
    client = tablet(app)
    for _ in range(9):
        answer = ask(client, "/api/pair", body)
        assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_command")


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_who_sits_at_the_machine_needs_no_pin(app: Any, pairing: Pairing, address: str) -> None:
    client = tablet(app)
    assert ask(client, "/api/commands", UNDO, REMOTE_ADDR=address).status_code == 200
    assert ask(client, "/api/pairing", REMOTE_ADDR=address).json["pin"] == pairing.pin


@pytest.mark.parametrize("address", ["192.168.1.1", "10.0.0.1", "::ffff:192.168.1.1", "fe80::1", "", "127.0.0.1.evil"])
def test_everybody_else_does(app: Any, address: str) -> None:
    assert ask(tablet(app), "/api/commands", UNDO, REMOTE_ADDR=address).status_code == 403


def test_a_strangers_name_pointed_at_us_does_not_read_the_pin(app: Any) -> None:
    answer = ask(tablet(app), "/api/pairing", REMOTE_ADDR="127.0.0.1", HTTP_HOST="evil.example")
    assert (answer.status_code, "pin" in answer.json) == (403, False)
    answer = ask(tablet(app), "/api/pairing", REMOTE_ADDR="127.0.0.1", HTTP_SEC_FETCH_SITE="cross-site")
    assert answer.json["pin"] is None


def test_the_code_is_only_for_devices_that_are_in(table: FakeTable, pairing: Pairing) -> None:
    door = Door("192.168.1.7", pairing)
    app = create_app(table, pairing=pairing, invite=door.invitation)
    client = tablet(app)
    assert ask(client, "/api/pairing.svg", REMOTE_ADDR="127.0.0.1").status_code == 404
    door.port = 8000
    assert ask(client, "/api/pairing.svg").status_code == 403
    assert ask(client, "/api/pairing.svg", REMOTE_ADDR="127.0.0.1", HTTP_HOST="evil.example").status_code == 403
    assert ask(client, "/api/pairing").json["url"] is None
    assert ask(client, "/api/pair", {"pin": pairing.pin}).status_code == 200
    assert ask(client, "/api/pairing").json["url"] == "http://192.168.1.7:8000/"
    picture = ask(client, "/api/pairing.svg")
    assert picture.mimetype == "image/svg+xml"
    assert picture.data == as_svg(f"http://192.168.1.7:8000/#pin={pairing.pin}")


def test_a_new_pin_shuts_the_others_out(app: Any, pairing: Pairing) -> None:
    mine, other = tablet(app), tablet(app)
    for client in (mine, other):
        assert ask(client, "/api/pair", {"pin": pairing.pin}).status_code == 200
    told = ask(mine, "/api/pair/renew", {})
    assert told.json == {"ok": True, "pin": pairing.pin}
    assert ask(mine, "/api/commands", UNDO).status_code == 200
    assert ask(other, "/api/commands", UNDO).status_code == 403


def test_an_open_table_asks_nobody(table: FakeTable) -> None:
    client = tablet(create_app(table))
    assert ask(client, "/api/pairing").json == {"needed": False, "allowed": True, "pin": None, "url": None}
    assert ask(client, "/api/commands", UNDO).status_code == 200
    assert ask(client, "/api/pair", {"pin": "1"}).json["ok"] is True
    assert ask(client, "/frame.jpg").status_code == 200
