"""`companion run`: the companion itself, camera, sensors and page (DESIGN §6)."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("run", help="camera, sensors and the page")
    parser.add_argument("--table", type=Path, metavar="T.toml", help="the table file that `calibrate` wrote")
    parser.add_argument("--simulate", action="store_true", help="a simulated table in place of camera and sensors")
    parser.add_argument("--open", action="store_true", help="no pairing of devices")
    parser.add_argument("--data", type=Path, metavar="DIR", help="where log, settings and tokens live")
    parser.add_argument("--host", default="0.0.0.0", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="port, 0 = any free one (default: %(default)s)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    raise NotImplementedError
