"""The wizard's aim in mid-match, with the real eye at the drawn table (the page's way: tests/web/test_wizard.py)."""

from __future__ import annotations

from tests.companion.table_room import Room, points, shifted
from tests.companion.test_table_setup import room

__all__ = ["room"]


def test_aiming_anew_in_mid_match_loses_nothing(room: Room) -> None:
    room.aim_and_learn(stage=points(room.rig.stage_corners))
    assert room.command(do="setup", first="A", tray=room.rig.tray_text)["ok"]
    assert room.command(do="begin")["ok"]
    room.play(0.6)
    assert room.command(do="fan", player="A", fan="R")["ok"]
    before = room.state
    # the picture is turned upside down and mirrored: no tray that it knows
    room.seen_as = lambda image: image[::-1, :, ::-1][:, ::-1].copy()
    room.play(0.4)
    assert room.view["aim"]["ok"] is False
    assert room.setup.told()["corners"] is None
    room.seen_as = lambda image: shifted(image, 40, 25)
    room.play(0.1)
    corners = tuple((x + 40, y + 25) for x, y in room.rig.corners)
    guessed = room.done(do="fit", corners=points(corners), slip=True)["stage"]
    assert abs(guessed[0][0] - room.rig.stage_corners[0][0] - 40) < 4
    room.aim_and_learn(corners, stage=guessed)
    room.play(0.8)
    assert room.view["aim"]["ok"] is True
    assert room.state == before
    assert (room.view["differs"], room.view["question"]) == ([], None)
