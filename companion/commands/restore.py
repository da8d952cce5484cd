"""`companion restore`: a backup in place of what is there, which is kept aside."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion.files import default_data


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("restore", help="put a backup back; what is there is kept aside")
    parser.add_argument("file", metavar="FILE", type=Path, help="what `companion backup` wrote")
    parser.add_argument("--data", type=Path, metavar="DIR", help="the data folder (default: that of `companion run`)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from companion.restoring import restore

    found = restore(args.file, args.data or default_data())
    print(f"Restored: {found.contents.words()}, as they were on {found.contents.made[:10]}.")
    if found.aside is not None:
        print(f"What was there before is kept in {found.aside}.")
    return 0
