"""`companion calibrate`: one picture, its corners and a known tray make a table file (DESIGN §6)."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.config import TableFile, load_table, save_table
from companion.errors import InputError
from companion.field_file import FieldFile, number, stars_on
from companion.stills import grid_profile, quad, read_bytes
from vision.auto import calibrate_auto
from vision.board_gaze import BoardEye
from vision.calibrate import calibrate, fit_words
from vision.calibration import Quad, VisionError
from vision.markers import corners_by_markers, field_by_markers
from vision.picture import check_content, decode
from vision.pieces import ZoneReader
from vision.profile import Profile


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("calibrate", help="teach the companion one table from a picture")
    parser.add_argument("image", metavar="IMAGE", help="a JPEG or PNG of the table with a full tray")
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--auto", action="store_true", help="find the tray in the picture; refused when unsure")
    how.add_argument("--markers", action="store_true", help="the corners from the four printed markers (sheet markers)")
    how.add_argument("--corners", help='"x,y x,y x,y x,y": centres of the marbles in a1, c1, c5, a5 (pixels)')
    parser.add_argument("--tray", help="what lies in it, such as RYBRY/YBRBY/BRYBR")
    parser.add_argument(
        "--stage", help="corners of the stage board, clockwise, the first two A's and B's on the tower's side"
    )
    parser.add_argument("--lanes", type=int, default=3, help="lanes of the grid (3)")
    parser.add_argument("--rows", type=int, default=5, help="rows of the grid (5), or of the field")
    parser.add_argument(
        "--game",
        choices=("rematch", "react"),
        default="rematch",
        help="react: its board; --corners are then the field's, from player A's left round to B's side above it",
    )
    parser.add_argument("--columns", type=int, default=5, help="react: columns of the field (5)")
    parser.add_argument("--stars", help="react: player A's and B's starting zones, column,row: \"3,1 3,5\"")
    parser.add_argument(
        "--spaces", help="react: corners of the Masterpiece Zone: two at space 1's and 5's outer ends, two back again"
    )
    parser.add_argument("-o", "--output", required=True, metavar="T.toml", help="the table file to write")
    parser.add_argument("--json", action="store_true", help="say the fit as JSON")
    parser.set_defaults(run=run)


def by_markers(data: bytes, profile: Profile) -> Quad:
    image = decode(data)
    check_content(image)
    return corners_by_markers(image, profile.grid)


def run(args: argparse.Namespace) -> int:
    if args.game == "react":
        return _board(args)
    if args.tray is None:
        raise InputError("calibrate: --tray is needed: what lies in the tray, such as RYBRY/YBRBY/BRYBR")
    if args.stars is not None or args.spaces is not None:
        raise InputError("calibrate: --stars and --spaces go with --game react")
    profile = grid_profile(args.lanes, args.rows)
    corners = _given(args, "corners")
    stage = _given(args, "stage")
    data = read_bytes(args.image)
    path = Path(args.output)
    kept = _kept(path)
    try:
        if args.auto:
            calibration = calibrate_auto(data, args.tray, stage, profile)
        else:
            calibration = calibrate(data, corners or by_markers(data, profile), args.tray, stage, profile)
        fit = fit_words(calibration, profile)
    except VisionError as error:
        raise InputError(f"{args.image}: {error}") from error
    save_table(path, replace(kept, calibration=calibration))
    print(json.dumps(fit.to_json()) if args.json else f"{path}: {fit.text}")
    return 0


def _given(args: argparse.Namespace, name: str) -> Quad | None:
    text = getattr(args, name)
    return None if text is None else quad(text, f"--{name}")


def _kept(path: Path) -> TableFile:
    """A table calibrated anew keeps its sensors and camera; a file that is something else is not overwritten.

    Asked before the picture is looked at, which takes seconds: a wrong place is told at once.
    """
    if path.is_dir():
        raise InputError(f"cannot write {path}: Is a directory")
    if not path.parent.is_dir():
        raise InputError(f"cannot write {path}: there is no folder {path.parent}")
    return load_table(path) if path.exists() and path.is_file() and path.stat().st_size else TableFile()


def _board(args: argparse.Namespace) -> int:
    if args.auto or args.tray is not None or args.stage is not None:
        raise InputError("calibrate: --auto, --tray and --stage are Re;MATCH's; a board has --corners or --markers")
    columns, rows = (number(f"--{name}", getattr(args, name)) for name in ("columns", "rows"))
    if args.stars is None:
        raise InputError(
            'calibrate: --stars is needed: a board has two, each player\'s starting zone, such as "3,1 3,5"'
        )
    stars = stars_on(columns, rows, args.stars.split(), "--stars")
    spaces = _given(args, "spaces")
    corners = _given(args, "corners")
    data = read_bytes(args.image)
    path = Path(args.output)
    kept = _kept(path)
    try:
        image = decode(data)
        check_content(image)
        field = FieldFile(columns, rows, stars, image.shape[1::-1], corners or field_by_markers(image), spaces, data)
        eye = BoardEye(field.calibration())
        pieces = ZoneReader(eye.areas, field.size).read(image)
    except VisionError as error:
        raise InputError(f"{args.image}: {error}") from error
    save_table(path, replace(kept, game="react", field=field))
    told = {
        "columns": columns,
        "rows": rows,
        "corners": [list(point) for point in field.corners],
        "pieces": len(pieces),
    }
    text = f"{path}: a field of {columns} × {rows} zones; {len(pieces)} markers of pieces are read in the picture"
    print(json.dumps(told) if args.json else text)
    return 0
