"""What the vision says about one picture."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CellReading:
    """`colour`: a letter of the profile, "." empty, "?" not sure; `confidence` 0–1 of that colour."""

    colour: str
    confidence: float


@dataclass(frozen=True)
class Aim:
    """Whether the picture still fits the calibration, and by how many pixels the tray has moved (None: unknown)."""

    ok: bool
    shift_px: float | None


@dataclass(frozen=True)
class Reading:
    """One still. `tray` is the tray text; while the aim is lost every cell is "?" and every fan None."""

    tray: str
    cells: dict[str, CellReading]
    fans: dict[str, str | None]
    occluded: tuple[str, ...]
    aim: Aim
