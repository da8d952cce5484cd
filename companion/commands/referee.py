"""`companion referee`: the rules core over JSON lines, one command a line in, one reply a line out (DESIGN §7)."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

from companion.boards import load_boards
from companion.command_line import MOST_BYTES
from companion.games import GAMES, game
from companion.log import MemoryLog
from companion.session import Session


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("referee", help="the rules over JSON lines: commands on stdin, replies on stdout")
    parser.add_argument("--game", default="rematch", choices=GAMES, help="whose rules (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help=argparse.SUPPRESS)  # it speaks nothing else
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    serve(Session(game(args.game, load_boards(None)), MemoryLog()), sys.stdin.buffer, sys.stdout.buffer)
    return 0


def serve(session: Session, lines: BinaryIO, replies: BinaryIO) -> None:
    """Answer every line until the end of `lines`."""
    for line in _lines(lines):
        body = session.submit_line(line).body
        replies.write(json.dumps(body, separators=(",", ":"), allow_nan=False).encode() + b"\n")
        replies.flush()


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Lines without their end; of one that is too long only so much that it is seen to be, however long it is."""
    while line := stream.readline(MOST_BYTES + 2):
        rest = line
        while not rest.endswith(b"\n") and (rest := stream.readline(MOST_BYTES)):
            pass
        yield line.removesuffix(b"\n").removesuffix(b"\r")
