"""One board with pieces laid where a test says, in a photograph: stills that differ in noise alone, quick to make."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import cv2
import numpy as np

from tests.vision import stills
from tests.vision.drawn_pieces import COLUMNS, ROWS, SIZE, UNIT, lay
from vision.board_gaze import BoardCalibration
from vision.calibration import Quad
from vision.picture import Image
from vision.pieces import Area

SMALL = (SIZE[0] // 2, SIZE[1] // 2)
_FIELD: Quad = ((70.0, 880.0), (880.0, 890.0), (800.0, 230.0), (130.0, 240.0))
_ROW: Quad = ((1110.0, 885.0), (1105.0, 245.0), (980.0, 240.0), (980.0, 880.0))

Place = tuple[float, float, float]
"""Column and row of the middle (from 1; 2.5 = between two), degrees clockwise; row 0: the space of that column."""


def _halved(quad: Quad) -> Quad:
    a, b, c, d = (((x - 0.5) / 2, (y - 0.5) / 2) for x, y in quad)
    return a, b, c, d


AREAS = (Area("field", _halved(_FIELD), COLUMNS, ROWS), Area("spaces", _halved(_ROW), 5, 1))


@cache
def _ground(seed: int) -> Any:
    names = stills.names()
    image = cv2.resize(stills.image(names[seed % len(names)]), SMALL, interpolation=cv2.INTER_AREA)
    return image.astype(np.float32)


@cache
def _noise(seed: int) -> Any:
    return np.random.default_rng(seed).normal(0, 3, (SMALL[1] + 64, SMALL[0] + 64, 3)).astype(np.float32)


class Board:
    """`shift`: pixels (of the small picture) that the camera was knocked by."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._times = 0
        self._drawn: dict[Any, Any] = {}
        self._uprights: dict[Any, Any] = {}

    def picture(
        self,
        pieces: Mapping[int, Place | tuple[Place, ...]],
        hand: tuple[float, float] | None = None,
        shift: tuple[int, int] = (0, 0),
    ) -> Image:
        """`pieces`: marker number → where it lies; `hand`: the column and row that its tip is over."""
        key = (tuple(sorted(pieces.items())), hand)
        if key not in self._drawn:
            self._drawn[key] = self._draw(pieces, hand)
        still = self._drawn[key]
        if shift != (0, 0):
            move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32)
            still = cv2.warpAffine(still, move, SMALL, borderMode=cv2.BORDER_REPLICATE)
        self._times += 1
        x, y = self._times * 13 % 64, self._times * 29 % 64
        noise = _noise(self._seed)[y : y + SMALL[1], x : x + SMALL[0]]
        return np.asarray(np.clip(still + noise, 0, 255), np.uint8)

    def _draw(self, pieces: Mapping[int, Place | tuple[Place, ...]], hand: tuple[float, float] | None) -> Any:
        image = _ground(self._seed)
        for area in AREAS:
            high, wide = area.rows * UNIT, area.columns * UNIT
            corners = np.array([[0, high], [wide, high], [wide, 0], [0, 0]], np.float32)
            plane = cv2.getPerspectiveTransform(corners, np.array(area.quad, np.float32))
            upright = self._upright(area, pieces)
            cover = cv2.warpPerspective(np.ones((high, wide), np.float32), plane, SMALL)[..., None]
            image = image * (1 - cover) + cv2.warpPerspective(upright, plane, SMALL)
        image = cv2.GaussianBlur(image, (0, 0), 0.6)
        if hand is not None:
            ends = np.array([[0, 0], [COLUMNS, 0], [COLUMNS, ROWS], [0, ROWS]], np.float32)
            plane = cv2.getPerspectiveTransform(ends, np.array(AREAS[0].quad, np.float32))
            tip = np.array([[[hand[0] - 0.5, hand[1] - 0.5]]], np.float32)
            x, y = cv2.perspectiveTransform(tip, plane)[0, 0]
            cv2.line(image, (int(x), int(y)), (int(x) + 80, SMALL[1]), (120, 150, 205), 75)
        return image

    def _upright(self, area: Area, pieces: Mapping[int, Place | tuple[Place, ...]]) -> Any:
        """The board from above; kept, since most pictures differ in one place."""
        laid = []
        for number, places in pieces.items():
            for column, row, turn in places if isinstance(places[0], tuple) else (places,):
                if (row > 0) == (area is AREAS[0]):
                    laid.append((number, column - 0.5, (row or 1) - 0.5, turn))
        key = (area.name, tuple(laid))
        if key not in self._uprights:
            upright = np.full((area.rows * UNIT, area.columns * UNIT, 3), (110, 140, 120), np.float32)
            for i in range(area.columns + 1):
                cv2.line(upright, (i * UNIT, 0), (i * UNIT, area.rows * UNIT), (220, 220, 220), 3)
            for j in range(area.rows + 1):
                cv2.line(upright, (0, j * UNIT), (area.columns * UNIT, j * UNIT), (220, 220, 220), 3)
            for number, u, v, turn in laid:
                lay(upright, number, u, v, turn, np.random.default_rng(self._seed + number))
            self._uprights[key] = cv2.GaussianBlur(upright, (0, 0), 0.8)
        return self._uprights[key]


def calibration(board: Board, pieces: Mapping[int, Place | tuple[Place, ...]]) -> BoardCalibration:
    return BoardCalibration(SMALL, AREAS, encoded(board.picture(pieces)))


def encoded(image: Image) -> bytes:
    ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    assert ok
    return data.tobytes()
