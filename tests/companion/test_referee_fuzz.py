"""Whatever is sent to the referee of Re;MATCH: it answers, keeps the state when it refuses, and never raises."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import game
from companion.log import MemoryLog
from companion.session import Session

TRAY = "RYBRY/YBRBY/BRYBR"
NAMES = [
    "setup", "begin", "destroy", "flip", "declare", "clear", "hit", "heal", "fan", "pay", "skip_next", "end_turn",
    "concede", "correct", "marker", "rules", "undo", "redo", "dance",
]  # fmt: skip
FIELDS = [
    "player", "cells", "refill", "button", "attack", "shorts", "overrule", "source", "hits", "amount", "fan", "credits",
    "restores", "name", "remove", "reacts", "blocks", "turns", "forces", "once",
    "hp", "broken", "place", "cell", "colour", "tray", "turn", "first", "players", "rules", "x",
]  # fmt: skip
CODES = {
    "illegal_clear", "not_your_turn", "already_cleared", "must_clear", "must_flip", "too_late", "not_now", "too_many",
    "broken_button", "not_broken", "empty_cell", "too_many_of_colour", "bad_value", "bad_command", "unknown_command",
    "nothing_to_undo", "nothing_to_redo", "match_over", "unknown_cell",
}  # fmt: skip

words = st.sampled_from(["A", "B", "R", "Y", "a1", "b3", "c5", "R1", "B4", "stage", "?", ".", TRAY, "", "é", "2.5"])
values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
likely: dict[str, Any] = {
    "player": st.sampled_from("AB"),
    "source": st.sampled_from("AB"),
    "button": st.sampled_from("RYB"),
    "fan": st.sampled_from("RYB"),
    "cells": st.lists(st.sampled_from([f"{lane}{row}" for lane in "abc" for row in range(1, 6)]), max_size=4),
    "amount": st.integers(0, 11),
    "credits": st.integers(0, 3),
    "hits": st.lists(
        st.fixed_dictionaries(
            {"player": st.sampled_from("AB"), "button": st.sampled_from("RYB"), "amount": st.integers(0, 11)}
        ),
        max_size=3,
    ),
    "attack": st.sampled_from(["R1", "R2", "R4", "Y1", "Y2", "Y4", "B1", "B2", "B4"]),
}
wild = st.builds(
    lambda name, rest: {"do": name, **rest}, st.sampled_from(NAMES), st.dictionaries(st.sampled_from(FIELDS), values)
)
NEEDS = {
    "destroy": ("player", "cells"), "flip": ("player", "button"), "declare": ("player", "attack"),
    "clear": ("player", "cells"), "hit": ("source", "hits"), "heal": ("player", "button", "amount"),
    "fan": ("player", "fan"), "pay": ("player", "credits"), "skip_next": ("player",), "end_turn": ("player",),
    "concede": ("player",), "begin": (), "undo": (), "redo": (),
}  # fmt: skip
sane = st.sampled_from(sorted(NEEDS)).flatmap(
    lambda name: st.fixed_dictionaries({"do": st.just(name), **{field: likely[field] for field in NEEDS[name]}})
)


@settings(deadline=None)
@given(st.lists(sane | sane | wild, max_size=25))
def test_any_commands(commands: list[dict[str, Any]]) -> None:
    log = MemoryLog()
    session = Session(game("rematch"), log)
    session.submit({"do": "setup", "first": "A", "tray": TRAY})
    for command in commands:
        before, version = json.dumps(session.state_json), session.version
        body = session.submit_line(json.dumps(command).encode()).body
        json.dumps(body, allow_nan=False)
        assert body["state"] == session.state_json
        if not body["ok"]:
            assert body["error"]["code"] in CODES
            assert (json.dumps(session.state_json), session.version) == (before, version)
        elif command["do"] not in ("setup", "undo", "redo"):
            after = json.dumps(session.state_json)
            assert json.dumps(session.submit({"do": "undo"}).body["state"]) == before
            assert json.dumps(session.submit({"do": "redo"}).body["state"]) == after
    again = Session(game("rematch"), log)
    assert json.dumps(again.state_json) == json.dumps(session.state_json)


@settings(deadline=None)
@given(wild)
def test_before_the_setup_everything_else_is_refused(command: dict[str, Any]) -> None:
    if command["do"] != "setup":
        body = Session(game("rematch"), MemoryLog()).submit(command).body
        assert (body["ok"], body["state"]) == (False, None)
        assert body["error"]["code"] in ("not_now", "bad_command", "bad_value", "unknown_command")
