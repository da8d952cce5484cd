"""The text form of a match, as far as it is a game's own: set-up, commands and states as words (docs/match-text.md).

What every game's text has in common (tags, lines, comments, line numbers) is in companion/match_text.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable


class NotationError(ValueError):
    """Words that mean nothing: one sentence with the field and what is needed. Its text ends without a full stop.

    `tag`: which tag of the header is meant; `line`: which line of that tag's block, from 0; None: the tag itself.
    """

    def __init__(self, text: str, tag: str | None = None, line: int | None = None) -> None:
        super().__init__(text)
        self.tag = tag
        self.line = line


@dataclass(frozen=True, slots=True)
class Tag:
    """One thing that the header says: a value of one line, or a block of several."""

    name: str
    value: str = ""
    block: tuple[str, ...] | None = None


class Notation(Protocol):
    """How the commands of one game are written. Whatever `line` writes, `command` reads as the same command."""

    def setup_tags(self, setup: Mapping[str, Any], state: Mapping[str, Any]) -> Sequence[Tag]:
        """The set-up command as tags. `state`: what came of it, so that the text needs nothing beside itself."""
        ...

    def setup(self, tags: Sequence[Tag]) -> dict[str, Any]:
        """The set-up command. Raises NotationError."""
        ...

    def line(self, command: Mapping[str, Any]) -> str | None:
        """The command as one line of words, None: it has none (it is then written as JSON)."""
        ...

    def command(self, line: str) -> dict[str, Any]:
        """The command of a line, which holds no comment. Raises NotationError."""
        ...

    def remark(self, command: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        """What a reader of that line would want to know beside it, "": nothing. Nobody checks it."""
        ...

    def turn(self, state: Mapping[str, Any]) -> str:
        """Whose turn it is, to stand above that turn's commands; "": the game has no turns."""
        ...

    def note(self, state: Mapping[str, Any]) -> str:
        """How things stand, to be written after a turn; "": nothing."""
        ...

    def wrong(self, note: str, state: Mapping[str, Any]) -> str | None:
        """Why a note (or a turn) that somebody wrote does not agree with the state; None: it does."""
        ...

    def figures(self, state: Mapping[str, Any]) -> Mapping[str, Mapping[str, int]]:
        """By player the numbers that show how the match goes, to be drawn over its course; {}: there are none."""
        ...

    def names(self, state: Mapping[str, Any]) -> str:
        """Who plays, for a list of matches."""
        ...

    def result(self, state: Mapping[str, Any]) -> str | None:
        """How the match ended; None: it has not."""
        ...


def shown(word: str) -> str:
    """A word of somebody's for a sentence about it."""
    return json.dumps(word if len(word) <= 40 else f"{word[:39]}…", ensure_ascii=False)


@runtime_checkable
class Seated(Protocol):
    """A notation that knows who sits where and who won, for the standings of several matches."""

    def seats(self, state: Mapping[str, Any]) -> Mapping[str, str]:
        """By player the name that somebody gave, as far as one did."""
        ...

    def winner(self, state: Mapping[str, Any]) -> str | None:
        """The player who won; None: nobody has, or nobody did."""
        ...


class JsonNotation:
    """For a game that has no words of its own: the set-up is one tag, and every command stays JSON."""

    def setup_tags(self, setup: Mapping[str, Any], state: Mapping[str, Any]) -> Sequence[Tag]:
        return (Tag("Setup", block=(json.dumps(dict(setup), ensure_ascii=False),)),)

    def setup(self, tags: Sequence[Tag]) -> dict[str, Any]:
        for tag in tags:
            if tag.name.casefold() != "setup":
                raise NotationError(f"there is no tag {shown(tag.name)} in this game: only Setup", tag.name)
        if not tags:
            raise NotationError("the tag Setup is missing: it holds the set-up command as JSON")
        return setup_of(tags[0])

    def line(self, command: Mapping[str, Any]) -> str | None:
        return None

    def command(self, line: str) -> dict[str, Any]:
        raise NotationError(f"{shown(line)} is no command: in this game each is a JSON object")

    def remark(self, command: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        return ""

    def turn(self, state: Mapping[str, Any]) -> str:
        return ""

    def note(self, state: Mapping[str, Any]) -> str:
        return ""

    def wrong(self, note: str, state: Mapping[str, Any]) -> str | None:
        true = self.turn(state)
        if not true:
            return "this game has no notes to check; a comment begins with ; alone"
        return None if words_of(note) == words_of(true) else f"it says {shown(note)}, but it is {true}"

    def figures(self, state: Mapping[str, Any]) -> Mapping[str, Mapping[str, int]]:
        return {}

    def names(self, state: Mapping[str, Any]) -> str:
        return ""

    def result(self, state: Mapping[str, Any]) -> str | None:
        # `over` is null while a match goes on: what the companion asks of every game's state
        over = state.get("over")
        return None if over is None else json.dumps(over, ensure_ascii=False)


def words_of(text: str) -> str:
    """What must agree of two notes: neither spaces nor upper and lower case."""
    return " ".join(text.casefold().split())


def wrong_part(note: str, true: Mapping[str, str], same: Callable[[str], str] = words_of) -> str | None:
    """Why a note "NAME text | NAME text" does not agree with what is true by name; None: it does.

    `same`: what of a text must agree.
    """
    for part in note.split("|"):
        name, _, text = part.strip().partition(" ")
        key = next((key for key in true if key.casefold() == name.casefold()), None)
        if key is None:
            return f"{shown(name)} cannot be checked: a note names {', '.join(true)}"
        if same(text) != same(true[key]):
            return f"it says {shown(part.strip())}, but it is {shown(f'{key} {true[key]}'.strip())}"
    return None


def whole_setup(tags: Sequence[Tag]) -> dict[str, Any] | None:
    """The command of a first tag Setup, beside which no other may stand; None: there is none. Raises NotationError."""
    if not tags or tags[0].name.casefold() != "setup":
        return None
    if len(tags) > 1:
        raise NotationError("the tag Setup already says all that this tag could", tags[1].name)
    return setup_of(tags[0])


def known_as(tag: Tag, names: Sequence[str]) -> str:
    """The name that the tag stands for, in whatever case it is written. Raises NotationError."""
    name = next((name for name in names if name.casefold() == tag.name.casefold()), None)
    if name is None:
        raise NotationError(f"there is no tag {shown(tag.name)}: there are {', '.join(names)}", tag.name)
    return name


def setup_of(tag: Tag) -> dict[str, Any]:
    """The set-up command that a tag Setup holds as JSON. Raises NotationError."""
    try:
        value = json.loads("\n".join(tag.block or (tag.value,)))
    except (ValueError, RecursionError):
        raise NotationError(f"the tag {tag.name} holds no JSON", tag.name) from None
    if not isinstance(value, dict) or value.get("do") != "setup":
        raise NotationError(f'the tag {tag.name} needs a JSON object with "do": "setup"', tag.name)
    return value
