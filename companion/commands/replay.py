"""`companion replay`: a recorded clip through the same pipeline as the camera (DESIGN §6)."""

from __future__ import annotations

import argparse
import json
from typing import Any

from companion import arguments
from companion.clips import open_clip
from companion.config import load_table
from companion.errors import InputError
from companion.replaying import replay
from companion.stills import calibrated_eye
from hardware.camera import CameraError
from hardware.counting import DropCounter
from hardware.edge_file import read_edges
from vision.gaze import Gaze


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("replay", help="run a recorded clip through the pipeline, one event a line")
    parser.add_argument("clip", metavar="CLIP", help="a video file, or a folder of frames (10 frames/s)")
    parser.add_argument("--table", required=True, metavar="T.toml", help="the table file that `calibrate` wrote")
    parser.add_argument(
        "--drops", metavar="EDGES.csv", help="beam edges t_ns,lane,blocked; 0 is the clip's first frame"
    )
    parser.add_argument("--player", default="A", help="whose turn it is at the start: A or B (default: %(default)s)")
    parser.add_argument("--broken", default="", help="that player's broken buttons, such as RB")
    parser.add_argument("--json", action="store_true", help=argparse.SUPPRESS)  # it prints nothing else
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    player = arguments.player(args.player)
    broken = arguments.broken(args.broken)
    table = load_table(args.table)
    edges, counter = [], None
    if args.drops is not None:
        try:
            edges = read_edges(args.drops)
        except ValueError as error:
            raise InputError(str(error)) from error
        counter = DropCounter(table.sensors.geometry) if table.sensors else DropCounter()
    try:
        camera = open_clip(args.clip)
    except CameraError as error:
        raise InputError(str(error)) from error
    try:
        gaze = Gaze(calibrated_eye(table, args.table))  # takes a second: after all that may be refused
        for event in replay(camera, gaze, counter, edges, player, broken):
            print(json.dumps(event), flush=True)
    except CameraError as error:
        raise InputError(str(error)) from error
    finally:
        camera.close()
    return 0
