"""A lens that bends straight lines, as webcams' do: the tray is a small part of the picture, and reads as ever."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision import stills
from vision.arrays import Floats
from vision.calibrate import calibrate, fit_words
from vision.eye import Eye
from vision.picture import Image

FOCAL = 640.0  # pixels: 64 degrees across


class Lens:
    """`k1`: of the radial term, + pincushion, - barrel; `off`: pixels that its axis lies beside the middle."""

    def __init__(self, k1: float, off: tuple[float, float] = (0.0, 0.0)) -> None:
        self._k1 = k1
        self._middle = np.array([400 + off[0], 300 + off[1]])
        ys, xs = np.mgrid[0:600, 0:800].astype(np.float64)
        there = (np.stack([xs, ys], axis=2) - self._middle) / FOCAL
        far = np.hypot(there[..., 0], there[..., 1])
        straight = far.copy()
        for _ in range(40):
            straight = far / (1 + k1 * straight * straight)
        back = there * (straight / np.maximum(far, 1e-9))[..., None] * FOCAL + self._middle
        self._from = back.astype(np.float32)

    def image(self, image: Image) -> Image:
        return np.asarray(
            cv2.remap(image, self._from, np.empty(0), cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )

    def points(self, points: object) -> Floats:
        there = (np.asarray(points, np.float64) - self._middle) / FOCAL
        return np.asarray(there * (1 + self._k1 * (there**2).sum(axis=-1, keepdims=True)) * FOCAL + self._middle)


@pytest.mark.parametrize(("k1", "off"), [(-0.2, (0.0, 200.0)), (0.2, (150.0, 150.0))])
def test_bent_pictures_are_read_as_straight_ones(k1: float, off: tuple[float, float]) -> None:
    lens, told = Lens(k1, off), stills.truth("t03_00")
    picture = cv2.imencode(".png", lens.image(stills.image("t03_00")))[1].tobytes()
    corners = stills.quad(lens.points(told["corner_centres"]).tolist())
    made = calibrate(picture, corners, told["tray"], None, stills.PROFILE)
    fit = fit_words(made, stills.PROFILE)
    assert (fit.word, fit.differs) == ("good", ())
    eye = Eye(made, stills.PROFILE)
    for name in (name for name in stills.names() if name.startswith("t03")):
        truth = stills.truth(name)
        cells = eye.read(lens.image(stills.image(name))).cells
        wanted = {
            f"{cell['lane']}{cell['row']}": cell["colour"] for cell in truth["cells"] if cell["hand_cover"] < 0.05
        }
        read = {cell: cells[cell].colour for cell in wanted if cells[cell].colour != "?"}
        assert read.items() <= wanted.items()
        marbles = [cell for cell, colour in wanted.items() if colour != "."]
        assert sum(cell in read for cell in marbles) >= len(marbles) - 1


def test_the_lens_of_these_tests_bends() -> None:
    """Eight marbles' radii at the picture's corner: the tests above would not see a lens that does nothing."""
    assert np.hypot(*(Lens(-0.2).points([0.0, 0.0]) - [0, 0])) > 50
    at = Lens(0.2, (150.0, 150.0))
    image = np.zeros((600, 800, 3), np.uint8)
    cv2.circle(image, (200, 150), 6, (255, 255, 255), -1)
    ys, xs = np.nonzero(at.image(image)[..., 0] > 128)
    assert np.hypot(*(np.array([xs.mean(), ys.mean()]) - at.points([200.0, 150.0]))) < 1.0
