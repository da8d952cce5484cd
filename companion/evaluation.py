"""Accuracy on stills with known truth: what is right, wrong and unsure, for each table.

A still is NAME.jpg with NAME.json beside it: `kind`, `image`, `cells` (lane, row, colour, hand_cover), `fans` (colour,
place, visible, in_frame); a folder's calibration still also has `tray`, `corner_centres` and `board_corners`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from companion.errors import InputError
from companion.stills import PROFILE, read_bytes
from vision.calibrate import calibrate
from vision.calibration import Quad, VisionError
from vision.eye import Eye
from vision.picture import decode
from vision.reading import Reading

UNCOVERED = 0.05
"""A cell hidden by a hand up to this share must be read."""
COVERED = 0.6
"""A cell hidden by more than this must be "?"."""
FAN_SEEN, FAN_HIDDEN = 0.6, 0.2


@dataclass
class Figures:
    """Counts over some stills; `mistakes`: one line each, naming file and cell."""

    stills: int = 0
    right: int = 0
    wrong: int = 0
    unsure: int = 0
    empty_right: int = 0
    empty_wrong: int = 0
    empty_unsure: int = 0
    covered: int = 0
    covered_given: int = 0
    fans: int = 0
    fans_right: int = 0
    fans_wrong: int = 0
    bumps: int = 0
    bumps_noticed: int = 0
    false_bumps: int = 0
    sure: int = 0
    sure_right: int = 0
    mistakes: list[str] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        for part in fields(self):
            setattr(self, part.name, getattr(self, part.name) + getattr(other, part.name))

    def score_cell(self, where: str, truth: Mapping[str, Any], colour: str, confidence: float) -> None:
        """One cell of a still whose aim holds."""
        told, hidden = str(truth["colour"]), float(truth.get("hand_cover", 0.0))
        if hidden > COVERED:
            self.covered += 1
            if colour != "?":
                self.covered_given += 1
                self.mistakes.append(f"{where}: hidden by a hand, read as {colour}")
            return
        if hidden > UNCOVERED:
            return
        kind = "empty_" if told == "." else ""
        outcome = "right" if colour == told else "unsure" if colour == "?" else "wrong"
        setattr(self, kind + outcome, getattr(self, kind + outcome) + 1)
        if colour != "?" and confidence >= 0.99:
            self.sure += 1
            self.sure_right += colour == told
        if outcome != "right":
            self.mistakes.append(f"{where}: {told} read as {colour} ({confidence:.2f})")

    def score_fan(self, where: str, truth: Mapping[str, Any], place: str | None) -> None:
        colour, told = str(truth["colour"]), str(truth["place"])
        visible = float(truth.get("visible", 1.0)) if truth.get("in_frame", True) else 0.0
        if visible >= FAN_SEEN:
            self.fans += 1
            self.fans_right += place == told
        if place is not None and (place != told or visible < FAN_HIDDEN):
            self.fans_wrong += 1
        if place != told and (visible >= FAN_SEEN or place is not None):
            self.mistakes.append(f"{where}: fan {colour} at {told}, read as {place or '?'}")


def score_still(name: str, truth: Mapping[str, Any], reading: Reading) -> Figures:
    """`truth`: the JSON beside the picture."""
    figures = Figures(stills=1)
    if truth.get("kind") == "bump":
        figures.bumps = 1
        figures.bumps_noticed = int(not reading.aim.ok)
        if reading.aim.ok:
            figures.mistakes.append(f"{name}: knocked camera not noticed")
        for cell in truth["cells"]:
            where = f"{cell['lane']}{cell['row']}"
            if reading.cells[where].colour not in ("?", cell["colour"]):
                figures.wrong += 1
                figures.mistakes.append(
                    f"{name} {where}: {cell['colour']} read as {reading.cells[where].colour} after a knock"
                )
        return figures
    if not reading.aim.ok:
        figures.false_bumps = 1
        figures.mistakes.append(f"{name}: aim lost for no reason")
    for cell in truth["cells"]:
        where = f"{cell['lane']}{cell['row']}"
        found = reading.cells[where]
        figures.score_cell(f"{name} {where}", cell, found.colour, found.confidence)
    for fan in truth.get("fans", ()):
        figures.score_fan(name, fan, reading.fans.get(fan["colour"]))
    return figures


def tables(folder: Path) -> dict[str, list[tuple[Path, dict[str, Any]]]]:
    """Table → (picture, truth) of its stills, the calibration first. Raises InputError."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    found: dict[str, list[tuple[Path, dict[str, Any]]]] = {}
    for path in sorted(folder.rglob("*.json")):
        try:
            truth = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: not readable as JSON: {error}") from error
        if isinstance(truth, dict) and "cells" in truth and "kind" in truth and "image" in truth:
            found.setdefault(str(path.parent), []).append((path.parent / str(truth["image"]), truth))
    if not found:
        raise InputError(f"{folder}: holds no stills with truth (NAME.jpg with NAME.json beside it)")
    for name, stills in found.items():
        stills.sort(key=lambda still: not still[1].get("calibration", False))
        if not stills[0][1].get("calibration", False):
            raise InputError(f'{name}: no still has "calibration": true')
    return found


def _quad(value: Any) -> Quad:
    points = [(float(x), float(y)) for x, y in value]
    return (points[0], points[1], points[2], points[3])


def evaluate_table(stills: Iterable[tuple[Path, dict[str, Any]]]) -> Figures:
    """One table: calibrated on its first still, then every still read. Raises InputError."""
    stills = list(stills)
    picture, truth = stills[0]
    try:
        stage = _quad(truth["board_corners"]) if truth.get("board_corners") else None
        made = calibrate(read_bytes(str(picture)), _quad(truth["corner_centres"]), truth["tray"], stage, PROFILE)
        eye = Eye(made, PROFILE)
    except (VisionError, KeyError, TypeError, ValueError, IndexError) as error:
        raise InputError(f"{picture}: cannot be calibrated on: {error}") from error
    total = Figures()
    for path, truth in stills:
        try:
            reading = eye.read(decode(read_bytes(str(path))))
            total.add(score_still(path.stem, truth, reading))
        except VisionError as error:
            raise InputError(f"{path}: {error}") from error
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{path}: its truth is malformed: {error!r}") from error
    return total


def table_text(rows: Mapping[str, Figures]) -> str:
    """Figures of each table and of all together, as columns."""
    total = Figures()
    for figures in rows.values():
        total.add(figures)
    head = (
        "table",
        "stills",
        "right",
        "wrong",
        "unsure",
        "right %",
        "empty r/w/?",
        "covered given",
        "fans r/w/of",
        "bumps",
        "false",
    )
    lines = [head]
    for name, f in [*rows.items(), ("all", total)]:
        seen = f.right + f.wrong + f.unsure
        lines.append(
            (
                name,
                str(f.stills),
                str(f.right),
                str(f.wrong),
                str(f.unsure),
                f"{100 * f.right / seen:.1f}" if seen else "-",
                f"{f.empty_right}/{f.empty_wrong}/{f.empty_unsure}",
                f"{f.covered_given} of {f.covered}",
                f"{f.fans_right}/{f.fans_wrong}/{f.fans}",
                f"{f.bumps_noticed} of {f.bumps}",
                str(f.false_bumps),
            )
        )
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    text = ["  ".join(part.rjust(width) for part, width in zip(line, widths, strict=True)) for line in lines]
    if total.sure:
        text.append(f"of {total.sure} cells read at 0.99 or more, {total.sure_right} are right")
    return "\n".join(text)
