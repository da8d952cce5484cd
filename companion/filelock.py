"""One process at a time: an advisory lock on a file, which the kernel lets go of however the process ends."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

from companion.errors import InputError


class FileLock:
    """Held from its making until `release`. Raises InputError naming `what` when it is held elsewhere, or OSError."""

    def __init__(self, path: Path, what: str) -> None:
        self._path = path
        while True:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(self._fd)
                raise InputError(f"{what}: is in use by another process") from None
            # whoever held it before may have removed the name between our open and our lock
            if self._is_the_named_file():
                return
            os.close(self._fd)

    def _is_the_named_file(self) -> bool:
        try:
            named = os.stat(self._path)
        except FileNotFoundError:
            return False
        held = os.fstat(self._fd)
        return (named.st_dev, named.st_ino) == (held.st_dev, held.st_ino)

    def release(self) -> None:
        with contextlib.suppress(OSError):
            os.unlink(self._path)
        os.close(self._fd)
