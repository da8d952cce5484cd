"""Another game is chosen on the page: the same process begins anew with it, and no match is lost."""

from __future__ import annotations

import contextlib
import http.client
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.another import Another
from companion.ending import Stop
from companion.switches import Switches, read_switches
from tests.companion.running import Running, running

SETUP = {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"}


def another(data: Path, simulated: bool = False) -> tuple[Another, Stop, Switches]:
    stop, switches = Stop(), Switches(data)
    return Another("rematch", switches, stop, simulated), stop, switches


def test_the_choice_is_kept_and_ends_this_run(tmp_path: Path) -> None:
    choice, stop, switches = another(tmp_path)
    switches.set_help(True)
    assert choice.play("react") == {"ok": True}
    stop.wait()  # at once
    assert choice.chosen == "react"
    assert read_switches(tmp_path / "switches.json") == {"help": True, "game": "react"}
    assert Switches(tmp_path).game == "react"


def test_the_same_game_changes_nothing(tmp_path: Path) -> None:
    choice, _, _ = another(tmp_path)
    assert choice.play("rematch") == {"ok": True}
    assert choice.chosen is None
    assert not (tmp_path / "switches.json").exists()


@pytest.mark.parametrize("name", ["chess", "", None, 5, ["react"]])
def test_what_is_no_game_is_refused(tmp_path: Path, name: object) -> None:
    choice, _, _ = another(tmp_path)
    reply = choice.play(name)
    assert reply["error"]["code"] == "bad_value"
    assert choice.chosen is None


def test_a_simulated_table_plays_one_game(tmp_path: Path) -> None:
    choice, _, _ = another(tmp_path, simulated=True)
    assert choice.play("react")["error"]["code"] == "not_now"


def test_a_folder_that_cannot_be_written_leaves_the_game(tmp_path: Path) -> None:
    choice, _, _ = another(tmp_path / "gone")
    assert choice.play("react")["error"]["code"] == "not_saved"
    assert choice.chosen is None


def until(run: Running, true: Callable[[Any], bool]) -> Any:
    """The companion's view, as soon as that is so; between two runs nobody listens."""
    for _ in range(300):
        with contextlib.suppress(OSError, http.client.HTTPException):
            seen = run.ask("GET", "/api/seen")[1]
            if true(seen):
                return seen
        threading.Event().wait(0.1)
    raise AssertionError("it did not come back")


def test_there_and_back_in_one_process_the_match_goes_on(tmp_path: Path) -> None:
    with running(tmp_path) as run:
        run.do(SETUP)
        run.do({"do": "begin"})
        before, first = run.state, run.ask("GET", "/api/seen")[1]["server"]
        for game in ("reinforcements",):
            assert run.ask("POST", "/api/control", {"do": "play", "game": game})[1] == {"ok": True}
            here = first
            first = until(run, lambda seen, here=here: seen["server"] != here)["server"]
            assert run.state is None  # of this game there is no match yet
        assert run.ask("POST", "/api/control", {"do": "play", "game": "rematch"})[0] == 200
        here = first
        until(run, lambda seen: seen["server"] != here)
        assert run.state == before
        assert run.process.poll() is None
        os.kill(run.process.pid, 0)  # the same process all the time
