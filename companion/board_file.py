"""Board files: one fighter or a bundle that a group shares, in TOML (docs/fighters.md).

`format = 1`, then one `[[fighter]]` a board, with the keys of companion.rules.rematch.fighters.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from companion.errors import InputError
from companion.files import read_file
from companion.rules.rematch.fighters import (
    ATTACKS,
    Board,
    BoardError,
    board_from_json,
    board_to_json,
    same_name,
)
from companion.toml_text import flag, parse_toml, quoted

FORMAT = 1
LARGEST = 2**20
"""Bytes of a board file; more is no board file."""
MOST_FIGHTERS = 200
WHAT = "board file"


def read_boards(path: Path) -> tuple[Board, ...]:
    """The boards of a file. Raises InputError: unreadable, not TOML (its line), or a field's dotted path."""
    return parse_boards(read_file(path, WHAT, LARGEST), path)


def parse_boards(data: bytes, path: Path) -> tuple[Board, ...]:
    """As `read_boards`, of bytes that stood in `path`."""
    content = parse_toml(data, path, WHAT)
    form = content.pop("format", None)
    if isinstance(form, bool) or not isinstance(form, int) or form < 1:
        found = "is missing" if form is None else "is something else"
        raise InputError(f"{path}: format {found}: a board file begins with format = {FORMAT}")
    if form > FORMAT:
        raise InputError(f"{path}: format is of a newer companion (this one knows {FORMAT})")
    tables = content.pop("fighter", None)
    if content:
        raise InputError(f"{path}: {next(iter(content))[:40]!r} is not a known key: known are format and [[fighter]]")
    if isinstance(tables, dict):
        raise InputError(f"{path}: fighter must be written [[fighter]], in double brackets")
    if not isinstance(tables, list) or not 0 < len(tables) <= MOST_FIGHTERS:
        raise InputError(f"{path}: holds no fighter: 1 to {MOST_FIGHTERS} [[fighter]] tables are needed")
    boards: list[Board] = []
    names: dict[str, str] = {}
    for number, table in enumerate(tables):
        where = f"fighter[{number}]"
        try:
            board = board_from_json(where, table)
        except BoardError as error:
            raise InputError(f"{path}: {_named(table)}{error}") from None
        first = names.setdefault(same_name(board.name), where)
        if first != where:
            raise InputError(f"{path}: {where}.name is {board.name!r}, which {first} is called already")
        boards.append(board)
    return tuple(boards)


def _named(table: Any) -> str:
    """In a bundle the number of a fighter says little to people."""
    name = table.get("name") if isinstance(table, dict) else None
    return f"{name[:60]}: " if isinstance(name, str) and name else ""


def dump_boards(boards: Iterable[Board]) -> str:
    """The text of a board file; what `parse_boards` reads back as equal boards."""
    lines = [f"format = {FORMAT}"]
    for board in boards:
        value = board_to_json(board)
        lines += ["", "[[fighter]]", f"name = {quoted(board.name)}"]
        if board.edition is not None:
            lines.append(f"edition = {quoted(board.edition)}")
        for part in ("start", "end", "remarks"):
            if part in value:
                lines += _listed(part, value[part])
        for name in ATTACKS:
            if name in value["attacks"]:
                lines += _attack(name, value["attacks"][name])
    return "\n".join(lines) + "\n"


def _attack(name: str, value: dict[str, Any]) -> list[str]:
    lines = ["", f"[fighter.attacks.{name}]"]
    if "source" in value:
        lines.append(f"source = {quoted(value['source'])}")
    lines += _listed("effects", value["effects"])
    kicker = value.get("kicker")
    if isinstance(kicker, str):
        lines.append(f"kicker = {quoted(kicker)}")
    elif kicker is not None:
        lines += [f"[fighter.attacks.{name}.kicker]", f"when = {quoted(kicker['when'])}"]
        lines += _listed("effects", kicker["effects"])
    return lines


def _listed(key: str, values: list[Any]) -> list[str]:
    return [f"{key} = [", *(f"    {_value(value)}," for value in values), "]"]


def _value(value: Any) -> str:
    """A value in one line."""
    if isinstance(value, bool):
        return flag(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_value(part)}' for key, part in value.items())} }}"
    return str(int(value))
