"""`companion sheet markers`: printable corner markers for `calibrate --markers`, true to size."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion.errors import InputError
from companion.files import write_whole
from companion.marker_sheet import marker_sheet
from companion.pdf import PAPERS
from companion.stills import grid_profile

SMALLEST, LARGEST = 10.0, 36.0


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("sheet", help="print things to cut out")
    parser.add_argument("what", metavar="markers", choices=("markers",), help="corner markers for calibrate --markers")
    parser.add_argument("--paper", default="A4", help=f"{' or '.join(PAPERS)} (default: %(default)s)")
    parser.add_argument("--size", type=float, default=24.0, help="millimetres of a marker's black square (24)")
    parser.add_argument("--lanes", type=int, default=3, help="lanes of the grid (3)")
    parser.add_argument("--rows", type=int, default=5, help="rows of the grid (5)")
    parser.add_argument("-o", "--output", required=True, metavar="FILE.pdf", help="the PDF to write")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    paper = next((name for name in PAPERS if name.lower() == args.paper.lower()), None)
    if paper is None:
        raise InputError(f"--paper: {args.paper!r} is not {' or '.join(PAPERS)}")
    if not SMALLEST <= args.size <= LARGEST:
        raise InputError(f"--size: {args.size:g} is not between {SMALLEST:g} and {LARGEST:g} millimetres")
    grid = grid_profile(args.lanes, args.rows).grid
    path = Path(args.output)
    write_whole(path, marker_sheet(paper, args.size, grid))
    print(f"{path}: markers of {args.size:g} mm on {paper}; print at 100 % and measure the rulers")
    return 0
