"""The folder of matches: one log a match, numbered; the newest is the one being played."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from pathlib import Path

from companion.errors import InputError
from companion.files import set_aside
from companion.history import Record
from companion.log import Log, LogWriteError, MemoryLog, OtherGame, SqliteLog
from companion.log_reading import DamagedLog
from companion.rules.core import Game
from companion.salvage import salvage, write_again
from companion.session import Session

log = logging.getLogger(__name__)

IMPORTED = "-imported.sqlite"
"""How the names of logs end that are kept for looking up; they have numbers too, but nobody plays them on."""

_NAME = re.compile(rf"match-(\d{{6,}})(\.sqlite|{re.escape(IMPORTED)})")


class Matches:
    """The matches of one game in `folder`, held for this process alone by whoever holds the newest log.

    The number gives the order, never a date: after a power cut the clock may stand before the last match (K14).
    """

    def __init__(self, folder: Path, game: Game, keep: int | None = None) -> None:
        """`keep`: only so many of the newest stay when a new one begins (for matches that nobody will look up)."""
        self._folder = folder
        self._game = game
        self._keep = keep

    def resume(self, tell: Callable[[str], None], put_aside: bool = True) -> Session:
        """The session of the newest match, over or not (its end can be undone); without one, an empty session.

        A log that cannot be read is put aside and `tell` says so, so that a bad card does not end the evening (K5);
        what is still readable of it is played on. Not `put_aside`: it is passed over and stays.
        Raises InputError for a log of a newer companion, one in use, or a folder that cannot be used.
        """
        playable = {number: path for number, path in self._numbered().items() if not path.name.endswith(IMPORTED)}
        while playable:
            path = playable.pop(max(playable))
            try:
                kept = SqliteLog(path, self._game.name)
            except OtherGame:
                continue  # another game's match lies there; it is gone on with when that game is played
            except DamagedLog as error:
                if put_aside and (session := self._saved(path, error, tell)) is not None:
                    return session
                continue
            if not kept.records():
                kept.close()  # begun, but never set up
                continue
            try:
                return Session(self._game, kept, self.next_log)
            except InputError as error:
                kept.close()
                if put_aside and (session := self._saved(path, error, tell)) is not None:
                    return session
        return Session(self._game, None, self.next_log)

    def _saved(self, path: Path, error: InputError, tell: Callable[[str], None]) -> Session | None:
        """Put a damaged log aside, and go on with what can still be read of it, if that is a match."""
        try:
            aside = set_aside(path)
        except InputError as problem:
            tell(f"A match could not be read, nor put aside ({problem}): {error}")
            return None
        records = self._replayable(self._salvaged(aside))
        if records:
            try:
                write_again(records, path, self._game.name)
                session = Session(self._game, SqliteLog(path, self._game.name), self.next_log)
            except (InputError, LogWriteError, OSError) as problem:
                log.warning("what could be read of %s could not be written again: %s", aside, problem)
            else:
                tell(
                    f"A match was damaged and put aside as {aside.name}; it goes on with the {len(records)} commands"
                    " that could still be read: check the score."
                )
                return session
        tell(f"A match could not be read and was put aside as {aside.name}: {error}")
        return None

    def _salvaged(self, aside: Path) -> tuple[Record, ...]:
        try:
            return salvage(aside, self._game.name)
        except (InputError, OSError) as problem:
            log.warning("nothing could be read of %s: %s", aside, problem)
            return ()

    def _replayable(self, records: tuple[Record, ...]) -> tuple[Record, ...]:
        """The longest beginning that the rules can make something of."""
        low, high = 0, len(records)
        while low < high:
            middle = (low + high + 1) // 2
            try:
                Session(self._game, MemoryLog(records[:middle]))
                low = middle
            except InputError:
                high = middle - 1
        return records[:low]

    def fresh(self) -> Session:
        """A session without a match; its set-up begins a new log."""
        return Session(self._game, None, self.next_log)

    def next_log(self) -> Log:
        """A new log with the next number. Raises InputError."""
        kept = self._numbered()
        new = SqliteLog(self._folder / f"match-{max(kept, default=0) + 1:06d}.sqlite", self._game.name)
        if self._keep is not None:
            for number in sorted(kept)[: -self._keep]:
                for path in (kept[number], *self._folder.glob(f"{kept[number].name}-*")):
                    path.unlink(missing_ok=True)
        return new

    def _numbered(self) -> dict[int, Path]:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"folder {self._folder}: cannot be used: {error.strerror or error}") from None
        return numbered(self._folder)


def numbered(folder: Path) -> dict[int, Path]:
    """The logs in the folder, imported ones too, by number. Raises InputError."""
    try:
        found = ((_NAME.fullmatch(path.name), path) for path in folder.iterdir())
        return {int(match[1]): path for match, path in found if match}
    except OSError as error:
        raise InputError(f"folder {folder}: cannot be used: {error.strerror or error}") from None
