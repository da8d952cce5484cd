"""`companion pin`: the PIN that lets further devices in (companion.pairing)."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion.errors import InputError
from companion.files import default_data
from companion.pairing import read_pin


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("pin", help="the PIN that lets a further tablet or phone keep the score")
    parser.add_argument("--data", type=Path, metavar="DIR", help="the data folder that `run` was given")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    data = args.data or default_data()
    pin = read_pin(data)
    if pin is None:
        raise InputError(f"data folder {data}: has no PIN yet; it is made when `companion run` begins")
    print(pin)
    return 0
