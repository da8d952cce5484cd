"""`companion explain`: what was pulled, from the tray before and after and the drops (DESIGN §6)."""

from __future__ import annotations

import argparse
import json
from typing import Any

from companion.arguments import attack, broken, player, tray
from companion.errors import InputError
from companion.rules.rematch.evidence import Explanation, explain


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("explain", help="what was pulled between two trays?")
    parser.add_argument("before", metavar="BEFORE", help="tray text before the turn, such as RYBRY/YBRBY/BRYBR")
    parser.add_argument("after", metavar="AFTER", help="tray text after it")
    parser.add_argument("--player", required=True, help="A or B")
    parser.add_argument("--broken", default="", help="that player's broken buttons, such as RB")
    parser.add_argument(
        "--drops", help="marbles dropped into each lane, such as a=1,b=0,c=2; a lane left out: not known"
    )
    parser.add_argument("--attack", help="the declared attack, such as R2")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    try:
        found = explain(
            tray(args.before, "BEFORE"),
            tray(args.after, "AFTER"),
            player(args.player),
            broken(args.broken),
            None if args.drops is None else drops(args.drops),
            None if args.attack is None else attack(args.attack),
        )
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"--{error}") from error
    print(json.dumps(found.to_json()) if args.json else as_text(found))
    return 0


def drops(text: str) -> dict[str, int]:
    """`a=1,b=0` as a mapping."""
    counted: dict[str, int] = {}
    for part in text.split(","):
        lane, equals, number = (piece.strip() for piece in part.partition("="))
        if not equals or not lane:
            raise InputError(f"--drops: {part!r} is not LANE=NUMBER, such as a=1")
        if lane in counted:
            raise InputError(f"--drops: lane {lane} is given twice")
        if not number.removeprefix("-").isdecimal():
            raise InputError(f"--drops: {number!r} in lane {lane} is not a number of marbles")
        counted[lane] = int(number)
    return counted


def as_text(found: Explanation) -> str:
    lines = [f"{found.verdict}: {' '.join(found.cells)} {found.attack or ''}".strip(" :")]
    lines += [f"  {reason.text}" for reason in found.reasons]
    if len(found.readings) > 1:
        lines.append(f"  {len(found.readings)} sets of cells explain it:")
        lines += [f"    {' '.join(r.cells)}  {r.attack or 'not legal'}" for r in found.readings[:10]]
    return "\n".join(lines)
