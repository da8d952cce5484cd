"""`companion evaluate`: accuracy over a folder of stills with their truth (DESIGN §6)."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from companion.evaluation import evaluate_table, table_text, tables


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("evaluate", help="accuracy over a folder of stills with their truth")
    parser.add_argument("folder", metavar="FOLDER", help="a folder with NAME.jpg and NAME.json, or of such folders")
    parser.add_argument("--mistakes", action="store_true", help="list every cell and fan that is not right")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    rows = {Path(name).name: evaluate_table(stills) for name, stills in tables(Path(args.folder)).items()}
    if args.json:
        print(json.dumps({name: asdict(figures) for name, figures in rows.items()}))
        return 0
    print(table_text(rows))
    if args.mistakes:
        for figures in rows.values():
            for line in figures.mistakes:
                print(line)
    return 0
