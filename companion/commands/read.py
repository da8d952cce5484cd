"""`companion read`: one still, with a table file or cold (DESIGN §6)."""

from __future__ import annotations

import argparse
import json
from typing import Any

from companion.config import load_table
from companion.errors import InputError
from companion.stills import calibrated_eye, grid_profile, quad, read_bytes, reading_json, reading_text
from vision.calibration import VisionError
from vision.cold import read_cold
from vision.picture import check_content, decode


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("read", help="read one still")
    parser.add_argument("image", metavar="IMAGE", help="a JPEG or PNG")
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--table", metavar="T.toml", help="the table file that `calibrate` wrote")
    how.add_argument("--corners", help='cold: "x,y x,y x,y x,y": centres of the corner cells, as for calibrate')
    parser.add_argument("--lanes", type=int, default=None, help="cold: lanes of the grid (3)")
    parser.add_argument("--rows", type=int, default=None, help="cold: rows of the grid (5)")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if args.table is not None:
        if args.lanes is not None or args.rows is not None:
            raise InputError("read: --lanes and --rows go with --corners; a table file has its own grid")
        table = load_table(args.table)
        data = read_bytes(args.image)
        eye = calibrated_eye(table, args.table)
    else:
        profile = grid_profile(args.lanes if args.lanes is not None else 3, args.rows if args.rows is not None else 5)
        corners = quad(args.corners, "--corners")
        data = read_bytes(args.image)
    try:
        image = decode(data)
        check_content(image)
        if args.table is not None:
            reading, grid = eye.read(image), eye.grid
        else:
            reading, grid = read_cold(image, corners, profile), profile.grid
    except VisionError as error:
        raise InputError(f"{args.image}: {error}") from error
    print(json.dumps(reading_json(reading)) if args.json else reading_text(reading, grid))
    return 0
