"""`companion backup`: everything of a table as one file, also while a match is played."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion.files import default_data


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("backup", help="matches, table file and settings as one file")
    parser.add_argument("file", metavar="FILE", type=Path, help="where to, e.g. table.zip")
    parser.add_argument("--data", type=Path, metavar="DIR", help="the data folder (default: that of `companion run`)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from companion.backup import write_backup

    contents = write_backup(args.data or default_data(), args.file)
    print(f"{args.file}: {contents.words()}, {args.file.stat().st_size / 2**20:.1f} MB.")
    if any(entry.name == "pairing.json" for entry in contents.entries):
        print("The table's PIN is in it: keep it where you would keep a key.")
    return 0
