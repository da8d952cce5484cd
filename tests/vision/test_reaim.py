"""After a knock: the tray found again in the picture, or nothing believed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision import stills
from vision.aim import Anchor
from vision.geometry import geometry
from vision.picture import Image
from vision.profile import Grid
from vision.reaim import Finder, View
from vision.slices import whole


def knocked(image: Image, degrees: float, right: float, down: float) -> Image:
    height, width = image.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    matrix[:, 2] += right, down
    return np.asarray(cv2.warpAffine(image, matrix, (width, height)), np.uint8)


def found(table: str, image: Image) -> View:
    view = Finder(stills.eye(table)).find(image)
    assert view is not None
    return view


def test_a_knocked_camera_is_found_again_and_read_right() -> None:
    image, truth = stills.image("t05_07"), stills.truth("t05_07")
    view = found("t05", image)
    cells = {f"{cell['lane']}{cell['row']}": cell["px"] for cell in truth["cells"]}
    off = view.places - np.array([cells[name] for name in stills.eye("t05").cells])
    assert np.hypot(*off.T).mean() < 1.5  # marbles lie a little loose in their lanes
    reading = stills.eye("t05").read(stills.undone(view, image))
    assert reading.tray == truth["tray"]
    assert reading.aim.ok
    assert reading.fans == {fan["colour"]: fan["place"] for fan in truth["fans"]}


@pytest.mark.parametrize("degrees", [7.0, 40.0, 180.0])
def test_a_turned_camera_is_found(degrees: float) -> None:
    image = knocked(stills.image("t07_10"), degrees, 12.0, -8.0)
    eye = stills.eye("t07")
    reading = eye.read(stills.undone(found("t07", image), image))
    read = [(name, cell.colour) for name, cell in reading.cells.items() if cell.colour != "?"]
    lies = dict(zip(eye.cells, stills.truth("t07_10")["tray"].replace("/", ""), strict=True))
    assert len(read) >= 14
    assert all(lies[name] == colour for name, colour in read)


def test_a_picture_that_did_not_move_is_found_where_it_was() -> None:
    assert found("t07", stills.image("t07_10")).shift_px < 1.0


@pytest.mark.parametrize("other", ["t03_00", "t07_00", "t11_03"])
def test_another_table_is_never_taken_for_this_one(other: str) -> None:
    assert Finder(stills.eye("t05")).find(stills.image(other)) is None


def test_a_mirrored_table_is_not_believed() -> None:
    assert Finder(stills.eye("t05")).find(np.ascontiguousarray(stills.image("t05_07")[:, ::-1])) is None


def test_nothing_in_view_is_nothing_found() -> None:
    finder = Finder(stills.eye("t05"))
    for level in (0, 128, 255):
        assert finder.find(np.full((600, 800, 3), level, np.uint8)) is None


def test_a_tray_half_out_of_the_picture_is_not_believed() -> None:
    corners = np.array(stills.calibration("t05").corners)
    over = 800 - float(corners[:, 0].mean())  # its middle on the right edge
    assert Finder(stills.eye("t05")).find(knocked(stills.image("t05_00"), 0, over, 0)) is None


def test_a_tray_that_slid_leaves_the_board_unread() -> None:
    """The tray's own blocks are believed; what lies on the table did not move with them."""
    image = stills.image("t11_00")
    corners = np.array(stills.calibration("t11").corners)
    tray = np.zeros(image.shape[:2], np.uint8)
    middle = corners.mean(axis=0)
    cv2.fillConvexPoly(tray, np.round(middle + 1.9 * (corners - middle)).astype(np.int32), 1)
    moved = np.where(knocked(tray, 0, 14, 6)[..., None] > 0, knocked(image, 0, 14, 6), image)
    view = Finder(stills.eye("t11")).find(moved)
    assert view is None or not view.board or view.shift_px < 1


def test_the_fans_are_read_where_the_board_lies_now() -> None:
    image, truth = stills.image("t05_07"), stills.truth("t05_07")
    fans = whole(stills.eye("t05").fans_asked(image, found("t05", image).to_now))
    assert fans == {fan["colour"]: fan["place"] for fan in truth["fans"]}


@pytest.mark.parametrize(("degrees", "right", "down"), [(5.0, 12.0, -8.0), (-12.0, -30.0, 20.0), (0.0, 200.0, 0.0)])
def test_the_aim_is_told_by_the_part_of_the_picture_where_the_tray_lies_now(
    degrees: float, right: float, down: float
) -> None:
    corners = np.array(stills.calibration("t05").corners) * 0.8
    quad = tuple((float(x), float(y)) for x, y in corners)
    image = cv2.resize(stills.image("t05_00"), (640, 480), interpolation=cv2.INTER_AREA)
    anchor = Anchor(image, geometry(quad, Grid(), (640, 480)))
    move = np.vstack([cv2.getRotationMatrix2D((320, 240), degrees, 1.0), [0, 0, 1]])
    move[:2, 2] += right, down
    now = knocked(image, degrees, right, down)
    aim, doubtful = anchor.at_once(now, move)
    assert (aim is not None and aim.ok, doubtful) == (True, False)
    whole_picture = whole(anchor.checking(stills.undone(View(move, 0.0, corners), now)))
    assert aim is not None
    assert aim.shift_px == pytest.approx(whole_picture.shift_px, abs=0.1)
    move[0, 2] += 8
    assert anchor.at_once(now, move)[0] is None
