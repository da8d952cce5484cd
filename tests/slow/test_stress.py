"""The whole stress grid over the footage's stills; skipped where that is not there. Run with -s for the table."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.evaluation import tables
from tests.vision.stills import PROFILE, quad
from tests.vision.stress import grid
from tests.vision.stressed import run
from vision.calibrate import calibrate
from vision.eye import Eye
from vision.picture import Image, decode

STILLS = Path(os.environ.get("FOOTAGE", Path(__file__).parents[3] / "shared" / "footage")) / "stills"
EACH = int(os.environ.get("STRESS_STILLS", "99"))
"""At most so many plain and empty stills of a table."""


def few() -> Iterator[tuple[str, Eye, Image, Mapping[str, Any]]]:
    for found in tables(STILLS).values():
        picture, truth = found[0]
        corners, stage = quad(truth["corner_centres"]), quad(truth["board_corners"])
        eye = Eye(calibrate(picture.read_bytes(), corners, truth["tray"], stage, PROFILE), PROFILE)
        for path, told in [one for one in found[1:] if one[1]["kind"] in ("plain", "empty")][:EACH]:
            yield path.stem, eye, decode(path.read_bytes()), told


@pytest.mark.skipif(not STILLS.is_dir(), reason="no footage on this machine")
def test_the_whole_grid() -> None:
    found = run(few(), grid())
    right, wrong, unsure = found.counts
    print(found.table(), f"{found.pictures} pictures, aim lost in {found.lost}", *found.notes, sep="\n")
    assert found.sure_wrong == []
    assert wrong <= 0.001 * (right + wrong + unsure)
    assert right >= 0.97 * (right + wrong + unsure)
