"""Nonsense to every address of the API: a code and a sentence, never our own fault, and nothing changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games import game, notation
from companion.matches import Matches
from companion.pairing import Pairing
from companion.records import Records
from companion.service import Service
from companion.session import Session
from companion.shelf import Shelf
from web.app import create_app

POSTS = ["/api/commands", "/api/control", "/api/matches", "/api/pair", "/api/pair/renew", "/api/table", "/api/nothing"]
GETS = ["/api/state", "/api/history", "/api/seen", "/api/seen.jpg", "/api/pairing", "/api/pairing.svg", "/frame.jpg",
        "/api/matches", "/api/matches/1", "/api/matches/1.txt", "/api/matches/1/steps/0"]  # fmt: skip

# words that the table knows, so that nonsense gets past the first look
KNOWN = (
    "do setup begin clear destroy hit heal pay credits end_turn undo redo amend correct resolve marker rules concede "
    "declare fan flip restore note help on answer id choice new_match take_tray dismiss pull cells player A B R Y a1 "
    "c5 tray RYBRY/YBRBY/BRYBR first amount hits button seq command remove text pin over"
)
WORDS = st.sampled_from(KNOWN.split())
TEXTS = st.one_of(WORDS, st.text(max_size=12))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(10**12), 10**12), st.floats(), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=12,
)
BODIES = st.one_of(
    VALUES, st.builds(lambda do, more: {**more, "do": do}, WORDS, st.dictionaries(WORDS, VALUES, max_size=5))
)


class Rig:
    """The real service of a match under way, without threads, and the app over it."""

    def __init__(self, folder: Path) -> None:
        rules = game("rematch")
        self.service = Service(Session(rules, None, Matches(folder, rules).next_log))
        for command in (b'{"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"}', b'{"do": "begin"}'):
            assert self.service.command(command)["ok"]
        records = Records(lambda: Shelf(folder, rules, notation("rematch")), "rematch", rules)
        app = create_app(self.service, pairing=Pairing(folder), records=records)
        self.client: FlaskClient = app.test_client()

    def state(self) -> str:
        return json.dumps(self.service.snapshot().state)


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Rig:
    return Rig(tmp_path_factory.mktemp("matches"))


def check(rig: Rig, answer: Any, before: str) -> None:
    assert answer.status_code < 500, answer.text
    if answer.status_code != 200:
        error = answer.json["error"]
        assert error["code"]
        assert error["text"].endswith((".", "?", "!")), error
        assert "Traceback" not in answer.text
        assert rig.state() == before


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(path=st.sampled_from(POSTS), body=BODIES)
def test_json_of_any_kind(rig: Rig, path: str, body: Any) -> None:
    before = rig.state()
    text = json.dumps(body)
    check(rig, rig.client.post(path, data=text, content_type="application/json"), before)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    path=st.sampled_from(POSTS),
    body=st.binary(max_size=200),
    kind=st.sampled_from(["application/json", "text/plain", "multipart/form-data; boundary=x", "nonsense", ""]),
)
def test_bytes_of_any_kind(rig: Rig, path: str, body: bytes, kind: str) -> None:
    before = rig.state()
    check(rig, rig.client.post(path, data=body, content_type=kind), before)


@settings(max_examples=120, deadline=None)
@given(
    path=st.sampled_from(GETS),
    query=st.dictionaries(st.sampled_from(["frame", "n", "step", "x"]), st.text(max_size=8), max_size=2),
    method=st.sampled_from(["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"]),
)
def test_odd_questions(rig: Rig, path: str, query: dict[str, str], method: str) -> None:
    before = rig.state()
    answer = rig.client.open(path, method=method, query_string=query)
    assert answer.status_code < 500
    assert rig.state() == before
