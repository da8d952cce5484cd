"""A new table set up step by step, with the real vision on a simulated table; and one aimed anew in mid-match."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import aiming
from companion.config import load_table
from hardware.beams import BeamError
from tests.companion.table_room import MS, TRAY, Room, apart, points


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path / "table.toml")
    yield room
    room.close()


def test_a_new_table_is_aimed_learnt_and_saved(room: Room, tmp_path: Path) -> None:
    told = room.setup.told()
    assert (told["camera"], told["calibrated"], told["size"], told["corners"]) == ("ok", False, [800, 600], None)
    assert room.view["table"] == {"camera": True, "aimed": False, "beams": False}
    # taps lie some pixels off; the rims put them right
    fit = room.done(do="fit", corners=points(room.rig.corners, 5, -4), slip=True)["fit"]
    assert fit["word"] == "good"
    assert apart(fit["corners"], room.rig.corners) < 2.5
    read = room.done(do="read", corners=fit["corners"])
    assert "".join(cell["letter"] for cell in read["cells"].values()) == TRAY.replace("/", "")
    assert room.setup.tray_picture() is not None
    wrong = f"Y{TRAY[1:]}"
    assert "a1 (told Y)" in room.refused(do="save", shot=read["shot"], tray=wrong)[1]
    assert not (tmp_path / "table.toml").exists()
    saved = room.done(do="save", shot=read["shot"], tray=TRAY, stage=points(room.rig.stage_corners))
    assert (saved["unsaved"], saved["differs"], saved["fit"]["word"]) == ("", [], "good")
    kept = load_table(tmp_path / "table.toml")
    assert kept.calibration is not None
    assert (kept.calibration.tray, kept.calibration.size) == (TRAY, (800, 600))
    assert room.view["table"] == {"camera": True, "aimed": True, "beams": False}
    assert room.setup.told()["has_stage"] is True


IMPOSSIBLE: tuple[tuple[list[list[float]], str], ...] = (
    ([[300, 350], [300, 350], [459, 158], [341, 158]], "coincide"),
    ([[459, 350], [341, 350], [341, 158], [459, 158]], "wrong way round (their order is a1, c1, c5, a5)"),
    ([[341, 350], [459, 158], [459, 350], [341, 158]], "crosses"),
    ([[341, 350], [9000, 350], [459, 158], [341, 158]], "Corner c1 at 9000,350 lies outside the picture"),
)


def test_impossible_corners_are_refused_with_the_reason(room: Room) -> None:
    for corners, why in IMPOSSIBLE:
        code, text = room.refused(do="fit", corners=corners)
        assert code == "not_possible"
        assert why in text


NONSENSE: tuple[dict[str, Any], ...] = (
    {"do": "fit"},
    {"do": "fit", "corners": [[1, 2]] * 3},
    {"do": "fit", "corners": [[1, 2], [1, True], [1, 2], [1, 2]]},
    {"do": "fit", "corners": [[1, 2], [1, float("nan")], [1, 2], [1, 2]]},
    {"do": "find", "how": 3},
    {"do": "stage", "stage": "x"},
    {"do": "read", "corners": {}},
    {"do": "save", "shot": 1, "tray": TRAY},
    {"do": "beams"},
    {"do": "beams", "step": "swap"},
    {"do": "nothing"},
    {"do": None},
)


def test_nonsense_is_refused_in_a_sentence_and_changes_nothing(room: Room) -> None:
    before = room.service.snapshot()
    for request in NONSENSE:
        code, text = room.refused(**request)
        assert code in ("bad_value", "unknown_command", "not_now")
        assert text.endswith(".")
    assert room.service.snapshot() == before


def test_the_tray_is_found_by_itself(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    # the search itself takes seconds: tests/vision/test_auto.py
    monkeypatch.setattr(aiming, "find_tray", lambda image, profile: room.rig.corners)
    fit = room.done(do="find", how="auto")["fit"]
    assert fit["word"] == "good"
    assert apart(fit["corners"], room.rig.corners) < 3
    assert "markers" in room.refused(do="find", how="markers")[1]


def test_a_picture_that_is_old_is_not_learnt_from(room: Room) -> None:
    room.t_ns += 3_500 * MS
    assert room.setup.told()["camera"] == "lost"
    assert "no picture" in room.refused(do="fit", corners=points(room.rig.corners))[1]


def test_swapped_wires_are_told_and_put_right_in_the_table_file(room: Room, tmp_path: Path) -> None:
    room.rig.pins.update(a=22, c=17)  # crossed at the table
    room.done(do="beams", step="begin")
    for lane in "abc":
        room.pull_unseen(f"{lane}5")
    assert "another order" in room.setup.told()["beams"]["swapped"]
    room.done(do="beams", step="swap")
    kept = load_table(tmp_path / "table.toml")
    assert kept.sensors is not None
    assert kept.sensors.pins == {"a": 22, "b": 27, "c": 17}
    assert room.setup.told()["beams"] is None


def test_beams_without_pins_say_why_and_the_rest_goes_on(room: Room) -> None:
    room.no_pins = str(BeamError("No pin library works here: run “sudo apt install python3-lgpio”"))
    assert "python3-lgpio" in room.refused(do="beams", step="begin")[1]
    assert room.setup.told()["beams"] is None


def test_marbles_dropped_for_a_trial_in_mid_match_are_not_scored(room: Room) -> None:
    room.aim_and_learn()
    tray = room.rig.tray_text
    assert room.command(do="setup", first="A", tray=tray)["ok"]
    assert room.command(do="begin")["ok"]
    room.play(1.5)
    room.done(do="beams", step="begin")
    before = room.state
    room.pull_unseen("b1")  # would be a legal clear
    room.play(0.3)
    assert room.state == before
    # the tablet is switched off: after a while the match goes on by itself, and says that the tray differs
    room.t_ns += 16_000 * MS
    room.setup.end_what_is_forgotten()
    room.play(2.6)
    assert room.setup.told()["beams"] is None
    assert room.state == before
    assert room.view["differs"] != []
    assert room.service.control({"do": "take_tray"}) == {"ok": True}
    assert room.view["differs"] == []


def test_a_file_that_cannot_be_written_is_told_and_the_table_is_used_all_the_same(tmp_path: Path) -> None:
    room = Room(tmp_path / "nowhere" / "table.toml")
    room.done(do="beams", step="begin")
    assert "could not be saved" in room.done(do="beams", step="keep")["unsaved"]
    assert room.view["table"]["beams"] is True
    room.close()


def test_a_file_that_nobody_could_read_is_set_aside(room: Room, tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("no table")
    room.done(do="beams", step="begin")
    assert room.done(do="beams", step="keep")["unsaved"] == ""
    assert load_table(tmp_path / "table.toml").sensors is not None
    assert (tmp_path / "table.toml.damaged-1").read_text() == "no table"
