"""What is shown of the eye, on stills with known truth: readings, hand, aim, light, references, and the picture."""

from __future__ import annotations

import base64
import functools
import json
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.pipeline import Pipeline
from companion.rematch_look import Kept, fixed_of
from companion.rematch_table import RematchTable
from companion.rules.rematch.watch import Watcher
from hardware.camera import Frame
from tests.vision import stills
from vision.gaze import Gaze
from vision.picture import Image

FRAME_NS = 100_000_000


def look_at(table: str, *pictures: Image, frames: int = 12) -> Kept:
    """Each of these pictures for a second and more, then what is kept of the last."""
    seen = RematchTable(Pipeline(Gaze(stills.eye(table)), Watcher()))
    t_ns = 0
    for image in pictures:
        for _ in range(frames):
            t_ns += FRAME_NS
            seen.see(Frame(image, t_ns))
    kept = seen.look()
    assert kept is not None
    return kept


@functools.cache
def told(table: str, *names: str) -> dict[str, Any]:
    return look_at(table, *(stills.image(name) for name in names)).to_json()


def test_before_the_first_picture_there_is_nothing_to_look_at() -> None:
    table = RematchTable(Pipeline(Gaze(stills.eye("t03")), Watcher()))
    assert table.look() is None


def test_every_cell_is_told_with_its_confidence_and_the_best_two() -> None:
    seen = told("t03", "t03_00")
    assert (seen["tray"], seen["settled"], seen["hand"], seen["moving"]) == ("YYYYY/RRBBR/RYRRY", True, False, [])
    assert "".join(cell["colour"] for cell in seen["cells"].values()) == seen["tray"].replace("/", "")
    for cell in seen["cells"].values():
        letter, chance = cell["best"][0]
        assert (letter, chance) == (cell["colour"], pytest.approx(cell["confidence"], abs=1e-3))
        assert chance >= 0.85
        assert not cell["covered"]
    assert json.loads(json.dumps(seen)) == seen


def test_an_empty_cell_is_told_as_such_and_an_unsure_one_with_what_it_may_be() -> None:
    cells = told("t03", "t03_06")["cells"]
    assert (cells["a3"]["colour"], cells["a3"]["best"][0][0]) == (".", ".")
    unsure = [cell for cell in cells.values() if cell["colour"] == "?"]
    assert all(cell["best"] == [] or cell["best"][0][1] < 0.9 for cell in unsure)


def test_a_hand_is_told_with_what_it_covers_and_its_mask() -> None:
    seen = told("t03", "t03_00", "t03_05")
    assert seen["hand"]
    assert "c3" in seen["covers"]
    for name in seen["covers"]:
        assert (seen["cells"][name]["colour"], seen["cells"][name]["covered"]) == ("?", True)
    width, height = seen["mask"]["size"]
    bits = np.unpackbits(np.frombuffer(base64.b64decode(seen["mask"]["bits"]), np.uint8))[: width * height]
    mask = bits.reshape(height, width)
    assert mask[:, : width // 2].mean() < mask[:, width // 2 :].mean()  # it comes from B's side
    assert 0 < seen["mask"]["share"] <= 1


def test_the_grid_lies_on_the_marbles_of_the_camera_picture() -> None:
    aim = told("t03", "t03_00")["aim"]
    assert (aim["ok"], aim["fit"], aim["moved_px"]) == (True, "good", None)
    assert 0 <= aim["fit_px"] < 0.15 * aim["radius_px"]
    assert _beside(aim["grid"], "t03_00", aim["picture"]) < 0.5
    assert len(aim["grid"]) == 15 + 4


def test_after_a_knock_grid_and_picture_follow_the_tray() -> None:
    kept = look_at("t05", stills.image("t05_00"), stills.image("t05_07"), frames=8)
    seen = kept.to_json()
    assert (seen["aim"]["ok"], seen["aim"]["moved_px"] > 10) == (True, True)
    assert _beside(seen["aim"]["grid"], "t05_07", seen["aim"]["picture"]) < 0.6
    assert kept.view is not None
    # what is shown is what was read: the tray where it lies now
    assert _unlike(kept) < 0.5 * _unlike(replace(kept, view=None))


def _unlike(kept: Kept) -> float:
    """Grey levels that the shown picture differs from the patch that was read, on average."""
    assert kept.sight.glance is not None
    patch = kept.sight.glance.patch
    shown = cv2.imdecode(np.frombuffer(kept.jpeg(), np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    small = cv2.resize(shown, (patch.shape[1], patch.shape[0]), interpolation=cv2.INTER_AREA)
    return float(cv2.absdiff(small, patch).mean())


def _beside(grid: list[list[float]], name: str, size: list[int]) -> float:
    """How far the worst cell lies from its marble, in radii."""
    marbles = {f"{cell['lane']}{cell['row']}": cell for cell in stills.truth(name)["cells"]}
    return max(
        float(np.hypot(x * size[0] - marbles[cell]["px"][0], y * size[1] - marbles[cell]["px"][1]))
        / marbles[cell]["radius_px"]
        for cell, (x, y) in zip(stills.PROFILE.grid.cells, grid, strict=False)
    )


def _bgr(text: str) -> Any:
    return np.array([int(text[i : i + 2], 16) for i in (5, 3, 1)], float)


def test_a_lost_aim_is_told_and_nothing_is_read() -> None:
    seen = told("t05", "t05_00", "t01_00")
    assert (seen["aim"]["ok"], set(seen["tray"])) == (False, {"?", "/"})
    assert all(cell["best"] == [] for cell in seen["cells"].values())
    assert {reference["now"] for reference in seen["references"].values()} == {None}


def test_the_references_are_told_as_learnt_and_as_they_look_now() -> None:
    seen = told("t03", "t03_00")
    counts = {colour: told["count"] for colour, told in seen["references"].items()}
    assert counts == {"R": 6, "Y": 7, "B": 2}
    for colour, strongest in (("R", 2), ("B", 0)):
        for swatch in (seen["references"][colour]["calibrated"], seen["references"][colour]["now"]):
            assert int(np.argmax(_bgr(swatch))) == strongest
    dark = np.asarray(stills.image("t03_00") * 0.7, np.uint8)
    seen = look_at("t03", stills.image("t03_00"), dark).to_json()
    assert seen["light"]["brightness"] == pytest.approx(0.7, abs=0.08)
    learnt, now = seen["references"]["Y"]["calibrated"], seen["references"]["Y"]["now"]
    assert _bgr(now).sum() < 0.8 * _bgr(learnt).sum()


def test_fans_are_told_with_their_places() -> None:
    truth = {fan["colour"]: fan["place"] for fan in stills.truth("t03_00")["fans"]}
    fans = told("t03", "t03_00")["fans"]
    assert {fan: one["place"] for fan, one in fans.items()} == truth
    assert all(one["seen_ms"] < 500 for one in fans.values())


def test_a_fan_that_is_not_to_be_seen_now_is_told_with_how_long_ago_it_was() -> None:
    image = stills.image("t03_00")
    dark = image.copy()
    (left, top), (right, bottom) = np.array(stills.truth("t03_00")["board_corners"]).round().astype(int)[[0, 2]]
    dark[min(top, bottom) - 20 : max(top, bottom) + 20, min(left, right) - 20 : max(left, right) + 20] = 40
    fans = look_at("t03", image, dark, frames=15).to_json()["fans"]
    known = {fan: one for fan, one in fans.items() if one["place"] is not None}
    assert known != {}
    assert all(one["seen_ms"] >= 1000 for one in known.values())


def test_what_never_changes_is_worked_out_once_an_eye() -> None:
    eye = stills.eye("t03")
    assert fixed_of(eye) is fixed_of(eye)
