"""`companion fighters`: the attack boards of the fighters, checked, shown and shared (DESIGN §6, docs/fighters.md)."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.board_file import dump_boards, parse_boards, read_boards
from companion.board_template import template
from companion.boards import Kept, all_boards, find, import_boards
from companion.errors import InputError
from companion.files import default_data, write_whole
from companion.rules.rematch.chains import attack_name
from companion.rules.rematch.effect_words import effects_words, kicker_words
from companion.rules.rematch.fighters import Board, board_to_json


def add(subparsers: Any) -> None:
    parser = subparsers.add_parser("fighters", help="attack boards: check, list, show, export, import, template")
    commands = parser.add_subparsers(dest="fighters", required=True, metavar="WHAT")

    check = commands.add_parser("check", help="is this a board file, and what does it leave unknown?")
    check.add_argument("file", metavar="FILE", type=Path)
    _json(check)
    check.set_defaults(run=_check)

    every = commands.add_parser("list", help="the fighters whose boards are known")
    _data(every)
    _json(every)
    every.set_defaults(run=_list)

    show = commands.add_parser("show", help="one fighter's board in plain words")
    show.add_argument("name", metavar="NAME")
    _data(show)
    _json(show)
    show.set_defaults(run=_show)

    export = commands.add_parser("export", help="boards into one file that a group can share")
    export.add_argument("names", metavar="NAME", nargs="*", help="whose (default: all of the group's own)")
    _output(export)
    _data(export)
    export.set_defaults(run=_export)

    take = commands.add_parser("import", help="take the boards of a file into the data folder")
    take.add_argument("file", metavar="FILE", type=Path)
    take.add_argument("--replace", action="store_true", help="also in place of other boards of the same names")
    _data(take)
    take.set_defaults(run=_import)

    blank = commands.add_parser("template", help="a board file to fill in")
    blank.add_argument("name", metavar="NAME")
    _output(blank)
    blank.set_defaults(run=_template)


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def _data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, metavar="DIR", help="the data folder, as of `companion run`")


def _output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="FILE", help="the board file to write")
    parser.add_argument("--replace", action="store_true", help="also over a file that is there")


def _check(args: argparse.Namespace) -> int:
    boards = read_boards(args.file)
    if args.json:
        print(json.dumps({"fighters": [_summary(board) for board in boards]}))
        return 0
    for board in boards:
        print(f"{board.name}: {_known(board)}.")
        for state in ("partly", "unknown"):
            named = [attack_name(name) for name, attack in board.attacks.items() if attack.known == state]
            if named:
                print(f"  {'partly known' if state == 'partly' else 'not known'}: {', '.join(named)}")
    return 0


def _list(args: argparse.Namespace) -> int:
    boards = _boards(args)
    if args.json:
        listed = [{**_summary(kept.board), "file": None if kept.file is None else str(kept.file)} for kept in boards]
        print(json.dumps({"fighters": listed}))
        return 0
    for kept in boards:
        print(f"{kept.board.name}: {_known(kept.board)}; {kept.file or 'shipped'}")
    return 0


def _show(args: argparse.Namespace) -> int:
    kept = find(args.name, _boards(args))
    print(json.dumps(board_to_json(kept.board)) if args.json else "\n".join(_page(kept)))
    return 0


def _export(args: argparse.Namespace) -> int:
    boards = _boards(args)
    chosen = [find(name, boards) for name in args.names] or [kept for kept in boards if kept.file is not None]
    if not chosen:
        raise InputError("fighters export: the data folder holds no boards of your own; name those to export")
    names = list(dict.fromkeys(kept.board.name for kept in chosen))
    text = dump_boards(kept.board for kept in {kept.board.name: kept for kept in chosen}.values())
    _write(args, text)
    print(f"{args.output}: {', '.join(names)}")
    return 0


def _import(args: argparse.Namespace) -> int:
    done = import_boards(args.file, args.data or default_data(), args.replace)
    for what, names in (("new", done.new), ("replaced", done.replaced), ("there already", done.same)):
        if names:
            print(f"{what}: {', '.join(names)}")
    for path in done.files:
        print(f"written: {path}")
    for path in done.former:
        print(f"as it was before: {path}")
    return 0


def _template(args: argparse.Namespace) -> int:
    text = template(args.name)
    try:
        parse_boards(text.encode(), args.output)
    except (InputError, UnicodeEncodeError):
        raise InputError(f"fighters template: {args.name[:80]!r} cannot be a fighter's name") from None
    _write(args, text)
    print(f"{args.output}: to be filled in; then companion fighters check {args.output}")
    return 0


def _boards(args: argparse.Namespace) -> Sequence[Kept]:
    data: Path | None = args.data
    if data is not None and not data.is_dir():
        raise InputError(f"--data: {data} is no folder")
    return all_boards(data or default_data())


def _write(args: argparse.Namespace, text: str) -> None:
    if not args.replace and args.output.exists():
        raise InputError(f"{args.output} is there already: --replace writes over it")
    write_whole(args.output, text.encode())


def _summary(board: Board) -> dict[str, Any]:
    return {
        "name": board.name,
        "edition": board.edition,
        "attacks": {name: attack.known for name, attack in board.attacks.items()},
        "remarks": list(board.remarks),
    }


def _known(board: Board) -> str:
    states = [attack.known for attack in board.attacks.values()]
    counted = [(states.count(state), words) for state, words in _STATES]
    return f"{len(states)} attacks: " + ", ".join(f"{count} {words}" for count, words in counted if count)


_STATES = (("known", "known"), ("partly", "partly known"), ("unknown", "not known"))


def _page(kept: Kept) -> list[str]:
    board = kept.board
    edition = f", version {board.edition}" if board.edition is not None else ""
    lines = [f"{board.name}{edition} ({kept.file or 'shipped'})"]
    for title, effects in (("start of turn", board.start), ("end of turn", board.end)):
        if effects:
            lines.append(f"  {title}: {effects_words(effects)}")
    for name, attack in board.attacks.items():
        if attack.known == "unknown" and attack.source is None:
            lines.append(f"  {attack_name(name)}: not known")
            continue
        source = f"  ({attack.source})" if attack.source is not None else ""
        lines.append(f"  {attack_name(name)}: {effects_words(attack.effects)}{source}")
        lines.append(f"      kicker: {kicker_words(attack.kicker)}")
    lines += [f"  * {remark}" for remark in board.remarks]
    return lines
