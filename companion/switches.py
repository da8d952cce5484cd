"""What was switched on at this table and stays so after a restart: one small file in the data folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.errors import InputError
from companion.files import read_file, set_aside, write_whole

FILE = "switches.json"
VERSION = 1
LARGEST = 2**16


class Switches:
    """`notice`: told once of a damaged file, which is set aside."""

    def __init__(self, data: Path, notice: Callable[[str], None] = lambda text: None) -> None:
        self._path = data / FILE
        self.help = False
        """Help for learners is on."""
        self.game: str | None = None
        """The game that was chosen on the page; None: none was."""
        try:
            if self._path.exists():
                found = read_switches(self._path)
                self.help, self.game = bool(found["help"]), found["game"]
        except InputError as error:
            kept = set_aside(self._path)
            notice(f"{error}; it was set aside as {kept.name}, and every switch is off.")

    def set_help(self, on: bool) -> None:
        """Raises InputError when it cannot be saved; the switch is then as it was."""
        self._save(on, self.game)
        self.help = on

    def set_game(self, name: str) -> None:
        """Raises InputError when it cannot be saved; the next start then plays what it played."""
        self._save(self.help, name)
        self.game = name

    def _save(self, on: bool, name: str | None) -> None:
        content = {"version": VERSION, "help": on, **({} if name is None else {"game": name})}
        write_whole(self._path, (json.dumps(content) + "\n").encode())


def read_switches(path: Path) -> dict[str, Any]:
    """Raises InputError: the file is damaged."""
    try:
        found: Any = json.loads(read_file(path, "file of switches", LARGEST))
    except InputError:
        raise
    except (ValueError, RecursionError):
        raise InputError(f"{path}: is no file of switches") from None
    kinds = isinstance(found, dict) and isinstance(found.get("help"), bool)
    if not kinds or found.get("version") != VERSION or not isinstance(found.get("game"), str | None):
        raise InputError(f"{path}: is no file of switches of version {VERSION}")
    return {"help": found["help"], "game": found.get("game")}
