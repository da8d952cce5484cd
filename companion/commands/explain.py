"""`companion explain`: what was pulled, from the tray before and after and the drops (DESIGN §6)."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from typing import Any

from companion.arguments import attack, broken, player, tray
from companion.commands.judge import nearest_lines
from companion.errors import InputError
from companion.rules.rematch.chains import Clear
from companion.rules.rematch.evidence import Explanation, explain
from companion.rules.rematch.nearest import nearest
from companion.rules.rematch.tray import LANES, ROWS


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
    before, acting, lost = tray(args.before, "BEFORE"), player(args.player), broken(args.broken)
    after = tray(args.after, "AFTER")
    counted = None if args.drops is None else drops(args.drops)
    declared = None if args.attack is None else attack(args.attack)
    found = explain(before, after, acting, lost, counted, declared)
    instead: Sequence[Clear] = ()
    if found.verdict == "illegal":
        instead = nearest(before, acting, found.cells, lost, declared)
    print(json.dumps(_to_json(found, instead)) if args.json else as_text(found, instead))
    return 0


def drops(text: str) -> dict[str, int]:
    """`a=1,b=0` as a mapping; InputError names the lane and what was expected."""
    counted: dict[str, int] = {}
    for part in text.split(","):
        lane, equals, number = (piece.strip() for piece in part.partition("="))
        if not equals or not lane:
            raise InputError(f"--drops: {part.strip()!r} where LANE=NUMBER is needed, as a=1")
        if len(lane) != 1 or lane not in LANES:
            raise InputError(f"--drops: there is no lane {lane!r}: lanes are {', '.join(LANES)}")
        if lane in counted:
            raise InputError(f"--drops: lane {lane} is given twice")
        if not re.fullmatch(f"0?[0-{ROWS}]", number):
            raise InputError(f"--drops: {number!r} in lane {lane} where a whole number from 0 to {ROWS} is needed")
        counted[lane] = int(number)
    return counted


def _to_json(found: Explanation, instead: Sequence[Clear]) -> dict[str, Any]:
    return {**found.to_json(), "nearest": [clear.to_json() for clear in instead]}


def as_text(found: Explanation, instead: Sequence[Clear]) -> str:
    lines = [f"{found.verdict}: {' '.join(found.cells)} {found.attack or ''}".strip(" :")]
    lines += [f"  {reason.text}" for reason in found.reasons]
    if len(found.readings) > 1:
        lines.append(f"  {len(found.readings)} sets of cells explain it:")
        lines += [f"    {' '.join(r.cells)}  {r.attack or 'not legal'}" for r in found.readings[:10]]
    if found.verdict == "illegal":
        lines += nearest_lines(instead)
    return "\n".join(lines)
