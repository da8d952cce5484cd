"""Pieces with markers on drawn tables; the full form is tests/slow/test_pieces_many.py."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.drawn_pieces import SIZE, draw
from tests.vision.pieces_score import Score, score
from vision.calibration import Quad, VisionError
from vision.picture import Image
from vision.pieces import EDGE, MODULES, Area, Piece, Zone, ZoneReader, find_tags, modules

SQUARE: Quad = ((100.0, 500.0), (500.0, 500.0), (500.0, 100.0), (100.0, 100.0))
FIELD = Area("field", SQUARE, 4, 4)  # zones of 100 pixels, row 1 below


def a_table(*pieces: tuple[int, float, float, float], side: int = 42) -> Image:
    """White, with markers: number, x, y of the centre, degrees clockwise."""
    image = np.full((600, 640, 3), 255, np.uint8)
    for number, x, y, turn in pieces:
        grid = np.array([[0 if dark else 255 for dark in line] for line in modules(number)], np.uint8)
        mark = np.full((side + 20, side + 20, 3), 255, np.uint8)
        mark[10:-10, 10:-10] = cv2.resize(grid, (side, side), interpolation=cv2.INTER_NEAREST)[..., None]
        half = (side + 20) / 2
        matrix = cv2.getRotationMatrix2D((half - 0.5, half - 0.5), -turn, 1)
        matrix[:, 2] += (x - half, y - half)
        laid = cv2.warpAffine(mark, matrix, (640, 600), borderValue=(255, 255, 255))
        image = np.minimum(image, laid)
    return image


def only(image: Image) -> Piece:
    (piece,) = ZoneReader([FIELD], (640, 600)).read(image)
    return piece


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_zone_and_turn(turn: int) -> None:
    piece = only(a_table((5, 250, 350, turn)))
    assert (piece.number, piece.zone, piece.turn, piece.reason) == (5, Zone("field", 2, 2), turn, "")


def test_columns_go_with_the_first_corner_and_rows_away_from_it() -> None:
    places = [(1, 150, 450), (2, 450, 450), (3, 450, 150), (4, 150, 150)]
    found = ZoneReader([FIELD], (640, 600)).read(a_table(*((n, x, y, 0) for n, x, y in places)))
    zones = [(piece.zone.column, piece.zone.row) for piece in found if piece.zone]
    assert zones == [(1, 1), (4, 1), (4, 4), (1, 4)]


def test_the_turn_is_the_boards_and_not_the_pictures() -> None:
    """The same board seen from the other side."""
    a, b, c, d = SQUARE
    (piece,) = ZoneReader([Area("field", (c, d, a, b), 4, 4)], (640, 600)).read(a_table((5, 250, 350, 90)))
    assert (piece.zone, piece.turn) == (Zone("field", 3, 3), 270)


def test_between_two_zones_both_are_named_nearest_first() -> None:
    piece = only(a_table((5, 296, 350, 0)))
    assert (piece.zone, piece.reason) == (None, "between")
    assert piece.between == (Zone("field", 2, 2), Zone("field", 3, 2))


def test_just_beside_the_edge_is_in() -> None:
    assert only(a_table((5, 300 - 100 * EDGE - 3, 350, 0))).zone == Zone("field", 2, 2)


def test_half_turned_it_keeps_its_zone_and_no_turn() -> None:
    piece = only(a_table((5, 250, 350, 44)))
    assert (piece.zone, piece.turn, piece.reason) == (Zone("field", 2, 2), None, "askew")


def test_off_the_board() -> None:
    piece = only(a_table((5, 580, 350, 0)))
    assert (piece.zone, piece.reason) == (None, "off")


def test_over_the_boards_edge_it_is_asked_about() -> None:
    piece = only(a_table((5, 498, 350, 0)))
    assert (piece.zone, piece.reason, piece.between) == (None, "between", (Zone("field", 4, 2),))


def test_a_marker_seen_twice_is_nowhere() -> None:
    found = ZoneReader([FIELD], (640, 600)).read(a_table((5, 250, 350, 0), (5, 450, 150, 0), (6, 150, 150, 0)))
    assert [(piece.number, piece.zone is None, piece.reason) for piece in found] == [
        (5, True, "twice"),
        (5, True, "twice"),
        (6, False, ""),
    ]


def test_within_one_area_goes_before_at_the_edge_of_another() -> None:
    beside = Area("row", ((505.0, 500.0), (605.0, 500.0), (605.0, 400.0), (505.0, 400.0)), 1, 1)
    reader = ZoneReader([replace(FIELD), beside], (640, 600))
    (piece,) = reader.read(a_table((5, 530, 450, 0)))
    assert piece.zone == Zone("row", 1, 1)


@pytest.mark.parametrize("fill", [0, 128, 255])
def test_an_empty_table_has_no_pieces(fill: int) -> None:
    assert ZoneReader([FIELD], (640, 600)).read(np.full((600, 640, 3), fill, np.uint8)) == ()


def test_too_small_a_marker_is_not_read() -> None:
    assert find_tags(a_table((5, 250, 350, 0), side=MODULES)) == ()


@pytest.mark.parametrize(
    ("areas", "words"),
    [
        ([FIELD, FIELD], "two areas have the same name"),
        ([Area("field", SQUARE, 0, 4)], "area field: 0 columns and 4 rows are no zones"),
        ([Area("field", (*SQUARE[:3], (9000.0, 9.0)), 4, 4)], "first column last row at 9000,9 lies outside"),
        ([Area("field", (SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]), 4, 4)], "cross"),
    ],
)
def test_impossible_areas_are_refused(areas: list[Area], words: str) -> None:
    with pytest.raises(VisionError, match=words):
        ZoneReader(areas, (640, 600))


def test_drawn_tables() -> None:
    total = Score()
    for seed in (3, 11, 14):
        drawn = draw(seed)
        total += score(drawn, ZoneReader(drawn.areas, SIZE).read(drawn.image))
    assert total.wrong == 0
    assert total.right + total.asked >= 30
    assert total.right >= 0.97 * (total.right + total.asked)
