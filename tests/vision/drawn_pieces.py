"""Tables with pieces on a board, drawn into photographs, with the truth: perspective, lamp, blur, noise, JPEG."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from tests.vision import stills
from vision.calibration import Quad
from vision.picture import Image
from vision.pieces import EDGE, NUMBERS, Area, Zone, modules

SIZE = (1280, 960)
COLUMNS, ROWS = 5, 4
UNIT = 120  # pixels of a zone on the upright board
TILE = 0.62  # of a zone
MARKER = 0.42
FRAMES = ((214, 196, 46), (196, 92, 148), (60, 160, 240))


@dataclass(frozen=True)
class Truth:
    """`zone` None: it lies between two zones; `whole` False: something lies over its marker."""

    number: int
    zone: Zone | None
    turn: int
    whole: bool = True


@dataclass(frozen=True)
class Drawn:
    image: Image
    areas: tuple[Area, ...]
    pieces: tuple[Truth, ...]


def draw(seed: int) -> Drawn:
    """A field of COLUMNS × ROWS zones with up to 14 pieces, and a row of 5 spaces beside it."""
    chance = np.random.default_rng(seed)
    names = stills.names()
    ground = cv2.resize(stills.image(names[seed % len(names)]), SIZE, interpolation=cv2.INTER_LINEAR)
    field = Area("field", _quad(chance, 60, 230, 820, 660), COLUMNS, ROWS)
    row = Area("row", _quad(chance, 980, 120, 200, 780), 1, 5)
    image = ground.astype(np.float32)
    laid: list[tuple[Truth, Area, float, float]] = []
    numbers = list(chance.permutation(list(NUMBERS)))
    for area, most in ((field, 14), (row, 5)):
        upright = np.full((area.rows * UNIT, area.columns * UNIT, 3), chance.uniform(40, 190, 3), np.float32)
        upright += cv2.resize(chance.normal(0, 14, (24, 24, 3)), upright.shape[1::-1])
        for i in range(area.columns + 1):
            cv2.line(upright, (i * UNIT, 0), (i * UNIT, upright.shape[0]), (220, 220, 220), 3)
        for j in range(area.rows + 1):
            cv2.line(upright, (0, j * UNIT), (upright.shape[1], j * UNIT), (220, 220, 220), 3)
        zones = [(c, r) for r in range(area.rows) for c in range(area.columns)]
        chance.shuffle(zones)
        taken: set[tuple[int, int]] = set()
        for column, line in zones[: int(chance.integers(most // 2, most + 1))]:
            if (column, line) in taken:
                continue
            taken.add((column, line))
            turn = int(chance.integers(4)) * 90
            between = chance.random() < 0.08 and column + 1 < area.columns and (column + 1, line) not in taken
            u, v = column + 0.5 + chance.uniform(-0.2, 0.2), line + 0.5 + chance.uniform(-0.2, 0.2)
            if between:
                taken.add((column + 1, line))
                u = column + 1 + chance.uniform(-EDGE, EDGE) * 0.6
            zone = None if between else Zone(area.name, column + 1, line + 1)
            truth = Truth(int(numbers.pop()), zone, turn)
            laid.append((truth, area, u, v))
            lay(upright, truth.number, u, v, turn + chance.uniform(-14, 14), chance)
        image = into(image, upright, area)
    truths = _clutter(image, laid, chance)
    return Drawn(_seen(image, chance), (field, row), truths)


def _quad(chance: Any, x: float, y: float, width: float, height: float) -> Quad:
    """First row below, as on a table whose last row is farther away; the far side is shorter."""
    narrow = chance.uniform(0.0, 0.13) * width
    shake = chance.uniform(-18, 18, (4, 2))
    points = np.array([[x, y + height], [x + width, y + height], [x + width - narrow, y], [x + narrow, y]], float)
    a, b, c, d = (tuple(map(float, point)) for point in points + shake)
    return (a, b, c, d)


def lay(upright: Any, number: int, u: float, v: float, turn: float, chance: Any) -> None:
    """On the upright board the last row is on top; `turn` clockwise."""
    side = int(TILE * UNIT * 2)  # drawn at double size, then made small
    tile = np.full((side, side, 3), chance.uniform(200, 250), np.float32)
    cv2.rectangle(tile, (0, 0), (side - 1, side - 1), FRAMES[number % 3], side // 9)
    mark = int(MARKER * UNIT * 2)
    black = chance.uniform(10, 60)
    grid = np.array([[black if dark else 245.0 for dark in line] for line in modules(number)], np.float32)
    at = (side - mark) // 2
    tile[at : at + mark, at : at + mark] = cv2.resize(grid, (mark, mark), interpolation=cv2.INTER_NEAREST)[..., None]
    x, y = u * UNIT, upright.shape[0] - v * UNIT
    turned = cv2.getRotationMatrix2D((side / 2, side / 2), -turn, 0.5)
    turned[:, 2] += (x - side / 2, y - side / 2)
    size = upright.shape[1::-1]
    cover = cv2.warpAffine(np.ones((side, side), np.float32), turned, size, flags=cv2.INTER_AREA)
    laid = cv2.warpAffine(tile, turned, size, flags=cv2.INTER_AREA)
    shadow = cv2.GaussianBlur(np.roll(cover, (4, 3), (0, 1)), (0, 0), 4)
    upright *= (1 - 0.35 * shadow)[..., None]
    upright[:] = upright * (1 - cover[..., None]) + laid


def into(image: Any, upright: Any, area: Area) -> Any:
    high, wide = upright.shape[:2]
    corners = np.array([[0, high], [wide, high], [wide, 0], [0, 0]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, np.array(area.quad, np.float32))
    laid = cv2.warpPerspective(upright, matrix, SIZE)
    cover = cv2.warpPerspective(np.ones((high, wide), np.float32), matrix, SIZE)[..., None]
    return image * (1 - cover) + laid


def _clutter(image: Any, laid: list[tuple[Truth, Area, float, float]], chance: Any) -> tuple[Truth, ...]:
    """Fingers over some pieces: a marker that one touches is not to be told."""
    hand = np.zeros(image.shape[:2], np.uint8)
    places = [_in_picture(area, u, v) for _, area, u, v in laid]
    for x, y in places:
        if chance.random() < 0.06:
            tip = (int(x + chance.uniform(-6, 6)), int(y + chance.uniform(-6, 6)))
            cv2.line(hand, tip, (int(x + chance.uniform(-200, 200)), SIZE[1]), 1, 44)
    image[hand > 0] = (120, 150, 205)
    out = []
    for truth, area, u, v in laid:
        reach = MARKER * 0.75  # to a marker's corner, however it is turned
        corners = [_in_picture(area, u + du, v + dv) for du in (-reach, reach) for dv in (-reach, reach)]
        outline = np.zeros_like(hand)
        cv2.fillConvexPoly(outline, cv2.convexHull(np.array(corners, np.int32)), 1)
        out.append(replace(truth, whole=not (outline & hand).any()))
    return tuple(out)


def _in_picture(area: Area, u: float, v: float) -> tuple[float, float]:
    ends = np.array([[0, 0], [area.columns, 0], [area.columns, area.rows], [0, area.rows]], np.float32)
    matrix = cv2.getPerspectiveTransform(ends, np.array(area.quad, np.float32))
    x, y = cv2.perspectiveTransform(np.array([[[u, v]]], np.float32), matrix)[0, 0]
    return float(x), float(y)


def _seen(image: Any, chance: Any) -> Image:
    """Through a lamp, a lens and a camera."""
    ys, xs = np.mgrid[0:1:960j, 0:1:1280j]
    slope = 1 + chance.uniform(-0.35, 0.35) * (xs - 0.5) + chance.uniform(-0.35, 0.35) * (ys - 0.5)
    lit = image * slope[..., None] * chance.uniform(0.45, 1.25) * chance.uniform(0.8, 1.2, 3)
    soft = cv2.GaussianBlur(lit, (0, 0), chance.uniform(0.3, 1.5))
    noisy = soft + chance.normal(0, chance.uniform(1, 9), soft.shape)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(55, 93))]
    ok, jpeg = cv2.imencode(".jpg", np.clip(noisy, 0, 255).astype(np.uint8), quality)
    assert ok
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
