"""Does a calibration picture agree with what was told of it? Asked once, before anything is read with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.arrays import Floats
from vision.colour import bins, learn
from vision.eye import Eye
from vision.form import Form
from vision.surround import half

Odd = tuple[str, str, str, float]


def odd_ones(known: Sequence[tuple[str, str, Floats]], colours: tuple[str, ...]) -> tuple[Odd, ...]:
    """Marbles that look more like another colour than like the others of their own, each judged without itself.

    `known`: cell, letter, pixels (u, v, w). Returns cell, told letter, likelier letter, by how much (log likelihood).
    """
    marbles = [(name, letter, disc) for name, letter, disc in known if letter in colours]
    whole = {colour: [disc for _, letter, disc in marbles if letter == colour] for colour in colours}
    tables = {colour: learn(np.concatenate(discs)) for colour, discs in whole.items() if discs}
    out = []
    for name, letter, disc in marbles:
        rest = [other for other in whole[letter] if other is not disc]
        if not rest:
            continue
        place = bins(disc)
        own = float(learn(np.concatenate(rest))[place].mean())
        others = {colour: float(table[place].mean()) for colour, table in tables.items() if colour != letter}
        best = max(others, key=lambda colour: others[colour], default=letter)
        if best != letter and others[best] > own:
            out.append((name, letter, best, others[best] - own))
    return tuple(out)


def beside_grid(eye: Eye) -> float:
    """How much clearer rims of marbles are half a cell beside the corners than at them; below 1 is as it must be."""
    small = half(eye.reference)
    present = np.array([letter in eye.profile.colours for _, letter, _ in eye.known])
    lane, row = eye.geometry.pitch
    best = 0.0
    for dx, dy in ((0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5), (0.5, 0.5), (-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5)):
        moved = replace(eye.geometry, centres=eye.geometry.centres + np.array([dx * lane, dy * row], np.float32))
        best = max(best, Form(moved, small, present).rim_level)
    return best / eye.form.rim_level
