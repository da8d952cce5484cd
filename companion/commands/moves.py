"""`companion moves`: every legal clear of a player, one for each distinct set of cells (DESIGN §6)."""

from __future__ import annotations

import argparse
import json
from typing import Any

from companion import arguments
from companion.commands.judge import describe
from companion.rules.rematch.chains import moves


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("moves", help="every legal clear of a player")
    parser.add_argument("tray", metavar="TRAY", help="lanes a/b/c from row 1 to 5, as RYBRY/YBRBY/BRYBR")
    parser.add_argument("--player", required=True, help="A or B")
    parser.add_argument("--broken", default="", help="the player's broken buttons, as RB")
    parser.add_argument("--json", action="store_true", help="print one JSON list")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    player = arguments.player(args.player)
    clears = moves(arguments.tray(args.tray), player, arguments.broken(args.broken))
    if args.json:
        print(
            json.dumps(
                [
                    {"attack": c.attack, "cells": list(c.cells), "chain": list(c.chain), "heals": dict(c.heals)}
                    for c in clears
                ]
            )
        )
        return 0
    if not clears:
        print(f"Player {player} has no legal clear.")
    for clear in clears:
        print(describe(clear.attack, clear.chain, clear.heals))
    return 0
