"""`companion matches`: the kept matches listed, written as text and taken from text (DESIGN §6, docs/match-text.md)."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from companion import match_text
from companion.boards import load_boards
from companion.errors import InputError
from companion.files import default_data, read_file, write_whole
from companion.games import game, notation
from companion.records import played, told
from companion.rules.core import Game
from companion.session import Session
from companion.shelf import LATEST, Shelf, Summary


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("matches", help="kept matches: list, export, import, check")
    commands = parser.add_subparsers(dest="matches", required=True, metavar="WHAT")

    every = commands.add_parser("list", help="every match that was played or imported")
    _data(every)
    every.add_argument("--json", action="store_true", help="print JSON")
    every.set_defaults(run=_list)

    export = commands.add_parser("export", help="a match as text, even while it is played")
    export.add_argument("match", metavar="NUMBER", nargs="?", default=LATEST, help="which (default: %(default)s)")
    export.add_argument("-o", "--output", metavar="FILE", type=Path, help="where to (default: standard output)")
    export.add_argument("--all", action="store_true", help="also what was refused or taken back, as comments")
    _data(export)
    export.set_defaults(run=_export)

    take = commands.add_parser("import", help="a text becomes a match of its own")
    _text(take)
    take.set_defaults(run=_import)

    check = commands.add_parser("check", help="is this text a match by the rules?")
    _text(check)
    check.set_defaults(run=_check)


def _data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, metavar="DIR", help="the data folder (default: that of `companion run`)")


def _text(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument("--recount", action="store_true", help="do not check the states and the result that it notes")
    _data(parser)


def _shelf(args: argparse.Namespace) -> Shelf:
    return Shelf((args.data or default_data()) / "matches", game("rematch"), notation("rematch"))


def _rules(name: str, data: Path | None) -> Game:
    """With the boards of the fighters that a text names without telling their boards."""
    return game(name, load_boards(data or default_data(), lambda text: print(text, file=sys.stderr)))


def _list(args: argparse.Namespace) -> int:
    shelf = _shelf(args)
    summaries = list(shelf.summaries())
    if args.json:
        print(json.dumps([summary.to_json() for summary in summaries]))
    elif not summaries:
        print(f"There are no matches in {shelf.folder} yet.")
    for summary in () if args.json else summaries:
        print(_row(summary))
    return 0


def _row(summary: Summary) -> str:
    if summary.error is not None:
        return f"{summary.kept.number:>4}  {summary.error}"
    state = summary.result or f"under way, {summary.turn}"
    more = "  (imported)" if summary.kept.imported else "  (run goes on with it)" if summary.resumed else ""
    return f"{summary.kept.number:>4}  {summary.date:<10}  {summary.players:<24}  {state}{more}"


def _export(args: argparse.Namespace) -> int:
    shelf = _shelf(args)
    kept = shelf.find(args.match)
    try:
        found = shelf.read(kept)
        text = match_text.write(found.records, found.game, found.notation, args.all)
    except InputError as error:
        raise InputError(f"match {kept.number}: {error}") from None
    if args.output is not None:
        write_whole(args.output, text.encode())
    else:
        # the same bytes whatever the terminal's encoding and line ends
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
    return 0


def _played(args: argparse.Namespace) -> tuple[str, str, Session]:
    data = read_file(args.file, "match", match_text.MOST_BYTES)
    return played(data, str(args.file), lambda name: _rules(name, args.data), args.recount)


def _check(args: argparse.Namespace) -> int:
    name, _, session = _played(args)
    print(f"{args.file}: {told(name, session)}")
    return 0


def _import(args: argparse.Namespace) -> int:
    name, date, session = _played(args)
    kept, other = _shelf(args).take(session, date)
    print(f"Imported as match {kept.number}: {told(name, session)}.")
    ended = notation(name).result(session.state_json or {}) is not None
    if not kept.imported:
        print("The next `companion run` goes on with it.")
    elif other is not None and not ended:
        print(
            f"`companion run` still goes on with match {other.number}, which is under way; to play this one on, "
            f"end match {other.number} and import it again."
        )
    return 0
