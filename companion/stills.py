"""What the commands on stills share: files, corner texts, the game's profile, and a reading put into words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.config import TableFile
from companion.errors import InputError
from vision.calibrate import calibrate
from vision.calibration import Calibration, Point, Quad, VisionError, as_quad
from vision.eye import Eye
from vision.profile import Grid, Profile
from vision.reading import Reading

LARGEST = 64 * 2**20  # bytes of a picture
PROFILE = Profile()
"""Re;MATCH: 3 × 5, red, yellow, blue, at most 12 of each in view (11 and a spare), three fans in three places."""

_POINT = re.compile(r"([+-]?\d+(?:\.\d*)?|[+-]?\.\d+),([+-]?\d+(?:\.\d*)?|[+-]?\.\d+)")


def read_bytes(path: str) -> bytes:
    """A picture's bytes. Raises InputError."""
    try:
        file = Path(path)
        if file.stat().st_size > LARGEST:
            raise InputError(f"{path}: too large for a picture")
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in the name
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path!r}: {error}") from error


def quad(text: str, what: str) -> Quad:
    """ "x,y x,y x,y x,y" → four points. Raises InputError."""
    words = text.split()
    if len(words) != 4:
        raise InputError(f"{what}: {len(words)} points given; four are needed, as x,y x,y x,y x,y")
    points: list[Point] = []
    for i, word in enumerate(words, 1):
        match = _POINT.fullmatch(word)
        if match is None:
            raise InputError(f"{what}: point {i} is {word!r}, not x,y in pixels")
        points.append((float(match[1]), float(match[2])))
    return (points[0], points[1], points[2], points[3])


def calibrated_by(picture: Path, truth: Mapping[str, Any]) -> Calibration:
    """On this picture, as its truth has it: corners, tray, stage board.

    Raises InputError and VisionError, and of a truth that is none KeyError, TypeError and ValueError.
    """
    stage = as_quad(truth["board_corners"]) if truth.get("board_corners") else None
    return calibrate(read_bytes(str(picture)), as_quad(truth["corner_centres"]), truth["tray"], stage, PROFILE)


def grid_profile(lanes: int, rows: int) -> Profile:
    """The game's profile on a grid of this size. Raises InputError."""
    for name, value in (("--lanes", lanes), ("--rows", rows)):
        if not 2 <= value <= 26:
            raise InputError(f"{name}: {value} is not between 2 and 26")
    grid = Grid(lanes, rows)
    # a tray of another size is not this game's: its number of pieces is not known
    return PROFILE if grid == PROFILE.grid else replace(PROFILE, grid=grid, most=lanes * rows)


def calibrated(table: TableFile, path: str) -> Calibration:
    if table.calibration is None:
        raise InputError(f"{path}: has no [calibration]; make one with `companion calibrate`")
    return table.calibration


def calibrated_eye(table: TableFile, path: str) -> Eye:
    """Raises InputError when the table file holds no calibration, or an impossible one."""
    calibration = calibrated(table, path)
    try:
        return Eye(calibration, grid_profile(calibration.grid.lanes, calibration.grid.rows))
    except VisionError as error:
        raise InputError(f"{path}: calibration: {error}") from error


def reading_json(reading: Reading) -> dict[str, Any]:
    """The keys of DESIGN §6, `read`."""
    return {
        "tray": reading.tray,
        "cells": {
            name: {"colour": cell.colour, "confidence": round(cell.confidence, 4)}
            for name, cell in reading.cells.items()
        },
        "fans": dict(reading.fans),
        "occluded": list(reading.occluded),
        "aim": {"ok": reading.aim.ok, "shift_px": reading.aim.shift_px},
    }


def reading_text(reading: Reading, grid: Grid) -> str:
    """The tray as it lies, tower at the top, and the rest in words."""
    lanes = reading.tray.split("/")
    names = [name[0] for name in grid.cells[:: grid.rows]]
    lines = ["   " + " ".join(names)]
    lines += [f"{row + 1:2} " + " ".join(lane[row] for lane in lanes) for row in reversed(range(grid.rows))]
    unsure = [name for name, cell in reading.cells.items() if cell.colour == "?"]
    lines.append(f"tray {reading.tray}" + (f", not sure of {' '.join(unsure)}" if unsure else ""))
    if reading.occluded:
        lines.append(f"hidden: {' '.join(reading.occluded)}")
    if any(reading.fans.values()):
        lines.append("fans: " + ", ".join(f"{fan} {place or '?'}" for fan, place in reading.fans.items()))
    if not reading.aim.ok:
        by = f"by about {reading.aim.shift_px:.0f} px" if reading.aim.shift_px is not None else "by an unknown amount"
        lines.append(f"aim lost: camera or tray has moved {by}")
    return "\n".join(lines)
