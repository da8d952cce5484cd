"""`companion count-drops EDGES.csv`: beam edges to drops (DESIGN §6)."""

from __future__ import annotations

import argparse
import dataclasses
import json

from companion.errors import InputError
from hardware.counting import LaneCount, count
from hardware.edge_file import read_edges


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("count-drops", help="beam edges to drops")
    parser.add_argument(
        "edges", metavar="EDGES.csv", help="t_ns,lane,blocked: a lane's first line is its level at the start"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    try:
        edges = read_edges(args.edges)
    except ValueError as error:
        raise InputError(str(error)) from None
    counts = count(edges)
    if args.json:
        print(json.dumps({lane: dataclasses.asdict(found) for lane, found in counts.items()}))
    elif not counts:
        print("no lane in this file")
    else:
        for lane, found in counts.items():
            print(_line(lane, found))
    return 0


def _line(lane: str, found: LaneCount) -> str:
    times = ", ".join(f"{t_ns / 1e9:.3f}" for t_ns in found.times_ns)
    words = [
        f"lane {lane}: {found.drops} {'drop' if found.drops == 1 else 'drops'}",
        "" if found.certain else "not certain",
    ]
    line = ", ".join(word for word in (*words, found.fault) if word) + (f" (at {times} s)" if times else "")
    return f"{line}; assumed: {found.assumes}" if found.assumes else line
