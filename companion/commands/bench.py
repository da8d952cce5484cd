"""`companion bench`: what a frame costs in the whole pipeline, beside the usual way (DESIGN §6)."""

from __future__ import annotations

import argparse
import json
from typing import Any

from companion.errors import InputError


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("bench", help="time a frame of the whole pipeline, beside the usual way")
    parser.add_argument("clip", metavar="CLIP", help="a video file, or a folder of frames")
    parser.add_argument("--table", required=True, metavar="T.toml", help="the table file that `calibrate` wrote")
    parser.add_argument("--scale", type=int, default=1, metavar="N", help="enlarge each frame so many times first (1)")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from companion.benchmark import LARGEST_SCALE, RUNS, bench
    from companion.clips import open_clip
    from companion.config import load_table
    from companion.stills import calibrated, grid_profile
    from hardware.camera import CameraError
    from vision.calibration import Calibration, VisionError
    from vision.eye import Eye

    if not 1 <= args.scale <= LARGEST_SCALE:
        raise InputError(f"--scale: {args.scale} is not between 1 and {LARGEST_SCALE}")
    calibration = calibrated(load_table(args.table), args.table)

    def make_eye(enlarged: Calibration) -> Eye:
        try:
            return Eye(enlarged, grid_profile(enlarged.grid.lanes, enlarged.grid.rows))
        except VisionError as error:
            raise InputError(f"{args.table}: calibration: {error}") from error

    try:
        figures = bench(lambda: open_clip(args.clip), make_eye, calibration, args.scale)
    except CameraError as error:
        raise InputError(str(error)) from error
    if args.json:
        print(json.dumps(figures.to_json()))
        return 0
    print(
        f"{figures.frames} frames: {figures.ms_p50:.2f} ms a frame (median), {figures.ms_p95:.2f} ms (95 %)\n"
        f"the usual way (HSV masks and Hough circles): {figures.usual_ms_p50:.1f} ms, "
        f"{figures.ratio:.1f} times as long\n(of each frame the least of {RUNS} runs)"
    )
    return 0
