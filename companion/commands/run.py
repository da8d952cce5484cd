"""`companion run`: the companion itself, camera, sensors and page (DESIGN §6)."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path
from typing import Any

from companion.another import PlayAnother, begin_anew
from companion.errors import InputError
from companion.files import default_data
from companion.games import PLAYED


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("run", help="camera, sensors and the page")
    parser.add_argument("--table", type=Path, metavar="T.toml", help="the table file that `calibrate` wrote")
    parser.add_argument("--simulate", action="store_true", help="a simulated table in place of camera and sensors")
    parser.add_argument("--new-table", action="store_true", help="with --simulate: one that is not set up yet")
    # what ./deploy/run without arguments says: simulate only where no camera, no sensor and no table file is found
    parser.add_argument("--simulate-if-bare", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--open", action="store_true", help="no PIN: let every device on the network keep the score")
    parser.add_argument("--game", choices=PLAYED, help="whose match (default: what the table file says, else rematch)")
    parser.add_argument(
        "--camera", metavar="CLIP", help="a video file or a folder of pictures (10 a second) in place of the camera"
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="where log, settings and tokens live")
    parser.add_argument("--host", help="address to listen on (default: every network of this machine)")
    parser.add_argument("--port", type=int, default=8000, help="port, 0 = any free one (default: %(default)s)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    # imported late: the other commands need neither the page nor the camera
    from companion import application

    if args.new_table and not args.simulate:
        raise InputError("--new-table: only a simulated table (--simulate) begins anew like that")
    if args.camera is not None and args.simulate:
        raise InputError("--camera: a simulated table has its own")
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    settings = application.Settings(
        data=args.data or default_data(),
        host=args.host or "0.0.0.0",
        port=args.port,
        table=args.table,
        simulate=args.simulate,
        simulate_if_bare=args.simulate_if_bare,
        new_table=args.new_table,
        open=args.open,
        game=args.game,
        camera=args.camera,
    )
    try:
        return application.serve(settings, lambda text: print(text, flush=True))
    except PlayAnother as another:
        begin_anew(another.game, another.port)
