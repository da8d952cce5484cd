"""`companion calibrate`: one picture, its corners and a known tray make a table file (DESIGN §6)."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.config import TableFile, load_table, save_table
from companion.errors import InputError
from companion.stills import grid_profile, quad, read_bytes
from vision.auto import calibrate_auto
from vision.calibrate import calibrate, fit_words
from vision.calibration import Quad, VisionError
from vision.markers import corners_by_markers
from vision.picture import check_content, decode
from vision.profile import Profile


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("calibrate", help="teach the companion one table from a picture")
    parser.add_argument("image", metavar="IMAGE", help="a JPEG or PNG of the table with a full tray")
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--auto", action="store_true", help="find the tray in the picture; refused when unsure")
    how.add_argument("--markers", action="store_true", help="the corners from the four printed markers (sheet markers)")
    how.add_argument("--corners", help='"x,y x,y x,y x,y": centres of the marbles in a1, c1, c5, a5 (pixels)')
    parser.add_argument("--tray", required=True, help="what lies in it, such as RYBRY/YBRBY/BRYBR")
    parser.add_argument(
        "--stage", help="corners of the stage board, clockwise, the first two A's and B's on the tower's side"
    )
    parser.add_argument("--lanes", type=int, default=3, help="lanes of the grid (3)")
    parser.add_argument("--rows", type=int, default=5, help="rows of the grid (5)")
    parser.add_argument("-o", "--output", required=True, metavar="T.toml", help="the table file to write")
    parser.add_argument("--json", action="store_true", help="say the fit as JSON")
    parser.set_defaults(run=run)


def by_markers(data: bytes, profile: Profile) -> Quad:
    image = decode(data)
    check_content(image)
    return corners_by_markers(image, profile.grid)


def run(args: argparse.Namespace) -> int:
    profile = grid_profile(args.lanes, args.rows)
    corners = quad(args.corners, "--corners") if args.corners is not None else None
    stage = quad(args.stage, "--stage") if args.stage is not None else None
    data = read_bytes(args.image)
    try:
        if args.auto:
            calibration = calibrate_auto(data, args.tray, stage, profile)
        else:
            calibration = calibrate(data, corners or by_markers(data, profile), args.tray, stage, profile)
        fit = fit_words(calibration, profile)
    except VisionError as error:
        raise InputError(f"{args.image}: {error}") from error
    path = Path(args.output)
    # a table that is calibrated anew keeps its sensors and camera; a file that is something else is not overwritten
    table = load_table(path) if path.exists() and path.is_file() and path.stat().st_size else TableFile()
    save_table(path, replace(table, calibration=calibration))
    print(json.dumps(fit.to_json()) if args.json else f"{path}: {fit.text}")
    return 0
