"""`companion run` as a process: what it refuses, how it stops, what it keeps."""

from __future__ import annotations

import signal
import socket
import sqlite3
import subprocess
import time
from pathlib import Path

from companion.pairing import read_pin
from tests.companion.running import command_line, listening, refused, running

SETUP = {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"}


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_without_camera_and_sensors_it_says_so_and_serves_taps(tmp_path: Path) -> None:
    with running(tmp_path) as run:
        assert any("kept by taps" in line for line in run.said)
        assert run.state is None
        assert run.ask("POST", "/api/commands", {"do": "begin"})[0] == 409
        assert run.ask("POST", "/api/commands", SETUP)[0] == 200
        assert run.state["phase"] == "opening"
        run.process.send_signal(signal.SIGTERM)
        assert run.process.wait(30) == 0
        assert run.process.stderr is not None
        assert run.process.stderr.read() == ""
    assert [path.name for path in (tmp_path / "matches").iterdir()] == ["match-000001.sqlite"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["matches", "pairing.json", "starts.json"]


def test_it_stops_at_once_though_a_page_is_open(tmp_path: Path) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        with running(tmp_path) as run, socket.create_connection(("127.0.0.1", run.port)) as page:
            page.sendall(b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert page.recv(4096)
            run.process.send_signal(number)
            asked = time.monotonic()
            assert run.process.wait(30) == 0
            assert time.monotonic() - asked < 5  # a server that waits for its streams never ends


def test_it_stops_though_another_thread_was_given_the_signal(tmp_path: Path) -> None:
    # what systemd does at shutdown: all processes stand still while they are sent SIGTERM
    with running(tmp_path) as run:
        for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGCONT):
            run.process.send_signal(number)
        assert run.process.wait(30) == 0


def test_a_match_is_resumed_and_its_end_can_be_undone(tmp_path: Path) -> None:
    with running(tmp_path) as run:
        run.do(SETUP)
        run.do({"do": "concede", "player": "A"})
        before = run.state
        run.process.terminate()
        run.process.wait(30)
    with running(tmp_path) as run:
        assert run.state == before
        assert before["over"]["winner"] == "B"
        assert run.do({"do": "undo"})["state"]["over"] is None


def test_the_data_folder_has_one_owner(tmp_path: Path) -> None:
    with running(tmp_path):
        assert "in use by another process" in refused("--data", str(tmp_path), "--port", "0")


def test_a_port_in_use_changes_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        data = tmp_path / "data"
        text = refused("--data", str(data), "--host", "127.0.0.1", "--port", str(port))
        assert f"port {port}" in text
        assert "--port names another" in text
        assert not data.exists()


def test_only_a_simulated_table_is_new_by_request(tmp_path: Path) -> None:
    assert "--simulate" in refused("--data", str(tmp_path), "--new-table")


def test_an_address_that_is_none_is_refused(tmp_path: Path) -> None:
    assert "99999" in refused("--data", str(tmp_path), "--port", "99999")
    assert "no.such.host.invalid" in refused("--data", str(tmp_path), "--host", "no.such.host.invalid")


def test_a_log_of_a_newer_companion_changes_nothing(tmp_path: Path) -> None:
    with running(tmp_path) as run:
        run.do(SETUP)
        run.process.terminate()
        run.process.wait(30)
    db = sqlite3.connect(tmp_path / "matches" / "match-000001.sqlite")
    db.execute("PRAGMA user_version = 99")
    db.close()
    before = _files(tmp_path)
    assert "newer companion" in refused("--data", str(tmp_path), "--port", "0")
    assert _files(tmp_path) == before


def test_a_data_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert str(tmp_path / "file") in refused("--data", str(tmp_path / "file"), "--port", "0")
    (tmp_path / "matches").touch()
    assert "cannot be used" in refused("--data", str(tmp_path), "--port", "0")


def test_a_table_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    data = tmp_path / "data"
    table = tmp_path / "t.toml"
    assert str(table) in refused("--data", str(data), "--port", "0", "--table", str(table))
    table.write_text("version = 1\ngame = 'rematch'\ncolour = 3\n", encoding="utf-8")
    assert "colour" in refused("--data", str(data), "--port", "0", "--table", str(table))
    assert not data.exists()


def test_the_data_folders_own_table_file_is_told_and_left_out(tmp_path: Path) -> None:
    """A service that refuses to start shows its reason to nobody."""
    (tmp_path / "table.toml").write_text("version = 1\ngame = 'rematch'\n[sensors.pins]\na = 17\nb = 17\n")
    with running(tmp_path) as run:
        assert any("sensors.pins.b is 17, which another lane has already" in line for line in run.said)
        assert any("kept by taps" in line for line in run.said)
        assert run.do(SETUP)["ok"]


def test_a_damaged_log_is_put_aside_and_the_page_says_so(tmp_path: Path) -> None:
    with running(tmp_path) as run:
        run.do(SETUP)
        run.process.terminate()
        run.process.wait(30)
    log = tmp_path / "matches" / "match-000001.sqlite"
    log.write_bytes(b"\xff" * 10_000)
    with running(tmp_path) as run:
        assert run.state is None
        assert any("put aside" in line for line in run.said)
        assert run.do(SETUP)["ok"]
    assert (tmp_path / "matches" / "match-000001.sqlite.damaged-1").read_bytes() == b"\xff" * 10_000


def test_a_bare_start_simulates_but_never_hides_a_match_that_waits(tmp_path: Path) -> None:
    with running(tmp_path) as run:
        run.do(SETUP)
        run.process.terminate()
        run.process.wait(30)
    with running(tmp_path, "--simulate-if-bare") as run:
        assert any("kept by taps" in line for line in run.said)
        assert run.state["tray"] == SETUP["tray"]
        run.do({"do": "concede", "player": "A"})
        run.process.terminate()
        run.process.wait(30)
    with running(tmp_path, "--simulate-if-bare") as run:
        assert any("simulated table" in line for line in run.said)
        assert run.state["phase"] == "start"
        # one tap to a real match by taps
        assert run.ask("POST", "/api/control", {"do": "real_match"}) == (200, {"ok": True})
        assert run.state is None
        assert run.do(SETUP)["ok"]
    assert (tmp_path / "matches" / "match-000002.sqlite").exists()


def test_a_simulated_match_is_resumed_after_kill_9_on_a_table_laid_as_it_was(tmp_path: Path) -> None:
    with running(tmp_path, "--simulate") as run:
        assert run.ask("POST", "/api/control", {"do": "autoplay", "on": False}) == (200, {"ok": True})
        before = run.do({"do": "heal", "player": "A", "button": "R", "amount": 1})["state"]
        run.kill_9()
    with running(tmp_path, "--simulate") as run:
        run.ask("POST", "/api/control", {"do": "autoplay", "on": False})
        after = run.state
    assert (after["tray"], after["players"]) == (before["tray"], before["players"])
    assert not (tmp_path / "matches").exists() or not list((tmp_path / "matches").iterdir())


def test_it_says_who_can_open_the_page_and_who_may_act(tmp_path: Path) -> None:
    line = command_line("run", "--data", str(tmp_path), "--port", "0")
    with listening([*line, "--host", "127.0.0.1"]) as said:
        assert any("Only this machine" in text for text in said)
        assert not any("The page:" in text for text in said)
    with listening(line) as said:
        assert not any("Only this machine" in text for text in said)
        pin = read_pin(tmp_path)
        assert pin is not None
        assert any(f"this PIN: {pin}" in text for text in said)
    with listening([*line, "--open"]) as said:
        assert any("Every device on the network may change the score" in text for text in said)
    asked = subprocess.run(command_line("pin", "--data", str(tmp_path)), capture_output=True, text=True, check=True)
    assert asked.stdout == f"{pin}\n"


def test_a_broken_board_file_is_told_and_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "fighters"
    folder.mkdir()
    (folder / "house.toml").write_text("format = 1\n[[fighter]]\nname = 3\n")
    with running(tmp_path) as run:
        assert any("house.toml: fighter[0].name is 3" in line for line in run.said), run.said
        assert run.do(SETUP)["ok"]
