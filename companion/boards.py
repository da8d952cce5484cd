"""The boards of a group: those shipped with the companion, and its own in the data folder, which go first.

A board that is the group's own lies in DATA/fighters/*.toml; it is read when the companion starts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from unicodedata import combining, normalize

from companion.board_file import LARGEST, WHAT, dump_boards, parse_boards, read_boards
from companion.errors import InputError
from companion.files import read_file, write_whole
from companion.rules.rematch.fighters import Board, same_name

SHIPPED = Path(__file__).parent / "fighters"
FOLDER = "fighters"


@dataclass(frozen=True)
class Kept:
    """A board and the file it stands in; `file` None: it is shipped."""

    board: Board
    file: Path | None = None


def load_boards(data: Path | None, tell: Callable[[str], None] | None = None) -> Mapping[str, Board]:
    """Name → board, shipped and the group's own; `data` None: only the shipped ones.

    Raises InputError for a file that cannot be used; with `tell`, that is told and the file passed over.
    """
    return {kept.board.name: kept.board for kept in all_boards(data, tell)}


def all_boards(data: Path | None, tell: Callable[[str], None] | None = None) -> tuple[Kept, ...]:
    """Every board by name, the group's own in place of a shipped one of the same name. Raises as `load_boards`."""
    found = {same_name(board.name): Kept(board) for board in shipped()}
    if data is not None:
        found |= own_boards(data, tell)
    return tuple(found[name] for name in sorted(found))


@lru_cache(maxsize=1)
def shipped() -> tuple[Board, ...]:
    return tuple(board for path in sorted(SHIPPED.glob("*.toml")) for board in read_boards(path))


def own_boards(data: Path, tell: Callable[[str], None] | None = None) -> dict[str, Kept]:
    """The group's own boards by `same_name`. Raises as `load_boards`."""
    found: dict[str, Kept] = {}
    for path in _files(data / FOLDER):
        try:
            for board in read_boards(path):
                kept = found.setdefault(same_name(board.name), Kept(board, path))
                if kept.file != path:
                    raise InputError(f"{path}: the fighter {board.name!r} is also in {kept.file}: keep one of them")
        except InputError as error:
            if tell is None:
                raise
            tell(f"A file of fighters was passed over: {error}")
    return found


def _files(folder: Path) -> list[Path]:
    try:
        # what editors leave beside a file begins with a dot
        return sorted(path for path in folder.iterdir() if path.suffix == ".toml" and not path.name.startswith("."))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"folder {folder}: {error.strerror or error}") from None


def find(name: str, boards: Iterable[Kept]) -> Kept:
    """The board of that name, in whatever case. Raises InputError with the nearest names."""
    by_name = {same_name(kept.board.name): kept for kept in boards}
    kept = by_name.get(same_name(name))
    if kept is None:
        near = [by_name[key].board.name for key in get_close_matches(same_name(name), by_name)]
        known = near or [each.board.name for each in by_name.values()]
        raise InputError(
            f"fighter {name[:60]!r} is not known: {'did you mean' if near else 'known are'} {', '.join(known)}"
        )
    return kept


@dataclass(frozen=True)
class Imported:
    """Names by what became of them, and the files written. `former`: copies of files in which a board was replaced."""

    new: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    former: tuple[Path, ...] = ()


def import_boards(source: Path, data: Path, replace: bool = False) -> Imported:
    """Take the boards of a file into the data folder. Raises InputError; a refusal changes nothing.

    Another board of a name that the group has already is only taken with `replace`; the file it stood in is kept as
    FILE.old. A file with nothing but new boards is copied as it is, comments and all.
    """
    text = read_file(source, WHAT, LARGEST)
    boards = parse_boards(text, source)
    own = own_boards(data)
    new = [board for board in boards if same_name(board.name) not in own]
    met = [board for board in boards if same_name(board.name) in own]
    changed = [board for board in met if own[same_name(board.name)].board != board]
    if changed and not replace:
        met_in = own[same_name(changed[0].name)].file
        raise InputError(
            f"{source}: {changed[0].name} is another board than the one in {met_in}: --replace takes the new one"
        )
    folder = data / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"folder {folder}: cannot be used: {error.strerror or error}") from None
    files, former = [], []
    if new:
        path = _free(folder, new[0].name if len(new) == 1 else source.stem)
        write_whole(path, text if len(new) == len(boards) else dump_boards(new).encode())
        files.append(path)
    for path in sorted({file for board in changed if (file := own[same_name(board.name)].file) is not None}):
        old = path.with_name(f"{path.name}.old")
        write_whole(old, read_file(path, WHAT, LARGEST))
        renewed = {same_name(board.name): board for board in changed}
        there = [renewed.get(name, kept.board) for name, kept in own.items() if kept.file == path]
        write_whole(path, dump_boards(there).encode())
        files.append(path)
        former.append(old)
    same = [board.name for board in met if board not in changed]
    return Imported(_names(new), _names(changed), tuple(same), tuple(files), tuple(former))


def _names(boards: Iterable[Board]) -> tuple[str, ...]:
    return tuple(board.name for board in boards)


def _free(folder: Path, name: str) -> Path:
    """A file name that nothing has yet, of letters that every system takes."""
    bare = "".join(char for char in normalize("NFKD", name.casefold()) if not combining(char))
    plain = re.sub(r"[^a-z0-9]+", "-", bare).strip("-")[:40] or "fighter"
    path, number = folder / f"{plain}.toml", 1
    while path.exists():
        number += 1
        path = folder / f"{plain}-{number}.toml"
    return path
