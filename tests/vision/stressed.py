"""The stress grid's figures: each still under each harm, over the cells that must be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.vision.stress import Harm
from vision.eye import Eye
from vision.picture import Image


@dataclass
class Grid:
    """`parts`: (axis, value) → right, wrong, unsure; `sure_wrong`: a tray with a cell wrong at 0.99 or more;
    `covered`: cells under a hand that were given all the same."""

    counts: list[int] = field(default_factory=lambda: [0, 0, 0])
    parts: dict[tuple[str, Any], list[int]] = field(default_factory=dict)
    lost: int = 0
    pictures: int = 0
    notes: list[str] = field(default_factory=list)
    sure_wrong: list[str] = field(default_factory=list)
    covered: list[str] = field(default_factory=list)

    def table(self) -> str:
        lines = ["| axis | value | right | wrong | ? | right % |", "|---|---|---|---|---|---|"]
        for (axis, value), counts in [*self.parts.items(), (("all", ""), self.counts)]:
            share = f"{100 * counts[0] / sum(counts):.2f}"
            lines.append(f"| {axis} | {value} | {counts[0]} | {counts[1]} | {counts[2]} | {share} |")
        return "\n".join(lines)


def run(stills: Iterable[tuple[str, Eye, Image, Mapping[str, Any]]], harms: Iterable[Harm]) -> Grid:
    """`stills`: name, calibrated eye, picture, truth."""
    found, harms = Grid(), list(harms)
    for name, eye, image, truth in stills:
        for seed, harm in enumerate(harms):
            reading = eye.read(harm.apply(image, seed))
            found.pictures += 1
            found.lost += not reading.aim.ok
            # empty cells count too: a marble seen where none lies is as wrong as a wrong colour
            wrong = []
            for cell in truth["cells"]:
                told = reading.cells[f"{cell['lane']}{cell['row']}"]
                if float(cell["hand_cover"]) > 0.05:
                    if float(cell["hand_cover"]) > 0.6 and told.colour != "?":
                        found.covered.append(f"{name} {cell['lane']}{cell['row']} as {told.colour}: {harm}")
                    continue
                outcome = 0 if told.colour == cell["colour"] else 2 if told.colour == "?" else 1
                found.counts[outcome] += 1
                for axis in ("brightness", "warmth", "noise", "blur", "jpeg"):
                    found.parts.setdefault((axis, getattr(harm, axis)), [0, 0, 0])[outcome] += 1
                if outcome == 1:
                    wrong.append(told.confidence)
                    where = f"{cell['lane']}{cell['row']}"
                    found.notes.append(
                        f"{name} {where} {cell['colour']} as {told.colour} ({told.confidence:.3f}): {harm}"
                    )
            if any(confidence >= 0.99 for confidence in wrong):
                found.sure_wrong.append(f"{name}: {harm}")
    return found
