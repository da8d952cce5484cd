"""The drawn table before the real vision: what users see simulated is what the eye reads, and nothing is passed on."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest

from hardware.simulated_drawing import TableDrawing
from hardware.simulated_table import PLACES, SimulatedTable, cell_point
from vision.calibrate import calibrate
from vision.eye import Eye
from vision.profile import Grid, Profile


@pytest.fixture(scope="module")
def drawing() -> TableDrawing:
    return TableDrawing(3)


@pytest.fixture(scope="module")
def eye(drawing: TableDrawing) -> Eye:
    table = SimulatedTable(seed=3)
    picture = cv2.imencode(".jpg", drawing.draw(table), [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    profile = Profile()
    return Eye(calibrate(picture, table.corners, table.tray_text, table.stage_corners, profile), profile)


def test_fifty_drawn_trays_are_read_right(drawing: TableDrawing, eye: Eye) -> None:
    random = Random(1)
    for number in range(50):
        table = SimulatedTable(seed=100 + number)
        table.t_ns = random.randrange(10**12)  # another light
        for fan in table.fans:
            table.fans[fan] = random.choice(PLACES)
        reading = eye.read(drawing.draw(table))
        assert reading.tray == table.tray_text
        assert reading.occluded == ()
        assert reading.aim.ok


def test_cells_under_a_hand_are_never_given_a_colour(drawing: TableDrawing, eye: Eye) -> None:
    random = Random(2)
    ground = np.zeros((600, 800, 3), np.uint8)
    covered = 0
    for number in range(4):
        table = SimulatedTable(seed=200 + number)
        table.pull(random.sample(Grid().cells, 2), "AB"[number % 2])
        while table.busy:
            table.advance(table.t_ns + 100_000_000)
            if table.hand is None:
                continue
            reading = eye.read(drawing.draw(table))
            hidden = drawing.hand_cover(table)
            for cell in Grid().cells:
                x, y = cell_point(cell[0], int(cell[1]))
                disc = cv2.circle(ground[..., 0].copy(), (round(x), round(y)), 18, 255, -1) > 0
                if hidden[disc].mean() > 0.6:
                    covered += 1
                    assert reading.cells[cell].colour == "?", (number, table.t_ns, cell)
    assert covered > 100
