"""`companion evaluate`: accuracy over a folder of stills, clips or photographs with their truth (DESIGN §6)."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from companion.errors import InputError
from companion.evaluation import (
    Scored,
    by_condition,
    evaluate_photos,
    evaluate_table,
    load_truth,
    reliability,
    reliability_text,
    table_text,
    tables,
    total,
)
from companion.mistakes import write_clip, write_stills
from companion.scoring import score_clip, table


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("evaluate", help="accuracy over a folder of footage with its truth")
    parser.add_argument("folder", metavar="FOLDER", help="stills and clips with truth; one table, one clip")
    parser.add_argument("--mistakes", metavar="DIR", help="write a picture of every mistake there, and list them")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    folder = Path(args.folder)
    stills = {Path(name).name: evaluate_table(found) for name, found in tables(folder).items()}
    clips: list[Path] = []
    for path in sorted(folder.rglob("truth.json")):
        truth = load_truth(path)
        if isinstance(truth, dict) and "images" in truth:
            stills[path.parent.name] = evaluate_photos(path)
        else:
            clips.append(path.parent)
    if not stills and not clips:
        raise InputError(f"{folder}: holds no stills with truth (NAME.jpg with NAME.json) and no clips (truth.json)")
    every: list[Scored] = [one for scored in stills.values() for one in scored]
    rows = {name: total(scored) for name, scored in stills.items()}
    ways = {"with drops": True, "camera alone": False} if clips else {}
    scores = {way: [score_clip(clip, drops) for clip in clips] for way, drops in ways.items()}
    if args.mistakes is not None:
        write_stills(Path(args.mistakes), every)
        for way, found in scores.items():
            for clip, score in zip(clips, found, strict=True):
                write_clip(
                    Path(args.mistakes) / way.replace(" ", "-"), clip / load_truth(clip / "truth.json")["clip"], score
                )
    whole, conditions = total(every), by_condition(every)
    if args.json:
        told = {
            "tables": {name: asdict(figures) for name, figures in rows.items()},
            "conditions": {name: asdict(figures) for name, figures in conditions.items()},
            "all": asdict(whole),
            "reliability": reliability(whole),
            "clips": {way: {**table(found), "each": [asdict(one) for one in found]} for way, found in scores.items()},
        }
        print(json.dumps(told))
        return 0
    if every:
        print(table_text(rows), reliability_text(whole), table_text(conditions, with_all=False), sep="\n\n")
    for way, found in scores.items():
        print(f"\nclips, {way}")
        for name, value in table(found).items():
            text = ", ".join(f"{key} {count}" for key, count in value.items()) if isinstance(value, dict) else value
            print(f"  {name:20} {text}")
    if args.mistakes is not None:
        print(*whole.mistakes, *(note for found in scores.values() for one in found for note in one.notes), sep="\n")
    return 0
