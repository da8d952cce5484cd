"""`companion doctor`: camera, pins, packages, disk, clock, address: each with its one fix (DESIGN §6)."""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path

from companion.errors import InputError
from companion.files import default_data

SIGNS = {"ok": "ok    ", "absent": "none  ", "warn": "look  ", "bad": "WRONG "}


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("doctor", help="what this machine has for the table, each finding with its fix")
    parser.add_argument("--table", type=Path, metavar="T.toml", help="the table file (default: the data folder's)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="the data folder")
    parser.add_argument("--seconds", type=float, default=2.0, help="so long beams are counted (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="the page's port (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if not (math.isfinite(args.seconds) and 0 <= args.seconds <= 3600):
        raise InputError(f"--seconds: {args.seconds:g} is not between 0 and 3600")
    from companion.doctor.checkup import checkup

    data = args.data or default_data()
    findings = []
    for finding in checkup(data, args.table, args.seconds, args.port):
        findings.append(finding)
        if not args.json:
            print(f"{SIGNS[finding.state]} {finding.check}: {finding.text}", flush=True)
            if finding.fix:
                print(f"        → {finding.fix}", flush=True)
            if "code" in finding.detail:
                print(finding.detail["code"])
    wrong = sum(finding.state == "bad" for finding in findings)
    if args.json:
        print(json.dumps({"ok": not wrong, "findings": [finding.to_json() for finding in findings]}, default=str))
    else:
        print(f"{wrong} wrong." if wrong else "Nothing is wrong.")
    return 0
