"""`companion referee`: the rules core over JSON lines, one command a line in, one reply a line out (DESIGN §7)."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

from companion.boards import load_boards
from companion.command_line import MOST_BYTES
from companion.games import GAMES, game, manual
from companion.log import MemoryLog
from companion.rules.manual import as_text
from companion.session import Session


def add(subparsers: Any) -> None:
    about = "the rules over JSON lines: commands on stdin, replies on stdout"
    # its own help: which commands there are depends on the game
    parser = subparsers.add_parser("referee", help=about, description=_ABOUT, add_help=False)
    parser.add_argument("-h", "--help", dest="manual", action="store_true", help="this, with the game's commands")
    parser.add_argument("--game", default="rematch", choices=GAMES, help="whose rules (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help=argparse.SUPPRESS)  # it speaks nothing else
    parser.set_defaults(run=run, usage=parser.format_help)


_ABOUT = """One JSON object a line in, {"do": NAME, ...}; one a line out: {"ok": true, "events": [...], "state": {...}}
or {"ok": false, "error": {"code", "text", "cells"}, "state": {...}}. A refused command changes nothing."""


def run(args: argparse.Namespace) -> int:
    if args.manual:
        print(f"{args.usage()}\nThe game {args.game}.\n\n{as_text(manual(args.game))}".rstrip())
        return 0
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
