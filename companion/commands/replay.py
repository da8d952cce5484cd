"""`companion replay`: a recorded clip through the same pipeline as the camera (DESIGN §6)."""

from __future__ import annotations

import argparse
from typing import Any

from companion.errors import InputError


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("replay", help="run a recorded clip through the pipeline")
    parser.add_argument("clip", metavar="CLIP", help="a video file, or a folder of frames (10 frames/s)")
    parser.add_argument("--table", required=True, metavar="T.toml", help="the table file that `calibrate` wrote")
    parser.add_argument(
        "--drops", metavar="EDGES.csv", help="beam edges t_ns,lane,blocked; 0 is the clip's first frame"
    )
    parser.add_argument("--player", default="A", help="whose turn it is at the start: A or B")
    parser.add_argument("--broken", default="", help="that player's broken buttons, such as RB")
    parser.add_argument("--json", action="store_true", help="accepted for symmetry: the output is always JSON lines")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    raise InputError("replay: not there yet")
