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
from companion.stills import PROFILE, calibrated_by, grid_profile, read_bytes
from vision.calibrate import eye_of
from vision.calibration import VisionError, as_quad
from vision.cold import read_cold
from vision.picture import decode
from vision.reading import Reading

UNCOVERED = 0.05
"""A cell hidden by a hand up to this share must be read."""
COVERED = 0.6
"""A cell hidden by more than this must be "?"."""
FAN_SEEN, FAN_HIDDEN = 0.6, 0.2
BINS = (0.0, 0.7, 0.9, 0.97, 0.99)
"""Where the bins of the reliability diagram start."""
KEYS = ("kind", "image", "cells")
CONDITIONS = (
    ("lighting", "recipe"),
    ("material", "marble"),
    ("material", "surface"),
    ("material", "print_palette"),
    ("material", "token"),
    ("camera", "tilt_deg"),
)


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
    given: dict[str, int] = field(default_factory=dict)
    given_right: dict[str, int] = field(default_factory=dict)
    mistakes: list[str] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        for part in fields(self):
            mine, more = getattr(self, part.name), getattr(other, part.name)
            if isinstance(mine, dict):
                for key, count in more.items():
                    mine[key] = mine.get(key, 0) + count
            else:
                setattr(self, part.name, mine + more)

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
        if colour != "?":
            self._weigh(confidence, colour == told)
        if outcome != "right":
            self.mistakes.append(f"{where}: {told} read as {colour} ({confidence:.2f})")

    def _weigh(self, confidence: float, right: bool) -> None:
        """A reading that was given, for the reliability diagram."""
        name = f"{max(start for start in BINS if confidence >= start):.2f}"
        self.given[name] = self.given.get(name, 0) + 1
        self.given_right[name] = self.given_right.get(name, 0) + right
        if confidence >= 0.99:
            self.sure += 1
            self.sure_right += right

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


@dataclass(frozen=True)
class Scored:
    """One still, read and compared; `truth` is what lies beside it."""

    path: Path
    truth: Mapping[str, Any]
    reading: Reading
    figures: Figures


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


def load_truth(path: Path) -> Any:
    """Raises InputError."""
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: not readable as JSON: {error}") from error


def tables(folder: Path) -> dict[str, list[tuple[Path, dict[str, Any]]]]:
    """Table → (picture, truth) of its stills, the calibration first; none: empty. Raises InputError."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    found: dict[str, list[tuple[Path, dict[str, Any]]]] = {}
    for path in sorted(folder.rglob("*.json")):
        if path.name == "truth.json":  # a clip's or the photographs'
            continue
        truth = load_truth(path)
        if not isinstance(truth, dict):
            raise InputError(f"{path}: is not a JSON object")
        missing = [key for key in KEYS if key not in truth]
        if missing:
            raise InputError(f"{path}: {missing[0]!r} is missing")
        found.setdefault(str(path.parent), []).append((path.parent / str(truth["image"]), truth))
    for name, stills in found.items():
        stills.sort(key=lambda still: not still[1].get("calibration", False))
        if not stills[0][1].get("calibration", False):
            raise InputError(f'{name}: no still has "calibration": true')
    return found


def evaluate_table(stills: Iterable[tuple[Path, dict[str, Any]]]) -> list[Scored]:
    """One table: calibrated on its first still, then every still read. Raises InputError."""
    stills = list(stills)
    picture, truth = stills[0]
    try:
        eye = eye_of(calibrated_by(picture, truth), PROFILE)
    except InputError:
        raise
    except VisionError as error:
        raise InputError(f"{picture}: cannot be calibrated on: {error}") from error
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise InputError(f"{picture.with_suffix('.json')}: {_what(error)}") from error
    scored = []
    for path, truth in stills:
        try:
            reading = eye.read(decode(read_bytes(str(path))))
            scored.append(Scored(path, truth, reading, score_still(path.stem, truth, reading)))
        except VisionError as error:
            raise InputError(f"{path}: {error}") from error
        except InputError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"{path.with_suffix('.json')}: {_what(error)}") from error
    return scored


def evaluate_photos(path: Path) -> list[Scored]:
    """Outside photographs of boards (a truth.json with `images`), each read cold. Raises InputError."""
    scored = []
    try:
        for one in load_truth(path)["images"]:
            if not one.get("grid"):
                continue
            file, grid = path.parent / one["file"], one["grid"]
            rows, lanes = int(grid["rows"]), int(grid["cols"])
            corners = as_quad([grid["corner_centres"][i] for i in (3, 2, 1, 0)])
            try:
                reading = read_cold(decode(read_bytes(str(file))), corners, grid_profile(lanes, rows))
            except VisionError as error:
                raise InputError(f"{file}: {error}") from error
            cells = []
            for i, (letter, circle) in enumerate(zip(grid["letters"], grid["cells"], strict=True)):
                told = letter if letter in "RYB." else "?"  # a fourth colour is "?"
                lane, row = chr(ord("a") + i % lanes), rows - i // lanes
                cells.append({"lane": lane, "row": row, "colour": told, "px": circle[:2], "radius_px": circle[2]})
            truth = {"kind": "photograph", "cells": cells}
            scored.append(Scored(file, truth, reading, score_still(file.stem, truth, reading)))
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise InputError(f"{path}: {_what(error)}") from error
    return scored


def _what(error: Exception) -> str:
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)


def total(scored: Iterable[Scored]) -> Figures:
    figures = Figures()
    for one in scored:
        figures.add(one.figures)
    return figures


def by_condition(scored: Iterable[Scored]) -> dict[str, Figures]:
    """Figures for each kind of still, lamp, marble …, as far as the truth names them."""
    found: dict[str, Figures] = {}
    for one in scored:
        names = [f"kind {one.truth['kind']}"]
        for group, key in CONDITIONS:
            part = one.truth.get(group)
            if isinstance(part, dict) and key in part:
                names.append(f"{group if key == 'recipe' else key} {part[key]}")
        for name in names:
            found.setdefault(name, Figures()).add(one.figures)
    return dict(sorted(found.items()))


def reliability(figures: Figures) -> list[dict[str, Any]]:
    """For each bin of confidence: how many readings were given, and how many of them are right."""
    names = [f"{start:.2f}" for start in BINS]
    return [
        {"from": float(n), "given": figures.given[n], "right": figures.given_right[n]}
        for n in names
        if figures.given.get(n)
    ]


def reliability_text(figures: Figures) -> str:
    lines = ["confidence from   given   right  right %"]
    for row in reliability(figures):
        share = 100 * row["right"] / row["given"]
        lines.append(f"{row['from']:15.2f} {row['given']:7} {row['right']:7} {share:8.2f} {'#' * round(share / 5)}")
    return "\n".join(lines)


def table_text(rows: Mapping[str, Figures], with_all: bool = True) -> str:
    """Figures of each row and of all together, as columns."""
    together = Figures()
    if with_all:
        for figures in rows.values():
            together.add(figures)
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
    for name, f in [*rows.items(), *([("all", together)] if with_all else [])]:
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
    if together.sure:
        text.append(f"of {together.sure} cells read at 0.99 or more, {together.sure_right} are right")
    return "\n".join(text)
