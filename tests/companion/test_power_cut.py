"""kill -9 in the middle of a match: after a new start the match is the same, to the last command that was answered."""

from __future__ import annotations

import http.client
import itertools
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games import game
from companion.log import MemoryLog
from companion.session import Session
from tests.companion.running import Running, running

SETUP = {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"}


def _commands(random: Random) -> Iterator[dict[str, Any]]:
    """What two players and a nervous finger send, without end."""
    yield SETUP
    for number in itertools.count(2):
        player, button = random.choice("AB"), random.choice("RYB")
        yield random.choice(
            [
                {"do": "heal", "player": player, "button": button, "amount": random.randrange(3)},
                {"do": "heal", "player": player, "button": button, "amount": -1},
                {"do": "fan", "player": player, "fan": button},
                {"do": "correct", "player": player, "button": button, "hp": random.randrange(5, 9)},
                {"do": "undo"},
                {"do": "undo"},
                {"do": "redo"},
                {"do": "dance"},
                # an older one was meant otherwise, never was, or was forgotten; some numbers are no command's
                {"do": "amend", "after": 1, "command": {"do": "concede", "player": player}},
                {"do": "amend", "seq": random.randrange(2, number + 1), "command": _hit(player, button)},
                {"do": "amend", "seq": random.randrange(2, number + 1), "remove": True},
                {"do": "amend", "after": random.randrange(1, number + 1), "command": _hit(player, button)},
            ]
        )


def _hit(player: str, button: str) -> dict[str, Any]:
    hit = {"player": "AB".replace(player, ""), "button": button, "amount": 1}
    return {"do": "hit", "source": player, "hits": [hit]}


def _send_until_cut(run: Running, random: Random, sent: list[dict[str, Any]], answers: list[dict[str, Any]]) -> None:
    for command in _commands(random):
        sent.append(command)
        try:
            answers.append(run.do(command))
        except (OSError, http.client.HTTPException, ValueError):
            return


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_after_kill_9_nothing_that_was_answered_is_lost(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    sent: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []
    with running(tmp_path) as run:
        enough = threading.Event()
        hand = threading.Thread(target=_send_until_cut, args=(run, random, sent, answers))
        hand.start()
        while len(answers) < 40 + 10 * seed and hand.is_alive():
            enough.wait(0.001)
        run.kill_9()
        hand.join(30)
    assert len(sent) in (len(answers), len(answers) + 1)
    with running(tmp_path) as again:
        state = again.state
        page = json.loads(again.first_view())
    # the state after what was answered, or after the command on its way when the plug was pulled
    session = Session(game("rematch"), MemoryLog())
    possible = []
    for number, command in enumerate(sent, start=1):
        session.submit(command)
        if number >= len(answers):
            possible.append((json.dumps(session.state_json), session.version, session.misfits_to_json()))
    assert (json.dumps(state), page["version"], page["misfits"]) in possible
    assert any(answer["ok"] for answer in answers)
    assert any(not answer["ok"] for answer in answers)
    assert any(answer.get("misfits") for answer in answers)
