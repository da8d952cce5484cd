"""`companion pin`: the PIN that lets further devices in (companion.pairing)."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion.errors import InputError
from companion.files import default_data
from companion.own_wifi.settings import installed, page
from companion.pairing import read_pin


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("pin", help="the PIN that lets a further tablet or phone keep the score")
    parser.add_argument("--data", type=Path, metavar="DIR", help="the data folder that `run` was given")
    parser.add_argument("--port", type=int, default=8000, help="the page's port (default: %(default)s)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    data = args.data or default_data()
    pin = read_pin(data)
    if pin is None:
        raise InputError(f"data folder {data}: has no PIN yet; it is made when `companion run` begins")
    print(pin)
    if (wifi := installed()) is not None:
        from companion.qr import as_text

        print(f"Where no network is known, join the table's own Wi-Fi: {wifi.name}, password {wifi.password}")
        print(as_text(wifi.join_code()))
        address = page(args.port)
        print(f"and open the page: {address}")
        print(as_text(f"{address}#pin={pin}"))
    return 0
