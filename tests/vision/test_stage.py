"""Fans drawn on boards: by colour and place, unsure rather than guessed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.calibration import Quad
from vision.picture import Image
from vision.profile import Profile
from vision.stage import CAME, NEVER, STAYED, STILL_BARE, SURE, UNCHANGED, Stage, together

CORNERS: Quad = ((40.0, 30.0), (440.0, 30.0), (440.0, 190.0), (40.0, 190.0))
INK = {"R": (40, 40, 190), "Y": (40, 190, 215), "B": (180, 80, 40)}
AT = {"A": 106, "stage": 240, "B": 373}
WHITE = np.zeros(2, np.float32)


def table(fans: dict[str, tuple[str, int]], lamp: tuple[float, float, float] = (1, 1, 1)) -> Image:
    """`fans`: colour → place and y. The board has grey print so that there is something to compare."""
    rng = np.random.default_rng(5)
    image = np.full((220, 480, 3), 90, np.uint8)
    image[30:190, 40:440] = cv2.resize(rng.integers(60, 200, (16, 40, 1), np.uint8), (400, 160))[..., None]
    for colour, (place, y) in fans.items():
        cv2.circle(image, (AT[place], y), 26, (235, 235, 235), -1, cv2.LINE_AA)
        cv2.circle(image, (AT[place], y), 22, INK[colour], -1, cv2.LINE_AA)
    lit = image.astype(np.float32) * np.array(lamp, np.float32) + rng.normal(0, 2, image.shape)
    return np.clip(lit, 0, 255).astype(np.uint8)


START = {"R": ("A", 80), "Y": ("stage", 80), "B": ("B", 130)}


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage(table(START), CORNERS, Profile(), WHITE)


def test_fans_that_stay(stage: Stage) -> None:
    assert stage.read(table(START)) == {"R": "A", "Y": "stage", "B": "B"}


def test_another_lamp_moves_no_fan(stage: Stage) -> None:
    assert stage.read(table(START, (0.8, 0.95, 1.1))) == {"R": "A", "Y": "stage", "B": "B"}


@pytest.mark.parametrize("fan", ["R", "Y", "B"])
@pytest.mark.parametrize("place", ["A", "stage", "B"])
def test_a_fan_that_moves_is_found(stage: Stage, fan: str, place: str) -> None:
    fans = dict(START)
    free = {"A": 145, "stage": 145, "B": 60}  # clear of the fan that lies there already
    fans[fan] = (place, free[place])
    read = stage.read(table(fans))
    assert read[fan] == place
    for other in "RYB".replace(fan, ""):
        assert read[other] in (START[other][0], None)


@pytest.mark.parametrize("step", [8, 20, 34])
def test_a_fan_that_moves_within_its_place_stays_known(stage: Stage, step: int) -> None:
    moved = {**START, "Y": ("stage", START["Y"][1] + step)}
    assert stage.read(table(moved))["Y"] == "stage"


def test_print_that_another_fan_uncovers_is_no_fan() -> None:
    """Red print as large as a fan under the yellow one; the red fan's own place is not clear on the first picture."""

    def board(yellow: tuple[str, int]) -> Image:
        image = table({"R": ("A", 80), "B": ("B", 130)})
        cv2.circle(image, (AT["B"], 60), 22, INK["R"], -1, cv2.LINE_AA)  # a second red spot: red is ambiguous
        cv2.circle(image, (AT["stage"], 80), 20, (60, 60, 170), -1, cv2.LINE_AA)
        cv2.circle(image, (AT[yellow[0]], yellow[1]), 24, INK["Y"], -1, cv2.LINE_AA)
        return image

    stage = Stage(board(("stage", 80)), CORNERS, Profile(), WHITE)
    assert stage.read(board(("A", 150)))["R"] in (None, "A")


def test_a_fan_that_is_gone_is_not_known(stage: Stage) -> None:
    assert stage.read(table({"R": ("A", 80), "Y": ("stage", 80)}))["B"] is None


def test_a_hand_over_the_board_is_no_fan(stage: Stage) -> None:
    image = table(START)
    cv2.ellipse(image, (330, 120), (160, 70), 20, 0, 360, (120, 140, 200), -1)
    assert stage.read(image) == {"R": "A", "Y": None, "B": None}


def test_two_like_spots_at_the_calibration_are_no_place() -> None:
    first = table({**START, "R": ("A", 80)})
    first[54:107, AT["B"] - 26 : AT["B"] + 27] = first[54:107, AT["A"] - 26 : AT["A"] + 27]  # print just like the fan
    stage = Stage(first, CORNERS, Profile(), WHITE)
    assert stage.read(first)["R"] is None


def test_no_fans_no_places() -> None:
    stage = Stage(table({}), CORNERS, Profile(), WHITE)
    assert set(stage.read(table({})).values()) == {None}


def test_readings_do_not_depend_on_what_was_read_before(stage: Stage) -> None:
    pictures = [table(START), table({**START, "Y": ("A", 145)}), table({**START, "Y": ("stage", 110)}), table({})]
    alone = [Stage(table(START), CORNERS, Profile(), WHITE).read(picture) for picture in pictures]
    assert [stage.read(picture) for picture in reversed(pictures)] == alone[::-1]


def test_the_two_halves_are_one_reading(stage: Stage) -> None:
    picture = table({**START, "Y": ("A", 145)})
    seen = stage.look(picture)
    assert stage.places(seen) == stage.read(picture)


def standing(image: Image, x: int, y: int) -> Image:
    """A standee's blue base, with its slit."""
    cv2.ellipse(image, (x, y), (24, 17), 8, 0, 360, (170, 70, 30), -1, cv2.LINE_AA)
    cv2.line(image, (x - 16, y - 2), (x + 16, y + 2), (40, 25, 20), 4, cv2.LINE_AA)
    return image


def test_a_standee_of_a_fans_colour_is_never_that_fan() -> None:
    first = standing(table(START), 150, 150)
    stage = Stage(first, CORNERS, Profile(), WHITE)
    assert stage.read(first)["B"] in ("B", None)
    moved = standing(table({**START, "B": ("stage", 150)}), 150, 150)
    assert stage.read(moved)["B"] == "stage"
    gone = standing(table({"R": ("A", 80), "Y": ("stage", 80)}), 150, 150)
    assert stage.read(gone)["B"] is None


def test_print_in_the_fans_colours_is_no_fan_where_none_is_laid_out() -> None:
    image = table({})
    for ink, (x, y) in zip(INK.values(), ((106, 80), (240, 140), (373, 80)), strict=True):
        cv2.rectangle(image, (x - 22, y - 22), (x + 22, y + 22), ink, -1)
    assert set(Stage(image, CORNERS, Profile(), WHITE).read(image).values()) == {None}


def test_fans_laid_out_after_the_calibration_are_found() -> None:
    stage = Stage(table({}), CORNERS, Profile(), WHITE)
    assert stage.read(table(START)) == {"R": "A", "Y": "stage", "B": "B"}


def doubtful(odds: float) -> np.ndarray:
    """A fan's log weights: it seems to lie at A, both at the calibration and now, and nothing has changed."""
    laid = [STAYED + odds, -20.0, -20.0, NEVER]
    return np.array([laid, [CAME + odds - UNCHANGED, -20.0, -20.0, STILL_BARE]])


def test_a_plain_fan_vouches_for_a_doubtful_one_and_the_doubtful_do_not_for_each_other() -> None:
    weak, plain = doubtful(np.log(2)), doubtful(np.log(3000))
    assert together(np.stack([weak, plain]))[0, 0] >= SURE
    assert together(np.stack([weak, weak, weak]))[0, 0] < SURE
    assert together(np.stack([plain]))[0, 0] >= SURE


def test_what_all_fans_together_are_held_to_be_adds_up() -> None:
    fates = np.stack([doubtful(0.0), doubtful(3.0), doubtful(600.0)])
    likely = together(fates)
    assert np.isfinite(likely).all()
    assert (likely.sum(axis=1) <= 1 + 1e-9).all()
    assert likely[2, 0] == pytest.approx(1)
