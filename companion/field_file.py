"""The table file's section `[field]`: a board with pieces, where it lies in the picture, and its two stars.

`columns`, `rows`; `stars` (A's and B's zone); `size` of the picture; `corners` of the field and of the row of spaces
(`spaces`, optional), both in the order of vision.pieces.CORNERS; `picture`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.errors import InputError
from companion.toml_section import Section, packed, picture, points, quad, size
from companion.toml_text import quoted
from vision.board_gaze import BoardCalibration
from vision.calibration import Quad
from vision.pieces import Area

SPACES = 5
MOST = 12
"""Columns or rows."""


@dataclass(frozen=True)
class FieldFile:
    columns: int
    rows: int
    stars: tuple[str, str]
    size: tuple[int, int]
    corners: Quad
    spaces: Quad | None
    picture: bytes

    def calibration(self) -> BoardCalibration:
        areas = [Area("field", self.corners, self.columns, self.rows)]
        if self.spaces is not None:
            areas.append(Area("spaces", self.spaces, SPACES, 1))
        return BoardCalibration(self.size, tuple(areas), self.picture)


def number(name: str, value: int) -> int:
    if not 1 <= value <= MOST:
        raise InputError(f"{name}: {value} is not between 1 and {MOST}")
    return value


def stars_on(columns: int, rows: int, told: Sequence[object], where: str) -> tuple[str, str]:
    """Player A's and player B's starting zone. Raises InputError."""
    if len(told) != 2:
        raise InputError(f"{where}: {len(told)} zones given; a board has two stars, A's and B's")
    zones: list[str] = []
    for player, zone in zip("AB", told, strict=True):
        x, comma, y = zone.partition(",") if isinstance(zone, str) else ("", "", "")
        if not (comma and x.strip().isascii() and x.strip().isdigit() and y.strip().isascii() and y.strip().isdigit()):
            raise InputError(f"{where}: the star of player {player} is {str(zone)[:40]!r}, not a zone such as 3,1")
        if not (1 <= int(x) <= columns and 1 <= int(y) <= rows):
            raise InputError(
                f"{where}: the star of player {player}, {zone}, lies off a board of {columns} columns and {rows} rows"
            )
        zones.append(f"{int(x)},{int(y)}")
    if zones[0] == zones[1]:
        raise InputError(f"{where}: both stars are {zones[0]}")
    return zones[0], zones[1]


def read_field(section: Section) -> FieldFile:
    columns, rows = section.whole("columns", 1, MOST), section.whole("rows", 1, MOST)
    if not section.has("stars"):
        raise section.error(
            "stars", 'is missing: a board has two, each player\'s starting zone, such as ["3,1", "3,5"]'
        )
    stars = stars_on(columns, rows, section.items("stars", 2), f"{section.path}: {section.name}.stars")
    wide = size(section, "size")
    corners = quad(section, "corners", wide)
    spaces = quad(section, "spaces", wide) if section.has("spaces") else None
    taken = picture(section, "picture")
    section.done()
    return FieldFile(columns, rows, stars, wide, corners, spaces, taken)


def dump_field(field: FieldFile) -> list[str]:
    lines = [
        f"columns = {field.columns}",
        f"rows = {field.rows}",
        f"stars = [{', '.join(map(quoted, field.stars))}]",
        f"size = {list(field.size)}",
        f"corners = {points(field.corners)}",
    ]
    if field.spaces is not None:
        lines.append(f"spaces = {points(field.spaces)}")
    return [*lines, *packed(field.picture)]
