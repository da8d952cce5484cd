"""Marbles against print in their place."""

from __future__ import annotations

import pytest

from tests.vision import stills


@pytest.mark.parametrize("table", stills.TABLES)
def test_marbles_are_like_marbles_and_empty_cells_are_not(table: str) -> None:
    eye = stills.eye(table)
    for name in (name for name in stills.names() if name.startswith(table)):
        told = stills.truth(name)
        if told["kind"] not in ("plain", "empty", "calibration"):
            continue
        like = dict(zip(eye.cells, eye.likeness.measure(eye.patch(stills.image(name))), strict=True))
        for cell in told["cells"]:
            where = f"{cell['lane']}{cell['row']}"
            if cell["colour"] == ".":
                assert like[where] < 0.62, (name, where)
            else:
                assert like[where] > 0.38, (name, where)


def test_the_same_picture_makes_the_same_eye() -> None:
    """Bits are laid into the lanes by lot, but always by the same one."""
    eye = stills.eye("t03")
    again = type(eye)(stills.calibration("t03"), stills.PROFILE)
    patch = eye.patch(stills.image("t03_06"))
    assert (eye.likeness.measure(patch) == again.likeness.measure(patch)).all()


def test_the_stage_board_is_read_only_when_asked() -> None:
    eye = stills.eye("t11")
    image = stills.image("t11_00")
    assert set(eye.look(image).reading.fans.values()) - {None}
    quiet = eye.look(image, fans=False).reading
    assert set(quiet.fans.values()) == {None}
    assert quiet.tray == eye.read(image).tray
