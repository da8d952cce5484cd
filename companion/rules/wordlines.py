"""A command as one line of words and back, for any game (docs/match-text.md): `A attack R4 B1 seen=[G2]`. Pure.

One grammar for all: the player, the command, then values without a name in the game's order, then `name=value`. A value
is a bare word, a number, true, false, null, a text in double quotes, a list in [ ], or `name=value`s in ( ); a game may
have commands in ( ) too. A command's form is for its rules to judge; here a line need only say which command it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.rules.notation import JsonNotation, NotationError, shown

_TOKEN: Final = re.compile(
    r'\s*(?:(?P<mark>[\[\]()=])|(?P<text>"(?:[^"\\]|\\.)*")|(?P<word>[^\s\[\]()="]+)|(?P<odd>\S))'
)
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,11})")
_BARE: Final = re.compile(r"[^\W\d][\w.-]*|-?[0-9]{1,2},-?[0-9]{1,2}")
_FIXED: Final = {"true": True, "false": False, "null": None}
_DEEPEST: Final = 6


@dataclass(frozen=True)
class Words:
    """The words of one game.

    `names`: its commands; `order`: by command the fields whose values stand without their name; `players`: who may
    stand first in a line; `tools`: commands that may stand in ( ).
    """

    names: Collection[str]
    order: Mapping[str, tuple[str, ...]]
    players: Collection[str]
    tools: Collection[str] = ()

    def write(self, command: Mapping[str, Any]) -> str | None:
        """The line; None: these words cannot say the whole command."""
        try:
            line = self._words(command)
            # what does not come back as it was is not written
            if not line.isprintable() or self.read(line) != json.loads(json.dumps(command)):
                return None
        except (NotationError, ValueError, TypeError, LookupError, AttributeError):
            return None
        return line

    def _words(self, effect: Mapping[str, Any]) -> str:
        name = effect["do"]
        rest = {key: value for key, value in effect.items() if key != "do"}
        words = [rest.pop("player")] if rest.get("player") in self.players else []
        words.append(name)
        for key in self.order.get(name, ()):
            if key not in rest:
                break
            words.append(self.value_text(rest.pop(key)))
        return " ".join([*words, *(f"{key}={self.value_text(value)}" for key, value in rest.items())])

    def value_text(self, value: Any) -> str:
        if isinstance(value, str):
            bare = _BARE.fullmatch(value) and value.casefold() not in _FIXED
            return value if bare else json.dumps(value, ensure_ascii=False)
        if value is None or isinstance(value, bool | int):
            return json.dumps(value)
        if isinstance(value, list | tuple):
            return f"[{' '.join(self.value_text(one) for one in value)}]"
        if isinstance(value, Mapping) and value.get("do") in self.tools:
            return f"({self._words(value)})"
        if isinstance(value, Mapping):
            return f"({' '.join(f'{_key(key)}={self.value_text(one)}' for key, one in value.items())})"
        raise ValueError(f"{value!r} has no word")

    def read(self, line: str) -> dict[str, Any]:
        """The command. Raises NotationError."""
        reader = Reader(self, line, "command")
        command = reader.command(self.names)
        reader.end()
        return command

    def read_fields(self, text: str, where: str) -> dict[str, Any]:
        """`name=value` and nothing else. Raises NotationError."""
        reader = Reader(self, text, where)
        found: dict[str, Any] = {}
        while reader.next.kind != "end":
            reader.named(found, 0)
        return found


class WordNotation(JsonNotation):
    """For a game whose commands are words; its set-up stays JSON in one tag."""

    words: Words

    def line(self, command: Mapping[str, Any]) -> str | None:
        return self.words.write(command)

    def command(self, line: str) -> dict[str, Any]:
        return self.words.read(line)


def _key(key: str) -> str:
    if not re.fullmatch(r"[^\W\d][\w-]*", key):
        raise ValueError(f"{key!r} is no name")
    return key


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str


_END: Final = _Token("end", "")


class Reader:
    """The tokens of one line, from left to right; each method raises NotationError."""

    def __init__(self, words: Words, line: str, where: str) -> None:
        self.words, self.where = words, where
        self._tokens: list[_Token] = []
        self._at = 0
        at = 0
        while match := _TOKEN.match(line, at):
            kind = match.lastgroup or ""
            if kind == "odd":
                raise NotationError(f"{where}: a double quote is never closed")
            text = match[kind]
            if kind == "text":
                try:
                    text = json.loads(text)
                except ValueError:
                    raise NotationError(f"{where}: {shown(text)} is no text as JSON has it") from None
            self._tokens.append(_Token(kind, text))
            at = match.end()

    @property
    def next(self) -> _Token:
        return self._tokens[self._at] if self._at < len(self._tokens) else _END

    @property
    def _has_name(self) -> bool:
        after = self._tokens[self._at + 1 : self._at + 2]
        return self.next.kind == "word" and after == [_Token("mark", "=")]

    def _needs(self, what: str) -> NotationError:
        found = "the line ends" if self.next.kind == "end" else f"{shown(self.next.text)} stands"
        return NotationError(f"{self.where}: {found} where {what} is needed")

    def _mark(self, mark: str) -> bool:
        if self.next != _Token("mark", mark):
            return False
        self._at += 1
        return True

    def end(self) -> None:
        if self.next.kind != "end":
            raise self._needs("name=value, or the end of the line,")

    def command(self, names: Collection[str], deep: int = 0) -> dict[str, Any]:
        found: dict[str, Any] = {}
        player = self.next.text.upper()
        if self.next.kind == "word" and player in self.words.players:
            self._at += 1
            found["player"] = player
        name = self.next.text.casefold()
        if self.next.kind != "word" or name not in names:
            raise self._needs(f"a command ({', '.join(names)})")
        self._at += 1
        self.where = name
        for key in self.words.order.get(name, ()):
            if self.next.kind == "end" or self.next.text == ")" or self._has_name:
                break
            found[key] = self._value(deep)
        while self.next.kind != "end" and self.next != _Token("mark", ")"):
            self.named(found, deep)
        return {"do": name, **found}

    def named(self, found: dict[str, Any], deep: int) -> None:
        if not self._has_name:
            raise self._needs("name=value")
        key = self.next.text
        if key in found or key == "do":
            raise NotationError(f"{self.where}: {shown(key)} is said twice")
        self._at += 2
        found[key] = self._value(deep)

    def _value(self, deep: int) -> Any:
        if deep > _DEEPEST:
            raise NotationError(f"{self.where}: brackets lie too deep in each other")
        token = self.next
        if self._mark("["):
            values = []
            while not self._mark("]"):
                values.append(self._value(deep + 1))
            return values
        if self._mark("("):
            return self._in_brackets(deep + 1)
        if token.kind not in ("word", "text"):
            raise self._needs("a value")
        self._at += 1
        if token.kind == "text":
            return token.text
        if token.text.casefold() in _FIXED:
            return _FIXED[token.text.casefold()]
        return int(token.text) if _NUMBER.fullmatch(token.text) else token.text

    def _in_brackets(self, deep: int) -> dict[str, Any]:
        """A command, or `name=value`s."""
        where = self.where
        if self._has_name or self.next == _Token("mark", ")"):
            found: dict[str, Any] = {}
            while self.next.kind != "end" and self.next != _Token("mark", ")"):
                self.named(found, deep)
        else:
            found = self.command(self.words.tools, deep)
        self.where = where
        if not self._mark(")"):
            raise self._needs('")"')
        return found
