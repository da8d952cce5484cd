"""What the page needs from the application. The composition root hands one in; tests hand in a fake of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Snapshot:
    """Everything a page shows. `serial` grows with every change of either part.

    `version`: number of accepted commands in the log (the event stream's `id:`); `state`: the referee's, None before
    `setup`; `view`: the table beside the score (what the camera sees, questions, verdict, connection), see
    docs/decisions/page-view.md for its keys.
    """

    serial: int
    version: int
    state: dict[str, Any] | None
    view: dict[str, Any]


class Watched(Protocol):
    """What an event stream is made of."""

    def snapshot(self) -> Snapshot: ...

    def wait(self, serial: int, timeout_s: float) -> Snapshot:
        """The newest snapshot, as soon as its serial differs from `serial`, at the latest after `timeout_s`."""
        ...


class Table(Watched, Protocol):
    def command(self, line: bytes, version: int | None = None) -> dict[str, Any]:
        """One referee command as its JSON text; the referee's reply, after it is in the log (DESIGN §7).

        `version`: of the score that the sender was looking at; when that is not the newest, nothing is done, and the
        refusal `changed` says what was missed. With it the reply holds the version after.
        """
        ...

    def control(self, request: dict[str, Any], version: int | None = None) -> dict[str, Any]:
        """What is no command of the rules: simulated pulls, autoplay, answers, a new match. `{"ok": …}`."""
        ...

    def history(self) -> dict[str, Any]:
        """The match command by command, see docs/decisions/page-view.md; it need not wait for the writer."""
        ...

    def picture(self) -> bytes | None:
        """The newest camera picture as JPEG; None: no camera."""
        ...

    def seen(self) -> dict[str, Any]:
        """What the eye makes of the newest picture (docs/decisions/page-seen.md); it need not wait for the writer."""
        ...

    def seen_picture(self, number: int | None = None) -> tuple[int, bytes] | None:
        """The tray set upright as JPEG, with its number: the one asked for while it is kept, else the newest.

        None: nothing is seen.
        """
        ...
