"""What the service needs from the table of one game: it turns frames and edges into acts. No game is named here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.onlookers import Look
from companion.rules.core import Reason
from companion.session import Reply
from hardware.camera import Frame
from hardware.edges import Edge

Command = Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """One way to answer. `commands` are submitted in order, up to the first refusal; none: nothing happened.

    `refused`: what follows from that refusal.
    """

    label: str
    cells: tuple[str, ...] = ()
    commands: tuple[Command, ...] = ()
    refused: Callable[[Reply], Sequence[Act]] = field(default=lambda reply: (), compare=False)

    def to_json(self) -> dict[str, Any]:
        command = dict(self.commands[-1]) if self.commands else None
        return {"label": self.label, "cells": list(self.cells), "command": command}


@dataclass(frozen=True)
class Ask:
    """Shown until it is answered, or until something else is seen."""

    player: str | None
    text: str
    answers: tuple[Answer, ...]

    def to_json(self) -> dict[str, Any]:
        return {"player": self.player, "text": self.text, "answers": [answer.to_json() for answer in self.answers]}


@dataclass(frozen=True)
class Verdict:
    """What is said about the last thing seen. `sure` False: another reading has the same outcome.

    `nearest`: what the player may have meant, as the refusal of an illegal clear has it. `stand`: the commands by
    which the players let an illegal pull stand, from what they say of it; None: it cannot.
    """

    kind: str
    player: str
    cells: tuple[str, ...]
    attack: str | None
    text: str
    reasons: tuple[Mapping[str, Any], ...] = ()
    sure: bool = True
    nearest: tuple[Mapping[str, Any], ...] = ()
    stand: Callable[[Mapping[str, Any]], Sequence[Command]] | None = field(default=None, compare=False)

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind, "player": self.player, "cells": list(self.cells), "attack": self.attack,
            "reasons": [dict(reason) for reason in self.reasons], "text": self.text, "sure": self.sure,
            "nearest": [dict(clear) for clear in self.nearest], "may_stand": self.stand is not None,
        }  # fmt: skip


@dataclass(frozen=True)
class Submit:
    """A command that the table gives in the players' place; `then`: what follows from the reply."""

    command: Command
    then: Callable[[Reply], Sequence[Act]] = field(default=lambda reply: ())


@dataclass(frozen=True)
class Withdraw:
    """The verdict, the question, or both are of the past."""

    verdict: bool = True
    question: bool = True


@dataclass(frozen=True)
class Say:
    """A notice on the page; one with the same `about` takes the place of the last, an empty text takes it away."""

    about: str
    text: str
    level: str = "info"


Act = Submit | Ask | Verdict | Withdraw | Say


class GameTable(Protocol):
    """One game's table. Only the writer thread calls it."""

    def see(self, frame: Frame) -> Sequence[Act]: ...

    def edge(self, edge: Edge) -> Sequence[Act]: ...

    def tick(self, t_ns: int) -> Sequence[Act]:
        """Called several times a second, whether or not anything was seen."""
        ...

    def follow(self, reply: Reply) -> Sequence[Act]:
        """After each accepted command, whoever gave it, and once at the start (then `command` is empty)."""
        ...

    def answered(self) -> None:
        """The open question is being answered, or waved away; its commands come next."""
        ...

    def take_tray(self) -> Command | Reason:
        """The command that takes the table as it is seen, or why that is not possible now."""
        ...

    def view(self) -> dict[str, Any]:
        """Its part of the page's view: some of the keys of companion.view.EMPTY."""
        ...

    def look(self) -> Look | None:
        """The newest picture with what was read from it; None: none yet. Any thread may ask, it must cost nothing."""
        ...
