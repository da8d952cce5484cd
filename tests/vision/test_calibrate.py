from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision import stills
from vision.calibrate import calibrate, fit_words
from vision.calibration import Quad, VisionError
from vision.eye import Eye
from vision.geometry import geometry
from vision.profile import Grid, Profile
from vision.refine import refine

NAME = "t03_00"
TOLD = stills.truth(NAME)
CORNERS = stills.quad(TOLD["corner_centres"])
STAGE = stills.quad(TOLD["board_corners"])
TRAY = TOLD["tray"]


def refused(**changes: object) -> str:
    given: dict[str, object] = {
        "picture": stills.data(NAME),
        "corners": CORNERS,
        "tray": TRAY,
        "stage": STAGE,
        "profile": stills.PROFILE,
    }
    given.update(changes)
    with pytest.raises(VisionError) as error:
        calibrate(**given)
    text = str(error.value)
    assert "\n" not in text
    return text


def moved(index: int, point: tuple[float, float]) -> Quad:
    corners = list(CORNERS)
    corners[index] = point
    return (corners[0], corners[1], corners[2], corners[3])


def test_a_good_calibration_says_so() -> None:
    assert "all 15 cells" in fit_words(stills.calibration("t03"), stills.PROFILE).text


@pytest.mark.parametrize(
    ("tray", "word"),
    [
        ("YYYYY/RRBBR", "2 lanes"),
        ("YYYY/RRBBR/RYRRY", "lane a has 4"),
        ("YYYYY/RRBBR/RYRRX", "c5"),
        ("YYYYY/RRBBR/RYRR?", "c5"),
        ("", "lanes"),
        ("YYYYY/RRRRR/RYRRY", "B"),
    ],
)
def test_tray_text_that_cannot_be(tray: str, word: str) -> None:
    assert word in refused(tray=tray)


def test_tray_text_that_the_picture_contradicts() -> None:
    assert "a1" in refused(tray="RYYYY/YRBBR/RYRRY")
    assert "does not agree" in refused(tray="/".join(reversed(TRAY.split("/"))))


@pytest.mark.parametrize(("table", "cell", "told"), [("t03", "c1", "Y"), ("t07", "b3", "B"), ("t11", "a2", "B")])
def test_one_wrong_letter_is_named(table: str, cell: str, told: str) -> None:
    """A slip of the pen among fourteen right letters would teach the eye a wrong colour."""
    truth = stills.truth(f"{table}_00")
    cells = list(stills.PROFILE.grid.cells)
    letters = list(truth["tray"].replace("/", ""))
    lies, letters[cells.index(cell)] = letters[cells.index(cell)], told
    assert lies != told
    text = refused(
        picture=stills.data(f"{table}_00"),
        corners=stills.quad(truth["corner_centres"]),
        tray="/".join("".join(letters[i : i + 5]) for i in (0, 5, 10)),
        stage=None,
    )
    assert f"{cell} (told {told}) looks like {lies}" in text


def test_a_hue_that_is_not_the_told_one_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the likes of a marble say nothing, its hue to an eye that was told nothing still may."""
    monkeypatch.setattr("vision.calibrate.odd_ones", lambda *_: ())
    right = stills.calibration("t03")
    fit = fit_words(replace(right, tray="YYYYY/RRBBR/YYRRY"), stills.PROFILE)
    assert fit.odd == ("c1",)
    assert "c1 has the hue of R" in fit.text
    assert fit_words(right, stills.PROFILE).odd == ()


@pytest.mark.parametrize(
    ("corners", "word"),
    [
        (moved(0, (-30.0, 200.0)), "outside"),
        (moved(2, (900.0, 100.0)), "outside"),
        (moved(1, CORNERS[0]), "coincide"),
        ((CORNERS[1], CORNERS[0], CORNERS[2], CORNERS[3]), "cross"),
        ((CORNERS[1], CORNERS[0], CORNERS[3], CORNERS[2]), "wrong way round"),
        (((10.0, 590.0), (790.0, 590.0), (790.0, 560.0), (10.0, 560.0)), "lanes would lie"),
        (((300.0, 500.0), (310.0, 500.0), (310.0, 480.0), (300.0, 480.0)), "too small"),
        (((100.0, 500.0), (700.0, 500.0), (430.0, 100.0), (370.0, 100.0)), "differ"),
        (moved(0, (float("nan"), 1.0)), "no number"),
    ],
)
def test_corners_that_cannot_be(corners: Quad, word: str) -> None:
    assert word in refused(corners=corners)


def test_corners_beside_the_marbles() -> None:
    up = (CORNERS[3][0] - CORNERS[0][0]) / 8, (CORNERS[3][1] - CORNERS[0][1]) / 8
    text = refused(corners=tuple((x + up[0], y + up[1]) for x, y in CORNERS))
    assert "beside" in text or "does not agree" in text


def test_stage_corners_that_cannot_be() -> None:
    assert "stage corner" in refused(stage=(STAGE[0], STAGE[2], STAGE[1], STAGE[3]))


def test_corners_told_from_the_wrong_end() -> None:
    assert "wrong end" in refused(corners=(CORNERS[2], CORNERS[3], CORNERS[0], CORNERS[1]))


def off(name: str, corners: Quad) -> float:
    """Pixels that the marbles lie beside the grid of these corners, on average, by their true places."""
    told = stills.truth(name)
    plane = geometry(corners, stills.PROFILE.grid, (800, 600))
    cells = {f"{cell['lane']}{cell['row']}": cell["px"] for cell in told["cells"]}
    places = np.array([cells[cell] for cell in stills.PROFILE.grid.cells])
    return float(np.hypot(*(plane.to_picture(plane.centres) - places).T).mean())


@pytest.mark.parametrize("table", stills.TABLES)
def test_taps_some_pixels_off_are_put_right(table: str) -> None:
    name, told = f"{table}_00", stills.truth(f"{table}_00")
    random = np.random.default_rng(7)
    taps = np.array(told["corner_centres"]) + random.uniform(3.0, 6.0, (4, 2)) * random.choice([-1, 1], (4, 2))
    tapped = stills.quad(taps.tolist())
    got = calibrate(stills.data(name), tapped, told["tray"], None, stills.PROFILE)
    assert off(name, tapped) > 3.0
    assert off(name, got.corners) < 2.2  # as near as any four corners can be: marbles lie loose
    fit = fit_words(got, stills.PROFILE)
    assert fit.word == "good"
    assert f"{fit.px:.1f} px, good" in fit.text
    assert set(fit.to_json()) == {"text", "differs", "fit", "corners"}


def test_taps_on_a_large_picture_are_put_right() -> None:
    """Three times the size: many pixels, and no more time."""
    image = np.asarray(cv2.resize(stills.image(NAME), None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC), np.uint8)
    taps = stills.quad([(3 * x + 15, 3 * y - 12) for x, y in CORNERS])
    corners = np.array(refine(image, taps, stills.PROFILE.grid).corners)
    assert off(NAME, stills.quad(((corners - 1) / 3).tolist())) < 2.2


def test_corners_that_are_right_stay_as_they_are() -> None:
    assert stills.calibration("t07").corners == stills.quad(stills.truth("t07_00")["corner_centres"])


def test_grid_of_another_size() -> None:
    """The corner cells of the same marbles as a grid of 2 × 5: lanes a and c of the tray."""
    profile = Profile(grid=Grid(2, 5))
    a, _, c = TRAY.split("/")
    assert calibrate(stills.data(NAME), CORNERS, f"{a}/{c}", None, Profile(Grid(2, 5), ("R", "Y"))).grid == profile.grid


def squeezed(image: np.ndarray) -> np.ndarray:
    """The lanes as near one another as from a camera far to the side: no wall is left in view between them."""
    return cv2.warpAffine(image, np.array([[0.78, 0, 88], [0, 1, 0]]), (800, 600), borderMode=cv2.BORDER_REPLICATE)


def test_lanes_without_a_wall_in_view_are_said_and_never_read_as_empty() -> None:
    corners = stills.quad([(0.78 * x + 88, y) for x, y in CORNERS])
    with np.errstate(divide="raise", invalid="raise"):
        got = calibrate(encoded(squeezed(stills.image(NAME))), corners, TRAY, None, stills.PROFILE)
        eye = Eye(got, stills.PROFILE)
    bare = {cell for cell, alone in zip(eye.cells, eye.surroundings.bare, strict=True) if alone}
    assert "b4" in bare
    assert f"beside {' '.join(sorted(bare))}: never read as empty" in fit_words(got, stills.PROFILE).text
    for name in ("t03_00", "t03_06"):
        lies = dict(zip(eye.cells, stills.truth(name)["tray"].replace("/", ""), strict=True))
        reading = eye.read(squeezed(stills.image(name)))
        wanted = {cell: "?" if cell in bare and colour == "." else colour for cell, colour in lies.items()}
        assert {cell: one.colour for cell, one in reading.cells.items()} == wanted


def test_walls_are_in_view_from_where_cameras_usually_are() -> None:
    assert not stills.eye("t03").surroundings.bare.any()
    assert "no wall" not in fit_words(stills.calibration("t03"), stills.PROFILE).text


def encoded(image: np.ndarray, kind: str = ".png") -> bytes:
    return bytes(cv2.imencode(kind, image)[1].tobytes())


@pytest.mark.parametrize(
    ("picture", "word"),
    [
        (b"", "empty"),
        (b"not a picture at all", "neither"),
        (stills.data(NAME)[:20000], "cut off"),
        (stills.data(NAME)[:-2], "cut off"),
        (encoded(stills.image(NAME))[:-40], "cut off"),
        (encoded(np.full((1, 1, 3), 90, np.uint8)), "1x1"),
        (encoded(stills.image(NAME)[..., 0]), "greyscale"),
        (encoded(stills.image(NAME)[..., 0], ".jpg"), "greyscale"),
        (encoded(cv2.cvtColor(stills.image(NAME)[..., 0], cv2.COLOR_GRAY2BGR)), "no colour"),
        (encoded(stills.image(NAME).astype(np.uint16) * 256), "16 bits"),
        (encoded(cv2.cvtColor(stills.image(NAME), cv2.COLOR_BGR2BGRA)), "4 channels"),
        (encoded(np.zeros((600, 800, 3), np.uint8)), "black"),
        (encoded(np.full((600, 800, 3), 255, np.uint8)), "white"),
        (encoded(np.full((600, 800, 3), (90, 60, 120), np.uint8)), "flat"),
    ],
    ids=lambda value: value if isinstance(value, str) else "picture",
)
def test_pictures_that_cannot_be_used(picture: bytes, word: str) -> None:
    assert word in refused(picture=picture)
