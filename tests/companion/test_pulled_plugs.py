"""The small, seeded form of tests/slow/power_cuts.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("module", "options", "told"),
    [
        ("power_cuts", "--kills 4 --torn 16 --jobs 1 --seed 3", ["8 torn", "4 kills", "Nothing was lost"]),
    ],
)
def test_nothing_is_lost_and_nothing_falls(tmp_path: Path, module: str, options: str, told: list[str]) -> None:
    line = [sys.executable, "-m", f"tests.slow.{module}", *options.split(), "--folder", str(tmp_path)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    said = done.stdout.replace('"matches": 1', "1 matches")
    for words in told:
        assert words in said, said
