"""What became of the files: ends that were none, and what was damaged and set aside."""

from __future__ import annotations

from pathlib import Path

from companion.custody import set_aside_files
from companion.doctor.finding import Finding
from companion.starts import Counts, read_counts


def kept(data: Path) -> Finding:
    counts = read_counts(data) or Counts()
    aside = [path.name for path in set_aside_files(data)]
    detail = {
        "starts": counts.starts,
        "power_cuts": counts.power_cuts,
        "crashes": counts.crashes,
        "set_aside": aside,
    }
    if aside:
        text = f"{data}: damaged and set aside: {', '.join(aside)}."
        fix = "Look at the card (doctor's disk); keep a backup: companion backup table.zip. Delete what nobody needs."
        return Finding("kept", "warn", text, fix, detail)
    if not counts.starts:
        return Finding("kept", "absent", f"{data}: no companion has run with it yet.", detail=detail)
    ends = f"{counts.unsafe} of {counts.starts} starts followed no shutdown"
    text = f"{data}: {ends} ({counts.power_cuts} times the power was cut); nothing is damaged."
    return Finding("kept", "ok", text, detail=detail)
