"""`companion moves`: every legal clear of a player, one for each distinct set of cells (DESIGN §6)."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from companion import arguments
from companion.commands.judge import describe_chain
from companion.rules.rematch.chains import Clear, attack_name, moves


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("moves", help="every legal clear of a player")
    parser.add_argument("tray", metavar="TRAY", help="lanes a/b/c from row 1 to 5, as RYBRY/YBRBY/BRYBR")
    parser.add_argument("--player", required=True, help="A or B")
    parser.add_argument("--broken", default="", help="the player's broken buttons, as RB")
    parser.add_argument("--attack", help="only the clears of this attack, as R2")
    parser.add_argument("--json", action="store_true", help="print one JSON list")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    player = arguments.player(args.player)
    attack = None if args.attack is None else arguments.attack(args.attack)
    clears = moves(arguments.tray(args.tray), player, arguments.broken(args.broken))
    if attack is not None:
        clears = tuple(clear for clear in clears if clear.attack == attack)
    print(json.dumps([clear.to_json() for clear in clears]) if args.json else _to_text(clears, player, attack))
    return 0


def _to_text(clears: Sequence[Clear], player: str, attack: str | None) -> str:
    """The clears by attack, the attacks in the order of the board."""
    if not clears:
        return f"Player {player} has no legal {'clear' if attack is None else attack_name(attack)}."
    lines = []
    for name, group in groupby(clears, key=lambda clear: clear.attack):
        lines.append(attack_name(name))
        lines += [f"  {describe_chain(clear.chain, clear.heals)}" for clear in group]
    return "\n".join(lines)
