"""The games by name, and the boards that they are given."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from companion.boards import load_boards
from companion.cli import main
from companion.games import game
from companion.log import MemoryLog
from companion.rules.rematch.fighters import Board, board_to_json
from companion.session import Session
from tests.companion.running import running

TRAY = "RYBRY/YBRBY/BRYBR"


def setup(**players: dict[str, Any]) -> dict[str, Any]:
    return {"do": "setup", "first": "A", "tray": TRAY, "players": players}


def test_a_game_that_is_none() -> None:
    with pytest.raises(KeyError):
        game("chess")


def test_without_boards_a_fighter_is_a_name() -> None:
    session = Session(game("rematch"), MemoryLog())
    assert session.submit(setup(A={"fighter": "Chef"})).accepted
    assert session.state_json is not None
    assert session.state_json["players"]["A"]["board"] is None


def test_the_referee_knows_the_shipped_boards(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    line = json.dumps(setup(A={"fighter": "cheF"}, B={"fighter": "Somebody"})).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(line)))
    assert main(["referee"]) == 0
    players = json.loads(capsysbinary.readouterr().out)["state"]["players"]
    assert players["A"]["board"] == board_to_json(load_boards(None)["Chef"])
    assert players["B"]["board"] is None


def test_run_knows_the_boards_of_its_data_folder(tmp_path: Path) -> None:
    (tmp_path / "fighters").mkdir()
    (tmp_path / "fighters" / "house.toml").write_text('format = 1\n[[fighter]]\nname = "Ace"\n')
    with running(tmp_path) as run:
        players = run.do(setup(A={"fighter": "ace"}, B={"fighter": "Dancer"}))["state"]["players"]
    assert players["A"]["board"] == board_to_json(Board("Ace"))
    assert players["B"]["board"]["name"] == "Dancer"
