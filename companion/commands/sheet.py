"""`companion sheet markers|wiring`: corner markers for `calibrate --markers`, or the beams' wiring on one page."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion.config import load_table
from companion.errors import InputError
from companion.files import write_whole
from companion.games import GAMES, piece_names
from companion.marker_sheet import marker_sheet
from companion.pdf import PAPERS
from companion.piece_sheet import piece_sheet
from companion.stills import grid_profile
from companion.wiring_sheet import MOST, USUAL, wiring_sheet

SMALLEST, LARGEST = 10.0, 36.0
USUAL_SIZE = 24.0
PIECES_SIZE = 18.0


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("sheet", help="print corner markers to cut out, or the wiring of the beams")
    parser.add_argument("what", metavar="markers|wiring", choices=("markers", "wiring"), help="which sheet")
    parser.add_argument(
        "--game", default="rematch", choices=GAMES, help="markers: for the pieces of this game (default: %(default)s)"
    )
    parser.add_argument(
        "--corners", action="store_true", help="markers: with --game react the four tiles round the field of zones"
    )
    parser.add_argument("--paper", default="A4", help=f"{' or '.join(PAPERS)} (default: %(default)s)")
    parser.add_argument(
        "--size",
        type=float,
        default=None,
        help=f"markers: mm of the black square ({USUAL_SIZE:g}, pieces {PIECES_SIZE:g})",
    )
    parser.add_argument("--lanes", type=int, default=None, help="markers: lanes of the grid (3)")
    parser.add_argument("--rows", type=int, default=None, help="markers: rows of the grid (5)")
    parser.add_argument(
        "--table", metavar="T.toml", default=None, help="wiring: the table file whose pins are drawn (else the usual)"
    )
    parser.add_argument("-o", "--output", required=True, metavar="FILE.pdf", help="the PDF to write")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    paper = next((name for name in PAPERS if name.lower() == args.paper.lower()), None)
    if paper is None:
        raise InputError(f"--paper: {args.paper!r} is not {' or '.join(PAPERS)}")
    path = Path(args.output)
    if args.what == "wiring":
        return _wiring(args, paper, path)
    if args.corners and args.game != "react":
        raise InputError("sheet: --corners goes with --game react; the tray's markers are those of its corners")
    if args.table is not None:
        raise InputError("sheet: --table goes with wiring; markers are the same for every table")
    if args.game != "rematch" and not args.corners:
        return _pieces(args, paper, path)
    size = args.size if args.size is not None else USUAL_SIZE
    if not SMALLEST <= size <= LARGEST:
        raise InputError(f"--size: {size:g} is not between {SMALLEST:g} and {LARGEST:g} millimetres")
    if args.corners:
        _no_tray(args)
        grid = None
    else:
        grid = grid_profile(args.lanes if args.lanes is not None else 3, args.rows if args.rows is not None else 5).grid
    write_whole(path, marker_sheet(paper, size, grid))
    print(f"{path}: markers of {size:g} mm on {paper}; print at 100 % and measure the rulers")
    return 0


def _no_tray(args: argparse.Namespace) -> None:
    if args.lanes is not None or args.rows is not None:
        raise InputError("sheet: --lanes and --rows go with the markers of a tray")


def _pieces(args: argparse.Namespace, paper: str, path: Path) -> int:
    _no_tray(args)
    names = piece_names(args.game)
    if not names:
        raise InputError(f"sheet: the game {args.game} has no pieces that a camera reads")
    size = args.size if args.size is not None else PIECES_SIZE
    if not SMALLEST <= size <= LARGEST:
        raise InputError(f"--size: {size:g} is not between {SMALLEST:g} and {LARGEST:g} millimetres")
    try:
        sheet = piece_sheet(paper, size, names, f"Piece markers for the table companion ({args.game})")
    except ValueError as error:
        raise InputError(f"--size: {error}") from None
    write_whole(path, sheet)
    print(f"{path}: {len(names)} markers of {size:g} mm on {paper}; print at 100 %")
    return 0


def _wiring(args: argparse.Namespace, paper: str, path: Path) -> int:
    if args.size is not None or args.lanes is not None or args.rows is not None:
        raise InputError("sheet: --size, --lanes and --rows go with markers; the pins come from --table")
    sensors, extras = USUAL, {}
    if args.table is not None:
        table = load_table(args.table)
        found, extras = table.sensors, dict(table.extras)
        if found is None:
            raise InputError(f"{args.table}: has no [sensors]; leave out --table for the usual pins")
        if len(found.pins) > MOST:
            raise InputError(f"{args.table}: names {len(found.pins)} lanes; the page has room for {MOST}")
        sensors = found
    write_whole(path, wiring_sheet(paper, sensors, Path(args.table).name if args.table is not None else None, extras))
    lanes = [f"lane {lane} BCM {bcm}" for lane, bcm in sensors.pins.items()]
    pins = ", ".join([*lanes, *(f"{name} BCM {bcm}" for name, bcm in extras.items())])
    print(f"{path}: {pins}; on {paper}")
    return 0
