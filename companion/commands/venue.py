"""`companion venue`: a page of all tables that tell one broker (docs/venue.md). It changes nothing at any table."""

from __future__ import annotations

import argparse
import logging
import os
from typing import Any

from companion.errors import InputError
from companion.venue.settings import EVENT, broker_address, check_name


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("venue", help="a page of all tables of a club or tournament")
    parser.add_argument("--broker", default="localhost", metavar="HOST[:PORT]", help="(default: %(default)s)")
    parser.add_argument("--event", default=EVENT, help="as in the tables' venue.toml (default: %(default)s)")
    parser.add_argument("--user", help="for a broker that asks; its password in COMPANION_BROKER_PASSWORD")
    parser.add_argument("--host", default="0.0.0.0", help="address to listen on (default: every network)")
    parser.add_argument("--port", type=int, default=8010, help="port, 0 = any free one (default: %(default)s)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    password = os.environ.get("COMPANION_BROKER_PASSWORD")
    if password is not None and args.user is None:
        raise InputError("venue: COMPANION_BROKER_PASSWORD needs --user")
    address = broker_address(args.broker, "--broker", args.user, password)
    check_name(args.event, "--event")
    # imported late: the other commands need no page
    from companion.venue.serving import serve

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    return serve(address, args.event, args.host, args.port, lambda text: print(text, flush=True))
