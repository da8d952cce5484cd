"""`companion run` with the second game: chosen by option or table file, kept over a pulled plug, beside the first."""

from __future__ import annotations

from pathlib import Path

from tests.companion.rules.react.matches import MATCH
from tests.companion.running import refused, running


def test_a_plug_is_pulled_in_the_middle_of_a_resolving_chain(tmp_path: Path) -> None:
    with running(tmp_path, "--game", "react") as run:
        for command in MATCH[:11]:
            assert run.do(command)["ok"], command
        before = run.state
        run.kill_9()
    assert before["chain"]["resolving"]
    (tmp_path / "table.toml").write_text('version = 1\ngame = "react"\n')
    with running(tmp_path) as run:
        assert run.state == before
        assert '"game":"react"' in run.first_view().replace(" ", "")
        for _ in range(2):
            assert run.do({"do": "undo"})["ok"]
        assert run.state["chain"]["stack"] == [2, 1]
        assert run.do({"do": "redo"})["ok"]
        history = run.ask("GET", "/api/history")[1]
    assert history["commands"][0]["text"] == "Set-up: A begins on 5 × 5 zones; A is Dancer; B is Ink Cook"
    with running(tmp_path, "--game", "rematch") as run:
        assert run.state is None  # the match of the other game waits for its game


def test_it_has_no_simulated_table(tmp_path: Path) -> None:
    said = refused("--data", str(tmp_path), "--game", "react", "--simulate")
    assert "only rematch has a simulated table" in said
