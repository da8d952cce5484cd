"""`companion judge`: is this set of cells one legal clear? (DESIGN §6)"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Any

from companion import arguments
from companion.errors import InputError
from companion.rules.rematch.chains import Clear, Verdict, attack_name, judge
from companion.rules.rematch.nearest import nearest
from companion.rules.rematch.tray import COLOUR_NAMES, check_cell


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("judge", help="is this set of cells one legal clear?")
    parser.add_argument("tray", metavar="TRAY", help="lanes a/b/c from row 1 to 5, as RYBRY/YBRBY/BRYBR")
    parser.add_argument("--player", required=True, help="A or B")
    parser.add_argument("--cells", required=True, help="the cells, as a1,a2,b2")
    parser.add_argument("--broken", default="", help="the player's broken buttons, as RB")
    parser.add_argument("--attack", help="the attack that was named, as R2")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    question = (
        arguments.tray(args.tray),
        arguments.player(args.player),
        cells_argument(args.cells),
        arguments.broken(args.broken),
        None if args.attack is None else arguments.attack(args.attack),
    )
    verdict = judge(*question)
    instead = () if verdict.legal else nearest(*question)
    print(json.dumps(_to_json(verdict, instead)) if args.json else _to_text(verdict, instead))
    return 0


def _to_json(verdict: Verdict, instead: Sequence[Clear]) -> dict[str, Any]:
    return {
        "legal": verdict.legal,
        "attack": verdict.attack,
        "chain": list(verdict.chain),
        "heals": dict(verdict.heals),
        "reasons": [reason.to_json() for reason in verdict.reasons],
        "nearest": [clear.to_json() for clear in instead],
    }


def _to_text(verdict: Verdict, instead: Sequence[Clear]) -> str:
    if verdict.legal and verdict.attack is not None:
        return " ".join(("Legal:", describe(verdict.attack, verdict.chain, verdict.heals)))
    lines = ["Not legal.", *(f"  {reason.text} ({reason.code})" for reason in verdict.reasons)]
    return "\n".join(lines + nearest_lines(instead))


def nearest_lines(instead: Sequence[Clear]) -> list[str]:
    """What could have been done in place of something illegal."""
    if not instead:
        return ["No clear at all is legal here."]
    return [
        "Legal and nearest to it:",
        *(f"  {describe(clear.attack, clear.chain, clear.heals)}" for clear in instead),
    ]


def describe(attack: str, chain: Sequence[str], heals: Mapping[str, int]) -> str:
    """One legal clear in one line."""
    return f"{attack_name(attack)} {describe_chain(chain, heals)}"


def describe_chain(chain: Sequence[str], heals: Mapping[str, int]) -> str:
    healing = "".join(f", heals {COLOUR_NAMES[colour]} {amount}" for colour, amount in heals.items())
    return f"{'-'.join(chain)}{healing}"


def cells_argument(text: str) -> tuple[str, ...]:
    cells = tuple(cell.strip() for cell in text.split(",") if cell.strip())
    if not cells:
        raise InputError("--cells: no cells are named")
    try:
        return tuple(check_cell(cell) for cell in cells)
    except ValueError as error:
        raise InputError(f"--cells: {error}") from None
